//! Claims: a key is taken before its record's work, and committed afterwards.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use library::{Committed, Token};

use crate::handle::{change, lately_filter};
use crate::key::timed;
use crate::pointers::{key, place};
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

/// As `lately_filter_observe`, but claims a key that was not seen. LATELY_NEW is for one caller, who does the record's
/// work and passes the token to `lately_filter_commit`. Until then every other claim of the key is LATELY_PENDING, and
/// observations are LATELY_DUPLICATE. Nothing is stored before the commit: abandoned, or once `lease_ns` is over, the
/// key is new again. A duplicate is treated as `lately_filter_observe` treats it. WT, TL or AP with `lease_ns`.
///
/// - `verdict` (out): not NULL; LATELY_NEW, LATELY_DUPLICATE or LATELY_PENDING, written only on LATELY_OK.
/// - `token` (out): not NULL; names the claim with LATELY_NEW, else 0; written only on LATELY_OK.
///
/// Status: also LATELY_ERR_UNSUPPORTED without `lease_ns`; LATELY_ERR_FULL if `max_claims` claims are open, and nothing
/// was claimed then. Cost: that of `lately_filter_observe`, a second hash and two cache lines or more; while the table
/// is nearly full, now and then a pass over it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_claim(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    tick: u64,
    verdict: Option<&mut MaybeUninit<u8>>,
    token: Option<&mut MaybeUninit<u64>>,
) -> lately_status {
    change!(filter, |filter| {
        let (verdict, token, key) = (place("verdict", verdict)?, place("token", token)?, key!(key, len));
        let claim = timed!(filter, tick, filter.claim(key), filter.claim_at(key, tick))?;
        verdict.write(claim.verdict().into());
        token.write(claim.token().map_or(0, |token| token.0));
        Ok(())
    })
}

/// As `lately_filter_claim`, for a claim whose work is done: stores its key and closes it. After the lease it is stored
/// too, unless somebody else did: then another did the same work.
///
/// - `token` (in): that of the claim of this key.
/// - `found` (out): not NULL; one of LATELY_COMMIT_*, written only on LATELY_OK.
///
/// Status: also LATELY_ERR_CLAIM if the token was never given out for this key; LATELY_ERR_FULL never.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_commit(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    token: u64,
    tick: u64,
    found: Option<&mut MaybeUninit<u8>>,
) -> lately_status {
    change!(filter, |filter| {
        let (found, key, token) = (place("found", found)?, key!(key, len), Token(token));
        found.write(number(timed!(filter, tick, filter.commit(key, token), filter.commit_at(key, token, tick))?));
        Ok(())
    })
}

/// As `lately_filter_commit`, for a claim whose work failed: closes it without a trace, so that the next claim is
/// LATELY_NEW. If the claim is not open any more, nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_abandon(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    token: u64,
) -> lately_status {
    change!(filter, |filter| {
        let key = key!(key, len);
        Ok(filter.abandon(key, Token(token))?)
    })
}
