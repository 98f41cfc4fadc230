//! Structs that begin with their size, so that an older or newer caller and this library understand each other.

use std::mem::MaybeUninit;

use crate::boundary::Fault;

/// No version of any struct will be larger: a size above it is rubbish, and is not read up to.
const MOST: usize = 4096;

/// A struct of the ABI: `size_t struct_size` first, then integers, doubles and pointers without padding, so that any bytes,
/// zeros among them, are a value.
///
/// # Safety
/// The implementor is such a struct.
pub unsafe trait Growing: Copy {
    /// Its name in C.
    const NAME: &'static str;
}

/// The size that the caller gives.
///
/// # Safety
/// Unless it is NULL, `start` has an initialised `struct_size`.
pub unsafe fn size_of_callers<T: Growing>(start: *const T) -> Result<usize, Fault> {
    if start.is_null() {
        return Err(Fault::Null(T::NAME));
    }
    // SAFETY: not NULL, and every such struct begins with an initialised size_t.
    let have = unsafe { start.cast::<usize>().read() };
    expect_size::<T>(have).map(|()| have)
}

fn expect_size<T: Growing>(have: usize) -> Result<(), Fault> {
    if have >= size_of::<usize>() && have <= MOST && have % align_of::<T>() == 0 {
        return Ok(());
    }
    Err(Fault::Size { of: T::NAME, have, range: "its sizeof, a multiple of 8 up to 4096" })
}

/// The bytes of a struct.
fn bytes_of<T: Growing>(value: &T) -> &[u8] {
    // SAFETY: a struct without padding, so each of its bytes is initialised.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(value).cast(), size_of::<T>()) }
}

/// Reads a caller's struct: beyond its end there are zeros; what it has beyond ours must be 0.
///
/// # Safety
/// Unless it is NULL, `start` has `struct_size` initialised bytes.
pub unsafe fn read<T: Growing>(start: *const T) -> Result<T, Fault> {
    // SAFETY: the same promise.
    let have = unsafe { size_of_callers(start) }?;
    // SAFETY: not NULL, `have` bytes by the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), have) };
    if let Some(i) = bytes.iter().skip(size_of::<T>()).position(|&byte| byte != 0) {
        return Err(Fault::Dirty { of: T::NAME, byte: size_of::<T>() + i });
    }
    let mut known = MaybeUninit::<T>::zeroed();
    // SAFETY: both places have at least that many bytes, and one of them is ours alone.
    unsafe { known.as_mut_ptr().cast::<u8>().copy_from(bytes.as_ptr(), have.min(size_of::<T>())) };
    // SAFETY: any bytes are a value of such a struct.
    Ok(unsafe { known.assume_init() })
}

/// Writes as much of `value` as the caller's struct has room for, and zeros beyond ours; the size stays.
///
/// # Safety
/// Unless it is NULL, `start` has an initialised `struct_size` and that number of writable bytes.
pub unsafe fn write<T: Growing>(start: *mut T, value: &T) -> Result<(), Fault> {
    // SAFETY: the same promise.
    let have = unsafe { size_of_callers(start) }?;
    // SAFETY: the same promise, and not NULL.
    let room = unsafe { std::slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), have) };
    let bytes = bytes_of(value).iter().copied().chain(std::iter::repeat(0));
    room.iter_mut().zip(bytes).skip(size_of::<usize>()).for_each(|(to, from)| {
        to.write(from);
    });
    Ok(())
}

/// Makes the caller's struct of `size` bytes all zeros except its `struct_size`.
///
/// # Safety
/// Unless it is NULL, `start` has `size` writable bytes.
pub unsafe fn init<T: Growing>(start: *mut T, size: usize) -> Result<(), Fault> {
    if start.is_null() {
        return Err(Fault::Null(T::NAME));
    }
    expect_size::<T>(size)?;
    // SAFETY: not NULL, `size` bytes by the caller's promise.
    let room = unsafe { std::slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), size) };
    let bytes = size.to_ne_bytes().into_iter().chain(std::iter::repeat(0));
    room.iter_mut().zip(bytes).for_each(|(to, from)| {
        to.write(from);
    });
    Ok(())
}
