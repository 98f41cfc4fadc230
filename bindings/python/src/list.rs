//! Keys of a list or a tuple of Python, copied together before the first of them is used.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::column::{Column, Items, Numbers, Values, bits_of, bytes_of};
use crate::key::Key;
use crate::moment;

/// The keys, back to back.
#[derive(Default)]
pub(crate) struct Copied {
    bytes: Vec<u8>,
    offsets: Vec<i64>,
    /// A bit for each key that is not None, if one is.
    there: Option<Vec<u8>>,
}

impl Copied {
    /// The keys of a list or tuple, if it is one.
    pub(crate) fn of(keys: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let mut copied = Self { offsets: vec![0], ..Self::default() };
        if let Ok(list) = keys.cast::<PyList>() {
            list.iter().enumerate().try_for_each(|(i, key)| copied.append(i, &key))?;
        } else if let Ok(tuple) = keys.cast::<PyTuple>() {
            tuple.iter().enumerate().try_for_each(|(i, key)| copied.append(i, &key))?;
        } else {
            return Ok(None);
        }
        Ok(Some(copied))
    }

    fn append(&mut self, i: usize, key: &Bound<'_, PyAny>) -> PyResult<()> {
        if key.is_none() {
            let there = self.there.get_or_insert_with(|| vec![0xff; i / 8 + 1]);
            there.resize(i / 8 + 1, 0xff);
            there[i / 8] &= !(1 << (i % 8));
        } else {
            let key = Key::of(key).map_err(|error| at(key.py(), i, error))?;
            self.bytes.extend_from_slice(key.as_ref());
        }
        self.offsets.push(i64::try_from(self.bytes.len()).unwrap_or(i64::MAX));
        Ok(())
    }

    /// The same as a column.
    pub(crate) fn column(&mut self) -> Column<'_> {
        let rows = self.offsets.len() - 1;
        if let Some(there) = &mut self.there {
            there.resize(rows / 8 + 1, 0xff);
        }
        let offsets = Numbers { items: bytes_of(&self.offsets), is_signed: true };
        let bytes: Items<'_> = bytes_of(&self.bytes);
        let values = Values::Packed { bytes, len: self.bytes.len(), offsets };
        Column { values, validity: self.there.as_deref().map(bits_of), rows }
    }
}

/// An error of an item, with its place.
fn at(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let note = error.value(py).call_method1("add_note", (format!("in keys[{i}]"),));
    note.map_or_else(|failed| failed, |_| error)
}

/// The ticks of a list or a tuple of times, if it is one.
pub(crate) fn ticks(times: &Bound<'_, PyAny>) -> PyResult<Option<Vec<lately::Tick>>> {
    if !(times.is_instance_of::<PyList>() || times.is_instance_of::<PyTuple>()) {
        return Ok(None);
    }
    times.try_iter()?.map(|time| moment::tick(&time?)).collect::<PyResult<_>>().map(Some)
}
