//! What a test makes happen on request: a panic, to see it become a status, and a filter that is divided among its locks
//! without threads that meet. In no released artefact and not in the header.

use std::ptr::NonNull;

use library::abi::divide;

use crate::boundary::Fault;
use crate::handle::{Of, change, guard, lately_filter, no_handle};
use crate::status::lately_status;

/// Panics inside the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_panic(filter: Option<NonNull<lately_filter>>) -> lately_status {
    change!(filter, |filter| {
        let _ = filter;
        panic!("on request")
    })
}

/// Divides a filter for many threads among its locks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_divide(filter: Option<&lately_filter>) -> lately_status {
    let Some(handle) = filter else { return no_handle() };
    guard(handle, |of| match of {
        Of::Shared { filter, .. } => {
            divide(filter);
            Ok(())
        }
        Of::Own(_) => Err(Fault::OneOwner),
    })
}
