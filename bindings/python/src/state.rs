//! The Python objects that the module uses in many calls, each looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use lately::Verdict;

/// `Verdict.NEW` and `Verdict.DUPLICATE`.
static VERDICTS: PyOnceLock<[Py<PyAny>; 2]> = PyOnceLock::new();

/// The member of `lately.Verdict` for a verdict of a single key.
pub(crate) fn verdict(py: Python<'_>, verdict: Verdict) -> PyResult<Py<PyAny>> {
    let [new, duplicate] = VERDICTS.get_or_try_init(py, || -> PyResult<_> {
        let class = py.import("lately._values")?.getattr("Verdict")?;
        Ok([class.getattr("NEW")?.unbind(), class.getattr("DUPLICATE")?.unbind()])
    })?;
    Ok(if verdict.is_new() { new.clone_ref(py) } else { duplicate.clone_ref(py) })
}

/// `uuid.UUID`.
pub(crate) fn uuid(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "uuid", "UUID")
}

/// `datetime.datetime`.
pub(crate) fn datetime(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "datetime", "datetime")
}

/// `lately.Error`.
pub(crate) fn error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "lately._errors", "Error")
}

/// `lately.OutOfMemory`.
pub(crate) fn out_of_memory(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "lately._errors", "OutOfMemory")
}
