//! Exact state: a hash map from key to its last sighting, and a ring of the last keys, so that the oldest can be forgotten.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use crate::detector::Detector;
use crate::num;
use crate::rng;

/// A hash as cheap as that of the other baselines.
#[derive(Debug, Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are integers")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = rng::mix(key);
    }
}

#[derive(Debug)]
pub(crate) struct ExactMap {
    last: HashMap<u64, u64, BuildHasherDefault<Mix>>,
    ring: VecDeque<u64>,
    window: u64,
    now: u64,
}

/// Bytes of an entry, with the control byte of its slot.
const SLOT: u64 = 17;
/// Bytes of a key in the ring.
const RING: u64 = 8;

/// Bits of the map and the ring: the map has a power of two of slots and fills at most seven of eight.
pub(crate) fn bits(window: u64) -> u64 {
    let slots = (window * 8).div_ceil(7).next_power_of_two();
    8 * (slots * SLOT + window * RING)
}

/// Bits a key of windows between half of one and twice it, even by the logarithm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) least: f64,
    pub(crate) mean: f64,
    pub(crate) most: f64,
}

/// What the map takes over two octaves of sizes around a window.
pub(crate) fn sizes(window: u64) -> Sizes {
    const STEPS: u32 = 2048;
    let at = |i: u32| num::real(window) / 2.0 * 4_f64.powf((f64::from(i) + 0.5) / f64::from(STEPS));
    let all: Vec<f64> = (0..STEPS).map(|i| num::floor(at(i))).map(|n| num::real(bits(n)) / num::real(n)).collect();
    let mean = all.iter().sum::<f64>() / f64::from(STEPS);
    Sizes { least: all.iter().copied().fold(f64::MAX, f64::min), mean, most: all.iter().copied().fold(0.0, f64::max) }
}

impl ExactMap {
    pub(crate) fn new(window: u64) -> Self {
        let room = num::index(window + 1);
        Self {
            last: HashMap::with_capacity_and_hasher(room, BuildHasherDefault::default()),
            ring: VecDeque::with_capacity(room),
            window,
            now: 0,
        }
    }
}

impl ExactMap {
    /// One that forgets nothing and begins without room.
    pub(crate) fn endless() -> Self {
        Self { last: HashMap::default(), ring: VecDeque::new(), window: u64::MAX, now: 0 }
    }
}

impl Detector for ExactMap {
    fn observe(&mut self, key: u64) -> bool {
        self.now += 1;
        let found = self.last.insert(key, self.now).is_some();
        self.ring.push_back(key);
        if num::wide(self.ring.len()) > self.window {
            let oldest = self.ring.pop_front().expect("a ring that is too long");
            if self.last.get(&oldest).is_some_and(|&then| then + self.window <= self.now) {
                self.last.remove(&oldest);
            }
        }
        found
    }

    fn bits(&self) -> f64 {
        num::real(bits(self.window))
    }

    /// Control bytes and entry of the key that comes, and of the one that goes.
    fn lines(&self) -> f64 {
        4.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::streams;

    /// By hand: 17 bytes a slot, loads from 7/16 to 7/8, and a ring of 8 bytes a key.
    #[test]
    fn sizes_span_both_ends_of_a_doubling() {
        let sizes = sizes(1 << 16);
        let at = |load: f64| 8.0 * (17.0 / load + 8.0);
        assert!((sizes.least / at(7.0 / 8.0) - 1.0).abs() < 1e-3, "{sizes:?}");
        assert!((sizes.most / at(7.0 / 16.0) - 1.0).abs() < 1e-3, "{sizes:?}");
        // The mean of 1/x over x in an octave by its logarithm is (1/a - 1/2a) / ln 2.
        assert!((sizes.mean / (64.0 + 136.0 * 8.0 / 7.0 / std::f64::consts::LN_2) - 1.0).abs() < 2e-3, "{sizes:?}");
    }

    #[test]
    fn it_is_the_truth() {
        let mut rng = Rng(1);
        let keys: Vec<u64> = (0..20_000).map(|_| rng.below(300)).collect();
        let mut map = ExactMap::new(100);
        for (key, distance) in keys.iter().zip(streams::distances(&keys)) {
            assert_eq!(map.observe(*key), distance.is_some_and(|distance| distance <= 100));
        }
        assert!(map.last.len() <= 100);
    }
}
