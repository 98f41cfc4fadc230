//! The Python objects that the module uses in many calls, each looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use lately::{Committed, Verdict};

/// Three members of a class of `lately`, in the order of their numbers, which are those of C.
type Three = PyOnceLock<[Py<PyAny>; 3]>;

/// The member of the class with this number.
fn member(py: Python<'_>, all: &Three, class: &str, names: [&str; 3], number: u8) -> PyResult<Py<PyAny>> {
    let all = all.get_or_try_init(py, || -> PyResult<_> {
        let class = py.import("lately._values")?.getattr(class)?;
        let [first, second, third] = names.map(|name| class.getattr(name).map(Bound::unbind));
        Ok([first?, second?, third?])
    })?;
    Ok(all[usize::from(number)].clone_ref(py))
}

/// The member of `lately.Verdict` for a verdict of a single key.
pub(crate) fn verdict(py: Python<'_>, verdict: Verdict) -> PyResult<Py<PyAny>> {
    static ALL: Three = PyOnceLock::new();
    member(py, &ALL, "Verdict", ["NEW", "DUPLICATE", "PENDING"], verdict.into())
}

/// The member of `lately.Committed` for what a commit found.
pub(crate) fn committed(py: Python<'_>, found: Committed) -> PyResult<Py<PyAny>> {
    static ALL: Three = PyOnceLock::new();
    member(py, &ALL, "Committed", ["IN_TIME", "LATE", "ALREADY"], found.into())
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
