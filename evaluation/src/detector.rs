//! The one verb that every filter here keeps, ours behind it, and the counting of their mistakes.

use lately::{Clock, Filter, Kind, Options, Tick, Unit};
use serde::{Deserialize, Serialize};

use crate::num;
use crate::timely::Timely;
use crate::wrong::{self, Mistake, Wrong};

/// Says whether it has seen a key, and remembers it by its own rules.
pub(crate) trait Detector {
    /// Whether `key` is called a duplicate; then it is remembered.
    fn observe(&mut self, key: u64) -> bool;
    /// The bits that its cells may take.
    fn bits(&self) -> f64;
    /// The bits that its cells take now, where they come and go.
    fn bits_now(&self) -> f64 {
        self.bits()
    }
    /// The cache lines of 64 bytes that one `observe` of a new key touches, about: random places, each a line.
    fn lines(&self) -> f64;
}

/// A filter of lately. Its time, if it has one, is the count of keys.
#[derive(Debug)]
pub(crate) struct Ours {
    filter: Filter,
    timed: bool,
    bits: f64,
    lines: f64,
    count: u64,
    mistake: Mistake,
    /// Whether its clock runs a sixteenth too fast, or it gives no memory back: by mistake.
    hasty: bool,
    hoards: bool,
}

impl Ours {
    /// The filter that `options` ask for; a time-limited one counts a tick per key.
    pub(crate) fn new(options: &Options) -> Self {
        let filter = Filter::new(options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        let plan = Filter::plan(options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        let timed = filter.contains_at(&[], Tick(0)).is_ok();
        Self {
            filter,
            timed,
            bits: num::real(plan.bytes) * 8.0,
            lines: plan.cache_lines_per_observe,
            count: 0,
            mistake: Mistake::now(),
            hasty: wrong::is(Wrong::Hasty),
            hoards: wrong::is(Wrong::Hoards),
        }
    }

    /// A time-limited filter over the last `keys` keys, a tick each.
    pub(crate) fn timed(keys: u64) -> Options {
        Options::new(Kind::TimeLimited).window_ns(keys).capacity(keys).clock(Clock::Manual(Unit::Nanoseconds))
    }
}

impl Ours {
    /// With the mistakes that it was built with.
    fn shown(&mut self, key: u64) -> bool {
        if let Some(ghost) = self.mistake.ghost() {
            self.show(ghost);
        }
        let found = self.show(key);
        self.mistake.answer(found)
    }

    fn show(&mut self, key: u64) -> bool {
        let key = key.to_le_bytes();
        (0..self.mistake.looks()).for_each(|_| {
            std::hint::black_box(self.filter.contains(&key));
        });
        let tick = if self.hasty { self.count + self.count / 16 } else { self.count };
        let verdict = if self.timed { self.filter.observe_at(&key, Tick(tick)) } else { self.filter.observe(&key) };
        verdict.expect("an add-only or windowed filter takes every key").is_duplicate()
    }
}

impl Detector for Ours {
    fn observe(&mut self, key: u64) -> bool {
        self.count += 1;
        self.shown(key)
    }

    fn bits(&self) -> f64 {
        self.bits.max(num::real(self.filter.stats().bytes_peak) * 8.0)
    }

    fn bits_now(&self) -> f64 {
        let now = || num::real(self.filter.stats().bytes) * 8.0;
        if self.timed && !self.hoards { now() } else { Detector::bits(self) }
    }

    fn lines(&self) -> f64 {
        self.lines
    }
}

impl Timely for Ours {
    fn observe_at(&mut self, key: u64, now: u64) -> bool {
        self.count = now;
        self.shown(key)
    }

    fn bits(&self) -> f64 {
        self.bits_now()
    }
}

/// What a filter said wrong, and of how many keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mistakes {
    pub(crate) unseen: u64,
    pub(crate) false_duplicates: u64,
    pub(crate) duplicates: u64,
    pub(crate) missed: u64,
}

impl Mistakes {
    /// One verdict beside the truth.
    pub(crate) const fn count(&mut self, said: bool, truth: bool) {
        match (said, truth) {
            (false, false) => self.unseen += 1,
            (true, false) => (self.unseen, self.false_duplicates) = (self.unseen + 1, self.false_duplicates + 1),
            (true, true) => self.duplicates += 1,
            (false, true) => (self.duplicates, self.missed) = (self.duplicates + 1, self.missed + 1),
        }
    }

    /// The share of unseen keys that were called duplicates; NaN if there were none.
    pub(crate) fn false_rate(&self) -> f64 {
        num::real(self.false_duplicates) / num::real(self.unseen)
    }

    /// The share of duplicates that were called new; NaN if there were none.
    pub(crate) fn miss_rate(&self) -> f64 {
        num::real(self.missed) / num::real(self.duplicates)
    }
}

/// Shows every key with its truth to every detector.
pub(crate) fn judge(detectors: &mut [Box<dyn Detector>], stream: impl Iterator<Item = (u64, bool)>) -> Vec<Mistakes> {
    let mut mistakes = vec![Mistakes::default(); detectors.len()];
    for (key, truth) in stream {
        for (detector, mistakes) in detectors.iter_mut().zip(&mut mistakes) {
            mistakes.count(detector.observe(key), truth);
        }
    }
    mistakes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_over_what_could_be_mistaken() {
        let mut mistakes = Mistakes::default();
        [(false, false), (true, false), (true, true), (false, true), (false, true)]
            .iter()
            .for_each(|&(said, truth)| mistakes.count(said, truth));
        assert_eq!(mistakes, Mistakes { unseen: 2, false_duplicates: 1, duplicates: 3, missed: 2 });
        assert_eq!((mistakes.false_rate(), mistakes.miss_rate()), (0.5, 2.0 / 3.0));
    }

    #[test]
    fn ours_keeps_its_window_in_keys() {
        for options in [Ours::timed(100), Options::age_partitioned(100)] {
            let mut ours = Ours::new(&options);
            (0..5000).for_each(|key| {
                ours.observe(key);
            });
            assert!((4901..5000).all(|key| ours.observe(key)), "{options:?}");
            assert!((0..1000).filter(|&key| ours.observe(key)).count() < 20, "{options:?}");
        }
    }
}
