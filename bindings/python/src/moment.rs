//! Times of Python as ticks: an int is nanoseconds from any origin, a `datetime` with a time zone counts from 1970.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

use lately::Tick;

use crate::errors;
use crate::state;

/// The tick of a time.
pub(crate) fn tick(time: &Bound<'_, PyAny>) -> PyResult<Tick> {
    let py = time.py();
    if time.is_instance_of::<PyInt>() && !time.is_instance_of::<PyBool>() {
        return number(time);
    }
    if time.is_instance(state::datetime(py)?)? {
        return date(time);
    }
    if time.hasattr("__index__")? && !time.is_instance_of::<PyBool>() { number(time) } else { Err(refused(time)) }
}

fn number(time: &Bound<'_, PyAny>) -> PyResult<Tick> {
    match time.extract() {
        Ok(ns) => Ok(Tick(ns)),
        Err(error) if error.is_instance_of::<PyOverflowError>(time.py()) => {
            Err(out_of_range(&time.str().map_or_else(|_| String::from("this number"), |text| text.to_string())))
        }
        Err(error) => Err(error),
    }
}

/// The error of a time that has no tick.
pub(crate) fn out_of_range(time: &str) -> PyErr {
    errors::coded(
        "TICK",
        None,
        format!("the time {time} has no tick: it must be 0 to {} ns, or 1970-01-01 to 2554-07-21 UTC", u64::MAX),
    )
}

/// Microseconds of a `datetime`, and the nanoseconds that pandas has in addition.
fn date(time: &Bound<'_, PyAny>) -> PyResult<Tick> {
    if time.call_method0("utcoffset")?.is_none() {
        return Err(PyValueError::new_err("the time has no time zone: pass datetime.now(timezone.utc), or an int"));
    }
    let epoch = time.py().import("lately._units")?.getattr("EPOCH")?;
    let since: Bound<'_, PyAny> = time.call_method1("__sub__", (epoch,))?;
    let field = |name: &str| -> PyResult<i128> { since.getattr(name)?.extract::<i64>().map(i128::from) };
    let micros = (field("days")? * 86_400 + field("seconds")?) * 1_000_000 + field("microseconds")?;
    let nanos = match time.getattr_opt("nanosecond")? {
        Some(nanos) => i128::from(nanos.extract::<i64>()?),
        None => 0,
    };
    u64::try_from(micros * 1000 + nanos).map(Tick).map_err(|_| out_of_range(&time.to_string()))
}

fn refused(time: &Bound<'_, PyAny>) -> PyErr {
    errors::wrong_type("a time", time, "an int of nanoseconds or a datetime with a time zone")
}
