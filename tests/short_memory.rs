//! Loading when memory is short: with any one request refused it is `NO_MEMORY` and the caller keeps what he has, or the
//! filter is there. A program of its own, whose allocator refuses the n-th request.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::cases::{WINDOW, cases};
use common::num::{index, wide};
use common::{SECOND, build, manual, observe};
use lately::{Code, Filter, LoadOptions, Options, Tick};

thread_local! {
    /// Requests of this thread that are still met before one is refused; none is once it is below 0.
    static LEFT: Cell<i64> = const { Cell::new(-1) };
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

struct Short;

impl Short {
    fn refuses() -> bool {
        ASKED.set(ASKED.get() + 1);
        let left = LEFT.get();
        LEFT.set((left - 1).max(-1));
        left == 0
    }
}

// SAFETY: every request is passed on to the system's allocator unchanged, or answered by null, which the trait allows.
unsafe impl GlobalAlloc for Short {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        if Self::refuses() { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        if Self::refuses() { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        if Self::refuses() { std::ptr::null_mut() } else { unsafe { System.realloc(start, layout, size) } }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Short = Short;

/// Runs `body` with its `n`-th request refused.
fn without<T>(n: u64, body: impl FnOnce() -> T) -> T {
    LEFT.set(i64::try_from(n).expect("a small number"));
    let result = body();
    LEFT.set(-1);
    result
}

/// How often `body` asks for memory.
fn asks<T>(body: impl FnOnce() -> T) -> u64 {
    let before = ASKED.get();
    let result = body();
    let asked = ASKED.get() - before;
    drop(result);
    asked
}

fn snapshot(filter: &Filter) -> Vec<u8> {
    let mut bytes = vec![0; index(filter.snapshot_size())];
    filter.snapshot_write(&mut bytes).expect("there is room");
    bytes
}

#[test]
fn a_good_snapshot_is_never_corrupt_for_want_of_memory() {
    let of_windows = ["time_limited", "age_partitioned", "window_table", "timed_window_table"];
    for case in cases().iter().filter(|case| of_windows.iter().any(|name| case.name.starts_with(name))) {
        let mut filter = case.build();
        for i in 0..900u64 {
            let key = i.to_le_bytes();
            let _ = if case.ticks { filter.observe_at(&key, Tick(i * WINDOW / 300)) } else { filter.observe(&key) };
        }
        let (bytes, options) = (snapshot(&filter), case.load_options(std::time::Duration::ZERO));
        let requests = asks(|| Filter::load(&bytes, &options));
        assert!(requests >= 2, "{}: {requests}", case.name);
        for n in 0..requests {
            let refused = without(n, || Filter::load(&bytes, &options).map(drop).map_err(|error| error.code()));
            assert_eq!(refused, Err(Code::NoMemory), "{}: request {n} of {requests}", case.name);
            assert_eq!(snapshot(&Filter::load(&bytes, &options).expect("there is memory")), bytes, "{}", case.name);
        }
    }
}

/// An age-partitioned filter has all that it will ever need: generations end and begin without a request.
#[test]
fn an_age_partitioned_filter_never_asks_again() {
    for options in [Options::age_partitioned(500), Options::age_partitioned(500).k(1).l(61).fill(0.3)] {
        let mut filter = build(&options);
        let asked = asks(|| {
            (0..5000_u64).for_each(|i| drop(filter.observe(&i.to_le_bytes())));
            filter.insert(b"one more").expect("never refused");
            filter.stats()
        });
        assert_eq!(asked, 0, "{options:?}");
        assert!(filter.stats().shifts > 100);
        assert_eq!(asks(|| filter.clear()), 0, "{options:?}: a small one is cleared in place");
    }
}

/// A time-limited filter asks for the arrays of its slices, and for their records.
#[test]
fn a_shift_asks_for_a_slice_and_no_more() {
    let mut filter = build(&manual(60 * SECOND).error_rate(0.01));
    let (mut asked, mut shifts) = (0, 0);
    for i in 0..3000 {
        let now = asks(|| observe(&mut filter, i, i * SECOND / 10));
        let shifted = filter.stats().shifts - shifts;
        shifts += shifted;
        asked += now;
        assert!(now <= 2 * shifted, "{now} requests at key {i}, {shifted} shifts");
        assert_eq!(asks(|| filter.stats()), 0);
    }
    // One array each, and now and then a longer table.
    println!("{asked} requests in {shifts} shifts of {} keys", wide(3000));
    assert!(shifts > 50 && asked < shifts + 8, "{asked} requests in {shifts} shifts");
    let again = LoadOptions::new(std::time::Duration::ZERO);
    assert!(Filter::load(&snapshot(&filter), &again).is_ok());
}

/// A window table that may hold two lines, and so has keys without a cell.
fn crowded() -> Options {
    let options = Options::new(lately::Kind::WindowTable).window_ns(60 * SECOND).clock(lately::ClockSource::Manual);
    options.memory(128).on_limit(lately::OnLimit::RaiseErrorRate)
}

/// Without memory for its stash a window table closes a group, or all: no key is lost, and the next window is open again.
#[test]
fn a_window_table_without_memory_closes_and_loses_no_key() {
    let fill = |filter: &mut Filter| (0..200).for_each(|i| drop(observe(filter, i, SECOND)));
    let requests = asks(|| {
        let mut filter = build(&crowded());
        fill(&mut filter);
        filter
    }) - asks(|| build(&crowded()));
    assert!(requests >= 2, "{requests}");
    for n in 0..requests {
        let mut filter = build(&crowded());
        without(n, || fill(&mut filter));
        let copy = filter.try_clone().expect("there is memory");
        let loaded = Filter::load(&snapshot(&filter), &LoadOptions::new(std::time::Duration::ZERO)).expect("good");
        assert_eq!(snapshot(&loaded), snapshot(&filter), "request {n}");
        for filter in [&filter, &copy, &loaded] {
            assert_eq!(filter.stats().closed_groups, 1, "request {n}");
            assert!((filter.stats().error_rate - 1.0).abs() < 1e-9, "request {n}");
            for i in 0..200_u64 {
                let verdict = filter.contains_at(&i.to_le_bytes(), Tick(61 * SECOND)).expect("a verdict");
                assert!(verdict.is_duplicate(), "key {i}, request {n} refused");
            }
            let later = Tick(71 * SECOND);
            assert!(filter.contains_at(b"another", later).expect("a verdict").is_new(), "request {n}");
        }
    }
}
