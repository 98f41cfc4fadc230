//! The contest: a window of n keys, by everything that holds one, at the same rate of false duplicates.
//!
//! Each is planned for the rate at its worst instant, by its own rule. New keys alone say how often it is wrong; then one
//! key of eight is a return, from inside the window and from the window before it, and says what is missed and what is
//! found too long.

use std::collections::HashMap;

use crate::check::Check;
use crate::context::Context;
use crate::detector::{Detector, Mistakes};
use crate::laws::bounds;
use crate::num;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Row, Table, span};
use crate::rng::Rng;
use crate::sample::Sample;

use super::contest_entrant::{Entrant, Missed, Rate};
use super::contest_entrants;
use super::contest_hashes::{SETS, TIMES};

/// Rates of false duplicates that are asked for.
const TARGETS: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// How each was planned.
const RULES: &str = "**How each was planned.** lately's filters: by the library. The sliced filters take part with at most 32 slices, which is the default, and with at most 128. \
The window of time takes part with the number of its keys known and unknown. Rotating sets: each of the G + 1 sets may have the \
share of the rate that is left when all are full, and the k (or L and load) with the fewest bits for it. Nine Bloom filters are the \
guarded epoch Bloom filter with its r = 8, nine blocked ones its blocked form. A queuing filter is one set fewer: it reaches back from \
seven eighths of the window to all of it, by how full its newest set is; of QQHTDs, as its paper has them, each by its own plan (at \
0.01 % sixteen bits of a fingerprint are not enough for eight of them). Shared places: the bits of the rotating Bloom filters next to each other, so that a key has k \
places in all. Sliding sketch: two bits a cell, one round a window. Clock sketch: two bits a cell, of all sizes the fewest bits. SHE: \
the cycle and k with the fewest bits, groups of 64. SWAMP: its fingerprint rule, a fifth of room in its table. QQHT and QQHTD: the plan \
that misses at most 1 % of the keys a window ago; with random victims (QHT, QHTD) that takes a hundred cells a key, so they have the \
bits of a window table here. The formula of a window table is the error of one that never grew, at most: lines may be emptier. Two sets of hashes and \
the map of hash to time: tables that double when seven of eight places are taken. Bits are given as settled, mean over the new keys, and at the peak. The exact map's depend on n: its plan \
gives them for all n of an octave.";

/// What the tables say, by their rows.
#[expect(clippy::too_many_lines, reason = "one text, with a line for each of its figures")]
fn findings(outcome: &Outcome) -> String {
    // At 1, 0.1 and 0.01 %.
    let of = |name: &str, measure: &str| -> [f64; 3] {
        let figures = outcome.figures(&[name], measure);
        [0, 1, 2].map(|i| figures.get(i).copied().unwrap_or(f64::NAN))
    };
    let bits = |name: &str| of(name, "bits per key");
    let listed = |figures: [f64; 3]| format!("{:.1}, {:.1} and {:.1}", figures[0], figures[1], figures[2]);
    let less = |name: &str| {
        let (table, other) = (bits(TABLE), bits(name));
        listed([0, 1, 2].map(|i| table[i] - other[i]))
    };
    let queues = {
        let (nine, queue) = (bits("9 rotating TinySet"), bits("8 TinySet, queuing"));
        span([0, 1, 2].map(|i| nine[i] - queue[i]))
    };
    let wrong = [0, 1].map(|i| of(contest_entrants::UNKNOWN, "false")[i] / TARGETS[i]);
    let forgotten = span(outcome.figures(&["QHT = QHTD"], "missed"));
    format!(
        "**What comes out.** Two sets of hashes and the map of hash to time are wrong about no key. They take {:.0} and {:.0} bits, and where \
         there is room for these they are the better choice; the sets find a key for up to a window too long. Of all others that keep their \
         window {} take the fewest bits. A window table of n keys takes {} bits at 1, 0.1 and 0.01 %, a window of time {}, settled, and at its peak {}, \
         whether its keys are known or not. Nine rotating TinySets take {} bits less, nine Bloom filters with shared places {}: for its bits \
         a window table touches two lines where they touch 9 and 13, and need not know how many keys come between two turns. Its cells have one of \
         three widths, with room for the bits that a table takes from them when it grows, so that the window of time is wrong {:.3} and {:.3} times as \
         often as asked at 1 and 0.1 %: do not ask it for 1 %, which saves nothing. With up to 128 slices the age-partitioned filter takes fewer bits than two TinySets and \
         more than three; it stops finding late keys for certain sooner than they do. Nine Bloom filters with shared places touch 13 lines at \
         0.1 % where separate ones touch 29, in the same bits. Eight TinySets in a queue take {:.1} to {:.1} bits fewer than nine, and miss a \
         sixteenth of the window. Where a hundredth of the duplicates may be missed QQHTD takes {} bits. QHT and QHTD with as many bits as a window \
         table forget {:.1} to {:.1} % of their window: they are filters of an endless stream, not of a window. No filter here is near the bounds: at 0.1 % a set that \
         keys join and leave needs {:.1} bits, and fingerprints that tell seven generations apart {:.1}; a window table spends the rest on \
         room to grow, on free cells and on the tags of its lines.",
        bits(SETS)[0],
        bits(TIMES)[0],
        smallest(outcome),
        listed(bits(TABLE)),
        listed(bits(contest_entrants::UNKNOWN)),
        listed(of(contest_entrants::UNKNOWN, "at the peak")),
        less("9 rotating TinySet"),
        less("9 Bloom, shared places"),
        wrong[0],
        wrong[1],
        queues[0],
        queues[1],
        listed(bits("QQHTD")),
        forgotten[0],
        forgotten[1],
        bounds::dynamic(1e-3),
        bounds::tags(1e-3, 7.0)
    )
}

/// Those of the fewest bits in each table that miss no key and may be wrong.
fn smallest(outcome: &Outcome) -> String {
    let mut names: Vec<&str> = Vec::new();
    for table in &outcome.tables {
        let ours = |row: &Row, i: usize| row.cells[i].ours.map_or(f64::NAN, |one| one.mean);
        let keeps = table.rows.iter().filter(|row| ours(row, 4) == 0.0);
        let least = keeps.min_by(|a, b| ours(a, 0).total_cmp(&ours(b, 0))).map_or("none", |row| &row.labels[0]);
        if !names.contains(&least) {
            names.push(least);
        }
    }
    names.join(", ")
}

const TABLE: &str = "window table, last n";

/// How long each part of the stream is, in keys.
#[derive(Debug, Clone, Copy)]
struct Lengths {
    window: u64,
    new: u64,
    returns: u64,
}

/// What one filter did in one run.
#[derive(Debug, Clone, Copy)]
struct Played {
    wrong: f64,
    missed: f64,
    stale: f64,
    /// Settled, and at the peak.
    bits: [f64; 2],
    lines: f64,
}

pub(crate) fn run(context: &Context) -> Outcome {
    let (runs, window) = (context.pick(3, 5, 10), context.pick(1 << 13, 1 << 16, 1 << 16));
    let lengths =
        Lengths { window, new: context.pick(1 << 17, 1 << 20, 1 << 20), returns: context.pick(4, 8, 8) * window };
    let mut outcome = Outcome::new(format!(
        "A window of {window} keys; {runs} runs of {} new keys and then {} keys of which one in nine is a return.",
        shown(lengths),
        lengths.returns
    ));
    // The quick form has no time for rates that need millions of keys.
    let targets = context.pick(&TARGETS[..2], &TARGETS[..], &TARGETS[..]);
    let mut spots = Vec::new();
    for &target in targets {
        let entrants = contest_entrants::all(window, target);
        let played = context.each(&entrants, |entrant| {
            (0..runs).map(|run| play(entrant, context.seed_of(run), lengths)).collect::<Vec<_>>()
        });
        outcome.tables.push(table(target, &entrants, &played));
        for (entrant, played) in entrants.iter().zip(&played) {
            hold(entrant, target, played, lengths, &mut outcome.checks);
        }
        if target == 1e-3 {
            spots = entrants.iter().map(|one| (one.name.clone(), one.late, one.bits_per_key)).collect();
        }
    }
    if let Some(last) = outcome.tables.last_mut() {
        last.notes.push(RULES.to_owned());
    }
    conclude(&mut outcome);
    outcome
        .charts
        .extend([by_rate(window, context.pick(&[4], &[3, 4, 5, 6, 7, 8], &[3, 4, 5, 6, 7, 8])), by_lateness(&spots)]);
    outcome
}

/// What comes out, below the last table.
pub(crate) fn conclude(outcome: &mut Outcome) {
    let findings = findings(outcome);
    if let Some(last) = outcome.tables.last_mut() {
        last.conclude(&findings);
    }
}

/// How often the bits of a filter are looked at, while it is shown new keys: at all parts of a turn, for 67 has no factor with a window.
const LOOKS: u64 = 67;

/// New keys that are shown: a whole number of looks.
const fn shown(lengths: Lengths) -> u64 {
    lengths.new / LOOKS * LOOKS
}

fn play(entrant: &Entrant, seed: u64, lengths: Lengths) -> Played {
    let mut filter = (entrant.build)(seed);
    let mut rng = Rng(seed ^ 0xC0_17E5);
    (0..4 * lengths.window).for_each(|_| {
        filter.observe(rng.next());
    });
    let (mut wrong, mut settled) = (0, Vec::new());
    for _ in 0..LOOKS {
        wrong += (0..lengths.new / LOOKS).filter(|_| filter.observe(rng.next())).count();
        settled.push(filter.bits_now());
    }
    let most = settled.iter().copied().fold(filter.bits(), f64::max);
    let [missed, stale] = returns(filter.as_mut(), &mut rng, lengths);
    Played {
        wrong: num::size(wrong) / num::real(shown(lengths)),
        missed: missed.miss_rate(),
        stale: 1.0 - stale.miss_rate(),
        bits: [Sample::of(settled).mean, most.max(filter.bits())].map(|bits| bits / num::real(lengths.window)),
        lines: filter.lines(),
    }
}

/// One new key in eight comes back once, each distance up to two windows as likely as any other: what is said of those
/// from the window, and of those from the window before it.
fn returns(filter: &mut dyn Detector, rng: &mut Rng, lengths: Lengths) -> [Mistakes; 2] {
    let (mut due, mut found) = (HashMap::new(), [Mistakes::default(); 2]);
    for now in 0..lengths.returns + 2 * lengths.window {
        if let Some((key, distance)) = due.remove(&now) {
            found[usize::from(distance > lengths.window)].count(filter.observe(key), true);
            continue;
        }
        let (key, distance) = (rng.next(), 1 + rng.below(2 * lengths.window));
        filter.observe(key);
        // All that are due come before the end: a far return is as likely as a near one.
        if now < lengths.returns && rng.below(8) == 0 {
            due.entry(now + distance).or_insert((key, distance));
        }
    }
    found
}

fn percent(rate: f64) -> String {
    format!("{}", 100.0 * rate)
}

fn table(target: f64, entrants: &[Entrant], played: &[Vec<Played>]) -> Table {
    let measures = vec![
        Measure::new("bits per key", 1),
        Measure::new("at the peak", 1),
        Measure::new("cache lines per observe", 1),
        Measure::powers("false duplicates"),
        Measure::new("missed in the window, %", 2),
        Measure::new("late at most, % of a window", 1),
        Measure::new("found of the window before, %", 2),
    ];
    let title = format!("{} % at the worst instant", percent(target));
    let mut table = Table::new(&title, &["filter", "plan"], measures).note(format!(
        "Lower bounds at {} %, bits per key: {:.1} for a set that never changes, {:.1} for one that keys join and leave, {:.1} \
         for a window whose keys may be late by a seventh (its terms of lower order left out). One that keeps fingerprints and tells seven \
         generations apart pays {:.1} over a generation, {:.1} at its end.",
        percent(target),
        bounds::fixed(target),
        bounds::dynamic(target),
        bounds::sliding(target, 1.0 / 7.0),
        bounds::tags(target, 7.0),
        bounds::tags_at(target, 7.0, 1.0)
    ));
    for (entrant, played) in entrants.iter().zip(played) {
        let of = |value: fn(&Played) -> f64| Sample::of(played.iter().map(value));
        let law = |value: Option<f64>, factor: f64| Cell { formula: value.map(|law| factor * law), ..Cell::default() };
        let late = if entrant.late.is_finite() { Some(entrant.late) } else { None };
        table.row(
            &[&entrant.name, &entrant.plan],
            vec![
                Cell::default().formula(entrant.bits_per_key).ours(of(|played| played.bits[0])),
                Cell::default().ours(of(|played| played.bits[1])),
                Cell::default().formula(played[0].lines),
                law(Some(entrant.law.rate.value()), 1.0).ours(of(|played| played.wrong)),
                missed_law(entrant.law.missed).ours(of(|played| played.missed).times(100.0)),
                law(late, 100.0),
                law(entrant.law.stale, 100.0).ours(of(|played| played.stale).times(100.0)),
            ],
        );
    }
    table
}

fn missed_law(missed: Missed) -> Cell {
    let law = if let Missed::About(share) = missed { Some(100.0 * share) } else { None };
    Cell { formula: law, ..Cell::default() }
}

fn hold(entrant: &Entrant, target: f64, played: &[Played], lengths: Lengths, checks: &mut Vec<Check>) {
    let what = |text: &str| format!("{} at {} %: {text}", entrant.name, percent(target));
    let of = |value: fn(&Played) -> f64| Sample::of(played.iter().map(value));
    let (wrong, stale, new) = (of(|played| played.wrong), of(|played| played.stale), num::real(shown(lengths)));
    checks.push(Check::at_most(what("false duplicates, at most those asked for"), wrong, target).events(new));
    match entrant.law.rate {
        Rate::About(law) => {
            checks.push(Check::about(what("false duplicates"), wrong, law).slack(entrant.law.slack * law).events(new))
        }
        Rate::OfLayout(law) => {
            checks.push(Check::at_most(what("false duplicates, at most its layout's"), wrong, law).events(new));
            let half = Check::at_most(what("half of its layout's false duplicates"), wrong.times(-1.0), -0.5 * law);
            checks.push(half.events(new));
        }
    }
    hold_missed(entrant, what("misses"), of(|played| played.missed), lengths, checks);
    if let Some(law) = entrant.law.stale {
        // One key in nine is a return, and half of them are of the window before.
        let returns = num::real(lengths.returns) / 18.0;
        // A key late is a false duplicate too, and returns make the sets of a turn emptier.
        let slack = entrant.law.slack * law + target;
        checks.push(Check::about(what("late keys"), stale, law).slack(slack).events(returns));
    }
    hold_bits(entrant, &what, of(|played| played.bits[0]).mean, of(|played| played.bits[1]).mean, checks);
}

/// Whole blocks, words and groups; a filter of time takes up to its peak while slices or generations come and go.
fn hold_bits(entrant: &Entrant, what: &impl Fn(&str) -> String, settled: f64, peak: f64, checks: &mut Vec<Check>) {
    let whole = 0.05 * entrant.bits_per_key;
    let slack = whole.max(entrant.bits_at_peak - entrant.bits_per_key);
    checks.push(Check::exactly(what("bits"), settled, entrant.bits_per_key, slack));
    let most = entrant.bits_at_peak.max(entrant.bits_per_key) + whole;
    checks.push(Check::exactly(what("bits at the peak, over the plan's"), (peak - most).max(0.0), 0.0, 0.0));
}

/// What returns of the window before find more than the law of keys that are all new, relative.
const RETURNS: f64 = 0.12;

fn hold_missed(entrant: &Entrant, what: String, missed: Sample, lengths: Lengths, checks: &mut Vec<Check>) {
    // One key in nine is a return, and half of them are of the window.
    let returns = num::real(lengths.returns) / 18.0;
    checks.push(match entrant.law.missed {
        Missed::None => Check::exactly(what, missed.mean, 0.0, 0.0),
        Missed::AtMost(share) => Check::at_most(what, missed, share).events(returns),
        Missed::About(share) => Check::about(what, missed, share).slack(RETURNS * share).events(returns),
    });
}

/// Those with a curve.
const DRAWN: [&str; 4] = ["window table, last n", contest_entrants::SLICED, "9 rotating TinySet", "QQHTD"];

/// Bits by rate, from the plans alone, with the lower bounds.
fn by_rate(window: u64, steps: &[i32]) -> Chart {
    let title = format!("Bits per key of a window of {window} keys, by the rate of false duplicates");
    let axes = (Axis::log("false duplicates at the worst instant"), Axis::linear("bits per key of the window"));
    let mut chart = Chart::new("bits-by-rate", &title, axes.0, axes.1).note(
        "Plans; the proved bound of a set that keys join and leave; and what fingerprints cost that tell seven generations apart.",
    );
    let targets: Vec<f64> = steps.iter().map(|i| 10_f64.powf(-0.5 * f64::from(*i))).collect();
    let planned: Vec<Vec<Entrant>> = targets.iter().map(|&target| contest_entrants::all(window, target)).collect();
    for name in DRAWN {
        let bits =
            |all: &Vec<Entrant>| all.iter().find(|one| one.name == name).map_or(f64::NAN, |one| one.bits_per_key);
        chart.curve(name, targets.iter().copied().zip(planned.iter().map(bits)).collect());
    }
    let bound = |of: fn(f64) -> f64| targets.iter().map(|&target| (target, of(target))).collect::<Vec<_>>();
    chart.curve("tags of 7 generations", bound(|rate| bounds::tags(rate, 7.0)));
    chart.curve("bound", bound(bounds::dynamic));
    chart
}

/// Bits by lateness at 0.1 %: the two that are traded for each other.
fn by_lateness(spots: &[(String, f64, f64)]) -> Chart {
    let axes = (Axis::log("late at most, windows"), Axis::linear("bits per key of the window"));
    let title = "Bits per key at 0.1 %, by how late a key may be";
    let mut chart = Chart::new("bits-by-lateness", title, axes.0, axes.1).note(
        "A key past its window is found for certain for this long at most; sliced filters find keys with falling chance for longer. The \
         bound leaves out its terms of lower order.",
    );
    let lates: Vec<f64> = (0..=20).map(|i| 10_f64.powf(-1.6 + 0.1 * f64::from(i))).collect();
    for (kind, shown) in [(" Bloom, shared places", "rotating Bloom"), (" rotating TinySet", "rotating TinySet")] {
        let of = |name: &str| name.strip_prefix(|c: char| c.is_ascii_digit()) == Some(kind);
        let points = spots.iter().filter(|(name, ..)| of(name)).map(|&(_, late, bits)| (late, bits));
        chart.curve(shown, points.collect());
    }
    for name in ["window table, last n", contest_entrants::SLICED, "clock sketch"] {
        let spot = spots.iter().filter(|spot| spot.0 == name).map(|&(_, late, bits)| (late, bits));
        chart.points(name, spot.collect());
    }
    chart.curve("bound: sliding", lates.iter().map(|&late| (late, bounds::sliding(1e-3, late))).collect());
    chart
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 1 << 16;

    fn bits(name: &str, target: f64) -> f64 {
        let all = contest_entrants::all(WINDOW, target);
        all.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("{name} takes part")).bits_per_key
    }

    /// What the abstract says of bits, by the results of a full run.
    #[cfg(feature = "results")]
    #[test]
    fn bits_of_the_abstract_are_those_of_the_results() {
        let outcome = crate::store::of_tree().outcome("contest").expect("results");
        let bits = |name: &str| outcome.figures(&[name], "bits per key");
        let over = |name: &str| span(bits(name).iter().zip(bits("9 rotating TinySet")).map(|(one, nine)| one - nine));
        let (table, time) = (over(TABLE), over(contest_entrants::UNKNOWN));
        let text = include_str!("../paper.md").split_whitespace().collect::<Vec<_>>().join(" ");
        for words in [
            format!("table needs {:.0} to {:.0} bits a key more", table[0], table[1]),
            format!("Over time it needs {:.0} to {:.0} bits more", time[0], time[1]),
        ] {
            assert!(text.contains(&words), "{words}");
        }
    }

    #[test]
    fn smallest_filter_is_the_one_of_the_fewest_bits_that_misses_nothing() {
        let mut table = table(1e-2, &[], &[]);
        let of = |bits: f64, missed: f64| {
            let plain = |value: f64| Cell::default().ours(Sample::of([value]));
            [bits, bits, 0.0, 0.0, missed, 0.0, 0.0].map(plain).to_vec()
        };
        table.row(&["large", ""], of(9.0, 0.0));
        table.row(&["forgets", ""], of(1.0, 0.1));
        table.row(&["small", ""], of(8.0, 0.0));
        let outcome = Outcome { tables: vec![table], ..Outcome::default() };
        assert_eq!(smallest(&outcome), "small");
        assert!(findings(&outcome).contains("window small take the fewest bits"));
    }

    /// What the findings say of more slices.
    #[test]
    fn more_slices_cost_less_than_two_tiny_sets_and_more_than_three() {
        for target in TARGETS {
            let sliced = bits(contest_entrants::SLICED, target);
            assert!(sliced < bits("age-partitioned", target), "{target}: {sliced}");
            assert!(sliced < bits("2 rotating TinySet", target), "{target}: {sliced}");
            assert!(sliced > bits("3 rotating TinySet", target), "{target}: {sliced}");
        }
    }

    #[test]
    fn shared_places_have_the_bits_of_separate_filters_and_fewer_lines() {
        let entrants = contest_entrants::all(WINDOW, 1e-3);
        let find = |name: &str| entrants.iter().find(|one| one.name == name).expect("it takes part");
        let (shared, apart) = (find("9 Bloom, shared places"), find("9 rotating Bloom"));
        assert_eq!(format!("{:.1} {:.1}", shared.bits_per_key, apart.bits_per_key), "21.3 21.3");
        let lines = [shared, apart].map(|one| (one.build)(1).lines());
        assert_eq!(lines.map(|lines| format!("{lines:.1}")), ["13.2", "28.9"]);
    }

    #[test]
    fn exact_map_before_its_table_doubles_takes_the_bytes_of_its_plan() {
        use crate::baselines::exact_map::bits;
        let per_key = |keys: u64| format!("{:.0}", num::real(bits(keys)) / num::real(keys));
        assert_eq!([per_key(57_344), per_key(57_345), per_key(WINDOW)], ["219", "375", "336"].map(str::to_owned));
        let entrants = contest_entrants::all(WINDOW, 1e-3);
        let exact = entrants.iter().find(|one| one.name == "exact map").expect("it takes part");
        assert_eq!(exact.plan, "219 to 375 bits by n, mean 288");
    }
}
