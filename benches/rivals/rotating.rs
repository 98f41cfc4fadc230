//! Two rotating Bloom filters, each for the keys of a window at half the error rate: insertions go to the young one,
//! questions to both; when the young one is full the old one is cleared and they change places.

use fastbloom::BloomFilter;
use lately::Verdict;

use super::index;
use crate::contender::{Subject, Verb};
use crate::filters::{RATE, answers};
use crate::workloads::Block;

pub(crate) struct Rotating {
    young: BloomFilter,
    old: BloomFilter,
    window: u64,
    /// Insertions of the young one.
    count: u64,
}

impl Rotating {
    pub(crate) fn new(window: u64) -> Self {
        let bloom = || BloomFilter::with_false_pos(RATE / 2.0).seed(&0).expected_items(index(window));
        Self { young: bloom(), old: bloom(), window, count: 0 }
    }

    fn observe(&mut self, hash: u64) -> Verdict {
        let seen = self.young.contains_hash(hash) || self.old.contains_hash(hash);
        if self.count == self.window {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            self.count = 0;
        }
        self.young.insert_hash(hash);
        self.count += 1;
        if seen { Verdict::Duplicate } else { Verdict::New }
    }
}

impl Subject for Rotating {
    /// Hashes once and with the hash of the others, so that what is timed is the filter.
    fn run(&mut self, verb: Verb, _: usize, block: &Block, verdicts: &mut Vec<Verdict>) {
        assert_eq!(verb, Verb::Observe, "a rival observes");
        answers(block, verdicts, |key, _| self.observe(lately::hash64(key, 0)));
    }
}
