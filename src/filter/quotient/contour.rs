//! The chain of QQHT at one distance, without what lies before: a contour integral in place of a sum of lists.
//!
//! A key advances with `a = p/N` per later key of the stream, is gone after k advances, and is back at the head with
//! `b = 1/(N S)`. With `F(z) = (a z / (1 - (1 - a) z))^k`, first passages through the row, the two fates "gone" and "just
//! stored" differ after d keys by the coefficient of z^d of
//!
//! ```text
//! D(z) = (1 - F) / (1 - z + b z (1 - F)) = 1 / (1 - (1 - b) z) - F (1 - z) / ((1 - (1 - b) z) (1 - z + b z (1 - F)))
//! ```
//!
//! The first term is (1 - b)^d. The second is a mean over 4 d points of a circle of radius e^(-c/d): what it takes for the
//! coefficient of z^d has e^(-4c) of that of z^5d in it, and nothing else. F falls off like a bell around the real axis, so
//! only some of the points count: about `x sqrt(87/k)` for `x = p d/N`. Generating functions: Flajolet and Sedgewick,
//! Analytic Combinatorics, chapter IV; the circle: Abate and Whitt, Numerical inversion of probability generating
//! functions, 1992.

use std::f64::consts::FRAC_PI_4;

use crate::num;

use super::complex::{Complex, real};

/// The c above: e^(-4c) is 7e-13, and rounding is made e^c times larger.
const RADIUS: f64 = 7.0;

/// Where |F|^2 is below this, F adds nothing.
const NOTHING: f64 = 1e-38;

/// A row's chain over all later keys: expected advances and returns of one that always could.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chain {
    pub(super) k: u64,
    pub(super) advances: f64,
    pub(super) returns: f64,
}

impl Chain {
    /// P(gone after `distance` keys | gone) - P(gone after them | just stored).
    pub(super) fn difference(&self, distance: u64) -> f64 {
        let circle = Circle::new(num::real(distance));
        let (half, mut sum) = (distance.saturating_mul(2), 0.0);
        for j in 0..=half {
            let (term, passed) = self.term(circle.point(j));
            // The factor (-i)^j turns the point of distance d back; points below the axis mirror those above.
            let real = [term.0, term.1, -term.0, -term.1][num::index(j % 4)];
            sum += if j == 0 || j == half { real } else { 2.0 * real };
            if passed < NOTHING {
                break;
            }
        }
        self.never_back(distance) + RADIUS.exp() / 4.0 * sum
    }

    /// (1 - b)^d, which is all of it while no key can have passed through the whole row.
    pub(super) fn never_back(&self, distance: u64) -> f64 {
        let d = num::real(distance);
        (d * (-self.returns / d).ln_1p()).exp()
    }

    /// The second term of D, times d, and |F|^2.
    fn term(&self, Point { z, w }: Point) -> (Complex, f64) {
        let (push, back) = (z * real(self.advances), z * real(self.returns));
        let passed = (push / (w + push)).power(self.k);
        let rest = w + back * (real(1.0) - passed);
        (real(0.0) - passed * w / ((w + back) * rest), passed.square())
    }
}

/// The circle for one distance.
struct Circle {
    d: f64,
    radius: f64,
    /// 1 - radius.
    inward: f64,
}

/// A point of it: z, and d (1 - z).
struct Point {
    z: Complex,
    w: Complex,
}

impl Circle {
    fn new(d: f64) -> Self {
        Self { d, radius: (-RADIUS / d).exp(), inward: -(-RADIUS / d).exp_m1() }
    }

    /// The point whose d-th power is that number of quarter turns from the real axis.
    fn point(&self, quarters: u64) -> Point {
        let (half_sin, half_cos) = (FRAC_PI_4 * num::real(quarters) / self.d).sin_cos();
        let (less, sin) = (2.0 * half_sin * half_sin, 2.0 * half_sin * half_cos);
        let (cos, radius) = (1.0 - less, self.radius);
        // 1 - radius cos, of which rounding would leave nothing where d is large.
        let w = Complex(less + self.inward * cos, -radius * sin) * real(self.d);
        Point { z: Complex(radius * cos, radius * sin), w }
    }
}
