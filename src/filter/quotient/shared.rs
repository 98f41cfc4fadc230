//! The quotient filters for many threads: a lock guards the rows of one stripe and its generator of victims.
//!
//! **Invariant.** Under all locks, rows with n filled cells = those counted before + the sum over the locks of (rows that
//! came to n - rows that left n). A row only moves from one n to another, so all n together are the rows of the plan.

use crate::error::Error;
use crate::field::Field;
use crate::filter::seen::Seen;
use crate::filter::striped::{Route, STRIPES, Striped};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::num;
use crate::rng::Rng;
use crate::tick::Tick;

use super::occupancy::Occupancy;
use super::{Quotient, RUN};

/// Bytes for the counts of all stripes that any filter may have; more only up to the size of its cells.
const SMALL_PARTS: u64 = 2 << 20;

/// The changes of the rows of one stripe.
#[derive(Debug)]
pub(crate) struct Delta {
    /// The stripe's generator, while the threads have it.
    victims: Rng,
    occupancy: Occupancy,
    seen: Seen,
}

impl Quotient {
    fn touch_concurrent(&self, part: &mut Delta, key: KeyHash) -> bool {
        self.table.touch(self.table.place(key), &mut part.occupancy, &mut part.victims)
    }
}

impl Striped for Quotient {
    type LockFree = ();
    type Delta = Delta;
    type Place = Box<Self>;

    fn part(&self) -> Result<Delta, Error> {
        let (k, most) = (self.table.plan.shape.k, self.table.plan.bytes.max(SMALL_PARTS));
        if Occupancy::bytes(k) * num::wide(STRIPES) > most {
            let most_k = most / num::wide(STRIPES) / 8 - 1;
            let range = format_args!("at most {most_k} in {most} bytes for a filter that threads share");
            return Err(Error::out_of_range(Field::K, k, range));
        }
        let occupancy = Occupancy::changes(self.table.plan.shape.k)?;
        Ok(Delta { victims: self.victims[0], occupancy, seen: Seen::default() })
    }

    fn route(&self) -> Route {
        Route::Cell { cells: self.table.plan.rows, run: RUN }
    }

    fn observe_concurrent(&self, (): &(), part: &mut Delta, key: KeyHash, _: Tick) -> Option<Result<Verdict, Error>> {
        let verdict = Verdict::of(self.touch_concurrent(part, key));
        part.seen.count(verdict);
        Some(Ok(verdict))
    }

    fn insert_concurrent(&self, (): &(), part: &mut Delta, key: KeyHash, _: Tick) -> Option<Result<(), Error>> {
        self.touch_concurrent(part, key);
        Some(Ok(()))
    }

    fn contains_concurrent(&self, (): &(), _: &Delta, key: KeyHash, _: Tick) -> Option<Verdict> {
        Some(self.table.contains(key))
    }

    fn gather<'a>(&mut self, (): &mut (), parts: impl Iterator<Item = &'a mut Delta>) {
        for (victims, part) in self.victims.iter_mut().zip(parts) {
            *victims = part.victims;
            self.occupancy.take_in(&mut part.occupancy);
            self.seen.take_in(&mut part.seen);
        }
        debug_assert_eq!(self.occupancy.rows(), self.table.plan.rows, "rows that no lock accounts for");
    }

    fn scatter<'a>(&mut self, (): &mut (), parts: impl Iterator<Item = &'a mut Delta>) {
        self.victims.iter().zip(parts).for_each(|(victims, part)| part.victims = *victims);
    }
}
