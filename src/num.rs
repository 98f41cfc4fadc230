//! Conversions between number types: the only file of the crate with `as`.
//!
//! Law: a conversion either keeps the value or names the loss in its name.
#![allow(clippy::as_conversions, reason = "this is the one file for casts")]

/// A length or index as a 64-bit count; no supported platform has a wider `usize`.
#[inline]
pub(crate) const fn wide(n: usize) -> u64 {
    n as u64
}

/// A 64-bit count as an index. The caller knows that it is a position in memory that exists.
#[inline]
pub(crate) const fn index(n: u64) -> usize {
    debug_assert!(n <= usize::MAX as u64, "no index");
    n as usize
}

/// The nearest double; exact below 2^53.
#[inline]
pub(crate) const fn real(n: u64) -> f64 {
    n as f64
}

/// The integer part of a double, 0 below 0 and for NaN, `u64::MAX` above it.
#[inline]
pub(crate) const fn floor(x: f64) -> u64 {
    x as u64
}

/// The smallest integer not below `x`, with the ends of [`floor`].
#[inline]
pub(crate) fn ceil(x: f64) -> u64 {
    floor(x.ceil())
}

/// The low 32 bits.
#[inline]
pub(crate) const fn lower(n: u64) -> u32 {
    n as u32
}

/// The high 32 bits.
#[inline]
pub(crate) const fn upper(n: u64) -> u32 {
    lower(n >> 32)
}

/// The low 64 bits.
#[inline]
pub(crate) const fn low_half(n: u128) -> u64 {
    n as u64
}

/// 2^64 over the golden ratio, made odd: the step of a Weyl sequence.
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Spreads every bit over all: Stafford's variant 13 of the 64-bit finaliser.
#[inline]
pub(crate) const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Maps a uniform 64-bit value to 0 .. `n`, almost uniformly and without a division
/// (multiply and keep the high word).
#[inline]
pub(crate) const fn spread(uniform: u64, n: u64) -> u64 {
    ((uniform as u128 * n as u128) >> 64) as u64
}

/// [`spread`], and what the uniform value has left: 64 bits, uniform again except for about log2(`n`) of the lowest.
#[inline]
pub(crate) const fn split(uniform: u64, n: u64) -> (u64, u64) {
    (spread(uniform, n), uniform.wrapping_mul(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_turn_into_integers_without_surprises() {
        assert_eq!((floor(-1.0), floor(f64::NAN), floor(1e300)), (0, 0, u64::MAX));
        assert_eq!((ceil(2.0), ceil(2.1), ceil(f64::INFINITY)), (2, 3, u64::MAX));
    }

    #[test]
    fn spread_covers_the_range_and_nothing_else() {
        assert_eq!((spread(0, 10), spread(u64::MAX, 10), spread(u64::MAX, 1)), (0, 9, 0));
        assert_eq!(spread(1 << 63, 10), 5);
    }
}
