//! Two sets by turns, as A2 does it with Bloom filters: what makes a window of sets that only grow.
//!
//! Keys go to the active set, questions to both; when the active one has taken as many new keys as the window has, the
//! other is emptied and they change places. A key among the last keys of the window is in one of the two for certain, if
//! the set itself loses none. Price: room for two windows.

use crate::detector::Detector;
use crate::num;
use crate::sets::Set;

/// Makes an empty set.
pub(crate) type Build = Box<dyn Fn() -> Box<dyn Set>>;

pub(crate) struct ByTurns {
    build: Build,
    active: Box<dyn Set>,
    old: Box<dyn Set>,
    window: u64,
    taken: u64,
    lines: f64,
}

impl ByTurns {
    /// Over the last `window` keys; a set touches `lines` cache lines a question.
    pub(crate) fn new(build: Build, window: u64, lines: f64) -> Self {
        let (active, old) = (build(), build());
        Self { build, active, old, window, taken: 0, lines }
    }

    fn turn(&mut self) {
        self.old = std::mem::replace(&mut self.active, (self.build)());
        self.taken = 0;
    }
}

impl Detector for ByTurns {
    fn observe(&mut self, key: u64) -> bool {
        if self.active.contains(key) {
            return true;
        }
        if self.taken == self.window {
            self.turn();
        }
        let found = self.old.contains(key);
        self.active.insert(key);
        self.taken += 1;
        found
    }

    fn bits(&self) -> f64 {
        self.active.bits() + self.old.bits()
    }

    fn lines(&self) -> f64 {
        2.0 * self.lines
    }
}

/// The most bits that each of the two may take, when both together may take `memory`.
pub(crate) const fn half(memory: u64) -> u64 {
    memory / 2
}

/// How many bits that is per key of the window.
pub(crate) fn bits_per_key(memory: u64, window: u64) -> f64 {
    num::real(half(memory)) / num::real(window)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::bloom::Bloom;

    fn bloom(m: u64, k: u64) -> Build {
        Box::new(move || Box::new(Bloom::new(m, k, 1)))
    }

    #[test]
    fn the_last_keys_are_never_missed() {
        let mut turns = ByTurns::new(bloom(4000, 4), 500, 4.0);
        for key in 0..10_000 {
            turns.observe(key);
            // The keys that are asked for again count too.
            assert!(key < 249 || turns.observe(key - 249), "{key}");
        }
        assert_eq!((turns.bits(), turns.lines()), (8000.0, 8.0));
    }

    #[test]
    fn what_is_older_than_two_windows_is_gone() {
        let mut turns = ByTurns::new(bloom(1 << 16, 8), 500, 8.0);
        (0..5000).for_each(|key| {
            turns.observe(key);
        });
        assert!((0..3900).filter(|&key| turns.observe(key)).count() < 5);
    }
}
