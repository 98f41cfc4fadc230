//! Locks and verbs together.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::SharedFilter;
use super::stripes::Stripes;
use crate::edge::{Chunk, When};
use crate::filter::any::each_kind;
use crate::filter::contract::Contract;
use crate::filter::sliced::time_limited::TimeLimited;
use crate::filter::values::Verdict;
use crate::filter::window_table::WindowTable;
use crate::hash::KeyHash;
use crate::keys::Keys;
use crate::kind::Kind;
use crate::options::{Clock, Options};
use crate::tick::Tick;
use crate::unit::Unit;

/// Room that was taken in and not given back would be lost, and generations would end early.
#[test]
fn a_panic_under_all_locks_gives_the_filter_back_to_the_threads() {
    let window = 1_000_000;
    let options = Options::new(Kind::TimeLimited).window_ns(window).capacity(640).error_rate(0.01);
    let mut alone = TimeLimited::new(&options).unwrap();
    let stripes = Stripes::new(TimeLimited::new(&options).unwrap()).unwrap();
    stripes.divide();
    for i in 0..3000_u64 {
        if i % 50 == 0 {
            catch_unwind(AssertUnwindSafe(|| stripes.all(|_| panic!("planted")))).unwrap_err();
        }
        let (key, now) = (KeyHash(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)), Tick(i * window / 640));
        assert_eq!(stripes.observe(key, When::Read(now)), alone.observe(key, now));
    }
    let end = Tick(3000 * window / 640);
    assert_eq!(stripes.all(|filter| filter.stats(end).shifts), alone.stats(end).shifts);
}

fn undivided() -> Stripes<TimeLimited> {
    Stripes::new(TimeLimited::new(&Options::new(Kind::TimeLimited).window_ns(1000)).unwrap()).unwrap()
}

/// Another thread observes a key while this one does `holding`, which gets a moment to wait for it.
fn while_another(stripes: &Stripes<TimeLimited>, holding: impl FnOnce(&dyn Fn())) {
    thread::scope(|scope| {
        holding(&|| {
            scope.spawn(|| stripes.observe(KeyHash(1), When::Read(Tick(1))));
            thread::sleep(Duration::from_millis(2));
        });
    });
}

#[test]
fn threads_that_wait_for_each_other_divide_the_filter() {
    let stripes = undivided();
    let hold = |begin: &dyn Fn()| {
        let whole = stripes.whole();
        begin();
        drop(whole);
    };
    let rounds = (0..10_000).find(|_| {
        while_another(&stripes, hold);
        stripes.whole().is_none()
    });
    assert!(rounds.is_some_and(|rounds| rounds >= 7), "divided after {rounds:?} rounds");
    assert_eq!(stripes.observe(KeyHash(1), When::Read(Tick(1))), Ok(Verdict::Duplicate));
}

/// One thread that asks for statistics again and again does not make another one pay for many.
#[test]
fn thread_that_waits_for_stats_does_not_divide_the_filter() {
    let stripes = undivided();
    for _ in 0..40 {
        while_another(&stripes, |begin| stripes.all(|_| begin()));
    }
    assert!(stripes.whole().is_some());
}

/// Keys of one section of a window table have one lock. A chunk takes it for its keys, and again where a part of the window ends.
#[test]
fn neighbours_of_a_batch_that_go_by_one_lock_take_it_once() {
    let options = Options::new(Kind::WindowTable).window_keys(4000);
    let mut alone = WindowTable::new(&options).unwrap();
    let stripes = Stripes::new(WindowTable::new(&options).unwrap()).unwrap();
    stripes.divide();
    for round in 0..600 {
        let keys = (0..).map(|i| KeyHash(KeyHash(round * 1000 + i).derive(0) % 6000));
        let route = stripes.route();
        let hashes: Vec<_> = keys.filter(|key| route.stripe(*key, 3) == 5).take(16).collect();
        let (chunk, mut verdicts) = (Chunk::at(Tick(0), &hashes), Vec::new());
        let before = stripes.taken.get();
        stripes.observe_chunk(&chunk, |i, verdict| verdicts.push((i, verdict))).unwrap();
        let taken = stripes.taken.get() - before;
        assert!(taken <= 2, "{taken} locks for 16 keys");
        let expected: Vec<_> = hashes.iter().map(|&key| alone.observe(key, Tick(0)).unwrap()).enumerate().collect();
        assert_eq!(verdicts, expected);
    }
}

/// The lock of another section is held meanwhile: a batch that asked for the clock of all would wait for it.
#[test]
fn a_batch_with_ticks_takes_the_locks_of_its_keys_alone() {
    let options = Options::window(Duration::from_nanos(1000)).clock(Clock::Manual(Unit::Nanoseconds));
    let filter = SharedFilter::new(&options).unwrap();
    // A map of fewer keys is under one lock.
    (0..3000_u64).for_each(|key| assert!(filter.observe_at(key.to_le_bytes(), Tick(1)).is_ok()));
    filter.divide();
    let of = |section| (0..).map(KeyHash).filter(move |key| key.mixed() % 8 == section);
    let (held, keys): (_, Vec<_>) = (of(2).next().unwrap(), of(5).take(40).collect());
    let ticks = vec![Tick(2); keys.len()];
    let batches = || {
        let (mut verdicts, ticks) = (vec![Verdict::AbsentKey; keys.len()], Some(&ticks[..]));
        filter.observe_batch(Keys::Hashes(&keys), ticks, &mut verdicts)?;
        filter.contains_batch(Keys::Hashes(&keys), ticks, &mut verdicts)?;
        filter.insert_batch(Keys::Hashes(&keys), ticks).map(|()| verdicts)
    };
    thread::scope(|scope| {
        let (done, waits) = mpsc::channel();
        let meanwhile = || {
            scope.spawn(move || done.send(batches()));
            waits.recv_timeout(Duration::from_secs(20))
        };
        let first = each_kind!(&filter.parts.any, stripes => stripes.of_key(held, |_, _, _| meanwhile()));
        assert_eq!(first, Some(Ok(Ok(vec![Verdict::Duplicate; 40]))));
    });
}
