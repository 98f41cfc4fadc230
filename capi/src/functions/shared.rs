//! The functions of `lately_shared`: those of `lately_filter`, and one more. A comment has only the differences.

use std::ffi::{c_char, c_void};

use crate::age::{self, Places, lately_age};
use crate::error::lately_error;
use crate::handle::Handle;
use crate::life;
use crate::one_key::{self, Key};
use crate::options::lately_options;
use crate::shared::lately_shared;
use crate::snapshot::{self, lately_load_options};
use crate::stats::lately_stats;
use crate::status::lately_status;

/// As `lately_filter_new`. The handle has one holder, the caller, who passes it to `lately_shared_free` once. Cost: also
/// 8 to 40 KiB for 64 locks, 119 with rows of 200 cells. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_new(
    options: *const lately_options,
    filter: *mut *mut lately_shared,
    error: *mut lately_error,
) -> lately_status {
    life::new(options, filter, error)
}

/// Takes a holder away; the last one frees the filter and all its memory. Never fails, not even when the handle is
/// poisoned.
///
/// - `filter` (in): the handle, or NULL, which does nothing. This holder must not use it again.
///
/// Ownership: ends that of one holder. Threads: concurrently with calls of other holders. Cost: one count; the last one
/// returns the memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_free(filter: *mut lately_shared) {
    lately_shared::free(filter);
}

/// Adds a holder: one more `lately_shared_free` until the memory goes.
///
/// - `filter` (in): not NULL; a handle of the caller's.
///
/// Status: LATELY_OK, also when the handle is poisoned; LATELY_ERR_NULL.
/// Ownership: one more holder, each with a `lately_shared_free` of its own. Threads: any. Cost: one count. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_retain(filter: *mut lately_shared) -> lately_status {
    lately_shared::retain(filter)
}

/// As `lately_filter_advance`, from any thread. Cost: also all locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_advance(filter: *mut lately_shared, now: u64) -> lately_status {
    life::advance(filter, now)
}

/// As `lately_filter_clear`, from any thread. Cost: also all locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_clear(filter: *mut lately_shared) -> lately_status {
    life::clear(filter)
}

/// As `lately_filter_copy`, from any thread. The copy has one holder, the caller, who passes it to `lately_shared_free`
/// once. Cost: also all locks while it copies. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_copy(
    filter: *const lately_shared,
    copy: *mut *mut lately_shared,
) -> lately_status {
    life::copy(filter, copy)
}

/// As `lately_filter_stats`, from any thread. Cost: also all locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_stats(filter: *const lately_shared, stats: *mut lately_stats) -> lately_status {
    life::stats(filter, stats)
}

/// As `lately_filter_describe`, from any thread. Cost: also all locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_describe(
    filter: *const lately_shared,
    text: *mut c_char,
    len: usize,
) -> lately_status {
    life::describe(filter, text.cast(), len)
}

/// As `lately_filter_stats_reset`, from any thread. Cost: also all locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_stats_reset(filter: *mut lately_shared) -> lately_status {
    life::stats_reset(filter)
}

/// As `lately_filter_secret`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_secret(
    filter: *const lately_shared,
    lo: *mut u64,
    hi: *mut u64,
) -> lately_status {
    life::secret(filter, lo, hi)
}

/// As `lately_filter_observe`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
) -> lately_status {
    one_key::observe(filter, Key { start: key.cast(), len }, verdict)
}

/// As `lately_filter_observe_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_at(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    one_key::observe_at(filter, Key { start: key.cast(), len }, now, verdict)
}

/// As `lately_filter_insert`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
) -> lately_status {
    one_key::insert(filter, Key { start: key.cast(), len })
}

/// As `lately_filter_insert_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_at(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    now: u64,
) -> lately_status {
    one_key::insert_at(filter, Key { start: key.cast(), len }, now)
}

/// As `lately_filter_contains`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains(
    filter: *const lately_shared,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
) -> lately_status {
    one_key::contains(filter, Key { start: key.cast(), len }, verdict)
}

/// As `lately_filter_contains_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_at(
    filter: *const lately_shared,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    one_key::contains_at(filter, Key { start: key.cast(), len }, now, verdict)
}

/// As `lately_filter_observe_age`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_age(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::observe(filter, Key { start: key.cast(), len }, None, Places { verdict, age })
}

/// As `lately_filter_observe_age_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_age_at(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::observe(filter, Key { start: key.cast(), len }, Some(now), Places { verdict, age })
}

/// As `lately_filter_contains_age`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_age(
    filter: *const lately_shared,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::contains(filter, Key { start: key.cast(), len }, None, Places { verdict, age })
}

/// As `lately_filter_contains_age_at`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_age_at(
    filter: *const lately_shared,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::contains(filter, Key { start: key.cast(), len }, Some(now), Places { verdict, age })
}

/// As `lately_filter_remove`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_remove(
    filter: *mut lately_shared,
    key: *const c_void,
    len: usize,
    removed: *mut u8,
) -> lately_status {
    one_key::remove(filter, Key { start: key.cast(), len }, removed)
}

/// As `lately_filter_hash`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_hash(
    filter: *const lately_shared,
    key: *const c_void,
    len: usize,
    hash: *mut u64,
) -> lately_status {
    one_key::hash(filter, Key { start: key.cast(), len }, hash)
}

/// As `lately_filter_snapshot_size`, from any thread. Other threads may change it before this one writes. Cost: also all
/// locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_snapshot_size(filter: *const lately_shared, size: *mut usize) -> lately_status {
    snapshot::size(filter, size)
}

/// As `lately_filter_snapshot_write`, from any thread; a snapshot of either handle loads into either. Every call that
/// returned before this one began is in the snapshot, and none that begins after this one returned; a call that runs
/// meanwhile is in it whole or not at all, a batch key by key.
///
/// - `written` (out, bytes): not NULL; the size of the snapshot, written also on LATELY_ERR_SHORT_BUFFER: the filter may
///   have grown since its size was asked for. Make more room and try again.
///
/// Cost: also all locks until the last byte is written. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_snapshot_write(
    filter: *const lately_shared,
    buffer: *mut c_void,
    len: usize,
    written: *mut usize,
) -> lately_status {
    snapshot::write(filter, buffer.cast(), len, written)
}

/// As `lately_filter_load`. The handle has one holder, the caller, who passes it to `lately_shared_free` once.
///
/// Status: LATELY_ERR_OPTION also if the state of the 64 locks would take more than the cells and more than 2 MiB: rows of
/// four thousand cells and more do. Cost: also that of 64 locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_load(
    bytes: *const c_void,
    len: usize,
    elapsed_ns: i64,
    options: *const lately_load_options,
    filter: *mut *mut lately_shared,
    error: *mut lately_error,
) -> lately_status {
    snapshot::load(bytes.cast(), len, elapsed_ns, options, filter, error)
}
