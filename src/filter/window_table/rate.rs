//! How wrong a table may be, by its plan.
//!
//! ```text
//!  W0              2 F C 2^-(fingerprint + known)                 two lines of C cells, each of which matches by chance, settled
//!  full            9/4 C 2^-(fingerprint + known)               the same with every cell in use, as at a memory limit
//!  W               max(full, W0 (1 + 0.68 J)) as measured, W0 (2 + J) at most    J: doublings since the birth of the oldest living cell
//! ```
//! **Law.** A cell that knows k bits in a line of depth d matches an absent key with the same chance for as long as it lives: a table that
//! grows has cells which were stored when lines were fewer.

use crate::num;

use super::directory::LINE_BYTES;
use super::plan::{MANY, Plan};

/// What a doubling adds to the error, in units of that of a settled table: measured, and at most.
const PER_DOUBLING: f64 = 0.68;

/// How many more cells a key meets than are in use of all at most: twice as many keys come to a line that is not split.
const UNEVEN: f64 = 9.0 / 8.0;

impl Plan {
    /// W0: the error of a settled table that never grew.
    pub(super) fn settled_error(&self) -> f64 {
        self.error_of_cells(self.cells_of_a_line())
    }

    /// The error with every cell in use.
    fn full_error(&self) -> f64 {
        UNEVEN * self.error_of_cells(num::real(self.width.cells()))
    }

    /// The error of two lines that have this number of cells in use.
    fn error_of_cells(&self, cells: f64) -> f64 {
        let bits = self.print_bits + self.width.field() - 1;
        2.0 * cells * 0.5f64.powi(i32::try_from(bits).unwrap_or(i32::MAX))
    }

    /// J at most: doublings from the first size to that of many keys, or of the memory that there is.
    fn doublings(&self) -> f64 {
        if !self.timed {
            return 0.0;
        }
        let most = self.lines_for(MANY).min(self.most_bytes() / LINE_BYTES);
        doublings(self.first_lines, most.max(self.first_lines))
    }

    /// The error at the worst moment, as measured.
    pub(super) fn worst(&self) -> f64 {
        let grown = self.settled_error() * (1.0 + PER_DOUBLING * self.doublings());
        if self.has_lines() { grown.max(self.full_error()) } else { 0.0 }
    }

    /// The error that no traffic exceeds.
    pub(super) fn bound(&self) -> f64 {
        if self.has_lines() { (self.settled_error() * (2.0 + self.doublings())).max(self.full_error()) } else { 0.0 }
    }

    /// The error of the lines that a load may leave, where its keys alone have the rest.
    pub(super) fn crowded(&self) -> f64 {
        if self.has_lines() { self.full_error() } else { 0.0 }
    }

    /// Whether there can be lines: a map has the keys of a window of few.
    fn has_lines(&self) -> bool {
        self.timed || self.at_once
    }
}

/// The doublings from one number to another, each a straight line: the same on every machine.
pub(super) fn doublings(from: u64, to: u64) -> f64 {
    let whole = (to / from.max(1)).checked_ilog2().unwrap_or(0);
    let rest = num::real(to) / (num::real(from.max(1)) * 2f64.powi(i32::try_from(whole).unwrap_or(0)));
    f64::from(whole) + (rest - 1.0)
}
