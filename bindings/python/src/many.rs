//! Many keys in one call: finds out their container, and runs the batch without the GIL.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use lately::Tick;

use crate::arrow::{self, Source};
use crate::batch::{Batch, Verb};
use crate::buffer;
use crate::column::{Column, Values};
use crate::errors;
use crate::handle::Handle;
use crate::key::buffer_of;
use crate::list::{self, Copied};
use crate::moment;
use crate::table::{Nulls, Table};

/// With fewer keys than these the GIL is kept: getting it back can take longer than they do.
const FEW: usize = 64;

/// A call with many keys, as it goes.
pub(crate) struct Many<'a> {
    pub(crate) handle: &'a Handle,
    pub(crate) verb: Verb,
    pub(crate) nulls: Nulls,
    /// A tick for each row.
    pub(crate) ticks: Option<Vec<Tick>>,
    /// 1 for each row that is new.
    pub(crate) mask: Vec<u8>,
}

impl Verb {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "observe" => Ok(Self::Observe),
            "insert" => Ok(Self::Insert),
            "contains" => Ok(Self::Contains),
            _ => Err(PyValueError::new_err(format!("verb = {name:?}"))),
        }
    }
}

/// Runs a call to its end or to the first error, which comes with the mask of the rows before it.
pub(crate) fn run(
    mut many: Many<'_>,
    keys: &Bound<'_, PyAny>,
    times: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Py<PyByteArray>, Option<PyErr>)> {
    many.ticks = times.map(ticks).transpose()?;
    let result = many.all(keys);
    let ends = result.and_then(|()| many.expect_no_more_ticks());
    Ok((PyByteArray::new(keys.py(), &many.mask).unbind(), ends.err()))
}

impl Many<'_> {
    fn all(&mut self, keys: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = keys.py();
        if let Some(mut copied) = Copied::of(keys)? {
            return self.piece(py, &one(copied.column()), true);
        }
        if let Some(source) = Source::of(keys)? {
            let is_last = matches!(source, Source::Piece(..));
            return source.pieces(py, |schema, array| self.piece(py, &arrow::table(schema, array)?, is_last));
        }
        match buffer_of(keys) {
            Some(buffer) => self.piece(py, &one(buffer::column(&buffer)?), true),
            None => Err(refused(keys)),
        }
    }

    /// The next rows. `is_all` means that none come after them.
    fn piece(&mut self, py: Python<'_>, table: &Table<'_>, is_all: bool) -> PyResult<()> {
        let before = self.mask.len();
        table.check(self.nulls, before)?;
        let ticks = match &self.ticks {
            None => None,
            Some(ticks) if is_all && ticks.len() != table.rows => return Err(other_length(ticks.len(), table.rows)),
            Some(ticks) => Some(ticks.get(before..before + table.rows).ok_or_else(|| too_few(ticks.len()))?),
        };
        let (verb, nulls, mask) = (self.verb, self.nulls, &mut self.mask);
        let result = match table.rows < FEW {
            true => self.handle.with(|filter| Batch { filter, verb, nulls }.run(table, ticks, mask))?,
            false => self.handle.detached(py, |filter| Batch { filter, verb, nulls }.run(table, ticks, mask))?,
        };
        result.map_err(|error| errors::raise(&error))
    }

    fn expect_no_more_ticks(&self) -> PyResult<()> {
        match &self.ticks {
            Some(ticks) if ticks.len() != self.mask.len() => Err(other_length(ticks.len(), self.mask.len())),
            _ => Ok(()),
        }
    }
}

fn one(column: Column<'_>) -> Table<'_> {
    Table { rows: column.rows, columns: vec![column], validity: None }
}

/// A tick for each time.
fn ticks(times: &Bound<'_, PyAny>) -> PyResult<Vec<Tick>> {
    if let Some(ticks) = list::ticks(times)? {
        return Ok(ticks);
    }
    let mut ticks = Vec::new();
    if let Some(source) = Source::of(times)? {
        source.pieces(times.py(), |schema, array| append_ticks(&mut ticks, arrow::times(schema, array)?))?;
        return Ok(ticks);
    }
    let buffer = buffer_of(times).ok_or_else(|| PyTypeError::new_err("the times are neither a list nor an array"))?;
    let Column { values: Values::Numbers(numbers), rows, .. } = buffer::column(&buffer)? else {
        return Err(PyTypeError::new_err("the times must be whole numbers of nanoseconds"));
    };
    append_ticks(&mut ticks, (0..rows).map(|i| Some(numbers.get(i))))?;
    Ok(ticks)
}

fn append_ticks(to: &mut Vec<Tick>, times: impl IntoIterator<Item = Option<i128>>) -> PyResult<()> {
    for time in times {
        let time = time.ok_or_else(|| PyValueError::new_err(format!("the time of row {} is null", to.len())))?;
        let tick = u64::try_from(time).map_err(|_| moment::out_of_range(&format!("{time} ns of row {}", to.len())))?;
        to.push(Tick(tick));
    }
    Ok(())
}

fn other_length(times: usize, rows: usize) -> PyErr {
    PyValueError::new_err(format!("there are {times} times for {rows} keys"))
}

fn too_few(times: usize) -> PyErr {
    PyValueError::new_err(format!("there are {times} times for more keys"))
}

fn refused(keys: &Bound<'_, PyAny>) -> PyErr {
    let types = "a list, a tuple, a buffer, or an object with __arrow_c_array__ or __arrow_c_stream__";
    errors::wrong_type("the keys", keys, types)
}
