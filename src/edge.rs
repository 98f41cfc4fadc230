//! Where bytes and ticks come in: the hasher and the clock of a handle, the keys of a batch, and what is checked of them.

use crate::clock::Clock;
use crate::error::Error;
use crate::hash::{Hasher, KeyHash, Mark};
use crate::tick::Tick;

/// The most keys of a chunk. A shared filter may hold a lock for as long as a chunk takes.
const CHUNK: usize = 32;

/// What a handle has beside its filter.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    hasher: Hasher,
    pub(crate) clock: Clock,
}

impl Edge {
    pub(crate) const fn new(hasher: Hasher, clock: Clock) -> Self {
        Self { hasher, clock }
    }

    /// What the filter sees of a key.
    #[inline]
    pub(crate) fn key(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    /// The hash of a key, for its owner to see.
    pub(crate) fn hash(&self, key: &[u8]) -> Result<KeyHash, Error> {
        self.expect_unkeyed()?;
        Ok(self.key(key))
    }

    /// A hash that the caller made.
    #[inline]
    pub(crate) fn given(&self, hash: KeyHash) -> Result<KeyHash, Error> {
        self.expect_unkeyed().map(|()| hash)
    }

    pub(crate) fn secret(&self) -> Result<(u64, u64), Error> {
        self.hasher.secret().ok_or_else(|| Error::unsupported("a secret of a filter that is not keyed"))
    }

    /// What a snapshot says of the hasher.
    pub(crate) fn mark(&self) -> Mark {
        self.hasher.mark()
    }

    /// Hands the keys of a batch to `each` in order, a few at a time.
    #[inline]
    pub(crate) fn in_order(
        &self,
        (keys, ticks, now): (Keys<'_>, Option<&[Tick]>, Tick),
        mut each: impl FnMut(&Chunk<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        self.check_batch(keys, ticks).map_err(stopped(0))?;
        let mut hashes = [KeyHash(0); CHUNK];
        for first in (0..keys.len()).step_by(CHUNK) {
            let n = CHUNK.min(keys.len() - first);
            keys.hash(first, &self.hasher, &mut hashes[..n]);
            each(&Chunk { first, hashes: &hashes[..n], ticks: ticks.map(|ticks| &ticks[first..first + n]), now })?;
        }
        Ok(())
    }

    fn check_batch(&self, keys: Keys<'_>, ticks: Option<&[Tick]>) -> Result<(), Error> {
        match keys {
            Keys::Bytes { bytes, offsets } => check_offsets(bytes, offsets)?,
            Keys::U64s(_) => {}
            Keys::Hashes(_) => self.expect_unkeyed()?,
        }
        match ticks {
            None => Ok(()),
            Some(ticks) => self.expect_manual().and_then(|()| expect_len("ticks", ticks.len(), keys.len())),
        }
    }

    pub(crate) fn expect_manual(&self) -> Result<(), Error> {
        if self.clock.is_manual() { Ok(()) } else { Err(self.not_manual()) }
    }

    #[cold]
    fn not_manual(&self) -> Error {
        Error::clock(match self.clock {
            Clock::Timeless => "this kind of filter has no time",
            _ => "ticks belong to a manual clock: this filter reads the system's",
        })
    }

    fn expect_unkeyed(&self) -> Result<(), Error> {
        match self.hasher.secret() {
            None => Ok(()),
            Some(_) => Err(Error::unsupported("hashes of a keyed filter")),
        }
    }
}

/// Some keys of a batch, which are hashed, and asked for together, before the first of them is processed.
pub(crate) struct Chunk<'a> {
    /// The place of the first key in its batch.
    pub(crate) first: usize,
    pub(crate) hashes: &'a [KeyHash],
    /// A tick for each key, or none.
    ticks: Option<&'a [Tick]>,
    /// The moment of all keys where they have no ticks.
    now: Tick,
}

impl<'a> Chunk<'a> {
    /// Calls `verb` for every key in order, with its place in the batch and its moment.
    #[inline(always)]
    pub(crate) fn each(&self, mut verb: impl FnMut(usize, KeyHash, When) -> Result<(), Error>) -> Result<(), Stopped> {
        for i in 0..self.hashes.len() {
            let (key, when) = self.key(i);
            verb(self.first + i, key, when).map_err(stopped(self.first + i))?;
        }
        Ok(())
    }

    /// Keys whose moment is `now`.
    #[cfg(test)]
    pub(crate) fn at(now: Tick, hashes: &'a [KeyHash]) -> Self {
        Self { first: 0, hashes, ticks: None, now }
    }

    /// Key `i` of the chunk, with its moment.
    #[inline(always)]
    pub(crate) fn key(&self, i: usize) -> (KeyHash, When) {
        (self.hashes[i], self.ticks.map_or(When::Read(self.now), |ticks| When::Given(ticks[i])))
    }
}

/// When a call happens.
#[derive(Debug, Clone, Copy)]
pub(crate) enum When {
    /// At what the clock says once the call has its turn.
    Now(Clock),
    /// At a moment that was read before.
    Read(Tick),
    /// At a tick that the caller gave, by the rules of ticks.
    Given(Tick),
}

impl When {
    /// Whether the moment is what the filter's clock says, which only a caller moves.
    #[inline]
    pub(crate) fn is_of_filter(&self) -> bool {
        matches!(self, Self::Now(clock) if !clock.is_system())
    }

    /// The moment of the call on `filter`: `clock` reads the clock of the filter, `check` accepts or refuses a given tick.
    #[inline]
    pub(crate) fn tick<F, E>(
        self,
        filter: &mut F,
        clock: impl FnOnce(&F) -> Tick,
        check: impl FnOnce(&mut F, Tick) -> Result<(), E>,
    ) -> Result<Tick, E> {
        match self {
            Self::Now(system) => Ok(system.read().unwrap_or_else(|| clock(filter))),
            Self::Read(now) => Ok(now),
            Self::Given(now) => check(filter, now).map(|()| now),
        }
    }
}

/// Where a batch stopped: the first `done` keys were processed, and then this happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopped {
    /// How many keys were processed; their verdicts are valid.
    pub done: usize,
    /// Why the next one was not.
    pub error: Error,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "after {} keys: {}", self.done, self.error)
    }
}

impl std::error::Error for Stopped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl From<Stopped> for Error {
    fn from(stopped: Stopped) -> Self {
        stopped.error
    }
}

/// The keys of a batch: byte strings back to back, numbers, or hashes made by [`crate::Filter::hash`].
#[derive(Debug, Clone, Copy)]
pub enum Keys<'a> {
    /// Key `i` is `bytes[offsets[i] .. offsets[i + 1]]`; n + 1 offsets that do not decrease.
    Bytes {
        /// All keys, back to back.
        bytes: &'a [u8],
        /// Where each begins, and where the last ends.
        offsets: &'a [u64],
    },
    /// Numbers: key `i` is the 8 bytes of `keys[i]`, the lowest first.
    U64s(&'a [u64]),
    /// Hashes of an unkeyed filter.
    Hashes(&'a [KeyHash]),
}

impl Keys<'_> {
    /// How many keys.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes { offsets, .. } => offsets.len().saturating_sub(1),
            Self::U64s(keys) => keys.len(),
            Self::Hashes(hashes) => hashes.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hashes the keys from `first` on, once the offsets are known to be sound.
    #[inline]
    fn hash(&self, first: usize, hasher: &Hasher, hashes: &mut [KeyHash]) {
        match self {
            Self::Bytes { bytes, offsets } => {
                for (hash, ends) in hashes.iter_mut().zip(offsets[first..].windows(2)) {
                    *hash = hasher.hash(&bytes[crate::num::index(ends[0])..crate::num::index(ends[1])]);
                }
            }
            Self::U64s(keys) => {
                hashes.iter_mut().zip(&keys[first..]).for_each(|(hash, key)| *hash = hasher.hash(&key.to_le_bytes()));
            }
            Self::Hashes(given) => hashes.copy_from_slice(&given[first..first + hashes.len()]),
        }
    }
}

fn check_offsets(bytes: &[u8], offsets: &[u64]) -> Result<(), Error> {
    if offsets.is_empty() {
        return Err(Error::offsets(0, "is missing: n keys have n + 1 offsets"));
    }
    if let Some(i) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(Error::offsets(i + 1, "is below the one before it"));
    }
    match offsets.last() {
        Some(&end) if end > crate::num::wide(bytes.len()) => {
            Err(Error::offsets(offsets.len() - 1, "is beyond the bytes"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn expect_len(what: &'static str, have: usize, want: usize) -> Result<(), Error> {
    if have == want { Ok(()) } else { Err(Error::length(what, have, want)) }
}

pub(crate) fn stopped(done: usize) -> impl Fn(Error) -> Stopped {
    move |error| Stopped { done, error }
}
