//! The verbs of `lately_filter` for one key.

use crate::ffi::boundary::Fault;
use crate::ffi::filter::lately_filter;
use crate::ffi::pointers::{Out, slice};
use crate::ffi::status::lately_status;
use crate::filter::values::Verdict;
use crate::handle::Filter;
use crate::tick::Tick;

/// Verdict: not seen within the window.
pub const LATELY_NEW: u8 = 0;
/// Verdict: seen, or, with at most the error rate, believed to be.
pub const LATELY_DUPLICATE: u8 = 1;

const _: () = assert!(!Verdict::New.is_duplicate() && LATELY_NEW == 0 && LATELY_DUPLICATE == 1);

/// Tests and inserts in one step, now: "have I seen this lately?"
///
/// With LATELY_CLOCK_SYSTEM the clock is read once; with LATELY_CLOCK_MANUAL it is used as it stands.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0, which is a key like any other.
/// - `verdict` (out): not NULL; LATELY_NEW or LATELY_DUPLICATE, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_FULL if the key is
/// new and a removable TinySet has no room left in its block; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: alone with this handle. Cost: a hash of the key and about
/// `lately_plan_result.cache_lines_per_observe` cache lines; a shift when one is due. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe(
    filter: *mut lately_filter,
    key: *const u8,
    len: usize,
    verdict: *mut u8,
) -> lately_status {
    let body = |filter: &mut Filter| {
        // SAFETY: the caller's key and place are as documented.
        let (key, out) = unsafe { key_and_out(key, len, "verdict", verdict) }?;
        out.set(filter.observe(key)?.into());
        Ok(())
    };
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, body) }
}

/// Tests and inserts in one step, at tick `now` of a manual clock. A tick below the clock counts as the clock.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `now` (in, ns): the tick, from an origin that the caller chose and keeps.
/// - `verdict` (out): not NULL; LATELY_NEW or LATELY_DUPLICATE, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_CLOCK unless the
/// clock is manual; LATELY_ERR_TICK if `now` leads the clock by more than `max_step_ns`, which only
/// `lately_stats.refused_ticks` counts; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: alone with this handle. Cost: as `lately_filter_observe`.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_at(
    filter: *mut lately_filter,
    key: *const u8,
    len: usize,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    let body = |filter: &mut Filter| {
        // SAFETY: the caller's key and place are as documented.
        let (key, out) = unsafe { key_and_out(key, len, "verdict", verdict) }?;
        out.set(filter.observe_at(key, Tick(now))?.into());
        Ok(())
    };
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, body) }
}

/// Inserts without a verdict, now. TL, AP: always, also under LATELY_REPEAT_KEEP_FIRST, so that the age is renewed. Q:
/// as `lately_filter_observe` would. TS: if `removable` one more entry each time, so that two insertions need two
/// removals; else unless an entry matches.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_FULL if a removable
/// TinySet has no room left in the key's block; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: alone with this handle. Cost: as `lately_filter_observe`.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert(filter: *mut lately_filter, key: *const u8, len: usize) -> lately_status {
    let body = |filter: &mut Filter| {
        // SAFETY: the caller's key is as documented.
        Ok(filter.insert(unsafe { slice("key", key, len) }?)?)
    };
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, body) }
}

/// Inserts without a verdict, at tick `now` of a manual clock. A tick below the clock counts as the clock.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `now` (in, ns): the tick.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_CLOCK unless the
/// clock is manual; LATELY_ERR_TICK if `now` leads the clock by more than `max_step_ns`; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: alone with this handle. Cost: as `lately_filter_observe`.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert_at(
    filter: *mut lately_filter,
    key: *const u8,
    len: usize,
    now: u64,
) -> lately_status {
    let body = |filter: &mut Filter| {
        // SAFETY: the caller's key is as documented.
        Ok(filter.insert_at(unsafe { slice("key", key, len) }?, Tick(now))?)
    };
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, body) }
}

/// The verdict that `lately_filter_observe` would give now. Changes nothing at all.
///
/// - `filter` (in): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `verdict` (out): not NULL; LATELY_DUPLICATE if the key is present, else LATELY_NEW; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: at once with other const calls on this handle. Cost: a hash of
/// the key and a cache line for every slice that is looked at. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains(
    filter: *const lately_filter,
    key: *const u8,
    len: usize,
    verdict: *mut u8,
) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's key and place are as documented.
        let (key, out) = unsafe { key_and_out(key, len, "verdict", verdict) }?;
        out.set(filter.contains(key).into());
        Ok(())
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// The verdict that `lately_filter_observe_at` would give at tick `now`. Changes nothing at all: not the clock, and
/// no count of late or refused ticks.
///
/// - `filter` (in): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `now` (in, ns): the tick.
/// - `verdict` (out): not NULL; LATELY_DUPLICATE if the key is present, else LATELY_NEW; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_CLOCK unless the
/// clock is manual; LATELY_ERR_TICK if `now` leads the clock by more than `max_step_ns`; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: at once with other const calls on this handle. Cost: as
/// `lately_filter_contains`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_at(
    filter: *const lately_filter,
    key: *const u8,
    len: usize,
    now: u64,
    verdict: *mut u8,
) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's key and place are as documented.
        let (key, out) = unsafe { key_and_out(key, len, "verdict", verdict) }?;
        out.set(filter.contains_at(key, Tick(now))?.into());
        Ok(())
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// Takes one entry that matches the key out of a TinySet that is `removable`; no other kind can. Remove only what
/// `lately_filter_insert` took or an observation called LATELY_NEW: another removal may take the entry of another key.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `removed` (out): not NULL; 1 if one entry was taken, 0 if none matched; written only on LATELY_OK.
///
/// Status: LATELY_OK in both cases; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes;
/// LATELY_ERR_UNSUPPORTED if the filter cannot; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: alone with this handle. Cost: a hash of the key and one block.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_remove(
    filter: *mut lately_filter,
    key: *const u8,
    len: usize,
    removed: *mut u8,
) -> lately_status {
    let body = |filter: &mut Filter| {
        // SAFETY: the caller's key and place are as documented.
        let (key, out) = unsafe { key_and_out(key, len, "removed", removed) }?;
        out.set(filter.remove(key)?.into());
        Ok(())
    };
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, body) }
}

/// The hash that stands for the key in this filter and in every other unkeyed one with the same seed.
///
/// - `filter` (in): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `hash` (out): not NULL; as `lately_hash64` with the filter's seed; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_UNSUPPORTED if
/// the filter is keyed: its hashes would tell what the secret hides; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the key is read and not kept. Threads: at once with other const calls on this handle. Cost: a hash of
/// the key. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_hash(
    filter: *const lately_filter,
    key: *const u8,
    len: usize,
    hash: *mut u64,
) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's key and place are as documented.
        let (key, out) = unsafe { key_and_out(key, len, "hash", hash) }?;
        out.set(filter.hash(key)?.0);
        Ok(())
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// What most verbs take: a key, and a place for the answer. Both are checked before either is used.
///
/// # Safety
/// Unless it is NULL, `key` has `len` readable bytes; unless it is NULL, `place` can be written.
pub(super) unsafe fn key_and_out<'a, T>(
    key: *const u8,
    len: usize,
    name: &'static str,
    place: *mut T,
) -> Result<(&'a [u8], Out<T>), Fault> {
    // SAFETY: the same promise.
    let out = unsafe { Out::new(name, place) }?;
    // SAFETY: the same promise.
    Ok((unsafe { slice("key", key, len) }?, out))
}
