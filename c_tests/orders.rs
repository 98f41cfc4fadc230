//! The C functions in the orders in which threads may run, on one handle: a checker (shuttle) decides at every lock, at every counter
//! and at the count of holders who continues. Built with `RUSTFLAGS="--cfg shuttle"` alone (`ctest -R threads.c_orders`).
//!
//! ```text
//!  program   what each thread calls        ->  run many times, each time in another order of its steps
//!  events    each call: its answer, when it began, when it ended
//!  replay    is there an order of the calls, one after the other, in which a plain list of keys answers the same?
//! ```
//! A call that ended before another began comes before it in that order. Seeds are fixed.
#![cfg(shuttle)]

#[path = "adversarial/abi.rs"]
#[allow(dead_code, reason = "each test program uses its own part of this")]
mod abi;
#[path = "orders/calls.rs"]
mod calls;
#[path = "orders/freed.rs"]
mod freed;
#[path = "orders/programs.rs"]
mod programs;
#[path = "orders/replay.rs"]
mod replay;

// The C functions that are called.
use capi as _;

use std::sync::Arc;

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, Runner, thread};

use abi::{OK, Owned, RawOptions, SHARED, Verb};
use programs::{FILTERS, PROGRAMS, Program};
use replay::Call;

/// Orders for each program and filter, half of them drawn at random and half with few changes at the worst places.
const ORDERS: usize = 200;

fn in_every_order(body: impl Fn() + Send + Sync + Clone + 'static) {
    let config = || {
        let mut config = Config::new();
        config.stack_size = 1 << 18;
        config
    };
    Runner::new(RandomScheduler::new_from_seed(1, ORDERS / 2), config()).run(body.clone());
    Runner::new(PctScheduler::new_from_seed(1, 3, ORDERS / 2), config()).run(body);
}

/// A handle for threads, divided among its locks or not, whose clock has started.
fn made(options: &RawOptions, divided: bool) -> Owned {
    let (status, handle, error) = Owned::new(&SHARED, options);
    assert_eq!(status, OK, "{}", error.text());
    handle.start();
    if divided {
        handle.divide();
    }
    handle
}

/// Every program on every filter that has its verbs.
fn each_program(wanted: impl Fn(&Program) -> bool, run: impl Fn(&'static Program, &RawOptions, bool)) {
    let mut runs = 0;
    for program in PROGRAMS.iter().filter(|program| wanted(program)) {
        for (has, options) in FILTERS.iter().filter(|(has, _)| program.needs.iter().all(|need| has.contains(need))) {
            println!("{}: {has:?}", program.name);
            [false, true].into_iter().for_each(|divided| run(program, &options(), divided));
            runs += 1;
        }
    }
    assert!(runs > 0, "no program");
}

#[test]
fn answers_are_those_of_calls_one_after_the_other() {
    each_program(
        |_| true,
        |program, options, divided| {
            let options = *options;
            in_every_order(move || {
                let events = program.run(&Arc::new(made(&options, divided)));
                assert!(
                    replay::is_possible(&events),
                    "{}: no order of these calls has these answers: {events:#?}",
                    program.name
                );
            });
        },
    );
}

/// The oracle bites: of the same answers, with one verdict turned round, some are those of no order.
#[test]
fn a_wrong_answer_is_that_of_no_order() {
    let options = FILTERS[0].1();
    let refused = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for program in PROGRAMS.iter().filter(|program| program.needs.is_empty()) {
        let refused = refused.clone();
        in_every_order(move || {
            let mut events = program.run(&Arc::new(made(&options, false)));
            let Some(first) = events[0].iter_mut().find(|event| matches!(event.call, Call::Observe(_))) else { return };
            first.answer[0] ^= 1;
            refused.fetch_add(usize::from(!replay::is_possible(&events)), std::sync::atomic::Ordering::Relaxed);
        });
    }
    let refused = refused.load(std::sync::atomic::Ordering::Relaxed);
    assert!(refused > ORDERS / 2, "only {refused}");
}

/// Each thread retains the handle, uses it, and frees it, in any order with the first holder: the memory goes with the last one.
#[test]
fn the_last_holder_frees_on_whichever_thread() {
    for (_, options) in FILTERS {
        let options = options();
        in_every_order(move || {
            let first = made(&options, false);
            freed::watch(first.raw);
            let hold = |own: Owned| {
                move || {
                    let second = own.retained();
                    let used = |handle: &Owned| {
                        assert_eq!(handle.one(Verb::Observe, b"key", None).0, OK);
                        assert_eq!(freed::times(), 0, "freed beside a holder");
                    };
                    used(&own);
                    drop(own);
                    assert_eq!(freed::times(), 0, "freed before its last holder");
                    used(&second);
                }
            };
            let threads = [first.retained(), first.retained(), first].map(|own| thread::spawn(hold(own)));
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            assert_eq!(freed::times(), 1, "every holder has freed it");
        });
    }
}
