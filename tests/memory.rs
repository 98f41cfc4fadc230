//! When there is no memory: a program of its own, whose allocator fails on demand.

mod common;

use std::cell::Cell;

use common::alloc::{Watched, counts, refuse};
use common::kinds::{self, Finds, Row};
use common::num::index;
use common::oracle::Oracle;
use common::rng::Rng;
use common::streams::{Wild, steady};
use common::{SECOND, build, finds, insert, manual, observe};
use lately::{Code, Filter, OnLimit, Options, Repeat, SharedFilter, Tick, Variant, Verdict};

/// What this thread's requests for memory meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weather {
    Fair,
    /// Zeroed memory, which is what bit arrays are made of, cannot be had.
    NoArrays,
    /// One in two requests for zeroed memory fails.
    Gusts(u64),
    /// Nothing of half a KiB or more can be had, for whatever purpose.
    Crumbs,
}

thread_local! {
    static WEATHER: Cell<Weather> = const { Cell::new(Weather::Fair) };
}

/// Whether a request is to fail now.
fn fails(size: usize, zeroed: bool) -> bool {
    match WEATHER.get() {
        Weather::Fair => false,
        Weather::NoArrays => zeroed,
        Weather::Crumbs => size >= 512,
        Weather::Gusts(state) => {
            let mut rng = Rng(state);
            let fails = zeroed && rng.once_in(2);
            WEATHER.set(if zeroed { Weather::Gusts(rng.0) } else { Weather::Gusts(state) });
            fails
        }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Runs `body` in this weather; fair weather again afterwards.
fn under<T>(weather: Weather, body: impl FnOnce() -> T) -> T {
    WEATHER.set(weather);
    refuse(fails);
    let result = body();
    WEATHER.set(Weather::Fair);
    result
}

const WINDOW: u64 = 60 * SECOND;

/// A filter with two windows of a steady stream behind it, and the number of keys it saw.
fn lived(options: &Options) -> (Filter, u64) {
    let mut filter = build(options);
    for arrival in steady(0, WINDOW, 3000).take(6000) {
        observe(&mut filter, arrival.key, arrival.tick);
    }
    (filter, 6000)
}

#[test]
fn stats_count_the_arrays() {
    for options in [manual(WINDOW), manual(WINDOW).capacity(12_345), manual(WINDOW).memory(100_000).capacity(1 << 20)] {
        let before = counts().zeroed;
        let filter = build(&options);
        assert_eq!(filter.stats().bytes, counts().zeroed - before, "{options:?}");
    }
}

/// Requests of every kind, and those whose locks have most to count.
fn of_every_kind() -> Vec<Options> {
    let mut all = vec![
        manual(WINDOW).error_rate(1e-1),
        manual(WINDOW),
        manual(WINDOW).error_rate(1e-9).max_slices(1024),
        Options::quotient(10_000).variant(Variant::Qht),
        Options::quotient(10_000).k(8),
        Options::quotient(100_000).k(200).fingerprint_bits(8),
    ];
    let plans = |row: &Row| [row.for_keys(10_000), row.for_keys(10_000).error_rate(1e-9)];
    let planned = |row: &&Row| row.finds != Finds::Nothing;
    all.extend(kinds::rows().iter().filter(planned).flat_map(plans));
    all
}

/// What docs/reference/costs.md says that 64 locks weigh. They are made when threads first wait for each other.
#[test]
fn locks_take_the_bytes_of_the_page() {
    for options in of_every_kind() {
        let filter = build(&options);
        let before = counts().held();
        let shared = SharedFilter::of(filter).expect("memory for one lock");
        let one = counts().held() - before;
        assert!(one <= ONE_LOCK_WEIGHS, "{options:?}: {one} bytes for one lock");
        lately::abi::divide(&shared);
        let locks = counts().held() - before;
        // One of the 64 is in the handle itself.
        assert!((63 * 128..=LOCKS_WEIGH).contains(&locks), "{options:?}: {locks} bytes");
        drop(shared);
    }
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/costs.md")).expect("the page");
    assert!(page.contains(&format!("at most {} KiB for 64 locks", LOCKS_WEIGH >> 10)), "docs/reference/costs.md");
}

const LOCKS_WEIGH: u64 = 128 << 10;

/// One lock, with what a row of 200 cells needs to be searched.
const ONE_LOCK_WEIGHS: u64 = 4 << 10;

/// Without memory for the other locks a filter stays under its one, and lives on.
#[test]
fn a_shared_filter_without_memory_for_locks_stays_under_one() {
    for options in of_every_kind() {
        let shared = SharedFilter::of(common::started(&options)).expect("memory for one lock");
        let before = counts().held();
        under(Weather::Crumbs, || lately::abi::divide(&shared));
        assert_eq!(counts().held(), before, "{options:?}: it keeps what it cannot use");
        assert!(shared.observe(b"lives on").is_ok_and(Verdict::is_new));
        let copied = under(Weather::NoArrays, || shared.unshared().map(|_| ()));
        assert_eq!(copied.expect_err("no memory").code(), Code::NoMemory, "{options:?}");
        lately::abi::divide(&shared);
        assert!(counts().held() >= before + 63 * 128, "{options:?}: it is not divided once there is memory");
        assert!(shared.observe(b"lives on").is_ok_and(Verdict::is_duplicate));
    }
}

/// No memory for a whole window and more: the oldest go, `stats` says how far back the promise still reaches.
#[test]
fn without_memory_the_oldest_are_forgotten() {
    let (mut filter, first) = lived(&manual(WINDOW));
    let mut checks = 0;
    for arrival in steady(0, WINDOW, 3000).take(14_000).skip(index(first)) {
        under(Weather::NoArrays, || observe(&mut filter, arrival.key, arrival.tick));
        let reach = filter.stats().reach_ns;
        if arrival.key % 20 == 0 && reach > 0 {
            for back in (0..3000).take_while(|back| back * (WINDOW / 3000) < reach) {
                assert!(finds(&filter, arrival.key - back, arrival.tick), "{back} keys back, reach {reach}");
                checks += 1;
            }
        }
    }
    let stats = filter.stats();
    assert!(stats.forgotten > 0 && stats.reach_ns < WINDOW && checks > 1000, "{checks} checks, {stats:?}");
    recovers(filter, 14_000);
}

/// No memory, and the window must hold: shifts are put off, the error rate rises, `stats` says so.
#[test]
fn without_memory_the_error_rate_rises() {
    let (mut filter, first) = lived(&manual(WINDOW).on_limit(OnLimit::RaiseErrorRate));
    let before = filter.stats();
    for arrival in steady(0, WINDOW, 3000).take(12_000).skip(index(first)) {
        under(Weather::NoArrays, || observe(&mut filter, arrival.key, arrival.tick));
        if arrival.key % 20 == 0 {
            assert!((arrival.key - 2999..=arrival.key).all(|key| finds(&filter, key, arrival.tick)));
        }
    }
    let stats = filter.stats();
    assert!(stats.deferred > 0 && stats.forgotten == 0 && stats.reach_ns == WINDOW, "{stats:?}");
    assert!(stats.error_rate > 2.0 * before.error_rate, "{} after {}", stats.error_rate, before.error_rate);
    recovers(filter, 12_000);
}

/// With memory again, all promises hold again: the window, the error rate, the size.
fn recovers(mut filter: Filter, first: u64) {
    for arrival in steady(0, WINDOW, 3000).take(index(first + 12_000)).skip(index(first)) {
        observe(&mut filter, arrival.key, arrival.tick);
    }
    let stats = filter.stats();
    let last = first + 11_999;
    assert!((last - 2999..=last).all(|key| finds(&filter, key, stats.clock.0)));
    assert!(stats.reach_ns == WINDOW && stats.error_rate <= 1e-6, "{stats:?}");
    let need = Filter::plan(&manual(WINDOW).capacity(3000)).expect("a plan").bytes;
    assert!(stats.bytes <= need * 3 / 2, "{} bytes of {need}", stats.bytes);
}

/// Memory that comes and goes on a wild stream, under both policies and with every k from the least.
#[test]
fn memory_that_comes_and_goes() {
    let shapes = [manual(WINDOW), manual(WINDOW).k(1).l(1).fill(0.5), manual(WINDOW).k(1).l(20).fill(0.2)];
    for (seed, options) in (1..).zip(&shapes) {
        for on_limit in [OnLimit::ForgetOldest, OnLimit::RaiseErrorRate] {
            let checks = gusty(&options.clone().on_limit(on_limit), seed);
            assert!(checks > 500, "{options:?} {on_limit:?}: only {checks} checks");
        }
    }
}

fn gusty(options: &Options, seed: u64) -> u64 {
    let (mut filter, mut oracle, mut rng) = (build(options), Oracle::new(WINDOW, Repeat::Refresh), Rng(seed));
    let (mut recent, mut checks, mut weather) = (Vec::new(), 0, Weather::Gusts(seed));
    for (i, arrival) in (0..).zip(Wild::new(seed, WINDOW).take(20_000)) {
        if i % 500 == 0 {
            weather = rng.pick(&[Weather::Fair, Weather::NoArrays, Weather::Gusts(seed ^ i)]);
        }
        let now = oracle.tick(arrival.tick);
        under(weather, || filter.advance(Tick(arrival.tick))).expect("manual");
        let before = filter.stats();
        let must = oracle.holds_by(&before, arrival.key, now);
        let verdict = under(weather, || observe(&mut filter, arrival.key, arrival.tick));
        assert!(
            !must || verdict == Verdict::Duplicate,
            "{options:?}: {arrival:?} of {:?} is new, {before:?}",
            oracle.since(arrival.key)
        );
        oracle.observed(arrival.key, verdict);
        recent.push(arrival.key);
        let (key, stats) =
            (recent[recent.len() - 1 - index(rng.below(common::num::wide(recent.len().min(2000))))], filter.stats());
        if oracle.holds_by(&stats, key, now) {
            assert!(finds(&filter, key, now), "{options:?}: {key} is missed, {stats:?}");
            checks += 1;
        }
    }
    checks
}

/// A burst makes hundreds of slices while nothing of half a KiB can be had, not even for the list of slices: they
/// count as not to be had, and the process lives.
#[test]
fn crumbs_of_memory_and_no_abort() {
    for on_limit in [OnLimit::ForgetOldest, OnLimit::RaiseErrorRate] {
        let mut filter = build(&manual(WINDOW).on_limit(on_limit));
        let stream: Vec<_> = steady(0, WINDOW, 1_000_000).take(50_000).collect();
        let copied = under(Weather::Crumbs, || {
            for arrival in &stream {
                insert(&mut filter, arrival.key, arrival.tick);
            }
            filter.try_clone().map(|_| ())
        });
        assert_eq!(copied.expect_err("no memory").code(), Code::NoMemory);
        let stats = filter.stats();
        let kept = (0..50_000).all(|key| finds(&filter, key, stats.clock.0));
        match on_limit {
            OnLimit::ForgetOldest => assert!(stats.forgotten > 0 && stats.reach_ns < WINDOW, "{stats:?}"),
            OnLimit::RaiseErrorRate => assert!(stats.deferred > 0 && kept, "{stats:?}"),
        }
    }
}

/// Keys that come again and again at one tick are refreshed where they are: a window of few ticks takes no more memory for them.
#[test]
fn keys_that_recur_at_one_tick_cost_no_memory() {
    for window in [1, 7, 10, 16, 24, 100] {
        for capacity in [None, Some(448)] {
            let options = manual(window);
            let mut filter = build(&capacity.map_or(options.clone(), |keys| options.capacity(keys)));
            let mut after = |rounds: u64| {
                for key in (0..rounds).flat_map(|_| 0..400) {
                    observe(&mut filter, key, 1000);
                }
                filter.stats().bytes
            };
            let (early, late) = (after(100), after(300));
            assert_eq!(early, late, "a window of {window} ticks, capacity {capacity:?}");
        }
    }
}
