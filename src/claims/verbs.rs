//! What each call makes of the claims and of the filter, whoever holds them.
//!
//! A call sees its filter through [`Sight`] and the claims through [`Desk`]. Each does what can be refused first, and changes the
//! claims only when nothing can be refused any more: a call that needs all locks, or fails, has changed nothing.

use crate::error::Error;
use crate::filter::contract::Contract;
use crate::filter::values::{Age, Verdict};
use crate::hash::{Identity, KeyHash, Named};
use crate::tick::Tick;

use super::Claims;
use super::values::{Claim, Committed};

/// A filter as a call for one key sees it.
pub(crate) trait Sight {
    /// Why a call stops: an error, or that it needs more than this sight of the filter.
    type Stop: From<Error>;

    fn contains(&self, now: Tick) -> Result<Verdict, Self::Stop>;
    fn age(&self, now: Tick) -> Result<Option<Age>, Self::Stop>;
    /// Observes a key that the filter contains.
    fn renew(&mut self, now: Tick) -> Result<(), Self::Stop>;
    /// [`Contract::observe`].
    fn observe(&mut self, now: Tick) -> Result<Verdict, Self::Stop>;
    fn insert(&mut self, now: Tick) -> Result<(), Self::Stop>;
    /// `now`, or the filter's clock if that is later.
    fn moment(&self, now: Tick) -> Result<Tick, Self::Stop>;
    /// Moves the clock to a moment that `moment` has judged, and stores nothing.
    fn pass(&mut self, now: Tick);
}

/// Where the claims are.
pub(crate) trait Desk {
    fn at<R>(&mut self, f: impl FnOnce(&mut Claims) -> R) -> R;
}

impl Desk for &mut Claims {
    fn at<R>(&mut self, f: impl FnOnce(&mut Claims) -> R) -> R {
        f(self)
    }
}

/// A call for one key, which is made under one lock first and under all of them if it needs that.
pub(crate) trait Verb: Copy {
    type Answer;
    fn run<S: Sight, D: Desk>(self, call: Call<S, D>) -> Result<Self::Answer, S::Stop>;
}

/// Declares each verb, by the method of [`Call`] that it is.
macro_rules! verbs {
    ($($name:ident $(($number:ident))? = $method:ident -> $answer:ty),+ $(,)?) => {
        $(#[derive(Debug, Clone, Copy)]
        pub(crate) struct $name $((pub(crate) verbs!(@ $number)))?;

        impl Verb for $name {
            type Answer = $answer;

            fn run<S: Sight, D: Desk>(self, call: Call<S, D>) -> Result<$answer, S::Stop> {
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
pub(crate) struct Call<S, D> {
    pub(crate) sight: S,
    pub(crate) desk: D,
    pub(crate) id: Identity,
    pub(crate) now: Tick,
}

impl<S: Sight, D: Desk> Call<S, D> {
    /// The moment that leases go by.
    fn moment(&mut self) -> Result<Tick, S::Stop> {
        let now = self.sight.moment(self.now)?;
        Ok(self.desk.at(|claims| claims.moment(now)))
    }

    /// The number of the open claim on the key, and how long ago it was claimed; most keys have none, and cost a look.
    fn pending(&mut self) -> Result<Option<(u64, u64)>, S::Stop> {
        let id = self.id;
        if !self.desk.at(|claims| claims.knows(id)) {
            return Ok(None);
        }
        let now = self.moment()?;
        Ok(self.desk.at(|claims| claims.open(id, now).map(|open| (open.sequence, now.since(open.since)))))
    }

    /// Tests and inserts in one step. An open claim makes the key a duplicate, and stays.
    pub(crate) fn observe(mut self) -> Result<Verdict, S::Stop> {
        if self.pending()?.is_none() {
            return self.sight.observe(self.now);
        }
        self.desk.at(|claims| claims.counts.duplicate += 1);
        self.sight.pass(self.now);
        Ok(Verdict::Duplicate)
    }

    /// The same with the age that the key had before; of an open claim exactly the time since it.
    pub(crate) fn observe_age(mut self) -> Result<(Verdict, Option<Age>), S::Stop> {
        if let Some((_, age)) = self.pending()? {
            let age = self.desk.at(|claims| claims.age(age));
            return self.observe().map(|verdict| (verdict, Some(age)));
        }
        let age = self.sight.age(self.now)?;
        Ok((self.sight.observe(self.now)?, age))
    }

    /// Inserts, and closes the open claim if there is one: the work is done, whoever did it.
    pub(crate) fn insert(mut self) -> Result<(), S::Stop> {
        let is_open = self.pending()?.is_some();
        self.sight.insert(self.now)?;
        if is_open {
            self.desk.at(|claims| claims.close(self.id));
        }
        Ok(())
    }

    /// Claims the key unless it is claimed or a duplicate.
    pub(crate) fn claim(mut self) -> Result<Claim, S::Stop> {
        if self.pending()?.is_some() {
            self.desk.at(|claims| claims.counts.pending += 1);
            self.sight.pass(self.now);
            return Ok(Claim::Pending);
        }
        let moment = self.moment()?;
        if self.sight.contains(self.now)?.is_duplicate() {
            self.sight.renew(self.now)?;
            return Ok(Claim::Duplicate);
        }
        let id = self.id;
        // The tick is taken, whether there is room or not.
        self.sight.pass(self.now);
        Ok(Claim::New(self.desk.at(|claims| claims.claim(id, moment))?))
    }

    /// Stores the key whose claim has this number, if nobody else did.
    pub(crate) fn commit(mut self, sequence: u64) -> Result<Committed, S::Stop> {
        let open = self.pending()?.map(|(open, _)| open);
        let is_in_time = open == Some(sequence);
        if !is_in_time && self.sight.contains(self.now)?.is_duplicate() {
            self.sight.moment(self.now)?;
            self.sight.pass(self.now);
            return Ok(Committed::Already);
        }
        self.sight.insert(self.now)?;
        if open.is_some() {
            self.desk.at(|claims| claims.close(self.id));
        }
        Ok(if is_in_time { Committed::InTime } else { Committed::Late })
    }

    /// Closes the claim with this number, if it is open.
    pub(crate) fn abandon(mut self, sequence: u64) -> Result<(), S::Stop> {
        if self.pending()?.is_some_and(|(open, _)| open == sequence) {
            self.desk.at(|claims| claims.close(self.id));
        }
        Ok(())
    }
}

impl Claims {
    /// An age since a claim. Where the window counts keys nothing is known of it in keys.
    fn age(&self, ns: u64) -> Age {
        if self.clock.is_some() { Age { at_least: 0, at_most: u64::MAX } } else { Age { at_least: ns, at_most: ns } }
    }

    /// How long ago the key was claimed, if it is claimed; changes nothing.
    pub(crate) fn age_of_open(&self, id: Identity, now: Tick) -> Option<Age> {
        let open = self.look(id, now)?;
        Some(self.age(now.since(open.since)))
    }
}

/// A filter that nobody else has.
pub(crate) struct Whole<'a, K> {
    pub(crate) filter: &'a mut K,
    pub(crate) key: KeyHash,
}

impl<K: Contract> Sight for Whole<'_, K> {
    type Stop = Error;

    fn contains(&self, now: Tick) -> Result<Verdict, Error> {
        Ok(self.filter.contains(self.key, now))
    }

    fn age(&self, now: Tick) -> Result<Option<Age>, Error> {
        Ok(self.filter.age(self.key, now))
    }

    fn renew(&mut self, now: Tick) -> Result<(), Error> {
        self.observe(now).map(|_| ())
    }

    fn observe(&mut self, now: Tick) -> Result<Verdict, Error> {
        self.filter.observe(self.key, now)
    }

    fn insert(&mut self, now: Tick) -> Result<(), Error> {
        self.filter.insert(self.key, now)
    }

    fn moment(&self, now: Tick) -> Result<Tick, Error> {
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
