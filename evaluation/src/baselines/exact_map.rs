//! Exact state: a hash map from key to its last sighting, and a ring of the last keys, so that the oldest can be forgotten.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use crate::detector::Detector;
use crate::num;
use crate::rng;

/// A hash as cheap as that of the other baselines.
#[derive(Debug, Default)]
struct Mix(u64);

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
