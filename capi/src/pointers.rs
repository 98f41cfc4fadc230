//! Pointers from C: checked before anything is formed from them.

use std::io::{self, Write};

use crate::boundary::Fault;

/// A slice that C describes by a pointer and a count; NULL only with a count of 0.
///
/// # Safety
/// Unless it is NULL, `start` has `len` initialised and aligned values that are not written during `'a`.
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

/// A place for one answer: not NULL, written only by [`Out::set`].
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Checks that there is a place.
    ///
    /// # Safety
    /// Unless it is NULL, `place` can be written while this value lives.
    pub unsafe fn new(what: &'static str, place: *mut T) -> Result<Self, Fault> {
        if place.is_null() { Err(Fault::Null(what)) } else { Ok(Self(place)) }
    }

    /// Writes the answer, over whatever was there.
    pub fn set(&self, value: T) {
        // SAFETY: not NULL and writable, by the promise of `new`; `write` reads nothing and drops nothing.
        unsafe { self.0.write(value) }
    }
}

/// Room for `len` answers, which C need not have initialised; NULL only if there are none.
#[derive(Debug)]
pub struct OutArray<T> {
    start: *mut T,
    len: usize,
}

impl<T> OutArray<T> {
    /// Checks that there is room.
    ///
    /// # Safety
    /// Unless it is NULL, `start` has room for `len` values while this value lives.
    pub unsafe fn new(what: &'static str, start: *mut T, len: usize) -> Result<Self, Fault> {
        if len > 0 && start.is_null() {
            return Err(Fault::Null(what));
        }
        expect_size::<T>(what, len)?;
        Ok(Self { start, len })
    }

    /// Writes answer `i`.
    pub fn set(&self, i: usize, value: T) {
        assert!(i < self.len, "answer {i} of {}", self.len);
        // SAFETY: `i` is below the length that `new` was promised room for.
        let place = unsafe { self.start.add(i) };
        // SAFETY: inside that room; `write` reads nothing and drops nothing.
        unsafe { place.write(value) }
    }
}

/// Room for bytes, which C need not have initialised, written one after the other.
#[derive(Debug)]
pub struct OutBytes {
    room: OutArray<u8>,
    done: usize,
}

impl OutBytes {
    /// Checks that there is room.
    ///
    /// # Safety
    /// Unless it is NULL, `start` has room for `len` bytes while this value lives.
    pub unsafe fn new(what: &'static str, start: *mut u8, len: usize) -> Result<Self, Fault> {
        // SAFETY: the same promise.
        let room = unsafe { OutArray::new(what, start, len) }?;
        Ok(Self { room, done: 0 })
    }
}

impl Write for OutBytes {
    /// As many as there is room for.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.room.len - self.done);
        // SAFETY: no more than `len` bytes from the start, for all of which `new` was promised room.
        let place = unsafe { self.room.start.add(self.done) };
        // SAFETY: `n` bytes are left there, and no slice of ours lies in the caller's room.
        unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), n) };
        self.done += n;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No array is larger than `isize::MAX` bytes, and a slice of more would be undefined.
fn expect_size<T>(what: &'static str, len: usize) -> Result<(), Fault> {
    match len.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Fault::Length(what)),
    }
}
