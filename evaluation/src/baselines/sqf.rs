//! Streaming Quotient Filter (Dutta, Narang, Bera 2013): a row of k fingerprints, each some bits of a remainder and its
//! Hamming weight; a random victim when the row is full.
//!
//! Price: r' + ceil(log2(r + 1)) bits a cell for at most 2^r' (r - r' + 1) fingerprints. As published the rows are
//! rounded down to a power of two, which leaves up to half of the memory unused.

use super::Reading;
use crate::detector::Detector;
use crate::num;
use crate::rng::{self, Rng};

pub(crate) struct Sqf {
    rows: u64,
    k: u64,
    /// Bits of the remainder, and of it those that are kept.
    r: u32,
    kept: u32,
    /// 0 is an empty cell.
    cells: Vec<u8>,
    seed: u64,
    rng: Rng,
}

impl Sqf {
    /// One bucket a row, r = 2, r' = 1: the setting of the QHT paper.
    pub(crate) fn new(reading: Reading, memory: u64, seed: u64) -> Self {
        let (k, r, kept) = (1, 2, 1);
        let rows = rows(reading, memory, k * cell_bits(r, kept));
        Self { rows, k, r, kept, cells: vec![0; num::index(rows * k)], seed, rng: Rng(!seed) }
    }

    fn fingerprint(&self, hash: u64) -> u8 {
        let remainder = hash & ((1 << self.r) - 1);
        let code = (remainder & ((1 << self.kept) - 1)) | (u64::from(remainder.count_ones()) << self.kept);
        u8::try_from(code + 1).expect("a few bits")
    }
}

/// Bits of a cell: those that are kept, and the weight of all.
fn cell_bits(r: u32, kept: u32) -> u64 {
    u64::from(kept + (r + 1).next_power_of_two().trailing_zeros())
}

fn rows(reading: Reading, memory: u64, bits: u64) -> u64 {
    let rows = (memory / bits).max(1);
    if reading == Reading::Published { 1 << rows.ilog2() } else { rows }
}

impl Detector for Sqf {
    fn observe(&mut self, key: u64) -> bool {
        let hash = rng::hash(key ^ self.seed, 0);
        let first = num::index(num::spread(hash, self.rows) * self.k);
        let fingerprint = self.fingerprint(rng::mix(hash));
        let row = &mut self.cells[first..first + num::index(self.k)];
        if row.contains(&fingerprint) {
            return true;
        }
        let empty = row.iter().position(|&cell| cell == 0);
        row[empty.unwrap_or_else(|| num::index(self.rng.below(self.k)))] = fingerprint;
        false
    }

    fn bits(&self) -> f64 {
        num::real(self.rows * self.k * cell_bits(self.r, self.kept))
    }

    fn lines(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four fingerprints, each as likely as the others: of the keys that meet a full row a quarter is called duplicate.
    #[test]
    fn a_quarter_of_new_keys_is_called_duplicate() {
        let mut filter = Sqf::new(Reading::Correct, 30_000, 1);
        assert_eq!((filter.rows, filter.bits()), (10_000, 30_000.0));
        (0..200_000).for_each(|key| {
            filter.observe(key);
        });
        let hits = (200_000..600_000).filter(|&key| filter.observe(key)).count();
        // 400,000 trials: standard deviation 0.07 %.
        assert!((num::size(hits) / 4e5 - 0.25).abs() < 0.003, "{hits}");
    }

    #[test]
    fn as_published_rows_are_a_power_of_two() {
        assert_eq!(Sqf::new(Reading::Published, 30_000, 1).rows, 8192);
        assert_eq!((cell_bits(2, 1), cell_bits(3, 1), cell_bits(7, 2)), (3, 3, 5));
    }
}
