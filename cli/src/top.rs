//! `--top N`: the keys that were repeated most often, by Space-Saving (Metwally, Agrawal, El Abbadi 2005), in memory that
//! does not grow with the stream.
//!
//! A table of M keys counts their repeats. A key that is not in it takes the place, and the count, of the one with the
//! least count, which is then its error: that part of its count may belong to others.
//!
//! **Law.** All counts together are the repeats so far, R, so that the least count is at most R / M: no error is larger,
//! and every key that was repeated more than R / M times is in the table. A count is never below the truth, and a count
//! without its error is never above it.

use std::cmp::Reverse;
use std::collections::HashMap;

use lately::hash64;
use serde::Serialize;

/// Keys that are counted: with the longest text of each, and both indexes, less than 1 MiB.
const MOST: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counted {
    key: String,
    /// Repeats: at most, and at least.
    at_most: u64,
    at_least: u64,
    #[serde(skip)]
    hash: u64,
    /// Its index in the heap.
    #[serde(skip)]
    place: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Top {
    counted: Vec<Counted>,
    /// Where the key with this hash is.
    places: HashMap<u64, usize>,
    /// Once the table is full: a heap of its places by their counts, the least first.
    heap: Vec<usize>,
}

impl Top {
    /// Counts a repeat of `key`, of which `show` appends a short text.
    pub(crate) fn add(&mut self, key: &[u8], show: impl FnOnce(&[u8], &mut String)) {
        let hash = hash64(key, 0);
        let at = match self.places.get(&hash) {
            Some(&at) => at,
            None => self.place(hash, |text| show(key, text)),
        };
        self.counted[at].at_most += 1;
        self.counted[at].at_least += 1;
        self.sink(at);
    }

    /// A place for a key that has none: a new one, or that of the least, whose room it takes.
    fn place(&mut self, hash: u64, show: impl FnOnce(&mut String)) -> usize {
        let at = match self.heap.first() {
            Some(&least) => least,
            None => self.new_place(),
        };
        let counted = &mut self.counted[at];
        self.places.remove(&counted.hash);
        self.places.insert(hash, at);
        (counted.hash, counted.at_least) = (hash, 0);
        counted.key.clear();
        show(&mut counted.key);
        at
    }

    fn new_place(&mut self) -> usize {
        self.counted.push(Counted::default());
        if self.counted.len() == MOST {
            self.heap.extend(0..MOST);
            self.heap.sort_by_key(|&at| self.counted[at].at_most);
            (0..MOST).for_each(|place| self.counted[self.heap[place]].place = place);
        }
        self.counted.len() - 1
    }

    /// Its count has grown: those with less come before it.
    fn sink(&mut self, at: usize) {
        let Counted { at_most: own, mut place, .. } = self.counted[at];
        loop {
            let below = [2 * place + 1, 2 * place + 2].into_iter().filter(|below| *below < self.heap.len());
            let Some(least) = below.min_by_key(|&below| self.counted[self.heap[below]].at_most) else { break };
            if self.counted[self.heap[least]].at_most >= own {
                break;
            }
            self.heap.swap(place, least);
            self.counted[self.heap[place]].place = place;
            place = least;
        }
        self.counted[at].place = place;
    }

    /// The first `n`, the most often repeated first.
    pub(crate) fn first(&self, n: usize) -> Vec<Counted> {
        let mut all: Vec<&Counted> = self.counted.iter().collect();
        all.sort_by_key(|counted| Reverse(counted.at_most));
        all.into_iter().take(n).cloned().collect()
    }
}

impl Counted {
    pub(crate) fn line(&self) -> String {
        let Self { key, at_most, at_least, .. } = self;
        if at_least == at_most {
            format!("{at_most:>12}  {key}\n")
        } else {
            format!("{at_least:>12} to {at_most}  {key}\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A stream with a few keys that come often among many that come seldom.
    fn stream() -> Vec<u64> {
        let mut random = Random::new(5);
        let mut next = || random.next();
        (0..400_000).map(|_| if next() % 4 == 0 { 1_000_000 + next() % 30 } else { next() % 60_000 }).collect()
    }

    #[test]
    fn counts_are_within_their_bounds_and_no_frequent_key_is_missing() {
        let (mut top, mut exact) = (Top::default(), HashMap::<String, u64>::new());
        let keys = stream();
        for key in &keys {
            let key = key.to_string();
            top.add(key.as_bytes(), |key, text| text.push_str(&String::from_utf8_lossy(key)));
            *exact.entry(key).or_default() += 1;
        }
        let all = u64::try_from(keys.len()).unwrap();
        let bound = all / u64::try_from(MOST).unwrap();
        let found = top.first(usize::MAX);
        assert_eq!((found.len(), found.iter().map(|counted| counted.at_most).sum::<u64>()), (MOST, all));
        for Counted { key, at_most, at_least, .. } in &found {
            let truth = exact[key];
            assert!(*at_least <= truth && truth <= *at_most && at_most - at_least <= bound, "{key}: {truth}");
        }
        for (key, _) in exact.iter().filter(|(_, count)| **count > bound) {
            assert!(found.iter().any(|counted| counted.key == *key), "{key}");
        }
        assert!(top.first(30).iter().all(|counted| counted.key.len() == 7), "the thirty that come often are the first");
    }
}
