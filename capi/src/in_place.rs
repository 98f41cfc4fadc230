//! Keys where they lie: arrays of slices, and columns in the layout of Apache Arrow.

use std::ffi::c_void;

use library::{Column, Offsets, Validity};

use crate::boundary::Fault;
use crate::growing::{self, Growing};
use crate::pointers::slice;

/// A key where it lies. The shape of POSIX's `struct iovec`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_slice {
    /// Its first byte; NULL only if `len` is 0.
    pub data: *const c_void,
    /// How many bytes.
    pub len: usize,
}

/// A key that was found to be there.
#[repr(transparent)]
pub struct Present(lately_slice);

impl AsRef<[u8]> for Present {
    fn as_ref(&self) -> &[u8] {
        if self.0.len == 0 {
            return &[];
        }
        // SAFETY: only `slices` makes such a value, of a key that is not NULL and no longer than memory can be, and whose
        // bytes the caller keeps for the call.
        unsafe { std::slice::from_raw_parts(self.0.data.cast(), self.0.len) }
    }
}

/// The keys of an array, each of which is there.
///
/// # Safety
/// Unless it is NULL, `keys` has `n` initialised slices, and each that is not NULL has its `len` bytes, during `'a`.
pub unsafe fn slices<'a>(keys: *const lately_slice, n: usize) -> Result<&'a [Present], Fault> {
    // SAFETY: the same promise; a `Present` is a `lately_slice` and nothing else.
    let keys: &[Present] = unsafe { slice("keys", keys.cast(), n) }?;
    match keys.iter().find_map(|key| fault_of(key.0)) {
        Some(fault) => Err(fault),
        None => Ok(keys),
    }
}

fn fault_of(key: lately_slice) -> Option<Fault> {
    match key.len {
        0 => None,
        _ if key.data.is_null() => Some(Fault::Null("data of a key")),
        len => isize::try_from(len).is_err().then_some(Fault::Length("a key")),
    }
}

/// A column of `n` keys in the layout of Apache Arrow's binary and string arrays. Set `struct_size` (LATELY_COLUMN_INIT
/// does); later versions append fields and change none.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_column {
    /// sizeof(lately_column). A smaller one reads as 0 beyond its end.
    pub struct_size: usize,
    /// The buffer of values; NULL only if `bytes_len` is 0.
    pub bytes: *const c_void,
    /// Its size in bytes.
    pub bytes_len: usize,
    /// `n` + 1 numbers of type int32_t or int64_t, aligned for it: not below 0, not decreasing, none beyond `bytes_len`. Key i
    /// is the bytes from number i up to, not including, number i + 1. The first number need not be 0. If the array has an
    /// offset, the caller adds it here.
    pub offsets: *const c_void,
    /// The bitmap of present keys, the lowest bit of a byte first: key i is absent if bit `validity_offset` + i is 0. NULL if
    /// all keys are present.
    pub validity: *const u8,
    /// The bit of key 0.
    pub validity_offset: usize,
    /// Bits of an offset: 32 or 64.
    pub offset_bits: u32,
    /// Must be 0.
    pub reserved: u32,
}

// SAFETY: size_t, pointers and integers, no padding, any bytes are a value.
unsafe impl Growing for lately_column {
    const NAME: &'static str = "lately_column";
}

/// The caller's column of `n` keys.
///
/// # Safety
/// Unless it is NULL, `column` has `struct_size` initialised bytes, and its buffers are as its comments
/// say during `'a`.
pub unsafe fn column<'a>(column: *const lately_column, n: usize) -> Result<Column<'a>, Fault> {
    // SAFETY: the same promise.
    let c = unsafe { growing::read(column) }?;
    if c.reserved != 0 {
        return Err(Fault::Option { name: "lately_column.reserved", value: c.reserved, range: "0" });
    }
    // SAFETY: the same promise.
    let offsets = unsafe { c.offsets(n) }?;
    // SAFETY: the same promise.
    let validity = unsafe { c.validity(n) }?;
    // SAFETY: the same promise.
    let bytes = unsafe { slice("bytes", c.bytes.cast(), c.bytes_len) }?;
    Ok(Column { bytes, offsets, validity })
}

impl lately_column {
    /// # Safety
    /// As for [`column`].
    unsafe fn offsets<'a>(&self, n: usize) -> Result<Offsets<'a>, Fault> {
        let count = n.checked_add(1).ok_or(Fault::Length("offsets"))?;
        match self.offset_bits {
            // SAFETY: the same promise.
            32 => unsafe { aligned(self.offsets.cast(), count) }.map(Offsets::I32),
            // SAFETY: the same promise.
            64 => unsafe { aligned(self.offsets.cast(), count) }.map(Offsets::I64),
            value => Err(Fault::Option { name: "lately_column.offset_bits", value, range: "32 or 64" }),
        }
    }

    /// # Safety
    /// As for [`column`].
    unsafe fn validity<'a>(&self, n: usize) -> Result<Option<Validity<'a>>, Fault> {
        if self.validity.is_null() {
            return Ok(None);
        }
        let bits = self.validity_offset.checked_add(n).ok_or(Fault::Length("validity"))?;
        // SAFETY: the same promise: the bitmap has a bit for each key.
        let bits = unsafe { slice("validity", self.validity, bits.div_ceil(8)) }?;
        Ok(Some(Validity { bits, offset: self.validity_offset }))
    }
}

/// Numbers whose type C does not know, so that no compiler saw to their alignment.
///
/// # Safety
/// As for [`slice`], except for the alignment.
unsafe fn aligned<'a, T>(start: *const T, count: usize) -> Result<&'a [T], Fault> {
    if !start.is_aligned() {
        return Err(Fault::Unaligned("offsets"));
    }
    // SAFETY: the same promise, and aligned.
    unsafe { slice("offsets", start, count) }
}
