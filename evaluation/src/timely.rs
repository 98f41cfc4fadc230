//! The one verb of filters over a window of time, and what turns filters of a count into such.

use crate::detector::Detector;
use crate::traffic::Sighting;

/// Says whether it has seen a key within its window of time, and remembers it.
pub(crate) trait Timely {
    /// Whether `key` is called a duplicate at this tick.
    fn observe_at(&mut self, key: u64, now: u64) -> bool;

    /// The bits that it takes now, as allocated.
    fn bits(&self) -> f64;

    /// Each sighting in order; what was called of each.
    fn run(&mut self, stretch: &[Sighting], found: &mut Vec<bool>) {
        found.clear();
        found.extend(stretch.iter().map(|sighting| self.observe_at(sighting.key, sighting.tick)));
    }
}

/// Sets that can be made to drop the oldest.
pub(crate) trait Rotating: Detector {
    fn rotate(&mut self);
}

/// Sets that rotate by time, whatever they have taken.
pub(crate) struct ByClock<T> {
    sets: T,
    turn: u64,
    next: Option<u64>,
}

impl<T: Rotating> ByClock<T> {
    /// A turn is this many ticks; the sets do not count keys.
    pub(crate) const fn new(sets: T, turn: u64) -> Self {
        Self { sets, turn, next: None }
    }
}

impl<T: Rotating> Timely for ByClock<T> {
    fn observe_at(&mut self, key: u64, now: u64) -> bool {
        let mut next = self.next.unwrap_or(now + self.turn);
        while next <= now {
            self.sets.rotate();
            next += self.turn;
        }
        self.next = Some(next);
        self.sets.observe(key)
    }

    fn bits(&self) -> f64 {
        self.sets.bits_now()
    }
}

/// A filter over time as one over a count: each key is a tick.
pub(crate) struct Counted<T> {
    filter: T,
    now: u64,
    lines: f64,
}

impl<T: Timely> Counted<T> {
    /// An `observe` touches `lines` cache lines.
    pub(crate) const fn new(filter: T, lines: f64) -> Self {
        Self { filter, now: 0, lines }
    }
}

impl<T: Timely> Detector for Counted<T> {
    fn observe(&mut self, key: u64) -> bool {
        self.now += 1;
        self.filter.observe_at(key, self.now)
    }

    fn bits(&self) -> f64 {
        self.filter.bits()
    }

    fn lines(&self) -> f64 {
        self.lines
    }
}
