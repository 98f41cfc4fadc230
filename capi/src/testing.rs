//! What a test makes happen on request: a panic, to see it become a status, and a filter that is divided among its locks
//! without threads that meet. In no released artefact and not in the header.

use library::SharedFilter;
use library::abi::divide;

use crate::filter::lately_filter;
use crate::handle::Handle;
use crate::shared::lately_shared;
use crate::status::lately_status;

/// Panics inside the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_panic(filter: *mut lately_filter) -> lately_status {
    // SAFETY: the caller's handle, alone.
    unsafe { lately_filter::change(filter, |_| panic!("on request")) }
}

/// Panics inside the shared handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_panic_shared(filter: *mut lately_shared) -> lately_status {
    // SAFETY: the caller's handle.
    unsafe { lately_shared::change(filter, |_| panic!("on request")) }
}

/// Divides the shared handle among its locks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_divide(filter: *mut lately_shared) -> lately_status {
    let body = |filter: &SharedFilter| {
        divide(filter);
        Ok(())
    };
    // SAFETY: the caller's handle.
    unsafe { lately_shared::change(filter, body) }
}
