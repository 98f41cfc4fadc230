//! Entries that can be taken out: a fingerprint that ends in a mark.
//!
//! ```text
//!   fingerprint       extension, 0 in a slot that has none
//!  | 1 0 1 1 0 0 1 0 | 1 |    8 bits are known; the mark is the last 1
//!  | 1 0 1 1 0 1 0 0 | 0 |    5 bits are known: 10110; the mark, and zeros behind it
//! ```
//! An entry matches each key whose remainder begins with the bits that are known, all those before the mark. When slots
//! become narrower, what is cut off is lost, and where the mark was among it, the last bit that stays becomes the mark.
//! When slots become wider, zeros are appended: an entry knows what it knew, and the next key has the whole slot. So an
//! entry knows what the narrowest slot that it was in left of it, and its loss ends with it: under churn the rate is that of
//! `rate`.
//!
//! Price: the mark, one bit per entry; a removal at which slots become wider rewrites the fingerprints.

use crate::bit_string::{BitString, lowest};
use crate::num;
use crate::raw::Machine;

use super::block::{Block, Covers, Place};
use super::layout::{Item, Sizes};
use super::rate::UNIT;

/// The mark of an entry, by itself; past its highest bit if it has none, as in a slot of no bits.
#[inline(always)]
const fn mark(entry: u64, width: usize) -> u64 {
    let some = entry | (2 << width);
    some & some.wrapping_neg()
}

/// The cover of an entry with this mark: 2^-known of its chain, in the units of `rate`.
#[inline(always)]
fn units(mark: u64, width: usize) -> u64 {
    (mark << (UNIT - width)).min(1 << UNIT)
}

/// By how much the cover of an entry grows when it loses one bit, if it knew as many as it can.
#[inline(always)]
const fn loss(width: usize) -> u64 {
    if width == 0 { 0 } else { 1 << (UNIT - width) }
}

impl<const N: usize, M: Machine> Block<'_, N, M> {
    /// The fingerprint and the extension of a slot, `width` + 1 bits.
    #[inline(always)]
    fn entry(&self, slot: usize, items: usize, sizes: Sizes) -> u64 {
        let extension = slot < sizes.extended && self.bit(self.layout.lasts() + items + slot);
        (self.fingerprint(slot, sizes.width) << 1) | u64::from(extension)
    }

    /// The mark of an entry if it matches: the lower, the more bits of the key the entry knows.
    #[inline(always)]
    pub(super) fn matching_mark(&self, slot: usize, items: usize, sizes: Sizes, item: Item) -> Option<u64> {
        let entry = self.entry(slot, items, sizes);
        let mark = mark(entry, sizes.width);
        let unknown = mark | (mark - 1);
        ((entry ^ item.prefix(sizes.width + 1)) & !unknown == 0).then_some(mark)
    }

    /// The cover of all entries.
    pub(super) fn marked_units(&self, items: usize, sizes: Sizes) -> u64 {
        (0..items).map(|slot| units(mark(self.entry(slot, items, sizes), sizes.width), sizes.width)).sum()
    }

    /// Adds an entry at the head of its chain; the bits that mark where chains end are not changed.
    #[inline(always)]
    pub(super) fn add_marked(&mut self, place: Place, old: Sizes, sizes: Sizes, item: Item) -> Covers {
        let (first, items) = (place.first, place.items + 1);
        let mut extensions = self.extensions(place.items, old);
        let cut =
            if sizes.width < old.width { self.cut(place.items, old.width, sizes.width, &mut extensions) } else { 0 };
        self.open_fingerprint(place, sizes.width);
        let lasts = self.layout.lasts();
        self.bits.shift_up(lasts + first, 1, place.items - first);
        extensions.shift_up(first, 1, place.items - first);
        self.set_fingerprint(first, sizes.width, item.prefix(sizes.width));
        extensions.set_field(first, 1, 1);
        let moved = self.mark_where_extensions_end(sizes, &extensions);
        self.set_extensions(items, sizes.extended, &extensions);
        Covers { before: 0, after: units(1, sizes.width) + cut + moved }
    }

    /// Makes every slot narrower; returns what the entries cover more.
    #[inline(always)]
    fn cut(&mut self, items: usize, from: usize, to: usize, extensions: &mut BitString<N>) -> u64 {
        if from - to > 1 {
            return self.cut_far(items, from, to, extensions);
        }
        // The last bit of the fingerprint is the extension from now on; where that was the mark, it takes its place.
        let more = extensions.ones() * loss(from);
        let lost = self.shorten(items, from, to);
        extensions.0.iter_mut().zip(lost.0).for_each(|(extensions, lost)| *extensions |= lost);
        more
    }

    /// The same by any number of bits, as between few entries.
    fn cut_far(&mut self, items: usize, from: usize, to: usize, extensions: &mut BitString<N>) -> u64 {
        let (old, mut more) = (std::mem::replace(extensions, BitString::ZEROS), 0);
        for slot in 0..items {
            let entry = (self.fingerprint(slot, from) << 1) | ((old.0[slot / 64] >> (slot % 64)) & 1);
            let kept = (entry >> (from - to)) | u64::from(entry & lowest(from - to) != 0);
            more += units(mark(kept, to), to) - units(mark(entry, from), from);
            self.set_fingerprint(slot, to, kept >> 1);
            extensions.0[slot / 64] |= (kept & 1) << (slot % 64);
        }
        more
    }

    /// Puts the mark into the fingerprint where it was an extension that there is no room for; returns what the entries
    /// cover more.
    #[inline(always)]
    fn mark_where_extensions_end(&mut self, sizes: Sizes, extensions: &BitString<N>) -> u64 {
        let mut over = *extensions;
        over.0[..sizes.extended / 64].fill(0);
        over.0[sizes.extended / 64] &= !lowest(sizes.extended % 64);
        let more = over.ones() * loss(sizes.width);
        for (i, mut word) in over.0.into_iter().enumerate() {
            while word != 0 {
                self.mark_fingerprint(i * 64 + num::index(u64::from(word.trailing_zeros())), sizes.width);
                word &= word - 1;
            }
        }
        more
    }

    #[inline(always)]
    fn mark_fingerprint(&mut self, slot: usize, width: usize) {
        if width != 0 {
            self.bits.set_field(self.layout.shape.bits - (slot + 1) * width, 1, 1);
        }
    }

    /// Takes one matching entry out, if there is one.
    ///
    /// The one that knows most goes first. It matches the fewest keys, and every stored key that it matches also matches
    /// another entry: taking one that matches more keys could leave a stored key without any.
    pub(super) fn take(&mut self, item: Item) -> Option<Covers> {
        if !self.bit(item.chain) {
            return None;
        }
        let place = self.place(item.chain);
        let sizes = self.layout.sizes(place.items);
        let marked = |slot| self.matching_mark(slot, place.items, sizes, item).map(|mark| (mark, slot));
        let (mark, slot) = (place.first..place.end).filter_map(marked).min()?;
        self.remove(item.chain, place, slot, sizes);
        Some(Covers { before: units(mark, sizes.width), after: 0 })
    }

    /// Takes the entry of a slot out.
    fn remove(&mut self, chain: usize, place: Place, slot: usize, sizes: Sizes) {
        let items = place.items - 1;
        if items == 0 {
            self.bits = BitString::ZEROS;
            return;
        }
        let mut extensions = self.extensions(place.items, sizes);
        if slot < sizes.extended {
            extensions.remove(slot, sizes.extended);
        }
        let from = self.layout.shape.bits - place.items * sizes.width;
        self.bits.shift_up(from, sizes.width, (items - slot) * sizes.width);
        self.close_slot(chain, place, slot);
        let wider = self.layout.sizes(items);
        if wider.width > sizes.width {
            self.widen(items, sizes.width, wider.width, &extensions);
            extensions = BitString::ZEROS;
        }
        self.set_extensions(items, wider.extended, &extensions);
    }

    /// Takes the bit of a slot from those that end chains: the one before it becomes the last if this was.
    fn close_slot(&mut self, chain: usize, place: Place, slot: usize) {
        let lasts = self.layout.lasts();
        if place.end - place.first == 1 {
            self.bits.set_field(chain, 1, 0);
        }
        let out = if slot + 1 == place.end && slot > place.first { slot - 1 } else { slot };
        self.bits.remove(lasts + out, lasts + place.items);
    }

    /// Makes every slot wider: its extension becomes part of the fingerprint. The last slot moves first.
    fn widen(&mut self, items: usize, from: usize, to: usize, extensions: &BitString<N>) {
        for slot in (0..items).rev() {
            let entry = (self.fingerprint(slot, from) << 1) | ((extensions.0[slot / 64] >> (slot % 64)) & 1);
            self.set_fingerprint(slot, to, entry << (to - from - 1));
        }
    }
}
