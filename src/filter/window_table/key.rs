//! Where a key belongs: a fingerprint, and two strings of bits, one a side, of which lines and cells know the lowest.
//!
//! ```text
//!  hash     | fingerprint 13 | string z0: 51 bits ....................... s s s |      12 and 52, or 11 and 53, with longer tags
//!  side 0   the line whose number is the lowest `depth` bits of z0              s: the phase, which is the section
//!  side 1   the same of z1 = z0 xor V(fingerprint)                              V ends with three zeros: both lines have one phase
//!
//!  table    (depth, split): 2 sides of 2^depth lines, `split` of which are split: first those of side 0, then of side 1
//!           of a section `skip` = 3 bits are left out, and lines are numbered by the bits above them
//! ```
//! **Law.** Any m low bits of z0, with the fingerprint, give m low bits of z1: a cell can move to its other line without its key, and
//! expires there at the same moment.
//! **Price.** A shift, a mask and a comparison for each side.

use crate::num;

use super::position::{PARTS, Part};

/// Bits of a string that name a phase, which both strings of a key share.
pub(super) const PHASE_BITS: u32 = PARTS.trailing_zeros();

/// Sections of a divided table: one for each phase.
pub(super) const SECTIONS: usize = num::index(PARTS);

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Second,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Self::First, Self::Second];

    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// The fingerprint of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Print(pub(super) u16);

impl Print {
    /// The highest bits of a hash.
    #[inline(always)]
    pub(super) const fn of(hash: u64, bits: u32) -> Self {
        let [low, high, ..] = (hash >> (u64::BITS - bits)).to_le_bytes();
        Self(u16::from_le_bytes([low, high]))
    }

    /// What the two strings of a key differ by.
    #[inline(always)]
    #[expect(clippy::as_conversions, reason = "`from` is not const")]
    pub(super) const fn apart(self) -> u64 {
        (self.0 as u64).wrapping_mul(num::STEP << PHASE_BITS)
    }
}

/// The phase of both lines of a hash, and its section.
#[inline(always)]
pub(super) const fn section_of(hash: u64) -> usize {
    num::index(hash % PARTS)
}

/// The lowest bits of a string.
#[inline(always)]
pub(super) const fn low(string: u64, bits: u32) -> u64 {
    if bits < u64::BITS { string & ((1 << bits) - 1) } else { string }
}

/// A line: its side, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) side: Side,
    pub(super) line: u64,
}

/// How many lines a table has, and so where strings lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bits of a number that a line has at least.
    pub(super) depth: u32,
    /// Bits of a string that a line knows at least.
    least: u32,
    /// Lines that are split.
    pub(super) split: u64,
    /// Bits of a string that are left out: those of the phase of a section, else none.
    pub(super) skip: u32,
    /// The phase of a section, else 0.
    phase: u64,
    /// The bits of a number that a line has at most.
    mask: u64,
    /// Lines of each side.
    pub(super) sides: [u64; 2],
}

impl Shape {
    /// A whole table of this many lines, at least 16.
    pub(super) const fn of(lines: u64) -> Self {
        let depth = (lines / 2).ilog2();
        Self { depth: 0, least: 0, split: 0, skip: 0, phase: 0, mask: 0, sides: [0; 2] }
            .with(depth, lines - (2 << depth))
    }

    /// The same with these.
    pub(super) const fn with(self, depth: u32, split: u64) -> Self {
        let half = 1 << depth;
        let first = if split < half { split } else { half };
        let sides = [half + first, half + split - first];
        Self { depth, least: self.skip + depth, split, mask: 2 * half - 1, sides, ..self }
    }

    /// The lines of it that have this phase, as a table.
    pub(super) const fn section(self, phase: u64) -> Self {
        let lines = of_phase(self.sides[0], phase) + of_phase(self.sides[1], phase);
        let (depth, section) = (self.depth - PHASE_BITS, Self { skip: PHASE_BITS, phase, ..self });
        match lines - (2 << depth) {
            // All lines of the phase are split, and some of others are not.
            split if split == 2 << depth => section.with(depth + 1, 0),
            split => section.with(depth, split),
        }
    }

    /// Lines in all.
    #[inline(always)]
    pub(super) const fn lines(&self) -> u64 {
        self.sides[0] + self.sides[1]
    }

    /// The number of the line of a string.
    #[inline(always)]
    pub(super) const fn line(&self, side: Side, string: u64) -> u64 {
        self.line_named(side, string >> self.skip)
    }

    /// The same by the bits of a string that are not left out.
    #[inline(always)]
    const fn line_named(&self, side: Side, bits: u64) -> u64 {
        let line = bits & self.mask;
        if line >= self.sides[side.index()] { line & (self.mask >> 1) } else { line }
    }

    #[inline(always)]
    pub(super) const fn spot(&self, side: Side, string: u64) -> Spot {
        Spot { side, line: self.line(side, string) }
    }

    /// The same of a table that may be known to be `WHOLE`.
    #[inline(always)]
    pub(super) const fn spot_of<const WHOLE: bool>(&self, side: Side, string: u64) -> Spot {
        Spot { side, line: if WHOLE { self.line_named(side, string) } else { self.line(side, string) } }
    }

    /// How many bits of a string a line knows.
    #[inline(always)]
    #[expect(clippy::as_conversions, reason = "`from` is not const")]
    pub(super) const fn bits(&self, side: Side, line: u64) -> u32 {
        self.least + self.is_half(Spot { side, line }) as u32
    }

    /// Whether a line is one of the halves that a split has made of one since the last doubling.
    #[inline(always)]
    pub(super) const fn is_half(&self, Spot { side, line }: Spot) -> bool {
        (line | (1 << self.depth)) < self.sides[side.index()]
    }

    /// Whether the line that is split next is of the first side.
    pub(super) const fn splits_first(&self) -> bool {
        self.split < (1 << self.depth)
    }

    /// The bits that a line knows, as the lowest of a string.
    pub(super) const fn string(&self, line: u64) -> u64 {
        (line << self.skip) | self.phase
    }

    /// The phase of a line.
    #[inline(always)]
    pub(super) const fn phase_of(&self, line: u64) -> u64 {
        self.string(line) % PARTS
    }

    /// The first line of a phase, from a line of phase 0 on, and how far those of the phase are apart.
    pub(super) const fn first_of_phase(&self, line: u64, phase: u64) -> [u64; 2] {
        match self.skip {
            0 => [line + phase, PARTS],
            _ if phase == self.phase => [line, 1],
            _ => [u64::MAX, 1],
        }
    }

    /// Whether any line passes to another generation between two parts.
    pub(super) fn ages_between(&self, before: Part, now: Part) -> bool {
        if self.skip == 0 { now > before } else { now.generation(self.phase) > before.generation(self.phase) }
    }

    /// The section that it is, if it is one.
    pub(super) const fn section_number(&self) -> Option<usize> {
        if self.skip == 0 { None } else { Some(num::index(self.phase)) }
    }

    /// The line that is split next.
    pub(super) const fn next(&self) -> Spot {
        if self.splits_first() {
            Spot { side: Side::First, line: self.split }
        } else {
            Spot { side: Side::Second, line: self.split - (1 << self.depth) }
        }
    }

    /// One line more.
    pub(super) const fn grown(self) -> Self {
        if self.split + 1 == 2 << self.depth {
            self.with(self.depth + 1, 0)
        } else {
            self.with(self.depth, self.split + 1)
        }
    }

    /// One line fewer.
    pub(super) const fn shrunk(self) -> Self {
        if self.split == 0 {
            self.with(self.depth - 1, (1 << self.depth) - 1)
        } else {
            self.with(self.depth, self.split - 1)
        }
    }
}

const fn of_phase(lines: u64, phase: u64) -> u64 {
    (lines + PARTS - 1 - phase) / PARTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_leads_every_string_to_a_line_that_its_lowest_bits_name() {
        for lines in 16..600 {
            let whole = Shape::of(lines);
            assert_eq!((whole.lines(), whole.grown().lines(), whole.grown().shrunk()), (lines, lines + 1, whole));
            let sections: Vec<Shape> = (0..PARTS).map(|phase| whole.section(phase)).collect();
            assert_eq!(sections.iter().map(Shape::lines).sum::<u64>(), lines);
            for section in &sections {
                assert!(section.split < 2 << section.depth, "{lines}: {section:?}");
                assert_eq!(section.grown().shrunk(), *section, "{lines}");
            }
            for i in 0..500 {
                let (string, side) = (num::mix(i), Side::BOTH[num::index(i % 2)]);
                let line = whole.line(side, string);
                let bits = whole.bits(side, line);
                assert!(line < whole.sides[side.index()] && low(string, bits) == line, "{lines}: {string:x}");
                let section = &sections[section_of(string)];
                let own = section.line(side, string);
                assert_eq!((section.string(own), section.bits(side, own)), (line, bits), "{lines}: {string:x}");
                assert_eq!(section.phase_of(own), string % PARTS);
            }
        }
    }
}
