//! Where lines are: each side is a list of runs of 256 lines, taken from arenas, the last taken the first to go.
//!
//! ```text
//!  side 0   [run 0: 256 lines][run 1][run 2] ..          the first run of a side is as short as its lines allow, and is
//!  side 1   [run 0: 256 lines][run 1] ..                 copied when it gets longer
//!  spare    runs of arenas that other runs are still in use of
//! ```
//! **Price.** 24 bytes a run beside the lines; a line costs one look at the list. A call asks the system for one arena at most,
//! a 32nd of what there is, 2 MiB at most, and copies 16 KiB at most.

use crate::error::Error;
use crate::num;
use crate::raw::arena::Run;
use crate::simd::Line;

use super::super::plan::LINE_BYTES;
use super::key::{LEAST_DEPTH, Shape, Spot};

/// Lines of a run.
const RUN: u64 = 256;

/// Bytes of the largest arena.
const MOST_ARENA: u64 = 2 << 20;

/// See the module.
#[derive(Debug)]
pub(super) struct Directory {
    sides: [Vec<Run>; 2],
    spare: Vec<Run>,
    /// Runs of a table that was given up.
    leaving: Vec<Run>,
    /// Lines of all of them.
    held: u64,
}

/// Sides of so many lines have a short last run.
const FEW: u64 = 8 * RUN;

/// Lines that a side of few is given room for when it needs so many.
fn step(lines: u64) -> u64 {
    (lines + (lines / 8).max(1)).next_multiple_of(4).max(1 << LEAST_DEPTH)
}

impl Directory {
    /// For the lines of a shape, none of which is initialised.
    pub(super) fn new(shape: &Shape) -> Result<Self, Error> {
        let mut new = Self { sides: [Vec::new(), Vec::new()], spare: Vec::new(), leaving: Vec::new(), held: 0 };
        new.fill(shape)?;
        Ok(new)
    }

    fn fill(&mut self, shape: &Shape) -> Result<(), Error> {
        for side in [0, 1] {
            let lines = shape.lines_of(side);
            let (whole, rest) = (lines / RUN, lines % RUN);
            if whole > 0 {
                Run::cut(num::index(whole), num::index(RUN), &mut self.sides[side])?;
                // They come in the order in which a list gives them out.
                self.sides[side].reverse();
                self.held += whole * RUN;
            }
            if rest > 0 {
                let rest = if lines < FEW { rest.next_multiple_of(4) } else { RUN };
                push_run(&mut self.sides[side], rest)?;
                self.held += rest;
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn line(&self, spot: &Spot) -> &Line {
        self.sides[spot.side % 2][num::index(spot.line / RUN)].at(num::index(spot.line % RUN))
    }

    /// Bytes of all lines that the system has not got back.
    pub(super) fn bytes(&self) -> u64 {
        self.held * LINE_BYTES
    }

    /// Sees to it that there is a line with this number, the next one of its side, within so many bytes in all.
    pub(super) fn reach(&mut self, side: usize, line: u64, most: u64) -> Result<(), Error> {
        if line < self.room_of(side) {
            return Ok(());
        }
        if line < FEW {
            return self.lengthen(side, line + 1, most);
        }
        if line % RUN != 0 {
            // A short run that was kept when the side had fewer lines.
            return self.resize(side, RUN, most);
        }
        let run = self.take(most)?;
        crate::raw::push(&mut self.sides[side], run)
    }

    /// Lines that a side has room for.
    fn room_of(&self, side: usize) -> u64 {
        let runs = num::wide(self.sides[side].len());
        self.sides[side].last().map_or(0, |last| (runs - 1) * RUN + num::wide(last.len()))
    }

    /// A spare run, or the first of a new arena.
    fn take(&mut self, most: u64) -> Result<Run, Error> {
        if self.spare.is_empty() {
            let room = most.saturating_sub(self.bytes()) / (RUN * LINE_BYTES);
            let wanted = (self.bytes() / 32).min(MOST_ARENA) / (RUN * LINE_BYTES);
            let runs = wanted.max(1).min(room);
            if runs == 0 {
                return Err(Error::no_memory(num::index(RUN * 8)));
            }
            Run::cut(num::index(runs), num::index(RUN), &mut self.spare)?;
            self.held += runs * RUN;
        }
        self.spare.pop().ok_or_else(|| Error::no_memory(num::index(RUN * 8)))
    }

    /// Makes the last run of a side of few lines longer, or adds a short one.
    fn lengthen(&mut self, side: usize, lines: u64, most: u64) -> Result<(), Error> {
        let short = step(lines) - (lines - 1) / RUN * RUN;
        let wanted = short.min(RUN).min(most.saturating_sub(self.bytes()) / LINE_BYTES + self.room_of(side) % RUN);
        let needed = (lines - 1) % RUN + 1;
        if wanted < needed {
            return Err(Error::no_memory(num::index(needed * 8)));
        }
        if self.room_of(side) % RUN != 0 || self.sides[side].is_empty() {
            return self.resize(side, wanted, most);
        }
        push_run(&mut self.sides[side], wanted)?;
        self.held += wanted;
        Ok(())
    }

    /// Gives the last run of a side another length, within so many bytes in all, and copies it.
    fn resize(&mut self, side: usize, lines: u64, most: u64) -> Result<(), Error> {
        let Some(last) = self.sides[side].last_mut() else { return Err(Error::no_memory(8)) };
        let held = self.held + lines - num::wide(last.len());
        if held * LINE_BYTES > most {
            return Err(Error::no_memory(num::index(lines * 8)));
        }
        let mut fresh = Vec::new();
        push_run(&mut fresh, lines)?;
        copy(last, &fresh[0]);
        std::mem::swap(last, &mut fresh[0]);
        self.held = held;
        Ok(())
    }

    /// Gives back what lies behind so many lines of a side.
    pub(super) fn trim(&mut self, side: usize, lines: u64) {
        while num::wide(self.sides[side].len()) > lines.div_ceil(RUN) {
            let Some(run) = self.sides[side].pop() else { return };
            self.put_back(run);
        }
        // A last run that is much too long becomes shorter, if there is memory for the copy.
        let short = (step(lines) - (lines - 1) / RUN * RUN).min(RUN);
        if lines < FEW && step(lines + step(lines) / 8) < self.room_of(side) {
            drop(self.resize(side, short, u64::MAX));
        }
    }

    /// A run that is not needed is spare, until all runs of its arena are: then they go.
    fn put_back(&mut self, run: Run) {
        let siblings = 1 + self.spare.iter().filter(|other| other.is_sibling(&run)).count();
        if siblings == run.siblings() || self.spare.try_reserve(1).is_err() {
            self.held -= num::wide(siblings - 1) * RUN + num::wide(run.len());
            self.spare.retain(|other| !other.is_sibling(&run));
        } else {
            self.spare.push(run);
        }
    }

    /// Begins again with the lines of a shape; what there was goes back piece by piece. Without room for both the first lines of
    /// what there is are kept.
    pub(super) fn restart(&mut self, shape: &Shape, most: u64) {
        let old = std::mem::take(&mut self.sides);
        let spare = std::mem::take(&mut self.spare);
        let held = self.held;
        let room = old.iter().map(Vec::len).sum::<usize>() + spare.len();
        let fits = self.bytes() + shape.lines() * LINE_BYTES <= most && self.leaving.try_reserve(room).is_ok();
        if !fits || self.fill(shape).is_err() {
            (self.sides, self.spare, self.held) = (old, spare, held);
            [0, 1].into_iter().for_each(|side| self.trim(side, shape.lines_of(side)));
            return;
        }
        self.leaving.extend(old.into_iter().flatten().chain(spare));
    }

    /// Whether memory is on its way back.
    pub(super) fn is_leaving(&self) -> bool {
        !self.leaving.is_empty()
    }

    /// Gives one arena of what is leaving back.
    pub(super) fn give_back(&mut self) {
        while let Some(run) = self.leaving.pop() {
            self.held -= num::wide(run.len());
            if run.siblings() == 1 {
                return;
            }
        }
    }

    /// A copy of the lines of a shape.
    pub(super) fn try_clone(&self, shape: &Shape) -> Result<Self, Error> {
        let copy = Self::new(shape)?;
        for side in [0, 1] {
            for line in 0..shape.lines_of(side) {
                let spot = Spot { side, line, depth: 0 };
                copy_line(self.line(&spot), copy.line(&spot));
            }
        }
        Ok(copy)
    }
}

fn push_run(list: &mut Vec<Run>, lines: u64) -> Result<(), Error> {
    Run::cut(1, num::index(lines), list)
}

fn copy(from: &Run, to: &Run) {
    (0..from.len().min(to.len())).for_each(|i| copy_line(from.at(i), to.at(i)));
}

/// Makes a line equal to another.
pub(super) fn copy_line(from: &Line, to: &Line) {
    (0..8).for_each(|i| to.set_word(i, from.word(i)));
}
