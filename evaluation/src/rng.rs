//! SplitMix64: a seeded generator whose runs repeat everywhere, and the mixing of its step as a hash of integers.

use crate::num;

/// The state.
#[derive(Debug, Clone)]
pub(crate) struct Rng(pub(crate) u64);

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// 64 bits that look independent of `x`: one step of the generator.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(STEP);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The `i`-th hash of a key: each i is a function of its own.
pub(crate) const fn hash(key: u64, i: u64) -> u64 {
    mix(mix(key).wrapping_add(mix(i ^ 0xA5A5_0000)))
}

impl Rng {
    /// 64 uniform bits.
    pub(crate) const fn next(&mut self) -> u64 {
        let value = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        value
    }

    /// Uniform in `0..n`.
    pub(crate) const fn below(&mut self, n: u64) -> u64 {
        num::spread(self.next(), n)
    }

    /// Uniform in (0, 1].
    pub(crate) const fn unit(&mut self) -> f64 {
        num::real((self.next() >> 11) + 1) / num::real(1 << 53)
    }
}
