//! What the experiments of the time-limited Bloom filter share: section 7's span, rate and pairs, and a filter of ours
//! that is fed and asked.

use std::time::Duration;

use lately::{Clock, Filter, Options, Repeat, Stats, Tick, Unit};

use crate::laws::sliced::Shape;
use crate::num;
use crate::rng::Rng;
use crate::wrong::{self, Mistake, Wrong};

/// The span of section 7, in seconds, and its insertions per second.
pub(crate) const SPAN: f64 = 300.0;
pub(crate) const PER_SECOND: f64 = 10.0;
/// Keys of a span.
pub(crate) const WINDOW: u64 = 3000;
/// Insertions of every experiment of section 7.
pub(crate) const LENGTH: u64 = 10_000;
pub(crate) const CAPACITIES: [u64; 2] = [1000, 10_000];

/// The pairs (k, l) of an error rate, level by level, that the reference implementation has.
pub(crate) const PAIRS: [(f64, &[(u64, u64)]); 5] = [
    (1e-1, &[(4, 3), (5, 7), (6, 14), (7, 28), (8, 56)]),
    (1e-2, &[(7, 5), (8, 8), (9, 14), (10, 25), (11, 46), (12, 88)]),
    (1e-3, &[(10, 7), (11, 9), (12, 14), (13, 23), (14, 40), (15, 74)]),
    (1e-4, &[(14, 11), (15, 15), (16, 22), (17, 36), (18, 63), (19, 117)]),
    (1e-5, &[(17, 13), (18, 16), (19, 22), (20, 33), (21, 54), (22, 95)]),
];

/// A request for a filter of ours over the span.
pub(crate) fn request(capacity: u64) -> Options {
    Options::time_limited(Duration::from_secs(300)).clock(Clock::Manual(Unit::Nanoseconds)).capacity(capacity)
}

/// The same with the paper's k, l and fill.
pub(crate) fn as_printed((k, l): (u64, u64), capacity: u64) -> Options {
    let fill = if wrong::is(Wrong::Overfull) { 0.6 } else { 0.5 };
    request(capacity).k(num::small(k)).l(num::small(l)).fill(fill)
}

/// Bits per key of the span that ours takes at a steady rate: with its margin for uneven arrivals, and a word for each
/// slice that whole words may cost.
pub(crate) fn with_margin(shape: &Shape) -> (f64, f64) {
    let margin = 1.0 + 1.0 / num::real(WINDOW).sqrt();
    (shape.bits_per_key() * margin, num::real(64 * (shape.k + shape.l)) / num::real(WINDOW))
}

/// A filter of ours, in seconds and numbered keys.
#[derive(Debug)]
pub(crate) struct Timed {
    filter: Filter,
    mistake: Mistake,
    /// The most slices so far, if none is given back: by mistake.
    hoarded: Option<u64>,
    /// When each key came.
    pub(crate) times: Vec<f64>,
    seed: u64,
}

/// Where keys begin that nobody inserts.
const ABSENT: u64 = 1 << 48;

fn tick(seconds: f64) -> Tick {
    Tick(num::floor(seconds * 1e9))
}

impl Timed {
    pub(crate) fn new(options: &Options, seed: u64) -> Self {
        let repeat = if wrong::is(Wrong::NotRenewed) { Repeat::KeepFirst } else { Repeat::Refresh };
        let options = options.clone().seed(seed).repeat(repeat);
        let filter = Filter::new(&options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        let hoarded = wrong::is(Wrong::Hoards).then_some(0);
        Self { filter, mistake: Mistake::now(), hoarded, times: Vec::new(), seed }
    }

    /// A further key.
    pub(crate) fn insert(&mut self, now: f64) {
        if let Some(ghost) = self.mistake.ghost() {
            let _ = self.filter.insert_at(&ghost.to_le_bytes(), tick(now));
        }
        let key = num::wide(self.times.len()).to_le_bytes();
        self.filter.insert_at(&key, tick(now)).expect("a windowed filter takes every key");
        self.hoarded = self.hoarded.map(|most| most.max(self.filter.stats().slices));
        self.times.push(now);
    }

    /// A key that comes back.
    pub(crate) fn again(&mut self, key: u64, now: f64) {
        self.filter.observe_at(&key.to_le_bytes(), tick(now)).expect("a manual clock");
    }

    pub(crate) fn has(&self, key: u64, now: f64) -> bool {
        let verdict = self.filter.contains_at(&key.to_le_bytes(), tick(now)).expect("a manual clock");
        self.mistake.answer(verdict.is_duplicate())
    }

    /// The share of absent keys that are found.
    pub(crate) fn false_rate(&self, now: f64, queries: u64) -> f64 {
        let first = ABSENT + self.seed % ABSENT;
        num::size((first..first + queries).filter(|&key| self.has(key, now)).count()) / num::real(queries)
    }

    /// Keys of the last span.
    pub(crate) fn live(&self, now: f64) -> u64 {
        num::wide(self.times.len() - self.times.partition_point(|&time| time < now - SPAN))
    }

    /// Keys of the last span, one in `every`, that are not found.
    pub(crate) fn missed(&self, now: f64, every: usize) -> u64 {
        // A tick is a nanosecond: the edge itself is not asked for.
        let first = self.times.partition_point(|&time| time <= now - SPAN + 1e-6);
        let keys = (first..self.times.len()).step_by(every);
        num::wide(keys.filter(|&key| !self.has(num::wide(key), now)).count())
    }

    /// At the filter's clock.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = self.filter.stats();
        if let Some(most) = self.hoarded {
            (stats.slices, stats.bytes) = (most, stats.bytes_peak);
        }
        stats
    }

    pub(crate) fn bits(&self) -> f64 {
        num::real(self.stats().bytes) * 8.0
    }
}

/// Arrivals one by one, at a rate that may change: Poisson's.
#[derive(Debug)]
pub(crate) struct Arrivals {
    rng: Rng,
    now: f64,
}

impl Arrivals {
    pub(crate) const fn new(seed: u64) -> Self {
        Self { rng: Rng(seed), now: 0.0 }
    }

    /// The times up to `end` at that many a second.
    pub(crate) fn until(&mut self, end: f64, per_second: f64) -> impl Iterator<Item = f64> + '_ {
        std::iter::from_fn(move || {
            let next = self.now - self.rng.unit().ln() / per_second;
            self.now = next.min(end);
            (next < end).then_some(next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_fed_and_asked() {
        let mut filter = Timed::new(&as_printed((10, 25), WINDOW), 1);
        let mut arrivals = Arrivals::new(1);
        arrivals.until(900.0, PER_SECOND).for_each(|now| filter.insert(now));
        assert!((num::size(filter.times.len()) - 9000.0).abs() < 500.0);
        assert!((num::real(filter.live(900.0)) - 3000.0).abs() < 300.0);
        assert_eq!(filter.missed(900.0, 1), 0);
        assert!(!filter.has(0, 900.0) && filter.missed(1190.0, 1) == 0 && filter.live(1190.0) < 200);
        assert!((filter.false_rate(900.0, 100_000) - 0.01).abs() < 0.003);
    }
}
