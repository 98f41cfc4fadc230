//! Bit arrays over 64-bit words.
//!
//! Layout: bit `p` is bit `p mod 64` (from the least significant) of word `p div 64`; a whole number of words.
//! Price: one cache line per bit touched.
//!
//! The words are atomics so that the shared handle can use the same arrays; the unshared one reads and writes
//! them with relaxed loads and stores, which compile to plain moves.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::Error;
use crate::{num, raw};

/// Bits in a word.
pub(crate) const WORD: u64 = 64;

/// A fixed number of bits, a multiple of 64.
#[derive(Debug)]
pub(crate) struct Bits {
    words: Box<[AtomicU64]>,
}

impl Bits {
    /// `words` x 64 bits, all 0.
    pub(crate) fn zeroed(words: u64) -> Result<Self, Error> {
        let n = usize::try_from(words).map_err(|_| Error::no_memory(usize::MAX))?;
        Ok(Self { words: raw::zeroed_words(n)? })
    }

    /// A copy of its own.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let copy = Self::zeroed(self.words())?;
        for (to, from) in copy.words.iter().zip(&self.words) {
            to.store(from.load(Relaxed), Relaxed);
        }
        Ok(copy)
    }

    /// How many words.
    #[inline]
    pub(crate) fn words(&self) -> u64 {
        num::wide(self.words.len())
    }

    /// How many bits.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.words() * WORD
    }

    /// Whether bit `p` is set.
    #[inline]
    pub(crate) fn get(&self, p: u64) -> bool {
        let (word, mask) = self.place(p);
        word.load(Relaxed) & mask != 0
    }

    /// Sets bit `p`; says whether that changed it. One writer at a time.
    #[inline]
    pub(crate) fn set(&mut self, p: u64) -> bool {
        let (word, mask) = self.place(p);
        let old = word.load(Relaxed);
        word.store(old | mask, Relaxed);
        old & mask == 0
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
    }

    #[inline]
    fn place(&self, p: u64) -> (&AtomicU64, u64) {
        (&self.words[num::index(p / WORD)], 1 << (p % WORD))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_set_once_and_alone() {
        let mut bits = Bits::zeroed(3).unwrap();
        assert_eq!((bits.words(), bits.len()), (3, 192));
        for p in [0, 63, 64, 191] {
            assert!(!bits.get(p) && bits.set(p) && bits.get(p) && !bits.set(p));
        }
        let copy = bits.try_clone().unwrap();
        bits.clear();
        assert_eq!((0..192).filter(|&p| bits.get(p)).count(), 0);
        assert_eq!((0..192).filter(|&p| copy.get(p)).collect::<Vec<_>>(), [0, 63, 64, 191]);
    }
}
