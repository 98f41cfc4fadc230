//! How a verdict is added to its record: a field behind it, a column of CSV, or a member of a JSON object.

use std::io::{Result, Write};

use lately::Age;

use crate::csv::{Dialect, Fields};
use crate::json_text;
use crate::units::Span;

/// The word that `--mark` adds to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    New,
    Duplicate,
    Late,
    Bad,
    Refused,
    /// No record: it goes out as it came.
    Aside,
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Duplicate => "duplicate",
            Self::Late => "late",
            Self::Bad => "bad",
            Self::Refused => "refused",
            Self::Aside => "",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ages {
    Time,
    Records,
}

impl Ages {
    /// The ends between which an age lies: times in whole milliseconds, which still enclose it.
    fn ends(self, Age { at_least, at_most, .. }: Age) -> [u64; 2] {
        const MS: u64 = 1_000_000;
        match self {
            Self::Records => [at_least, at_most],
            Self::Time => [at_least / MS * MS, at_most.div_ceil(MS).saturating_mul(MS)],
        }
    }

    /// One end: a time as `--window` takes it.
    fn write(self, to: &mut impl Write, end: u64) -> Result<()> {
        if self == Self::Time { write!(to, "{}", Span(end)) } else { write!(to, "{end}") }
    }
}

/// What records are, and with it where a verdict has its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Behind the record; a bad one too.
    Field,
    /// In a column of its own. A bad record goes out as it came.
    Column(Dialect),
    /// In a member of its own. A bad record goes out as it came.
    Member,
}

#[derive(Debug, Clone)]
pub(crate) struct Flags {
    place: Place,
    separator: Vec<u8>,
    /// What the columns or the members are called, as they are written: of the verdict, and of both ends of the age.
    names: [Vec<u8>; 3],
    ages: Option<Ages>,
    /// Columns before those that are added: a record that has fewer gets empty ones.
    pub(crate) columns: usize,
    raw: Fields,
}

impl Flags {
    pub(crate) fn new(place: Place, separator: Vec<u8>, name: &str, ages: Option<Ages>) -> Self {
        let names = ["", "_at_least", "_at_most"].map(|end| match place {
            Place::Member => quoted(&format!("{name}{end}")),
            Place::Column(dialect) => column(&format!("{name}{end}"), dialect),
            Place::Field => Vec::new(),
        });
        Self { place, separator, names, ages, columns: 0, raw: Fields::default() }
    }

    /// Whether a record that is called this goes out as it came.
    pub(crate) fn spares(&self, word: Word) -> bool {
        word == Word::Aside || word == Word::Bad && self.place != Place::Field
    }

    /// Writes a record without its end, and its verdict.
    pub(crate) fn write(&mut self, to: &mut impl Write, body: &[u8], word: Word, age: Option<Age>) -> Result<()> {
        match self.place {
            Place::Member => self.members(to, body, word, age),
            Place::Field | Place::Column(_) => self.fields(to, body, word, age),
        }
    }

    /// Writes the header of CSV, and the names of the new columns.
    pub(crate) fn header(&self, to: &mut impl Write, body: &[u8]) -> Result<()> {
        to.write_all(body)?;
        for name in &self.names[..if self.ages.is_some() { 3 } else { 1 }] {
            to.write_all(&self.separator)?;
            to.write_all(name)?;
        }
        Ok(())
    }

    fn fields(&mut self, to: &mut impl Write, body: &[u8], word: Word, age: Option<Age>) -> Result<()> {
        to.write_all(body)?;
        if let (Place::Column(dialect), 1..) = (self.place, self.columns) {
            self.raw.split_raw(body, dialect);
            (self.raw.len()..self.columns).try_for_each(|_| to.write_all(&self.separator))?;
        }
        to.write_all(&self.separator)?;
        to.write_all(word.text().as_bytes())?;
        let Some(ages) = self.ages else { return Ok(()) };
        let ends = age.map(|age| ages.ends(age));
        (0..2).try_for_each(|i| {
            to.write_all(&self.separator)?;
            ends.map_or(Ok(()), |ends| ages.write(to, ends[i]))
        })
    }

    /// Puts the new members before the brace that closes the object; what is no object has no place for them.
    fn members(&self, to: &mut impl Write, body: &[u8], word: Word, age: Option<Age>) -> Result<()> {
        let object = body.trim_ascii_end();
        let Some(inner) = object.strip_suffix(b"}") else { return to.write_all(body) };
        to.write_all(inner)?;
        to.write_all(if inner.trim_ascii() == b"{" { b"" } else { b"," })?;
        to.write_all(&self.names[0])?;
        write!(to, ":\"{}\"", word.text())?;
        self.age_members(to, age)?;
        to.write_all(b"}")?;
        to.write_all(&body[object.len()..])
    }

    fn age_members(&self, to: &mut impl Write, age: Option<Age>) -> Result<()> {
        let Some(ages) = self.ages else { return Ok(()) };
        let (ends, mark) = (age.map(|age| ages.ends(age)), if ages == Ages::Time { "\"" } else { "" });
        self.names[1..].iter().enumerate().try_for_each(|(i, name)| {
            to.write_all(b",")?;
            to.write_all(name)?;
            let Some(ends) = ends else { return to.write_all(b":null") };
            write!(to, ":{mark}")?;
            ages.write(to, ends[i])?;
            to.write_all(mark.as_bytes())
        })
    }
}

fn column(name: &str, Dialect { separator, quote, .. }: Dialect) -> Vec<u8> {
    let marks = [separator, quote.unwrap_or(separator), b'\n', b'\r'];
    let Some(quote) = quote.filter(|_| name.bytes().any(|byte| marks.contains(&byte))) else { return name.into() };
    let mut column = vec![quote];
    name.bytes().for_each(|byte| column.extend_from_slice(&[byte; 2][..if byte == quote { 2 } else { 1 }]));
    column.push(quote);
    column
}

fn quoted(text: &str) -> Vec<u8> {
    let mut quoted = Vec::new();
    json_text::quote(text.as_bytes(), &mut quoted);
    quoted
}
