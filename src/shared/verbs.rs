//! The verbs on stripes: under the lock of the key, or, where that does not suffice, under all.
//!
//! ```text
//!  whole       the filter is undivided, lock 0 guards all of it: the verb of one thread
//!     |        None: the filter is divided
//!     v
//!  shared      under one lock: the tick is taken, the verb runs on the filter that all threads read
//!     |        None: the call needs all locks, and nothing has changed but that the tick may have been taken
//!     v
//!  exclusive   under all locks, which are taken after the one is released: the verb of one thread
//! ```
//! Between the two other threads may run. So nothing that was read under the one lock is still true under all: the tick of the
//! caller is checked again, the clock is read again, and the verdict is formed again.

use super::stripes::Stripes;
use crate::chunk::Ahead;
use crate::clock::Watch;
use crate::edge::{Chunk, Stopped, When, stopped};
use crate::error::Error;
use crate::filter::striped::{Route, Striped};
use crate::filter::values::{Age, Verdict};
use crate::hash::KeyHash;
use crate::tick::Tick;

impl<K: Striped> Stripes<K> {
    #[inline]
    pub(super) fn observe(&self, key: KeyHash, when: When) -> Result<Verdict, Error> {
        let shared =
            |filter: &K, open: &K::LockFree, part: &mut K::Delta, now| filter.observe_concurrent(open, part, key, now);
        self.write(key, when, shared, |filter, now| filter.observe(key, now))
    }

    #[inline]
    pub(super) fn insert(&self, key: KeyHash, when: When) -> Result<(), Error> {
        let shared =
            |filter: &K, open: &K::LockFree, part: &mut K::Delta, now| filter.insert_concurrent(open, part, key, now);
        self.write(key, when, shared, |filter, now| filter.insert(key, now))
    }

    #[inline]
    pub(super) fn contains(&self, key: KeyHash, when: When) -> Result<Verdict, Error> {
        let shared = |filter: &K, open: &K::LockFree, part: &K::Delta, now| {
            filter.contains_concurrent(open, part, key, now).map(Ok)
        };
        self.read(key, when, shared, |filter, now| Ok(filter.contains(key, now)))
    }

    /// [`Stripes::contains`] now: it cannot fail, and takes no room for an error.
    #[inline]
    pub(super) fn contains_now(&self, key: KeyHash, clock: &Watch) -> Verdict {
        match self.whole() {
            Some(whole) => whole.filter.contains(key, clock.read().unwrap_or_else(|| whole.filter.clock())),
            None => self.contains_divided(key, *clock),
        }
    }

    #[inline(never)]
    fn contains_divided(&self, key: KeyHash, clock: Watch) -> Verdict {
        // No tick is given, so none can be refused.
        self.contains(key, When::Now(clock)).unwrap_or(Verdict::New)
    }

    /// The age is read before the key is observed, under the same lock: no other thread comes between.
    pub(super) fn observe_age(&self, key: KeyHash, when: When) -> Result<(Verdict, Option<Age>), Error> {
        K::expect_ages()?;
        let shared = |filter: &K, open: &K::LockFree, part: &mut K::Delta, now| {
            let age = filter.age_concurrent(open, part, key, now)?;
            Some(filter.observe_concurrent(open, part, key, now)?.map(|verdict| (verdict, age)))
        };
        self.write(key, when, shared, |filter, now| filter.observe_age(key, now))
    }

    pub(super) fn age(&self, key: KeyHash, when: When) -> Result<Option<Age>, Error> {
        K::expect_ages()?;
        let shared =
            |filter: &K, open: &K::LockFree, part: &K::Delta, now| filter.age_concurrent(open, part, key, now).map(Ok);
        self.read(key, when, shared, |filter, now| Ok(filter.age(key, now)))
    }

    /// An error unless the kind can remove; that never changes.
    pub(super) fn expect_removal(&self) -> Result<(), Error> {
        match self.whole() {
            Some(whole) => whole.filter.expect_removal(),
            None => self
                .of_key(KeyHash(0), |filter, _, _| filter.expect_removal())
                .unwrap_or_else(|| self.all(|filter| filter.expect_removal())),
        }
    }

    /// A removal moves no clock: the tick is checked and not taken.
    pub(super) fn remove(&self, key: KeyHash, when: When) -> Result<bool, Error> {
        if let Some(whole) = self.whole() {
            whole.filter.expect_removal()?;
            let now = when.tick(&mut (), |()| whole.filter.present(), |(), now| whole.filter.check_step(now))?;
            return whole.filter.remove(key, now);
        }
        let done = self.of_key(key, |filter, open, part| remove_under(filter, open, part, key, when));
        done.flatten().unwrap_or_else(|| self.remove_whole(key, when))
    }

    fn remove_whole(&self, key: KeyHash, when: When) -> Result<bool, Error> {
        self.all(|filter| {
            filter.expect_removal()?;
            let now = when.tick(filter, |filter| filter.present(), |filter, now| filter.check_step(now))?;
            filter.remove(key, now)
        })
    }

    /// The keys of a chunk, under one lock if that guards all.
    pub(super) fn observe_chunk(&self, chunk: &Chunk<'_>, emit: impl FnMut(usize, Verdict)) -> Result<(), Stopped> {
        if let Some(whole) = self.whole() {
            return chunk.observe(whole.filter, emit);
        }
        let ahead = self.ask(chunk, K::prefetch);
        let shared = |filter: &K, open: &K::LockFree, part: &mut K::Delta, key, when, taken: &mut bool| {
            take(filter, open, part, when, taken, |part, now| filter.observe_concurrent(open, part, key, now))
        };
        let exclusive = |key, when, taken| self.write_whole(when, taken, |filter, now| filter.observe(key, now));
        self.divided_chunk((chunk, ahead), shared, exclusive, emit)
    }

    pub(super) fn insert_chunk(&self, chunk: &Chunk<'_>) -> Result<(), Stopped> {
        if let Some(whole) = self.whole() {
            return chunk.insert(whole.filter);
        }
        let ahead = self.ask(chunk, K::prefetch);
        let shared = |filter: &K, open: &K::LockFree, part: &mut K::Delta, key, when, taken: &mut bool| {
            take(filter, open, part, when, taken, |part, now| filter.insert_concurrent(open, part, key, now))
        };
        let exclusive = |key, when, taken| self.write_whole(when, taken, |filter, now| filter.insert(key, now));
        self.divided_chunk((chunk, ahead), shared, exclusive, |_, ()| {})
    }

    pub(super) fn contains_chunk(&self, chunk: &Chunk<'_>, emit: impl FnMut(usize, Verdict)) -> Result<(), Stopped> {
        if let Some(whole) = self.whole() {
            return chunk.contains(&*whole.filter, emit);
        }
        let ahead = self.ask(chunk, K::prefetch_look);
        let shared = |filter: &K, open: &K::LockFree, part: &mut K::Delta, key, when, _: &mut bool| {
            look(filter, open, part, when, |now| filter.contains_concurrent(open, part, key, now).map(Ok))
        };
        let exclusive = |key, when, _| self.read_whole(when, |filter, now| Ok(filter.contains(key, now)));
        self.divided_chunk((chunk, ahead), shared, exclusive, emit)
    }

    pub(super) fn remove_chunk(&self, chunk: &Chunk<'_>, mut emit: impl FnMut(usize, Verdict)) -> Result<(), Stopped> {
        if let Some(whole) = self.whole() {
            return chunk.remove(whole.filter, emit);
        }
        let ahead = self.ask(chunk, K::prefetch_look);
        let shared = |filter: &K, open: &K::LockFree, part: &mut K::Delta, key, when, _: &mut bool| {
            remove_under(filter, open, part, key, when)
        };
        let exclusive = |key, when, _| self.remove_whole(key, when);
        self.divided_chunk((chunk, ahead), shared, exclusive, |i, was_there| emit(i, Verdict::of(was_there)))
    }

    /// The keys of a chunk of a divided filter: `shared` for neighbours that go by one lock while that is held, and `exclusive`
    /// for a key that needs all locks, with whether its tick has been taken. Lines are asked for under whatever lock is held.
    #[inline]
    fn divided_chunk<T>(
        &self,
        (chunk, ahead): (&Chunk<'_>, Option<Ahead<'_, impl Fn(&K, KeyHash)>>),
        mut shared: impl FnMut(&K, &K::LockFree, &mut K::Delta, KeyHash, When, &mut bool) -> Option<Result<T, Error>>,
        mut exclusive: impl FnMut(KeyHash, When, bool) -> Result<T, Error>,
        mut emit: impl FnMut(usize, T),
    ) -> Result<(), Stopped> {
        let (mut next, mut taken) = (0, false);
        while next < chunk.hashes.len() {
            let under_lock = self.of_neighbours(&chunk.hashes[next..], |neighbours, filter, open, part| {
                for _ in 0..neighbours {
                    taken = false;
                    ahead.iter().for_each(|ahead| ahead.next(filter, chunk.first + next));
                    let (key, when) = chunk.key(next);
                    let Some(done) = shared(filter, open, part, key, when, &mut taken) else { return Ok(false) };
                    emit(chunk.first + next, done?);
                    next += 1;
                }
                filter.prefetch_later(part, chunk.hashes.get(next..).unwrap_or_default());
                Ok(true)
            });
            let failed = stopped(chunk.first + next);
            if !under_lock.transpose().map_err(&failed)?.unwrap_or(false) {
                let (key, when) = chunk.key(next);
                emit(chunk.first + next, exclusive(key, when, taken).map_err(&failed)?);
                next += 1;
            }
        }
        Ok(())
    }

    /// Asks for the cache lines of the first keys of a chunk, under the lock of the very first: any one lock keeps the memory
    /// where it is. Nothing is asked for where all locks are needed, or where only the lock of a key leads to its lines.
    #[inline]
    fn ask<'a, P: Fn(&K, KeyHash)>(&self, chunk: &Chunk<'a>, prefetch: P) -> Option<Ahead<'a, P>> {
        if matches!(self.route(), Route::Bits) {
            return None;
        }
        let first = chunk.hashes.first()?;
        self.of_key(*first, |filter, _, _| Ahead::new(chunk, filter, prefetch))
    }

    /// The present: the system's clock, or the latest tick that a caller gave.
    pub(super) fn now(&self, clock: Watch) -> Tick {
        let manual = || match self.whole() {
            Some(whole) => whole.filter.clock(),
            None => self
                .of_key(KeyHash(0), |filter, open, _| filter.clock_concurrent(open))
                .flatten()
                .unwrap_or_else(|| self.all(|filter| filter.clock())),
        };
        clock.read().unwrap_or_else(manual)
    }

    /// Whether the manual clock has had a tick.
    pub(super) fn has_started(&self) -> bool {
        match self.whole() {
            Some(whole) => whole.filter.has_started(),
            None => self
                .of_key(KeyHash(0), |filter, _, _| filter.has_started())
                .unwrap_or_else(|| self.all(|filter| filter.has_started())),
        }
    }

    /// Runs `exclusive` on the whole filter, or [`Stripes::read_divided`].
    #[inline(always)]
    pub(super) fn read<T>(
        &self,
        key: KeyHash,
        when: When,
        shared: impl FnOnce(&K, &K::LockFree, &K::Delta, Tick) -> Option<Result<T, Error>>,
        exclusive: impl FnOnce(&K, Tick) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(whole) = self.whole() {
            let now = when.tick(&mut (), |()| whole.filter.present(), |(), now| whole.filter.check_step(now))?;
            return exclusive(whole.filter, now);
        }
        self.read_divided(key, when, shared, exclusive)
    }

    /// Runs `shared` under the key's lock, or `exclusive` under all. The tick is checked and not taken: a query moves no
    /// clock and counts no late tick.
    #[inline(never)]
    fn read_divided<T>(
        &self,
        key: KeyHash,
        when: When,
        shared: impl FnOnce(&K, &K::LockFree, &K::Delta, Tick) -> Option<Result<T, Error>>,
        exclusive: impl FnOnce(&K, Tick) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let done = self
            .of_key(key, |filter, open, part| look(filter, open, part, when, |now| shared(filter, open, part, now)));
        done.flatten().unwrap_or_else(|| self.read_whole(when, exclusive))
    }

    /// Runs `exclusive` under all locks. The tick is checked and not taken.
    fn read_whole<T>(&self, when: When, exclusive: impl FnOnce(&K, Tick) -> Result<T, Error>) -> Result<T, Error> {
        self.all(|filter| {
            let now = when.tick(filter, |filter| filter.present(), |filter, now| filter.check_step(now))?;
            exclusive(filter, now)
        })
    }

    /// Takes the tick and runs `exclusive` on the whole filter, or does [`Stripes::write_divided`].
    #[inline(always)]
    pub(super) fn write<T>(
        &self,
        key: KeyHash,
        when: When,
        shared: impl FnOnce(&K, &K::LockFree, &mut K::Delta, Tick) -> Option<Result<T, Error>>,
        exclusive: impl FnOnce(&mut K, Tick) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(whole) = self.whole() {
            let now = when.tick(whole.filter, |filter| filter.present(), K::admit)?;
            return exclusive(whole.filter, now);
        }
        self.write_divided(key, when, shared, exclusive)
    }

    /// Takes the tick and runs `shared` under the key's lock, or what is left of that, with `exclusive`, under all.
    ///
    /// The clock is read under the lock, not before: threads that waited for each other then have their times in the
    /// order in which they ran. A tick that was taken under the one lock is counted late once: under all it is only
    /// checked again, since another thread may have cleared the filter, and its clock, in between.
    #[inline(never)]
    fn write_divided<T>(
        &self,
        key: KeyHash,
        when: When,
        shared: impl FnOnce(&K, &K::LockFree, &mut K::Delta, Tick) -> Option<Result<T, Error>>,
        exclusive: impl FnOnce(&mut K, Tick) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut taken = false;
        let done = self.of_key(key, |filter, open, part| {
            take(filter, open, part, when, &mut taken, |part, now| shared(filter, open, part, now))
        });
        done.flatten().unwrap_or_else(|| self.write_whole(when, taken, exclusive))
    }

    /// Runs `exclusive` under all locks, with the tick, which may have been taken before.
    fn write_whole<T>(
        &self,
        when: When,
        taken: bool,
        exclusive: impl FnOnce(&mut K, Tick) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.all(|filter| {
            let admit = if taken { K::admit_again } else { K::admit };
            let now = when.tick(filter, |filter| filter.present(), admit)?;
            exclusive(filter, now)
        })
    }
}

/// The filter's clock, if the call is to be judged by it; `None` if that needs all locks. Where it has had no tick, all of them tell so.
#[inline(always)]
fn clock_if_asked<K: Striped>(filter: &K, open: &K::LockFree, when: &When) -> Option<Tick> {
    if !when.is_of_filter() {
        return Some(Tick(0));
    }
    filter.clock_concurrent(open).filter(|_| filter.has_started())
}

/// Checks the tick under one lock and runs `shared`; `None` if either needs all.
#[inline(always)]
fn look<K: Striped, T>(
    filter: &K,
    open: &K::LockFree,
    part: &K::Delta,
    when: When,
    shared: impl FnOnce(Tick) -> Option<Result<T, Error>>,
) -> Option<Result<T, Error>> {
    let clock = clock_if_asked(filter, open, &when)?;
    let check = |(): &mut (), now| match filter.check_step_concurrent(open, part, now) {
        Some(checked) => checked.map_err(Some),
        None => Err(None),
    };
    match when.tick(&mut (), |()| Ok(clock), check) {
        Ok(now) => shared(now),
        Err(refused) => refused.map(Err),
    }
}

/// Removes a key under one lock; `None` if that needs all.
#[inline]
fn remove_under<K: Striped>(
    filter: &K,
    open: &K::LockFree,
    part: &mut K::Delta,
    key: KeyHash,
    when: When,
) -> Option<Result<bool, Error>> {
    if let Err(unsupported) = filter.expect_removal() {
        return Some(Err(unsupported));
    }
    match look(filter, open, part, when, |now| Some(Ok(now)))? {
        Ok(now) => filter.remove_concurrent(open, part, key, now),
        Err(refused) => Some(Err(refused)),
    }
}

/// Takes the tick under one lock and runs `shared`; `None` if either needs all, and then `taken` tells which.
#[inline(always)]
fn take<K: Striped, T>(
    filter: &K,
    open: &K::LockFree,
    part: &mut K::Delta,
    when: When,
    taken: &mut bool,
    shared: impl FnOnce(&mut K::Delta, Tick) -> Option<Result<T, Error>>,
) -> Option<Result<T, Error>> {
    let clock = clock_if_asked(filter, open, &when)?;
    let admit = |part: &mut &mut K::Delta, now| match filter.admit_concurrent(open, part, now) {
        Some(admitted) => admitted.map_err(Some),
        None => Err(None),
    };
    match when.tick(&mut &mut *part, |_| Ok(clock), admit) {
        Ok(now) => {
            *taken = true;
            shared(part, now)
        }
        Err(refused) => refused.map(Err),
    }
}
