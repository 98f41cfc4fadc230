//! The layout of all blocks of a filter, and a key as they see it.

use crate::error::Error;
use crate::num;

/// The most bits of a fingerprint without its extension. The lowest bits of what a mix has left are not uniform.
const MOST_WIDTH: usize = 48;

/// The layout of all blocks of a filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// B.
    pub(super) bits: usize,
    /// L.
    pub(super) chains: usize,
    /// Whether every fingerprint ends in a mark (`removable`).
    pub(super) removable: bool,
}

impl Shape {
    /// A: bits for entries, and the most entries.
    pub(super) const fn array(&self) -> usize {
        self.bits - self.chains
    }

    /// The widest fingerprints that that many entries leave room for.
    fn width(&self, items: usize) -> usize {
        (self.array() / items.max(1) - 1).min(MOST_WIDTH)
    }

    /// How `items` entries are stored.
    pub(super) fn sizes(&self, items: usize) -> Sizes {
        self.sized(items, self.width(items))
    }

    #[inline(always)]
    fn sized(&self, items: usize, width: usize) -> Sizes {
        Sizes { width, extended: items.min(self.array() - items * (width + 1)) }
    }
}

/// The same, with the widths at hand.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) shape: Shape,
    /// By entries.
    widths: Box<[u8]>,
}

impl Layout {
    pub(super) fn new(shape: Shape) -> Result<Self, Error> {
        let n = shape.array() + 1;
        let mut widths = Vec::new();
        widths.try_reserve_exact(n).map_err(|_| Error::no_memory(n))?;
        widths.extend((0..n).map(|items| u8::try_from(shape.width(items)).unwrap_or(u8::MAX)));
        Ok(Self { shape, widths: widths.into() })
    }

    /// A: bits for entries, and the most entries.
    pub(super) fn array(&self) -> usize {
        self.shape.array()
    }

    /// How `items` entries are stored.
    #[inline(always)]
    pub(super) fn sizes(&self, items: usize) -> Sizes {
        self.shape.sized(items, self.widths[items].into())
    }

    /// Where the bits begin that say which entry is the last of its chain.
    pub(super) const fn lasts(&self) -> usize {
        self.shape.chains
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
        let (chain, remainder) = num::split(mix, num::wide(layout.shape.chains));
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
