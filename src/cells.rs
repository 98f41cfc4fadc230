//! Cells of a few bits side by side in a word, compared all at once.
//!
//! ```text
//!  bit  63 ........... 9 8 7 6 5 4 3 2 1 0      width 3, four cells
//!       (not used) cell 3  cell 2 cell 1 cell 0
//! ```
//! A comparison answers with marks: the top bit of each cell for which it is true.

use crate::bits::{WORD, mask};

/// Where the cells of a word lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cells {
    /// Bits of a cell.
    width: u64,
    /// The lowest bit of each cell.
    bottom: u64,
    /// The top bit of each cell.
    top: u64,
    /// The other bits of each cell.
    rest: u64,
}

impl Cells {
    /// `count` cells of `width` bits, which fit in a word.
    pub(crate) fn new(width: u64, count: u64) -> Self {
        debug_assert!(width * count <= WORD, "{count} cells of {width} bits are no word");
        let bottom = (0..count).fold(0, |bottom, cell| bottom | (1 << (cell * width)));
        let top = bottom << (width - 1);
        Self { width, bottom, top, rest: bottom.wrapping_mul(mask(width)) & !top }
    }

    /// Marks the cells of `word` that are 0.
    #[inline]
    pub(crate) const fn zeros(&self, word: u64) -> u64 {
        // The lower bits of a cell carry into its top bit if one of them is set, and never further.
        !((word & self.rest).wrapping_add(self.rest) | word) & self.top
    }

    /// Marks the cells of `word` that are `value`.
    #[inline]
    pub(crate) const fn equals(&self, word: u64, value: u64) -> u64 {
        self.zeros(word ^ value.wrapping_mul(self.bottom))
    }

    /// How many cells of `word` are 0.
    #[inline]
    pub(crate) fn empty(&self, word: u64) -> u64 {
        u64::from(self.zeros(word).count_ones())
    }

    /// `word` with `value`, which fits, in one cell.
    #[inline]
    pub(crate) const fn with(&self, word: u64, cell: u64, value: u64) -> u64 {
        let at = cell * self.width;
        word & !(mask(self.width) << at) | (value << at)
    }

    /// The value of a cell.
    #[cfg(test)]
    pub(crate) const fn get(&self, word: u64, cell: u64) -> u64 {
        (word >> (cell * self.width)) & mask(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_answers_for_itself() {
        let mut word = 1u64;
        for width in 1..=16 {
            for count in 1..=WORD / width {
                let cells = Cells::new(width, count);
                for _ in 0..50 {
                    // Sparse and dense words, with what lies beyond the cells left in.
                    word = word.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                    let word =
                        [word, word & (word >> 7) & (word << 9), word | (word >> 5)][crate::num::index(word >> 40) % 3];
                    for value in [0, 1, mask(width), cells.get(word, 0), cells.get(word, count - 1)] {
                        let marks = (0..count).filter(|&cell| cells.get(word, cell) == value);
                        let marks = marks.fold(0, |marks, cell| marks | (1 << (cell * width + width - 1)));
                        assert_eq!(cells.equals(word, value), marks, "{count} of {width} in {word:x}, {value}");
                    }
                    assert_eq!(cells.zeros(word), cells.equals(word, 0));
                    let empty = (0..count).filter(|&cell| cells.get(word, cell) == 0).count();
                    assert_eq!(cells.empty(word), crate::num::wide(empty));
                    let changed = cells.with(word, count / 2, mask(width) / 3);
                    assert_eq!(cells.get(changed, count / 2), mask(width) / 3);
                    assert_eq!(cells.with(changed, count / 2, cells.get(word, count / 2)), word);
                }
            }
        }
    }
}
