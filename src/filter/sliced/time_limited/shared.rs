//! The time-limited filter for many threads: a lock guards the keys of one stripe, and counts what they did.
//!
//! **Law.** One thread gets the verdicts of the unshared filter. Of many, a generation ends when all of them
//! together have filled it, not before and not after.
//!
//! ```text
//!  under one lock    the slices stand still: many threads set bits, generations are not begun
//!  under all locks   what was counted is taken in, then everything continues as in the unshared filter
//!
//!  room of a generation --draw--> each stripe's portion; what is left over goes back under all locks
//! ```
//! **Invariant.** Under all locks, keys in the pool + the sum over the locks of `room` + the sum of `keys` = `room` of the
//! filter when the threads got it. A key for which no room is left is stored only if that changes no bit.
//!
//! **Price.** The slices that fill carry the time of the last insertion under any lock. A stripe knows its own, and the
//! latest of all except for a sixteenth of a generation; in between all locks decide.

use crate::counters::{Maximum, Pool, apart};
use crate::error::Error;
use crate::filter::seen::Seen;
use crate::filter::striped::{Route, Striped};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::options::Repeat;
use crate::tick::Tick;

use super::TimeLimited;
use super::slice::Mix;

/// The part of a generation by which the common stamp may be behind.
const COARSE: u64 = 16;

/// The numbers that all threads read and rarely write.
#[derive(Debug, Default)]
pub(crate) struct LockFree {
    /// The latest tick that a caller gave.
    clock: Maximum,
    /// The last insertion, or one a sixteenth of a generation before it.
    stamp: Maximum,
    /// Keys that the present generation may take and that no stripe has drawn yet.
    room: Pool,
}

/// The changes under one lock.
#[derive(Debug)]
pub(crate) struct Delta {
    clock: Tick,
    stamp: Option<Tick>,
    /// Keys of the present generation that it may take.
    room: u64,
    /// Keys that it took.
    keys: u64,
    /// Bits that it set, by slice, the newest first.
    ones: Vec<u64>,
    seen: Seen,
}

impl TimeLimited {
    /// The clock as all stripes see it.
    fn open_clock(&self, open: &LockFree) -> Tick {
        self.time.clock.max(Tick(open.clock.get()))
    }

    /// The clock as this stripe sees it.
    fn clock_of(&self, open: &LockFree, part: &Delta, now: Tick) -> Tick {
        now.max(self.open_clock(open)).max(part.clock)
    }

    /// The stamp of the slices that fill, as far as it matters at `now`: `None` if it is not known well enough.
    fn stamp_of(&self, open: &LockFree, part: &Delta, now: Tick) -> Option<Tick> {
        let known = self.time.stamp?.max(Tick(open.stamp.get())).max(part.stamp.unwrap_or_default());
        let age = now.since(known);
        let is_clear = age <= self.plan.window || age - self.plan.window > self.coarse();
        is_clear.then_some(known)
    }

    fn coarse(&self) -> u64 {
        self.plan.generation_ns / COARSE
    }

    /// [`Striped::observe_concurrent`], by the functions of the key.
    fn observe_by_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: &impl Mix,
        now: Tick,
    ) -> Option<Result<Verdict, Error>> {
        let clock = self.clock_of(open, part, now);
        let stamp = self.stamp_of(open, part, clock)?;
        let verdict = Verdict::of(self.finds(key, clock, Some(stamp)));
        if verdict == Verdict::New || self.plan.repeat == Repeat::Refresh {
            self.store_concurrent(open, part, key, clock)?;
        }
        part.clock = clock;
        part.seen.count(verdict);
        Some(Ok(verdict))
    }

    /// Inserts at `clock`, if the present generation has room in time and in keys.
    fn store_concurrent(&self, open: &LockFree, part: &mut Delta, key: &impl Mix, clock: Tick) -> Option<()> {
        if clock.since(self.time.generation) >= self.plan.generation_ns {
            return None;
        }
        if part.room == 0 {
            part.room = open.room.draw().taken;
        }
        if part.room == 0 && !self.is_stored(key) {
            return None;
        }
        let mut changed = false;
        for (slice, ones) in self.slices.iter().zip(&mut part.ones) {
            let set = slice.set_concurrent(key);
            *ones += u64::from(set);
            changed |= set;
        }
        part.note(open, clock, self.coarse());
        part.keys += u64::from(changed);
        part.room -= part.room.min(u64::from(changed));
        Some(())
    }
}

impl Delta {
    /// An insertion at `clock`.
    fn note(&mut self, open: &LockFree, clock: Tick, coarse: u64) {
        self.clock = clock;
        self.stamp = Some(clock);
        if clock.since(Tick(open.stamp.get())) > coarse {
            open.stamp.raise(clock.0);
        }
    }
}

impl Striped for TimeLimited {
    type LockFree = LockFree;
    type Delta = Delta;
    type Place = Box<Self>;

    fn part(&self) -> Result<Delta, Error> {
        let ones = apart(self.plan.k)?;
        Ok(Delta { clock: Tick(0), stamp: None, room: 0, keys: 0, ones, seen: Seen::default() })
    }

    fn route(&self) -> Route {
        Route::Key
    }

    fn observe_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<Verdict, Error>> {
        if !self.is_narrow() {
            return self.observe_by_concurrent(open, part, &key, now);
        }
        self.observe_by_concurrent(open, part, &self.mixed(key), now)
    }

    fn insert_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<(), Error>> {
        let clock = self.clock_of(open, part, now);
        self.time.stamp?;
        self.store_concurrent(open, part, &key, clock).map(Ok)
    }

    fn contains_concurrent(&self, open: &LockFree, part: &Delta, key: KeyHash, now: Tick) -> Option<Verdict> {
        if self.time.stamp.is_none() {
            // The first insertion takes all locks: there was none.
            return Some(Verdict::New);
        }
        let clock = self.clock_of(open, part, now);
        let stamp = self.stamp_of(open, part, clock)?;
        Some(Verdict::of(self.finds(&key, clock, Some(stamp))))
    }

    fn gather<'a>(&mut self, open: &mut LockFree, parts: impl Iterator<Item = &'a mut Delta>) {
        self.time.clock = self.open_clock(open);
        #[cfg(debug_assertions)]
        let (given, before) = (self.room, self.slices[0].generation);
        self.room = open.room.drain();
        for part in parts {
            self.time.clock = self.time.clock.max(part.clock);
            self.time.stamp = self.time.stamp.max(part.stamp);
            self.room += std::mem::take(&mut part.room);
            self.slices[0].generation += std::mem::take(&mut part.keys);
            for (slice, ones) in self.slices.iter_mut().zip(&mut part.ones) {
                slice.count(std::mem::take(ones));
            }
            self.counts.seen.take_in(&mut part.seen);
            (part.clock, part.stamp) = (Tick(0), None);
        }
        #[cfg(debug_assertions)]
        assert_eq!(self.room + (self.slices[0].generation - before), given, "keys that no lock accounts for");
    }

    fn scatter<'a>(&mut self, open: &mut LockFree, _: impl Iterator<Item = &'a mut Delta>) {
        open.clock.set(self.time.clock.0);
        open.stamp.set(self.time.stamp.unwrap_or_default().0);
        open.room.fill(self.room);
    }

    fn clock_concurrent(&self, open: &LockFree) -> Option<Tick> {
        Some(self.open_clock(open))
    }

    fn check_step_concurrent(&self, open: &LockFree, _: &Delta, now: Tick) -> Option<Result<(), Error>> {
        Some(self.check_lead(self.open_clock(open), now))
    }

    fn admit_again(&mut self, now: Tick) -> Result<(), Error> {
        let checked = self.check_lead(self.time.clock, now);
        if checked.is_err() {
            self.counts.seen.count_refused(now);
        }
        self.time.started |= checked.is_ok();
        checked
    }

    fn admit_concurrent(&self, open: &LockFree, part: &mut Delta, now: Tick) -> Option<Result<(), Error>> {
        // A refusal is counted under all locks, so that the last refused tick is the last.
        if !self.time.started || self.check_lead(self.open_clock(open), now).is_err() {
            return None;
        }
        part.seen.count_late(self.open_clock(open).since(now), 0);
        open.clock.raise(now.0);
        Some(Ok(()))
    }
}
