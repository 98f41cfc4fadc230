//! Two rotating sets of 64-bit hashes: observations go to the young one, questions to both; after a window of them the old one is
//! cleared and they change places. No repeat is missed, and a key is found for up to two windows.

use hashbrown::HashTable;
use lately::Verdict;

use super::index;
use crate::contender::{Subject, Verb};
use crate::filters::answers;
use crate::workloads::Block;

pub(crate) struct RotatingSets {
    young: HashTable<u64>,
    old: HashTable<u64>,
    window: u64,
    /// Observations since they changed places.
    count: u64,
}

impl RotatingSets {
    pub(crate) fn new(window: u64) -> Self {
        let set = || HashTable::with_capacity(index(window));
        Self { young: set(), old: set(), window, count: 0 }
    }

    fn observe(&mut self, hash: u64) -> Verdict {
        if self.count == self.window {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            self.count = 0;
        }
        self.count += 1;
        let is_it = |other: &u64| *other == hash;
        if self.young.find(hash, is_it).is_some() {
            return Verdict::Duplicate;
        }
        self.young.insert_unique(hash, hash, |hash| *hash);
        if self.old.find(hash, is_it).is_some() { Verdict::Duplicate } else { Verdict::New }
    }
}

impl Subject for RotatingSets {
    /// Hashes once and with the hash of the others, so that what is timed is the sets.
    fn run(&mut self, verb: Verb, _: usize, block: &Block, verdicts: &mut Vec<Verdict>) {
        assert_eq!(verb, Verb::Observe, "a rival observes");
        answers(block, verdicts, |key, _| self.observe(lately::hash64(key, 0)));
    }
}
