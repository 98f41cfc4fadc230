//! Bloom filters in rotation that share their places: each place has one bit of every set, next to each other.
//!
//! A key has k places, and each of G + 1 sets has its bit in each of them. So a question reads k places for all sets together, where
//! separate filters take k places each. The bits and the law are those of separate filters; the sets have the same hashes, so
//! that a new key meets the sets one by one, and the rate is theirs. When a set is dropped, its bit is cleared in all places.

use crate::detector::Detector;
use crate::num;
use crate::rng;
use crate::timely::Rotating;

/// The most sets whose bits of a place lie in two bytes, wherever the place begins.
const MOST_SETS: u64 = 9;

#[derive(Debug)]
pub(crate) struct SharedPlaces {
    bytes: Vec<u8>,
    places: u64,
    k: u64,
    sets: u64,
    seed: u64,
    /// The set that takes keys.
    active: u64,
    turn: u64,
    left: u64,
}

impl SharedPlaces {
    /// Sets of `places` bits and k hashes each, one more than the generations of `turn` keys.
    pub(crate) fn new(places: u64, k: u64, generations: u64, turn: u64, seed: u64) -> Self {
        let sets = generations + 1;
        assert!(sets <= MOST_SETS, "a place of {sets} bits");
        // A place is read as two bytes, and bytes are cleared in groups of `sets`.
        let bytes = vec![0; num::index((places * sets).div_ceil(8) + 1).next_multiple_of(num::index(sets))];
        Self { bytes, places, k, sets, seed, active: 0, turn, left: turn }
    }

    /// Drops the oldest set, which then takes keys.
    pub(crate) fn shift(&mut self) {
        self.active = (self.active + 1) % self.sets;
        self.left = self.turn;
        // The bits of a set repeat after as many bytes as there are sets.
        let keeps: Vec<u8> = (0..self.sets).map(|byte| self.keeps(byte)).collect();
        for group in self.bytes.chunks_exact_mut(keeps.len()) {
            group.iter_mut().zip(&keeps).for_each(|(byte, keeps)| *byte &= keeps);
        }
    }

    /// The bits of a byte that are not the active set's.
    fn keeps(&self, byte: u64) -> u8 {
        (0..8).filter(|bit| (8 * byte + bit) % self.sets != self.active).map(|bit| 1 << bit).sum()
    }

    /// Whether a key is in any set; then it is in the active one. Keys of a turn are not counted.
    pub(crate) fn show(&mut self, key: u64) -> bool {
        let (mut at, step) = (rng::hash(key ^ self.seed, 0), rng::hash(key ^ self.seed, 1) | 1);
        let (mut all, mine) = (u16::MAX >> (16 - self.sets), 1_u16 << self.active);
        for _ in 0..self.k {
            at = at.wrapping_add(step);
            let bit = num::spread(at, self.places) * self.sets;
            let (byte, shift) = (num::index(bit / 8), bit % 8);
            let pair = u16::from_le_bytes([self.bytes[byte], self.bytes[byte + 1]]);
            all &= pair >> shift;
            [self.bytes[byte], self.bytes[byte + 1]] = (pair | (mine << shift)).to_le_bytes();
        }
        all != 0
    }
}

impl Detector for SharedPlaces {
    fn observe(&mut self, key: u64) -> bool {
        if self.left == 0 {
            self.shift();
        }
        self.left -= 1;
        self.show(key)
    }

    fn bits(&self) -> f64 {
        num::real(self.places * self.sets)
    }

    fn lines(&self) -> f64 {
        lines(self.k)
    }
}

/// Cache lines of k places: one of 64 pairs of bytes crosses a line.
pub(crate) fn lines(k: u64) -> f64 {
    num::real(k) * (1.0 + 1.0 / 64.0)
}

impl Rotating for SharedPlaces {
    fn rotate(&mut self) {
        self.shift();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 504;

    fn filter(generations: u64, places: u64) -> SharedPlaces {
        SharedPlaces::new(places, 8, generations, WINDOW / generations, 1)
    }

    #[test]
    fn last_keys_are_found_for_a_window_and_a_turn_at_most() {
        for generations in [1, 2, 4, 7, 8] {
            let turn = WINDOW / generations;
            for ago in [WINDOW, WINDOW + turn + 1] {
                let mut filter = filter(generations, 1 << 16);
                let found = (0..10 * WINDOW).filter(|&key| {
                    filter.observe(key);
                    // The question is asked of a copy, so that it changes nothing.
                    let mut copy = SharedPlaces { bytes: filter.bytes.clone(), ..filter };
                    key >= ago && key % 37 == 0 && copy.show(key + 1 - ago)
                });
                let (found, asked) = (num::wide(found.count()), (ago..10 * WINDOW).filter(|key| key % 37 == 0).count());
                let expected = if ago == WINDOW { num::wide(asked) } else { 0 };
                assert_eq!(found, expected, "{generations} generations, {ago} keys ago");
            }
        }
    }

    /// Five standard deviations; G full sets and one that is half full on average.
    #[test]
    fn rate_is_that_of_separate_filters() {
        use crate::baselines::bloom;
        use crate::laws::turns;
        let (keys, k, generations) = (2000, 5, 4);
        let mut filter = SharedPlaces::new(keys * 8, k, generations, keys, 1);
        (0..5 * keys).for_each(|key| {
            filter.observe(key);
        });
        let found = (0..400_000).filter(|&key| filter.observe((1 << 40) | key)).count();
        let one = |part: f64| if part > 0.0 { bloom::rate(8.0 / part, k) } else { 0.0 };
        let (rate, law) = (num::size(found) / 4e5, turns::mean(generations, one));
        assert!((rate - law).abs() < 5.0 * (law / 4e5).sqrt() + 0.02 * law, "{rate} {law}");
    }
}
