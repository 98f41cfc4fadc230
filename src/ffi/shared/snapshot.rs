//! Snapshots of `lately_shared`: the bytes of `lately_filter`, for either handle.

use crate::ffi::boundary::Fault;
use crate::ffi::error::{explained, lately_error};
use crate::ffi::pointers::{Out, OutBytes, slice};
use crate::ffi::shared::lately_shared;
use crate::ffi::snapshot::{lately_load_options, load_options, tell_size};
use crate::ffi::status::lately_status;
use crate::shared::SharedFilter;

/// Bytes of the snapshot of the filter as it is now. A time-limited filter grows and shrinks: the calls of other threads
/// may change it before this one writes.
///
/// - `filter` (in): not NULL.
/// - `size` (out, bytes): not NULL; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: any, at once. Cost: all locks, O(slices). Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_snapshot_size(filter: *const lately_shared, size: *mut usize) -> lately_status {
    let body = |filter: &SharedFilter| {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("size", size) }?;
        tell_size(&out, Ok(filter.snapshot_size()))
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// Writes the filter as bytes, those of `lately_filter_snapshot_write`: a snapshot of either handle loads into either.
/// Every call that returned before this one began is in them, and none that begins after it; of those that run beside
/// it, each is in them whole or not at all, a batch key by key.
///
/// - `filter` (in): not NULL.
/// - `buffer` (out): room for `len` bytes; NULL only if `len` is 0; written only on LATELY_OK.
/// - `len` (in, bytes): at least `lately_shared_snapshot_size`; what is more is left as it is.
/// - `written` (out, bytes): not NULL; the size of the snapshot, written also on LATELY_ERR_SHORT_BUFFER: a time-limited
///   filter may have grown since its size was asked for. Make more room, and try again.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_SHORT_BUFFER;
/// LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the buffer stays the caller's. Threads: any, at once. Cost: all locks while the filter's memory is copied
/// and a checksum made of it. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_snapshot_write(
    filter: *const lately_shared,
    buffer: *mut u8,
    len: usize,
    written: *mut usize,
) -> lately_status {
    let body = |filter: &SharedFilter| {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("written", written) }?;
        // SAFETY: and so is the buffer.
        let mut room = unsafe { OutBytes::new("buffer", buffer, len) }?;
        tell_size(&out, filter.snapshot_into(len, &mut room))
    };
    // SAFETY: the caller's handle, as documented.
    unsafe { lately_shared::with(filter, body) }
}

/// Makes a shared filter of the bytes of a snapshot of either handle, by the rules of `lately_filter_load`.
///
/// - `bytes` (in): the snapshot, whole and alone; NULL only if `len` is 0.
/// - `len` (in, bytes): its size.
/// - `elapsed_ns` (in, ns): the time that passed since it was written, as for `lately_filter_load`.
/// - `options` (in): not NULL; LATELY_LOAD_OPTIONS_INIT, and what is to be said.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: those of `lately_filter_load`; LATELY_ERR_TOO_LARGE also if what happens under the 64 locks takes more than
/// `options->memory` and more than 2 MiB: rows of four thousand cells and more do.
/// Ownership: the bytes are read and not kept; the handle has one holder, the caller, who gives it to
/// `lately_shared_free` once. Threads: any. Cost: that of `lately_filter_load`, and that of 64 locks. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_load(
    bytes: *const u8,
    len: usize,
    elapsed_ns: i64,
    options: *const lately_load_options,
    filter: *mut *mut lately_shared,
    error: *mut lately_error,
) -> lately_status {
    let body = || -> Result<(), Fault> {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("filter", filter) }?;
        // SAFETY: and so are the bytes.
        let bytes = unsafe { slice("bytes", bytes, len) }?;
        // SAFETY: and the struct of its stated size.
        let loading = unsafe { load_options(elapsed_ns, options) }?;
        out.set(lately_shared::counted(SharedFilter::load(bytes, &loading)?));
        Ok(())
    };
    // SAFETY: the caller's struct has the size that it states.
    unsafe { explained(error, body) }
}
