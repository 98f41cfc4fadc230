//! Streaming cuckoo filter (Fan et al. 2014, as the QHT paper adapts it): one fingerprint in one of two cells; after 50
//! relocations the homeless one is dropped. Keys that are found are stored again.
//!
//! Law: with all cells full and independent (they are nearly so: 0.3 points below), an absent key finds its fingerprint in one of two cells with 1 - (1 - sum of p^2)^2. As
//! published, a fingerprint of 0 becomes 1 (which doubles its weight), and the cells are as many as if each took 2^s bits,
//! rounded down to a power of two: 20 to 31 % of the memory.

use super::Reading;
use crate::detector::Detector;
use crate::num;
use crate::rng::{self, Rng};

const RELOCATIONS: u32 = 50;

pub(crate) struct Cuckoo {
    reading: Reading,
    /// 0 is an empty cell.
    cells: Vec<u8>,
    s: u32,
    seed: u64,
    rng: Rng,
}

impl Cuckoo {
    /// Fingerprints of `s` bits, one to a bucket.
    pub(crate) fn new(reading: Reading, memory: u64, s: u32, seed: u64) -> Self {
        let cells = match reading {
            Reading::Published => 1 << (memory >> s).max(1).ilog2(),
            Reading::Correct => (memory / u64::from(s)).max(1),
        };
        Self { reading, cells: vec![0; num::index(cells)], s, seed, rng: Rng(!seed) }
    }

    fn fingerprint(&self, hash: u64) -> u8 {
        let values = (1 << self.s) - 1;
        let value = match self.reading {
            Reading::Published => num::spread(hash, values + 1).max(1),
            Reading::Correct => 1 + num::spread(hash, values),
        };
        u8::try_from(value).expect("a few bits")
    }

    /// The other cell of a fingerprint; its other cell is this one again.
    fn other(&self, place: usize, fingerprint: u8) -> usize {
        let (cells, hash) = (num::wide(self.cells.len()), rng::hash(u64::from(fingerprint), self.seed));
        match self.reading {
            Reading::Published => place ^ num::index((hash & (cells - 1)).max(1)),
            Reading::Correct => num::index((num::spread(hash, cells) + cells - num::wide(place)) % cells),
        }
    }

    fn place(&mut self, mut place: usize, mut fingerprint: u8) {
        for _ in 0..RELOCATIONS {
            std::mem::swap(&mut self.cells[place], &mut fingerprint);
            if fingerprint == 0 {
                return;
            }
            place = self.other(place, fingerprint);
        }
    }
}

/// The rate of false duplicates of a full table.
pub(crate) fn full_rate(reading: Reading, s: u32) -> f64 {
    let values = num::real(1 << s);
    let same = match reading {
        Reading::Published => ((values - 2.0) + 4.0) / (values * values),
        Reading::Correct => 1.0 / (values - 1.0),
    };
    1.0 - (1.0 - same) * (1.0 - same)
}

impl Detector for Cuckoo {
    fn observe(&mut self, key: u64) -> bool {
        let hash = rng::hash(key ^ self.seed, 0);
        let fingerprint = self.fingerprint(rng::mix(hash));
        let first = num::index(num::spread(hash, num::wide(self.cells.len())));
        let second = self.other(first, fingerprint);
        let found = [first, second].iter().any(|&place| self.cells[place] == fingerprint);
        let free = [first, second].into_iter().find(|&place| self.cells[place] == 0);
        let drawn = if self.rng.below(2) == 0 { first } else { second };
        self.place(free.unwrap_or(drawn), fingerprint);
        found
    }

    fn bits(&self) -> f64 {
        num::real(num::wide(self.cells.len()) * u64::from(self.s))
    }

    fn lines(&self) -> f64 {
        2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_table_has_the_error_of_the_law() {
        for (reading, law) in [(Reading::Published, 0.288), (Reading::Correct, 0.265)] {
            assert!((full_rate(reading, 3) - law).abs() < 1e-3);
            let mut filter = Cuckoo::new(reading, 30_000, 3, 1);
            (0..100_000).for_each(|key| {
                filter.observe(key);
            });
            let rate = num::size((100_000..300_000).filter(|&key| filter.observe(key)).count()) / 2e5;
            assert!((rate - full_rate(reading, 3)).abs() < 0.006, "{reading:?}: {rate}");
        }
    }

    #[test]
    fn the_other_of_the_other_is_the_first() {
        for reading in [Reading::Published, Reading::Correct] {
            let filter = Cuckoo::new(reading, 3000, 3, 7);
            let places = 0..filter.cells.len();
            assert!(places.into_iter().all(|at| (1..8).all(|f| filter.other(filter.other(at, f), f) == at)));
        }
    }

    #[test]
    fn a_key_in_a_roomy_table_is_found() {
        let mut filter = Cuckoo::new(Reading::Correct, 30_000, 8, 1);
        (0..1000).for_each(|key| {
            filter.observe(key);
            assert!(key > 300 || filter.observe(key), "{key}");
        });
        assert_eq!(Cuckoo::new(Reading::Published, 8_000_000, 3, 1).bits(), 3.0 * 524_288.0);
    }
}
