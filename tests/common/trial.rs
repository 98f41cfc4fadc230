//! A filter and the oracle side by side on one stream. Every check is one promise that bites: the oracle says that
//! the key must be found, and the filter is asked.

use std::collections::VecDeque;

use lately::{Filter, Options, Repeat, Tick};

use super::oracle::Oracle;
use super::rng::Rng;
use super::streams::Arrival;
use super::{build, finds, insert, observe};

/// What runs side by side.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) filter: Filter,
    pub(crate) oracle: Oracle,
    /// How many times a key had to be found and was.
    pub(crate) checks: u64,
    window: u64,
    rng: Rng,
    /// Keys by the time they were stored: each is asked for at the exact edge of its window.
    edges: VecDeque<(u64, u64)>,
}

impl Trial {
    pub(crate) fn new(options: &Options, window: u64, repeat: Repeat, seed: u64) -> Self {
        let oracle = Oracle::new(window, repeat);
        let filter = build(&options.clone().repeat(repeat));
        Self { filter, oracle, checks: 0, window, rng: Rng(seed), edges: VecDeque::new() }
    }

    /// One arrival: the edges before it, the arrival itself, and a key from anywhere in the window.
    pub(crate) fn arrive(&mut self, arrival: Arrival) {
        self.pass_edges(arrival.tick.max(self.oracle.clock()));
        match self.rng.below(16) {
            0 => self.insert(arrival),
            1 => self.advance(arrival),
            _ => self.observe(arrival),
        }
        self.probe_one();
    }

    /// Asks for every key whose age passes T before `now`, when its age is exactly T.
    fn pass_edges(&mut self, now: u64) {
        while let Some(&(since, key)) = self.edges.front().filter(|(since, _)| since + self.window < now) {
            self.edges.pop_front();
            if self.oracle.since(key) != Some(since) {
                continue;
            }
            let edge = since + self.window;
            assert!(finds(&self.filter, key, edge), "key {key} of {since} is missed at its edge {edge}");
            self.checks += 1;
            if self.rng.once_in(8) {
                self.observe(Arrival { tick: edge, key });
            } else {
                self.oracle.forget(key);
            }
        }
    }

    fn observe(&mut self, Arrival { tick, key }: Arrival) {
        let now = self.oracle.tick(tick);
        let must = self.oracle.holds(key, now);
        let verdict = observe(&mut self.filter, key, tick);
        assert!(!must || verdict.is_duplicate(), "key {key} of {:?} is new at {now}", self.oracle.since(key));
        self.checks += u64::from(must);
        if self.oracle.observed(key, verdict) {
            self.edges.push_back((now, key));
        }
    }

    fn insert(&mut self, Arrival { tick, key }: Arrival) {
        let now = self.oracle.tick(tick);
        insert(&mut self.filter, key, tick);
        self.oracle.inserted(key);
        self.edges.push_back((now, key));
        assert!(finds(&self.filter, key, now), "key {key} is missed right after its insertion at {now}");
        self.checks += 1;
    }

    fn advance(&mut self, Arrival { tick, .. }: Arrival) {
        let now = self.oracle.tick(tick);
        self.filter.advance(Tick(tick)).expect("a manual clock");
        assert_eq!(self.filter.stats().clock, Tick(now));
    }

    fn probe_one(&mut self) {
        let now = self.oracle.clock();
        if let Some(&(since, key)) =
            self.edges.get(super::num::index(self.rng.below(super::num::wide(self.edges.len()) + 1)))
        {
            if self.oracle.holds(key, now) {
                assert!(finds(&self.filter, key, now), "key {key} of {since} is missed at {now}");
                self.checks += 1;
            }
        }
    }
}
