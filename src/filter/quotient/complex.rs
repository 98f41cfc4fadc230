//! Complex numbers, as much of them as the laws of queues need.

use std::ops::{Add, Div, Mul, Sub};

/// A complex number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Complex(pub(super) f64, pub(super) f64);

pub(super) const fn real(x: f64) -> Complex {
    Complex(x, 0.0)
}

impl Complex {
    /// e^self - 1, of which rounding leaves all digits where it is small.
    pub(super) fn exp_m1(self) -> Self {
        let (sin, cos) = self.1.sin_cos();
        let half = (0.5 * self.1).sin();
        Self(self.0.exp_m1() * cos - 2.0 * half * half, self.0.exp() * sin)
    }

    /// The logarithm of 1 + self, its angle from 0 to 2 pi.
    pub(super) fn ln_1p(self) -> Self {
        let angle = self.1.atan2(1.0 + self.0);
        let size = 0.5 * (2.0 * self.0 + self.0 * self.0 + self.1 * self.1).ln_1p();
        Self(size, if angle < 0.0 { angle + std::f64::consts::TAU } else { angle })
    }

    /// Of its size.
    pub(super) fn square(self) -> f64 {
        self.0 * self.0 + self.1 * self.1
    }

    /// By squaring.
    pub(super) fn power(self, mut n: u64) -> Self {
        let (mut base, mut all) = (self, real(1.0));
        while n > 0 {
            if n % 2 == 1 {
                all = all * base;
            }
            (base, n) = (base * base, n / 2);
        }
        all
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }
}

impl Div for Complex {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let square = other.square();
        Self((self.0 * other.0 + self.1 * other.1) / square, (self.1 * other.0 - self.0 * other.1) / square)
    }
}
