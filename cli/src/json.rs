//! JSON values by their pointers, without a tree of the whole record: what no pointer leads to is checked and passed over.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Error, Value};

/// A JSON pointer, taken apart: `/user/0` is `user` and `0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    names: Vec<String>,
    text: String,
}

impl Pointer {
    /// Reads a pointer: nothing, or names behind slashes, with ~1 for a slash in a name and ~0 for ~.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let escapes = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
        if !escapes || !(text.is_empty() || text.starts_with('/')) {
            return None;
        }
        let names = text.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~"));
        Some(Self { names: names.collect(), text: text.to_owned() })
    }

    /// The pointer to the member with this name.
    pub(crate) fn to(name: &str) -> Self {
        Self { names: vec![name.to_owned()], text: format!("/{}", name.replace('~', "~0").replace('/', "~1")) }
    }

    /// As it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The value in `json` that this leads to, as it was written there. All of `json` is checked.
    pub(crate) fn find<'a>(&self, json: &'a str) -> Result<Option<&'a str>, Error> {
        let mut whole = serde_json::Deserializer::from_str(json);
        let found = Path(&self.names).deserialize(&mut whole)?;
        whole.end()?;
        Ok(found.map(RawValue::get))
    }
}

/// The names that are still ahead.
#[derive(Clone, Copy)]
struct Path<'p>(&'p [String]);

impl<'a> DeserializeSeed<'a> for Path<'_> {
    type Value = Option<&'a RawValue>;

    fn deserialize<D: serde::Deserializer<'a>>(self, value: D) -> Result<Self::Value, D::Error> {
        if self.0.is_empty() {
            return serde::Deserialize::deserialize(value).map(Some);
        }
        value.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Path<'_> {
    type Value = Option<&'a RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    /// Of names that are there twice the last one counts.
    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(is_it) = map.next_key_seed(Name(&self.0[0]))? {
            if is_it {
                found = map.next_value_seed(Path(&self.0[1..]))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut values: A) -> Result<Self::Value, A::Error> {
        let place = place(&self.0[0]);
        for at in 0_usize.. {
            if place == Some(at) {
                let Some(found) = values.next_element_seed(Path(&self.0[1..]))? else { return Ok(None) };
                while values.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(found);
            }
            if values.next_element::<IgnoredAny>()?.is_none() {
                break;
            }
        }
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// Whether a name of an object is this one.
struct Name<'p>(&'p str);

impl<'a> DeserializeSeed<'a> for Name<'_> {
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'a>>(self, name: D) -> Result<bool, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<bool, E> {
        Ok(name == self.0)
    }
}

/// A name as a place in an array.
fn place(name: &str) -> Option<usize> {
    let is_number = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| is_number)
}

/// The text that a value stands for: a string is its text, anything else its JSON text with sorted names.
pub(crate) fn text_of(value: &str) -> Result<Cow<'_, str>, Error> {
    match value.as_bytes().first() {
        Some(b'"') if !value.contains('\\') => Ok(Cow::Borrowed(&value[1..value.len() - 1])),
        Some(b'"') => serde_json::from_str::<String>(value).map(Cow::Owned),
        // A tree also writes an exponent with its sign: keys of states have it so.
        Some(b'{' | b'[') => serde_json::from_str::<Value>(value).map(|value| Cow::Owned(value.to_string())),
        Some(b'-' | b'0'..=b'9') if value.contains(['e', 'E']) => {
            serde_json::from_str::<Value>(value).map(|value| Cow::Owned(value.to_string()))
        }
        _ => Ok(Cow::Borrowed(value)),
    }
}

/// The text of a record; JSON is UTF-8.
pub(crate) fn utf8(body: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(body).map_err(|_| Error::custom("not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by a tree of the whole record.
    fn by_tree(json: &str, pointer: &str) -> Result<Option<String>, ()> {
        let value: Value = serde_json::from_str(json).map_err(|_| ())?;
        Ok(value.pointer(pointer).map(|value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }))
    }

    fn by_us(json: &str, pointer: &str) -> Result<Option<String>, ()> {
        let found = Pointer::parse(pointer).unwrap().find(json).map_err(|_| ())?;
        found.map(|value| text_of(value).map(Cow::into_owned).map_err(|_| ())).transpose()
    }

    #[test]
    fn values_are_those_of_a_tree() {
        let pieces = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"b\"",
            "\"a/b\"",
            "\"\\u0061\"",
            "\"x\\\"y\"",
            "1",
            "-0.10e3",
            "true",
            "null",
            " ",
            "{\"a\":",
            "[1,2]",
            "{\"b\":{\"a\":\"é\"}}",
            "\"a\":2,",
        ];
        let pointers = ["", "/a", "/a/b", "/b/a", "/0", "/1", "/01", "/a/0", "/a~1b", "/a/b/a", "/"];
        let (mut seed, mut valid) = (7_u64, 0);
        for _ in 0..200_000 {
            let mut next = |n: usize| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                usize::try_from(seed >> 33).unwrap() % n
            };
            let json: String = (0..1 + next(7)).map(|_| pieces[next(pieces.len())]).collect();
            let pointer = pointers[next(pointers.len())];
            let want = by_tree(&json, pointer);
            valid += usize::from(want.is_ok());
            assert_eq!(by_us(&json, pointer), want, "{pointer:?} in {json}");
        }
        assert!(valid > 5_000, "{valid} texts were JSON");
    }

    #[test]
    fn of_a_name_that_is_there_twice_the_last_counts() {
        for json in ["{\"a\":1,\"a\":{\"b\":2}}", "{\"a\":{\"b\":2},\"a\":1}", "{\"a\":{\"b\":1},\"a\":{\"b\":2}}"] {
            assert_eq!(by_us(json, "/a/b"), by_tree(json, "/a/b"), "{json}");
        }
    }

    #[test]
    fn pointers_begin_with_a_slash() {
        assert!(["", "/", "/a/0", "/a~1b~0c"].iter().all(|text| Pointer::parse(text).is_some()));
        assert!(["a", "a/b", "/~", "/~2"].iter().all(|text| Pointer::parse(text).is_none()));
    }
}
