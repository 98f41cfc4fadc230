//! Where records go: which are shown, what is appended to them, and when they are handed on.

use std::fmt;
use std::io::{BufWriter, IsTerminal, Read, Result, Write, stdout};

use lately::Age;

use crate::records::{BOM, Flaw, Records, Span};
use crate::signals::standard_output;
use crate::stdio;
use crate::units::show_time;

/// What is said of a record, in the word that `--flag` appends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    New,
    Duplicate,
    Bad,
    Refused,
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Duplicate => "duplicate",
            Self::Bad => "bad",
            Self::Refused => "refused",
        }
    }
}

/// The records that are shown beside bad and refused ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Show {
    First,
    Duplicates,
    /// Every record, with its word.
    Flagged,
}

/// What an age is told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ages {
    Time,
    Records,
}

impl Ages {
    /// At least and at most so long ago; times as `--window` takes them, in whole milliseconds.
    fn text(self, age: Option<Age>) -> [String; 2] {
        const MS: u64 = 1_000_000;
        match (self, age) {
            (_, None) => [String::new(), String::new()],
            (Self::Records, Some(age)) => [age.at_least.to_string(), age.at_most.to_string()],
            (Self::Time, Some(age)) => [age.at_least, age.at_most.div_ceil(MS).saturating_mul(MS)].map(show_time),
        }
    }
}

/// What the output is to be.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    pub(crate) show: Show,
    /// What the age of a duplicate is told in, if it is told behind the word.
    pub(crate) ages: Option<Ages>,
    pub(crate) keep_bad: bool,
    pub(crate) separator: Vec<u8>,
    /// LF or NUL.
    pub(crate) end: u8,
    pub(crate) line_buffered: bool,
}

/// Standard output. What cannot be written is an error, a closed pipe too.
pub(crate) struct Output {
    to: BufWriter<Box<dyn Write>>,
    style: Style,
    /// Whether the last record came without an end, so that one more needs it.
    open: bool,
    held: bool,
    begun: bool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output {:?}", self.style)
    }
}

/// Bytes that are handed on at once.
const AT_ONCE: usize = 1 << 16;

impl Output {
    pub(crate) fn new(mut style: Style) -> Result<Self> {
        stdio::expect_output()?;
        style.line_buffered |= stdout().is_terminal();
        let to: Box<dyn Write> = Box::new(standard_output()?);
        Ok(Self { to: BufWriter::with_capacity(AT_ONCE, to), style, open: false, held: false, begun: false })
    }

    /// Prints the header of CSV records.
    pub(crate) fn header(&mut self, records: &Records<impl Read>, header: &Span) -> Result<()> {
        self.print(records, header, "lately", ["lately_at_least", "lately_at_most"].map(String::from))
    }

    /// Prints a record if it is one of those that are shown.
    #[inline]
    pub(crate) fn put(&mut self, records: &Records<impl Read>, span: &Span, word: Word, age: Option<Age>) -> Result<()> {
        let shown = match (word, self.style.show) {
            (Word::Bad | Word::Refused, _) => self.style.keep_bad,
            (_, Show::Flagged) | (Word::New, Show::First) | (Word::Duplicate, Show::Duplicates) => true,
            _ => false,
        };
        if !shown {
            return Ok(());
        }
        let ages = self.style.ages.map(|ages| ages.text(age)).unwrap_or_default();
        self.print(records, span, word.text(), ages)
    }

    fn print(&mut self, records: &Records<impl Read>, span: &Span, word: &str, ages: [String; 2]) -> Result<()> {
        // The mark before UTF-8 is no part of a record: it may stand before all of them, and nowhere else.
        if !self.begun && records.has_bom() {
            self.to.write_all(BOM)?;
        }
        self.begun = true;
        if self.open && span.flaw != Flaw::Further {
            self.to.write_all(&[self.style.end])?;
        }
        self.open = records.end(span).is_empty() && !span.goes_on;
        self.held = true;
        if self.style.show == Show::Flagged && !span.goes_on {
            self.to.write_all(records.body(span))?;
            self.to.write_all(&self.style.separator)?;
            self.to.write_all(word.as_bytes())?;
            for age in ages.iter().filter(|_| self.style.ages.is_some()) {
                self.to.write_all(&self.style.separator)?;
                self.to.write_all(age.as_bytes())?;
            }
            self.to.write_all(records.end(span))?;
        } else {
            self.to.write_all(records.raw(span))?;
        }
        if self.style.line_buffered { self.flush() } else { Ok(()) }
    }

    /// Whether something is held.
    pub(crate) fn is_held(&self) -> bool {
        self.held
    }

    /// Hands on what is still held.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.held = false;
        self.to.flush()
    }
}
