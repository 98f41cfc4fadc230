//! The orders in which threads may run: a checker (shuttle) decides at every lock and counter who continues. Built with
//! `RUSTFLAGS="--cfg shuttle"` alone (`ctest -R threads.orders`); the stress of real threads is in `tests/suite/shared.rs`.
//!
//! Every test runs many orders, drawn with a fixed seed, and within each a few calls of a few threads.
#![cfg(shuttle)]

mod common;

use common::kinds::{self, Finds, Row};
use lately::{
    Claim, Clock, Code, Committed, Filter, Kind, LoadOptions, OnLimit, Options, Repeat, SharedFilter, Tick, Unit,
};
use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, Runner, thread};

const WINDOW: u64 = 1_000_000;

/// Orders for each test, half of them drawn at random and half with few changes at the worst places.
const ORDERS: usize = 300;

fn in_every_order(body: impl Fn() + Send + Sync + Clone + 'static) {
    in_orders(ORDERS, body);
}

fn in_orders(orders: usize, body: impl Fn() + Send + Sync + Clone + 'static) {
    let config = || {
        let mut config = Config::new();
        config.stack_size = 1 << 18;
        config
    };
    Runner::new(RandomScheduler::new_from_seed(1, orders / 2), config()).run(body.clone());
    Runner::new(PctScheduler::new_from_seed(1, 3, orders / 2), config()).run(body);
}

fn manual() -> Options {
    Options::new(Kind::TimeLimited).window_ns(WINDOW).clock(Clock::Manual(Unit::Nanoseconds))
}

/// Every kind, and by first sighting where it has a window.
fn requests() -> Vec<Options> {
    let rows = kinds::rows();
    let keep_first = rows.iter().filter(|row| row.has_window()).map(|row| row.for_keys(200).repeat(Repeat::KeepFirst));
    rows.iter().map(|row| row.for_keys(200)).chain(keep_first).collect()
}

/// Every kind that finds its last `n` insertions, if `wanted`.
fn of_the_last(n: u64, error_rate: f64, wanted: fn(&Row) -> bool) -> Vec<Options> {
    let rows = kinds::rows();
    rows.iter().filter(|row| wanted(row)).map(|row: &Row| row.for_keys_at(n, error_rate)).collect()
}

/// What each of `threads` threads returns.
fn together<T: Send + 'static>(
    filter: &SharedFilter,
    threads: u64,
    each: impl Fn(&SharedFilter, u64) -> T + Send + Sync + Copy + 'static,
) -> Vec<T> {
    let spawn = |thread| {
        let filter = filter.clone();
        thread::spawn(move || each(&filter, thread))
    };
    let running: Vec<_> = (0..threads).map(spawn).collect();
    running.into_iter().map(|thread| thread.join().unwrap()).collect()
}

/// A filter whose clock has a time: that of the caller is at 0.
fn shared(options: &Options) -> SharedFilter {
    let filter = SharedFilter::new(options).unwrap();
    match filter.advance(Tick(0)) {
        Ok(()) => {}
        Err(error) => assert_eq!(error.code(), Code::Clock, "{error}"),
    }
    filter
}

#[test]
fn one_thread_gets_new() {
    for options in requests() {
        in_every_order(move || {
            let filter = shared(&options);
            let new_count = together(&filter, 3, |filter, _| filter.observe(b"key").unwrap().is_new());
            assert_eq!(new_count.into_iter().filter(|new| *new).count(), 1);
            assert!(filter.contains(b"key").is_duplicate());
        });
    }
}

/// Each thread's keys, observed while the others let generations end, are found within the window after all.
#[test]
fn no_key_is_lost_when_a_generation_ends() {
    for options in [manual(), manual().memory(4000).on_limit(OnLimit::RaiseErrorRate)] {
        in_every_order(move || {
            let filter = shared(&options);
            let key = |thread: u64, i: u64| (thread << 32 | i).to_le_bytes();
            let last = together(&filter, 2, move |filter, thread| {
                let tick = |i: u64| Tick((i + 1) * WINDOW / 5 + thread);
                for i in 0..4 {
                    let _ = filter.observe_at(&key(thread, i), tick(i)).unwrap();
                }
                tick(3)
            });
            let now = last.into_iter().max().unwrap();
            for thread in 0..2 {
                for i in 0..4 {
                    assert!(filter.contains_at(&key(thread, i), now).unwrap().is_duplicate(), "{thread} {i}");
                }
            }
        });
    }
}

/// Generations by count: the last N insertions of all threads are found, in whatever order they came.
#[test]
fn the_last_n_are_found() {
    for options in of_the_last(24, 0.1, Row::counts) {
        in_every_order(move || the_last_are_found(&options, 20));
    }
}

fn the_last_are_found(options: &Options, each: u64) {
    let filter = shared(options);
    let key = |thread: u64, i: u64| (thread << 32 | i).to_le_bytes();
    together(&filter, 2, move |filter, thread| {
        for i in 0..each {
            filter.insert(&key(thread, i)).unwrap();
        }
    });
    (0..each).for_each(|i| filter.insert(&key(2, i)).unwrap());
    assert!((0..each).all(|i| filter.contains(&key(2, i)).is_duplicate()));
    assert_eq!(filter.stats().new_count + filter.stats().duplicate_count, 0);
}

/// A generation takes the keys it has room for, neither more nor fewer, however the room was drawn.
#[test]
fn a_generation_ends_when_all_together_filled_it() {
    for options in of_the_last(40, 0.2, |row| row.finds == Finds::Keys) {
        in_every_order(move || generations_end_in_time(&options, 30));
    }
}

fn generations_end_in_time(options: &Options, keys: u64) {
    let filter = shared(options);
    let key = |i: u64| i.to_le_bytes();
    together(&filter, 2, move |filter, thread| {
        for i in 0..keys {
            filter.insert(&key(thread * keys + i)).unwrap();
        }
    });
    let alone = shared(options);
    (0..2 * keys).for_each(|i| alone.insert(&key(i)).unwrap());
    let (many, one) = (filter.stats(), alone.stats());
    assert_eq!((many.shifts, many.items), (one.shifts, one.items));
}

/// A tick that was taken under one lock is measured again under all: the filter may have been emptied between the two, and
/// another thread may have started its clock.
#[test]
fn no_tick_leads_the_clock_too_far_around_a_clear() {
    in_orders(20 * ORDERS, || {
        let (early, late) = (Tick(5), Tick(1000 * WINDOW));
        let filter = SharedFilter::new(&manual().max_step_ns(WINDOW)).unwrap();
        let _ = filter.observe_at(b"first", late).unwrap();
        let took = together(&filter, 2, move |filter, thread| match thread {
            // It ends generations, so it needs all locks.
            0 => filter.observe_at(b"key", Tick(late.0 + WINDOW)).is_ok(),
            _ => {
                filter.clear();
                filter.observe_at(b"other", early).is_ok()
            }
        });
        let stats = filter.stats();
        let far = filter.contains_at(b"", Tick(early.0 + 2 * WINDOW)).is_ok();
        assert!(took[1]);
        assert_eq!(stats.refused_ticks, u64::from(!took[0]));
        assert!(!far || stats.late_ticks == 1, "the clock went from {early:?} to a window after {late:?}");
    });
}

/// All-lock verbs beside single ones: counts are exact, nothing waits for itself.
#[test]
fn stats_clear_and_copies_run_while_others_observe() {
    for options in requests() {
        in_every_order(move || {
            let filter = shared(&options);
            let told = together(&filter, 3, |filter, thread| match thread {
                0 => filter.stats().new_count,
                1 => filter.unshared().unwrap().stats().new_count,
                _ => (0..3_u8).filter(|i| filter.observe(&[*i]).unwrap().is_new()).map(|_| 1).sum(),
            });
            assert!(told[0] <= told[2] && told[1] <= told[2]);
            assert_eq!((filter.stats().new_count, told[2]), (3, 3));
            filter.clear();
            assert!(filter.contains(&[0]).is_new());
        });
    }
}

/// The lease of the tests of claims.
const LEASE: u64 = 1000;

/// Every kind of window with claims, by a caller's clock and by the system's.
fn claiming() -> Vec<Options> {
    let timed = |kind| Options::new(kind).window_ns(WINDOW).lease_ns(LEASE).max_claims(3);
    let by_system = |kind| Options::new(kind).window_ns(1 << 60).lease_ns(1 << 50).max_claims(3);
    vec![
        timed(Kind::TimeLimited).clock(Clock::Manual(Unit::Nanoseconds)),
        timed(Kind::WindowTable).clock(Clock::Manual(Unit::Nanoseconds)).repeat(Repeat::KeepFirst),
        by_system(Kind::TimeLimited),
        by_system(Kind::WindowTable).repeat(Repeat::KeepFirst),
        by_system(Kind::WindowTable),
        Options::age_partitioned(100).lease_ns(1 << 50).max_claims(3),
        Options::last(100).lease_ns(1 << 50).max_claims(3),
    ]
}

/// Each of them undivided and divided, in every order.
fn in_every_order_of_claims(body: impl Fn(SharedFilter) + Send + Sync + Clone + 'static) {
    for options in claiming() {
        for divided in [false, true] {
            let (options, body) = (options.clone(), body.clone());
            in_orders(100, move || {
                let filter = shared(&options);
                if divided {
                    lately::abi::divide(&filter);
                }
                body(filter);
            });
        }
    }
}

/// The first owner commits as its lease ends, and another claims the key: one of them stores it.
#[test]
fn one_of_a_late_commit_and_the_next_owner_stores() {
    for options in claiming().into_iter().take(2) {
        for divided in [false, true] {
            let options = options.clone();
            in_orders(200, move || {
                let filter = shared(&options);
                if divided {
                    lately::abi::divide(&filter);
                }
                let first = filter.claim_at(b"key", Tick(1)).unwrap().token().unwrap();
                let stores = |found| u32::from(found != Committed::Already);
                let stored = together(&filter, 2, move |filter, thread| {
                    let now = Tick(2 + LEASE);
                    if thread == 0 {
                        return stores(filter.commit_at(b"key", first, now).unwrap());
                    }
                    match filter.claim_at(b"key", now).unwrap() {
                        Claim::New(token) => stores(filter.commit_at(b"key", token, now).unwrap()),
                        Claim::Duplicate => 0,
                        Claim::Pending => panic!("the lease is over"),
                    }
                });
                assert_eq!(stored.into_iter().sum::<u32>(), 1);
                assert_eq!(filter.stats().open_claims, 0);
                assert!(filter.contains(b"key").is_duplicate());
            });
        }
    }
}

/// A table of claims that is full refuses exactly those that came too late.
#[test]
fn as_many_claims_are_open_as_there_is_room_for() {
    in_every_order_of_claims(|filter| {
        let open = together(&filter, 4, |filter, thread| u64::from(filter.claim(thread.to_le_bytes()).is_ok()));
        assert_eq!((open.into_iter().sum::<u64>(), filter.stats().open_claims), (3, 3));
    });
}
