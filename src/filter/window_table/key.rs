//! Where a key belongs: a fingerprint, and two strings of bits, one a side, of which lines and cells know the lowest.
//!
//! ```text
//!  hash        | string of side 0: 50 bits .................. | 14 bits -> fingerprint, 1 or more |
//!  side 1      V - string of side 0,  V = fingerprint x odd, with as many zeros below as both sides share
//!  a line      has a number: the lowest `depth` bits of the strings of its keys
//!  a cell      has the fingerprint, and some of the bits above
//!
//!  table       (depth, split): 2 sides of 2^depth lines, `split` of which are split: first those of side 0, then of side 1
//! ```
//! **Law.** The lowest bits that a cell knows of its string give equally many of the string on the other side. So a
//! cell can move without its key. The three lowest bits of both strings name one phase: whichever of its two lines a cell
//! is in, it expires at the same moment.

use crate::num;

use super::position::{Generation, PARTS, Part};

/// Bits of the hash that make the fingerprint.
pub(super) const PRINT_BITS: u32 = 14;

/// Bits of a string.
pub(super) const STRING: u32 = u64::BITS - PRINT_BITS;

/// Bits that name a phase; both strings of a key share them.
pub(super) const PHASE_BITS: u32 = PARTS.trailing_zeros();

/// A key as lines know it: a fingerprint and a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) print: u16,
    pub(super) strings: [u64; 2],
}

impl Key {
    /// The key with this mixed hash, where there are `prints` fingerprints.
    #[inline(always)]
    pub(super) fn of(hash: u64, prints: u16) -> Self {
        let low = hash & ((1 << PRINT_BITS) - 1);
        let [a, b, ..] = (1 + ((low * u64::from(prints)) >> PRINT_BITS)).to_le_bytes();
        let (print, string) = (u16::from_le_bytes([a, b]), hash >> PRINT_BITS);
        Self { print, strings: [string, across(print, string)] }
    }

    /// The phase of both of its lines.
    #[inline(always)]
    pub(super) const fn phase(&self) -> u64 {
        self.strings[0] % PARTS
    }

    /// The generation of both of its lines at a part.
    #[inline(always)]
    pub(super) const fn generation(&self, part: Part) -> Generation {
        part.generation(self.phase())
    }
}

/// The generation of the lines of a hash at a part.
pub(super) const fn generation_of(hash: u64, part: Part) -> Generation {
    part.generation(num::wide(section_of(hash)))
}

/// The section of a hash where a table is divided.
#[inline(always)]
pub(super) const fn section_of(hash: u64) -> usize {
    num::index((hash >> PRINT_BITS) % PARTS)
}

/// The string on the other side; as many of its lowest bits are known as of this one.
#[inline(always)]
pub(super) fn across(print: u16, string: u64) -> u64 {
    (u64::from(print).wrapping_mul(num::STEP) << PHASE_BITS).wrapping_sub(string)
}

/// The lowest 32 bits of the same.
#[inline(always)]
pub(super) fn across_lower(print: u16, string: u32) -> u32 {
    const STEP: u32 = num::lower(num::STEP) << PHASE_BITS;
    u32::from(print).wrapping_mul(STEP).wrapping_sub(string)
}

/// The number of a line on its side. It is no index: a section has every eighth number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LineNumber(pub(super) u64);

impl LineNumber {
    /// The lowest bits of a string.
    #[inline(always)]
    const fn of(string: u64, depth: u32) -> Self {
        Self(string & ((1 << depth) - 1))
    }

    /// The first of a phase. Both strings of a key name one phase, the one of side 1 from the other end.
    pub(super) const fn first(side: usize, phase: u64) -> Self {
        Self(if side == 0 { phase } else { 0u64.wrapping_sub(phase) % PARTS })
    }

    /// The `n`-th behind it of the same phase.
    pub(super) const fn later_of_phase(self, n: u64) -> Self {
        Self(self.0 + n * PARTS)
    }

    /// How many of its phase there are from it on, in front of another line.
    pub(super) const fn of_phase_before(self, end: Self) -> u64 {
        end.0.saturating_sub(self.0).div_ceil(PARTS)
    }

    /// The other half of a line of this depth that is split.
    pub(super) const fn other_half(self, depth: u32) -> Self {
        Self(self.0 + (1 << depth))
    }
}

/// A line: its side, its number there, and how many bits of a string the number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) side: usize,
    pub(super) line: LineNumber,
    pub(super) depth: u32,
}

/// Sections of a divided table: one for each phase.
pub(super) const SECTIONS: usize = 1 << PHASE_BITS;

/// The lines that a table has: all, or those of one phase. No key has lines in two sections, so each can grow by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Section {
    /// Bits of a line's number that all of its lines have in common.
    pub(super) skip: u32,
    phase: u64,
}

impl Section {
    /// All lines.
    pub(super) const WHOLE: Self = Self { skip: 0, phase: 0 };

    /// The lines of one phase.
    pub(super) const fn of(phase: u64) -> Self {
        Self { skip: PHASE_BITS, phase }
    }

    /// The phase of its lines, if they have one.
    pub(super) const fn phase(self) -> u64 {
        self.phase
    }

    /// Whether a key with this mixed hash has its lines here.
    pub(super) const fn has(self, hash: u64) -> bool {
        self.skip == 0 || section_of(hash) == num::index(self.phase)
    }

    /// The lowest bits of its lines' numbers.
    const fn low(self, side: usize) -> u64 {
        LineNumber::first(side, self.phase).0
    }

    /// The number of its i-th line of a side.
    const fn number(self, side: usize, i: u64) -> LineNumber {
        LineNumber((i << self.skip) | self.low(side))
    }

    /// Which of its lines has this number.
    #[inline(always)]
    pub(super) const fn index(self, line: LineNumber) -> u64 {
        line.0 >> self.skip
    }

    /// How many such sections make a whole table.
    pub(super) fn of_whole(self) -> f64 {
        num::real(1 << self.skip)
    }

    /// The phase whose lines pass into their next generation last at or before a part, and that part.
    pub(super) const fn last_walk(self, part: Part) -> (u64, Part) {
        let phase = if self.skip == 0 { 0u64.wrapping_sub(part.0) % PARTS } else { self.phase };
        (phase, part.before((part.0 + phase) % PARTS))
    }

    /// How often lines of it pass into their next generation behind part `from`, up to part `to`.
    pub(super) const fn walks(self, from: Part, to: Part) -> u64 {
        if self.skip == 0 { to.since(from) } else { to.generation(self.phase).since(from.generation(self.phase)) }
    }

    /// The number of walks that go over all of its lines.
    pub(super) const fn round(self) -> u64 {
        PARTS >> self.skip
    }
}

/// How many lines there are, and which are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// D: every line is at least so deep.
    pub(super) depth: u32,
    /// P, below twice the lines of a side that is not split.
    pub(super) split: u64,
    /// Of each side: lines with a lower number are split.
    splits: [u64; 2],
    mask: u64,
    pub(super) section: Section,
}

/// The least depth: a line for each phase on each side.
pub(super) const LEAST_DEPTH: u32 = PHASE_BITS;

impl Shape {
    pub(super) const fn new(section: Section, depth: u32, split: u64) -> Self {
        let half = 1 << (depth - section.skip);
        let left = if split < half { split } else { half };
        let splits = [left << section.skip, (split - left) << section.skip];
        Self { depth, split, splits, mask: (1 << depth) - 1, section }
    }

    /// The smallest table with a number of lines.
    pub(super) const fn of(section: Section, lines: u64) -> Self {
        let least = LEAST_DEPTH - section.skip;
        let pairs = if lines < 2 << least { 1 << least } else { lines / 2 };
        let bits = pairs.ilog2();
        Self::new(section, bits + section.skip, lines.saturating_sub(2 << bits))
    }

    /// The lines of one phase.
    pub(super) fn sectioned(&self, phase: u64) -> Self {
        let section = Section::of(phase);
        let below = |side: usize| (self.splits[side] + PARTS - 1 - section.low(side)) / PARTS;
        let (split, all) = (below(0) + below(1), 2 << (self.depth - section.skip));
        // Lines of this phase may all be split before those of another are.
        if split == all { Self::new(section, self.depth + 1, 0) } else { Self::new(section, self.depth, split) }
    }

    /// Lines of a side of which none is split.
    const fn half(&self) -> u64 {
        (self.mask + 1) >> self.section.skip
    }

    pub(super) const fn lines(&self) -> u64 {
        2 * self.half() + self.split
    }

    /// Lines of a side.
    pub(super) const fn lines_of(&self, side: usize) -> u64 {
        (self.mask + 1 + self.splits[side]) >> self.section.skip
    }

    /// The i-th line of a side.
    pub(super) fn nth(&self, side: usize, i: u64) -> Spot {
        self.spot(side, self.section.number(side, i).0)
    }

    /// All lines, in the order in which they are kept.
    pub(super) fn spots(self) -> impl Iterator<Item = Spot> {
        [0, 1].into_iter().flat_map(move |side| (0..self.lines_of(side)).map(move |i| self.nth(side, i)))
    }

    /// The i-th of all lines.
    pub(super) fn counted(&self, i: u64) -> Spot {
        let first = self.lines_of(0);
        if i < first { self.nth(0, i) } else { self.nth(1, i - first) }
    }

    /// Behind the last line of a side.
    #[inline(always)]
    pub(super) const fn end_of(&self, side: usize) -> LineNumber {
        LineNumber(self.mask + 1 + self.splits[side])
    }

    /// The line of a string. Whether it is split is chance: no branch asks for that.
    #[inline(always)]
    pub(super) fn spot(&self, side: usize, string: u64) -> Spot {
        let depth = self.depth + u32::from(string & self.mask < self.splits[side % 2]);
        Spot { side, line: LineNumber::of(string, depth), depth }
    }

    /// The number of that line.
    #[inline(always)]
    pub(super) fn line(&self, side: usize, string: u64) -> LineNumber {
        let (short, long) = (string & self.mask, string & (2 * self.mask + 1));
        LineNumber(if short < self.splits[side % 2] { long } else { short })
    }

    /// How lately the line of a string was split: more is later, 0 is not at this depth.
    #[inline(always)]
    pub(super) fn split_at(&self, side: usize, string: u64) -> u64 {
        // A multiplication, since a branch would be chance.
        let short = string & self.mask;
        (short + 1) * u64::from(short < self.splits[side % 2])
    }

    /// The mask of a line's number and the number of split lines of a side, in 32 bits each, for a table that is not deeper than
    /// that.
    #[inline(always)]
    pub(super) const fn lower_parts(&self, side: usize) -> (u32, u32) {
        (num::lower(self.mask), num::lower(self.splits[side % 2]))
    }

    /// The next line to split; the other half of its cells goes to the line whose number is higher by 2^depth.
    pub(super) fn next_split(&self) -> Spot {
        let side = usize::from(self.split >= self.half());
        let i = self.split & (self.half() - 1);
        Spot { side, line: self.section.number(side, i), depth: self.depth }
    }

    /// With one more line.
    pub(super) const fn grown(&self) -> Self {
        let split = self.split + 1;
        if split == 2 * self.half() {
            Self::new(self.section, self.depth + 1, 0)
        } else {
            Self::new(self.section, self.depth, split)
        }
    }

    /// With one line less, if that leaves enough.
    pub(super) const fn shrunk(&self) -> Option<Self> {
        match (self.split, self.depth) {
            (0, LEAST_DEPTH) => None,
            (0, depth) => Some(Self::new(self.section, depth - 1, self.half() - 1)),
            (split, depth) => Some(Self::new(self.section, depth, split - 1)),
        }
    }
}

impl Spot {
    /// The phase of its line: how many parts earlier than line 0 it begins a generation.
    #[inline(always)]
    pub(super) const fn phase(&self) -> u64 {
        (if self.side == 0 { self.line.0 } else { 0u64.wrapping_sub(self.line.0) }) % PARTS
    }

    /// Its generation at a part.
    #[inline(always)]
    pub(super) const fn generation(&self, part: Part) -> Generation {
        part.generation(self.phase())
    }

    /// The string of a cell of this line that knows these bits above the line's.
    #[inline(always)]
    pub(super) const fn string(&self, bits: u64) -> u64 {
        self.line.0 | (bits << self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;

    /// Both lines of a key follow from either and from as many bits as a cell knows.
    #[test]
    fn a_cell_leads_to_its_other_line_and_keeps_its_phase() {
        for i in 0..10_000 {
            let key = Key::of(KeyHash(i).derive(3), 8191);
            assert!((1..=8191).contains(&key.print));
            let shape = Shape::of(Section::WHOLE, 16 + i % 5000);
            assert_eq!(shape.lines(), 16 + i % 5000);
            for side in [0, 1] {
                let (here, there) = (shape.spot(side, key.strings[side]), shape.spot(1 - side, key.strings[1 - side]));
                assert_eq!((here.phase(), there.phase()), (key.phase(), key.phase()));
                assert_eq!(here.generation(Part(i)), key.generation(Part(i)));
                let known = 1 + num::lower(i % 9);
                let bits = (key.strings[side] >> here.depth) & ((1 << known) - 1);
                let string = across(key.print, here.string(bits));
                if there.depth <= here.depth + known {
                    assert_eq!(shape.spot(1 - side, string), there);
                    let left = here.depth + known - there.depth;
                    assert_eq!(((string ^ key.strings[1 - side]) >> there.depth) & ((1 << left) - 1), 0);
                }
                assert!(here.line.0 < shape.lines_of(side));
            }
        }
    }

    #[test]
    fn sections_have_the_lines_of_the_whole_and_grow_as_it_does() {
        for lines in 16..1000 {
            let whole = Shape::of(Section::WHOLE, lines);
            let sections: Vec<Shape> = (0..PARTS).map(|phase| whole.sectioned(phase)).collect();
            assert_eq!(sections.iter().map(Shape::lines).sum::<u64>(), lines);
            for spot in whole.spots() {
                let section = &sections[num::index(spot.phase())];
                assert_eq!(section.spot(spot.side, spot.line.0), spot, "{whole:?}");
            }
            for section in sections {
                assert!(section.split < 2 * section.half(), "{section:?}");
                assert_eq!((section.grown().lines(), section.grown().shrunk()), (section.lines() + 1, Some(section)));
            }
        }
    }

    #[test]
    fn a_split_divides_one_line_and_leaves_the_others() {
        let sections = [Section::WHOLE, Section::of(0), Section::of(3)];
        let shapes = sections.map(|section| Shape::of(section, 0));
        assert_eq!(shapes.map(|shape| (shape.lines(), shape.shrunk())), [(16, None), (2, None), (2, None)]);
        let grown = |shape: Shape| std::iter::successors(Some(shape), |shape| Some(shape.grown())).take(200);
        for before in shapes.into_iter().flat_map(grown) {
            let (next, shape) = (before.next_split(), before.grown());
            assert_eq!(shape.lines(), before.lines() + 1);
            assert_eq!(shape.shrunk(), Some(before));
            assert!(before.spots().all(|spot| spot.line < before.end_of(spot.side)));
            for string in (0..1u64 << (before.depth + 2)).step_by(1 << shape.section.skip) {
                for side in [0, 1] {
                    let string = string | shape.section.low(side);
                    let (old, new) = (before.spot(side, string), shape.spot(side, string));
                    assert_eq!(before.spot(side, old.line.0), old);
                    if old == next {
                        assert_eq!((LineNumber::of(new.line.0, old.depth), new.depth), (old.line, old.depth + 1));
                    } else {
                        assert_eq!(new, old);
                    }
                }
            }
        }
    }
}
