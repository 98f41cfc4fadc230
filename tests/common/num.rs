//! Conversions that the standard library leaves to `as`, which the lints forbid.

/// The nearest double.
pub(crate) fn real(n: u64) -> f64 {
    let (high, low) = (u32::try_from(n >> 32).unwrap_or(0), u32::try_from(n & 0xFFFF_FFFF).unwrap_or(0));
    f64::from(high).mul_add(4_294_967_296.0, f64::from(low))
}

/// The integer part of a double that is at least 0 and below 2^63.
pub(crate) fn floor(x: f64) -> u64 {
    assert!((0.0..9.2e18).contains(&x), "{x} is out of range");
    let (exponent, mantissa) = ((x.to_bits() >> 52) & 0x7FF, (x.to_bits() & ((1 << 52) - 1)) | (1 << 52));
    match exponent {
        0..1023 => 0,
        1023..1075 => mantissa >> (1075 - exponent),
        _ => mantissa << (exponent - 1075),
    }
}

/// The smallest integer not below `x`.
pub(crate) fn ceil(x: f64) -> u64 {
    floor(x.ceil())
}

/// A length as a count.
pub(crate) fn wide(n: usize) -> u64 {
    u64::try_from(n).expect("a length")
}

/// A count as a length.
pub(crate) fn index(n: u64) -> usize {
    usize::try_from(n).expect("an index")
}
