//! One slice: a bit array, the function that addresses it for life, and what is known of its keys.

use crate::bits::Bits;
use crate::error::Error;
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;

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
    pub(crate) born: Tick,
    /// Once it takes no more insertions: the time of the last one.
    pub(crate) stamp: Tick,
}

impl Slice {
    pub(crate) fn new(bits: Bits, function: u64, capacity: u64, born: Tick) -> Self {
        Self { bits, ones: 0, function, capacity, generation: 0, born, stamp: born }
    }

    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let (ones, function, capacity) = (self.ones, self.function, self.capacity);
        Ok(Self {
            bits: self.bits.try_clone()?,
            ones,
            function,
            capacity,
            generation: self.generation,
            born: self.born,
            stamp: self.stamp,
        })
    }

    #[inline]
    pub(crate) fn hit(&self, key: KeyHash) -> bool {
        self.bits.get(self.position(key))
    }

    /// Sets the key's bit; says whether that changed it.
    #[inline]
    pub(crate) fn set(&mut self, key: KeyHash) -> bool {
        let changed = self.bits.set(self.position(key));
        self.ones += u64::from(changed);
        changed
    }

    /// Forgets every key; size and function stay.
    pub(crate) fn clear(&mut self) {
        self.bits.clear();
        (self.ones, self.generation, self.born, self.stamp) = (0, 0, Tick(0), Tick(0));
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
    fn position(&self, key: KeyHash) -> u64 {
        num::spread(key.derive(self.function), self.bits.len())
    }
}
