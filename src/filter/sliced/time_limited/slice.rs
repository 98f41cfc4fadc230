//! One slice: a bit array, the function that always addresses it, and the counts and times of its keys.

use crate::bits::Bits;
use crate::error::Error;
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;

/// The functions of a key. A slice has one of k, so k values serve all slices.
pub(super) trait Mix {
    /// 64 uniform bits, by the number of the function.
    fn mix(&self, function: u64) -> u64;
}

/// Made when they are asked for.
impl Mix for KeyHash {
    #[inline]
    fn mix(&self, function: u64) -> u64 {
        self.derive(function)
    }
}

/// Made once, for verbs that ask for each several times.
pub(super) struct Mixed([u64; Mixed::MOST]);

impl Mixed {
    /// The most functions that are made at once.
    pub(super) const MOST: usize = 32;

    /// The functions of a key, at most [`Mixed::MOST`], by slices that have each of them once. `each` sees what belongs
    /// together.
    #[inline]
    pub(super) fn new(key: KeyHash, slices: &[Slice], each: impl Fn(&Slice, &u64)) -> Self {
        let mut mixed = [0; Self::MOST];
        // One by one: processors without 64-bit products in vectors take twice as long for pairs.
        for slice in slices {
            let mix = key.derive(slice.function);
            mixed[num::index(slice.function) % Self::MOST] = mix;
            each(slice, &mix);
        }
        Self(mixed)
    }
}

/// One function that is known.
impl Mix for u64 {
    #[inline]
    fn mix(&self, _: u64) -> u64 {
        *self
    }
}

impl Mix for Mixed {
    #[inline]
    fn mix(&self, function: u64) -> u64 {
        self.0[num::index(function) % Self::MOST]
    }
}

/// A slice takes the insertions of k generations, beginning with the one that it was made for.
#[derive(Debug)]
pub(crate) struct Slice {
    bits: Bits,
    /// Bits that are set: the fill is known without a scan.
    ones: u64,
    /// The hash function: the slice's creation number mod k. It belongs to the slice, not to its place.
    function: u64,
    /// Keys that it may take.
    pub(crate) capacity: u64,
    /// Keys that its own generation counted, the one in which it was the newest.
    pub(crate) generation: u64,
    /// When its own generation began.
    pub(crate) began: Tick,
    /// Once it takes no more insertions: the time of the last one.
    pub(crate) stamp: Tick,
    /// The part of `generation` that a snapshot claims beyond what a slice of this size can take: no later slice is sized by it.
    pub(super) uncounted: u64,
}

impl Slice {
    pub(crate) fn new(bits: Bits, function: u64, capacity: u64, began: Tick) -> Self {
        Self { bits, ones: 0, function, capacity, generation: 0, began, stamp: began, uncounted: 0 }
    }

    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let (ones, function, capacity) = (self.ones, self.function, self.capacity);
        Ok(Self {
            bits: self.bits.try_clone()?,
            ones,
            function,
            capacity,
            generation: self.generation,
            began: self.began,
            stamp: self.stamp,
            uncounted: self.uncounted,
        })
    }

    #[inline]
    pub(super) fn hit(&self, key: &impl Mix) -> bool {
        self.bits.get(self.position(key))
    }

    /// Asks for the cache line of the key's bit.
    #[inline]
    pub(super) fn prefetch(&self, key: &impl Mix) {
        self.bits.prefetch(self.position(key));
    }

    /// Sets the key's bit; returns whether that changed it.
    #[inline]
    pub(super) fn set(&mut self, key: &impl Mix) -> bool {
        let changed = self.bits.set(self.position(key));
        self.ones += u64::from(changed);
        changed
    }

    /// [`Slice::set`] among several writers, who count what they changed and [`Slice::count`] it when they are alone.
    #[inline]
    pub(super) fn set_concurrent(&self, key: &impl Mix) -> bool {
        self.bits.set_concurrent(self.position(key))
    }

    /// Counts bits that were set.
    pub(crate) fn count(&mut self, ones: u64) {
        self.ones += ones;
    }

    /// Forgets every key; size and function stay.
    pub(crate) fn clear(&mut self) {
        self.bits.clear();
        (self.ones, self.generation, self.began, self.stamp, self.uncounted) = (0, 0, Tick(0), Tick(0), 0);
    }

    /// Keys of its generation by which later ones may be sized.
    pub(super) const fn counted(&self) -> u64 {
        self.generation - self.uncounted
    }

    /// Its bits as words.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.bits.run(0, self.bits.words())
    }

    /// Takes bits that were saved, and counts them.
    pub(super) fn restore(&mut self, bits: Bits) {
        self.ones = bits.run(0, bits.words()).map(|word| u64::from(word.count_ones())).sum();
        self.bits = bits;
    }

    /// Bits that are set.
    pub(super) const fn ones(&self) -> u64 {
        self.ones
    }

    /// Its memory, for another use.
    pub(crate) fn into_bits(self) -> Bits {
        self.bits
    }

    pub(crate) fn len(&self) -> u64 {
        self.bits.len()
    }

    /// The share of bits that are set.
    pub(crate) fn fill(&self) -> f64 {
        num::real(self.ones) / num::real(self.len())
    }

    #[inline]
    fn position(&self, key: &impl Mix) -> u64 {
        num::spread(key.mix(self.function), self.bits.len())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    impl Slice {
        /// Bits that are set, by a scan: the count that is kept must agree.
        pub(crate) fn scan(&self) -> u64 {
            let ones = num::wide((0..self.len()).filter(|&p| self.bits.get(p)).count());
            assert_eq!(ones, self.ones);
            ones
        }

        pub(crate) fn function(&self) -> u64 {
            self.function
        }
    }

    #[test]
    fn a_slice_counts_its_bits_and_clears() {
        let mut slice = Slice::new(Bits::zeroed(2).unwrap(), 3, 9, Tick(5));
        let key = KeyHash(77);
        assert!(!slice.hit(&key) && slice.set(&key) && slice.hit(&key) && !slice.set(&key));
        assert_eq!((slice.scan(), slice.len(), slice.function(), slice.stamp), (1, 128, 3, Tick(5)));
        assert!((slice.fill() - 1.0 / 128.0).abs() < 1e-15);
        assert_eq!(slice.try_clone().unwrap().scan(), 1);
        slice.clear();
        assert_eq!((slice.scan(), slice.hit(&key)), (0, false));
        // The same key falls elsewhere under another function.
        let places = |function| (0..128).find(|&p| p == num::spread(key.derive(function), 128));
        assert_ne!(places(3), places(4));
    }
}
