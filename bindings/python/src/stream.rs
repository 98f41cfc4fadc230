//! A snapshot to and from a file object of Python, in pieces.
//!
//! ```text
//!  to_file    the filter -> a copy of it -> 64 KiB -> write(bytes), while other threads use the filter
//!  from_file  read(24) has the number of bytes in all -> read(up to 64 KiB) -> the cells, and no byte more
//! ```
//! The GIL is taken for `write` and `read` alone. What they raise is kept, and raised as it is.

use std::io::{self, Read, Write};

use pyo3::exceptions::{PyBlockingIOError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyBytesMethods};

use lately::{LoadOptions, SharedFilter};

use crate::errors;
use crate::handle::Handle;
use crate::os_errors::failed;
use crate::room;

/// Bytes of a piece.
const PIECE: usize = 1 << 16;

/// Bytes up to and with the number of bytes in all, which are the last 8 of them.
const START: usize = 24;

/// Writes the filter to a file object.
pub(crate) fn write(py: Python<'_>, handle: &Handle, file: &Bound<'_, PyAny>) -> PyResult<()> {
    expect_binary(file, "write", "save")?;
    let mut out = Out { file: file.clone().unbind(), piece: room::with(PIECE)?, raised: None };
    let copy = handle.detached(py, SharedFilter::unshared)?.map_err(|error| errors::raise(&error))?;
    let written = handle.while_written(py, || py.detach(|| copy.write_snapshot(&mut out).and_then(|_| out.flush())))?;
    written.map_err(|error| out.raised.take().unwrap_or_else(|| failed(py, error, None)))
}

/// Reads a filter from a file object.
pub(crate) fn read(py: Python<'_>, file: &Bound<'_, PyAny>, options: &LoadOptions) -> PyResult<SharedFilter> {
    expect_binary(file, "read", "load")?;
    let mut input = In { file: file.clone().unbind(), piece: room::with(PIECE)?, used: 0, left: 0, raised: None };
    input.begin(py)?;
    let loaded = py.detach(|| SharedFilter::read_snapshot(&mut input, options));
    loaded.map_err(|error| input.raised.take().unwrap_or_else(|| failed(py, error, None)))
}

fn expect_binary(file: &Bound<'_, PyAny>, method: &str, by_path: &str) -> PyResult<()> {
    if file.hasattr(method)? && !file.is_instance(&class(file.py(), "TextIOBase")?)? {
        return Ok(());
    }
    Err(errors::wrong_type("file", file, &format!("a binary file object with {method}() ({by_path} takes a path)")))
}

/// A class of the module `io`.
fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("io")?.getattr(name)
}

/// The error of a file that does not wait.
fn not_now(method: &str) -> PyErr {
    PyBlockingIOError::new_err(format!("the file does not block, and {method}() was not ready"))
}

/// Keeps what a file raised, for the end of the call.
fn keep(raised: &mut Option<PyErr>, error: PyErr) -> io::Error {
    *raised = Some(error);
    io::Error::other("the file raised an exception")
}

struct Out {
    file: Py<PyAny>,
    /// Bytes that are not written to the file yet.
    piece: Vec<u8>,
    raised: Option<PyErr>,
}

impl Out {
    fn hand_on(&self, py: Python<'_>) -> PyResult<()> {
        let mut rest = &self.piece[..];
        while !rest.is_empty() {
            let bytes = room::object(py, rest.len(), |to| {
                to.copy_from_slice(rest);
                Ok(())
            })?;
            let answer = self.file.bind(py).call_method1("write", (bytes,))?;
            rest = &rest[self.taken(&answer, rest.len())?..];
        }
        Ok(())
    }

    /// How many of `len` bytes the file took. One that is not raw may return None for all.
    fn taken(&self, answer: &Bound<'_, PyAny>, len: usize) -> PyResult<usize> {
        let py = answer.py();
        if answer.is_none() {
            let is_raw = self.file.bind(py).is_instance(&class(py, "RawIOBase")?)?;
            return if is_raw { Err(not_now("write")) } else { Ok(len) };
        }
        match answer.extract() {
            Ok(taken) if (1..=len).contains(&taken) => Ok(taken),
            _ => Err(PyValueError::new_err(errors::out_of_range(
                "the answer of write()",
                answer.repr()?,
                format_args!("1 to {len}, or None for all"),
            ))),
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() == PIECE {
            self.flush()?;
        }
        let here = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..here]);
        Ok(here)
    }

    fn flush(&mut self) -> io::Result<()> {
        let handed = Python::attach(|py| self.hand_on(py));
        self.piece.clear();
        handed.map_err(|error| keep(&mut self.raised, error))
    }
}

struct In {
    file: Py<PyAny>,
    piece: Vec<u8>,
    /// Bytes of the piece that were read.
    used: usize,
    /// Bytes of the snapshot that the file has still to give.
    left: u64,
    raised: Option<PyErr>,
}

impl In {
    /// Reads the start, as far as there is one.
    fn begin(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.piece.len() < START && self.append(py, START - self.piece.len())? > 0 {}
        let last = self.piece.get(START - 8..).and_then(|bytes| bytes.try_into().ok());
        let in_all = last.map_or(0, u64::from_le_bytes);
        self.left = in_all.saturating_sub(START.try_into().unwrap_or(u64::MAX));
        Ok(())
    }

    /// Appends up to `most` bytes to the piece, which has room for them; returns how many.
    fn append(&mut self, py: Python<'_>, most: usize) -> PyResult<usize> {
        let answer = self.file.bind(py).call_method1("read", (most,))?;
        if answer.is_none() {
            return Err(not_now("read"));
        }
        let Ok(bytes) = answer.cast::<PyBytes>().map(PyBytesMethods::as_bytes) else {
            return Err(errors::wrong_type("what read() returns", &answer, "bytes"));
        };
        if bytes.len() > most {
            return Err(PyValueError::new_err(format!("read({most}) returned {} bytes", bytes.len())));
        }
        self.piece.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn next(&mut self) -> PyResult<()> {
        self.used = 0;
        self.piece.clear();
        let most = usize::try_from(self.left).unwrap_or(PIECE).min(PIECE);
        if most > 0 {
            let got = Python::attach(|py| self.append(py, most))?;
            self.left -= u64::try_from(got).unwrap_or(self.left);
        }
        Ok(())
    }
}

impl Read for In {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.used == self.piece.len() {
            self.next().map_err(|error| keep(&mut self.raised, error))?;
        }
        let here = room.len().min(self.piece.len() - self.used);
        room[..here].copy_from_slice(&self.piece[self.used..self.used + here]);
        self.used += here;
        Ok(here)
    }
}
