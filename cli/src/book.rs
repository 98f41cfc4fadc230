//! The book of keys that wait: exact entries, in the order in which they were last touched, within a number of bytes.
//!
//! ```text
//!  places: hash of the key -> place          entries: place -> entry, the oldest at the least place
//!  entry: times, count | key, record, end of the record   (no key where the record is its own key)
//! ```
//! **Law.** Keys are compared byte by byte: two keys never share an entry. `used` is at most `most` once the caller has taken the
//! oldest while [`Book::is_full`]. Every step costs a hash or two, and a search in a tree of the entries.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::io::{Result, Write};

use lately::hash64;

/// What an entry takes besides its bytes, where the tables have just grown.
pub(crate) const OVERHEAD: u64 = 256;

/// Numbers of an entry, as a state has them.
const NUMBERS: usize = 8;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    bytes: Box<[u8]>,
    /// Whether the record is the key: then it has no other one.
    is_own_key: bool,
    key_len: usize,
    body_end: usize,
    pub(crate) n: u64,
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// From when on it waits: its place in the order.
    pub(crate) touched: u64,
}

impl Entry {
    pub(crate) fn new(key: &[u8], body: &[u8], end: &[u8], n: u64, (time, now): (u64, u64)) -> Self {
        let is_own_key = key == body;
        let key = if is_own_key { &[] } else { key };
        let bytes = [key, body, end].concat().into_boxed_slice();
        let (key_len, body_end) = (key.len(), key.len() + body.len());
        Self { bytes, is_own_key, key_len, body_end, n, first: time, last: time, touched: now }
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.bytes[self.key_len..self.body_end]
    }

    pub(crate) fn end(&self) -> &[u8] {
        &self.bytes[self.body_end..]
    }

    fn key(&self) -> &[u8] {
        if self.is_own_key { self.body() } else { &self.bytes[..self.key_len] }
    }

    fn size(&self) -> u64 {
        number(self.bytes.len()).saturating_add(OVERHEAD)
    }

    fn write(&self, to: &mut Vec<u8>) {
        let lens = [self.key_len, self.body_end, self.bytes.len()].map(number);
        let numbers = [self.n, self.first, self.last, self.touched, u64::from(self.is_own_key)].into_iter().chain(lens);
        numbers.for_each(|number| to.extend_from_slice(&number.to_le_bytes()));
        to.extend_from_slice(&self.bytes);
    }

    /// The first entry of `from`, which is then behind it.
    fn read(from: &mut &[u8]) -> Option<Self> {
        let (head, rest) = from.split_at_checked(NUMBERS * 8)?;
        let mut numbers = head.chunks_exact(8).map(|eight| eight.try_into().map_or(0, u64::from_le_bytes));
        let mut next = || numbers.next();
        let (n, first, last, touched, is_own_key) = (next()?, next()?, next()?, next()?, next()? == 1);
        let mut place = || next().and_then(|at| usize::try_from(at).ok());
        let (key_len, body_end, len) = (place()?, place()?, place()?);
        let (bytes, rest) = rest.split_at_checked(len)?;
        *from = rest;
        let entry = Self { bytes: bytes.into(), is_own_key, key_len, body_end, n, first, last, touched };
        (key_len <= body_end && body_end <= len).then_some(entry)
    }
}

pub(crate) struct Book {
    entries: BTreeMap<u64, Entry>,
    /// The place of each key, by its hash.
    places: HashMap<u64, u64>,
    hasher: RandomState,
    /// The place behind the newest.
    next: u64,
    used: u64,
    most: u64,
}

impl Book {
    pub(crate) fn new(most: u64) -> Self {
        let (entries, places, hasher) = (BTreeMap::new(), HashMap::new(), RandomState::new());
        Self { entries, places, hasher, next: 0, used: 0, most }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.used > self.most
    }

    pub(crate) fn find(&self, key: &[u8]) -> Option<u64> {
        if self.places.is_empty() {
            return None;
        }
        let place = *self.places.get(&self.hasher.hash_one(key))?;
        (self.entries.get(&place)?.key() == key).then_some(place)
    }

    pub(crate) fn entry(&mut self, place: u64) -> Option<&mut Entry> {
        self.entries.get_mut(&place)
    }

    /// Enters a key that has no entry, as the newest. Another key of the same hash has to leave for it.
    pub(crate) fn put(&mut self, entry: Entry) -> Option<Entry> {
        let hash = self.hasher.hash_one(entry.key());
        let left = self.places.get(&hash).copied().and_then(|place| self.remove(place));
        self.used += entry.size();
        self.places.insert(hash, self.next);
        self.entries.insert(self.next, entry);
        self.next += 1;
        left
    }

    /// Another record takes the place of the one in the entry, which stays where it is in the order.
    pub(crate) fn replace(&mut self, place: u64, with: Entry) {
        self.used += with.size();
        self.used -= self.entries.insert(place, with).map_or(0, |old| old.size());
    }

    /// The entry is the newest from now on.
    pub(crate) fn renew(&mut self, place: u64, now: u64) {
        if let Some(entry) = self.remove(place) {
            self.put(Entry { touched: now, ..entry });
        }
    }

    pub(crate) fn oldest(&self) -> Option<(u64, &Entry)> {
        self.entries.first_key_value().map(|(place, entry)| (*place, entry))
    }

    pub(crate) fn pop(&mut self) -> Option<Entry> {
        self.oldest().map(|(place, _)| place).and_then(|place| self.remove(place))
    }

    pub(crate) fn remove(&mut self, place: u64) -> Option<Entry> {
        let entry = self.entries.remove(&place)?;
        self.places.remove(&self.hasher.hash_one(entry.key()));
        self.used -= entry.size();
        Some(entry)
    }

    /// Writes all entries, the oldest first; gives how many bytes that took, and a checksum of them.
    pub(crate) fn write(&self, to: &mut impl Write) -> Result<(u64, u64)> {
        let (mut len, mut sum, mut bytes) = (0, 0, Vec::new());
        for entry in self.entries.values() {
            bytes.clear();
            entry.write(&mut bytes);
            to.write_all(&bytes)?;
            (len, sum) = (len + number(bytes.len()), hash64(&bytes, sum));
        }
        Ok((len, sum))
    }

    /// The entries that were written so, if these bytes have that checksum.
    pub(crate) fn read(mut bytes: &[u8], sum: u64) -> Option<Vec<Entry>> {
        let (mut entries, mut found) = (Vec::new(), 0);
        while !bytes.is_empty() {
            let before = bytes;
            entries.push(Entry::read(&mut bytes)?);
            found = hash64(&before[..before.len() - bytes.len()], found);
        }
        (found == sum).then_some(entries)
    }
}

fn number(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::random::Random;

    fn entry(key: &str, record: &str, now: u64) -> Entry {
        Entry::new(key.as_bytes(), record.as_bytes(), b"\n", 1, (now, now))
    }

    /// A book and a plain list see the same steps, chosen at random, and agree after each.
    #[test]
    fn book_is_a_list_in_order_of_touch() {
        let (mut book, mut list, mut random) = (Book::new(2000), VecDeque::<(String, String)>::new(), Random::new(7));
        let mut next = |n: u64| random.below(n);
        for now in 0..20_000 {
            let (key, record) = (format!("k{}", next(20)), "r".repeat(usize::try_from(next(300)).unwrap()));
            let at = list.iter().position(|(other, _)| *other == key);
            match (book.find(key.as_bytes()), next(4)) {
                (None, 0..3) => {
                    assert!(at.is_none() && book.put(entry(&key, &record, now)).is_none());
                    list.push_back((key, record));
                }
                (Some(place), 0) => {
                    book.renew(place, now);
                    let own = list.remove(at.unwrap()).unwrap();
                    list.push_back(own);
                }
                (Some(place), 1) => {
                    book.replace(place, entry(&key, &record, now));
                    list[at.unwrap()].1 = record;
                }
                (Some(place), 2) => {
                    assert_eq!(book.remove(place).unwrap().key(), key.as_bytes());
                    list.remove(at.unwrap());
                }
                _ => {}
            }
            while book.is_full() {
                let ((key, record), left) = (list.pop_front().unwrap(), book.pop().unwrap());
                assert_eq!((left.key(), left.body()), (key.as_bytes(), record.as_bytes()));
            }
            let used = list.iter().map(|(key, record)| number(key.len() + record.len() + 1) + OVERHEAD).sum::<u64>();
            assert_eq!((book.used, book.len()), (used, list.len()));
        }
        let mut written = Vec::new();
        let (len, sum) = book.write(&mut written).unwrap();
        let read = Book::read(&written, sum).unwrap();
        let bodies: Vec<_> = read.iter().map(|entry| String::from_utf8_lossy(entry.body()).into_owned()).collect();
        assert_eq!((len, bodies), (number(written.len()), list.into_iter().map(|(_, record)| record).collect()));
    }

    #[test]
    fn damaged_entries_are_not_read() {
        let mut book = Book::new(u64::MAX);
        book.put(entry("a", "a", 1));
        book.put(entry("b", "the record", 2));
        let mut written = Vec::new();
        let (_, sum) = book.write(&mut written).unwrap();
        assert_eq!(Book::read(&written, sum).map(|entries| entries.len()), Some(2));
        for end in 1..written.len() {
            assert_eq!(Book::read(&written[..end], sum), None, "{end}");
        }
        for bit in 0..written.len() * 8 {
            let mut bytes = written.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Book::read(&bytes, sum), None, "bit {bit}");
        }
    }
}
