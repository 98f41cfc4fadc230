//! Room that grows with the input. It is asked for, so that where there is none the caller gets `lately.OutOfMemory` and the process
//! lives on. All else of the package that allocates without asking takes a few bytes, however many keys there are.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use lately::{Error, Stopped};

use crate::errors;

/// There is no room of this number of bytes.
#[derive(Clone, Copy)]
pub(crate) struct NoRoom {
    bytes: usize,
}

impl NoRoom {
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self { bytes }
    }
}

impl From<NoRoom> for PyErr {
    fn from(NoRoom { bytes }: NoRoom) -> Self {
        errors::coded("NO_MEMORY", None, format!("out of memory: {bytes} bytes"))
    }
}

/// Why a batch ends early.
pub(crate) enum Refused {
    Library(Error),
    Room(NoRoom),
}

impl From<NoRoom> for Refused {
    fn from(no: NoRoom) -> Self {
        Self::Room(no)
    }
}

impl From<Stopped> for Refused {
    fn from(stopped: Stopped) -> Self {
        Self::Library(stopped.error)
    }
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Library(error) => errors::raise(&error),
            Refused::Room(no) => no.into(),
        }
    }
}

/// Room for as many items more.
#[inline]
pub(crate) fn reserve<T>(to: &mut Vec<T>, more: usize) -> Result<(), NoRoom> {
    to.try_reserve(more).map_err(|_| NoRoom::for_bytes((to.len() + more).saturating_mul(size_of::<T>())))
}

/// An empty vector with room for as many items and no more.
pub(crate) fn with<T>(count: usize) -> Result<Vec<T>, NoRoom> {
    let mut made = Vec::new();
    let room = made.try_reserve_exact(count);
    room.map_err(|_| NoRoom::for_bytes(count.saturating_mul(size_of::<T>()))).map(|()| made)
}

/// Appends bytes.
#[inline]
pub(crate) fn append(to: &mut Vec<u8>, bytes: &[u8]) -> Result<(), NoRoom> {
    reserve(to, bytes.len())?;
    to.extend_from_slice(bytes);
    Ok(())
}

/// Appends an item.
#[inline]
pub(crate) fn push<T>(to: &mut Vec<T>, item: T) -> Result<(), NoRoom> {
    reserve(to, 1)?;
    to.push(item);
    Ok(())
}

/// A copy of bytes.
pub(crate) fn copied(bytes: &[u8]) -> Result<Vec<u8>, NoRoom> {
    let mut made = with(bytes.len())?;
    made.extend_from_slice(bytes);
    Ok(made)
}

/// The exception of this package for a `MemoryError` of Python itself.
pub(crate) fn ours(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyMemoryError>(py) {
        return error;
    }
    errors::coded("NO_MEMORY", None, String::from("out of memory"))
}

/// An object of Python of this many bytes, which `fill` writes.
pub(crate) fn object(
    py: Python<'_>,
    len: usize,
    fill: impl FnOnce(&mut [u8]) -> PyResult<()>,
) -> PyResult<Py<PyBytes>> {
    let mut has_room = false;
    let made = PyBytes::new_with(py, len, |to| {
        has_room = true;
        fill(to)
    });
    made.map(Bound::unbind).map_err(|error| if has_room { error } else { NoRoom::for_bytes(len).into() })
}
