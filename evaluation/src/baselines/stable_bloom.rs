//! Stable Bloom Filter (Deng, Rafiei 2006): m cells of d bits; each key lowers P cells by one and sets its K to the most.
//!
//! Law: the share of zero cells settles at (1 / (1 + 1 / (P (1/K - 1/m))))^Max, and P is chosen so that the rate of false
//! duplicates settles at the one asked for. As published a key is present if *any* of its cells is above zero, not all.

use super::Reading;
use crate::detector::Detector;
use crate::num;
use crate::rng::{self, Rng};

/// Bits of a cell, and hashes of a key.
const D: u64 = 2;
const K: u64 = 2;
const MAX: u8 = 3;

pub(crate) struct StableBloom {
    cells: Vec<u8>,
    /// How many cells a key lowers.
    lowered: u64,
    any: bool,
    seed: u64,
    rng: Rng,
}

impl StableBloom {
    /// Two bits a cell, two hashes, false duplicates at `target`: the setting of the QHT paper is 0.02.
    pub(crate) fn new(reading: Reading, memory: u64, target: f64, seed: u64) -> Self {
        let m = (memory / D).max(K + 1);
        let cells = vec![0; num::index(m)];
        Self { cells, lowered: lowered(m, target), any: reading == Reading::Published, seed, rng: Rng(!seed) }
    }
}

/// P for a settled rate of `target` with m cells.
pub(crate) fn lowered(m: u64, target: f64) -> u64 {
    let zeros = 1.0 - target.powf(1.0 / num::real(K));
    let growth = 1.0 / zeros.powf(1.0 / f64::from(MAX)) - 1.0;
    num::floor(1.0 / (growth * (1.0 / num::real(K) - 1.0 / num::real(m)))).max(1)
}

/// The chance that a cell is above zero, `0..` keys after it had the value `from`: the cell as a chain of its values.
pub(crate) fn above_zero(m: u64, target: f64, from: u8) -> impl Iterator<Item = f64> {
    let (p, k) = (num::real(lowered(m, target)) / num::real(m), num::real(K) / num::real(m));
    let mut chances = [0.0; 4];
    chances[usize::from(from)] = 1.0;
    std::iter::from_fn(move || {
        let now = 1.0 - chances[0];
        let [zero, one, two, three] = chances;
        let less = [zero + p * one, (1.0 - p) * one + p * two, (1.0 - p) * two + p * three, (1.0 - p) * three];
        chances = less.map(|chance| chance * (1.0 - k));
        chances[3] += k;
        Some(now)
    })
}

/// The rate that any (as published) or all of a key's cells are above zero.
pub(crate) fn present(reading: Reading, above: f64) -> f64 {
    match reading {
        Reading::Published => 1.0 - (1.0 - above).powi(num::power(K)),
        Reading::Correct => above.powi(num::power(K)),
    }
}

impl Detector for StableBloom {
    fn observe(&mut self, key: u64) -> bool {
        let m = num::wide(self.cells.len());
        let places = [0, 1].map(|i| num::index(num::spread(rng::hash(key ^ self.seed, i), m)));
        let above = places.map(|place| self.cells[place] > 0);
        let found = if self.any { above.contains(&true) } else { !above.contains(&false) };
        let first = self.rng.below(m);
        for i in first..first + self.lowered {
            let cell = &mut self.cells[num::index(i % m)];
            *cell = cell.saturating_sub(1);
        }
        places.iter().for_each(|&place| self.cells[place] = MAX);
        found
    }

    fn bits(&self) -> f64 {
        num::real(num::wide(self.cells.len()) * D)
    }

    fn lines(&self) -> f64 {
        num::real(K) + 1.0 + num::real(self.lowered * D) / 512.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled_rate(reading: Reading) -> f64 {
        let mut filter = StableBloom::new(reading, 20_000, 0.02, 1);
        (0..100_000).for_each(|key| {
            filter.observe(key);
        });
        num::size((100_000..400_000).filter(|&key| filter.observe(key)).count()) / 3e5
    }

    /// The rate settles at the target, and at 1 - zeros^2 where any cell is enough.
    #[test]
    fn rate_settles_at_the_formula() {
        assert_eq!(lowered(10_000, 0.02), 38);
        let zeros = |m: f64, p: f64| (1.0 / (1.0 + 1.0 / (p * (0.5 - 1.0 / m)))).powi(3);
        let zeros = zeros(10_000.0, 38.0);
        let (all, any) = (settled_rate(Reading::Correct), settled_rate(Reading::Published));
        assert!((all - (1.0 - zeros).powi(2)).abs() < 0.002 && (all - 0.02).abs() < 0.002, "{all}");
        assert!((any - (1.0 - zeros * zeros)).abs() < 0.005 && (any - 0.264).abs() < 0.006, "{any}");
    }

    #[test]
    fn chain_settles_at_the_formula() {
        let last = above_zero(1000, 0.02, 3).nth(5000).expect("endless");
        assert!((last * last - 0.02).abs() < 0.002, "{last}");
        assert_eq!(above_zero(1000, 0.02, 3).next(), Some(1.0));
        assert_eq!(above_zero(1000, 0.02, 0).next(), Some(0.0));
    }
}
