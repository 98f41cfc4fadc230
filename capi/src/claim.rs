//! What claims answer in C, and the bodies of their verbs.

use library::abi::Change;
use library::{Committed, Tick, Token};

use crate::handle::Handle;
use crate::one_key::Key;
use crate::pointers::Out;
use crate::status::lately_status;

/// The outcome of a commit: the claim was open. The key is stored now.
pub const LATELY_COMMIT_IN_TIME: u8 = 0;
/// The outcome of a commit: the lease had run out, or the claim was closed, and no other caller had stored the key. It is stored now.
pub const LATELY_COMMIT_LATE: u8 = 1;
/// The outcome of a commit: the claim was not open any more, and the filter contains the key. Nothing changed.
pub const LATELY_COMMIT_ALREADY: u8 = 2;

const fn number(committed: Committed) -> u8 {
    match committed {
        Committed::InTime => LATELY_COMMIT_IN_TIME,
        Committed::Late => LATELY_COMMIT_LATE,
        Committed::Already => LATELY_COMMIT_ALREADY,
    }
}

/// Where the two answers of a claim go.
pub struct Places {
    pub verdict: *mut u8,
    pub token: *mut u64,
}

/// # Safety
/// As for the C functions: the handle, key and places are as their comments say. So for all functions here.
pub unsafe fn claim<H: Handle>(handle: *mut H, key: Key, now: Option<u64>, places: Places) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let verdict = unsafe { Out::new("verdict", places.verdict) }?;
        // SAFETY: the same promise.
        let token = unsafe { Out::new("token", places.token) }?;
        // SAFETY: the same promise.
        let key = unsafe { key.read() }?;
        let claim = match now {
            Some(now) => filter.claim_at(key, Tick(now)),
            None => filter.claim(key),
        }?;
        verdict.set(claim.verdict().into());
        token.set(claim.token().map_or(0, |token| token.0));
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`claim`].
pub unsafe fn commit<H: Handle>(
    handle: *mut H,
    key: Key,
    token: u64,
    now: Option<u64>,
    found: *mut u8,
) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let found = unsafe { Out::new("found", found) }?;
        // SAFETY: the same promise.
        let key = unsafe { key.read() }?;
        let committed = match now {
            Some(now) => filter.commit_at(key, Token(token), Tick(now)),
            None => filter.commit(key, Token(token)),
        }?;
        found.set(number(committed));
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`claim`].
pub unsafe fn abandon<H: Handle>(handle: *mut H, key: Key, token: u64) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let key = unsafe { key.read() }?;
        Ok(filter.abandon(key, Token(token))?)
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}
