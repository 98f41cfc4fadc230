//! The exact answer, by a map from key to time. Obviously right, and unbounded.

use std::collections::HashMap;

use lately::{Repeat, Stats, Verdict};

/// When each key was last stored.
#[derive(Debug)]
pub(crate) struct Oracle {
    window: u64,
    repeat: Repeat,
    clock: u64,
    stored: HashMap<u64, u64>,
}

impl Oracle {
    pub(crate) fn new(window: u64, repeat: Repeat) -> Self {
        Self { window, repeat, clock: 0, stored: HashMap::new() }
    }

    /// One that has seen nothing.
    pub(crate) fn emptied(&self) -> Self {
        Self::new(self.window, self.repeat)
    }

    /// Takes a tick: a late one counts as the clock.
    pub(crate) fn tick(&mut self, tick: u64) -> u64 {
        self.clock = self.clock.max(tick);
        self.clock
    }

    pub(crate) fn clock(&self) -> u64 {
        self.clock
    }

    /// The moment from which the key's age counts.
    pub(crate) fn since(&self, key: u64) -> Option<u64> {
        self.stored.get(&key).copied()
    }

    /// Whether the key must be found at `tick`: its age is at most the window.
    pub(crate) fn holds(&self, key: u64, tick: u64) -> bool {
        self.holds_within(key, tick, self.window)
    }

    /// Whether the key's age at `tick` is at most `reach`.
    pub(crate) fn holds_within(&self, key: u64, tick: u64, reach: u64) -> bool {
        self.since(key).is_some_and(|since| tick.max(self.clock) - since <= reach)
    }

    /// Whether the key must be found at `tick` by what `stats` promise: the whole window, its edge inside, unless
    /// slices were forgotten before their time; then ages below `reach_ns`.
    pub(crate) fn holds_by(&self, stats: &Stats, key: u64, tick: u64) -> bool {
        let reach = stats.reach_ns;
        if reach == self.window { self.holds(key, tick) } else { reach > 0 && self.holds_within(key, tick, reach - 1) }
    }

    /// The key was observed at the clock and answered by `verdict`. Says whether it was stored.
    pub(crate) fn observed(&mut self, key: u64, verdict: Verdict) -> bool {
        let stores = self.repeat == Repeat::Refresh || verdict.is_new();
        if stores {
            self.inserted(key);
        }
        stores
    }

    /// The key was stored at the clock.
    pub(crate) fn inserted(&mut self, key: u64) {
        self.stored.insert(key, self.clock);
    }

    /// Forgets a key that has left the window, so that long runs need no long memory.
    pub(crate) fn forget(&mut self, key: u64) {
        self.stored.remove(&key);
    }
}
