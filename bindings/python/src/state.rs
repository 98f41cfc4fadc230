//! The Python objects that the module uses in many calls, each looked up once.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyTuple, PyType};

use lately::{Committed, Verdict};

/// The interpreter that they are of, by the address of its module `sys`.
static INTERPRETER: AtomicUsize = AtomicUsize::new(0);

/// Refuses a second interpreter of the process: it would get verdicts and errors whose classes belong to the first one, so that
/// neither `is` nor `except` matches them.
pub(crate) fn expect_one_interpreter(py: Python<'_>) -> PyResult<()> {
    let here = py.import("sys")?.as_ptr().addr();
    match INTERPRETER.compare_exchange(0, here, SeqCst, SeqCst) {
        Err(first) if first != here => Err(PyImportError::new_err(
            "another interpreter of this process has imported lately, and only one can: use it in the main interpreter alone \
             (of mod_wsgi: WSGIApplicationGroup %{GLOBAL}), or start a process for each",
        )),
        _ => Ok(()),
    }
}

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

/// The variable of a context that has the addresses of the filters that it writes to a file object now, in a tuple.
pub(crate) fn written(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let make = || -> PyResult<_> {
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        let none = [("default", PyTuple::empty(py))].into_py_dict(py)?;
        Ok(class.call(("lately.written",), Some(&none))?.unbind())
    };
    Ok(VARIABLE.get_or_try_init(py, make)?.bind(py))
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
