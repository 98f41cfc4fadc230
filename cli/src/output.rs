//! Where records go: which are shown, what is appended to them, and when they are handed on.

use std::io::{BufWriter, IsTerminal, Read, Result, Write, stdout};
use std::ops::Range;
use std::path::Path;

use lately::Age;

use crate::columns::Columns;
use crate::exec::Record;
use crate::flag::{Flags, Word};
use crate::patient::Patient;
use crate::records::{BOM, Flaw, Records, Span};
use crate::signals::standard_output;
use crate::stdio;
use crate::streams::{self, Named};

/// The records that are shown in addition to bad and refused ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    First,
    Duplicates,
    Flagged,
    Repeats,
}

#[derive(Debug, Clone)]
pub(crate) struct Style {
    pub(crate) show: Show,
    pub(crate) flags: Flags,
    pub(crate) keep_bad: bool,
    /// LF or NUL.
    pub(crate) end: u8,
    pub(crate) line_buffered: bool,
    /// Whether something that is no record of the batch can come between two records.
    pub(crate) waits: bool,
}

/// Standard output. What cannot be written is an error, a closed pipe too.
pub(crate) struct Output {
    to: BufWriter<Box<dyn Write>>,
    style: Style,
    /// Whether the last record came without an end, so that one more needs it.
    open: bool,
    /// Whether something is not handed on yet.
    pub(crate) is_held: bool,
    begun: bool,
    columns: Option<Columns>,
    /// Whether records are shown as they came, and need not be handed on one by one.
    as_they_came: bool,
    /// Records that are shown and lie one behind the other in the reader's buffer: they are written together.
    run: Range<usize>,
}

fn ordered<'a>(columns: &'a mut Option<Columns>, body: &'a [u8]) -> &'a [u8] {
    match columns {
        Some(columns) => columns.ordered(body),
        None => body,
    }
}

const AT_ONCE: usize = 1 << 16;

impl Output {
    pub(crate) fn new(mut style: Style) -> Result<Self> {
        stdio::expect(stdio::OUTPUT)?;
        style.line_buffered |= stdout().is_terminal();
        Ok(Self::to(Box::new(Patient(standard_output()?)), style))
    }

    /// The file of the duplicates, and whether a standard stream leads there too.
    pub(crate) fn of_repeats(path: &Path, style: &Style) -> Result<(Self, bool)> {
        let Named { file, is_shared } = streams::create(path)?;
        let line_buffered = style.line_buffered || is_shared;
        let style = Style { show: Show::Repeats, line_buffered, ..style.clone() };
        Ok((Self::to(Box::new(Patient(file)), style), is_shared))
    }

    /// Hands on every record by itself from now on: another stream writes to the same file.
    pub(crate) fn hand_on_each(&mut self) {
        self.style.line_buffered = true;
        self.set_columns(None, 0);
    }

    pub(crate) fn to(to: Box<dyn Write>, style: Style) -> Self {
        let to = BufWriter::with_capacity(AT_ONCE, to);
        let mut output = Self {
            to,
            style,
            open: false,
            is_held: false,
            begun: false,
            columns: None,
            as_they_came: false,
            run: 0..0,
        };
        output.set_columns(None, 0);
        output
    }

    /// The columns of the records that come now, if they stand in another order than in the header that was printed, and
    /// how many that header has.
    pub(crate) fn set_columns(&mut self, columns: Option<Columns>, n: usize) {
        self.columns = columns;
        self.style.flags.columns = n;
        let adds = self.style.show == Show::Flagged || self.style.waits;
        self.as_they_came = self.columns.is_none() && !adds && !self.style.line_buffered;
    }

    pub(crate) fn header(&mut self, records: &Records<impl Read>, header: &Span) -> Result<()> {
        self.begin(records, header)?;
        if self.style.show == Show::Flagged {
            self.style.flags.header(&mut self.to, records.body(header))?;
        } else {
            self.to.write_all(records.body(header))?;
        }
        self.finish(records, header)
    }

    /// Prints a record if it is one of those that are shown. Also where there is a second output it is a part of the loop
    /// over records.
    #[inline(always)]
    pub(crate) fn put(
        &mut self,
        records: &Records<impl Read>,
        span: &Span,
        word: Word,
        age: Option<Age>,
    ) -> Result<()> {
        if !self.shows(word) {
            return Ok(());
        }
        match span.whole().filter(|_| self.can_join()) {
            Some(place) => self.join(records, place),
            None => self.write(records, span, word, age),
        }
    }

    /// Prints a new record that has left the reader's buffer.
    pub(crate) fn put_record(&mut self, has_bom: bool, record: &Record) -> Result<()> {
        self.begin_record(has_bom, false)?;
        let body = ordered(&mut self.columns, record.body());
        self.to.write_all(body)?;
        self.end_record(record.end(), false)
    }

    /// A record with its columns in the order of the header that was printed.
    pub(crate) fn ordered<'a>(&'a mut self, body: &'a [u8]) -> &'a [u8] {
        ordered(&mut self.columns, body)
    }

    /// Prints these bytes between two records, as they are.
    pub(crate) fn put_between(&mut self, body: &[u8], end: &[u8]) -> Result<()> {
        self.begin_record(false, false)?;
        self.to.write_all(body)?;
        self.end_record(end, false)
    }

    /// Does the same with many, up to the first one that cannot be joined to those before it; gives how many were done.
    pub(crate) fn put_lines<'a>(
        &mut self,
        records: &Records<impl Read>,
        lines: impl Iterator<Item = (&'a Span, Word)>,
    ) -> Result<usize> {
        let mut done = 0;
        for (span, word) in lines.take(if self.can_join() { usize::MAX } else { 0 }) {
            if self.shows(word) {
                let Some(place) = span.whole() else { break };
                self.join(records, place)?;
            }
            done += 1;
        }
        Ok(done)
    }

    /// Whether a record with this word is one of those that are shown.
    #[inline(always)]
    fn shows(&self, word: Word) -> bool {
        match (word, self.style.show) {
            (word, Show::Repeats) => word == Word::Duplicate,
            (Word::Bad | Word::Refused, _) => self.style.keep_bad,
            (Word::Late | Word::Aside, _)
            | (_, Show::Flagged)
            | (Word::New, Show::First)
            | (Word::Duplicate, Show::Duplicates) => true,
            _ => false,
        }
    }

    /// Whether a whole record is handed on as it came, together with those before it.
    #[inline]
    fn can_join(&self) -> bool {
        self.as_they_came && self.begun && !self.open
    }

    #[inline]
    fn join(&mut self, records: &Records<impl Read>, place: Range<usize>) -> Result<()> {
        if place.start == self.run.end {
            self.run.end = place.end;
            return Ok(());
        }
        let run = std::mem::replace(&mut self.run, place);
        self.to.write_all(records.between(run))
    }

    /// Writes the records that are to be written together: what they lie in is gone after a batch.
    pub(crate) fn end_batch(&mut self, records: &Records<impl Read>) -> Result<()> {
        let run = std::mem::take(&mut self.run);
        self.is_held |= !run.is_empty();
        self.to.write_all(records.between(run))
    }

    fn write(&mut self, records: &Records<impl Read>, span: &Span, word: Word, age: Option<Age>) -> Result<()> {
        self.begin(records, span)?;
        let is_row = !matches!(word, Word::Bad | Word::Aside);
        let body = if is_row { ordered(&mut self.columns, records.body(span)) } else { records.body(span) };
        if self.style.show == Show::Flagged && !span.goes_on && !self.style.flags.spares(word) {
            self.style.flags.write(&mut self.to, body, word, age)?;
        } else {
            self.to.write_all(body)?;
        }
        self.finish(records, span)
    }

    fn begin(&mut self, records: &Records<impl Read>, span: &Span) -> Result<()> {
        self.end_batch(records)?;
        self.begin_record(records.has_bom, span.flaw == Flaw::Further)
    }

    fn begin_record(&mut self, has_bom: bool, is_further: bool) -> Result<()> {
        // The mark before UTF-8 is no part of a record: it may stand before all of them, and nowhere else.
        if !self.begun && has_bom {
            self.to.write_all(BOM)?;
        }
        self.begun = true;
        if self.open && !is_further {
            self.to.write_all(&[self.style.end])?;
        }
        Ok(())
    }

    fn finish(&mut self, records: &Records<impl Read>, span: &Span) -> Result<()> {
        self.end_record(records.end(span), span.goes_on)
    }

    fn end_record(&mut self, end: &[u8], goes_on: bool) -> Result<()> {
        self.open = end.is_empty() && !goes_on;
        self.is_held = true;
        self.to.write_all(end)?;
        if self.style.line_buffered { self.flush() } else { Ok(()) }
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.is_held = false;
        self.to.flush()
    }
}
