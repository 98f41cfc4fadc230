//! The verbs on stripes: under the lock of the key, or, where that does not suffice, under all.

use super::stripes::Stripes;
use crate::clock::Clock;
use crate::error::Error;
use crate::filter::striped::Striped;
use crate::filter::values::{Age, Verdict};
use crate::hash::KeyHash;
use crate::tick::Tick;

/// When a call happens.
#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    /// At what the clock says once the key's lock is held.
    Now(Clock),
    /// At a moment that was read before.
    Read(Tick),
    /// At a tick that the caller told, by the rules of ticks.
    Told(Tick),
}

impl<K: Striped> Stripes<K> {
    pub(super) fn observe(&self, key: KeyHash, when: When, fetched: bool) -> Result<Verdict, Error> {
        let brief = |filter: &K, open: &K::Open, part: &mut K::Part, now| {
            if !fetched {
                filter.prefetch(key);
            }
            filter.observe_concurrent(open, part, key, now)
        };
        self.write(key, when, brief, |filter, now| filter.observe(key, now))
    }

    pub(super) fn insert(&self, key: KeyHash, when: When) -> Result<(), Error> {
        let brief =
            |filter: &K, open: &K::Open, part: &mut K::Part, now| filter.insert_concurrent(open, part, key, now);
        self.write(key, when, brief, |filter, now| filter.insert(key, now))
    }

    pub(super) fn contains(&self, key: KeyHash, when: When) -> Result<Verdict, Error> {
        let brief = self.of_key(key, |filter, open, part| {
            let now =
                when.without_telling(|| filter.clock_concurrent(open), |now| filter.check_step_concurrent(open, now));
            now.map(|now| filter.contains_concurrent(open, part, key, now))
        })?;
        brief.map_or_else(
            || {
                self.all(|filter| {
                    let now = when.without_telling(|| filter.clock(), |now| filter.check_step(now))?;
                    Ok(filter.contains(key, now))
                })
            },
            Ok,
        )
    }

    pub(super) fn observe_age(&self, key: KeyHash, when: When) -> Result<(Verdict, Option<Age>), Error> {
        let brief = |filter: &K, open: &K::Open, part: &mut K::Part, now| {
            let age = match filter.age_concurrent(open, part, key, now)? {
                Ok(age) => age,
                Err(error) => return Some(Err(error)),
            };
            Some(filter.observe_concurrent(open, part, key, now)?.map(|verdict| (verdict, age)))
        };
        self.write(key, when, brief, |filter, now| {
            let age = filter.age(key, now.max(filter.clock()))?;
            Ok((filter.observe(key, now)?, age))
        })
    }

    pub(super) fn age(&self, key: KeyHash, when: When) -> Result<Option<Age>, Error> {
        let under_one = self.of_key(key, |filter, open, part| {
            let now =
                when.without_telling(|| filter.clock_concurrent(open), |now| filter.check_step_concurrent(open, now));
            now.map(|now| filter.age_concurrent(open, part, key, now))
        })?;
        under_one.unwrap_or_else(|| {
            self.all(|filter| {
                let now = when.without_telling(|| filter.clock(), |now| filter.check_step(now))?;
                filter.age(key, now.max(filter.clock()))
            })
        })
    }

    pub(super) fn remove(&self, key: KeyHash) -> Result<bool, Error> {
        self.of_key(key, |filter, _, part| filter.remove_concurrent(part, key))
    }

    /// Asks for the cache lines of keys, under the lock of the first.
    pub(super) fn prefetch(&self, keys: &[KeyHash]) {
        let Some(first) = keys.first() else { return };
        self.of_key(*first, |filter, _, _| keys.iter().for_each(|key| filter.prefetch(*key)));
    }

    /// The present: what the system says, or the latest tick that was told.
    pub(super) fn now(&self, clock: Clock) -> Tick {
        clock.read().unwrap_or_else(|| self.one(0, |filter, open, _| filter.clock_concurrent(open)))
    }

    /// Takes the tick and runs `brief` under the key's lock, or what is left of that, with `whole`, under all.
    fn write<T>(
        &self,
        key: KeyHash,
        when: When,
        brief: impl FnOnce(&K, &K::Open, &mut K::Part, Tick) -> Option<Result<T, Error>>,
        whole: impl FnOnce(&mut K, Tick) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut told = false;
        let done = self.of_key(key, |filter, open, part| {
            let now = match when {
                When::Now(clock) => clock.read().unwrap_or_else(|| filter.clock_concurrent(open)),
                When::Read(now) => now,
                When::Told(now) => match filter.admit_concurrent(open, part, now)? {
                    Ok(()) => now,
                    Err(error) => return Some(Err(error)),
                },
            };
            told = true;
            brief(filter, open, part, now)
        });
        done.unwrap_or_else(|| {
            self.all(|filter| {
                let now = match when {
                    When::Now(clock) => clock.read().unwrap_or_else(|| filter.clock()),
                    When::Read(now) => now,
                    When::Told(now) if told => filter.admit_again(now).map(|()| now)?,
                    When::Told(now) => filter.admit(now).map(|()| now)?,
                };
                whole(filter, now)
            })
        })
    }
}

impl When {
    /// The moment of a call that changes nothing.
    fn without_telling(
        self,
        clock: impl FnOnce() -> Tick,
        check: impl FnOnce(Tick) -> Result<(), Error>,
    ) -> Result<Tick, Error> {
        match self {
            Self::Now(system) => Ok(system.read().unwrap_or_else(clock)),
            Self::Read(now) => Ok(now),
            Self::Told(now) => check(now).map(|()| now),
        }
    }
}
