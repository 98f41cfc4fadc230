//! A2 (Yoon 2010): two Bloom filters of half the memory; keys go to the active one, questions to both; when it is full
//! the other is cleared and they change places.
//!
//! Never misses a key among the last n_a insertions. Law: each half holds n_a keys that were not in it; a key that its
//! active half already seems to hold is not counted, so a half lives a little longer than n_a keys. As published k comes
//! from a natural logarithm instead of one to base 2: 2 hashes instead of 4 for a rate of 0.1.

use super::Reading;
use crate::detector::Detector;
use crate::num;
use crate::rng;

pub(crate) struct A2 {
    active: Vec<u64>,
    old: Vec<u64>,
    shape: Shape,
    count: u64,
    seed: u64,
}

/// The integers of a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// Bits of a half.
    pub(crate) bits: u64,
    pub(crate) k: u64,
    /// Keys that fill a half.
    pub(crate) capacity: u64,
}

impl Shape {
    /// For a rate of false duplicates of `target` when both halves are full.
    pub(crate) fn new(reading: Reading, memory: u64, target: f64) -> Self {
        let half = 1.0 - (1.0 - target).sqrt();
        let k = num::floor(-if reading == Reading::Published { half.ln() } else { half.log2() }).max(1);
        let capacity = num::floor(num::real(memory) * std::f64::consts::LN_2 / (2.0 * num::real(k))).max(1);
        Self { bits: (memory / 2).max(1), k, capacity }
    }

    /// The rate at which a half that took `keys` keys holds one that it never took.
    pub(crate) fn rate(&self, keys: f64) -> f64 {
        let (k, bits) = (num::real(self.k), num::real(self.bits));
        (-(-k * keys / bits).exp_m1()).powf(k)
    }

    /// How many new keys a half lives, and the mean rate of false duplicates meanwhile, the other half being full.
    pub(crate) fn law(&self) -> (f64, f64) {
        const STEPS: f64 = 1000.0;
        let step = num::real(self.capacity) / STEPS;
        let (mut life, mut stored, mut rates) = (0.0, 0.0, 0.0);
        while stored < num::real(self.capacity) {
            let rate = self.rate(life + step / 2.0);
            (life, stored, rates) = (life + step, stored + step * (1.0 - rate), rates + rate * step);
        }
        (life, 1.0 - (1.0 - self.rate(life)) * (1.0 - rates / life))
    }
}

impl A2 {
    pub(crate) fn new(shape: Shape, seed: u64) -> Self {
        let half = vec![0; num::index(shape.bits.div_ceil(64))];
        Self { active: half.clone(), old: half, shape, count: 0, seed }
    }

    fn places(&self, key: u64) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (bits, seed) = (self.shape.bits, self.seed);
        let place = move |i| num::spread(rng::hash(key ^ seed, i), bits);
        (0..self.shape.k).map(place).map(|at| (num::index(at / 64), 1 << (at % 64)))
    }

    fn insert(&mut self, key: u64) {
        self.places(key).for_each(|(word, bit)| self.active[word] |= bit);
    }
}

impl Detector for A2 {
    fn observe(&mut self, key: u64) -> bool {
        if self.places(key).all(|(word, bit)| self.active[word] & bit != 0) {
            return true;
        }
        let found = self.places(key).all(|(word, bit)| self.old[word] & bit != 0);
        self.insert(key);
        self.count += 1;
        if self.count >= self.shape.capacity {
            std::mem::swap(&mut self.active, &mut self.old);
            self.active.fill(0);
            self.insert(key);
            self.count = 1;
        }
        found
    }

    fn bits(&self) -> f64 {
        2.0 * num::real(self.shape.bits)
    }

    fn lines(&self) -> f64 {
        2.0 * num::real(self.shape.k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_law() {
        for (reading, k) in [(Reading::Published, 2), (Reading::Correct, 4)] {
            let shape = Shape::new(reading, 40_000, 0.1);
            assert_eq!((shape.k, shape.bits, shape.capacity), (k, 20_000, 27_725 / 2 / k));
            let mut filter = A2::new(shape, 1);
            (0..100_000).for_each(|key| {
                filter.observe(key);
            });
            let rate = num::size((100_000..1_100_000).filter(|&key| filter.observe(key)).count()) / 1e6;
            let (life, law) = shape.law();
            assert!((rate / law - 1.0).abs() < 0.02, "{reading:?}: {rate}, law {law}");
            assert!(life > num::real(shape.capacity) && life < 1.2 * num::real(shape.capacity));
        }
    }

    #[test]
    fn the_last_keys_are_never_missed() {
        let shape = Shape::new(Reading::Correct, 4000, 0.1);
        let mut filter = A2::new(shape, 2);
        for key in 0..20_000 {
            filter.observe(key);
            // The keys that are asked for again count too.
            let back = shape.capacity / 2 - 1;
            assert!(key < back || filter.observe(key - back), "{key}");
        }
    }
}
