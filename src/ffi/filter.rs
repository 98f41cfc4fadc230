//! `lately_filter`: a filter with one owner at a time, from new to free.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::ffi::boundary::{Fault, catch, status_of};
use crate::ffi::error::{explained, lately_error};
use crate::ffi::growing;
use crate::ffi::options::{lately_options, request};
use crate::ffi::pointers::Out;
use crate::ffi::stats::lately_stats;
use crate::ffi::status::{LATELY_ERR_PANIC, lately_status};
use crate::handle::Filter;
use crate::raw::boxed;
use crate::tick::Tick;

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
    pub(super) fn boxed(filter: Filter) -> Result<*mut Self, Fault> {
        Ok(Box::into_raw(boxed(Self { filter, poisoned: AtomicBool::new(false) })?))
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
pub(super) fn guard(poisoned: &AtomicBool, body: impl FnOnce() -> Result<(), Fault>) -> lately_status {
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
/// `error->field`; LATELY_ERR_NO_MEMORY, also when the
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
