//! Keys of a list or a tuple of Python, copied together before the first of them is used.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use lately::{Tick, Unit};

use crate::column::{Column, Items, Numbers, Values, bits_of, bytes_of};
use crate::key::Key;
use crate::moment;
use crate::room::{self, NoRoom};

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
        let mut copied = Self::default();
        if let Ok(list) = keys.cast::<PyList>() {
            copied.begin(list.len())?;
            list.iter().enumerate().try_for_each(|(i, key)| copied.append(i, &key))?;
        } else if let Ok(tuple) = keys.cast::<PyTuple>() {
            copied.begin(tuple.len())?;
            tuple.iter().enumerate().try_for_each(|(i, key)| copied.append(i, &key))?;
        } else {
            return Ok(None);
        }
        Ok(Some(copied))
    }

    /// Room for this number of keys.
    fn begin(&mut self, count: usize) -> Result<(), NoRoom> {
        self.offsets = room::with(count + 1)?;
        self.offsets.push(0);
        Ok(())
    }

    fn append(&mut self, i: usize, key: &Bound<'_, PyAny>) -> PyResult<()> {
        if key.is_none() {
            self.there_up_to(i)?[i / 8] &= !(1 << (i % 8));
        } else {
            let key = Key::of(key).map_err(|error| at(key.py(), i, error))?;
            room::append(&mut self.bytes, key.as_ref())?;
        }
        Ok(room::push(&mut self.offsets, i64::try_from(self.bytes.len()).unwrap_or(i64::MAX))?)
    }

    /// The bits of the keys up to key `i`, which are 1 where nothing else was said.
    fn there_up_to(&mut self, i: usize) -> Result<&mut Vec<u8>, NoRoom> {
        let there = self.there.get_or_insert_default();
        room::reserve(there, (i / 8 + 1).saturating_sub(there.len()))?;
        there.resize(i / 8 + 1, 0xff);
        Ok(there)
    }

    /// The same as a column.
    pub(crate) fn column(&mut self) -> Result<Column<'_>, NoRoom> {
        let rows = self.offsets.len() - 1;
        if self.there.is_some() {
            self.there_up_to(rows)?;
        }
        let offsets = Numbers { items: bytes_of(&self.offsets), is_signed: true };
        let bytes: Items<'_> = bytes_of(&self.bytes);
        let values = Values::Packed { bytes, len: self.bytes.len(), offsets };
        Ok(Column { values, validity: self.there.as_deref().map(bits_of), rows })
    }
}

/// An error of an item, with its place.
fn at(py: Python<'_>, i: usize, error: PyErr) -> PyErr {
    let note = error.value(py).call_method1("add_note", (format!("in keys[{i}]"),));
    note.map_or_else(|failed| failed, |_| error)
}

/// The ticks of a list or a tuple of times, if it is one.
pub(crate) fn ticks(times: &Bound<'_, PyAny>, unit: Unit) -> PyResult<Option<Vec<Tick>>> {
    if !(times.is_instance_of::<PyList>() || times.is_instance_of::<PyTuple>()) {
        return Ok(None);
    }
    let mut ticks = room::with(times.len()?)?;
    for time in times.try_iter()? {
        room::push(&mut ticks, moment::tick(&time?, unit)?)?;
    }
    Ok(Some(ticks))
}
