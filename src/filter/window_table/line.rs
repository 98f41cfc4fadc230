//! One line of the table: 64 bytes of cells, read and written in place.
//!
//! ```text
//!  lane 0 .. C-1, 16 bits each ........... | extra bits, cell by cell ...... | byte 63
//!  tag: t bits | fingerprint: 16 - t bits    E + 1 bits for the first K         epoch: 7 bits | mark: 1 bit
//!                0 = free                    cells, E for the others
//! ```
//! The tag is the generation of the last sighting, mod 2^t; the epoch is the generation that the line is up to date with,
//! mod 128. Every cell of a line is at most 2^t - 1 generations older than its epoch, so that a tag is enough. Extra bits
//! are read only where a lane matches; those of a free cell are any. The mark says that a key of this line may be in the
//! group's stash.

use crate::bits;
use crate::num;
use crate::simd::{Baseline, Instructions, Line, Start};

/// Generations that an epoch tells apart.
pub(super) const EPOCHS: u64 = 128;

/// Bits of a line that lanes and extra bits share.
const ROOM: u64 = 504;

/// The word with the epoch and the mark, and where they stand in it.
const LAST: usize = 7;
const EPOCH_AT: u32 = 56;
const MARK: u64 = 1 << 63;

/// The fewest and the most cells of a line.
pub(super) const LEAST_CELLS: u64 = 10;
pub(super) const MOST_CELLS: u64 = 31;

/// How a line is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// C.
    pub(super) cells: u64,
    /// t, and G.
    pub(super) tag_bits: u32,
    generations: u64,
    /// E.
    narrow: u64,
    /// K.
    pub(super) wider: u64,
    /// Where the extra bits of each cell are.
    places: &'static [Extra; 32],
    /// The lanes that are cells, and how many they are: C.
    lanes: u32,
    all: u16,
    /// Those of two lines.
    lanes_of_two: u64,
    /// The fingerprint of a lane.
    prints: u16,
    /// Where the tag of a lane begins.
    pub(super) tag_at: u32,
}

/// The extra bits of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Extra {
    /// Which of eight bytes of the line they are.
    mask: u64,
    /// These eight bytes, and the bit of them with which the extra bits begin.
    start: Start,
    from: u8,
}

/// Those of every layout, by its cells.
static PLACES: [[Extra; 32]; 32] = {
    let mut all = [[Extra { mask: 0, start: Start::at(0), from: 0 }; 32]; 32];
    let mut cells = LEAST_CELLS;
    while cells <= MOST_CELLS {
        let left = ROOM - 16 * cells;
        let mut at = 16 * cells;
        let mut i = 0;
        while i < cells {
            let width = left / cells + if i < left % cells { 1 } else { 0 };
            let byte = if at / 8 < 56 { at / 8 } else { 56 };
            let (start, from) = (Start::at(byte), at - 8 * byte);
            let mask = ((1 << width) - 1) << from;
            all[num::index(cells)][num::index(i)] = Extra { mask, start, from: num::low_byte(from) };
            at += width;
            i += 1;
        }
        cells += 1;
    }
    all
};

/// What a line knows of a key: its fingerprint, 1 or more, and its extra bits, of which a cell keeps the lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print {
    pub(super) lane: u16,
    pub(super) extra: u64,
}

impl Layout {
    pub(super) fn new(cells: u64, tag_bits: u32) -> Self {
        let left = ROOM - 16 * cells;
        let lanes = u32::MAX >> (u64::from(u32::BITS) - cells);
        let lanes_of_two = u64::from(lanes) | (u64::from(lanes) << 32);
        let all = u16::from(num::low_byte(cells));
        let prints = u16::MAX >> tag_bits;
        let (narrow, wider, generations) = (left / cells, left % cells, (1 << tag_bits) - 1);
        let places = &PLACES[num::index(cells)];
        Self {
            cells,
            tag_bits,
            generations,
            narrow,
            wider,
            places,
            lanes,
            all,
            lanes_of_two,
            prints,
            tag_at: 16 - tag_bits,
        }
    }

    /// G: the generations of a window, 2^t - 1.
    #[inline(always)]
    pub(super) const fn generations(&self) -> u64 {
        self.generations
    }

    /// How many fingerprints there are.
    #[inline(always)]
    pub(super) fn fingerprints(&self) -> u64 {
        u64::from(self.prints)
    }

    /// Extra bits of the widest cell.
    pub(super) const fn widest(&self) -> u64 {
        self.narrow + if self.wider > 0 { 1 } else { 0 }
    }

    /// Extra bits of cell `i`.
    #[inline(always)]
    pub(super) fn width(&self, i: u64) -> u64 {
        self.narrow + u64::from(i < self.wider)
    }

    /// The cells with one extra bit more than the others.
    #[inline(always)]
    pub(super) const fn wide_lanes(&self) -> u32 {
        (1 << self.wider) - 1
    }

    /// The lane of a fingerprint that was seen in `generation`.
    #[inline(always)]
    pub(super) fn lane_of(&self, print: u16, generation: u64) -> u16 {
        let [low, high, ..] = (generation << self.tag_at).to_le_bytes();
        print | u16::from_le_bytes([low, high])
    }

    /// The fingerprint of a lane.
    #[inline(always)]
    pub(super) const fn print_of(&self, lane: u16) -> u16 {
        lane & self.prints
    }

    /// How many generations before `epoch` a lane was seen.
    #[inline(always)]
    pub(super) fn age(&self, lane: u16, epoch: u64) -> u64 {
        epoch.wrapping_sub(u64::from(lane) >> self.tag_at) & self.generations()
    }

    /// The cells that are free.
    #[inline(always)]
    pub(super) fn free<I: Instructions>(&self, line: &Line) -> u32 {
        I::equal(line, u16::MAX, 0) & self.lanes
    }

    /// The cells of two lines that are free: bit 32 + `i` for cell `i` of the second.
    #[inline(always)]
    pub(super) fn free_in_both<I: Instructions>(&self, lines: [&Line; 2]) -> u64 {
        I::free_in_both(lines) & self.lanes_of_two
    }

    /// The cells of two lines with this fingerprint.
    #[inline(always)]
    pub(super) fn matches_in_both<I: Instructions>(&self, lines: [&Line; 2], print: u16) -> u64 {
        I::equal_in_both(lines, self.prints, print) & self.lanes_of_two
    }

    /// The cells with this fingerprint.
    #[inline(always)]
    pub(super) fn matches<I: Instructions>(&self, line: &Line, print: u16) -> u32 {
        I::equal(line, self.prints, print) & self.lanes
    }

    /// The cells that were seen in `generation`, which is not older than the line's epoch by more than a tag tells.
    #[inline(always)]
    pub(super) fn of_generation(&self, line: &Line, generation: u64) -> u32 {
        let lane = self.lane_of(0, generation);
        let found = Baseline::equal(line, !self.prints, lane) & self.lanes;
        if lane == 0 { found & !self.free::<Baseline>(line) } else { found }
    }

    /// Empties the cells of a line that are too old in generation `now`, that many after the one that it is up to date with;
    /// says whether it is marked.
    #[inline(always)]
    pub(super) fn expire<I: Instructions>(&self, line: &Line, now: u64, lag: u64) -> bool {
        let (then, oldest) = (now - lag, now - self.generations());
        for generation in then - self.generations()..oldest.min(then + 1) {
            // Free cells of tag 0 stay what they are.
            I::clear_equal(line, !self.prints, self.lane_of(0, generation), self.all);
        }
        set_epoch(line, now);
        is_marked(line)
    }

    /// A key's print with as many extra bits as the widest cell keeps.
    pub(super) fn whole(&self, print: Print) -> Print {
        let widest = self.widest();
        Print { extra: if widest == 0 { 0 } else { print.extra & bits::mask(widest) }, ..print }
    }

    /// Whether cell `i`, whose fingerprint matches, has the extra bits of the key too.
    #[inline(always)]
    pub(super) fn holds(&self, line: &Line, i: u64, extra: u64) -> bool {
        let place = self.place(i);
        (line.eight_bytes(place.start) ^ (extra << place.from)) & place.mask == 0
    }

    #[inline(always)]
    fn place(&self, i: u64) -> Extra {
        self.places[num::index(i % 32)]
    }

    /// The extra bits of cell `i`.
    #[inline(always)]
    pub(super) fn extra(&self, line: &Line, i: u64) -> u64 {
        let place = self.place(i);
        (line.eight_bytes(place.start) & place.mask) >> place.from
    }

    /// Writes cell `i`.
    #[inline(always)]
    pub(super) fn put(&self, line: &Line, i: u64, print: Print, generation: u64) {
        line.set_lane(i, self.lane_of(print.lane, generation));
        let Extra { mask, start, from } = self.place(i);
        let others = line.eight_bytes(start) & !mask;
        line.set_eight_bytes(start, others | ((print.extra << from) & mask));
    }
}

/// Empties the cells of these lanes.
#[inline(always)]
pub(super) fn empty(line: &Line, lanes: u32) {
    each(lanes, |i| line.set_lane(i, 0));
}

/// Calls `f` with the number of every lane.
#[inline(always)]
pub(super) fn each(lanes: u32, mut f: impl FnMut(u64)) {
    let mut left = lanes;
    while left != 0 {
        f(u64::from(left.trailing_zeros()));
        left &= left - 1;
    }
}

/// The generation that the line is up to date with, mod [`EPOCHS`].
#[inline(always)]
pub(super) fn epoch(line: &Line) -> u64 {
    (line.word(LAST) >> EPOCH_AT) & (EPOCHS - 1)
}

/// How many generations the line is behind generation `now`.
#[inline(always)]
pub(super) fn lag(line: &Line, now: u64) -> u64 {
    now.wrapping_sub(epoch(line)) % EPOCHS
}

#[inline(always)]
pub(super) fn set_epoch(line: &Line, generation: u64) {
    const FIELD: u64 = (EPOCHS - 1) << EPOCH_AT;
    let word = line.word(LAST);
    line.set_word(LAST, (word & !FIELD) | ((generation << EPOCH_AT) & FIELD));
}

/// Whether a key of this line may be in the stash.
#[inline(always)]
pub(super) fn is_marked(line: &Line) -> bool {
    line.word(LAST) & MARK != 0
}

pub(super) fn set_mark(line: &Line, marked: bool) {
    let word = line.word(LAST) & !MARK;
    line.set_word(LAST, if marked { word | MARK } else { word });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every layout against a list of cells.
    #[test]
    fn a_cell_keeps_its_lane_and_its_extra_bits_and_no_others() {
        for (cells, tag_bits) in (LEAST_CELLS..=MOST_CELLS).flat_map(|c| (2..=5).map(move |t| (c, t))) {
            let (layout, line) = (Layout::new(cells, tag_bits), Line::default());
            let mut list = vec![(0u16, 0u64, 0u64); num::index(cells)];
            let bits: u64 = (0..cells).map(|i| 16 + layout.width(i)).sum();
            assert_eq!(bits, ROOM, "no bit is left over");
            set_epoch(&line, 77);
            set_mark(&line, true);
            for step in 0..400u64 {
                let random = crate::hash::KeyHash(step).derive(cells);
                let i = random % cells;
                let [_, low, high, ..] = random.to_le_bytes();
                let lane_ = u16::from_le_bytes([low, high]) | 1;
                let print = Print { lane: layout.prints.min(lane_), extra: random >> 24 };
                let generation = 74 + random % 4;
                layout.put(&line, i, print, generation);
                list[num::index(i)] = (print.lane, print.extra, generation);
                for (i, &(lane_, extra, generation)) in (0..).zip(&list) {
                    let found = line.lane(i);
                    assert_eq!(layout.print_of(found), lane_);
                    assert_eq!(lane_ != 0 && layout.holds(&line, i, extra), lane_ != 0, "{layout:?} {i}");
                    assert!(lane_ == 0 || layout.width(i) == 0 || !layout.holds(&line, i, !extra));
                    assert_eq!((layout.free::<Baseline>(&line) >> i) & 1 == 1, lane_ == 0);
                    assert!(lane_ == 0 || layout.age(found, 77) == (77 - generation));
                    assert_eq!((layout.of_generation(&line, generation) >> i) & 1 == 1, lane_ != 0);
                }
                assert_eq!((epoch(&line), is_marked(&line)), (77, true));
            }
            empty(&line, u32::MAX >> (32 - cells));
            assert_eq!(layout.free::<Baseline>(&line).count_ones(), u32::try_from(cells).unwrap());
            set_mark(&line, false);
            assert_eq!((epoch(&line), is_marked(&line)), (77, false));
        }
    }
}
