//! Block Decaying Bloom Filter (Shen, Zhang 2008): cells of c bits hold the time of their last key, in steps of T keys.
//!
//! Never misses a key among the last W. With G bits: c = k = ceil(sqrt(G ln2 / W)), m = G / c cells, a running step that
//! returns to 0 after Th = 2^(c-1) steps of T = ceil(W / (Th - 1)) keys, when Th is taken off every cell. As published a
//! cell that was never set counts as present while the running step is 0: always once in Th steps.

use super::Reading;
use crate::detector::Detector;
use crate::num;
use crate::rng;

pub(crate) struct BlockDecaying {
    cells: Vec<u16>,
    shape: Shape,
    step: u16,
    count: u64,
    seed: u64,
}

/// The integers of a filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    reading: Reading,
    cells: u64,
    /// Bits of a cell, and hashes.
    pub(crate) k: u64,
    /// Steps until the running one is 0 again.
    steps: u16,
    /// Keys of a step.
    pub(crate) keys: u64,
    /// Steps that a key stays.
    life: u16,
}

impl Shape {
    /// For a window of `window` keys; needs more than window / ln 2 bits.
    pub(crate) fn new(reading: Reading, memory: u64, window: u64) -> Self {
        let k = num::ceil((num::real(memory) * std::f64::consts::LN_2 / num::real(window)).sqrt()).clamp(2, 15);
        let steps = 1 << (k - 1);
        let keys = window.div_ceil(steps - 1);
        let life = window / keys + 1;
        let [steps, life] = [steps, life].map(|n| u16::try_from(n).expect("at most 2^14"));
        Self { reading, cells: (memory / k).max(1), k, steps, keys, life }
    }

    /// The rate of false duplicates, averaged over a step.
    pub(crate) fn false_rate(&self) -> f64 {
        const PARTS: u64 = 200;
        let (k, cells) = (num::real(self.k), num::real(self.cells));
        let rate = |part: u64| {
            let keys = (f64::from(self.life) + (num::real(part) + 0.5) / num::real(PARTS)) * num::real(self.keys);
            (-(-k * keys / cells).exp_m1()).powf(k)
        };
        let mean = (0..PARTS).map(rate).sum::<f64>() / num::real(PARTS);
        let always = if self.reading == Reading::Published { 1.0 / f64::from(self.steps) } else { 0.0 };
        always + (1.0 - always) * mean
    }

    /// The chance that a key still has its own cells, `distance` keys later.
    pub(crate) fn kept(&self, distance: f64) -> f64 {
        (f64::from(self.life) + 1.0 - distance / num::real(self.keys)).clamp(0.0, 1.0)
    }
}

impl BlockDecaying {
    pub(crate) fn new(shape: Shape, seed: u64) -> Self {
        Self { cells: vec![0; num::index(shape.cells)], shape, step: 0, count: 0, seed }
    }

    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let (cells, seed) = (self.shape.cells, self.seed);
        (0..self.shape.k).map(move |i| num::index(num::spread(rng::hash(key ^ seed, i), cells)))
    }

    /// A cell is out of date one step after its life. The correct form keeps its values one higher: 0 is never one.
    const fn is_live(&self, cell: u16) -> bool {
        match self.shape.reading {
            Reading::Published => cell >= self.step,
            Reading::Correct => cell > self.step,
        }
    }

    fn next_step(&mut self) {
        self.count = 0;
        self.step += 1;
        if self.step == self.shape.steps {
            self.step = 0;
            self.cells.iter_mut().for_each(|cell| *cell = cell.saturating_sub(self.shape.steps));
        }
    }
}

impl Detector for BlockDecaying {
    fn observe(&mut self, key: u64) -> bool {
        if self.count == self.shape.keys {
            self.next_step();
        }
        self.count += 1;
        let found = self.places(key).all(|place| self.is_live(self.cells[place]));
        let value = self.step + self.shape.life + u16::from(self.shape.reading == Reading::Correct);
        self.places(key).for_each(|place| self.cells[place] = value);
        found
    }

    fn bits(&self) -> f64 {
        num::real(self.shape.cells * self.shape.k)
    }

    fn lines(&self) -> f64 {
        num::real(self.shape.k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_law() {
        for (reading, printed) in [(Reading::Published, 0.2746), (Reading::Correct, 0.165)] {
            let shape = Shape::new(reading, 100_000, 6000);
            assert_eq!((shape.k, shape.cells, shape.steps, shape.keys), (4, 25_000, 8, 858));
            let mut filter = BlockDecaying::new(shape, 1);
            (0..50_000).for_each(|key| {
                filter.observe(key);
            });
            let rate = num::size((50_000..1_050_000).filter(|&key| filter.observe(key)).count()) / 1e6;
            assert!((rate / shape.false_rate() - 1.0).abs() < 0.02, "{reading:?}: {rate}, {}", shape.false_rate());
            assert!((rate - printed).abs() < 0.01, "{reading:?}: {rate}");
        }
    }

    #[test]
    fn the_last_keys_are_never_missed_and_values_fit_their_cells() {
        for memory in [1000, 3000, 20_000] {
            let shape = Shape::new(Reading::Correct, memory, 600);
            let mut filter = BlockDecaying::new(shape, 2);
            for key in 0..20_000 {
                filter.observe(key);
                assert!(key < 300 || filter.observe(key - 299), "{memory}: {key}");
            }
            assert!(filter.cells.iter().all(|&cell| u64::from(cell) < 1 << shape.k), "{memory}");
        }
    }
}
