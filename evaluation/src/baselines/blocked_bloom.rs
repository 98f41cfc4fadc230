//! Blocked Bloom filter (Putze, Sanders, Singler 2007): a small Bloom filter per block, so that a key costs one access.
//!
//! Law: a block with i keys answers wrongly with the mean of (X/B)^k, X the bits set by i k draws out of B; keys per block
//! are Poisson. Papers put the mean of X in place of X, which is 2 to 7 % too low for blocks of 256 bits.

use crate::laws::{poisson, search};
use crate::num;
use crate::rng;
use crate::sets::Set;
use crate::wrong::{self, Wrong};

/// A block's Bloom filters in a row.
pub(crate) struct BlockedBloom {
    words: Vec<u64>,
    blocks: u64,
    block_bits: u64,
    k: u64,
    seed: u64,
    /// The bits of a block that keys may set.
    used: u64,
}

impl BlockedBloom {
    /// Blocks of 256 or 512 bits.
    pub(crate) fn new(blocks: u64, block_bits: u64, k: u64, seed: u64) -> Self {
        let words = vec![0; num::index(blocks * block_bits / 64)];
        let used = if wrong::is(Wrong::HalfBlock) { block_bits / 2 } else { block_bits };
        Self { words, blocks, block_bits, used, k, seed }
    }

    pub(crate) fn block(&self, key: u64) -> usize {
        num::index(num::spread(rng::hash(key ^ self.seed, 0), self.blocks))
    }

    fn places(&self, key: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (first, size, key) = (num::wide(self.block(key)) * self.block_bits, self.used, key ^ self.seed);
        (1..=self.k).map(move |i| {
            let bit = first + num::spread(rng::hash(key, i), size);
            (num::index(bit / 64), 1 << (bit % 64))
        })
    }
}

impl Set for BlockedBloom {
    fn insert(&mut self, key: u64) -> bool {
        self.places(key).for_each(|(word, bit)| self.words[word] |= bit);
        true
    }

    fn contains(&self, key: u64) -> bool {
        self.places(key).all(|(word, bit)| self.words[word] & bit != 0)
    }

    fn bits(&self) -> f64 {
        num::real(self.blocks * self.block_bits)
    }
}

/// The rates of one block by its keys.
#[derive(Debug, Clone)]
pub(crate) struct BlockRates {
    pub(crate) k: u64,
    pub(crate) block_bits: u64,
    rates: Vec<f64>,
}

/// Keys of a block up to which rates are known.
const MOST_KEYS: u64 = 320;

impl BlockRates {
    /// Exact: the number of set bits as a chain, draw by draw.
    pub(crate) fn new(block_bits: u64, k: u64) -> Self {
        let b = num::real(block_bits);
        let mut set = vec![0.0; num::index(block_bits) + 1];
        set[0] = 1.0;
        let mut rates = vec![0.0];
        for _ in 0..MOST_KEYS {
            (0..k).for_each(|_| draw(&mut set, b));
            let hit = |x: usize| (num::size(x) / b).powi(num::power(k));
            rates.push(set.iter().enumerate().map(|(x, share)| share * hit(x)).sum());
        }
        Self { k, block_bits, rates }
    }

    /// With this many keys in the block.
    pub(crate) fn of(&self, keys: u64) -> f64 {
        self.rates[num::index(keys.min(MOST_KEYS))]
    }

    /// At c bits per key.
    pub(crate) fn rate(&self, c: f64) -> f64 {
        poisson::average(num::real(self.block_bits) / c, |keys| self.of(keys))
    }

    /// The fewest bits per key for a rate.
    fn bits_for(&self, target: f64) -> f64 {
        search::least(4.0, 80.0, |c| self.rate(c) <= target)
    }
}

/// One more bit drawn.
fn draw(set: &mut [f64], b: f64) {
    for x in (1..set.len()).rev() {
        set[x] = set[x] * num::size(x) / b + set[x - 1] * (1.0 - num::size(x - 1) / b);
    }
    set[0] = 0.0;
}

/// The rates by k.
pub(crate) fn all(block_bits: u64) -> Vec<BlockRates> {
    (2..=16).map(|k| BlockRates::new(block_bits, k)).collect()
}

/// The fewest bits per key for a rate, and the k that needs them.
pub(crate) fn bits_for(all: &[BlockRates], target: f64) -> (f64, u64) {
    let needs = all.iter().map(|rates| (rates.bits_for(target), rates.k));
    needs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("one k at least")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    /// Measured within five standard deviations of the exact law: 400,000 absent keys, 4096 blocks whose loads vary.
    #[test]
    fn the_rate_is_that_of_the_formula() {
        for (block_bits, k, c) in [(256, 7, 10.0), (512, 7, 10.0), (256, 5, 16.0), (512, 10, 16.0)] {
            let mut set = BlockedBloom::new(4096, block_bits, k, 1);
            let keys = num::floor(set.bits() / c);
            assert_eq!(sets::fill(&mut set, keys) + sets::missing(&set, 0..keys), 0);
            let (measured, law) = (sets::false_rate(&set, 400_000), BlockRates::new(block_bits, k).rate(c));
            let interval = 5.0 * (law / 4e5).sqrt() + 0.04 * law;
            assert!((measured - law).abs() < interval, "{block_bits} {k} {c}: {measured} {law}");
        }
    }

    #[test]
    fn a_block_of_one_key_is_counted_by_hand() {
        // One key, two draws: the same bit with 1/4, else two bits.
        let rates = BlockRates::new(4, 2);
        assert!((rates.of(1) - (0.25 / 16.0 + 0.75 * 4.0 / 16.0)).abs() < 1e-12);
        assert_eq!(rates.of(0), 0.0);
    }
}
