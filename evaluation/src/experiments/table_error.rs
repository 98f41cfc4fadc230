//! The error of a window table while it grows and shrinks: by its law, by a census of its cells, and by absent keys.
//!
//! ```text
//!  W0              error of a table that never grew
//!  W0 (1 + 0.68 J) the law of growth     J: doublings since the birth of the oldest living cell
//!  W0 (2 + J)      the bound of any traffic
//! ```
//! No key comes again, so that no cell is older than a lifetime. The census reads snapshots by `docs/reference/format.md` (`census`).
//! A cell must know what its width holds above the least depth of its life: one that knows less was spoilt.

use std::collections::VecDeque;

use lately::{Clock, Filter, Kind, Options, Unit};

use crate::census::{self, Census};
use crate::check::Check;
use crate::context::Context;
use crate::num;
use crate::ours::Ours;
use crate::outcome::{Cell, Measure, Outcome, Table, span};
use crate::sample::Sample;
use crate::timely::Timely;
use crate::traffic::{self, WINDOW};

/// Fields of 8, 16 and 32 bits.
const WIDTHS: [(u32, f64); 3] = [(8, 1e-3), (16, 1e-6), (32, 1e-9)];

const TRAFFICS: [&str; 15] = [
    "steady from nothing",
    "steady for ten windows",
    "a window's keys in a tenth",
    "rises for ten windows",
    "sine over 24 windows",
    "sine over one window",
    "burst of twenty",
    "tenfold for a tenth",
    "falls to a hundredth",
    "falls to a tenth",
    "pulses",
    "pulses in silence",
    "alternation",
    "spikes",
    "doubling",
];

/// Those that only grow: the law is for them.
const GROWING: [&str; 2] = ["steady from nothing", "doubling"];

/// A census a 40th of a window, and eight looks at the number of lines between two.
const CENSUSES: u64 = 40;
const LOOKS: u64 = 8 * CENSUSES;

/// The looks of a lifetime, which is at most a generation longer than a window, and one more on each end.
const LIFE: usize = num::index(LOOKS * 8 / 7 + 3);

/// What a doubling adds, in units of W0.
const PER_DOUBLING: f64 = 0.68;

/// How far the law may be off while a table grows, and what traffic that turns back may add to it.
const OFF: f64 = 0.1;

/// Cells that may know less: those of lines that were joined between two looks.
const SHORT: f64 = 0.01;

/// Keys of the window that are asked for at each census.
const KNOWN: usize = 100;

/// What comes out, by the rows.
fn findings(outcome: &Outcome) -> String {
    let most = |measure: &str| span(outcome.tables.iter().flat_map(|table| table.figures(&[], measure)))[1];
    let growing = |traffic: &str| {
        let rows = outcome.tables.iter().flat_map(|table| &table.rows).filter(|row| row.labels[0] == traffic);
        let parts = rows.filter_map(|row| row.cells[1].ours.zip(row.cells[1].formula));
        span(parts.map(|(ours, law)| ours.mean / law))
    };
    let (steady, doubling) = (growing(GROWING[0]), growing(GROWING[1]));
    let largest = span(outcome.figures(&[GROWING[1]], "J"));
    format!(
        "**What comes out.** Growing from nothing the error is {:.2} to {:.2} of W0 (1 + 0.68 J) at its worst, and {:.2} to {:.2} where traffic doubles again and again (J up to {:.1}). \
         Where it turns back it is at most {:.2} of that, and nowhere more than {:.2} of the bound W0 (2 + J). Absent keys are called duplicates as often as the \
         census says; with fields of 16 and 32 bits there is nearly none to be seen. The keys of the window that were missed are {:.0}, and at most {:.3} % of the \
         cells know less than the least depth of their life gives them: they were in lines that were joined and split again between two looks.",
        steady[0],
        steady[1],
        doubling[0],
        doubling[1],
        largest[1],
        most("the most of the law"),
        most("the most of the bound"),
        most("missed"),
        most("cells that know")
    )
}

/// What comes out, below the last table.
pub(crate) fn conclude(outcome: &mut Outcome) {
    let findings = findings(outcome);
    if let Some(last) = outcome.tables.last_mut() {
        last.conclude(&findings);
    }
}

/// One traffic at one width.
struct Case {
    traffic: &'static str,
    field: u32,
    options: Options,
    /// Errors of the plan: settled, at the worst moment.
    settled: f64,
    worst: f64,
}

/// What was seen of it.
#[derive(Default)]
struct Seen {
    /// At the worst census: the error, and J.
    error: f64,
    doublings: f64,
    /// The largest part of the law and of the bound.
    of_law: f64,
    of_bound: f64,
    /// Sum over all censuses, absent keys that were asked for, and those that were called duplicates.
    expected: f64,
    absent: u64,
    hits: u64,
    missed: u64,
    /// The largest share of cells that know too little.
    short: f64,
}

pub(crate) fn run(context: &Context) -> Outcome {
    let (size, absent) = context.pick((10_000, 400), (50_000, 2_000), (200_000, 10_000));
    let mut outcome = Outcome::new(format!(
        "{size} new keys a window where the rate of a traffic is 1; a census, {absent} absent keys and {KNOWN} keys of the window each 40th of \
         a window."
    ));
    let widths = WIDTHS.map(|width| TRAFFICS.map(|traffic| Case::new(traffic, width, context.seed)));
    let cases: Vec<&Case> = widths.iter().flatten().collect();
    let seen = context.each(&cases, |case| case.run(size, absent));
    for (cases, seen) in widths.iter().zip(seen.chunks(TRAFFICS.len())) {
        outcome.tables.push(table(cases, seen));
        cases.iter().zip(seen).for_each(|(case, seen)| case.hold(seen, &mut outcome.checks));
    }
    conclude(&mut outcome);
    outcome
}

/// J from one number of lines to another, each doubling a straight line.
fn doublings(from: u64, to: u64) -> f64 {
    let (from, to) = (num::real(from.max(1)), num::real(to));
    let whole = (to / from).max(1.0).log2().floor();
    whole + (to / (from * whole.exp2()) - 1.0).max(0.0)
}

impl Case {
    fn new(traffic: &'static str, (field, error): (u32, f64), seed: u64) -> Self {
        let options = Options::new(Kind::WindowTable).window_ns(WINDOW).clock(Clock::Manual(Unit::Nanoseconds));
        let options = options.error_rate(error).seed(seed);
        let plan = Filter::plan(&options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        Self { traffic, field, options, settled: plan.error_rate_mean, worst: plan.error_rate_worst }
    }

    fn run(&self, size: u64, absent: u64) -> Seen {
        let (mut table, mut seen) = (Ours::new(&self.options), Seen::default());
        let mut lines: VecDeque<u64> = VecDeque::new();
        let mut recent: VecDeque<(u64, u64)> = VecDeque::new();
        let mut looks = 0;
        for sighting in traffic::fresh(self.traffic, size) {
            table.observe_at(sighting.key, sighting.tick);
            recent.push_back((sighting.key, sighting.tick));
            let due = num::floor(sighting.at * num::real(LOOKS));
            if due == looks {
                continue;
            }
            let is_due = due / 8 > looks / 8;
            // In a silence nothing grows.
            lines.extend(std::iter::repeat_n(table.table_lines(), num::index(due - looks).min(LIFE)));
            lines.drain(..lines.len().saturating_sub(LIFE));
            looks = due;
            if is_due {
                while recent.front().is_some_and(|(_, then)| then + WINDOW < sighting.tick) {
                    recent.pop_front();
                }
                self.look(&table, &lines, &recent, absent, &mut seen);
            }
        }
        seen
    }

    /// A census, and what the table says of keys that it must know and of those that it cannot.
    fn look(&self, table: &Ours, lines: &VecDeque<u64>, recent: &VecDeque<(u64, u64)>, absent: u64, seen: &mut Seen) {
        let least = lines.iter().copied().filter(|lines| *lines > 0).min().unwrap_or(0);
        // Lines of a side, as the power of two that is not more.
        let depth = (least / 2).checked_ilog2().unwrap_or(0);
        let census = census::of(&table.snapshot(), |now| (depth.min(now) + self.field - 1).min(51));
        self.add(census, least, seen);
        let keys = traffic::named(self.traffic).keys;
        seen.hits += num::wide((0..absent).filter(|i| table.has(keys.absent(seen.absent + i))).count());
        seen.absent += absent;
        seen.expected += census.error * num::real(absent);
        let step = (recent.len() / KNOWN).max(1);
        seen.missed += num::wide(recent.iter().step_by(step).filter(|(key, _)| !table.has(*key)).count());
    }

    fn add(&self, census: Census, least: u64, seen: &mut Seen) {
        if census.lines == 0 {
            return;
        }
        let doublings = doublings(least, census.lines);
        if census.error > seen.error {
            (seen.error, seen.doublings) = (census.error, doublings);
        }
        seen.of_law = seen.of_law.max(census.error / self.law(doublings));
        seen.of_bound = seen.of_bound.max(census.error / (self.settled * (2.0 + doublings)));
        if census.cells > 0 {
            seen.short = seen.short.max(num::real(census.short) / num::real(census.cells));
        }
    }

    fn law(&self, doublings: f64) -> f64 {
        self.settled * (1.0 + PER_DOUBLING * doublings)
    }

    fn hold(&self, seen: &Seen, checks: &mut Vec<Check>) {
        let what = |text: &str| format!("{}, fields of {}: {text}", self.traffic, self.field);
        let over = |text: &str, ours: f64, most: f64| Check::exactly(what(text), (ours - most).max(0.0), 0.0, 0.0);
        checks.push(Check::exactly(what("missed"), num::real(seen.missed), 0.0, 0.0));
        checks.push(over("census over the bound, as a part of it", seen.of_bound, 1.0));
        checks.push(over("census over the law, as a part of it", seen.of_law, 1.0 + OFF));
        checks.push(over("census over the plan's worst, as a part of it", seen.error / self.worst, 1.0));
        checks.push(over("cells that know too little, over a hundredth", seen.short, SHORT));
        if GROWING.contains(&self.traffic) {
            let ratio = seen.error / self.law(seen.doublings);
            checks.push(Check::exactly(what("census at its worst, the law = 1"), ratio, 1.0, OFF));
        }
        let absent = num::real(seen.absent);
        let called = Sample::of([num::real(seen.hits) / absent]);
        let check = Check::about(what("absent keys called duplicates"), called, seen.expected / absent);
        checks.push(check.events(absent));
    }
}

fn table(cases: &[Case], seen: &[Seen]) -> Table {
    let (field, settled) = (cases[0].field, cases[0].settled);
    let measures = vec![
        Measure::new("J at the worst census", 1),
        Measure::new("error there, W0 = 1", 2),
        Measure::new("the most of the law", 2),
        Measure::new("the most of the bound", 2),
        Measure::powers("absent keys called duplicates"),
        Measure::new("missed", 0),
        Measure::new("cells that know too little, %", 2),
    ];
    let title = format!("Fields of {field} bits, W0 = {settled:.2e}");
    let mut table = Table::new(&title, &["traffic"], measures);
    for (case, seen) in cases.iter().zip(seen) {
        let plain = |value: f64| Cell::default().ours(Sample::of([value]));
        let absent = num::real(seen.absent);
        table.row(
            &[case.traffic],
            vec![
                plain(seen.doublings),
                plain(seen.error / settled).formula(case.law(seen.doublings) / settled),
                plain(seen.of_law),
                plain(seen.of_bound),
                plain(num::real(seen.hits) / absent).formula(seen.expected / absent),
                plain(num::real(seen.missed)),
                plain(100.0 * seen.short),
            ],
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doublings_are_straight_between_powers_of_two() {
        assert_eq!(
            [(512, 512), (512, 768), (512, 1024), (512, 3072), (600, 500)].map(|(a, b)| doublings(a, b)),
            [0.0, 0.5, 1.0, 2.5, 0.0]
        );
    }

    /// Of one that grows, and of one that shrinks: what mistakes of splits and merges break (`tests/mutants`).
    #[test]
    fn cells_of_growing_and_shrinking_tables_know_what_their_depth_gives() {
        let (mut checks, cases) = (Vec::new(), ["doubling", "falls to a tenth"]);
        cases.map(|traffic| Case::new(traffic, WIDTHS[0], 1)).iter().for_each(|case| {
            case.hold(&case.run(20_000, 100), &mut checks);
        });
        crate::check::settle(&mut checks, 1);
        let broken: Vec<&str> = checks.iter().filter(|check| !check.holds()).map(|check| check.what.as_str()).collect();
        assert!(broken.is_empty(), "{broken:?}");
    }
}
