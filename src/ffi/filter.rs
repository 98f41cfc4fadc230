//! `lately_filter`: a filter with one owner at a time, and its verbs for one key.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::ffi::boundary::{Fault, catch, status_of};
use crate::ffi::error::{explained, lately_error};
use crate::ffi::growing;
use crate::ffi::options::{lately_options, request};
use crate::ffi::pointers::{Out, slice};
use crate::ffi::stats::lately_stats;
use crate::ffi::status::{LATELY_ERR_PANIC, lately_status};
use crate::filter::contract::Verdict;
use crate::handle::Filter;
use crate::tick::Tick;

/// Verdict: not seen within the window.
pub const LATELY_NEW: u8 = 0;
/// Verdict: seen, or, with at most the error rate, believed to be.
pub const LATELY_DUPLICATE: u8 = 1;

const _: () = assert!(!Verdict::New.is_duplicate() && LATELY_NEW == 0 && LATELY_DUPLICATE == 1);

/// A filter with one owner at a time. Calls that take it const may run at once from any number of threads as long
/// as no other call runs; every other call needs it alone.
pub struct lately_filter {
    filter: Filter,
    /// Set when a call panicked: what it left behind cannot be trusted. Atomic, since const calls set it too.
    poisoned: AtomicBool,
}

// The thread table of the header, held by the compiler.
const _: () = {
    const fn may_be_shared_and_sent<T: Send + Sync>() {}
    may_be_shared_and_sent::<lately_filter>();
};

impl lately_filter {
    pub(super) fn boxed(filter: Filter) -> *mut Self {
        Box::into_raw(Box::new(Self { filter, poisoned: AtomicBool::new(false) }))
    }

    /// Runs `body` with the filter to itself; a panic poisons the handle.
    ///
    /// # Safety
    /// Unless it is NULL, `handle` came from this library, was not freed, and nobody else uses it now.
    pub(super) unsafe fn alone(
        handle: *mut Self,
        body: impl FnOnce(&mut Filter) -> Result<(), Fault>,
    ) -> lately_status {
        // SAFETY: NULL, or a live handle that is the caller's alone.
        let Some(this) = (unsafe { handle.as_mut() }) else { return status_of(Err(Fault::Null("filter"))) };
        guard(&this.poisoned, || body(&mut this.filter))
    }

    /// Runs `body` with the filter as others may also see it; a panic poisons the handle.
    ///
    /// # Safety
    /// Unless it is NULL, `handle` came from this library, was not freed, and nobody changes it now.
    pub(super) unsafe fn together(
        handle: *const Self,
        body: impl FnOnce(&Filter) -> Result<(), Fault>,
    ) -> lately_status {
        // SAFETY: NULL, or a live handle that nobody changes.
        let Some(this) = (unsafe { handle.as_ref() }) else { return status_of(Err(Fault::Null("filter"))) };
        guard(&this.poisoned, || body(&this.filter))
    }
}

/// The boundary of a handle: refuses a poisoned one, poisons it on a panic.
fn guard(poisoned: &AtomicBool, body: impl FnOnce() -> Result<(), Fault>) -> lately_status {
    if poisoned.load(Ordering::Relaxed) {
        return status_of(Err(Fault::Poisoned));
    }
    catch(body).map_or_else(
        || {
            poisoned.store(true, Ordering::Relaxed);
            LATELY_ERR_PANIC
        },
        status_of,
    )
}

/// Builds the filter that the options ask for.
///
/// - `options` (in): not NULL, set up by `lately_options_init`.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE for either struct; LATELY_ERR_OPTION, with
/// `error->field`; LATELY_ERR_UNSUPPORTED for a kind that is not built yet; LATELY_ERR_NO_MEMORY, also when the
/// operating system gives no secret; LATELY_ERR_PANIC.
/// Ownership: the handle is the caller's, to be given to `lately_filter_free` once. Threads: any. Cost: that of
/// `lately_plan`, and the first slices. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_new(
    options: *const lately_options,
    filter: *mut *mut lately_filter,
    error: *mut lately_error,
) -> lately_status {
    // SAFETY: the caller's structs are as documented.
    unsafe { explained(error, || built(options, filter)) }
}

fn built(options: *const lately_options, filter: *mut *mut lately_filter) -> Result<(), Fault> {
    // SAFETY: the caller of `lately_filter_new` promised a place for a handle.
    let out = unsafe { Out::new("filter", filter) }?;
    // SAFETY: and a struct of its stated size.
    let request = unsafe { request(options) }?;
    out.set(lately_filter::boxed(Filter::new(&request)?));
    Ok(())
}

/// Frees a filter and all its memory.
///
/// - `filter` (in): the handle, or NULL, which does nothing. It must not be used again.
///
/// Never fails, also when the handle is poisoned.
/// Ownership: ends the caller's. Threads: alone with this handle. Cost: returns its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_free(filter: *mut lately_filter) {
    if filter.is_null() {
        return;
    }
    // SAFETY: a handle of `boxed` that the caller gives back, once.
    let owned = unsafe { Box::from_raw(filter) };
    catch(|| drop(owned));
}

/// Tests and inserts in one step, now: "have I seen this lately?"
///
/// With LATELY_CLOCK_SYSTEM the clock is read once; with LATELY_CLOCK_MANUAL it is used as it stands.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0, which is a key like any other.
/// - `verdict` (out): not NULL; LATELY_NEW or LATELY_DUPLICATE, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
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

/// Inserts without a verdict, now; also under LATELY_REPEAT_KEEP_FIRST, so that the age is renewed.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
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

/// Takes one entry that matches the key out, in the kinds that can. A windowed filter shares its bits between keys
/// and cannot.
///
/// - `filter` (in, out): not NULL.
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `removed` (out): not NULL; 1 if one entry was taken, 0 if none matched; written only on LATELY_OK.
///
/// Status: LATELY_OK in both cases; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes;
/// LATELY_ERR_UNSUPPORTED if the kind cannot; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
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

/// Moves a manual clock to tick `now`, however far: `max_step_ns` does not bind it, so it is the way over a true
/// gap. What has left the window is forgotten and its memory freed. A tick below the clock changes nothing.
///
/// - `filter` (in, out): not NULL.
/// - `now` (in, ns): the tick.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_CLOCK unless the clock is manual; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: alone with this handle. Cost: O(slices), however long the gap. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_advance(filter: *mut lately_filter, now: u64) -> lately_status {
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, |filter| Ok(filter.advance(Tick(now))?)) }
}

/// Empties the filter and forgets clock and counters; options, seed and secret stay.
///
/// - `filter` (in, out): not NULL.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: alone with this handle. Cost: returns its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_clear(filter: *mut lately_filter) -> lately_status {
    let body = |filter: &mut Filter| {
        filter.clear();
        Ok(())
    };
    // SAFETY: the caller's handle, alone, as documented.
    unsafe { lately_filter::alone(filter, body) }
}

/// Makes a second filter that is equal in everything: content, clock, counters, seed and secret.
///
/// - `filter` (in): not NULL.
/// - `copy` (out): not NULL; the new handle, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_NO_MEMORY; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the copy is the caller's, to be given to `lately_filter_free` once. Threads: at once with other const
/// calls on this handle. Cost: a copy of its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_copy(
    filter: *const lately_filter,
    copy: *mut *mut lately_filter,
) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("copy", copy) }?;
        out.set(lately_filter::boxed(filter.try_clone()?));
        Ok(())
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// What the filter knows of itself now.
///
/// - `filter` (in): not NULL.
/// - `stats` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the struct is the caller's. Threads: at once with other const calls on this handle. Cost: O(slices);
/// nothing is scanned. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_stats(filter: *const lately_filter, stats: *mut lately_stats) -> lately_status {
    // SAFETY: the caller's struct has the size that it states.
    let body = |filter: &Filter| unsafe { growing::write(stats, &filter.stats().into()) };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// Sets the counters of verdicts and of late and refused ticks to 0.
///
/// - `filter` (in, out): not NULL.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: alone with this handle. Cost: a few writes. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_stats_reset(filter: *mut lately_filter) -> lately_status {
    let body = |filter: &mut Filter| {
        filter.stats_reset();
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

/// The secret of a keyed filter, given or drawn. Keep it as one keeps a password: a snapshot does not hold it.
///
/// - `filter` (in): not NULL.
/// - `lo` (out), `hi` (out): not NULL; the low and the high word; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_UNSUPPORTED if the filter is not keyed; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: at once with other const calls on this handle. Cost: two reads. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_secret(
    filter: *const lately_filter,
    lo: *mut u64,
    hi: *mut u64,
) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's places are as documented.
        let (out_lo, out_hi) = (unsafe { Out::new("lo", lo) }?, unsafe { Out::new("hi", hi) }?);
        let (lo, hi) = filter.secret()?;
        out_lo.set(lo);
        out_hi.set(hi);
        Ok(())
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// What most verbs take: a key, and a place for the answer. Both are checked before either is used.
///
/// # Safety
/// Unless it is NULL, `key` has `len` readable bytes; unless it is NULL, `place` can be written.
unsafe fn key_and_out<'a, T>(
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
