//! The verbs, the clock and the counters: what each call does, and that it does nothing else.

use crate::common;

use std::time::Duration;

use common::streams::{Wild, steady};
use common::{SECOND, absent, build, finds, insert, manual, observe};
use lately::Verdict::{Duplicate, New};
use lately::{
    Clock, Code, Field, Filter, KeyHash, Keys, Kind, Observe, Options, Repeat, Secret, SharedFilter, Tick, Verdict,
};

const WINDOW: u64 = 60 * SECOND;

/// Everything that can be seen of a filter: its stats and its answers for some keys at some ticks.
fn portrait(filter: &Filter) -> (lately::Stats, Vec<bool>) {
    let now = filter.stats().clock.0;
    let ticks = [0, now, now + WINDOW / 2, now + WINDOW, now + 2 * WINDOW];
    let answers = ticks.into_iter().flat_map(|tick| (0..300).map(move |key| (key, tick)));
    (filter.stats(), answers.map(|(key, tick)| finds(filter, key, tick)).collect())
}

/// A filter in the middle of its life.
fn lived(options: &Options) -> Filter {
    let mut filter = build(options);
    for arrival in Wild::new(5, WINDOW).take(20_000) {
        observe(&mut filter, arrival.key, arrival.tick);
    }
    filter
}

#[test]
fn observe_tests_and_inserts() {
    let mut filter = build(&manual(WINDOW));
    assert_eq!(
        (observe(&mut filter, 1, 5), observe(&mut filter, 1, 5), observe(&mut filter, 2, 5)),
        (New, Duplicate, New)
    );
    let stats = filter.stats();
    assert_eq!((stats.new_count, stats.duplicate_count, stats.items), (2, 1, 2));
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

#[test]
fn keep_first_counts_age_from_the_first_sighting() {
    let mut filter = build(&manual(WINDOW).repeat(Repeat::KeepFirst));
    assert_eq!(observe(&mut filter, 1, 0), New);
    for tick in 1..100 {
        assert_eq!(observe(&mut filter, 1, tick * WINDOW / 100), Duplicate);
    }
    assert_eq!(observe(&mut filter, 1, WINDOW + 1), New, "repeats of a lone key left no stamp");
}

#[test]
fn contains_changes_nothing() {
    for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
        let filter = lived(&manual(WINDOW).repeat(repeat).max_step_ns(WINDOW * 100_000));
        let before = portrait(&filter);
        for key in 0..1000 {
            for lead in [0, WINDOW, 50 * WINDOW] {
                finds(&filter, key, before.0.clock.0 + lead);
            }
            let _ = filter.contains(&key.to_le_bytes());
        }
        let far = Tick(before.0.clock.0 + WINDOW * 100_001);
        assert_eq!(filter.contains_at(b"", far).expect_err("a refused tick").code(), Code::Tick);
        assert_eq!(portrait(&filter), before);
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

#[test]
fn clear_is_a_new_filter_with_the_old_options() {
    let options = manual(WINDOW).capacity(500).seed(9).keyed(true).secret(Secret::new(1, 2)).repeat(Repeat::KeepFirst);
    let mut filter = lived(&options);
    filter.clear();
    assert_eq!(portrait(&filter), portrait(&build(&options)));
    assert_eq!(filter.secret(), Ok(Secret::new(1, 2)));
    let (mut other, mut new_count) = (build(&options), 0);
    for arrival in Wild::new(6, WINDOW).take(3000) {
        let verdict = observe(&mut filter, arrival.key, arrival.tick);
        assert_eq!(verdict, observe(&mut other, arrival.key, arrival.tick));
        new_count += u64::from(verdict.is_new());
    }
    assert_eq!((filter.stats(), filter.stats().new_count), (other.stats(), new_count));
}

#[test]
fn a_copy_is_equal_and_independent() {
    let options = manual(WINDOW).keyed(true);
    let mut filter = lived(&options);
    let copy = filter.clone();
    assert_eq!(copy.secret(), filter.secret());
    assert_eq!(portrait(&copy), portrait(&filter));
    let mut twin = filter.try_clone().expect("memory");
    for arrival in Wild::new(77, WINDOW).take(3000) {
        let tick = copy.stats().clock.0 + arrival.tick;
        assert_eq!(observe(&mut filter, arrival.key, tick), observe(&mut twin, arrival.key, tick));
    }
    assert_eq!(portrait(&filter), portrait(&twin));
    assert_eq!(portrait(&copy), portrait(&lived(&options.secret(copy.secret().expect("keyed")))));
}

/// The keys and ticks of a stream, as a batch wants them.
fn batch(seed: u64, n: usize) -> (Vec<u8>, Vec<u64>, Vec<Tick>) {
    let stream: Vec<_> = Wild::new(seed, WINDOW).take(n).collect();
    let bytes = stream.iter().flat_map(|arrival| arrival.key.to_le_bytes()).collect();
    let offsets = (0..=n).map(|i| 8 * common::num::wide(i)).collect();
    (bytes, offsets, stream.iter().map(|arrival| Tick(arrival.tick)).collect())
}

#[test]
fn batches_are_single_calls() {
    let (bytes, offsets, ticks) = batch(3, 8000);
    let keys = Keys::Bytes { bytes: &bytes, offsets: &offsets };
    let options = manual(WINDOW).error_rate(0.1);
    let mut one = build(&options);
    let singles: Vec<Verdict> =
        bytes.chunks(8).zip(&ticks).map(|(key, &tick)| one.observe_at(key, tick).expect("taken")).collect();

    let (mut by_bytes, mut verdicts) = (build(&options), vec![New; ticks.len()]);
    by_bytes.observe_batch(keys, Some(&ticks), &mut verdicts).expect("a sound batch");
    assert_eq!(verdicts, singles);
    assert_eq!(portrait(&by_bytes), portrait(&one));

    let mut by_hash = build(&options);
    let hashes: Vec<KeyHash> = bytes.chunks(8).map(|key| by_hash.hash(key).expect("unkeyed")).collect();
    by_hash.observe_batch(Keys::Hashes(&hashes), Some(&ticks), &mut verdicts).expect("a sound batch");
    assert_eq!(verdicts, singles);
    assert_eq!(portrait(&by_hash), portrait(&one));

    let (mut inserted, mut inserted_singly) = (build(&options), build(&options));
    inserted.insert_batch(keys, Some(&ticks)).expect("a sound batch");
    for (key, &tick) in bytes.chunks(8).zip(&ticks) {
        inserted_singly.insert_at(key, tick).expect("taken");
    }
    assert_eq!(portrait(&inserted), portrait(&inserted_singly));

    one.contains_batch(keys, Some(&ticks), &mut verdicts).expect("a sound batch");
    let singles: Vec<Verdict> =
        bytes.chunks(8).zip(&ticks).map(|(key, &tick)| one.contains_at(key, tick).expect("taken")).collect();
    assert_eq!(verdicts, singles);
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
fn unsound_batches_change_nothing() {
    let mut filter = lived(&manual(WINDOW));
    let before = portrait(&filter);
    let (bytes, ticks) = ([0u8; 16], [Tick(0); 2]);
    let mut two = [New; 2];
    for offsets in [&[][..], &[0, 9, 8], &[0, 8, 17], &[5, 4, 16], &[u64::MAX, u64::MAX, u64::MAX]] {
        let keys = Keys::Bytes { bytes: &bytes, offsets };
        let mut verdicts = vec![New; keys.len()];
        for error in [
            filter.observe_batch(keys, None, &mut verdicts).expect_err("unsound"),
            filter.insert_batch(keys, None).expect_err("unsound"),
            filter.contains_batch(keys, None, &mut verdicts).expect_err("unsound"),
        ] {
            assert_eq!((error.done, error.error.code()), (0, Code::Offsets), "{offsets:?}");
        }
    }
    let keys = Keys::Bytes { bytes: &bytes, offsets: &[0, 8, 16] };
    assert!(filter.observe_batch(keys, None, &mut two[..1]).is_err(), "no room for the verdicts");
    assert!(filter.contains_batch(keys, None, &mut two[..1]).is_err());
    assert!(filter.observe_batch(keys, Some(&ticks[..1]), &mut two).is_err(), "no tick for each key");
    assert!(filter.insert_batch(keys, Some(&ticks[..1])).is_err());
    assert_eq!(portrait(&filter), before);
}

/// A refused tick in a batch stops it there; what came before is done.
#[test]
fn a_batch_stops_at_a_refused_tick() {
    let options = manual(WINDOW).max_step_ns(100);
    let hashes: Vec<KeyHash> = (0..4).map(KeyHash).collect();
    let ticks = [Tick(5), Tick(50), Tick(151), Tick(60)];
    let (mut filter, mut verdicts) = (build(&options), [Duplicate; 4]);
    let stopped = filter.observe_batch(Keys::Hashes(&hashes), Some(&ticks), &mut verdicts).expect_err("refused");
    assert_eq!((stopped.done, stopped.error.code()), (2, Code::Tick));
    assert_eq!((verdicts[0], verdicts[1]), (New, New));
    let stats = filter.stats();
    assert_eq!((stats.items, stats.clock, stats.refused_ticks), (2, Tick(50), 1));
    let stopped = filter.contains_batch(Keys::Hashes(&hashes), Some(&ticks), &mut verdicts).expect_err("refused");
    assert_eq!((stopped.done, filter.stats()), (2, stats));
    let stopped = filter.insert_batch(Keys::Hashes(&hashes[2..]), Some(&ticks[2..])).expect_err("refused");
    assert_eq!((stopped.done, filter.stats().refused_ticks, filter.stats().items), (0, 2, 2));
}

#[test]
fn late_ticks_count_as_the_clock() {
    let mut filter = build(&manual(WINDOW));
    observe(&mut filter, 1, 1000 * WINDOW);
    assert_eq!(observe(&mut filter, 2, 0), New);
    assert_eq!(observe(&mut filter, 1, 5), Duplicate, "judged at the clock");
    insert(&mut filter, 3, 999 * WINDOW);
    let stats = filter.stats();
    assert_eq!((stats.late_ticks, stats.clock), (3, Tick(1000 * WINDOW)));
    assert!([1, 2, 3].iter().all(|&key| finds(&filter, key, 1001 * WINDOW)), "aged from the clock");
    assert_eq!(filter.stats().late_ticks, 3, "contains counts nothing");
    observe(&mut filter, 4, 1000 * WINDOW);
    filter.advance(Tick(1)).expect("manual");
    assert_eq!((filter.stats().late_ticks, filter.stats().clock), (3, Tick(1000 * WINDOW)));
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

/// `advance` before any tick starts the clock: from then on the limit binds.
#[test]
fn advance_starts_the_clock() {
    let mut filter = build(&manual(WINDOW).max_step_ns(10));
    filter.advance(Tick(100)).expect("manual");
    assert!(filter.observe_at(b"x", Tick(111)).is_err());
    assert!(filter.observe_at(b"x", Tick(110)).is_ok());
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

#[test]
fn the_system_clock_takes_no_ticks() {
    let mut filter = build(&Options::time_limited(Duration::from_millis(80)));
    for error in [
        filter.observe_at(b"a", Tick(0)).expect_err("no ticks"),
        filter.insert_at(b"a", Tick(0)).expect_err("no ticks"),
        filter.contains_at(b"a", Tick(0)).expect_err("no ticks"),
        filter.advance(Tick(0)).expect_err("no ticks"),
    ] {
        assert_eq!(error.code(), Code::Clock);
    }
    let hashes = [KeyHash(1)];
    let stopped = filter.observe_batch(Keys::Hashes(&hashes), Some(&[Tick(0)]), &mut [New]).expect_err("no ticks");
    assert_eq!((stopped.done, stopped.error.code()), (0, Code::Clock));
    assert_eq!(filter.observe_batch(Keys::Hashes(&hashes), None, &mut [New]), Ok(()));
    assert_eq!(filter.stats().items, 1);
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
fn hashes_and_secrets() {
    let seeded = |seed| build(&manual(WINDOW).seed(seed));
    assert_eq!(seeded(0).hash(b"key"), Ok(KeyHash(lately::hash64(b"key", 0))));
    assert_eq!(seeded(7).hash(b"key"), Ok(KeyHash(lately::hash64(b"key", 7))));
    assert_eq!(seeded(7).secret().expect_err("no secret").code(), Code::Unsupported);
    let keyed = build(&manual(WINDOW).keyed(true));
    assert_eq!(keyed.hash(b"key").expect_err("keyed").code(), Code::Unsupported);
    let secret = keyed.secret().expect("a secret");
    assert_ne!(secret, build(&manual(WINDOW).keyed(true)).secret().expect("a secret"), "two drawn secrets are equal");
    assert_eq!(build(&manual(WINDOW).keyed(true).secret(secret)).secret(), Ok(secret));
    let mut keyed = keyed;
    for stopped in [
        keyed.observe_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut [New]),
        keyed.insert_batch(Keys::Hashes(&[KeyHash(1)]), None),
        keyed.contains_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut [New]),
    ] {
        assert_eq!(stopped.expect_err("keyed").error.code(), Code::Unsupported);
    }
    assert_eq!(observe(&mut keyed, 1, 0), New);
    assert_eq!(observe(&mut keyed, 1, 0), Duplicate);
    let text = format!("{keyed:?} {:?}", manual(WINDOW).keyed(true).secret(Secret::new(987_654_321, 5)));
    assert!(!text.contains(&secret.words().0.to_string()) && !text.contains("987654321"), "a secret is shown");
}

/// The secret decides: under another one the same keys fall elsewhere.
#[test]
fn seeds_and_secrets_move_the_bits() {
    let answers = |options: Options| -> Vec<bool> {
        let mut filter = build(&options.k(1).l(1).fill(0.5).capacity(64));
        (0..60).for_each(|key| insert(&mut filter, key, 0));
        (0..500).map(|i| finds(&filter, absent(i), 0)).collect()
    };
    let plain = answers(manual(WINDOW));
    assert_eq!(plain, answers(manual(WINDOW).seed(0)));
    assert_ne!(plain, answers(manual(WINDOW).seed(1)));
    assert_ne!(plain, answers(manual(WINDOW).keyed(true).secret(Secret::new(1, 0))));
    assert_ne!(
        answers(manual(WINDOW).keyed(true).secret(Secret::new(1, 0))),
        answers(manual(WINDOW).keyed(true).secret(Secret::new(0, 1)))
    );
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

fn wrong_values() -> Vec<(Options, Field)> {
    let ok = manual(WINDOW);
    vec![
        (Options::new(Kind::TimeLimited), Field::WindowNs),
        (ok.clone().window_ns(0), Field::WindowNs),
        (ok.clone().capacity(0), Field::Capacity),
        (ok.clone().capacity(u64::MAX), Field::Capacity),
        (ok.clone().error_rate(0.0), Field::ErrorRate),
        (ok.clone().error_rate(0.500_001), Field::ErrorRate),
        (ok.clone().error_rate(f64::NAN), Field::ErrorRate),
        (ok.clone().error_rate(f64::NEG_INFINITY), Field::ErrorRate),
        (ok.clone().memory(0), Field::Memory),
        (ok.clone().memory(31 * 8 - 1), Field::Memory),
        (ok.clone().max_step_ns(0), Field::MaxStepNs),
        (Options::new(Kind::TimeLimited).window_ns(1).max_step_ns(5), Field::MaxStepNs),
        (ok.clone().k(0), Field::K),
        (ok.clone().k(u32::MAX), Field::K),
        (ok.clone().l(0), Field::L),
        (ok.clone().l(u32::MAX), Field::L),
        (ok.clone().k(u32::MAX).l(u32::MAX), Field::K),
        (ok.clone().max_slices(0), Field::MaxSlices),
        (ok.clone().max_slices(u32::MAX), Field::MaxSlices),
        (ok.clone().fill(f64::NAN), Field::Fill),
        (ok.clone().fill(0.0), Field::Fill),
        (ok.clone().fill(1.0), Field::Fill),
        (ok.clone().k(4).l(3).fill(0.5).error_rate(0.1), Field::ErrorRate),
        (ok.clone().keyed(true).secret(Secret::new(0, 0)), Field::SecretLo),
        (ok.clone().secret(Secret::new(1, 1)), Field::SecretLo),
    ]
}

fn options_of_other_kinds() -> Vec<(Options, Field)> {
    let ok = manual(WINDOW);
    vec![
        (ok.clone().window_keys(5), Field::WindowKeys),
        (ok.clone().miss_rate(0.1), Field::MissRate),
        (ok.clone().variant(lately::Variant::Qht), Field::Variant),
        (ok.clone().fingerprint_bits(8), Field::FingerprintBits),
        (ok.clone().semi_sort(false), Field::SemiSort),
        (ok.clone().removable(true), Field::Removable),
        (ok.clone().block_bytes(64), Field::BlockBytes),
        (ok.clone().chains(64), Field::Chains),
        (ok.clone().load(0.9), Field::Load),
    ]
}

#[test]
fn every_option_out_of_range_names_its_field() {
    for (options, field) in wrong_values().into_iter().chain(options_of_other_kinds()) {
        for error in [Filter::new(&options).map(|_| ()), Filter::plan(&options).map(|_| ())] {
            let error = error.expect_err(&format!("{options:?}"));
            assert_eq!((error.code(), error.field()), (Code::Option, Some(field)), "{options:?}: {error}");
            assert!(error.to_string().contains(field.name()), "{error}");
        }
    }
}

/// The ends of time: nothing wraps, and what is within the window at the last tick is held there.
#[test]
fn the_ends_of_time() {
    for window in [1, WINDOW, u64::MAX / 2, u64::MAX] {
        let mut filter = build(&manual(window));
        assert_eq!(observe(&mut filter, 1, 0), New);
        assert_eq!(observe(&mut filter, 1, 0), Duplicate);
        assert_eq!(observe(&mut filter, 1, window), Duplicate);
        assert_eq!(observe(&mut filter, 1, u64::MAX).is_new(), u64::MAX - window > window, "window {window}");
        assert_eq!(observe(&mut filter, 1, u64::MAX), Duplicate);
        (2..500).for_each(|key| insert(&mut filter, key, u64::MAX));
        filter.advance(Tick(u64::MAX)).expect("manual");
        assert!((1..500).all(|key| finds(&filter, key, u64::MAX)));
        assert_eq!(filter.stats().clock, Tick(u64::MAX));
    }
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
