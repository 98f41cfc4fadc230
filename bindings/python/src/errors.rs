//! Errors of the library as Python exceptions: `lately.Error` with the code and the option at fault.

use std::fmt::Display;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use lately::{Code, Error, Field};

use crate::spans;
use crate::state;

/// The keyword of Python for an option: a unit is in the value of a span, and the secret is one.
pub(crate) fn keyword(field: Field) -> &'static str {
    match field {
        Field::WindowKeys => "last",
        Field::SecretLo | Field::SecretHi => "secret",
        other => other.name().trim_end_matches("_ns"),
    }
}

/// The options that have another name in Python.
fn renamed() -> impl Iterator<Item = Field> {
    Field::ALL.iter().copied().filter(|field| keyword(*field) != field.name())
}

/// The keyword of Python for the option with this name.
pub(crate) fn keyword_of(name: &str) -> &str {
    Field::ALL.iter().find(|field| field.name() == name).map_or(name, |field| keyword(*field))
}

/// The name of a code, which all languages share: TOO_LARGE of `TooLarge`.
fn name_of(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

/// The exception for an error of the library.
pub(crate) fn raise(error: &Error) -> PyErr {
    let said = renamed().fold(error.to_string(), |said, field| said.replace(field.name(), keyword(field)));
    coded(&name_of(error.code()), error.field().map(keyword), spans::written(&said))
}

/// The exception with this code, of this option.
pub(crate) fn coded(code: &str, field: Option<&str>, said: String) -> PyErr {
    Python::attach(|py| {
        let class = if code == "NO_MEMORY" { state::out_of_memory(py) } else { state::error(py) };
        match class.and_then(|class| class.call1((said, code, field))) {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        }
    })
}

/// The message on a value that must be in this range.
pub(crate) fn out_of_range(name: impl Display, value: impl Display, range: impl Display) -> String {
    format!("{name} = {value}: must be {range}")
}

/// The exception for a value that has none of these types.
pub(crate) fn wrong_type(name: &str, value: &Bound<'_, PyAny>, types: &str) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| String::from("this type"), |kind| kind.to_string());
    PyTypeError::new_err(format!("{name} must be {types}, not {kind}"))
}

/// A filter was used after `close`.
pub(crate) fn closed() -> PyErr {
    coded("CLOSED", None, String::from("the filter is closed"))
}
