//! `lately_filter`, from new to free.

use std::ffi::c_char;

use crate::error::lately_error;
use crate::filter::lately_filter;
use crate::handle::Handle;
use crate::life;
use crate::options::lately_options;
use crate::stats::lately_stats;
use crate::status::lately_status;

/// Builds the filter that the options ask for.
///
/// - `options` (in): not NULL, set up by `lately_options_init`.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE for either struct; LATELY_ERR_OPTION, with
/// `error->field`; LATELY_ERR_NO_MEMORY, also when the operating system gives no secret; LATELY_ERR_PANIC.
/// Ownership: the caller owns the handle and passes it to `lately_filter_free` once. Threads: any. Cost: that of
/// `lately_plan`, and the first slices. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_new(
    options: *const lately_options,
    filter: *mut *mut lately_filter,
    error: *mut lately_error,
) -> lately_status {
    life::new(options, filter, error)
}

/// Frees a filter and all its memory. Never fails, not even when the handle is poisoned.
///
/// - `filter` (in): the handle, or NULL, which does nothing. It must not be used again.
///
/// Ownership: ends the caller's. Threads: exclusive use of the handle. Cost: returns its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_free(filter: *mut lately_filter) {
    lately_filter::free(filter);
}

/// Moves a manual clock to tick `now`, however far: `max_step_ns` does not apply, so this is the way across a real gap.
/// Whatever has left the window is forgotten and its memory freed. A tick below the clock changes nothing.
///
/// - `filter` (in, out): not NULL.
/// - `now` (in, ns): the tick.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_CLOCK unless the clock is manual; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: exclusive use of the handle. Cost: O(slices), however long the gap.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_advance(filter: *mut lately_filter, now: u64) -> lately_status {
    life::advance(filter, now)
}

/// Empties the filter and resets clock and counters; options, seed and secret stay.
///
/// - `filter` (in, out): not NULL.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: exclusive use of the handle. Cost: returns its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_clear(filter: *mut lately_filter) -> lately_status {
    life::clear(filter)
}

/// Makes a second filter that equals the first in everything: content, clock, counters, seed and secret.
///
/// - `filter` (in): not NULL.
/// - `copy` (out): not NULL; the new handle, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_NO_MEMORY; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the caller owns the copy and passes it to `lately_filter_free` once. Threads: concurrently with other
/// const calls on the handle. Cost: a copy of its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_copy(
    filter: *const lately_filter,
    copy: *mut *mut lately_filter,
) -> lately_status {
    life::copy(filter, copy)
}

/// Returns the statistics of the filter now.
///
/// - `filter` (in): not NULL.
/// - `stats` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: concurrently with other const calls on the handle. Cost: O(slices); nothing is
/// scanned. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_stats(filter: *const lately_filter, stats: *mut lately_stats) -> lately_status {
    life::stats(filter, stats)
}

/// Writes the filter in one line, for a log: kind, window, bytes, error rate. It contains no key and no secret, and its
/// words may change from version to version.
///
/// - `filter` (in): not NULL.
/// - `text` (out): not NULL; room for `len` bytes, of which 128 are always enough. Ends in NUL; written only on LATELY_OK.
/// - `len` (in, bytes): how much room there is.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_SHORT_BUFFER if the line and its NUL do not fit;
/// LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the text is the caller's. Threads: concurrently with other const calls on the handle. Cost: that of
/// `lately_filter_stats`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_describe(
    filter: *const lately_filter,
    text: *mut c_char,
    len: usize,
) -> lately_status {
    life::describe(filter, text.cast(), len)
}

/// Sets the counters of verdicts and of late and refused ticks to 0.
///
/// - `filter` (in, out): not NULL.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: exclusive use of the handle. Cost: a few writes. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_stats_reset(filter: *mut lately_filter) -> lately_status {
    life::stats_reset(filter)
}

/// Returns the secret of a keyed filter, given or drawn. Keep it as you would a password: no snapshot contains it.
///
/// - `filter` (in): not NULL.
/// - `lo` (out), `hi` (out): not NULL; the low and the high word; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_UNSUPPORTED if the filter is not keyed; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: concurrently with other const calls on the handle. Cost: two reads.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_secret(
    filter: *const lately_filter,
    lo: *mut u64,
    hi: *mut u64,
) -> lately_status {
    life::secret(filter, lo, hi)
}
