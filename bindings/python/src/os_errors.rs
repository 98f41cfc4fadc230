//! Errors of the system as the exceptions that Python's own functions raise.

use std::io;
use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use lately::Error;

use crate::errors;

/// An error of a file, with its number and name as Python's own have them, or of the library inside it.
pub(crate) fn failed(py: Python<'_>, error: io::Error, path: Option<&Path>) -> PyErr {
    match (error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()), error.raw_os_error(), path) {
        (Some(inner), ..) => errors::raise(inner),
        (None, Some(number), Some(path)) => of_system(py, number, path).unwrap_or_else(|failed| failed),
        (None, None, Some(path)) => PyOSError::new_err(format!("{}: {error}", path.display())),
        (None, _, None) => PyOSError::new_err(error.to_string()),
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
