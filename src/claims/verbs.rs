//! The effect of each call on the claims and the filter, whatever owns them.
//!
//! A call sees its filter through [`FilterView`] and the claims through [`ClaimsRef`]. Each does what can be refused first, and changes the
//! claims only when nothing can be refused any more: a call that needs all locks, or fails, has changed nothing.

use crate::error::Error;
use crate::filter::contract::Contract;
use crate::filter::values::{Age, Verdict};
use crate::hash::{Identity, KeyHash, Named};
use crate::sync::Mutex;
use crate::tick::Tick;

use super::Claims;
use super::values::{Claim, Committed};

/// Why a call stops.
pub(crate) enum Stop {
    Refused(Error),
    /// It needs more than one lock.
    NeedsAllLocks,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// A filter as a call for one key sees it. There is one copy of each call: it finds the kind and its locks at run time.
pub(crate) trait FilterView {
    fn contains(&self, now: Tick) -> Result<Verdict, Stop>;
    fn age(&self, now: Tick) -> Result<Option<Age>, Stop>;
    /// Observes a key that the filter contains.
    fn renew(&mut self, now: Tick) -> Result<(), Stop>;
    /// [`Contract::observe`].
    fn observe(&mut self, now: Tick) -> Result<Verdict, Stop>;
    fn insert(&mut self, now: Tick) -> Result<(), Stop>;
    /// `now`, or the filter's clock if that is later.
    fn moment(&self, now: Tick) -> Result<Tick, Stop>;
    /// Moves the clock to a moment that `moment` has judged, and stores nothing.
    fn pass(&mut self, now: Tick);
}

/// Where the claims are.
pub(crate) enum ClaimsRef<'a> {
    Own(&'a mut Claims),
    Locked(&'a Mutex<Claims>),
}

impl ClaimsRef<'_> {
    fn at<R>(&mut self, f: impl FnOnce(&mut Claims) -> R) -> R {
        match self {
            Self::Own(claims) => f(claims),
            Self::Locked(claims) => f(&mut claims.lock()),
        }
    }
}

/// A step on a filter that has been found and locked, at a tick that it took; returns false if the step needs all locks.
pub(crate) type Step<'a> = &'a mut dyn FnMut(&mut dyn FilterView, Tick) -> bool;

/// A call for one key, which is made under one lock first and under all of them if it needs that.
pub(crate) trait Verb: Copy {
    type Answer;
    fn run(self, call: Call<'_, '_>) -> Result<Self::Answer, Stop>;

    /// The answer for a key, where `find` finds the filter, takes the tick and does the step.
    fn answer(
        self,
        claims: &mut ClaimsRef<'_>,
        id: Identity,
        find: impl FnOnce(Step<'_>) -> Result<(), Error>,
    ) -> Result<Self::Answer, Error> {
        let mut answer = Err(super::none());
        find(&mut |view, now| {
            match self.run(Call { view, claims, id, now }) {
                Ok(done) => answer = Ok(done),
                Err(Stop::Refused(error)) => answer = Err(error),
                Err(Stop::NeedsAllLocks) => return false,
            }
            true
        })?;
        answer
    }
}

/// Declares each verb, by the method of [`Call`] that it is.
macro_rules! verbs {
    ($($name:ident $(($number:ident))? = $method:ident -> $answer:ty),+ $(,)?) => {
        $(#[derive(Debug, Clone, Copy)]
        pub(crate) struct $name $((pub(crate) verbs!(@ $number)))?;

        impl Verb for $name {
            type Answer = $answer;

            fn run(self, call: Call<'_, '_>) -> Result<$answer, Stop> {
                $(let Self($number) = self;)?
                call.$method($($number)?)
            }
        })+
    };
    (@ $number:ident) => { u64 };
}

verbs! {
    Observe = observe -> Verdict,
    ObserveAge = observe_age -> (Verdict, Option<Age>),
    Insert = insert -> (),
    Take = claim -> Claim,
    Commit(sequence) = commit -> Committed,
    Abandon(sequence) = abandon -> (),
}

/// One key on one filter, with its claims, at one moment.
pub(crate) struct Call<'a, 'b> {
    view: &'a mut dyn FilterView,
    claims: &'a mut ClaimsRef<'b>,
    id: Identity,
    now: Tick,
}

impl Call<'_, '_> {
    /// The moment that leases go by.
    fn moment(&mut self) -> Result<Tick, Stop> {
        let now = self.view.moment(self.now)?;
        Ok(self.claims.at(|claims| claims.moment(now)))
    }

    /// The number of the open claim on the key, and how long ago it was claimed; most keys have none, and cost a look.
    fn pending(&mut self) -> Result<Option<(u64, u64)>, Stop> {
        let id = self.id;
        if !self.claims.at(|claims| claims.knows(id)) {
            return Ok(None);
        }
        let now = self.moment()?;
        Ok(self.claims.at(|claims| claims.open(id, now).map(|open| (open.sequence, now.since(open.since)))))
    }

    /// Tests and inserts in one step. An open claim makes the key a duplicate, and stays.
    pub(crate) fn observe(mut self) -> Result<Verdict, Stop> {
        if self.pending()?.is_none() {
            return self.view.observe(self.now);
        }
        self.claims.at(|claims| claims.counts.duplicate += 1);
        self.view.pass(self.now);
        Ok(Verdict::Duplicate)
    }

    /// The same with the age that the key had before; of an open claim exactly the time since it.
    pub(crate) fn observe_age(mut self) -> Result<(Verdict, Option<Age>), Stop> {
        if let Some((_, age)) = self.pending()? {
            let age = self.claims.at(|claims| claims.age(age));
            return self.observe().map(|verdict| (verdict, Some(age)));
        }
        let age = self.view.age(self.now)?;
        Ok((self.view.observe(self.now)?, age))
    }

    /// Inserts, and closes the open claim if there is one: an insertion means that the work is done.
    pub(crate) fn insert(mut self) -> Result<(), Stop> {
        let is_open = self.pending()?.is_some();
        self.view.insert(self.now)?;
        if is_open {
            self.claims.at(|claims| claims.close(self.id));
        }
        Ok(())
    }

    /// Claims the key unless it is claimed or a duplicate.
    pub(crate) fn claim(mut self) -> Result<Claim, Stop> {
        if self.pending()?.is_some() {
            self.claims.at(|claims| claims.counts.pending += 1);
            self.view.pass(self.now);
            return Ok(Claim::Pending);
        }
        let moment = self.moment()?;
        if self.view.contains(self.now)?.is_duplicate() {
            self.view.renew(self.now)?;
            return Ok(Claim::Duplicate);
        }
        let id = self.id;
        // The tick is taken, whether there is room or not.
        self.view.pass(self.now);
        Ok(Claim::New(self.claims.at(|claims| claims.claim(id, moment))?))
    }

    /// Stores the key whose claim has this number, unless another caller did.
    pub(crate) fn commit(mut self, sequence: u64) -> Result<Committed, Stop> {
        let open = self.pending()?.map(|(open, _)| open);
        let is_in_time = open == Some(sequence);
        if !is_in_time && self.view.contains(self.now)?.is_duplicate() {
            self.view.moment(self.now)?;
            self.view.pass(self.now);
            return Ok(Committed::Already);
        }
        self.view.insert(self.now)?;
        if open.is_some() {
            self.claims.at(|claims| claims.close(self.id));
        }
        Ok(if is_in_time { Committed::InTime } else { Committed::Late })
    }

    /// Closes the claim with this number, if it is open.
    pub(crate) fn abandon(mut self, sequence: u64) -> Result<(), Stop> {
        if self.pending()?.is_some_and(|(open, _)| open == sequence) {
            self.claims.at(|claims| claims.close(self.id));
        }
        Ok(())
    }
}

impl Claims {
    /// The age of a claim. A window counts keys where the claims have their own clock: then the age in keys is not known.
    fn age(&self, ns: u64) -> Age {
        if self.clock.is_some() { Age { at_least: 0, at_most: u64::MAX } } else { Age { at_least: ns, at_most: ns } }
    }

    /// How long ago the key was claimed, if it is claimed; changes nothing.
    pub(crate) fn age_of_open(&self, id: Identity, now: Tick) -> Option<Age> {
        let open = self.look(id, now)?;
        Some(self.age(now.since(open.since)))
    }
}

/// A filter with exclusive access.
pub(crate) struct ExclusiveView<'a, K> {
    pub(crate) filter: &'a mut K,
    pub(crate) key: KeyHash,
}

impl<K: Contract> FilterView for ExclusiveView<'_, K> {
    fn contains(&self, now: Tick) -> Result<Verdict, Stop> {
        Ok(self.filter.contains(self.key, now))
    }

    fn age(&self, now: Tick) -> Result<Option<Age>, Stop> {
        Ok(self.filter.age(self.key, now))
    }

    fn renew(&mut self, now: Tick) -> Result<(), Stop> {
        self.observe(now).map(|_| ())
    }

    fn observe(&mut self, now: Tick) -> Result<Verdict, Stop> {
        Ok(self.filter.observe(self.key, now)?)
    }

    fn insert(&mut self, now: Tick) -> Result<(), Stop> {
        Ok(self.filter.insert(self.key, now)?)
    }

    fn moment(&self, now: Tick) -> Result<Tick, Stop> {
        Ok(now.max(self.filter.clock()))
    }

    fn pass(&mut self, now: Tick) {
        self.filter.advance(now);
    }
}

/// The moment that leases go by when a filter is read at `now`.
fn moment_of<K: Contract>(filter: &K, claims: &Claims, now: Tick) -> Tick {
    claims.moment(now.max(filter.clock()))
}

/// The verdict that [`Observe`] would give; changes nothing.
pub(crate) fn look<K: Contract>(filter: &K, claims: &Claims, key: Named, now: Tick) -> Verdict {
    match age_of_claim(filter, claims, key, now) {
        Some(_) => Verdict::Duplicate,
        None => filter.contains(key.hash, now),
    }
}

/// How long ago the key was claimed, if its claim is open; changes nothing.
pub(crate) fn age_of_claim<K: Contract>(filter: &K, claims: &Claims, key: Named, now: Tick) -> Option<Age> {
    if claims.knows(key.id) { claims.age_of_open(key.id, moment_of(filter, claims, now)) } else { None }
}
