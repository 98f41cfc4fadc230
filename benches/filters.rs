//! Filters of this library as they are timed, and the requests for the windowed ones.

use std::time::Duration;

use lately::{Clock, Filter, Kind, Options, SharedFilter, Tick, Unit, Verdict};

use crate::contender::{Contender, Filling, Subject, Verb};
use crate::workloads::{Block, Promise};

/// The error rate of every bench, whatever the default is: figures are compared with those measured before.
pub(crate) const RATE: f64 = 1e-3;

/// The filters of a window of insertions, and of a window of time, as the tables call them.
pub(crate) const LAST_N: &str = "age-partitioned";
pub(crate) const LAST_T: &str = "time-limited";

/// A window of `keys` sightings, one a tick.
pub(crate) fn last_t(keys: u64) -> Options {
    Options::time_limited(Duration::from_nanos(keys))
        .clock(Clock::Manual(Unit::Nanoseconds))
        .error_rate(RATE)
        .capacity(keys)
}

/// A window of `keys` insertions.
pub(crate) fn last_n(keys: u64) -> Options {
    any_last_n().window_keys(keys)
}

/// The same, whose window is left to the plan.
pub(crate) fn any_last_n() -> Options {
    Options::new(Kind::AgePartitioned).error_rate(RATE)
}

/// A window table of the last `keys` sightings.
pub(crate) fn last(keys: u64) -> Options {
    Options::last(keys).error_rate(RATE)
}

/// A window table of `keys` sightings, one a tick.
pub(crate) fn within(keys: u64) -> Options {
    Options::window(Duration::from_nanos(keys)).clock(Clock::Manual(Unit::Nanoseconds)).error_rate(RATE)
}

/// A filter, and whether its calls carry a tick.
struct Timed<F> {
    filter: F,
    ticks: bool,
}

/// Which handle a filter is behind.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Handle {
    Unshared,
    Shared,
}

/// A filter in its steady state, for a stream with `window` sightings in its window. It promises what its plan says.
pub(crate) fn contender(name: &str, options: &Options, window: u64, filling: Filling) -> Contender {
    contender_of(Handle::Unshared, name, options, window, filling)
}

/// The same behind either handle.
pub(crate) fn contender_of(handle: Handle, name: &str, options: &Options, window: u64, filling: Filling) -> Contender {
    let plan = Filter::plan(options).expect("a plan for this request");
    let missed = if plan.miss_rate.is_nan() { 1.0 } else { plan.miss_rate };
    let promise = Promise { false_duplicates: plan.error_rate_worst, missed };
    let subject = match handle {
        Handle::Unshared => subject(options),
        Handle::Shared => shared_subject(options),
    };
    Contender::new(name, subject, window, promise, filling)
}

/// A new filter.
pub(crate) fn subject(options: &Options) -> Box<dyn Subject> {
    let mut filter = Filter::new(options).expect("a filter for this request");
    let ticks = filter.advance(Tick(0)).is_ok();
    Box::new(Timed { filter, ticks })
}

/// A new filter for many threads.
fn shared_subject(options: &Options) -> Box<dyn Subject> {
    let filter = SharedFilter::new(options).expect("a filter for this request");
    let ticks = filter.advance(Tick(0)).is_ok();
    Box::new(Timed { filter, ticks })
}

/// The verbs of a handle, which are called alike.
macro_rules! subject {
    ($handle:ty) => {
        impl Subject for Timed<$handle> {
            fn run(&mut self, verb: Verb, batch: usize, block: &Block, verdicts: &mut Vec<Verdict>) {
                if batch > 1 { self.batches(verb, batch, block, verdicts) } else { self.singles(verb, block, verdicts) }
            }

            fn clear(&mut self) {
                self.filter.clear();
            }
        }

        impl Timed<$handle> {
            fn singles(&mut self, verb: Verb, block: &Block, verdicts: &mut Vec<Verdict>) {
                const TAKEN: &str = "the filter takes this key";
                let filter = &mut self.filter;
                match (verb, self.ticks) {
                    (Verb::Observe, false) => answers(block, verdicts, |key, _| filter.observe(key).expect(TAKEN)),
                    (Verb::Observe, true) => {
                        answers(block, verdicts, |key, tick| filter.observe_at(key, tick).expect(TAKEN))
                    }
                    (Verb::Contains, false) => answers(block, verdicts, |key, _| filter.contains(key)),
                    (Verb::Contains, true) => {
                        answers(block, verdicts, |key, tick| filter.contains_at(key, tick).expect(TAKEN))
                    }
                    (Verb::Insert, false) => block.singles().for_each(|(key, _)| filter.insert(key).expect(TAKEN)),
                    (Verb::Insert, true) => {
                        block.singles().for_each(|(key, tick)| filter.insert_at(key, tick).expect(TAKEN))
                    }
                }
            }

            fn batches(&mut self, verb: Verb, batch: usize, block: &Block, verdicts: &mut Vec<Verdict>) {
                if verb != Verb::Insert {
                    verdicts.resize(block.len(), Verdict::New);
                }
                let mut rest = verdicts.as_mut_slice();
                for (keys, ticks) in block.batches(batch) {
                    let ticks = self.ticks.then_some(ticks);
                    let (now, later) = rest.split_at_mut(if verb == Verb::Insert { 0 } else { keys.len() });
                    match verb {
                        Verb::Observe => self.filter.observe_batch(keys, ticks, now),
                        Verb::Contains => self.filter.contains_batch(keys, ticks, now),
                        Verb::Insert => self.filter.insert_batch(keys, ticks),
                    }
                    .expect("the filter takes this batch");
                    rest = later;
                }
            }
        }
    };
}

subject!(Filter);
subject!(SharedFilter);

/// One call for each key.
pub(crate) fn answers(block: &Block, verdicts: &mut Vec<Verdict>, mut answer: impl FnMut(&[u8], Tick) -> Verdict) {
    verdicts.extend(block.singles().map(|(key, tick)| answer(key, tick)));
}
