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

/// A caller's struct that is read, as the header asks for: NULL, or `struct_size` initialised bytes. Only C has one to give.
///
/// cbindgen:transparent-typedef
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct In<T>(*const T);

/// A caller's struct that is written, as the header asks for: NULL, or writable bytes that begin with their number.
///
/// cbindgen:transparent-typedef
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T: Growing> In<T> {
    /// The size that the caller gives.
    fn size(self) -> Result<usize, Fault> {
        if self.0.is_null() {
            return Err(Fault::Null(T::NAME));
        }
        // SAFETY: not NULL, and every such struct begins with an initialised size_t.
        let have = unsafe { self.0.cast::<usize>().read() };
        expect_size::<T>(have).map(|()| have)
    }

    /// The struct: beyond its end there are zeros; what it has beyond ours must be 0.
    pub fn read(self) -> Result<T, Fault> {
        let have = self.size()?;
        // SAFETY: not NULL, `have` bytes by the caller's promise.
        let bytes = unsafe { std::slice::from_raw_parts(self.0.cast::<u8>(), have) };
        if let Some(i) = bytes.iter().skip(size_of::<T>()).position(|&byte| byte != 0) {
            return Err(Fault::Dirty { of: T::NAME, byte: size_of::<T>() + i });
        }
        let mut known = MaybeUninit::<T>::zeroed();
        // SAFETY: both places have at least that many bytes, and one of them is ours alone.
        unsafe { known.as_mut_ptr().cast::<u8>().copy_from(bytes.as_ptr(), have.min(size_of::<T>())) };
        // SAFETY: any bytes are a value of such a struct.
        Ok(unsafe { known.assume_init() })
    }

    /// The struct where it lies, if it is of this version and aligned.
    pub fn as_known(&self) -> Option<&T> {
        let is_known = !self.0.is_null() && self.0.is_aligned() && self.size().is_ok_and(|have| have == size_of::<T>());
        // SAFETY: not NULL, aligned, all its bytes are there by the caller's promise, and any bytes are a value.
        is_known.then(|| unsafe { &*self.0 })
    }
}

impl<T: Growing> Out<T> {
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The size that the caller gives.
    pub fn size(self) -> Result<usize, Fault> {
        In(self.0).size()
    }

    /// The struct as it is, of a caller who has initialised all of it.
    pub fn read(self) -> Result<T, Fault> {
        In(self.0).read()
    }

    /// Writes as much of `value` as the caller's struct has room for, and zeros beyond ours; the size stays.
    pub fn write(self, value: &T) -> Result<(), Fault> {
        let bytes = bytes_of(value).iter().copied().chain(std::iter::repeat(0));
        let places = self.room(self.size()?)?.iter_mut().zip(bytes);
        places.skip(size_of::<usize>()).for_each(|(to, from)| _ = to.write(from));
        Ok(())
    }

    /// Makes the caller's struct of `size` bytes all zeros except its `struct_size`.
    pub fn init(self, size: usize) -> Result<(), Fault> {
        let bytes = size.to_ne_bytes().into_iter().chain(std::iter::repeat(0));
        self.room(size)?.iter_mut().zip(bytes).for_each(|(to, from)| _ = to.write(from));
        Ok(())
    }

    /// Its bytes, which may be uninitialised.
    fn room<'a>(self, size: usize) -> Result<&'a mut [MaybeUninit<u8>], Fault> {
        if self.0.is_null() {
            return Err(Fault::Null(T::NAME));
        }
        expect_size::<T>(size)?;
        // SAFETY: not NULL, `size` writable bytes by the caller's promise.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.cast(), size) })
    }
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
