//! A filter that is told what left a trace, and nothing else, finds every key that the first one must find.

use std::collections::HashMap;

use crate::common::num::index;
use crate::common::rng::Rng;
use crate::common::table;
use lately::{Clock, Field, Filter, Kind, Options, Repeat, Tick, Unit, Verdict};

/// The window.
const T: u64 = 60_000;

/// A filter, the one that follows it, and when each key was seen.
struct Pair {
    first: Filter,
    copy: Filter,
    lateness: u64,
    keeps_first: bool,
    clock: u64,
    seen: HashMap<u64, u64>,
    sent: u64,
    spared: u64,
}

impl Pair {
    fn new(repeat: Repeat, lateness: u64, capacity: Option<u64>) -> Self {
        let options = table(T).error_rate(1e-9).repeat(repeat).lateness_ns(lateness);
        let options = capacity.into_iter().fold(options, Options::capacity);
        let (first, copy) = (Filter::new(&options).unwrap(), Filter::new(&options).unwrap());
        let keeps_first = repeat == Repeat::KeepFirst;
        Self { first, copy, lateness, keeps_first, clock: 0, seen: HashMap::new(), sent: 0, spared: 0 }
    }

    fn observe(&mut self, key: u64, at: u64) {
        self.clock = self.clock.max(at);
        let own = if self.clock - at <= self.lateness { at } else { self.clock };
        let bytes = key.to_le_bytes();
        let (verdict, traced) = self.first.observe_at_traced(bytes, Tick(at)).unwrap();
        if traced {
            self.copy.insert_at(bytes, Tick(own)).unwrap();
        }
        (self.sent, self.spared) = (self.sent + u64::from(traced), self.spared + u64::from(!traced));
        if verdict == Verdict::New || !self.keeps_first {
            let latest = self.seen.get(&key).copied().unwrap_or(0);
            self.seen.insert(key, own.max(latest));
        }
    }

    /// Every key of the window is in both.
    fn check(&self, case: &str) {
        let now = Tick(self.clock);
        for (key, seen) in self.seen.iter().filter(|(_, seen)| **seen + T >= self.clock) {
            let found = [&self.first, &self.copy].map(|filter| filter.contains_at(key.to_le_bytes(), now).unwrap());
            assert_eq!(found, [Verdict::Duplicate; 2], "{case}: key {key} of {seen} at {}", self.clock);
        }
    }

    fn forget(&mut self) {
        let clock = self.clock;
        self.seen.retain(|_, seen| *seen + 2 * T >= clock);
    }
}

/// Steady traffic, storms, silences of all lengths, few keys after many, records that are late.
fn live(pair: &mut Pair, cases: &mut Rng, case: &str) {
    let mut now = 1_000_000;
    for round in 0..60 {
        let (keys, pace, n) = match cases.below(4) {
            0 => (40, T / 200, 1500),
            1 => (100_000, 1, 20_000),
            2 => (12, T / 14, 60),
            _ => (3_000, 40, 4_000),
        };
        for i in 0..n {
            now += cases.below(2 * pace + 1);
            let late = if cases.below(3) == 0 { cases.below(2 * pair.lateness.max(T / 8)) } else { 0 };
            pair.observe(cases.below(keys), now - late);
            if i % (n / 4) == 7 {
                pair.check(case);
            }
        }
        pair.check(case);
        pair.forget();
        now +=
            [0, T / 20, T / 3, T - 1, T + T / 9, T * 9 / 7, T * 4 / 3, 3 * T + 12_345][index(cases.below(8))] + round;
    }
}

#[test]
fn replica_of_traces_alone_finds_every_key_of_the_window() {
    for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
        for lateness in [0, T / 2, 3 * T] {
            for (seed, capacity) in [(1, None), (2, Some(30_000)), (3, None)] {
                let case = format!("{repeat:?}, lateness {lateness}, seed {seed}");
                let mut pair = Pair::new(repeat, lateness, capacity);
                live(&mut pair, &mut Rng(seed), &case);
                assert!(pair.sent > 1000 && pair.spared > 10_000, "{case}: {} {}", pair.sent, pair.spared);
                let [first, copy] = [&pair.first, &pair.copy].map(|filter| filter.stats().new_count);
                assert!(first > 1000 && copy == 0, "{case}");
            }
        }
    }
}

#[test]
fn a_repeat_leaves_a_trace_once_a_generation_and_none_if_the_first_sighting_counts() {
    for (repeat, most) in [(Repeat::Refresh, 8), (Repeat::KeepFirst, 1)] {
        let mut pair = Pair::new(repeat, 0, None);
        (0..1000).for_each(|i| pair.observe(5, 1_000_000 + i * T / 1000));
        assert_eq!(pair.sent, most, "{repeat:?}");
    }
}

/// What does not say what it stored spares its copies nothing.
#[test]
fn other_filters_of_time_leave_a_trace_with_every_observation() {
    for kind in Kind::ALL.iter().filter(|kind| kind.takes(Field::WindowNs) && !kind.takes(Field::AgeBits)) {
        let mut filter =
            Filter::new(&Options::new(*kind).window_ns(T).clock(Clock::Manual(Unit::Nanoseconds))).unwrap();
        (0..9).for_each(|i| assert!(filter.observe_at_traced("a", Tick(i)).unwrap().1, "{kind}"));
    }
}
