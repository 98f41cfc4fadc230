//! A panic on request, so that a test sees one become a status. In no released artefact and not in the header.

use crate::ffi::filter::lately_filter;
use crate::ffi::status::lately_status;

/// Panics inside the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_testing_panic(filter: *mut lately_filter) -> lately_status {
    // SAFETY: the caller's handle, alone.
    unsafe { lately_filter::alone(filter, |_| panic!("on request")) }
}
