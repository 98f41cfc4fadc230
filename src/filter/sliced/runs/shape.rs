//! The integers of a sliced window, and what follows from them.

use super::layout::{LEAST_FILL, Layout, MOST_FILL, MOST_SLICES};
use super::quick::Quick;
use super::steady_chance;

/// The integers of a sliced window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// Slices that take each insertion, and bits per key.
    pub(crate) k: u32,
    /// Full generations in the window.
    pub(crate) l: u32,
    /// The fill of a full slice.
    pub(crate) fill: f64,
    /// The slices that are paid for: k + l, and what the layout adds.
    pub(crate) slices: u32,
}

impl Shape {
    /// This shape, written down before, if it is within the bounds of the options.
    pub(crate) fn known(k: u32, l: u32, fill: f64, layout: Layout) -> Option<Self> {
        let within = k >= 1 && l >= 1 && k.checked_add(l)? <= MOST_SLICES && (LEAST_FILL..=MOST_FILL).contains(&fill);
        let slices = if within { (layout.slices)(k, l)? } else { return None };
        Some(Self { k, l, fill, slices })
    }

    /// The error rate at the worst instant, just before a shift.
    pub(crate) fn worst(&self) -> f64 {
        steady_chance(self.k, self.l, self.fill, 1.0)
    }

    /// The error rate averaged over a generation (32 midpoints).
    pub(crate) fn mean(&self) -> f64 {
        let mut quick = Quick::new();
        let phases = (0..32u32).map(|i| (f64::from(i) + 0.5) / 32.0);
        phases.map(|u| quick.log_chance_at(self.k, self.l, self.fill, u).exp()).sum::<f64>() / 32.0
    }

    /// Bits per key of the window.
    pub(crate) fn bits_per_key(&self) -> f64 {
        let (k, l, slices) = (f64::from(self.k), f64::from(self.l), f64::from(self.slices));
        k * slices / (l * -(-self.fill).ln_1p())
    }
}
