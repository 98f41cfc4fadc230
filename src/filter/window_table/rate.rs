//! How wrong a table may be, by its plan.
//!
//! ```text
//!  W0              2 F C 2^-(fingerprint + known)                 two lines of C cells, each of which matches by chance, settled
//!  W               W0 max(1.28, 1 + 0.68 J) as measured, W0 (2 + J) at most      J: doublings since the birth of the oldest living cell
//! ```
//! **Law.** A cell that knows k bits in a line of depth d matches an absent key with the same chance for as long as it lives: a table that
//! grows has cells which were stored when lines were fewer.

use crate::num;

use super::directory::LINE_BYTES;
use super::plan::{MANY, Plan};

/// What a doubling adds to the error, in units of that of a settled table: measured, and at most.
const PER_DOUBLING: f64 = 0.68;

/// The error with every cell in use, as at a memory limit, in those units: 1 / F, and at most 9 / 8 for lines that are not split, to
/// which twice as many keys come.
pub(super) const CROWDED: f64 = 1.28;

impl Plan {
    /// W0: the error of a settled table that never grew.
    pub(super) fn settled_error(&self) -> f64 {
        let bits = self.print_bits + self.width.field() - 1;
        2.0 * self.cells_of_a_line() * 0.5f64.powi(i32::try_from(bits).unwrap_or(i32::MAX))
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
        self.in_lines() * (1.0 + PER_DOUBLING * self.doublings()).max(CROWDED)
    }

    /// The error that no traffic exceeds.
    pub(super) fn bound(&self) -> f64 {
        self.in_lines() * (2.0 + self.doublings())
    }

    /// W0, or 0 of a window of so few keys that a map has them.
    pub(super) fn in_lines(&self) -> f64 {
        if self.timed || self.at_once { self.settled_error() } else { 0.0 }
    }
}

/// The doublings from one number to another, each a straight line: the same on every machine.
pub(super) fn doublings(from: u64, to: u64) -> f64 {
    let whole = (to / from.max(1)).checked_ilog2().unwrap_or(0);
    let rest = num::real(to) / (num::real(from.max(1)) * 2f64.powi(i32::try_from(whole).unwrap_or(0)));
    f64::from(whole) + (rest - 1.0)
}
