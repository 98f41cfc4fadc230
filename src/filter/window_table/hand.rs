//! What changes with every key beside the lines: of an unshared filter, or of the keys of one lock.

use crate::error::Error;
use crate::filter::seen::Seen;
use crate::num;

use std::ops::Range;

use super::line::Layout;
use super::position::{PARTS, Span};
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
    /// Lines of keys that were behind.
    #[cfg(test)]
    pub(super) behind: u64,
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
    walk: Walk,
}

/// Lines that are brought up to date when a part passes.
pub(super) const SWEPT_A_PART: u64 = 32;

/// What is due when a whole line is.
const LINE_DUE: u64 = 1 << 16;

impl Sweep {
    /// Over these lines.
    pub(super) fn new(from: usize, to: usize, pace: u64) -> Self {
        Self { from, to, next: from, due: 0, pace, walk: Walk::default() }
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

/// A quick walk over the lines that have just passed into their next generation, so that few keys meet one that is behind:
/// whether a line is behind is known when it has come from memory, and a machine that guessed wrong has lost that time.
#[derive(Debug, Clone, Copy, Default)]
struct Walk {
    /// The part that these lines began with.
    part: u64,
    /// The next pair of lines, and its group.
    pair: u64,
    group: u64,
    /// The group behind the last.
    end: u64,
}

impl Walk {
    /// Over the lines of these groups whose generation begins with `part`.
    fn new(part: u64, groups: Range<u64>) -> Self {
        let walk = Self { part, pair: 0, group: groups.start, end: groups.end };
        Self { pair: walk.first(), ..walk }
    }

    /// The first such pair of the group.
    #[inline]
    fn first(&self) -> u64 {
        0u64.wrapping_sub(self.part + self.group) % PARTS
    }

    /// The first line of the pair, in groups of `half` pairs.
    #[inline]
    fn line(&self, half: u64) -> usize {
        num::index(2 * (self.group * half + self.pair))
    }

    /// Past one pair.
    #[inline]
    fn step(mut self, half: u64) -> Self {
        self.pair += PARTS;
        if self.pair >= half {
            self.group += 1;
            self.pair = self.first();
        }
        self
    }
}

impl Table {
    /// A new part: the lines that it concerns are walked over from now on.
    #[cold]
    #[inline(never)]
    fn begin_part(&self, hand: &mut Hand, part: u64) {
        let group = 2 * self.shape.half;
        let groups = num::wide(hand.sweep.from) / group..num::wide(hand.sweep.to) / group;
        hand.sweep.walk = Walk::new(part, if self.shape.half < PARTS { 0..0 } else { groups });
        hand.tally.begin_part(part);
    }

    /// Brings the next pair of lines up to date, and asks for the one behind the pair that follows.
    #[inline(never)]
    fn walk(&self, hand: &mut Hand, part: u64, span: &Span) {
        let (here, half) = (hand.sweep.walk, self.shape.half);
        let (first, now) = (here.line(half), part.div_ceil(PARTS));
        for number in [first, first + 1] {
            self.freshen_line(hand, (self.lines.at(number), now), (here.group, number), part, span);
        }
        hand.touch(2);
        hand.sweep.walk = here.step(half);
        let soon = hand.sweep.walk.step(half);
        if soon.group < soon.end {
            let first = soon.line(half);
            self.lines.at(first).prefetch();
            self.lines.at(first + 1).prefetch();
        }
    }

    /// What falls to one key.
    #[inline(always)]
    pub(super) fn sweep(&self, hand: &mut Hand, part: u64, span: &Span) {
        if hand.sweep.walk.part != part {
            self.begin_part(hand, part);
        }
        if hand.sweep.walk.group < hand.sweep.walk.end {
            self.walk(hand, part, span);
        }
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
