//! `lately_shared`: a filter for many threads, counted by its holders.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use library::abi::boxed;
use library::{Error, LoadOptions, Options, SharedFilter};

use crate::boundary::{Fault, boundary, catch, status_of};
use crate::handle::{Handle, guard};
use crate::status::lately_status;

/// A filter that any number of threads use concurrently: of all that observe one new key at the same time, exactly one
/// gets LATELY_NEW. Window, error rate, memory and verbs are those of `lately_filter`. Holders are counted:
/// `lately_shared_retain` adds one, `lately_shared_free` takes one away, and the last one frees the memory. Calls of other
/// threads may come between the keys of a batch. A child of a fork() during another thread's call must not use it: it may never return.
pub struct lately_shared {
    filter: SharedFilter,
    /// Who still has to call `lately_shared_free`.
    holders: AtomicUsize,
    /// Set when a call panicked: what it left behind cannot be trusted.
    poisoned: AtomicBool,
}

// The thread table of the header, checked by the compiler.
const _: () = {
    const fn may_be_shared_and_sent<T: Send + Sync>() {}
    may_be_shared_and_sent::<lately_shared>();
};

/// A handle with one holder.
fn counted(filter: SharedFilter) -> Result<*mut lately_shared, Error> {
    let (holders, poisoned) = (AtomicUsize::new(1), AtomicBool::new(false));
    boxed(lately_shared { filter, holders, poisoned }).map(Box::into_raw)
}

impl Handle for lately_shared {
    type Changing<'a> = &'a SharedFilter;
    type Looking<'a> = &'a SharedFilter;

    fn new(options: &Options) -> Result<*mut Self, Error> {
        SharedFilter::new(options).and_then(counted)
    }

    fn load(bytes: &[u8], options: &LoadOptions) -> Result<*mut Self, Error> {
        SharedFilter::load(bytes, options).and_then(counted)
    }

    fn copy(filter: &SharedFilter) -> Result<*mut Self, Error> {
        filter.unshared().and_then(SharedFilter::of).and_then(counted)
    }

    unsafe fn change(handle: *mut Self, body: impl FnOnce(&SharedFilter) -> Result<(), Fault>) -> lately_status {
        // SAFETY: the same promise: no call has the filter to itself.
        unsafe { Self::look(handle, body) }
    }

    unsafe fn look(handle: *const Self, body: impl FnOnce(&SharedFilter) -> Result<(), Fault>) -> lately_status {
        // SAFETY: NULL, or a handle that its holder keeps alive; there is no `&mut` to it.
        let Some(this) = (unsafe { handle.as_ref() }) else { return status_of(Err(Fault::Null("filter"))) };
        guard(&this.poisoned, || body(&this.filter))
    }

    unsafe fn free(handle: *mut Self) {
        // SAFETY: NULL, or a handle of the caller's.
        let Some(this) = (unsafe { handle.as_ref() }) else { return };
        // What every holder did happened before the last one frees.
        if this.holders.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: a handle of `counted`, and this was its last holder.
            let owned = unsafe { Box::from_raw(handle) };
            catch(|| drop(owned));
        }
    }
}

impl lately_shared {
    /// The body of `lately_shared_retain`.
    ///
    /// # Safety
    /// `handle` is NULL or one of the caller's.
    pub unsafe fn retain(handle: *mut Self) -> lately_status {
        boundary(|| {
            // SAFETY: NULL, or a handle of the caller's, so that its count is not 0.
            let this = unsafe { handle.as_ref() }.ok_or(Fault::Null("filter"))?;
            this.holders.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
    }
}
