//! Bloom filters whose cells forget by themselves: sliding sketches, clocks, sliding hardware estimators.
//!
//! A key sets k of m cells. At any moment a cell covers the keys of the last n (1 + a phi), phi uniform over the cells, or,
//! with the share `young`, is too young to tell and counts as set. So an absent key finds one of its cells set with
//! h(a) = y + (1 - y) (1 - e^-q (1 - e^-(q a)) / (q a)), q = k n / m, and all of them with h^k. A key that is x windows past
//! the window finds with h(x) a cell that still covers it, or was set by another key.

use crate::laws::search;
use crate::num;

/// How the cells of a filter forget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Aging {
    /// What a cell covers at most beyond the window, in windows.
    pub(crate) late: f64,
    /// The share of cells that count as set.
    pub(crate) young: f64,
    /// Bits of a cell.
    pub(crate) bits: f64,
}

/// A size for a rate: k, cells per key of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    pub(crate) k: u64,
    pub(crate) cells: f64,
}

impl Aging {
    /// A cell that a hand lowers from `levels` to 0, `levels` - 1 rounds a window, in this many bits.
    pub(crate) fn hand(levels: u64, bits: u64) -> Self {
        Self { late: 1.0 / num::real(levels - 1), young: 0.0, bits: num::real(bits) }
    }

    /// Groups of 64 cells, with a mark, that are emptied each 1 + `late` windows and are not asked for a window after it.
    pub(crate) fn group(late: f64) -> Self {
        Self { late, young: 1.0 / (1.0 + late), bits: 65.0 / 64.0 }
    }

    /// The chance that a cell of a key x windows past the window is set, at q insertions per cell and window.
    fn hit(self, q: f64, x: f64) -> f64 {
        let missed = (-q).exp() * -(-q * x.min(self.late)).exp_m1() / (q * self.late);
        self.young + (1.0 - self.young) * (1.0 - missed)
    }

    /// The rate of an absent key.
    pub(crate) fn rate(self, size: Size) -> f64 {
        self.hit(num::real(size.k) / size.cells, self.late).powi(num::power(size.k))
    }

    /// The share of the keys of the window before that are still found.
    pub(crate) fn stale(self, size: Size) -> f64 {
        const STEPS: u32 = 400;
        let q = num::real(size.k) / size.cells;
        let at = |i: u32| self.hit(q, (f64::from(i) + 0.5) / f64::from(STEPS)).powi(num::power(size.k));
        (0..STEPS).map(at).sum::<f64>() / f64::from(STEPS)
    }

    /// The fewest cells for a rate.
    pub(crate) fn size(self, target: f64) -> Size {
        let all = (1..=40).map(|k| Size { k, cells: self.cells(k, target) });
        all.min_by(|a, b| a.cells.total_cmp(&b.cells)).expect("forty of them")
    }

    fn cells(self, k: u64, target: f64) -> f64 {
        search::least(0.5, 4000.0, |cells| self.rate(Size { k, cells }) <= target)
    }

    /// Bits per key of the window.
    pub(crate) fn bits_per_key(self, size: Size) -> f64 {
        self.bits * size.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::bloom;

    #[test]
    fn cells_that_are_never_late_are_those_of_a_bloom_filter() {
        let exact = Aging { late: 1e-9, young: 0.0, bits: 1.0 };
        assert!((exact.size(1e-3).cells / bloom::bits_for(1e-3) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_key_at_the_edge_is_found_and_one_far_past_is_absent() {
        let hand = Aging::hand(3, 2);
        let size = hand.size(1e-3);
        let q = num::real(size.k) / size.cells;
        assert!((hand.hit(q, 0.0) - 1.0).abs() < 1e-12);
        assert!((hand.hit(q, 0.7).powi(num::power(size.k)) - hand.rate(size)).abs() < 1e-12);
        // Half a window at most, and k cells that go one by one.
        assert!((0.01..0.1).contains(&hand.stale(size)), "{}", hand.stale(size));
    }

    /// By hand: cells of two rounds cover 1.5 windows in the mean; their keys take some 1.5 times the cells.
    #[test]
    fn sizes_are_near_those_of_the_mean_cover() {
        let double = Aging::hand(2, 2).size(1e-3).cells;
        assert!((double / (1.5 * bloom::bits_for(1e-3)) - 1.0).abs() < 0.05, "{double}");
    }
}
