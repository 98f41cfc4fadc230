//! The Bloom filter of SHE, the sliding hardware estimator (Wu et al. 2022): groups of cells that are emptied when touched.
//!
//! Each group of 64 bits begins a new cycle of 1 + late windows at its own time; one mark bit says of which cycle its cells
//! are, and whoever touches a group of an older cycle empties it first. A question leaves out groups whose cycle is
//! younger than the window, since they may have lost a key of it. Not in the filter: a group that nobody touched for
//! exactly two cycles, whose mark is right again. With tens of insertions a group and cycle that does not happen.

use crate::detector::Detector;
use crate::laws::aging_cells::{Aging, Size};
use crate::laws::search;
use crate::num;
use crate::rng;

const GROUP: u64 = 64;

#[derive(Debug)]
pub(crate) struct She {
    groups: Vec<Group>,
    k: u64,
    window: u64,
    cycle: u64,
    now: u64,
    seed: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Group {
    cells: u64,
    mark: bool,
}

/// What a key finds in one of its cells.
enum Finding {
    Young,
    Set,
    Empty,
}

/// The cycle, in windows past the first, with which the fewest bits meet a rate.
pub(crate) fn best(target: f64) -> (Aging, Size) {
    let bits = |late: f64| {
        let aging = Aging::group(late);
        aging.bits_per_key(aging.size(target))
    };
    // One valley: the slope tells its side.
    let late = search::least(0.2, 20.0, |late| bits(late * 1.001) >= bits(late));
    (Aging::group(late), Aging::group(late).size(target))
}

impl She {
    pub(crate) fn new(aging: Aging, size: Size, window: u64, seed: u64) -> Self {
        let groups = num::ceil(size.cells * num::real(window) / num::real(GROUP));
        let cycle = num::ceil((1.0 + aging.late) * num::real(window));
        let groups = vec![Group::default(); num::index(groups)];
        Self { groups, k: size.k, window, cycle, now: 0, seed }
    }

    /// The age of a group's cycle, and its mark.
    fn phase(&self, group: usize) -> (u64, bool) {
        let offset = num::wide(group) * self.cycle / num::wide(self.groups.len());
        let time = self.now + offset;
        (time % self.cycle, time / self.cycle % 2 == 1)
    }

    fn touch(&mut self, place: u64) -> Finding {
        let (at, cell) = (num::index(place / GROUP), 1 << (place % GROUP));
        let (age, mark) = self.phase(at);
        let group = &mut self.groups[at];
        if group.mark != mark {
            *group = Group { cells: 0, mark };
        }
        let was = group.cells & cell != 0;
        group.cells |= cell;
        match (age < self.window, was) {
            (true, _) => Finding::Young,
            (false, true) => Finding::Set,
            (false, false) => Finding::Empty,
        }
    }
}

impl Detector for She {
    fn observe(&mut self, key: u64) -> bool {
        self.now += 1;
        let (mut found, m) = (true, num::wide(self.groups.len()) * GROUP);
        for i in 0..self.k {
            let finding = self.touch(num::spread(rng::hash(key ^ self.seed, i), m));
            found &= !matches!(finding, Finding::Empty);
        }
        found
    }

    fn bits(&self) -> f64 {
        num::size(self.groups.len()) * num::real(GROUP + 1)
    }

    fn lines(&self) -> f64 {
        num::real(self.k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: u64 = 3000;

    #[test]
    fn a_window_is_kept_to_the_key() {
        let (aging, size) = best(1e-2);
        let mut filter = She::new(aging, size, WINDOW, 1);
        for key in 0..20 * WINDOW {
            filter.observe(key);
            let back = WINDOW / 2 - 1;
            assert!(key < back || filter.observe(key - back), "{key}");
        }
    }

    /// Five standard deviations, 600,000 new keys.
    #[test]
    fn the_rate_is_that_of_the_law() {
        let (aging, size) = best(1e-2);
        let mut filter = She::new(aging, size, WINDOW, 1);
        (0..10 * WINDOW).for_each(|key| {
            filter.observe(key);
        });
        let found = (0..600_000).filter(|&key| filter.observe((1 << 40) | key)).count();
        let (rate, law) = (num::size(found) / 6e5, aging.rate(size));
        assert!((rate - law).abs() < 5.0 * (law / 6e5).sqrt() + 0.02 * law, "{rate} {law}");
    }

    #[test]
    fn the_best_cycle_is_no_worse_than_its_neighbours() {
        let bits = |aging: Aging| aging.bits_per_key(aging.size(1e-3));
        let best = best(1e-3).0;
        for late in [best.late * 0.8, best.late * 1.25] {
            assert!(bits(Aging::group(late)) >= bits(best), "{late}");
        }
    }
}
