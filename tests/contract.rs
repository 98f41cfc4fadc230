//! What every kind keeps, whatever else it promises: one suite, a row for each kind.

mod common;

use common::rng::Rng;
use common::{absent, build};
use lately::{ClockSource, Code, Field, Filter, KeyHash, Keys, Kind, Options, Tick, Verdict};

/// A kind as the suite sees it: a request, whether its window is a span of time, and an option that it lacks.
struct Sample {
    options: Options,
    has_time: bool,
    foreign: (Options, Field),
}

/// A new kind is a row here.
fn samples() -> Vec<Sample> {
    let time_limited = Options::new(Kind::TimeLimited).window_ns(1 << 40).clock(ClockSource::Manual);
    let age_partitioned = Options::new(Kind::AgePartitioned).window_keys(1 << 14);
    let tiny_set = Options::new(Kind::TinySet).capacity(20_000);
    let quotient = Options::new(Kind::Quotient).memory(1 << 16);
    let window_table = Options::new(Kind::WindowTable).window_keys(1 << 14);
    let timed_table = Options::new(Kind::WindowTable).window_ns(1 << 40).clock(ClockSource::Manual);
    let sample = |options: Options, has_time, foreign, field| Sample { options, has_time, foreign: (foreign, field) };
    vec![
        sample(time_limited.clone(), true, time_limited.chains(64), Field::Chains),
        sample(age_partitioned.clone(), false, age_partitioned.window_ns(1), Field::WindowNs),
        sample(tiny_set.clone(), false, tiny_set.window_ns(1), Field::WindowNs),
        sample(quotient.clone(), false, quotient.load(1.0), Field::Load),
        sample(window_table.clone(), false, window_table.capacity(9), Field::Capacity),
        sample(timed_table.clone(), true, timed_table.fill(0.5), Field::Fill),
    ]
}

fn observe(filter: &mut Filter, key: u64) -> Verdict {
    filter.observe(&key.to_le_bytes()).expect("a verdict")
}

fn contains(filter: &Filter, key: u64) -> Verdict {
    filter.contains(&key.to_le_bytes())
}

/// Keys with many repeats.
fn stream(seed: u64, count: usize) -> Vec<u64> {
    let mut rng = Rng(seed);
    (0..count).map(|_| rng.below(5000)).collect()
}

fn play(filter: &mut Filter, seed: u64, count: usize) {
    for key in stream(seed, count) {
        observe(filter, key);
    }
}

#[test]
fn what_was_new_is_a_duplicate_concurrent() {
    for Sample { options, .. } in samples() {
        let mut filter = build(&options);
        for key in 0..5000 {
            observe(&mut filter, key);
            assert_eq!(observe(&mut filter, key), Verdict::Duplicate, "{options:?}: {key}");
            assert_eq!(contains(&filter, key), Verdict::Duplicate, "{options:?}: {key}");
        }
    }
}

#[test]
fn contains_foretells_observe_and_changes_nothing() {
    for Sample { options, .. } in samples() {
        let mut filter = build(&options);
        for key in stream(1, 40_000) {
            let before = filter.stats();
            let foretold = contains(&filter, key);
            assert_eq!(filter.stats(), before, "{options:?}");
            assert_eq!(observe(&mut filter, key), foretold, "{options:?}: {key}");
        }
    }
}

#[test]
fn an_empty_filter_has_seen_nothing() {
    for Sample { options, .. } in samples() {
        let filter = build(&options);
        assert!((0..1000).all(|i| contains(&filter, absent(i)).is_new()), "{options:?}");
        assert_eq!(
            (filter.stats().items, filter.stats().new_count, filter.stats().error_rate),
            (0, 0, 0.0),
            "{options:?}"
        );
    }
}

#[test]
fn a_cleared_filter_is_a_new_one() {
    for Sample { options, .. } in samples() {
        let mut filter = build(&options);
        play(&mut filter, 2, 30_000);
        filter.clear();
        let mut fresh = build(&options);
        assert_eq!(filter.stats(), fresh.stats(), "{options:?}");
        for key in stream(3, 30_000) {
            assert_eq!(observe(&mut filter, key), observe(&mut fresh, key), "{options:?}: {key}");
        }
    }
}

#[test]
fn a_copy_is_equal_and_apart() {
    for Sample { options, .. } in samples() {
        let mut filter = build(&options);
        play(&mut filter, 4, 20_000);
        let (mut copy, before) = (filter.clone(), filter.stats());
        assert_eq!(copy.stats(), before, "{options:?}");
        play(&mut copy, 9, 1000);
        assert_eq!(filter.stats(), before, "{options:?}");
        let mut copy = filter.clone();
        for key in stream(5, 20_000) {
            assert_eq!(observe(&mut filter, key), observe(&mut copy, key), "{options:?}: {key}");
        }
    }
}

#[test]
fn batches_are_single_calls() {
    for Sample { options, .. } in samples() {
        let (mut single, mut batch) = (build(&options), build(&options));
        let keys = stream(6, 20_000);
        let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
        for (at, part) in (0..).zip(keys.chunks(333)) {
            let from = at * 333 * 8;
            let offsets: Vec<u64> = (0..=part.len()).map(|i| common::num::wide(i * 8)).collect();
            let slice = Keys::Bytes { bytes: &bytes[from..from + part.len() * 8], offsets: &offsets };
            let mut verdicts = vec![Verdict::New; part.len()];
            batch.contains_batch(slice, None, &mut verdicts).expect("verdicts");
            let foretold: Vec<_> = part.iter().map(|&key| contains(&batch, key)).collect();
            assert_eq!(verdicts, foretold, "{options:?}");
            batch.observe_batch(slice, None, &mut verdicts).expect("verdicts");
            for (i, &key) in part.iter().enumerate() {
                assert_eq!(observe(&mut single, key), verdicts[i], "{options:?}: {key}");
            }
        }
        assert_eq!(single.stats(), batch.stats(), "{options:?}");
    }
}

#[test]
fn hashes_stand_for_their_keys() {
    for Sample { options, .. } in samples() {
        let (mut by_key, mut by_hash) = (build(&options), build(&options));
        let hashes: Vec<KeyHash> =
            stream(7, 5000).iter().map(|key| by_key.hash(&key.to_le_bytes()).expect("unkeyed")).collect();
        let mut verdicts = vec![Verdict::New; hashes.len()];
        by_hash.observe_batch(Keys::Hashes(&hashes), None, &mut verdicts).expect("verdicts");
        for (key, verdict) in stream(7, 5000).into_iter().zip(verdicts) {
            assert_eq!(observe(&mut by_key, key), verdict, "{options:?}: {key}");
        }
        by_key.insert_batch(Keys::Hashes(&hashes), None).expect("inserted");
    }
}

#[test]
fn a_secret_hides_the_hashes() {
    for Sample { options, .. } in samples() {
        let mut keyed = build(&options.clone().keyed(true).secret(1, 2));
        assert_eq!((keyed.secret().expect("a secret"), build(&options).secret().is_err()), ((1, 2), true));
        assert_eq!(keyed.hash(b"key").expect_err("hidden").code(), Code::Unsupported);
        let refused = keyed.observe_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut [Verdict::New]).expect_err("hidden");
        assert_eq!((refused.done, refused.error.code()), (0, Code::Unsupported));
        assert_eq!((observe(&mut keyed, 1), observe(&mut keyed, 1)), (Verdict::New, Verdict::Duplicate));
        let drawn = [build(&options.clone().keyed(true)), build(&options.clone().keyed(true))];
        assert_ne!(drawn[0].secret().expect("a secret"), drawn[1].secret().expect("a secret"));
    }
}

#[test]
fn counters_count_and_reset() {
    for Sample { options, .. } in samples() {
        let mut filter = build(&options);
        let mut seen = [0; 2];
        for key in stream(8, 10_000) {
            seen[usize::from(observe(&mut filter, key).is_duplicate())] += 1;
        }
        let stats = filter.stats();
        assert_eq!([stats.new_count, stats.duplicate_count], seen, "{options:?}");
        assert!(stats.bytes > 0 && stats.bytes_peak >= stats.bytes && stats.items > 0, "{options:?}: {stats:?}");
        filter.stats_reset();
        assert_eq!((filter.stats().new_count, filter.stats().duplicate_count), (0, 0));
        assert_eq!((filter.stats().items, filter.stats().bytes), (stats.items, stats.bytes), "{options:?}");
    }
}

#[test]
fn kinds_without_time_take_no_ticks() {
    for Sample { options, has_time, .. } in samples() {
        let mut filter = build(&options);
        let codes = [
            filter.observe_at(b"key", Tick(1)).err(),
            filter.insert_at(b"key", Tick(1)).err(),
            filter.contains_at(b"key", Tick(1)).err(),
            filter.advance(Tick(1)).err(),
        ];
        let expected = if has_time { None } else { Some(Code::Clock) };
        assert!(
            codes.iter().all(|error| error.as_ref().map(lately::Error::code) == expected),
            "{options:?}: {codes:?}"
        );
        let clock = Filter::new(&options.clone().clock(ClockSource::System)).err().and_then(|error| error.field());
        assert_eq!(clock, if has_time { None } else { Some(Field::Clock) }, "{options:?}");
    }
}

#[test]
fn what_a_kind_lacks_is_named() {
    for Sample { options, foreign: (foreign, field), .. } in samples() {
        let mut filter = build(&options);
        let error = filter.remove(b"key").expect_err("no removal");
        assert_eq!(error.code(), Code::Unsupported, "{options:?}");
        assert!(error.to_string().starts_with("not supported: remove"), "{error}");
        let error = Filter::new(&foreign).expect_err("another kind's option");
        assert_eq!((error.code(), error.field()), (Code::Option, Some(field)), "{error}");
        for bad in [0.0, -0.1, 0.500_001, f64::NAN, f64::INFINITY] {
            let error = Filter::new(&options.clone().error_rate(bad)).expect_err("out of range");
            assert_eq!(error.field(), Some(Field::ErrorRate), "{options:?}: {bad}");
        }
    }
}
