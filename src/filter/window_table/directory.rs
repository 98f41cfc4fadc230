//! Lines in memory: a number of a side leads to a line, lines come and go at the end of a side, in runs of a few KiB.
//!
//! ```text
//!  side     [ strided runs of a section: every eighth line of the table that was divided ][ run ][ run ] .. [ run ]
//!  run      64 lines, or 16 of a section, out of arenas of a 32nd of all, 2 MiB at most; the last of a table of fixed size may be short
//!  spare    runs of the newest arena that no side has; an arena of which all runs are spare goes back to the system
//!  leaving  runs of a table that has begun again: some go back with each call
//! ```
//! **Law.** The bytes of all arenas are on the filter's account, which has a limit. A call opens at most one arena, and gives back 32 KiB and one at most.

use crate::error::Error;
use crate::num;
use crate::raw::arena::{Account, Run};
use crate::raw::row::{RUN_BITS, Row, Strided};
use crate::raw::{boxed, vec_of};
use crate::simd::Line;

use super::key::{PHASE_BITS, SECTIONS, Shape, Side, Spot};
use super::position::PARTS;

pub(super) const LINE_BYTES: u64 = num::wide(size_of::<Line>());

/// Lines of a run of a section as a power of two: a side of each of the eight ends with one.
const SECTION_BITS: u32 = 4;

/// Lines of an arena at most.
const MOST_OF_AN_ARENA: u64 = (2 << 20) / LINE_BYTES;

/// Runs that are leaving and go back with a call, at most, and bytes of arenas that have gone with them after which no more go.
const BACK_A_CALL: usize = 64;
const BYTES_BACK: u64 = 32 << 10;

/// See the module.
#[derive(Debug)]
pub(super) struct Directory {
    /// Nothing while there are no runs: a small filter is small.
    runs: Option<Box<Runs>>,
    run_bits: u32,
}

/// All that have been opened.
#[derive(Debug)]
struct Runs {
    rows: [Row; 2],
    /// The runs of the table that was divided, of each of which a section has every eighth line.
    strided: [Strided; 2],
    /// Lines of both sides that exist, in use or not.
    lines: u64,
    spare: Vec<Run>,
    leaving: Vec<Run>,
}

impl Runs {
    fn none(run_bits: u32) -> Self {
        Self {
            rows: [Row::of(run_bits), Row::of(run_bits)],
            strided: [Strided::none(), Strided::none()],
            lines: 0,
            spare: Vec::new(),
            leaving: Vec::new(),
        }
    }

    fn len(&self, side: Side) -> u64 {
        num::wide(self.strided[side.index()].end() + self.rows[side.index()].end())
    }

    fn push(&mut self, side: Side, run: Run) {
        self.lines += num::wide(run.len());
        self.rows[side.index()].push(run);
    }

    /// The last run of a table of fixed size makes room for a whole one.
    fn replace_short(&mut self, side: Side, run: Run, len: usize) {
        let row = &mut self.rows[side.index()];
        if let Some(short) = row.last() {
            (0..len).for_each(|i| copy_line(short.at(i), run.at(i)));
        }
        self.lines += num::wide(run.len() - len);
        row.replace_last(run);
    }

    /// An arena of a 32nd of all lines; a smaller one where the limit leaves no room for that.
    fn open_arena(&mut self, account: &Account, run: u64, most: u64) -> Result<(), Error> {
        let mut lines = (1 << (self.lines / 32).max(1).ilog2()).clamp(run, MOST_OF_AN_ARENA);
        loop {
            let runs = num::index(lines.min(most - self.lines) / run);
            match Run::cut_from_a_page(account, runs.max(1), num::index(run), &mut self.spare) {
                Err(_) if lines > run => lines /= 2,
                done => return done,
            }
        }
    }

    /// [`Directory::remove_from`].
    fn remove_from(&mut self, side: Side, line: u64) {
        let i = side.index();
        let first = self.rows[i].last().map_or(u64::MAX, |last| self.len(side) - num::wide(last.len()));
        if line > first {
            return;
        }
        let Some(run) = self.rows[i].pop() else { return };
        self.lines -= num::wide(run.len());
        let is_whole =
            |spare: &[Run]| spare.iter().filter(|spare| spare.is_sibling(&run)).count() + 1 == run.siblings();
        if is_whole(&self.spare) {
            self.spare.retain(|spare| !spare.is_sibling(&run));
        } else if self.spare.try_reserve(1).is_ok() {
            self.spare.push(run);
        }
    }

    /// All runs leave.
    fn leave(&mut self) {
        let all: [Vec<Run>; 5] = [
            self.rows[0].take(),
            self.rows[1].take(),
            self.strided[0].take(),
            self.strided[1].take(),
            std::mem::take(&mut self.spare),
        ];
        self.lines = 0;
        for runs in all {
            if self.leaving.is_empty() {
                self.leaving = runs;
            } else if self.leaving.try_reserve(runs.len()).is_ok() {
                self.leaving.extend(runs);
            }
        }
    }
}

impl Directory {
    /// No lines yet.
    pub(super) const fn new(is_section: bool) -> Self {
        let run_bits = if is_section { SECTION_BITS } else { RUN_BITS };
        Self { runs: None, run_bits }
    }

    /// The runs, to which some are to be added.
    fn runs(&mut self) -> Result<&mut Runs, Error> {
        let runs = match self.runs.take() {
            Some(runs) => runs,
            None => boxed(Runs::none(self.run_bits))?,
        };
        Ok(self.runs.insert(runs))
    }

    /// Lines of a run.
    pub(super) const fn run(&self) -> u64 {
        1 << self.run_bits
    }

    /// Lines in memory of a whole table of this shape.
    pub(super) const fn lines_of(shape: &Shape, is_exact: bool) -> u64 {
        let [a, b] = Self::lines_for(shape, is_exact, RUN_BITS);
        a + b
    }

    /// The lines that a table of this shape has in memory at first, on each side.
    const fn lines_for(shape: &Shape, is_exact: bool, run_bits: u32) -> [u64; 2] {
        let run = 1 << run_bits;
        let [a, b] = shape.sides;
        if is_exact { [a, b] } else { [a.div_ceil(run) * run, b.div_ceil(run) * run] }
    }

    /// Makes the lines of a shape; those of a table of fixed size exactly.
    pub(super) fn open(&mut self, account: &Account, shape: &Shape, is_exact: bool) -> Result<(), Error> {
        self.open_lines(account, Self::lines_for(shape, is_exact, self.run_bits))
    }

    /// Makes that number of lines of each side. Whole runs come out of arenas whose sizes are powers of two: an allocator has those, and
    /// may round others up by a fifth.
    fn open_lines(&mut self, account: &Account, lines: [u64; 2]) -> Result<(), Error> {
        let run = num::index(self.run());
        let whole = lines.map(|lines| num::index(lines) / run);
        let (mut cut, all) = (Vec::new(), whole[0] + whole[1]);
        for some in (0..usize::BITS).map(|bit| all & (1 << bit)).filter(|some| *some > 0) {
            // Large pages wherever they begin: room to align them could be half of a table.
            Run::cut(account, some, run, &mut cut)?;
        }
        let runs = self.runs()?;
        for side in Side::BOTH {
            let (whole, rest) = (whole[side.index()], num::index(lines[side.index()]) % run);
            runs.rows[side.index()].reserve(whole + 1)?;
            (0..whole).filter_map(|_| cut.pop()).for_each(|run| runs.push(side, run));
            if rest > 0 {
                let mut short = Vec::new();
                Run::cut(account, 1, rest, &mut short)?;
                short.into_iter().for_each(|run| runs.push(side, run));
            }
        }
        Ok(())
    }

    /// A line of a table of which no other has some.
    #[inline(always)]
    pub(super) fn whole_line(&self, side: Side, line: u64) -> &Line {
        #[cfg(test)]
        touched::note(Spot { side, line });
        let runs = self.runs.as_deref().expect("a table has lines");
        runs.rows[side.index()].usual_line(num::index(line))
    }

    #[inline(always)]
    pub(super) fn line(&self, spot: Spot) -> &Line {
        #[cfg(test)]
        touched::note(spot);
        let (side, runs) = (spot.side.index(), self.runs.as_deref().expect("a table has lines"));
        let (line, strided) = (num::index(spot.line), &runs.strided[side]);
        match line.checked_sub(strided.end()) {
            Some(line) => runs.rows[side].line(line),
            None => strided.line(line),
        }
    }

    /// How many lines of a side there are, in use or not.
    pub(super) fn len(&self, side: Side) -> u64 {
        self.runs.as_ref().map_or(0, |runs| runs.len(side))
    }

    /// Makes line `line` of a side, the first that is not there, within `most` lines in all.
    pub(super) fn add(&mut self, account: &Account, side: Side, most: u64) -> Result<(), Error> {
        let run = self.run();
        let runs = self.runs()?;
        if runs.lines + run > most {
            return Err(Error::no_memory(num::index(run * LINE_BYTES)));
        }
        runs.rows[side.index()].reserve(1)?;
        if runs.spare.is_empty() {
            runs.open_arena(account, run, most)?;
        }
        let Some(run) = runs.spare.pop() else { return Err(Error::no_memory(0)) };
        (0..run.len()).for_each(|i| clear_line(run.at(i)));
        match runs.rows[side.index()].short_last() {
            Some(len) => runs.replace_short(side, run, len),
            None => runs.push(side, run),
        }
        Ok(())
    }

    /// Gives back the run of a side whose lines are not in use from `line` on, if it is the last.
    pub(super) fn remove_from(&mut self, side: Side, line: u64) {
        self.runs.iter_mut().for_each(|runs| runs.remove_from(side, line));
    }

    /// Frees all cells of a line.
    pub(super) fn clear(&self, spot: Spot) {
        clear_line(self.line(spot));
    }

    /// Takes all lines out; they go back with the next calls.
    pub(super) fn begin_again(&mut self, account: &Account) {
        self.runs.iter_mut().for_each(|runs| runs.leave());
        self.give_back(account);
    }

    /// Gives some runs back that are leaving.
    #[inline]
    pub(super) fn give_back(&mut self, account: &Account) {
        let Some(runs) = &mut self.runs else { return };
        // A call may come to all eight sections.
        let most = if self.run_bits == SECTION_BITS { BYTES_BACK / PARTS } else { BYTES_BACK };
        let before = account.bytes();
        for _ in 0..BACK_A_CALL {
            if runs.leaving.pop().is_none() {
                return self.give_all_back();
            }
            if before.saturating_sub(account.bytes()) >= most {
                break;
            }
        }
        crate::raw::shorten(&mut runs.leaving);
    }

    pub(super) fn is_leaving(&self) -> bool {
        self.runs.as_ref().is_some_and(|runs| !runs.leaving.is_empty())
    }

    /// Gives all of them back.
    pub(super) fn give_all_back(&mut self) {
        self.runs.iter_mut().for_each(|runs| runs.leaving = Vec::new());
        self.runs.take_if(|runs| runs.lines == 0 && runs.spare.is_empty());
    }

    /// The lines of each phase as those of a section.
    #[allow(clippy::result_large_err, reason = "the lines themselves come back, once in a filter's life")]
    pub(super) fn divide(mut self) -> Result<Vec<Self>, Self> {
        let Ok((mut sections, mut parts)) = self.room_for_sections() else { return Err(self) };
        let rows = self.runs.iter_mut().flat_map(|runs| &mut runs.rows);
        rows.zip(&mut parts).for_each(|(row, parts)| Strided::divide(row, parts));
        let [first, second] = parts;
        let parts = first.into_iter().zip(second).map(<[Strided; 2]>::from);
        for (runs, strided) in sections.iter_mut().filter_map(|section| section.runs.as_mut()).zip(parts) {
            runs.lines = num::wide(strided[0].end() + strided[1].end());
            runs.strided = strided;
        }
        Ok(sections)
    }

    /// Memory for the sections.
    fn room_for_sections(&mut self) -> Result<(Vec<Self>, [Vec<Strided>; 2]), Error> {
        let mut sections = vec_of(SECTIONS)?;
        for _ in 0..SECTIONS {
            let mut section = Self::new(true);
            section.runs()?;
            sections.push(section);
        }
        let [first, second] = &self.runs()?.rows;
        Ok((sections, [Strided::room_for(first, PHASE_BITS)?, Strided::room_for(second, PHASE_BITS)?]))
    }

    /// A copy of the lines of a shape, with no others.
    pub(super) fn try_clone(&self, shape: Option<&Shape>, is_exact: bool, account: &Account) -> Result<Self, Error> {
        let mut copy = Self::new(self.run_bits == SECTION_BITS);
        let Some(shape) = shape else { return Ok(copy) };
        copy.open(account, shape, is_exact)?;
        for side in Side::BOTH {
            for line in 0..shape.sides[side.index()] {
                let spot = Spot { side, line };
                copy_line(self.line(spot), copy.line(spot));
            }
        }
        Ok(copy)
    }
}

fn clear_line(line: &Line) {
    (0..32).for_each(|i| line.set_lane(i, 0));
}

fn copy_line(from: &Line, to: &Line) {
    (0..32).for_each(|i| to.set_lane(i, from.lane(i)));
}

/// Tests count the lines that a call touches.
#[cfg(test)]
pub(super) mod touched {
    use std::cell::RefCell;
    use std::collections::HashSet;

    use super::Spot;

    thread_local!(static LINES: RefCell<Option<HashSet<(usize, u64)>>> = const { RefCell::new(None) });

    pub(super) fn note(spot: Spot) {
        LINES.with_borrow_mut(|lines| lines.as_mut().map(|lines| lines.insert((spot.side.index(), spot.line))));
    }

    /// How many lines `f` touches.
    pub(in super::super) fn count<R>(f: impl FnOnce() -> R) -> (R, usize) {
        LINES.set(Some(HashSet::new()));
        let result = f();
        (result, LINES.take().map_or(0, |lines| lines.len()))
    }
}
