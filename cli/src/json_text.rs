//! The text of a JSON value: its JSON text without blanks, with sorted names, of which the last of equal ones counts, and with one
//! form for each number. It is what serde_json writes of the same value, except for numbers, whose form is in `number`.
//!
//! **Law.** Two values have one text only if they are one value: `"1"` and `1`, `"null"` and `null` differ, `1`, `1.0` and `1e0` do
//! not. A key has the text behind the quote of a string, with that quote and without its escapes.

use crate::number;
use crate::scan::{NoJson, Scan, without_separator};
use crate::utf16;

/// How deep an array or object may be that is a part of a key.
const DEEPEST: usize = 127;

/// Room that is used again for every record.
#[derive(Debug, Default)]
pub(crate) struct Room {
    pub(crate) open: Vec<u8>,
    /// Texts of names and strings, and the members of objects, of all that is being written.
    texts: Vec<u8>,
    members: Vec<Member>,
}

/// A member of an object: where its name is in the texts, and where its value is in the object.
#[derive(Debug, Clone, Copy)]
struct Member {
    name: (usize, usize),
    value: (usize, usize),
}

/// Appends what a key has of `value`, which was scanned: a string begins with a quote, as no other value does.
pub(crate) fn push_key(value: &[u8], room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    if value.starts_with(b"\"") {
        to.push(b'"');
    }
    push(value, room, to)
}

pub(crate) fn shown(part: &[u8]) -> &[u8] {
    part.strip_prefix(b"\"").unwrap_or(part)
}

/// Which values of a record are left out of its text, by their places, and the place that is written next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Left<'a> {
    places: &'a [Option<(usize, usize)>],
    at: usize,
}

impl Left<'_> {
    /// The same for what lies here in what was written.
    fn at(self, begin: usize) -> Self {
        Self { at: self.at + begin, ..self }
    }

    fn has(self, value: &[u8]) -> bool {
        self.places.contains(&Some((self.at, self.at + value.len())))
    }
}

/// Appends what a key has of `record`, which was scanned, without the values at these places.
pub(crate) fn push_without(
    record: &[u8],
    places: &[Option<(usize, usize)>],
    room: &mut Room,
    to: &mut Vec<u8>,
) -> Result<(), NoJson> {
    let value = without_separator(record).trim_ascii_start();
    let (at, value) = (record.len() - value.len(), value.trim_ascii_end());
    if !matches!(value, [b'{' | b'[', ..]) {
        return push_key(value, room, to);
    }
    whole(value, Left { places, at }, room, to)
}

/// Appends the text of `value`, which was scanned: that of a string is what it means.
pub(crate) fn push(value: &[u8], room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    match value {
        [b'"', text @ .., b'"'] => unescape(text, to),
        [b'{' | b'[', ..] => whole(value, Left { places: &[], at: 0 }, room, to),
        _ => {
            scalar(value, to);
            Ok(())
        }
    }
}

fn whole(value: &[u8], left: Left<'_>, room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    room.texts.clear();
    room.members.clear();
    tree(value, DEEPEST, left, room, to)
}

fn tree(value: &[u8], deepest: usize, left: Left<'_>, room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    match value {
        [b'"', text @ .., b'"'] => string(text, room, to)?,
        [b'[', ..] => array(value, deepest.checked_sub(1).ok_or(NoJson)?, left, room, to)?,
        [b'{', ..] => object(value, deepest.checked_sub(1).ok_or(NoJson)?, left, room, to)?,
        _ => scalar(value, to),
    }
    Ok(())
}

fn array(value: &[u8], deepest: usize, left: Left<'_>, room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    let mut scan = Scan::new(value);
    to.push(b'[');
    let close = scan.enter();
    while let Some(close) = close {
        let entry = scan.value(&mut room.open)?;
        let left = left.at(scan.at - entry.len());
        if !left.has(entry) {
            tree(entry, deepest, left, room, to)?;
        }
        if !scan.goes_on(close)? {
            break;
        }
        to.push(b',');
    }
    to.push(b']');
    Ok(())
}

fn object(value: &[u8], deepest: usize, left: Left<'_>, room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    let (first, texts) = (room.members.len(), room.texts.len());
    sort_members(value, room)?;
    let (mut before, end) = (b'{', room.members.len());
    for at in first..end {
        let [name, next] = [Some(at), Some(at + 1).filter(|next| *next < end)].map(|at| at.map(|at| room.name(at)));
        let (begin, end) = room.members[at].value;
        let left = left.at(begin);
        if next == name || left.has(&value[begin..end]) {
            continue;
        }
        to.push(before);
        quote(name.unwrap_or_default(), to);
        to.push(b':');
        tree(&value[begin..end], deepest, left, room, to)?;
        before = b',';
    }
    if before == b'{' {
        to.push(b'{');
    }
    to.push(b'}');
    room.members.truncate(first);
    room.texts.truncate(texts);
    Ok(())
}

/// Appends the members of an object to those of the room, sorted by their names; of equal ones the last is the last.
fn sort_members(object: &[u8], room: &mut Room) -> Result<(), NoJson> {
    let first = room.members.len();
    let mut scan = Scan::new(object);
    let close = scan.enter();
    while let Some(close) = close {
        let begin = room.texts.len();
        unescape(scan.name()?, &mut room.texts)?;
        let value = scan.value(&mut room.open)?;
        let value = (scan.at - value.len(), scan.at);
        room.members.push(Member { name: (begin, room.texts.len()), value });
        if !scan.goes_on(close)? {
            break;
        }
    }
    let Room { texts, members, .. } = room;
    let name = |member: &Member| &texts[member.name.0..member.name.1];
    members[first..].sort_unstable_by(|one, other| (name(one), one.value).cmp(&(name(other), other.value)));
    Ok(())
}

impl Room {
    fn name(&self, at: usize) -> &[u8] {
        let (begin, end) = self.members[at].name;
        &self.texts[begin..end]
    }
}

/// A string in its shortest form, whatever the form in which it came.
fn string(text: &[u8], room: &mut Room, to: &mut Vec<u8>) -> Result<(), NoJson> {
    let begin = room.texts.len();
    unescape(text, &mut room.texts)?;
    quote(&room.texts[begin..], to);
    room.texts.truncate(begin);
    Ok(())
}

/// A number in its one form, or a word as it came.
fn scalar(value: &[u8], to: &mut Vec<u8>) {
    if value.len() <= number::PLAIN && value.iter().all(u8::is_ascii_digit) || value.ends_with(b"Infinity") {
        return to.extend_from_slice(value);
    }
    match value.first() {
        Some(b'-' | b'0'..=b'9') => number::push(value, to),
        _ => to.extend_from_slice(value),
    }
}

/// Appends a string without its escapes. Half of a pair of code units has three bytes, as no text has them.
fn unescape(mut text: &[u8], to: &mut Vec<u8>) -> Result<(), NoJson> {
    while let Some(at) = memchr::memchr(b'\\', text) {
        to.extend_from_slice(&text[..at]);
        let escape = text[at + 1];
        text = &text[at + 2..];
        match escape {
            b'b' => to.push(8),
            b'f' => to.push(12),
            b'n' => to.push(b'\n'),
            b'r' => to.push(b'\r'),
            b't' => to.push(b'\t'),
            b'u' => text = code_units(text, to)?,
            other => to.push(other),
        }
    }
    to.extend_from_slice(text);
    Ok(())
}

/// Appends the letter of the one or two code units at the beginning of `text`; what follows them.
fn code_units<'a>(text: &'a [u8], to: &mut Vec<u8>) -> Result<&'a [u8], NoJson> {
    let first = hex(text).ok_or(NoJson)?;
    let second = text.get(4..).and_then(|rest| rest.strip_prefix(b"\\u")).and_then(hex);
    let used = match char::decode_utf16([first].into_iter().chain(second)).next() {
        Some(Ok(letter)) => {
            to.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            if letter.len_utf16() == 2 { 10 } else { 4 }
        }
        _ => {
            utf16::push_half(first, to);
            4
        }
    };
    Ok(&text[used..])
}

/// Four hex digits.
fn hex(text: &[u8]) -> Option<u16> {
    u16::from_str_radix(std::str::from_utf8(text.get(..4)?).ok()?, 16).ok()
}

pub(crate) fn quote(text: &[u8], to: &mut Vec<u8>) {
    to.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => to.extend_from_slice(&[b'\\', byte]),
            8 => to.extend_from_slice(b"\\b"),
            12 => to.extend_from_slice(b"\\f"),
            b'\n' => to.extend_from_slice(b"\\n"),
            b'\r' => to.extend_from_slice(b"\\r"),
            b'\t' => to.extend_from_slice(b"\\t"),
            0..32 => {
                let digit = |n: u8| b"0123456789abcdef"[usize::from(n)];
                to.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
            }
            other => to.push(other),
        }
    }
    to.push(b'"');
}

/// Whether a name with escapes, as it is written between its quotes, is this one.
pub(crate) fn is_name(written: &[u8], name: &str, room: &mut Room) -> bool {
    room.texts.clear();
    unescape(written, &mut room.texts).is_ok() && room.texts == name.as_bytes()
}
