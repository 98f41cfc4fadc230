//! Cutting the fingerprints of a block, when there are more of them than there is room for.

use crate::bit_string::{BitString, lowest};
use crate::num;
use crate::raw::Machine;

use super::block::Block;

/// For every width up to 63: the bits 0, width, 2 width, ... of a word, and 64 mod width.
const EVERY: [(u64, usize); 64] = {
    let mut table = [(1, 0); 64];
    let mut width = 1;
    while width < 64 {
        let mut bit = 0;
        while bit < 64 {
            table[width].0 |= 1 << bit;
            bit += width;
        }
        table[width].1 = 64 % width;
        width += 1;
    }
    table
};

/// How many bits are 1.
#[inline(always)]
fn ones(word: u64) -> usize {
    num::index(u64::from(word.count_ones()))
}

impl<const N: usize, M: Machine> Block<'_, N, M> {
    /// Cuts every fingerprint down to `to` bits; returns the first bit that each loses.
    #[inline(always)]
    pub(super) fn shorten(&mut self, items: usize, from: usize, to: usize) -> BitString<N> {
        if M::GATHERS && from - to == 1 && from > 1 {
            return self.shorten_by_one(items, from);
        }
        let mut lost = BitString::ZEROS;
        for slot in 0..items {
            let rest = self.fingerprint(slot, from) >> (from - to - 1);
            lost.0[slot / 64] |= (rest & 1) << (slot % 64);
            self.set_fingerprint(slot, to, rest >> 1);
        }
        lost
    }

    /// The same a word at a time, from the highest: every `from`-th bit goes, and the others move together.
    #[inline(always)]
    fn shorten_by_one(&mut self, items: usize, from: usize) -> BitString<N> {
        let mut lost = BitString::ZEROS;
        let end = self.layout.shape.bits - items * from;
        let (every, rest) = EVERY[from];
        let (mut to, mut slot, mut phase) = (self.layout.shape.bits, 0, 0);
        for i in (end / 64..N).rev() {
            // The lowest bit of a fingerprint that this word has, counted from its own lowest.
            phase += rest;
            phase -= if phase >= from { from } else { 0 };
            let inside = if i == end / 64 { !lowest(end % 64) } else { u64::MAX };
            let drop = (every << phase) & inside;
            let (word, keep) = (self.bits.0[i], !drop & inside);
            let (dropped, kept) = (ones(drop), ones(keep));
            to -= kept;
            self.bits.set_field(to, kept, self.machine.gather(word, keep));
            // The highest of them is of the lowest slot.
            let bits = (self.machine.gather(word, drop) << 1 << (63 - dropped)).reverse_bits();
            lost.set_field(slot, dropped, bits);
            slot += dropped;
        }
        lost
    }
}
