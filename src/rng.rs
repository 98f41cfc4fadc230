//! Seeded choices that are part of a filter's state: the same seed and calls, the same choices on every platform.

use crate::num::{self, STEP, mix};

/// SplitMix64: a counter, and a finaliser that turns it into uniform bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rng {
    counter: u64,
}

impl Rng {
    /// The generator number `stream` of `seed`. Streams start at unrelated places of the one long cycle.
    pub(crate) const fn new(seed: u64, stream: u64) -> Self {
        Self { counter: mix(mix(seed.wrapping_add(STEP)).wrapping_add(stream.wrapping_mul(STEP))) }
    }

    /// Its whole state, for a snapshot.
    pub(crate) const fn counter(&self) -> u64 {
        self.counter
    }

    /// The generator with this state.
    pub(crate) const fn at(counter: u64) -> Self {
        Self { counter }
    }

    /// The next choice, one of 0 .. `n`. It stays the next one until it is taken.
    #[inline]
    pub(crate) const fn next_below(&self, n: u64) -> u64 {
        num::spread(mix(self.counter.wrapping_add(STEP)), n)
    }

    /// Goes to the choice after, if the next one was `taken`. No branch: it may hang on memory that is far away.
    #[inline]
    pub(crate) fn go_on(&mut self, taken: bool) {
        self.counter = self.counter.wrapping_add(STEP & u64::from(taken).wrapping_neg());
    }

    /// Takes the next choice.
    #[cfg(test)]
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        let choice = self.next_below(n);
        self.go_on(true);
        choice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_splitmix64() {
        // The published first outputs of SplitMix64 from state 0, by their high bits.
        let mut rng = Rng { counter: 0 };
        let published = [0xE220_A839_7B1D_CDAF_u64, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!(published.map(|_| rng.below(1 << 32)), published.map(|output| output >> 32));
    }

    #[test]
    fn choices_are_even_and_streams_differ() {
        for stream in 0..64 {
            let mut counts = [0u32; 7];
            let mut rng = Rng::new(1, stream);
            (0..70_000).for_each(|_| counts[num::index(rng.below(7))] += 1);
            // A count has a standard deviation of 93.
            assert!(counts.iter().all(|&n| n.abs_diff(10_000) < 450), "stream {stream}: {counts:?}");
            assert!((0..64).all(|other| other == stream || Rng::new(1, other) != Rng::new(1, stream)));
        }
    }
}
