//! How many cells a table has, by the part at which they were born: what `stats`, growth and the chance of error follow from.
//!
//! A cell counts as born when the generation began in which its line saw it: lines of another phase begin it at another
//! part, and give it up a window and a generation after that. As many counters as there are such parts. What came in a burst
//! lies in lines of few phases, all of which may give it up last: so phases are not taken to hold an equal share each.
//!
//! **Law.** Counts follow from what was done with keys and from the position alone, not from which lines were brought up
//! to date: expiry is not counted, for what is too old is counted no more.

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
}

/// Units of a cell that leaves: divisible by every number of phases that may be left.
const UNIT: u64 = 840;

/// Units of one cell, by how many phases have given theirs up.
const UNITS: [u64; 8] =
    [UNIT, UNIT * 8 / 7, UNIT * 8 / 6, UNIT * 8 / 5, UNIT * 8 / 4, UNIT * 8 / 3, UNIT * 8 / 2, UNIT * 8];

/// See the module. A lock of a shared filter counts changes from 0, which may be below it: sums wrap.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// By the part of their birth: those with E extra bits, and the wide ones.
    cells: Box<[[u64; 2]]>,
    /// What snapshots say of the generation that lines are giving up: its cells as if all phases still had theirs, in units, by
    /// their width. Nothing else follows from it.
    leaving: [u64; 2],
    /// The part at which the last phase began that generation.
    oldest: u64,
    /// Units of one cell in the present part.
    units: u64,
    /// Cells that were moved to their other line.
    pub(super) moved: u64,
}

impl Tally {
    pub(super) fn new(layout: &Layout) -> Result<Self, Error> {
        let n = num::index(PARTS << layout.tag_bits);
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
    fn slot(&self, birth: u64) -> usize {
        num::index(birth & (num::wide(self.cells.len()) - 1))
    }

    /// A part begins. Nothing is removed before this has been said.
    pub(super) fn begin_part(&mut self, part: u64) {
        self.oldest = self.leaving_of(part);
        self.units = UNITS[num::index(part % PARTS)];
    }

    /// The part at which the last phase began the generation that lines are giving up at `part`.
    fn leaving_of(&self, part: u64) -> u64 {
        part - part % PARTS + PARTS - num::wide(self.cells.len())
    }

    /// A cell is there.
    #[inline(always)]
    pub(super) fn store(&mut self, birth: u64, wide: bool) {
        let slot = self.slot(birth);
        let cells = &mut self.cells[slot][usize::from(wide)];
        *cells = cells.wrapping_add(1);
    }

    /// A cell that is needed is there no more.
    #[inline(always)]
    pub(super) fn remove(&mut self, birth: u64, wide: bool) {
        let slot = self.slot(birth);
        let cells = &mut self.cells[slot][usize::from(wide)];
        *cells = cells.wrapping_sub(1);
        // No branch: which generation it is hangs on the key.
        let units = self.units & u64::from(birth <= self.oldest).wrapping_neg();
        let leaving = &mut self.leaving[usize::from(wide)];
        *leaving = leaving.wrapping_sub(units);
    }

    /// The position passes from part `from` to `to`: what was born as many parts ago as there are counters is too old.
    pub(super) fn step(&mut self, from: u64, to: u64) {
        let n = num::wide(self.cells.len());
        // Two rounds: what there was when the last generation began to go is behind no slot that was left as it was.
        for part in to.saturating_sub(2 * n).max(from + 1)..=to {
            let slot = self.slot(part);
            self.cells[slot] = [0; 2];
            if part % PARTS == 0 {
                let oldest = self.leaving_of(part);
                self.leaving = self.born(oldest + 1 - PARTS, oldest).each().map(|cells| cells.wrapping_mul(UNIT));
            }
        }
    }

    /// Cells born in parts from `first` to `last`.
    fn born(&self, first: u64, last: u64) -> Count {
        let mut sum = Count::default();
        (first..=last).for_each(|part| sum.add(Count::of(self.cells[self.slot(part)])));
        sum
    }

    /// Cells within the window at `part`, in a table that has stood still since `last`.
    pub(super) fn live(&self, part: u64, last: u64) -> Count {
        self.born(part + 1 - num::wide(self.cells.len()), last)
    }

    /// What a snapshot at `part` says of the generation that lines are giving up, in a table that has stood still since `last`.
    pub(super) fn leaving_at(&self, part: u64, last: u64) -> Count {
        if last / PARTS == part / PARTS {
            // Units are shares of a cell: chance can make either less than nothing, and the wide ones more than all.
            let whole = |units: u64| if units > u64::MAX / 2 { 0 } else { units };
            let leaving = Count::of(self.leaving);
            let all = whole(leaving.all);
            return Count { all, wide: whole(leaving.wide).min(all) };
        }
        let oldest = self.leaving_of(part);
        let Count { all, wide } = self.born(oldest + 1 - PARTS, oldest.min(last));
        Count { all: all * UNIT, wide: wide * UNIT }
    }

    /// What a snapshot says of it, if it is no more than that many cells.
    pub(super) fn settle(&mut self, leaving: Count, cells: u64) -> bool {
        self.leaving = leaving.each();
        leaving.wide <= leaving.all && leaving.all <= cells.saturating_mul(UNIT)
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
