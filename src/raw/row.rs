//! A list of runs as one row of lines: a number leads to its line with one check.
//!
//! ```text
//!  runs    [ 2^b lines ][ 2^b lines ] .. [ the last: as many, or fewer ]      line n: line n mod 2^b of run n / 2^b
//!  end     the numbers below it have a line
//! ```
//! **Law.** Below `end` every run has the lines that numbers name, next to each other. The list changes at its end alone, so that
//! this is known without another look at the others. Runs of a divided arena have their lines apart: no number of a row names those.
//! **Price.** 8 bytes a run to find a line, and 32 that own the run.

use std::ops::Deref;
use std::ptr::NonNull;

use super::arena::{LINE_BITS, Run};
use super::{Counted, LaneLine as Line, vec_of};
use crate::error::Error;

/// b of a row whose lines are found fastest.
pub(crate) const RUN_BITS: u32 = 6;

/// The first line of a run.
#[derive(Debug, Clone, Copy)]
struct First(NonNull<Line>);

// SAFETY: lines are atomic words, and the row that it is in has the run.
unsafe impl Send for First {}
// SAFETY: the same.
unsafe impl Sync for First {}

/// See the module.
#[derive(Debug)]
pub(crate) struct Row {
    /// The first line of each run: all that a number needs, so that a large table has them in the nearer caches.
    firsts: Vec<First>,
    runs: Vec<Run>,
    end: usize,
    /// The same where b is [`RUN_BITS`] and lines lie next to each other, else 0.
    usual_end: usize,
    bits: u32,
}

/// Every 2^a-th line of a row that was divided: what a section has of it. All sections have one list of its runs, so that a large table has
/// it in the nearer caches.
#[derive(Debug)]
pub(crate) struct Strided {
    list: Option<Counted<Vec<First>>>,
    runs: Vec<Run>,
    end: usize,
    /// Which of the lines: from the first of a run to the first that it has, in bytes.
    offset: usize,
    /// a.
    apart: u32,
}

impl Row {
    /// A row of runs of 2^`bits` lines.
    pub(crate) const fn of(bits: u32) -> Self {
        Self { firsts: Vec::new(), runs: Vec::new(), end: 0, usual_end: 0, bits }
    }

    /// Line `n` of all.
    #[inline(always)]
    pub(crate) fn line(&self, n: usize) -> &Line {
        assert!(n < self.end, "no such line");
        // SAFETY: below the end there is a run for each number, with that line next to its first.
        unsafe { line_of(&self.firsts, n, self.bits, (0, LINE_BITS)) }
    }

    /// The same where b is [`RUN_BITS`].
    #[inline(always)]
    pub(crate) fn usual_line(&self, n: usize) -> &Line {
        assert!(n < self.usual_end, "no such line");
        // SAFETY: the same.
        unsafe { line_of(&self.firsts, n, RUN_BITS, (0, LINE_BITS)) }
    }

    /// Numbers below this have a line.
    pub(crate) const fn end(&self) -> usize {
        self.end
    }

    /// How many lines the last run has, if that is fewer than others have.
    pub(crate) fn short_last(&self) -> Option<usize> {
        self.runs.last().map(Run::len).filter(|len| *len < 1 << self.bits)
    }

    /// Makes room for more runs.
    pub(crate) fn reserve(&mut self, runs: usize) -> Result<(), Error> {
        self.firsts.try_reserve(runs).map_err(|_| Error::no_memory_for::<First>(runs))?;
        self.runs.try_reserve(runs).map_err(|_| Error::no_memory_for::<Run>(runs))
    }

    /// Adds a run; there should be room for it.
    pub(crate) fn push(&mut self, run: Run) {
        if self.end == self.runs.len() << self.bits {
            self.ends_at(self.end + run.spaced(LINE_BITS).min(1 << self.bits));
        }
        self.firsts.push(First(run.first()));
        self.runs.push(run);
    }

    fn ends_at(&mut self, end: usize) {
        (self.end, self.usual_end) = (end, if self.bits == RUN_BITS { end } else { 0 });
    }

    /// Takes the last run out.
    pub(crate) fn pop(&mut self) -> Option<Run> {
        self.firsts.pop();
        let last = self.runs.pop();
        super::shorten(&mut self.firsts);
        super::shorten(&mut self.runs);
        self.ends_at(self.end.min(self.runs.len() << self.bits));
        last
    }

    /// Puts a run in the place of the last.
    pub(crate) fn replace_last(&mut self, run: Run) {
        drop(self.pop());
        self.push(run);
    }

    /// Takes all runs out.
    pub(crate) fn take(&mut self) -> Vec<Run> {
        self.ends_at(0);
        self.firsts = Vec::new();
        std::mem::take(&mut self.runs)
    }
}

/// Line `n` of runs of 2^`bits` lines, from `offset` bytes on and each 2^`scale` bytes from the last.
///
/// # Safety
/// The run that the number leads to has that line.
#[inline(always)]
unsafe fn line_of(firsts: &[First], n: usize, bits: u32, (offset, scale): (usize, u32)) -> &Line {
    // SAFETY: there is a run for each number.
    let First(first) = unsafe { *firsts.get_unchecked(n >> bits) };
    // SAFETY: the run has that line, inside its arena, which lives as long as the run.
    let line = unsafe { first.byte_add(offset + ((n & ((1 << bits) - 1)) << scale)) };
    // SAFETY: the line is initialised, aligned and never borrowed by `&mut`.
    unsafe { line.as_ref() }
}

impl Strided {
    /// No line.
    pub(crate) const fn none() -> Self {
        Self { list: None, runs: Vec::new(), end: 0, offset: 0, apart: 0 }
    }

    /// The 2^`apart` parts of a row of runs of 2^[`RUN_BITS`] lines, without its runs.
    pub(crate) fn room_for(row: &Row, apart: u32) -> Result<Vec<Self>, Error> {
        let (mut list, mut parts) = (vec_of(row.firsts.len())?, vec_of(1 << apart)?);
        list.extend_from_slice(&row.firsts);
        let list = Counted::new(list)?;
        for i in 0..1 << apart {
            let (list, runs) = (Some(list.clone()), vec_of(row.len())?);
            parts.push(Self { list, runs, end: 0, offset: i << LINE_BITS, apart });
        }
        Ok(parts)
    }

    /// Divides the row among these parts of it.
    pub(crate) fn divide(row: &mut Row, parts: &mut [Self]) {
        for run in row.take() {
            run.divide(parts.len().trailing_zeros(), |i, run| parts[i].push(run));
        }
    }

    /// There is room for it.
    fn push(&mut self, run: Run) {
        let bits = RUN_BITS - self.apart;
        if self.end == self.runs.len() << bits {
            self.end += run.spaced(LINE_BITS + self.apart).min(1 << bits);
        }
        self.runs.push(run);
    }

    /// Numbers below this have a line.
    #[inline(always)]
    pub(crate) const fn end(&self) -> usize {
        self.end
    }

    /// Line `n` of all.
    #[inline(always)]
    pub(crate) fn line(&self, n: usize) -> &Line {
        let firsts = self.list.as_ref().filter(|_| n < self.end).expect("no such line");
        // SAFETY: below the end there is a run for each number, in the order of the list, whose lines are that far apart.
        unsafe { line_of(firsts, n, RUN_BITS - self.apart, (self.offset, LINE_BITS + self.apart)) }
    }

    /// Takes all runs out.
    pub(crate) fn take(&mut self) -> Vec<Run> {
        std::mem::replace(self, Self::none()).runs
    }
}

impl Deref for Row {
    type Target = [Run];

    fn deref(&self) -> &[Run] {
        &self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::Account;
    use super::*;

    const LINES: usize = 1 << RUN_BITS;

    fn runs_of(lines: usize, runs: usize) -> Vec<Run> {
        let mut list = Vec::new();
        Run::cut(&Account::new(u64::MAX).unwrap(), runs, lines, &mut list).unwrap();
        list
    }

    fn row_of(runs: impl IntoIterator<Item = Run>) -> Row {
        let mut row = Row::of(RUN_BITS);
        for run in runs {
            row.reserve(1).unwrap();
            row.push(run);
        }
        row
    }

    /// The first number that has no line: every number below it leads to the line that its run has there.
    fn end_of(row: &Row) -> usize {
        let has = |n: usize| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| row.line(n).lane(0))).is_ok();
        let end = (0..).find(|n| !has(*n)).unwrap();
        for n in 0..end {
            row[n / LINES].at(n % LINES).set_lane(0, u16::try_from(n).unwrap());
            assert_eq!(usize::from(row.line(n).lane(0)), n);
            assert_eq!(usize::from(row.usual_line(n).lane(0)), n);
        }
        assert_eq!(end, row.end());
        end
    }

    #[test]
    fn a_row_leads_to_each_line_of_its_runs_and_to_no_other() {
        let mut row = row_of(runs_of(LINES, 2).into_iter().chain(runs_of(7, 1)));
        assert_eq!((row.len(), end_of(&row), row.short_last()), (3, 2 * LINES + 7, Some(7)));
        row.replace_last(runs_of(9, 1).pop().unwrap());
        assert_eq!(end_of(&row), 2 * LINES + 9);
        assert!(row.pop().is_some());
        assert_eq!((end_of(&row), row.short_last()), (2 * LINES, None));
        assert!(row.pop().is_some());
        assert_eq!((row.len(), end_of(&row)), (1, LINES));
        assert_eq!((row.take().len(), row.len(), end_of(&row)), (1, 0, 0));
        assert!(row.pop().is_none());
    }

    #[test]
    fn behind_a_run_that_is_short_numbers_lead_nowhere() {
        let mut row = row_of(runs_of(7, 1).into_iter().chain(runs_of(LINES, 1)));
        assert_eq!((row.len(), end_of(&row)), (2, 7));
        assert!(row.pop().is_some());
        row.replace_last(runs_of(LINES + 1, 1).pop().unwrap());
        assert_eq!(end_of(&row), LINES, "a longer run has no more numbers than others");
    }

    #[test]
    fn lines_of_a_divided_row_lead_to_its_parts() {
        let mut row = row_of(runs_of(LINES, 2).into_iter().chain(runs_of(11, 1)));
        let all = row.end();
        (0..all).for_each(|n| row.line(n).set_lane(0, u16::try_from(n).unwrap()));
        let mut parts = Strided::room_for(&row, 3).unwrap();
        assert_eq!((row.end(), parts[0].end()), (all, 0));
        Strided::divide(&mut row, &mut parts);
        assert_eq!((row.end(), parts.iter().map(Strided::end).sum()), (0, all));
        for (i, part) in parts.iter().enumerate() {
            assert!((0..part.end()).all(|n| usize::from(part.line(n).lane(0)) == 8 * n + i), "{i}");
            let beyond = || part.line(part.end()).lane(0);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(beyond)).is_err(), "{i}");
        }
        let runs: Vec<Run> = parts.iter_mut().flat_map(Strided::take).collect();
        assert_eq!((runs.len(), parts[0].end()), (24, 0));
    }

    #[test]
    fn lines_of_a_divided_run_have_no_numbers_in_a_row() {
        let mut row = Row::of(RUN_BITS);
        runs_of(LINES, 1).pop().unwrap().divide(1, |_, run| {
            row.reserve(1).unwrap();
            row.push(run);
        });
        assert_eq!((row.len(), end_of(&row)), (2, 0));
    }
}
