//! The verbs of `lately_filter` for keys where they lie: slices, and columns in the layout of Apache Arrow.

use crate::batch::{self, Batch, RawKeys};
use crate::filter::lately_filter;
use crate::in_place::{lately_column, lately_slice};
use crate::status::lately_status;

/// As `lately_filter_observe_batch`, for keys where they lie: nothing is copied.
///
/// - `keys` (in): `n` slices; NULL only if `n` is 0.
///
/// Status: LATELY_ERR_NULL also if a key is NULL and its length is not 0; LATELY_ERR_OFFSETS if a length, or that of the
/// array, exceeds the address space. Both are found before the first key. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_slices(
    filter: *mut lately_filter,
    keys: *const lately_slice,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::Slices(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_slices`, but inserts as `lately_filter_insert` does, without verdicts. After LATELY_ERR_PANIC
/// `*done` is 0. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_slices(
    filter: *mut lately_filter,
    keys: *const lately_slice,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Slices(keys), ticks, n }, done)
}

/// As `lately_filter_observe_slices`, but the verdicts are those of `lately_filter_contains`. Changes nothing at all, and
/// never fails with LATELY_ERR_FULL.
///
/// - `filter` (in): not NULL.
///
/// Threads: concurrently with other const calls on the handle. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_slices(
    filter: *const lately_filter,
    keys: *const lately_slice,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::Slices(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_batch`, for a column in the layout of Apache Arrow. The verdict of an absent key is
/// LATELY_ABSENT_KEY; it is not observed, its tick is ignored, and it counts as processed.
///
/// - `keys` (in): not NULL, its buffers for `n` keys.
///
/// Status: LATELY_ERR_NULL also for a buffer that is missing; LATELY_ERR_STRUCT_SIZE; LATELY_ERR_OPTION if `offset_bits` is
/// neither 32 nor 64, or `reserved` is not 0; LATELY_ERR_OFFSETS also if offsets are below 0 or are not aligned. All are found
/// before the first key. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_column(
    filter: *mut lately_filter,
    keys: *const lately_column,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::Column(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_column`, but inserts as `lately_filter_insert` does, without verdicts. After LATELY_ERR_PANIC
/// `*done` is 0. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_column(
    filter: *mut lately_filter,
    keys: *const lately_column,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Column(keys), ticks, n }, done)
}

/// As `lately_filter_observe_column`, but the verdicts of present keys are those of `lately_filter_contains`. Changes nothing
/// at all, and never fails with LATELY_ERR_FULL.
///
/// - `filter` (in): not NULL.
///
/// Threads: concurrently with other const calls on the handle. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_column(
    filter: *const lately_filter,
    keys: *const lately_column,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::Column(keys), ticks, n }, verdicts, done)
}
