//! The roof: what no filter of this kind can beat. Hash a 16-byte key, read and write one random cache line.

use std::hint::black_box;
use std::time::Instant;

use lately::Verdict;

use crate::Effort;
use crate::contender::{Contender, Filling, Subject, Verb};
use crate::rounds::{Row, print_sizes};
use crate::workloads::{Block, Promise};

/// Words of a cache line of 64 bytes.
const LINE: u64 = 8;

/// A table of whole cache lines.
struct Roof {
    words: Vec<u64>,
    lines: u64,
}

impl Roof {
    fn new(bytes: u64) -> Self {
        let lines = bytes.div_ceil(8 * LINE);
        // Written, so that every page is there before the clock runs.
        Self { words: vec![1; index(lines * LINE)], lines }
    }

    /// Multiply and keep the high word: any number of lines, without a division.
    fn word(&self, hash: u64) -> usize {
        let line = (u128::from(hash) * u128::from(self.lines)) >> 64;
        index(u64::try_from(line).expect("below the number of lines") * LINE)
    }

    fn touch(&mut self, hash: u64) {
        let at = self.word(hash);
        self.words[at] = self.words[at].wrapping_add(hash);
    }

    /// All keys of a batch are hashed first, so that the lines of many are on their way at once.
    fn batches(&mut self, batch: usize, block: &Block) {
        let mut hashes = Vec::with_capacity(batch);
        for (i, (key, _)) in (1..).zip(block.singles()) {
            hashes.push(lately::hash64(key, 0));
            if hashes.len() == batch || i == block.len() {
                hashes.drain(..).for_each(|hash| self.touch(hash));
            }
        }
    }
}

impl Subject for Roof {
    fn run(&mut self, _: Verb, batch: usize, block: &Block, _: &mut Vec<Verdict>) {
        if batch > 1 {
            self.batches(batch, block);
        } else {
            block.singles().for_each(|(key, _)| self.touch(lately::hash64(key, 0)));
        }
        black_box(&mut self.words);
    }
}

/// What a single call with the system's clock pays on top: one reading.
struct Clock;

impl Subject for Clock {
    fn run(&mut self, _: Verb, _: usize, block: &Block, _: &mut Vec<Verdict>) {
        for _ in block.singles() {
            black_box(Instant::now());
        }
    }
}

/// Nothing is answered, so nothing is promised.
const SILENT: Promise = Promise { false_duplicates: 0.0, missed: 0.0 };

/// A roof of this many bytes, beside filters with `window` sightings in their window.
pub(crate) fn contender(bytes: u64, window: u64) -> Contender {
    Contender::new("roof", subject(bytes), window, SILENT, Filling::NONE)
}

/// The roof alone.
pub(crate) fn subject(bytes: u64) -> Box<dyn Subject> {
    Box::new(Roof::new(bytes))
}

/// The roof alone, at every size, and a reading of the clock.
pub(crate) fn table(effort: &Effort) {
    let clock = || Contender::new("clock", Box::new(Clock), 2, SILENT, Filling::NONE);
    let rows = [Row::new("roof", 0, Verb::Observe, 1), Row::new("clock reading", 1, Verb::Observe, 1)];
    print_sizes("the roof", effort, &rows, |bytes| vec![contender(bytes, bytes / 4), clock()]);
}

fn index(n: u64) -> usize {
    usize::try_from(n).expect("a table fits into memory")
}
