//! `lately_filter`: a filter with one owner at a time.

use std::sync::atomic::AtomicBool;

use library::abi::boxed;
use library::{Error, Filter, LoadOptions, Options};

use crate::boundary::{Fault, catch, status_of};
use crate::handle::{Handle, guard};
use crate::status::lately_status;

/// A filter with one owner at a time. Calls that take it const may run concurrently with each other; every other call
/// must be the only one on this handle.
pub struct lately_filter {
    filter: Filter,
    /// Set when a call panicked: what it left behind cannot be trusted. Atomic, since const calls set it too.
    poisoned: AtomicBool,
}

// The thread table of the header, checked by the compiler.
const _: () = {
    const fn may_be_shared_and_sent<T: Send + Sync>() {}
    may_be_shared_and_sent::<lately_filter>();
};

fn owned(filter: Filter) -> Result<*mut lately_filter, Error> {
    boxed(lately_filter { filter, poisoned: AtomicBool::new(false) }).map(Box::into_raw)
}

impl Handle for lately_filter {
    type Changing<'a> = &'a mut Filter;
    type Looking<'a> = &'a Filter;

    fn new(options: &Options) -> Result<*mut Self, Error> {
        Filter::new(options).and_then(owned)
    }

    fn load(bytes: &[u8], options: &LoadOptions) -> Result<*mut Self, Error> {
        Filter::load(bytes, options).and_then(owned)
    }

    fn copy(filter: &Filter) -> Result<*mut Self, Error> {
        filter.try_clone().and_then(owned)
    }

    unsafe fn change(handle: *mut Self, body: impl FnOnce(&mut Filter) -> Result<(), Fault>) -> lately_status {
        // SAFETY: NULL, or a live handle that is the caller's alone.
        let Some(this) = (unsafe { handle.as_mut() }) else { return status_of(Err(Fault::Null("filter"))) };
        guard(&this.poisoned, || body(&mut this.filter))
    }

    unsafe fn look(handle: *const Self, body: impl FnOnce(&Filter) -> Result<(), Fault>) -> lately_status {
        // SAFETY: NULL, or a live handle that no call changes.
        let Some(this) = (unsafe { handle.as_ref() }) else { return status_of(Err(Fault::Null("filter"))) };
        guard(&this.poisoned, || body(&this.filter))
    }

    unsafe fn free(handle: *mut Self) {
        if handle.is_null() {
            return;
        }
        // SAFETY: a handle of `owned` that the caller gives back, once.
        let owned = unsafe { Box::from_raw(handle) };
        catch(|| drop(owned));
    }
}
