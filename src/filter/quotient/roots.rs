//! The chain of QQHT at a far distance: a sum of terms that decay, each at its own pace, in place of an integral (`contour`).
//!
//! The poles of the D(z) there are at `1/z = 1 + a (y - 1)`, where y is a root but 1 of
//!
//! ```text
//! y^k (1 + r (y - 1)) = 1        r = S - k, the fingerprints that a full row has not
//! D(d) = sum of  r^2 y (1 - y) / (r y + k (1 + r (y - 1)))  (1 + a (y - 1))^d
//! ```
//!
//! So the k roots depend on k and r alone. They come in pairs, one for each `j` of `k ln y + ln(1 + r (y - 1)) = 2 pi i j`, where
//! Newton finds them in some steps, and the larger j, the faster the term decays: after x pushes few count except those
//! up to `k sqrt(90/x) / pi`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use crate::num;

use super::complex::{Complex, real};

/// A term whose logarithm is below this counts as 0.
const NOTHING: f64 = -45.0;

/// More steps than Newton ever takes.
const MOST_STEPS: u32 = 40;

/// Rows of `k` cells, with `spare` fingerprints more than cells, 1 or more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Roots {
    pub(super) k: u64,
    pub(super) spare: u64,
}

impl Roots {
    /// P(gone after `distance` keys | gone) - P(gone after them | just stored), where each pushes with `chance`.
    pub(super) fn difference(&self, chance: f64, distance: u64) -> f64 {
        let pairs = (1..=self.k / 2).map(|j| (j, 2.0));
        // Of an odd number of roots one is real, the last.
        let last = (self.k % 2 == 1).then_some((self.k / 2 + 1, 1.0));
        let terms = pairs.chain(last).map_while(|(j, times)| {
            let y = self.root(j);
            let left = Complex(chance * y.0, chance * y.1).ln_1p();
            let d = num::real(distance);
            (left.0 * d > NOTHING).then(|| times * self.share(y, Complex(left.0 * d, left.1 * d)))
        });
        terms.sum()
    }

    /// y - 1 of the root with this number.
    fn root(&self, j: u64) -> Complex {
        let k = num::real(self.k);
        let angle = if 2 * j > self.k { PI } else { (TAU * num::real(j) - FRAC_PI_2) / k };
        let mut log = Complex(0.0, angle);
        for _ in 0..MOST_STEPS {
            let y = log.exp_m1();
            let rest = y * real(num::real(self.spare));
            let off = log * real(k) + rest.ln_1p() - Complex(0.0, TAU * num::real(j));
            let slope = real(k) + (y + real(1.0)) * real(num::real(self.spare)) / (rest + real(1.0));
            let step = off / slope;
            log = log - step;
            if step.square() < 1e-30 * log.square() {
                break;
            }
        }
        log.exp_m1()
    }

    /// The term of a root, decayed to e^`left`: its real part.
    fn share(&self, y: Complex, left: Complex) -> f64 {
        let (k, spare) = (real(num::real(self.k)), real(num::real(self.spare)));
        let whole = real(1.0) + y;
        let weight = spare * spare * whole * y / (spare * whole + k * (real(1.0) + spare * y));
        let (sin, cos) = left.1.sin_cos();
        -left.0.exp() * (weight.0 * cos - weight.1 * sin)
    }
}
