//! What the test programs share: the exact oracle, seeded streams, honest odds.
#![allow(dead_code, reason = "each test program uses its own part of this")]

pub(crate) mod alloc;
pub(crate) mod bytes;
pub(crate) mod cases;
pub(crate) mod handle;
pub(crate) mod kinds;
pub(crate) mod named;
pub(crate) mod num;
pub(crate) mod odds;
pub(crate) mod oracle;
pub(crate) mod promised;
pub(crate) mod rng;
pub(crate) mod streams;
pub(crate) mod trial;

use lately::{Clock, Filter, Options, SharedFilter, Tick, Unit, Verdict};

/// One second in ticks.
pub(crate) const SECOND: u64 = 1_000_000_000;

/// A time-limited filter with a manual clock.
pub(crate) fn manual(window_ns: u64) -> Options {
    Options::new(lately::Kind::TimeLimited).window_ns(window_ns).clock(Clock::Manual(Unit::Nanoseconds))
}

/// A window table of time with a manual clock.
pub(crate) fn table(window_ns: u64) -> Options {
    Options::window(std::time::Duration::from_nanos(window_ns)).clock(Clock::Manual(Unit::Nanoseconds))
}

/// The filter that `options` ask for, which must exist.
pub(crate) fn build(options: &Options) -> Filter {
    Filter::new(options).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

/// The same, and its clock, if it is a manual one, stands at 0.
pub(crate) fn started(options: &Options) -> Filter {
    let mut filter = build(options);
    if matches!(filter.options().number_of(lately::Field::Clock), 2..) {
        filter.advance(lately::Tick(0)).expect("a manual clock");
    }
    filter
}

/// The same for many threads, divided among its locks: one thread alone would never come to them.
pub(crate) fn divided(filter: Filter) -> SharedFilter {
    let shared = SharedFilter::of(filter).expect("memory for the locks");
    lately::abi::divide(&shared);
    shared
}

/// Observes the 8-byte key at `tick`.
pub(crate) fn observe(filter: &mut Filter, key: u64, tick: u64) -> Verdict {
    filter.observe_at(&key.to_le_bytes(), Tick(tick)).expect("a tick that is taken")
}

/// Inserts the 8-byte key at `tick`.
pub(crate) fn insert(filter: &mut Filter, key: u64, tick: u64) {
    filter.insert_at(&key.to_le_bytes(), Tick(tick)).expect("a tick that is taken");
}

/// Whether the filter would call the 8-byte key a duplicate at `tick`.
pub(crate) fn finds(filter: &Filter, key: u64, tick: u64) -> bool {
    filter.contains_at(&key.to_le_bytes(), Tick(tick)).expect("a tick that is taken").is_duplicate()
}

/// How much longer the loops run behind the named command: `LATELY_LONG=1 cargo test`.
pub(crate) fn long_or(factor: u64) -> u64 {
    if std::env::var_os("LATELY_LONG").is_some_and(|v| v != "0") { factor } else { 1 }
}

/// How far apart the cases are that a test tries, of many that are alike: each fifth in the check, all of them with `LATELY_WHOLE=1`
/// (`cmake --workflow --preset full`) or `LATELY_LONG=1`.
pub(crate) fn stride() -> usize {
    let is_whole = ["LATELY_WHOLE", "LATELY_LONG"].iter().any(|name| std::env::var_os(name).is_some_and(|v| v != "0"));
    if is_whole { 1 } else { 5 }
}

/// Of `n` places those that the check tries: each fifth, beginning with another for each `case`, so that all cases together try all.
pub(crate) fn places(n: usize, case: usize) -> impl Iterator<Item = usize> {
    let stride = stride();
    (case % stride..n).step_by(stride)
}

/// A key that no stream of these tests inserts: they count up from 0.
pub(crate) fn absent(i: u64) -> u64 {
    (1 << 63) | i
}
