//! The verbs, the clock and the counters: what each call does, and that it does nothing else.

use crate::common;

use std::time::Duration;

use common::streams::{Wild, steady};
use common::{SECOND, build, finds, insert, manual, observe};
use lately::Verdict::{Duplicate, New};
use lately::{Clock, Code, Filter, KeyHash, Keys, Observe, Options, Repeat, SharedFilter, Tick, Verdict};

const WINDOW: u64 = 60 * SECOND;

/// A filter in the middle of its life.
fn lived(options: &Options) -> Filter {
    let mut filter = build(options);
    for arrival in Wild::new(5, WINDOW).take(20_000) {
        observe(&mut filter, arrival.key, arrival.tick);
    }
    filter
}

#[test]
fn insert_stores_and_is_no_verdict() {
    for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
        let mut filter = build(&manual(WINDOW).repeat(repeat));
        insert(&mut filter, 1, 0);
        insert(&mut filter, 1, WINDOW / 2);
        assert!(finds(&filter, 1, WINDOW / 2 + WINDOW), "{repeat:?}: an insertion renews the age");
        assert_eq!((filter.stats().new_count, filter.stats().duplicate_count), (0, 0));
    }
}

/// `contains` at a tick is the verdict that `observe` gives there, along a whole life.
#[test]
fn contains_predicts_observe() {
    let mut filter = build(&manual(WINDOW).error_rate(0.2));
    for arrival in Wild::new(8, WINDOW).take(20_000) {
        let told = finds(&filter, arrival.key, arrival.tick);
        assert_eq!(observe(&mut filter, arrival.key, arrival.tick).is_duplicate(), told, "{arrival:?}");
    }
}

/// Without ticks a batch is judged at the clock as it stands.
#[test]
fn batch_without_ticks_leaves_the_clock() {
    let mut filter = build(&manual(WINDOW));
    filter.advance(Tick(77)).expect("manual");
    let hashes: Vec<KeyHash> = (0..100).map(|key: u64| filter.hash(&key.to_le_bytes()).expect("unkeyed")).collect();
    let mut verdicts = vec![Duplicate; 100];
    filter.observe_batch(Keys::Hashes(&hashes), None, &mut verdicts).expect("a sound batch");
    assert!(verdicts.iter().all(|verdict| verdict.is_new()));
    assert_eq!(filter.stats().clock, Tick(77));
    assert!((0..100).all(|key| finds(&filter, key, 77 + WINDOW)));
}

#[test]
fn steps_that_are_too_long_are_refused() {
    let mut filter = build(&manual(WINDOW).max_step_ns(WINDOW));
    let far = 1_000_000 * WINDOW;
    assert_eq!(observe(&mut filter, 1, far), New, "the first tick is always taken");
    let before = filter.stats();
    let error = filter.observe_at(b"x", Tick(far + WINDOW + 1)).expect_err("too far");
    assert_eq!(error.code(), Code::Tick);
    assert!(error.to_string().contains(&(WINDOW + 1).to_string()) && error.to_string().contains(&WINDOW.to_string()));
    assert_eq!(filter.insert_at(b"x", Tick(u64::MAX)).expect_err("too far").code(), Code::Tick);
    assert_eq!(filter.contains_at(b"x", Tick(u64::MAX)).expect_err("too far").code(), Code::Tick);
    let mut expected = before;
    (expected.refused_ticks, expected.last_refused_tick) = (2, Tick(u64::MAX));
    assert_eq!(filter.stats(), expected);
    assert_eq!(observe(&mut filter, 2, far + WINDOW), New, "a step of exactly the limit is taken");
    filter.advance(Tick(2 * far)).expect("advance is never refused");
    assert_eq!(observe(&mut filter, 3, 2 * far), New);
    filter.clear();
    assert_eq!(observe(&mut filter, 4, far), New, "after clear the first tick is again the first");
}

/// With a manual clock the plain forms use the clock as it stands.
#[test]
fn calls_without_a_tick_use_the_current_clock() {
    let mut filter = build(&manual(WINDOW));
    let none = |error: lately::Error| error.code();
    assert_eq!(filter.observe(b"a").map_err(none), Err(Code::Clock));
    assert_eq!(filter.insert(b"a").map_err(none), Err(Code::Clock));
    assert_eq!(filter.contains(b"a"), New);
    filter.advance(Tick(0)).expect("manual");
    assert_eq!(filter.observe(b"a"), Ok(New));
    filter.advance(Tick(WINDOW)).expect("manual");
    assert_eq!((filter.observe(b"a"), filter.contains(b"a")), (Ok(Duplicate), Duplicate));
    filter.insert(b"b").expect("stored");
    assert_eq!(filter.contains_at(b"b", Tick(2 * WINDOW)), Ok(Duplicate));
}

/// Real time: found at once, gone when the window is long past, with no call in between.
#[test]
fn the_system_clock_runs() {
    let mut filter = build(&Options::time_limited(Duration::from_millis(80)).clock(Clock::System));
    assert_eq!(filter.observe(b"a"), Ok(New));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!((filter.contains(b"a"), filter.stats().items), (New, 0));
    assert!(filter.stats().clock >= Tick(300_000_000));
    assert_eq!(filter.observe(b"a"), Ok(New));
}

#[test]
fn counters_reset_and_the_rest_stays() {
    let mut filter = lived(&manual(WINDOW).max_step_ns(u64::MAX / 2));
    filter.observe_at(b"x", Tick(u64::MAX)).expect_err("too far");
    let before = filter.stats();
    assert!(
        before.new_count > 0 && before.duplicate_count > 0 && before.late_ticks > 0 && before.max_lateness_ns > 0,
        "{before:?}"
    );
    assert_eq!((before.refused_ticks, before.last_refused_tick), (1, Tick(u64::MAX)));
    assert_eq!(before.new_count + before.duplicate_count, 20_000);
    filter.stats_reset();
    let mut expected = before;
    (expected.new_count, expected.duplicate_count, expected.late_ticks, expected.refused_ticks) = (0, 0, 0, 0);
    (expected.max_lateness_ns, expected.last_refused_tick) = (0, Tick(0));
    assert_eq!(filter.stats(), expected);
}

/// Stats along a steady life: counted keys, slices, bytes, peak.
#[test]
fn stats_count_what_is_in_the_filter() {
    let mut filter = build(&manual(WINDOW).error_rate(1e-4));
    let plan = Filter::plan(&manual(WINDOW).error_rate(1e-4)).expect("a plan");
    let mut peak = 0;
    for arrival in steady(0, WINDOW, 2200).take(22_000) {
        observe(&mut filter, arrival.key, arrival.tick);
        let stats = filter.stats();
        peak = peak.max(stats.bytes);
        assert_eq!((stats.bytes_peak, stats.clock.0, stats.reach_ns), (peak, arrival.tick, WINDOW));
        assert_eq!((stats.forgotten, stats.deferred), (0, 0));
        assert!(stats.items <= stats.stored + 2200 && stats.bytes % 8 == 0 && stats.newest_slice_bits % 64 == 0);
        assert!(stats.slices >= plan.k && stats.bytes >= 8 * stats.slices);
    }
    let items = filter.stats().items;
    // False duplicates that set no bit are not counted; whole generations are.
    assert!((2150..=2200 + 2200 / 22 + 1).contains(&items), "{items} items for 2,200 keys a window");
    assert!(filter.stats().shifts >= 10 * plan.l - 1, "{} shifts", filter.stats().shifts);
}

/// A million repeats of one key: no memory, no shift beyond those of time, nobody ages, and its own age is new.
#[test]
fn a_storm_of_one_key_costs_nothing() {
    let quiet = {
        let mut filter = build(&manual(WINDOW));
        (0..1000).for_each(|key| insert(&mut filter, key, key));
        filter
    };
    let mut filter = quiet.clone();
    for i in 0..1_000_000 {
        assert_eq!(observe(&mut filter, 7, 1000 + i / 1000), Duplicate);
    }
    let (before, after) = (quiet.stats(), filter.stats());
    assert_eq!((after.bytes_peak, after.shifts, after.slices), (before.bytes_peak, before.shifts, before.slices));
    assert!(after.items <= before.items + 1, "{} items after {}", after.items, before.items);
    assert!((0..1000).all(|key| finds(&filter, key, key + WINDOW)));
    assert!(finds(&filter, 7, 1999 + WINDOW));
}

/// The same spread over many windows: only time makes slices, and memory stays at the least.
#[test]
fn a_steady_storm_of_one_key_stays_small() {
    let mut filter = build(&manual(WINDOW));
    let plan = Filter::plan(&manual(WINDOW)).expect("a plan");
    for i in 0..1_000_000 {
        observe(&mut filter, 7, i * (WINDOW / 50_000));
    }
    let stats = filter.stats();
    assert!(stats.slices <= plan.slices + 1 && stats.bytes <= 8 * (plan.slices + 1), "{stats:?}");
}

#[test]
fn keys_of_any_length_are_taken() {
    let mut filter = common::started(&manual(WINDOW));
    let long = vec![7; 1 << 20];
    for key in [&b""[..], b"a", b"ab", &[0; 32], &long] {
        assert_eq!(filter.observe(key), Ok(New));
        assert_eq!(filter.observe(key), Ok(Duplicate));
    }
    assert_eq!(filter.remove(b"a").expect_err("no removal").code(), Code::Unsupported);
}

/// A window shorter than l ticks: each tick is a generation, and the window holds.
#[test]
fn windows_shorter_than_l_ticks() {
    for window in 1..30 {
        let mut filter = build(&manual(window).k(3).l(20).fill(0.3));
        for tick in 0..500 {
            insert(&mut filter, tick, tick);
            assert!(
                (tick.saturating_sub(window)..=tick).all(|key| finds(&filter, key, tick)),
                "window {window}, {tick}"
            );
        }
        let old = (0..400).filter(|&key| finds(&filter, key, 499)).count();
        assert!(old < 40, "window {window}: {old} of 400 keys from long ago");
    }
}

/// Code over the trait says of either handle what the handle itself says.
#[test]
fn the_trait_is_the_handle() {
    fn lived(seen: &mut impl Observe) -> Vec<Verdict> {
        let mut said = Vec::new();
        for i in 0..500_u64 {
            let (key, now) = ((i * i % 97).to_le_bytes(), Tick(SECOND + i));
            said.push(seen.contains_at(&key, now).expect("a tick"));
            said.push(seen.observe_at(&key, now).expect("a tick"));
            said.push(seen.observe(&key).expect("room"));
        }
        seen.insert(b"a").expect("room");
        seen.insert_at(b"b", Tick(2 * SECOND)).expect("room");
        let hash = KeyHash(lately::hash64(b"c", 0));
        said.extend([
            seen.contains(b"a"),
            seen.contains(b"b"),
            seen.observe_hash(hash).expect("no key"),
            seen.contains(b"c"),
        ]);
        assert_eq!(seen.remove(b"a").expect_err("no removal").code(), Code::Unsupported);
        assert_eq!(seen.stats().reach(), Duration::from_nanos(seen.stats().reach_ns));
        seen.advance(Tick(100 * WINDOW)).expect("a manual clock");
        said.push(seen.contains(b"b"));
        seen.clear();
        assert_eq!(seen.stats().new_count, 0);
        said
    }
    let options = manual(WINDOW).max_step(Duration::from_secs(3600));
    let want = lived(&mut build(&options));
    let shared = || SharedFilter::new(&options).expect("sound");
    assert_eq!(lived(&mut shared()), want);
    assert_eq!(lived(&mut &shared()), want);
}

/// A key is whatever lends its bytes.
#[test]
fn keys_are_text_vectors_and_arrays() {
    let mut filter = build(&Options::last(100));
    assert_eq!(filter.observe("key").expect("room"), Verdict::New);
    for verdict in [
        filter.observe(b"key"),
        filter.observe(String::from("key")),
        filter.observe(vec![b'k', b'e', b'y']),
        filter.observe_hash(filter.hash("key").expect("not keyed")),
        Ok(filter.contains(&[107_u8, 101, 121][..])),
    ] {
        assert_eq!(verdict.expect("room"), Verdict::Duplicate);
    }
}

/// Catching up after idleness is O(slices), and no loop over the generations that passed: 10^14 of them in each of these
/// pauses, so such a loop would never end.
#[test]
fn catching_up_does_not_count_generations() {
    let mut filter = build(&manual(22));
    for i in 0..2000 {
        insert(&mut filter, i, i * (u64::MAX / 2000));
        filter.advance(Tick(i * (u64::MAX / 2000) + (u64::MAX / 4000))).expect("manual");
    }
    let shifts = filter.stats().shifts;
    assert!(shifts < 10 * 2 * 2000, "{shifts} shifts for 4,000 pauses");
}
