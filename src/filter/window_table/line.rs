//! One line: 64 bytes of cells that say how many bits they know.
//!
//! ```text
//!  lane 0 .. C-1, 16 bits each ......... | fields, cell by cell ............ | epoch | code |
//!  tag: t bits | fingerprint: 16 - t       bits known, a 1, then 0s            t + 2   3 bits
//!                0 = free                  (code 0: bits known, all of them)
//! ```
//! The tag is the generation of the last sighting, mod 2^t; the epoch is the generation that the line is up to date with,
//! mod 2^(t + 2). The code names the width of the line (`width`).

use crate::num;
use crate::simd::{Baseline, Instructions, Line};

use super::position::Generation;
use super::width::{CODE_AT, Width, Widths, left};

/// The word with epoch and code.
const LAST: usize = 7;

/// A cell apart from its line: what a move, a split and a change of width take from one place to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cell {
    pub(super) lane: u16,
    pub(super) bits: u64,
    pub(super) known: u32,
}

/// The cells of a line, and behind them others that are none.
pub(super) type Cells = [Cell; 32];

/// A generation begins in lines: what is the same for all of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    now: Generation,
    /// The generation in the last word of a line, its mask there, and one generation.
    epoch: u64,
    mask: u64,
    one: u64,
    /// Which bits of a lane are its tag, and the tag of cells that are too old.
    tags: u16,
    oldest: u16,
}

impl Widths {
    /// The word of a line with its epoch and its code.
    #[inline(always)]
    pub(super) fn head(line: &Line) -> u64 {
        line.word(LAST)
    }

    /// The code in such a word.
    #[inline(always)]
    pub(super) const fn code_in(head: u64) -> usize {
        num::index(head >> CODE_AT)
    }

    /// The code of a line.
    #[inline(always)]
    pub(super) fn code(&self, line: &Line) -> usize {
        Self::code_in(Self::head(line))
    }

    /// The width of a line.
    #[inline(always)]
    pub(super) fn width(&self, line: &Line) -> &Width {
        self.of(self.code(line))
    }

    /// How many generations the line is behind generation `now`.
    #[inline(always)]
    pub(super) fn lag(&self, line: &Line, now: Generation) -> u64 {
        let epoch = (line.word(LAST) & self.epoch_mask) >> self.epoch_at;
        now.0.wrapping_sub(epoch) & (self.epoch_mask >> self.epoch_at)
    }

    /// Whether two lines with these heads are up to date with generation `now`.
    #[inline(always)]
    pub(super) fn are_fresh(&self, heads: [u64; 2], now: Generation) -> bool {
        let [a, b] = heads.map(|head| head ^ (now.0 << self.epoch_at));
        (a | b) & self.epoch_mask == 0
    }

    /// Writes the generation with which the line is up to date.
    #[inline(always)]
    pub(super) fn set_epoch(&self, line: &Line, now: Generation) {
        let word = line.word(LAST) & !self.epoch_mask;
        line.set_word(LAST, word | ((now.0 << self.epoch_at) & self.epoch_mask));
    }

    /// Makes it a line without cells.
    pub(super) fn empty(&self, line: &Line, code: usize, now: Generation) {
        (0..LAST).for_each(|i| line.set_word(i, 0));
        line.set_word(LAST, num::wide(code) << CODE_AT);
        self.set_epoch(line, now);
    }

    /// The lane of a fingerprint that was seen in `generation`.
    #[inline(always)]
    pub(super) fn lane(&self, print: u16, generation: Generation) -> u16 {
        let [low, high, ..] = (generation.0 << self.tag_at).to_le_bytes();
        print | u16::from_le_bytes([low, high])
    }

    /// The generation in which a lane was seen, as far as its tag shows.
    #[inline(always)]
    pub(super) fn tag(&self, lane: u16) -> Generation {
        Generation(u64::from(lane) >> self.tag_at)
    }

    /// How many generations before `now` a lane was seen, in a line that is up to date with `now`.
    #[inline(always)]
    pub(super) fn age(&self, lane: u16, now: Generation) -> u64 {
        now.0.wrapping_sub(self.tag(lane).0) & self.generations
    }

    /// The free cells.
    #[inline(always)]
    pub(super) fn free<I: Instructions>(&self, line: &Line) -> u32 {
        I::equal(line, u16::MAX, 0) & self.width(line).lanes
    }

    /// The cells that are not free.
    #[inline(always)]
    pub(super) fn used(&self, line: &Line) -> u32 {
        !self.free::<Baseline>(line) & self.width(line).lanes
    }

    /// The bits of a cell that knows all that its field has, and how many they are.
    #[inline(always)]
    pub(super) fn all_known(width: &Width, line: &Line, i: u32) -> (u64, u32) {
        let field = width.field(i);
        let bits = (line.eight_bytes(field.start) >> field.shift) & ((1 << field.width) - 1);
        (bits, u32::from(field.width))
    }

    /// The bits that cell `i` of a line of this width knows, and how many they are.
    #[inline(always)]
    pub(super) fn known(width: &Width, line: &Line, i: u32) -> (u64, u32) {
        let (field, (bits, _)) = (width.field(i), Self::all_known(width, line, i));
        // Where all bits are known the 1 above them is outside the field.
        let whole = bits | (u64::from(!width.open) << field.width);
        let known = 63 - (whole | 1).leading_zeros();
        (whole ^ (1 << known), known)
    }

    /// Writes cell `i` with as many of `known` bits as it has room for; returns how many these are.
    #[inline(always)]
    pub(super) fn put(width: &Width, line: &Line, i: u32, cell: Cell) -> u32 {
        line.set_lane(u64::from(i), cell.lane);
        let field = width.field(i);
        let known = cell.known.min(width.most_known(i));
        let bits = (cell.bits & ((1 << known) - 1)) | (u64::from(width.open) << known);
        let eight = line.eight_bytes(field.start);
        let changed = ((eight >> field.shift) ^ bits) & ((1 << field.width) - 1);
        line.set_eight_bytes(field.start, eight ^ (changed << field.shift));
        known
    }

    /// Frees cell `i`.
    #[inline(always)]
    pub(super) fn free_cell(line: &Line, i: u32) {
        line.set_lane(u64::from(i), 0);
    }

    /// The cells of a line, one after the other.
    #[inline(always)]
    pub(super) fn cells<'a>(&'a self, line: &'a Line) -> impl Iterator<Item = (u32, Cell)> + 'a {
        let width = self.width(line);
        Lanes(self.used(line)).map(move |i| {
            let (bits, known) = Self::known(width, line, i);
            (i, Cell { lane: line.lane(u64::from(i)), bits, known })
        })
    }

    /// Writes a line that has these cells and no others, those that know most in the widest fields; returns whether they fit.
    #[inline(always)]
    pub(super) fn write(&self, line: &Line, cells: &mut [Cell], code: usize, now: Generation, depth: u32) -> bool {
        let width = self.of(code);
        if cells.len() > num::index(width.cells.into()) {
            return false;
        }
        cells.sort_unstable_by_key(|cell| std::cmp::Reverse(cell.known));
        let lacks = |(i, cell): (u32, &Cell)| cell.known < width.most_known(i).min(left(depth));
        if !width.open && (0..).zip(cells.iter()).any(lacks) {
            return false;
        }
        self.empty(line, code, now);
        for (i, cell) in (0..).zip(cells.iter_mut()) {
            cell.known = Self::put(width, line, i, *cell);
        }
        true
    }

    /// The values that bring lines up to date with a generation.
    #[inline(always)]
    pub(super) fn turn(&self, now: Generation) -> Turn {
        let epoch = (now.0 << self.epoch_at) & self.epoch_mask;
        // The oldest cells have the tag that new ones get from now on.
        Turn {
            now,
            epoch,
            mask: self.epoch_mask,
            one: 1 << self.epoch_at,
            tags: !self.prints,
            oldest: self.lane(0, now),
        }
    }

    /// Brings a line up to date with a generation, which as a rule is the next one.
    #[inline(always)]
    pub(super) fn refresh<I: Instructions>(&self, line: &Line, turn: &Turn) {
        let head = Self::head(line);
        let behind = turn.epoch.wrapping_sub(head & turn.mask) & turn.mask;
        if behind == turn.one {
            let cells = u16::from(num::low_byte(self.of(Self::code_in(head)).cells.into()));
            I::clear_equal(line, turn.tags, turn.oldest, cells);
            line.set_word(LAST, (line.word(LAST) & !turn.mask) | turn.epoch);
        } else if behind != 0 {
            self.expire(line, turn.now, behind >> self.epoch_at);
        }
    }

    /// Frees the cells that are too old in generation `now`, that many after the one that the line is up to date with.
    #[cold]
    #[inline(never)]
    fn expire(&self, line: &Line, now: Generation, lag: u64) {
        let (then, oldest) = (now.before(lag), now.before(self.generations));
        let all = u16::from(num::low_byte(u64::from(self.width(line).cells)));
        for generation in then.before(self.generations).0..oldest.min(then.after(1)).0 {
            // Free cells of tag 0 stay what they are.
            Baseline::clear_equal(line, !self.prints, self.lane(0, Generation(generation)), all);
        }
        self.set_epoch(line, now);
    }
}

/// The numbers of the lanes of a mask.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes(pub(super) u32);

impl Iterator for Lanes {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;

    /// Every width of every rate against a list of cells.
    #[test]
    fn a_cell_keeps_its_lane_and_the_bits_that_it_has_room_for() {
        for (rate, tag_bits) in [(1e-3, 3), (1e-3, 2), (1e-6, 3), (1e-9, 4), (1e-5, 5), (1e-12, 3)] {
            let widths = Widths::new(rate, tag_bits, true);
            for code in 0..widths.codes {
                let (width, line) = (widths.of(code), Line::default());
                widths.empty(&line, code, Generation(1000));
                let mut list = vec![Cell::default(); num::index(width.cells.into())];
                for step in 0..300u64 {
                    let random = KeyHash(step).derive(num::wide(code));
                    let i = num::lower(random % u64::from(width.cells));
                    let known = if width.open { num::lower(random >> 32) % 40 } else { width.most_known(i) };
                    let [low, high, ..] = (random >> 8).to_le_bytes();
                    let print = (u16::from_le_bytes([low, high]) & widths.prints).max(1);
                    let lane = widths.lane(print, Generation(1000 - random % 3));
                    let cell = Cell { lane, bits: random >> 3, known };
                    let kept = Widths::put(width, &line, i, cell);
                    assert_eq!(kept, known.min(width.most_known(i)));
                    list[num::index(i.into())] = Cell { known: kept, bits: cell.bits & ((1 << kept) - 1), ..cell };
                    let expected: Vec<(u32, Cell)> =
                        (0..).zip(list.iter().copied()).filter(|(_, cell)| cell.lane != 0).collect();
                    assert_eq!(widths.cells(&line).collect::<Vec<_>>(), expected);
                    assert_eq!((widths.code(&line), widths.lag(&line, Generation(1003))), (code, 3));
                }
                let mut cells: Vec<Cell> = widths.cells(&line).map(|(_, cell)| cell).collect();
                let before = cells.len();
                assert!(widths.write(&line, &mut cells, code, Generation(1001), 0) || !width.open);
                assert_eq!(widths.cells(&line).count(), before);
                widths.expire(&line, Generation(1002).after(widths.generations), widths.generations + 1);
                assert_eq!(widths.cells(&line).count(), 0, "all of them are too old");
            }
        }
    }
}
