//! What all blocks of a filter have in common, and what they see of a key.

use crate::num;

/// The most bits of a fingerprint without its extension. The lowest bits of what a mix has left are not uniform.
const MOST_WIDTH: usize = 48;

/// What all blocks of a filter have in common.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// B.
    pub(super) bits: usize,
    /// L.
    pub(super) chains: usize,
    /// Whether every fingerprint ends in a mark (`removable`).
    pub(super) removable: bool,
    /// The widest fingerprints that a number of entries leaves room for.
    widths: Box<[u8]>,
}

impl Layout {
    pub(super) fn new(bits: usize, chains: usize, removable: bool) -> Self {
        let array = bits - chains;
        let width = |items: usize| (array / items.max(1) - 1).min(MOST_WIDTH);
        let widths = (0..=array).map(|items| u8::try_from(width(items)).unwrap_or(u8::MAX)).collect();
        Self { bits, chains, removable, widths }
    }

    /// A: bits for entries, and the most entries.
    pub(super) fn array(&self) -> usize {
        self.widths.len() - 1
    }

    /// How `items` entries are stored.
    #[inline(always)]
    pub(super) fn sizes(&self, items: usize) -> Sizes {
        let width = usize::from(self.widths[items]);
        Sizes { width, extended: items.min(self.array() - items * (width + 1)) }
    }

    /// Where the bits begin that say which entry is the last of its chain.
    pub(super) fn lasts(&self) -> usize {
        self.bits - self.array()
    }
}

/// The bits of fingerprints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Of every fingerprint.
    pub(super) width: usize,
    /// How many, from slot 0 on, have one bit more.
    pub(super) extended: usize,
}

/// A key, as a block sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) chain: usize,
    /// One string of bits, the first one highest; fingerprints are its prefixes.
    remainder: u64,
}

impl Item {
    #[inline(always)]
    pub(super) fn new(mix: u64, layout: &Layout) -> Self {
        let (chain, remainder) = num::split(mix, num::wide(layout.chains));
        Self { chain: num::index(chain), remainder }
    }

    #[inline(always)]
    pub(super) const fn prefix(self, width: usize) -> u64 {
        (self.remainder >> 1) >> (63 - width)
    }

    /// The bit after the prefix.
    #[inline(always)]
    pub(super) const fn extension(self, width: usize) -> bool {
        (self.remainder >> (63 - width)) & 1 == 1
    }
}
