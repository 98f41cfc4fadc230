//! How many cells there are and what they weigh, by phase and generation: what `stats`, growth and the error follow from.
//!
//! A cell of `known` bits in a line of so much depth matches an absent key with a chance of 2^-(depth + known) / fingerprints,
//! whatever the table does later; that power of two is its weight. As many slots as phases and generations: a cell is counted
//! in the slot of its birth, and the slot is emptied when its lines begin a generation in which it is too old.
//!
//! **Law.** The chance that an absent key is found is the sum of all weights / fingerprints. A split changes no weight.

use crate::error::Error;
use crate::num;

use super::key::STRING;
use super::position::{Generation, PARTS, Part};

/// Weights are in units of 2^-52: no cell weighs less than one.
const UNIT: u32 = 52;
const _: () = assert!(STRING <= UNIT);

/// The weight of a cell: what its line and its bits tell apart, which are bits of one string.
#[inline(always)]
pub(super) const fn weight(bits: u32) -> u64 {
    debug_assert!(bits <= STRING);
    (1u64 << UNIT).wrapping_shr(bits)
}

/// A weight as a number.
pub(super) fn real(weight: u64) -> f64 {
    num::real(weight) / num::real(1 << UNIT)
}

/// Cells, and what they weigh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) cells: u64,
    pub(super) weight: u64,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Tally {
    slots: Box<[Count]>,
    pub(super) all: Count,
    /// Generations that a tag tells apart, less 1.
    tags: u64,
    tag_bits: u32,
}

impl Tally {
    pub(super) fn new(tag_bits: u32) -> Result<Self, Error> {
        let n = num::index(PARTS << tag_bits);
        let mut slots = crate::raw::vec_of(n)?;
        slots.resize(n, Count::default());
        Ok(Self { slots: slots.into(), all: Count::default(), tags: (1 << tag_bits) - 1, tag_bits })
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut slots = crate::raw::vec_of(self.slots.len())?;
        slots.extend_from_slice(&self.slots);
        Ok(Self { slots: slots.into(), ..*self })
    }

    /// What there is of one phase.
    pub(super) fn of_phase(&self, phase: usize) -> Result<Self, Error> {
        let (mut part, tags) = (self.try_clone()?, num::index(self.tags + 1));
        let others = part.slots.iter_mut().enumerate().filter(|(i, _)| i / tags != phase);
        others.for_each(|(_, slot)| *slot = Count::default());
        part.all = part.slots.iter().fold(Count::default(), |all, slot| Count {
            cells: all.cells + slot.cells,
            weight: all.weight + slot.weight,
        });
        Ok(part)
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Count::default());
        self.all = Count::default();
    }

    #[inline(always)]
    fn slot(&self, phase: u64, generation: Generation) -> usize {
        num::index((phase << self.tag_bits) | (generation.0 & self.tags))
    }

    /// A cell of this weight is born.
    #[inline(always)]
    pub(super) fn add(&mut self, phase: u64, generation: Generation, weight: u64) {
        let slot = self.slot(phase, generation);
        self.slots[slot].cells += 1;
        self.slots[slot].weight += weight;
        self.all.cells += 1;
        self.all.weight += weight;
    }

    /// A cell of this weight goes before its time.
    #[inline(always)]
    pub(super) fn remove(&mut self, phase: u64, generation: Generation, weight: u64) {
        let slot = self.slot(phase, generation);
        self.slots[slot].cells -= 1;
        self.slots[slot].weight -= weight;
        self.all.cells -= 1;
        self.all.weight -= weight;
    }

    /// A cell of this weight is seen again.
    #[inline(always)]
    pub(super) fn renew(&mut self, phase: u64, (from, to): (Generation, Generation), weight: u64) {
        let (from, to) = (self.slot(phase, from), self.slot(phase, to));
        self.slots[from].cells -= 1;
        self.slots[from].weight -= weight;
        self.slots[to].cells += 1;
        self.slots[to].weight += weight;
    }

    /// A cell lost some bits: it weighs more.
    pub(super) fn reweigh(&mut self, phase: u64, generation: Generation, before: u64, after: u64) {
        let slot = self.slot(phase, generation);
        self.slots[slot].weight = self.slots[slot].weight + after - before;
        self.all.weight = self.all.weight + after - before;
    }

    /// A part begins, and with it a generation of the lines of one phase: their oldest cells are too old now.
    pub(super) fn begin_part(&mut self, part: Part) {
        let (phase, generation) = phase_of(part);
        let slot = self.slot(phase, generation);
        let gone = std::mem::take(&mut self.slots[slot]);
        self.all.cells -= gone.cells;
        self.all.weight -= gone.weight;
    }

    /// What is left at part `to` of what there is at part `from`.
    pub(super) fn at(&self, from: Part, to: Part) -> Count {
        let mut left = self.all;
        for part in from.up_to(to).take(self.slots.len()) {
            let (phase, generation) = phase_of(part);
            let gone = self.slots[self.slot(phase, generation)];
            left.cells -= gone.cells;
            left.weight -= gone.weight;
        }
        left
    }
}

/// The phase whose lines begin a generation with this part, and that generation.
pub(super) const fn phase_of(part: Part) -> (u64, Generation) {
    let phase = 0u64.wrapping_sub(part.0) % PARTS;
    (phase, part.generation(phase))
}
