//! Snapshots of `lately_filter`: a filter as bytes, and back.

use crate::error::Error;
use crate::ffi::boundary::{Fault, boundary};
use crate::ffi::error::{explained, lately_error};
use crate::ffi::filter::lately_filter;
use crate::ffi::growing::{self, Growing};
use crate::ffi::pointers::{Out, OutBytes, slice};
use crate::ffi::status::lately_status;
use crate::handle::Filter;
use crate::snapshot::LoadOptions;

/// `elapsed_ns`: it is not known how much time passed. Any number below 0 says so, and is an error where time counts
/// or not: a window must not stand still on disk.
pub const LATELY_ELAPSED_UNKNOWN: i64 = -1;

const _: () = assert!(LATELY_ELAPSED_UNKNOWN < 0);

/// What loading a snapshot may need beside its bytes and the time that passed; 0 means "not given". Set `struct_size`
/// (LATELY_LOAD_OPTIONS_INIT does); later versions append fields and change none.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_load_options {
    /// sizeof(lately_load_options). A smaller one reads as 0 beyond its end.
    pub struct_size: usize,
    /// The most bytes that the cells may take, as `lately_options.memory` counts them; 0: no limit but the snapshot's own.
    /// It binds a time-limited filter for ever, as its own `memory` does, of which the less counts.
    pub memory: u64,
    /// Of a keyed filter, required: low word of the secret, which no snapshot holds.
    pub secret_lo: u64,
    /// Of a keyed filter, required: high word of the secret.
    pub secret_hi: u64,
}

// SAFETY: size_t and integers, no padding, any bytes are a value.
unsafe impl Growing for lately_load_options {
    const NAME: &'static str = "lately_load_options";
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<lately_load_options>() == 4 * 8);

/// Reads the caller's struct into what the crate asks for.
///
/// # Safety
/// Unless it is NULL, `options` has as many initialised bytes as its `struct_size` says.
pub unsafe fn load_options(elapsed_ns: i64, options: *const lately_load_options) -> Result<LoadOptions, Fault> {
    // SAFETY: the same promise.
    let c = unsafe { growing::read(options) }?;
    let mut loading = LoadOptions::after_ns(elapsed_ns)?;
    if c.memory != 0 {
        loading = loading.memory(c.memory);
    }
    if (c.secret_lo, c.secret_hi) != (0, 0) {
        loading = loading.secret(c.secret_lo, c.secret_hi);
    }
    Ok(loading)
}

/// Writes the answer of a snapshot: the bytes that it took, or, if the room was too short, those that it takes.
pub fn tell_size(written: &Out<usize>, result: Result<u64, Error>) -> Result<(), Fault> {
    let size = match &result {
        Ok(size) => Some(*size),
        Err(error) => error.needed(),
    };
    if let Some(size) = size {
        written.set(usize::try_from(size).map_err(|_| Fault::Length("the snapshot"))?);
    }
    result.map(drop).map_err(Fault::from)
}

/// Fills `options` with "nothing given", for a caller whose struct has `struct_size` bytes.
///
/// - `options` (out): not NULL.
/// - `struct_size` (in, bytes): sizeof(lately_load_options).
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE, nothing is written then; LATELY_ERR_PANIC.
/// Ownership: the caller's. Threads: any, each with its own struct. Cost: one write of the struct. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_load_options_init(
    options: *mut lately_load_options,
    struct_size: usize,
) -> lately_status {
    // SAFETY: the caller's struct has `struct_size` bytes, as documented.
    boundary(|| unsafe { growing::init(options, struct_size) })
}

/// Bytes of the snapshot of the filter as it is. A time-limited filter grows and shrinks: its next call may change it.
///
/// - `filter` (in): not NULL.
/// - `size` (out, bytes): not NULL; written only on LATELY_OK.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: nothing passes. Threads: at once with other const calls on this handle. Cost: a few reads. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_size(filter: *const lately_filter, size: *mut usize) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("size", size) }?;
        tell_size(&out, Ok(filter.snapshot_size()))
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// Writes the filter as bytes that every language and machine reads alike; docs/FORMAT.md describes them. The same
/// state gives the same bytes, but for the present reading of a system clock. No secret is among them: keep that of a
/// keyed filter (`lately_filter_secret`), and the moment of writing, to tell how much time passed until loading.
///
/// - `filter` (in): not NULL.
/// - `buffer` (out): room for `len` bytes; NULL only if `len` is 0; written only on LATELY_OK.
/// - `len` (in, bytes): at least `lately_filter_snapshot_size`; what is more is left as it is.
/// - `written` (out, bytes): not NULL; the size of the snapshot, written also on LATELY_ERR_SHORT_BUFFER.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_OFFSETS if no memory has `len` bytes; LATELY_ERR_SHORT_BUFFER;
/// LATELY_ERR_POISONED; LATELY_ERR_PANIC.
/// Ownership: the buffer stays the caller's. Threads: at once with other const calls on this handle. Cost: a copy of the
/// filter's memory, and a checksum. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_write(
    filter: *const lately_filter,
    buffer: *mut u8,
    len: usize,
    written: *mut usize,
) -> lately_status {
    let body = |filter: &Filter| {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("written", written) }?;
        // SAFETY: and so is the buffer.
        let mut room = unsafe { OutBytes::new("buffer", buffer, len) }?;
        tell_size(&out, filter.snapshot_into(len, &mut room))
    };
    // SAFETY: the caller's handle, unchanging, as documented.
    unsafe { lately_filter::together(filter, body) }
}

/// Makes a filter of the bytes of a snapshot. It goes on as the one that was written would have: a manual clock from
/// its tick + `elapsed_ns`, a system clock with every age grown by `elapsed_ns`. Any bytes give a filter or a status,
/// whatever they are, and never more memory than `options->memory` allows: the cells, and beside them tables of no more
/// than that or 64 KiB.
///
/// - `bytes` (in): the snapshot, whole and alone; NULL only if `len` is 0.
/// - `len` (in, bytes): its size.
/// - `elapsed_ns` (in, ns): the time that passed since it was written. 0 is right where the ticks themselves tell what
///   passed. A filter without a window of time takes any, and is not changed by it.
/// - `options` (in): not NULL; LATELY_LOAD_OPTIONS_INIT, and what is to be said.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE for either struct; LATELY_ERR_OFFSETS if no memory has
/// `len` bytes; LATELY_ERR_ELAPSED if `elapsed_ns` is below 0 or no tick is so late; LATELY_ERR_MAGIC;
/// LATELY_ERR_VERSION; LATELY_ERR_CHECKSUM; LATELY_ERR_CORRUPT, also if bytes are missing or left over;
/// LATELY_ERR_SECRET if the filter is keyed and the secret is missing or another, or if it is not keyed and there is
/// one; LATELY_ERR_TOO_LARGE, and `error->message` says what it needs; LATELY_ERR_NO_MEMORY; LATELY_ERR_PANIC.
/// Ownership: the bytes are read and not kept; the handle is the caller's, to be given to `lately_filter_free` once.
/// Threads: any. Cost: two checksums, a copy, and a count of all cells. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_load(
    bytes: *const u8,
    len: usize,
    elapsed_ns: i64,
    options: *const lately_load_options,
    filter: *mut *mut lately_filter,
    error: *mut lately_error,
) -> lately_status {
    let body = || {
        // SAFETY: the caller's place is as documented.
        let out = unsafe { Out::new("filter", filter) }?;
        // SAFETY: and so are the bytes.
        let bytes = unsafe { slice("bytes", bytes, len) }?;
        // SAFETY: and the struct of its stated size.
        let loading = unsafe { load_options(elapsed_ns, options) }?;
        out.set(lately_filter::boxed(Filter::load(bytes, &loading)?));
        Ok(())
    };
    // SAFETY: the caller's struct has the size that it states.
    unsafe { explained(error, body) }
}
