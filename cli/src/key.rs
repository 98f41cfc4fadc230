//! What a record is about: its key, and where it says so its time.

use std::fmt;

use memchr::memmem::Finder;

use crate::csv::Fields;
use crate::json::{self, Pointer};
use crate::time::TimeFormat;

/// Why a record has no key or no time.
#[derive(Debug)]
pub(crate) enum Bad {
    /// It lacks this field, counted from 0.
    Field(usize),
    /// It lacks the value at this pointer.
    Value(String),
    /// Its time is not as the format says.
    Time { value: String, format: String },
    /// It is no JSON.
    Json(serde_json::Error),
    /// It is longer than this.
    TooLong(usize),
    /// The input ends inside its quotes.
    OpenQuote,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(part) => write!(f, "no field {}", part + 1),
            Self::Value(pointer) => write!(f, "no value at \"{pointer}\""),
            Self::Time { value, format } => write!(f, "time \"{value}\" is not {format}, or not between 1970 and 2554"),
            Self::Json(error) => write!(f, "not JSON: {error}"),
            Self::TooLong(most) => write!(f, "longer than {most} bytes: see --max-record"),
            Self::OpenQuote => write!(f, "a quote is open at the end of the input"),
        }
    }
}

/// What stands between the fields of a text.
#[derive(Debug)]
pub(crate) enum Separator {
    Byte(u8),
    Text(Box<Finder<'static>>),
}

/// Where key and time are in a record.
#[derive(Debug)]
pub(crate) enum Layout {
    /// Key: the whole record. No time.
    Whole,
    /// Text between separators. With marks, a field that opens with `[` or `"` ends at its closing mark.
    Text { separator: Separator, marks: bool, parts: Parts<usize> },
    /// CSV columns.
    Csv { separator: u8, parts: Parts<usize> },
    /// JSON pointers.
    Json(Parts<Pointer>),
}

/// The parts of a record that matter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts<P> {
    /// Those of the key, in order; none for the whole record.
    pub(crate) key: Vec<P>,
    /// That of the time.
    pub(crate) time: Option<P>,
}

/// Reads keys and times.
#[derive(Debug)]
pub(crate) struct Extract {
    pub(crate) layout: Layout,
    pub(crate) format: TimeFormat,
    pub(crate) ignore_case: bool,
    key: Vec<u8>,
    places: Vec<(usize, usize)>,
    fields: Fields,
}

impl Extract {
    pub(crate) fn new(layout: Layout, format: TimeFormat, ignore_case: bool) -> Self {
        Self { layout, format, ignore_case, key: Vec::new(), places: Vec::new(), fields: Fields::default() }
    }

    /// The key of the record `body`, and its time if the layout has one.
    #[inline]
    pub(crate) fn read<'a>(&'a mut self, body: &'a [u8]) -> Result<(&'a [u8], Option<u64>), Bad> {
        self.key.clear();
        let (format, key) = (&self.format, Key { bytes: &mut self.key, ignore_case: self.ignore_case });
        let time = match &self.layout {
            Layout::Whole => None,
            Layout::Text { separator, marks, parts } => {
                let places = &mut self.places;
                split(body, separator, *marks, parts.most(), places);
                let field = |i: usize| places.get(i).map(|&(begin, end)| &body[begin..end]);
                read_fields(field, parts, format, key)?
            }
            Layout::Csv { separator, parts } => {
                self.fields.split(body, *separator, parts.most());
                read_fields(|i| self.fields.get(i, body), parts, format, key)?
            }
            Layout::Json(parts) => read_json(body, parts, format, key)?,
        };
        Ok((self.whole_or_key(body), time))
    }

    /// The record itself if it is the key, without a copy unless its case is to be folded.
    #[inline]
    fn whole_or_key<'a>(&'a mut self, body: &'a [u8]) -> &'a [u8] {
        match (self.layout.has_key(), self.ignore_case) {
            (true, _) => &self.key,
            (false, false) => body,
            (false, true) => {
                self.key.extend_from_slice(body);
                self.key.make_ascii_lowercase();
                &self.key
            }
        }
    }
}

impl Layout {
    fn has_key(&self) -> bool {
        match self {
            Self::Whole => false,
            Self::Text { parts, .. } | Self::Csv { parts, .. } => !parts.key.is_empty(),
            Self::Json(_) => true,
        }
    }
}

impl Parts<usize> {
    /// How many fields of a record have to be found.
    fn most(&self) -> usize {
        self.key.iter().chain(&self.time).max().map_or(0, |last| last + 1)
    }
}

/// A key made of parts, each behind its length: (ab, c) and (a, bc) differ.
struct Key<'a> {
    bytes: &'a mut Vec<u8>,
    ignore_case: bool,
}

impl Key<'_> {
    fn push(&mut self, part: &[u8]) {
        // A usize always has 8 bytes or fewer.
        self.bytes.extend_from_slice(&part.len().to_le_bytes());
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(part);
        if self.ignore_case {
            // The letters only: the length before them is no letter, whatever its bytes are.
            self.bytes[begin..].make_ascii_lowercase();
        }
    }
}

impl Separator {
    /// Where it stands first in `text`, and where it ends there.
    #[inline]
    fn find(&self, text: &[u8]) -> Option<(usize, usize)> {
        match self {
            Self::Byte(byte) => memchr::memchr(*byte, text).map(|at| (at, at + 1)),
            Self::Text(finder) => finder.find(text).map(|at| (at, at + finder.needle().len())),
        }
    }
}

/// Notes where the first `most` fields are. With `marks`, a field that opens with `[` or `"` ends at its closing
/// mark, or if it has none like any other.
fn split(body: &[u8], separator: &Separator, marks: bool, most: usize, places: &mut Vec<(usize, usize)>) {
    places.clear();
    let mut begin = 0;
    while places.len() < most {
        let closed = if marks { begin + closing_mark(&body[begin..]) } else { begin };
        let Some((end, next)) = separator.find(&body[closed..]) else {
            places.push((begin, body.len()));
            return;
        };
        places.push((begin, closed + end));
        begin = closed + next;
    }
}

/// The place of the mark that closes a field, 0 if it opens with none. A quote behind a backslash closes nothing.
fn closing_mark(field: &[u8]) -> usize {
    let found = match field.first() {
        Some(b'[') => memchr::memchr(b']', field),
        Some(b'"') => (1..field.len()).find(|&at| field[at] == b'"' && !is_escaped(field, at)),
        _ => None,
    };
    found.unwrap_or(0)
}

/// Whether an odd number of backslashes stands before `at`.
fn is_escaped(field: &[u8], at: usize) -> bool {
    field[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

fn read_fields<'a>(
    field: impl Fn(usize) -> Option<&'a [u8]>,
    parts: &Parts<usize>,
    format: &TimeFormat,
    mut key: Key<'_>,
) -> Result<Option<u64>, Bad> {
    for &part in &parts.key {
        key.push(field(part).ok_or(Bad::Field(part))?);
    }
    match parts.time {
        Some(part) => read_time(field(part).ok_or(Bad::Field(part))?, format).map(Some),
        None => Ok(None),
    }
}

fn read_json(body: &[u8], parts: &Parts<Pointer>, format: &TimeFormat, mut key: Key<'_>) -> Result<Option<u64>, Bad> {
    let record = json::utf8(body).map_err(Bad::Json)?;
    let part = |pointer: &Pointer| match pointer.find(record) {
        Ok(Some(value)) => json::text_of(value).map_err(Bad::Json),
        Ok(None) => Err(Bad::Value(pointer.text().to_owned())),
        Err(error) => Err(Bad::Json(error)),
    };
    for pointer in &parts.key {
        key.push(part(pointer)?.as_bytes());
    }
    parts.time.as_ref().map(|pointer| read_time(part(pointer)?.as_bytes(), format)).transpose()
}

fn read_time(text: &[u8], format: &TimeFormat) -> Result<u64, Bad> {
    format.read(text).ok_or_else(|| Bad::Time { value: show(text), format: format.name().to_owned() })
}

/// Text that came from outside, short and harmless on a terminal.
pub(crate) fn show(text: &[u8]) -> String {
    const MOST: usize = 40;
    let text = String::from_utf8_lossy(text);
    let short: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() { short + "..." } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields<'a>(body: &'a str, separator: &str, marks: bool) -> Vec<&'a str> {
        let mut places = Vec::new();
        let finder = Separator::Text(Box::new(Finder::new(separator).into_owned()));
        split(body.as_bytes(), &finder, marks, 99, &mut places);
        if let [byte] = separator.as_bytes() {
            let mut by_byte = Vec::new();
            split(body.as_bytes(), &Separator::Byte(*byte), marks, 99, &mut by_byte);
            assert_eq!(by_byte, places);
        }
        places.iter().map(|&(begin, end)| &body[begin..end]).collect()
    }

    #[test]
    fn separators_part_fields() {
        assert_eq!(fields("", "\t", false), [""]);
        assert_eq!(fields("a\tb\t\tc\t", "\t", false), ["a", "b", "", "c", ""]);
        assert_eq!(fields("a::b:c::", "::", false), ["a", "b:c", ""]);
        assert_eq!(fields("[a b] c", " ", false), ["[a", "b]", "c"]);
    }

    #[test]
    fn marks_hold_fields_together() {
        let line = r#"::1 - [17/May/2015:10:05:03 +0000] "GET /a\"b c HTTP/1.1" 200 "" "x"#;
        let parts = ["::1", "-", "[17/May/2015:10:05:03 +0000]", r#""GET /a\"b c HTTP/1.1""#, "200", "\"\"", "\"x"];
        assert_eq!(fields(line, " ", true), parts);
        assert_eq!(fields(r#""a\\" b"#, " ", true), [r#""a\\""#, "b"]);
        assert_eq!(fields("[a b c", " ", true), ["[a", "b", "c"]);
        assert_eq!(fields("[a b]c d", " ", true), ["[a b]c", "d"]);
    }

    #[test]
    fn folding_spares_the_lengths() {
        let long = [vec![b'x'; 65], vec![b'x'; 97]];
        let mut keys = long.map(|part| {
            let mut bytes = Vec::new();
            Key { bytes: &mut bytes, ignore_case: true }.push(&part);
            bytes
        });
        assert_eq!((keys[0][0], keys[1][0]), (65, 97));
        keys[0].make_ascii_lowercase();
        assert_eq!(keys[0][0], keys[1][0], "folding all of it would have made the lengths equal");
    }

    #[test]
    fn values_are_shown_harmless() {
        assert_eq!(show(b"a\x1b[31m\"\xff"), "a\\u{1b}[31m\\\"\u{fffd}");
        assert_eq!(show("é".repeat(41).as_bytes()), "é".repeat(40) + "...");
    }
}
