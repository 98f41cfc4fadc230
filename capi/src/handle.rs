//! What the two handles have in common, so that the body of each verb is written once.

use std::sync::atomic::{AtomicBool, Ordering};

use library::abi::{Change, Look};
use library::{Error, LoadOptions, Options};

use crate::boundary::{Fault, catch, status_of};
use crate::status::{LATELY_ERR_PANIC, lately_status};

/// One of the two handles. A function that takes a `const` handle may look at the filter, any other may change it.
pub trait Handle: Sized + 'static {
    /// The filter for a call that may change it.
    type Changing<'a>: Change;
    /// The filter for a call that may not.
    type Looking<'a>: Look;

    fn new(options: &Options) -> Result<*mut Self, Error>;

    fn load(bytes: &[u8], options: &LoadOptions) -> Result<*mut Self, Error>;

    fn copy(filter: Self::Looking<'_>) -> Result<*mut Self, Error>;

    /// Runs `body` with the filter; a panic poisons the handle.
    ///
    /// # Safety
    /// Unless it is NULL, `handle` came from this library, was not freed, and no other call uses it that the thread table
    /// of the header forbids.
    unsafe fn change(handle: *mut Self, body: impl FnOnce(Self::Changing<'_>) -> Result<(), Fault>) -> lately_status;

    /// The same for a `const` handle.
    ///
    /// # Safety
    /// As for [`Handle::change`].
    unsafe fn look(handle: *const Self, body: impl FnOnce(Self::Looking<'_>) -> Result<(), Fault>) -> lately_status;

    /// Gives the handle back.
    ///
    /// # Safety
    /// As for [`Handle::change`]; the caller does not use `handle` again.
    unsafe fn free(handle: *mut Self);
}

/// The boundary of a handle: refuses a poisoned one, poisons it on a panic.
pub fn guard(poisoned: &AtomicBool, body: impl FnOnce() -> Result<(), Fault>) -> lately_status {
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
