//! The age-partitioned filter for many threads: a lock guards the keys of one stripe, and counts what they did.
//!
//! **Law.** One thread gets the verdicts of the unshared filter. Of many, a generation ends when all of them
//! together have made its insertions, not before and not after.
//!
//! **Layout.** The insertions of a generation are a pool from which stripes draw portions. Who draws some of them also
//! cleans what falls to them of the spare column, so that it is clean when the pool is empty.
//!
//! **Invariant.** At every moment, insertions in the pool + the sum over the locks of `room` + the sum of `inserted` =
//! what was left of the generation when the threads got it.

use crate::counters::{Pool, apart};
use crate::error::Error;
use crate::filter::seen::Seen;
use crate::filter::striped::{Route, Striped};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::num;
use crate::options::Repeat;
use crate::tick::Tick;

use super::AgePartitioned;

/// The changes under one lock.
#[derive(Debug)]
pub(crate) struct Delta {
    /// Where the rows of the present key begin, by function.
    rows: Vec<u64>,
    /// Bits that it set, by function.
    ones: Vec<u64>,
    /// Insertions of the present generation that it may make.
    room: u64,
    inserted: u64,
    seen: Seen,
}

impl AgePartitioned {
    fn locate_concurrent(&self, part: &mut Delta, key: KeyHash) {
        for ((f, function), row) in (0..).zip(&self.functions).zip(&mut part.rows) {
            *row = self.row(f, function, key);
            self.bits.prefetch(*row);
        }
    }

    /// Inserts the key that was located, if the present generation has room.
    fn store_concurrent(&self, open: &Pool, part: &mut Delta) -> Option<()> {
        if part.room == 0 {
            part.room = self.draw(open)?;
        }
        for ((function, row), ones) in self.functions.iter().zip(&part.rows).zip(&mut part.ones) {
            *ones += u64::from(self.bits.set_concurrent(row + function.column));
        }
        part.room -= 1;
        part.inserted += 1;
        Some(())
    }

    /// Insertions of the present generation, and their share of the cleaning done; `None` if all are drawn.
    fn draw(&self, open: &Pool) -> Option<u64> {
        let drawn = open.draw();
        self.sweep.clean_concurrent(&self.bits, self.plan.generation - drawn.found, drawn.taken);
        (drawn.taken > 0).then_some(drawn.taken)
    }
}

impl Striped for AgePartitioned {
    /// Insertions of the present generation that no stripe has drawn yet.
    type LockFree = Pool;
    type Delta = Delta;
    type Place = Box<Self>;

    fn part(&self) -> Result<Delta, Error> {
        let (rows, ones) = (apart(self.rows.len())?, apart(self.rows.len())?);
        Ok(Delta { rows, ones, room: 0, inserted: 0, seen: Seen::default() })
    }

    fn route(&self) -> Route {
        Route::Key
    }

    fn observe_concurrent(
        &self,
        open: &Pool,
        part: &mut Delta,
        key: KeyHash,
        _: Tick,
    ) -> Option<Result<Verdict, Error>> {
        self.locate_concurrent(part, key);
        let verdict = Verdict::of(self.finds(part.rows.iter().copied()));
        if verdict == Verdict::New || self.plan.repeat == Repeat::Refresh {
            self.store_concurrent(open, part)?;
        }
        part.seen.count(verdict);
        Some(Ok(verdict))
    }

    fn insert_concurrent(&self, open: &Pool, part: &mut Delta, key: KeyHash, _: Tick) -> Option<Result<(), Error>> {
        self.locate_concurrent(part, key);
        self.store_concurrent(open, part).map(Ok)
    }

    fn contains_concurrent(&self, _: &Pool, _: &Delta, key: KeyHash, now: Tick) -> Option<Verdict> {
        Some(crate::filter::contract::Contract::contains(self, key, now))
    }

    fn gather<'a>(&mut self, open: &mut Pool, parts: impl Iterator<Item = &'a mut Delta>) {
        let mut left = open.drain();
        #[cfg(debug_assertions)]
        let (given, before) = (self.plan.generation - self.count, self.inserted);
        self.sweep.skip(self.plan.generation - left);
        let columns = self.plan.columns;
        for part in parts {
            left += std::mem::take(&mut part.room);
            self.inserted += std::mem::take(&mut part.inserted);
            self.seen.take_in(&mut part.seen);
            let ones = self.ones.chunks_exact_mut(num::index(columns));
            for ((ones, function), set) in ones.zip(&self.functions).zip(&mut part.ones) {
                ones[num::index(function.column)] += std::mem::take(set);
            }
        }
        #[cfg(debug_assertions)]
        assert_eq!(left + (self.inserted - before), given, "insertions that no lock accounts for");
        self.count = self.plan.generation - left;
    }

    fn scatter<'a>(&mut self, open: &mut Pool, _: impl Iterator<Item = &'a mut Delta>) {
        open.fill(self.plan.generation - self.count);
    }
}
