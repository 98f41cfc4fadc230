//! Who runs through a traffic: exact state of a window of time, and a filter in single calls and in batches.

use std::collections::VecDeque;
use std::time::Duration;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use lately::{Clock, Filter, Keys, Options, Tick, Unit, Verdict};

use super::num::wide;
use super::stream::{Sighting, WINDOW};

/// Keys of a batch.
pub(super) const BATCH: usize = 256;

/// Sightings that each subject sees in turn.
#[derive(Default)]
pub(super) struct Stretch {
    pub(super) keys: Vec<u64>,
    pub(super) ticks: Vec<u64>,
    /// When it began, in windows.
    pub(super) at: f64,
}

impl Stretch {
    /// The next one of the stream: so long, and not fewer than `least`, of which time would say nothing.
    pub(super) fn next(stream: &mut impl Iterator<Item = Sighting>, length: f64, least: usize) -> Option<Self> {
        let first = stream.next()?;
        let mut stretch = Self { at: first.at, ..Self::default() };
        stretch.push(&first);
        for sighting in stream {
            stretch.push(&sighting);
            if sighting.at >= stretch.at + length && stretch.keys.len() >= least {
                break;
            }
        }
        Some(stretch)
    }

    fn push(&mut self, sighting: &Sighting) {
        self.keys.push(sighting.key);
        self.ticks.push(sighting.tick);
    }

    fn each(&self) -> impl Iterator<Item = (u64, u64)> {
        self.keys.iter().copied().zip(self.ticks.iter().copied())
    }
}

/// What is timed.
pub(super) trait Subject {
    fn run(&mut self, stretch: &Stretch);

    /// Whether each key of the last stretch was a duplicate.
    fn found(&self) -> Vec<bool>;

    /// Bytes of its state now.
    fn bytes(&self) -> u64;
}

/// A map from the key to its last sighting, and a queue that expires them.
#[derive(Default)]
pub(super) struct Exact {
    last: HashMap<u64, u64>,
    queue: VecDeque<(u64, u64)>,
    found: Vec<bool>,
}

impl Exact {
    fn observe(&mut self, key: u64, tick: u64) -> bool {
        while let Some(&(old, at)) = self.queue.front().filter(|(_, at)| at + WINDOW < tick) {
            self.queue.pop_front();
            self.expire(old, at);
        }
        self.queue.push_back((key, tick));
        self.last.insert(key, tick).is_some()
    }

    fn expire(&mut self, key: u64, at: u64) {
        if let Entry::Occupied(entry) = self.last.entry(key) {
            if *entry.get() == at {
                entry.remove();
            }
        }
    }

    pub(super) fn live(&self) -> u64 {
        wide(self.last.len().max(1))
    }
}

impl Subject for Exact {
    fn run(&mut self, stretch: &Stretch) {
        self.found.clear();
        for (key, tick) in stretch.each() {
            let found = self.observe(key, tick);
            self.found.push(found);
        }
    }

    fn found(&self) -> Vec<bool> {
        self.found.clone()
    }

    fn bytes(&self) -> u64 {
        wide(self.last.allocation_size() + 16 * self.queue.capacity())
    }
}

/// A filter of a window of time, without capacity.
pub(super) struct Table {
    filter: Filter,
    in_batches: bool,
    ticks: Vec<Tick>,
    verdicts: Vec<Verdict>,
}

impl Table {
    pub(super) fn new(error_rate: f64, in_batches: bool) -> Self {
        let options = Options::window(Duration::from_nanos(WINDOW));
        let options = options.clock(Clock::Manual(Unit::Nanoseconds)).error_rate(error_rate);
        let filter = Filter::new(&options).expect("a filter");
        Self { filter, in_batches, ticks: Vec::new(), verdicts: Vec::new() }
    }

    fn singles(&mut self, stretch: &Stretch) {
        self.verdicts.clear();
        for (key, tick) in stretch.each() {
            let verdict = self.filter.observe_at(key.to_le_bytes(), Tick(tick));
            self.verdicts.push(verdict.expect("the filter takes this key"));
        }
    }

    fn batches(&mut self, stretch: &Stretch) {
        self.ticks.clear();
        self.ticks.extend(stretch.ticks.iter().map(|tick| Tick(*tick)));
        self.verdicts.resize(stretch.keys.len(), Verdict::New);
        let batches = stretch.keys.chunks(BATCH).zip(self.ticks.chunks(BATCH));
        for ((keys, ticks), verdicts) in batches.zip(self.verdicts.chunks_mut(BATCH)) {
            let taken = self.filter.observe_batch(Keys::U64s(keys), Some(ticks), verdicts);
            taken.expect("the filter takes this batch");
        }
    }
}

impl Subject for Table {
    fn run(&mut self, stretch: &Stretch) {
        if self.in_batches { self.batches(stretch) } else { self.singles(stretch) }
    }

    fn found(&self) -> Vec<bool> {
        self.verdicts.iter().map(|verdict| verdict.is_duplicate()).collect()
    }

    fn bytes(&self) -> u64 {
        self.filter.stats().bytes
    }
}
