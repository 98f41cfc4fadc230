//! Columns that make one key for each row, and what a null among them is.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use lately::Keys;

use crate::column::{Bits, Cell, Column, Wrong};
use crate::errors;
use crate::key::{NULL_KEY, append_part};
use crate::room::{self, NoRoom};

/// How a row is treated whose key, or a part of it, is null.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// The row is new, and not observed.
    New,
    /// A null is a value like others, equal to itself.
    Key,
    /// It is an error.
    Error,
}

impl Nulls {
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "new" => Ok(Self::New),
            "key" => Ok(Self::Key),
            "error" => Ok(Self::Error),
            _ => Err(PyValueError::new_err(errors::out_of_range(
                "nulls",
                format_args!("{name:?}"),
                "'new', 'key' or 'error'",
            ))),
        }
    }
}

/// Rows of keys: one column, or several whose cells make one key.
pub(crate) struct Table<'a> {
    pub(crate) columns: Vec<Column<'a>>,
    /// The answer for the rows as a whole.
    pub(crate) validity: Option<Bits<'a>>,
    pub(crate) rows: usize,
}

/// Where the keys of a table are gathered.
#[derive(Clone, Copy, Default)]
pub(crate) enum Layout {
    /// Each where it lies.
    #[default]
    Slices,
    /// Whole numbers.
    Numbers,
    /// Back to back: keys of several parts, or of several types.
    Made,
}

/// The key of a row.
pub(crate) enum Row<'a> {
    /// There is none: the row is new.
    Absent,
    Bytes(&'a [u8]),
    Number(u64),
    /// It was appended to the room that was given.
    Made,
}

impl<'a> Table<'a> {
    /// Whether every key can be read, and is there if it must be; `before` is the number of rows before this piece.
    pub(crate) fn check(&self, nulls: Nulls, before: usize) -> PyResult<()> {
        for column in &self.columns {
            column.check().map_err(|wrong| explain(&wrong, before))?;
        }
        let null = (0..self.rows).find(|i| self.is_null(*i));
        match null.filter(|_| nulls == Nulls::Error && self.can_be_null()) {
            Some(row) => Err(PyValueError::new_err(format!("the key of row {} is null", before + row))),
            None => Ok(()),
        }
    }

    fn can_be_null(&self) -> bool {
        self.validity.is_some() || self.columns.iter().any(Column::can_be_null)
    }

    /// Whether a row or a part of its key is null.
    fn is_null(&self, i: usize) -> bool {
        self.validity.is_some_and(|validity| !validity.get(i)) || self.columns.iter().any(|column| column.is_null(i))
    }

    /// The keys as the library takes them where they lie, if it does.
    pub(crate) fn keys(&self, nulls: Nulls) -> Option<Keys<'a>> {
        match &self.columns[..] {
            [column] if self.validity.is_none() && (nulls != Nulls::Key || !column.can_be_null()) => column.keys(),
            _ => None,
        }
    }

    /// In which form the keys are gathered where the library does not take them as they lie.
    pub(crate) fn layout(&self, nulls: Nulls) -> Layout {
        match &self.columns[..] {
            [column] if column.is_of_bytes() => Layout::Slices,
            [column] if column.is_of_words() && nulls != Nulls::Key => Layout::Numbers,
            _ => Layout::Made,
        }
    }

    /// The key of row `i`. One of several parts is appended to `room`.
    #[inline]
    pub(crate) fn row(&self, i: usize, nulls: Nulls, room: &mut Vec<u8>) -> Result<Row<'a>, NoRoom> {
        let is_whole = self.validity.is_none_or(|validity| validity.get(i));
        match &self.columns[..] {
            [column] if is_whole => match column.cell(i) {
                Cell::Bytes(bytes) => Ok(Row::Bytes(bytes)),
                Cell::Number(number) => Ok(Row::Number(number)),
                Cell::Wide(number) => room::append(room, &number).map(|()| Row::Made),
                Cell::Null => Ok(null(nulls)),
            },
            _ if !is_whole => Ok(null(nulls)),
            columns => {
                if nulls == Nulls::New && columns.iter().any(|column| column.is_null(i)) {
                    return Ok(Row::Absent);
                }
                columns.iter().try_for_each(|column| append_cell(room, &column.cell(i)))?;
                Ok(Row::Made)
            }
        }
    }
}

fn null<'a>(nulls: Nulls) -> Row<'a> {
    if nulls == Nulls::New { Row::Absent } else { Row::Bytes(NULL_KEY) }
}

fn append_cell(room: &mut Vec<u8>, cell: &Cell<'_>) -> Result<(), NoRoom> {
    match cell {
        Cell::Null => append_part(room, None),
        Cell::Bytes(bytes) => append_part(room, Some(bytes)),
        Cell::Number(number) => append_part(room, Some(&number.to_le_bytes())),
        Cell::Wide(number) => append_part(room, Some(number)),
    }
}

fn explain(wrong: &Wrong, before: usize) -> PyErr {
    let Wrong { row, what } = wrong;
    PyValueError::new_err(format!("corrupt Arrow column: the {what} of row {} is outside of its data", before + row))
}
