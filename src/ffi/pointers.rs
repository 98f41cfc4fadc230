//! Pointers from C: checked before anything is formed from them.

use crate::ffi::boundary::Fault;

/// A slice that C describes by a pointer and a count; NULL only with a count of 0.
///
/// # Safety
/// Unless it is NULL, `start` has `len` initialised and aligned values that nobody writes during `'a`.
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

/// No array is larger than `isize::MAX` bytes, and a slice of more would be undefined.
fn expect_size<T>(what: &'static str, len: usize) -> Result<(), Fault> {
    match len.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Fault::Length(what)),
    }
}
