//! The shapes that a kind of sliced filter can lay out, and the bounds of a search.

/// The emptiest that full slices may be planned.
pub(crate) const LEAST_FILL: f64 = 0.1;
/// The fullest.
pub(crate) const MOST_FILL: f64 = 0.9;
/// The most slices that the search may use.
pub(super) const MOST_SLICES: u32 = 1024;
/// Slices that the search may use unless the options say otherwise.
pub(super) const DEFAULT_MAX_SLICES: u32 = 32;

/// Which l a kind can lay out well, and how many slices' worth of bits a pair costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// The `j`-th l for this k, from 1, growing with `j`.
    pub(crate) l: fn(k: u32, j: u32) -> u32,
    /// The slices that are paid for, k + l and whatever the layout adds; `None` if it cannot hold them.
    pub(crate) slices: fn(k: u32, l: u32) -> Option<u32>,
    /// The results of the search for usual rates, so that a filter is built in an instant.
    pub(crate) listed: &'static [Listed],
}

/// An error rate, and what the search finds for it when nothing else is given: k, l, fill.
pub(crate) type Listed = (f64, u32, u32, f64);

impl Layout {
    /// Every slice for itself: any l will do, and nothing is added.
    pub(crate) const SEPARATE: Self = Self {
        l: |_, j| j,
        slices: |k, l| Some(k + l),
        listed: &[
            (1e-1, 5, 8, 0.478_335_166_351_462_1),
            (1e-2, 8, 21, 0.418_555_052_833_835_4),
            (1e-3, 9, 22, 0.352_724_435_946_584),
            (1e-4, 10, 22, 0.310_582_145_940_134_17),
            (1e-5, 11, 21, 0.282_065_284_055_715_96),
            (1e-6, 12, 20, 0.260_859_531_793_539_66),
        ],
    };
}
