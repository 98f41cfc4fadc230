//! QHT, the theorems as curves: what the paper prints, the exact laws, what was measured.

use lately::{Filter, Variant};

use crate::baselines::Reading;
use crate::baselines::sqf::Sqf;
use crate::check::Check;
use crate::context::Context;
use crate::detector::Detector;
use crate::laws::quotient::Rows;
use crate::num;
use crate::ours::Ours;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Table};
use crate::rng::{self, Rng};
use crate::sample::Sample;

use super::qht_table_1::options;

const VARIANTS: [(Variant, &str); 4] =
    [(Variant::Qht, "QHT"), (Variant::Qhtd, "QHTD"), (Variant::Qqht, "QQHT"), (Variant::Qqhtd, "QQHTD")];

/// k and s whose asymptotes are about a quarter.
const FILLING: [(u64, u64); 3] = [(1, 2), (4, 4), (16, 6)];
const CELLS: u64 = 8192;
/// How often the cells could have been filled, and in how many steps that is measured.
const FILLS: u64 = 5;
const STEPS: u64 = 20;

/// The shape whose forgetting is measured.
const FORGETTING: (u64, u64) = (4, 4);
const ROWS: u64 = 512;

const LIMITS: [(u64, u64); 3] = [(1, 3), (2, 3), (4, 4)];

/// Percent points that the mean of a bin may be from the law in its middle.
const BINS: f64 = 0.1;

pub(crate) fn run(context: &Context) -> Outcome {
    let runs = context.pick(12, 40, 400);
    let mut outcome = Outcome::new(format!(
        "Tables of {CELLS} cells (filling), {ROWS} rows (forgetting, limits), {runs} runs. Keys are unseen, but for those \
         whose forgetting is watched, and but for Theorem 4.2, whose stream is uniform."
    ));
    filling(context, runs, &mut outcome);
    forgetting(context, runs, &mut outcome);
    at_rest(context, context.pick(6, 20, 100), &mut outcome);
    limits(context, runs, &mut outcome);
    cells(context, runs, &mut outcome);
    outcome
}

fn rows(n: u64, k: u64, s: u64) -> Rows {
    Rows { n: num::real(n), k, s: num::real((1 << s) - 1) }
}

fn filter(variant: Variant, n: u64, (k, s): (u64, u64), seed: u64) -> Filter {
    Filter::new(&options(variant, n * k * s, k, s, seed)).expect("a filter with these integers")
}

fn observe(filter: &mut Filter, key: u64) -> bool {
    filter.observe(&key.to_le_bytes()).expect("a quotient filter takes every key").is_duplicate()
}

/// Theorem 4.1: the rate of false duplicates while a table fills.
fn filling(context: &Context, runs: u64, outcome: &mut Outcome) {
    let title = "Theorem 4.1: false duplicates while a table fills";
    let axes = (Axis::linear("keys / cells, m / (N k)"), Axis::linear("false duplicates, %"));
    let mut chart = Chart::new("filling", title, axes.0, axes.1).note(
        "As printed the theorem is exact for one cell a row. With more it lags behind: a row that is not full never \
         replaces, so its cells fill faster than those of a full one change. The exact law follows the number of filled \
         cells of a row.",
    );
    for (k, s) in FILLING {
        let rows = rows(CELLS / k, k, s);
        let places = (0..=FILLS * 10).map(|i| num::real(i) / 10.0);
        let printed = places.map(|x| (x, 100.0 * rows.printed_false(x * num::real(CELLS)))).collect();
        chart.curve(format!("k = {k}, s = {s}: as printed"), printed);
        let law: Vec<f64> = rows
            .fills(|_| 1.0)
            .take(num::index(CELLS * FILLS + 1))
            .map(|fills| 100.0 * rows.false_of(&fills))
            .collect();
        let exact = law.iter().enumerate().step_by(num::index(CELLS / 10));
        chart.curve(
            format!("k = {k}, s = {s}: exact"),
            exact.map(|(m, &y)| (num::size(m) / num::real(CELLS), y)).collect(),
        );
        let ours = context.runs(runs, |seed| filled(k, s, seed));
        chart.measured(format!("k = {k}, s = {s}: ours"), steps(&ours, &law, (k, s), outcome));
    }
    outcome.charts.push(chart);
}

const STEP: u64 = CELLS * FILLS / STEPS;

/// False duplicates in percent, step by step.
fn filled(k: u64, s: u64, seed: u64) -> Vec<f64> {
    let (mut filter, mut keys) = (filter(Variant::Qht, CELLS / k, (k, s), seed), 0..);
    let mut step = || keys.by_ref().take(num::index(STEP)).filter(|&key| observe(&mut filter, key)).count();
    (0..STEPS).map(|_| 100.0 * num::size(step()) / num::real(STEP)).collect()
}

fn steps(ours: &[Vec<f64>], law: &[f64], (k, s): (u64, u64), outcome: &mut Outcome) -> Vec<(f64, Sample)> {
    let mut points = Vec::new();
    for step in 0..num::index(STEPS) {
        let sample = Sample::of(ours.iter().map(|steps| steps[step]));
        let here = &law[step * num::index(STEP)..(step + 1) * num::index(STEP)];
        let x = (num::size(step) + 0.5) * num::real(STEP) / num::real(CELLS);
        let what = format!("Filling, k = {k}, s = {s}, m / (N k) = {x:.3}");
        outcome.checks.push(Check::about(what, sample, here.iter().sum::<f64>() / num::size(here.len())));
        points.push((x, sample));
    }
    points
}

/// How far back a key is looked for, in keys: from an eighth of the cells to 8 times as many.
fn distances((k, _): (u64, u64)) -> impl Iterator<Item = u64> {
    (0..19).map(move |i| num::floor(num::real(ROWS * k) / 8.0 * 2.0_f64.powf(num::real(i) / 3.0)))
}

/// The four variants forget: one law each.
fn forgetting(context: &Context, runs: u64, outcome: &mut Outcome) {
    let title = "Missed duplicates by distance, k = 4, s = 4, rows full";
    let axes = (Axis::log("keys since / cells, d / (N k)"), Axis::linear("missed duplicates, %"));
    let mut chart = Chart::new("forgetting", title, axes.0, axes.1).note(
        "The paper's section 5.2 says that the queue forgets the oldest first; the exact laws say how sharply. QQHT \
         passes its limit 1 - k/S before it comes back to it.",
    );
    let cells = num::real(ROWS * FORGETTING.0);
    for (variant, name) in VARIANTS {
        let law: Vec<f64> = rows(ROWS, FORGETTING.0, FORGETTING.1)
            .forgotten(variant)
            .take(num::index(ROWS * FORGETTING.0 * 8 + 1))
            .map(|rate| 100.0 * rate)
            .collect();
        let at = |d: u64| law[num::index(d)];
        chart.curve(format!("{name}: exact"), distances(FORGETTING).map(|d| (num::real(d) / cells, at(d))).collect());
        let ours = context.runs(runs, |seed| missed(variant, seed));
        let mut points = Vec::new();
        for (i, d) in distances(FORGETTING).enumerate() {
            let sample = Sample::of(ours.iter().map(|rates| rates[i]));
            outcome.checks.push(Check::about(format!("{name}, {d} keys later"), sample, at(d)).slack(BINS));
            points.push((num::real(d) / cells, sample));
        }
        chart.measured(format!("{name}: ours"), points);
    }
    outcome.charts.push(chart);
}

/// Looks for the key that came some distances ago, at every key of a stream of unseen ones.
fn missed(variant: Variant, seed: u64) -> Vec<f64> {
    let (k, _) = FORGETTING;
    let mut filter = filter(variant, ROWS, FORGETTING, seed);
    let (first, looks) = (ROWS * k * 40, ROWS * k * 4);
    let mut missed: Vec<u64> = distances(FORGETTING).map(|_| 0).collect();
    for now in 0..first + looks {
        observe(&mut filter, now);
        if now >= first {
            let absent = |d: u64| u64::from(filter.contains(&(now - d).to_le_bytes()).is_new());
            missed.iter_mut().zip(distances(FORGETTING)).for_each(|(missed, d)| *missed += absent(d));
        }
    }
    missed.into_iter().map(|missed| 100.0 * num::real(missed) / num::real(looks)).collect()
}

/// Theorem 4.2: missed duplicates of an endless uniform stream, by how many times its keys fill the table.
fn at_rest(context: &Context, runs: u64, outcome: &mut Outcome) {
    let title = "Theorem 4.2: missed duplicates of an endless uniform stream";
    let axes = (Axis::log("keys of the alphabet / cells, U / (N k)"), Axis::linear("missed duplicates, %"));
    let mut chart = Chart::new("at-rest", title, axes.0, axes.1).note(
        "The closed form at the end of appendix B compared with the exact law for one cell a row, (1 - 1/S)(1 - (1 - e^-r)/r) \
         with r = U/N keys a row. The theorem's limit holds for large alphabets; for small ones it takes the keys \
         between for ever new ones, and says too much.",
    );
    let alphabets: Vec<u64> = (-2..=context.pick(4, 7, 7)).map(|i| num::floor(512.0 * 2.0_f64.powi(i))).collect();
    for (k, s) in [(1, 3), (4, 4)] {
        let rows = rows(512 / k, k, s);
        let x = |alphabet: u64| num::real(alphabet) / 512.0;
        let printed = alphabets.iter().map(|&u| (x(u), 100.0 * rows.printed_missed(num::real(u)))).collect();
        chart.curve(format!("k = {k}, s = {s}: as printed"), printed);
        let law = |u: u64| 100.0 * rows.single_missed_at_rest(num::real(u));
        if k == 1 {
            chart.curve("k = 1, s = 3: exact", alphabets.iter().map(|&u| (x(u), law(u))).collect());
        }
        let mut points = Vec::new();
        for &alphabet in &alphabets {
            let ours = Sample::of(context.runs(runs, |seed| missed_at_rest(k, s, alphabet, seed)));
            points.push((x(alphabet), ours));
            if k == 1 {
                outcome.checks.push(Check::about(format!("Theorem 4.2, {alphabet} keys"), ours, law(alphabet)));
            }
        }
        chart.measured(format!("k = {k}, s = {s}: ours"), points);
    }
    outcome.charts.push(chart);
}

/// Missed duplicates in percent, after every key of the alphabet came, and many of them again.
fn missed_at_rest(k: u64, s: u64, alphabet: u64, seed: u64) -> f64 {
    let mut filter = filter(Variant::Qht, 512 / k, (k, s), seed);
    let mut rng = Rng(rng::hash(seed, alphabet));
    (0..alphabet).for_each(|key| {
        observe(&mut filter, key);
    });
    let (warm, counted) = ((8 * alphabet).max(20 * 512), (4 * alphabet).max(8 * 512));
    let mut missed = |keys| (0..keys).filter(|_| !observe(&mut filter, rng.below(alphabet))).count();
    missed(warm);
    100.0 * num::size(missed(counted)) / num::real(counted)
}

/// Theorems 4.1 and 4.2 and section 5.1: the limits, and Claim 4.1: their sum.
fn limits(context: &Context, runs: u64, outcome: &mut Outcome) {
    let measures = ["FPR, %", "FNR, %", "FPR + FNR, %"].map(|name| Measure::new(name, 2)).to_vec();
    let mut table = Table::new("Limits of endless streams", &["filter", "k", "s"], measures).note(
        "Formula: k/S and 1 - k/S (Theorems 4.1 and 4.2) where duplicates are not stored, 1 - (1 - 1/S)^k and its rest \
         (section 5.1) where they are; S = 2^s - 1. Claim 4.1, that both rates of a saturated filter add up to 100 %, \
         holds for all.",
    );
    for (k, s) in LIMITS {
        for (variant, name) in VARIANTS {
            let law = rows(ROWS, k, s).limits(variant);
            let law = [law.unseen, law.missed, 1.0].map(|rate| 100.0 * rate);
            let rates = context.runs(runs, |seed| saturated(variant, (k, s), seed));
            let ours = [0, 1, 2].map(|i| Sample::of(rates.iter().map(|rates| rates[i])));
            let cells = law.iter().zip(ours).map(|(law, ours)| Cell::default().formula(*law).ours(ours)).collect();
            table.row(&[name, &k.to_string(), &s.to_string()], cells);
            for (i, rate) in ["FPR", "FNR"].iter().enumerate() {
                let what = format!("Limit of {name}, k = {k}, s = {s}: {rate}");
                outcome.checks.push(Check::about(what, ours[i], law[i]).slack(BINS));
            }
        }
    }
    outcome.tables.push(table);
}

/// False duplicates, missed ones and their sum in percent, all rows full and every duplicate long ago.
fn saturated(variant: Variant, shape: (u64, u64), seed: u64) -> [f64; 3] {
    let mut filter = filter(variant, ROWS, shape, seed);
    let (first, looks) = (ROWS * shape.0 * 40, ROWS * shape.0 * 4);
    let (mut unseen, mut missed) = (0.0, 0.0);
    for now in 0..first + looks {
        let found = observe(&mut filter, now);
        if now >= first {
            unseen += 100.0 * f64::from(u8::from(found)) / num::real(looks);
            let absent = filter.contains(&(now - first).to_le_bytes()).is_new();
            missed += 100.0 * f64::from(u8::from(absent)) / num::real(looks);
        }
    }
    [unseen, missed, unseen + missed]
}

type Build = fn(u64) -> Box<dyn Detector>;

/// Theorem 4.3: what a cell of 2 or 3 bits is good for.
fn cells(context: &Context, runs: u64, outcome: &mut Outcome) {
    let measures = vec![Measure::new("fingerprints", 0), Measure::new("FPR in the limit, %", 2)];
    let mut table = Table::new("Theorem 4.3: a third less memory?", &["filter", "bits of a cell"], measures).note(
        "The theorem gives QHT S = 4 fingerprints in 2 bits where SQF takes 3. That needs an empty cell which is no value \
         of the 2 bits. With 0 as the empty cell, as in section 3.2, 2 bits hold 3 fingerprints: a third less memory, and \
         a third more false duplicates. At 3 bits each, QHT is wrong 1/7 of the time (14.28 in the paper's Table 4) and SQF 1/4.",
    );

    let all: [(&str, u64, f64, f64, f64, Build); 3] = [
        ("SQF, r = 2, r' = 1", 3, 4.0, 25.0, 4.0, |seed| Box::new(Sqf::new(Reading::Correct, 3 * 4096, seed))),
        ("QHT, k = 1", 2, 4.0, 25.0, 3.0, |seed| Box::new(Ours::new(&options(Variant::Qht, 2 * 4096, 1, 2, seed)))),
        ("QHT, k = 1", 3, 8.0, 14.28, 7.0, |seed| Box::new(Ours::new(&options(Variant::Qht, 3 * 4096, 1, 3, seed)))),
    ];
    for (name, bits, printed, in_the_paper, true_ones, build) in all {
        let ours = Sample::of(context.runs(runs, |seed| full_rate(build(seed).as_mut())));
        let count = Cell::default().paper(printed).formula(true_ones);
        let rate = Cell::default().paper(in_the_paper).formula(100.0 / true_ones).ours(ours);
        table.row(&[name, &bits.to_string()], vec![count, rate]);
        let what = format!("Theorem 4.3, {name}, {bits} bits");
        outcome.checks.push(Check::about(what, ours, 100.0 / true_ones));
    }
    outcome.tables.push(table);
}

/// False duplicates in percent, when all of 4096 cells are full.
fn full_rate(detector: &mut dyn Detector) -> f64 {
    let found =
        |detector: &mut dyn Detector, keys: std::ops::Range<u64>| keys.filter(|&key| detector.observe(key)).count();
    found(detector, 0..80_000);
    100.0 * num::size(found(detector, 80_000..120_000)) / 40_000.0
}
