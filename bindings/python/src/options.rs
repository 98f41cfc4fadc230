//! Options of Python as the library's request. Their names and choices are those of the crate, which reads them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde::de::value::{Error as Refused, MapDeserializer};
use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use lately::{Filter, Kind, Options, SharedFilter};

use crate::errors;
use crate::handle::Built;
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
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{name} is a {kind}: allowed is a number, a bool or a str")));
        };
        Ok(Self { name, value: read })
    }
}

fn out_of_range(name: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let shown = value.str().map_or_else(|_| String::from("this number"), |text| text.to_string());
    errors::coded("OPTION", Some(name), format!("{name} = {shown}: allowed is 0 to {}", u64::MAX))
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
        read.map_err(|error| about(&self.name, &error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let Value::Choice(text) = &self.value else {
            return self.deserialize_any(visitor);
        };
        let read = visitor.visit_enum(IntoDeserializer::<Refused>::into_deserializer(text.as_str()));
        read.map_err(|error| about(&self.name, &error))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

fn about(name: &str, error: &Refused) -> Refused {
    Refused::custom(format!("{name}: {error}"))
}

/// The request in a dict of options by the names of the crate, with the secret apart from them.
fn request(options: &Bound<'_, PyDict>, secret: Option<(u64, u64)>) -> PyResult<Options> {
    let given = options.iter().map(|(name, value)| {
        let name: String = name.extract()?;
        Ok((name.clone(), Given::new(name, &value)?))
    });
    let given: Vec<(String, Given)> = given.collect::<PyResult<_>>()?;
    let read = Options::deserialize(MapDeserializer::new(given.into_iter()));
    let request = read.map_err(|error: Refused| {
        let said = error.to_string();
        let name = said.split(':').next().unwrap_or_default().to_owned();
        errors::coded("OPTION", Some(&name), said)
    })?;
    Ok(match secret {
        Some((lo, hi)) => request.secret(lo, hi),
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

/// The names of the kinds, in the order of their numbers.
#[pyfunction]
pub(crate) fn kinds() -> Vec<&'static str> {
    Kind::ALL.iter().map(|kind| kind.name()).collect()
}
