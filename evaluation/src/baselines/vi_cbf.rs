//! Variable-increment counting Bloom filter (Rottenstreich, Kanizo, Keslassy 2012): a key adds to each of its k counters
//! an increment of its own, L to 2L - 1.
//!
//! Law: a counter c excludes an increment v if c < v or 0 < c - v < L. With Poisson(a) increments, a = n k / m, it does
//! not with P1 / L + P2 (1 - (L^2 - 1) / (6 L^2)) + P(3 or more); the rate is the k-th power of that. With L = 4 and
//! counters of 6 bits the bits per key are those that TinySet's paper prints.

use crate::laws::search;
use crate::num;
use crate::rng;
use crate::sets::{Leaving, Set};

/// L.
const L: u64 = 4;
/// Bits of a counter.
const BITS: u64 = 6;
/// A counter that has come so far stays there.
const STUCK: u64 = (1 << BITS) - 1;

pub(crate) struct ViCbf {
    counters: Vec<u64>,
    k: u64,
    seed: u64,
}

impl ViCbf {
    pub(crate) fn new(counters: u64, k: u64, seed: u64) -> Self {
        Self { counters: vec![0; num::index(counters)], k, seed }
    }

    /// Counters of a key with its increments.
    fn places(&self, key: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (key, m) = (key ^ self.seed, num::wide(self.counters.len()));
        (0..self.k).map(move |i| {
            let hash = rng::hash(key, i);
            (num::index(num::spread(hash, m)), L + num::spread(rng::mix(hash), L))
        })
    }
}

impl Set for ViCbf {
    fn insert(&mut self, key: u64) -> bool {
        for (i, v) in self.places(key) {
            self.counters[i] = (self.counters[i] + v).min(STUCK);
        }
        true
    }

    fn contains(&self, key: u64) -> bool {
        let may = |c: u64, v: u64| c == STUCK || c == v || c >= v + L;
        self.places(key).all(|(i, v)| may(self.counters[i], v))
    }

    fn bits(&self) -> f64 {
        num::real(num::wide(self.counters.len()) * BITS)
    }
}

impl Leaving for ViCbf {
    fn remove(&mut self, key: u64) {
        for (i, v) in self.places(key) {
            self.counters[i] -= if self.counters[i] == STUCK { 0 } else { v };
        }
    }
}

/// The rate at c bits per key.
pub(crate) fn rate(c: f64, k: u64) -> f64 {
    let (l, a) = (num::real(L), num::real(k * BITS) / c);
    let [none, one, two] = [1.0, a, a * a / 2.0].map(|share| share * (-a).exp());
    let pass = one / l + two * (1.0 - (l * l - 1.0) / (6.0 * l * l)) + (1.0 - none - one - two);
    pass.powi(num::power(k))
}

/// The fewest bits per key for a rate, and the k that needs them.
pub(crate) fn bits_for(target: f64) -> (f64, u64) {
    let needs = |k| (search::least(4.0, 120.0, |c| rate(c, k) <= target), k);
    (1..=30).map(needs).min_by(|a, b| a.0.total_cmp(&b.0)).expect("thirty of them")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    fn holding(c: f64, k: u64, keys: u64) -> ViCbf {
        let mut set = ViCbf::new(num::floor(c * num::real(keys)) / BITS, k, 1);
        assert_eq!(sets::fill(&mut set, keys), 0);
        set
    }

    /// Measured within five standard deviations of the formula, before and after a second half came and went.
    #[test]
    fn the_rate_is_that_of_the_formula() {
        for (c, k) in [(15.0, 3), (25.0, 6), (25.0, 3)] {
            let (mut set, law) = (holding(c, k, 50_000), rate(c, k));
            let interval = 5.0 * (law / 4e5).sqrt() + 0.01 * law;
            let before = sets::false_rate(&set, 400_000);
            assert!((before - law).abs() < interval, "{c} {k}: {before} {law}");
            (50_000..60_000).for_each(|key| assert!(set.insert(key)));
            (50_000..60_000).for_each(|key| set.remove(key));
            assert_eq!(sets::missing(&set, 0..50_000), 0);
            assert!((sets::false_rate(&set, 400_000) - law).abs() < interval, "{c} {k} after");
        }
    }

    #[test]
    fn sizes_are_those_of_the_paper() {
        for (target, bits) in [(1e-2, 25.0), (1e-3, 37.8), (1e-4, 50.0)] {
            assert!((bits_for(target).0 / bits - 1.0).abs() < 0.025, "{:?}", bits_for(target));
        }
    }
}
