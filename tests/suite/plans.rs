//! Plans: what is asked for is met, and what is refused is named. Requests of random numbers are in `c_tests/adversarial.rs`.

use crate::common;

use std::time::Duration;

use common::bytes::mend;
use common::handle::snapshot;
use common::kinds::{self, Finds};
use common::num::real;
use common::rng::Rng;
use common::{SECOND, manual, table};
use lately::{Clock, Code, Field, Filter, Kind, LoadOptions, OnLimit, Options, PlanSummary, SharedFilter, Unit};

/// Only a window table of time grows on its way to a size that it then keeps; a capacity is not what it grows by.
#[test]
fn only_a_window_table_of_time_has_a_peak() {
    for row in kinds::rows() {
        for options in [row.for_keys(1000), row.for_keys(1_000_000)] {
            let plan = Filter::plan(&options).expect("a row has a plan");
            let grows = row.kind() == u64::from(Kind::WindowTable.number()) && row.finds == Finds::Time;
            assert_eq!(plan.bits_per_key_peak > plan.bits_per_key, grows, "{plan:?}");
            assert!(grows || plan.bits_per_key_peak.to_bits() == plan.bits_per_key.to_bits(), "{plan:?}");
        }
    }
    let window = |rate| Options::window(Duration::from_secs(600)).error_rate(rate);
    for (rate, least, most) in [(1e-3, 30.0, 33.0), (1e-6, 40.0, 44.0)] {
        for options in [window(rate), window(rate).memory(64 << 20), window(rate).capacity(1 << 20)] {
            let plan = Filter::plan(&options).expect("a plan");
            let peak = plan.bits_per_key_peak;
            assert!(plan.bits_per_key < peak && (least..most).contains(&peak), "{rate}: {plan:?}");
        }
    }
}

/// The way out is named, and a snapshot that says so is none of a window table.
#[test]
fn a_window_table_that_raises_its_error_rate_is_refused_by_name() {
    let options = table(600 * SECOND).memory(1 << 16);
    let raise = options.clone().on_limit(OnLimit::RaiseErrorRate);
    let error = Filter::plan(&raise).expect_err("a window table forgets");
    assert_eq!((error.code(), error.field()), (Code::Option, Some(Field::OnLimit)));
    let way_out = "ForgetOldest; the kind time-limited keeps the window and raises the error rate";
    assert_eq!(error.to_string(), format!("on_limit = RaiseErrorRate: must be {way_out}"));
    assert_eq!(Filter::new(&raise).expect_err("the same"), error);
    assert_eq!(SharedFilter::new(&raise).expect_err("the same"), error);
    let forget = options.clone().on_limit(OnLimit::ForgetOldest);
    assert_eq!(Filter::plan(&forget), Filter::plan(&options));
    let raise = Options::time_limited(Duration::from_secs(600)).memory(1 << 16).on_limit(OnLimit::RaiseErrorRate);
    assert!(Filter::plan(&raise).is_ok());
    let (mut bytes, on_limit) = (snapshot(&Filter::new(&options).expect("a filter")), 100);
    assert_eq!(bytes[on_limit], 1, "ForgetOldest");
    bytes[on_limit] = 2;
    mend(&mut bytes);
    let error = Filter::load(&bytes, &LoadOptions::new(Duration::ZERO)).expect_err("no window table says so");
    assert_eq!(error.code(), Code::Corrupt);
    assert!(error.to_string().contains("on_limit = 2: must be 1, ForgetOldest"), "{error}");
}

/// What the plan says is met: the rate asked for, the memory allowed.
#[test]
fn plans_keep_to_the_request() {
    let (mut rng, window) = (Rng(7), 60 * SECOND);
    for _ in 0..300 {
        let rate = 10f64.powf(-6.0 * rng.unit()).min(0.5);
        let memory = 10_000 + rng.below(1 << 40);
        let plan = Filter::plan(&manual(window).error_rate(rate).max_slices(64).memory(memory)).expect("a plan");
        assert!(plan.error_rate_worst <= rate && plan.bytes <= memory, "{rate:e}, {memory}: {plan:?}");
        assert!(real(plan.window_keys) * plan.bits_per_key <= 8.0 * real(memory) * 1.000_001, "{plan:?}");
        assert!(real(plan.bytes) >= 0.9 * real(memory) - 64.0 * real(plan.slices), "{memory} is planned for: {plan:?}");
    }
}

/// More keys never need fewer bytes; the price per key is the shape's and the margin.
#[test]
fn bytes_follow_the_keys() {
    let mut before = 0;
    for exponent in 0..40 {
        let keys = 1u64 << exponent;
        let plan = Filter::plan(&manual(SECOND).capacity(keys)).expect("a plan");
        assert!(plan.bytes >= before && plan.window_keys == keys, "{plan:?}");
        let (k, l) = (real(plan.k), real(plan.l));
        let bits = k * (k + l) / (l * -(-plan.fill).ln_1p()) * (1.0 + plan.margin);
        assert!((plan.bits_per_key / bits - 1.0).abs() < 1e-9, "{plan:?}");
        assert!(real(plan.bytes) * 8.0 >= bits * real(keys) * 0.999_999, "{plan:?}");
        let rounding = real(plan.slices) * (64.0 + 2.0 * k);
        assert!(real(plan.bytes) * 8.0 <= bits * real(keys) * 1.000_001 + rounding * 2.0, "{plan:?}");
        before = plan.bytes;
    }
}

/// A request that leaves the rate open has 1e-6, and of the kind that forgets, whose floor is 1.6e-5, 1e-3: its plan is that
/// of the same request with this rate.
#[test]
fn the_default_error_rate_is_a_millionth_and_a_thousandth_where_the_filter_forgets() {
    for row in kinds::cases("open_rate") {
        let rate = if row.finds == Finds::Nothing { 1e-3 } else { 1e-6 };
        let (open, said) = (plan(&row.options()), plan(&row.options().error_rate(rate)));
        assert_eq!(format!("{open:?}"), format!("{said:?}"), "{}", row.name);
        assert!(open.error_rate_worst <= rate, "{}: {open:?}", row.name);
    }
}

/// Where memory and keys, or the integers, fix the rate, there is no default.
#[test]
fn option_fixed_by_others_has_no_default() {
    for row in kinds::cases("fixed_rate") {
        let plan = plan(&row.options());
        assert!(plan.error_rate_worst > 1e-5, "{}: {plan:?}", row.name);
    }
}

fn plan(options: &Options) -> PlanSummary {
    Filter::plan(options).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

/// Found by the target `options` of `tests/fuzz/`: a value of 300 digits left no room for what is allowed.
#[test]
fn number_of_hundreds_of_digits_leaves_room_for_its_range() {
    let options = Options::quotient(1 << 20);
    for value in [1e300, -1e300, 1.0 / 3.0 * 1e-300, f64::MAX, -f64::MIN_POSITIVE, 0.123_456_789_012_345_68] {
        for options in [options.clone().error_rate(value), options.clone().miss_rate(-value.abs())] {
            let Err(error) = Filter::plan(&options) else { continue };
            let text = error.to_string();
            assert!(text.len() < 160 && text.split_once(": ").is_some_and(|(_, rest)| rest.len() > 10), "{text}");
            assert!(text.contains(&format!("{value:e}").replace('-', "")[..4]) || text.len() < 100, "{text}");
        }
    }
}

/// `4 << 30` in 32 bits is 0: whoever sets a size to 0 means another number, and must not get a filter without a limit.
#[test]
fn a_size_of_zero_or_of_more_than_any_machine_has_is_refused_by_name() {
    type Set = fn(Options, u64) -> Options;
    let sizes: [(Field, Set); 4] = [
        (Field::Memory, Options::memory),
        (Field::Capacity, Options::capacity),
        (Field::WindowKeys, Options::window_keys),
        (Field::WindowNs, Options::window_ns),
    ];
    for row in kinds::rows() {
        let windows = [Field::WindowKeys, Field::WindowNs];
        // A window of the other form would be refused first.
        let sensible = |field: &Field| !windows.contains(field) || row.says(field.name()) || !row.has_window();
        for (field, set) in sizes.into_iter().filter(|(field, _)| sensible(field)) {
            let most = if field == Field::WindowNs { None } else { Some((1 << 56) + 1) };
            for value in [Some(0), most].into_iter().flatten() {
                let options = set(row.options(), value);
                let error = Filter::plan(&options).expect_err(&row.name);
                assert_eq!(error.code(), Code::Option, "{}: {options:?}", row.name);
                assert_eq!(error.field(), Some(field), "{}: {options:?}: {error}", row.name);
            }
        }
    }
}

/// `u64::MAX` nanoseconds are 584 years. What is longer is not made that.
#[test]
fn a_span_of_time_that_is_too_long_is_refused_by_name() {
    let (most, longer) = (Duration::from_nanos(u64::MAX), Duration::from_nanos(u64::MAX) + Duration::from_nanos(1));
    for window in [Options::window, Options::time_limited] {
        let options = |span| window(span).clock(Clock::Manual(Unit::Nanoseconds));
        assert!(Filter::plan(&options(most).max_step(most)).is_ok());
        let error = Filter::plan(&options(longer)).expect_err("584 years and 1 ns");
        assert_eq!(error.to_string(), format!("window_ns = {}: must be 1 to {} ns", longer.as_nanos(), u64::MAX));
        let error =
            Filter::plan(&options(most).max_step(Duration::MAX)).expect_err("a step of 584 million million years");
        assert_eq!((error.code(), error.field()), (Code::Option, Some(Field::MaxStepNs)), "{error}");
        // The last word counts.
        assert!(Filter::plan(&options(longer).window_ns(5)).is_ok());
        assert!(Filter::plan(&options(most).max_step(Duration::MAX).max_step(most)).is_ok());
    }
}

/// A choice is called what the language calls it, not by its number in C.
#[test]
fn a_choice_that_a_window_of_keys_does_not_have_is_named() {
    let keys = || Options::last(1000);
    let refused = |options: Options| Filter::plan(&options).expect_err("an option of a window of time").to_string();
    let why = "cannot be combined with window_keys";
    assert_eq!(refused(keys().on_limit(OnLimit::RaiseErrorRate)), format!("on_limit = RaiseErrorRate: {why}"));
    assert_eq!(refused(keys().clock(Clock::Manual(Unit::Nanoseconds))), format!("clock = Manual(Nanoseconds): {why}"));
    assert_eq!(refused(keys().capacity(7)), format!("capacity = 7: {why}"));
}
