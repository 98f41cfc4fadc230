//! From bytes to records: lines, records that end with NUL, CSV records that may span lines, and JSON values one behind another. A record is a place in
//! the buffer that bytes were read into; nothing is copied, and what is read stays as it came.
//!
//! A record longer than the limit comes in pieces, so that the buffer is never larger than the limit and one read.

use std::io::{Error, Read, Result};
use std::ops::Range;

use crate::csv::{EndOfRecord, Found};
use crate::form::{Form, Sequence};
use crate::seq::{self, EndOfValue};
use crate::units::exact_size;

const AT_ONCE: usize = 1 << 17;

/// The mark that some systems put before UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// What is wrong with how a record ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    TooLong,
    Further,
    /// A quote is open at the end of the input. It ends with the line in which that quote is.
    OpenQuote,
    /// A quote is open for longer than a record may be; likewise.
    LongQuote,
    /// Text follows a quote that should close its field; likewise.
    Text,
    /// It is none: a line before the records, or a comment.
    Aside,
}

/// Where a record lies in the buffer, and in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    begin: usize,
    /// Before its end: LF, CR LF or NUL, or nothing if the input ended first.
    body_end: usize,
    end: usize,
    /// The line on which it begins, from 1 (with NUL ends: the number of the record).
    pub(crate) line: u64,
    pub(crate) flaw: Flaw,
    /// Whether the next span is a further piece of it.
    pub(crate) goes_on: bool,
}

impl Span {
    /// Where it lies, if it has an end.
    #[inline]
    pub(crate) fn whole(&self) -> Option<Range<usize>> {
        (self.body_end < self.end).then_some(self.begin..self.end)
    }
}

enum Search {
    Csv(EndOfRecord),
    Json(EndOfValue),
}

impl Search {
    fn of(form: &Form) -> Option<Self> {
        match (form.csv, form.json) {
            (Some(csv), _) if !csv.is_of_lines() => Some(Self::Csv(EndOfRecord::new(csv))),
            (_, Some(Sequence::Always)) => Some(Self::Json(EndOfValue::new())),
            _ => None,
        }
    }

    #[inline]
    fn begin(&mut self) {
        match self {
            Self::Csv(csv) => csv.begin(),
            Self::Json(json) => json.begin(),
        }
    }

    fn csv(&self) -> Option<&EndOfRecord> {
        if let Self::Csv(csv) = self { Some(csv) } else { None }
    }
}

pub(crate) struct Records<R> {
    pub(crate) input: R,
    form: Form,
    search: Option<Search>,
    bytes: Vec<u8>,
    /// The next record begins here, its end is not before `searched`, and bytes were read up to `filled`.
    begin: usize,
    searched: usize,
    filled: usize,
    /// Bytes that came with the last read.
    came: usize,
    lines: u64,
    /// The beginning of the input was looked at.
    begun: bool,
    /// Whether the input began with the mark before UTF-8.
    pub(crate) has_bom: bool,
    ended: bool,
    in_long: bool,
    /// A quote of the record is no mark of a field: it ends with the line that quote is in, from which `searched` continues.
    spoiled: Option<Flaw>,
}

impl<R: Read> Records<R> {
    pub(crate) fn new(input: R, form: Form) -> Self {
        Self {
            input,
            form,
            search: Search::of(&form),
            bytes: Vec::new(),
            begin: 0,
            searched: 0,
            filled: 0,
            came: 0,
            lines: 0,
            begun: false,
            has_bom: false,
            ended: false,
            in_long: false,
            spoiled: None,
        }
    }

    pub(crate) fn body(&self, span: &Span) -> &[u8] {
        &self.bytes[span.begin..span.body_end]
    }

    pub(crate) fn end(&self, span: &Span) -> &[u8] {
        match self.search {
            // Values come one to a line, however they came.
            Some(Search::Json(_)) if !span.goes_on && span.flaw != Flaw::Aside => b"\n",
            _ => &self.bytes[span.body_end..span.end],
        }
    }

    /// What was read and is no record yet.
    fn rest(&self) -> &[u8] {
        &self.bytes[self.begin..self.filled]
    }

    pub(crate) fn came(&self) -> &[u8] {
        &self.bytes[self.filled - self.came..self.filled]
    }

    /// The bytes from the beginning of one record to the end of another one.
    pub(crate) fn between(&self, places: Range<usize>) -> &[u8] {
        &self.bytes[places]
    }

    /// The next record that is whole in the buffer, or the next piece of one that is too long.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Span> {
        self.next_line().or_else(|| self.next_of_any())
    }

    /// The next record if it is a whole line that is short enough. Most records are, and this costs them little.
    #[inline]
    pub(crate) fn next_line(&mut self) -> Option<Span> {
        if !self.begun || self.in_long || self.search.is_some() || self.form.has_asides() {
            return None;
        }
        let at = memchr::memchr(self.form.end, &self.bytes[self.searched..self.filled])?;
        let end = self.searched + at + 1;
        let body_end = self.body_end(end);
        if !self.fits(body_end) {
            return None;
        }
        self.lines += 1;
        let span = Span { begin: self.begin, body_end, end, line: self.lines, flaw: Flaw::None, goes_on: false };
        (self.begin, self.searched) = (end, end);
        Some(span)
    }

    fn next_of_any(&mut self) -> Option<Span> {
        if !self.begun {
            self.begun = self.skip_bom() && self.know_sequence();
        }
        if self.begun && matches!(self.search, Some(Search::Json(_))) && !self.in_long {
            self.skip_blanks();
        }
        if self.begin == self.filled || !self.begun {
            return None;
        }
        match self.find_end() {
            Some(end) if self.in_long => Some(self.take(end, self.body_end(end), Flaw::Further)),
            Some(end) if self.fits(self.body_end(end)) => {
                let flaw = self.spoiled.unwrap_or(if self.is_aside() { Flaw::Aside } else { Flaw::None });
                Some(self.take(end, self.body_end(end), flaw))
            }
            None if self.passes_limit() && self.spoil(Flaw::LongQuote) => self.next(),
            None if self.in_long || self.passes_limit() => self.piece(),
            None if self.ended && self.spoil(Flaw::OpenQuote) => self.next(),
            None if self.ended => self.last(),
            None => None,
            Some(_) => self.piece(),
        }
    }

    /// Says whether a quote is open that was not given up yet: the record then ends with the line it is in, if there is
    /// one, so that a stray quote costs that line and no other.
    fn spoil(&mut self, flaw: Flaw) -> bool {
        let open = self.search.as_ref().filter(|_| self.spoiled.is_none() && !self.in_long).and_then(Search::csv);
        let open = open.and_then(EndOfRecord::open_quote);
        let Some(at) = open else { return false };
        (self.spoiled, self.searched) = (Some(flaw), self.begin + at);
        true
    }

    fn fits(&self, body_end: usize) -> bool {
        body_end - self.begin <= self.form.longest
    }

    /// Whether what is there is too long whatever comes: its last two bytes may belong to its end.
    fn passes_limit(&self) -> bool {
        self.filled - self.begin > self.form.longest.saturating_add(2)
    }

    /// Says whether enough is there to know.
    fn skip_bom(&mut self) -> bool {
        let may_come = !self.ended && BOM.starts_with(self.rest());
        if self.rest().starts_with(BOM) {
            self.has_bom = true;
            self.begin += BOM.len();
            self.searched = self.begin;
        }
        self.has_bom || !may_come
    }

    /// Says whether enough is there to know whether JSON values follow each other on a line.
    fn know_sequence(&mut self) -> bool {
        if self.form.json != Some(Sequence::IfSo) {
            return true;
        }
        let is_sequence = seq::is_sequence(self.rest(), self.ended);
        if is_sequence == Some(true) {
            self.search = Some(Search::Json(EndOfValue::new()));
        }
        is_sequence.is_some()
    }

    /// Passes the blanks before a value, which are no part of a record.
    fn skip_blanks(&mut self) {
        let blanks = &self.bytes[self.begin..self.filled];
        let n = blanks.iter().position(|byte| !seq::is_blank(*byte)).unwrap_or(blanks.len());
        if n > 0 {
            self.lines += line_feeds(&blanks[..n]);
            self.begin += n;
            self.searched = self.searched.max(self.begin);
        }
    }

    /// Whether the line that begins here is no record.
    fn is_aside(&self) -> bool {
        let is_comment = || self.form.comment.is_some_and(|comment| self.rest().first() == Some(&comment));
        self.form.has_asides() && !self.in_long && (self.lines < self.form.skipped || is_comment())
    }

    /// The place behind the end of the record, if it is there.
    #[inline]
    fn find_end(&mut self) -> Option<usize> {
        let is_aside = self.is_aside();
        let bytes = &self.bytes[self.searched..self.filled];
        let found = match &mut self.search {
            // A record that is too long ends with its line, also inside quotes: they may be what is wrong with it.
            Some(Search::Csv(csv)) if !self.in_long && self.spoiled.is_none() && !is_aside => match csv.find(bytes) {
                Some(Found::Text) => return self.end_of_spoiled(),
                Some(Found::End(end)) => Some(end),
                None => None,
            },
            Some(Search::Json(json)) if !self.in_long && !is_aside => json.find(bytes),
            _ => memchr::memchr(self.form.end, bytes).map(|at| at + 1),
        };
        self.searched = found.map_or(self.filled, |end| self.searched + end);
        found.map(|_| self.searched)
    }

    fn end_of_spoiled(&mut self) -> Option<usize> {
        let at = self.search.as_ref().and_then(Search::csv).map_or(0, |csv| csv.opened);
        (self.spoiled, self.searched) = (Some(Flaw::Text), self.begin + at);
        self.find_end()
    }

    #[inline]
    fn body_end(&self, end: usize) -> usize {
        if matches!(self.search, Some(Search::Json(_))) && self.bytes[end - 1] != self.form.end {
            return end;
        }
        let is_crlf = self.form.end == b'\n' && end >= self.begin + 2 && self.bytes[end - 2] == b'\r';
        end - if is_crlf { 2 } else { 1 }
    }

    /// The record, or the last piece of one, that ends before `end`.
    #[inline]
    fn take(&mut self, end: usize, body_end: usize, flaw: Flaw) -> Span {
        let span = Span { begin: self.begin, body_end, end, line: self.lines + 1, flaw, goes_on: false };
        self.lines += self.lines_until(end);
        self.search.iter_mut().for_each(Search::begin);
        (self.begin, self.searched, self.in_long, self.spoiled) = (end, end, false, None);
        span
    }

    /// The last record of an input that does not end with an end of a record.
    fn last(&mut self) -> Option<Span> {
        let whole = if self.is_aside() { Flaw::Aside } else { Flaw::None };
        let flaw = if self.fits(self.filled) { self.spoiled.unwrap_or(whole) } else { Flaw::TooLong };
        Some(self.take(self.filled, self.filled, flaw))
    }

    /// A record that is too long, or what is there of it. It ends with the line in which it passes the limit, also
    /// inside quotes: they may be what is wrong with it.
    fn piece(&mut self) -> Option<Span> {
        let flaw = if self.in_long { Flaw::Further } else { Flaw::TooLong };
        let from = if self.in_long { self.begin } else { self.begin + self.form.longest };
        if let Some(at) = memchr::memchr(self.form.end, &self.bytes[from..self.filled]) {
            let end = from + at + 1;
            return Some(self.take(end, self.body_end(end), flaw));
        }
        let goes_on = !self.ended;
        let span = Span { goes_on, ..self.take(self.filled, self.filled, flaw) };
        self.in_long = goes_on;
        Some(span)
    }

    /// Lines from the beginning of the record to its end: one, except in CSV. An end that has not come counts as one too.
    #[inline]
    fn lines_until(&self, end: usize) -> u64 {
        match self.search {
            None => u64::from(self.bytes[end - 1] == self.form.end || self.ended),
            Some(_) => line_feeds(&self.bytes[self.begin..end]),
        }
    }

    /// Reads more, once; returns whether there can be more records. What spans lie in is gone afterwards. An error changes
    /// nothing, so that the call may be made again.
    pub(crate) fn fill(&mut self) -> Result<bool> {
        if self.ended {
            return Ok(self.begin < self.filled);
        }
        self.make_room()?;
        let read = self.input.read(&mut self.bytes[self.filled..])?;
        self.filled += read;
        self.came = read;
        self.ended = read == 0;
        Ok(!self.ended || self.begin < self.filled)
    }

    /// Room for one read behind what is there: the buffer grows with its longest record.
    fn make_room(&mut self) -> Result<()> {
        if self.begin > 0 {
            self.bytes.copy_within(self.begin..self.filled, 0);
            (self.searched, self.filled, self.begin) = (self.searched - self.begin, self.filled - self.begin, 0);
        }
        if self.filled == self.bytes.len() {
            let more = (self.filled / 8).max(AT_ONCE);
            self.bytes.try_reserve_exact(more).map_err(|_| {
                let size = exact_size(u64::try_from(self.filled).unwrap_or(u64::MAX));
                Error::other(format!("no memory for a record of more than {size}: see --max-record"))
            })?;
            self.bytes.resize(self.filled + more, 0);
        }
        Ok(())
    }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    u64::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(u64::MAX)
}
