//! Many threads on one shared filter, every verb beside every other: what ThreadSanitizer watches.
//!
//! Locks are parking_lot's (`src/sync.rs`), and results come back through `join` alone: the sanitizer sees into both. Without it this is
//! a plain test of `cargo test`. `races planted-rust` and `races planted-c` have a race, which it must report.
#![allow(unsafe_code, reason = "calls C, and one race on purpose")]

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::process::exit;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

// Brings the C files, and the functions that they call.
use capi as _;
use race_tests as _;

use lately::{Clock, Field, Kind, Options, Repeat, SharedFilter, Tick, Unit};

#[path = "../common/kinds.rs"]
#[allow(dead_code, reason = "each test program uses its own part of this")]
mod kinds;
#[path = "../common/named.rs"]
#[allow(dead_code, reason = "each test program uses its own part of this")]
mod named;

/// Threads that race on new keys.
const THREADS: [u64; 4] = [2, 4, 8, 16];
/// Keys of a thread; `LATELY_LONG=1` takes more.
static KEYS: LazyLock<u64> = LazyLock::new(|| if std::env::var_os("LATELY_LONG").is_some() { 2000 } else { 500 });
const WINDOW: u64 = 1_000_000;

unsafe extern "C" {
    fn c_main() -> c_int;
    fn planted_main() -> c_int;
}

fn main() {
    let failed = match std::env::args().nth(1).as_deref() {
        // SAFETY: the `main` of a C program takes nothing and keeps nothing.
        Some("planted-c") => unsafe { planted_main() },
        Some("planted-rust") => planted(),
        _ => all(),
    };
    exit(failed);
}

fn all() -> c_int {
    for options in requests() {
        THREADS.iter().for_each(|threads| every_key_is_new_to_one_thread(&options, *threads));
        every_verb_runs_while_any_other_runs(&options);
    }
    for options in claiming() {
        THREADS.iter().for_each(|threads| every_key_is_claimed_by_one_thread(&options, *threads));
        every_verb_runs_while_any_other_runs(&options);
    }
    println!("races: {} requests, {THREADS:?} threads", requests().len() + claiming().len());
    // SAFETY: the `main` of a C program takes nothing and keeps nothing.
    unsafe { c_main() }
}

fn requests() -> Vec<Options> {
    let timed = Options::new(Kind::TimeLimited).window_ns(WINDOW).error_rate(1e-6);
    let mut all = vec![
        timed.clone().clock(Clock::Manual(Unit::Nanoseconds)),
        timed.clone().clock(Clock::Manual(Unit::Nanoseconds)).repeat(Repeat::KeepFirst).memory(20_000),
        timed.window_ns(1 << 50),
        Options::new(Kind::WindowTable).window_ns(WINDOW).clock(Clock::Manual(Unit::Nanoseconds)).memory(40_000),
    ];
    // Room for every sighting, however far one thread is behind another.
    all.extend(kinds::rows().iter().map(|row| row.for_keys_at(20 * *KEYS, 1e-4)));
    all
}

/// Filters with claims: locks by key, all locks for a manual clock, and a window of keys, whose leases go by the system's clock.
fn claiming() -> [Options; 4] {
    let timed = Options::new(Kind::WindowTable).window_ns(1 << 50).lease_ns(1 << 40);
    [
        timed.clone(),
        timed.clone().window_ns(WINDOW).lease_ns(WINDOW / 8).clock(Clock::Manual(Unit::Nanoseconds)).max_claims(64),
        Options::new(Kind::TimeLimited).window_ns(1 << 50).lease_ns(1 << 40).error_rate(1e-6),
        Options::last(20 * *KEYS).lease_ns(1 << 40),
    ]
}

/// Runs `each` in every thread, told its number, and gives back what they return.
fn together(threads: u64, filter: &'static SharedFilter, each: fn(&SharedFilter, u64) -> u64) -> Vec<u64> {
    let threads: Vec<_> = (0..threads).map(|thread| thread::spawn(move || each(filter, thread))).collect();
    threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
}

/// One for all threads; the process ends soon.
fn built(options: &Options) -> &'static SharedFilter {
    let filter = SharedFilter::new(options).expect("a filter");
    if filter.options().number_of(Field::Clock) > 1 {
        filter.advance(Tick(0)).expect("a manual clock");
    }
    Box::leak(Box::new(filter))
}

fn every_key_is_new_to_one_thread(options: &Options, threads: u64) {
    let new_count: u64 = together(threads, built(options), |filter, _| {
        (0..*KEYS).filter(|key| filter.observe(&key.to_le_bytes()).expect("a verdict").is_new()).map(|_| 1).sum()
    })
    .into_iter()
    .sum();
    // One key in a thousand may be a false duplicate, and is then new to nobody. A quotient filter forgets as often,
    // between one thread's sighting and another's, and then the key is new again.
    let again = if SharedFilter::plan(options).expect("a plan").rows > 0 { 10 } else { 0 };
    assert!(new_count <= *KEYS + again && new_count + 10 >= *KEYS, "{threads} threads, {options:?}: {new_count}");
}

fn every_key_is_claimed_by_one_thread(options: &Options, threads: u64) {
    let claimed: u64 = together(threads, built(options), |filter, _| {
        let claim = |key: &[u8]| filter.claim(key).expect("fewer claims than threads").token();
        let commit = |key: &[u8], token| filter.commit(key, token).expect("its own token");
        let keys = (0..*KEYS).map(u64::to_le_bytes);
        keys.filter_map(|key| claim(&key).map(|token| commit(&key, token))).map(|_| 1).sum()
    })
    .into_iter()
    .sum();
    assert!(claimed <= *KEYS && claimed + 10 >= *KEYS, "{threads} threads, {options:?}: {claimed}");
}

fn every_verb_runs_while_any_other_runs(options: &Options) {
    together(4, built(options), |filter, thread| {
        for i in 0..*KEYS {
            let key = (i % 97).to_le_bytes();
            // A kind without ticks or without removal says so; what counts here is what the threads touch.
            let _ = filter.observe_at(&key, Tick(i * WINDOW / 200));
            let _ = filter.observe(&key);
            let _ = filter.insert(&[7]);
            let _ = filter.contains(&key);
            let _ = filter.remove(&key);
            claim_and_end(filter, &key, i);
            seldom(filter, i + thread * 50);
        }
        0
    });
}

/// Claims a key, and ends the claim in one of three ways or leaves it to its lease.
fn claim_and_end(filter: &SharedFilter, key: &[u8], i: u64) {
    let Some(token) = filter.claim(key).ok().and_then(|claim| claim.token()) else { return };
    match i % 4 {
        0 => drop(filter.commit(key, token)),
        1 => drop(filter.commit_at(key, token, Tick(i * WINDOW / 200))),
        2 => drop(filter.abandon(key, token)),
        _ => {}
    }
}

fn seldom(filter: &SharedFilter, i: u64) {
    match i % 256 {
        1 => drop(filter.stats()),
        2 => drop(filter.unshared()),
        3 => filter.stats_reset(),
        4 => drop(filter.advance(Tick(i * WINDOW))),
        5 => filter.clear(),
        6 => drop(filter.write_snapshot(std::io::sink())),
        7 => drop(filter.snapshot_write(&mut vec![0; 1 << 20])),
        _ => {}
    }
}

/// A number that two threads add to without a word to each other.
struct Planted(UnsafeCell<u64>);

// SAFETY: none; this is the fault that must be found.
unsafe impl Sync for Planted {}

static PLANTED: Planted = Planted(UnsafeCell::new(0));
/// Whether the first of them has added. The second waits, since the sanitizer may miss two accesses at the same instant; the flag
/// is relaxed, so it orders nothing, and the race stays one.
static ADDED: AtomicBool = AtomicBool::new(false);

fn planted() -> c_int {
    let add = || {
        // SAFETY: none; see above.
        unsafe { *PLANTED.0.get() += 1 };
    };
    let other = thread::spawn(move || {
        while !ADDED.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        add();
    });
    add();
    ADDED.store(true, Ordering::Relaxed);
    other.join().map_or(1, |()| 0)
}
