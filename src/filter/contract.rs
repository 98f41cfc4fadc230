//! The trait of every kind of filter: how it is made, the verbs, and its part of a snapshot.

use std::{fmt, io};

use crate::error::Error;
use crate::filter::values::{Age, PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::options::Options;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source};

/// The verbs of a kind. An `Err` leaves the filter as it was (except for the count of refused ticks). A kind without
/// time ignores every tick and leaves the verbs of time as they are here.
pub(crate) trait Contract: Sized + fmt::Debug {
    /// Its row in the table of kinds.
    const KIND: Kind;

    /// Builds the filter that the options ask for.
    fn new(options: &Options) -> Result<Self, Error>;
    /// The integers that follow from the options; allocates nothing.
    fn plan(options: &Options) -> Result<PlanSummary, Error>;

    /// Tests and inserts in one step.
    fn observe(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error>;
    /// [`Contract::admit`], then `observe`. A call of its own, so that a handle of any kind has no registers to keep.
    #[inline(never)]
    fn observe_at(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        self.admit(now).and_then(|()| self.observe(key, now))
    }
    /// `observe`, and whether it left a trace: whether a copy of this filter must observe the key, too, to find what this one does.
    fn observe_traced(&mut self, key: KeyHash, now: Tick) -> Result<(Verdict, bool), Error> {
        Ok((self.observe(key, now)?, true))
    }
    /// Inserts without a verdict.
    fn insert(&mut self, key: KeyHash, now: Tick) -> Result<(), Error>;
    /// The verdict that `observe` would give at `now`, or at the filter's clock if that is later.
    fn contains(&self, key: KeyHash, now: Tick) -> Verdict;
    /// Whether it knows how long ago a key was seen. Most kinds know that it was, and not when.
    fn expect_ages() -> Result<(), Error> {
        Err(Error::unsupported("age: only kinds with age_bits know how long ago a key was seen"))
    }
    /// How long ago the key that `contains` finds was seen; `None` where that would say `New`.
    fn age(&self, _key: KeyHash, _now: Tick) -> Option<Age> {
        None
    }
    /// `observe`, with the age that the key had before it.
    fn observe_age(&mut self, key: KeyHash, now: Tick) -> Result<(Verdict, Option<Age>), Error> {
        let age = self.age(key, now);
        Ok((self.observe(key, now)?, age))
    }
    /// Makes many observations. A kind that chooses its instructions at run time chooses them once here.
    #[inline]
    fn observe_series<S: Series<Self>>(&mut self, series: S) -> S::Result {
        series.run::<Portable>(self)
    }
    /// Asks for the cache lines that `observe` of this key will need.
    fn prefetch(&self, key: KeyHash);
    /// Asks for those that `contains` will need.
    fn prefetch_look(&self, key: KeyHash) {
        self.prefetch(key);
    }
    /// Bytes in which the cells of any key may be.
    fn cell_bytes(&self) -> u64;
    /// Up to this many bytes the cells are in a cache, and prefetching costs a batch more than it saves. Measured, as the next.
    const NEAR: u64 = 128 << 10;
    /// Keys of a batch whose lines are on their way at once, 16 at most: more where a key has few.
    const AHEAD: usize = 16;
    /// An error unless it can remove.
    fn expect_removal(&self) -> Result<(), Error> {
        if Self::KIND.always_removes() { Ok(()) } else { Err(no_removal()) }
    }
    /// Takes one entry that matches out, or forgets the key of a window at `now`; returns whether it was there.
    fn remove(&mut self, _key: KeyHash, _now: Tick) -> Result<bool, Error> {
        Err(no_removal())
    }
    /// Empties the filter and forgets clock and counters.
    fn clear(&mut self);
    /// A copy of everything.
    fn try_clone(&self) -> Result<Self, Error>;
    /// The statistics of the filter at `now`.
    fn stats(&self, now: Tick) -> Stats;
    /// Sets the resettable counters to 0.
    fn stats_reset(&mut self);

    /// Whether its window is a span of time, so that it takes ticks.
    fn has_time(&self) -> bool {
        false
    }
    /// The options that make such a filter again, with what the plan chose. Those of the handle are not among them.
    fn options(&self) -> Options;
    /// The window: nanoseconds if it has time, else keys; 0 where there is none.
    fn window(&self) -> u64 {
        0
    }
    /// Whether its clock has had a tick; a kind without time needs none.
    fn has_started(&self) -> bool {
        true
    }
    /// The clock as it is, for a call without a tick; an error if it has had none.
    #[inline(always)]
    fn present(&self) -> Result<Tick, Error> {
        if self.has_started() { Ok(self.clock()) } else { Err(Error::no_tick_yet()) }
    }
    /// The clock as it is.
    fn clock(&self) -> Tick {
        Tick(0)
    }
    /// An error if `now` leads the clock by more than the limit on steps.
    fn check_step(&self, _now: Tick) -> Result<(), Error> {
        Ok(())
    }
    /// Checks `now` against the limit on steps, counts the tick if it is late, and starts the clock.
    fn admit(&mut self, _now: Tick) -> Result<(), Error> {
        Ok(())
    }
    /// Moves the clock to `now`, however far that is.
    fn advance(&mut self, _now: Tick) {}
}

/// How a kind is kept in a snapshot: its own part of it, between the common head and the checksum.
pub(crate) trait Stored: Contract {
    /// Bytes that `save` writes.
    fn saved_bytes(&self) -> u64;
    /// Writes the filter as it is at `now`, which is not before its clock.
    fn save(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()>;
    /// Reads a filter whose clock was at `then` when it was saved, and resumes at `now`. No bytes are taken on trust.
    fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused>;
}

/// Most kinds forget by themselves, and have no `remove`.
pub(crate) fn no_removal() -> Error {
    Error::unsupported(Kind::NO_REMOVAL)
}

/// Observations that are made one after the other.
pub(crate) trait Series<K> {
    /// The result of all of them.
    type Result;
    /// Makes each observation in this way.
    fn run<W: Observing<K>>(self, filter: &mut K) -> Self::Result;
}

/// A way to make an observation. A type and not a function, so that it can ask to be inlined: only there a compiler may use the
/// instructions that were chosen.
pub(crate) trait Observing<K> {
    /// [`Contract::observe`], after [`Contract::admit`] if the caller gave the tick.
    fn observe(filter: &mut K, key: KeyHash, now: Tick, is_given: bool) -> Result<Verdict, Error>;
    /// [`Contract::prefetch`].
    fn prefetch(filter: &K, key: KeyHash);
}

/// As a single call does.
pub(crate) struct Portable;

impl<K: Contract> Observing<K> for Portable {
    #[inline(always)]
    fn observe(filter: &mut K, key: KeyHash, now: Tick, is_given: bool) -> Result<Verdict, Error> {
        if is_given {
            filter.admit(now)?;
        }
        filter.observe(key, now)
    }

    #[inline(always)]
    fn prefetch(filter: &K, key: KeyHash) {
        filter.prefetch(key);
    }
}
