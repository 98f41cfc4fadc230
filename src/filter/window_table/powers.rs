//! Powers and logarithms that are the same numbers on every machine.
//!
//! The logarithms and powers of a system's C library differ in the last bit: glibc's own do, with and without the instructions that
//! multiply and add at once. A saved table has such numbers, and decides by them how wide its next lines are. Here are only additions,
//! multiplications, divisions, square roots and `mul_add`, whose results are those of IEEE 754 everywhere.

/// How much the double 0.2 is above a fifth: tables were saved with powers of that double.
const ABOVE_A_FIFTH: f64 = 1.11e-17;

/// `x` to the power of 0.2, for `x` of 0.5 to 2: five steps of Newton's method, and one whose error is taken at twice the precision.
pub(super) fn fifth_root(x: f64) -> f64 {
    let step = |y: f64| {
        let square = y * y;
        y - (square * square * y - x) / (5.0 * square * square)
    };
    let y = (0..5).fold(1.0 + (x - 1.0) / 5.0, |y, _| step(y));
    let square = y * y;
    let of_square = y.mul_add(y, -square);
    let fourth = square * square;
    let of_fourth = 2.0f64.mul_add(square * of_square, square.mul_add(square, -fourth));
    let fifth = fourth * y;
    let of_fifth = of_fourth.mul_add(y, fourth.mul_add(y, -fifth));
    // Half of y - 1 / y is nearly the logarithm of y, which is a fifth of that of x.
    let logarithm = 2.5 * (y - 1.0 / y);
    y + (((x - fifth) - of_fifth) / (5.0 * fourth) + ABOVE_A_FIFTH * logarithm * y)
}

/// The logarithm of `x` to the base 10, for a finite `x` of at least 1: exact for powers of ten that are exact.
pub(super) fn log10(mut x: f64) -> f64 {
    let mut whole = 0.0;
    while x >= 10.0 {
        (x, whole) = (x / 10.0, whole + 1.0);
    }
    // The eighth root is below 1.34: ten terms of the series of ln((1 + z) / (1 - z)) / 2 are enough.
    let root = x.sqrt().sqrt().sqrt();
    let z = (root - 1.0) / (root + 1.0);
    let series = (0..10u32).rev().fold(0.0, |sum: f64, i| sum.mul_add(z * z, 1.0 / f64::from(2 * i + 1)));
    whole + 16.0 / std::f64::consts::LN_10 * z * series
}

/// The integer part of the logarithm of `x` to the base 2; 0 below 1.
pub(super) fn floor_log2(x: f64) -> u32 {
    let [.., low, high] = x.max(1.0).to_bits().to_le_bytes();
    (u32::from(u16::from_le_bytes([low, high])) >> 4) - 1023
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;
    use crate::num;

    /// In `0.5..2`.
    fn ratio(i: u64) -> f64 {
        0.5 + 1.5 * (num::real(KeyHash(i).derive(1) >> 11) / num::real(1 << 53))
    }

    /// The distance of two doubles, in units of the last bit.
    fn units(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    #[test]
    fn powers_are_those_of_the_system_to_the_last_bit() {
        let all = [0.5, 1.0, 2.0].into_iter().chain((0..100_000).map(ratio));
        let differ = all.filter(|x| {
            let apart = units(fifth_root(*x), x.powf(0.2));
            assert!(apart <= 1, "{x}: {} {}", fifth_root(*x), x.powf(0.2));
            apart == 1
        });
        let differ = differ.count();
        assert!(differ < 1000, "{differ} of 100,000 differ");
        for i in 0..100_000 {
            let x = 1e12f64.min(ratio(i) * 2.0 * 10f64.powi(i32::try_from(i % 12).unwrap()));
            assert!(units(log10(x) + 1.0, x.log10() + 1.0) <= 8, "{x}: {} {}", log10(x), x.log10());
        }
        for power in 0..12 {
            assert_eq!(log10(10f64.powi(power)), f64::from(power));
        }
        for rate in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12] {
            assert_eq!(log10(1e-3 / rate), (1e-3f64 / rate).log10(), "{rate}");
        }
    }

    #[test]
    fn integer_parts_of_logarithms_are_exact() {
        for power in 0..64 {
            let x = 2f64.powi(i32::try_from(power).unwrap());
            assert_eq!((floor_log2(x), floor_log2(x * 1.999)), (power, power));
            assert_eq!(floor_log2(f64::from_bits(x.to_bits() - 1)), power.saturating_sub(1));
        }
        assert_eq!([0.0, 0.3].map(floor_log2), [0, 0]);
    }

    /// The hash of many results, computed once, on x86-64.
    #[test]
    fn results_are_the_same_on_every_machine() {
        let folded = (0..100_000).map(ratio).fold(0, |sum: u64, x| {
            num::mix(num::mix(sum ^ fifth_root(x).to_bits()) ^ log10(x.max(1.0) * 7e5).to_bits())
        });
        assert_eq!(folded, 0x095B_C489_7A84_4022, "{folded:#018X}");
    }
}
