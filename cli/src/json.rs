//! JSON values by their pointers, without a tree of the whole record: what no pointer leads to is checked and passed over.

use serde::de::IgnoredAny;

use crate::json_text::{self, Room};
use crate::scan::{NoJson, Scan, without_separator};

/// A JSON pointer, taken apart: `/user/0` is `user` and `0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    names: Vec<String>,
    /// As it was written.
    pub(crate) text: String,
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
}

/// Several pointers, as the tree of their names: one pass over a record finds what all of them lead to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paths {
    nodes: Vec<Node>,
    pointers: usize,
}

#[derive(Debug, Clone, Default)]
struct Node {
    ending: Vec<usize>,
    /// The pointers that end here or below.
    below: Vec<usize>,
    children: Vec<Child>,
}

#[derive(Debug, Clone)]
struct Child {
    name: String,
    /// The name as a place in an array.
    place: Option<usize>,
    node: usize,
}

impl Node {
    /// What a name leads to, as it is written between its quotes.
    #[inline]
    fn child(&self, name: &[u8], room: &mut Room) -> Option<&Child> {
        match memchr::memchr(b'\\', name) {
            None => self.children.iter().find(|child| child.name.as_bytes() == name),
            Some(_) => self.children.iter().find(|child| json_text::is_name(name, &child.name, room)),
        }
    }
}

/// Where the values are that pointers lead to, by the number of the pointer. Reused for the next record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pub(crate) places: Vec<Option<(usize, usize)>>,
}

impl Values {
    /// The value that pointer `i` leads to in `record`, as it is written there.
    #[inline]
    pub(crate) fn get<'a>(&self, i: usize, record: &'a [u8]) -> Option<&'a [u8]> {
        self.places.get(i).copied().flatten().map(|(begin, end)| &record[begin..end])
    }
}

impl Paths {
    pub(crate) fn new<'a>(pointers: impl IntoIterator<Item = &'a Pointer>) -> Self {
        let mut paths = Self { nodes: vec![Node::default()], pointers: 0 };
        pointers.into_iter().for_each(|pointer| paths.add(pointer));
        paths
    }

    fn add(&mut self, pointer: &Pointer) {
        let (mut at, number) = (0, self.pointers);
        self.nodes[at].below.push(number);
        for name in &pointer.names {
            at = self.child(at, name);
            self.nodes[at].below.push(number);
        }
        self.nodes[at].ending.push(number);
        self.pointers += 1;
    }

    /// The node behind `name`, made if it is not there.
    fn child(&mut self, at: usize, name: &str) -> usize {
        let found = self.nodes[at].children.iter().find(|child| child.name == name);
        if let Some(child) = found {
            return child.node;
        }
        let node = self.nodes.len();
        self.nodes[at].children.push(Child { name: name.to_owned(), place: place(name), node });
        self.nodes.push(Node::default());
        node
    }

    /// Finds the values in `record`. All of it is checked, except for the bytes of strings.
    pub(crate) fn find(&self, record: &[u8], room: &mut Room, values: &mut Values) -> Result<(), NoJson> {
        values.places.clear();
        values.places.resize(self.pointers, None);
        let mut scan = Scan::of_record(record);
        self.value(0, &mut scan, room, values)?;
        scan.end()
    }

    /// The value that comes next, and what is in it, is what `at` leads to.
    fn value(&self, at: usize, scan: &mut Scan<'_>, room: &mut Room, values: &mut Values) -> Result<(), NoJson> {
        let (node, first) = (&self.nodes[at], scan.first()?);
        let begin = scan.at;
        match first {
            b'{' if !node.children.is_empty() => self.object(node, scan, room, values)?,
            b'[' if !node.children.is_empty() => self.array(node, scan, room, values)?,
            _ => drop(scan.value(&mut room.open)?),
        }
        for &pointer in &node.ending {
            values.places[pointer] = Some((begin, scan.at));
        }
        Ok(())
    }

    fn object(&self, node: &Node, scan: &mut Scan<'_>, room: &mut Room, values: &mut Values) -> Result<(), NoJson> {
        let Some(close) = scan.enter() else { return Ok(()) };
        loop {
            let name = scan.name()?;
            let child = node.child(name, room);
            self.entry(child, scan, room, values)?;
            if !scan.goes_on(close)? {
                return Ok(());
            }
        }
    }

    fn array(&self, node: &Node, scan: &mut Scan<'_>, room: &mut Room, values: &mut Values) -> Result<(), NoJson> {
        let (close, mut at) = (scan.enter(), 0);
        let Some(close) = close else { return Ok(()) };
        loop {
            let child = node.children.iter().find(|child| child.place == Some(at));
            self.entry(child, scan, room, values)?;
            if !scan.goes_on(close)? {
                return Ok(());
            }
            at += 1;
        }
    }

    /// A member or an element; one that no pointer leads to is checked and passed over.
    #[inline]
    fn entry(
        &self,
        child: Option<&Child>,
        scan: &mut Scan<'_>,
        room: &mut Room,
        values: &mut Values,
    ) -> Result<(), NoJson> {
        let Some(child) = child else { return scan.value(&mut room.open).map(drop) };
        // Of names that are there twice the last one counts, and nothing of the one before.
        for &pointer in &self.nodes[child.node].below {
            values.places[pointer] = None;
        }
        self.value(child.node, scan, room, values)
    }
}

fn place(name: &str) -> Option<usize> {
    let is_number = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| is_number)
}

/// Why a record is no JSON, or cannot be a key, in words.
pub(crate) fn why(body: &[u8]) -> String {
    match serde_json::from_slice::<IgnoredAny>(without_separator(body)) {
        Err(error) => in_line(&error),
        Ok(_) => String::from("too deep"),
    }
}

/// What is wrong, and where in the record: the line comes before it.
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
    use crate::random::Random;

    /// The same by a tree of the whole record.
    fn by_tree(json: &str, pointer: &str) -> Result<Option<String>, ()> {
        let value: Value = serde_json::from_str(json).map_err(|_| ())?;
        Ok(value.pointer(pointer).map(|value| match value {
            Value::String(text) => text.clone(),
            // It writes 1e+310 where the one form is 1e310.
            other => with_numbers(other.clone()).to_string().replace("e+", "e"),
        }))
    }

    /// The same tree, each number in its one form.
    fn with_numbers(value: Value) -> Value {
        match value {
            Value::Number(number) => {
                let mut text = Vec::new();
                crate::number::push(number.to_string().as_bytes(), &mut text);
                serde_json::from_slice(&text).unwrap()
            }
            Value::Array(values) => values.into_iter().map(with_numbers).collect(),
            Value::Object(members) => members.into_iter().map(|(name, value)| (name, with_numbers(value))).collect(),
            other => other,
        }
    }

    fn by_us(json: &str, pointer: &str) -> Result<Option<String>, ()> {
        all_by_us(json, &[pointer])?.remove(0)
    }

    /// The same of several pointers in one pass.
    fn all_by_us(json: &str, pointers: &[&str]) -> Result<Vec<Result<Option<String>, ()>>, ()> {
        let pointers: Vec<Pointer> = pointers.iter().map(|text| Pointer::parse(text).unwrap()).collect();
        let (mut room, mut values) = (Room::default(), Values::default());
        Paths::new(&pointers).find(json.as_bytes(), &mut room, &mut values).map_err(|_| ())?;
        let mut text = |i: usize| {
            let Some(value) = values.get(i, json.as_bytes()) else { return Ok(None) };
            let mut text = Vec::new();
            json_text::push(value, &mut room, &mut text).map_err(|_| ())?;
            Ok(Some(String::from_utf8(text).unwrap()))
        };
        Ok((0..pointers.len()).map(&mut text).collect())
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
        let (mut random, mut valid) = (Random::new(7), 0);
        for _ in 0..200_000 {
            let json: String = (0..1 + random.below(7)).map(|_| *random.pick(&pieces)).collect();
            let pointer = *random.pick(&pointers);
            let want = by_tree(&json, pointer);
            valid += usize::from(want.is_ok());
            assert_eq!(by_us(&json, pointer), want, "{pointer:?} in {json}");
            if let (true, Ok(all)) = (want.is_ok(), all_by_us(&json, &pointers)) {
                let each: Vec<_> = pointers.iter().map(|pointer| by_us(&json, pointer)).collect();
                assert_eq!(all, each, "{json}");
            }
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

    /// Programs write what JSON lacks, such as lone surrogates and NaN: other values are still read, and such a value can be a key.
    #[test]
    fn json_that_is_none_is_passed_over_where_values_can_be_read() {
        let read = |json: &[u8], pointer: &str| {
            let (mut room, mut values, mut text) = (Room::default(), Values::default(), Vec::new());
            Paths::new(&[Pointer::parse(pointer).unwrap()]).find(json, &mut room, &mut values).ok()?;
            json_text::push_key(values.get(0, json)?, &mut room, &mut text).ok().map(|()| text)
        };
        let mut keys = std::collections::BTreeSet::new();
        for (odd, key) in [
            (&br#""\ud83d""#[..], &b"\"\xed\xa0\xbd"[..]),
            (br#""\ude00""#, b"\"\xed\xb8\x80"),
            (br#""\ud83d\u0061""#, b"\"\xed\xa0\xbda"),
            (b"\"a\tb\"", b"\"a\tb"),
            (b"\"caf\xe9\"", b"\"caf\xe9"),
            (b"NaN", b"NaN"),
            (b"Infinity", b"Infinity"),
            (b"-Infinity", b"-Infinity"),
            (b"\"NaN\"", b"\"NaN"),
            (b"[NaN,-Infinity]", b"[NaN,-Infinity]"),
        ] {
            assert_eq!(read(odd, "").as_deref(), Some(key), "{odd:?}");
            let record = [b"{\"a\":1,\"b\":", odd, b"}"].concat();
            assert_eq!(read(&record, "/a").as_deref(), Some(&b"1"[..]), "{odd:?}");
            assert!(keys.insert(key));
        }
        for broken in ["nan", "-NaN", "Inf", "-I", "+Infinity"] {
            assert_eq!(read(broken.as_bytes(), ""), None, "{broken}");
        }
        assert_eq!(read(b"\x1e{\"a\":1}", "/a").as_deref(), Some(&b"1"[..]), "the separator of RFC 7464");
        let deep = format!("{{\"a\":1,\"b\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(by_us(&deep, "/a"), Ok(Some("1".into())));
    }
}
