//! Where lines are: each side is a list of runs of 256 lines, taken from arenas, the last taken the first to go.
//!
//! ```text
//!  side 0   [run 0: 256 lines][run 1][run 2] ..          the last run of a side of few lines is as short as they allow,
//!  side 1   [run 0: 256 lines][run 1] ..                 and is copied when it gets longer
//!  spare    runs of arenas of which other runs are still in use
//!
//!  divided  each section has runs of 32 lines: every eighth line of the runs that there were, and runs of its own
//! ```
//! **Price.** 32 bytes a run and the lines; a line costs one look at the list. A call asks the system for one arena at most,
//! a 32nd of what there is, 2 MiB at most, and copies 16 KiB of lines at most, or a list that doubles.

use crate::error::Error;
use crate::num;
use crate::raw::arena::{Account, Run};
use crate::raw::row::{RUN_BITS, Row};
use crate::simd::Line;

use super::allocator::{exactly_allocated, expect_memory};
use super::form::{Any, Form};
use super::key::{LEAST_DEPTH, LineNumber, PHASE_BITS, SECTIONS, Section, Shape};
use super::position::PARTS;

/// The size of a line in bytes: a cache line.
pub(super) const LINE_BYTES: u64 = 64;

/// A run of a whole table has 16 KiB: the most that a call copies.
const _: () = assert!(LINE_BYTES << RUN_BITS == 16 << 10);

/// Bytes of the largest arena, the most that a call asks for: a large page.
const MOST_ARENA: u64 = 2 << 20;

/// Sides of fewer runs than these have a short last run: of more a whole run is an eighth at most. `tests/suite/bits_per_key.rs` has the
/// bounds for windows of few keys.
const FEW: u64 = 8;

/// The most runs that one call gives back: those of the largest arena.
const MOST_BACK: u64 = (MOST_ARENA / LINE_BYTES) >> RUN_BITS;

/// How many lines there may be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Most {
    /// The lines that a table is built with, for good.
    Fixed,
    /// A number of bytes, of all sections.
    Bytes(u64),
}

/// See the module.
#[derive(Debug)]
pub(super) struct Directory {
    sides: [Row; 2],
    spare: Vec<Run>,
    /// Runs of a table that was given up.
    leaving: Vec<Run>,
    /// Lines of all of them.
    held: u64,
    /// The most lines of this section.
    most: u64,
    section: Section,
    /// Lines of a run, as a power of 2.
    run_bits: u32,
    /// Whether the table keeps its size for good.
    is_fixed: bool,
    account: Account,
}

impl Directory {
    /// For the lines of a shape, none of which is initialised, within a limit.
    pub(super) fn new(shape: &Shape, most: Most, account: &Account) -> Result<Self, Error> {
        let mut new = Self::without_lines(shape.section, most, account);
        new.fill(shape)?;
        Ok(new)
    }

    /// The same without any line yet.
    pub(super) fn without_lines(section: Section, most: Most, account: &Account) -> Self {
        let (sides, account) = (Default::default(), account.clone());
        let (is_fixed, most) = match most {
            Most::Fixed => (true, u64::MAX / LINE_BYTES),
            Most::Bytes(bytes) => (false, (bytes / LINE_BYTES) >> section.skip),
        };
        let run_bits = RUN_BITS - section.skip;
        Self { sides, spare: Vec::new(), leaving: Vec::new(), held: 0, most, section, run_bits, is_fixed, account }
    }

    #[cfg(test)]
    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// Bytes of all runs, counted one by one.
    #[cfg(test)]
    pub(super) fn counted_bytes(&self) -> u64 {
        let runs = self.sides.iter().flat_map(|row| row.iter()).chain(&self.spare).chain(&self.leaving);
        let lines = runs.map(|run| num::wide(run.len())).sum::<u64>();
        assert_eq!(lines, self.held, "lines that are held");
        lines * LINE_BYTES
    }

    /// From now on there is room for `most` bytes of all sections.
    pub(super) fn bind(&mut self, most: u64) {
        self.most = (most / LINE_BYTES) >> self.section.skip;
    }

    fn limit(&self) -> Most {
        if self.is_fixed {
            Most::Fixed
        } else {
            Most::Bytes((self.most << self.section.skip).saturating_mul(LINE_BYTES))
        }
    }

    /// Lines of a run.
    #[inline(always)]
    const fn run(&self) -> u64 {
        1 << self.run_bits
    }

    /// Lines of which runs have a multiple: where memory is limited a run is divided into equal parts.
    const fn grain(&self) -> u64 {
        if self.is_fixed { 1 } else { PARTS >> self.section.skip }
    }

    /// Lines for a shape where there are none.
    pub(super) fn fill(&mut self, shape: &Shape) -> Result<(), Error> {
        expect_memory(shape.lines())?;
        for side in [0, 1] {
            let (mut whole, rest) = (shape.lines_of(side) / self.run(), shape.lines_of(side) % self.run());
            while whole > 0 {
                // As if the table had grown to that, so that what it shrinks by goes back; one that never shrinks takes all.
                let most = if self.is_fixed { whole } else { whole.min(self.runs_of_arena(2 * self.room_of(side))) };
                let runs = exactly_allocated(most);
                // The arenas of a table that keeps its size are few and large, and have large pages wherever they begin.
                let cut = if self.is_fixed { Run::cut } else { Run::cut_from_a_page };
                let mut list = Vec::new();
                cut(&self.account, num::index(runs), num::index(1 << self.run_bits), &mut list)?;
                self.append(side, list)?;
                whole -= runs;
                self.held += runs * self.run();
            }
            if rest > 0 {
                self.push_run(side, rest.next_multiple_of(self.grain()))?;
            }
        }
        Ok(())
    }

    /// Runs of an arena of a table of a number of lines: arenas go back one at a time.
    fn runs_of_arena(&self, lines: u64) -> u64 {
        exactly_allocated(((lines / 32).min(MOST_ARENA / LINE_BYTES) / self.run()).max(1))
    }

    fn push_run(&mut self, side: usize, lines: u64) -> Result<(), Error> {
        let mut list = Vec::new();
        Run::cut(&self.account, 1, num::index(lines), &mut list)?;
        self.append(side, list)?;
        self.held += lines;
        Ok(())
    }

    /// Adds runs to a side, in the order in which a list gives them out.
    fn append(&mut self, side: usize, runs: Vec<Run>) -> Result<(), Error> {
        self.sides[side].reserve(runs.len())?;
        runs.into_iter().rev().for_each(|run| self.sides[side].push(run));
        Ok(())
    }

    /// Lines that `fill` takes for a shape.
    pub(super) fn lines_for(shape: &Shape, is_fixed: bool) -> u64 {
        let grain = if is_fixed { 1 } else { PARTS >> shape.section.skip };
        [0, 1].into_iter().map(|side| shape.lines_of(side).next_multiple_of(grain)).sum()
    }

    #[inline(always)]
    pub(super) fn line(&self, side: usize, line: LineNumber) -> &Line {
        self.line_of::<Any>(side, line)
    }

    /// The same in a table of this form.
    #[inline(always)]
    pub(super) fn line_of<F: Form>(&self, side: usize, line: LineNumber) -> &Line {
        if F::WHOLE {
            return self.sides[side % 2].line(num::index(line.0));
        }
        // A run covers as many line numbers in a section, which skips most of them, as in a whole table.
        let run = &self.sides[side % 2][num::index(line.0 >> RUN_BITS)];
        run.at(num::index((line.0 % (1 << RUN_BITS)) >> self.section.skip))
    }

    /// Lines of a side: one, and the next ones of its phase as far as its run goes, a number of them at most.
    #[inline(always)]
    pub(super) fn of_phase(&self, side: usize, line: LineNumber, most: u64) -> impl ExactSizeIterator<Item = &Line> {
        let run = &self.sides[side % 2][num::index(line.0 >> RUN_BITS)];
        let (first, apart) = (line.0 % (1 << RUN_BITS), PARTS >> self.section.skip);
        let left = ((1 << RUN_BITS) - first).div_ceil(PARTS);
        let first = num::index(first >> self.section.skip);
        (0..num::index(left.min(most))).map(move |i| run.at(first + i * num::index(apart)))
    }

    /// Lines of a side that the shortest run is made for, by the number it needs.
    fn step(&self, lines: u64) -> u64 {
        let least = (1 << LEAST_DEPTH) >> self.section.skip;
        (lines + (lines / 8).max(1)).next_multiple_of(self.grain()).max(least)
    }

    /// Lines that memory allows in addition to those that there are.
    fn room(&self) -> u64 {
        let left = self.most.saturating_sub(self.held);
        left - left % self.grain()
    }

    /// Sees to it that there is a line with this number, the next one of its side.
    pub(super) fn reach(&mut self, side: usize, line: LineNumber) -> Result<(), Error> {
        let i = self.section.index(line);
        if i < self.room_of(side) {
            return Ok(());
        }
        if i < FEW * self.run() {
            return self.lengthen(side, i + 1);
        }
        let last = self.room_of(side) % self.run();
        if last != 0 {
            // A short run that was kept when the side had fewer lines, or when memory allowed no more.
            let most = self.run().min(last + self.room());
            return if most > last { self.resize(side, most) } else { Err(self.no_memory(self.run())) };
        }
        self.sides[side].reserve(1)?;
        match self.take() {
            Ok(run) => {
                self.sides[side].push(run);
                Ok(())
            }
            // The last lines that memory allows are no whole run.
            Err(_) if (1..self.run()).contains(&self.room()) => self.push_run(side, self.room()),
            Err(error) => Err(error),
        }
    }

    /// Lines that a side has room for.
    fn room_of(&self, side: usize) -> u64 {
        let runs = num::wide(self.sides[side].len());
        self.sides[side].last().map_or(0, |last| (runs - 1) * self.run() + num::wide(last.len()))
    }

    /// A spare run, or the first of a new arena.
    fn take(&mut self) -> Result<Run, Error> {
        if self.spare.is_empty() {
            let runs = self.runs_of_arena(self.held).min(self.room() / self.run());
            self.take_arena(runs).or_else(|error| if runs > 1 { self.take_arena(1) } else { Err(error) })?;
        }
        self.spare.pop().ok_or_else(|| self.no_memory(self.run()))
    }

    fn take_arena(&mut self, runs: u64) -> Result<(), Error> {
        if runs == 0 {
            return Err(self.no_memory(self.run()));
        }
        Run::cut_from_a_page(&self.account, num::index(runs), num::index(self.run()), &mut self.spare)?;
        self.held += runs * self.run();
        Ok(())
    }

    fn no_memory(&self, lines: u64) -> Error {
        Error::no_memory(num::index(lines * LINE_BYTES))
    }

    /// Makes the last run of a side of few lines longer, or adds a short one.
    fn lengthen(&mut self, side: usize, lines: u64) -> Result<(), Error> {
        let before = (lines - 1) / self.run() * self.run();
        let last = self.room_of(side) % self.run();
        let wanted = (self.step(lines) - before).min(self.run()).min(self.room() + last);
        if wanted < lines - before {
            return Err(self.no_memory(lines - before));
        }
        if last != 0 { self.resize(side, wanted) } else { self.push_run(side, wanted) }
    }

    /// Gives the last run of a side another length, and copies it.
    fn resize(&mut self, side: usize, lines: u64) -> Result<(), Error> {
        let Some(old) = self.sides[side].last() else { return Err(self.no_memory(lines)) };
        let last = num::wide(old.len());
        if self.held + lines > self.most + last || last == 0 {
            return Err(self.no_memory(lines));
        }
        let new = old.resized(num::index(lines))?;
        copy(old, &new);
        self.sides[side].replace_last(new);
        self.held = self.held + lines - last;
        Ok(())
    }

    /// Gives back what lies behind a number of lines of a side.
    pub(super) fn trim(&mut self, side: usize, lines: u64) {
        while num::wide(self.sides[side].len()) > lines.div_ceil(self.run()) {
            let Some(run) = self.sides[side].pop() else { return };
            self.put_back(run);
        }
        // A last run that is much too long becomes shorter, if there is memory for the copy.
        let short = (self.step(lines) - (lines - 1) / self.run() * self.run()).min(self.run());
        if lines < FEW * self.run() && self.step(lines + self.step(lines) / 8) < self.room_of(side) {
            drop(self.resize(side, short));
        }
    }

    /// Makes a run spare, or gives all runs of its arena back if all of them are spare. A run of a divided arena goes at once,
    /// since no section knows whether the others still use theirs.
    fn put_back(&mut self, run: Run) {
        let siblings = 1 + self.spare.iter().filter(|other| other.is_sibling(&run)).count();
        if run.is_divided() {
            self.held -= num::wide(run.len());
        } else if siblings == run.siblings() || self.spare.try_reserve(1).is_err() {
            self.held -= num::wide(siblings - 1) * self.run() + num::wide(run.len());
            self.spare.retain(|other| !other.is_sibling(&run));
        } else {
            self.spare.push(run);
        }
    }

    /// Begins again with the lines of a shape; the former lines go back piece by piece. Without room for both, the first of the
    /// former lines are kept; so are all lines of a table that has no others, or keys after silences would pile up old ones.
    pub(super) fn restart(&mut self, shape: &Shape) {
        let is_full = |side| self.room_of(side) == shape.lines_of(side).next_multiple_of(self.grain());
        if self.spare.is_empty() && is_full(0) && is_full(1) {
            return;
        }
        let (old, spare, held) = (std::mem::take(&mut self.sides), std::mem::take(&mut self.spare), self.held);
        let room = old.iter().map(|row| row.len()).sum::<usize>() + spare.len();
        let fits = held + shape.lines() <= self.most && self.leaving.try_reserve(room).is_ok();
        if !fits || self.fill(shape).is_err() {
            (self.sides, self.spare, self.held) = (old, spare, held);
            [0, 1].into_iter().for_each(|side| self.trim(side, shape.lines_of(side)));
            return;
        }
        self.leaving.extend(old.into_iter().flat_map(|mut row| row.take()).chain(spare));
    }

    /// Whether memory is on its way back.
    pub(super) fn is_leaving(&self) -> bool {
        !self.leaving.is_empty()
    }

    /// Gives one arena of what is leaving back.
    pub(super) fn give_back(&mut self) {
        for _ in 0..MOST_BACK {
            let Some(run) = self.leaving.pop() else { return };
            self.held -= num::wide(run.len());
            if run.siblings() == 1 {
                return;
            }
        }
    }

    /// A copy of the lines of a shape.
    pub(super) fn try_clone(&self, shape: &Shape, account: &Account) -> Result<Self, Error> {
        let copy = Self::new(shape, self.limit(), account)?;
        for side in [0, 1] {
            for i in 0..shape.lines_of(side) {
                let spot = shape.nth(side, i);
                copy_line(self.line(side, spot.line), copy.line(side, spot.line));
            }
        }
        Ok(copy)
    }

    /// The lines of this table by section; none is copied. Without memory for the lists the table stays as it was.
    pub(super) fn divide(&mut self) -> Result<[Self; SECTIONS], Error> {
        let of = |phase| Self::without_lines(Section::of(num::wide(phase)), self.limit(), &self.account);
        let mut parts: [Self; SECTIONS] = std::array::from_fn(of);
        let runs = [self.sides[0].len(), self.sides[1].len()];
        for part in &mut parts {
            part.sides.iter_mut().zip(runs).try_for_each(|(row, n)| row.reserve(n))?;
            part.spare = crate::raw::vec_of(self.spare.len())?;
        }
        for (side, row) in self.sides.iter_mut().enumerate() {
            for run in row.take() {
                // On side 1 the line of phase 3 has the number 5.
                let phase = |i: usize| if side == 0 { i } else { (SECTIONS - i) % SECTIONS };
                run.divide(PHASE_BITS, |i, run| parts[phase(i)].sides[side].push(run));
            }
        }
        self.spare.drain(..).for_each(|run| run.divide(PHASE_BITS, |i, run| parts[i].spare.push(run)));
        parts[0].leaving = std::mem::take(&mut self.leaving);
        for part in &mut parts {
            let runs = part.sides.iter().flat_map(|row| row.iter()).chain(&part.spare).chain(&part.leaving);
            part.held = runs.map(|run| num::wide(run.len())).sum();
        }
        self.held = 0;
        Ok(parts)
    }
}

fn copy(from: &Run, to: &Run) {
    (0..from.len().min(to.len())).for_each(|i| copy_line(from.at(i), to.at(i)));
}

/// Makes a line equal to another.
pub(super) fn copy_line(from: &Line, to: &Line) {
    (0..8).for_each(|i| to.set_word(i, from.word(i)));
}
