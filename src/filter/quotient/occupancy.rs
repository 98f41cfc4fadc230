//! How full the rows are, counted as they fill: 8 bytes for each cell of one row, and one more.

use crate::counters::apart;
use crate::error::Error;
use crate::num;
use crate::raw::vec_of;

/// How many rows have 0, 1, .. k filled cells. A filled cell is never emptied again. Those of many threads are added up,
/// and one of them alone counts changes, also below 0: it wraps.
#[derive(Debug)]
pub(crate) struct Occupancy {
    rows: Vec<u64>,
}

impl Occupancy {
    /// `rows` rows of `k` empty cells.
    pub(crate) fn new(rows: u64, k: u64) -> Result<Self, Error> {
        let n = num::index(k).saturating_add(1);
        let mut counts = vec_of(n)?;
        counts.resize(n, 0);
        counts[0] = rows;
        Ok(Self { rows: counts })
    }

    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let mut rows = vec_of(self.rows.len())?;
        rows.extend_from_slice(&self.rows);
        Ok(Self { rows })
    }

    /// Counts a row with `filled` filled cells, which was counted as empty before.
    pub(super) fn found(&mut self, filled: u64) {
        self.rows[0] -= 1;
        self.rows[num::index(filled)] += 1;
    }

    /// Bytes that rows of that many cells take here.
    pub(super) const fn bytes(k: u64) -> u64 {
        (k + 1) * 8
    }

    /// All rows are empty again.
    pub(crate) fn clear(&mut self) {
        let rows = self.rows();
        self.rows.fill(0);
        self.rows[0] = rows;
    }

    /// A row with `filled` cells fills one more.
    #[inline]
    pub(crate) fn grow(&mut self, filled: u64) {
        let filled = num::index(filled);
        self.rows[filled] = self.rows[filled].wrapping_sub(1);
        self.rows[filled + 1] = self.rows[filled + 1].wrapping_add(1);
    }

    /// Changes alone, of rows of `k` cells, apart from what other threads write.
    pub(crate) fn changes(k: u64) -> Result<Self, Error> {
        Ok(Self { rows: apart(num::index(k).saturating_add(1))? })
    }

    /// Takes in the changes of another thread.
    pub(crate) fn take_in(&mut self, changes: &mut Self) {
        for (rows, change) in self.rows.iter_mut().zip(&mut changes.rows) {
            *rows = rows.wrapping_add(std::mem::take(change));
        }
    }

    /// All rows.
    pub(crate) fn rows(&self) -> u64 {
        self.rows.iter().fold(0, |sum, rows| sum.wrapping_add(*rows))
    }

    /// Cells that are filled.
    pub(crate) fn filled(&self) -> u64 {
        (0..).zip(&self.rows).map(|(filled, rows)| filled * rows).sum()
    }

    /// Rows all of whose cells are filled.
    pub(crate) fn full(&self) -> u64 {
        self.rows.last().copied().unwrap_or(0)
    }

    /// The mean over the rows of `value`, a chance by the number of filled cells; at most 1, which rounding may exceed.
    pub(crate) fn mean(&self, value: impl Fn(u64) -> f64) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for (filled, &rows) in (0..).zip(&self.rows).filter(|(_, rows)| **rows > 0) {
            sum += num::real(rows) * value(filled);
            all += num::real(rows);
        }
        (sum / all).min(1.0)
    }
}
