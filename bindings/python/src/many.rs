//! Many keys in one call: finds out their container, and runs the batch without the GIL.
#![allow(unsafe_code, reason = "writes a bytearray that nobody else has yet")]

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyByteArrayMethods};

use lately::{Tick, Unit};

use crate::arrow::{self, Source};
use crate::batch::{Batch, Verb};
use crate::buffer;
use crate::column::{Column, Values, bits_of};
use crate::errors;
use crate::handle::Handle;
use crate::key::buffer_of;
use crate::list::{self, Copied};
use crate::moment;
use crate::room::{self, NoRoom};
use crate::table::{Nulls, Table};

/// With fewer keys than these the GIL is kept: getting it back can take longer than they do.
const FEW: usize = 64;

/// A call with many keys, as it goes.
pub(crate) struct Many<'a> {
    pub(crate) handle: &'a Handle,
    pub(crate) verb: Verb,
    pub(crate) nulls: Nulls,
}

/// The arguments that come with the keys.
pub(crate) struct Given<'a, 'py> {
    pub(crate) keys: &'a Bound<'py, PyAny>,
    /// A flag for each row of a buffer that has no key.
    pub(crate) absent: Option<&'a Bound<'py, PyAny>>,
    /// Nanoseconds of each number of a buffer, of times.
    pub(crate) unit: Option<u64>,
    pub(crate) times: Option<&'a Bound<'py, PyAny>>,
    /// Whether a buffer of times has nanoseconds since 1970, and not numbers in the unit of the clock.
    pub(crate) are_dates: bool,
}

/// The rows of a call that were processed.
struct Rows<'py> {
    /// A tick for each row.
    ticks: Option<Vec<Tick>>,
    /// 1 for each row that is new. It gets its room before a key is observed, so that no verdict is lost where there is none.
    mask: Bound<'py, PyByteArray>,
}

impl Verb {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "observe" => Ok(Self::Observe),
            "insert" => Ok(Self::Insert),
            "contains" => Ok(Self::Contains),
            "remove" => Ok(Self::Remove),
            _ => Err(PyValueError::new_err(format!("verb = {name:?}"))),
        }
    }
}

/// Runs a call to its end or to the first error, which comes with the mask of the rows before it.
pub(crate) fn run(many: &Many<'_>, given: &Given<'_, '_>) -> PyResult<(Py<PyByteArray>, Option<PyErr>)> {
    let ticks = given.times.map(|times| ticks(times, given.are_dates, many.handle.unit)).transpose()?;
    let mut rows = Rows { ticks, mask: PyByteArray::new(given.keys.py(), &[]) };
    let result = many.all(given, &mut rows);
    let ends = result.and_then(|()| rows.expect_no_more_ticks());
    Ok((rows.mask.unbind(), ends.err()))
}

impl Many<'_> {
    fn all(&self, given: &Given<'_, '_>, rows: &mut Rows<'_>) -> PyResult<()> {
        let keys = given.keys;
        if let Some(mut copied) = Copied::of(keys)? {
            return self.piece(rows, &one(copied.column()?), true);
        }
        if let Some(source) = Source::of(keys)? {
            let is_last = matches!(source, Source::Piece(..));
            return source.pieces(keys.py(), |schema, array| self.piece(rows, &arrow::table(schema, array)?, is_last));
        }
        let buffer = buffer_of(keys).ok_or_else(|| refused(keys))?;
        let mut column = buffer::column(&buffer)?;
        let there = given.absent.map(|absent| others(absent, column.rows)).transpose()?;
        column.validity = there.as_deref().map(bits_of);
        column.values = match (column.values, given.unit) {
            (Values::Numbers(numbers), Some(unit)) => Values::Times { numbers, unit: unit.into() },
            (values, _) => values,
        };
        self.piece(rows, &one(column), true)
    }

    /// The next rows. `is_all` means that none come after them.
    fn piece(&self, rows: &mut Rows<'_>, table: &Table<'_>, is_all: bool) -> PyResult<()> {
        let (py, before) = (rows.mask.py(), rows.mask.len());
        table.check(self.nulls, before)?;
        let ticks = match &rows.ticks {
            None => None,
            Some(ticks) if is_all && ticks.len() != table.rows => return Err(other_length(ticks.len(), table.rows)),
            Some(ticks) => Some(ticks.get(before..before + table.rows).ok_or_else(|| too_few(ticks.len()))?),
        };
        let (verb, nulls) = (self.verb, self.nulls);
        let mut mask = room::with(table.rows)?;
        rows.mask.resize(before + table.rows).map_err(|_| NoRoom::for_bytes(before + table.rows))?;
        let result = match table.rows < FEW {
            true => self.handle.with(|filter| Batch { filter, verb, nulls }.run(table, ticks, &mut mask)),
            false => self.handle.detached(py, |filter| Batch { filter, verb, nulls }.run(table, ticks, &mut mask)),
        };
        rows.keep(before, &mask)?;
        Ok(result??)
    }
}

impl Rows<'_> {
    /// Ends the mask with these flags, from row `before` on.
    fn keep(&self, before: usize, flags: &[u8]) -> PyResult<()> {
        // SAFETY: no code of Python has it, nor has another thread, and nothing resizes it before the slice ends.
        let mask = unsafe { self.mask.as_bytes_mut() };
        mask[before..before + flags.len()].copy_from_slice(flags);
        self.mask.resize(before + flags.len())
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
fn ticks(times: &Bound<'_, PyAny>, are_dates: bool, unit: Unit) -> PyResult<Vec<Tick>> {
    if let Some(ticks) = list::ticks(times, unit)? {
        return Ok(ticks);
    }
    let mut ticks = Vec::new();
    if let Some(source) = Source::of(times)? {
        source.pieces(times.py(), |schema, array| {
            let (times, are_dates) = arrow::times(schema, array)?;
            append_ticks(&mut ticks, times, are_dates, unit)
        })?;
        return Ok(ticks);
    }
    let buffer = buffer_of(times).ok_or_else(|| PyTypeError::new_err("the times are neither a list nor an array"))?;
    let Column { values: Values::Numbers(numbers), rows, .. } = buffer::column(&buffer)? else {
        return Err(PyTypeError::new_err("the times must be whole numbers or dates"));
    };
    append_ticks(&mut ticks, (0..rows).map(|i| Some(numbers.get(i))), are_dates, unit)?;
    Ok(ticks)
}

/// Turns flags of rows without a key into a bit for each row that has one.
fn others(absent: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<u8>> {
    let buffer = buffer_of(absent).ok_or_else(|| refused(absent))?;
    let Column { values: Values::Numbers(flags), rows: count, .. } = buffer::column(&buffer)? else {
        return Err(refused(absent));
    };
    if count != rows {
        return Err(PyValueError::new_err(format!("there are {count} flags for {rows} keys")));
    }
    let mut there = room::with(rows.div_ceil(8))?;
    let bit = |i: usize| u8::from(i < rows && flags.get(i) == 0) << (i % 8);
    there.extend((0..rows.div_ceil(8)).map(|byte| (8 * byte..8 * byte + 8).fold(0, |bits, i| bits | bit(i))));
    Ok(there)
}

fn append_ticks(
    to: &mut Vec<Tick>,
    times: impl ExactSizeIterator<Item = Option<i128>>,
    are_dates: bool,
    unit: Unit,
) -> PyResult<()> {
    room::reserve(to, times.len())?;
    for time in times {
        let time = time.ok_or_else(|| PyValueError::new_err(format!("the time of row {} is null", to.len())))?;
        let (tick, name) = match are_dates {
            true => (moment::in_unit(time, unit), "ns"),
            false => (u64::try_from(time).map(Tick), unit.name()),
        };
        to.push(tick.map_err(|_| moment::out_of_range(&format!("{time} {name} of row {}", to.len()), unit))?);
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
