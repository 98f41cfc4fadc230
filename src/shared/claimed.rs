//! Claims of a shared filter: each call for a key is made under the lock of the key, claims and filter together.
//!
//! ```text
//!  lock of the key, or all      no other thread has the key: whether it is claimed does not change
//!     \-> lock of the claims    for moments: a look, an opening, a closing; nothing is locked under it
//! ```
//! So of any number of threads exactly one gets `New`, and a thread that has all locks sees each call whole or not at all.
//! With a manual clock, only a thread that has all locks knows the clock: a call whose key is claimed, and every claim,
//! takes them.

use std::cell::RefCell;

use super::SharedFilter;
use super::stripes::Stripes;
use crate::claims::values::{Claim, Committed, Token};
use crate::claims::verbs::{self, ClaimsRef, ExclusiveView, FilterView, Step, Stop, Verb};
use crate::claims::{self, Claims};
use crate::edge::{Stopped, When};
use crate::error::Error;
use crate::filter::any::each_kind;
use crate::filter::striped::Striped;
use crate::filter::values::{Age, Verdict};
use crate::hash::{KeyHash, Named};
use crate::keys::AnyKeys;
use crate::sync::{Mutex, MutexGuard};
use crate::tick::Tick;

impl SharedFilter {
    /// As [`Filter::claim`](crate::Filter::claim); of any number of threads exactly one gets [`Claim::New`].
    pub fn claim(&self, key: impl AsRef<[u8]>) -> Result<Claim, Error> {
        self.call(self.claims()?, key.as_ref(), When::Now(self.parts.edge.clock), verbs::Take)
    }

    /// As [`Filter::claim_at`](crate::Filter::claim_at).
    pub fn claim_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Claim, Error> {
        let claims = self.claims()?;
        let now = self.parts.edge.moment(now)?;
        self.call(claims, key.as_ref(), When::Given(now), verbs::Take)
    }

    /// As [`Filter::commit`](crate::Filter::commit).
    pub fn commit(&self, key: impl AsRef<[u8]>, token: Token) -> Result<Committed, Error> {
        self.commit_named(self.parts.edge.named(key.as_ref()), token, When::Now(self.parts.edge.clock))
    }

    /// As [`Filter::commit_at`](crate::Filter::commit_at).
    pub fn commit_at(&self, key: impl AsRef<[u8]>, token: Token, now: Tick) -> Result<Committed, Error> {
        self.claims()?;
        let now = self.parts.edge.moment(now)?;
        self.commit_named(self.parts.edge.named(key.as_ref()), token, When::Given(now))
    }

    /// As [`Filter::abandon`](crate::Filter::abandon).
    pub fn abandon(&self, key: impl AsRef<[u8]>, token: Token) -> Result<(), Error> {
        self.abandon_named(self.parts.edge.named(key.as_ref()), token)
    }

    pub(super) fn commit_named(&self, key: Named, token: Token, when: When) -> Result<Committed, Error> {
        self.call_named(self.claims()?, key, when, verbs::Commit(claims::sequence(token, key.id)?))
    }

    pub(super) fn abandon_named(&self, key: Named, token: Token) -> Result<(), Error> {
        let claims = self.claims()?;
        self.call_named(claims, key, When::Now(self.parts.edge.clock), verbs::Abandon(claims::sequence(token, key.id)?))
    }

    fn claims(&self) -> Result<&Mutex<Claims>, Error> {
        self.parts.claims.as_deref().ok_or_else(claims::none)
    }

    /// The claims under their lock, if there are any.
    pub(super) fn locked_claims(&self) -> Option<MutexGuard<'_, Claims>> {
        self.parts.claims.as_ref().map(|claims| claims.lock())
    }

    /// Runs `f` on the claims, if there are any.
    pub(super) fn each_claim(&self, f: impl FnOnce(&mut Claims)) {
        if let Some(claims) = &self.parts.claims {
            f(&mut claims.lock());
        }
    }

    #[inline(never)]
    pub(super) fn call<V: Verb>(
        &self,
        claims: &Mutex<Claims>,
        key: &[u8],
        when: When,
        verb: V,
    ) -> Result<V::Answer, Error> {
        self.call_named(claims, self.parts.edge.named(key), when, verb)
    }

    fn call_named<V: Verb>(&self, claims: &Mutex<Claims>, key: Named, when: When, verb: V) -> Result<V::Answer, Error> {
        let manual = self.parts.edge.clock.is_manual();
        verb.answer(
            &mut ClaimsRef::Locked(claims),
            key.id,
            |step| each_kind!(&self.parts.any, stripes => stripes.call((key.hash, when, manual), step)),
        )
    }

    /// A verb for each key of a batch; `emit` gets the answers.
    pub(super) fn call_each<V: Verb, F: FnMut(usize, Verdict)>(
        &self,
        claims: &Mutex<Claims>,
        batch: (AnyKeys<'_>, Option<&[Tick]>, Option<Tick>),
        emit: &mut F,
        verb: V,
        mut answer: impl FnMut(usize, V::Answer, &mut F),
    ) -> Result<(), Stopped> {
        self.parts.edge.one_by_one(batch, emit, |i, key, when, emit| {
            answer(i, self.call_named(claims, key, when, verb)?, emit);
            Ok(())
        })
    }

    /// The verdict that `observe` would give now.
    pub(super) fn look(&self, claims: &Mutex<Claims>, key: &[u8]) -> Verdict {
        // No tick is given, so none can be refused.
        self.look_when(claims, self.parts.edge.named(key), When::Now(self.parts.edge.clock)).unwrap_or(Verdict::New)
    }

    pub(super) fn look_when(&self, claims: &Mutex<Claims>, key: Named, when: When) -> Result<Verdict, Error> {
        let manual = self.parts.edge.clock.is_manual();
        each_kind!(&self.parts.any, stripes => stripes.look(claims, (key, when, manual)))
    }

    pub(super) fn look_each(
        &self,
        claims: &Mutex<Claims>,
        batch: (AnyKeys<'_>, Option<&[Tick]>, Option<Tick>),
        emit: &mut impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        self.parts.edge.one_by_one(batch, emit, |i, key, when, emit| {
            emit(i, self.look_when(claims, key, when)?);
            Ok(())
        })
    }

    /// How long ago the key was claimed, if it is.
    pub(super) fn age_of_claim(&self, claims: &Mutex<Claims>, key: &[u8], when: When) -> Result<Option<Age>, Error> {
        let (key, manual) = (self.parts.edge.named(key), self.parts.edge.clock.is_manual());
        each_kind!(&self.parts.any, stripes => stripes.age_of_claim(claims, (key, when, manual)))
    }
}

impl<K: Striped> Stripes<K> {
    fn call(&self, (key, when, manual): (KeyHash, When, bool), step: Step<'_>) -> Result<(), Error> {
        // Both forms of the step share it, and one runs after the other.
        let step = &RefCell::new(step);
        let shared = |filter: &K, open: &K::LockFree, part: &mut K::Delta, now| {
            let done = step.borrow_mut()(&mut LockedView { filter, open, part, key, manual }, now);
            done.then_some(Ok(()))
        };
        self.write(key, when, shared, |filter, now| {
            step.borrow_mut()(&mut ExclusiveView { filter, key }, now);
            Ok(())
        })
    }

    fn look(&self, claims: &Mutex<Claims>, (key, when, manual): (Named, When, bool)) -> Result<Verdict, Error> {
        let shared = |filter: &K, open: &K::LockFree, part: &K::Delta, now| {
            let claims = claims.lock();
            if claims.knows(key.id) {
                let age = (!manual).then(|| claims.age_of_open(key.id, claims.moment(now)))?;
                if age.is_some() {
                    return Some(Ok(Verdict::Duplicate));
                }
            }
            drop(claims);
            filter.contains_concurrent(open, part, key.hash, now).map(Ok)
        };
        self.read(key.hash, when, shared, |filter, now| Ok(verbs::look(filter, &claims.lock(), key, now)))
    }

    fn age_of_claim(
        &self,
        claims: &Mutex<Claims>,
        (key, when, manual): (Named, When, bool),
    ) -> Result<Option<Age>, Error> {
        let shared = |_: &K, _: &K::LockFree, _: &K::Delta, now| {
            let claims = claims.lock();
            let is_known = claims.knows(key.id);
            (!manual || !is_known).then(|| Ok(claims.age_of_open(key.id, claims.moment(now))))
        };
        self.read(key.hash, when, shared, |filter, now| Ok(verbs::age_of_claim(filter, &claims.lock(), key, now)))
    }
}

/// A filter under one lock.
struct LockedView<'a, K: Striped> {
    filter: &'a K,
    open: &'a K::LockFree,
    part: &'a mut K::Delta,
    key: KeyHash,
    /// Whether the filter's clock is the caller's.
    manual: bool,
}

fn done<T>(answer: Option<Result<T, Error>>) -> Result<T, Stop> {
    answer.ok_or(Stop::NeedsAllLocks)?.map_err(Stop::Refused)
}

impl<K: Striped> FilterView for LockedView<'_, K> {
    fn contains(&self, now: Tick) -> Result<Verdict, Stop> {
        self.filter.contains_concurrent(self.open, self.part, self.key, now).ok_or(Stop::NeedsAllLocks)
    }

    fn age(&self, now: Tick) -> Result<Option<Age>, Stop> {
        self.filter.age_concurrent(self.open, self.part, self.key, now).ok_or(Stop::NeedsAllLocks)
    }

    fn renew(&mut self, now: Tick) -> Result<(), Stop> {
        done(self.filter.renew_concurrent(self.open, self.part, self.key, now))
    }

    fn observe(&mut self, now: Tick) -> Result<Verdict, Stop> {
        done(self.filter.observe_concurrent(self.open, self.part, self.key, now))
    }

    fn insert(&mut self, now: Tick) -> Result<(), Stop> {
        done(self.filter.insert_concurrent(self.open, self.part, self.key, now))
    }

    fn moment(&self, now: Tick) -> Result<Tick, Stop> {
        if self.manual { Err(Stop::NeedsAllLocks) } else { Ok(now) }
    }

    /// The system's clock continues by itself.
    fn pass(&mut self, _: Tick) {}
}
