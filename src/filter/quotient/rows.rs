//! The rows: k cells of s bits each, read, compared and written as words.
//!
//! ```text
//!  row r     bits r w .. (r + 1) w, w = k s (or the width of the sorted code); nothing between rows
//!  in a row  cell 0 lowest. QHT, QHTD: filled from cell 0 on. Queued: cell 0 is the head, empty cells before it leave
//!            first. Sorted: in order of value, so that empty cells (0) come first.
//! ```
//! A row is taken in pieces of as many whole cells as a word holds; one piece, where k s <= 64. 64 rows are whole
//! words whatever w is.

use crate::bits::{Bits, WORD};
use crate::error::Error;
use crate::packed::Cells;

use super::sorted::Code;

/// What a row says about a fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether a cell holds it.
    pub(crate) hit: bool,
    /// How many cells are filled.
    pub(crate) filled: u64,
}

/// Rows of equal shape.
#[derive(Debug)]
pub(crate) struct Rows {
    bits: Bits,
    shape: Shape,
}

/// What is the same for every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// Cells.
    k: u64,
    /// Bits of a cell.
    s: u64,
    /// Bits of a row.
    width: u64,
    code: Option<Code>,
    /// Pieces but for the last one.
    pieces: u64,
    /// Bits of such a piece.
    piece: u64,
    cells: Cells,
    /// Bits of the last piece, at least one cell.
    last: u64,
    last_cells: Cells,
}

impl Shape {
    fn new(k: u64, s: u64, code: Option<Code>) -> Self {
        let most = WORD / s;
        let pieces = (k - 1) / most;
        let rest = k - pieces * most;
        let width = code.map_or(k * s, |code| code.width());
        let (cells, last_cells) = (Cells::new(s, most), Cells::new(s, rest));
        Self { k, s, width, code, pieces, piece: most * s, cells, last: rest * s, last_cells }
    }
}

/// Adds what a piece says to what the pieces before it said: marks of hits, count of empty cells.
#[inline]
fn examine(cells: &Cells, piece: u64, fingerprint: u64, hits: &mut u64, empty: &mut u64) {
    *hits |= cells.equals(piece, fingerprint);
    let zeros = cells.zeros(piece);
    if zeros != 0 {
        *empty += u64::from(zeros.count_ones());
    }
}

impl Rows {
    /// `rows` rows of `k` cells of `s` bits, all empty.
    pub(crate) fn new(rows: u64, k: u64, s: u64, code: Option<Code>) -> Result<Self, Error> {
        let shape = Shape::new(k, s, code);
        Ok(Self { bits: Bits::zeroed((rows * shape.width).div_ceil(WORD))?, shape })
    }

    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        Ok(Self { bits: self.bits.try_clone()?, shape: self.shape })
    }

    pub(crate) fn clear(&mut self) {
        self.bits.clear();
    }

    /// Whether a row holds `fingerprint`, and how full it is.
    #[inline]
    pub(crate) fn look(&self, row: u64, fingerprint: u64) -> Look {
        let shape = &self.shape;
        let mut p = row * shape.width;
        let (mut hits, mut empty) = (0, 0);
        for _ in 0..shape.pieces {
            examine(&shape.cells, self.bits.field(p, shape.piece), fingerprint, &mut hits, &mut empty);
            p += shape.piece;
        }
        let last = match &shape.code {
            None => self.bits.field(p, shape.last),
            Some(code) => code.unpack(self.bits.field(p, shape.width)),
        };
        examine(&shape.last_cells, last, fingerprint, &mut hits, &mut empty);
        Look { hit: hits != 0, filled: shape.k - empty }
    }

    /// An empty cell of a row that has `filled` ones that are not.
    #[inline]
    pub(crate) const fn empty_cell(&self, filled: u64) -> u64 {
        if self.shape.code.is_some() { 0 } else { filled }
    }

    /// Writes one cell.
    #[inline]
    pub(crate) fn set(&mut self, row: u64, cell: u64, fingerprint: u64) {
        let (shape, start) = (&self.shape, row * self.shape.width);
        match &shape.code {
            None => self.bits.put(start + cell * shape.s, shape.s, fingerprint),
            Some(code) => {
                let row = code.unpack(self.bits.field(start, shape.width));
                self.bits.put(start, shape.width, code.pack(row, cell, fingerprint));
            }
        }
    }

    /// Drops the head of a queue and appends `fingerprint`.
    #[inline]
    pub(crate) fn push(&mut self, row: u64, fingerprint: u64) {
        let (shape, mut p) = (self.shape, row * self.shape.width);
        for _ in 0..shape.pieces {
            let moved = self.bits.field(p, shape.piece) >> shape.s;
            let from_next = self.bits.field(p + shape.piece, shape.s);
            self.bits.put(p, shape.piece, moved | from_next << (shape.piece - shape.s));
            p += shape.piece;
        }
        let moved = self.bits.field(p, shape.last) >> shape.s;
        self.bits.put(p, shape.last, moved | fingerprint << (shape.last - shape.s));
    }

    /// The cells of a row, the first one first.
    #[cfg(test)]
    pub(crate) fn cells(&self, row: u64) -> Vec<u64> {
        let (shape, start) = (&self.shape, row * self.shape.width);
        match &shape.code {
            None => (0..shape.k).map(|i| self.bits.field(start + i * shape.s, shape.s)).collect(),
            Some(code) => {
                let plain = code.unpack(self.bits.field(start, shape.width));
                (0..shape.k).map(|i| shape.last_cells.get(plain, i)).collect()
            }
        }
    }
}
