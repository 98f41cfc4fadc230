//! What changes with every key beside the lines: of an unshared filter, or of the keys of one lock.

use crate::error::Error;
use crate::filter::seen::Seen;
use crate::num;

use super::line::Layout;
use super::position::Span;
use super::stash::Stash;
use super::table::Table;
use super::tally::Tally;

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
    /// Keys since the last round of the sweep.
    pub(super) touches: u64,
    /// Lines that were touched beside the key's own.
    #[cfg(test)]
    pub(super) touched: u64,
}

impl Hand {
    /// One that has done nothing.
    pub(super) fn new(layout: &Layout, sweep: Sweep) -> Result<Self, Error> {
        Ok(Self { tally: Tally::new(layout)?, sweep, ..Self::default() })
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

    /// Takes in what happened under a lock, which begins anew.
    pub(super) fn take_in(&mut self, part: &mut Self) {
        self.stash.append(&mut part.stash);
        self.tally.take_in(&mut part.tally);
        self.room += std::mem::take(&mut part.room);
        self.forgot = self.forgot.max(part.forgot.take());
        self.forgotten += std::mem::take(&mut part.forgotten);
        self.seen.take_in(&mut part.seen);
        self.touches += std::mem::take(&mut part.touches);
    }

    /// Notes that a cell that was last seen at `part` at the latest had to go.
    pub(super) fn forget(&mut self, part: u64) {
        self.forgot = self.forgot.max(Some(part));
        self.forgotten += 1;
    }
}

/// A slow walk over all lines, so that none falls so far behind that its epoch can mean two generations.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sweep {
    from: usize,
    to: usize,
    next: usize,
    /// 65536ths of a line that are due.
    due: u64,
    /// 65536ths of a line that fall due with each key.
    pace: u64,
}

/// Lines that are brought up to date when a part passes.
pub(super) const SWEPT_A_PART: u64 = 32;

/// What is due when a whole line is.
const LINE_DUE: u64 = 1 << 16;

impl Sweep {
    /// Over these lines.
    pub(super) fn new(from: usize, to: usize, pace: u64) -> Self {
        Self { from, to, next: from, due: 0, pace }
    }

    /// The pace for a window of `keys` observations: a round in 16 generations.
    pub(super) fn pace(lines: u64, keys: u64, generations: u64) -> u64 {
        let due = u128::from(lines) * u128::from(generations) * u128::from(LINE_DUE);
        num::low_half(due.div_ceil(16 * u128::from(keys)))
    }

    /// The pace where the number of keys is not known: a line every eighth key.
    pub(super) const STEADY: u64 = LINE_DUE / Self::KEYS_A_LINE;
    pub(super) const KEYS_A_LINE: u64 = 8;
}

impl Table {
    /// What falls to one key.
    #[inline(always)]
    pub(super) fn sweep(&self, hand: &mut Hand, part: u64, span: &Span) {
        hand.touches += 1;
        hand.sweep.due += hand.sweep.pace;
        if hand.sweep.due >= LINE_DUE {
            let lines = hand.sweep.due / LINE_DUE;
            hand.sweep.due %= LINE_DUE;
            self.sweep_lines(hand, lines, part, span);
        }
    }

    /// Brings the next lines up to date.
    pub(super) fn sweep_lines(&self, hand: &mut Hand, lines: u64, part: u64, span: &Span) {
        let all = num::wide(hand.sweep.to - hand.sweep.from);
        for _ in 0..lines.min(all) {
            let spot = self.shape.spot_of(hand.sweep.next);
            self.freshen(hand, &spot, part, span);
            hand.touch(1);
            hand.sweep.next += 1;
            if hand.sweep.next == hand.sweep.to {
                hand.sweep.next = hand.sweep.from;
            }
        }
        // Keys come between one line and the next, so no machine sees that the walk goes on.
        self.lines.at(hand.sweep.next).prefetch();
    }
}
