//! Lines are brought up to date: by a key that meets one, by a quick walk when their generation begins, and by a slow sweep.
//!
//! ```text
//!  part        | lines of phase 7 pass into their next generation | those of phase 6 ...
//!  walk        | two lines with each key, asked for ahead         | until all of them are up to date
//!  sweep       one line in some keys, all of them in 16 generations: no epoch can mean two generations
//! ```
//! **Price.** Two counters with most keys: how many of them the sweep leaves alone is known beforehand.

use crate::num;
use crate::simd::{self, Baseline, Instructions, Line, Task};

use std::ops::Range;

use super::hand::Hand;
use super::line;
use super::position::{PARTS, Span};
use super::table::{Spot, Table};

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
    /// Keys with which nothing is to be done, and how many of them are still to come.
    calm: u64,
    left: u64,
    walk: Walk,
}

/// Lines that are brought up to date when a part passes.
pub(super) const SWEPT_A_PART: u64 = 32;

/// What is due when a whole line is.
const LINE_DUE: u64 = 1 << 16;

impl Sweep {
    /// Over these lines.
    pub(super) fn new(from: usize, to: usize, pace: u64) -> Self {
        Self { from, to, next: from, pace, ..Self::default() }
    }

    /// The pace for a window of `keys` observations: a round in 16 generations.
    pub(super) fn pace(lines: u64, keys: u64, generations: u64) -> u64 {
        let due = u128::from(lines) * u128::from(generations) * u128::from(LINE_DUE);
        num::low_half(due.div_ceil(16 * u128::from(keys)))
    }

    /// Keys with which nothing was done, and which do not count yet.
    pub(super) fn unsettled(&self) -> u64 {
        self.calm - self.left
    }

    /// Counts the keys with which nothing was done; says how many they were.
    pub(super) fn settle(&mut self) -> u64 {
        let keys = self.unsettled();
        self.due += keys * self.pace;
        self.calm = self.left;
        keys
    }

    /// Finds out with how many keys nothing is to be done.
    fn rest(&mut self) {
        let calm = if self.walk.goes_on() { 0 } else { (LINE_DUE - 1 - self.due) / self.pace.max(1) };
        (self.calm, self.left) = (calm, calm);
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

    #[inline]
    fn goes_on(&self) -> bool {
        self.group < self.end
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

/// The next step of the walk.
struct WalkOn<'a>(&'a Table, &'a Span);

impl<'a> Task for WalkOn<'a> {
    type Given = (&'a mut Hand, u64);
    type Result = ();

    #[inline(always)]
    fn run<I: Instructions>(self, (hand, part): (&mut Hand, u64)) {
        self.0.walk::<I>(hand, part, self.1);
    }
}

impl Table {
    /// Brings a line up to date: cells of more than G generations ago go.
    #[inline(always)]
    pub(super) fn freshen(&self, hand: &mut Hand, spot: &Spot, part: u64, span: &Span) {
        let at = (spot.group, spot.line);
        self.freshen_line(hand, (self.line(spot), spot.generation(part)), at, part, span);
    }

    /// The same of a line that is at hand, with the generation that it should be up to date with, its group and its number.
    /// Says whether it was behind.
    #[inline(always)]
    pub(super) fn freshen_line(
        &self,
        hand: &mut Hand,
        (line, now): (&Line, u64),
        at: (u64, usize),
        part: u64,
        span: &Span,
    ) -> bool {
        let lag = line::lag(line, now);
        if lag != 0 {
            self.expire(hand, (line, now, lag), at, part, span);
        }
        lag != 0
    }

    /// A call of its own: few keys meet a line that is behind.
    #[inline(never)]
    fn expire(&self, hand: &mut Hand, line: (&Line, u64, u64), at: (u64, usize), part: u64, span: &Span) {
        self.expire_here::<Baseline>(hand, line, at, part, span);
    }

    /// Empties what is too old in a line that is behind, and takes its mark away if it has no key in the stash any more.
    #[inline(always)]
    pub(super) fn expire_here<I: Instructions>(
        &self,
        hand: &mut Hand,
        (line, now, lag): (&Line, u64, u64),
        (group, number): (u64, usize),
        part: u64,
        span: &Span,
    ) {
        if self.shape.layout.expire::<I>(line, now, lag) {
            line::set_mark(line, hand.stash.has_home(group, number, part, span));
        }
    }

    /// A new part: the lines that it concerns are walked over from now on.
    #[cold]
    #[inline(never)]
    fn begin_part(&self, hand: &mut Hand, part: u64) {
        let group = 2 * self.shape.half;
        let groups = num::wide(hand.sweep.from) / group..num::wide(hand.sweep.to) / group;
        hand.settle(0);
        hand.sweep.walk = Walk::new(part, if self.shape.half < PARTS { 0..0 } else { groups });
        (hand.sweep.calm, hand.sweep.left) = (0, 0);
        hand.tally.begin_part(part);
    }

    /// Brings the next pair of lines up to date, and asks for the one behind the pair that follows.
    #[inline(always)]
    fn walk<I: Instructions>(&self, hand: &mut Hand, part: u64, span: &Span) {
        let (here, half) = (hand.sweep.walk, self.shape.half);
        let (first, now) = (here.line(half), part.div_ceil(PARTS));
        for number in [first, first + 1] {
            let line = self.lines.at(number);
            let lag = line::lag(line, now);
            if lag != 0 {
                self.expire_here::<I>(hand, (line, now, lag), (here.group, number), part, span);
            }
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
        if hand.sweep.left == 0 {
            return self.sweep_on(hand, part, span);
        }
        hand.sweep.left -= 1;
    }

    /// A key with which something is to be done. A call of its own, so that it costs the others no registers.
    #[inline(never)]
    fn sweep_on(&self, hand: &mut Hand, part: u64, span: &Span) {
        if hand.sweep.walk.goes_on() {
            simd::run(WalkOn(self, span), (hand, part));
        }
        hand.settle(1);
        hand.sweep.due += hand.sweep.pace;
        if hand.sweep.due >= LINE_DUE {
            let lines = hand.sweep.due / LINE_DUE;
            hand.sweep.due %= LINE_DUE;
            self.sweep_lines(hand, lines, part, span);
        }
        hand.sweep.rest();
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
