//! What a change of rate costs: memory while it lasts, memory after it, and the error rate meanwhile.
//!
//! *Need* is what the plan takes for n keys in a window: k + l slices, each of the whole words that k generations of
//! whole keys, `k ceil(n / l)`, fill to the planned fill, one word at least; no margin. Three promises:
//! memory <= 2.5 needs of the most keys in any T so far (3 in the first window, 4.5 for 1,000 keys at one tick); <= 1.5
//! present needs once 1 + (k + 2) / l windows have passed since the end of the burst; error rate <= 6 targets at every
//! instant.

use crate::common;

use std::collections::VecDeque;

use common::num::{ceil, floor, index, real, wide};
use common::streams::Arrival;
use common::{SECOND, build, manual, observe};
use lately::{Filter, Options, PlanSummary, Stats};

const WINDOW: u64 = 60 * SECOND;

/// Bytes that the plan needs for `keys` keys in a window.
fn need(plan: &PlanSummary, keys: u64) -> f64 {
    let bits = real(plan.k * keys.div_ceil(plan.l)) / -(-plan.fill).ln_1p();
    real(plan.slices * ceil(bits / 64.0).max(1) * 8)
}

/// A stream by stretches: each lasts some windows and brings keys at a steady rate, or all at its start.
#[derive(Debug, Clone, Copy)]
enum Stretch {
    /// `keys` a window, for this many windows.
    Steady { windows: f64, keys: u64 },
    /// That many keys at one tick.
    AtOnce(u64),
    /// Nothing, for this many windows.
    Idle(f64),
}

fn arrivals(stretches: &[Stretch]) -> Vec<Arrival> {
    let (mut ticks, mut now) = (Vec::new(), SECOND);
    for stretch in stretches {
        match *stretch {
            Stretch::Steady { windows, keys } => {
                let count = floor(windows * real(keys));
                ticks.extend((0..count).map(|i| now + floor(real(i) * real(WINDOW) / real(keys))));
                now += floor(windows * real(WINDOW));
            }
            Stretch::AtOnce(keys) => ticks.extend((0..keys).map(|_| now)),
            Stretch::Idle(windows) => now += floor(windows * real(WINDOW)),
        }
    }
    (0..).zip(ticks).map(|(key, tick)| Arrival { tick, key }).collect()
}

/// The most that was seen of each figure.
#[derive(Debug, Clone, Copy, Default)]
struct Worst {
    /// Memory over the need of the most keys in any T so far, in the first window.
    start: f64,
    /// The same, later.
    memory: f64,
    /// Memory over the present need, after the burst and its aftermath.
    after: f64,
    /// Error rate over the target.
    error: f64,
}

/// Plays the arrivals; `calm` is the moment from which the present need counts. A `capacity` is memory asked for, so
/// its need counts from the start.
fn play(options: &Options, arrivals: &[Arrival], calm: u64) -> Worst {
    let plan = Filter::plan(options).expect("a plan");
    let mut filter = build(options);
    let (mut recent, mut most, mut worst) = (VecDeque::new(), plan.window_keys, Worst::default());
    for (i, arrival) in arrivals.iter().enumerate() {
        observe(&mut filter, arrival.key, arrival.tick);
        recent.push_back(arrival.tick);
        while recent.front().is_some_and(|&tick| arrival.tick - tick > WINDOW) {
            recent.pop_front();
        }
        let keys = wide(recent.len());
        most = most.max(keys);
        let many = arrivals.len() > 200_000;
        if !many || i % 7 == 0 {
            let start = arrival.tick < arrivals[0].tick + WINDOW;
            note(&mut worst, &plan, &filter.stats(), (keys, most), (start, arrival.tick >= calm));
        }
    }
    worst
}

fn note(worst: &mut Worst, plan: &PlanSummary, stats: &Stats, (keys, most): (u64, u64), (start, calm): (bool, bool)) {
    let memory = if start { &mut worst.start } else { &mut worst.memory };
    *memory = memory.max(real(stats.bytes) / need(plan, most));
    worst.error = worst.error.max(stats.error_rate / plan.error_rate_worst);
    if calm {
        worst.after = worst.after.max(real(stats.bytes) / need(plan, keys));
    }
}

/// The moment at which the aftermath of a burst that ended at `end` is over.
fn calm(options: &Options, end: u64) -> u64 {
    let plan = Filter::plan(options).expect("a plan");
    end + ceil((1.0 + real(plan.k + 2) / real(plan.l)) * real(WINDOW))
}

/// Shapes from few long generations to many short ones.
fn shapes() -> Vec<Options> {
    let mut shapes: Vec<Options> = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5].map(|rate| manual(WINDOW).error_rate(rate)).into();
    shapes.extend([(4, 3), (8, 56), (10, 7), (14, 40)].map(|(k, l)| manual(WINDOW).k(k).l(l).fill(0.5)));
    shapes.push(manual(WINDOW).error_rate(1e-3).max_slices(128));
    shapes
}

fn name(options: &Options) -> String {
    let plan = Filter::plan(options).expect("a plan");
    format!("({}, {}, {:.3})", plan.k, plan.l, plan.fill)
}

struct Judge {
    failed: Vec<String>,
}

impl Judge {
    fn hold(&mut self, options: &Options, what: &str, worst: Worst, memory: f64) {
        let start = memory.max(3.0);
        let line = format!(
            "{what} {}: start {:.2} (of {start}), memory {:.2} (of {memory}), after {:.2} (of 1.5), error {:.2} (of 6)",
            name(options),
            worst.start,
            worst.memory,
            worst.after,
            worst.error
        );
        println!("{line}");
        if worst.start > start || worst.memory > memory || worst.after > 1.5 || worst.error > 6.0 {
            self.failed.push(line);
        }
    }

    fn finish(self) {
        assert!(self.failed.is_empty(), "{} failed:\n{}", self.failed.len(), self.failed.join("\n"));
    }
}

/// Calm, a burst `times` the rate for `windows`, calm again.
fn burst(judge: &mut Judge, keys: u64, times: u64, windows: f64) {
    for options in shapes() {
        let before = Stretch::Steady { windows: 4.0, keys };
        let stretches =
            [before, Stretch::Steady { windows, keys: keys * times }, Stretch::Steady { windows: 7.0, keys }];
        let end = SECOND + floor((4.0 + windows) * real(WINDOW));
        let worst = play(&options, &arrivals(&stretches), calm(&options, end));
        judge.hold(&options, &format!("{keys} keys x{times} for {windows}"), worst, 2.5);
    }
}

#[test]
fn bursts_of_ten_to_a_thousand_times_the_rate() {
    let mut judge = Judge { failed: Vec::new() };
    let ten = [0.001, 0.01, 0.05, 0.2, 1.0, 3.0].map(|windows| (3000, 10, windows));
    let hundred = [0.001, 0.01, 0.05, 0.2, 1.0, 2.0].map(|windows| (1000, 100, windows));
    let thousand = [0.0005, 0.005, 0.05, 0.2, 1.0].map(|windows| (200, 1000, windows));
    for (keys, times, windows) in ten.into_iter().chain(hundred).chain(thousand) {
        burst(&mut judge, keys, times, windows);
    }
    judge.finish();
}

/// A thousand keys at one tick: into calm streams of several rates, and into nothing.
#[test]
fn a_thousand_keys_at_one_tick() {
    let mut judge = Judge { failed: Vec::new() };
    for options in shapes() {
        for keys in [100, 1000, 3000] {
            let calm_stream = |windows| Stretch::Steady { windows, keys };
            let stretches = [calm_stream(4.0), Stretch::AtOnce(1000), calm_stream(7.0)];
            let end = SECOND + 4 * WINDOW;
            let worst = play(&options, &arrivals(&stretches), calm(&options, end));
            judge.hold(&options, &format!("1000 at one tick into {keys}"), worst, 4.5);
        }
        let worst =
            play(&options, &arrivals(&[Stretch::AtOnce(1000), Stretch::Idle(0.4), Stretch::AtOnce(1000)]), u64::MAX);
        judge.hold(&options, "1000 at one tick, twice", worst, 4.5);
    }
    judge.finish();
}

/// A stream that begins at full rate in a filter that knows nothing, or that was built for another number of keys
/// (smaller ones: a larger `capacity` is memory that was asked for).
#[test]
fn cold_starts() {
    let mut judge = Judge { failed: Vec::new() };
    for options in shapes() {
        for keys in [1000, 10_000, 100_000] {
            for options in [options.clone(), options.clone().capacity(keys), options.clone().capacity(keys / 10)] {
                let stretches = [Stretch::Steady { windows: 5.0, keys }];
                let worst = play(&options, &arrivals(&stretches), calm(&options, SECOND));
                judge.hold(&options, &format!("cold start at {keys}"), worst, 2.5);
            }
        }
    }
    judge.finish();
}

/// After silence nothing is held but the least that the plan needs.
#[test]
fn silence_frees_memory() {
    for options in shapes() {
        let plan = Filter::plan(&options).expect("a plan");
        let mut filter = build(&options);
        let stream = arrivals(&[Stretch::Steady { windows: 3.0, keys: 20_000 }]);
        for arrival in &stream {
            observe(&mut filter, arrival.key, arrival.tick);
        }
        let end = calm(&options, SECOND + 3 * WINDOW);
        filter.advance(lately::Tick(end)).expect("a manual clock");
        let (bytes, need) = (filter.stats().bytes, need(&plan, 0));
        assert!(real(bytes) <= 1.5 * need, "{}: {bytes} bytes of {need}", name(&options));
    }
}

/// Regular on/off streams: measured, for the docs. A filter keeps sizing its slices for pulses that then do not last;
/// the bounds here are the measured figures, rounded up, so that they cannot grow unseen.
#[test]
fn on_off_streams() {
    let bounds = [(0.01, 0.09, 7.0), (0.05, 0.35, 4.5), (0.1, 0.9, 4.0), (0.5, 0.5, 3.0), (1.0, 3.0, 3.0)];
    let mut failed = Vec::new();
    for (on, off, bound) in bounds {
        let pulse = [Stretch::Steady { windows: on, keys: floor(3000.0 / on) }, Stretch::Idle(off)];
        let stream = arrivals(&pulse.repeat(index(floor(8.0 / (on + off)).max(2))));
        let worst: Vec<(String, Worst)> =
            shapes().iter().map(|options| (name(options), play(options, &stream, u64::MAX))).collect();
        let memory = worst.iter().map(|(_, worst)| worst.memory.max(worst.start)).fold(0.0, f64::max);
        let error = worst.iter().map(|(_, worst)| worst.error).fold(0.0, f64::max);
        println!(
            "3,000 keys in {on} windows, then {off} of nothing: memory {memory:.2} needs, error {error:.2} targets"
        );
        if memory > bound || error > 2.0 {
            failed.push(format!("on {on} off {off}: memory {memory:.2} of {bound}, error {error:.2} of 2"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
