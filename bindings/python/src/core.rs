//! The verbs of a filter on one key, and all else of it that is not about many keys. `lately.Filter` is made of it.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};

use lately::{Age, Error, Secret, SharedFilter, Tick, Verdict};

use crate::batch::Verb;
use crate::errors;
use crate::handle::{Built, Handle};
use crate::key::{self, Key};
use crate::many::{self, Given, Many};
use crate::moment;
use crate::options;
use crate::snapshot;
use crate::state;
use crate::stream;
use crate::table::Nulls;
use crate::values;

/// What `lately.Filter` is made of.
#[pyclass(frozen, subclass, weakref, module = "lately._lately")]
pub(crate) struct Core {
    pub(crate) handle: Handle,
}

/// How long ago a key was seen: at least and at most.
type Bounds = Option<(u64, u64)>;

impl Core {
    /// Runs a verb on the key that `object` is, now or at the time that is given.
    #[inline]
    fn verb<T>(
        &self,
        object: &Bound<'_, PyAny>,
        at: Option<&Bound<'_, PyAny>>,
        now: impl FnOnce(&SharedFilter, &[u8]) -> Result<T, Error>,
        then: impl FnOnce(&SharedFilter, &[u8], Tick) -> Result<T, Error>,
    ) -> PyResult<T> {
        let key = Key::of(object)?;
        let result = match at {
            None => self.handle.with(|filter| now(filter, key.as_ref()))?,
            Some(at) => {
                let tick = moment::tick(at, self.handle.unit)?;
                self.handle.with(|filter| then(filter, key.as_ref(), tick))?
            }
        };
        result.map_err(|error| errors::raise(&error))
    }

    fn observed(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<Verdict> {
        self.verb(key, at, |filter, key| filter.observe(key), |filter, key, at| filter.observe_at(key, at))
    }

    fn contained(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<Verdict> {
        self.verb(
            key,
            at,
            |filter, key| filter.expect_now().map(|()| filter.contains(key)),
            |filter, key, at| filter.contains_at(key, at),
        )
    }
}

fn bounds(age: Option<Age>) -> Bounds {
    age.map(|age| (age.at_least, age.at_most))
}

#[pymethods]
impl Core {
    #[new]
    fn new(built: &Built) -> PyResult<Self> {
        Ok(Self { handle: Handle::new(built.take()?) })
    }

    /// Test and insert in one step: `Verdict.NEW` or `Verdict.DUPLICATE`.
    ///
    /// `at` is the time of the record, for a filter whose `clock` is a unit: an int in that unit, or a datetime with a time
    /// zone.
    ///
    /// >>> seen = lately.Filter("10m")
    /// >>> seen.observe("order-17")
    /// <Verdict.NEW: 0>
    /// >>> seen.observe("order-17")
    /// <Verdict.DUPLICATE: 1>
    #[pyo3(signature = (key, /, *, at=None))]
    fn observe(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        state::verdict(key.py(), self.observed(key, at)?)
    }

    /// Test and insert in one step: True if the key is new. The form for `if`.
    ///
    /// >>> seen = lately.Filter("10m")
    /// >>> if seen.first("order-17"):
    /// ...     print("ship it")
    /// ship it
    #[pyo3(signature = (key, /, *, at=None))]
    fn first(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        self.observed(key, at).map(Verdict::is_new)
    }

    /// The verdict that `observe` would give. Changes nothing.
    ///
    /// >>> seen = lately.Filter("10m")
    /// >>> seen.contains("order-17")
    /// <Verdict.NEW: 0>
    #[pyo3(signature = (key, /, *, at=None))]
    fn contains(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyAny>> {
        state::verdict(key.py(), self.contained(key, at)?)
    }

    /// `key in seen`: whether the key was seen. Changes nothing.
    fn __contains__(&self, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.contained(key, None).map(Verdict::is_duplicate)
    }

    /// Insert without a verdict.
    ///
    /// >>> seen = lately.Filter("10m")
    /// >>> seen.insert("order-17")
    /// >>> "order-17" in seen
    /// True
    #[pyo3(signature = (key, /, *, at=None))]
    fn insert(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.verb(key, at, |filter, key| filter.insert(key), |filter, key, at| filter.insert_at(key, at))
    }

    /// Forget a key of a window of the default kind, or of a `removable` set: True if it was there (in a window: within it).
    ///
    /// A window frees every cell that agrees with the key, so that another key goes with it with a chance of at most the
    /// error rate. It is no observation and moves no clock, and an open claim of the key stays open. Of a set remove only
    /// what `insert` took or `observe` called new: another removal may take the entry of another key.
    ///
    /// >>> seen = lately.Filter("10m")
    /// >>> seen.insert("order-17")
    /// >>> seen.remove("order-17"), seen.remove("order-17")
    /// (True, False)
    #[pyo3(signature = (key, /, *, at=None))]
    fn remove(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        self.verb(key, at, |filter, key| filter.remove(key), |filter, key, at| filter.remove_at(key, at))
    }

    /// The verdict of a claim, and its token: 0 unless the verdict is new.
    #[pyo3(signature = (key, at=None))]
    fn _claim(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<(Py<PyAny>, u64)> {
        let claim = self.verb(key, at, |filter, key| filter.claim(key), |filter, key, at| filter.claim_at(key, at))?;
        Ok((state::verdict(key.py(), claim.verdict())?, claim.token().map_or(0, |token| token.0)))
    }

    /// Store the key of a claim whose work is done, by its token, and close the claim.
    ///
    /// The claim may be of another process: of a file or a copy. After its lease the key is stored too, unless the filter
    /// contains it. `Filter.claim` shows it.
    #[pyo3(signature = (key, token, /, *, at=None))]
    fn commit(
        &self,
        key: &Bound<'_, PyAny>,
        token: &Bound<'_, PyAny>,
        at: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let token = key::token(token)?;
        let found = self.verb(
            key,
            at,
            |filter, key| filter.commit(key, token),
            |filter, key, at| filter.commit_at(key, token, at),
        )?;
        state::committed(key.py(), found)
    }

    /// Close a claim whose work failed, by its token, so that the next claim of the key is new.
    ///
    /// Nothing changes if it is not open any more.
    #[pyo3(signature = (key, token, /))]
    fn abandon(&self, key: &Bound<'_, PyAny>, token: &Bound<'_, PyAny>) -> PyResult<()> {
        let (key, token) = (Key::of(key)?, key::token(token)?);
        self.handle.with(|filter| filter.abandon(key.as_ref(), token))?.map_err(|error| errors::raise(&error))
    }

    /// Number of a verdict, and bounds of the age of a duplicate.
    #[pyo3(signature = (key, at=None))]
    fn _observe_age(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<(Py<PyAny>, Bounds)> {
        let (verdict, age) = self.verb(
            key,
            at,
            |filter, key| filter.observe_age(key),
            |filter, key, at| filter.observe_age_at(key, at),
        )?;
        Ok((state::verdict(key.py(), verdict)?, bounds(age)))
    }

    #[pyo3(signature = (key, at=None))]
    fn _contains_age(&self, key: &Bound<'_, PyAny>, at: Option<&Bound<'_, PyAny>>) -> PyResult<Bounds> {
        self.verb(key, at, |filter, key| filter.contains_age(key), |filter, key, at| filter.contains_age_at(key, at))
            .map(bounds)
    }

    /// The mask of the rows that were processed, and the exception that stopped it or None.
    #[pyo3(signature = (verb, nulls, keys, absent=None, unit=None, times=None, are_dates=false))]
    #[allow(clippy::too_many_arguments, reason = "the parts of the keys, as Python has them")]
    fn _many(
        &self,
        verb: &str,
        nulls: &str,
        keys: &Bound<'_, PyAny>,
        absent: Option<&Bound<'_, PyAny>>,
        unit: Option<u64>,
        times: Option<&Bound<'_, PyAny>>,
        are_dates: bool,
    ) -> PyResult<(Py<PyByteArray>, Option<PyErr>)> {
        let (verb, nulls) = (Verb::named(verb)?, Nulls::named(nulls)?);
        many::run(&Many { handle: &self.handle, verb, nulls }, &Given { keys, absent, unit, times, are_dates })
    }

    /// Move a manual clock to a time, however far. What has left the window is forgotten.
    #[pyo3(signature = (to, /))]
    fn advance(&self, to: &Bound<'_, PyAny>) -> PyResult<()> {
        let tick = moment::tick(to, self.handle.unit)?;
        self.handle.detached(to.py(), |filter| filter.advance(tick))?.map_err(|error| errors::raise(&error))
    }

    /// Empty the filter and forget clock and counters. Options, seed and secret stay.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.handle.detached(py, SharedFilter::clear)
    }

    fn _copy(&self, py: Python<'_>) -> PyResult<Built> {
        let copy = self.handle.detached(py, |filter| filter.unshared().and_then(SharedFilter::of))?;
        copy.map(Built::new).map_err(|error| errors::raise(&error))
    }

    fn _stats(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        values::stats(py, &self.handle.with(SharedFilter::stats)?)
    }

    fn _options(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        options::made(py, &self.handle.with(SharedFilter::options)?)
    }

    /// Set the counters of verdicts and of late and refused ticks to 0.
    fn reset_stats(&self) -> PyResult<()> {
        self.handle.with(SharedFilter::stats_reset)
    }

    /// The hash that the key has in this filter and in all others with the same seed.
    #[pyo3(signature = (key, /))]
    fn hash(&self, key: &Bound<'_, PyAny>) -> PyResult<u64> {
        let key = Key::of(key)?;
        let hash = self.handle.with(|filter| filter.hash(key.as_ref()))?;
        hash.map(|hash| hash.0).map_err(|error| errors::raise(&error))
    }

    fn _secret(&self) -> PyResult<(u64, u64)> {
        self.handle.with(SharedFilter::secret)?.map(Secret::words).map_err(|error| errors::raise(&error))
    }

    /// The filter as bytes. They contain no secret. `docs/reference/format.md` describes them.
    fn to_bytes(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        snapshot::to_bytes(py, &self.handle)
    }

    /// Write the filter to a binary file object, in pieces: an `io.BytesIO`, a file of gzip, `socket.makefile("wb")`, or whatever
    /// has a `write` for bytes.
    ///
    /// What is written is a copy, so other threads can use the filter meanwhile. The file itself must not: that is a
    /// `RuntimeError`. If `write` raises, its exception is raised, and the file has a part of the filter.
    ///
    /// >>> import io
    /// >>> seen, file = lately.Filter("10m"), io.BytesIO()
    /// >>> seen.insert("order-17")
    /// >>> seen.to_file(file)
    /// >>> file.seek(0)
    /// 0
    /// >>> "order-17" in lately.Filter.from_file(file, elapsed="1m")
    /// True
    #[pyo3(signature = (file, /))]
    fn to_file(&self, file: &Bound<'_, PyAny>) -> PyResult<()> {
        stream::write(file.py(), &self.handle, file)
    }

    #[allow(clippy::needless_pass_by_value, reason = "what PyO3 hands over")]
    fn _save(&self, py: Python<'_>, path: PathBuf) -> PyResult<u64> {
        snapshot::save_file(py, &self.handle, &path)
    }

    /// Give the memory back. Calls that run are finished first; later ones raise `lately.Error`.
    fn close(&self, py: Python<'_>) {
        self.handle.close(py);
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.handle.is_closed()
    }

    fn __repr__(&self) -> String {
        let line = self.handle.look(|filter| format!("{filter:?}"));
        line.map_or_else(
            || String::from("<lately.Filter: closed>"),
            |line| {
                let inner = line.strip_prefix("SharedFilter(").and_then(|line| line.strip_suffix(')'));
                format!("<lately.Filter: {}>", inner.unwrap_or(&line))
            },
        )
    }
}

/// The hash of a key under a seed, the same in every language and version.
#[pyfunction]
#[pyo3(signature = (key, seed=0))]
pub(crate) fn hash64(key: &Bound<'_, PyAny>, seed: u64) -> PyResult<u64> {
    Ok(lately::hash64(Key::of(key)?.as_ref(), seed))
}
