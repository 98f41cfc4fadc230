//! Time-limited Bloom filter, figures 1 to 3: slices, the newest slice, and bits per key of ten filters that begin too
//! small or too large for their stream.

use super::time_limited::{CAPACITIES, LENGTH, PAIRS, PER_SECOND, SPAN, Timed, WINDOW, as_printed, with_margin};
use crate::check::Check;
use crate::context::Context;
use crate::laws::generations::Generations;
use crate::laws::sliced::Shape;
use crate::num;
use crate::outcome::{Axis, Cell, Chart, Inset, Measure, Outcome, Table};
use crate::sample::Sample;

/// What the figures show, key by key: slices, bits of the newest, bits per key of the span.
type Trace = Vec<[f64; 3]>;

/// One of the ten filters.
#[derive(Debug, Clone, Copy)]
struct Job {
    pair: (u64, u64),
    capacity: u64,
}

impl Job {
    fn name(&self) -> String {
        format!("({}, {})", self.pair.0, self.pair.1)
    }

    /// By the paper's equations.
    fn printed(&self, per_second: f64) -> Trace {
        let mut filter = Generations::new(self.pair, self.capacity, SPAN);
        let step = |i: u64| {
            filter.insert(num::real(i) / per_second);
            [filter.slices(), filter.newest_bits(), filter.bits() / num::real(i.min(WINDOW))]
        };
        (1..=LENGTH).map(step).collect()
    }

    /// Ours, and how many keys of the span it missed.
    fn ours(&self, seed: u64) -> (Trace, u64) {
        let (mut filter, mut missed) = (Timed::new(&as_printed(self.pair, self.capacity), seed), 0);
        let step = |i: u64| {
            let now = num::real(i) / PER_SECOND;
            filter.insert(now);
            missed += if i % 97 == 0 { filter.missed(now, 1) } else { 0 };
            let stats = filter.stats();
            [num::real(stats.slices), num::real(stats.newest_slice_bits), filter.bits() / num::real(i.min(WINDOW))]
        };
        ((1..=LENGTH).map(step).collect(), missed)
    }
}

/// What a trace comes to: most slices, slices, newest bits at the end; bits per key over the last span.
fn summary(trace: &Trace) -> [f64; 4] {
    let last = &trace[trace.len() - num::index(WINDOW)..];
    let end = trace[trace.len() - 1];
    let most = trace.iter().map(|at| at[0]).fold(0.0, f64::max);
    [most, end[0], end[1], last.iter().map(|at| at[2]).sum::<f64>() / num::size(last.len())]
}

pub(crate) fn run(context: &Context) -> Outcome {
    let runs = context.pick(5, 10, 20);
    let mut outcome = Outcome::new(format!(
        "Error rate 0.1, span 300 s, {LENGTH} different keys, one each 0.1 s; k, l and fill 1/2 of the paper; {runs} runs."
    ));
    for (figure, capacity) in (1..).zip(CAPACITIES) {
        let mut charts = charts(figure, capacity);
        let mut table = table(capacity);
        for &pair in PAIRS[0].1 {
            let job = Job { pair, capacity };
            let (printed, ours) = (job.printed(PER_SECOND), context.runs(runs, |seed| job.ours(seed)));
            for (i, chart) in charts.iter_mut().enumerate() {
                let places = || (0..printed.len()).step_by(40);
                let found = |at: usize| Sample::of(ours.iter().map(|(trace, _)| trace[at][i]));
                let ours = places().map(|at| (num::size(at + 1), found(at))).collect();
                chart.measured_curve(format!("{} ours", job.name()), ours);
                let printed = places().map(|at| (num::size(at + 1), printed[at][i])).collect();
                chart.curve(format!("{} its equations", job.name()), printed);
            }
            row(&job, &summary(&printed), &ours, &mut table, &mut outcome.checks);
        }
        outcome.tables.push(table);
        in_the_text(&mut charts);
        outcome.charts.extend(charts);
    }
    outcome.tables.push(tie(&mut outcome.checks));
    outcome
}

/// The pair whose generations divide the span: three of 1000 keys are 3000, which come in 300 s.
const DIVIDES: (u64, u64) = (4, 3);
/// Seconds between keys, and the slices at the end: exactly a tenth, and a ten thousandth later, as by the clock of a machine.
const GAPS: [(f64, f64); 2] = [(0.1, 8.0), (0.100_01, 7.0)];

/// Equation 3 with a slice that is exactly as old as the span, and with one that is a little older.
fn tie(checks: &mut Vec<Check>) -> Table {
    let measures = vec![Measure::new("slices at the end", 0), Measure::new("bits per key at the end", 2)];
    let title = "(4, 3) by the equations: three generations are exactly the span, or a little more";
    let mut table = Table::new(title, &["capacity", "keys apart, s"], measures).note(
        "A slice goes if its last key is older than the span (equation 3). With (4, 3) a generation has 1000 keys, so that at exactly 0.1 s \
         between keys the last slice is 300 s old at a shift, which is not older than 300 s: it stays, and 8 slices are left. If keys come \
         a ten thousandth later, as by the clock of a machine, there are the 7 slices and less than 14 bits of the text. No other pair \
         divides the 3000 keys.",
    );
    for (capacity, (gap, slices)) in CAPACITIES.into_iter().flat_map(|one| GAPS.map(|gap| (one, gap))) {
        let trace = Job { pair: DIVIDES, capacity }.printed(1.0 / gap);
        let end = trace[trace.len() - 1];
        let cells = [end[0], end[2]].map(|value| Cell::default().formula(value)).to_vec();
        table.row(&[&capacity.to_string(), &format!("{gap}")], cells);
        let what = |text: &str| format!("(4, 3) by the equations, capacity {capacity}, {gap} s apart: {text}");
        checks.push(Check::exactly(what("slices at the end"), end[0], slices, 0.0));
        if gap > 1.0 / PER_SECOND {
            checks.push(Check::exactly(what("bits at the end, truncated"), end[2].trunc(), 13.0, 0.0));
        }
    }
    table
}

/// What the paper's text says of the end: k + l slices, and 10 to 13 bits per key.
fn in_the_text(charts: &mut [Chart]) {
    let end = num::real(LENGTH);
    let slices = PAIRS[0].1.iter().map(|&(k, l)| (end, num::real(k + l))).collect();
    charts[0].points("paper (its text)", slices);
    charts[2].points("paper (its text)", vec![(end, 10.0), (end, 13.0)]);
    // From the third span on, where the axis of the whole makes all curves one.
    charts[2].inset = Some(Inset { of: String::new(), x: (num::real(2 * WINDOW), end) });
}

fn row(job: &Job, printed: &[f64; 4], ours: &[(Trace, u64)], table: &mut Table, checks: &mut Vec<Check>) {
    let shape = Shape::half(job.pair);
    let summaries: Vec<[f64; 4]> = ours.iter().map(|(trace, _)| summary(trace)).collect();
    let sample = |i: usize| Sample::of(summaries.iter().map(|summary| summary[i]));
    let slices = num::real(job.pair.0 + job.pair.1);
    let cell = |i: usize| Cell::default().formula(printed[i]).ours(sample(i));
    let cells = vec![cell(0), cell(1).paper(slices), cell(2), cell(3), Cell::default().formula(shape.bits_per_key())];
    table.row(&[&job.name()], cells);
    let what = format!("{}, capacity {}", job.name(), job.capacity);
    // The slice that a shift is about to drop may still be there.
    checks.push(Check::exactly(format!("{what}: slices at the end"), sample(1).mean, slices, 1.0));
    let (law, word) = with_margin(&shape);
    // Begun too small, a filter takes more slices through its first spans and gives them back one by one (figure 3a, closer):
    // with few generations the last span has one too many in the mean.
    let start = if job.capacity < WINDOW { 1.0 / slices } else { 0.01 };
    checks.push(Check::about(format!("{what}: bits per key"), sample(3), law).slack(start * law + word));
    let missed: u64 = ours.iter().map(|run| run.1).sum();
    checks.push(Check::exactly(format!("{what}: keys of the span missed"), num::real(missed), 0.0, 0.0));
}

fn table(capacity: u64) -> Table {
    let measures = ["most slices", "slices at the end", "newest slice at the end, bits", "bits per key, last span"];
    let mut measures: Vec<Measure> =
        measures.iter().zip([1, 1, 0, 2]).map(|(name, digits)| Measure::new(name, digits)).collect();
    measures.push(Measure::new("bits per key, k (k + l) / (l ln 2)", 2));
    let size = if capacity < WINDOW { "too small" } else { "too large" };
    Table::new(&format!("Begun {size}: capacity {capacity}"), &["(k, l)"], measures).note(
        "Formula: the paper's equations 3 to 8 played forward, since its curves are pictures without figures. The text says \
         that slices come back to k + l and that bits per key end between 10 and 13: 10 is the least of a filter with l = 3, \
         reckoned by the l + 1 generations that it sometimes holds. Ours begins with k slices and not k + l, follows the rate \
         of the whole span instead of that of the last generation, and ends a generation also by time; so it does not \
         wait for slices that are too large to fill. It has a margin of 1.8 % and whole words.",
    )
}

fn charts(figure: u64, capacity: u64) -> Vec<Chart> {
    let chart = |name: String, what: &str, axis: Axis| {
        let title = format!("Time-limited, figure {}: capacity {capacity}", name.replace("figure-", ""));
        let note = format!("Figure {}: {what}, begun for {capacity} keys.", name.replace("figure-", ""));
        Chart::new(&name, &title, Axis::linear("insertions"), axis).note(note)
    };
    let part = if figure == 1 { "a" } else { "b" };
    vec![
        chart(format!("figure-{figure}a"), "slices", Axis::log("slices")),
        chart(format!("figure-{figure}b"), "the newest slice", Axis::log("newest slice, bits")),
        chart(format!("figure-3{part}"), "bits per key of the span", Axis::log("space, bits per key")),
    ]
}
