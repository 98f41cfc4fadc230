//! The trait that a kind adds for many threads: the lock of a key, and the verbs under that lock.

use crate::error::Error;
use crate::filter::contract::{Contract, no_removal};
use crate::filter::place::Place;
use crate::filter::values::{Age, Verdict};
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;

/// Locks of a filter for many threads.
pub(crate) const STRIPES: usize = 64;

/// Which lock a key goes by.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Route {
    /// The one of the key itself: its cells are bits anywhere, and are set concurrently with others.
    Key,
    /// The one of the key's block or row, of which there are `cells`; 2^`run` neighbours have the same lock.
    Cell { cells: u64, run: u32 },
    /// The one that the lowest bits of the mixed key name, as many as [`Striped::route_bits`] says.
    Bits,
}

impl Route {
    /// A number below [`STRIPES`].
    #[inline]
    pub(crate) fn stripe(self, key: KeyHash, bits: u64) -> usize {
        match self {
            Self::Key => num::index(num::spread(key.0, num::wide(STRIPES))),
            Self::Cell { cells, run } => num::index(num::spread(key.derive(0), cells) >> run) % STRIPES,
            Self::Bits => num::index(key.mixed() & ((1 << bits) - 1)),
        }
    }
}

/// The verbs of a kind that many threads call, each under the one of [`STRIPES`] locks that `route` names. `None`
/// means that the call needs all locks, and that nothing has changed. Under all locks `gather` brings the filter to what
/// one thread would have made of it, so that [`Contract`] continues from there, and `scatter` gives it back to the threads.
pub(crate) trait Striped: Contract {
    /// The numbers that threads change without a lock.
    type LockFree: Default;
    /// The changes under one lock since a thread last had all of them.
    type Delta;
    /// Where it lies in a handle of one owner.
    type Place: Place<Target = Self>;

    /// A part in which nothing has happened.
    fn part(&self) -> Result<Self::Delta, Error>;
    /// How keys find their lock; it never changes.
    fn route(&self) -> Route;
    /// Bits of [`Route::Bits`], 6 at most; they change under all locks only.
    fn route_bits(&self) -> u32 {
        0
    }
    /// For tests, before they divide it: a filter of few keys becomes one that can be divided.
    fn make_divisible(&mut self) {}
    /// [`Contract::observe`].
    fn observe_concurrent(
        &self,
        open: &Self::LockFree,
        part: &mut Self::Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<Verdict, Error>>;
    /// [`Contract::observe`] of a key that `contains_concurrent` has just found, whatever became of it since.
    fn renew_concurrent(
        &self,
        open: &Self::LockFree,
        part: &mut Self::Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<(), Error>> {
        Some(self.observe_concurrent(open, part, key, now)?.map(|_| ()))
    }
    /// [`Contract::insert`].
    fn insert_concurrent(
        &self,
        open: &Self::LockFree,
        part: &mut Self::Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<(), Error>>;
    /// [`Contract::contains`].
    fn contains_concurrent(
        &self,
        open: &Self::LockFree,
        part: &Self::Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Verdict>;
    /// [`Contract::age`].
    fn age_concurrent(
        &self,
        _open: &Self::LockFree,
        _part: &Self::Delta,
        _key: KeyHash,
        _now: Tick,
    ) -> Option<Option<Age>> {
        Some(None)
    }
    /// Prefetches the lines of one of the next keys, where only a thread that has the lock can find them.
    fn prefetch_later(&self, _part: &Self::Delta, _keys: &[KeyHash]) {}
    /// [`Contract::remove`].
    fn remove_concurrent(
        &self,
        _open: &Self::LockFree,
        _part: &mut Self::Delta,
        _key: KeyHash,
        _now: Tick,
    ) -> Option<Result<bool, Error>> {
        Some(Err(no_removal()))
    }
    /// Takes in what happened under every lock, in their order.
    fn gather<'a>(&mut self, open: &mut Self::LockFree, parts: impl Iterator<Item = &'a mut Self::Delta>)
    where
        Self::Delta: 'a;
    /// Hands out what the threads need to continue.
    fn scatter<'a>(&mut self, _open: &mut Self::LockFree, _parts: impl Iterator<Item = &'a mut Self::Delta>)
    where
        Self::Delta: 'a,
    {
    }

    /// [`Contract::clock`]; `None` if one lock does not know it.
    fn clock_concurrent(&self, _open: &Self::LockFree) -> Option<Tick> {
        Some(Tick(0))
    }
    /// [`Contract::check_step`].
    fn check_step_concurrent(
        &self,
        _open: &Self::LockFree,
        _part: &Self::Delta,
        _now: Tick,
    ) -> Option<Result<(), Error>> {
        Some(Ok(()))
    }
    /// Takes a tick that `admit_concurrent` took under one lock: between the two the filter may have been cleared.
    fn admit_again(&mut self, now: Tick) -> Result<(), Error> {
        self.check_step(now)
    }
    /// [`Contract::admit`].
    fn admit_concurrent(
        &self,
        _open: &Self::LockFree,
        _part: &mut Self::Delta,
        _now: Tick,
    ) -> Option<Result<(), Error>> {
        Some(Ok(()))
    }
}
