//! A claim that abandons itself when it is dropped: a thread has it while it does a record's work.

use std::borrow::Borrow;
use std::fmt;

use super::SharedFilter;
use crate::claims::values::{Claim, Committed, Token};
use crate::edge::When;
use crate::error::Error;
use crate::filter::values::Verdict;
use crate::hash::Named;
use crate::tick::Tick;

/// The answer to a claim whose work is guarded: dropped without a commit, as by an early return or a panic, the claim is
/// abandoned. `F` is a reference to the filter ([`SharedFilter::guard`]) or a clone of it ([`SharedFilter::guard_owned`]).
///
/// ```
/// use lately::{Committed, Guarded, Options, SharedFilter};
/// use std::time::Duration;
///
/// let seen = SharedFilter::new(&Options::window(Duration::from_secs(600)).lease(Duration::from_secs(30)))?;
/// if let Guarded::New(claim) = seen.guard("order-17")? {
///     // The work of the record; with `?` on the way out the claim is abandoned.
///     assert_eq!(claim.commit()?, Committed::InTime);
/// }
/// assert!(seen.contains("order-17").is_duplicate());
/// # Ok::<(), lately::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a guard that is dropped abandons its claim"]
pub enum Guarded<F: Borrow<SharedFilter>> {
    /// Not seen within the window: the caller has the claim now.
    New(Guard<F>),
    /// Seen, or, with at most the error rate, believed to be.
    Duplicate,
    /// Claimed already: its work is not done.
    Pending,
}

impl SharedFilter {
    /// [`SharedFilter::claim`] with a guard that borrows the filter.
    ///
    /// # Errors
    /// As [`SharedFilter::claim`].
    pub fn guard(&self, key: impl AsRef<[u8]>) -> Result<Guarded<&Self>, Error> {
        Guarded::claim(self, key)
    }

    /// [`SharedFilter::claim_at`] with a guard that borrows the filter.
    ///
    /// # Errors
    /// As [`SharedFilter::claim_at`].
    pub fn guard_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Guarded<&Self>, Error> {
        Guarded::claim_at(self, key, now)
    }

    /// [`SharedFilter::claim`] with a guard that keeps the filter alive: for a task that outlives the caller.
    ///
    /// # Errors
    /// As [`SharedFilter::claim`].
    pub fn guard_owned(&self, key: impl AsRef<[u8]>) -> Result<Guarded<Self>, Error> {
        Guarded::claim(self.clone(), key)
    }

    /// [`SharedFilter::claim_at`] with a guard that keeps the filter alive.
    ///
    /// # Errors
    /// As [`SharedFilter::claim_at`].
    pub fn guard_owned_at(&self, key: impl AsRef<[u8]>, now: Tick) -> Result<Guarded<Self>, Error> {
        Guarded::claim_at(self.clone(), key, now)
    }
}

impl<F: Borrow<SharedFilter>> Guarded<F> {
    /// [`SharedFilter::claim`] with a guard.
    ///
    /// # Errors
    /// As [`SharedFilter::claim`].
    pub fn claim(filter: F, key: impl AsRef<[u8]>) -> Result<Self, Error> {
        let (claim, key) = (filter.borrow().claim(key.as_ref())?, filter.borrow().parts.edge.named(key.as_ref()));
        Ok(Self::of(filter, key, claim))
    }

    /// [`SharedFilter::claim_at`] with a guard.
    ///
    /// # Errors
    /// As [`SharedFilter::claim_at`].
    pub fn claim_at(filter: F, key: impl AsRef<[u8]>, now: Tick) -> Result<Self, Error> {
        let (claim, key) =
            (filter.borrow().claim_at(key.as_ref(), now)?, filter.borrow().parts.edge.named(key.as_ref()));
        Ok(Self::of(filter, key, claim))
    }

    fn of(filter: F, key: Named, claim: Claim) -> Self {
        match claim {
            Claim::New(token) => Self::New(Guard { filter, key, token, is_open: true }),
            Claim::Duplicate => Self::Duplicate,
            Claim::Pending => Self::Pending,
        }
    }

    /// The verdict alone; the guard stays.
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::New(_) => Verdict::New,
            Self::Duplicate => Verdict::Duplicate,
            Self::Pending => Verdict::Pending,
        }
    }
}

/// An open claim: commit it when its work is done. If it is dropped before, it is abandoned.
#[must_use = "a guard that is dropped abandons its claim"]
pub struct Guard<F: Borrow<SharedFilter>> {
    filter: F,
    key: Named,
    token: Token,
    is_open: bool,
}

impl<F: Borrow<SharedFilter>> Guard<F> {
    /// [`SharedFilter::commit`] of the claim.
    ///
    /// # Errors
    /// As [`SharedFilter::commit`]; the claim is abandoned then.
    pub fn commit(self) -> Result<Committed, Error> {
        let now = When::Now(self.filter.borrow().parts.edge.clock);
        self.commit_when(now)
    }

    /// [`SharedFilter::commit_at`] of the claim.
    ///
    /// # Errors
    /// As [`SharedFilter::commit_at`]; the claim is abandoned then.
    pub fn commit_at(self, now: Tick) -> Result<Committed, Error> {
        let now = self.filter.borrow().parts.edge.moment(now)?;
        self.commit_when(When::Given(now))
    }

    /// The token of the claim, which is not abandoned any more: for another to commit.
    #[must_use]
    pub fn into_token(mut self) -> Token {
        self.is_open = false;
        self.token
    }

    fn commit_when(mut self, when: When) -> Result<Committed, Error> {
        let committed = self.filter.borrow().commit_named(self.key, self.token, when)?;
        self.is_open = false;
        Ok(committed)
    }
}

impl<F: Borrow<SharedFilter>> Drop for Guard<F> {
    fn drop(&mut self) {
        if self.is_open {
            // The token is that of the key, so nothing can be refused.
            let _ = self.filter.borrow().abandon_named(self.key, self.token);
        }
    }
}

/// Shows the token, and not the key.
impl<F: Borrow<SharedFilter>> fmt::Debug for Guard<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("token", &self.token).finish_non_exhaustive()
    }
}
