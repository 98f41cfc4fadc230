//! Options of Python as the library's request. Their names and choices are those of the crate, which reads them.

use std::fmt;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde::de::value::MapDeserializer;
use serde::de::{self, Deserialize, Deserializer, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use lately::abi::Shape;
use lately::{Field, Filter, Kind, Options, SharedFilter};

use crate::errors;
use crate::handle::Built;
use crate::spans;
use crate::values;

/// The value of an option, with its name for errors.
struct Given {
    name: String,
    value: Value,
}

enum Value {
    Whole(u64),
    Real(f64),
    Flag(bool),
    Choice(String),
}

impl Given {
    fn new(name: String, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let read = if let Ok(flag) = value.cast::<PyBool>() {
            Value::Flag(flag.is_true())
        } else if value.is_instance_of::<PyInt>() {
            Value::Whole(value.extract().map_err(|_| out_of_range(&name, value))?)
        } else if value.is_instance_of::<PyFloat>() {
            Value::Real(value.extract()?)
        } else if let Ok(text) = value.cast::<PyString>() {
            Value::Choice(text.to_string())
        } else {
            return Err(errors::wrong_type(&name, value, "a number, a bool or a str"));
        };
        Ok(Self { name, value: read })
    }
}

fn out_of_range(name: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let shown = value.str().map_or_else(|_| String::from("this number"), |text| text.to_string());
    let name = errors::keyword_of(name);
    let text = errors::out_of_range(name, shown, format_args!("0 to {}", u64::MAX));
    errors::coded("OPTION", Some(name), text)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
            Self::Flag(flag) => f.write_str(if *flag { "True" } else { "False" }),
            Self::Choice(text) => write!(f, "{text:?}"),
        }
    }
}

/// Why a value is not one of its option: its range, and, once the option is known, the whole message.
#[derive(Debug)]
struct Refused {
    name: String,
    text: String,
}

impl Refused {
    fn range(range: &str) -> Self {
        Self { name: String::new(), text: String::from(range) }
    }

    /// The same, of this option.
    fn of(self, given: &Given) -> Self {
        Self {
            text: errors::out_of_range(errors::keyword_of(&given.name), &given.value, self.text),
            name: given.name.clone(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(said: T) -> Self {
        Self { name: String::new(), text: said.to_string() }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::range(match expected.to_string().as_str() {
            "u32" => "a whole number up to 4294967295",
            "u64" => "a whole number",
            "f64" => "a number",
            "a boolean" => "True or False",
            other => other,
        })
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn unknown_variant(_: &str, names: &'static [&'static str]) -> Self {
        Self::range(&format!("one of {}", names.join(", ")))
    }
}

impl<'de> IntoDeserializer<'de, Refused> for Given {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Given {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        let read = match &self.value {
            Value::Whole(number) => visitor.visit_u64(*number),
            Value::Real(number) => visitor.visit_f64(*number),
            Value::Flag(flag) => visitor.visit_bool(*flag),
            Value::Choice(text) => visitor.visit_str(text),
        };
        read.map_err(|error: Refused| error.of(&self))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let Value::Choice(text) = &self.value else {
            return Err(<Refused as de::Error>::unknown_variant("", names).of(&self));
        };
        let read = visitor.visit_enum(IntoDeserializer::<Refused>::into_deserializer(text.as_str()));
        read.map_err(|error: Refused| error.of(&self))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The request in a dict of options by the names of the crate, with the secret apart from them.
pub(crate) fn request(options: &Bound<'_, PyDict>, secret: Option<(u64, u64)>) -> PyResult<Options> {
    let given = options.iter().map(|(name, value)| {
        let name: String = name.extract()?;
        Ok((name.clone(), Given::new(name, &value)?))
    });
    let given: Vec<(String, Given)> = given.collect::<PyResult<_>>()?;
    let read = Options::deserialize(MapDeserializer::new(given.into_iter()));
    let request =
        read.map_err(|error: Refused| errors::coded("OPTION", Some(errors::keyword_of(&error.name)), error.text))?;
    Ok(match secret {
        Some((lo, hi)) => request.secret(lately::Secret::new(lo, hi)),
        None => request,
    })
}

/// Builds the filter that the options ask for.
#[pyfunction]
#[pyo3(signature = (options, secret=None))]
pub(crate) fn build(options: &Bound<'_, PyDict>, secret: Option<(u64, u64)>) -> PyResult<Built> {
    let request = request(options, secret)?;
    let filter = options.py().detach(|| SharedFilter::new(&request));
    filter.map(Built::new).map_err(|error| errors::raise(&error))
}

/// What the options come to, as a dict.
#[pyfunction]
#[pyo3(signature = (options, secret=None))]
pub(crate) fn plan(options: &Bound<'_, PyDict>, secret: Option<(u64, u64)>) -> PyResult<Py<PyDict>> {
    let plan = Filter::plan(&request(options, secret)?).map_err(|error| errors::raise(&error))?;
    values::plan(options.py(), &plan)
}

/// The options that make a filter like this one, by their keywords: choices by their numbers, spans of time as text.
pub(crate) fn made(py: Python<'_>, options: &Options) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    for &field in Field::ALL {
        let (name, number) = (errors::keyword(field), options.number_of(field));
        match field.shape() {
            _ if number == 0 => {}
            Shape::Span => dict.set_item(name, spans::span(number))?,
            Shape::Rate => dict.set_item(name, f64::from_bits(number))?,
            Shape::Flag => dict.set_item(name, true)?,
            _ => dict.set_item(name, number)?,
        }
    }
    Ok(dict.unbind())
}

/// The names of the kinds, in the order of their numbers.
#[pyfunction]
pub(crate) fn kinds() -> Vec<&'static str> {
    Kind::ALL.iter().map(|kind| kind.name()).collect()
}
