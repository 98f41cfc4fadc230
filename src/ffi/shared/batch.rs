//! The verbs of `lately_shared` for many keys at once: those of `lately_filter`; calls of other threads may come between
//! the keys.

use crate::ffi::arrays::{Batch, Done, of_bytes, of_hashes};
use crate::ffi::boundary::Fault;
use crate::ffi::pointers::OutArray;
use crate::ffi::shared::lately_shared;
use crate::ffi::status::{LATELY_ERR_NULL, lately_status};
use crate::shared::SharedFilter;

/// Tests and inserts every key in order; calls of other threads may come between.
///
/// - `filter` (in, out): not NULL.
/// - `bytes` (in), `bytes_len` (in, bytes): all keys back to back; NULL only if `bytes_len` is 0.
/// - `offsets` (in): not NULL; `n` + 1 numbers that do not decrease, none beyond `bytes_len`; key i is the bytes from
///   `offsets[i]` to before `offsets[i + 1]`.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it stands; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; 0 is fine.
/// - `verdicts` (out): room for `n`; NULL only if `n` is 0. The first `*done` are written, also on a failure.
/// - `done` (out): not NULL; how many keys were dealt with, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS, found before the first key; LATELY_ERR_CLOCK if there are
/// ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then the index of the tick; LATELY_ERR_FULL as from
/// a single call, `*done` is then the index of the key; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: all arrays stay the caller's, are not kept, and must not overlap. Threads: any, at once. Cost:
/// that of `n` single calls, less the way here. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_batch(
    filter: *mut lately_shared,
    bytes: *const u8,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's arrays are as documented.
    let batch = || unsafe { of_bytes(bytes, bytes_len, offsets, ticks, n) };
    // SAFETY: the caller's handle and places are as documented.
    unsafe { observe_all(filter, batch, verdicts, n, done) }
}

/// Tests and inserts every key in order, calls of other threads between them or not, by hashes that `lately_shared_hash` or `lately_hash64` made.
///
/// - `filter` (in, out): not NULL.
/// - `hashes` (in): `n` hashes; NULL only if `n` is 0.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it stands; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; 0 is fine.
/// - `verdicts` (out): room for `n`; NULL only if `n` is 0. The first `*done` are written, also on a failure.
/// - `done` (out): not NULL; how many keys were dealt with, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_UNSUPPORTED if the filter is keyed; LATELY_ERR_OFFSETS if no memory
/// has `n` hashes; LATELY_ERR_CLOCK if there are ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then
/// the index of the tick; LATELY_ERR_FULL as from a single call, `*done` is then the index of the key;
/// LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: all arrays stay the caller's, are not kept, and must not overlap. Threads: any, at once. Cost:
/// that of `n` single calls, less the way here. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_observe_hashes(
    filter: *mut lately_shared,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's arrays are as documented.
    let batch = || unsafe { of_hashes(hashes, ticks, n) };
    // SAFETY: the caller's handle and places are as documented.
    unsafe { observe_all(filter, batch, verdicts, n, done) }
}

/// Inserts every key in order, calls of other threads between them or not, without verdicts.
///
/// - `filter` (in, out): not NULL.
/// - `bytes` (in), `bytes_len` (in, bytes): all keys back to back; NULL only if `bytes_len` is 0.
/// - `offsets` (in): not NULL; `n` + 1 numbers that do not decrease, none beyond `bytes_len`; key i is the bytes from
///   `offsets[i]` to before `offsets[i + 1]`.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it stands; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; 0 is fine.
/// - `done` (out): not NULL; how many keys were dealt with, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS, found before the first key; LATELY_ERR_CLOCK if there are
/// ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then the index of the tick; LATELY_ERR_FULL as from
/// a single call, `*done` is then the index of the key; LATELY_ERR_POISONED; LATELY_ERR_PANIC, `*done` is then 0.
/// Ownership: all arrays stay the caller's, are not kept, and must not overlap. Threads: any, at once. Cost:
/// that of `n` single calls, less the way here. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_batch(
    filter: *mut lately_shared,
    bytes: *const u8,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's arrays are as documented.
    let batch = || unsafe { of_bytes(bytes, bytes_len, offsets, ticks, n) };
    // SAFETY: the caller's handle and place are as documented.
    unsafe { insert_all(filter, batch, done) }
}

/// Inserts every key in order, calls of other threads between them or not, without verdicts, by hashes that `lately_shared_hash` or `lately_hash64` made.
///
/// - `filter` (in, out): not NULL.
/// - `hashes` (in): `n` hashes; NULL only if `n` is 0.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it stands; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; 0 is fine.
/// - `done` (out): not NULL; how many keys were dealt with, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_UNSUPPORTED if the filter is keyed; LATELY_ERR_OFFSETS if no memory
/// has `n` hashes; LATELY_ERR_CLOCK if there are ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then
/// the index of the tick; LATELY_ERR_FULL as from a single call, `*done` is then the index of the key;
/// LATELY_ERR_POISONED; LATELY_ERR_PANIC, `*done` is then 0.
/// Ownership: all arrays stay the caller's, are not kept, and must not overlap. Threads: any, at once. Cost:
/// that of `n` single calls, less the way here. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_insert_hashes(
    filter: *mut lately_shared,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's arrays are as documented.
    let batch = || unsafe { of_hashes(hashes, ticks, n) };
    // SAFETY: the caller's handle and place are as documented.
    unsafe { insert_all(filter, batch, done) }
}

/// The verdict for every key, as `lately_shared_contains` would give it. Changes nothing at all.
///
/// - `filter` (in): not NULL.
/// - `bytes` (in), `bytes_len` (in, bytes): all keys back to back; NULL only if `bytes_len` is 0.
/// - `offsets` (in): not NULL; `n` + 1 numbers that do not decrease, none beyond `bytes_len`; key i is the bytes from
///   `offsets[i]` to before `offsets[i + 1]`.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it stands; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; 0 is fine.
/// - `verdicts` (out): room for `n`; NULL only if `n` is 0. The first `*done` are written, also on a failure.
/// - `done` (out): not NULL; how many keys were dealt with, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS, found before the first key; LATELY_ERR_CLOCK if there are
/// ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then the index of the tick; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: all arrays stay the caller's, are not kept, and must not overlap. Threads: any, at once. Cost: that of `n` single calls, less the way here. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_batch(
    filter: *const lately_shared,
    bytes: *const u8,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's arrays are as documented.
    let batch = || unsafe { of_bytes(bytes, bytes_len, offsets, ticks, n) };
    // SAFETY: the caller's handle and places are as documented.
    unsafe { contains_all(filter, batch, verdicts, n, done) }
}

/// The verdict for every key, by hashes, as `lately_shared_contains` would give it. Changes nothing at all.
///
/// - `filter` (in): not NULL.
/// - `hashes` (in): `n` hashes; NULL only if `n` is 0.
/// - `ticks` (in, ns): NULL, for one reading of the system's clock or the manual clock as it stands; else `n` ticks
///   of a manual clock, applied in order by the rules of single calls.
/// - `n` (in): how many keys; 0 is fine.
/// - `verdicts` (out): room for `n`; NULL only if `n` is 0. The first `*done` are written, also on a failure.
/// - `done` (out): not NULL; how many keys were dealt with, written also on a failure.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_UNSUPPORTED if the filter is keyed; LATELY_ERR_OFFSETS if no memory
/// has `n` hashes; LATELY_ERR_CLOCK if there are ticks and the clock is not manual; LATELY_ERR_TICK, `*done` is then
/// the index of the tick; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: all arrays stay the caller's, are not kept, and must not overlap. Threads: any, at once. Cost: that of `n` single calls, less the way here. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_contains_hashes(
    filter: *const lately_shared,
    hashes: *const u64,
    ticks: *const u64,
    n: usize,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's arrays are as documented.
    let batch = || unsafe { of_hashes(hashes, ticks, n) };
    // SAFETY: the caller's handle and places are as documented.
    unsafe { contains_all(filter, batch, verdicts, n, done) }
}

/// The body of the two observing batches.
///
/// # Safety
/// As their comments say.
unsafe fn observe_all<'a>(
    filter: *mut lately_shared,
    batch: impl FnOnce() -> Result<Batch<'a>, Fault>,
    verdicts: *mut u8,
    n: usize,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's place, as documented.
    let Some(done) = (unsafe { Done::start(done) }) else { return LATELY_ERR_NULL };
    let body = |filter: &SharedFilter| {
        // SAFETY: the caller's room, as documented.
        let verdicts = unsafe { OutArray::new("verdicts", verdicts, n) }?;
        let (keys, ticks) = batch()?;
        Ok(filter.observe_each(keys, ticks, |i, verdict| done.with(&verdicts, i, verdict))?)
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// The body of the two inserting batches.
///
/// # Safety
/// As their comments say.
unsafe fn insert_all<'a>(
    filter: *mut lately_shared,
    batch: impl FnOnce() -> Result<Batch<'a>, Fault>,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's place, as documented.
    let Some(done) = (unsafe { Done::start(done) }) else { return LATELY_ERR_NULL };
    let body = |filter: &SharedFilter| {
        let (keys, ticks) = batch()?;
        let result = filter.insert_batch(keys, ticks);
        done.after(keys.len(), &result);
        Ok(result?)
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// The body of the two asking batches.
///
/// # Safety
/// As their comments say.
unsafe fn contains_all<'a>(
    filter: *const lately_shared,
    batch: impl FnOnce() -> Result<Batch<'a>, Fault>,
    verdicts: *mut u8,
    n: usize,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the caller's place, as documented.
    let Some(done) = (unsafe { Done::start(done) }) else { return LATELY_ERR_NULL };
    let body = |filter: &SharedFilter| {
        // SAFETY: the caller's room, as documented.
        let verdicts = unsafe { OutArray::new("verdicts", verdicts, n) }?;
        let (keys, ticks) = batch()?;
        Ok(filter.contains_each(keys, ticks, |i, verdict| done.with(&verdicts, i, verdict))?)
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}
