//! What changes with every key beside the lines: of an unshared filter, or of the keys of one lock.

use super::line::Layout;
use super::stash::Stash;
use super::sweep::Sweep;
use super::tally::Tally;
use crate::error::Error;
use crate::filter::seen::Seen;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Hand {
    pub(super) stash: Stash,
    pub(super) tally: Tally,
    pub(super) sweep: Sweep,
    /// Observations up to the next part, or keys that the table may take before it is looked at again.
    pub(super) room: u64,
    /// The last position at which a key that had to go can have been seen.
    pub(super) forgot: Option<u64>,
    /// Cells that had to go.
    pub(super) forgotten: u64,
    pub(super) seen: Seen,
    /// Keys since the last round of the sweep, but for those that it has not settled.
    touches: u64,
    /// Lines that were touched beside the key's own.
    #[cfg(test)]
    pub(super) touched: u64,
    /// Lines of keys that were behind.
    #[cfg(test)]
    pub(super) behind: u64,
}

impl Hand {
    /// One that has done nothing.
    pub(super) fn new(layout: &Layout, sweep: Sweep) -> Result<Self, Error> {
        Ok(Self::with(Tally::new(layout)?, sweep))
    }

    /// The same with this tally.
    pub(super) fn with(tally: Tally, sweep: Sweep) -> Self {
        Self { tally, sweep, ..Self::default() }
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let (stash, tally) = (self.stash.try_clone()?, self.tally.try_clone()?);
        Ok(Self { stash, tally, ..*self })
    }

    #[inline(always)]
    pub(super) fn touch(&mut self, _lines: u64) {
        #[cfg(test)]
        {
            self.touched += _lines;
        }
    }

    /// Keys since the last round of the sweep.
    pub(super) fn touches(&self) -> u64 {
        self.touches + self.sweep.unsettled()
    }

    /// As many keys as that since the last round of the sweep.
    pub(super) fn set_touches(&mut self, keys: u64) {
        self.sweep.settle();
        self.touches = keys;
    }

    /// Counts the keys with which the sweep had nothing to do, and so many more.
    pub(super) fn settle(&mut self, more: u64) {
        self.touches += self.sweep.settle() + more;
    }

    #[inline(always)]
    pub(super) fn meet(&mut self, _behind: bool) {
        #[cfg(test)]
        {
            self.behind += u64::from(_behind);
        }
    }

    /// Takes in what happened under a lock, which begins anew.
    pub(super) fn take_in(&mut self, part: &mut Self) {
        self.stash.append(&mut part.stash);
        self.tally.take_in(&mut part.tally);
        self.room += std::mem::take(&mut part.room);
        self.forgot = self.forgot.max(part.forgot.take());
        self.forgotten += std::mem::take(&mut part.forgotten);
        self.seen.take_in(&mut part.seen);
        self.touches += part.touches();
        part.set_touches(0);
    }

    /// Notes that a cell that was last seen at `part` at the latest had to go.
    pub(super) fn forget(&mut self, part: u64) {
        self.forgot = self.forgot.max(Some(part));
        self.forgotten += 1;
    }
}
