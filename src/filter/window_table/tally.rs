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

/// A count as one number, the cells above the weight: two instructions change both, and five would change two numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Sum(u128);

impl Sum {
    /// That of a cell of this weight.
    #[inline(always)]
    fn of_cell(weight: u64) -> Self {
        Self((1 << u64::BITS) | u128::from(weight))
    }

    const fn count(self) -> Count {
        Count { cells: num::low_half(self.0 >> u64::BITS), weight: num::low_half(self.0) }
    }
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Tally {
    slots: Box<[Sum]>,
    all: Sum,
    /// Generations that a tag tells apart, less 1.
    tags: u64,
}

/// Phases of lines.
const PHASES: usize = num::index(PARTS);

/// The generations that tags of the usual three bits distinguish, less 1, and the slots for them.
const USUAL_TAGS: u64 = 7;
const USUAL_SLOTS: usize = PHASES * num::index(USUAL_TAGS + 1);

/// The place of a slot: by generation, and by phase.
#[inline(always)]
const fn slot_of(phase: u64, generation: Generation, tags: u64) -> usize {
    num::index((generation.0 & tags) * PARTS + phase % PARTS)
}

#[inline(always)]
fn move_to(slots: &mut [Sum], (from, to): (usize, usize), cell: Sum) {
    slots[from].0 -= cell.0;
    slots[to].0 += cell.0;
}

impl Tally {
    pub(super) fn new(tag_bits: u32) -> Result<Self, Error> {
        let n = num::index(PARTS << tag_bits);
        let mut slots = crate::raw::vec_of(n)?;
        slots.resize(n, Sum::default());
        Ok(Self { slots: slots.into(), all: Sum::default(), tags: (1 << tag_bits) - 1 })
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut slots = crate::raw::vec_of(self.slots.len())?;
        slots.extend_from_slice(&self.slots);
        Ok(Self { slots: slots.into(), ..*self })
    }

    /// The counts of all phases.
    #[inline(always)]
    pub(super) const fn all(&self) -> Count {
        self.all.count()
    }

    /// The counts of one phase.
    pub(super) fn of_phase(&self, phase: usize) -> Result<Self, Error> {
        let mut part = self.try_clone()?;
        let others = part.slots.iter_mut().enumerate().filter(|(i, _)| i % PHASES != phase);
        others.for_each(|(_, slot)| *slot = Sum::default());
        part.all = Sum(part.slots.iter().map(|slot| slot.0).sum());
        Ok(part)
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(Sum::default());
        self.all = Sum::default();
    }

    fn slot(&self, phase: u64, generation: Generation) -> usize {
        slot_of(phase, generation, self.tags)
    }

    /// A cell of this weight is born.
    #[inline(always)]
    pub(super) fn add(&mut self, phase: u64, generation: Generation, weight: u64) {
        let (tags, cell) = (self.tags, Sum::of_cell(weight));
        match self.usual_slots() {
            Some(slots) => slots[slot_of(phase, generation, USUAL_TAGS)].0 += cell.0,
            None => self.slots[slot_of(phase, generation, tags)].0 += cell.0,
        }
        self.all.0 += cell.0;
    }

    /// A cell of this weight goes before its time.
    #[inline(always)]
    pub(super) fn remove(&mut self, phase: u64, generation: Generation, weight: u64) {
        let (slot, cell) = (self.slot(phase, generation), Sum::of_cell(weight));
        self.slots[slot].0 -= cell.0;
        self.all.0 -= cell.0;
    }

    /// A cell of this weight is seen again.
    #[inline(always)]
    pub(super) fn renew(&mut self, phase: u64, (from, to): (Generation, Generation), weight: u64) {
        let (tags, cell) = (self.tags, Sum::of_cell(weight));
        let places = |tags| (slot_of(phase, from, tags), slot_of(phase, to, tags));
        match self.usual_slots() {
            Some(slots) => move_to(slots, places(USUAL_TAGS), cell),
            None => move_to(&mut self.slots, places(tags), cell),
        }
    }

    /// The slots where tags have the usual bits: in an array of fixed length a place needs no check.
    #[inline(always)]
    fn usual_slots(&mut self) -> Option<&mut [Sum; USUAL_SLOTS]> {
        (&mut *self.slots).try_into().ok()
    }

    /// A cell lost some bits: it weighs more.
    pub(super) fn reweigh(&mut self, phase: u64, generation: Generation, before: u64, after: u64) {
        let slot = self.slot(phase, generation);
        for sum in [&mut self.slots[slot], &mut self.all] {
            sum.0 = sum.0 + u128::from(after) - u128::from(before);
        }
    }

    /// A part begins, and with it a generation of the lines of one phase: their oldest cells are too old now.
    pub(super) fn begin_part(&mut self, part: Part) {
        let (phase, generation) = phase_of(part);
        let slot = self.slot(phase, generation);
        let gone = std::mem::take(&mut self.slots[slot]);
        self.all.0 -= gone.0;
    }

    /// The cells of part `from` that are still within the window at part `to`.
    pub(super) fn at(&self, from: Part, to: Part) -> Count {
        let mut left = self.all;
        for part in from.up_to(to).take(self.slots.len()) {
            let (phase, generation) = phase_of(part);
            let gone = self.slots[self.slot(phase, generation)];
            left.0 -= gone.0;
        }
        left.count()
    }
}

/// The phase whose lines begin a generation with this part, and that generation.
pub(super) const fn phase_of(part: Part) -> (u64, Generation) {
    let phase = 0u64.wrapping_sub(part.0) % PARTS;
    (phase, part.generation(phase))
}
