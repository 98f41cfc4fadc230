//! Balanced Bloom filter (Kanizo, Hay, Keslassy 2013), the form with one access: a blocked Bloom filter whose overloaded
//! blocks send keys to a list.
//!
//! From the description in TinySet's paper: a block takes up to h keys, key h + 1 with probability p, and all others go
//! to a list; h and p follow from the share of keys that may (0.49 %). The list is exact and, as in the papers, is not
//! counted: it stands in associative memory. Law: that of the blocked filter with loads cut at h or h + 1.

use std::collections::HashSet;

use super::blocked_bloom::{BlockRates, BlockedBloom};
use crate::laws::{poisson, search};
use crate::num;
use crate::rng;
use crate::sets::Set;

/// The share of keys in the list.
pub(crate) const LISTED: f64 = 0.0049;

/// Which keys a block takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    h: u64,
    p: f64,
}

impl Cut {
    /// For that many keys per block on average.
    pub(crate) fn new(keys: f64) -> Self {
        let h = (1..).find(|&h| Self { h, p: 1.0 }.listed(keys) <= LISTED).expect("some height is enough");
        Self { h, p: search::least(0.0, 1.0, |p| Self { h, p }.listed(keys) <= LISTED) }
    }

    /// The chance that, of `keys` that came, one more than h stayed.
    fn one_more(self, keys: u64) -> f64 {
        1.0 - (1.0 - self.p).powi(num::power(keys.saturating_sub(self.h)))
    }

    /// The share of keys in the list.
    pub(crate) fn listed(self, keys: f64) -> f64 {
        poisson::average(keys, |n| num::real(n.saturating_sub(self.h)) - self.one_more(n)) / keys
    }

    /// The rate of false positives.
    pub(crate) fn rate(self, rates: &BlockRates, keys: f64) -> f64 {
        poisson::average(keys, |n| {
            let more = self.one_more(n);
            (1.0 - more) * rates.of(n.min(self.h)) + more * rates.of(self.h + 1)
        })
    }
}

/// The fewest bits per key for a rate, and the k that needs them.
pub(crate) fn bits_for(all: &[BlockRates], target: f64) -> (f64, u64) {
    let needs = |rates: &BlockRates| {
        let keys = |c: f64| num::real(rates.block_bits) / c;
        search::least(4.0, 80.0, |c| Cut::new(keys(c)).rate(rates, keys(c)) <= target)
    };
    all.iter().map(|rates| (needs(rates), rates.k)).min_by(|a, b| a.0.total_cmp(&b.0)).expect("one k at least")
}

pub(crate) struct BalancedBloom {
    blocks: BlockedBloom,
    cut: Cut,
    loads: Vec<u64>,
    list: HashSet<u64>,
    seed: u64,
}

impl BalancedBloom {
    /// For `keys` keys in that many blocks.
    pub(crate) fn new(blocks: u64, block_bits: u64, k: u64, keys: u64, seed: u64) -> Self {
        Self {
            blocks: BlockedBloom::new(blocks, block_bits, k, seed),
            cut: Cut::new(num::real(keys) / num::real(blocks)),
            loads: vec![0; num::index(blocks)],
            list: HashSet::new(),
            seed,
        }
    }

    fn stays(&self, key: u64, load: u64) -> bool {
        let coin = num::real(rng::hash(key ^ self.seed, 99) >> 11) / num::real(1 << 53);
        load < self.cut.h || (load == self.cut.h && coin < self.cut.p)
    }
}

impl Set for BalancedBloom {
    fn insert(&mut self, key: u64) -> bool {
        let block = self.blocks.block(key);
        if self.stays(key, self.loads[block]) {
            self.loads[block] += 1;
            return self.blocks.insert(key);
        }
        self.list.insert(key);
        true
    }

    fn contains(&self, key: u64) -> bool {
        self.blocks.contains(key) || self.list.contains(&key)
    }

    fn bits(&self) -> f64 {
        self.blocks.bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    /// The rate within five standard deviations, the list within a tenth of its share.
    #[test]
    fn the_rate_and_the_list_are_those_of_the_formula() {
        for (k, keys) in [(6, 25 * 4096), (9, 15 * 4096)] {
            let mut set = BalancedBloom::new(4096, 256, k, keys, 1);
            assert_eq!(sets::fill(&mut set, keys) + sets::missing(&set, 0..keys), 0);
            let law = set.cut.rate(&BlockRates::new(256, k), num::real(keys) / 4096.0);
            let measured = sets::false_rate(&set, 600_000);
            assert!((measured - law).abs() < 5.0 * (law / 6e5).sqrt() + 0.03 * law, "{k}: {measured} {law}");
            let listed = num::size(set.list.len()) / num::real(keys);
            assert!((listed / LISTED - 1.0).abs() < 0.1, "{listed}");
        }
    }

    #[test]
    fn balance_saves_bits() {
        let all = [BlockRates::new(256, 6), BlockRates::new(256, 7)];
        let (blocked, balanced) = (super::super::blocked_bloom::bits_for(&all, 1e-2).0, bits_for(&all, 1e-2).0);
        assert!(balanced < blocked && balanced > 9.5, "{balanced} {blocked}");
    }
}
