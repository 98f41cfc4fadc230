//! Times of Python as ticks: an int counts the unit of the clock from any origin, a `datetime` with a time zone counts from
//! 1970 and is cut to the unit.

use std::num::TryFromIntError;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

use lately::{Field, Options, Tick, Unit};

use crate::errors;
use crate::state;

/// The units of a manual clock in the order of their numbers, of which `system` is 1.
const UNITS: [Unit; 4] = [Unit::Nanoseconds, Unit::Microseconds, Unit::Milliseconds, Unit::Seconds];

/// The unit of the ticks of a manual clock; none if the options ask for another.
pub(crate) fn unit(options: &Options) -> Option<Unit> {
    let number = options.number_of(Field::Clock);
    (2..).zip(UNITS).find(|(unit, _)| *unit == number).map(|(_, unit)| unit)
}

/// The tick of a time.
pub(crate) fn tick(time: &Bound<'_, PyAny>, unit: Unit) -> PyResult<Tick> {
    let py = time.py();
    if time.is_instance_of::<PyInt>() && !time.is_instance_of::<PyBool>() {
        return number(time, unit);
    }
    if time.is_instance(state::datetime(py)?)? {
        return date(time, unit);
    }
    if time.hasattr("__index__")? && !time.is_instance_of::<PyBool>() { number(time, unit) } else { Err(refused(time)) }
}

fn number(time: &Bound<'_, PyAny>, unit: Unit) -> PyResult<Tick> {
    match time.extract() {
        Ok(tick) => Ok(Tick(tick)),
        Err(error) if error.is_instance_of::<PyOverflowError>(time.py()) => {
            let shown = time.str().map_or_else(|_| String::from("this number"), |text| text.to_string());
            Err(out_of_range(&shown, unit))
        }
        Err(error) => Err(error),
    }
}

/// The error of a time that has no tick.
pub(crate) fn out_of_range(time: &str, unit: Unit) -> PyErr {
    let (most, name) = (u64::MAX / unit.nanoseconds(), unit.name());
    errors::coded(
        "TICK",
        None,
        format!("the time {time} has no tick: it must be 0 to {most} {name}, or 1970-01-01 to 2554-07-21 UTC"),
    )
}

/// Microseconds of a `datetime`, and the nanoseconds that pandas has in addition.
fn date(time: &Bound<'_, PyAny>, unit: Unit) -> PyResult<Tick> {
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
    in_unit(micros * 1000 + nanos, unit).map_err(|_| out_of_range(&time.to_string(), unit))
}

/// The tick of a date in nanoseconds since 1970. A date before 1970, or after the last nanosecond of a clock, has none.
pub(crate) fn in_unit(ns: i128, unit: Unit) -> Result<Tick, TryFromIntError> {
    u64::try_from(ns).map(|ns| Tick(ns / unit.nanoseconds()))
}

fn refused(time: &Bound<'_, PyAny>) -> PyErr {
    errors::wrong_type("a time", time, "an int in the unit of the clock or a datetime with a time zone")
}
