//! A filter for many threads: if several observe one new key concurrently, exactly one gets `New`.
//!
//! **Law.** Window, error rate and memory are those of the unshared filter: there is one filter, and one thread gets
//! verdict for verdict the answers of the unshared one. A key observed by any thread is found by all from then on.
//!
//! **Layout.** 64 locks over one filter's memory (`stripes` draws it). While one thread has the filter to itself, one of
//! them guards all. Once threads have waited for each other a key goes by one of the 64: that of its hash where cells are
//! single bits, else that of its block or row.
//!
//! **Price.** A lock and an unlock for every key, for every 16 keys of a batch while one lock guards all; afterwards
//! 64 of them when a generation ends, a few times for each, and atomic writes where cells are single bits. 64 times
//! two cache lines and what a kind counts there: 8 to 40 KiB, 119 with rows of 200 cells.

mod claimed;
mod guard;
mod snapshot;
mod stripes;
#[cfg(all(test, not(shuttle)))]
mod tests;
mod verbs;

use std::fmt;

use crate::claims::Claims;
use crate::claims::verbs::{Insert, Observe, ObserveAge};
use crate::edge::{Chunk, Edge, Stopped, When, expect_len, expect_no_hashes, no_hashes, stopped};
use crate::error::Error;
use crate::filter::any::{Any, Holder, each_kind};
use crate::filter::contract::Contract;
use crate::filter::glance::Glance;
use crate::filter::place::{Here, Place};
use crate::filter::striped::Striped;
use crate::filter::values::{Age, PlanSummary, Stats, Verdict};
use crate::handle::{Filter, batch_verbs};
use crate::hash::KeyHash;
use crate::keys::{AnyKeys, Keys};
use crate::options::Options;
use crate::raw::{self, Counted};
use crate::secret::Secret;
use crate::sync::{self, Mutex};
use crate::text::Text;
use crate::tick::Tick;

use stripes::Stripes;

pub use guard::{Guard, Guarded};

/// A filter that any number of threads use concurrently, through `&`. A clone is the same filter, and costs what that of an
/// [`Arc`](std::sync::Arc) does: give one to each thread. [`SharedFilter::unshared`] makes a copy.
///
/// Every verb is that of [`Filter`], with the same verdicts, errors and limits. If several threads observe
/// one new key concurrently, exactly one gets [`Verdict::New`]. Calls of other threads may come between the keys of a batch.
#[derive(Clone)]
pub struct SharedFilter {
    parts: Counted<Parts>,
}

/// The one filter of all its handles.
struct Parts {
    any: Any<Locked>,
    edge: Edge,
    /// Locked for moments, under a lock of the filter: a call for a key has that of the key, so no other thread has the key.
    claims: Option<Box<Mutex<Claims>>>,
}

/// A filter behind locks.
#[derive(Debug)]
struct Locked;

impl Holder for Locked {
    type Of<K: Striped> = Here<Stripes<K>>;
}

impl SharedFilter {
    /// Builds the filter that the options ask for.
    ///
    /// # Errors
    /// As [`Filter::new`].
    pub fn new(options: &Options) -> Result<Self, Error> {
        Filter::new(options).and_then(Self::of)
    }

    /// Makes a shared filter from one with a single owner.
    ///
    /// # Errors
    /// No memory for the locks.
    pub fn of(filter: Filter) -> Result<Self, Error> {
        sync::prepare()?;
        let (any, edge, claims) = filter.into_parts();
        let any = each_kind!(any, filter -> Stripes::new(filter.take()))?;
        let claims = claims.map(|claims| raw::boxed(Mutex::new(*claims))).transpose()?;
        Ok(Self { parts: Counted::new(Parts { any, edge, claims })? })
    }

    /// As [`Filter::expect_now`].
    #[doc(hidden)]
    pub fn expect_now(&self) -> Result<(), Error> {
        if !self.parts.edge.clock.is_manual() || each_kind!(&self.parts.any, stripes => stripes.has_started()) {
            return Ok(());
        }
        Err(Error::no_tick_yet())
    }

    /// Divides the filter among its locks at once, or with its first keys.
    pub(crate) fn divide(&self) {
        each_kind!(&self.parts.any, stripes => {
            stripes.all(Striped::make_divisible);
            stripes.divide();
        });
    }

    /// As [`Filter::plan`].
    pub fn plan(options: &Options) -> Result<PlanSummary, Error> {
        Filter::plan(options)
    }

    /// As [`Filter::options`].
    #[must_use]
    pub fn options(&self) -> Options {
        let mut options = each_kind!(&self.parts.any, stripes => stripes.all(|filter| filter.options()));
        self.each_claim(|claims| claims.add_to_options(&mut options));
        self.parts.edge.add_to_options(&mut options);
        options
    }

    /// As [`Filter::expect_options`].
    pub fn expect_options(&self, options: &Options) -> Result<(), Error> {
        self.options().expect_same(&Filter::new(options)?.options())
    }

    /// As [`Filter::observe`].
    pub fn observe(&self, key: impl AsRef<[u8]>) -> Result<Verdict, Error> {
        if let Some(claims) = &self.parts.claims {
            return self.call(claims, key.as_ref(), When::Now(self.parts.edge.clock), Observe);
        }
        self.observe_when(self.parts.edge.key(key.as_ref()), When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::first`].
    pub fn first(&self, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        self.observe(key).map(Verdict::is_new)
    }

    /// As [`Filter::observe_hash`].
    pub fn observe_hash(&self, hash: KeyHash) -> Result<Verdict, Error> {
        self.observe_when(self.given(hash)?, When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::observe_at`]; the clock is that of all threads.
    pub fn observe_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Verdict, Error> {
        let now = self.parts.edge.moment(now)?;
        if let Some(claims) = &self.parts.claims {
            return self.call(claims, key.as_ref(), When::Given(now), Observe);
        }
        self.observe_when(self.parts.edge.key(key.as_ref()), When::Given(now))
    }

    /// As [`Filter::observe_hash_at`].
    pub fn observe_hash_at(&self, hash: KeyHash, now: Tick) -> Result<Verdict, Error> {
        let key = self.given(hash)?;
        let now = self.parts.edge.moment(now)?;
        self.observe_when(key, When::Given(now))
    }

    /// As [`Filter::insert`].
    pub fn insert(&self, key: impl AsRef<[u8]>) -> Result<(), Error> {
        if let Some(claims) = &self.parts.claims {
            return self.call(claims, key.as_ref(), When::Now(self.parts.edge.clock), Insert);
        }
        self.insert_when(self.parts.edge.key(key.as_ref()), When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::insert_hash`].
    pub fn insert_hash(&self, hash: KeyHash) -> Result<(), Error> {
        self.insert_when(self.given(hash)?, When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::insert_at`].
    pub fn insert_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<(), Error> {
        let now = self.parts.edge.moment(now)?;
        if let Some(claims) = &self.parts.claims {
            return self.call(claims, key.as_ref(), When::Given(now), Insert);
        }
        self.insert_when(self.parts.edge.key(key.as_ref()), When::Given(now))
    }

    /// As [`Filter::insert_hash_at`].
    pub fn insert_hash_at(&self, hash: KeyHash, now: Tick) -> Result<(), Error> {
        let key = self.given(hash)?;
        let now = self.parts.edge.moment(now)?;
        self.insert_when(key, When::Given(now))
    }

    /// As [`Filter::contains`].
    #[must_use]
    pub fn contains(&self, key: impl AsRef<[u8]>) -> Verdict {
        if let Some(claims) = &self.parts.claims {
            return self.look(claims, key.as_ref());
        }
        self.contains_key(self.parts.edge.key(key.as_ref()))
    }

    /// As [`Filter::contains_hash`].
    pub fn contains_hash(&self, hash: KeyHash) -> Result<Verdict, Error> {
        Ok(self.contains_key(self.given(hash)?))
    }

    /// As [`Filter::contains_at`].
    pub fn contains_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Verdict, Error> {
        let now = self.parts.edge.moment(now)?;
        if let Some(claims) = &self.parts.claims {
            return self.look_when(claims, self.parts.edge.named(key.as_ref()), When::Given(now));
        }
        self.contains_when(self.parts.edge.key(key.as_ref()), When::Given(now))
    }

    /// As [`Filter::contains_hash_at`].
    pub fn contains_hash_at(&self, hash: KeyHash, now: Tick) -> Result<Verdict, Error> {
        let key = self.given(hash)?;
        let now = self.parts.edge.moment(now)?;
        self.contains_when(key, When::Given(now))
    }

    /// As [`Filter::observe_age`]; the age is that of the moment in which the key is observed.
    pub fn observe_age(&self, key: impl AsRef<[u8]>) -> Result<(Verdict, Option<Age>), Error> {
        self.observe_age_when(key.as_ref(), When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::observe_age_at`].
    pub fn observe_age_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<(Verdict, Option<Age>), Error> {
        let now = self.parts.edge.moment(now)?;
        self.observe_age_when(key.as_ref(), When::Given(now))
    }

    /// As [`Filter::contains_age`].
    pub fn contains_age(&self, key: impl AsRef<[u8]>) -> Result<Option<Age>, Error> {
        self.age_when(key.as_ref(), When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::contains_age_at`].
    pub fn contains_age_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Option<Age>, Error> {
        let now = self.parts.edge.moment(now)?;
        self.age_when(key.as_ref(), When::Given(now))
    }

    /// As [`Filter::remove`].
    pub fn remove(&self, key: impl AsRef<[u8]>) -> Result<bool, Error> {
        self.remove_when(self.parts.edge.key(key.as_ref()), When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::remove_at`].
    pub fn remove_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<bool, Error> {
        let now = self.parts.edge.moment(now)?;
        self.remove_when(self.parts.edge.key(key.as_ref()), When::Given(now))
    }

    /// As [`Filter::remove_hash_at`].
    pub fn remove_hash_at(&self, hash: KeyHash, now: Tick) -> Result<bool, Error> {
        let key = self.given(hash)?;
        let now = self.parts.edge.moment(now)?;
        self.remove_when(key, When::Given(now))
    }

    fn remove_when(&self, key: KeyHash, when: When) -> Result<bool, Error> {
        each_kind!(&self.parts.any, stripes => stripes.remove(key, when))
    }

    /// As [`Filter::advance`]. Takes all locks.
    pub fn advance(&self, now: Tick) -> Result<(), Error> {
        let now = self.parts.edge.moment(now)?;
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| filter.advance(now)));
        Ok(())
    }

    /// Empties the filter and forgets clock and counters; options, seed and secret stay. Takes all locks.
    pub fn clear(&self) {
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| {
            filter.clear();
            self.each_claim(Claims::clear);
        }));
    }

    /// A filter with one owner, equal to this one as it is at one moment of the call. Takes all locks while it copies.
    ///
    /// # Errors
    /// No memory.
    pub fn unshared(&self) -> Result<Filter, Error> {
        let mut claims = None;
        let any = each_kind!(&self.parts.any, stripes -> stripes.all(|filter| {
            claims = self.parts.claims.as_ref().map(|claims| claims.lock().try_clone()).transpose()?;
            filter.try_clone()
        }))?;
        Ok(Filter::from_parts(any, self.parts.edge.clone(), claims))
    }

    /// The statistics of the filter now. Takes all locks, for O(slices) work.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let clock = self.parts.edge.clock;
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| {
            let now = clock.read().unwrap_or_else(|| filter.clock());
            let mut stats = filter.stats(now);
            self.each_claim(|claims| claims.add_to(&mut stats, now.max(filter.clock())));
            stats.clock = self.parts.edge.tick(stats.clock);
            stats
        }))
    }

    /// The filter in one line.
    #[doc(hidden)]
    pub fn line(&self) -> Text<160> {
        let stats = self.stats();
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| Glance::of(filter, &stats))).line()
    }

    /// Sets the counters of verdicts and of late and refused ticks to 0. Takes all locks.
    pub fn stats_reset(&self) {
        each_kind!(&self.parts.any, stripes => stripes.all(|filter| {
            filter.stats_reset();
            self.each_claim(Claims::stats_reset);
        }));
    }

    /// As [`Filter::hash`].
    pub fn hash(&self, key: impl AsRef<[u8]>) -> Result<KeyHash, Error> {
        self.parts.edge.hash(key.as_ref())
    }

    /// As [`Filter::secret`].
    pub fn secret(&self) -> Result<Secret, Error> {
        self.parts.edge.secret()
    }

    batch_verbs!(self: &self);

    /// [`SharedFilter::observe_batch`] that hands each verdict to `emit`.
    #[doc(hidden)]
    pub fn observe_each(
        &self,
        keys: AnyKeys<'_>,
        ticks: Option<&[Tick]>,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        if let Some(claims) = &self.parts.claims {
            let batch = (keys, ticks, self.now(ticks));
            return self.call_each(claims, batch, &mut emit, Observe, |i, verdict, emit| emit(i, verdict));
        }
        self.parts.edge.in_order(
            (keys, ticks, self.now(ticks)),
            &mut emit,
            |chunk, emit| each_kind!(&self.parts.any, stripes => stripes.observe_chunk(chunk, emit)),
        )
    }

    #[doc(hidden)]
    pub fn insert_each(&self, keys: AnyKeys<'_>, ticks: Option<&[Tick]>) -> Result<(), Stopped> {
        if let Some(claims) = &self.parts.claims {
            let batch = (keys, ticks, self.now(ticks));
            return self.call_each(claims, batch, &mut |_, _| {}, Insert, |_, (), _| {});
        }
        let insert = |chunk: &Chunk<'_>, _: &mut _| each_kind!(&self.parts.any, stripes => stripes.insert_chunk(chunk));
        self.parts.edge.in_order((keys, ticks, self.now(ticks)), &mut |_, _| {}, insert)
    }

    /// [`SharedFilter::contains_batch`] that hands each verdict to `emit`.
    #[doc(hidden)]
    pub fn contains_each(
        &self,
        keys: AnyKeys<'_>,
        ticks: Option<&[Tick]>,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        if let Some(claims) = &self.parts.claims {
            return self.look_each(claims, (keys, ticks, self.now(ticks)), &mut emit);
        }
        self.parts.edge.in_order(
            (keys, ticks, self.now(ticks)),
            &mut emit,
            |chunk, emit| each_kind!(&self.parts.any, stripes => stripes.contains_chunk(chunk, emit)),
        )
    }

    /// As [`Filter::remove_each`].
    #[doc(hidden)]
    pub fn remove_each(
        &self,
        keys: AnyKeys<'_>,
        ticks: Option<&[Tick]>,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        self.expect_removal().map_err(stopped(0))?;
        if self.parts.claims.is_some() {
            expect_no_hashes(keys).map_err(stopped(0))?;
        }
        self.parts.edge.in_order(
            (keys, ticks, self.now(ticks)),
            &mut emit,
            |chunk, emit| each_kind!(&self.parts.any, stripes => stripes.remove_chunk(chunk, emit)),
        )
    }

    fn expect_removal(&self) -> Result<(), Error> {
        each_kind!(&self.parts.any, stripes => stripes.expect_removal())
    }

    /// The present, for all keys of a batch. Keys with ticks have no use for it, and the clock of a divided filter costs all locks.
    fn now(&self, ticks: Option<&[Tick]>) -> Option<Tick> {
        if ticks.is_some() || self.expect_now().is_err() {
            return None;
        }
        Some(each_kind!(&self.parts.any, stripes => stripes.now(self.parts.edge.clock)))
    }

    /// A hash that the caller made.
    fn given(&self, hash: KeyHash) -> Result<KeyHash, Error> {
        if self.parts.claims.is_some() { Err(no_hashes()) } else { self.parts.edge.given(hash) }
    }

    fn observe_age_when(&self, key: &[u8], when: When) -> Result<(Verdict, Option<Age>), Error> {
        if let Some(claims) = &self.parts.claims {
            each_kind!(&self.parts.any, stripes => expect_ages_of(stripes))?;
            return self.call(claims, key, when, ObserveAge);
        }
        let key = self.parts.edge.key(key);
        each_kind!(&self.parts.any, stripes => stripes.observe_age(key, when))
    }

    fn age_when(&self, key: &[u8], when: When) -> Result<Option<Age>, Error> {
        if let Some(claims) = &self.parts.claims {
            if let Some(age) = self.age_of_claim(claims, key, when)? {
                return Ok(Some(age));
            }
        }
        let key = self.parts.edge.key(key);
        each_kind!(&self.parts.any, stripes => stripes.age(key, when))
    }

    #[inline]
    fn observe_when(&self, key: KeyHash, when: When) -> Result<Verdict, Error> {
        each_kind!(&self.parts.any, stripes => stripes.observe(key, when))
    }

    #[inline]
    fn contains_key(&self, key: KeyHash) -> Verdict {
        each_kind!(&self.parts.any, stripes => stripes.contains_now(key, &self.parts.edge.clock))
    }

    #[inline]
    fn contains_when(&self, key: KeyHash, when: When) -> Result<Verdict, Error> {
        each_kind!(&self.parts.any, stripes => stripes.contains(key, when))
    }

    #[inline]
    fn insert_when(&self, key: KeyHash, when: When) -> Result<(), Error> {
        each_kind!(&self.parts.any, stripes => stripes.insert(key, when))
    }
}

fn expect_ages_of<K: Striped>(_: &Stripes<K>) -> Result<(), Error> {
    K::expect_ages()
}

/// One line for a log: kind, window, bytes and error rate, as they are now. Takes all locks.
impl fmt::Debug for SharedFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedFilter({})", self.line())
    }
}
