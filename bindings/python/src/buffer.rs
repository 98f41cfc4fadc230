//! Objects with the buffer protocol as a column: numpy's numbers, booleans and byte strings, `array.array`, rows of bytes.
#![allow(unsafe_code, reason = "a buffer of Python is an address and a shape")]

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::column::{Column, Items, Numbers, Reals, Values};

/// The keys in a buffer, one for each item of its first dimension.
pub(crate) fn column(buffer: &PyUntypedBuffer) -> PyResult<Column<'_>> {
    let format = buffer.format().to_str().unwrap_or("?");
    let (rows, width, stride) = shape(buffer).ok_or_else(|| refused(format, buffer.dimensions()))?;
    // SAFETY: the buffer keeps its memory, of this shape, as long as it is borrowed.
    let items = unsafe { Items::new(buffer.buf_ptr().cast_const().cast(), stride, width) };
    let values = values(format, buffer.dimensions(), items).ok_or_else(|| refused(format, buffer.dimensions()))?;
    Ok(Column { values, validity: None, rows })
}

/// Rows, bytes of a row, and bytes between two rows. The items of a row lie side by side.
fn shape(buffer: &PyUntypedBuffer) -> Option<(usize, usize, isize)> {
    let no_pointers = buffer.suboffsets().is_none_or(|offsets| offsets.iter().all(|offset| *offset < 0));
    match (buffer.shape(), buffer.strides()) {
        (&[rows], &[stride]) if no_pointers => Some((rows, buffer.item_size(), stride)),
        (&[rows, width], &[stride, 1]) if no_pointers && buffer.item_size() == 1 => Some((rows, width, stride)),
        _ => None,
    }
}

fn values<'a>(format: &str, dimensions: usize, items: Items<'a>) -> Option<Values<'a>> {
    let native = if cfg!(target_endian = "little") { '<' } else { '>' };
    let code = format.strip_prefix(['@', '=', native]).unwrap_or(format);
    let (count, code) = code.split_at(code.len().checked_sub(1)?);
    let is_count = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    match (dimensions, code) {
        (2, "B") if count.is_empty() => Some(Values::Fixed { items, is_padded: false }),
        (1, "s") => Some(Values::Fixed { items, is_padded: true }),
        (1, "x") if is_count => Some(Values::Fixed { items, is_padded: false }),
        (1, "b" | "h" | "i" | "l" | "q" | "n") if count.is_empty() => {
            Some(Values::Numbers(Numbers { items, is_signed: true }))
        }
        (1, "B" | "H" | "I" | "L" | "Q" | "N") if count.is_empty() => {
            Some(Values::Numbers(Numbers { items, is_signed: false }))
        }
        (1, "?") if count.is_empty() => Some(Values::Numbers(Numbers { items, is_signed: false })),
        (1, "e" | "f" | "d") if count.is_empty() => Some(Values::Reals(Reals(items))),
        _ => None,
    }
}

fn refused(format: &str, dimensions: usize) -> PyErr {
    PyTypeError::new_err(format!(
        "the keys are a buffer of {dimensions} dimensions with the format {format:?}: use one dimension of numbers, \
         booleans or byte strings, or rows of bytes (two dimensions of 'B')"
    ))
}
