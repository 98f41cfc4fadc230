//! Sliced windows: the chance that an absent key hits k slices in a row, exactly, by the length of the run so far.
//!
//! Slice i of a steady filter at phase u of a generation has the fill 1 - (1 - fill)^((i + u)/k) below k, and `fill` from
//! there on. The papers sized their pairs by the straight line (i + 1)/2k, which is lower.

use crate::num;

/// The integers of a sliced window, and the fill of a full slice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub(crate) k: u64,
    pub(crate) l: u64,
    pub(crate) fill: f64,
}

/// The chance that some k neighbouring slices with these fills are all hit.
pub(crate) fn chance(k: u64, fills: impl Iterator<Item = f64>) -> f64 {
    let mut runs = vec![0.0; num::index(k) + 1];
    runs[0] = 1.0;
    for fill in fills {
        let whole = runs.len() - 1;
        let missed: f64 = runs[..whole].iter().sum::<f64>() * (1.0 - fill);
        let found = runs[whole] + runs[whole - 1] * fill;
        (1..whole).rev().for_each(|length| runs[length] = runs[length - 1] * fill);
        (runs[0], runs[whole]) = (missed, found);
    }
    runs[runs.len() - 1]
}

impl Shape {
    pub(crate) const fn half((k, l): (u64, u64)) -> Self {
        Self { k, l, fill: 0.5 }
    }

    /// The rate at a phase in (0, 1].
    pub(crate) fn rate(&self, u: f64) -> f64 {
        let empty = -(-self.fill).ln_1p() / num::real(self.k);
        let fill = |i: u64| if i < self.k { -(-empty * (num::real(i) + u)).exp_m1() } else { self.fill };
        chance(self.k, (0..self.k + self.l).map(fill))
    }

    /// Just before a shift.
    pub(crate) fn worst(&self) -> f64 {
        self.rate(1.0)
    }

    /// Over a generation.
    pub(crate) fn mean(&self) -> f64 {
        (0..32).map(|i| self.rate((num::real(i) + 0.5) / 32.0)).sum::<f64>() / 32.0
    }

    /// Bits per key of the window of l generations.
    pub(crate) fn bits_per_key(&self) -> f64 {
        num::real(self.k * (self.k + self.l)) / num::real(self.l) / -(-self.fill).ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_counted_by_hand() {
        // Two in a row of three: 1 - P(no run) with fills a, b, c is ab + bc - abc.
        let (a, b, c) = (0.3, 0.5, 0.2);
        assert!((chance(2, [a, b, c].into_iter()) - (a * b + b * c - a * b * c)).abs() < 1e-15);
        assert!((chance(3, [a, b, c].into_iter()) - a * b * c).abs() < 1e-15);
        assert_eq!(chance(4, [a, b, c].into_iter()), 0.0);
    }

    /// The published pairs, whose exact rates are known from elsewhere.
    #[test]
    fn published_pairs_are_above_their_targets() {
        for (pair, worst, mean, bits) in [
            ((4, 3), 0.1074, 0.0879, 13.5),
            ((10, 25), 1.03e-2, 1.01e-2, 20.2),
            ((10, 7), 1.47e-3, 1.22e-3, 35.0),
            ((20, 33), 1.007e-5, 0.982e-5, 46.3),
        ] {
            let shape = Shape::half(pair);
            assert!((shape.worst() / worst - 1.0).abs() < 0.005, "{shape:?}: {}", shape.worst());
            assert!((shape.mean() / mean - 1.0).abs() < 0.006, "{shape:?}: {}", shape.mean());
            assert!((shape.bits_per_key() - bits).abs() < 0.06, "{shape:?}");
        }
    }
}
