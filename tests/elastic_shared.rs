//! A shared window that is divided among its locks: nothing is missed, nothing dead comes back, and the parts together keep to
//! the error and to `memory`.
//!
//! `LATELY_LONG=1` runs windows of 1,000,000 keys, where the short form runs 40,000 and 100,000.

mod common;

#[path = "elastic/crew.rs"]
mod crew;

use common::num::{self, real};
use common::{divided, long_or, odds, rng};
use crew::{PHASES, Span, THREADS, run};
use lately::{Filter, SharedFilter, Tick};

/// Comparisons with an error rate in this file.
const COMPARISONS: u32 = 120;

fn build(span: Span, size: u64, error_rate: f64) -> SharedFilter {
    divided(common::build(&span.options(size, error_rate)))
}

/// A storm, silences and skew.
fn keeps_its_promises(span: Span, error_rate: f64) {
    let size = 40_000 * long_or(25);
    let report = run(&build(span, size, error_rate), span, size, &PHASES);
    let name = format!("divided, window of {span:?}, {error_rate:e}");
    println!("{name}: {}", report.line());
    assert_eq!(report.missed, 0, "{name}: nothing is missed");
    odds::expect_at_most(report.dead_found, real(report.dead) * error_rate, COMPARISONS, &format!("{name}: dead keys"));
    odds::expect_at_most(report.new_found, real(report.new) * error_rate, COMPARISONS, &format!("{name}: new keys"));
    assert!(report.worst_error() <= error_rate, "{name}: {:.3e} at worst", report.worst_error());
}

#[test]
fn a_divided_window_of_time_keeps_its_promises() {
    keeps_its_promises(Span::Time, 1e-3);
}

#[test]
fn a_divided_window_of_time_keeps_its_promises_at_1e_6() {
    keeps_its_promises(Span::Time, 1e-6);
}

#[test]
fn a_divided_window_of_keys_keeps_its_promises() {
    keeps_its_promises(Span::Keys, 1e-3);
}

#[test]
fn a_divided_window_of_keys_keeps_its_promises_at_1e_6() {
    keeps_its_promises(Span::Keys, 1e-6);
}

/// Half of what the traffic needs.
#[test]
fn the_parts_together_stay_within_memory() {
    for error_rate in [1e-3, 1e-6] {
        let size = 40_000 * long_or(25);
        let options = Span::Time.options(size, error_rate);
        let memory = Filter::plan(&options.clone().capacity(size)).expect("a plan").bytes / 2;
        let filter = divided(common::build(&options.memory(memory)));
        let report = run(&filter, Span::Time, size, &PHASES);
        println!("divided, {memory} bytes, {error_rate:e}: {}", report.line());
        assert!(report.most_bytes() <= memory, "{} bytes of {memory}", report.most_bytes());
        assert!(report.worst_error() <= error_rate, "{:.3e} at worst", report.worst_error());
    }
}

/// Four threads fill a window.
fn fill(filter: &SharedFilter, span: Span, keys: u64) {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                (0..keys / THREADS).for_each(|i| see(filter, span, i * THREADS + thread, i * THREADS));
            });
        }
    });
}

/// Ticks of one sighting of the fill: 1,000,000 in a window of 600 s and a little.
const STEP: u64 = 600_000;

fn see(filter: &SharedFilter, span: Span, key: u64, tick: u64) {
    match span {
        Span::Time => filter.observe_at(key.to_le_bytes(), Tick(tick * STEP)),
        Span::Keys => filter.observe(key.to_le_bytes()),
    }
    .expect("a verdict");
}

/// Then one key is asked for again and again, each `step` sightings or their time: a lock that no key comes to is not left
/// behind until its epochs wrap, after 18 windows and more. Fewer keys would all be met by sweeps.
fn the_dead_stay_dead(span: Span, step: u64) {
    const ASKED: u64 = 20_000;
    const KEYS: u64 = 1_000_000;
    const QUARTER: u64 = KEYS / 4;
    let filter = build(span, KEYS, 1e-3);
    fill(&filter, span, KEYS);
    let mut worst = (0, 0.0);
    for quarter in 1..=80 {
        let start = KEYS + (quarter - 1) * QUARTER;
        (start..start + QUARTER).step_by(num::index(step)).for_each(|tick| see(&filter, span, u64::MAX, tick));
        let is_found = |key: &u64| filter.contains((key * (KEYS / ASKED)).to_le_bytes()).is_duplicate();
        let (hits, windows) = (num::wide((0..ASKED).filter(is_found).count()), real(quarter) / 4.0);
        if quarter > 5 && hits > worst.0 {
            println!("window of {span:?}, {windows:4.2} windows later: {hits} of {ASKED} dead keys found");
            worst = (hits, windows);
        }
    }
    let (hits, windows) = worst;
    odds::expect_at_most(hits, real(ASKED) * 1e-3, COMPARISONS, &format!("{windows} windows later"));
}

#[test]
fn dead_keys_stay_dead_while_one_key_is_asked_for() {
    the_dead_stay_dead(Span::Keys, 1);
}

#[test]
fn dead_keys_stay_dead_while_one_key_is_asked_for_in_time() {
    the_dead_stay_dead(Span::Time, 1);
}

/// Once in a hundredth of a window.
#[test]
fn dead_keys_stay_dead_while_one_key_is_rarely_asked_for() {
    the_dead_stay_dead(Span::Time, 10_000);
}
