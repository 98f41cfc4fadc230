//! A Bloom filter whose cells a hand lowers: the sliding sketch (Gou et al. 2020) and the clock sketch (Chen et al. 2021).
//!
//! A key puts its k cells to `levels`; the hand goes round `levels` - 1 times a window and takes one from each cell. A cell
//! is 0 after more than a window, and at most 1 / (levels - 1) of a window later. The sliding sketch has two bits, *new*
//! and *old*, and one round a window: two levels. A clock of s bits has 2^s - 1 levels.

use crate::detector::Detector;
use crate::laws::aging_cells::{Aging, Size};
use crate::num;
use crate::rng;
use crate::timely::Timely;

#[derive(Debug)]
pub(crate) struct SweptBloom {
    cells: Vec<u8>,
    k: u64,
    levels: u8,
    window: u64,
    bits: u64,
    /// Cells that the hand has passed, in all.
    passed: u64,
    now: u64,
    seed: u64,
}

/// The bits of a cell, and its levels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) bits: u64,
    pub(crate) levels: u8,
}

/// *New* and *old*.
pub(crate) const SLIDING: Cell = Cell { bits: 2, levels: 2 };

/// A clock of two bits: of all sizes the one that needs the fewest bits, as long as late keys cost nothing.
pub(crate) const CLOCK: Cell = Cell { bits: 2, levels: 3 };

impl Cell {
    pub(crate) fn aging(self) -> Aging {
        Aging::hand(u64::from(self.levels), self.bits)
    }
}

impl SweptBloom {
    pub(crate) fn new(cell: Cell, size: Size, window: u64, seed: u64) -> Self {
        let m = num::ceil(size.cells * num::real(window));
        let cells = vec![0; num::index(m)];
        Self { cells, k: size.k, levels: cell.levels, window, bits: cell.bits, passed: 0, now: 0, seed }
    }

    /// The same over a window of time: cells for `keys` keys of a window of this many ticks, which `sweep_to` counts.
    pub(crate) fn timed(cell: Cell, size: Size, keys: u64, window: u64, seed: u64) -> Self {
        Self { window, ..Self::new(cell, size, keys, seed) }
    }

    /// The hand goes where it should be at this time.
    pub(crate) fn sweep_to(&mut self, now: u64) {
        self.now = now;
        let m = num::wide(self.cells.len());
        let rounds = u128::from(self.now) * u128::from(self.levels - 1);
        let due = u64::try_from(rounds * u128::from(m) / u128::from(self.window)).unwrap_or(u64::MAX);
        for at in self.passed..due {
            let cell = &mut self.cells[num::index(at % m)];
            *cell = cell.saturating_sub(1);
        }
        self.passed = due;
    }
}

impl SweptBloom {
    /// Whether all cells of a key are set; then they are as high as can be.
    pub(crate) fn show(&mut self, key: u64) -> bool {
        let (mut found, m) = (true, num::wide(self.cells.len()));
        for i in 0..self.k {
            let cell = &mut self.cells[num::index(num::spread(rng::hash(key ^ self.seed, i), m))];
            found &= *cell > 0;
            *cell = self.levels;
        }
        found
    }
}

impl Detector for SweptBloom {
    fn observe(&mut self, key: u64) -> bool {
        self.sweep_to(self.now + 1);
        self.show(key)
    }

    fn bits(&self) -> f64 {
        num::size(self.cells.len()) * num::real(self.bits)
    }

    /// The cells of a key; the hand's lines are next to each other.
    fn lines(&self) -> f64 {
        num::real(self.k)
    }
}

/// Cells that a hand lowers as time passes.
pub(crate) struct ByHand {
    cells: SweptBloom,
    first: Option<u64>,
}

impl ByHand {
    pub(crate) const fn new(cells: SweptBloom) -> Self {
        Self { cells, first: None }
    }
}

impl Timely for ByHand {
    fn observe_at(&mut self, key: u64, now: u64) -> bool {
        let first = *self.first.get_or_insert(now);
        self.cells.sweep_to(now - first);
        self.cells.show(key)
    }

    fn bits(&self) -> f64 {
        self.cells.bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 3000;

    fn filter(cell: Cell, target: f64, seed: u64) -> SweptBloom {
        SweptBloom::new(cell, cell.aging().size(target), WINDOW, seed)
    }

    #[test]
    fn a_window_is_kept_to_the_key() {
        for cell in [SLIDING, CLOCK, Cell { bits: 3, levels: 7 }] {
            let mut filter = filter(cell, 1e-2, 1);
            for key in 0..5 * WINDOW {
                filter.observe(key);
                let back = WINDOW / 2 - 1;
                assert!(key < back || filter.observe(key - back), "{key}");
            }
        }
    }

    /// Five standard deviations, 600,000 new keys.
    #[test]
    fn the_rate_is_that_of_the_law() {
        for cell in [SLIDING, CLOCK, Cell { bits: 3, levels: 7 }] {
            let mut filter = filter(cell, 1e-2, 1);
            (0..3 * WINDOW).for_each(|key| {
                filter.observe(key);
            });
            let found = (0..600_000).filter(|&key| filter.observe((1 << 40) | key)).count();
            let (rate, law) = (num::size(found) / 6e5, cell.aging().rate(cell.aging().size(1e-2)));
            assert!((rate - law).abs() < 5.0 * (law / 6e5).sqrt() + 0.02 * law, "{cell:?}: {rate} {law}");
        }
    }
}
