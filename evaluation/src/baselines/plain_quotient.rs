//! A QHT of cells in whole bytes with each of the three ways to tell an empty cell from a fingerprint of 0 (QHT paper,
//! section 3.2). Lately's own has the third.

use crate::detector::Detector;
use crate::num;
use crate::rng::{self, Rng};
use crate::wrong::{self, Wrong};

/// What becomes of a key whose fingerprint is 0, which is what an empty cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zero {
    /// Nothing: 0 is a fingerprint like any other.
    Fingerprint,
    /// It gets the fingerprint 1.
    Reassigned,
    /// Another one is derived until it is not 0.
    DerivedAgain,
}

pub(crate) struct PlainQuotient {
    zero: Zero,
    rows: u64,
    k: u64,
    s: u32,
    cells: Vec<u8>,
    seed: u64,
    rng: Rng,
    /// Fingerprints that were derived.
    pub(crate) derived: u64,
}

impl PlainQuotient {
    /// Rows of k cells of s bits.
    pub(crate) fn new(zero: Zero, rows: u64, (k, s): (u64, u32), seed: u64) -> Self {
        let cells = vec![0; num::index(rows * k)];
        let zero = if wrong::is(Wrong::OtherZero) { Zero::Reassigned } else { zero };
        Self { zero, rows, k, s, cells, seed, rng: Rng(!seed), derived: 0 }
    }

    fn fingerprint(&mut self, hash: u64) -> u8 {
        for i in 1.. {
            self.derived += 1;
            let fingerprint = rng::hash(hash, i) & ((1 << self.s) - 1);
            match (fingerprint, self.zero) {
                (0, Zero::DerivedAgain) => {}
                (0, Zero::Reassigned) => return 1,
                _ => return u8::try_from(fingerprint).expect("at most eight bits"),
            }
        }
        unreachable!("a fingerprint that is not 0 comes at last")
    }
}

impl Detector for PlainQuotient {
    fn observe(&mut self, key: u64) -> bool {
        let hash = rng::hash(key ^ self.seed, 0);
        let fingerprint = self.fingerprint(hash);
        let first = num::index(num::spread(hash, self.rows) * self.k);
        let row = &mut self.cells[first..first + num::index(self.k)];
        if row.contains(&fingerprint) {
            return true;
        }
        let empty = row.iter().position(|&cell| cell == 0);
        row[empty.unwrap_or_else(|| num::index(self.rng.below(self.k)))] = fingerprint;
        false
    }

    fn bits(&self) -> f64 {
        num::real(self.rows * self.k * u64::from(self.s))
    }

    fn lines(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_has_its_fingerprints() {
        for (zero, ones) in [(Zero::Fingerprint, 1.0), (Zero::Reassigned, 2.0), (Zero::DerivedAgain, 8.0 / 7.0)] {
            let mut filter = PlainQuotient::new(zero, 64, (2, 3), 1);
            let all: Vec<u8> = (0..80_000).map(|key| filter.fingerprint(rng::mix(key))).collect();
            let share = |of: u8| num::size(all.iter().filter(|&&one| one == of).count()) / 10_000.0;
            assert!((share(1) - ones).abs() < 0.05, "{zero:?}: {}", share(1));
            assert_eq!(share(0) > 0.9, zero == Zero::Fingerprint);
            let hashes = if zero == Zero::DerivedAgain { 8.0 / 7.0 } else { 1.0 };
            assert!((num::real(filter.derived) / 80_000.0 - hashes).abs() < 0.01, "{zero:?}");
        }
    }
}
