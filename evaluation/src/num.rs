//! Conversions between number types: the only file of the evaluation that says `as`.
#![allow(clippy::as_conversions, reason = "this is the one file for casts")]

/// A length or index as a 64-bit count.
pub(crate) const fn wide(n: usize) -> u64 {
    n as u64
}

/// A 64-bit count as an index. The caller knows that it is a position in memory that exists.
pub(crate) const fn index(n: u64) -> usize {
    n as usize
}

/// The nearest double; exact below 2^53.
pub(crate) const fn real(n: u64) -> f64 {
    n as f64
}

/// A length as a double.
pub(crate) const fn size(n: usize) -> f64 {
    n as f64
}

/// The integer part of a double, 0 below 0 and for NaN.
pub(crate) const fn floor(x: f64) -> u64 {
    x as u64
}

/// The smallest integer not below `x`.
pub(crate) fn ceil(x: f64) -> u64 {
    floor(x.ceil())
}

/// A small count, for powers; what does not fit becomes the largest.
pub(crate) fn power(n: u64) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

/// A small count for an option; what does not fit becomes the largest.
pub(crate) fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Maps a uniform 64-bit value to 0 .. `n`: multiply and keep the high word.
pub(crate) const fn spread(uniform: u64, n: u64) -> u64 {
    ((uniform as u128 * n as u128) >> 64) as u64
}

/// The nearest single.
pub(crate) const fn narrow(x: f64) -> f32 {
    x as f32
}
