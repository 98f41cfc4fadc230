//! One that takes part in a contest: its plan, and what its law says.

use crate::baselines::bloom::{self, Bloom};
use crate::detector::Detector;
use crate::num;

/// A filter that is planned for a window and a rate, with what its law says.
pub(super) struct Entrant {
    pub(super) name: String,
    /// The integers of its plan, in words.
    pub(super) plan: String,
    pub(super) bits_per_key: f64,
    /// The same at its peak, where it grows to what it needs and that is known; else 0.
    pub(super) bits_at_peak: f64,
    /// Windows for which a key past the window is found for certain, at most.
    pub(super) late: f64,
    pub(super) law: Law,
    pub(super) build: Box<dyn Fn(u64) -> Box<dyn Detector> + Send + Sync>,
}

/// How many keys of the window a filter misses.
#[derive(Debug, Clone, Copy)]
pub(super) enum Missed {
    /// None: that is its promise.
    None,
    /// This share at most.
    AtMost(f64),
    /// About this share.
    About(f64),
}

/// The false duplicates of a filter, mean over time.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rate {
    /// By a formula.
    About(f64),
    /// At most those that its layout is for. A field has a whole number of bits, so that they may be half of those.
    OfLayout(f64),
}

impl Rate {
    pub(super) const fn value(self) -> f64 {
        match self {
            Self::About(rate) | Self::OfLayout(rate) => rate,
        }
    }
}

/// What is expected of a filter, where a formula says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Law {
    pub(super) rate: Rate,
    /// The share of the keys of the window before that are still found.
    pub(super) stale: Option<f64>,
    /// The share of the keys of the window that are missed, where it may be more than nothing.
    pub(super) missed: Missed,
    /// How far the formula itself may be off, relative.
    pub(super) slack: f64,
}

/// What a plan of ours must miss at most, where it may forget.
pub(super) const FORGETS: f64 = 0.01;

/// The Bloom filter of a given size per key with the least rate.
pub(super) fn bloom_of(keys: u64, target: f64) -> (u64, u64) {
    let bits = bloom::bits_for(target);
    (num::ceil(bits * num::real(keys)), bloom::best(bits).0)
}

/// Builds such a set from a seed.
pub(super) fn bloom_set(m: u64, k: u64, seed: u64) -> Bloom {
    Bloom::new(m, k, seed)
}
