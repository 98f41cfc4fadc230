//! The first promise: no key stored within T is ever called new.
//!
//! Default run: over a million checks in seconds. `LATELY_LONG=1 cargo test --test suite window::` makes over 50 million.

use crate::common;

use common::rng::Rng;
use common::streams::{Wild, steady};
use common::trial::Trial;
use common::{SECOND, build, finds, insert, long_or, manual, observe};
use lately::{Filter, OnLimit, Options, Repeat, Verdict};

/// Plays a wild stream until `checks` promises have been held.
fn hold(options: &Options, window: u64, repeat: Repeat, seed: u64, checks: u64) -> Trial {
    let mut trial = Trial::new(options, window, repeat, seed);
    let mut stream = Wild::new(seed, window);
    while trial.checks < checks * long_or(60) {
        trial.arrive(stream.next().expect("an endless stream"));
    }
    trial
}

const WINDOW: u64 = 60 * SECOND;

#[test]
fn planned_shapes_keep_the_window() {
    for (i, rate) in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5].into_iter().enumerate() {
        let seed = common::num::wide(i);
        hold(&manual(WINDOW).error_rate(rate), WINDOW, Repeat::Refresh, 100 + seed, 60_000);
        hold(&manual(WINDOW).error_rate(rate), WINDOW, Repeat::KeepFirst, 200 + seed, 60_000);
    }
}

#[test]
fn given_shapes_keep_the_window() {
    let shapes = [(1, 1, 0.5), (1, 30, 0.3), (2, 1, 0.9), (4, 3, 0.5), (8, 56, 0.5), (10, 22, 0.395), (30, 1, 0.5)];
    for (seed, (k, l, fill)) in (300..).zip(shapes) {
        for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
            hold(&manual(WINDOW).k(k).l(l).fill(fill), WINDOW, repeat, seed, 30_000);
        }
    }
}

#[test]
fn any_capacity_keeps_the_window() {
    for (seed, capacity) in (400..).zip([1, 7, 1000, 100_000]) {
        hold(&manual(WINDOW).capacity(capacity), WINDOW, Repeat::Refresh, seed, 30_000);
    }
}

#[test]
fn windows_of_a_few_ticks_are_kept() {
    for (seed, window) in (500..).zip([1, 2, 7, 21, 22, 23, 1000]) {
        hold(&manual(window), window, Repeat::Refresh, seed, 10_000);
        hold(&manual(window), window, Repeat::KeepFirst, seed, 10_000);
    }
}

#[test]
fn raising_the_error_rate_keeps_the_window() {
    for (seed, memory) in (600..).zip([256, 1000, 4096, 65_536]) {
        for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
            let options = manual(WINDOW).memory(memory).on_limit(OnLimit::RaiseErrorRate);
            let trial = hold(&options, WINDOW, repeat, seed, 20_000);
            let stats = trial.filter.stats();
            assert!(stats.bytes_peak <= memory, "{} bytes of {memory}", stats.bytes_peak);
            assert_eq!(stats.reach_ns, WINDOW);
        }
    }
}

/// Under `ForgetOldest` the promise is what `stats` says, at every moment: ages below `reach_ns` once anything was
/// forgotten before its time.
#[test]
fn forgetting_keeps_what_stats_promises() {
    let mut checks = 0;
    for (seed, memory) in (700..).zip([256, 1000, 4096, 65_536]) {
        for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
            checks += forgetful(memory, repeat, seed, 20_000 * long_or(60));
        }
    }
    assert!(checks > 50_000, "only {checks} checks");
}

/// A steady stream that needs twice the memory: the window shortens to something worth having, and says so.
#[test]
fn half_the_memory_keeps_a_fair_share_of_the_window() {
    let need = Filter::plan(&manual(WINDOW).capacity(20_000)).expect("a plan").bytes;
    let mut filter = build(&manual(WINDOW).memory(need / 2));
    let mut least = u64::MAX;
    for arrival in steady(0, WINDOW, 20_000).take(100_000) {
        observe(&mut filter, arrival.key, arrival.tick);
        if arrival.key > 20_000 {
            least = least.min(filter.stats().reach_ns);
        }
    }
    assert!(filter.stats().forgotten > 0, "half the memory was enough");
    assert!(least > WINDOW / 4, "the window shrinks to {least} of {WINDOW} ns");
}

fn forgetful(memory: u64, repeat: Repeat, seed: u64, arrivals: u64) -> u64 {
    let mut filter = build(&manual(WINDOW).error_rate(1e-3).memory(memory).repeat(repeat));
    let mut oracle = common::oracle::Oracle::new(WINDOW, repeat);
    let (mut rng, mut recent, mut checks, mut shortened) = (Rng(seed), Vec::new(), 0, 0);
    for arrival in Wild::new(seed, WINDOW).take(common::num::index(arrivals)) {
        let now = oracle.tick(arrival.tick);
        filter.advance(lately::Tick(arrival.tick)).expect("a manual clock");
        let must = oracle.holds_by(&filter.stats(), arrival.key, now);
        let verdict = observe(&mut filter, arrival.key, arrival.tick);
        assert!(!must || verdict == Verdict::Duplicate, "{} is new within the promised reach", arrival.key);
        if oracle.observed(arrival.key, verdict) {
            recent.push(arrival.key);
        }
        let stats = filter.stats();
        assert!(stats.bytes <= stats.bytes_peak && stats.bytes_peak <= memory);
        for _ in 0..2 {
            let newest = recent.len() - common::num::index(rng.below(common::num::wide(recent.len().min(5000))));
            let key = recent[newest - 1];
            if oracle.holds_by(&stats, key, now) {
                assert!(finds(&filter, key, now), "{key} is missed within the promised reach {}", stats.reach_ns);
                checks += 1;
            }
        }
        shortened += u64::from(stats.reach_ns < WINDOW);
    }
    assert!(checks > 0 && (shortened > 0 || memory > 60_000), "{checks} checks, {shortened} shortened");
    checks
}

/// At the edge by hand: age T is inside, and the verdict there is that of `contains`.
#[test]
fn age_exactly_t_is_inside() {
    for window in [1, 5, 1000, WINDOW] {
        for start in [0, 1, window - 1, window, 7 * window + 3] {
            let mut filter = build(&manual(window));
            insert(&mut filter, 1, start);
            assert!(finds(&filter, 1, start + window), "window {window}, start {start}");
            assert_eq!(observe(&mut filter.clone(), 1, start + window), Verdict::Duplicate);
            assert!(!finds(&filter, 1, start + window + 1), "a lone key leaves with its last stamp");
            assert_eq!(observe(&mut filter, 1, start + window + 1), Verdict::New);
        }
    }
}

/// Keys of one tick, far more than the filter was built for, and all of them at the edge.
#[test]
fn flood_at_one_tick_keeps_the_window() {
    let mut filter = build(&manual(WINDOW).capacity(10));
    for key in 0..20_000 {
        insert(&mut filter, key, 5);
    }
    assert!((0..20_000).all(|key| finds(&filter, key, 5 + WINDOW)));
}
