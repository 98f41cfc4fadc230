//! Snapshots of `lately_filter`.

use std::ffi::c_void;

use crate::error::lately_error;
use crate::filter::lately_filter;
use crate::snapshot::{self, lately_load_options};
use crate::status::lately_status;

/// Returns the size of the filter's snapshot. The next call may change it: a window of time grows and shrinks.
///
/// - `filter` (in): not NULL.
/// - `size` (out, bytes): not NULL; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: concurrently with other const calls on the handle. Cost: O(1).
/// Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_size(filter: *const lately_filter, size: *mut usize) -> lately_status {
    snapshot::size(filter, size)
}

/// Writes the filter as bytes that every language and machine reads alike (docs/reference/format.md). The same
/// state gives the same bytes, except for the present reading of a system clock. They contain no secret: keep that of a
/// keyed filter (`lately_filter_secret`), and the time of writing, to know at loading how much time has passed.
///
/// - `filter` (in): not NULL.
/// - `buffer` (out): room for `len` bytes; NULL only if `len` is 0; written only on LATELY_OK.
/// - `len` (in, bytes): at least `lately_filter_snapshot_size`; bytes beyond the snapshot are left as they are.
/// - `written` (out, bytes): not NULL; the size of the snapshot, written also on LATELY_ERR_SHORT_BUFFER.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if `len` exceeds the address space; LATELY_ERR_SHORT_BUFFER;
/// LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the buffer is not kept. Threads: concurrently with other const calls on the handle. Cost: a copy of the
/// filter's memory, and a checksum. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_write(
    filter: *const lately_filter,
    buffer: *mut c_void,
    len: usize,
    written: *mut usize,
) -> lately_status {
    snapshot::write(filter, buffer.cast(), len, written)
}

/// Makes a filter from the bytes of a snapshot. It continues where the original stopped: a manual clock at its tick +
/// `elapsed_ns`, a system clock with every age grown by `elapsed_ns`. Any bytes give a filter or a status, and never
/// more memory than `options->memory` allows: that much for the cells, and as much again, or 64 KiB, for tables.
///
/// - `bytes` (in): the snapshot, whole and alone; NULL only if `len` is 0.
/// - `len` (in, bytes): its size.
/// - `elapsed_ns` (in, ns): the time that passed since it was written. Use 0 where the ticks themselves show what
///   passed. A filter without a window of time ignores it, unless it is below 0.
/// - `options` (in): not NULL; LATELY_LOAD_OPTIONS_INIT, and whatever is to be set.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE for either struct; LATELY_ERR_OFFSETS if `len` exceeds the
/// address space; LATELY_ERR_ELAPSED if `elapsed_ns` is below 0 or leads past the last tick; LATELY_ERR_MAGIC;
/// LATELY_ERR_VERSION; LATELY_ERR_CHECKSUM; LATELY_ERR_CORRUPT, also if bytes are missing or left over;
/// LATELY_ERR_SECRET if the filter is keyed and the secret is missing or wrong, or if it is not keyed and there is
/// one; LATELY_ERR_TOO_LARGE, `error->message` then names the bytes that it needs; LATELY_ERR_NO_MEMORY; LATELY_ERR_PANIC.
/// Ownership: the bytes are not kept; the caller owns the handle and passes it to `lately_filter_free` once.
/// Threads: any. Cost: two checksums, a copy, and a count of all cells. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_load(
    bytes: *const c_void,
    len: usize,
    elapsed_ns: i64,
    options: *const lately_load_options,
    filter: *mut *mut lately_filter,
    error: *mut lately_error,
) -> lately_status {
    snapshot::load(bytes.cast(), len, elapsed_ns, options, filter, error)
}
