//! Streams whose truth is known: each key with whether it was there before.

use std::collections::HashMap;

use crate::num;
use crate::rng::Rng;

/// Whether a key of 0 .. `alphabet` was there before: one bit each, exact.
#[derive(Debug)]
pub(crate) struct Seen(Vec<u64>);

impl Seen {
    pub(crate) fn new(alphabet: u64) -> Self {
        Self(vec![0; num::index(alphabet.div_ceil(64))])
    }

    /// Whether `key` was there; now it was.
    pub(crate) fn observe(&mut self, key: u64) -> bool {
        let (word, bit) = (&mut self.0[num::index(key / 64)], 1 << (key % 64));
        let before = *word & bit != 0;
        *word |= bit;
        before
    }
}

/// `length` keys drawn uniformly from an alphabet: the artificial streams of the QHT paper.
pub(crate) fn uniform(seed: u64, alphabet: u64, length: u64) -> impl Iterator<Item = (u64, bool)> {
    let (mut rng, mut seen) = (Rng(seed), Seen::new(alphabet));
    (0..length).map(move |_| {
        let key = rng.below(alphabet);
        (key, seen.observe(key))
    })
}

/// Keys and whether each is the same as one before, without end of memory.
pub(crate) fn with_truth(keys: &[u64]) -> Vec<(u64, bool)> {
    let mut seen = std::collections::HashSet::new();
    keys.iter().map(|&key| (key, !seen.insert(key))).collect()
}

/// How long ago, in keys, each key was there last.
pub(crate) fn distances(keys: &[u64]) -> Vec<Option<u64>> {
    let mut last = HashMap::new();
    (0..).zip(keys).map(|(now, &key)| last.insert(key, now).map(|then: u64| now - then)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of duplicates to expect in a uniform stream.
    fn duplicate_share(alphabet: u64, length: u64) -> f64 {
        let (u, n) = (num::real(alphabet), num::real(length));
        1.0 - u / n * -(n * (-1.0 / u).ln_1p()).exp_m1()
    }

    #[test]
    fn the_share_of_duplicates_is_that_of_the_paper() {
        let length = 150_000_000;
        // The text says 38 % of the second alphabet; its tables say 39.79.
        assert!((duplicate_share(1 << 24, length) - 0.8882).abs() < 1e-4);
        assert!((duplicate_share(1 << 27, length) - 0.3979).abs() < 1e-4);
        let counted = uniform(1, 1 << 10, 3000).filter(|(_, before)| *before).count();
        assert!((num::size(counted) / 3000.0 - duplicate_share(1 << 10, 3000)).abs() < 0.02);
    }

    #[test]
    fn distances_are_to_the_last_sighting() {
        assert_eq!(distances(&[5, 6, 5, 5, 6]), [None, None, Some(2), Some(1), Some(3)]);
        assert_eq!(with_truth(&[5, 6, 5]), [(5, false), (6, false), (5, true)]);
    }
}
