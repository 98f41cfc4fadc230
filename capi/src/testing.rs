//! A panic on request, so that a test sees one become a status. In no released artefact and not in the header.

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
