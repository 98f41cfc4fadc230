//! SWAMP (Assaf, Ben Basat, Einziger, Friedman 2018): the last n fingerprints in a ring, and how often each is in it.
//!
//! Law: fingerprints of L = ceil(log2(n / rate)) bits; an absent key meets one of n with 1 - (1 - 2^-L)^n. The window is
//! exact. The counts are in a TinyTable, whose bits are the paper's, with a fifth of room; a hash map replaces it, so
//! that times of this file mean nothing.

use std::collections::{HashMap, VecDeque};

use crate::detector::Detector;
use crate::num;
use crate::rng;

#[derive(Debug)]
pub(crate) struct Swamp {
    ring: VecDeque<u64>,
    counts: HashMap<u64, u32>,
    window: u64,
    shift: u32,
    seed: u64,
}

/// Bits of a fingerprint.
pub(crate) fn fingerprint(window: u64, target: f64) -> u32 {
    num::small(num::ceil((num::real(window) / target).log2()))
}

/// The rate.
pub(crate) fn rate(window: u64, fingerprint: u32) -> f64 {
    -(num::real(window) * (-(0.5_f64.powi(num::power(u64::from(fingerprint))))).ln_1p()).exp_m1()
}

/// Bits per key: the ring, and the table of counts.
pub(crate) fn bits_per_key(window: u64, fingerprint: u32) -> f64 {
    const ROOM: f64 = 0.2;
    let length = f64::from(fingerprint);
    length + (1.0 + ROOM) * (length - num::real(window).log2() + 3.0)
}

impl Swamp {
    pub(crate) fn new(window: u64, fingerprint: u32, seed: u64) -> Self {
        Self { ring: VecDeque::new(), counts: HashMap::new(), window, shift: 64 - fingerprint, seed }
    }

    /// The oldest fingerprint leaves.
    fn leave(&mut self) {
        if num::wide(self.ring.len()) <= self.window {
            return;
        }
        let oldest = self.ring.pop_front().expect("a ring that is too long");
        let count = self.counts.get_mut(&oldest).expect("what is in the ring is counted");
        *count -= 1;
        if *count == 0 {
            self.counts.remove(&oldest);
        }
    }
}

impl Detector for Swamp {
    fn observe(&mut self, key: u64) -> bool {
        let fingerprint = rng::hash(key ^ self.seed, 0) >> self.shift;
        let count = self.counts.entry(fingerprint).or_default();
        *count += 1;
        let found = *count > 1;
        self.ring.push_back(fingerprint);
        self.leave();
        found
    }

    fn bits(&self) -> f64 {
        num::real(self.window) * bits_per_key(self.window, 64 - self.shift)
    }

    /// A bucket for the key that comes and one for that which goes; the ring's ends are next to the last ones.
    fn lines(&self) -> f64 {
        2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_exact() {
        let mut swamp = Swamp::new(100, 60, 1);
        for key in 0..1000 {
            assert!(!swamp.observe(key));
        }
        // Each question is a key of its own: it moves the window.
        assert!((900..1000).all(|key| swamp.observe(key)));
        assert!((0..900).all(|key| !swamp.observe(key)));
        assert_eq!(swamp.ring.len(), 100);
        assert!(swamp.counts.values().map(|&count| u64::from(count)).sum::<u64>() == 100);
    }

    /// Five standard deviations, 600,000 new keys.
    #[test]
    fn the_rate_is_that_of_the_law() {
        let bits = fingerprint(3000, 1e-2);
        let mut swamp = Swamp::new(3000, bits, 1);
        (0..3000).for_each(|key| {
            swamp.observe(key);
        });
        let found = (3000..603_000).filter(|&key| swamp.observe(key)).count();
        let (measured, law) = (num::size(found) / 6e5, rate(3000, bits));
        assert!((measured - law).abs() < 5.0 * (law / 6e5).sqrt() + 0.02 * law, "{measured} {law}");
        assert!(law <= 1e-2 && law > 5e-3);
    }

    #[test]
    fn its_size_is_that_of_its_paper() {
        // 2^20 keys, 1 %: 27 bits in the ring, 1.2 x (7 + 3) in the table.
        assert!((bits_per_key(1 << 20, fingerprint(1 << 20, 1e-2)) - 39.0).abs() < 0.01);
    }
}
