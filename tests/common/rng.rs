//! SplitMix64: a seeded generator whose runs repeat everywhere.

use super::num::{floor, real};

/// The state.
#[derive(Debug, Clone)]
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    /// 64 uniform bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// Uniform in `0..n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        u64::try_from((u128::from(self.next()) * u128::from(n)) >> 64).expect("below n")
    }

    /// Uniform in (0, 1].
    pub(crate) fn unit(&mut self) -> f64 {
        real((self.next() >> 11) + 1) / real(1 << 53)
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// The gap before the next arrival of a Poisson stream with this mean gap.
    pub(crate) fn gap(&mut self, mean: f64) -> u64 {
        floor(-self.unit().ln() * mean)
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[super::num::index(self.below(super::num::wide(from.len())))]
    }
}
