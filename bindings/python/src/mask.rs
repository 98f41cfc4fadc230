//! A mask as an Arrow array of booleans, for those who have no numpy.
#![allow(unsafe_code, reason = "gives structs of a C interface away")]

use std::ffi::{CStr, c_void};
use std::ptr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::arrow::ffi::{ArrowArray, ArrowSchema};
use crate::room;

/// The owner of the memory of an exported array, until it is released.
struct Kept {
    bits: Vec<u8>,
    buffers: [*const c_void; 2],
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: who releases it has it.
    unsafe { (*schema).release = None };
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: who releases it has it, and it was not released before.
    let array = unsafe { &mut *array };
    // SAFETY: it was boxed where the array was made, and is dropped once.
    drop(unsafe { Box::from_raw(array.private_data.cast::<Kept>()) });
    array.release = None;
}

/// Releases a capsule of this name that was not consumed.
macro_rules! capsule {
    ($py:expr, $value:expr, $name:expr, $of:ty) => {{
        unsafe extern "C" fn end(capsule: *mut pyo3::ffi::PyObject) {
            let name: &CStr = $name;
            // SAFETY: the capsule has this name and was made below.
            let at = unsafe { pyo3::ffi::PyCapsule_GetPointer(capsule, name.as_ptr()) }.cast::<$of>();
            // SAFETY: it was boxed below, and is dropped once.
            let mut value = unsafe { Box::from_raw(at) };
            if let Some(release) = value.release {
                // SAFETY: it was not consumed, so it was not released.
                unsafe { release(&raw mut *value) };
            }
        }
        let at = ptr::NonNull::from(Box::leak(Box::new($value))).cast::<c_void>();
        // SAFETY: the pointer stays valid until `end`.
        unsafe { PyCapsule::new_with_pointer_and_destructor($py, at, $name, Some(end)) }
    }};
}

/// The capsules of the schema and of the array of a mask of bytes that are 0 or 1.
#[pyfunction]
pub(crate) fn arrow_of_mask<'py>(
    mask: &Bound<'py, PyBytes>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (py, bytes) = (mask.py(), mask.as_bytes());
    let schema =
        ArrowSchema { format: c"b".as_ptr(), name: c"".as_ptr(), release: Some(release_schema), ..Default::default() };
    Ok((capsule!(py, schema, c"arrow_schema", ArrowSchema)?, capsule!(py, array(bytes)?, c"arrow_array", ArrowArray)?))
}

fn array(bytes: &[u8]) -> PyResult<ArrowArray> {
    let one = |eight: &[u8]| eight.iter().rev().fold(0, |bits, byte| bits << 1 | (byte & 1));
    let mut bits: Vec<u8> = room::with(bytes.len().div_ceil(8))?;
    bits.extend(bytes.chunks(8).map(one));
    let mut kept = Box::new(Kept { bits, buffers: [ptr::null(); 2] });
    kept.buffers[1] = kept.bits.as_ptr().cast();
    let kept = Box::into_raw(kept);
    Ok(ArrowArray {
        length: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
        n_buffers: 2,
        // SAFETY: it was made above.
        buffers: unsafe { (&raw mut (*kept).buffers).cast() },
        release: Some(release_array),
        private_data: kept.cast(),
        ..Default::default()
    })
}
