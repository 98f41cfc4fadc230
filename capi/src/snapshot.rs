//! The options for loading a snapshot, and the bodies of the functions of snapshots.

use library::abi::Look;
use library::{Error, LoadOptions, Secret};

use crate::boundary::{Fault, boundary};
use crate::error::{explained, lately_error};
use crate::growing::{self, Growing};
use crate::handle::Handle;
use crate::pointers::{Out, OutBytes, slice};
use crate::status::lately_status;

/// `elapsed_ns`: unknown, as any number below 0; every filter refuses it.
pub const LATELY_ELAPSED_UNKNOWN: i64 = -1;

const _: () = assert!(LATELY_ELAPSED_UNKNOWN < 0);

/// The options for loading a snapshot, apart from bytes and elapsed time; 0 means "not given". Set `struct_size`
/// (LATELY_LOAD_OPTIONS_INIT does); later versions append fields and change none.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_load_options {
    /// sizeof(lately_load_options). A smaller one reads as 0 beyond its end.
    pub struct_size: usize,
    /// The most bytes that the cells may take, as `lately_options.memory` counts them; 0: no limit but the snapshot's own.
    /// For a window of time it becomes the permanent limit if it is lower than the saved one; `new_memory` can raise that.
    pub memory: u64,
    /// Of a keyed filter, required: low word of the secret, which no snapshot contains.
    pub secret_lo: u64,
    /// Of a keyed filter, required: high word of the secret.
    pub secret_hi: u64,
    /// Bytes that bind a filter with a window of time from now on in place of its own limit, less or more; UINT64_MAX: no
    /// limit. What was forgotten does not come back. Cells that take more already are LATELY_ERR_TOO_LARGE.
    pub new_memory: u64,
}

// SAFETY: size_t and integers, no padding, any bytes are a value.
unsafe impl Growing for lately_load_options {
    const NAME: &'static str = "lately_load_options";
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<lately_load_options>() == 5 * 8);

/// Reads the caller's struct into what the crate asks for.
///
/// # Safety
/// Unless it is NULL, `options` has `struct_size` initialised bytes.
unsafe fn load_options(elapsed_ns: i64, options: *const lately_load_options) -> Result<LoadOptions, Fault> {
    // SAFETY: the same promise.
    let c = unsafe { growing::read(options) }?;
    let mut loading = LoadOptions::after_ns(elapsed_ns)?;
    if c.memory != 0 {
        loading = loading.memory(c.memory);
    }
    if c.new_memory != 0 {
        loading = loading.new_memory(c.new_memory);
    }
    if (c.secret_lo, c.secret_hi) != (0, 0) {
        loading = loading.secret(Secret::new(c.secret_lo, c.secret_hi));
    }
    Ok(loading)
}

/// Reports the size of a snapshot: what was written, or, if the buffer was too short, what it needs.
fn report_size(written: &Out<usize>, result: Result<u64, Error>) -> Result<(), Fault> {
    let size = match &result {
        Ok(size) => Some(*size),
        Err(error) => error.needed(),
    };
    if let Some(size) = size {
        written.set(usize::try_from(size).map_err(|_| Fault::Length("the snapshot"))?);
    }
    result.map(drop).map_err(Fault::from)
}

/// Sets `options` to "nothing given", for a caller whose struct has `struct_size` bytes.
///
/// - `options` (out): not NULL.
/// - `struct_size` (in, bytes): sizeof(lately_load_options).
///
/// Status: LATELY_OK; LATELY_ERR_NULL; LATELY_ERR_STRUCT_SIZE, nothing is written then; LATELY_ERR_PANIC.
/// Ownership: none transferred. Threads: any, each with its own struct. Cost: one write of the struct. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_load_options_init(
    options: *mut lately_load_options,
    struct_size: usize,
) -> lately_status {
    // SAFETY: the caller's struct has `struct_size` bytes, as documented.
    boundary(|| unsafe { growing::init(options, struct_size) })
}

/// # Safety
/// As for the C functions: handle, places and bytes are as their comments say. So for all functions below.
pub unsafe fn size<H: Handle>(handle: *const H, size: *mut usize) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("size", size) }?;
        report_size(&out, Ok(filter.snapshot_size()))
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}

/// # Safety
/// As for [`size`].
pub unsafe fn write<H: Handle>(handle: *const H, buffer: *mut u8, len: usize, written: *mut usize) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("written", written) }?;
        // SAFETY: the same promise.
        let mut room = unsafe { OutBytes::new("buffer", buffer, len) }?;
        report_size(&out, filter.snapshot_into(len, &mut room))
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}

/// # Safety
/// As for [`size`].
pub unsafe fn load<H: Handle>(
    bytes: *const u8,
    len: usize,
    elapsed_ns: i64,
    options: *const lately_load_options,
    handle: *mut *mut H,
    error: *mut lately_error,
) -> lately_status {
    let body = || -> Result<(), Fault> {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("filter", handle) }?;
        // SAFETY: the same promise.
        let bytes = unsafe { slice("bytes", bytes, len) }?;
        // SAFETY: the same promise.
        let loading = unsafe { load_options(elapsed_ns, options) }?;
        out.set(H::load(bytes, &loading)?);
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { explained(error, body) }
}
