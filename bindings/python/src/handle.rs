//! A filter that may be closed at any moment, from any thread.

use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError, RwLock};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use lately::{SharedFilter, Unit};

use crate::errors;
use crate::gate;
use crate::moment;
use crate::state;

/// The filter of an object, until it is closed.
pub(crate) struct Handle {
    filter: RwLock<Option<SharedFilter>>,
    /// The unit of its ticks; nanoseconds if it takes none.
    pub(crate) unit: Unit,
    /// Calls that write it to a file object now.
    writers: AtomicUsize,
}

impl Handle {
    pub(crate) fn new(filter: SharedFilter) -> Self {
        let unit = moment::unit(&filter.options()).unwrap_or(Unit::Nanoseconds);
        Self { unit, filter: RwLock::new(Some(filter)), writers: AtomicUsize::new(0) }
    }

    /// Runs `verb` on the filter. `close` waits for it.
    #[inline]
    pub(crate) fn with<T>(&self, verb: impl FnOnce(&SharedFilter) -> T) -> PyResult<T> {
        self.expect_no_file()?;
        self.look(verb).ok_or_else(errors::closed)
    }

    /// The same also for a file that the filter is written to; `None` if the filter is closed.
    pub(crate) fn look<T>(&self, verb: impl FnOnce(&SharedFilter) -> T) -> Option<T> {
        self.filter.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(verb)
    }

    /// The same as `with`, without the GIL.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        verb: impl FnOnce(&SharedFilter) -> T + Send,
    ) -> PyResult<T> {
        self.expect_no_file()?;
        gate::detached(py, || self.look(verb)).ok_or_else(errors::closed)
    }

    /// Runs `work`, which writes the filter to a file object. What the file calls meanwhile is refused, in this context alone: other
    /// threads, tasks and greenlets have their own, and may call the filter.
    pub(crate) fn while_written<T>(&self, py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
        let written = state::written(py)?;
        let all = written.call_method0("get")?.add((self.address(),))?;
        let token = written.call_method1("set", (all,))?;
        self.writers.fetch_add(1, SeqCst);
        let result = work();
        self.writers.fetch_sub(1, SeqCst);
        written.call_method1("reset", (token,)).map(|_| result)
    }

    fn address(&self) -> usize {
        ptr::from_ref(self).addr()
    }

    #[inline]
    fn expect_no_file(&self) -> PyResult<()> {
        if self.writers.load(SeqCst) == 0 { Ok(()) } else { self.expect_no_file_here() }
    }

    #[cold]
    fn expect_no_file_here(&self) -> PyResult<()> {
        match Python::attach(|py| state::written(py)?.call_method0("get")?.contains(self.address()))? {
            true => Err(PyRuntimeError::new_err("the filter is being written to this file, which must not call it")),
            false => Ok(()),
        }
    }

    /// Gives the memory back; calls that run are finished first.
    pub(crate) fn close(&self, py: Python<'_>) {
        gate::detached(py, || drop(self.filter.write().unwrap_or_else(PoisonError::into_inner).take()));
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.filter.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// A filter that was built, loaded or copied, and that becomes one object.
#[pyclass(frozen, module = "lately._lately")]
pub(crate) struct Built(Mutex<Option<SharedFilter>>);

impl Built {
    pub(crate) fn new(filter: SharedFilter) -> Self {
        Self(Mutex::new(Some(filter)))
    }

    pub(crate) fn take(&self) -> PyResult<SharedFilter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(errors::closed)
    }
}
