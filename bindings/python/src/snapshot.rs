//! Filters as bytes and back, without the GIL.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use lately::{Error, LoadOptions, Options, SharedFilter};

use crate::errors;
use crate::gate;
use crate::handle::{Built, Handle};
use crate::moment;
use crate::options::request;
use crate::room;

/// The filter as bytes.
pub(crate) fn to_bytes(py: Python<'_>, handle: &Handle) -> PyResult<Py<PyBytes>> {
    let copy = handle.detached(py, SharedFilter::unshared)?.map_err(|error| errors::raise(&error))?;
    let len = usize::try_from(copy.snapshot_size()).unwrap_or(usize::MAX);
    room::object(py, len, |to| {
        let written = gate::detached(py, || copy.snapshot_write(to));
        written.map(drop).map_err(|error| errors::raise(&error))
    })
}

/// Writes the filter to a new file, down to the disk.
pub(crate) fn write_file(py: Python<'_>, handle: &Handle, path: &PathBuf) -> PyResult<u64> {
    let write = |filter: &SharedFilter| -> io::Result<u64> {
        let mut file = BufWriter::new(File::create(path)?);
        let bytes = filter.write_snapshot(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        Ok(bytes)
    };
    handle.detached(py, write)?.map_err(|error| failed(py, error, path))
}

/// An error of a file, with its number and name as Python's own have them, or of the library inside it.
fn failed(py: Python<'_>, error: io::Error, path: &Path) -> PyErr {
    match (error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()), error.raw_os_error()) {
        (Some(inner), _) => errors::raise(inner),
        (None, Some(number)) => of_system(py, number, path).unwrap_or_else(|failed| failed),
        (None, None) => error.into(),
    }
}

/// The exception whose class, text, `errno` and `filename` are those that `open` gives for this number of the system.
fn of_system(py: Python<'_>, number: i32, path: &Path) -> PyResult<PyErr> {
    if cfg!(windows) {
        // The number is one of Windows: Python finds the errno of it.
        let text = io::Error::from_raw_os_error(number).to_string();
        return Ok(PyOSError::new_err((0, text, path.as_os_str().to_owned(), number)));
    }
    let text: String = py.import("os")?.call_method1("strerror", (number,))?.extract()?;
    Ok(PyOSError::new_err((number, text, path.as_os_str().to_owned())))
}

fn options(elapsed_ns: u64, memory: Option<u64>, new_memory: Option<u64>, secret: Option<(u64, u64)>) -> LoadOptions {
    let mut options = LoadOptions::new(Duration::from_nanos(elapsed_ns));
    if let Some(bytes) = memory {
        options = options.memory(bytes);
    }
    if let Some(bytes) = new_memory {
        options = options.new_memory(bytes);
    }
    match secret {
        Some((lo, hi)) => options.secret(lately::Secret::new(lo, hi)),
        None => options,
    }
}

/// A filter of the bytes of a snapshot.
#[pyfunction]
#[pyo3(signature = (data, elapsed_ns, memory=None, new_memory=None, secret=None))]
pub(crate) fn load_bytes(
    py: Python<'_>,
    data: &[u8],
    elapsed_ns: u64,
    memory: Option<u64>,
    new_memory: Option<u64>,
    secret: Option<(u64, u64)>,
) -> PyResult<Built> {
    let options = options(elapsed_ns, memory, new_memory, secret);
    let loaded = py.detach(|| SharedFilter::load(data, &options));
    loaded.map(Built::new).map_err(|error| errors::raise(&error))
}

/// A filter of the snapshot in a file.
#[pyfunction]
#[pyo3(signature = (path, elapsed_ns, memory=None, new_memory=None, secret=None))]
#[allow(clippy::needless_pass_by_value, reason = "what PyO3 hands over")]
pub(crate) fn load_file(
    py: Python<'_>,
    path: PathBuf,
    elapsed_ns: u64,
    memory: Option<u64>,
    new_memory: Option<u64>,
    secret: Option<(u64, u64)>,
) -> PyResult<Built> {
    let options = options(elapsed_ns, memory, new_memory, secret);
    let read = || SharedFilter::read_snapshot(BufReader::new(File::open(&path)?), &options);
    py.detach(read).map(Built::new).map_err(|error| failed(py, error, &path))
}

/// The filter of a file, which must be one that these options make. Returns how far the time of the file is ahead, too, in
/// nanoseconds.
#[pyfunction]
#[pyo3(signature = (path, asked, secret=None))]
#[allow(clippy::needless_pass_by_value, reason = "what PyO3 hands over")]
pub(crate) fn open_file(
    py: Python<'_>,
    path: PathBuf,
    asked: &Bound<'_, PyDict>,
    secret: Option<(u64, u64)>,
) -> PyResult<(Built, u128)> {
    let request = request(asked, secret)?;
    let (filter, ahead) = py.detach(|| resumed(&path, &request, secret)).map_err(|error| failed(py, error, &path))?;
    Ok((Built::new(filter), ahead.as_nanos()))
}

/// The time since a file was written is the time that passed, none if its time is ahead of now. With the times of the records
/// the next of them shows what passed.
fn resumed(path: &Path, request: &Options, secret: Option<(u64, u64)>) -> io::Result<(SharedFilter, Duration)> {
    let file = File::open(path)?;
    let (elapsed, ahead) = match SystemTime::now().duration_since(file.metadata()?.modified()?) {
        Ok(elapsed) => (elapsed, Duration::ZERO),
        Err(error) => (Duration::ZERO, error.duration()),
    };
    let (elapsed, ahead) =
        if moment::unit(request).is_some() { (Duration::ZERO, Duration::ZERO) } else { (elapsed, ahead) };
    let elapsed_ns = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
    let filter = SharedFilter::read_snapshot(BufReader::new(file), &options(elapsed_ns, None, None, secret))?;
    filter.expect_options(request).map_err(io::Error::other)?;
    Ok((filter, ahead))
}
