//! Streaming Quotient Filter (Dutta, Narang, Bera 2013): a row of k fingerprints, each some bits of a remainder and its
//! Hamming weight; a random victim when the row is full.
//!
//! Price: r' + ceil(log2(r + 1)) bits a cell for at most 2^r' (r - r' + 1) fingerprints. As published the rows are
//! rounded down to a power of two, which leaves up to half of the memory unused.

use super::Reading;
use crate::detector::Detector;
use crate::num;
use crate::rng::{self, Rng};
use crate::wrong::{self, Wrong};

/// The integers of a cell: bits of the remainder, and of it those that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) r: u32,
    pub(crate) kept: u32,
}

/// The setting of the QHT paper: four fingerprints, each as likely as the others.
pub(crate) const FOUR: Cell = Cell { r: 2, kept: 1 };

impl Cell {
    /// Bits: those that are kept, and the weight of all.
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.kept + (self.r + 1).next_power_of_two().trailing_zeros())
    }

    /// The chance that two keys have one fingerprint: the kept bits, and the weight of the n others, C(2n, n) / 4^n.
    pub(crate) fn collision(self) -> f64 {
        let weights: f64 = (1..=self.r - self.kept).map(|i| 1.0 - 0.5 / f64::from(i)).product();
        0.5_f64.powi(num::power(u64::from(self.kept))) * weights
    }

    /// The cell of the fewest bits whose fingerprints collide at most that often; of those, the one that does least.
    pub(crate) fn for_rate(target: f64) -> Self {
        let all = (1..=12).flat_map(|r| (1..=r).map(move |kept| Self { r, kept }));
        let enough = all.filter(|cell| cell.collision() <= target);
        let least = |a: &Self, b: &Self| a.bits().cmp(&b.bits()).then(a.collision().total_cmp(&b.collision()));
        enough.min_by(least).expect("12 bits are enough for any rate here")
    }
}

pub(crate) struct Sqf {
    rows: u64,
    k: u64,
    cell: Cell,
    /// 0 is an empty cell.
    cells: Vec<u16>,
    seed: u64,
    rng: Rng,
}

impl Sqf {
    /// One bucket a row, r = 2, r' = 1: the setting of the QHT paper.
    pub(crate) fn new(reading: Reading, memory: u64, seed: u64) -> Self {
        Self::with(reading, memory, 1, FOUR, seed)
    }

    /// Rows of k cells.
    pub(crate) fn with(reading: Reading, memory: u64, k: u64, cell: Cell, seed: u64) -> Self {
        let rows = rows(reading, memory, k * cell.bits());
        let rows = if wrong::is(Wrong::FewRows) { rows.div_ceil(2) } else { rows };
        Self { rows, k, cell, cells: vec![0; num::index(rows * k)], seed, rng: Rng(!seed) }
    }

    fn fingerprint(&self, hash: u64) -> u16 {
        let Cell { r, kept } = self.cell;
        let remainder = hash & ((1 << r) - 1);
        let code = (remainder & ((1 << kept) - 1)) | (u64::from(remainder.count_ones()) << kept);
        u16::try_from(code + 1).expect("a few bits")
    }
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
        num::real(self.rows * self.k * self.cell.bits())
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
        let bits = [(2, 1), (3, 1), (7, 2)].map(|(r, kept)| Cell { r, kept }.bits());
        assert_eq!(bits, [3, 3, 5]);
    }

    /// Against all pairs of remainders.
    #[test]
    fn fingerprints_collide_as_often_as_remainders_say() {
        for cell in [FOUR, Cell { r: 3, kept: 1 }, Cell { r: 7, kept: 6 }, Cell { r: 4, kept: 4 }] {
            let filter = Sqf::with(Reading::Correct, 900, 1, cell, 1);
            let all: Vec<u16> = (0..1 << cell.r).map(|remainder| filter.fingerprint(remainder)).collect();
            let equal: usize = all.iter().map(|one| all.iter().filter(|other| *other == one).count()).sum();
            let share = num::size(equal) / num::size(all.len() * all.len());
            assert!((share - cell.collision()).abs() < 1e-12, "{cell:?}: {share}");
        }
        assert!(Cell::for_rate(0.01).collision() <= 0.01 && Cell::for_rate(0.25).bits() == 3);
    }
}
