//! Extracts the key of a record, and its time if the record has one.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::bad::{Bad, IsJson};
use crate::columns::Columns;
use crate::csv::{Dialect, Fields};
use crate::fields::FieldSpec;
use crate::fixed::Near;
use crate::json::{Paths, Pointer, Values};
use crate::json_text::{self, Room};
use crate::scan::{NoJson, without_separator};
use crate::text_fields::{Separator, split};
use crate::time::TimeFormat;

/// How many fields a CSV record may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Any,
    /// At most that number: missing columns are empty.
    UpTo(usize),
    Exactly(usize),
}

impl Width {
    fn refuse(self, n: usize) -> Option<Bad<'static>> {
        match self {
            Self::Exactly(want) if n != want => Some(Bad::Columns(n, want)),
            Self::UpTo(most) if n > most => Some(Bad::Columns(n, most)),
            _ => None,
        }
    }
}

pub(crate) enum Layout {
    /// Key: the whole record. No time.
    Whole,
    /// Text between separators. With marks, a field that opens with `[` or `"` ends at its closing mark.
    Text {
        separator: Separator,
        marks: bool,
        parts: Parts<FieldSpec>,
    },
    Csv {
        dialect: Dialect,
        parts: Parts<FieldSpec>,
    },
    /// JSON pointers: of the key, of the time, and of the member that will be added to an object, if one will; and how many lead to
    /// values that the key, else the whole, is without.
    Json {
        parts: Parts<Pointer>,
        added: Option<Pointer>,
        paths: Paths,
        left: usize,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Parts<P> {
    /// Those of the key, in order; none for the whole record.
    pub(crate) key: Vec<P>,
    /// Whether the key is everything except these fields.
    pub(crate) except: bool,
    /// Those of the time, with a blank between them; none for the time of arrival.
    pub(crate) time: Vec<P>,
}

pub(crate) struct Extract {
    pub(crate) layout: Layout,
    pub(crate) format: TimeFormat,
    pub(crate) ignore_case: bool,
    key: Vec<u8>,
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
            Layout::Json { parts: wanted, added, paths, left } => {
                paths.find(body, room, values).map_err(|NoJson| Bad::Json(body))?;
                let mut parts = parts;
                if *left > 0 {
                    let left = &values.places[values.places.len() - left..];
                    let pushed = parts.push_by(|bytes| json_text::push_without(body, left, room, bytes));
                    pushed.map_err(|NoJson| Bad::Json(body))?;
                }
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
    /// If pointers are left, the key is the whole value without what they lead to.
    pub(crate) fn json(parts: Parts<Pointer>, added: Option<Pointer>, left: &[Pointer]) -> Self {
        let paths = Paths::new(parts.key.iter().chain(&parts.time).chain(&added).chain(left));
        Self::Json { parts, added, paths, left: left.len() }
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
    fn most(&self) -> usize {
        match self.except {
            true => usize::MAX,
            false => self.key.iter().chain(&self.time).map(|pick| pick.needs()).max().unwrap_or(0),
        }
    }
}

/// A key made of parts, each behind its length: (ab, c) and (a, bc) differ.
pub(crate) struct Key<'a> {
    pub(crate) bytes: &'a mut Vec<u8>,
    pub(crate) ignore_case: bool,
}

impl Key<'_> {
    pub(crate) fn push(&mut self, part: &[u8]) {
        self.push_by(|bytes| bytes.extend_from_slice(part));
    }

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

fn read_json<'a>(
    (record, values): (&'a [u8], &Values),
    (parts, added): (&'a Parts<Pointer>, Option<&'a Pointer>),
    mut key: Key<'_>,
    (room, text): (&mut Room, &'a mut Vec<u8>),
) -> Result<Option<&'a [u8]>, Bad<'a>> {
    let no_json = |NoJson| Bad::Json(record);
    // As `Layout::json` numbers them: those of the key, that of the time, the one that is added, those that are left out.
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
