//! Keys of a batch on a filter with one owner: their cache lines are prefetched together, then each key is processed.

use crate::edge::{Chunk, Stopped, stopped};
use crate::error::Error;
use crate::filter::contract::{Contract, Observing, Series};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::tick::Tick;

impl Chunk<'_> {
    /// Tests and inserts every key.
    #[inline]
    pub(crate) fn observe<K: Contract>(&self, filter: &mut K, emit: impl FnMut(usize, Verdict)) -> Result<(), Stopped> {
        filter.observe_series(Observations { chunk: self, emit })
    }

    /// Inserts every key.
    #[inline]
    pub(crate) fn insert<K: Contract>(&self, filter: &mut K) -> Result<(), Stopped> {
        self.change(filter, |filter, _, key, now| filter.insert(key, now))
    }

    #[inline(always)]
    fn change<K: Contract>(
        &self,
        filter: &mut K,
        mut verb: impl FnMut(&mut K, usize, KeyHash, Tick) -> Result<(), Error>,
    ) -> Result<(), Stopped> {
        let ahead = Ahead::new(self, filter, K::prefetch);
        self.each(|i, key, when| {
            ahead.next(filter, i);
            let now = when.tick(filter, |filter| filter.present(), |filter, now| filter.admit(now))?;
            verb(filter, i, key, now)
        })
    }

    /// Looks for every key.
    #[inline]
    pub(crate) fn contains<K: Contract>(
        &self,
        filter: &K,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        let ahead = Ahead::new(self, filter, K::prefetch_look);
        self.each(|i, key, when| {
            ahead.next(filter, i);
            let now = when.tick(&mut (), |()| filter.present(), |(), now| filter.check_step(now))?;
            emit(i, filter.contains(key, now));
            Ok(())
        })
    }

    /// Removes every key; the verdict is the one that `contains` gave just before. A tick is checked and not taken.
    #[inline]
    pub(crate) fn remove<K: Contract>(
        &self,
        filter: &mut K,
        mut emit: impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        let ahead = Ahead::new(self, filter, K::prefetch_look);
        self.each(|i, key, when| {
            ahead.next(filter, i);
            let now = when.tick(&mut (), |()| filter.present(), |(), now| filter.check_step(now))?;
            emit(i, Verdict::of(filter.remove(key, now)?));
            Ok(())
        })
    }
}

/// The observations of a chunk.
struct Observations<'a, F> {
    chunk: &'a Chunk<'a>,
    emit: F,
}

impl<K: Contract, F: FnMut(usize, Verdict)> Series<K> for Observations<'_, F> {
    type Result = Result<(), Stopped>;

    /// A loop of its own, without a function in between: see [`Observing`].
    #[inline(always)]
    fn run<W: Observing<K>>(mut self, filter: &mut K) -> Result<(), Stopped> {
        let (chunk, ahead) = (self.chunk, Ahead::new(self.chunk, filter, W::prefetch));
        let (ticks, now) = chunk.moments();
        for (i, key) in chunk.hashes.iter().enumerate() {
            let place = chunk.first + i;
            ahead.nth(filter, i);
            let (now, is_given) = ticks.get(i).map_or((now, false), |tick| (*tick, true));
            let verdict = W::observe(filter, *key, now, is_given).map_err(stopped(place))?;
            (self.emit)(place, verdict);
        }
        Ok(())
    }
}

/// Prefetches the cache lines of the next keys, unless they are near: those of the first keys at once, then those of one
/// more key with each key that is processed.
pub(crate) struct Ahead<'a, P> {
    /// The keys after those whose lines were prefetched at once; empty if nothing is left to prefetch.
    rest: &'a [KeyHash],
    /// The place of the first key in its batch.
    first: usize,
    prefetch: P,
}

impl<'a, P> Ahead<'a, P> {
    /// Asks for the first keys.
    #[inline]
    pub(crate) fn new<K: Contract>(chunk: &Chunk<'a>, filter: &K, prefetch: P) -> Self
    where
        P: Fn(&K, KeyHash),
    {
        let (mut rest, first) = (&[][..], chunk.first);
        if filter.cell_bytes() > K::NEAR {
            let (now, later) = chunk.to_ask_for(K::AHEAD);
            now.iter().for_each(|key| prefetch(filter, *key));
            rest = later;
        }
        Self { rest, first, prefetch }
    }

    /// Prefetches for the key that follows, while the key at place `i` of the batch is processed.
    #[inline(always)]
    pub(crate) fn next<K: Contract>(&self, filter: &K, i: usize)
    where
        P: Fn(&K, KeyHash),
    {
        self.nth(filter, i - self.first);
    }

    /// The same of place `i` of the chunk.
    #[inline(always)]
    fn nth<K: Contract>(&self, filter: &K, i: usize)
    where
        P: Fn(&K, KeyHash),
    {
        if let Some(key) = self.rest.get(i) {
            (self.prefetch)(filter, *key);
        }
    }
}
