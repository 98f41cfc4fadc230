//! Rotating sets: what makes a window of sets that only grow.
//!
//! G sets hold a G-th of the window each, one more is filled. Keys go to that one, questions to all; after each G-th of the
//! window the oldest set is dropped. A key among the last keys of the window is in one of them for certain, if the set
//! itself loses none; the first key of a turn stays a G-th of the window too long. With G = 1 this is A2 for any set; with
//! Bloom filters it is the guarded epoch Bloom filter. The queuing construction has no set more: it reaches back a G-th less than
//! the window when a set was just dropped, and never past the window.

use std::collections::VecDeque;

use crate::detector::Detector;
use crate::num;
use crate::sets::Set;
use crate::timely::Rotating;

/// Makes an empty set.
pub(crate) type Build = Box<dyn Fn() -> Box<dyn Set>>;

pub(crate) struct ByTurns {
    build: Build,
    active: Box<dyn Set>,
    /// The newest in front.
    old: VecDeque<Box<dyn Set>>,
    turn: u64,
    left: u64,
    lines: f64,
}

/// Keys of a turn: a part of the window, rounded up.
pub(crate) const fn turn(window: u64, generations: u64) -> u64 {
    window.div_ceil(generations)
}

impl ByTurns {
    /// Over the last `window` keys in this many generations; an `observe` touches `lines` cache lines in all.
    pub(crate) fn new(build: Build, window: u64, generations: u64, lines: f64) -> Self {
        let (active, old) = (build(), (0..generations).map(|_| build()).collect());
        let turn = turn(window, generations);
        Self { build, active, old, turn, left: turn, lines }
    }

    /// The queuing construction: this many sets in all, a part of the window each.
    pub(crate) fn queuing(build: Build, window: u64, sets: u64, lines: f64) -> Self {
        let turn = turn(window, sets);
        Self { turn, left: turn, ..Self::new(build, window, sets - 1, lines) }
    }

    /// Drops the oldest set and begins another.
    pub(crate) fn shift(&mut self) {
        self.old.push_front(std::mem::replace(&mut self.active, (self.build)()));
        self.old.pop_back();
        self.left = self.turn;
    }
}

impl Detector for ByTurns {
    fn observe(&mut self, key: u64) -> bool {
        if self.left == 0 {
            self.shift();
        }
        self.left -= 1;
        let key = self.active.hashed(key);
        if self.active.contains(key) {
            return true;
        }
        let found = self.old.iter().any(|set| set.contains(key));
        self.active.insert(key);
        found
    }

    fn bits(&self) -> f64 {
        self.active.bits() + self.old.iter().map(|set| set.bits()).sum::<f64>()
    }

    fn lines(&self) -> f64 {
        self.lines
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

impl Rotating for ByTurns {
    fn rotate(&mut self) {
        self.shift();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baselines::bloom::Bloom;

    const WINDOW: u64 = 500;

    fn turns(generations: u64) -> ByTurns {
        let build = move || -> Box<dyn Set> { Box::new(Bloom::new(1 << 16, 8, 1)) };
        ByTurns::new(Box::new(build), WINDOW, generations, 8.0)
    }

    /// How far back keys are held, when the keys 0 .. `keys` were shown.
    fn reach(turns: &ByTurns, keys: u64) -> u64 {
        let held = |key: &u64| turns.active.contains(*key) || turns.old.iter().any(|set| set.contains(*key));
        keys - (keys - 3 * WINDOW..keys).find(held).expect("the newest key")
    }

    #[test]
    fn last_keys_and_at_most_a_turn_more_are_found() {
        for generations in [1, 2, 4, 7, 8] {
            let (mut turns, turn) = (turns(generations), turn(WINDOW, generations));
            let mut all = Vec::new();
            for key in 0..5 * WINDOW {
                turns.observe(key);
                if key > 3 * WINDOW {
                    all.push(reach(&turns, key + 1));
                }
            }
            let (least, most) = (all.iter().min().expect("some"), all.iter().max().expect("some"));
            assert!((WINDOW..=WINDOW + generations).contains(least), "{generations}: {least}");
            assert!(most.abs_diff(generations * turn + turn) < 2, "{generations}: {most}");
        }
    }

    #[test]
    fn queuing_reaches_back_a_turn_less_than_the_window_and_never_past_it() {
        for sets in [2, 4, 8] {
            let build = move || -> Box<dyn Set> { Box::new(Bloom::new(1 << 16, 8, 1)) };
            let (mut queue, turn) = (ByTurns::queuing(Box::new(build), WINDOW, sets, 8.0), turn(WINDOW, sets));
            let mut all = Vec::new();
            for key in 0..5 * WINDOW {
                queue.observe(key);
                if key > 3 * WINDOW {
                    all.push(reach(&queue, key + 1));
                }
            }
            let (least, most) = (all.iter().min().expect("some"), all.iter().max().expect("some"));
            assert!(
                least.abs_diff((sets - 1) * turn + 1) < 2 && most.abs_diff(sets * turn) < 2,
                "{sets}: {least} {most}"
            );
        }
    }

    #[test]
    fn key_a_window_ago_is_found_and_counts_again() {
        for generations in [1, 3, 8] {
            let mut turns = turns(generations);
            for key in 0..10_000 {
                turns.observe(key);
                // The keys that are asked for again count too.
                assert!(key < 249 || turns.observe(key - 249), "{key}");
            }
            assert_eq!(turns.bits(), 65_536.0 * num::real(generations + 1));
        }
    }
}
