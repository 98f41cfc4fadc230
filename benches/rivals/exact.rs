//! Exact state: a hash map from the key to its last sighting, and a ring of keys that expires them.

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use lately::Verdict;

use super::{Key, index, key_of};
use crate::contender::{Subject, Verb};
use crate::filters::answers;
use crate::workloads::Block;

/// Answers for the last `ring.len()` sightings, without error.
pub(crate) struct Exact {
    last: HashMap<Key, u64>,
    ring: Vec<Key>,
    slot: usize,
    /// Sightings so far.
    count: u64,
}

impl Exact {
    pub(crate) fn new(window: u64) -> Self {
        Self { last: HashMap::new(), ring: vec![Key::default(); index(window)], slot: 0, count: 0 }
    }

    fn observe(&mut self, key: Key) -> Verdict {
        let seen = self.last.insert(key, self.count).is_some();
        let expired = std::mem::replace(&mut self.ring[self.slot], key);
        self.slot = if self.slot + 1 == self.ring.len() { 0 } else { self.slot + 1 };
        self.expire(expired);
        self.count += 1;
        if seen { Verdict::Duplicate } else { Verdict::New }
    }

    /// Forgets a key whose last sighting leaves the window now.
    fn expire(&mut self, key: Key) {
        let window = u64::try_from(self.ring.len()).expect("a length fits into 64 bits");
        let Some(leaving) = self.count.checked_sub(window) else { return };
        if let Entry::Occupied(entry) = self.last.entry(key) {
            if *entry.get() == leaving {
                entry.remove();
            }
        }
    }
}

impl Subject for Exact {
    fn run(&mut self, verb: Verb, _: usize, block: &Block, verdicts: &mut Vec<Verdict>) {
        assert_eq!(verb, Verb::Observe, "a rival observes");
        answers(block, verdicts, |key, _| self.observe(key_of(key)));
        assert!(self.last.len() <= self.ring.len(), "no more keys than the window has sightings");
    }
}
