//! What an engineer writes in an hour, and the exact window: hash tables over a window of time, with the bytes that they allocate.
//!
//! Two sets of 64-bit hashes rotate once a window: nothing is missed, a key is found for up to a window too long, and two keys in
//! 2^64 meet. A map of 64-bit hashes to 32-bit times is exact to a grain of time and is swept four times a window. The exact map
//! has the keys themselves and a queue by which they expire.

use std::collections::VecDeque;
use std::hash::{BuildHasherDefault, Hasher};

use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};

use crate::num;
use crate::timely::Timely;

/// A hash is its own hash.
#[derive(Debug, Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("hashes are integers")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type Hashed = BuildHasherDefault<Identity>;

/// The 64 bits that ours take of a key, too.
fn hash(key: u64, seed: u64) -> u64 {
    lately::hash64(&key.to_le_bytes(), seed)
}

fn bits_of(bytes: usize) -> f64 {
    8.0 * num::size(bytes)
}

/// Two sets of hashes.
#[derive(Debug)]
pub(crate) struct RotatingSets {
    young: HashSet<u64, Hashed>,
    old: HashSet<u64, Hashed>,
    window: u64,
    /// When the sets rotate next.
    next: u64,
    seed: u64,
}

impl RotatingSets {
    pub(crate) fn new(window: u64, seed: u64) -> Self {
        Self { young: HashSet::default(), old: HashSet::default(), window, next: 0, seed }
    }

    /// The young set becomes the old one; after two windows of silence both are empty.
    fn rotate(&mut self, now: u64) {
        self.old = std::mem::take(&mut self.young);
        if now >= self.next + self.window {
            self.old = HashSet::default();
            self.next = now;
        }
        self.next += self.window;
    }
}

impl Timely for RotatingSets {
    fn observe_at(&mut self, key: u64, now: u64) -> bool {
        if now >= self.next {
            self.rotate(now);
        }
        let hash = hash(key, self.seed);
        !self.young.insert(hash) || self.old.contains(&hash)
    }

    fn bits(&self) -> f64 {
        bits_of(self.young.allocation_size() + self.old.allocation_size())
    }
}

/// A map of hashes to times.
#[derive(Debug)]
pub(crate) struct HashTimes {
    last: HashMap<u64, u32, Hashed>,
    window: u64,
    next: u64,
    seed: u64,
}

impl HashTimes {
    /// Grains of a window: 32 bits of them are 65,536 windows.
    const GRAINS: u64 = 1 << 16;

    pub(crate) fn new(window: u64, seed: u64) -> Self {
        Self { last: HashMap::default(), window, next: 0, seed }
    }

    /// A tick in grains. One of the window's last key counts as within it.
    fn grains(&self, now: u64) -> u32 {
        num::small(now / (self.window / Self::GRAINS).max(1))
    }

    /// How late a key may be at most, in windows: its grain, and the one in which it is asked for.
    pub(crate) fn late(window: u64) -> f64 {
        2.0 * num::real((window / Self::GRAINS).max(1)) / num::real(window)
    }

    fn within(&self) -> u32 {
        self.grains(self.window) + 1
    }

    /// Drops what expired; gives memory back where three quarters are free.
    fn sweep(&mut self, now: u64) {
        let (grains, within) = (self.grains(now), self.within());
        self.last.retain(|_, then| grains - *then <= within);
        if self.last.len() * 4 < self.last.capacity() {
            self.last.shrink_to(self.last.len() * 2);
        }
        self.next = now + self.window / 4;
    }
}

impl Timely for HashTimes {
    fn observe_at(&mut self, key: u64, now: u64) -> bool {
        if now >= self.next {
            self.sweep(now);
        }
        let (grains, within) = (self.grains(now), self.within());
        let before = self.last.insert(hash(key, self.seed), grains);
        before.is_some_and(|then| grains - then <= within)
    }

    fn bits(&self) -> f64 {
        bits_of(self.last.allocation_size())
    }
}

/// A map of keys to their last sightings, and a queue of sightings.
#[derive(Debug)]
pub(crate) struct ExactWindow {
    last: HashMap<u64, u64, BuildHasherDefault<super::exact_map::Mix>>,
    queue: VecDeque<(u64, u64)>,
    window: u64,
}

impl ExactWindow {
    pub(crate) fn new(window: u64) -> Self {
        Self { last: HashMap::default(), queue: VecDeque::new(), window }
    }

    /// Keys of the window.
    pub(crate) fn live(&self) -> u64 {
        num::wide(self.last.len())
    }

    /// Drops what expired by then.
    pub(crate) fn expire(&mut self, now: u64) {
        while let Some(&(key, then)) = self.queue.front().filter(|(_, then)| then + self.window < now) {
            self.queue.pop_front();
            if let Entry::Occupied(last) = self.last.entry(key) {
                if *last.get() == then {
                    last.remove();
                }
            }
        }
    }
}

impl Timely for ExactWindow {
    fn observe_at(&mut self, key: u64, now: u64) -> bool {
        self.expire(now);
        self.queue.push_back((key, now));
        self.last.insert(key, now).is_some()
    }

    fn bits(&self) -> f64 {
        bits_of(self.last.allocation_size() + 16 * self.queue.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    const WINDOW: u64 = 1 << 20;

    /// Keys that come again after any part of three windows, and what each said of them by how long ago they were there.
    fn found(mut filter: impl Timely, ago: u64) -> usize {
        let far = 1000 * WINDOW;
        let seen = |filter: &mut dyn Timely, key: u64| {
            filter.observe_at(key, far + key * WINDOW / 7);
            filter.observe_at(key, far + key * WINDOW / 7 + ago)
        };
        (0..100).map(|i| 30 * i).filter(|&key| seen(&mut filter, key)).count()
    }

    /// Each key comes after a silence, so that the sets rotate a window after it.
    #[test]
    fn sets_find_a_window_and_never_more_than_two() {
        for (ago, expected) in [(1, 100..101), (WINDOW, 100..101), (3 * WINDOW / 2, 100..101), (2 * WINDOW, 0..1)] {
            let found = found(RotatingSets::new(WINDOW, 1), ago);
            assert!(expected.contains(&found), "{ago}: {found}");
        }
    }

    #[test]
    fn map_of_times_finds_a_window_to_a_grain() {
        for (ago, expected) in [(1, 100), (WINDOW, 100), (WINDOW + 3 * WINDOW / HashTimes::GRAINS, 0)] {
            assert_eq!(found(HashTimes::new(WINDOW, 1), ago), expected, "{ago}");
        }
    }

    #[test]
    fn exact_window_finds_a_window_to_the_tick() {
        for (ago, expected) in [(1, 100), (WINDOW, 100), (WINDOW + 1, 0)] {
            assert_eq!(found(ExactWindow::new(WINDOW), ago), expected, "{ago}");
        }
    }

    #[test]
    fn tables_give_memory_back_after_a_burst() {
        let mut all: Vec<Box<dyn Timely>> =
            vec![Box::new(RotatingSets::new(WINDOW, 1)), Box::new(HashTimes::new(WINDOW, 1))];
        for filter in &mut all {
            let mut rng = Rng(1);
            (0..50_000).for_each(|_| {
                filter.observe_at(rng.next(), WINDOW);
            });
            let peak = filter.bits();
            (1..300).for_each(|i| {
                filter.observe_at(rng.next(), WINDOW + i * WINDOW / 100);
            });
            assert!(peak > 50_000.0 * 64.0 && filter.bits() < peak / 50.0, "{peak} {}", filter.bits());
        }
    }
}
