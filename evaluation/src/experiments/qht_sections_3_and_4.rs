//! QHT, what its text says beside its tables: three ways to mark an empty cell (3.2), rows that are sorted (3.3), and
//! fingerprints that are not equally likely (4.1.1).

use lately::{Filter, Variant};

use crate::baselines::Reading;
use crate::baselines::plain_quotient::{PlainQuotient, Zero};
use crate::baselines::sqf::{self, Sqf};
use crate::check::Check;
use crate::context::Context;
use crate::detector::{Detector, Mistakes, judge};
use crate::laws::quotient::Rows;
use crate::laws::uniform_stream::Uniform;
use crate::num;
use crate::ours::Ours;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::sample::Sample;
use crate::streams;

use super::qht_table_1::{ALPHABET, LENGTH, MEMORY, options};

/// Rows of one cell of 3 bits, as in the paper's contest.
const ROWS: u64 = 8192;
const S: u32 = 3;
const CODES: f64 = 8.0;
/// The begin of a stream: one key for each ten rows.
const BEGIN: u64 = ROWS / 10;
/// Keys that fill all rows, and those that are counted then.
const FILL: u64 = 20 * ROWS;

/// What the laws of a whole stream leave open, in points, as in Table 1.
const APPROXIMATION: [f64; 2] = [0.05, 0.3];

pub(crate) fn run(context: &Context) -> Outcome {
    let runs = context.pick(6, 20, 100);
    let mut outcome = Outcome::new(format!(
        "Section 3.2: {ROWS} rows of one cell of {S} bits. Section 3.3: {MEMORY} bits, {LENGTH} keys drawn from 2^20. Section \
         4.1.1: 4096 rows, all full. {runs} runs."
    ));
    outcome.tables.push(empty_cells(context, runs, &mut outcome.checks));
    outcome.tables.push(sorted_rows(&mut outcome.checks));
    outcome.tables.push(sorted_at_work(context, runs, &mut outcome.checks));
    outcome.tables.push(uneven(context, runs, &mut outcome.checks));
    outcome
}

/// A way to mark an empty cell, with its laws: the chance of a false duplicate when a row is full, that of an empty row,
/// and the fingerprints that are derived for a key.
struct Way {
    name: &'static str,
    zero: Option<Zero>,
    full: f64,
    empty: f64,
    derived: f64,
}

const WAYS: [Way; 4] = [
    Way {
        name: "1: 0 is a fingerprint",
        zero: Some(Zero::Fingerprint),
        full: 1.0 / CODES,
        empty: 1.0 / CODES,
        derived: 1.0,
    },
    // Two of eight hashes give 1.
    Way { name: "2: 0 becomes 1", zero: Some(Zero::Reassigned), full: 10.0 / 64.0, empty: 0.0, derived: 1.0 },
    Way { name: "3: derived again", zero: Some(Zero::DerivedAgain), full: 1.0 / 7.0, empty: 0.0, derived: 8.0 / 7.0 },
    Way { name: "lately (the third)", zero: None, full: 1.0 / 7.0, empty: 0.0, derived: f64::NAN },
];

impl Way {
    /// False duplicates among the first keys: rows fill one by one.
    fn begin(&self) -> f64 {
        let filled = |m: u64| -(num::real(m) * (-1.0 / num::real(ROWS)).ln_1p()).exp_m1();
        let share = (0..BEGIN).map(filled).sum::<f64>() / num::real(BEGIN);
        share * self.full + (1.0 - share) * self.empty
    }

    /// False duplicates at the begin, when all is full, and fingerprints for each key.
    fn play(&self, seed: u64) -> [f64; 3] {
        match self.zero {
            Some(zero) => {
                let mut filter = PlainQuotient::new(zero, ROWS, (1, S), seed);
                let [begin, full] = two_shares(&mut filter);
                [begin, full, num::real(filter.derived) / num::real(2 * FILL)]
            }
            None => {
                let options = options(Variant::Qht, ROWS * u64::from(S), 1, u64::from(S), seed);
                let [begin, full] = two_shares(&mut Ours::new(&options));
                [begin, full, f64::NAN]
            }
        }
    }
}

fn share(filter: &mut dyn Detector, keys: std::ops::Range<u64>) -> f64 {
    let all = num::real(keys.end - keys.start);
    num::size(keys.filter(|&key| filter.observe(key)).count()) / all
}

/// Of keys that are all new: the first, and the second half of many.
fn two_shares(filter: &mut dyn Detector) -> [f64; 2] {
    let begin = share(filter, 0..BEGIN);
    share(filter, BEGIN..FILL);
    [begin, share(filter, FILL..2 * FILL)]
}

fn empty_cells(context: &Context, runs: u64, checks: &mut Vec<Check>) -> Table {
    let measures = vec![
        Measure::new("false duplicates, first tenth of the rows, %", 2),
        Measure::new("false duplicates, all full, %", 2),
        Measure::new("fingerprints derived for a key", 3),
    ];
    let mut table = Table::new("Section 3.2: what marks an empty cell", &["a fingerprint of 0"], measures).note(
        "Paper: the first way is wrong at least 1/S of the time from the first key on, the third takes S/(S - 1) hashes of a \
         key, S = 2^s. Both hold. It does not say that the first way is the best one once all rows are full, 1/8 against 1/7, since \
         it has a fingerprint more; nor what the second costs: twice as many keys have the fingerprint 1, and two keys collide in \
         10 of 64 cases. With one cell a row all three are exact.",
    );
    for way in &WAYS {
        let played = context.runs(runs, |seed| way.play(seed));
        let of = |i: usize| Sample::of(played.iter().map(|run| run[i]));
        let [begin, full, derived] = [of(0), of(1), of(2)];
        let mut cells = vec![
            Cell::default().formula(100.0 * way.begin()).ours(begin.times(100.0)),
            Cell::default().formula(100.0 * way.full).ours(full.times(100.0)),
        ];
        let what = |text: &str| format!("Section 3.2, {}: {text}", way.name);
        checks.push(Check::about(what("false duplicates at first"), begin, way.begin()).events(num::real(BEGIN)));
        checks.push(Check::about(what("false duplicates when full"), full, way.full).events(num::real(FILL)));
        if way.zero.is_some() {
            cells.push(Cell::default().paper(way.derived).formula(way.derived).ours(derived));
            checks.push(Check::about(what("fingerprints of a key"), derived, way.derived).slack(1e-3));
        }
        table.row(&[way.name], cells);
    }
    if let Some(first) = table.rows[0].cells.first_mut() {
        first.paper = Some(100.0 / CODES);
    }
    table
}

/// k, s, and the paper's states and bits of a row.
type Sorted = (u64, u64, Option<(f64, f64)>);

/// Shapes that are sorted.
const SORTED: [Sorted; 3] = [(4, 4, Some((3876.0, 12.0))), (8, 4, None), (8, 5, None)];

/// C(n, r).
fn choose(n: u64, r: u64) -> f64 {
    (0..r).map(|i| num::real(n - i) / num::real(i + 1)).product::<f64>().round()
}

/// Bits of a row of lately's, by its plan.
fn width(k: u64, s: u64, sorted: bool) -> f64 {
    let options = options(Variant::Qht, MEMORY, k, s, 0).semi_sort(sorted);
    let plan = Filter::plan(&options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    (num::real(MEMORY) / num::real(plan.rows)).floor()
}

fn sorted_rows(checks: &mut Vec<Check>) -> Table {
    let measures = vec![
        Measure::new("states of a sorted row", 0),
        Measure::new("rows that can be", 0),
        Measure::new("bits of a row", 0),
        Measure::new("bits of a sorted row", 0),
    ];
    let mut table = Table::new("Section 3.3: rows that are sorted", &["k", "s"], measures).note(
        "Formula: C(2^s + k - 1, k) sorted rows, as the paper counts. A QHT never stores a fingerprint twice in a row, which leaves \
         fewer (the second figure): a code of them would take 11 bits and not 12 for k = 4, s = 4, which neither the paper nor \
         lately has. lately sorts by the upper four bits of a fingerprint and keeps the others as they are, so that its code \
         has at most C(16 + k - 1, k) numbers.",
    );
    for (k, s, paper) in SORTED {
        let codes = 1 << s;
        let upper = s.min(4);
        let states = choose((1 << s) + k - 1, k);
        let possible: f64 = (0..=k).map(|filled| choose(codes - 1, filled)).sum();
        let packed = choose((1 << upper) + k - 1, k).log2().ceil() + num::real(k * (s - upper));
        let ours = |sorted| Sample::of([width(k, s, sorted)]);
        let mut cells = vec![
            Cell::default().formula(states),
            Cell::default().formula(possible),
            Cell::default().formula(num::real(k * s)).ours(ours(false)),
            Cell::default().formula(packed).ours(ours(true)),
        ];
        let what = |text: &str| format!("Section 3.3, k = {k}, s = {s}: {text}");
        if let Some((printed, bits)) = paper {
            (cells[0], cells[3]) = (cells[0].paper(printed), cells[3].paper(bits));
            checks.push(Check::exactly(what("states in the paper"), states, printed, 0.0));
            checks.push(Check::exactly(what("bits in the paper"), width(k, s, true), bits, 0.0));
        }
        checks.push(Check::exactly(what("bits of a sorted row"), width(k, s, true), packed, 0.0));
        table.row(&[&k.to_string(), &s.to_string()], cells);
    }
    table
}

/// What sorting brings: more rows in the same memory.
fn sorted_at_work(context: &Context, runs: u64, checks: &mut Vec<Check>) -> Table {
    let (k, s) = (SORTED[0].0, SORTED[0].1);
    let measures = ["FPR, %", "FNR, %", "FPR + FNR, %"].map(|name| Measure::new(name, 2)).to_vec();
    let mut table = Table::new("Section 3.3: what sorting brings, k = 4, s = 4", &["rows", "how many"], measures).note(
        "The stream of Table 1 in the same memory. A third more rows forget fewer keys, at no more false duplicates: this is what \
         sorting is for, and the paper does not measure it.",
    );
    for (name, sorted) in [("plain", false), ("sorted", true)] {
        let rows = num::floor(num::real(MEMORY) / width(k, s, sorted));
        let law = Rows { n: num::real(rows), k, s: num::real((1 << s) - 1) }.qht(&Uniform::new(ALPHABET, LENGTH));
        let mistakes = context.runs(runs, |seed| play(k, s, sorted, seed));
        let of = |rate: fn(&Mistakes) -> f64| Sample::of(mistakes.iter().map(|run| 100.0 * rate(run)));
        let ours = [of(Mistakes::false_rate), of(Mistakes::miss_rate), of(|run| run.false_rate() + run.miss_rate())];
        let laws = [law.unseen, law.missed, law.unseen + law.missed].map(|rate| 100.0 * rate);
        let cells = (0..3).map(|i| Cell::default().formula(laws[i]).ours(ours[i])).collect();
        table.row(&[name, &rows.to_string()], cells);
        let trials = [mistakes[0].unseen, mistakes[0].duplicates].map(|trials| num::real(trials) / 100.0);
        for (i, rate) in ["FPR", "FNR"].into_iter().enumerate() {
            let check = Check::about(format!("Section 3.3, {name} rows: {rate}"), ours[i], laws[i]);
            checks.push(check.slack(APPROXIMATION[i]).events(trials[i]));
        }
    }
    table
}

fn play(k: u64, s: u64, sorted: bool, seed: u64) -> Mistakes {
    let options = options(Variant::Qht, MEMORY, k, s, seed).semi_sort(sorted);
    let mut filter: [Box<dyn Detector>; 1] = [Box::new(Ours::new(&options))];
    judge(&mut filter, streams::uniform(seed, ALPHABET, LENGTH))[0]
}

/// k, r, r' of an SQF.
const UNEVEN: [(u64, u32, u32); 8] =
    [(1, 2, 1), (2, 2, 1), (3, 2, 1), (4, 2, 1), (1, 3, 1), (1, 4, 2), (1, 7, 2), (1, 7, 6)];

fn uneven(context: &Context, runs: u64, checks: &mut Vec<Check>) -> Table {
    let measures = vec![Measure::new("FPR in the limit, %", 2), Measure::new("with r - r' for r, %", 2)];
    let mut table = Table::new("Section 4.1.1: the SQF's uneven fingerprints", &["k", "r", "r'"], measures).note(
        "Paper: its approximation k / (2^r' sqrt(pi r)). Formula: the chance that two keys have one fingerprint, 2^-r' C(2n, n) / 4^n \
         with n = r - r', which is exact for one cell a row; k/4 for the four even fingerprints of r = 2, r' = 1 (with k = 4 \
         every key is a duplicate at last, as the paper's footnote says). The approximation takes the weight of all r bits \
         for uneven, where only the n that are not kept are: with n in its place (last column) it is near where n is large.",
    );
    for (k, r, kept) in UNEVEN {
        let cell = sqf::Cell { r, kept };
        let ours = Sample::of(context.runs(runs, |seed| full_rate(k, cell, seed)));
        let law = num::real(k) * cell.collision();
        let printed = |bits: u32| {
            num::real(k) / (2_f64.powi(num::power(u64::from(kept))) * (std::f64::consts::PI * f64::from(bits)).sqrt())
        };
        let rate = Cell::default().paper(100.0 * printed(r)).formula(100.0 * law).ours(ours.times(100.0));
        let row = [k.to_string(), r.to_string(), kept.to_string()];
        table.row(&[&row[0], &row[1], &row[2]], vec![rate, Cell::default().formula(100.0 * printed(r - kept))]);
        let what = format!("Section 4.1.1, k = {k}, r = {r}, r' = {kept}: FPR in the limit");
        checks.push(Check::about(what, ours, law).events(num::real(FILL)));
    }
    table
}

/// False duplicates of new keys, when all rows are full.
fn full_rate(k: u64, cell: sqf::Cell, seed: u64) -> f64 {
    let mut filter = Sqf::with(Reading::Correct, 4096 * k * cell.bits(), k, cell, seed);
    two_shares(&mut filter)[1]
}
