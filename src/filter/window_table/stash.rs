//! The last resort: keys that found no room in their lines, whole hashes and exact.
//!
//! **Law.** A key is here for as long as a cell would be. Without memory for one more, `keep` returns an error.
//! **Price.** At most a few keys in ten thousand while a table grows from nothing, none as a rule; 17 to 39 bytes each, and
//! one look at a word of marks for a key without a cell.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::error::Error;
use crate::num;
use crate::raw::arena::Account;

use super::key::section_of;
use super::position::Part;

/// Spreads a hash once more: keys that find no room have their lowest bits in common.
#[derive(Debug, Default, Clone, Copy)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = num::mix(self.0 ^ hash);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Keys = HashMap<u64, Part, BuildHasherDefault<Spread>>;

/// See the module.
#[derive(Debug)]
pub(super) struct Stash {
    /// The part in which each was seen.
    keys: Keys,
    /// A bit for each key, not of its own.
    marks: u64,
    /// Keys that the list has place for, and some to spare.
    buckets: usize,
    /// Where its bytes are counted.
    account: Account,
}

/// Keys that fit a list of a number of buckets, as the standard library fills it.
const fn room(buckets: usize) -> usize {
    if buckets < 8 { buckets.saturating_sub(1) } else { buckets / 8 * 7 }
}

/// The fewest buckets with room for a number of keys.
const fn buckets_for(keys: usize) -> usize {
    let buckets = if keys < 8 { keys + 1 } else { (keys * 8).div_ceil(7) };
    if buckets < 4 { 4 } else { buckets.next_power_of_two() }
}

const fn bytes_of(buckets: usize) -> u64 {
    num::wide(buckets) * EACH
}

/// A hash, a part, and a byte that is set if they are there.
const EACH: u64 = 17;

const fn mark(hash: u64) -> u64 {
    1 << (hash >> 58)
}

impl Stash {
    /// Whether there is any key in it.
    #[inline(always)]
    pub(super) const fn has_any(&self) -> bool {
        self.marks != 0
    }

    pub(super) fn may_have(&self, hash: u64) -> bool {
        self.marks & mark(hash) != 0
    }

    /// The part in which this key was seen.
    pub(super) fn find(&self, hash: u64) -> Option<Part> {
        if self.may_have(hash) { self.keys.get(&hash).copied() } else { None }
    }

    pub(super) fn new(account: &Account) -> Self {
        Self { keys: Keys::default(), marks: 0, buckets: 0, account: account.clone() }
    }

    /// A stash without keys on the same account.
    pub(super) fn without_keys(&self) -> Self {
        Self::new(&self.account)
    }

    /// Keeps a key that was seen in `part`, or later before. A key that is there needs no memory.
    pub(super) fn keep(&mut self, hash: u64, part: Part) -> Result<(), Error> {
        if let Some(seen) = self.keys.get_mut(&hash) {
            *seen = part.max(*seen);
            return Ok(());
        }
        if self.keys.len() == self.keys.capacity() {
            self.make_room()?;
        }
        self.keys.insert(hash, part);
        self.marks |= mark(hash);
        Ok(())
    }

    /// Makes room for one more key. Where few keys are left of many the list is put in order, and does not grow.
    #[cold]
    fn make_room(&mut self) -> Result<(), Error> {
        if self.keys.len() + 1 > room(self.buckets) / 2 {
            return self.grow((2 * self.buckets).max(4), 1);
        }
        self.keys.try_reserve(1).map_err(|_| Error::no_memory(num::index(bytes_of(self.buckets))))
    }

    /// Makes room for `more` keys in that many buckets; what there is is copied, so both are there for a moment.
    fn grow(&mut self, buckets: usize, more: usize) -> Result<(), Error> {
        let (had, wants) = (bytes_of(self.buckets), bytes_of(buckets));
        let no_memory = || Error::no_memory(num::index(wants));
        if !self.account.take(wants) {
            return Err(no_memory());
        }
        self.keys.try_reserve(more).map_err(|_| no_memory()).inspect_err(|_| self.account.give(wants))?;
        self.buckets = buckets;
        self.account.give(had);
        self.account.note();
        Ok(())
    }

    /// The keys of one phase.
    pub(super) fn of_phase(&self, phase: usize) -> Result<Self, Error> {
        let mut part = Self::new(&self.account);
        let mut own = self.keys.iter().filter(|(hash, _)| section_of(**hash) == phase);
        own.try_for_each(|(hash, seen)| part.keep(*hash, *seen)).map(|()| part)
    }

    /// Forgets what was seen before `oldest`.
    pub(super) fn tidy(&mut self, oldest: Part) {
        if self.marks == 0 {
            return;
        }
        self.keys.retain(|_, seen| *seen >= oldest);
        self.marks = self.keys.keys().fold(0, |marks, hash| marks | mark(*hash));
        if self.keys.is_empty() {
            self.clear();
        }
    }

    pub(super) fn clear(&mut self) {
        self.keys = Keys::default();
        self.account.give(bytes_of(self.buckets));
        (self.marks, self.buckets) = (0, 0);
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        bytes_of(self.buckets)
    }

    pub(super) fn len(&self) -> u64 {
        num::wide(self.keys.len())
    }

    /// Each key with the part in which it was seen, in their order. They are sought some hundreds at a time, so that it takes
    /// no memory, which there may not be.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (u64, Part)> + '_ {
        let next = |batch: &Batch| batch.last().map(|(hash, _)| self.above(Some(hash)));
        std::iter::successors(Some(self.above(None)), next).take_while(|batch| !batch.is_empty()).flatten()
    }

    /// The first keys above one, at most as many as a batch has.
    fn above(&self, last: Option<u64>) -> Batch {
        let mut batch = Batch::default();
        for (hash, seen) in self.keys.iter().filter(|(hash, _)| last.is_none_or(|last| **hash > last)) {
            batch.offer((*hash, *seen));
        }
        batch
    }

    /// A copy of it in an empty one. It takes once what it needs: a list that grows takes a half more for a moment, for which
    /// a limit may leave no room.
    pub(super) fn try_clone_into(&self, mut copy: Self) -> Result<Self, Error> {
        if !self.keys.is_empty() {
            copy.grow(buckets_for(self.keys.len()), self.keys.len())?;
        }
        self.keys.iter().try_for_each(|(hash, part)| copy.keep(*hash, *part))?;
        Ok(copy)
    }
}

/// The lowest of the keys that were offered, in their order.
#[derive(Debug, Clone, Copy)]
struct Batch {
    keys: [(u64, Part); 256],
    len: usize,
}

impl Default for Batch {
    fn default() -> Self {
        Self { keys: [(0, Part(0)); 256], len: 0 }
    }
}

impl Batch {
    fn last(&self) -> Option<(u64, Part)> {
        self.keys[..self.len].last().copied()
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn offer(&mut self, key: (u64, Part)) {
        let is_full = self.len == self.keys.len();
        if is_full && self.last().is_some_and(|last| last < key) {
            return;
        }
        let at = self.keys[..self.len].partition_point(|other| *other < key);
        self.len = (self.len + 1).min(self.keys.len());
        self.keys[at..self.len].rotate_right(1);
        self.keys[at] = key;
    }
}

impl IntoIterator for Batch {
    type Item = (u64, Part);
    type IntoIter = std::iter::Take<std::array::IntoIter<(u64, Part), 256>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter().take(self.len)
    }
}

impl Drop for Stash {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_their_order_and_bytes_are_given_back() {
        let account = Account::new(u64::MAX).unwrap();
        for n in [0, 1, 255, 256, 257, 1000] {
            let mut stash = Stash::new(&account);
            (0..n).for_each(|i| stash.keep(num::mix(i), Part(i)).unwrap());
            let mut all: Vec<(u64, Part)> = (0..n).map(|i| (num::mix(i), Part(i))).collect();
            all.sort_unstable();
            assert_eq!(stash.in_order().collect::<Vec<_>>(), all);
            assert!(account.bytes() >= 17 * n);
            assert_eq!(stash.keys.capacity(), room(stash.buckets));
            // Again and again some go and some come.
            for i in n..8 * n {
                stash.keep(num::mix(i), Part(i)).unwrap();
                stash.tidy(Part(i - n / 2));
                assert!(stash.keys.capacity() <= room(stash.buckets) && account.bytes() == bytes_of(stash.buckets));
            }
            assert!(bytes_of(stash.buckets) <= 17 * 4 * n, "{} buckets for {n} keys", stash.buckets);
        }
        assert_eq!(account.bytes(), 0);
        let tight = Account::new(17 * 4).unwrap();
        let mut stash = Stash::new(&tight);
        (0..3).for_each(|i| stash.keep(i, Part(i)).unwrap());
        assert!(stash.keep(3, Part(3)).is_err(), "more than the account allows");
        assert_eq!(stash.len(), 3);
        (0..3).for_each(|i| stash.keep(i, Part(9)).expect("a key that is there needs no memory"));
        assert!((0..3).all(|i| stash.find(i) == Some(Part(9))));
    }

    /// The limit leaves room for the list and not for one that grows to its size.
    #[test]
    fn copy_takes_no_more_bytes_than_the_list_has_buckets_for() {
        for n in [1, 3, 4, 7, 8, 14, 15, 28, 29, 56, 57, 1000] {
            let account = Account::new(u64::MAX).unwrap();
            let mut stash = Stash::new(&account);
            (0..n).for_each(|i| stash.keep(num::mix(i), Part(i)).unwrap());
            let tight = Account::new(account.bytes()).unwrap();
            let copy = stash.try_clone_into(Stash::new(&tight)).expect("room for a copy");
            assert_eq!((copy.buckets, copy.keys.capacity()), (stash.buckets, room(stash.buckets)), "{n} keys");
            assert!(copy.in_order().eq(stash.in_order()));
            assert_eq!((tight.bytes(), tight.peak()), (account.bytes(), account.bytes()), "{n} keys");
        }
    }

    /// Where a key went there may be no room for another, so that a list does not show how large it was made.
    #[test]
    fn bytes_are_those_that_were_taken_however_keys_come_and_go() {
        let account = Account::new(u64::MAX).unwrap();
        for n in [10, 28, 50, 200, 1000] {
            let mut stash = Stash::new(&account);
            for i in 0..100 * n {
                stash.keep(num::mix(i), Part(i)).unwrap();
                if i % 5 == 0 {
                    stash.tidy(Part(i.saturating_sub(n)));
                }
                assert!(account.bytes() >= bytes_of(stash.keys.capacity()), "{n}: {i}");
                assert!(account.bytes() <= 8 * (n + 8) * EACH, "{n}: {i}, {} bytes", account.bytes());
            }
            drop(stash);
            assert_eq!(account.bytes(), 0, "{n}");
        }
    }
}
