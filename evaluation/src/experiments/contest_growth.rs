//! Growth from nothing: a window of time whose rate nobody knew, beside an exact map that grows too.
//!
//! Every key is new, one a tick, and the window has no end, so that nothing drains: the hardest case, where each new key asks
//! all tables. From each power of two of keys to the next: the time of a key, of both in short pieces by turns; the bytes of
//! a key; and what was called a duplicate.

use std::hint::black_box;
use std::time::Instant;

use lately::{Clock, Filter, Kind, Options, Unit};

use crate::baselines::exact_map::ExactMap;
use crate::check::Check;
use crate::context::Context;
use crate::detector::Detector;
use crate::num;
use crate::ours::{MOST_WHILE_SMALL, Ours};
use crate::outcome::{Axis, Chart, Outcome};
use crate::rng;
use crate::sample::Sample;

const TARGET: f64 = 1e-3;
const PIECE: u64 = 1024;
/// Of the plan for as many keys: what a growing table may take.
const BOUND: f64 = 2.5;

/// A window of time without an end.
fn endless() -> Options {
    Options::new(Kind::WindowTable).error_rate(TARGET).window_ns(u64::MAX / 2).clock(Clock::Manual(Unit::Nanoseconds))
}

/// Bytes of the plan for a window of so many keys, known beforehand.
fn planned(keys: u64) -> f64 {
    let plan = Filter::plan(&endless().capacity(keys)).expect("a plan");
    num::real(plan.bytes)
}

/// What happened up to so many keys.
#[derive(Debug)]
struct Step {
    keys: u64,
    /// Of a key since the last step: the table's, and the map's.
    nanoseconds: [f64; 2],
    bytes: f64,
    /// New keys since the last step that were called duplicates.
    wrong: u64,
    new: u64,
}

fn nanoseconds(filter: &mut dyn Detector, keys: &[u64]) -> (f64, usize) {
    let begin = Instant::now();
    let found = black_box(keys.iter().filter(|&&key| filter.observe(key)).count());
    (begin.elapsed().as_secs_f64() * 1e9, found)
}

/// One growth, and how many of the first keys are missing at its end.
fn grow(keys: u64, seed: u64) -> (Vec<Step>, u64) {
    let (mut table, mut map) = (Ours::new(&endless()), ExactMap::endless());
    let (mut steps, mut done) = (Vec::new(), 0);
    while done < keys {
        let to = (2 * done).max(PIECE);
        let (mut spent, mut wrong) = ([0.0; 2], 0);
        for first in (done..to).step_by(num::index(PIECE)) {
            let piece: Vec<u64> = (first..first + PIECE).map(|i| rng::hash(seed, i)).collect();
            let (time, found) = nanoseconds(&mut table, &piece);
            spent[0] += time;
            spent[1] += nanoseconds(&mut map, &piece).0;
            wrong += num::wide(found);
        }
        let new = to - done;
        let (each, bytes) = (spent.map(|time| time / num::real(new)), table.bits() / 8.0);
        steps.push(Step { keys: to, nanoseconds: each, bytes, wrong, new });
        done = to;
    }
    let missed = (0..keys.min(100_000)).filter(|&i| !table.observe(rng::hash(seed, i))).count();
    (steps, num::wide(missed))
}

/// Adds its pictures and comparisons.
pub(crate) fn run(context: &Context, outcome: &mut Outcome) {
    let (keys, runs) = context.pick((1 << 14, 2), (1 << 24, 5), (1 << 24, 10));
    context.progress.expect(runs);
    let one = |run| {
        let grown = grow(keys, context.seed_of(run));
        context.progress.done();
        grown
    };
    let runs: Vec<(Vec<Step>, u64)> = (0..runs).map(one).collect();
    hold(&runs, &mut outcome.checks);
    outcome.charts.extend([time(&runs), memory(&runs)]);
}

/// The same figure of each step of all runs, by the keys so far.
fn steps(runs: &[(Vec<Step>, u64)], figure: impl Fn(&Step) -> f64) -> Vec<(f64, Sample)> {
    let sample = |i: usize| Sample::of(runs.iter().map(|(steps, _)| figure(&steps[i])));
    runs[0].0.iter().enumerate().map(|(i, step)| (num::real(step.keys), sample(i))).collect()
}

fn hold(runs: &[(Vec<Step>, u64)], checks: &mut Vec<Check>) {
    let missed: u64 = runs.iter().map(|(_, missed)| missed).sum();
    checks.push(Check::exactly("growth: misses", num::real(missed), 0.0, 0.0));
    let rate = |(steps, _): &(Vec<Step>, u64)| {
        let sum = |of: fn(&Step) -> u64| num::real(steps.iter().map(of).sum());
        sum(|step| step.wrong) / sum(|step| step.new)
    };
    let keys = num::real(runs[0].0.last().expect("a step").keys);
    let rates = Sample::of(runs.iter().map(rate));
    checks.push(Check::at_most("growth: false duplicates", rates, TARGET).rate_of(keys));
    for (i, (keys, bytes)) in steps(runs, |step| step.bytes).into_iter().enumerate() {
        let bound = (BOUND * planned(runs[0].0[i].keys)).max(num::real(MOST_WHILE_SMALL));
        checks.push(Check::at_most(format!("growth to {keys} keys: bytes"), bytes, bound));
    }
}

fn time(runs: &[(Vec<Step>, u64)]) -> Chart {
    let axes = (Axis::log("keys so far"), Axis::log("ns a new key"));
    let title = "Growth from nothing: time of a new key, single calls";
    let mut chart = Chart::new("growth-time", title, axes.0, axes.1).note(
        "Means from one power of two to the next, with all growth in them. The window has no end, so that no table drains: a new key \
         asks each of them. The map's keys are integers and its hash is one multiplication chain.",
    );
    chart.measured_curve("window table", steps(runs, |step| step.nanoseconds[0]));
    chart.measured_curve("exact map and ring", steps(runs, |step| step.nanoseconds[1]));
    chart
}

fn memory(runs: &[(Vec<Step>, u64)]) -> Chart {
    let axes = (Axis::log("keys so far"), Axis::log("bytes a key"));
    let mut chart = Chart::new("growth-memory", "Growth from nothing: memory of a key", axes.0, axes.1).note(
        "What the tables take, all of them together, compared with the plan of a window whose keys are known beforehand and the bound of 2.5 \
         times that.",
    );
    let plan = |times: f64| {
        runs[0].0.iter().map(|step| (num::real(step.keys), times * planned(step.keys) / num::real(step.keys))).collect()
    };
    chart.measured_curve("window table", steps(runs, |step| step.bytes / num::real(step.keys)));
    chart.curve("planned", plan(1.0));
    chart.curve("bound", plan(BOUND));
    chart
}
