//! A filter of lately as one that the experiments show keys to.

use lately::{Clock, Filter, Kind, Options, Tick, Unit};

use crate::detector::Detector;
use crate::num;
use crate::timely::Timely;
use crate::wrong::{self, Mistake, Wrong};

/// Bytes of a window of time whose number of keys is not known, while it is small: at some 1,500 keys its map has its old and its new
/// places, and the first table is there, too.
pub(crate) const MOST_WHILE_SMALL: u64 = 96 << 10;

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

    /// Whether a key is there, at the moment of the last one that was shown.
    pub(crate) fn has(&self, key: u64) -> bool {
        let found = self.filter.contains_at(&key.to_le_bytes(), Tick(self.tick()));
        self.mistake.answer(found.expect("a moment that has been").is_duplicate())
    }

    /// The filter as the bytes of a snapshot.
    pub(crate) fn snapshot(&self) -> Vec<u8> {
        let mut bytes = vec![0; num::index(self.filter.snapshot_size())];
        self.filter.snapshot_write(&mut bytes).expect("room for a snapshot");
        bytes
    }

    /// What it says of itself.
    #[cfg(test)]
    pub(crate) fn stats(&self) -> lately::Stats {
        self.filter.stats()
    }

    /// The lines of a window table.
    pub(crate) fn table_lines(&self) -> u64 {
        self.filter.stats().newest_slice_bits / 512
    }

    const fn tick(&self) -> u64 {
        if self.hasty { self.count + self.count / 16 } else { self.count }
    }

    fn show(&mut self, key: u64) -> bool {
        let key = key.to_le_bytes();
        (0..self.mistake.looks()).for_each(|_| {
            std::hint::black_box(self.filter.contains(&key));
        });
        let verdict =
            if self.timed { self.filter.observe_at(&key, Tick(self.tick())) } else { self.filter.observe(&key) };
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

#[cfg(test)]
mod tests {
    use super::*;

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
