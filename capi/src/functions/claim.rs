//! The verbs of `lately_filter` that claim a key before its record's work, and commit it afterwards.

use std::ffi::c_void;

use crate::claim::{self, Places};
use crate::filter::lately_filter;
use crate::one_key::Key;
use crate::status::lately_status;

/// Tests a key, and claims it if it was not seen, now. LATELY_NEW is for one caller, who does the record's work and passes
/// the token to `lately_filter_commit`. Until then every other claim of the key is LATELY_PENDING, and observations are
/// LATELY_DUPLICATE. Nothing is stored before the commit: abandoned, or once `lease_ns` is over, the key is new again. A
/// duplicate is treated as `lately_filter_observe` treats it.
///
/// - `filter` (in, out): not NULL; WT, TL or AP with `lease_ns`.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `verdict` (out): not NULL; LATELY_NEW, LATELY_DUPLICATE or LATELY_PENDING, written only on LATELY_OK.
/// - `token` (out): not NULL; names the claim with LATELY_NEW, else 0; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_UNSUPPORTED without
/// `lease_ns`; LATELY_ERR_FULL if `max_claims` claims are open, and nothing was claimed then; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: the key is not kept. Threads: exclusive use of the handle. Cost: that of `lately_filter_observe`, a second hash
/// and two cache lines or more; while the table is nearly full, now and then a pass over it. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_claim(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
    token: *mut u64,
) -> lately_status {
    claim::claim(filter, Key { start: key.cast(), len }, None, Places { verdict, token })
}

/// As `lately_filter_claim`, at tick `now` of a manual clock. A tick below the clock counts as the clock.
///
/// - `now` (in, ns): the tick.
///
/// Status: also LATELY_ERR_CLOCK and LATELY_ERR_TICK, as from `lately_filter_observe_at`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_claim_at(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
    token: *mut u64,
) -> lately_status {
    claim::claim(filter, Key { start: key.cast(), len }, Some(now), Places { verdict, token })
}

/// Stores the key of a claim whose work is done, now, and closes the claim. After the lease it is stored too, unless
/// somebody else did: then another did the same work.
///
/// - `token` (in): that of the claim of this key.
/// - `found` (out): not NULL; one of LATELY_COMMIT_*, written only on LATELY_OK.
///
/// As `lately_filter_claim` for the rest. Status: also LATELY_ERR_CLAIM if the token was never given out for this key;
/// LATELY_ERR_FULL never. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_commit(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    token: u64,
    found: *mut u8,
) -> lately_status {
    claim::commit(filter, Key { start: key.cast(), len }, token, None, found)
}

/// As `lately_filter_commit`, at tick `now` of a manual clock: the key is stored at it. A tick below the clock counts as the
/// clock.
///
/// - `now` (in, ns): the tick.
///
/// Status: also LATELY_ERR_CLOCK and LATELY_ERR_TICK, as from `lately_filter_observe_at`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_commit_at(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    token: u64,
    now: u64,
    found: *mut u8,
) -> lately_status {
    claim::commit(filter, Key { start: key.cast(), len }, token, Some(now), found)
}

/// As `lately_filter_commit`, for a claim whose work failed: closes it without a trace, so that the next claim is LATELY_NEW.
/// If the claim is not open any more, nothing changes. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_abandon(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    token: u64,
) -> lately_status {
    claim::abandon(filter, Key { start: key.cast(), len }, token)
}
