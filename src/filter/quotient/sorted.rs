//! Semi-sorting (paper, section 3.3): a row whose cells are sorted has fewer states than k s bits can tell apart.
//!
//! In a row without ages the order of the cells carries no information. The cells are sorted, the empty ones (0)
//! first; their upper h = min(s, 4) bits then never decrease, so that they are one of C(2^h + k - 1, k) sequences,
//! and the number of that sequence is stored. The lower s - h bits of each cell follow as they are.
//!
//! ```text
//!  plain row    k = 4, s = 6    [hhhhll][hhhhll][hhhhll][hhhhll]   24 bits
//!  packed row                   [ll][ll][ll][ll][number of hhhh hhhh hhhh hhhh: 12 bits]   20 bits
//! ```
//! The number is that of the combinatorial number system: upper bits u(0) <= u(1) <= ... give the strictly
//! increasing u(i) + i, and those give the sum of C(u(i) + i, i + 1).
//!
//! Saved are k h - ceil(log2 C(2^h + k - 1, k)) bits of a row: 2, 4, 6, 8, 10, 13 for k = 3 .. 8 and s >= 4, and 35
//! of 64 for k = 16, s = 4. One or two cells save nothing.

use std::ops::RangeInclusive;

use crate::bits::mask;
use crate::num;

/// The fewest cells of a row that can be sorted.
const LEAST: u64 = 3;
/// The most.
const MOST: usize = 16;
/// Bits of a fingerprint that are sorted.
const UPPER: u64 = 4;
/// One more than the largest u(i) + i.
const SIZE: usize = 31;

/// `CHOOSE[r][n]` = C(n, r).
static CHOOSE: [[u64; SIZE]; MOST + 1] = choose();

const fn choose() -> [[u64; SIZE]; MOST + 1] {
    let mut table = [[0; SIZE]; MOST + 1];
    table[0] = [1; SIZE];
    let mut r = 1;
    while r < table.len() {
        let mut n = 1;
        while n < SIZE {
            table[r][n] = table[r][n - 1] + table[r - 1][n - 1];
            n += 1;
        }
        r += 1;
    }
    table
}

/// The code of rows of k cells of s bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code {
    k: u64,
    s: u64,
    /// Bits of a fingerprint that are sorted, h.
    upper: u64,
    /// Bits of the number.
    number: u64,
}

impl Code {
    /// The code, if rows of that shape have one: 3 to 16 cells that fit in a word.
    pub(crate) fn new(k: u64, s: u64) -> Option<Self> {
        let upper = s.min(UPPER);
        Self::cells(s).contains(&k).then(|| Self {
            k,
            s,
            upper,
            number: u64::from(states(k, upper).next_power_of_two().ilog2()),
        })
    }

    /// The cells of the rows with fingerprints of s bits that have a code; none if there is no such row.
    pub(crate) fn cells(s: u64) -> RangeInclusive<u64> {
        LEAST..=num::wide(MOST).min(64 / s)
    }

    /// Bits of a packed row.
    pub(crate) const fn width(&self) -> u64 {
        self.number + self.k * self.lower()
    }

    const fn lower(&self) -> u64 {
        self.s - self.upper
    }

    /// The plain row of k cells of s bits, the first lowest, from the packed one.
    pub(crate) fn unpack(&self, packed: u64) -> u64 {
        let mut number = packed & mask(self.number);
        let mut row = 0;
        let mut n = num::index((1 << self.upper) + self.k - 1);
        for cell in (0..self.k).rev() {
            let choose = &CHOOSE[num::index(cell + 1)];
            n -= 1;
            while choose[n] > number {
                n -= 1;
            }
            number -= choose[n];
            let upper = num::wide(n) - cell;
            row = (row << self.s) | (upper << self.lower()) | self.low_bits(packed, cell);
        }
        row
    }

    /// The lower bits of a cell of a packed row.
    const fn low_bits(&self, packed: u64, cell: u64) -> u64 {
        let at = self.number + cell * self.lower();
        if self.lower() == 0 { 0 } else { (packed >> at) & mask(self.lower()) }
    }

    /// The packed row from the plain one with cell `at` replaced by `value`. Cells need not be in order.
    pub(crate) fn pack(&self, row: u64, at: u64, value: u64) -> u64 {
        let mut cells = [0; MOST];
        let cells = &mut cells[..num::index(self.k)];
        for (i, cell) in (0..).zip(cells.iter_mut()) {
            *cell = if i == at { value } else { (row >> (i * self.s)) & mask(self.s) };
        }
        cells.sort_unstable();
        let mut packed = 0;
        for (i, &cell) in (0..).zip(cells.iter()) {
            let (upper, at) = (cell >> self.lower(), self.number + i * self.lower());
            packed += CHOOSE[num::index(i + 1)][num::index(upper + i)];
            if self.lower() > 0 {
                packed |= (cell & mask(self.lower())) << at;
            }
        }
        packed
    }
}

/// How many sequences of `k` upper parts of `upper` bits never decrease.
fn states(k: u64, upper: u64) -> u64 {
    let (n, r) = (num::index((1 << upper) + k - 1), num::index(k));
    // C(n, r) = C(n - 1, r) + C(n - 1, r - 1): n itself may lie beyond the table.
    CHOOSE[r][n - 1] + CHOOSE[r - 1][n - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_widths_are_the_stated_ones() {
        let width = |k, s| Code::new(k, s).map(|code| code.width());
        // The paper's example: 3,876 states, 12 bits for 16.
        assert_eq!((states(4, 4), width(4, 4)), (3876, Some(12)));
        let saved = [3, 4, 5, 6, 7, 8].map(|k| k * 4 - width(k, 4).unwrap());
        assert_eq!(saved, [2, 4, 6, 8, 10, 13]);
        assert_eq!((width(16, 4), width(4, 16), width(4, 6)), (Some(29), Some(60), Some(20)));
        for (k, s) in [(1, 4), (2, 4), (17, 1), (16, 5), (5, 16)] {
            assert_eq!(width(k, s), None, "{k} cells of {s}");
        }
        for (k, s) in (1..=20).flat_map(|k| (1..=16).map(move |s| (k, s))) {
            assert!(width(k, s).is_none_or(|width| width < k * s), "{k} cells of {s} save nothing");
        }
    }

    #[test]
    fn numbers_and_sorted_rows_are_one_to_one() {
        for (k, s) in [(3, 1), (3, 4), (4, 3), (4, 4), (5, 4), (7, 2)] {
            let code = Code::new(k, s).unwrap();
            for number in 0..states(k, s) {
                let row = code.unpack(number);
                let cells: Vec<u64> = (0..k).map(|i| (row >> (i * s)) & mask(s)).collect();
                assert!(cells.is_sorted(), "{k} cells of {s}, number {number}: {cells:?}");
                assert_eq!(code.pack(row, 0, cells[0]), number);
            }
            assert_eq!(code.pack(u64::MAX, 0, mask(s)), states(k, s) - 1);
        }
    }

    #[test]
    fn any_row_comes_back_sorted_with_its_cell_replaced() {
        let mut rng = Rng::new(5, 0);
        for (k, s) in (3..=16).flat_map(|k| (1..=64 / k).map(move |s| (k, s))).filter(|&(_, s)| s <= 16) {
            let code = Code::new(k, s).unwrap();
            for _ in 0..200 {
                let mut cells: Vec<u64> = (0..k).map(|_| rng.below(1 << s) >> rng.below(s)).collect();
                let row = cells.iter().rev().fold(0, |row, cell| (row << s) | cell);
                let (at, value) = (rng.below(k), rng.below(1 << s));
                let packed = code.pack(row, at, value);
                assert!(packed <= mask(code.width()));
                cells[num::index(at)] = value;
                cells.sort_unstable();
                let sorted = cells.iter().rev().fold(0, |row, cell| (row << s) | cell);
                assert_eq!(code.unpack(packed), sorted, "{k} cells of {s}");
            }
        }
    }
}
