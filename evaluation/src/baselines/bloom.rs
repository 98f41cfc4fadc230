//! Bloom filter (Bloom 1970): each key sets k of m bits.
//!
//! Law: an absent key is called present with (1 - e^(-k/c))^k at c = m/n bits per key; the best k is about c ln 2. The k
//! places are steps of one hash by another, so that a key costs one pair of hashes whatever k is. Two keys whose steps are nearly
//! alike share most of their places: that raises the rate of a filter of a hundred keys, and of a thousand no more.

use crate::laws::search;
use crate::num;
use crate::rng;
use crate::sets::Set;

pub(crate) struct Bloom {
    words: Vec<u64>,
    m: u64,
    k: u64,
    seed: u64,
}

impl Bloom {
    pub(crate) fn new(m: u64, k: u64, seed: u64) -> Self {
        Self { words: vec![0; num::index(m.div_ceil(64))], m, k, seed }
    }

    /// Where the bits of a key are.
    #[inline]
    fn places(&self, key: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (mut at, step, m) = (rng::hash(key ^ self.seed, 0), rng::hash(key ^ self.seed, 1) | 1, self.m);
        (0..self.k).map(move |_| {
            at = at.wrapping_add(step);
            let bit = num::spread(at, m);
            (num::index(bit / 64), 1 << (bit % 64))
        })
    }
}

impl Set for Bloom {
    fn insert(&mut self, key: u64) -> bool {
        self.places(key).for_each(|(word, bit)| self.words[word] |= bit);
        true
    }

    fn contains(&self, key: u64) -> bool {
        self.places(key).all(|(word, bit)| self.words[word] & bit != 0)
    }

    fn bits(&self) -> f64 {
        num::real(self.m)
    }
}

/// The rate at c bits per key.
pub(crate) fn rate(c: f64, k: u64) -> f64 {
    (-(-num::real(k) / c).exp_m1()).powi(num::power(k))
}

/// The best k at c bits per key, and its rate.
pub(crate) fn best(c: f64) -> (u64, f64) {
    (1..=40).map(|k| (k, rate(c, k))).min_by(|a, b| a.1.total_cmp(&b.1)).expect("forty of them")
}

/// The fewest bits per key for a rate.
pub(crate) fn bits_for(target: f64) -> f64 {
    search::least(0.5, 60.0, |c| best(c).1 <= target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    /// Measured within five standard deviations of the formula: n = 100,000, 400,000 absent keys.
    #[test]
    fn the_rate_is_that_of_the_formula() {
        for (c, k) in [(5.0, 3), (9.6, 7), (9.6, 2), (14.4, 10)] {
            let mut set = Bloom::new(num::floor(c * 1e5), k, 1);
            assert_eq!(sets::fill(&mut set, 100_000) + sets::missing(&set, 0..100_000), 0);
            let (measured, law) = (sets::false_rate(&set, 400_000), rate(c, k));
            assert!((measured - law).abs() < 5.0 * (law / 4e5).sqrt() + 0.01 * law, "{c} {k}: {measured} {law}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_paper() {
        for (target, bits) in [(1e-2, 9.6), (1e-3, 14.4), (1e-4, 19.2)] {
            assert!((bits_for(target) - bits).abs() < 0.05, "{}", bits_for(target));
        }
        assert_eq!(best(9.6).0, 7);
    }

    /// A hundred and twenty-five keys are an eighth of a window of a thousand. The same with k independent hashes is as the law says.
    #[test]
    fn steps_raise_the_rate_of_a_small_filter_and_of_no_larger_one() {
        const K: u64 = 13;
        let over_law = |keys: u64, runs: u64| {
            let m = 19 * keys;
            let hits = |seed: u64| {
                let mut filter = Bloom::new(m, K, seed);
                (0..keys).for_each(|key| assert!(filter.insert(key)));
                num::size((keys..keys + 200_000).filter(|&key| filter.contains(key)).count())
            };
            (0..runs).map(hits).sum::<f64>() / (2e5 * num::real(runs)) / rate(19.0, K)
        };
        let (small, large) = (over_law(125, 40), over_law(1250, 40));
        assert!((1.6..2.1).contains(&small) && (0.85..1.15).contains(&large), "{small} {large}");
    }
}
