//! The claims of `lately_shared`: those of `lately_filter`. A comment has only the differences.

use std::ffi::c_void;

use crate::claim::{self, Places};
use crate::one_key::Key;
use crate::shared::lately_shared;
use crate::status::lately_status;

/// As `lately_filter_claim`, from any thread: of any number of threads exactly one gets LATELY_NEW. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_claim(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
    token: *mut u64,
) -> lately_status {
    claim::claim(filter, Key { start: key.cast(), len }, None, Places { verdict, token })
}

/// As `lately_filter_claim_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_claim_at(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
    token: *mut u64,
) -> lately_status {
    claim::claim(filter, Key { start: key.cast(), len }, Some(now), Places { verdict, token })
}

/// As `lately_filter_commit`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_commit(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    token: u64,
    found: *mut u8,
) -> lately_status {
    claim::commit(filter, Key { start: key.cast(), len }, token, None, found)
}

/// As `lately_filter_commit_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_commit_at(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    token: u64,
    now: u64,
    found: *mut u8,
) -> lately_status {
    claim::commit(filter, Key { start: key.cast(), len }, token, Some(now), found)
}

/// As `lately_filter_abandon`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_abandon(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    token: u64,
) -> lately_status {
    claim::abandon(filter, Key { start: key.cast(), len }, token)
}
