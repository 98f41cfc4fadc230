//! A list of runs as one row of lines: a number leads to its line with one check.
//!
//! ```text
//!  runs    [ 2^b lines ][ 2^b lines ] .. [ the last: as many, or fewer ]      line n: line n mod 2^b of run n / 2^b
//!  end     the numbers below it have a line
//! ```
//! **Law.** Below `end` every run has the lines that numbers name, next to each other. The list changes at its end alone, so that
//! this is known without another look at the others. Runs of a divided arena have their lines apart: no number names those.

use std::ops::Deref;

use super::LaneLine as Line;
use super::arena::Run;
use crate::error::Error;

/// b of a row whose lines are found fastest.
pub(crate) const RUN_BITS: u32 = 6;

/// See the module.
#[derive(Debug)]
pub(crate) struct Row {
    runs: Vec<Run>,
    end: usize,
    /// The same where b is [`RUN_BITS`], else 0.
    usual_end: usize,
    bits: u32,
}

impl Row {
    /// A row of runs of 2^`bits` lines.
    pub(crate) const fn of(bits: u32) -> Self {
        Self { runs: Vec::new(), end: 0, usual_end: 0, bits }
    }

    /// Line `n` of all.
    #[inline(always)]
    pub(crate) fn line(&self, n: usize) -> &Line {
        assert!(n < self.end, "no such line");
        // SAFETY: below the end there is a run for each number.
        let run = unsafe { self.runs.get_unchecked(n >> self.bits) };
        // SAFETY: and it has that line next to its first.
        unsafe { run.next_to_first(n & ((1 << self.bits) - 1)) }
    }

    /// The same where b is [`RUN_BITS`].
    #[inline(always)]
    pub(crate) fn usual_line(&self, n: usize) -> &Line {
        assert!(n < self.usual_end, "no such line");
        // SAFETY: below the end there is a run for each number.
        let run = unsafe { self.runs.get_unchecked(n >> RUN_BITS) };
        // SAFETY: and it has that line next to its first.
        unsafe { run.next_to_first(n & ((1 << RUN_BITS) - 1)) }
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
        self.runs.try_reserve(runs).map_err(|_| Error::no_memory_for::<Run>(runs))
    }

    /// Adds a run; there should be room for it.
    pub(crate) fn push(&mut self, run: Run) {
        if self.end == self.runs.len() << self.bits {
            self.ends_at(self.end + run.adjacent().min(1 << self.bits));
        }
        self.runs.push(run);
    }

    fn ends_at(&mut self, end: usize) {
        (self.end, self.usual_end) = (end, if self.bits == RUN_BITS { end } else { 0 });
    }

    /// Takes the last run out.
    pub(crate) fn pop(&mut self) -> Option<Run> {
        let last = self.runs.pop();
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
        std::mem::take(&mut self.runs)
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
    fn lines_of_a_divided_run_have_no_numbers() {
        let mut row = Row::of(RUN_BITS);
        runs_of(LINES, 1).pop().unwrap().divide(1, |_, run| {
            row.reserve(1).unwrap();
            row.push(run);
        });
        assert_eq!((row.len(), end_of(&row)), (2, 0));
    }
}
