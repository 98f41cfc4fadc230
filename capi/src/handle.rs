//! `lately_filter`: one opaque handle, of a filter with one owner at a time or of one for many threads.
//!
//! ```text
//!  lately_filter -> of  Own     UnsafeCell<Filter>     reached only by `change!` and `look!`: the caller keeps others away
//!                       Shared  SharedFilter, holders  reached by any number of threads
//!                   poisoned    a call panicked: only freeing works
//! ```
//! Nothing here ever has `&mut` of a handle, so threads may share one. **Price.** One predicted branch a call.

use std::cell::UnsafeCell;
use std::ptr::NonNull;
#[cfg(debug_assertions)]
use std::sync::atomic::AtomicI32;
use std::sync::atomic::{AtomicBool, Ordering};

use library::abi::{Holders, boxed};
use library::{Error, Filter, SharedFilter};

use crate::boundary::{Fault, catch, status_of};
use crate::status::{LATELY_ERR_PANIC, lately_status};

/// A filter. `lately_filter_new` and `lately_filter_load` make one for one owner at a time, `lately_shared_new` and
/// `lately_shared_load` one that any number of threads use concurrently: of all that observe one new key at the same time,
/// exactly one gets LATELY_NEW, and window, error rate, memory and verbs are the same. Its holders are counted:
/// `lately_filter_retain` adds one, `lately_filter_free` takes one away, and the last one frees the memory. Calls of other threads may
/// come between the keys of a batch. A child of a fork() during another thread's call must not use it: it may never return.
pub struct lately_filter {
    pub(crate) of: Of,
    /// Set when a call panicked: what it left behind cannot be trusted.
    poisoned: AtomicBool,
}

/// The two variants.
pub enum Of {
    Own(Own),
    Shared {
        filter: SharedFilter,
        /// Who still has to call `lately_filter_free`.
        holders: Holders,
    },
}

/// A filter with one owner at a time.
pub struct Own {
    filter: UnsafeCell<Filter>,
    /// Calls that look at the filter; -1 while one changes it.
    #[cfg(debug_assertions)]
    users: AtomicI32,
}

// The thread table of the header, checked by the compiler: what a handle has inside may be sent, and looked at by many.
const _: () = {
    const fn may_be_shared_and_sent<T: Send + Sync>() {}
    may_be_shared_and_sent::<Filter>();
    may_be_shared_and_sent::<SharedFilter>();
};

// What the handle of a filter with one owner takes besides the filter.
const _: () = assert!(size_of::<lately_filter>() <= size_of::<Filter>() + 64);

impl Own {
    /// Runs `body` with the filter, which no other call uses meanwhile.
    #[inline(always)]
    pub fn change<T>(&self, body: impl FnOnce(&mut Filter) -> T) -> T {
        #[cfg(debug_assertions)]
        let _user = User::new(&self.users, -1);
        // SAFETY: the thread table of the header, which the caller keeps to; a debug build has just checked it.
        body(unsafe { &mut *self.filter.get() })
    }

    /// Runs `body` with the filter, which no other call changes meanwhile.
    #[inline(always)]
    pub fn look<T>(&self, body: impl FnOnce(&Filter) -> T) -> T {
        #[cfg(debug_assertions)]
        let _user = User::new(&self.users, 1);
        // SAFETY: the same.
        body(unsafe { &*self.filter.get() })
    }
}

/// A call that is inside a filter with one owner.
#[cfg(debug_assertions)]
struct User<'a>(&'a AtomicI32, i32);

#[cfg(debug_assertions)]
impl<'a> User<'a> {
    /// Enters, alone (-1) or with others that look (1); panics if the header forbids that now.
    fn new(users: &'a AtomicI32, step: i32) -> Self {
        let enters = |now: i32| (if step < 0 { now == 0 } else { now >= 0 }).then_some(now + step);
        let entered = users.fetch_update(Ordering::AcqRel, Ordering::Acquire, enters);
        assert!(
            entered.is_ok(),
            "two threads use a filter of lately_filter_new at once: lately_shared_new makes one for threads"
        );
        Self(users, step)
    }
}

#[cfg(debug_assertions)]
impl Drop for User<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::AcqRel);
    }
}

/// Runs a verb that may change the filter of a handle, and makes a status of what it returns. The verb is written once, and
/// compiled for `&mut Filter` and for `&SharedFilter`, whose methods have the same names.
macro_rules! change {
    ($handle:expr, |$filter:ident| $body:expr) => {{
        // SAFETY: NULL, or a handle of this library that was not freed, as the header asks for.
        match $handle.map(|handle| unsafe { handle.as_ref() }) {
            Some(handle) => $crate::handle::guard(handle, |of| match of {
                $crate::handle::Of::Own(own) => own.change(|$filter| $body),
                $crate::handle::Of::Shared { filter: $filter, .. } => $body,
            }),
            None => $crate::handle::no_handle(),
        }
    }};
}

/// The same for a verb that leaves the filter as it is; its handle is `const` in C.
macro_rules! look {
    ($handle:expr, |$filter:ident| $body:expr) => {
        match $handle {
            Some(handle) => $crate::handle::guard(handle, |of| match of {
                $crate::handle::Of::Own(own) => own.look(|$filter| $body),
                $crate::handle::Of::Shared { filter: $filter, .. } => $body,
            }),
            None => $crate::handle::no_handle(),
        }
    };
}

pub(crate) use {change, look};

/// The boundary of a handle: refuses a poisoned one, poisons it on a panic.
#[inline(always)]
pub fn guard(handle: &lately_filter, body: impl FnOnce(&Of) -> Result<(), Fault>) -> lately_status {
    if handle.poisoned.load(Ordering::Relaxed) {
        return poisoned();
    }
    match catch(|| body(&handle.of)) {
        Some(result) => status_of(result),
        None => {
            handle.poisoned.store(true, Ordering::Relaxed);
            LATELY_ERR_PANIC
        }
    }
}

#[cold]
pub fn no_handle() -> lately_status {
    status_of(Err(Fault::Null("filter")))
}

#[cold]
fn poisoned() -> lately_status {
    status_of(Err(Fault::Poisoned))
}

/// A place for a handle that is made.
pub type Made = Option<NonNull<lately_filter>>;

impl Of {
    pub fn own(filter: Filter) -> Self {
        let filter = UnsafeCell::new(filter);
        Self::Own(Own {
            filter,
            #[cfg(debug_assertions)]
            users: AtomicI32::new(0),
        })
    }

    /// With one holder.
    pub fn shared(filter: Filter) -> Result<Self, Error> {
        Ok(Self::Shared { filter: SharedFilter::of(filter)?, holders: Holders::one() })
    }

    /// A handle, for the caller to free.
    pub fn into_handle(self) -> Result<Made, Error> {
        let handle = boxed(lately_filter { of: self, poisoned: AtomicBool::new(false) })?;
        Ok(NonNull::new(Box::into_raw(handle)))
    }
}

/// Adds a holder, who calls `lately_filter_free` once, to a handle of `lately_shared_new` or `lately_shared_load`.
///
/// Status: LATELY_ERR_UNSUPPORTED if the filter has one owner.
/// Ownership: one more, of the caller. Cost: an atomic addition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_retain(filter: Option<&lately_filter>) -> lately_status {
    let Some(handle) = filter else { return no_handle() };
    guard(handle, |of| match of {
        Of::Shared { holders, .. } => {
            holders.add();
            Ok(())
        }
        Of::Own(_) => Err(Fault::OneOwner),
    })
}

/// Gives a handle back: frees the filter and all its memory, unless it has other holders. Never fails, not even when
/// the handle is poisoned.
///
/// - `filter` (in): the handle, or NULL, which does nothing. This holder must not use it again.
///
/// Ownership: ends the caller's. Cost: returns its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_free(filter: Option<NonNull<lately_filter>>) {
    let Some(handle) = filter else { return };
    // SAFETY: a handle of the caller's, so that its count is not 0.
    let is_last = match unsafe { &handle.as_ref().of } {
        Of::Own(_) => true,
        Of::Shared { holders, .. } => holders.leave(),
    };
    if is_last {
        // SAFETY: a handle of `into_handle`, given back by its last holder.
        let owned = unsafe { Box::from_raw(handle.as_ptr()) };
        catch(|| drop(owned));
    }
}

/// Makes a handle and puts it into its place, which is looked for first.
pub fn making(
    place: Option<&mut std::mem::MaybeUninit<Made>>,
    name: &'static str,
    make: impl FnOnce() -> Result<Of, Fault>,
) -> Result<(), Fault> {
    let place = place.ok_or(Fault::Null(name))?;
    place.write(make()?.into_handle()?);
    Ok(())
}
