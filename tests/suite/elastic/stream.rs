//! The sightings of a traffic: a pure function of its rate, its keys, a size and a seed, so that a run repeats everywhere.
//!
//! Tests and benchmarks include this file; `num` and `rng` are those of `tests/common`.
#![allow(dead_code, reason = "each program uses its own part of this")]

use std::collections::VecDeque;

use super::num::{floor, index, real, wide};
use super::rng::Rng;

/// The window, in ticks: no multiple of its 56 parts, so that rounding is met.
pub(crate) const WINDOW: u64 = 600_000_000_000;

/// Far from 0, as a real clock is.
const FIRST_TICK: u64 = 1000 * WINDOW + 1;

/// The longest step, in windows, over which a rate counts as constant.
const GRAIN: f64 = 1.0 / 5600.0;

/// The key of a storm, and what no stream shows.
const STORM: u64 = 1 << 61;
const ABSENT: u64 = 1 << 62;

/// What arrives, and how fast.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traffic {
    pub(crate) name: &'static str,
    /// Sightings a window as a multiple of the size, at a time in windows.
    pub(crate) rate: fn(f64) -> f64,
    /// How long it lasts.
    pub(crate) windows: f64,
    pub(crate) keys: Keys,
    /// The share of sightings that are of one key, at a time in windows.
    pub(crate) storm: fn(f64) -> f64,
    /// Ticks are multiples of this part of a window; 0 is any tick.
    pub(crate) heap: f64,
}

/// Which keys there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Keys {
    /// Keys without order; how many come again is left to the run.
    Scattered,
    /// 1, 2, 3, ...
    Counted,
    /// Without order; this share of them come again.
    Repeating(f64),
    /// This share of the size, again and again in the same order.
    Cycle(f64),
}

impl Keys {
    /// The shares of repeats that a traffic is run with.
    pub(crate) const fn shares(self) -> &'static [f64] {
        match self {
            Self::Repeating(_) => &[0.9],
            Self::Cycle(_) => &[1.0],
            Self::Scattered | Self::Counted => &[0.5, 0.0],
        }
    }

    /// The 64 bits of a key.
    const fn spell(self, id: u64) -> u64 {
        match self {
            Self::Counted => id,
            _ => spread(spread(id ^ 0x5851_F42D_4C95_7F2D)),
        }
    }

    /// A key that no stream shows.
    pub(crate) const fn absent(self, i: u64) -> u64 {
        self.spell(ABSENT | i)
    }
}

/// A bijection of 64 bits that looks random.
const fn spread(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// One sighting.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sighting {
    pub(crate) key: u64,
    pub(crate) tick: u64,
    /// The same in windows since the traffic began.
    pub(crate) at: f64,
}

/// The sightings of one traffic.
#[derive(Debug)]
pub(crate) struct Stream {
    traffic: Traffic,
    size: f64,
    repeats: f64,
    rng: Rng,
    now: f64,
    /// Share of a sighting that slow rates have brought.
    due: f64,
    fresh: u64,
    /// What was seen within the window, of which repeats are drawn.
    recent: VecDeque<(u64, u64)>,
}

impl Stream {
    /// With `size` sightings a window at rate 1; `repeats` is the share of them that come again.
    pub(crate) fn new(traffic: Traffic, size: u64, repeats: f64) -> Self {
        let repeats = if let Keys::Repeating(share) = traffic.keys { share } else { repeats };
        let rng = Rng(size ^ repeats.to_bits());
        Self { traffic, size: real(size), repeats, rng, now: 0.0, due: 0.0, fresh: 0, recent: VecDeque::new() }
    }

    /// To the time of the next sighting.
    fn step(&mut self) {
        loop {
            let rate = (self.traffic.rate)(self.now) * self.size;
            let left = (1.0 - self.due) / rate;
            if left <= GRAIN {
                self.now += left;
                self.due = 0.0;
                return;
            }
            self.now += GRAIN;
            self.due += rate * GRAIN;
        }
    }

    fn tick(&self) -> u64 {
        let heap = self.traffic.heap;
        let now = if heap > 0.0 { (self.now / heap).floor() * heap } else { self.now };
        FIRST_TICK + floor(now * real(WINDOW))
    }

    fn id(&mut self) -> u64 {
        if self.rng.unit() <= (self.traffic.storm)(self.now) {
            return STORM;
        }
        if let Keys::Cycle(share) = self.traffic.keys {
            self.fresh += 1;
            return self.fresh % floor(self.size * share).max(1);
        }
        if self.rng.unit() <= self.repeats && !self.recent.is_empty() {
            let among = self.rng.below(wide(self.recent.len()));
            return self.recent[index(among)].0;
        }
        self.fresh += 1;
        self.fresh
    }

    /// Remembers what may come again, once for each sighting; the key of a storm comes by itself.
    fn remember(&mut self, id: u64, tick: u64) {
        if self.repeats > 0.0 && id != STORM {
            self.recent.push_back((id, tick));
        }
    }

    fn forget(&mut self, tick: u64) {
        while self.recent.front().is_some_and(|(_, at)| at + WINDOW < tick) {
            self.recent.pop_front();
        }
    }
}

impl Iterator for Stream {
    type Item = Sighting;

    fn next(&mut self) -> Option<Sighting> {
        self.step();
        if self.now >= self.traffic.windows {
            return None;
        }
        let tick = self.tick();
        self.forget(tick);
        let id = self.id();
        self.remember(id, tick);
        Some(Sighting { key: self.traffic.keys.spell(id), tick, at: real(tick - FIRST_TICK) / real(WINDOW) })
    }
}
