//! One Python object as the bytes of a key.
//!
//! ```text
//!  bytes, bytearray, memoryview   as they are
//!  str                            UTF-8
//!  int, -2^63 to 2^64 - 1         8 bytes, the lowest first, of a negative one its two's complement: -1 is 2^64 - 1
//!  uuid.UUID                      16 bytes, as in its text
//! ```

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyInt, PyMemoryView, PyString};

use lately::Token;

use crate::errors;
use crate::room::{self, NoRoom};
use crate::state;

/// How a null in a column of keys is treated with `nulls="key"`.
pub(crate) const NULL_KEY: &[u8] = b"\xff\xff\xff\xff\xff\xff\xff\xffnull";

/// The bytes of a key.
pub(crate) enum Key<'a> {
    Of(&'a [u8]),
    Number([u8; 8]),
    Copied(Vec<u8>),
}

impl AsRef<[u8]> for Key<'_> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Of(bytes) => bytes,
            Self::Number(bytes) => bytes,
            Self::Copied(bytes) => bytes,
        }
    }
}

impl<'a> Key<'a> {
    /// The key that `object` is.
    #[inline]
    pub(crate) fn of(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Of(bytes.as_bytes()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Of(text.to_str()?.as_bytes()));
        }
        Self::of_other(object)
    }

    fn of_other(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<PyBool>() {
            return Err(refused(object));
        }
        if object.is_instance_of::<PyInt>() {
            return number(object);
        }
        if let Ok(bytes) = object.cast::<PyByteArray>() {
            return bytearray(bytes);
        }
        if object.is_instance_of::<PyMemoryView>() {
            return view(object);
        }
        if object.is_instance(state::uuid(py)?)? {
            return Ok(Self::Copied(object.getattr("bytes")?.extract()?));
        }
        // Numbers of numpy and others that are whole.
        if object.hasattr("__index__")? { number(object) } else { Err(refused(object)) }
    }
}

fn number<'a>(object: &Bound<'_, PyAny>) -> PyResult<Key<'a>> {
    let least = "-9223372036854775808";
    let number = whole("a key", least, object, |object| match object.extract::<u64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            object.extract().map(|number: i64| u64::from_ne_bytes(number.to_ne_bytes()))
        }
        read => read,
    });
    number.map(|number| Key::Number(number.to_le_bytes()))
}

/// The token with this number.
pub(crate) fn token(number: &Bound<'_, PyAny>) -> PyResult<Token> {
    whole("a token", "0", number, |number| number.extract()).map(Token)
}

/// A whole number of 64 bits; `least` is the lowest that there is.
fn whole<T>(
    what: &str,
    least: &str,
    object: &Bound<'_, PyAny>,
    read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<T> {
    read(object).map_err(|error| match error.is_instance_of::<PyOverflowError>(object.py()) {
        true => PyOverflowError::new_err(format!("{what} is out of range: it must be {least} to {}", u64::MAX)),
        false => error,
    })
}

/// A copy of what the owner may change.
fn bytearray<'a>(bytes: &Bound<'_, PyByteArray>) -> PyResult<Key<'a>> {
    // It is not resized meanwhile: a bytearray keeps its size while it has a view.
    view(PyMemoryView::from(bytes.as_any())?.as_any())
}

fn view<'a>(object: &Bound<'_, PyAny>) -> PyResult<Key<'a>> {
    let bytes = object.call_method0("tobytes").map_err(|error| room::ours(object.py(), error))?;
    Ok(Key::Copied(room::copied(bytes.cast::<PyBytes>()?.as_bytes())?))
}

fn refused(object: &Bound<'_, PyAny>) -> PyErr {
    errors::wrong_type("a key", object, "bytes, bytearray, memoryview, str, int or uuid.UUID")
}

/// Whether an object gives its bytes by the buffer protocol.
pub(crate) fn buffer_of(object: &Bound<'_, PyAny>) -> Option<PyUntypedBuffer> {
    PyUntypedBuffer::get(object).ok()
}

/// Appends a part of a key of several: its length in 8 bytes, the lowest first, and its bytes. A null is 8 bytes of 255.
pub(crate) fn append_part(to: &mut Vec<u8>, part: Option<&[u8]>) -> Result<(), NoRoom> {
    let len = part.map_or(u64::MAX, |bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    room::append(to, &len.to_le_bytes())?;
    room::append(to, part.unwrap_or_default())
}

/// The bytes of the key that several values make, in their order, as `observe_many` makes it of several columns. None is
/// a null.
#[pyfunction]
#[pyo3(signature = (*parts))]
pub(crate) fn pack(py: Python<'_>, parts: Vec<Bound<'_, PyAny>>) -> PyResult<Py<PyBytes>> {
    let mut bytes = Vec::new();
    for part in &parts {
        match part.is_none() {
            true => append_part(&mut bytes, None)?,
            false => append_part(&mut bytes, Some(Key::of(part)?.as_ref()))?,
        }
    }
    room::object(py, bytes.len(), |to| {
        to.copy_from_slice(&bytes);
        Ok(())
    })
}
