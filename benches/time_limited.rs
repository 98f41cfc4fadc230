//! A time-limited filter in its steady state, at a given size of its cells.

use std::time::Duration;

use lately::{ClockSource, Filter, Options, Verdict};

use crate::workloads::{Block, Stream, Tally};

/// The error rate of every bench: the default.
const RATE: f64 = 1e-3;

/// Keys of a batch.
const BATCH: usize = 256;

/// Keys of a block while the filter fills.
const FILLING: u64 = 1 << 16;

pub(crate) struct Rig {
    filter: Filter,
    pub(crate) stream: Stream,
    verdicts: Vec<Verdict>,
    tally: Tally,
}

impl Rig {
    /// A filter whose cells take about `bytes` bytes, filled for a window and a quarter.
    pub(crate) fn new(bytes: u64) -> Self {
        let window = keys_for(bytes);
        let options = request(window);
        let mut rig = Self {
            filter: Filter::new(&options).expect("a filter of this size"),
            stream: Stream::new(window),
            verdicts: Vec::new(),
            tally: Tally::default(),
        };
        for _ in 0..(window * 5 / 4).div_ceil(FILLING) {
            let block = rig.stream.sightings(FILLING);
            rig.observe_batches(&block);
        }
        rig
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.filter.stats().bytes
    }

    pub(crate) fn observe(&mut self, block: &Block) {
        self.verdicts.clear();
        for (key, tick) in block.singles() {
            self.verdicts.push(self.filter.observe_at(key, tick).expect("the clock is manual"));
        }
    }

    pub(crate) fn observe_batches(&mut self, block: &Block) {
        self.verdicts.resize(block.len(), Verdict::New);
        for ((keys, ticks), verdicts) in block.batches(BATCH).zip(self.verdicts.chunks_mut(BATCH)) {
            self.filter.observe_batch(keys, Some(ticks), verdicts).expect("the clock is manual");
        }
    }

    pub(crate) fn contains(&mut self, block: &Block) {
        self.verdicts.clear();
        for (key, tick) in block.singles() {
            self.verdicts.push(self.filter.contains_at(key, tick).expect("the clock is manual"));
        }
    }

    pub(crate) fn contains_batches(&mut self, block: &Block) {
        self.verdicts.resize(block.len(), Verdict::New);
        for ((keys, ticks), verdicts) in block.batches(BATCH).zip(self.verdicts.chunks_mut(BATCH)) {
            self.filter.contains_batch(keys, Some(ticks), verdicts).expect("the clock is manual");
        }
    }

    pub(crate) fn forget_verdicts(&mut self) {
        self.verdicts.clear();
    }

    /// Compares the verdicts of the last block, if it was this filter that answered, with the truth.
    pub(crate) fn count(&mut self, block: &Block) {
        if !self.verdicts.is_empty() {
            self.tally.add(block, &self.verdicts);
        }
    }

    pub(crate) fn check(&self, name: &str) {
        self.tally.check(name, RATE);
    }
}

/// A filter for `window` keys, one a tick, in a window of as many ticks.
fn request(window: u64) -> Options {
    Options::time_limited(Duration::from_nanos(window)).clock(ClockSource::Manual).error_rate(RATE).capacity(window)
}

/// The largest number of keys whose plan takes at most `bytes`.
fn keys_for(bytes: u64) -> u64 {
    let (mut low, mut high) = (1, bytes * 8);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let plan = Filter::plan(&request(middle)).expect("a plan for this number of keys");
        if plan.bytes <= bytes { low = middle } else { high = middle }
    }
    low
}
