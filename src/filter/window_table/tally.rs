//! How many cells a table has, by generation: what `stats`, growth and the chance of error follow from.
//!
//! A line counts a cell under the generation in which that line saw it. Lines reach generation q + 1 one phase after
//! another while the position is in generation q; as many give up generation q - G. Twice as many counters as a tag
//! tells apart, so that these two never share one.

use crate::error::Error;
use crate::num;

use super::line::Layout;
use super::position::PARTS;

/// See the module. A part of a shared filter counts changes from 0, which may be below it: sums wrap.
#[derive(Debug, Default)]
pub(super) struct Tally {
    cells: Box<[u64]>,
    /// Cells that are in lines, those included that no one has expired yet.
    pub(super) held: u64,
    /// Those of them with one extra bit more.
    pub(super) wide: u64,
    /// Cells of the oldest generation when lines began to give it up.
    leaving: u64,
    /// Cells that were moved to their other line.
    pub(super) moved: u64,
}

impl Tally {
    pub(super) fn new(layout: &Layout) -> Result<Self, Error> {
        let n = num::index(2 << layout.tag_bits);
        let mut cells = Vec::new();
        cells.try_reserve_exact(n).map_err(|_| Error::no_memory(n))?;
        cells.resize(n, 0);
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
        self.cells.fill(0);
        Self { cells: self.cells, ..Self::default() }
    }

    #[inline(always)]
    fn slot(&self, generation: u64) -> usize {
        num::index(generation) & (self.cells.len() - 1)
    }

    #[inline(always)]
    fn change(&mut self, generation: u64, by: u64) {
        let slot = self.slot(generation);
        self.cells[slot] = self.cells[slot].wrapping_add(by);
    }

    /// A cell was stored.
    #[inline(always)]
    pub(super) fn store(&mut self, generation: u64, wide: bool) {
        self.change(generation, 1);
        self.held = self.held.wrapping_add(1);
        self.wide = self.wide.wrapping_add(u64::from(wide));
    }

    /// A cell was seen again.
    #[inline(always)]
    pub(super) fn renew(&mut self, from: u64, to: u64) {
        self.change(from, u64::MAX);
        self.change(to, 1);
    }

    /// `n` cells of a generation are gone, `wide` of them wide, while the position is in generation `now`.
    #[inline(always)]
    pub(super) fn expire(&mut self, generation: u64, n: u64, wide: u64, now: u64) {
        // What is older has no counter any more.
        if now + 1 - generation < num::wide(self.cells.len()) {
            self.change(generation, n.wrapping_neg());
        }
        self.held = self.held.wrapping_sub(n);
        self.wide = self.wide.wrapping_sub(wide);
    }

    /// The position passes from generation `from` into `to`.
    pub(super) fn step(&mut self, from: u64, to: u64, generations: u64) {
        let first = to.saturating_sub(num::wide(self.cells.len()) - 1).max(from + 1);
        for now in first..=to {
            let slot = self.slot(now + 1);
            self.cells[slot] = 0;
            self.leaving = self.cells[self.slot(now - generations)];
        }
    }

    /// What was counted stands at a position: the oldest generation had more cells before lines gave it up.
    pub(super) fn settle(&mut self, part: u64, generations: u64) {
        let left = self.cells[self.slot(part / PARTS - generations)];
        self.leaving = left * PARTS / (PARTS - part % PARTS);
    }

    /// Cells within the window at a position, in a table that has seen no later one than `last`.
    pub(super) fn live(&self, part: u64, last: u64, generations: u64) -> u64 {
        let (now, newest) = (part / PARTS, last / PARTS + 1);
        let counted = newest.saturating_sub(num::wide(self.cells.len()) - 1);
        let sum: u64 = (counted.max(now + 1 - generations)..=newest).map(|g| self.cells[self.slot(g)]).sum();
        if now - generations < counted || now - generations > newest {
            return sum;
        }
        let leaving = self.cells[self.slot(now - generations)];
        let left = PARTS - part % PARTS;
        let whole = if last / PARTS == now { self.leaving } else { leaving };
        sum + leaving.min(whole * left / PARTS)
    }

    /// Takes the changes of a part in, which counts from 0 again.
    pub(super) fn take_in(&mut self, part: &mut Self) {
        for (mine, other) in self.cells.iter_mut().zip(&mut part.cells) {
            *mine = mine.wrapping_add(std::mem::take(other));
        }
        self.held = self.held.wrapping_add(std::mem::take(&mut part.held));
        self.wide = self.wide.wrapping_add(std::mem::take(&mut part.wide));
        self.moved += std::mem::take(&mut part.moved);
    }
}
