//! One block: chains of fingerprints, in as many bits each as there is room for.
//!
//! ```text
//!  bit 0                                                                              bit B
//!  | chains: L | last: 1 per entry | extension: 1 for each | ... | .. | width  | width  |
//!  |           | slot 0, 1, ...    | of the first `extended` |  |    | slot 1 | slot 0 |
//!   which are    which entry ends    one more bit of the       fingerprints of equal width,
//!   not empty    its chain           fingerprint, while it     so that an insertion moves
//!                                    fits                      only the slots behind it
//!  ```
//! Entries stand in the order of their chains. With r entries in A = B - L bits the width is floor(A / r) - 1 and the
//! first A mod r slots have an extension bit: nothing of the array is wasted. The number of entries is written nowhere:
//! the last entry is the one that ends the last chain.
//!
//! `removable` describes the slots of a removable block.

use crate::bit_string::BitString;
use crate::raw::Machine;

use super::layout::{Item, Layout, Sizes};
use super::rate::units;

/// Where a chain is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Its first slot, or where that would be.
    pub(super) first: usize,
    /// The slot behind its last.
    pub(super) end: usize,
    /// Slots of all chains.
    pub(super) items: usize,
}

/// The cover of the entries that changed, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Covers {
    pub(super) before: u64,
    pub(super) after: u64,
}

/// The outcome for a new entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// It has a slot of its own.
    Stored(Covers),
    /// It took the slot of an entry for which another one of its chain answers.
    Replaced,
    /// There is no slot left.
    Full,
}

/// The bits of a block, and how to read them.
#[derive(Debug, Clone)]
pub(super) struct Block<'a, const N: usize, M> {
    pub(super) bits: BitString<N>,
    pub(super) layout: &'a Layout,
    pub(super) machine: M,
}

impl<'a, const N: usize, M: Machine> Block<'a, N, M> {
    #[inline(always)]
    pub(super) const fn new(bits: BitString<N>, layout: &'a Layout, machine: M) -> Self {
        Self { bits, layout, machine }
    }

    /// Whether an entry matches.
    #[inline(always)]
    pub(super) fn has(&self, item: Item) -> bool {
        self.bit(item.chain) && {
            let place = self.place(item.chain);
            let sizes = self.layout.sizes(place.items);
            let mut slot = place.first;
            while slot < place.end && !self.matches(slot, place.items, sizes, item) {
                slot += 1;
            }
            slot < place.end
        }
    }

    /// Adds an entry at the head of its chain.
    #[inline(always)]
    pub(super) fn add(&mut self, item: Item) -> Added {
        let place = self.place(item.chain);
        if place.items == self.layout.array() {
            return self.add_to_full(item.chain, place);
        }
        let (old, sizes) = (self.layout.sizes(place.items), self.layout.sizes(place.items + 1));
        let covers = if self.layout.shape.removable {
            self.add_marked(place, old, sizes, item)
        } else {
            self.add_whole(place, old, sizes, item)
        };
        self.bits.set_field(self.layout.lasts() + place.first, 1, u64::from(place.first == place.end));
        self.bits.set_field(item.chain, 1, 1);
        Added::Stored(covers)
    }

    /// [`Block::add`] of an add-only block, except its chain.
    #[inline(always)]
    fn add_whole(&mut self, place: Place, old: Sizes, sizes: Sizes, item: Item) -> Covers {
        if sizes.width < old.width {
            self.shorten_and_open(place, old.width, sizes);
        } else {
            self.open(place, old.extended, sizes);
        }
        if place.first < sizes.extended {
            let at = self.layout.lasts() + place.items + 1 + place.first;
            self.bits.set_field(at, 1, u64::from(item.extension(sizes.width)));
        }
        self.set_fingerprint(place.first, sizes.width, item.prefix(sizes.width));
        Covers { before: units(place.items, old), after: units(place.items + 1, sizes) }
    }

    /// Makes room for a slot at the head of a chain where the width stays: everything behind it moves by one slot,
    /// and the extensions that there is no more room for go.
    #[inline(always)]
    fn open(&mut self, place: Place, extended: usize, sizes: Sizes) {
        self.open_fingerprint(place, sizes.width);
        let kept = extended.min(sizes.extended);
        // The extensions stand behind the ends of chains: they move with them, and then those behind the slot again.
        let lasts = self.layout.lasts();
        self.bits.shift_up(lasts + place.first, 1, place.items - place.first + kept);
        let behind = sizes.extended.saturating_sub(place.first + 1);
        self.bits.shift_up(lasts + place.items + 1 + place.first, 1, behind);
    }

    #[inline(always)]
    pub(super) fn open_fingerprint(&mut self, place: Place, width: usize) {
        let from = self.layout.shape.bits - place.items * width;
        self.bits.shift_down(from, width, (place.items - place.first) * width);
    }

    /// The same where fingerprints lose bits: the first that each loses is its extension from now on.
    fn shorten_and_open(&mut self, place: Place, from: usize, sizes: Sizes) {
        let mut extensions = self.shorten(place.items, from, sizes.width);
        self.open_fingerprint(place, sizes.width);
        let lasts = self.layout.lasts();
        self.bits.shift_up(lasts + place.first, 1, place.items - place.first);
        extensions.shift_up(place.first, 1, place.items - place.first);
        self.set_extensions(place.items + 1, sizes.extended, &extensions);
    }

    /// Where a chain is, and how many slots all have.
    #[inline(always)]
    pub(super) fn place(&self, chain: usize) -> Place {
        let lasts = self.layout.lasts();
        let (before, all) = self.bits.ranks(chain, self.layout.shape.chains);
        let behind = all - before;
        let first = if before == 0 { 0 } else { self.bits.select(self.machine, lasts, before - 1) + 1 - lasts };
        let items =
            if behind == 0 { first } else { self.bits.select(self.machine, lasts + first, behind - 1) + 1 - lasts };
        let end = if self.bit(chain) { self.bits.next_one(lasts + first) + 1 - lasts } else { first };
        Place { first, end, items }
    }

    /// How many entries the block has and what they cover, if it is one that operations can make: every chain has an
    /// end, and the entries have room.
    pub(super) fn checked(&self) -> Option<(usize, u64)> {
        let (lasts, bits) = (self.layout.lasts(), self.layout.shape.bits);
        let (_, chains) = self.bits.ranks(0, self.layout.shape.chains);
        if chains == 0 {
            return (self.bits == BitString::ZEROS).then_some((0, 0));
        }
        let (before, all) = self.bits.ranks(lasts, bits);
        if all - before < chains {
            return None;
        }
        let items = self.bits.select(self.machine, lasts, chains - 1) + 1 - lasts;
        let sizes = self.layout.sizes(items);
        let cover = if self.layout.shape.removable { self.marked_units(items, sizes) } else { units(items, sizes) };
        Some((items, cover))
    }

    /// Whether an entry matches.
    #[inline(always)]
    fn matches(&self, slot: usize, items: usize, sizes: Sizes, item: Item) -> bool {
        if self.layout.shape.removable {
            return self.matching_mark(slot, items, sizes, item).is_some();
        }
        self.fingerprint(slot, sizes.width) == item.prefix(sizes.width)
            && (slot >= sizes.extended || self.bit(self.layout.lasts() + items + slot) == item.extension(sizes.width))
    }

    #[inline(always)]
    pub(super) fn bit(&self, at: usize) -> bool {
        self.bits.get(at)
    }

    #[inline(always)]
    pub(super) fn fingerprint(&self, slot: usize, width: usize) -> u64 {
        self.bits.field(self.layout.shape.bits - (slot + 1) * width, width)
    }

    #[inline(always)]
    pub(super) fn set_fingerprint(&mut self, slot: usize, width: usize, fingerprint: u64) {
        self.bits.set_field(self.layout.shape.bits - (slot + 1) * width, width, fingerprint);
    }

    /// The extension bits, from slot 0 on, and zeros.
    #[inline(always)]
    pub(super) fn extensions(&self, items: usize, sizes: Sizes) -> BitString<N> {
        let mut extensions = BitString::ZEROS;
        let from = self.layout.lasts() + items;
        for at in (0..sizes.extended).step_by(32) {
            extensions.0[at / 64] |= self.bits.field(from + at, (sizes.extended - at).min(32)) << (at % 64);
        }
        extensions
    }

    /// Writes `extended` extension bits.
    #[inline(always)]
    pub(super) fn set_extensions(&mut self, items: usize, extended: usize, extensions: &BitString<N>) {
        let from = self.layout.lasts() + items;
        for at in (0..extended).step_by(32) {
            let width = (extended - at).min(32);
            self.bits.set_field(from + at, width, extensions.field(at, width));
        }
    }

    /// Every bit of the array ends or continues a chain and fingerprints have no bits: every key of a chain that is
    /// not empty is found. A chain that is takes the slot of one of two entries of another.
    fn add_to_full(&mut self, chain: usize, place: Place) -> Added {
        if self.layout.shape.removable {
            return Added::Full;
        }
        if place.first == place.end {
            let lasts = self.layout.lasts();
            let spare = self.bits.inverted().select(self.machine, lasts, 0);
            self.bits.remove(spare, self.layout.shape.bits);
            let first = lasts + place.first - usize::from(spare < lasts + place.first);
            self.bits.insert(first, self.layout.shape.bits - 1, true);
            self.bits.set_field(chain, 1, 1);
        }
        Added::Replaced
    }
}
