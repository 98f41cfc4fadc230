//! Time-limited Bloom filter, figures 4 and 5: the rate of false positives of six filters, key by key.

use super::time_limited::{CAPACITIES, LENGTH, PER_SECOND, SPAN, Timed, WINDOW, as_printed};
use crate::check::Check;
use crate::context::Context;
use crate::laws::generations::Generations;
use crate::laws::sliced::Shape;
use crate::num;
use crate::outcome::{Axis, Cell, Chart, Measure, Outcome, Table};
use crate::sample::Sample;

/// Error rates, and the pairs of the middle level of the reference implementation; the figures' own are not printed.
const FILTERS: [(f64, (u64, u64)); 3] = [(1e-1, (7, 28)), (1e-2, (10, 25)), (1e-3, (13, 23))];

/// Insertions between measurements.
const EVERY: u64 = 50;

/// At each measurement: the chance by the fills, and the share of absent keys that were found.
type Trace = Vec<(f64, f64)>;

/// What figures 4a and 5a show: slices, and bits of the newest.
type Sizes = Vec<[f64; 2]>;

/// What ours did: rates, sizes, keys of the span that it missed.
type Ours = (Trace, Sizes, u64);

fn printed(pair: (u64, u64), capacity: u64) -> (Vec<f64>, Sizes) {
    let mut filter = Generations::new(pair, capacity, SPAN);
    let (mut rates, mut sizes) = (Vec::new(), Vec::new());
    for i in 1..=LENGTH {
        let now = num::real(i) / PER_SECOND;
        filter.insert(now);
        if i % EVERY == 0 {
            rates.push(filter.rate(now));
            sizes.push([filter.slices(), filter.newest_bits()]);
        }
    }
    (rates, sizes)
}

fn ours(pair: (u64, u64), capacity: u64, seed: u64, queries: u64) -> Ours {
    let (mut filter, mut missed) = (Timed::new(&as_printed(pair, capacity), seed), 0);
    let (mut trace, mut sizes) = (Vec::new(), Vec::new());
    for i in 1..=LENGTH {
        let now = num::real(i) / PER_SECOND;
        filter.insert(now);
        if i % EVERY == 0 {
            let stats = filter.stats();
            sizes.push([num::real(stats.slices), num::real(stats.newest_slice_bits)]);
            trace.push((stats.error_rate, filter.false_rate(now, queries)));
            missed += filter.missed(now, 11);
        }
    }
    (trace, sizes, missed)
}

/// The peak, and the mean over the last span.
fn summary(rates: &[f64]) -> (f64, f64) {
    let last = &rates[rates.len() - num::index(WINDOW / EVERY)..];
    (rates.iter().copied().fold(0.0, f64::max), last.iter().sum::<f64>() / num::size(last.len()))
}

pub(crate) fn run(context: &Context) -> Outcome {
    let runs = context.pick(8, 10, 20);
    let mut outcome = Outcome::new(format!(
        "Span 300 s, {LENGTH} different keys, one each 0.1 s; absent keys asked for at every {EVERY}th insertion; {runs} runs."
    ));
    for (figure, capacity) in [4, 5].into_iter().zip(CAPACITIES) {
        let (mut chart, mut sizes) = (chart(figure, capacity), size_chart(figure, capacity));
        let mut table = table(figure, capacity);
        for (rate, pair) in FILTERS {
            let queries = num::floor(context.pick(20.0, 200.0, 1000.0) / rate);
            let (law, law_sizes) = printed(pair, capacity);
            let runs = context.runs(runs, |seed| ours(pair, capacity, seed, queries));
            chart.measured_curve(format!("{rate} ours"), found(&runs));
            sizes.measured_curve(format!("{rate} ours"), sizes_of(&runs, figure));
            sizes.curve(format!("{rate} its equations"), sized(&law_sizes, figure));
            chart.curve(format!("{rate} its equations"), shown(&law));
            let place = Place { rate, pair, capacity, queries };
            place.row(&law, &runs, &mut table, &mut outcome.checks);
        }
        outcome.tables.push(table);
        outcome.charts.extend([sizes, chart]);
    }
    outcome
}

/// The share of absent keys that were found, in all runs.
fn found(runs: &[Ours]) -> Vec<(f64, Sample)> {
    let sample = |i: usize| Sample::of(runs.iter().map(|run| run.0[i].1));
    (FIRST..runs[0].0.len()).map(|i| (place(i), sample(i))).collect()
}

fn sizes_of(runs: &[Ours], figure: i32) -> Vec<(f64, Sample)> {
    let sample = |i: usize| Sample::of(runs.iter().map(|run| run.1[i][usize::from(figure == 5)]));
    (0..runs[0].1.len()).map(|i| (place(i), sample(i))).collect()
}

/// Slices for figure 4a, bits of the newest for 5a.
fn sized(sizes: &Sizes, figure: i32) -> Vec<(f64, f64)> {
    sizes.iter().enumerate().map(|(i, size)| (place(i), size[usize::from(figure == 5)])).collect()
}

/// The insertions before the i-th measurement.
fn place(i: usize) -> f64 {
    num::real(EVERY) * num::size(i + 1)
}

/// Curves of rates begin here, all at the same place: before, a filter is nearly empty.
const FIRST: usize = 19;

fn shown(rates: &[f64]) -> Vec<(f64, f64)> {
    rates.iter().enumerate().skip(FIRST).map(|(i, &rate)| (place(i), rate)).collect()
}

/// One filter.
struct Place {
    rate: f64,
    pair: (u64, u64),
    capacity: u64,
    queries: u64,
}

impl Place {
    fn row(&self, law: &[f64], runs: &[Ours], table: &mut Table, checks: &mut Vec<Check>) {
        let (peak, settled) = summary(law);
        let all = |of: fn(&(f64, f64)) -> f64| -> Vec<Vec<f64>> {
            runs.iter().map(|run| run.0.iter().map(of).collect()).collect()
        };
        let (chances, measured) = (all(|at| at.0), all(|at| at.1));
        let peaks = Sample::of(chances.iter().map(|rates| summary(rates).0));
        let means = Sample::of(measured.iter().map(|rates| summary(rates).1));
        let shape = Shape::half(self.pair);
        let cells = vec![
            Cell::default().formula(peak).ours(peaks),
            Cell::default().paper(self.rate).formula(settled).ours(means),
            Cell::default().formula(shape.mean()),
        ];
        table.row(&[&format!("{}", self.rate), &format!("({}, {})", self.pair.0, self.pair.1)], cells);
        let what = format!("{}, capacity {}", self.rate, self.capacity);
        let mean = |rates: &[f64]| rates.iter().sum::<f64>() / num::size(rates.len());
        // The whole of the run: what was found against what the fills say, moment by moment.
        let apart = Sample::of(chances.iter().zip(&measured).map(|(said, found)| mean(found) - mean(said)));
        let asked = num::real(self.queries) * num::size(law.len());
        let noise = (mean(&chances[0]) / asked).sqrt();
        let check = Check::about(format!("{what}: measured less what stats say"), apart, 0.0);
        checks.push(check.slack(noise + 0.01 * self.rate));
        checks.push(Check::at_most(format!("{what}: settled rate"), means, shape.worst()));
        checks.push(Check::at_most(
            format!("{what}: half of the settled rate"),
            means.times(-1.0),
            -0.5 * shape.worst(),
        ));
        let missed = runs.iter().map(|run| num::real(run.2)).sum();
        checks.push(Check::exactly(format!("{what}: keys of the span missed"), missed, 0.0, 0.0));
    }
}

fn table(figure: i32, capacity: u64) -> Table {
    let measures = ["peak", "mean of the last span", "exact mean of the pair"].map(Measure::powers).to_vec();
    Table::new(&format!("Figure {figure}, in figures: capacity {capacity}"), &["error rate", "(k, l)"], measures).note(
        "Formula: the paper's equations played forward, with the exact law of the fills that they give. Peak of ours: by \
         the fills (`stats`), over the whole run. The zigzag of the paper is there: a generation fills, a shift empties. Ours is \
         lower, because slices have a margin and are rounded up to words, and because those of a climbing stream are made larger.",
    )
}

fn chart(figure: i32, capacity: u64) -> Chart {
    let title = format!("Time-limited, figure {figure}: capacity {capacity}");
    let (x, y) = (Axis::linear("insertions"), Axis::log("rate of false positives"));
    Chart::new(&format!("figure-{figure}b"), &title.replace(':', "b:"), x, y).note(format!(
        "Figure {figure}b: ours measured, the share of absent keys that were found at each {EVERY}th insertion, in the mean of all \
         runs; the other by the fills of its equations. Begun for {capacity} keys; 3000 are in the span. Below the names: the curves of 0.1 over the last span, closer."
    ))
    .inset(&FILTERS[0].0.to_string(), (num::real(LENGTH - WINDOW), num::real(LENGTH)))
}

fn size_chart(figure: i32, capacity: u64) -> Chart {
    let what = if figure == 4 { "slices" } else { "newest slice, bits" };
    let title = format!("Time-limited, figure {figure}a: capacity {capacity}");
    Chart::new(&format!("figure-{figure}a"), &title, Axis::linear("insertions"), Axis::log(what))
        .note(format!("Figure {figure}a: {what}, of the same filters."))
}
