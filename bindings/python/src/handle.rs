//! A filter that may be closed at any moment, from any thread.

use std::sync::{Mutex, PoisonError, RwLock};

use pyo3::prelude::*;

use lately::{SharedFilter, Unit};

use crate::errors;
use crate::gate;
use crate::moment;

/// The filter of an object, until it is closed.
pub(crate) struct Handle {
    filter: RwLock<Option<SharedFilter>>,
    /// The unit of its ticks; nanoseconds if it takes none.
    pub(crate) unit: Unit,
}

impl Handle {
    pub(crate) fn new(filter: SharedFilter) -> Self {
        let unit = moment::unit(&filter.options()).unwrap_or(Unit::Nanoseconds);
        Self { unit, filter: RwLock::new(Some(filter)) }
    }

    /// Runs `verb` on the filter. `close` waits for it.
    #[inline]
    pub(crate) fn with<T>(&self, verb: impl FnOnce(&SharedFilter) -> T) -> PyResult<T> {
        match self.filter.read().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(filter) => Ok(verb(filter)),
            None => Err(errors::closed()),
        }
    }

    /// The same without the GIL; `None` if the filter is closed.
    pub(crate) fn detached<T: Send>(
        &self,
        py: Python<'_>,
        verb: impl FnOnce(&SharedFilter) -> T + Send,
    ) -> PyResult<T> {
        let result =
            gate::detached(py, || self.filter.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(verb));
        result.ok_or_else(errors::closed)
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
