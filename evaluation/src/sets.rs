//! Sets: what holds keys until they are taken out. One trait for ours and for the baselines of TinySet.

use lately::{Filter, KeyHash, Options};

use crate::num;
use crate::wrong::Mistake;

/// Holds keys, and sometimes calls an absent one present.
pub(crate) trait Set {
    /// Takes a key; false if there is no room for it.
    fn insert(&mut self, key: u64) -> bool;
    fn contains(&self, key: u64) -> bool;
    /// The bits of its cells.
    fn bits(&self) -> f64;
    /// What sets in rotation take in place of a key: computed once for all of them.
    fn hashed(&self, key: u64) -> u64 {
        key
    }
}

/// A set that keys can leave.
pub(crate) trait Leaving: Set {
    /// Takes out a key that was inserted.
    fn remove(&mut self, key: u64);
}

/// A TinySet of lately.
#[derive(Debug)]
pub(crate) struct OurTinySet {
    filter: Filter,
    bits: f64,
    mistake: Mistake,
}

impl OurTinySet {
    pub(crate) fn new(options: &Options) -> Self {
        let filter = Filter::new(options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        let bits = num::real(filter.stats().bytes) * 8.0;
        Self { filter, bits, mistake: Mistake::now() }
    }

    pub(crate) const fn filter(&self) -> &Filter {
        &self.filter
    }
}

impl Set for OurTinySet {
    fn insert(&mut self, key: u64) -> bool {
        (0..self.mistake.looks()).for_each(|_| {
            std::hint::black_box(self.filter.contains(&key.to_le_bytes()));
        });
        if let Some(ghost) = self.mistake.ghost() {
            let _ = self.filter.insert(&ghost.to_le_bytes());
        }
        self.filter.insert(&key.to_le_bytes()).is_ok()
    }

    fn contains(&self, key: u64) -> bool {
        self.mistake.answer(self.filter.contains(&key.to_le_bytes()).is_duplicate())
    }

    fn bits(&self) -> f64 {
        self.bits
    }
}

/// A TinySet of lately, or a quotient filter, that takes hashes of keys, so that several of one seed hash a key once.
#[derive(Debug)]
pub(crate) struct HashedSet(OurTinySet);

impl HashedSet {
    pub(crate) fn new(options: &Options) -> Self {
        Self(OurTinySet::new(options))
    }

    fn has(&self, hash: u64) -> bool {
        self.0.filter.contains_hash(KeyHash(hash)).expect("a filter without a secret").is_duplicate()
    }
}

impl Set for HashedSet {
    fn insert(&mut self, hash: u64) -> bool {
        if let Some(ghost) = self.0.mistake.ghost() {
            let ghost = self.hashed(ghost);
            let _ = self.0.filter.insert_hash(KeyHash(ghost));
        }
        self.0.filter.insert_hash(KeyHash(hash)).is_ok()
    }

    fn contains(&self, hash: u64) -> bool {
        self.0.mistake.answer(self.has(hash))
    }

    fn bits(&self) -> f64 {
        self.0.bits
    }

    fn hashed(&self, key: u64) -> u64 {
        self.0.filter.hash(key.to_le_bytes()).expect("a filter without a secret").0
    }
}

impl Leaving for OurTinySet {
    fn remove(&mut self, key: u64) {
        if self.mistake.stays() {
            return;
        }
        let removed = self.filter.remove(&key.to_le_bytes()).expect("a removable TinySet");
        assert!(removed, "a key that was inserted is there");
    }
}

/// Where keys begin that nobody inserts.
const ABSENT: u64 = 1 << 48;

/// Inserts the keys 0 .. `keys`; how many had no room.
pub(crate) fn fill(set: &mut dyn Set, keys: u64) -> u64 {
    num::wide((0..keys).filter(|&key| !set.insert(key)).count())
}

/// The share of absent keys that are called present.
pub(crate) fn false_rate(set: &dyn Set, queries: u64) -> f64 {
    let hits = (ABSENT..ABSENT + queries).filter(|&key| set.contains(key)).count();
    num::size(hits) / num::real(queries)
}

/// How many of the keys are not found.
pub(crate) fn missing(set: &dyn Set, keys: impl Iterator<Item = u64>) -> u64 {
    num::wide(keys.filter(|&key| !set.contains(key)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_of_lately_finds_its_keys_until_they_are_removed() {
        let mut set = OurTinySet::new(&Options::tiny_set(2000).error_rate(0.01).removable(true));
        assert_eq!(fill(&mut set, 2000), 0);
        assert_eq!(missing(&set, 0..2000), 0);
        // Planned for endless churn, a filter that nothing was removed from is better than its target.
        assert!((0.004..0.0105).contains(&false_rate(&set, 100_000)), "{}", false_rate(&set, 100_000));
        assert!((set.bits() / 2000.0 - 11.1).abs() < 0.6, "{}", set.bits() / 2000.0);
        (0..2000).for_each(|key| set.remove(key));
        assert_eq!((missing(&set, 0..2000), set.filter().stats().items), (2000, 0));
    }

    #[test]
    fn hashed_set_answers_as_one_that_takes_keys() {
        let options = Options::tiny_set(1000).error_rate(0.05).seed(7);
        let (mut plain, mut hashed) = (OurTinySet::new(&options), HashedSet::new(&options));
        for key in 0..1000 {
            let hash = hashed.hashed(key);
            assert_ne!(hash, key);
            assert!(plain.insert(key) && hashed.insert(hash));
        }
        let absent: Vec<u64> = (1000..5000).filter(|&key| plain.contains(key)).collect();
        assert!(!absent.is_empty());
        assert!((0..5000).all(|key| hashed.contains(hashed.hashed(key)) == plain.contains(key)));
    }
}
