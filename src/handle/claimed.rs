//! The verbs of a filter with claims: those of claims, and what claims make of the others.

use super::Filter;
use crate::claims::values::{Claim, Committed, Token};
use crate::claims::verbs::{self, ClaimsRef, ExclusiveView, Step, Verb};
use crate::claims::{self, Claims};
use crate::edge::{Stopped, When};
use crate::error::Error;
use crate::filter::any::each_kind;
use crate::filter::contract::Contract;
use crate::filter::values::{Age, Verdict};
use crate::hash::{KeyHash, Named};
use crate::keys::AnyKeys;
use crate::tick::Tick;

impl Filter {
    /// Tests, and claims a key that was not seen: [`Claim::New`] is for one caller, who does the record's work and commits. Until
    /// then every other claim of the key is [`Claim::Pending`], and `observe` and `contains` return `Duplicate`. Nothing is stored
    /// before the commit, so after [`Filter::abandon`], or once the lease is over, the key is new again.
    ///
    /// A duplicate is treated as [`Filter::observe`] treats it.
    ///
    /// ```
    /// use lately::{Claim, Filter, Options};
    /// use std::time::Duration;
    ///
    /// let mut seen = Filter::new(&Options::window(Duration::from_secs(600)).lease(Duration::from_secs(30)))?;
    /// if let Claim::New(token) = seen.claim("order-17")? {
    ///     assert_eq!(seen.claim("order-17")?, Claim::Pending);
    ///     // The work of the record, and when it is done:
    ///     seen.commit("order-17", token)?;
    /// }
    /// assert_eq!(seen.claim("order-17")?, Claim::Duplicate);
    /// # Ok::<(), lately::Error>(())
    /// ```
    ///
    /// # Errors
    /// `UNSUPPORTED` without the option `lease_ns`; `FULL` if `max_claims` claims are open, and nothing has changed then;
    /// otherwise as [`Filter::observe`].
    pub fn claim(&mut self, key: impl AsRef<[u8]>) -> Result<Claim, Error> {
        self.call(key.as_ref(), When::Now(self.edge.clock), verbs::Take)
    }

    /// [`Filter::claim`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::claim`] and [`Filter::observe_at`].
    pub fn claim_at(&mut self, key: impl AsRef<[u8]>, now: Tick) -> Result<Claim, Error> {
        self.call_at(key.as_ref(), now, verbs::Take)
    }

    /// Stores the key of a claim whose work is done, now. A commit after the lease stores it too, unless another caller
    /// did: then both did the same work.
    ///
    /// # Errors
    /// `UNSUPPORTED` without the option `lease_ns`; `CLAIM` if the token was never given out for this key; otherwise as
    /// [`Filter::insert`], and the claim is open as before.
    pub fn commit(&mut self, key: impl AsRef<[u8]>, token: Token) -> Result<Committed, Error> {
        self.expect_claims()?;
        let key = self.edge.named(key.as_ref());
        self.call_named(key, When::Now(self.edge.clock), verbs::Commit(claims::sequence(token, key.id)?))
    }

    /// [`Filter::commit`] at `now`.
    ///
    /// # Errors
    /// As [`Filter::commit`] and [`Filter::insert_at`].
    pub fn commit_at(&mut self, key: impl AsRef<[u8]>, token: Token, now: Tick) -> Result<Committed, Error> {
        self.expect_claims()?;
        let now = self.edge.moment(now)?;
        let key = self.edge.named(key.as_ref());
        self.call_named(key, When::Given(now), verbs::Commit(claims::sequence(token, key.id)?))
    }

    /// Closes a claim whose work failed: it leaves no trace. If the claim is not open any more, nothing changes.
    ///
    /// # Errors
    /// `UNSUPPORTED` without the option `lease_ns`; `CLAIM` if the token was never given out for this key.
    pub fn abandon(&mut self, key: impl AsRef<[u8]>, token: Token) -> Result<(), Error> {
        self.expect_claims()?;
        let key = self.edge.named(key.as_ref());
        self.call_named(key, When::Now(self.edge.clock), verbs::Abandon(claims::sequence(token, key.id)?))
    }

    fn expect_claims(&self) -> Result<(), Error> {
        if self.claims.is_some() { Ok(()) } else { Err(claims::none()) }
    }

    #[inline(never)]
    pub(super) fn call<V: Verb>(&mut self, key: &[u8], when: When, verb: V) -> Result<V::Answer, Error> {
        self.call_named(self.edge.named(key), when, verb)
    }

    #[inline(never)]
    pub(super) fn call_at<V: Verb>(&mut self, key: &[u8], now: Tick, verb: V) -> Result<V::Answer, Error> {
        self.expect_claims()?;
        let now = self.edge.moment(now)?;
        self.call(key, When::Given(now), verb)
    }

    fn call_named<V: Verb>(&mut self, key: Named, when: When, verb: V) -> Result<V::Answer, Error> {
        let claims = self.claims.as_deref_mut().ok_or_else(claims::none)?;
        verb.answer(
            &mut ClaimsRef::Own(claims),
            key.id,
            |step| each_kind!(&mut self.any, filter => on_whole(filter, key.hash, when, step)),
        )
    }

    /// A verb for each key of a batch; `emit` gets the answers.
    pub(super) fn call_each<V: Verb, F: FnMut(usize, Verdict)>(
        &mut self,
        batch: (AnyKeys<'_>, Option<&[Tick]>, Option<Tick>),
        emit: &mut F,
        verb: V,
        mut answer: impl FnMut(usize, V::Answer, &mut F),
    ) -> Result<(), Stopped> {
        let edge = self.edge.clone();
        edge.one_by_one(batch, emit, |i, key, when, emit| {
            answer(i, self.call_named(key, when, verb)?, emit);
            Ok(())
        })
    }

    /// The verdict that `observe` would give.
    pub(super) fn look(&self, claims: &Claims, key: &[u8], now: Tick) -> Verdict {
        self.look_named(claims, self.edge.named(key), now)
    }

    fn look_named(&self, claims: &Claims, key: Named, now: Tick) -> Verdict {
        each_kind!(&self.any, filter => verbs::look(filter, claims, key, now))
    }

    pub(super) fn look_each(
        &self,
        claims: &Claims,
        batch: (AnyKeys<'_>, Option<&[Tick]>, Option<Tick>),
        emit: &mut impl FnMut(usize, Verdict),
    ) -> Result<(), Stopped> {
        self.edge.one_by_one(batch, emit, |i, key, when, emit| {
            let check = |(): &mut (), now| each_kind!(&self.any, filter => filter.check_step(now));
            let now = when.tick(&mut (), |()| Ok(self.now()), check)?;
            emit(i, self.look_named(claims, key, now));
            Ok(())
        })
    }

    /// How long ago the key was claimed, if it is.
    pub(super) fn age_of_claim(&self, claims: &Claims, key: &[u8], now: Tick) -> Option<Age> {
        let key = self.edge.named(key);
        each_kind!(&self.any, filter => verbs::age_of_claim(filter, claims, key, now))
    }
}

/// A step on a filter of one owner.
fn on_whole<K: Contract>(filter: &mut K, key: KeyHash, when: When, step: Step<'_>) -> Result<(), Error> {
    let now = when.tick(filter, |filter| filter.present(), |filter, now| filter.admit(now))?;
    step(&mut ExclusiveView { filter, key }, now);
    Ok(())
}
