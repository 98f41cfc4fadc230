//! Where bytes and ticks come in: the hasher and the clock of a handle, and how a batch is cut into chunks.

use crate::clock::Watch;
use crate::error::Error;
use crate::filter::values::Verdict;
use crate::hash::{Hasher, KeyHash, Mark, Named};
use crate::keys::{AnyKeys, Group, Source, Validity};
use crate::options::Options;
use crate::secret::Secret;
use crate::tick::Tick;

/// The most keys of a chunk. A shared filter may hold a lock for as long as a chunk takes.
const CHUNK: usize = 32;

/// What a handle has in addition to its filter.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    hasher: Hasher,
    pub(crate) clock: Watch,
}

impl Edge {
    pub(crate) const fn new(hasher: Hasher, clock: Watch) -> Self {
        Self { hasher, clock }
    }

    /// The hash of a key, by which the filter knows it.
    #[inline]
    pub(crate) fn key(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    /// The hash and the identity of a key, for claims.
    pub(crate) fn named(&self, key: &[u8]) -> Named {
        self.hasher.named(key)
    }

    /// The hash of a key, for its owner to see.
    pub(crate) fn hash(&self, key: &[u8]) -> Result<KeyHash, Error> {
        self.hasher.expect_unkeyed()?;
        Ok(self.key(key))
    }

    /// A hash that the caller made.
    #[inline]
    pub(crate) fn given(&self, hash: KeyHash) -> Result<KeyHash, Error> {
        self.hasher.expect_unkeyed().map(|()| hash)
    }

    pub(crate) fn secret(&self) -> Result<Secret, Error> {
        self.hasher.secret().ok_or_else(|| Error::unsupported("a secret of a filter that is not keyed"))
    }

    /// Adds the options of the handle to those of the filter.
    pub(crate) fn add_to_options(&self, options: &mut Options) {
        options.clock = self.clock.source();
        match self.hasher.seed() {
            Some(seed) => options.seed = Some(seed),
            None => options.keyed = Some(true),
        }
    }

    /// The hasher as a snapshot has it.
    pub(crate) fn mark(&self) -> Mark {
        self.hasher.mark()
    }

    /// Hands the keys of a batch to `each` in order, a few at a time; `emit` gets the verdict of absent ones between them.
    #[inline]
    pub(crate) fn in_order<F: FnMut(usize, Verdict)>(
        &self,
        (AnyKeys(keys), ticks, now): (AnyKeys<'_>, Option<&[Tick]>, Option<Tick>),
        emit: &mut F,
        mut each: impl FnMut(&Chunk<'_>, &mut F) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let now = self.check_batch(keys, ticks, now).map_err(stopped(0))?;
        if let Some(validity) = keys.validity() {
            return self.over_gaps((keys, validity), (ticks, now), emit, each);
        }
        let mut hashes = [KeyHash(0); CHUNK];
        for first in (0..keys.len()).step_by(CHUNK) {
            let hashes = &mut hashes[..CHUNK.min(keys.len() - first)];
            keys.hash(first, &self.hasher, hashes);
            let ticks = ticks.map(|ticks| &ticks[first..first + hashes.len()]);
            self.hand_over(&Chunk { first, hashes, upcoming: hashes, opens: true, ticks, now }, emit, &mut each)?;
        }
        Ok(())
    }

    /// The same for keys whose hashes alone do not do: one after the other.
    pub(crate) fn one_by_one<F: FnMut(usize, Verdict)>(
        &self,
        (keys, ticks, now): (AnyKeys<'_>, Option<&[Tick]>, Option<Tick>),
        emit: &mut F,
        mut each: impl FnMut(usize, Named, When, &mut F) -> Result<(), Error>,
    ) -> Result<(), Stopped> {
        expect_no_hashes(keys).map_err(stopped(0))?;
        let AnyKeys(keys) = keys;
        let now = self.check_batch(keys, ticks, now).map_err(stopped(0))?;
        for i in 0..keys.len() {
            let is_absent = keys.validity().is_some_and(|validity| !validity.has(i));
            match keys.named(i, &self.hasher).filter(|_| !is_absent) {
                Some(key) => {
                    let moment = ticks.map(|ticks| self.moment(ticks[i]).map_err(stopped(i))).transpose()?;
                    each(i, key, moment.map_or(When::Read(now), When::Given), emit).map_err(stopped(i))?;
                }
                None => emit(i, Verdict::AbsentKey),
            }
        }
        Ok(())
    }

    /// The same for keys that may be absent: a chunk for each run of neighbours that are present.
    fn over_gaps<F: FnMut(usize, Verdict)>(
        &self,
        (keys, validity): (&dyn Source, Validity<'_>),
        (ticks, now): (Option<&[Tick]>, Tick),
        emit: &mut F,
        mut each: impl FnMut(&Chunk<'_>, &mut F) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut hashes = [KeyHash(0); CHUNK];
        for first in (0..keys.len()).step_by(CHUNK) {
            let group = Group::new(first, CHUNK.min(keys.len() - first), validity);
            group.runs().for_each(|run| keys.hash(first + run.start, &self.hasher, &mut hashes[run]));
            let mut next = first;
            for run in group.runs() {
                let (start, end) = (first + run.start, first + run.end);
                (next..start).for_each(|absent| emit(absent, Verdict::AbsentKey));
                let (opens, upcoming) = (run.start == group.begin(), &hashes[run.start..group.n]);
                let ticks = ticks.map(|ticks| &ticks[start..end]);
                self.hand_over(
                    &Chunk { first: start, hashes: &hashes[run], upcoming, opens, ticks, now },
                    emit,
                    &mut each,
                )?;
                next = end;
            }
            (next..first + group.n).for_each(|absent| emit(absent, Verdict::AbsentKey));
        }
        Ok(())
    }

    /// Checks keys and ticks; the moment of all keys if they have no ticks, which a clock without a tick cannot tell.
    fn check_batch(&self, keys: &dyn Source, ticks: Option<&[Tick]>, now: Option<Tick>) -> Result<Tick, Error> {
        keys.check(&self.hasher)?;
        match ticks {
            None => now.ok_or_else(Error::no_tick_yet),
            Some(ticks) => {
                self.expect_manual()?;
                expect_len("ticks", ticks.len(), keys.len()).map(|()| Tick(0))
            }
        }
    }

    /// An error unless the clock is manual.
    fn expect_manual(&self) -> Result<(), Error> {
        if self.clock.is_manual() { Ok(()) } else { Err(self.not_manual()) }
    }

    /// The moment of a caller's tick.
    #[inline]
    pub(crate) fn moment(&self, tick: Tick) -> Result<Tick, Error> {
        match self.clock {
            Watch::Manual(unit) => tick.in_nanoseconds(unit),
            _ => Err(self.not_manual()),
        }
    }

    /// The tick of a moment, as its caller counts.
    pub(crate) fn tick(&self, moment: Tick) -> Tick {
        match self.clock {
            Watch::Manual(unit) => Tick(moment.0 / unit.nanoseconds()),
            _ => moment,
        }
    }

    /// Hands over the keys up to the first whose tick has no moment, and stops there.
    #[inline]
    fn hand_over<F>(
        &self,
        chunk: &Chunk<'_>,
        emit: &mut F,
        each: &mut impl FnMut(&Chunk<'_>, &mut F) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        match chunk.ticks {
            Some(ticks) if !self.clock.counts_nanoseconds() => self.hand_over_scaled((chunk, ticks), emit, each),
            _ => each(chunk, emit),
        }
    }

    #[inline(never)]
    fn hand_over_scaled<F>(
        &self,
        (chunk, ticks): (&Chunk<'_>, &[Tick]),
        emit: &mut F,
        each: &mut impl FnMut(&Chunk<'_>, &mut F) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut moments = [Tick(0); CHUNK];
        let mut n = 0;
        let failed = ticks.iter().zip(&mut moments).try_for_each(|(&tick, moment)| {
            *moment = self.moment(tick)?;
            n += 1;
            Ok(())
        });
        let (hashes, ticks) = (&chunk.hashes[..n], Some(&moments[..n]));
        each(&Chunk { hashes, upcoming: hashes, ticks, ..*chunk }, emit)?;
        failed.map_err(stopped(chunk.first + n))
    }

    #[cold]
    fn not_manual(&self) -> Error {
        Error::clock(match self.clock {
            Watch::Timeless => "this kind of filter has no time",
            _ => "ticks belong to a manual clock: this filter reads the system's",
        })
    }
}

/// Some keys of a batch, which are hashed, and asked for together, before the first of them is processed.
pub(crate) struct Chunk<'a> {
    /// The place of the first key in its batch.
    pub(crate) first: usize,
    pub(crate) hashes: &'a [KeyHash],
    /// These hashes and the next ones whose lines may be asked for; an absent key has an arbitrary hash.
    upcoming: &'a [KeyHash],
    /// Whether nothing has been asked for yet.
    opens: bool,
    /// A tick for each key, or none.
    ticks: Option<&'a [Tick]>,
    /// The moment of all keys where they have no ticks.
    now: Tick,
}

impl<'a> Chunk<'a> {
    /// The keys whose lines are asked for before the first key has its turn, and those that are asked for later, one with each.
    #[inline]
    pub(crate) fn to_ask_for(&self, ahead: usize) -> (&'a [KeyHash], &'a [KeyHash]) {
        let (at_once, later) = self.upcoming.split_at(ahead.min(self.upcoming.len()));
        if self.opens { (at_once, later) } else { (&[], later) }
    }

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
        Self { first: 0, hashes, upcoming: hashes, opens: true, ticks: None, now }
    }

    /// The ticks that the caller gave, one for each key or none, and the moment of all keys if there are none.
    #[inline(always)]
    pub(crate) fn moments(&self) -> (&'a [Tick], Tick) {
        (self.ticks.unwrap_or_default(), self.now)
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
    /// By the clock, read once the call has its lock.
    Now(Watch),
    /// At a moment that was read before.
    Read(Tick),
    /// At the moment of a tick that the caller gave, by the rules of ticks.
    Given(Tick),
}

impl When {
    /// Whether the moment is that of a clock that only a caller moves.
    #[inline]
    pub(crate) fn is_of_filter(&self) -> bool {
        matches!(self, Self::Now(clock) if !clock.is_system())
    }

    /// The moment of the call on `filter`: `clock` reads the clock of the filter, `check` accepts or refuses a given tick.
    #[inline]
    pub(crate) fn tick<F, E>(
        self,
        filter: &mut F,
        clock: impl FnOnce(&F) -> Result<Tick, E>,
        check: impl FnOnce(&mut F, Tick) -> Result<(), E>,
    ) -> Result<Tick, E> {
        match self {
            Self::Now(system) => system.read().map_or_else(|| clock(filter), Ok),
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

/// Why a filter with claims takes no hashes.
pub(crate) fn no_hashes() -> Error {
    Error::unsupported("hashes of a filter with claims: a 64-bit hash does not identify a key")
}

/// An error for a batch of hashes.
pub(crate) fn expect_no_hashes(AnyKeys(keys): AnyKeys<'_>) -> Result<(), Error> {
    if keys.are_hashes() { Err(no_hashes()) } else { Ok(()) }
}

pub(crate) fn expect_len(what: &'static str, have: usize, want: usize) -> Result<(), Error> {
    if have == want { Ok(()) } else { Err(Error::length(what, have, want)) }
}

pub(crate) fn stopped(done: usize) -> impl Fn(Error) -> Stopped {
    move |error| Stopped { done, error }
}
