//! A window of time at its limit of memory: the planned bytes are enough, half of them forget the old and not the young, and
//! the reach comes back.
//!
//! The check runs four windows of 20,000 keys, `LATELY_WHOLE=1` four of 100,000, `LATELY_LONG=1` thirty of these.

use crate::common;

use crate::elastic::judge::{Report, Run, Span, judge};
use crate::elastic::limited::{planned, settled};
use crate::elastic::{stream, traffics};

use common::num::{self, floor, real};
use common::{long_or, stride};
use lately::{Filter, Options};
use stream::{Keys, Stream, Traffic};

const RATES: [f64; 2] = [1e-3, 1e-6];

/// Live keys of the window: 100,000, and a fifth of that in the check.
fn live_keys() -> u64 {
    100_000 / num::wide(stride())
}

/// At half of the settled bytes, in windows: the least reach by `stats`, and the least median of what goes.
const REACH_OF_HALF: f64 = 0.38;
const VICTIM_OF_HALF: f64 = 0.5;

/// The least reach when a cycle of keys does not fit, as a part of the cycle.
const REACH_OF_CYCLE: f64 = 1.0 / 3.0;

/// When the reach is whole again after a load falls: a window, and a generation, to which the reach is exact.
const RECOVERED: f64 = 8.0 / 7.0;

fn steady(windows: f64) -> Traffic {
    Traffic { windows, ..traffics::named("steady from nothing") }
}

/// Every key of the cycle so often a window.
fn cycle(share: f64, windows: f64) -> Traffic {
    Traffic { keys: Keys::Cycle(share), ..steady(windows) }
}

/// Runs it, prints it, and checks what is true of every limit.
fn limited(name: &str, error_rate: f64, memory: u64, stream: (Traffic, u64, f64)) -> Report {
    limited_on(false, name, error_rate, memory, stream)
}

/// The same on a filter that is divided, or not.
fn limited_on(
    is_divided: bool,
    name: &str,
    error_rate: f64,
    memory: u64,
    (traffic, size, repeats): (Traffic, u64, f64),
) -> Report {
    let span = Span::Time;
    let report = judge(Run { traffic, span, size, repeats, error_rate, is_divided, memory: Some(memory) });
    println!("{name}, {memory} bytes: {}", report.line());
    assert!(report.most_bytes() <= memory, "{name}: {} bytes of {memory}", report.most_bytes());
    assert_eq!(report.limited.broken, 0, "{name}: keys within the reach of stats are found");
    report
}

fn expect_whole(name: &str, report: &Report, error_rate: f64) {
    assert_eq!(report.missed.hits, 0, "{name}: nothing is forgotten");
    assert!(report.least_reach(1.0) >= 1.0, "{name}: the reach is whole from the first window on");
    assert!(report.worst_error() <= error_rate, "{name}: {:.2e} of {error_rate:e}", report.worst_error());
}

/// Keys that are each seen once a minute, in a window of ten minutes.
fn once_a_minute(memory: u64, error_rate: f64) {
    let name = format!("each key once a minute, {error_rate:e}");
    let traffic = cycle(0.1, real(4 * long_or(7) + 2 * (long_or(2) - 1)));
    let report = limited(&name, error_rate, memory, (traffic, 10 * live_keys(), 0.0));
    expect_whole(&name, &report, error_rate);
}

/// Into the planned bytes, and into twice and three times what they need.
#[test]
fn keys_that_come_each_minute_fit_into_the_planned_bytes() {
    for error_rate in RATES {
        once_a_minute(planned(live_keys(), error_rate), error_rate);
    }
    for kib in [600, 900] {
        once_a_minute((kib << 10) / num::wide(stride()), 1e-3);
    }
}

/// The most keys that are live at once in a steady stream.
fn live(size: u64, repeats: f64) -> u64 {
    let mut seen = hashbrown::HashSet::new();
    let window = Stream::new(steady(3.0), size, repeats).filter(|sighting| sighting.at >= 2.0);
    window.for_each(|sighting| {
        seen.insert(sighting.key);
    });
    num::wide(seen.len())
}

/// New keys, and half repeats.
fn planned_is_enough(error_rate: f64, repeats: f64) {
    let name = format!("steady, {repeats:.1} repeats, {error_rate:e}");
    let memory = planned(live(live_keys(), repeats) * 101 / 100, error_rate);
    let report = limited(&name, error_rate, memory, (steady(real(5 * long_or(6))), live_keys(), repeats));
    expect_whole(&name, &report, error_rate);
}

#[test]
fn new_keys_fit_into_the_planned_bytes() {
    RATES.into_iter().for_each(|error_rate| planned_is_enough(error_rate, 0.0));
}

#[test]
fn half_repeats_fit_into_the_planned_bytes() {
    RATES.into_iter().for_each(|error_rate| planned_is_enough(error_rate, 0.5));
}

/// Each of the eight sections of a divided filter has an eighth of the memory, and by chance a little more than an eighth of the
/// keys: with room for three deviations the planned bytes are enough there, too.
#[test]
fn new_keys_fit_into_the_planned_bytes_of_a_divided_filter() {
    for error_rate in RATES {
        let name = format!("divided, steady, {error_rate:e}");
        let memory = planned(live_keys() + floor(3.0 * real(8 * live_keys()).sqrt()), error_rate);
        let report = limited_on(true, &name, error_rate, memory, (steady(4.0), live_keys(), 0.0));
        expect_whole(&name, &report, error_rate);
    }
}

/// Half of the settled bytes: the oldest go, and `stats` says how young those were.
fn half_of_the_bytes(error_rate: f64) {
    let name = format!("half of the settled bytes, {error_rate:e}");
    let memory = settled(live_keys(), error_rate) / 2;
    let report = limited(&name, error_rate, memory, (steady(real(6 * long_or(3))), live_keys(), 0.0));
    let (reach, victim) = (report.least_reach(2.0), report.limited.median_victim());
    assert!(report.worst_error() <= error_rate, "{name}: {:.2e} of {error_rate:e}", report.worst_error());
    assert!(reach >= REACH_OF_HALF, "{name}: a reach of {reach:.3}, not {REACH_OF_HALF}");
    assert!(victim >= VICTIM_OF_HALF, "{name}: a median victim of {victim:.3}, not {VICTIM_OF_HALF}");
}

/// `stats` report the age of the youngest key that had to go, to a generation: as far back as all are found, and no less far.
#[test]
fn reach_is_exact_to_a_generation() {
    const SIZE: u64 = 10_000;
    for is_divided in [false, true] {
        // With a fifth of repeats hardly a key has to go in 8 tenths: a table under a small limit has no line that is not needed.
        for share in [3, 5, 7] {
            let name = format!("{share} tenths of the bytes, divided: {is_divided}");
            let memory = settled(SIZE, 1e-6) * share / 10;
            let report = limited_on(is_divided, &name, 1e-6, memory, (steady(6.0), SIZE, 0.2));
            assert!(report.limited.reaches > 60, "{name}: keys had to go at {} moments", report.limited.reaches);
            assert!(
                report.limited.beyond_reach <= 1.0 / 7.0,
                "{name}: gone since {:.3} windows",
                report.limited.beyond_reach
            );
        }
    }
}

#[test]
fn half_of_the_bytes_reach_far() {
    RATES.into_iter().for_each(half_of_the_bytes);
}

/// Keys in the same order again and again, more than fit: the worst case of forgetting the oldest.
#[test]
fn a_cycle_that_does_not_fit_keeps_a_third_of_itself() {
    let mut failed = Vec::new();
    for error_rate in RATES {
        for share in [0.8, 1.0] {
            let name = format!("a cycle of {share} windows, {error_rate:e}");
            let memory = settled(floor(real(live_keys()) * share), error_rate) / 2;
            let report = limited(&name, error_rate, memory, (cycle(share, real(5 * long_or(3))), live_keys(), 0.0));
            let (reach, least) = (report.least_reach(2.0), REACH_OF_CYCLE * share);
            if reach < least {
                failed.push(format!("{name}: a reach of {reach:.3}, not {least:.3}"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Twice what fits for three windows, then nine tenths of it.
#[test]
fn the_reach_recovers_within_a_window() {
    let mut failed = Vec::new();
    for error_rate in RATES {
        let name = format!("twice the load, then 0.9, {error_rate:e}");
        let traffic = Traffic { rate: |at| if at < 3.0 { 2.0 } else { 0.9 }, ..steady(7.0) };
        let report = limited(&name, error_rate, planned(live_keys(), error_rate), (traffic, live_keys(), 0.0));
        let reach = report.least_reach(3.0 + RECOVERED);
        if reach < 1.0 {
            failed.push(format!("{name}: a reach of {reach:.3}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Every traffic in half of what a steady one needs: memory, the error and the word of `stats` hold. The check runs each at one of the rates.
#[test]
fn memory_limit_is_kept_in_every_traffic() {
    const SIZE: u64 = 10_000;
    let mut failed = Vec::new();
    for (i, traffic) in traffics::TRAFFICS.into_iter().enumerate() {
        for error_rate in RATES.into_iter().skip(i % stride().min(2)).step_by(stride().min(2)) {
            let name = format!("{}, {error_rate:e}", traffic.name);
            let memory = planned(SIZE, error_rate) / 2;
            let report = limited(&name, error_rate, memory, (traffic, SIZE, 0.3));
            if report.worst_error() > error_rate {
                failed.push(format!("{name}: error {:.2e}", report.worst_error()));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// With the least memory that is accepted no key of a window of keys goes before its time: of a map, and of a table.
#[test]
fn window_of_keys_is_whole_in_the_least_memory_that_is_accepted() {
    for keys in [1000, 3000] {
        let last = |seed| Options::last(keys).error_rate(1e-6).seed(seed);
        let error = Filter::plan(&last(0).memory(1024)).expect_err("too little").to_string();
        let words = error.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse::<u64>().ok());
        let least = words.max().expect("the least memory in the message");
        for seed in 0..20 {
            let mut filter = Filter::new(&last(seed).memory(least)).expect("the least memory is enough");
            for key in 0..5 * keys {
                filter.observe(key.to_le_bytes()).expect("a verdict");
                let oldest = key.saturating_sub(keys - 1).to_le_bytes();
                assert!(filter.contains(oldest).is_duplicate(), "{keys} keys, seed {seed}: missed at key {key}");
            }
            let stats = filter.stats();
            assert!(stats.bytes_peak <= least && stats.forgotten == 0, "{keys} keys: {stats:?}");
        }
    }
}
