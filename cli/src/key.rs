//! What a record is about: its key, and where it says so its time.

use std::fmt;

use memchr::memmem::Finder;

use crate::csv::Fields;
use crate::json::{self, Pointer};
use crate::pick::Pick;
use crate::time::TimeFormat;

/// Why a record has no key or no time.
#[derive(Debug)]
pub(crate) enum Bad {
    /// It lacks this field.
    Field(Pick),
    /// It lacks the value at this pointer.
    Value(String),
    /// Its time is not as the format says.
    Time { value: String, format: String },
    /// It is no JSON.
    Json(serde_json::Error),
    /// It has so many fields, and should have so many.
    Columns(usize, usize),
    /// It is no JSON object, which a member is to be added to, or has that member.
    Member(String),
    /// It is longer than this.
    TooLong(usize),
    /// The input ends inside its quotes.
    OpenQuote,
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(part) => write!(f, "no field {}", part.text()),
            Self::Value(pointer) => write!(f, "no value at \"{pointer}\""),
            Self::Time { value, format } => write!(f, "time \"{value}\" is not {format}, or not between 1970 and 2554"),
            Self::Json(error) => write!(f, "not JSON: {error}"),
            Self::Columns(has, should) => write!(f, "{has} fields where the header has {should}"),
            Self::Member(why) => f.write_str(why),
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
    /// Runs of spaces and tabs; those before the first field separate nothing.
    Blanks,
}

/// Where key and time are in a record.
#[derive(Debug)]
pub(crate) enum Layout {
    /// Key: the whole record. No time.
    Whole,
    /// Text between separators. With marks, a field that opens with `[` or `"` ends at its closing mark.
    Text { separator: Separator, marks: bool, parts: Parts<Pick> },
    /// CSV columns.
    Csv { separator: u8, parts: Parts<Pick> },
    /// JSON pointers.
    Json(Parts<Pointer>),
}

/// The parts of a record that matter.
#[derive(Debug, Clone)]
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
    /// Fields that a CSV record must have, if that matters.
    pub(crate) columns: Option<usize>,
    /// The member that will be added to a JSON object, if one will.
    pub(crate) added: Option<Pointer>,
}

impl Extract {
    pub(crate) fn new(layout: Layout, format: TimeFormat, ignore_case: bool) -> Self {
        Self {
            layout,
            format,
            ignore_case,
            key: Vec::new(),
            places: Vec::new(),
            fields: Fields::default(),
            columns: None,
            added: None,
        }
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
                read_fields((places.len(), field), parts, format, key)?
            }
            Layout::Csv { separator, parts } => {
                self.fields.split(body, *separator, if self.columns.is_some() { usize::MAX } else { parts.most() });
                if let Some(n) = self.columns.filter(|n| *n != self.fields.len()) {
                    return Err(Bad::Columns(self.fields.len(), n));
                }
                read_fields((self.fields.len(), |i| self.fields.get(i, body)), parts, format, key)?
            }
            Layout::Json(parts) => {
                self.added.iter().try_for_each(|member| expect_free(body, member))?;
                read_json(body, parts, format, key)?
            }
        };
        Ok((self.whole_or_key(body), time))
    }

    /// Whether a key is made of parts.
    pub(crate) fn has_parts(&self) -> bool {
        self.layout.has_key()
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

impl<P> Default for Parts<P> {
    /// The whole record, without a time.
    fn default() -> Self {
        Self { key: Vec::new(), time: None }
    }
}

impl Parts<Pick> {
    /// How many fields of a record have to be found.
    fn most(&self) -> usize {
        self.key.iter().chain(&self.time).map(|pick| pick.needs()).max().unwrap_or(0)
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
            Self::Blanks => {
                let at = memchr::memchr2(b' ', b'\t', text)?;
                let rest = text[at..].iter().position(|byte| !matches!(byte, b' ' | b'\t'));
                // Behind the last field they separate nothing either.
                Some((at, at + rest.unwrap_or(text.len() - at)))
            }
        }
    }
}

/// Notes where the first `most` fields are. With `marks`, a field that opens with `[` or `"` ends at its closing
/// mark, or if it has none like any other.
fn split(body: &[u8], separator: &Separator, marks: bool, most: usize, places: &mut Vec<(usize, usize)>) {
    places.clear();
    let blanks = matches!(separator, Separator::Blanks);
    let leading = || body.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(body.len());
    let mut begin = if blanks { leading() } else { 0 };
    while places.len() < most && !(blanks && begin == body.len()) {
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
    (n, field): (usize, impl Fn(usize) -> Option<&'a [u8]>),
    parts: &Parts<Pick>,
    format: &TimeFormat,
    mut key: Key<'_>,
) -> Result<Option<u64>, Bad> {
    for pick in &parts.key {
        let places = pick.places(n).ok_or(Bad::Field(*pick))?;
        places.filter_map(&field).for_each(|field| key.push(field));
    }
    let Some(pick) = parts.time else { return Ok(None) };
    let time = pick.places(n).and_then(|places| field(places.start)).ok_or(Bad::Field(pick))?;
    read_time(time, format).map(Some)
}

/// What a member is to be added to is an object, and has none of that name.
fn expect_free(body: &[u8], member: &Pointer) -> Result<(), Bad> {
    let record = json::utf8(body).map_err(Bad::Json)?;
    match member.find(record).map_err(Bad::Json)? {
        _ if !record.trim_start().starts_with('{') => {
            Err(Bad::Member("not a JSON object, to which --flag could add a member".into()))
        }
        Some(_) => Err(Bad::Member(format!("it has a value at \"{}\": see --flag-name", member.text()))),
        None => Ok(()),
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

/// A key as people read it: its parts, if it is made of parts, with a space between.
pub(crate) fn show_key(mut key: &[u8], has_parts: bool) -> String {
    let mut parts = Vec::new();
    while let Some((len, rest)) = key.split_first_chunk().filter(|_| has_parts) {
        let (part, rest) = rest.split_at(usize::from_le_bytes(*len).min(rest.len()));
        parts.push(show(part));
        key = rest;
    }
    if has_parts { show(parts.join(" ").as_bytes()) } else { show(key) }
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
    fn runs_of_blanks_part_fields_as_in_awk() {
        for (body, want) in
            [("  a \t b  ", &["a", "b"][..]), ("a b", &["a", "b"]), ("", &[]), (" \t", &[]), ("a", &["a"])]
        {
            let mut places = Vec::new();
            split(body.as_bytes(), &Separator::Blanks, false, 99, &mut places);
            let fields: Vec<&str> = places.iter().map(|&(begin, end)| &body[begin..end]).collect();
            assert_eq!(fields, want, "{body:?}");
        }
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
