//! Columns that make one key for each row, and what a null among them is.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

use lately::Keys;

use crate::column::{Bits, Cell, Column, Values, Wrong};
use crate::errors;
use crate::key::{NULL_KEY, append_part};

/// What becomes of a row whose key, or a part of it, is null.
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
    /// Of the rows as a whole.
    pub(crate) validity: Option<Bits<'a>>,
    pub(crate) rows: usize,
}

/// Where the keys of a table are gathered.
#[derive(Clone, Copy)]
pub(crate) enum Layout {
    /// Each where it lies.
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
            [Column { values: Values::Numbers(_), .. }] if nulls != Nulls::Key => Layout::Numbers,
            _ => Layout::Made,
        }
    }

    /// The key of row `i`. One of several parts is appended to `room`.
    #[inline]
    pub(crate) fn row(&self, i: usize, nulls: Nulls, room: &mut Vec<u8>) -> Row<'a> {
        let is_whole = self.validity.is_none_or(|validity| validity.get(i));
        match &self.columns[..] {
            [column] if is_whole => match column.cell(i) {
                Cell::Bytes(bytes) => Row::Bytes(bytes),
                Cell::Number(number) => Row::Number(number),
                Cell::Null => null(nulls),
            },
            _ if !is_whole => null(nulls),
            columns => {
                if nulls == Nulls::New && columns.iter().any(|column| column.is_null(i)) {
                    return Row::Absent;
                }
                columns.iter().for_each(|column| append_cell(room, &column.cell(i)));
                Row::Made
            }
        }
    }
}

fn null<'a>(nulls: Nulls) -> Row<'a> {
    if nulls == Nulls::New { Row::Absent } else { Row::Bytes(NULL_KEY) }
}

fn append_cell(room: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Null => append_part(room, None),
        Cell::Bytes(bytes) => append_part(room, Some(bytes)),
        Cell::Number(number) => append_part(room, Some(&number.to_le_bytes())),
    }
}

fn explain(wrong: &Wrong, before: usize) -> PyErr {
    match wrong {
        Wrong::Negative { row, number } => PyOverflowError::new_err(format!(
            "the key of row {} is {number}: it must be 0 to {}",
            before + row,
            u64::MAX
        )),
        Wrong::Corrupt { row, what } => PyValueError::new_err(format!(
            "corrupt Arrow column: the {what} of row {} is outside of its data",
            before + row
        )),
    }
}
