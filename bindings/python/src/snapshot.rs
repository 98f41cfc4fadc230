//! Filters as bytes and back, without the GIL.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use lately::abi::{open_shared, save_shared};
use lately::{LoadOptions, SharedFilter};

use crate::errors;
use crate::gate;
use crate::handle::{Built, Handle};
use crate::moment;
use crate::options::request;
use crate::os_errors::failed;
use crate::room;
use crate::stream;

/// The filter as bytes.
pub(crate) fn to_bytes(py: Python<'_>, handle: &Handle) -> PyResult<Py<PyBytes>> {
    let copy = handle.detached(py, SharedFilter::unshared)?.map_err(|error| errors::raise(&error))?;
    let len = usize::try_from(copy.snapshot_size()).unwrap_or(usize::MAX);
    room::object(py, len, |to| {
        let written = gate::detached(py, || copy.snapshot_write(to));
        written.map(drop).map_err(|error| errors::raise(&error))
    })
}

/// Saves the filter in a file, whole or not at all.
pub(crate) fn save_file(py: Python<'_>, handle: &Handle, path: &Path) -> PyResult<u64> {
    handle.detached(py, |filter| save_shared(path, filter))?.map_err(|error| failed(py, error, Some(path)))
}

/// The time that passed, in nanoseconds; the most memory; the limit from now on; the secret.
type Loading = (u64, Option<u64>, Option<u64>, Option<(u64, u64)>);

fn options((elapsed_ns, memory, new_memory, secret): Loading) -> LoadOptions {
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
pub(crate) fn load_bytes(py: Python<'_>, data: &[u8], how: Loading) -> PyResult<Built> {
    let loaded = py.detach(|| SharedFilter::load(data, &options(how)));
    loaded.map(Built::new).map_err(|error| errors::raise(&error))
}

/// A filter of the snapshot in a file.
#[pyfunction]
#[allow(clippy::needless_pass_by_value, reason = "what PyO3 hands over")]
pub(crate) fn load_file(py: Python<'_>, path: PathBuf, how: Loading) -> PyResult<Built> {
    let read = || SharedFilter::read_snapshot(BufReader::new(File::open(&path)?), &options(how));
    py.detach(read).map(Built::new).map_err(|error| failed(py, error, Some(&path)))
}

/// A filter of the snapshot that a file object gives.
#[pyfunction]
pub(crate) fn load_stream(py: Python<'_>, file: &Bound<'_, PyAny>, how: Loading) -> PyResult<Built> {
    stream::read(py, file, &options(how)).map(Built::new)
}

/// The filter of a file, which must be one that these options make, or a new one. Returns how far the time of the file is ahead,
/// too, in nanoseconds.
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
    let (filter, opened) =
        py.detach(|| open_shared(&path, &request)).map_err(|error| failed(py, error, Some(&path)))?;
    // With the times of the records the next of them shows what passed.
    let ahead = if moment::unit(&request).is_some() { 0 } else { opened.ahead.as_nanos() };
    Ok((Built::new(filter), ahead))
}
