//! How many cells a table has, by generation: what `stats`, growth and the chance of error follow from.
//!
//! A line counts a cell under the generation in which that line saw it. Lines reach generation q + 1 one phase after
//! another while the position is in generation q; as many give up generation q - G. Twice as many counters as a tag
//! tells apart, so that these two never share one.
//!
//! **Law.** Counts follow from what was done with keys and from the position alone, not from which lines were brought up
//! to date: expiry is not counted, for a generation that has ended is counted no more. Of the one that lines are giving up
//! the phases that are left hold an equal share each.

use crate::error::Error;
use crate::num;

use super::line::Layout;
use super::position::PARTS;

/// Cells: all, and those with one extra bit more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) all: u64,
    pub(super) wide: u64,
}

impl Count {
    #[inline(always)]
    pub(super) fn add(&mut self, other: Self) {
        self.all = self.all.wrapping_add(other.all);
        self.wide = self.wide.wrapping_add(other.wide);
    }

    /// Of the cells of each width.
    const fn of([narrow, wide]: [u64; 2]) -> Self {
        Self { all: narrow.wrapping_add(wide), wide }
    }

    /// The cells of each width.
    const fn each(self) -> [u64; 2] {
        [self.all.wrapping_sub(self.wide), self.wide]
    }

    /// Of a share in small units, rounded; 0 if chance made it less.
    fn share(self, left: u64) -> Self {
        let of = |n: u64| {
            if n > u64::MAX / 2 {
                0
            } else {
                num::low_half(u128::from(n) * u128::from(left) / u128::from(UNIT * PARTS))
            }
        };
        Self { all: of(self.all), wide: of(self.wide) }
    }
}

/// Units of a cell that leaves: divisible by every number of phases that may be left.
const UNIT: u64 = 840;

/// Units of one cell, by how many phases have given theirs up.
const UNITS: [u64; 8] =
    [UNIT, UNIT * 8 / 7, UNIT * 8 / 6, UNIT * 8 / 5, UNIT * 8 / 4, UNIT * 8 / 3, UNIT * 8 / 2, UNIT * 8];

/// See the module. A part of a shared filter counts changes from 0, which may be below it: sums wrap.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// By generation: those with E extra bits, and the wide ones.
    cells: Box<[[u64; 2]]>,
    /// Cells that the oldest generation would have if all phases still had theirs, in units, by their width.
    leaving: [u64; 2],
    /// The oldest generation in the present part.
    oldest: u64,
    /// Units of one cell in the present part.
    units: u64,
    /// Cells that were moved to their other line.
    pub(super) moved: u64,
}

impl Tally {
    pub(super) fn new(layout: &Layout) -> Result<Self, Error> {
        let n = num::index(2 << layout.tag_bits);
        let mut cells = Vec::new();
        cells.try_reserve_exact(n).map_err(|_| Error::no_memory(n))?;
        cells.resize(n, [0; 2]);
        Ok(Self { cells: cells.into(), ..Self::default() })
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut cells = Vec::new();
        cells.try_reserve_exact(self.cells.len()).map_err(|_| Error::no_memory(self.cells.len()))?;
        cells.extend_from_slice(&self.cells);
        Ok(Self { cells: cells.into(), ..*self })
    }

    /// The same with nothing counted.
    pub(super) fn emptied(mut self) -> Self {
        self.cells.fill([0; 2]);
        Self { cells: self.cells, ..Self::default() }
    }

    #[inline(always)]
    fn slot(&self, generation: u64) -> usize {
        num::index(generation & (num::wide(self.cells.len()) - 1))
    }

    /// A part begins. Nothing is removed before this has been said.
    pub(super) fn begin_part(&mut self, part: u64) {
        self.oldest = part / PARTS + 1 - num::wide(self.cells.len()) / 2;
        self.units = UNITS[num::index(part % PARTS)];
    }

    /// A cell is there.
    #[inline(always)]
    pub(super) fn store(&mut self, generation: u64, wide: bool) {
        let slot = self.slot(generation);
        let cells = &mut self.cells[slot][usize::from(wide)];
        *cells = cells.wrapping_add(1);
    }

    /// A cell that is needed is there no more.
    #[inline(always)]
    pub(super) fn remove(&mut self, generation: u64, wide: bool) {
        let slot = self.slot(generation);
        let cells = &mut self.cells[slot][usize::from(wide)];
        *cells = cells.wrapping_sub(1);
        // No branch: which generation it is hangs on the key.
        let units = self.units & u64::from(generation == self.oldest).wrapping_neg();
        let leaving = &mut self.leaving[usize::from(wide)];
        *leaving = leaving.wrapping_sub(units);
    }

    /// The position passes from generation `from` into `to`.
    pub(super) fn step(&mut self, from: u64, to: u64) {
        let n = num::wide(self.cells.len());
        for now in to.saturating_sub(n - 1).max(from + 1)..=to {
            let (next, oldest) = (self.slot(now + 1), self.slot(now + 1 - n / 2));
            self.cells[next] = [0; 2];
            self.begin(self.cells[oldest]);
        }
    }

    fn begin(&mut self, oldest: [u64; 2]) {
        self.leaving = oldest.map(|cells| cells.wrapping_mul(UNIT));
    }

    /// Cells, in units, that the oldest generation at `part` would have if all phases still had theirs, in a table that has
    /// stood still since `last`.
    pub(super) fn leaving_at(&self, part: u64, last: u64) -> Count {
        let n = num::wide(self.cells.len());
        let (now, newest) = (part / PARTS, last / PARTS + 1);
        let oldest = now + 1 - n / 2;
        if last / PARTS == now {
            // Units are shares of a cell: chance can make either less than nothing, and the wide ones more than all.
            let whole = |units: u64| if units > u64::MAX / 2 { 0 } else { units };
            let leaving = Count::of(self.leaving);
            let all = whole(leaving.all);
            Count { all, wide: whole(leaving.wide).min(all) }
        } else if (newest + 1 - n..=newest).contains(&oldest) {
            let Count { all, wide } = Count::of(self.cells[self.slot(oldest)]);
            Count { all: all * UNIT, wide: wide * UNIT }
        } else {
            Count::default()
        }
    }

    /// What a snapshot says of the generation that lines are giving up, if it is no more than that many cells.
    pub(super) fn settle(&mut self, leaving: Count, cells: u64) -> bool {
        self.leaving = leaving.each();
        leaving.wide <= leaving.all && leaving.all <= cells.saturating_mul(UNIT)
    }

    /// Cells within the window at a position, in a table that has stood still since `last`.
    pub(super) fn live(&self, part: u64, last: u64) -> Count {
        let n = num::wide(self.cells.len());
        let (now, newest) = (part / PARTS, last / PARTS + 1);
        let (oldest, first) = (now + 1 - n / 2, newest + 1 - n);
        let mut sum = Count::default();
        (first.max(oldest + 1)..=newest).for_each(|generation| sum.add(Count::of(self.cells[self.slot(generation)])));
        sum.add(self.leaving_at(part, last).share(PARTS - part % PARTS));
        sum
    }

    /// Takes the changes of a part in, which counts from 0 again.
    pub(super) fn take_in(&mut self, part: &mut Self) {
        for (mine, other) in self.cells.iter_mut().zip(&mut part.cells) {
            take_all(mine, other);
        }
        take_all(&mut self.leaving, &mut part.leaving);
        self.moved += std::mem::take(&mut part.moved);
    }
}

fn take_all(mine: &mut [u64; 2], other: &mut [u64; 2]) {
    mine.iter_mut().zip(other).for_each(|(mine, other)| *mine = mine.wrapping_add(std::mem::take(other)));
}
