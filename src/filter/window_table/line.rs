//! A line of cells: lanes, and fields of one of three widths.
//!
//! ```text
//!  cells   bytes 0 ..                        bytes up to 64
//!  21      | 21 lanes of 16 bits             | 21 fields of 8 bits, from byte 42 on           |  rates to 3.3e-4
//!  16      | 16 lanes                        | 16 fields of 16 bits, from byte 32 on          |  to 1e-6
//!  10      | 10 lanes                        | 10 fields of 32 bits, from byte 24 on          |  to 1e-11
//!
//!  lane    | tag: generation of the last sighting | fingerprint |
//!  field   0 .. 0 1 b b b     known bits of the string above those of the line, the next one lowest; a closing 1; 0 is a free cell
//! ```
//! **Law.** A split moves the lowest known bit of each cell into the number of its line, a merge moves it back. A cell that knows no
//! bit goes to both halves.
//! **Price.** All lanes of a line are compared with one or two vectors; a field is read where its lane has the fingerprint.

use crate::num;
use crate::simd::{Bytes, Instructions, Line};

/// Cells of a line at most.
const MOST_CELLS: usize = 21;

/// A width of fields.
pub(super) trait Width {
    /// Cells of a line.
    const CELLS: usize;
    /// Bits of a field.
    const FIELD: u32;
    /// Bits that a cell knows at most.
    const KNOWN: u32 = Self::FIELD - 1;
    /// Bits of a mask for each cell, as a power of two: of hits, and of free cells.
    const HIT_SHIFT: u32;
    const FREE_SHIFT: u32;
    /// The cells whose lane is `want` where `keep` has ones.
    fn hits<I: Instructions>(line: &Line, keep: u16, want: u16) -> u32;
    /// The cells that are free.
    fn free<I: Instructions>(line: &Line) -> u32;
    /// The field of a cell.
    fn field(line: &Line, cell: usize) -> u32;
    fn set_field(line: &Line, cell: usize, field: u32);
    /// Fields out of the bytes of a line.
    fn fields(bytes: &Bytes, fields: &mut [u32; MOST_CELLS]);
    fn put_fields(bytes: &mut Bytes, fields: &[u32; MOST_CELLS]);
}

/// 21 cells with fields of 8 bits.
pub(super) struct Narrow;
/// 16 cells with fields of 16 bits.
pub(super) struct Middle;
/// 10 cells with fields of 32 bits.
pub(super) struct Wide;

impl Width for Narrow {
    const CELLS: usize = 21;
    const FIELD: u32 = 8;
    const HIT_SHIFT: u32 = 0;
    const FREE_SHIFT: u32 = 0;

    #[inline(always)]
    fn hits<I: Instructions>(line: &Line, keep: u16, want: u16) -> u32 {
        I::equal(line, keep, want) & ((1 << Self::CELLS) - 1)
    }

    #[inline(always)]
    fn free<I: Instructions>(line: &Line) -> u32 {
        (I::zero_bytes(line) >> 10) & ((1 << Self::CELLS) - 1)
    }

    #[inline(always)]
    fn field(line: &Line, cell: usize) -> u32 {
        (u32::from(line.lane(21 + cell / 2)) >> (8 * (cell % 2))) & 0xFF
    }

    #[inline(always)]
    fn set_field(line: &Line, cell: usize, field: u32) {
        let [low, ..] = field.to_le_bytes();
        let mut both = line.lane(21 + cell / 2).to_le_bytes();
        both[cell % 2] = low;
        line.set_lane(21 + cell / 2, u16::from_le_bytes(both));
    }

    #[inline(always)]
    fn fields(bytes: &Bytes, fields: &mut [u32; MOST_CELLS]) {
        for (field, byte) in fields.iter_mut().zip(&bytes.0[42..42 + Self::CELLS]) {
            *field = u32::from(*byte);
        }
    }

    #[inline(always)]
    fn put_fields(bytes: &mut Bytes, fields: &[u32; MOST_CELLS]) {
        for (byte, field) in bytes.0[42..42 + Self::CELLS].iter_mut().zip(fields) {
            [*byte, ..] = field.to_le_bytes();
        }
    }
}

impl Width for Middle {
    const CELLS: usize = 16;
    const FIELD: u32 = 16;
    const HIT_SHIFT: u32 = 1;
    const FREE_SHIFT: u32 = 1;

    #[inline(always)]
    fn hits<I: Instructions>(line: &Line, keep: u16, want: u16) -> u32 {
        I::equal_in_first_half(line, keep, want)
    }

    #[inline(always)]
    fn free<I: Instructions>(line: &Line) -> u32 {
        I::zero_lanes(line)
    }

    #[inline(always)]
    fn field(line: &Line, cell: usize) -> u32 {
        u32::from(line.lane(16 + cell % 16))
    }

    #[inline(always)]
    fn set_field(line: &Line, cell: usize, field: u32) {
        let [a, b, ..] = field.to_le_bytes();
        line.set_lane(16 + cell % 16, u16::from_le_bytes([a, b]));
    }

    #[inline(always)]
    fn fields(bytes: &Bytes, fields: &mut [u32; MOST_CELLS]) {
        for (field, pair) in fields.iter_mut().zip(bytes.0[32..].chunks_exact(2)) {
            *field = u32::from(u16::from_le_bytes([pair[0], pair[1]]));
        }
    }

    #[inline(always)]
    fn put_fields(bytes: &mut Bytes, fields: &[u32; MOST_CELLS]) {
        for (pair, field) in bytes.0[32..].chunks_exact_mut(2).zip(fields) {
            pair.copy_from_slice(&field.to_le_bytes()[..2]);
        }
    }
}

impl Width for Wide {
    const CELLS: usize = 10;
    const FIELD: u32 = 32;
    const HIT_SHIFT: u32 = 1;
    const FREE_SHIFT: u32 = 0;

    #[inline(always)]
    fn hits<I: Instructions>(line: &Line, keep: u16, want: u16) -> u32 {
        I::equal_in_first_half(line, keep, want) & ((1 << (2 * Self::CELLS)) - 1)
    }

    #[inline(always)]
    fn free<I: Instructions>(line: &Line) -> u32 {
        let is_free = |cell| u32::from(Self::field(line, cell) == 0);
        is_free(0) | (is_free(1) << 1) | (I::zero_pairs(line) << 2)
    }

    #[inline(always)]
    fn field(line: &Line, cell: usize) -> u32 {
        let [low, high] = [12, 13].map(|lane| u32::from(line.lane(lane + 2 * cell)));
        low | (high << 16)
    }

    #[inline(always)]
    fn set_field(line: &Line, cell: usize, field: u32) {
        let [a, b, c, d] = field.to_le_bytes();
        line.set_lane(12 + 2 * cell, u16::from_le_bytes([a, b]));
        line.set_lane(13 + 2 * cell, u16::from_le_bytes([c, d]));
    }

    #[inline(always)]
    fn fields(bytes: &Bytes, fields: &mut [u32; MOST_CELLS]) {
        let fours = bytes.0[24..].chunks_exact(4);
        fields
            .iter_mut()
            .zip(fours)
            .for_each(|(field, four)| *field = u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    }

    #[inline(always)]
    fn put_fields(bytes: &mut Bytes, fields: &[u32; MOST_CELLS]) {
        let fours = bytes.0[24..].chunks_exact_mut(4);
        fours.zip(fields).for_each(|(four, field)| four.copy_from_slice(&field.to_le_bytes()));
    }
}

/// What a field of `known` bits has of a string above a line of `bits` bits.
#[inline(always)]
pub(super) const fn field_of(string: u64, bits: u32, known: u32) -> u32 {
    num::lower((string >> bits) & ((1 << known) - 1)) | (1 << known)
}

/// Whether the known bits of a cell are those of a string above the bits of its line.
#[inline(always)]
pub(super) const fn agrees(field: u32, string: u64, bits: u32) -> bool {
    field != 0 && ((field ^ num::lower(string >> bits)) << field.leading_zeros()) << 1 == 0
}

/// How many bits a cell in use knows.
#[inline(always)]
pub(super) const fn known(field: u32) -> u32 {
    31 - field.leading_zeros()
}

/// A cell in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) lane: u16,
    pub(super) field: u32,
}

#[inline(always)]
pub(super) fn put<W: Width>(line: &Line, at: usize, cell: Cell) {
    line.set_lane(at, cell.lane);
    W::set_field(line, at, cell.field);
}

#[inline(always)]
pub(super) fn get<W: Width>(line: &Line, at: usize) -> Cell {
    Cell { lane: line.lane(at), field: W::field(line, at) }
}

/// The first cell of a mask of hits, which is taken out.
#[inline(always)]
pub(super) fn take_first<W: Width>(hits: &mut u32) -> Option<usize> {
    let first = hits.trailing_zeros();
    *hits &= !((1u32 << (1 << W::HIT_SHIFT)) - 1).checked_shl(first)?;
    Some(num::index(u64::from(first >> W::HIT_SHIFT)))
}

/// The first cell of a mask of free ones.
#[inline(always)]
pub(super) fn first_free<W: Width>(free: u32) -> Option<usize> {
    (free != 0).then(|| num::index(u64::from(free.trailing_zeros() >> W::FREE_SHIFT)))
}

/// The free cells of a mask.
pub(super) fn count_free<W: Width>(free: u32) -> u32 {
    free.count_ones() >> W::FREE_SHIFT
}

/// The tags that have expired: some in a row, from the oldest on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expired {
    /// The first of their lanes.
    oldest: u16,
    /// How far the last is from it.
    span: u16,
}

impl Expired {
    /// The `tag` of the generation that begins, which was that of the oldest, and `more` generations of which none was taken out: both in
    /// their place in a lane, above fingerprints with the bits of `mask`.
    #[inline(always)]
    pub(super) const fn of(tag: u16, more: u16, mask: u16) -> Self {
        Self { oldest: tag.wrapping_sub(more), span: mask | more }
    }

    #[inline(always)]
    const fn has(self, lane: u16) -> bool {
        lane.wrapping_sub(self.oldest) <= self.span
    }
}

/// The cells of a line, out of memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells {
    pub(super) lanes: [u16; MOST_CELLS],
    pub(super) fields: [u32; MOST_CELLS],
}

impl Cells {
    pub(super) const EMPTY: Self = Self { lanes: [0; MOST_CELLS], fields: [0; MOST_CELLS] };

    #[inline(always)]
    pub(super) fn load<I: Instructions, W: Width>(line: &Line) -> Self {
        let (bytes, mut cells) = (I::load(line), Self::EMPTY);
        for i in 0..W::CELLS {
            cells.lanes[i] = u16::from_le_bytes([bytes.0[2 * i], bytes.0[2 * i + 1]]);
        }
        W::fields(&bytes, &mut cells.fields);
        cells
    }

    #[inline(always)]
    pub(super) fn store<I: Instructions, W: Width>(&self, line: &Line) {
        let mut bytes = Bytes::default();
        for i in 0..W::CELLS {
            [bytes.0[2 * i], bytes.0[2 * i + 1]] = self.lanes[i].to_le_bytes();
        }
        W::put_fields(&mut bytes, &self.fields);
        I::store(line, &bytes);
    }

    /// The places of the cells in use.
    pub(super) fn used<W: Width>(&self) -> impl Iterator<Item = usize> + use<'_, W> {
        (0..W::CELLS).filter(|i| self.fields[*i] != 0)
    }

    /// The two halves of a split line, and how many cells are in both.
    #[inline(always)]
    fn halves<W: Width>(&self) -> ([Self; 2], u32) {
        let (mut halves, mut copies) = ([Self::EMPTY; 2], 0);
        for i in 0..W::CELLS {
            let (lane, field) = (self.lanes[i], self.fields[i]);
            let is_blind = field == 1;
            let shorter = if is_blind { 1 } else { field >> 1 };
            for (half, cells) in (0..).zip(&mut halves) {
                let goes = field != 0 && (is_blind || field & 1 == half);
                cells.lanes[i] = if goes { lane } else { 0 };
                cells.fields[i] = if goes { shorter } else { 0 };
            }
            copies += u32::from(is_blind);
        }
        (halves, copies)
    }

    /// Takes in the cells of the two halves of a line; there is room for them. A full field loses its highest bit.
    fn joined<W: Width>(halves: &[Self; 2]) -> Self {
        let mut all = Self::EMPTY;
        let mut free = (0..W::CELLS).filter(|i| halves[0].fields[*i] == 0);
        for (bit, half) in (0..).zip(halves) {
            for i in half.used::<W>() {
                let longer = (u64::from(half.fields[i]) << 1) | bit;
                let is_long = longer >> W::FIELD != 0;
                let field = num::lower(if is_long { longer & ((1 << W::KNOWN) - 1) | (1 << W::KNOWN) } else { longer });
                if let Some(at) = if bit == 0 { Some(i) } else { free.next() } {
                    (all.lanes[at], all.fields[at]) = (half.lanes[i], field);
                }
            }
        }
        all
    }
}

/// Frees the cells of a line that have expired; returns how many. All cells at once: a loop over those that have is mispredicted.
#[inline(always)]
pub(super) fn expire<I: Instructions, W: Width>(line: &Line, expired: Expired) -> u32 {
    let (mut cells, mut freed) = (Cells::load::<I, W>(line), 0);
    for i in 0..W::CELLS {
        let goes = expired.has(cells.lanes[i]);
        freed += u32::from(goes && cells.fields[i] != 0);
        cells.lanes[i] = if goes { 0 } else { cells.lanes[i] };
        cells.fields[i] = if goes { 0 } else { cells.fields[i] };
    }
    if freed > 0 {
        cells.store::<I, W>(line);
    }
    freed
}

/// The cell in use that was seen longest ago, the last of several, in a line that is up to date with `tag`: how many generations ago,
/// above a fingerprint with the bits of `mask`, and which it is. All cells at once, as in [`expire`].
#[inline(always)]
pub(super) fn oldest<I: Instructions, W: Width>(line: &Line, tag: u16, mask: u16) -> Option<(u16, usize)> {
    /// Above the number of a cell, and below the tags.
    const IN_USE: u16 = 32;
    let (cells, mut ages) = (Cells::load::<I, W>(line), [0u16; 32]);
    for (cell, i) in (0..W::CELLS).zip(0u16..) {
        let age = tag.wrapping_sub(cells.lanes[cell] & !mask) & !mask;
        ages[cell] = if cells.fields[cell] == 0 { 0 } else { age | IN_USE | i };
    }
    // In halves: a compiler does not make vectors of a running maximum.
    for half in [16, 8, 4, 2, 1] {
        for i in 0..half {
            ages[i] = ages[i].max(ages[i + half]);
        }
    }
    let oldest = ages[0];
    (oldest != 0).then(|| (oldest & !mask, usize::from(oldest % IN_USE)))
}

/// Splits a line into itself and another; returns how many cells are in both.
#[inline(always)]
pub(super) fn split<I: Instructions, W: Width>(line: &Line, other: &Line) -> u32 {
    let (halves, copies) = Cells::load::<I, W>(line).halves::<W>();
    halves[0].store::<I, W>(line);
    halves[1].store::<I, W>(other);
    copies
}

/// Merges another line into its first half; there is room.
pub(super) fn merge<I: Instructions, W: Width>(line: &Line, other: &Line) {
    let halves = [line, other].map(Cells::load::<I, W>);
    Cells::joined::<W>(&halves).store::<I, W>(line);
    Cells::EMPTY.store::<I, W>(other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{self, Baseline, Task};

    fn random_cells<W: Width>(seed: u64) -> Cells {
        let mut cells = Cells::EMPTY;
        for i in 0..W::CELLS {
            let random = num::mix(seed * 32 + num::wide(i));
            let [a, b, ..] = random.to_le_bytes();
            let known = num::lower((random >> 16) % u64::from(W::FIELD));
            if random >> 62 > 0 {
                (cells.lanes[i], cells.fields[i]) = (u16::from_le_bytes([a, b]), field_of(random >> 20, 3, known));
            }
        }
        cells
    }

    fn same(a: &Cells, b: &Cells) -> bool {
        a.lanes == b.lanes && a.fields == b.fields
    }

    struct Forms<'a, W>(&'a Line, std::marker::PhantomData<W>);

    impl<W: Width> Task for Forms<'_, W> {
        type Args = u16;
        type Result = (u32, u32, u32, Cells, Cells);
        fn run<I: Instructions>(self, want: u16) -> Self::Result {
            let (hits, free, before) =
                (W::hits::<I>(self.0, 0x1FFF, want), W::free::<I>(self.0), Cells::load::<I, W>(self.0));
            let gone = expire::<I, W>(self.0, Expired::of(0, 2 << 13, 0x1FFF));
            let after = Cells::load::<I, W>(self.0);
            before.store::<I, W>(self.0);
            (hits, free, gone, before, after)
        }
    }

    /// Every form finds, frees and expires the same cells.
    fn cells_are_found<W: Width>(cells: &Cells, line: &Line) {
        let want = cells.lanes[3] & 0x1FFF;
        let forms = || Forms::<W>(line, std::marker::PhantomData);
        let (hits, free, gone, before, after) = simd::run(forms(), want);
        let base = simd::plain::run(|| forms().run::<Baseline>(want));
        assert_eq!((hits, free, gone), (base.0, base.1, base.2));
        assert!(same(&before, cells) && same(&base.3, cells) && same(&after, &base.4));
        let mut expired = 0;
        for i in 0..W::CELLS {
            let cell = get::<W>(line, i);
            assert_eq!((cell.lane, cell.field), (cells.lanes[i], cells.fields[i]));
            assert_eq!((hits >> (num::lower(num::wide(i)) << W::HIT_SHIFT)) & 1 == 1, cell.lane & 0x1FFF == want);
            assert_eq!((free >> (num::lower(num::wide(i)) << W::FREE_SHIFT)) & 1 == 1, cell.field == 0);
            let dies = cell.field != 0 && [6, 7, 0].contains(&(cell.lane >> 13));
            expired += u32::from(dies);
            assert_eq!((after.lanes[i], after.fields[i]), if dies { (0, 0) } else { (cell.lane, cell.field) });
        }
        assert_eq!(gone, expired);
    }

    struct Eldest<'a, W>(&'a Line, std::marker::PhantomData<W>);

    impl<W: Width> Task for Eldest<'_, W> {
        type Args = (u16, u16);
        type Result = Option<(u16, usize)>;
        fn run<I: Instructions>(self, (tag, mask): (u16, u16)) -> Self::Result {
            oldest::<I, W>(self.0, tag, mask)
        }
    }

    /// Every form finds the last of the cells in use that are the most generations behind a tag, whatever their fingerprints.
    fn the_oldest_is_found<W: Width>(cells: &Cells, line: &Line) {
        for (tag, bits) in (0..8u16).map(|tag| (tag << 13, 13)).chain((0..16).map(|tag| (tag << 12, 12))) {
            let age = |i: &usize| (tag >> bits).wrapping_sub(cells.lanes[*i] >> bits) & (u16::MAX >> bits);
            let expected = cells.used::<W>().max_by_key(|i| (age(i), *i)).map(|i| (age(&i) << bits, i));
            let (mask, form) = ((1 << bits) - 1, || Eldest::<W>(line, std::marker::PhantomData));
            assert_eq!(simd::run(form(), (tag, mask)), expected);
            assert_eq!(simd::plain::run(|| form().run::<Baseline>((tag, mask))), expected);
        }
    }

    /// A split sends each cell where its lowest bit says, and a merge undoes it.
    fn halves_are_a_whole<W: Width>(cells: &Cells, line: &Line) {
        let other = Line::default();
        cells.store::<Baseline, W>(line);
        let copies = split::<Baseline, W>(line, &other);
        assert_eq!(copies, u32::try_from(cells.fields.iter().filter(|field| **field == 1).count()).unwrap());
        for i in cells.used::<W>() {
            let field = cells.fields[i];
            for (bit, half) in (0..2u32).zip([line, &other].map(|half| get::<W>(half, i))) {
                let goes = if field & 1 == bit { field >> 1 } else { 0 };
                assert_eq!(half.field, if field == 1 { 1 } else { goes });
            }
        }
        if copies == 0 {
            merge::<Baseline, W>(line, &other);
            let merged = Cells::load::<Baseline, W>(line);
            let sorted = |cells: &Cells| {
                let mut all: Vec<_> = cells.used::<W>().map(|i| (cells.lanes[i], cells.fields[i])).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(sorted(&merged), sorted(cells));
        }
    }

    fn lines_of_cells<W: Width>() {
        simd::detect();
        for seed in 0..500 {
            let (cells, line) = (random_cells::<W>(seed), Line::default());
            cells.store::<Baseline, W>(&line);
            cells_are_found::<W>(&cells, &line);
            for (i, field) in [(0, 1), (W::CELLS - 1, 1 << W::KNOWN), (2, (1 << W::FIELD.min(31)) - 1)] {
                put::<W>(&line, i, Cell { lane: 0xABCD, field });
                assert_eq!(get::<W>(&line, i), Cell { lane: 0xABCD, field });
            }
            cells.store::<Baseline, W>(&line);
            the_oldest_is_found::<W>(&cells, &line);
            halves_are_a_whole::<W>(&cells, &line);
        }
        let full = Line::default();
        put::<W>(&full, 0, Cell { lane: 1, field: field_of(u64::MAX, 0, W::KNOWN) });
        merge::<Baseline, W>(&full, &Line::default());
        assert_eq!(W::field(&full, 0), field_of(u64::MAX - 1, 0, W::KNOWN), "the highest known bit goes");
    }

    #[test]
    fn lines_of_every_width_keep_what_is_written() {
        lines_of_cells::<Narrow>();
        lines_of_cells::<Middle>();
        lines_of_cells::<Wide>();
    }

    #[test]
    fn a_cell_agrees_with_strings_that_have_its_bits() {
        for known in 0..32 {
            let string = num::mix(u64::from(known));
            let field = field_of(string, 9, known);
            assert!(agrees(field, string, 9) && super::known(field) == known);
            assert!(agrees(field, string ^ 0x1FF, 9), "bits of the line are not its own");
            for bit in 9..64 {
                assert_eq!(agrees(field, string ^ (1 << bit), 9), bit >= 9 + known, "{known} known, bit {bit}");
            }
        }
        assert!(!agrees(0, 0, 5));
    }
}
