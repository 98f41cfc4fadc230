//! Extracts the key of a record, and its time if the record has one.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use memchr::memmem::Finder;

use crate::columns::Columns;
use crate::csv::{Dialect, Fields};
use crate::fields::FieldSpec;
use crate::fixed::Near;
use crate::json::{self, Paths, Pointer, Values};
use crate::json_text::{self, Room, Without};
use crate::scan::{NoJson, without_separator};
use crate::time::TimeFormat;
use crate::units::{counted, exact_size};

/// Why a record has no key or no time. It becomes words only if the record is named.
#[derive(Debug)]
pub(crate) enum Bad<'a> {
    /// It lacks this field.
    Field(FieldSpec),
    /// It lacks the value at this pointer.
    Value(&'a Pointer),
    /// Its time does not match the format.
    Time { value: &'a [u8], format: &'a TimeFormat },
    /// This is no JSON.
    Json(&'a [u8]),
    /// How many fields it has, and how many it should have.
    Columns(usize, usize),
    /// It is no JSON object, which a member is to be added to.
    NoObject,
    /// It has the member that is to be added.
    Member(&'a Pointer),
    /// It is longer than this.
    TooLong(usize),
    /// The input ends inside its quotes.
    OpenQuote,
    /// A quote is open for longer than this.
    LongQuote(usize),
    /// Text follows a quote that should close a field.
    Text,
}

impl fmt::Display for Bad<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(part) => write!(f, "no field {}", part.text()),
            Self::Value(pointer) => write!(f, "no value at \"{}\"", pointer.text()),
            Self::Time { value, format } => {
                write!(f, "time \"{}\" is not {}, or not between 1970 and 2554", show(value), format.name())?;
                format
                    .likelier(value)
                    .map_or(Ok(()), |(name, time)| write!(f, ": with --time-format {name} it is {time}"))
            }
            Self::Json(body) => write!(f, "not JSON: {}", json::why(body)),
            Self::Columns(has, should) => write!(f, "{} where the header has {should}", counted(*has, "field")),
            Self::NoObject => f.write_str("not a JSON object, to which --mark could add a member"),
            Self::Member(pointer) => write!(f, "it has a value at \"{}\": see --mark-name", pointer.text()),
            Self::TooLong(most) => write!(f, "longer than {}: see --max-record", length(*most)),
            Self::OpenQuote => f.write_str("a quote is open at the end of the input"),
            Self::LongQuote(most) => write!(f, "a quote is open for more than {}: see --max-record", length(*most)),
            Self::Text => f.write_str("a quote opens a field, and text follows the quote that closes it"),
        }
    }
}

/// A number of bytes as `--max-record` takes it.
fn length(bytes: usize) -> String {
    exact_size(u64::try_from(bytes).unwrap_or(u64::MAX))
}

/// How many fields a CSV record may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Any,
    /// At most that number: missing columns are empty.
    UpTo(usize),
    Exactly(usize),
}

impl Width {
    /// What is wrong with a record of `n` fields.
    fn refuse(self, n: usize) -> Option<Bad<'static>> {
        match self {
            Self::Exactly(want) if n != want => Some(Bad::Columns(n, want)),
            Self::UpTo(most) if n > most => Some(Bad::Columns(n, most)),
            _ => None,
        }
    }
}

/// The separator of the fields of a text.
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
    Text { separator: Separator, marks: bool, parts: Parts<FieldSpec> },
    /// CSV columns.
    Csv { dialect: Dialect, parts: Parts<FieldSpec> },
    /// JSON pointers: of the key, of the time, and of the member that will be added to an object, if one will.
    Json { parts: Parts<Pointer>, added: Option<Pointer>, paths: Paths, without: Option<Without> },
}

/// The parts of a record that matter.
#[derive(Debug, Clone)]
pub(crate) struct Parts<P> {
    /// Those of the key, in order; none for the whole record.
    pub(crate) key: Vec<P>,
    /// Whether the key is everything except these fields.
    pub(crate) except: bool,
    /// Those of the time, with a blank between them; none for the time of arrival.
    pub(crate) time: Vec<P>,
}

/// Whether the parts of a key are JSON values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsJson(bool);

/// Reads keys and times.
#[derive(Debug)]
pub(crate) struct Extract {
    pub(crate) layout: Layout,
    pub(crate) format: TimeFormat,
    pub(crate) ignore_case: bool,
    key: Vec<u8>,
    /// The text of a time.
    time: Vec<u8>,
    places: Vec<(usize, usize)>,
    fields: Fields,
    room: Room,
    values: Values,
    pub(crate) width: Width,
    /// The order of the columns of a CSV file, if it is another than that of the first file.
    pub(crate) order: Option<Columns>,
    /// What chooses the year of a time without one.
    near: Near,
}

impl Extract {
    pub(crate) fn new(layout: Layout, format: TimeFormat, ignore_case: bool) -> Self {
        Self {
            layout,
            format,
            ignore_case,
            key: Vec::new(),
            time: Vec::new(),
            places: Vec::new(),
            fields: Fields::default(),
            room: Room::default(),
            values: Values::default(),
            width: Width::Any,
            order: None,
            near: now(),
        }
    }

    /// The first time without a year is in this one.
    pub(crate) fn begin_in(mut self, year: Option<u16>) -> Self {
        self.near = year.map_or(self.near, |year| Near::Year(year.into()));
        self
    }

    /// The key of the record `body`, and its time if the layout has one.
    #[inline]
    pub(crate) fn read<'a>(&'a mut self, body: &'a [u8]) -> Result<(&'a [u8], Option<u64>), Bad<'a>> {
        match (&self.layout, self.ignore_case) {
            (Layout::Whole, false) => Ok((body, None)),
            _ => self.read_parts(body),
        }
    }

    fn read_parts<'a>(&'a mut self, body: &'a [u8]) -> Result<(&'a [u8], Option<u64>), Bad<'a>> {
        let Self { layout, format, ignore_case, key, places, fields, width, order, values, room, near, time: text } =
            self;
        let layout = &*layout;
        key.clear();
        let parts = Key { bytes: key, ignore_case: *ignore_case };
        let time = match layout {
            Layout::Whole => None,
            Layout::Text { separator, marks, parts: wanted } => {
                split(body, separator, *marks, wanted.most(), places);
                let field = |i: usize| places.get(i).map(|&(begin, end)| &body[begin..end]);
                read_fields((places.len(), field), wanted, parts, text)?
            }
            Layout::Csv { dialect, parts: wanted } => {
                fields.split(body, *dialect, if *width == Width::Any { wanted.most() } else { usize::MAX });
                if let Some(bad) = width.refuse(fields.len()) {
                    return Err(bad);
                }
                let fields = &*fields;
                read_fields((fields.len(), |i| fields.get(i, body)), wanted, parts, text)?
            }
            Layout::Json { parts: wanted, added, paths, without } => {
                paths.find(body, room, values).map_err(|NoJson| Bad::Json(body))?;
                let parts = match without {
                    Some(without) => push_rest(body, without, parts, room)?,
                    None => parts,
                };
                read_json((body, values), (wanted, added.as_ref()), parts, (room, text))?
            }
        };
        let time = time.map(|text| read_time(text, format, near)).transpose()?;
        let body = match order {
            Some(order) if !layout.has_key() => order.ordered(body),
            _ => body,
        };
        Ok((whole_or_key(layout.has_key(), *ignore_case, key, body), time))
    }

    /// Whether this is no record: a blank line of CSV or JSON.
    #[inline]
    pub(crate) fn is_blank(&self, body: &[u8]) -> bool {
        match self.layout {
            Layout::Csv { .. } => body.is_empty(),
            Layout::Json { .. } => body.first().is_none_or(|first| *first <= b' ') && body.trim_ascii().is_empty(),
            _ => false,
        }
    }

    /// Whether each line is a key as it came, without a time.
    pub(crate) fn takes_whole_lines(&self) -> bool {
        matches!(self.layout, Layout::Whole) && !self.ignore_case
    }

    /// What the parts of a key are, if it is made of parts.
    pub(crate) fn parts(&self) -> Option<IsJson> {
        self.layout.has_key().then_some(IsJson(matches!(self.layout, Layout::Json { .. })))
    }
}

/// The record itself if it is the key, without a copy unless its case is to be folded.
#[inline]
fn whole_or_key<'a>(has_key: bool, ignore_case: bool, key: &'a mut Vec<u8>, body: &'a [u8]) -> &'a [u8] {
    match (has_key, ignore_case) {
        (true, _) => key,
        (false, false) => body,
        (false, true) => {
            key.extend_from_slice(body);
            key.make_ascii_lowercase();
            key
        }
    }
}

impl Layout {
    pub(crate) fn json(parts: Parts<Pointer>, added: Option<Pointer>) -> Self {
        let paths = Paths::new(parts.key.iter().chain(&parts.time).chain(&added));
        Self::Json { parts, added, paths, without: None }
    }

    /// The key is the whole value without what these pointers lead to, if there are any.
    pub(crate) fn json_except(mut self, left: &[Pointer]) -> Self {
        if let (Self::Json { without, .. }, false) = (&mut self, left.is_empty()) {
            *without = Some(Without::new(left.iter().map(Pointer::names)));
        }
        self
    }

    fn has_key(&self) -> bool {
        match self {
            Self::Whole => false,
            Self::Text { parts, .. } | Self::Csv { parts, .. } => !parts.key.is_empty(),
            Self::Json { .. } => true,
        }
    }
}

impl<P> Default for Parts<P> {
    /// The whole record, without a time.
    fn default() -> Self {
        Self { key: Vec::new(), except: false, time: Vec::new() }
    }
}

impl Parts<FieldSpec> {
    /// How many fields of a record have to be found.
    fn most(&self) -> usize {
        match self.except {
            true => usize::MAX,
            false => self.key.iter().chain(&self.time).map(|pick| pick.needs()).max().unwrap_or(0),
        }
    }
}

/// A key made of parts, each behind its length: (ab, c) and (a, bc) differ.
struct Key<'a> {
    bytes: &'a mut Vec<u8>,
    ignore_case: bool,
}

impl Key<'_> {
    fn push(&mut self, part: &[u8]) {
        self.push_by(|bytes| bytes.extend_from_slice(part));
    }

    /// Adds the part that `write` appends.
    #[inline]
    fn push_by<T>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        const ROOM: usize = size_of::<usize>();
        self.bytes.extend_from_slice(&[0; ROOM]);
        let begin = self.bytes.len();
        let written = write(self.bytes);
        let len = self.bytes.len() - begin;
        self.bytes[begin - ROOM..begin].copy_from_slice(&len.to_le_bytes());
        if self.ignore_case {
            // The letters only: the length before them is no letter, whatever its bytes are.
            self.bytes[begin..].make_ascii_lowercase();
        }
        written
    }
}

impl Separator {
    /// Where it begins first in `text`, and where it ends there.
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

/// Whether an odd number of backslashes precedes `at`.
fn is_escaped(field: &[u8], at: usize) -> bool {
    field[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Notes the key; gives the text of the time, if there is one.
fn read_fields<'a>(
    (n, field): (usize, impl Fn(usize) -> Option<&'a [u8]>),
    parts: &Parts<FieldSpec>,
    mut key: Key<'_>,
    text: &'a mut Vec<u8>,
) -> Result<Option<&'a [u8]>, Bad<'a>> {
    if parts.except {
        // A value to leave out may be absent.
        let is_left =
            |at: &usize| parts.key.iter().any(|pick| pick.places(n).is_some_and(|places| places.contains(at)));
        (0..n).filter(|at| !is_left(at)).filter_map(&field).for_each(|field| key.push(field));
    } else {
        for pick in &parts.key {
            let places = pick.places(n).ok_or(Bad::Field(*pick))?;
            places.filter_map(&field).for_each(|field| key.push(field));
        }
    }
    let one = |pick: FieldSpec| pick.places(n).and_then(|places| field(places.start)).ok_or(Bad::Field(pick));
    match parts.time[..] {
        [] => Ok(None),
        [pick] => one(pick).map(Some),
        [first, ref rest @ ..] => {
            text.clear();
            text.extend_from_slice(one(first)?);
            for pick in rest {
                text.push(b' ');
                text.extend_from_slice(one(*pick)?);
            }
            Ok(Some(text))
        }
    }
}

/// What a member is to be added to is an object, and has none of that name.
fn expect_free<'a>(record: &[u8], found: Option<&[u8]>, member: &'a Pointer) -> Result<(), Bad<'a>> {
    match found {
        _ if !without_separator(record).trim_ascii_start().starts_with(b"{") => Err(Bad::NoObject),
        Some(_) => Err(Bad::Member(member)),
        None => Ok(()),
    }
}

/// Notes the key that is all of a value but what is left out.
fn push_rest<'a, 'k>(
    record: &'a [u8],
    without: &Without,
    mut key: Key<'k>,
    room: &mut Room,
) -> Result<Key<'k>, Bad<'a>> {
    let value = without_separator(record).trim_ascii();
    key.push_by(|bytes| json_text::push_without(value, without, room, bytes)).map_err(|NoJson| Bad::Json(record))?;
    Ok(key)
}

fn read_json<'a>(
    (record, values): (&'a [u8], &Values),
    (parts, added): (&'a Parts<Pointer>, Option<&'a Pointer>),
    mut key: Key<'_>,
    (room, text): (&mut Room, &'a mut Vec<u8>),
) -> Result<Option<&'a [u8]>, Bad<'a>> {
    let no_json = |NoJson| Bad::Json(record);
    // As `Layout::json` numbers them: those of the key, that of the time, the one that is added.
    let (time, last) = (parts.key.len(), parts.key.len() + parts.time.len());
    added.map_or(Ok(()), |member| expect_free(record, values.get(last, record), member))?;
    for (i, pointer) in parts.key.iter().enumerate() {
        let value = values.get(i, record).ok_or(Bad::Value(pointer))?;
        key.push_by(|bytes| json_text::push_key(value, room, bytes)).map_err(no_json)?;
    }
    let Some(pointer) = parts.time.first() else { return Ok(None) };
    let value = values.get(time, record).ok_or(Bad::Value(pointer))?;
    text.clear();
    json_text::push(value, room, text).map_err(no_json)?;
    Ok(Some(text))
}

fn read_time<'a>(text: &'a [u8], format: &'a TimeFormat, near: &mut Near) -> Result<u64, Bad<'a>> {
    let time = format.read_near(text, *near).ok_or(Bad::Time { value: text, format })?;
    if format.lacks_year() {
        *near = Near::Time(time);
    }
    Ok(time)
}

/// The first time without a year is the last one that is not after now.
fn now() -> Near {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    Near::Now(u64::try_from(now).unwrap_or(u64::MAX))
}

/// Letters of a text that are shown.
const SHOWN: usize = 40;

/// Appends a key as people read it: its parts, if it is made of parts, with a space between.
pub(crate) fn show_key(mut key: &[u8], parts: Option<IsJson>, text: &mut String) {
    let Some(IsJson(is_json)) = parts else {
        return show_in(text, key, SHOWN);
    };
    let mut room = SHOWN;
    while let Some((len, rest)) = key.split_first_chunk().filter(|_| room > 0) {
        let (part, rest) = rest.split_at(usize::from_le_bytes(*len).min(rest.len()));
        show_in(text, if is_json { json_text::shown(part) } else { part }, room);
        room = SHOWN.saturating_sub(text.chars().count() + 1);
        if rest.is_empty() || text.ends_with("...") {
            return;
        }
        text.push_str(if room > 0 { " " } else { "..." });
        key = rest;
    }
}

/// Text that came from outside, short and harmless on a terminal.
pub(crate) fn show(text: &[u8]) -> String {
    let mut shown = String::new();
    show_in(&mut shown, text, SHOWN);
    shown
}

/// Appends the first `most` letters.
fn show_in(shown: &mut String, text: &[u8], most: usize) {
    let mut letters = text.utf8_chunks().flat_map(|chunk| {
        chunk.valid().chars().chain((!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER))
    });
    letters.by_ref().take(most).for_each(|letter| shown.extend(letter.escape_debug()));
    if most > 0 && letters.next().is_some() {
        shown.push_str("...");
    }
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
    fn separator_marks_join_fields_without_collisions() {
        let line = r#"::1 - [17/May/2015:10:05:03 +0000] "GET /a\"b c HTTP/1.1" 200 "" "x"#;
        let parts = ["::1", "-", "[17/May/2015:10:05:03 +0000]", r#""GET /a\"b c HTTP/1.1""#, "200", "\"\"", "\"x"];
        assert_eq!(fields(line, " ", true), parts);
        assert_eq!(fields(r#""a\\" b"#, " ", true), [r#""a\\""#, "b"]);
        assert_eq!(fields("[a b c", " ", true), ["[a", "b", "c"]);
        assert_eq!(fields("[a b]c d", " ", true), ["[a b]c", "d"]);
    }

    /// Whatever the bytes are: the separators between the parts give their lengths.
    #[test]
    fn parts_do_not_run_together() {
        let key = |parts: [&[u8]; 2]| {
            let mut bytes = Vec::new();
            parts.iter().for_each(|part| Key { bytes: &mut bytes, ignore_case: false }.push(part));
            bytes
        };
        for between in [&b""[..], b" ", &[0; 8], &[1, 0, 0, 0, 0, 0, 0, 0], &[0xff; 8]] {
            let (long, longer) = ([b"a", between, b"b"].concat(), [b"b", between, b"c"].concat());
            assert_ne!(key([&long, b"c"]), key([b"a", &longer]), "{between:?}");
        }
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

    #[test]
    fn keys_of_parts_are_shown_short_too() {
        for (parts, want) in [
            (&["a", "", "\"c"][..], "a  \\\"c".to_owned()),
            (&[&"x".repeat(41), "y"], "x".repeat(40) + "..."),
            (&[&"x".repeat(39), "y"], "x".repeat(39) + "..."),
            (&[&"x".repeat(37), "yz"], "x".repeat(37) + " yz"),
            (&["y"; 60], "y ".repeat(20).trim_end().to_owned() + "..."),
        ] {
            let (mut bytes, mut text) = (Vec::new(), String::new());
            parts.iter().for_each(|part| Key { bytes: &mut bytes, ignore_case: false }.push(part.as_bytes()));
            show_key(&bytes, Some(IsJson(false)), &mut text);
            assert_eq!(text, want);
        }
    }
}
