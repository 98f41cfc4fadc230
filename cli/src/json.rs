//! JSON values by their pointers, without a tree of the whole record: what no pointer leads to is checked and passed over.

use serde::de::IgnoredAny;

use crate::scan::{NoJson, Scan};
use crate::written::{self, Room};

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

    /// The value in `record` that this leads to, as it was written there. All of the record is checked, which is UTF-8.
    pub(crate) fn find<'a>(&self, record: &'a [u8], room: &mut Room) -> Result<Option<&'a [u8]>, NoJson> {
        let mut scan = Scan::new(record);
        let found = find(&mut scan, &self.names, room)?;
        scan.end()?;
        Ok(found)
    }
}

fn find<'a>(scan: &mut Scan<'a>, names: &[String], room: &mut Room) -> Result<Option<&'a [u8]>, NoJson> {
    let Some((name, names)) = names.split_first() else { return scan.value(&mut room.open).map(Some) };
    let is_array = match scan.first()? {
        b'{' => false,
        b'[' => true,
        _ => return scan.value(&mut room.open).map(|_| None),
    };
    let place = if is_array { place(name) } else { None };
    let (close, mut found) = (scan.enter(), None);
    let mut at = 0;
    while let Some(close) = close {
        // Of names that are there twice the last one counts.
        let is_it = if is_array { place == Some(at) } else { written::is_name(scan.name()?, name, room) };
        if is_it {
            found = find(scan, names, room)?;
        } else {
            scan.value(&mut room.open)?;
        }
        if !scan.goes_on(close)? {
            break;
        }
        at += 1;
    }
    Ok(found)
}

/// A name as a place in an array.
fn place(name: &str) -> Option<usize> {
    let is_number = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| is_number)
}

/// The bytes of a record if they are UTF-8, as JSON is.
pub(crate) fn utf8(body: &[u8]) -> Result<&[u8], NoJson> {
    if std::str::from_utf8(body).is_ok() { Ok(body) } else { Err(NoJson) }
}

/// Why a record is no JSON, or cannot be a key, in words.
pub(crate) fn why(body: &[u8]) -> String {
    match std::str::from_utf8(body).map(serde_json::from_str::<IgnoredAny>) {
        Err(_) => String::from("not UTF-8"),
        Ok(Err(error)) => in_line(&error),
        Ok(Ok(_)) => String::from("half of a \\u pair, or too deep"),
    }
}

/// What is wrong, and where in the record: which line that is stands before it.
fn in_line(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    let what = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
    match line {
        0 | 1 => format!("{what}, at its byte {column}"),
        _ => format!("{what}, at byte {column} of its line {line}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

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
        let (mut room, mut text) = (Room::default(), Vec::new());
        let found = Pointer::parse(pointer).unwrap().find(json.as_bytes(), &mut room).map_err(|_| ())?;
        let Some(value) = found else { return Ok(None) };
        written::push(value, &mut room, &mut text).map_err(|_| ())?;
        Ok(Some(String::from_utf8(text).unwrap()))
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
    fn strings_and_numbers_are_written_as_a_tree_writes_them() {
        for json in [
            r#""\ud83d\ude00 \u00E9\/""#,
            r#"["\u0000\u001f\b\f\n\r\t\"\\\/\u007f","é\ud83d\ude00"]"#,
            r#"{"b":1,"a\u0000":{},"a":[],"A":[[{}]],"\u0061":2,"":"x"}"#,
            "[1E5,1e5,-0,0.10e-07,1e+5,123456789012345678901234567890,true, false ,null]",
            "{ \"z\" : { \"y\" : [ 1 , { \"x\" : 2 , \"w\" : 3 } ] , \"v\" : 4 } }",
            "\"\u{1}\"",
            "\"\\x\"",
            "\"\\u00g0\"",
            "-",
            "1.",
            ".5",
            "1e",
            "+1",
            "[1 2]",
            "{\"a\":1,}",
            "[1]]",
            "tru",
            "\u{feff}1",
            "[\u{a0}1]",
        ] {
            assert_eq!(by_us(json, ""), by_tree(json, ""), "{json}");
        }
        let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
        for n in [1, 2, 126, 127, 128, 5000] {
            assert_eq!(by_us(&deep(n), ""), by_tree(&deep(n), ""), "{n}");
        }
    }

    /// A string that is no text is no key, and what no pointer leads to may be as deep as it likes.
    #[test]
    fn what_is_passed_over_is_checked_as_bytes_only() {
        for half in [r#""\ud83d""#, r#""\ude00""#, r#""\ud83dx""#, r#""\ud83d\u0061""#, r#"{"\ud83d":1}"#] {
            assert_eq!(by_us(half, ""), Err(()), "{half}");
            assert_eq!(by_us(&format!("{{\"a\":1,\"b\":{half}}}"), "/a"), Ok(Some("1".into())), "{half}");
        }
        let deep = format!("{{\"a\":1,\"b\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(by_us(&deep, "/a"), Ok(Some("1".into())));
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
