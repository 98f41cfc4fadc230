//! Which cell of a full line moves to its other line: the one whose other line was split last, since there is most room.
//!
//! ```text
//!  rank    how lately the other line was split, or 0 | number of the cell, from 1 on        0 where there is no cell
//! ```
//! The fingerprint and the number of the line say which line that is, so no field is read. Vectors take eight ranks at a time, of
//! numbers of 32 bits; larger tables take another loop. All of it is part of the caller, for the instructions that are chosen there.

use crate::num;
use crate::simd::Line;

use super::key::{LineNumber, Shape, Spot, across, across_lower};
use super::width::{Width, Widths};

/// Bits of a rank that say which cell it is of.
const CELL_BITS: u32 = 6;

/// The deepest table whose line numbers, and one more, have room in a rank.
const MOST_DEPTH: u32 = u32::BITS - CELL_BITS - 1;

/// See the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Movers {
    ranks: [u32; 32],
}

impl Movers {
    /// The movers of a line at a spot.
    #[inline(always)]
    pub(super) fn new(widths: &Widths, shape: &Shape, spot: &Spot, line: &Line) -> Self {
        if shape.depth > MOST_DEPTH {
            return Self::of_large(widths, shape, spot, line);
        }
        let Width { cells, .. } = *widths.width(line);
        let (mask, split) = shape.lower_parts(1 - spot.side);
        let LineNumber(string) = spot.line;
        let (prints, string) = (widths.prints, num::lower(string));
        let mut ranks = [0; 32];
        for (i, (rank, lane)) in (0..).zip(ranks.iter_mut().zip(line.lanes())) {
            let short = across_lower(lane & prints, string) & mask;
            let when = if short < split { (short + 1) << CELL_BITS } else { 0 };
            *rank = if lane == 0 || i >= cells { 0 } else { when + i + 1 };
        }
        Self { ranks }
    }

    /// The same of a table of any size.
    #[cold]
    fn of_large(widths: &Widths, shape: &Shape, spot: &Spot, line: &Line) -> Self {
        let beyond = shape.depth.saturating_sub(MOST_DEPTH);
        let mut ranks = [0; 32];
        for (i, (rank, lane)) in (0..widths.width(line).cells).zip(ranks.iter_mut().zip(line.lanes())) {
            let string = across(lane & widths.prints, spot.string(0));
            let when = num::lower(shape.split_at(1 - spot.side, string) >> beyond);
            *rank = if lane == 0 { 0 } else { (when << CELL_BITS) + i + 1 };
        }
        Self { ranks }
    }

    /// Takes out the one whose other line was split last.
    #[inline(always)]
    pub(super) fn take_best(&mut self) -> Option<u32> {
        let best = self.ranks.iter().copied().fold(0, u32::max);
        let cell = (best % (1 << CELL_BITS)).checked_sub(1)?;
        self.ranks[num::index(u64::from(cell % 32))] = 0;
        Some(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::Section;
    use super::*;
    use crate::hash::KeyHash;
    use crate::simd::{self, Instructions, Task};

    /// All that a line has, and the order in which they are taken.
    struct Taken<'a>(&'a Widths, &'a Shape, &'a Spot, &'a Line);

    impl Task for Taken<'_> {
        type Args = ();
        type Result = (Movers, Vec<u32>);

        #[inline(always)]
        fn run<I: Instructions>(self, (): ()) -> (Movers, Vec<u32>) {
            let movers = Movers::new(self.0, self.1, self.2, self.3);
            let mut left = movers;
            (movers, std::iter::from_fn(|| left.take_best()).collect())
        }
    }

    /// Lines of random cells, in whole tables and in sections, at every split.
    #[test]
    fn ranks_are_the_same_by_all_instructions_and_in_tables_of_any_size() {
        simd::look();
        let widths = Widths::new(1e-6, 3, true);
        for seed in 0..500 {
            let random = |i: u64| KeyHash(seed).derive(i);
            let line = Line::default();
            (0..8).for_each(|i| line.set_word(i, random(num::wide(i))));
            (0..32).filter(|i| random(100 + i) % 4 == 0).for_each(|i| line.set_lane(i, 0));
            let section = if seed % 2 == 0 { Section::WHOLE } else { Section::of(seed % 8) };
            let shape = Shape::of(section, 16 + random(200) % 3000);
            let spot = shape.counted(random(201) % shape.lines());
            let (movers, taken) = simd::run(Taken(&widths, &shape, &spot, &line), ());
            assert_eq!(movers, Movers::of_large(&widths, &shape, &spot, &line), "{shape:?} {spot:?}");
            let plain = simd::plain::run(|| simd::run(Taken(&widths, &shape, &spot, &line), ()));
            assert_eq!((&movers, &taken), (&plain.0, &plain.1));
            let used: Vec<u32> = widths.cells(&line).map(|(i, _)| i).collect();
            let when = |i: u32| {
                let string = across(line.lane(i.into()) & widths.prints, spot.string(0));
                (shape.split_at(1 - spot.side, string), i)
            };
            let mut expected = used.clone();
            expected.sort_unstable_by_key(|i| std::cmp::Reverse(when(*i)));
            assert_eq!(taken, expected, "each cell once, the one whose other line was split last first");
        }
    }

    #[test]
    fn ranks_of_the_deepest_tables_have_room_for_every_line() {
        simd::look();
        let (widths, line) = (Widths::new(1e-6, 3, true), Line::default());
        (0..8).for_each(|i| line.set_word(i, KeyHash(7).derive(num::wide(i)) | 0x0001_0001_0001_0001));
        for depth in [MOST_DEPTH, MOST_DEPTH + 1, 40] {
            let shape = Shape::new(Section::WHOLE, depth, 1 << depth);
            let spot = shape.nth(1, 12_345);
            let (_, taken) = simd::run(Taken(&widths, &shape, &spot, &line), ());
            let when = |i: u32| {
                let string = across(line.lane(i.into()) & widths.prints, spot.string(0));
                (shape.split_at(0, string) >> (depth - MOST_DEPTH), i)
            };
            let mut expected: Vec<u32> = (0..widths.width(&line).cells).collect();
            expected.sort_unstable_by_key(|i| std::cmp::Reverse(when(*i)));
            assert_eq!(taken, expected, "{depth}");
        }
    }
}
