//! The verbs of `lately_filter` for one key.

use std::ffi::c_void;

use library::Verdict;

use crate::filter::lately_filter;
use crate::one_key::{self, Key};
use crate::status::lately_status;

/// Verdict: not seen within the window.
pub const LATELY_NEW: u8 = 0;
/// Verdict: seen, or, with at most the error rate, believed to be.
pub const LATELY_DUPLICATE: u8 = 1;
/// Verdict of a claim: claimed already, and neither committed nor abandoned yet.
pub const LATELY_PENDING: u8 = 2;
/// Verdict: an absent key of a column, which was not observed.
pub const LATELY_ABSENT_KEY: u8 = 3;

const _: () = {
    assert!(!Verdict::New.is_duplicate() && LATELY_NEW == 0 && LATELY_DUPLICATE == 1);
    assert!(LATELY_PENDING == 2 && LATELY_ABSENT_KEY == 3);
};

/// Tests and inserts a key in one step, now: "have I seen this lately?"
///
/// With LATELY_CLOCK_SYSTEM the clock is read once; with LATELY_CLOCK_MANUAL it is used as it is.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0, which is a key like any other.
/// - `verdict` (out): not NULL; LATELY_NEW or LATELY_DUPLICATE, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_FULL if the key
/// is new and a removable filter has no room left in its block; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is not kept. Threads: exclusive use of the handle. Cost: a hash of the key and about
/// `lately_plan_result.cache_lines_per_observe` cache lines; a shift when one is due. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
) -> lately_status {
    one_key::observe(filter, Key { start: key.cast(), len }, verdict)
}

/// As `lately_filter_observe`, at tick `now` of a manual clock. A tick below the clock counts as the clock.
///
/// - `now` (in, ns): the tick, from an origin that the caller chose and keeps.
///
/// Status: also LATELY_ERR_CLOCK unless the clock is manual; LATELY_ERR_TICK if `now` leads the clock by more than
/// `max_step_ns`, which changes nothing but `lately_stats.refused_ticks`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_at(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    one_key::observe_at(filter, Key { start: key.cast(), len }, now, verdict)
}

/// Inserts a key without a verdict, now. WT, TL, AP: always, even under LATELY_REPEAT_KEEP_FIRST, so that the age is
/// renewed.
/// Q: as `lately_filter_observe` would. TS: if `removable`, one more entry each time, so that two insertions need two
/// removals; else unless an entry matches.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_FULL if a
/// removable filter has no room left in the key's block; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is not kept. Threads: exclusive use of the handle. Cost: that of `lately_filter_observe`.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
) -> lately_status {
    one_key::insert(filter, Key { start: key.cast(), len })
}

/// As `lately_filter_insert`, at tick `now` of a manual clock. A tick below the clock counts as the clock.
///
/// - `now` (in, ns): the tick.
///
/// Status: also LATELY_ERR_CLOCK and LATELY_ERR_TICK, as from `lately_filter_observe_at`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_at(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    now: u64,
) -> lately_status {
    one_key::insert_at(filter, Key { start: key.cast(), len }, now)
}

/// Returns the verdict that `lately_filter_observe` would give now. Changes nothing at all.
///
/// - `filter` (in): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `verdict` (out): not NULL; LATELY_DUPLICATE if the key is present, else LATELY_NEW; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: the key is not kept. Threads: concurrently with other const calls on the handle. Cost: a hash of the key
/// and a cache line for every slice that is examined. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains(
    filter: *const lately_filter,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
) -> lately_status {
    one_key::contains(filter, Key { start: key.cast(), len }, verdict)
}

/// As `lately_filter_contains`, at tick `now` of a manual clock. Changes nothing at all: neither the clock nor the counts
/// of late and refused ticks.
///
/// - `now` (in, ns): the tick.
///
/// Status: also LATELY_ERR_CLOCK unless the clock is manual; LATELY_ERR_TICK if `now` leads the clock by more than
/// `max_step_ns`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_at(
    filter: *const lately_filter,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    one_key::contains_at(filter, Key { start: key.cast(), len }, now, verdict)
}

/// Takes one entry that matches the key out of a `removable` filter; no other supports it. Remove only what
/// `lately_filter_insert` accepted or an observation called LATELY_NEW: any other removal may take the entry of another
/// key.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `removed` (out): not NULL; 1 if one entry was taken, 0 if none matched; written only on LATELY_OK.
///
/// Status: LATELY_OK in both cases; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space;
/// LATELY_ERR_UNSUPPORTED if the filter has no removal; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is not kept. Threads: exclusive use of the handle. Cost: a hash of the key and one block.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_remove(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    removed: *mut u8,
) -> lately_status {
    one_key::remove(filter, Key { start: key.cast(), len }, removed)
}

/// Returns the hash of the key, the same in this filter and in every other unkeyed one with the same seed.
///
/// - `filter` (in): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `hash` (out): not NULL; that of `lately_hash64` with the filter's seed; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_UNSUPPORTED if
/// the filter is keyed, since its hashes would reveal what the secret hides; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is not kept. Threads: concurrently with other const calls on the handle. Cost: a hash of the key.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_hash(
    filter: *const lately_filter,
    key: *const c_void,
    len: usize,
    hash: *mut u64,
) -> lately_status {
    one_key::hash(filter, Key { start: key.cast(), len }, hash)
}
