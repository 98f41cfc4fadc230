//! The options of a filter make it again, and name what differs; the clock's unit is among them, and is saved.

mod common;

use common::bytes::reloaded;
use common::handle::snapshot;
use common::kinds;
use common::named::options;
use lately::{Clock, Code, Field, Filter, LoadOptions, Options, SharedFilter, Tick, Unit, Verdict};
use std::time::Duration;

/// All the filters that the files of vectors and snapshots ask for.
fn requests() -> Vec<Options> {
    let rows = ["vectors", "snapshot"].iter().flat_map(|file| kinds::cases(file));
    rows.map(|row| options(&row.words.iter().map(String::as_str).collect::<Vec<_>>())).collect()
}

#[test]
fn options_of_a_filter_make_it_again() {
    for request in requests() {
        let filter = Filter::new(&request).unwrap();
        let again = filter.options();
        let second = match filter.secret() {
            Ok(secret) => Filter::new(&again.clone().secret(secret)),
            Err(_) => Filter::new(&again),
        };
        let second = second.unwrap_or_else(|error| panic!("{request}\n{again}\n{error}"));
        assert_eq!(second.options(), again, "{request}");
        filter.expect_options(&again).unwrap_or_else(|error| panic!("{request}\n{again}\n{error}"));
        let shared = SharedFilter::of(filter).unwrap();
        assert_eq!(shared.options(), again, "{request}");
        shared.expect_options(&request).unwrap_or_else(|error| panic!("{request}\n{again}\n{error}"));
    }
}

#[test]
fn options_of_a_loaded_filter_are_those_of_the_saved_one() {
    for request in requests() {
        let filter = Filter::new(&request).unwrap();
        let loading = LoadOptions::new(Duration::ZERO);
        let loading = filter.secret().map_or(loading.clone(), |secret| loading.secret(secret));
        let loaded = Filter::load(&snapshot(&filter), &loading).unwrap();
        assert_eq!(loaded.options(), filter.options(), "{request}");
        loaded.expect_options(&request).unwrap();
    }
}

#[test]
fn a_difference_is_named() {
    let request = Options::window(Duration::from_secs(600)).error_rate(1e-4).memory(1 << 20);
    let filter = Filter::new(&request).unwrap();
    let others = [
        (request.clone().memory(1 << 21), Field::Memory),
        (request.clone().seed(7), Field::Seed),
        (request.clone().clock(Clock::Manual(Unit::Seconds)), Field::Clock),
        (request.clone().window_ns(601_000_000_000), Field::WindowNs),
        (request.clone().max_claims(10).lease(Duration::from_secs(1)), Field::LeaseNs),
        (Options::last(1000), Field::Kind),
    ];
    for (other, field) in others {
        let error = filter.expect_options(&other);
        if field == Field::Kind {
            // A window of keys is the same kind: its window is what differs.
            assert_eq!(error.unwrap_err().code(), Code::OptionsDiffer);
            continue;
        }
        let error = error.unwrap_err();
        assert_eq!((error.code(), error.field()), (Code::OptionsDiffer, Some(field)), "{error}");
    }
    let error = filter.expect_options(&request.clone().memory(1 << 21)).unwrap_err();
    assert_eq!(error.to_string(), "memory = 1048576 bytes: the options given come to 2097152 bytes");
    assert_eq!(filter.expect_options(&request.memory(1)).unwrap_err().code(), Code::Option);
}

/// 600 ticks, a window of as many units: the same verdicts in every unit, saved and loaded on the way.
#[test]
fn a_clock_counts_in_its_unit() {
    for unit in [Unit::Nanoseconds, Unit::Microseconds, Unit::Milliseconds, Unit::Seconds] {
        let request = Options::window(Duration::from_nanos(600 * unit.nanoseconds())).clock(Clock::Manual(unit));
        let mut filter = Filter::new(&request).unwrap();
        assert_eq!(filter.observe("a").unwrap_err().code(), Code::Clock);
        assert_eq!(filter.observe_at("a", Tick(1_700_000_000)).unwrap(), Verdict::New);
        let mut filter = reloaded(&filter);
        assert_eq!(filter.observe_at("a", Tick(1_700_000_600)).unwrap(), Verdict::Duplicate);
        assert_eq!(filter.contains_at("a", Tick(1_700_002_000)).unwrap(), Verdict::New);
        assert_eq!(filter.stats().clock, Tick(1_700_000_600));
        let later = Duration::from_nanos(5 * unit.nanoseconds());
        let filter = SharedFilter::load(&snapshot(&filter), &LoadOptions::new(later)).unwrap();
        assert_eq!(filter.stats().clock, Tick(1_700_000_605));
        assert_eq!(filter.options().to_string(), Filter::new(&request).unwrap().options().to_string());
        assert_eq!(filter.observe("a").unwrap(), Verdict::Duplicate);
        let beyond = Tick(u64::MAX / unit.nanoseconds()).0.checked_add(1);
        if let Some(beyond) = beyond {
            assert_eq!(filter.observe_at("a", Tick(beyond)).unwrap_err().code(), Code::Tick);
            assert_eq!(filter.advance(Tick(beyond)).unwrap_err().code(), Code::Tick);
            assert_eq!(filter.stats().clock, Tick(1_700_000_605));
        }
    }
}
