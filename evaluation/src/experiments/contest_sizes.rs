//! How the cost grows: the time and the bytes of a key by the keys of the window, from a thousand on, for all rivals of the contest.
//!
//! Rivals run one by one, each in rounds with the exact map of that size, in short pieces of new keys by turns; the time is that of the
//! thread. So no more than two windows are in memory.

use std::hint::black_box;

use crate::baselines::exact_map::ExactMap;
use crate::check::Check;
use crate::context::Context;
use crate::cpu;
use crate::detector::Detector;
use crate::machine;
use crate::num;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Table, span};
use crate::rng;
use crate::sample::Sample;

use super::contest_entrants::{self, UNKNOWN};
use super::contest_hashes::{SETS, TIMES};
use super::contest_time::{EXACT, SLOWEST};

const TARGET: f64 = 1e-3;
const PIECE: u64 = 1024;

/// Those with a curve.
const DRAWN: [&str; 6] = [EXACT, TABLE, "9 rotating TinySet", SHARED, SETS, TIMES];

/// What the picture of times cannot show.
const APART: &str = "Each filter was timed by itself, in rounds with an exact map. Compare two filters by the table, whose ratios are taken \
within a round: other work on the machine was not the same for all points of this picture.";

/// What comes out, by the rows.
fn findings(outcome: &Outcome) -> String {
    let bytes = |name: &str| outcome.tables[1].figures(&[name], "");
    // Where a run is several windows long.
    let whole = |name: &str| span(bytes(name).into_iter().take(4));
    let over = |name: &str| {
        let times = |name: &str| outcome.tables[0].figures(&[name], "");
        span(times(name).iter().zip(times(TABLE)).map(|(one, table)| one / table))
    };
    let (sets, table, times, shared) = (whole(SETS), whole(TABLE), whole(TIMES), whole(SHARED));
    let [sets_time, shared_time] = [SETS, SHARED].map(over);
    format!(
        "**What comes out.** Two sets of 64-bit hashes are wrong about no key. Up to a million keys they take {:.0} to {:.0} bytes a key at their peak, a map of hash to \
         time {:.0} to {:.0}, and a window table {:.1} to {:.1}; they took {:.2} to {:.2} of the window table's time. Where these bytes do not matter \
         they are the better choice. Nine Bloom filters with shared places take {:.1} to {:.1} bytes, and took {:.2} to {:.2} of its time: they are the better choice \
         where the number of keys is known, and where the call at a turn may clear a bit of all places. At a thousand keys their rate exceeds the one asked for \
         and is not compared: their places are steps of one hash by another, which costs a set of 125 keys accuracy and larger ones none. A window table \
         is ahead of them where the number of keys is not known. Bytes a key hardly change from 10,000 keys on, except in hash tables, which double; where a window has more keys than a run \
         shows, their peak is not seen. Times are ratios within short pieces by turns, on a machine with other work.",
        sets[0],
        sets[1],
        times[0],
        times[1],
        table[0],
        table[1],
        sets_time[0],
        sets_time[1],
        shared[0],
        shared[1],
        shared_time[0],
        shared_time[1]
    )
}

const TABLE: &str = "window table, last n";
const SHARED: &str = "9 Bloom, shared places";

/// What comes out, below the table of bytes.
pub(crate) fn conclude(outcome: &mut Outcome) {
    let findings = findings(outcome);
    outcome.tables[1].conclude(&findings);
}

/// How a rival is made from a seed.
type Build = Box<dyn Fn(u64) -> Box<dyn Detector> + Send + Sync>;

/// What a rival took at one size.
struct Cost {
    name: String,
    /// Of a new key; the exact map's in the same rounds.
    nanoseconds: Sample,
    ratio: Sample,
    /// The most of any piece.
    bytes: f64,
    false_rate: f64,
    /// New keys that were shown.
    shown: u64,
    /// Whether it promises the rate.
    promises: bool,
}

/// How long each size is measured.
#[derive(Debug, Clone, Copy)]
struct Effort {
    rounds: u64,
    pieces: u64,
}

/// At full length.
const FULL: Effort = Effort { rounds: 9, pieces: 256 };

pub(crate) fn run(context: &Context) -> Outcome {
    let powers = context.pick(3..=4, 3..=6, 3..=8);
    let effort = context.pick(Effort { rounds: 4, pieces: 8 }, Effort { rounds: 5, pieces: 128 }, FULL);
    let sizes: Vec<u64> = powers.map(|power| 10_u64.pow(power)).collect();
    let mut outcome = Outcome::new(format!(
        "{}; windows of {} to {} keys of 8 bytes at 0.1 %; {} paired rounds of {} pieces of {PIECE} new keys, one thread.",
        machine::processor(),
        sizes[0],
        sizes[sizes.len() - 1],
        effort.rounds,
        effort.pieces
    ));
    context.progress.expect(num::wide(sizes.len()));
    let costs: Vec<Vec<Cost>> = sizes.iter().map(|&keys| of_size(context, keys, effort)).collect();
    outcome.tables = vec![times(&sizes, &costs), bytes(&sizes, &costs)];
    conclude(&mut outcome);
    outcome.charts = vec![
        chart(("time", "Time of a new key, by the keys of the window", "ns"), &sizes, &costs, |cost| {
            cost.nanoseconds.mean
        })
        .note(APART),
        chart(("bytes", "Bytes of a key, by the keys of the window", "bytes a key"), &sizes, &costs, |cost| cost.bytes),
    ];
    sizes.iter().zip(&costs).for_each(|(&keys, costs)| hold(keys, costs, &mut outcome.checks));
    outcome
}

/// Three, five and eight sets lie between two and nine; SWAMP's table is a stand-in, and two QQHT say the same.
fn measured(name: &str) -> bool {
    !["3 ", "5 ", "8 "].iter().any(|sets| name.starts_with(sets)) && !["SWAMP", "QQHT", UNKNOWN].contains(&name)
}

/// Those of the contest: name, whether it promises the rate.
fn rivals(window: u64) -> Vec<(String, bool, Build)> {
    let contest = contest_entrants::all(window, TARGET).into_iter().filter(|one| measured(&one.name));
    contest.map(|one| (one.name.clone(), one.law.rate.value() <= TARGET, one.build)).collect()
}

fn of_size(context: &Context, keys: u64, effort: Effort) -> Vec<Cost> {
    let mut exact = ExactMap::new(keys);
    show(&mut exact, context.seed, 0..keys);
    let mut next = keys;
    let costs = rivals(keys).into_iter().map(|(name, promises, build)| {
        let mut filter = build(context.seed);
        show(filter.as_mut(), context.seed, next - keys..next);
        let cost = compare(name, promises, (filter.as_mut(), &mut exact), (context.seed, &mut next), effort);
        Cost { bytes: cost.bytes / num::real(keys), ..cost }
    });
    let costs = costs.collect();
    context.progress.done();
    costs
}

/// Shows new keys; how many are called duplicates.
fn show(filter: &mut dyn Detector, seed: u64, keys: std::ops::Range<u64>) -> u64 {
    num::wide(black_box(keys.filter(|&key| filter.observe(rng::hash(seed, key))).count()))
}

/// Rounds of one rival and the exact map.
fn compare(
    name: String,
    promises: bool,
    (filter, exact): (&mut dyn Detector, &mut ExactMap),
    (seed, next): (u64, &mut u64),
    effort: Effort,
) -> Cost {
    let shown = effort.rounds * effort.pieces * PIECE;
    let (mut found, mut rounds, mut bytes) = (0, Vec::new(), 0.0_f64);
    for _ in 0..effort.rounds {
        let mut spent = [0.0; 2];
        for _ in 0..effort.pieces {
            let keys = *next..*next + PIECE;
            let (mine, wrong) = cpu::timed(|| show(filter, seed, keys.clone()));
            let (maps, _) = cpu::timed(|| show(exact, seed, keys));
            spent = [spent[0] + mine.as_secs_f64(), spent[1] + maps.as_secs_f64()];
            (found, *next) = (found + wrong, *next + PIECE);
            bytes = bytes.max(filter.bits_now() / 8.0);
        }
        rounds.push(spent);
    }
    let each = 1e9 / num::real(effort.pieces * PIECE);
    Cost {
        name,
        nanoseconds: Sample::of(rounds.iter().map(|spent| spent[0] * each)),
        ratio: Sample::of(rounds.iter().map(|spent| spent[0] / spent[1])),
        bytes,
        false_rate: num::real(found) / num::real(shown),
        shown,
        promises,
    }
}

fn by_size(
    title: &str,
    sizes: &[u64],
    costs: &[Vec<Cost>],
    measure: fn(&str) -> Measure,
    cell: fn(&Cost) -> Cell,
) -> Table {
    let measures = sizes.iter().map(|keys| measure(&format!("{keys} keys"))).collect();
    let mut table = Table::new(title, &["filter"], measures);
    for (i, first) in costs[0].iter().enumerate() {
        table.row(&[&first.name], costs.iter().map(|costs| cell(&costs[i])).collect());
    }
    table
}

fn times(sizes: &[u64], costs: &[Vec<Cost>]) -> Table {
    let cell = |cost: &Cost| Cell::default().ours(cost.ratio);
    by_size("Time of a new key, exact map = 1", sizes, costs, Measure::ratio, cell)
        .note("The exact map has its own row: two of them, which says what the ratio of equals is.")
}

fn bytes(sizes: &[u64], costs: &[Vec<Cost>]) -> Table {
    let cell = |cost: &Cost| Cell::default().ours(Sample::of([cost.bytes]));
    by_size("Bytes of a key", sizes, costs, |name| Measure::new(name, 1), cell)
}

fn chart((name, title, y): (&str, &str, &str), sizes: &[u64], costs: &[Vec<Cost>], of: fn(&Cost) -> f64) -> Chart {
    let mut chart = Chart::new(name, title, Axis::log("keys of the window"), Axis::log(y));
    for drawn in DRAWN {
        let cost = |costs: &Vec<Cost>| costs.iter().find(|cost| cost.name == drawn).map_or(f64::NAN, of);
        chart.curve(drawn, sizes.iter().map(|&keys| num::real(keys)).zip(costs.iter().map(cost)).collect());
    }
    chart
}

fn hold(keys: u64, costs: &[Cost], checks: &mut Vec<Check>) {
    for cost in costs {
        let what = |text: &str| format!("{}, {keys} keys: {text}", cost.name);
        let slow = (cost.ratio.mean - SLOWEST).max(0.0);
        checks.push(Check::exactly(what(&format!("time, exact map = 1, over {SLOWEST}")), slow, 0.0, 0.0));
        // The steps of a Bloom filter's places cost one of 125 keys 1.8 times its rate (`bloom`).
        let is_small_bloom = keys <= 1000 && cost.name.contains("Bloom");
        if cost.promises && !is_small_bloom {
            let rate = Sample { mean: cost.false_rate, spread: 0.0, runs: 1 };
            checks.push(Check::at_most(what("false duplicates"), rate, TARGET).events(num::real(cost.shown)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_name_the_least_and_the_most_of_the_rows() {
        let row = |table: &mut Table, name: &str, figures: [f64; 2]| {
            table.row(&[name], figures.map(|figure| Cell::default().ours(Sample::of([figure]))).to_vec());
        };
        let measures = || vec![Measure::new("1000 keys", 1), Measure::new("10000 keys", 1)];
        let mut tables = ["Time", "Bytes"].map(|title| Table::new(title, &["filter"], measures()));
        for (name, time, bytes) in [(SETS, [1.0, 4.0], [24.0, 37.0]), (TABLE, [2.0, 2.0], [4.0, 5.0])] {
            row(&mut tables[0], name, time);
            row(&mut tables[1], name, bytes);
        }
        let said = findings(&Outcome { tables: tables.to_vec(), ..Outcome::default() });
        assert!(
            said.contains("they take 24 to 37 bytes a key at their peak") && said.contains("table 4.0 to 5.0;"),
            "{said}"
        );
        assert!(said.contains("they took 0.50 to 2.00 of the window table's time"), "{said}");
    }

    /// New keys of a full run, in windows.
    #[test]
    fn full_run_is_a_quarter_and_a_fortieth_of_the_largest_windows() {
        let keys = FULL.rounds * FULL.pieces * PIECE;
        assert_eq!([10_000_000 / keys, 100_000_000 / keys], [4, 42]);
    }
}
