//! A shared window that is divided among its locks: nothing is missed, nothing dead comes back, and the parts together keep to
//! the error and to `memory`.
//!
//! `LATELY_LONG=1` runs windows of 1,000,000 keys, where the short form runs 40,000 and 100,000.

use crate::common;

#[path = "elastic/crew.rs"]
mod crew;

use std::sync::LazyLock;

use common::num::{self, real};
use common::{divided, long_or, odds, rng};
use crew::{PHASES, SLICES, Span, THREADS, TICKS, run};
use lately::{Filter, SharedFilter, Tick};

/// Comparisons with an error rate in this file.
const COMPARISONS: u32 = 120;

fn build(span: Span, size: u64, error_rate: f64) -> SharedFilter {
    divided(common::build(&span.options(size, error_rate)))
}

/// A storm, silences and skew.
fn keeps_its_promises(span: Span) {
    for error_rate in [1e-3, 1e-6] {
        let size = 40_000 * long_or(25);
        let report = run(&build(span, size, error_rate), span, size, &PHASES);
        let name = format!("divided, window of {span:?}, {error_rate:e}");
        println!("{name}: {}", report.line());
        assert_eq!(report.missed, 0, "{name}: nothing is missed");
        let most = |keys: u64| real(keys) * error_rate;
        odds::expect_at_most(report.dead_found, most(report.dead), COMPARISONS, &format!("{name}: dead keys"));
        odds::expect_at_most(report.new_found, most(report.new), COMPARISONS, &format!("{name}: new keys"));
        assert!(report.worst_error() <= error_rate, "{name}: {:.3e} at worst", report.worst_error());
    }
}

#[test]
fn a_divided_window_of_time_keeps_its_promises() {
    keeps_its_promises(Span::Time);
}

#[test]
fn a_divided_window_of_keys_keeps_its_promises() {
    keeps_its_promises(Span::Keys);
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
                for i in 0..keys / THREADS {
                    see(filter, span, i * THREADS + thread, i * THREADS);
                }
            });
        }
    });
}

/// Keys of the fill, as many as come in a window.
static KEYS: LazyLock<u64> = LazyLock::new(|| 200_000 * long_or(5));

/// Ticks of one sighting of the fill.
fn step() -> u64 {
    SLICES * TICKS / *KEYS
}

fn see(filter: &SharedFilter, span: Span, key: u64, sighting: u64) -> bool {
    match span {
        Span::Time => filter.observe_at(key.to_le_bytes(), Tick(sighting * step())),
        Span::Keys => filter.observe(key.to_le_bytes()),
    }
    .expect("a verdict")
    .is_duplicate()
}

/// Dead keys that are asked for at once.
const ASKED: u64 = 20_000;

fn dead_keys() -> impl Iterator<Item = u64> {
    (0..ASKED).map(|key| key * (*KEYS / ASKED))
}

/// Then one key is asked for again and again, each `gap` sightings or their time: a lock that no key comes to is not left behind
/// until its tags mean the present again, after 8 generations and each 8 more. In the end the dead are observed, and come back no more for that.
fn the_dead_stay_dead(span: Span, gap: u64) {
    let (keys, quarter) = (*KEYS, *KEYS / 4);
    let filter = build(span, keys, 1e-3);
    fill(&filter, span, keys);
    let is_found = |key: &u64| filter.contains(key.to_le_bytes()).is_duplicate();
    let mut worst = (0, 0.0);
    for i in 0..80 {
        let start = keys + i * quarter;
        (start..start + quarter).step_by(num::index(gap)).for_each(|at| {
            see(&filter, span, u64::MAX, at);
        });
        let (hits, windows) = (num::wide(dead_keys().filter(is_found).count()), real(i + 1) / 4.0);
        if i >= 5 && hits > worst.0 {
            println!("window of {span:?}, {windows:4.2} windows later: {hits} of {ASKED} dead keys found");
            worst = (hits, windows);
        }
    }
    let (hits, windows) = worst;
    odds::expect_at_most(hits, real(ASKED) * 1e-3, COMPARISONS, &format!("{windows} windows later"));
    let again = num::wide(dead_keys().filter(|key| see(&filter, span, *key, 21 * keys)).count());
    odds::expect_at_most(again, real(ASKED) * 1e-3, COMPARISONS, "observed in the end");
}

/// At each sighting, or once in a hundredth of a window.
#[test]
fn dead_keys_stay_dead_while_one_key_is_asked_for() {
    the_dead_stay_dead(Span::Keys, 1);
    the_dead_stay_dead(Span::Time, 1);
    the_dead_stay_dead(Span::Time, *KEYS / 100);
}
