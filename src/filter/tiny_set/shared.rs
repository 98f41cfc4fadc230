//! TinySet for many threads: a lock guards every 64th block, and counts what happens to them.
//!
//! **Invariant.** Under all locks, entries of the filter = entries counted before + the sum over the locks of (entries
//! added - entries taken out), and the same for what entries cover. A lock alone may stand below 0: the counts wrap.

use crate::error::Error;
use crate::filter::striped::{Route, Striped};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;

use super::{Tally, TinySet};

impl Striped for TinySet {
    type LockFree = ();
    type Delta = Tally;
    type Place = Box<Self>;

    fn part(&self) -> Result<Tally, Error> {
        Ok(Tally::default())
    }

    fn route(&self) -> Route {
        Route::Cell { cells: self.table.plan.blocks, run: 0 }
    }

    fn observe_concurrent(&self, (): &(), part: &mut Tally, key: KeyHash, _: Tick) -> Option<Result<Verdict, Error>> {
        Some(self.table.observe(part, key))
    }

    fn insert_concurrent(&self, (): &(), part: &mut Tally, key: KeyHash, _: Tick) -> Option<Result<(), Error>> {
        Some(self.table.insert(part, key))
    }

    fn contains_concurrent(&self, (): &(), _: &Tally, key: KeyHash, _: Tick) -> Option<Verdict> {
        Some(self.table.contains(key))
    }

    fn remove_concurrent(
        &self,
        _open: &Self::LockFree,
        part: &mut Tally,
        key: KeyHash,
        _now: Tick,
    ) -> Option<Result<bool, Error>> {
        Some(self.table.remove(part, key))
    }

    fn gather<'a>(&mut self, (): &mut (), parts: impl Iterator<Item = &'a mut Tally>) {
        parts.for_each(|part| self.tally.take_in(part));
        let most = self.table.plan.blocks * num::wide(self.table.layout.array());
        debug_assert!(self.tally.items <= most, "{} entries of at most {most}", self.tally.items);
    }
}
