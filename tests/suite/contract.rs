//! What every kind keeps, whatever else it promises: one suite, for every row of `kinds.txt`.

use crate::common;

use common::kinds::{self, Row};
use common::rng::Rng;
use common::started;
use lately::abi::Shape;
use lately::{Clock, Code, Field, Filter, KeyHash, Keys, Kind, Options, Secret, Tick, Verdict};

/// A filter of every kind and variant, with room for all keys of these tests: the rows of `kinds.txt`.
fn samples() -> Vec<Sample> {
    kinds::rows().into_iter().map(|row| Sample { options: row.for_keys(20_000), row }).collect()
}

struct Sample {
    options: Options,
    row: Row,
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

/// Also of small filters, in which keys drive each other out. The statistics, a thousand lines each time, are read for one key of seven.
#[test]
fn contains_predicts_observe_and_changes_nothing() {
    let small = kinds::cases("snapshot").into_iter().filter(|row| !row.says("lease_ns")).map(|row| row.options());
    for options in samples().into_iter().map(|sample| sample.options).chain(small) {
        let mut filter = started(&options);
        for (i, key) in (0..).zip(stream(1, 40_000)) {
            let before = (i % 7 == 0).then(|| filter.stats());
            let foretold = contains(&filter, key);
            assert!(before.is_none_or(|before| filter.stats() == before), "{options:?}");
            let told = filter.observe(&key.to_le_bytes());
            // A set with removal may be full.
            assert!(told.is_err() || told == Ok(foretold), "{options:?}: {key}");
        }
    }
}

#[test]
fn a_cleared_filter_is_a_new_one() {
    for Sample { options, .. } in samples() {
        let mut filter = started(&options);
        play(&mut filter, 2, 30_000);
        filter.clear();
        let mut fresh = started(&options);
        assert_eq!(filter.stats(), fresh.stats(), "{options:?}");
        assert_eq!((fresh.stats().items, fresh.stats().error_rate), (0, 0.0), "{options:?}");
        let _ = filter.advance(Tick(0));
        for key in stream(3, 30_000) {
            assert_eq!(observe(&mut filter, key), observe(&mut fresh, key), "{options:?}: {key}");
        }
    }
}

#[test]
fn a_secret_hides_the_hashes() {
    for Sample { options, .. } in samples() {
        let mut keyed = started(&options.clone().keyed(true).secret(Secret::new(1, 2)));
        assert_eq!((keyed.secret().expect("a secret"), started(&options).secret().is_err()), (Secret::new(1, 2), true));
        assert_eq!(keyed.hash(b"key").expect_err("hidden").code(), Code::Unsupported);
        let refused = keyed.observe_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut [Verdict::New]).expect_err("hidden");
        assert_eq!((refused.done, refused.error.code()), (0, Code::Unsupported));
        let contained = keyed.contains_batch(Keys::Hashes(&[KeyHash(1)]), None, &mut [Verdict::New]);
        for refused in [keyed.insert_batch(Keys::Hashes(&[KeyHash(1)]), None), contained] {
            assert_eq!(refused.expect_err("hidden").error.code(), Code::Unsupported);
        }
        assert!(
            !format!("{:?}", options.clone().keyed(true).secret(Secret::new(987_654_321, 5))).contains("987654321")
        );
        assert_eq!((observe(&mut keyed, 1), observe(&mut keyed, 1)), (Verdict::New, Verdict::Duplicate));
        let drawn = [started(&options.clone().keyed(true)), started(&options.clone().keyed(true))];
        assert_ne!(drawn[0].secret().expect("a secret"), drawn[1].secret().expect("a secret"));
    }
}

#[test]
fn counters_count_and_reset() {
    for Sample { options, .. } in samples() {
        let mut filter = started(&options);
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
    for Sample { options, row } in samples() {
        let mut filter = started(&options);
        let codes = [
            filter.observe_at(b"key", Tick(1)).err(),
            filter.insert_at(b"key", Tick(1)).err(),
            filter.contains_at(b"key", Tick(1)).err(),
            filter.advance(Tick(1)).err(),
        ];
        let expected = if row.takes_ticks() { None } else { Some(Code::Clock) };
        assert!(
            codes.iter().all(|error| error.as_ref().map(lately::Error::code) == expected),
            "{options:?}: {codes:?}"
        );
        let clock = Filter::new(&options.clone().clock(Clock::System)).err().and_then(|error| error.field());
        assert_eq!(clock, if row.takes_ticks() { None } else { Some(Field::Clock) }, "{options:?}");
    }
}

#[test]
fn option_that_a_kind_lacks_is_named() {
    for Sample { options, row } in samples() {
        let removes = row.removes || row.kind() == u64::from(Kind::WindowTable.number());
        let removed = started(&options).remove(b"key");
        assert_eq!(removed.as_ref().err().map(lately::Error::code), (!removes).then_some(Code::Unsupported));
        if let Err(error) = removed {
            assert!(error.to_string().starts_with("not supported: remove"), "{error}");
        }
        let kind = Kind::ALL.iter().find(|kind| u64::from(kind.number()) == row.kind()).expect("a kind");
        for &field in Field::ALL.iter().filter(|field| !kind.takes(**field)) {
            let (mut foreign, one) = (options.clone(), if field.shape() == Shape::Rate { 1_f64.to_bits() } else { 1 });
            foreign.set_number(field, one).expect("a number");
            let error = Filter::new(&foreign).expect_err("an option of others");
            assert_eq!((error.code(), error.field()), (Code::Option, Some(field)), "{options:?}: {error}");
        }
        let error = Filter::new(&options.clone().secret(Secret::new(0, 1))).expect_err("it is not keyed");
        assert_eq!(error.field(), Some(Field::SecretLo), "{options:?}");
        for bad in [-0.1, 0.0, 0.500_001, f64::NAN, f64::NEG_INFINITY, f64::INFINITY] {
            let error = Filter::new(&options.clone().error_rate(bad)).expect_err("out of range");
            assert_eq!(error.field(), Some(Field::ErrorRate), "{options:?}: {bad}");
        }
    }
}

/// A log gets one line of a filter, not its million cells, and no secret.
#[test]
fn a_filter_shows_itself_in_one_line() {
    for Sample { options, row } in samples() {
        let secret = (0x1122_3344_5566_7788, 0x99AA_BBCC_DDEE_FF00);
        let mut filter = started(&options.keyed(true).secret(Secret::new(secret.0, secret.1)));
        play(&mut filter, 1, 3000);
        let stats = filter.stats();
        let line = format!("{filter:?}");
        let kind = Kind::ALL.iter().find(|kind| u64::from(kind.number()) == row.kind()).expect("a kind").name();
        assert!(line.starts_with(&format!("Filter({kind}, ")), "{line}");
        assert!(line.ends_with(&format!(", {} bytes, error rate {:.2e})", stats.bytes, stats.error_rate)), "{line}");
        let window = if row.takes_ticks() { "window 10s" } else { "window " };
        assert_eq!(line.contains(window), row.has_window(), "{line}");
        assert!(line.len() < 128 && !line.contains(&secret.0.to_string()), "{line}");
        let shared = common::divided(filter);
        // A window table samples its lines for the rate, and each of eight sections its own.
        let before_rate = |line: String| line.split(", error rate").next().map(str::to_owned);
        assert_eq!(before_rate(format!("{shared:?}")), before_rate(format!("Shared{line}")));
    }
}
