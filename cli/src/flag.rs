//! How a verdict stands beside its record: a field behind it, a column of CSV, or a member of a JSON object.

use std::io::{Result, Write};

use lately::Age;

use crate::units::show_time;

/// What is said of a record, in the word that `--flag` adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    New,
    Duplicate,
    Late,
    Bad,
    Refused,
}

impl Word {
    fn text(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Duplicate => "duplicate",
            Self::Late => "late",
            Self::Bad => "bad",
            Self::Refused => "refused",
        }
    }
}

/// What an age is told in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ages {
    Time,
    Records,
}

impl Ages {
    /// At least and at most so long ago; times as `--window` takes them, in whole milliseconds.
    fn text(self, age: Age) -> [String; 2] {
        const MS: u64 = 1_000_000;
        match self {
            Self::Records => [age.at_least.to_string(), age.at_most.to_string()],
            Self::Time => [age.at_least, age.at_most.div_ceil(MS).saturating_mul(MS)].map(show_time),
        }
    }
}

/// What records are, and with it where a verdict has its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Behind the record; a bad one too.
    Field,
    /// In a column of its own. A bad record goes out as it came.
    Column,
    /// In a member of its own. A bad record goes out as it came.
    Member,
}

/// How verdicts are added.
#[derive(Debug, Clone)]
pub(crate) struct Flags {
    pub(crate) place: Place,
    pub(crate) separator: Vec<u8>,
    /// What the column or the member is called.
    pub(crate) name: String,
    /// What the age of a duplicate is told in, if it is told.
    pub(crate) ages: Option<Ages>,
}

impl Flags {
    /// Whether a record that is called this goes out as it came.
    pub(crate) fn spares(&self, word: Word) -> bool {
        word == Word::Bad && self.place != Place::Field
    }

    /// Writes a record without its end, and its verdict.
    pub(crate) fn write(&self, to: &mut impl Write, body: &[u8], word: Word, age: Option<Age>) -> Result<()> {
        match self.place {
            Place::Member => self.member(to, body, word, age),
            Place::Field | Place::Column => {
                let ages = self.ages.map(|ages| age.map(|age| ages.text(age)).unwrap_or_default());
                self.fields(to, body, word.text().as_bytes(), ages)
            }
        }
    }

    /// Writes the header of CSV, and the names of the new columns.
    pub(crate) fn header(&self, to: &mut impl Write, body: &[u8]) -> Result<()> {
        let ages = self.ages.map(|_| ["at_least", "at_most"].map(|end| self.column(&format!("{}_{end}", self.name))));
        self.fields(to, body, self.column(&self.name).as_bytes(), ages)
    }

    /// A name as CSV has it.
    fn column(&self, name: &str) -> String {
        let is_plain =
            !name.contains(['"', '\n', '\r']) && !self.separator.iter().any(|byte| name.as_bytes().contains(byte));
        if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
    }

    fn fields(&self, to: &mut impl Write, body: &[u8], word: &[u8], ages: Option<[String; 2]>) -> Result<()> {
        to.write_all(body)?;
        to.write_all(&self.separator)?;
        to.write_all(word)?;
        for age in ages.iter().flatten() {
            to.write_all(&self.separator)?;
            to.write_all(age.as_bytes())?;
        }
        Ok(())
    }

    /// Puts the new members before the brace that closes the object; what is no object has no place for them.
    fn member(&self, to: &mut impl Write, body: &[u8], word: Word, age: Option<Age>) -> Result<()> {
        let object = body.trim_ascii_end();
        let Some(inner) = object.strip_suffix(b"}") else { return to.write_all(body) };
        let comma = if inner.trim_ascii() == b"{" { "" } else { "," };
        to.write_all(inner)?;
        write!(to, "{comma}{}:\"{}\"", quoted(&self.name), word.text())?;
        for (end, text) in ["at_least", "at_most"].iter().zip(self.ages.iter().flat_map(|ages| json_ages(*ages, age))) {
            write!(to, ",{}:{text}", quoted(&format!("{}_{end}", self.name)))?;
        }
        to.write_all(b"}")?;
        to.write_all(&body[object.len()..])
    }
}

fn json_ages(ages: Ages, age: Option<Age>) -> [String; 2] {
    match (ages, age.map(|age| ages.text(age))) {
        (_, None) => ["null", "null"].map(String::from),
        (Ages::Records, Some(texts)) => texts,
        (Ages::Time, Some(texts)) => texts.map(|text| quoted(&text)),
    }
}

/// A text as JSON has it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
