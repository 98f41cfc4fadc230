//! `lately_shared`: a filter for many threads at once, counted by its holders.

mod batch;
mod single;
mod snapshot;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::ffi::boundary::{Fault, boundary, catch, status_of};
use crate::ffi::error::{explained, lately_error};
use crate::ffi::filter::guard;
use crate::ffi::growing;
use crate::ffi::options::{lately_options, request};
use crate::ffi::pointers::Out;
use crate::ffi::stats::lately_stats;
use crate::ffi::status::lately_status;
use crate::shared::SharedFilter;
use crate::tick::Tick;

/// A filter that any number of threads use at once: of all that observe one new key at once, exactly one is told
/// LATELY_NEW. Window, error rate and memory are those of `lately_filter`, and so is every verb. Holders are counted:
/// `lately_shared_retain` adds one, `lately_shared_free` takes one away, and the last one frees the memory.
pub struct lately_shared {
    filter: SharedFilter,
    /// Who still has to call `lately_shared_free`.
    holders: AtomicUsize,
    /// Set when a call panicked: what it left behind cannot be trusted.
    poisoned: AtomicBool,
}

// The thread table of the header, held by the compiler.
const _: () = {
    const fn may_be_shared_and_sent<T: Send + Sync>() {}
    may_be_shared_and_sent::<lately_shared>();
};

impl lately_shared {
    /// A handle with one holder.
    pub(super) fn counted(filter: SharedFilter) -> *mut Self {
        Box::into_raw(Box::new(Self { filter, holders: AtomicUsize::new(1), poisoned: AtomicBool::new(false) }))
    }

    /// Runs `body` with the filter, beside any number of others; a panic poisons the handle.
    ///
    /// # Safety
    /// Unless it is NULL, `handle` came from this library and the caller holds it.
    pub(super) unsafe fn with(
        handle: *const Self,
        body: impl FnOnce(&SharedFilter) -> Result<(), Fault>,
    ) -> lately_status {
        // SAFETY: NULL, or a handle that its holder keeps alive; nobody has a `&mut` to it.
        let Some(this) = (unsafe { handle.as_ref() }) else { return status_of(Err(Fault::Null("filter"))) };
        guard(&this.poisoned, || body(&this.filter))
    }
}

/// Builds a shared filter that the options ask for.
///
/// - `options` (in): not NULL, set up by `lately_options_init`; those of `lately_filter_new`.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE for either struct; LATELY_ERR_OPTION, with
/// `error->field`; LATELY_ERR_NO_MEMORY, also when the operating system gives no secret; LATELY_ERR_PANIC.
/// Ownership: the handle has one holder, the caller, who gives it to `lately_shared_free` once. Threads: any. Cost:
/// that of `lately_filter_new`, and 8 to 40 KiB for 64 locks, 119 with rows of 200 cells. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_new(
    options: *const lately_options,
    filter: *mut *mut lately_shared,
    error: *mut lately_error,
) -> lately_status {
    // SAFETY: the caller's structs are as documented.
    unsafe { explained(error, || built(options, filter)) }
}

fn built(options: *const lately_options, filter: *mut *mut lately_shared) -> Result<(), Fault> {
    // SAFETY: the caller of `lately_shared_new` promised a place for a handle.
    let out = unsafe { Out::new("filter", filter) }?;
    // SAFETY: and a struct of its stated size.
    let request = unsafe { request(options) }?;
    out.set(lately_shared::counted(SharedFilter::new(&request)?));
    Ok(())
}

/// Adds a holder: one more `lately_shared_free` until the memory goes.
///
/// - `filter` (in): not NULL; a handle that the caller holds.
///
/// Status: LATELY_OK, also when the handle is poisoned; LATELY_ERR_NULL.
/// Ownership: one more holder, each with a `lately_shared_free` of its own. Threads: any, at once. Cost: one count.
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_retain(filter: *mut lately_shared) -> lately_status {
    boundary(|| {
        // SAFETY: NULL, or a handle that the caller holds, so that its count is not 0.
        let this = unsafe { filter.as_ref() }.ok_or(Fault::Null("filter"))?;
        this.holders.fetch_add(1, Ordering::Relaxed);
        Ok(())
    })
}

/// Takes a holder away; the last one frees the filter and all its memory.
///
/// - `filter` (in): the handle, or NULL, which does nothing. This holder must not use it again.
///
/// Never fails, also when the handle is poisoned.
/// Ownership: ends that of one holder. Threads: any, at once with calls of other holders. Cost: one count; the last one
/// returns the memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_free(filter: *mut lately_shared) {
    // SAFETY: NULL, or a handle that the caller holds.
    let Some(this) = (unsafe { filter.as_ref() }) else { return };
    // What every holder did happened before the last one frees.
    if this.holders.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: a handle of `counted` that nobody holds any more.
        let owned = unsafe { Box::from_raw(filter) };
        catch(|| drop(owned));
    }
}

/// Moves a manual clock to tick `now`, however far: `max_step_ns` does not bind it, so it is the way over a true
/// gap. What has left the window is forgotten and its memory freed. A tick below the clock changes nothing.
///
/// - `filter` (in, out): not NULL.
/// - `now` (in, ns): the tick.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_CLOCK unless the clock is manual; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: any, at once. Cost: all locks, O(slices), however long the gap. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_advance(filter: *mut lately_shared, now: u64) -> lately_status {
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, |filter| Ok(filter.advance(Tick(now))?)) }
}

/// Empties the filter and forgets clock and counters; options, seed and secret stay.
///
/// - `filter` (in, out): not NULL.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: any, at once. Cost: all locks; returns its memory. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_clear(filter: *mut lately_shared) -> lately_status {
    let body = |filter: &SharedFilter| {
        filter.clear();
        Ok(())
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// Makes a second filter that is equal in everything: content, clock, counters, seed and secret.
///
/// - `filter` (in): not NULL.
/// - `copy` (out): not NULL; the new handle, written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_NO_MEMORY; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the copy is the caller's, to be given to `lately_shared_free` once. Threads: any, at once. Cost: all locks while its memory is copied. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_copy(
    filter: *const lately_shared,
    copy: *mut *mut lately_shared,
) -> lately_status {
    let body = |filter: &SharedFilter| {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("copy", copy) }?;
        out.set(lately_shared::counted(SharedFilter::of(filter.unshared()?)?));
        Ok(())
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// What the filter knows of itself now.
///
/// - `filter` (in): not NULL.
/// - `stats` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the struct is the caller's. Threads: any, at once. Cost: all locks,
/// O(slices); nothing is scanned. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_stats(filter: *const lately_shared, stats: *mut lately_stats) -> lately_status {
    // SAFETY: the caller's struct has the size that it states.
    let body = |filter: &SharedFilter| unsafe { growing::write(stats, &filter.stats().into()) };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// Sets the counters of verdicts and of late and refused ticks to 0.
///
/// - `filter` (in, out): not NULL.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: any, at once. Cost: all locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_stats_reset(filter: *mut lately_shared) -> lately_status {
    let body = |filter: &SharedFilter| {
        filter.stats_reset();
        Ok(())
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// The secret of a keyed filter, given or drawn. Keep it as one keeps a password: a snapshot does not hold it.
///
/// - `filter` (in): not NULL.
/// - `lo` (out), `hi` (out): not NULL; the low and the high word; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_UNSUPPORTED if the filter is not keyed; LATELY_ERR_POISONED;
/// LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: any, at once. Cost: two reads. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_secret(
    filter: *const lately_shared,
    lo: *mut u64,
    hi: *mut u64,
) -> lately_status {
    let body = |filter: &SharedFilter| {
        // SAFETY: the caller's places are as documented.
        let (out_lo, out_hi) = (unsafe { Out::new("lo", lo) }?, unsafe { Out::new("hi", hi) }?);
        let (lo, hi) = filter.secret()?;
        out_lo.set(lo);
        out_hi.set(hi);
        Ok(())
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}
