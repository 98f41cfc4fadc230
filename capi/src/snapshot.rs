//! Snapshots: a filter as bytes, whole or in pieces, and a filter from them.

use std::ffi::c_void;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use library::abi::of_stream;
use library::{Error, Filter, LoadOptions, Secret};

use crate::boundary::{Fault, boundary};
use crate::error::{explained, lately_error};
use crate::growing::{Growing, In, Out};
use crate::handle::{Of, lately_filter, look, making};
use crate::pointers::{OutBytes, place, room, slice};
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
fn load_options(elapsed_ns: i64, options: In<lately_load_options>) -> Result<LoadOptions, Fault> {
    let c = options.read()?;
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
fn report_size(written: &mut MaybeUninit<usize>, result: Result<u64, Error>) -> Result<(), Fault> {
    let size = match &result {
        Ok(size) => Some(*size),
        Err(error) => error.needed(),
    };
    if let Some(size) = size {
        written.write(usize::try_from(size).map_err(|_| Fault::Length("the snapshot"))?);
    }
    result.map(drop).map_err(Fault::from)
}

/// As `lately_options_init`, for the options of loading.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_load_options_init(
    options: Out<lately_load_options>,
    struct_size: usize,
) -> lately_status {
    boundary(|| options.init(struct_size))
}

/// Returns the size of the filter's snapshot. The next call may change it: a window of time grows and shrinks.
///
/// - `size` (out, bytes): not NULL; written only on LATELY_OK.
///
/// Cost: O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_size(
    filter: Option<&lately_filter>,
    size: Option<&mut MaybeUninit<usize>>,
) -> lately_status {
    look!(filter, |filter| report_size(place("size", size)?, Ok(filter.snapshot_size())))
}

/// Writes the filter as bytes that every language and machine reads alike (docs/reference/format.md). The same state
/// gives the same bytes, except for the present reading of a system clock. They contain no secret: keep that of a keyed
/// filter (`lately_filter_secret`), and the time of writing, to know at loading how much time has passed.
///
/// - `buffer` (out): room for `len` bytes; NULL only if `len` is 0; written only on LATELY_OK.
/// - `len` (in, bytes): at least `lately_filter_snapshot_size`; bytes beyond the snapshot are left as they are.
/// - `written` (out, bytes): not NULL; the size of the snapshot, written also on LATELY_ERR_SHORT_BUFFER.
///
/// Status: LATELY_ERR_SHORT_BUFFER.
/// Cost: a copy of the filter's memory, and a checksum.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_write(
    filter: Option<&lately_filter>,
    buffer: *mut c_void,
    len: usize,
    written: Option<&mut MaybeUninit<usize>>,
) -> lately_status {
    look!(filter, |filter| {
        let written = place("written", written)?;
        // SAFETY: the caller's room.
        let mut buffer = OutBytes(unsafe { room("buffer", buffer.cast(), len) }?);
        report_size(written, filter.snapshot_into(len, &mut buffer))
    })
}

/// Takes the next `len` bytes of a snapshot; returns `len`, or anything else if it failed. `context` is what the caller passed. It
/// must not call the handle, and must return.
pub type lately_writer = Option<unsafe extern "C" fn(context: *mut c_void, bytes: *const c_void, len: usize) -> usize>;

/// Gives up to `len` of the next bytes of a snapshot; returns how many, 0 at their end, or more than `len` if it
/// failed. `context` is what the caller passed. It must not call the handle, and must return.
pub type lately_reader = Option<unsafe extern "C" fn(context: *mut c_void, buffer: *mut c_void, len: usize) -> usize>;

/// A function of the caller's, and what it gets.
struct Pieces<F> {
    function: F,
    context: *mut c_void,
}

impl Write for Pieces<unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> usize> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the caller's function, with its own context and bytes that are there.
        match unsafe { (self.function)(self.context, bytes.as_ptr().cast(), bytes.len()) } {
            n if n == bytes.len() => Ok(n),
            _ => Err(io::Error::other("the writer failed")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Pieces<unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> usize> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the caller's function, with its own context and room that is there.
        match unsafe { (self.function)(self.context, room.as_mut_ptr().cast(), room.len()) } {
            n if n <= room.len() => Ok(n),
            _ => Err(io::Error::other("the reader failed")),
        }
    }
}

/// As `lately_filter_snapshot_write`, in pieces: no memory for the whole is needed, except for a copy of a filter for
/// many threads.
///
/// - `writer` (in): not NULL; gets the bytes in order, a few KiB at a time or fewer.
/// - `context` (in): anything, for `writer`.
///
/// Status: also LATELY_ERR_IO if the writer failed; LATELY_ERR_NO_MEMORY without memory for the copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_snapshot_pieces(
    filter: Option<&lately_filter>,
    writer: lately_writer,
    context: *mut c_void,
) -> lately_status {
    look!(filter, |filter| {
        let pieces = Pieces { function: writer.ok_or(Fault::Null("writer"))?, context };
        filter.write_snapshot(pieces).map_err(of_stream)?;
        Ok(())
    })
}

/// The filter of the bytes.
fn whole(
    (bytes, len): (*const c_void, usize),
    elapsed_ns: i64,
    options: In<lately_load_options>,
) -> Result<Filter, Fault> {
    // SAFETY: unless they are NULL, the caller has `len` readable bytes there.
    let bytes = unsafe { slice("bytes", bytes.cast::<u8>(), len) }?;
    Ok(Filter::load(bytes, &load_options(elapsed_ns, options)?)?)
}

/// The filter of the bytes that a reader gives.
fn from_pieces(
    pieces: Pieces<lately_reader>,
    elapsed_ns: i64,
    options: In<lately_load_options>,
) -> Result<Filter, Fault> {
    let pieces = Pieces { function: pieces.function.ok_or(Fault::Null("reader"))?, context: pieces.context };
    Ok(Filter::read_snapshot(pieces, &load_options(elapsed_ns, options)?).map_err(of_stream)?)
}

/// Makes a filter from the bytes of a snapshot, of any handle, for one owner at a time. It continues where the original
/// stopped: a manual clock at its tick + `elapsed_ns`, a system clock with every age grown by `elapsed_ns`. Any bytes
/// give a filter or a status, and never more memory than `options->memory` allows: that much for the cells, and as much
/// again, or 64 KiB, for tables.
///
/// - `bytes` (in): the snapshot, whole and alone; NULL only if `len` is 0.
/// - `len` (in, bytes): its size.
/// - `elapsed_ns` (in, ns): the time that passed since it was written. Use 0 where the ticks themselves show what
///   passed. A filter without a window of time ignores it, unless it is below 0.
/// - `options` (in): not NULL; LATELY_LOAD_OPTIONS_INIT, and whatever is to be set.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_ERR_ELAPSED if `elapsed_ns` is below 0 or leads past the last tick; LATELY_ERR_MAGIC;
/// LATELY_ERR_VERSION; LATELY_ERR_CHECKSUM; LATELY_ERR_CORRUPT, also if bytes are missing or left over;
/// LATELY_ERR_SECRET if the filter is keyed and the secret is missing or wrong, or if it is not keyed and there is one;
/// LATELY_ERR_TOO_LARGE, `error->message` then names the bytes that it needs; LATELY_ERR_NO_MEMORY.
/// Ownership: the bytes are not kept; the caller owns the handle and passes it to `lately_filter_free` once.
/// Cost: two checksums, a copy, and a count of all cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_load(
    bytes: *const c_void,
    len: usize,
    elapsed_ns: i64,
    options: In<lately_load_options>,
    filter: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
    error: Out<lately_error>,
) -> lately_status {
    explained(error, || making(filter, "filter", || Ok(Of::own(whole((bytes, len), elapsed_ns, options)?))))
}

/// As `lately_filter_load`, for any number of threads at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_load(
    bytes: *const c_void,
    len: usize,
    elapsed_ns: i64,
    options: In<lately_load_options>,
    filter: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
    error: Out<lately_error>,
) -> lately_status {
    explained(error, || making(filter, "filter", || Ok(Of::shared(whole((bytes, len), elapsed_ns, options)?)?)))
}

/// As `lately_filter_load`, from pieces, which are read up to the last byte of the snapshot and no further, straight
/// into the cells.
///
/// - `reader` (in): not NULL; is asked for few bytes at a time: a FILE of C buffers them.
/// - `context` (in): anything, for `reader`.
///
/// Status: also LATELY_ERR_IO if the reader failed. The checksum comes last: changed bytes may have been found CORRUPT
/// or TOO_LARGE before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_load_pieces(
    reader: lately_reader,
    context: *mut c_void,
    elapsed_ns: i64,
    options: In<lately_load_options>,
    filter: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
    error: Out<lately_error>,
) -> lately_status {
    let pieces = Pieces { function: reader, context };
    explained(error, || making(filter, "filter", || Ok(Of::own(from_pieces(pieces, elapsed_ns, options)?))))
}

/// As `lately_filter_load_pieces`, for any number of threads at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_load_pieces(
    reader: lately_reader,
    context: *mut c_void,
    elapsed_ns: i64,
    options: In<lately_load_options>,
    filter: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
    error: Out<lately_error>,
) -> lately_status {
    let pieces = Pieces { function: reader, context };
    explained(error, || making(filter, "filter", || Ok(Of::shared(from_pieces(pieces, elapsed_ns, options)?)?)))
}
