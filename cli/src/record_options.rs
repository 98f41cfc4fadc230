//! The options of records and keys: how a record is written, where its key and its time are, and what is added to it.

use memchr::memmem::Finder;

use crate::args::{Args, Keep};
use crate::csv::{self, Dialect};
use crate::fields::{self, FieldSpec};
use crate::flag::{Ages, Flags, Place};
use crate::form::{Form, Sequence};
use crate::headers::Headers;
use crate::json::Pointer;
use crate::key::{Extract, Layout, Parts};
use crate::misuse::out_of_range;
use crate::names::Names;
use crate::output::{Show, Style};
use crate::text_fields::Separator;
use crate::time::TimeFormat;

impl Args {
    pub(crate) fn style(&self) -> Result<Style, String> {
        let show = match (self.duplicates, self.flag) {
            (true, _) => Show::Duplicates,
            (_, Some(_)) => Show::Flagged,
            _ => Show::First,
        };
        let unit = if self.filter.window.is_some() { Ages::Time } else { Ages::Records };
        let place = match (self.dialect()?, !self.is_json()) {
            (Some(dialect), _) => Place::Column(dialect),
            (_, false) => Place::Member,
            _ => Place::Field,
        };
        let ages = Some(unit).filter(|_| self.has_ages());
        let flags = Flags::new(place, self.separator()?, &self.flag_name(), ages);
        let waits = self.filter.count.is_some() || self.hold.is_some();
        let (keep_bad, end) = (self.bad == Keep::Keep, self.end());
        Ok(Style { show, flags, keep_bad, end, line_buffered: self.line_buffered, waits })
    }

    /// What separates fields; `\t` is a TAB.
    pub(crate) fn separator(&self) -> Result<Vec<u8>, String> {
        let separator = match &self.separator {
            Some(_) if self.has_blanks() => vec![b' '],
            Some(text) => text.replace("\\t", "\t").into_bytes(),
            None => vec![if self.csv { b',' } else { b'\t' }],
        };
        let forbidden = match self.quote()?.filter(|_| self.csv) {
            Some(quote) => vec![quote, b'\r', b'\n'],
            None => vec![b'\n'],
        };
        let fits = if self.csv { separator.len() == 1 } else { !separator.is_empty() };
        if fits && !separator.iter().any(|byte| forbidden.contains(byte)) {
            return Ok(separator);
        }
        let range = match self.csv {
            true => "one byte that is neither a quote nor a line end",
            false => "one or more characters without a line feed",
        };
        Err(out_of_range("--separator", self.separator.as_deref().unwrap_or_default(), range))
    }

    fn dialect(&self) -> Result<Option<Dialect>, String> {
        if self.tsv {
            return Ok(Some(Dialect { separator: b'\t', quote: None, escape: None }));
        }
        if !self.csv {
            return Ok(None);
        }
        let (separator, quote) = (self.separator()?[0], self.quote()?);
        let escape = self.escape.as_deref().map(|text| one_byte("--escape", text)).transpose()?;
        match escape.filter(|escape| *escape == separator || Some(*escape) == quote) {
            Some(_) => Err(out_of_range(
                "--escape",
                self.escape.as_deref().unwrap_or_default(),
                "another byte than the separator and the quote: a quote that is doubled needs no option",
            )),
            None => Ok(Some(Dialect { separator, quote, escape })),
        }
    }

    /// What opens and closes a field of CSV, unless nothing does.
    fn quote(&self) -> Result<Option<u8>, String> {
        match self.quote.as_deref() {
            None => Ok(Some(b'"')),
            Some("none") => Ok(None),
            Some(text) => one_byte("--quote", text).map(Some),
        }
    }

    /// Whether the year of a time is the one that fits the clock best.
    pub(crate) fn guesses_year(&self) -> bool {
        self.time_format.lacks_year() && self.year.is_none()
    }

    /// Whether quotes are believed in where a file between TABs may have none.
    pub(crate) fn may_be_tsv(&self) -> bool {
        self.quote.is_none() && self.dialect().is_ok_and(|csv| csv == Some(Dialect::usual(b'\t')))
    }

    pub(crate) fn form(&self) -> Result<Form, String> {
        if self.json_seq && !self.is_json() {
            return Err(String::from("the argument '--json-seq' needs '--json <POINTER>' or '--json-except <LIST>'"));
        }
        let json = match (self.json_seq, !self.is_json()) {
            (true, _) => Some(Sequence::Always),
            (false, false) => Some(Sequence::IfSo),
            (false, true) => None,
        };
        let comment = self.comment.as_deref().map(|text| one_byte("--comment", text)).transpose()?;
        let csv = self.dialect()?;
        let longest = usize::try_from(self.max_record).unwrap_or(usize::MAX);
        Ok(Form { end: self.end(), csv, json, longest, skipped: self.skip, comment })
    }

    pub(crate) fn extract(&self) -> Result<Extract, String> {
        if self.year.is_some() && !self.time_format.lacks_year() {
            return Err(String::from(
                "the argument '--year <YEAR>' needs '--time-format syslog', or a strptime format without a year",
            ));
        }
        Ok(Extract::new(self.layout()?, self.time_format.clone(), self.ignore_case).begin_in(self.year))
    }

    fn flag_name(&self) -> String {
        self.flag_name.clone().unwrap_or_else(|| String::from("lately"))
    }

    fn layout(&self) -> Result<Layout, String> {
        match (self.dialect()?, !self.is_json()) {
            (Some(dialect), _) => {
                let parts = if self.no_header { self.numbers()? } else { Parts::default() };
                Ok(Layout::Csv { dialect, parts })
            }
            (_, false) => {
                let left = self.json_except.iter().flat_map(|list| list.split(','));
                let left = left.map(|text| pointer("--json-except", text)).collect::<Result<Vec<_>, _>>()?;
                let added = self.flag.map(|_| Pointer::to(&self.flag_name()));
                Ok(Layout::json(self.pointers()?, added, &left))
            }
            _ if !self.has_fields() => Ok(Layout::Whole),
            _ => Ok(Layout::Text {
                separator: match *self.separator()? {
                    _ if self.has_blanks() => Separator::Blanks,
                    [byte] => Separator::Byte(byte),
                    ref text => Separator::Text(Box::new(Finder::new(text).into_owned())),
                },
                marks: self.time_format == TimeFormat::Clf,
                parts: self.numbers()?,
            }),
        }
    }

    fn numbers(&self) -> Result<Parts<FieldSpec>, String> {
        let (list, except) = self.key_list();
        let lists = list.iter().flat_map(|list| list.split(',')).map(FieldSpec::range);
        let ranges: Vec<_> = lists.collect::<Option<_>>().ok_or_else(|| self.wrong_key())?;
        let time = self.time_field.as_deref().map(time_numbers).transpose()?.unwrap_or_default();
        Ok(Parts { key: ranges.into_iter().flatten().collect(), except, time })
    }

    /// All lists of the key as one, and whether the key is all but that.
    fn key_list(&self) -> (Option<String>, bool) {
        let list = (!self.key.is_empty()).then(|| self.key.join(","));
        match list.as_deref().and_then(|list| list.strip_prefix('!')) {
            Some(rest) => (Some(rest.to_owned()), true),
            None => (list, false),
        }
    }

    fn wrong_key(&self) -> String {
        let list = &self.key.join(",");
        let names = if self.is_table() { "there are no names with --no-header" } else { "a column's name needs --csv" };
        let range = format!("{}, or a list such as 2,5 or 2-4 or 2-{}", fields::RANGE, needs(list, names));
        out_of_range("--key", list, range)
    }

    pub(crate) fn is_json(&self) -> bool {
        !self.json.is_empty() || self.json_except.is_some()
    }

    pub(crate) fn is_table(&self) -> bool {
        self.csv || self.tsv
    }

    /// Whether fields stand between runs of blanks.
    pub(crate) fn has_blanks(&self) -> bool {
        self.separator.as_deref() == Some("blank") && !self.csv
    }

    /// Whether records of text have to be taken apart.
    pub(crate) fn has_fields(&self) -> bool {
        !self.key.is_empty() || self.time_field.is_some()
    }

    fn pointers(&self) -> Result<Parts<Pointer>, String> {
        let key = self.json.iter().map(|text| pointer("--json", text)).collect::<Result<_, _>>()?;
        let time = self.time_field.iter().map(|text| pointer("--time-field", text)).collect::<Result<_, _>>()?;
        Ok(Parts { key, except: false, time })
    }

    pub(crate) fn headers(&self) -> Headers {
        Headers::new(
            self.columns(),
            self.is_table() && !self.no_header,
            self.flag.map(|_| self.flag_name()),
            self.strict,
        )
    }

    /// The columns that key and time are in, by name.
    fn columns(&self) -> Names {
        let (list, except) = self.key_list();
        let key = list.map(|list| csv::split(list.as_bytes(), Dialect::usual(b','))).unwrap_or_default();
        Parts { key, except, time: self.time_field.iter().map(|name| name.clone().into_bytes()).collect() }
    }

    pub(crate) fn end(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }
}

/// A byte that is written as a character, or as \\t.
fn one_byte(option: &str, text: &str) -> Result<u8, String> {
    match text.replace("\\t", "\t").as_bytes() {
        [byte] if !matches!(byte, b'\r' | b'\n') => Ok(*byte),
        _ => Err(out_of_range(option, text, "one byte that is no line end")),
    }
}

/// What is missing where a text that has letters is no number.
fn needs(text: &str, what: &str) -> String {
    if text.chars().any(char::is_alphabetic) { format!("; {what}") } else { String::new() }
}

fn pointer(option: &str, text: &str) -> Result<Pointer, String> {
    let range = "a JSON pointer: /name/0/..., with ~0 for ~ and ~1 for /, or empty for the whole value";
    Pointer::parse(text).ok_or_else(|| out_of_range(option, text, range))
}

/// The fields that a time is in, one or several: 3 or 1-2 or 1,2.
fn time_numbers(text: &str) -> Result<Vec<FieldSpec>, String> {
    let ranges: Option<Vec<_>> = text.split(',').map(FieldSpec::range).collect();
    let picks: Vec<FieldSpec> = ranges.into_iter().flatten().flatten().collect();
    if !picks.is_empty() && picks.iter().all(|pick| !matches!(pick, FieldSpec::From(_))) {
        return Ok(picks);
    }
    let hint = needs(text, "a column's name needs --csv, a JSON pointer needs --json");
    let range = format!("{}, or several such as 1-2 or 1,2{hint}", fields::RANGE);
    Err(out_of_range("--time-field", text, range))
}
