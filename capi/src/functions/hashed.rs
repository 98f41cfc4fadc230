//! The verbs of `lately_filter` for one key that is hashed already.

use crate::filter::lately_filter;
use crate::hashed;
use crate::status::lately_status;

/// As `lately_filter_observe`, of the key with this hash.
///
/// - `hash` (in): that of `lately_filter_hash`, or of `lately_hash64` with the filter's seed.
///
/// Status: also LATELY_ERR_UNSUPPORTED if the filter is keyed; never LATELY_ERR_OFFSETS. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_hash(
    filter: *mut lately_filter,
    hash: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::observe(filter, hash, None, verdict)
}

/// As `lately_filter_observe_at`, of the key with this hash, as `lately_filter_observe_hash`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_hash_at(
    filter: *mut lately_filter,
    hash: u64,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::observe(filter, hash, Some(now), verdict)
}

/// As `lately_filter_insert`, of the key with this hash, as `lately_filter_observe_hash`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_hash(filter: *mut lately_filter, hash: u64) -> lately_status {
    hashed::insert(filter, hash, None)
}

/// As `lately_filter_insert_at`, of the key with this hash, as `lately_filter_observe_hash`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_hash_at(
    filter: *mut lately_filter,
    hash: u64,
    now: u64,
) -> lately_status {
    hashed::insert(filter, hash, Some(now))
}

/// As `lately_filter_contains`, of the key with this hash, as `lately_filter_observe_hash`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_hash(
    filter: *const lately_filter,
    hash: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::contains(filter, hash, None, verdict)
}

/// As `lately_filter_contains_at`, of the key with this hash, as `lately_filter_observe_hash`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_hash_at(
    filter: *const lately_filter,
    hash: u64,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    hashed::contains(filter, hash, Some(now), verdict)
}
