//! The functions of `lately_shared` for keys where they lie. A comment has only the differences.

use crate::batch::{self, Batch, RawKeys};
use crate::in_place::{lately_column, lately_slice};
use crate::shared::lately_shared;
use crate::status::lately_status;

/// As `lately_filter_observe_slices`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_slices(
    filter: *mut lately_shared,
    keys: *const lately_slice,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::Slices(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_insert_slices`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_slices(
    filter: *mut lately_shared,
    keys: *const lately_slice,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Slices(keys), ticks, n }, done)
}

/// As `lately_filter_contains_slices`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_slices(
    filter: *const lately_shared,
    keys: *const lately_slice,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::Slices(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_column`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_column(
    filter: *mut lately_shared,
    keys: *const lately_column,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::Column(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_insert_column`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_column(
    filter: *mut lately_shared,
    keys: *const lately_column,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Column(keys), ticks, n }, done)
}

/// As `lately_filter_contains_column`, from any thread. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_column(
    filter: *const lately_shared,
    keys: *const lately_column,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::Column(keys), ticks, n }, verdicts, done)
}
