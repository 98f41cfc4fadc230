//! Keys of Arrow: what has `__arrow_c_array__` or `__arrow_c_stream__`, read in place.

mod column;
pub(crate) mod ffi;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::table::Table;

pub(crate) use ffi::{Array, Schema, Stream};

/// A source of pieces of keys: one array, or the arrays of a stream.
pub(crate) enum Source {
    Piece(Schema, Option<Array>),
    Stream(Schema, Stream),
}

impl Source {
    /// The source that an object is, if it is one.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Some(method) = object.getattr_opt("__arrow_c_array__")? {
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = method.call0()?.extract()?;
            return Ok(Some(Self::Piece(Schema::take(&schema)?, Some(Array::take(&array)?))));
        }
        if let Some(method) = object.getattr_opt("__arrow_c_stream__")? {
            let stream = Stream::take(&method.call0()?)?;
            return Ok(Some(Self::Stream(stream.schema(object.py())?, stream)));
        }
        Ok(None)
    }

    /// Hands each piece to `each` until there is none.
    pub(crate) fn pieces(self, py: Python<'_>, mut each: impl FnMut(&Schema, &Array) -> PyResult<()>) -> PyResult<()> {
        match self {
            Self::Piece(schema, array) => array.iter().try_for_each(|array| each(&schema, array)),
            Self::Stream(schema, stream) => {
                while let Some(array) = stream.next(py)? {
                    each(&schema, &array)?;
                }
                Ok(())
            }
        }
    }
}

/// The columns of a piece.
pub(crate) fn table<'a>(schema: &'a Schema, array: &'a Array) -> PyResult<Table<'a>> {
    column::table(schema, array).map_err(PyTypeError::new_err)
}

/// The times of a piece: whole numbers, or a timestamp of any unit in nanoseconds, and whether it is that. A null is none.
pub(crate) fn times<'a>(
    schema: &'a Schema,
    array: &'a Array,
) -> PyResult<(impl ExactSizeIterator<Item = Option<i128>> + use<'a>, bool)> {
    column::times(schema, array).map_err(PyTypeError::new_err)
}
