//! The three structs of the Arrow C data interface, each owned and released once.
#![allow(unsafe_code, reason = "structs of a C interface")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::{mem, ptr};

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

#[repr(C)]
pub(crate) struct ArrowSchema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut ArrowSchema,
    pub(crate) dictionary: *mut ArrowSchema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    pub(crate) private_data: *mut c_void,
}

#[repr(C)]
pub(crate) struct ArrowArray {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut ArrowArray,
    pub(crate) dictionary: *mut ArrowArray,
    pub(crate) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    pub(crate) private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// A struct that its owner releases by calling what it names.
macro_rules! owned {
    ($(#[$doc:meta])* $name:ident of $of:ident in $capsule:literal) => {
        $(#[$doc])*
        pub(crate) struct $name(Box<$of>);

        // SAFETY: the interface lets any thread use and release a struct, one at a time.
        unsafe impl Send for $name {}
        // SAFETY: it is only read.
        unsafe impl Sync for $name {}

        impl $name {
            /// Takes the struct out of its capsule, which is then empty.
            pub(crate) fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
                let from = capsule.cast::<PyCapsule>()?.pointer_checked(Some($capsule))?.cast::<$of>().as_ptr();
                // SAFETY: a capsule of this name has such a struct, which is not used elsewhere now.
                let taken = unsafe { ptr::read(from) };
                if taken.release.is_none() {
                    return Err(PyTypeError::new_err("an Arrow capsule was used already: make another"));
                }
                // SAFETY: the same. Without its release it counts as moved, and the capsule leaves it alone.
                unsafe { (*from).release = None };
                Ok(Self(Box::new(taken)))
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.0.release {
                    // SAFETY: it was not released before: releasing takes the function out.
                    unsafe { release(&raw mut *self.0) };
                }
            }
        }
    };
}

owned! {
    /// The type of a column.
    Schema of ArrowSchema in c"arrow_schema"
}

owned! {
    /// A column.
    Array of ArrowArray in c"arrow_array"
}

owned! {
    /// A sequence of columns.
    Stream of ArrowArrayStream in c"arrow_array_stream"
}

impl Schema {
    pub(crate) fn get(&self) -> &ArrowSchema {
        &self.0
    }
}

impl Array {
    pub(crate) fn get(&self) -> &ArrowArray {
        &self.0
    }
}

/// A struct of which nothing is set.
macro_rules! unset {
    ($($of:ident)+) => {$(
        impl Default for $of {
            fn default() -> Self {
                // SAFETY: all of it are numbers, addresses, and a function or none.
                unsafe { mem::zeroed() }
            }
        }
    )+};
}

unset!(ArrowSchema ArrowArray);

/// Addresses for a call without the GIL.
struct Addresses<T>(*mut ArrowArrayStream, *mut T);

// SAFETY: one thread at a time uses them.
unsafe impl<T> Send for Addresses<T> {}

/// What a stream gives next of a kind.
type Get<T> = Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut T) -> c_int>;

impl Stream {
    fn address(&self) -> *mut ArrowArrayStream {
        (&raw const *self.0).cast_mut()
    }

    pub(crate) fn schema(&self, py: Python<'_>) -> PyResult<Schema> {
        self.fetched(py, self.0.get_schema).map(Schema)
    }

    /// The next column; none at the end.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        let array = Array(self.fetched(py, self.0.get_next)?);
        Ok(array.0.release.is_some().then_some(array))
    }

    /// Calls the producer without the GIL, which it may need in other threads.
    fn fetched<T: Default>(&self, py: Python<'_>, get: Get<T>) -> PyResult<Box<T>> {
        let mut made = Box::<T>::default();
        let Some(get) = get else { return Err(self.failed(0)) };
        let to = Addresses(self.address(), &raw mut *made);
        let code = py.detach(move || {
            let Addresses(stream, to) = { to };
            // SAFETY: the stream is not released, and there is room for what it gives.
            unsafe { get(stream, to) }
        });
        if code == 0 { Ok(made) } else { Err(self.failed(code)) }
    }

    fn failed(&self, code: c_int) -> PyErr {
        let said = self.0.get_last_error.and_then(|last| {
            // SAFETY: the stream is not released.
            let text = unsafe { last(self.address()) };
            // SAFETY: the text ends with a zero and lasts until the next call.
            (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
        });
        PyOSError::new_err((code, said.unwrap_or_else(|| String::from("an Arrow stream failed"))))
    }
}
