//! How many cells a line has, and how many bits each of them can know: eight widths, from narrow cells to wide ones.
//!
//! ```text
//!  code   0                 1        2        ..   7
//!  C      most cells        fewer    fewer    ..   fewest         27, 25, 24, 23, 22, 21, 20, 18 at 1e-3
//!  field  all bits known    bits known, a 1 above them, then 0s: the cell shows how many it knows
//! ```
//! Lanes and fields share 507 - t bits of a line; the first K cells have a field of one bit more than the others.

use crate::num;
use crate::simd::Start;

use super::key::{SECTIONS, STRING};

/// Where the code is in the last word of a line, above the epoch.
pub(super) const CODE_AT: u32 = 61;

/// Widths that a line can name.
pub(super) const CODES: usize = 8;

/// The fewest cells of a line: with fewer a field has more bits than a word at any bit of a byte.
pub(super) const LEAST_CELLS: u64 = 7;

/// The most, and the most of a line that may be split: lanes of 16 bits and fields share 507 - t bits, so 31 cells leave a field of no
/// more than a bit to some, and 27 leave two to each.
pub(super) const MOST_CELLS: u64 = 31;
const MOST_TO_SPLIT: u64 = 27;

/// Bits of a line that lanes and fields share.
const fn room(tag_bits: u64) -> u64 {
    507 - tag_bits
}

/// The field of a cell: which bits of which eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) start: Start,
    pub(super) shift: u8,
    pub(super) width: u8,
}

/// The fields of lines of a number of cells, by the bits of a tag less 2.
static FIELDS: [[[Field; 32]; 32]; 4] = {
    let mut all = [[[Field { start: Start::at(0), shift: 0, width: 0 }; 32]; 32]; 4];
    let mut t = 0;
    while t < 4 {
        let mut cells = LEAST_CELLS;
        while cells <= MOST_CELLS {
            let left = room(t + 2) - 16 * cells;
            let mut at = 16 * cells;
            let mut i = 0;
            while i < cells {
                let width = left / cells + if i < left % cells { 1 } else { 0 };
                let byte = if at / 8 < 56 { at / 8 } else { 56 };
                let field =
                    Field { start: Start::at(byte), shift: num::low_byte(at - 8 * byte), width: num::low_byte(width) };
                all[num::index(t)][num::index(cells)][num::index(i)] = field;
                at += width;
                i += 1;
            }
            cells += 1;
        }
        t += 1;
    }
    all
};

/// One width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Width {
    /// C.
    pub(super) cells: u32,
    /// The lanes that are cells.
    pub(super) lanes: u32,
    /// Whether a cell shows how many bits it knows.
    pub(super) open: bool,
    /// 2^-(bits known), on average over the cells of a line that know all they can.
    pub(super) mean: f64,
    fields: &'static [Field; 32],
}

impl Width {
    fn new(cells: u64, tag_bits: u32, open: bool) -> Self {
        let fields = &FIELDS[num::index(u64::from(tag_bits) - 2)][num::index(cells)];
        let lanes = u32::MAX >> (u64::from(u32::BITS) - cells);
        let known = fields[..num::index(cells)].iter().map(|field| i32::from(field.width) - i32::from(open));
        let mean = known.map(|bits| 0.5f64.powi(bits)).sum::<f64>() / num::real(cells);
        Self { cells: num::lower(cells), lanes, open, mean, fields }
    }

    #[inline(always)]
    pub(super) fn field(&self, i: u32) -> Field {
        self.fields[num::index(u64::from(i % 32))]
    }

    /// The most bits that cell `i` can know.
    #[inline(always)]
    pub(super) fn most_known(&self, i: u32) -> u32 {
        u32::from(self.field(i).width) - u32::from(self.open)
    }

    /// The chance that an absent key matches in a table of full lines of this width.
    pub(super) fn chance(&self, prints: f64) -> f64 {
        2.0 * f64::from(self.cells) * self.mean / prints
    }
}

/// The widths of a filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Widths {
    of: [Width; CODES],
    /// How many of them there are.
    pub(super) codes: usize,
    pub(super) tag_bits: u32,
    /// The lanes that are cells, of each of them.
    lanes: [u32; CODES],
    /// Where an epoch begins in the last word of a line, and its bits there.
    pub(super) epoch_at: u32,
    pub(super) epoch_mask: u64,
    /// Where the tag of a lane begins.
    pub(super) tag_at: u32,
    /// G: the generations of a window, 2^t - 1.
    pub(super) generations: u64,
    /// Fingerprints that there are; as a mask, the bits of one.
    pub(super) prints: u16,
}

/// How full lines are at most as a rule. With 0.88, 0.905, 0.93 6.5, 9.2, 12.9 % of the keys move a cell, and 0, 0, 8 in 100,000 are
/// stashed, for 39.3, 39.3, 38.4 bits a key (the sweep of `policy`, 1e-6).
pub(super) const FILL: f64 = 0.905;

impl Widths {
    /// For an error rate; a table that grows splits lines, and needs cells that can tell the halves apart.
    pub(super) fn new(rate: f64, tag_bits: u32, grows: bool) -> Self {
        let prints = u16::MAX >> tag_bits;
        let most = if grows { MOST_TO_SPLIT } else { MOST_CELLS };
        let closed = |cells| Width::new(cells, tag_bits, false);
        let in_use = |width: &Width| FILL.min(rate / width.chance(f64::from(prints))) * f64::from(width.cells);
        let first = (LEAST_CELLS..=most)
            .map(closed)
            .fold(closed(LEAST_CELLS), |best, other| if in_use(&other) > in_use(&best) { other } else { best });
        let (generations, epoch_at) = ((1 << tag_bits) - 1, CODE_AT - tag_bits - 2);
        let mut widths = Self {
            of: [first; CODES],
            codes: 1,
            lanes: [first.lanes; CODES],
            tag_bits,
            tag_at: u16::BITS - tag_bits,
            epoch_at,
            epoch_mask: (1 << CODE_AT) - (1 << epoch_at),
            generations,
            prints,
        };
        if grows {
            widths.open(first);
        }
        widths.lanes = widths.of.map(|width| width.lanes);
        widths
    }

    /// The error rate of lines of a number of cells that are as full as they may be.
    pub(super) fn rate_of(cells: u64, tag_bits: u32) -> f64 {
        FILL * Width::new(cells, tag_bits, false).chance(f64::from(u16::MAX >> tag_bits))
    }

    /// Adds the wider ones: the first knows as much as the closed width, to within 5 %, each further one has a cell less, the last
    /// two. Without these 5 % a width is left out between 1.1e-4 and 1.5e-4 (t = 3), and lines would lose two cells at once.
    fn open(&mut self, first: Width) {
        let mut cells = u64::from(first.cells) - 1;
        let as_sharp = |cells| Width::new(cells, self.tag_bits, true).mean <= 1.05 * first.mean;
        while cells > LEAST_CELLS && !as_sharp(cells) {
            cells -= 1;
        }
        while self.codes < CODES && cells >= LEAST_CELLS {
            self.of[self.codes] = Width::new(cells, self.tag_bits, true);
            self.codes += 1;
            cells -= if self.codes == CODES - 1 && cells > 18 { 2 } else { 1 };
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, code: usize) -> &Width {
        &self.of[code % CODES]
    }

    /// The lanes that are cells in a line of this code.
    #[inline(always)]
    pub(super) fn lanes(&self, code: usize) -> u32 {
        self.lanes[code % CODES]
    }

    /// Cells per line for each code, one byte each, code 0 in the lowest; 0 for an unused code.
    pub(super) fn named(&self) -> u64 {
        let cells = |width: &Width| num::low_byte(width.cells.into());
        let mut bytes = [0; CODES];
        bytes.iter_mut().zip(&self.of[..self.codes]).for_each(|(byte, width)| *byte = cells(width));
        u64::from_le_bytes(bytes)
    }

    /// The code of the narrowest cells that say what they know.
    pub(super) const fn narrowest_open(&self) -> usize {
        if self.codes > 1 { 1 } else { 0 }
    }
}

/// How many lines there are of each width, by phase, too.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByCode {
    pub(super) all: [u64; CODES],
    of_phase: [[u64; CODES]; SECTIONS],
}

impl ByCode {
    pub(super) fn add(&mut self, phase: u64, code: usize) {
        self.all[code] += 1;
        self.of_phase[num::index(phase)][code] += 1;
    }

    pub(super) fn remove(&mut self, phase: u64, code: usize) {
        self.all[code] -= 1;
        self.of_phase[num::index(phase)][code] -= 1;
    }

    /// The lines of one phase alone.
    pub(super) fn of(&self, phase: usize) -> Self {
        let mut only = Self { all: self.of_phase[phase], ..Self::default() };
        only.of_phase[phase] = only.all;
        only
    }
}

/// How many bits above a line's depth there are to know.
#[inline(always)]
pub(super) const fn left(depth: u32) -> u32 {
    STRING - depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widths_are_those_of_the_page() {
        let of = |rate, grows| {
            let widths = Widths::new(rate, 3, grows);
            widths.of[..widths.codes].iter().map(|width| width.cells).collect::<Vec<_>>()
        };
        assert_eq!(of(1e-3, true), [27, 25, 24, 23, 22, 21, 20, 18]);
        assert_eq!(of(2e-3, true), [27, 25, 24, 23, 22, 21, 20, 18]);
        assert_eq!(of(1e-4, true), [23, 22, 21, 20, 19, 18, 17, 16]);
        assert_eq!(of(1e-6, true), [18, 17, 16, 15, 14, 13, 12, 11]);
        assert_eq!(of(1e-9, true), [13, 12, 11, 10, 9, 8, 7]);
        assert_eq!((of(1e-2, false), of(1e-3, false), of(1e-6, false)), (vec![31], vec![27], vec![18]));
    }

    #[test]
    fn no_bit_of_a_line_is_in_two_fields_or_left_over() {
        for tag_bits in 2..=5u32 {
            for cells in LEAST_CELLS..=MOST_CELLS {
                let width = Width::new(cells, tag_bits, true);
                let fields: Vec<Field> = (0..width.cells).map(|i| width.field(i)).collect();
                let bits: u64 = fields.iter().map(|field| u64::from(field.width)).sum();
                assert_eq!(bits + 16 * cells, room(tag_bits.into()));
                assert!(
                    fields
                        .iter()
                        .all(|field| field.shift < 64 && u32::from(field.shift) + u32::from(field.width) <= 64)
                );
            }
        }
    }
}
