//! Pointers from C: checked before anything is formed from them. A place for one answer needs no more than its type,
//! `Option<&mut MaybeUninit<T>>`: NULL is `None`, and what was there is never read.

use std::io::{self, Write};
use std::mem::MaybeUninit;

use crate::boundary::Fault;

/// A place for one answer, as C hands it over.
pub type Place<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// The place, or the fault that there is none.
#[inline(always)]
pub fn place<'a, T>(what: &'static str, place: Place<'a, T>) -> Result<&'a mut MaybeUninit<T>, Fault> {
    place.ok_or(Fault::Null(what))
}

/// A slice that C describes by a pointer and a count; NULL only with a count of 0.
///
/// # Safety
/// Unless it is NULL, `start` has `len` initialised and aligned values that are not written during `'a`.
#[inline(always)]
pub unsafe fn slice<'a, T>(what: &'static str, start: *const T, len: usize) -> Result<&'a [T], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(Fault::Null(what));
    }
    expect_size::<T>(what, len)?;
    // SAFETY: not NULL, no longer than memory can be, and the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(start, len) })
}

/// Room for `len` answers, which C need not have initialised; NULL only with a count of 0.
///
/// # Safety
/// Unless it is NULL, `start` has room for `len` values, which nobody else uses during `'a`.
#[inline(always)]
pub unsafe fn room<'a, T>(what: &'static str, start: *mut T, len: usize) -> Result<&'a mut [MaybeUninit<T>], Fault> {
    if len == 0 {
        return Ok(&mut []);
    }
    if start.is_null() {
        return Err(Fault::Null(what));
    }
    expect_size::<T>(what, len)?;
    // SAFETY: not NULL, no longer than memory can be, and the rest is the caller's promise; any bytes are a MaybeUninit.
    Ok(unsafe { std::slice::from_raw_parts_mut(start.cast(), len) })
}

/// The bytes of a key, `$start` and `$len` as C hands them over.
macro_rules! key {
    ($start:expr, $len:expr) => {
        // SAFETY: unless it is NULL, the key has `len` readable bytes, as the header asks for.
        unsafe { $crate::pointers::slice("key", $start.cast::<u8>(), $len) }?
    };
}

pub(crate) use key;

/// Bytes written one after the other into room that C gives.
#[derive(Debug)]
pub struct OutBytes<'a>(pub &'a mut [MaybeUninit<u8>]);

impl Write for OutBytes<'_> {
    /// As many as there is room for.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.0.len());
        let (now, later) = std::mem::take(&mut self.0).split_at_mut(n);
        now.iter_mut().zip(bytes).for_each(|(to, from)| {
            to.write(*from);
        });
        self.0 = later;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No array is larger than `isize::MAX` bytes, and a slice of more would be undefined.
#[inline(always)]
pub fn expect_size<T>(what: &'static str, len: usize) -> Result<(), Fault> {
    match len.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Fault::Length(what)),
    }
}
