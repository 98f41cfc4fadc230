//! The verbs of `lately_filter` for many keys: `n` single calls in one.

use std::ffi::c_void;

use crate::batch::{self, Batch, RawKeys};
use crate::filter::lately_filter;
use crate::status::lately_status;

/// Tests and inserts every key in order.
///
/// - `filter` (in, out): not NULL.
/// - `bytes` (in), `bytes_len` (in, bytes): all keys back to back; NULL only if `bytes_len` is 0.
/// - `offsets` (in): not NULL; `n` + 1 numbers that do not decrease, none beyond `bytes_len`; key i is the bytes from
///   `offsets[i]` up to, not including, `offsets[i + 1]`.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it is; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; may be 0.
/// - `verdicts` (out): room for `n`; NULL only if `n` is 0. The first `*done` are written, also on a failure.
/// - `done` (out): not NULL; how many keys were processed, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS, found before the first key; LATELY_ERR_CLOCK if there are
/// ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then the index of the tick; LATELY_ERR_FULL as from
/// a single call, `*done` is then the index of the key; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: no array is kept. Threads: exclusive use of the handle. Cost: that of `n` single calls, minus per-call
/// overhead. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_batch(
    filter: *mut lately_filter,
    bytes: *const c_void,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(
        filter,
        Batch { keys: RawKeys::Bytes { bytes: bytes.cast(), bytes_len, offsets }, ticks, n },
        verdicts,
        done,
    )
}

/// As `lately_filter_observe_batch`, for keys hashed before by `lately_filter_hash` or `lately_hash64`.
///
/// - `hashes` (in): `n` hashes; NULL only if `n` is 0.
///
/// Status: also LATELY_ERR_UNSUPPORTED if the filter is keyed; LATELY_ERR_OFFSETS if `n` hashes exceed the address space.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_hashes(
    filter: *mut lately_filter,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::Hashes(hashes), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_batch`, for keys that are numbers: key i is the 8 bytes of `keys[i]`, the lowest first, on
/// every machine.
///
/// - `keys` (in): `n` keys; NULL only if `n` is 0.
///
/// Status: LATELY_ERR_OFFSETS if `n` keys exceed the address space. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_u64s(
    filter: *mut lately_filter,
    keys: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::observe(filter, Batch { keys: RawKeys::U64s(keys), ticks, n }, verdicts, done)
}

/// As `lately_filter_observe_batch`, but inserts as `lately_filter_insert` does, without verdicts. After LATELY_ERR_PANIC
/// `*done` is 0. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_batch(
    filter: *mut lately_filter,
    bytes: *const c_void,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Bytes { bytes: bytes.cast(), bytes_len, offsets }, ticks, n }, done)
}

/// As `lately_filter_observe_hashes`, but inserts as `lately_filter_insert` does, without verdicts. After
/// LATELY_ERR_PANIC `*done` is 0. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_hashes(
    filter: *mut lately_filter,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::Hashes(hashes), ticks, n }, done)
}

/// As `lately_filter_insert_batch`, for keys that are numbers, as `lately_filter_observe_u64s`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_u64s(
    filter: *mut lately_filter,
    keys: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    batch::insert(filter, Batch { keys: RawKeys::U64s(keys), ticks, n }, done)
}

/// As `lately_filter_observe_batch`, but the verdicts are those of `lately_filter_contains`. Changes nothing at all, and
/// never fails with LATELY_ERR_FULL.
///
/// - `filter` (in): not NULL.
///
/// Threads: concurrently with other const calls on the handle. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_batch(
    filter: *const lately_filter,
    bytes: *const c_void,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(
        filter,
        Batch { keys: RawKeys::Bytes { bytes: bytes.cast(), bytes_len, offsets }, ticks, n },
        verdicts,
        done,
    )
}

/// As `lately_filter_observe_hashes`, but the verdicts are those of `lately_filter_contains`. Changes nothing at all, and
/// never fails with LATELY_ERR_FULL.
///
/// - `filter` (in): not NULL.
///
/// Threads: concurrently with other const calls on the handle. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_hashes(
    filter: *const lately_filter,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::Hashes(hashes), ticks, n }, verdicts, done)
}

/// As `lately_filter_contains_batch`, for keys that are numbers, as `lately_filter_observe_u64s`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_u64s(
    filter: *const lately_filter,
    keys: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    batch::contains(filter, Batch { keys: RawKeys::U64s(keys), ticks, n }, verdicts, done)
}
