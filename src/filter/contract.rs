//! What every kind of filter keeps: the verbs, the verdict, the statistics.

use std::io;

use crate::error::Error;
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source};

/// Locks of a filter for many threads.
pub(crate) const STRIPES: usize = 64;

/// The answer to "have I seen this lately?". Never a bare bool: half of the world means the opposite by `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Verdict {
    /// Not seen within the window.
    New = 0,
    /// Seen, or, with at most the error rate, believed to be.
    Duplicate = 1,
}

impl Verdict {
    /// Whether the key was seen.
    #[must_use]
    pub const fn is_duplicate(self) -> bool {
        matches!(self, Self::Duplicate)
    }

    /// Whether the key was not seen.
    #[must_use]
    pub const fn is_new(self) -> bool {
        matches!(self, Self::New)
    }

    pub(crate) const fn of(present: bool) -> Self {
        if present { Self::Duplicate } else { Self::New }
    }
}

impl From<Verdict> for u8 {
    /// The number of the C ABI: 0 for new, 1 for duplicate.
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::New => 0,
            Verdict::Duplicate => 1,
        }
    }
}

/// What a filter knows of itself, in O(slices): nothing is scanned. What a kind does not have is 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Bytes of the cells now.
    pub bytes: u64,
    /// The most bytes of the cells so far.
    pub bytes_peak: u64,
    /// Slices that are allocated (the two windowed kinds).
    pub slices: u64,
    /// Bits of the newest slice (the two windowed kinds).
    pub newest_slice_bits: u64,
    /// Keys that the generations within the window have counted; entries (TinySet); filled cells (Quotient).
    pub items: u64,
    /// Keys that all allocated generations but the k oldest have counted, or what `items` is: `8 * bytes / stored` is
    /// the price per key.
    pub stored: u64,
    /// How far back the promise reaches now, in nanoseconds: no key inserted less than this ago is missed. The window,
    /// whose very edge is inside, unless `memory` shortened it; 0 if keys of this very tick had to go.
    pub reach_ns: u64,
    /// The chance that an absent key is called a duplicate now, from the real fills.
    pub error_rate: f64,
    /// Shifts so far.
    pub shifts: u64,
    /// Slices that `memory` made the filter forget before their time.
    pub forgotten: u64,
    /// Shifts that `memory` made the filter put off, so that the error rate rises.
    pub deferred: u64,
    /// Observations answered `New` since the last `stats_reset`.
    pub new_count: u64,
    /// Observations answered `Duplicate` since the last `stats_reset`.
    pub duplicate_count: u64,
    /// Ticks below the clock, judged at the clock, since the last `stats_reset`.
    pub late_ticks: u64,
    /// Ticks refused by `max_step_ns` since the last `stats_reset`.
    pub refused_ticks: u64,
    /// The filter's clock.
    pub clock: Tick,
    /// Rows all of whose cells are filled (Quotient).
    pub rows_full: u64,
    /// The chance that a key seen very long ago is called new now (Quotient): once all rows are full, what the rate of
    /// missed duplicates tends to with distance.
    pub miss_rate: f64,
}

/// The integers that follow from a request, before anything is allocated. What a kind does not have is 0, and a
/// rate that nothing fixes is NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PlanSummary {
    /// Bytes of the cells at the planned number of keys; 0 when the request names none.
    pub bytes: u64,
    /// Bits per key of the window, margin included.
    pub bits_per_key: f64,
    /// Bits per key, or cells per row.
    pub k: u64,
    /// Full generations in the window.
    pub l: u64,
    /// Fill of a full slice.
    pub fill: f64,
    /// Slices in the steady state, k + l.
    pub slices: u64,
    /// Blocks (TinySet).
    pub blocks: u64,
    /// Rows (Quotient), or bits of a slice (age-partitioned).
    pub rows: u64,
    /// Keys per chain (TinySet).
    pub load: f64,
    /// Share of the size that is there for the unevenness of arrivals.
    pub margin: f64,
    /// Rate of false duplicates at the worst instant.
    pub error_rate_worst: f64,
    /// Rate of false duplicates averaged over a generation.
    pub error_rate_mean: f64,
    /// Rate of missed duplicates at `window_keys`; NaN when that is not given.
    pub miss_rate: f64,
    /// The window in keys, or the keys that `memory` can hold; 0 when the request names neither.
    pub window_keys: u64,
    /// Cache lines that one `observe` of a new key touches, about.
    pub cache_lines_per_observe: f64,
    /// Bits of a fingerprint (Quotient).
    pub fingerprint_bits: u64,
    /// Chains of a block (TinySet).
    pub chains: u64,
    /// Bytes of a block (TinySet).
    pub block_bytes: u64,
}

/// The verbs of a kind. An `Err` leaves the filter as it was (but for the count of refused ticks). A kind without
/// time ignores every tick and leaves the verbs of time as they are here.
pub(crate) trait Contract: Sized {
    /// Tests and inserts in one step.
    fn observe(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error>;
    /// `observe` of a key whose cache lines are on their way already.
    fn observe_fetched(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        self.observe(key, now)
    }
    /// Inserts without a verdict.
    fn insert(&mut self, key: KeyHash, now: Tick) -> Result<(), Error>;
    /// The verdict that `observe` would give at `now`, or at the filter's clock if that is later.
    fn contains(&self, key: KeyHash, now: Tick) -> Verdict;
    /// Asks for the cache lines that `observe` of this key will need.
    fn prefetch(&self, key: KeyHash);
    /// Takes one entry that matches out; says whether there was one.
    fn remove(&mut self, key: KeyHash) -> Result<bool, Error>;
    /// Empties the filter and forgets clock and counters.
    fn clear(&mut self);
    /// A copy of everything.
    fn try_clone(&self) -> Result<Self, Error>;
    /// What the filter knows of itself at `now`.
    fn stats(&self, now: Tick) -> Stats;
    /// Sets the resettable counters to 0.
    fn stats_reset(&mut self);

    /// The clock, as it stands.
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

/// Which lock a key goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Route {
    /// The one of the key itself: its cells are bits anywhere, and are set at once with others.
    Key,
    /// The one of the key's block or row, of which there are `cells`; 2^`run` neighbours have the same lock.
    Cell { cells: u64, run: u32 },
}

impl Route {
    /// A number below [`STRIPES`].
    #[inline]
    pub(crate) fn stripe(self, key: KeyHash) -> usize {
        match self {
            Self::Key => num::index(num::spread(key.0, num::wide(STRIPES))),
            Self::Cell { cells, run } => num::index(num::spread(key.derive(0), cells) >> run) % STRIPES,
        }
    }
}

/// The verbs of a kind that many threads call, each under the one of [`STRIPES`] locks that `route` names. `None`
/// says that the call needs all locks, and that nothing has changed. Under all locks `gather` brings the filter to what
/// one thread would have made of it, so that [`Contract`] goes on from there, and `scatter` gives it back to the threads.
pub(crate) trait Striped: Contract {
    /// What threads change without a lock.
    type Open: Default;
    /// What has happened under one lock since all of them were held.
    type Part;

    /// A part in which nothing has happened.
    fn part(&self) -> Result<Self::Part, Error>;
    /// Bytes of a part whose size the plan does not bound: 0 where 32 KiB are enough.
    fn part_bytes(&self) -> u64 {
        0
    }
    /// How keys find their lock; it never changes.
    fn route(&self) -> Route;
    /// [`Contract::observe_fetched`].
    fn observe_concurrent(
        &self,
        open: &Self::Open,
        part: &mut Self::Part,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<Verdict, Error>>;
    /// [`Contract::insert`].
    fn insert_concurrent(
        &self,
        open: &Self::Open,
        part: &mut Self::Part,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<(), Error>>;
    /// [`Contract::contains`].
    fn contains_concurrent(&self, open: &Self::Open, part: &Self::Part, key: KeyHash, now: Tick) -> Option<Verdict>;
    /// [`Contract::remove`].
    fn remove_concurrent(&self, part: &mut Self::Part, key: KeyHash) -> Result<bool, Error>;
    /// Takes in what happened under every lock, in their order.
    fn gather<'a>(&mut self, open: &mut Self::Open, parts: impl Iterator<Item = &'a mut Self::Part>)
    where
        Self::Part: 'a;
    /// Hands out what the threads need to go on.
    fn scatter<'a>(&mut self, _open: &mut Self::Open, _parts: impl Iterator<Item = &'a mut Self::Part>)
    where
        Self::Part: 'a,
    {
    }

    /// [`Contract::clock`].
    fn clock_concurrent(&self, _open: &Self::Open) -> Tick {
        Tick(0)
    }
    /// [`Contract::check_step`].
    fn check_step_concurrent(&self, _open: &Self::Open, _now: Tick) -> Result<(), Error> {
        Ok(())
    }
    /// Takes a tick that `admit_concurrent` took under one lock: between the two the filter may have been cleared.
    fn admit_again(&mut self, now: Tick) -> Result<(), Error> {
        self.check_step(now)
    }
    /// [`Contract::admit`].
    fn admit_concurrent(&self, _open: &Self::Open, _part: &mut Self::Part, _now: Tick) -> Option<Result<(), Error>> {
        Some(Ok(()))
    }
}

/// How a kind is kept in a snapshot: its own part of it, between the common head and the checksum.
pub(crate) trait Stored: Contract {
    /// The number of the kind, in the C ABI and in snapshots.
    const NUMBER: u32;

    /// Bytes that `save` writes.
    fn saved_bytes(&self) -> u64;
    /// Writes the filter as it stands at `now`, which is not before its clock.
    fn save(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()>;
    /// Reads a filter that stood at `then` when it was saved, and goes on at `now`. No bytes are taken on trust.
    fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_its_number() {
        assert_eq!([Verdict::New, Verdict::Duplicate].map(u8::from), [0, 1]);
        assert_eq!([false, true].map(Verdict::of), [Verdict::New, Verdict::Duplicate]);
        assert!(Verdict::New.is_new() && !Verdict::New.is_duplicate());
        assert!(Verdict::Duplicate.is_duplicate() && !Verdict::Duplicate.is_new());
    }
}
