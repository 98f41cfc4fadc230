//! One block: chains of fingerprints, in as many bits each as there is room for.
//!
//! ```text
//!  bit 0                                                                                        bit B
//!  | chains: L | width: 6 |  last: 1 per entry  | extension: 1 for each | ... | .. | width | width |
//!  |           |          |  slot 0, 1, ...     | of the first `extended` |   | .. |slot 1 |slot 0 |
//!   which are   removable   which entry ends     one more bit of the       fingerprints of equal width,
//!   not empty   only        its chain            fingerprint, while it     so that an insertion moves
//!                                                fits                      only the slots behind it
//!  ```
//! Entries stand in the order of their chains. With r entries in A = B - L (- 6) bits the width is floor(A / r) - 1 and
//! the first A mod r slots have an extension bit: nothing of the array is wasted. The number of entries is written
//! nowhere: the last entry is the one that ends the last chain.
//!
//! A removable block remembers its width, for a fingerprint that was shortened stays short. An entry that has moved
//! from a slot without extension to one with it has the bit 0, so there only a 1 is knowledge.

use crate::bits::{Machine, field, insert, next_one, ranks, remove, select, set_field, shift_down, shift_up};
use crate::num;

use super::layout::{Item, Layout, Sizes, WIDTH_FIELD};
use super::rate::units;

/// Where a chain is.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its first slot, or where that would be.
    first: usize,
    /// The slot behind its last.
    end: usize,
    /// Slots of all chains.
    items: usize,
}

/// What a block covers, before and after a change of its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Covers {
    pub(super) before: u64,
    pub(super) after: u64,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Added {
    /// It has a slot of its own.
    Stored(Covers),
    /// It took the slot of an entry that another one of its chain stands for.
    Replaced,
    /// There is no slot left.
    Full,
}

/// The words of a block, and how to read them.
#[derive(Debug, Clone)]
pub(super) struct Block<'a, const N: usize, M> {
    pub(super) words: [u64; N],
    pub(super) layout: &'a Layout,
    pub(super) machine: M,
}

impl<'a, const N: usize, M: Machine> Block<'a, N, M> {
    #[inline(always)]
    pub(super) const fn new(words: [u64; N], layout: &'a Layout, machine: M) -> Self {
        Self { words, layout, machine }
    }

    /// Whether an entry matches.
    #[inline(always)]
    pub(super) fn has(&self, item: Item) -> bool {
        self.bit(item.chain) && {
            let place = self.place(item.chain);
            let sizes = self.sizes(place.items);
            let mut slot = place.first;
            while slot < place.end && self.matches(slot, place.items, sizes, item).is_none() {
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
        let old = self.sizes(place.items);
        let before = self.cover(place.items, old);
        let width = old.width.min(self.layout.sizes(place.items + 1).width);
        let sizes = self.layout.sizes_of(place.items + 1, width);
        if width < old.width {
            self.shorten_and_open(place, old.width, sizes);
        } else {
            self.open(place, old.extended, sizes);
        }
        let lasts = self.layout.lasts();
        set_field(&mut self.words, lasts + place.first, 1, u64::from(place.first == place.end));
        if place.first < sizes.extended {
            set_field(&mut self.words, lasts + place.items + 1 + place.first, 1, u64::from(item.extension(width)));
        }
        self.set_fingerprint(place.first, width, item.prefix(width));
        set_field(&mut self.words, item.chain, 1, 1);
        self.set_width(width);
        Added::Stored(Covers { before, after: self.cover(place.items + 1, sizes) })
    }

    /// Makes room for a slot at the head of a chain where the width stays: everything behind it moves by one slot,
    /// and the extensions that there is no more room for go.
    #[inline(always)]
    fn open(&mut self, place: Place, extended: usize, sizes: Sizes) {
        self.open_fingerprint(place, sizes.width);
        let kept = extended.min(sizes.extended);
        // The extensions stand behind the ends of chains: they move with them, and then those behind the slot again.
        let lasts = self.layout.lasts();
        shift_up(&mut self.words, lasts + place.first, 1, place.items - place.first + kept);
        let behind = sizes.extended.saturating_sub(place.first + 1);
        shift_up(&mut self.words, lasts + place.items + 1 + place.first, 1, behind);
    }

    #[inline(always)]
    fn open_fingerprint(&mut self, place: Place, width: usize) {
        let from = self.layout.bits - place.items * width;
        shift_down(&mut self.words, from, width, (place.items - place.first) * width);
    }

    /// The same where fingerprints lose bits: the first that each loses is its extension from now on.
    fn shorten_and_open(&mut self, place: Place, from: usize, sizes: Sizes) {
        let mut extensions = self.shorten(place.items, from, sizes.width);
        self.open_fingerprint(place, sizes.width);
        let lasts = self.layout.lasts();
        shift_up(&mut self.words, lasts + place.first, 1, place.items - place.first);
        shift_up(&mut extensions, place.first, 1, place.items - place.first);
        self.set_extensions(place.items + 1, sizes.extended, &extensions);
    }

    /// Takes one matching entry out, if there is one.
    ///
    /// One whose extension bit is known goes first. It matches fewer keys, and any other key that it would have to
    /// stand for finds another: taking the one that matches more keys could leave a key with none.
    pub(super) fn take(&mut self, item: Item) -> Option<Covers> {
        if !self.bit(item.chain) {
            return None;
        }
        let place = self.place(item.chain);
        let sizes = self.sizes(place.items);
        let matches = |&slot: &usize| self.matches(slot, place.items, sizes, item);
        let known = (place.first..place.end).find(|slot| matches(slot) == Some(true));
        let slot = known.or_else(|| (place.first..place.end).find(|slot| matches(slot).is_some()));
        slot.map(|slot| Covers {
            before: self.cover(place.items, sizes),
            after: self.remove(item.chain, place, slot, sizes),
        })
    }

    /// What the entries match.
    fn cover(&self, items: usize, sizes: Sizes) -> u64 {
        let known = if self.layout.removable {
            self.extensions(items, sizes).iter().map(|word| u64::from(word.count_ones())).sum()
        } else {
            num::wide(sizes.extended)
        };
        units(items, sizes, num::index(known))
    }

    /// Where a chain is, and how many slots all have.
    #[inline(always)]
    fn place(&self, chain: usize) -> Place {
        let lasts = self.layout.lasts();
        let (before, all) = ranks(&self.words, chain, self.layout.chains);
        let behind = all - before;
        let first = if before == 0 { 0 } else { select(self.machine, &self.words, lasts, before - 1) + 1 - lasts };
        let items =
            if behind == 0 { first } else { select(self.machine, &self.words, lasts + first, behind - 1) + 1 - lasts };
        let end = if self.bit(chain) { next_one(&self.words, lasts + first) + 1 - lasts } else { first };
        Place { first, end, items }
    }

    /// How many entries the block has and what they cover, if it is one that operations can make: every chain has an
    /// end, and the entries have room.
    pub(super) fn checked(&self) -> Option<(usize, u64)> {
        let (lasts, bits) = (self.layout.lasts(), self.layout.bits);
        let (_, chains) = ranks(&self.words, 0, self.layout.chains);
        if chains == 0 {
            return self.words.iter().all(|word| *word == 0).then_some((0, 0));
        }
        let (before, all) = ranks(&self.words, lasts, bits);
        if all - before < chains {
            return None;
        }
        let items = select(self.machine, &self.words, lasts, chains - 1) + 1 - lasts;
        let sizes = if self.layout.removable {
            let width = num::index(field(&self.words, self.layout.chains, WIDTH_FIELD));
            (width <= self.layout.sizes(items).width).then(|| self.layout.sizes_of(items, width))?
        } else {
            self.layout.sizes(items)
        };
        Some((items, self.cover(items, sizes)))
    }

    /// How the entries are stored.
    #[inline(always)]
    pub(super) fn sizes(&self, items: usize) -> Sizes {
        if self.layout.removable && items != 0 {
            let width = field(&self.words, self.layout.chains, WIDTH_FIELD);
            return self.layout.sizes_of(items, num::index(width));
        }
        self.layout.sizes(items)
    }

    /// Whether an entry matches, and if so whether its extension bit is set.
    #[inline(always)]
    fn matches(&self, slot: usize, items: usize, sizes: Sizes, item: Item) -> Option<bool> {
        if self.fingerprint(slot, sizes.width) != item.prefix(sizes.width) {
            return None;
        }
        if slot >= sizes.extended {
            return Some(false);
        }
        let set = self.bit(self.layout.lasts() + items + slot);
        let wanted = item.extension(sizes.width);
        let unknown = self.layout.removable && !set;
        (unknown || set == wanted).then_some(set)
    }

    #[inline(always)]
    fn bit(&self, at: usize) -> bool {
        (self.words[at / 64] >> (at % 64)) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn fingerprint(&self, slot: usize, width: usize) -> u64 {
        field(&self.words, self.layout.bits - (slot + 1) * width, width)
    }

    #[inline(always)]
    pub(super) fn set_fingerprint(&mut self, slot: usize, width: usize, fingerprint: u64) {
        set_field(&mut self.words, self.layout.bits - (slot + 1) * width, width, fingerprint);
    }

    /// The extension bits, from slot 0 on, and zeros.
    #[inline(always)]
    fn extensions(&self, items: usize, sizes: Sizes) -> [u64; N] {
        let mut extensions = [0; N];
        let from = self.layout.lasts() + items;
        for at in (0..sizes.extended).step_by(32) {
            extensions[at / 64] |= field(&self.words, from + at, (sizes.extended - at).min(32)) << (at % 64);
        }
        extensions
    }

    /// Writes so many extension bits.
    #[inline(always)]
    fn set_extensions(&mut self, items: usize, extended: usize, extensions: &[u64; N]) {
        let from = self.layout.lasts() + items;
        for at in (0..extended).step_by(32) {
            let width = (extended - at).min(32);
            set_field(&mut self.words, from + at, width, field(extensions, at, width));
        }
    }

    /// Takes the entry of a slot out; returns what the others match.
    fn remove(&mut self, chain: usize, place: Place, slot: usize, sizes: Sizes) -> u64 {
        if place.items == 1 {
            self.words = [0; N];
            return 0;
        }
        let mut extensions = self.extensions(place.items, sizes);
        if slot < sizes.extended {
            remove(&mut extensions, slot, sizes.extended);
        }
        let from = self.layout.bits - place.items * sizes.width;
        shift_up(&mut self.words, from, sizes.width, (place.items - slot - 1) * sizes.width);
        self.close_slot(chain, place, slot);
        let sizes = self.layout.sizes_of(place.items - 1, sizes.width);
        self.set_extensions(place.items - 1, sizes.extended, &extensions);
        self.cover(place.items - 1, sizes)
    }

    /// Takes the bit of a slot from those that end chains: the one before it becomes the last if this was.
    fn close_slot(&mut self, chain: usize, place: Place, slot: usize) {
        let lasts = self.layout.lasts();
        if place.end - place.first == 1 {
            set_field(&mut self.words, chain, 1, 0);
        }
        let out = if slot + 1 == place.end && slot > place.first { slot - 1 } else { slot };
        remove(&mut self.words, lasts + out, lasts + place.items);
    }

    /// Every bit of the array ends or continues a chain and fingerprints have no bits: every key of a chain that is
    /// not empty is found. A chain that is takes the slot of one of two entries of another.
    fn add_to_full(&mut self, chain: usize, place: Place) -> Added {
        if self.layout.removable {
            return Added::Full;
        }
        if place.first == place.end {
            let lasts = self.layout.lasts();
            let inverted = self.words.map(|word| !word);
            let spare = select(self.machine, &inverted, lasts, 0);
            remove(&mut self.words, spare, self.layout.bits);
            let first = lasts + place.first - usize::from(spare < lasts + place.first);
            insert(&mut self.words, first, self.layout.bits - 1, true);
            set_field(&mut self.words, chain, 1, 1);
        }
        Added::Replaced
    }

    fn set_width(&mut self, width: usize) {
        if self.layout.removable {
            set_field(&mut self.words, self.layout.chains, WIDTH_FIELD, num::wide(width));
        }
    }
}
