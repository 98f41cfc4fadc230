//! One that is timed: what answers, the stream that it sees, and whether its answers keep what it promises.

use std::hint::black_box;
use std::time::Instant;

use lately::Verdict;

use crate::workloads::{Block, Promise, Stream, Tally};

/// What is done with every key of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verb {
    Observe,
    Insert,
    Contains,
}

/// Answers a block of keys.
pub(crate) trait Subject {
    /// Does `verb` with every key, in batches of `batch` if that is above 1, and appends the verdicts if it has any.
    fn run(&mut self, verb: Verb, batch: usize, block: &Block, verdicts: &mut Vec<Verdict>);

    /// Forgets everything.
    fn clear(&mut self) {}
}

/// Keys of a block while a subject fills, and of its batches.
const FILLING: (u64, usize) = (1 << 16, 256);

/// How a subject comes to its steady state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filling {
    /// Quarters of a window that pass before the clock runs.
    pub(crate) quarters: u64,
    /// Whether it may continue forever; else it starts again when the window is full.
    pub(crate) endless: bool,
}

impl Filling {
    /// Nothing to fill.
    pub(crate) const NONE: Self = Self { quarters: 0, endless: true };
    /// A window of traffic, and a quarter so that the oldest part has been replaced.
    pub(crate) const WINDOW: Self = Self { quarters: 5, endless: true };
}

pub(crate) struct Contender {
    name: String,
    subject: Box<dyn Subject>,
    stream: Stream,
    promise: Promise,
    filling: Filling,
    verdicts: Vec<Verdict>,
    tally: Tally,
}

impl Contender {
    /// A subject in its steady state, for a stream with `window` sightings in its window.
    pub(crate) fn new(
        name: impl Into<String>,
        subject: Box<dyn Subject>,
        window: u64,
        promise: Promise,
        filling: Filling,
    ) -> Self {
        let (stream, tally) = (Stream::new(window), Tally::default());
        let mut new = Self { name: name.into(), subject, stream, promise, filling, verdicts: Vec::new(), tally };
        new.fill();
        new
    }

    fn fill(&mut self) {
        let (most, batch) = FILLING;
        let block = self.stream.even(self.filling.quarters).min(most);
        for _ in 0..self.stream.blocks(self.filling.quarters, block) {
            let sightings = self.stream.sightings(block);
            self.verdicts.clear();
            self.subject.run(Verb::Observe, batch, &sightings, &mut self.verdicts);
        }
    }

    /// Nanoseconds of one operation, over a block of `n`.
    pub(crate) fn time(&mut self, verb: Verb, batch: usize, n: u64) -> f64 {
        let block = match verb {
            Verb::Contains => self.stream.questions(n),
            Verb::Observe | Verb::Insert => self.sightings(n),
        };
        self.verdicts.clear();
        let start = Instant::now();
        self.subject.run(verb, batch, black_box(&block), &mut self.verdicts);
        let taken = start.elapsed();
        self.tally.add(&block, &self.verdicts);
        taken.as_secs_f64() * 1e9 / f64::from(u32::try_from(n).expect("a block is small"))
    }

    /// The stream moves on; a subject that may not continue forever starts again first.
    fn sightings(&mut self, n: u64) -> Block {
        if !self.filling.endless && self.stream.is_full(n) {
            self.subject.clear();
            self.stream.restart();
            self.fill();
        }
        self.stream.sightings(n)
    }

    /// Ends the run if the answers are not what was promised.
    pub(crate) fn check(&self) {
        self.tally.check(&self.name, self.promise);
    }
}
