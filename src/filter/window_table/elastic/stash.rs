//! The last resort: keys that found no room in their lines, whole hashes and exact.
//!
//! **Law.** A key is here for as long as a cell would be. Where there is no memory for one more, `keep` says so.
//! **Price.** At most a few keys in ten thousand while a table grows from nothing, none as a rule; 24 bytes each, and one
//! look at a word of marks for a key without a cell.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::error::Error;
use crate::num;

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

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Stash {
    /// The part in which each was seen.
    keys: HashMap<u64, u64, BuildHasherDefault<Spread>>,
    /// A bit for each key, not of its own.
    marks: u64,
}

const fn mark(hash: u64) -> u64 {
    1 << (hash >> 58)
}

impl Stash {
    #[inline(always)]
    pub(super) fn may_have(&self, hash: u64) -> bool {
        self.marks & mark(hash) != 0
    }

    /// The part in which this key was seen, if that is not before `oldest`.
    pub(super) fn find(&self, hash: u64, oldest: u64) -> Option<u64> {
        self.keys.get(&hash).copied().filter(|seen| *seen >= oldest)
    }

    /// Keeps a key that was seen in `part`.
    pub(super) fn keep(&mut self, hash: u64, part: u64) -> Result<(), Error> {
        self.keys.try_reserve(1).map_err(|_| Error::no_memory(self.keys.len() * 3))?;
        self.keys.insert(hash, part);
        self.marks |= mark(hash);
        Ok(())
    }

    /// Forgets what was seen before `oldest`.
    pub(super) fn tidy(&mut self, oldest: u64) {
        if self.marks == 0 {
            return;
        }
        self.keys.retain(|_, seen| *seen >= oldest);
        self.marks = self.keys.keys().fold(0, |marks, hash| marks | mark(*hash));
        if self.keys.is_empty() {
            self.keys = HashMap::default();
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn len(&self) -> u64 {
        num::wide(self.keys.len())
    }

    /// Each key with the part in which it was seen, in their order; found one by one, since there are few.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let above = |last: Option<u64>| {
            let later = self.keys.iter().filter(move |(hash, _)| last.is_none_or(|last| **hash > last));
            later.min_by_key(|(hash, _)| **hash).map(|(hash, seen)| (*hash, *seen))
        };
        std::iter::successors(above(None), move |(hash, _)| above(Some(*hash)))
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut copy = Self::default();
        self.keys.iter().try_for_each(|(hash, part)| copy.keep(*hash, *part))?;
        Ok(copy)
    }
}
