//! The passing of time: lines are brought up to date by a walk, by a sweep and by the keys that meet them.
//!
//! ```text
//!  part      | lines of phase 7 pass into their next generation | those of phase 6 ...
//!  walk      | eight of them with each key                    | until all of them are up to date
//!  sweep     where a walk was not finished: all lines in half a lifetime, 20 with a key at most
//!  quiet     where even that was not: keys go to the stash, for a lifetime; then no cell is needed and the table begins again:
//!            of time with the fewest lines, of keys with lines that are wiped, 48 with a key, and not looked at before; all at
//!            once with the first key for which the stash has no memory
//! ```
//! **Law.** No line falls behind by as many generations as an epoch tells apart, 4 (G + 1): a round takes at most three
//! quarters of a lifetime, the one before it too, a step of time one lifetime, and the quiet one more. So no cell is ever
//! taken for a younger one, however rarely keys come, and no call touches more than 64 lines, except the one that wipes all.

use crate::num;
use crate::simd::{self, Instructions, Task};

use super::due::{PATIENCE, Tend};
use super::key::{LineNumber, Shape, Spot};
use super::position::{PARTS, Part, Position};
use super::table::Table;

/// Lines of a walk with one key: the more, the less a line costs, since a step has a price of its own.
const WALKED: u64 = 8;

/// Lines of a sweep with one key. With the two of the key, those of the walk and what merges touch they stay below 64; [S] (`policy`) at 5,
/// 20, 40: pulses take 79.1, 73.8, 73.0 bits.
const SWEPT: u64 = 20;

/// Lines that are wiped with one key, which looks at no other line: three quarters of what a call may touch.
const WIPED: u64 = 48;

/// Lines that a call has touched when it stops to merge, so that a split, a deep move and a store find 64 enough. [S] (`policy`) at 14,
/// 28, 48: a sine takes 45.9, 44.4, 44.0 bits.
const MERGED: u64 = 34;

impl Table {
    /// A part passes, or many.
    #[cold]
    #[inline(never)]
    pub(super) fn pass(&mut self, moment: u64) {
        let (plan, state) = (&self.grid.plan, &mut self.state);
        if !state.running {
            state.running = true;
            state.position = Position::start(moment, &plan.span);
            state.course.keeps_until = state.position.part.after(plan.lifetime());
            state.tend = Tend::new(state.position.part);
            return self.plan_growth();
        }
        let from = state.position.part;
        state.position = state.position.moved(moment, &plan.span);
        let to = state.position.part;
        state.tend.wake();
        if to.since(from) >= plan.lifetime() {
            return self.begin_again(true);
        }
        for part in from.up_to(to) {
            state.tally.begin_part(part);
            state.course.begin_part();
        }
        state.stash.tidy(state.oldest(plan));
        self.begin_round(from, to);
        self.plan_growth();
    }

    /// All cells are too old. The stash keeps its keys, unless `all` of them are too old as well.
    pub(super) fn begin_again(&mut self, all: bool) {
        let plan = self.grid.plan;
        let most_lines = self.most_lines();
        let state = &mut self.state;
        state.counts.most_lines = most_lines;
        state.tally.clear();
        if all {
            state.stash.clear();
            state.course.forget_pace();
        }
        if !plan.timed {
            let part = state.position.part;
            let wiped = state.tend.wiped.or(Some(0));
            state.tend = Tend { quiet: Some(part), wiped, ..Tend::new(part) };
            return;
        }
        let shape = Shape::of(self.grid.shape.section, 0);
        self.grid.lines.restart(&shape);
        self.grid.shape = shape;
        self.begin();
    }

    /// The walk of this part begins; a sweep makes up for walks that were not finished.
    fn begin_round(&mut self, from: Part, to: Part) {
        let (part, lifetime, section) = (to, self.grid.plan.lifetime(), self.grid.shape.section);
        let tend = &mut self.state.tend;
        if tend.is_wiping() {
            return;
        }
        let walks = section.walks(from, to);
        if walks > 0 {
            tend.finished = if walks == 1 && tend.walk.is_none() { tend.finished + 1 } else { 0 };
            let (phase, _) = section.last_walk(part);
            tend.walk = Some(Spot { side: 0, line: LineNumber::first(0, phase), depth: 0 });
        }
        if tend.finished < section.round() {
            let lines = self.grid.shape.lines();
            tend.owed = (tend.owed + to.since(from) * (2 * lines).div_ceil(lifetime)).min(lines + 2);
        } else if walks > 0 {
            // Every line was met by a walk within the last generation.
            (tend.round, tend.owed, tend.quiet) = (part.before(PARTS), 0, None);
        }
        if part.since(tend.round) > lifetime / 4 * 3 && tend.quiet.is_none() {
            tend.quiet = Some(part);
        }
        if tend.quiet.is_some_and(|quiet| part.since(quiet) >= lifetime) {
            self.begin_again(false);
        }
    }

    /// One key's share of the upkeep; returns whether the lines of the key may be read.
    pub(super) fn tend(&mut self) -> bool {
        if self.state.now < self.state.tend.calm_until {
            return true;
        }
        if self.state.tend.is_wiping() {
            return self.wipe_on();
        }
        if self.grid.lines.is_leaving() {
            self.grid.lines.give_back();
        }
        if self.state.tend.walk.is_some() {
            simd::run(Walk(self), ());
        }
        if self.state.tend.owed > 0 {
            self.sweep();
        }
        self.shrink();
        let is_large = self.state.tally.all().cells < self.state.course.limits.low;
        let is_calm = self.state.tend.is_idle() && !is_large && !self.grid.lines.is_leaving();
        self.state.tend.calm_until = if is_calm { self.state.position.next } else { 0 };
        true
    }

    /// Merges lines of a table that is too large: at once if it is far too large. In few lines far can be above low.
    #[inline(always)]
    fn shrink(&mut self) {
        let (live, limits, tend) = (self.state.tally.all().cells, &self.state.course.limits, &mut self.state.tend);
        if live >= limits.far {
            if live >= limits.low {
                return;
            }
            if tend.patience > 0 {
                tend.patience -= 1;
                return;
            }
            tend.patience = PATIENCE;
        }
        self.merge_within(MERGED);
    }

    /// Wipes some lines of a table that begins again; returns whether all of them are.
    pub(super) fn wipe_on(&mut self) -> bool {
        let (shape, part) = (self.grid.shape, self.state.position.part);
        let from = self.state.tend.wiped.unwrap_or(0);
        let to = (from + WIPED).min(shape.lines());
        for i in from..to {
            let spot = shape.counted(i);
            self.grid.plan.widths.empty(self.grid.line(&spot), 0, spot.generation(part));
        }
        self.state.touched += to - from;
        self.state.tend.wiped = Some(to);
        if to == shape.lines() {
            self.state.tend = Tend::new(part);
        }
        to == shape.lines()
    }

    /// Lines that the sweep owes, some at a time.
    fn sweep(&mut self) {
        let part = self.state.position.part;
        for _ in 0..SWEPT.min(self.state.tend.owed) {
            let (side, line) = self.state.tend.sweep;
            let tend = &mut self.state.tend;
            tend.owed -= 1;
            if line < self.grid.shape.lines_of(side) {
                tend.sweep.1 += 1;
                self.state.touched += 1;
                self.grid.fresh(&self.grid.shape.nth(side, line), part);
                continue;
            }
            tend.sweep = (1 - side, 0);
            if side == 1 {
                (tend.round, tend.quiet) = (part, None);
            }
        }
    }

    /// Merges two lines, and more as long as the table is far too large, until the call has touched a number of lines.
    fn merge_within(&mut self, lines: u64) {
        while self.state.touched + 2 <= lines && self.merge(lines) {
            if self.state.tally.all().cells >= self.state.course.limits.far {
                return;
            }
        }
    }
}

/// The next step of a walk.
struct Walk<'a>(&'a mut Table);

impl Task for Walk<'_> {
    type Args = ();
    type Result = ();

    /// Brings the next lines up to date, and asks for the one after them.
    #[inline(always)]
    fn run<I: Instructions>(self, (): ()) {
        let (grid, state) = (&self.0.grid, &mut self.0.state);
        let (phase, _) = grid.shape.section.last_walk(state.position.part);
        let turn = grid.plan.widths.turn(state.position.part.generation(phase));
        // Where the table has shrunk meanwhile the next line may be gone, and the other side is next.
        let is_there = |spot: &Spot| spot.line < grid.shape.end_of(spot.side);
        let mut walk =
            state.tend.walk.and_then(|spot| if is_there(&spot) { Some(spot) } else { spot.on_other_side(phase) });
        let mut left = WALKED;
        while left > 0 {
            let Some(spot) = walk else { break };
            let end = grid.shape.end_of(spot.side);
            if spot.line >= end {
                walk = spot.on_other_side(phase);
                continue;
            }
            let lines = grid.lines.of_phase(spot.side, spot.line, left.min(spot.line.of_phase_before(end)));
            let n = num::wide(lines.len());
            lines.for_each(|line| grid.plan.widths.refresh::<I>(line, &turn));
            let line = spot.line.later_of_phase(n);
            left -= n;
            walk = if line < end { Some(Spot { line, ..spot }) } else { spot.on_other_side(phase) };
        }
        state.touched += WALKED;
        state.tend.walk = walk;
        walk.iter().for_each(|next| grid.line(next).prefetch());
    }
}

impl Spot {
    /// Where a walk continues after the last line of a side.
    #[inline(always)]
    fn on_other_side(&self, phase: u64) -> Option<Self> {
        (self.side == 0).then(|| Self { side: 1, line: LineNumber::first(1, phase), ..*self })
    }
}
