//! How many lines: one is split when the cells in use pass a share of all, one is merged when they are few.
//!
//! ```text
//!  D = 3, P = 3:  2 x 8 + 3 = 19 lines
//!                  split      not yet split     second halves
//!   side 0       [ 0 1 2 ]  [ 3 4 5 6 7 ]     [ 8 9 10 ]       next: line 3 becomes 3 and 11
//!   side 1                  [ 0 1 2 3 4 5 6 7 ]                its turn when side 0 has 16 lines
//!
//!  cells in use    0 ...... 0.6 ............ F - slack ..... F
//!                  merges    one merge tried    nothing      two splits
//!                  now       every 8 stores
//! ```
//! Phases are eight tables: where the keys of one die, those of another still need their lines, so nothing is merged while one is nearly full.
//!
//! **Law.** A table never merges below its first size. A merge of lines that have more cells than one has room for first moves
//! the others to their other lines; what moved stays moved.
//! **Price.** A split two lines, a merge two and those that cells move to; a call asks for one arena at most.

use crate::num;
use crate::simd::{self, Baseline, Instructions, Line, Task};

use super::chunks::CHUNK;
use super::key::{Shape, Side, Spot};
use super::line::{Cells, Width, merge, split};
use super::position::{PARTS, Part};
use super::table::{Bounds, Place, Table, Touched};

/// Thousandths of its cells below F from which on a table shrinks, and below which it shrinks fast. Chosen for steady traffic of 100,000 and a
/// million keys: with less slack it splits and merges again and again.
const SLACK: u64 = 40;
const URGENT: u64 = 600;

/// Stores for one merge that is tried where none is urgent.
const CALM: u32 = 8;

/// Lines that urgent merges of a call touch.
const MOST_TOUCHED: u64 = 16;

struct Split<'a, W>(&'a Line, &'a Line, std::marker::PhantomData<W>);

impl<W: Width> Task for Split<'_, W> {
    type Args = ();
    type Result = u32;

    #[inline(always)]
    fn run<I: Instructions>(self, (): ()) -> u32 {
        split::<I, W>(self.0, self.1)
    }
}

impl Table {
    /// After the number of lines changed.
    pub(super) fn set_bounds(&mut self) {
        let plan = &self.grid.plan;
        let room = self.grid.shape.lines() * plan.width.cells();
        let (is_young, kept) = (self.is_young(), plan.span.kept);
        let fill = if is_young { plan.width.young_fill() } else { plan.width.fill() };
        let (mean, slack) = (room * fill / 1000, room * (SLACK + 1000 / kept) / 1000);
        // The keys of a phase expire together: as full as it is in steady traffic before its oldest generation goes, and after that.
        let (crest, ebb) = (mean * (2 * kept + PARTS) / (2 * kept), mean * (2 * kept - PARTS) / (2 * kept));
        // A section is one phase.
        let (most, least) = match self.grid.shape.skip {
            0 => (mean, mean - slack),
            _ if is_young => (mean, ebb - slack),
            _ => (crest, ebb - slack),
        };
        let least = if self.grid.is_first() { 0 } else { least };
        self.state.bounds = Bounds {
            least,
            calm: most - least,
            crest: if self.grid.shape.skip == 0 { crest / PARTS } else { crest },
            urgent: room * URGENT / 1000,
        };
    }

    /// Whether this is the first window of a filter whose size is not known.
    pub(super) fn is_young(&self) -> bool {
        let plan = &self.grid.plan;
        !plan.at_once && self.state.position.part < Part::START.after(plan.span.parts)
    }

    /// More lines, or fewer, after a key that was new.
    #[cold]
    #[inline(never)]
    pub(super) fn resize<W: Width>(&mut self) -> Touched {
        if self.state.used > self.state.bounds.most() {
            let splits = if self.state.walk.left > 0 { 1 } else { 2 };
            for _ in 0..splits {
                if self.state.used > self.state.bounds.most() && !self.split::<W>() {
                    break;
                }
            }
        } else if self.state.used < self.state.bounds.urgent {
            self.state.stuck = !self.shrink_fast::<W>();
        } else {
            self.state.counts.calm = self.state.counts.calm.wrapping_add(1);
            if self.state.counts.calm % CALM == 0 {
                self.merge::<W>();
            }
        }
        Touched::NEW
    }

    /// Merges some lines; false where one could not be merged, or the next would leave a phase too little room.
    pub(super) fn shrink_fast<W: Width>(&mut self) -> bool {
        let most = if self.state.walk.left > 0 { 1 } else { MOST_TOUCHED };
        let mut touched = 0;
        while touched < most && self.state.used < self.state.bounds.least {
            match self.merge::<W>() {
                Some(lines) => touched += lines,
                None => return false,
            }
        }
        true
    }

    /// Splits the next line; false where memory is refused, or lines must first be brought up to date.
    pub(super) fn split<W: Width>(&mut self) -> bool {
        let Spot { side, line } = self.grid.shape.next();
        let (one, other) = (Spot { side, line }, Spot { side, line: line + (1 << self.grid.shape.depth) });
        if self.state.starved || other.line >= self.grid.lines.len(side) && !self.add_lines(side) {
            return false;
        }
        if other.line % CHUNK == 0 {
            // No line of its chunk is in use, so that it may have waited long.
            self.state.walk.set_part(side, other.line / CHUNK, self.state.position.part);
        }
        if !self.are_up_to_date::<W>([one, other]) {
            return false;
        }
        let lines = [one, other].map(|spot| self.grid.lines.line(spot));
        let copies = simd::run(Split::<W>(lines[0], lines[1], std::marker::PhantomData), ());
        let phase = num::index(self.grid.shape.phase_of(line));
        (0..copies).for_each(|_| self.state.count(phase));
        self.set_shape(self.grid.shape.grown());
        true
    }

    fn set_shape(&mut self, shape: Shape) {
        let chunks = self.chunks();
        self.grid.shape = shape;
        if self.state.walk.left > 0 {
            self.state.walk.left += self.chunks().saturating_sub(chunks);
        }
        self.set_bounds();
    }

    /// Makes more lines of a side, if memory allows.
    fn add_lines(&mut self, side: Side) -> bool {
        let most = self.grid.most_lines();
        // First room for their parts: lines without would be taken for lines that have some.
        let lines = self.grid.lines.len(side) + self.grid.lines.run();
        let noted = self.state.walk.reserve(side, lines);
        let added = noted
            .and_then(|()| self.grid.lines.add(self.state.stash.account(), side, most))
            .and_then(|()| self.note_chunks());
        if added.is_err() {
            self.state.counts.refused += 1;
            self.state.starved = true;
        }
        added.is_ok()
    }

    /// Merges the line that was split last with its other half; returns how many lines that touched, or `None` where it cannot be done.
    fn merge<W: Width>(&mut self) -> Option<u64> {
        if self.grid.is_first() || self.state.phases.iter().any(|cells| *cells > self.state.bounds.crest) {
            return None;
        }
        let shape = self.grid.shape.shrunk();
        let Spot { side, line } = shape.next();
        let spots = [Spot { side, line }, Spot { side, line: line + (1 << shape.depth) }];
        if !self.are_up_to_date::<W>(spots) {
            return Some(CHUNK);
        }
        let moved = self.make_fit::<W>(spots)?;
        let lines = spots.map(|spot| self.grid.lines.line(spot));
        merge::<Baseline, W>(lines[0], lines[1]);
        self.grid.lines.remove_from(side, spots[1].line);
        self.set_shape(shape);
        self.note_chunks().ok()?;
        Some(2 + moved)
    }

    /// Moves cells of two lines to their other lines, until both fit one; returns how many, or `None` where too few could.
    fn make_fit<W: Width>(&mut self, spots: [Spot; 2]) -> Option<u64> {
        let cells = spots.map(|spot| Cells::load::<Baseline, W>(self.grid.lines.line(spot)));
        let all: usize = cells.iter().map(|cells| cells.used::<W>().count()).sum();
        let (mut over, mut moved) = (all.saturating_sub(W::CELLS), 0);
        for (spot, cells) in spots.into_iter().zip(&cells).rev() {
            for cell in cells.used::<W>() {
                if over > 0 && self.shift::<W>(Place { spot, cell }, 2) {
                    (over, moved) = (over - 1, moved + 1);
                }
            }
        }
        (over == 0).then_some(moved)
    }
}
