//! CSV: where a record ends, and what its fields are. A quote opens a quoted field only where a field begins; a line feed
//! ends a record unless it is quoted. Behind the quote that closes a field come a separator or the record's end.
//!
//! An escape takes the meaning from the byte behind it: in a quoted field, or where there are no quotes in every field. It stays in
//! the text of a field, except before a quote: writers differ about the rest (`\\t`, `\\N`), and no two values become one so.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) separator: u8,
    /// Without quotes each line is a record.
    pub(crate) quote: Option<u8>,
    pub(crate) escape: Option<u8>,
}

impl Dialect {
    pub(crate) fn usual(separator: u8) -> Self {
        Self { separator, quote: Some(b'"'), escape: None }
    }

    /// Whether a record ends with its line, whatever is in it.
    pub(crate) fn is_of_lines(self) -> bool {
        self.quote.is_none() && self.escape.is_none()
    }

    /// The first quote or escape in a quoted field.
    fn mark(self, quote: u8, bytes: &[u8]) -> Option<usize> {
        match self.escape {
            Some(escape) => memchr::memchr2(quote, escape, bytes),
            None => memchr::memchr(quote, bytes),
        }
    }

    /// The first separator that no escape precedes, where there are no quotes.
    fn separator_in(self, bytes: &[u8]) -> Option<usize> {
        let Some(escape) = self.escape.filter(|_| self.quote.is_none()) else {
            return memchr::memchr(self.separator, bytes);
        };
        let mut at = 0;
        while let Some(found) = memchr::memchr2(self.separator, escape, bytes.get(at..)?) {
            at += found;
            if bytes[at] == self.separator {
                return Some(at);
            }
            at += 2;
        }
        None
    }
}

/// The bytes where the search for a record's end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// The first byte of a field.
    Field,
    Plain,
    Quoted,
    /// Behind a quote in a quoted field: it closes the field, or it is the first one of two.
    Closing,
    /// Behind that and a CR, which only a line feed may follow.
    Return,
    QuotedEscape,
    /// Behind an escape where there are no quotes.
    PlainEscape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The place behind the line feed that ends the record.
    End(usize),
    /// Text behind a quote that should close its field: one of both quotes is no mark of a field.
    Text,
}

/// Searches the end of one record in bytes that come piece by piece.
pub(crate) struct EndOfRecord {
    dialect: Dialect,
    at: At,
    /// Bytes of the record before the ones that come.
    passed: usize,
    /// Where in the record the last quoted field opens.
    pub(crate) opened: usize,
}

impl EndOfRecord {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self { dialect, at: At::Field, passed: 0, opened: 0 }
    }

    #[inline]
    pub(crate) fn begin(&mut self) {
        (self.at, self.passed) = (At::Field, 0);
    }

    pub(crate) fn open_quote(&self) -> Option<usize> {
        matches!(self.at, At::Quoted | At::QuotedEscape).then_some(self.opened)
    }

    /// What is found in these bytes, which follow those of the call before.
    #[inline]
    pub(crate) fn find(&mut self, bytes: &[u8]) -> Option<Found> {
        // Most records have no quote, and end at the first line feed.
        if self.at == At::Field {
            let mark = self.dialect.quote.or(self.dialect.escape).unwrap_or(b'\n');
            if let Some(found) = memchr::memchr2(mark, b'\n', bytes).filter(|&found| bytes[found] == b'\n') {
                return Some(Found::End(found + 1));
            }
        }
        let found = self.find_stepwise(bytes);
        self.passed += bytes.len();
        found
    }

    fn find_stepwise(&mut self, bytes: &[u8]) -> Option<Found> {
        let mut at = 0;
        while at < bytes.len() {
            let Some((next, by)) = self.step(&bytes[at..]) else { return Some(Found::Text) };
            if (self.at, next) == (At::Field, At::Quoted) {
                self.opened = self.passed + at;
            }
            (self.at, at) = (next, at + by);
            if next == At::Field && bytes[at - 1] == b'\n' {
                return Some(Found::End(at));
            }
        }
        None
    }

    /// What follows the next byte or more, and how many they are; nothing if they cannot be here.
    fn step(&self, bytes: &[u8]) -> Option<(At, usize)> {
        let Dialect { separator, quote, escape } = self.dialect;
        match (self.at, bytes[0]) {
            (At::Field | At::Closing, byte) if Some(byte) == quote => Some((At::Quoted, 1)),
            (At::Quoted, _) => match self.dialect.mark(quote.unwrap_or(b'"'), bytes) {
                Some(found) if Some(bytes[found]) == escape => Some((At::QuotedEscape, found + 1)),
                Some(found) => Some((At::Closing, found + 1)),
                None => Some((At::Quoted, bytes.len())),
            },
            (At::QuotedEscape, _) => Some((At::Quoted, 1)),
            (At::PlainEscape, _) => Some((At::Plain, 1)),
            (At::Closing | At::Return, b'\n') => Some((At::Field, 1)),
            (At::Closing, b'\r') => Some((At::Return, 1)),
            (At::Closing, byte) if byte == separator => Some((At::Field, 1)),
            (At::Closing | At::Return, _) => None,
            (At::Field | At::Plain, _) if quote.is_none() => {
                match memchr::memchr2(escape.unwrap_or(b'\n'), b'\n', bytes) {
                    Some(found) if bytes[found] == b'\n' => Some((At::Field, found + 1)),
                    Some(found) => Some((At::PlainEscape, found + 1)),
                    None => Some((At::Plain, bytes.len())),
                }
            }
            (At::Field | At::Plain, _) => match memchr::memchr2(separator, b'\n', bytes) {
                Some(found) => Some((At::Field, found + 1)),
                None => Some((At::Plain, bytes.len())),
            },
        }
    }
}

/// The fields of one record, unquoted. Reused for the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    /// Those of a record with quotes.
    text: Vec<u8>,
    /// Where each begins and ends: in `text`, or in a record without quotes.
    places: Vec<(usize, usize)>,
    is_copy: bool,
}

impl Fields {
    /// Takes apart the record `body`, up to its first `most` fields.
    pub(crate) fn split(&mut self, body: &[u8], dialect: Dialect, most: usize) {
        self.places.clear();
        self.is_copy = dialect.quote.is_some_and(|quote| memchr::memchr(quote, body).is_some());
        if self.is_copy {
            self.unquote(body, dialect, most);
        } else {
            self.part(body, dialect, most);
        }
    }

    fn part(&mut self, body: &[u8], dialect: Dialect, most: usize) {
        let mut begin = 0;
        while self.places.len() < most {
            let found = dialect.separator_in(&body[begin..]);
            self.places.push((begin, found.map_or(body.len(), |found| begin + found)));
            match found {
                Some(found) => begin += found + 1,
                None => return,
            }
        }
    }

    fn unquote(&mut self, body: &[u8], dialect: Dialect, most: usize) {
        self.text.clear();
        let mut rest = Some(body);
        while let Some(field) = rest.filter(|_| self.places.len() < most) {
            let begin = self.text.len();
            rest = unquote(field, dialect, &mut self.text);
            self.places.push((begin, self.text.len()));
        }
    }

    /// Takes apart the record `body` into fields as they came, with their quotes.
    pub(crate) fn split_raw(&mut self, body: &[u8], dialect: Dialect) {
        self.places.clear();
        self.is_copy = false;
        let mut rest = Some(body);
        while let Some(field) = rest {
            self.text.clear();
            rest = unquote(field, dialect, &mut self.text);
            let end = rest.map_or(body.len(), |rest| body.len() - rest.len() - 1);
            self.places.push((body.len() - field.len(), end));
        }
    }

    /// Field `i` of the record `body` that was taken apart.
    pub(crate) fn get<'a>(&'a self, i: usize, body: &'a [u8]) -> Option<&'a [u8]> {
        let text = if self.is_copy { &self.text } else { body };
        self.places.get(i).map(|&(begin, end)| &text[begin..end])
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

/// Appends the first field of `bytes` to `text` without its quotes; what follows its separator, if there is one.
fn unquote<'a>(bytes: &'a [u8], dialect: Dialect, text: &mut Vec<u8>) -> Option<&'a [u8]> {
    let quoted = dialect.quote.and_then(|quote| Some((quote, bytes.strip_prefix(&[quote])?)));
    let Some((quote, mut rest)) = quoted else { return plain(bytes, dialect, text) };
    while let Some(at) = dialect.mark(quote, rest) {
        let is_escape = rest[at] != quote;
        let next = rest.get(at + 1).copied();
        text.extend_from_slice(&rest[..at]);
        if !is_escape && next != Some(quote) {
            return plain(&rest[at + 1..], dialect, text);
        }
        // An escape stays, except before a quote.
        text.extend((is_escape && next != Some(quote)).then_some(rest[at]));
        text.extend(next);
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    text.extend_from_slice(rest);
    None
}

fn plain<'a>(bytes: &'a [u8], dialect: Dialect, text: &mut Vec<u8>) -> Option<&'a [u8]> {
    let end = dialect.separator_in(bytes);
    text.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
    end.map(|end| &bytes[end + 1..])
}

/// Takes apart one CSV record that is whole, such as a list of column names.
pub(crate) fn split(body: &[u8], dialect: Dialect) -> Vec<Vec<u8>> {
    let mut fields = Fields::default();
    fields.split(body, dialect, usize::MAX);
    (0..fields.len()).filter_map(|i| fields.get(i, body).map(<[u8]>::to_vec)).collect()
}

#[cfg(test)]
mod tests {
    use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};

    use super::*;
    use crate::random::Random;

    /// The records of `bytes` by a well-kept reader. It leaves out blank lines.
    fn by_csv_core(mut bytes: &[u8], dialect: Dialect) -> Vec<Vec<Vec<u8>>> {
        let mut core = ReaderBuilder::new();
        core.terminator(Terminator::Any(b'\n')).quoting(dialect.quote.is_some()).escape(dialect.escape);
        let mut core = core.quote(dialect.quote.unwrap_or(b'"')).build();
        let mut records = Vec::new();
        let (mut text, mut ends) = (vec![0; 4096], vec![0; 512]);
        let (mut wrote, mut found) = (0, 0);
        loop {
            let (result, read, more, fields) = core.read_record(bytes, &mut text[wrote..], &mut ends[found..]);
            (bytes, wrote, found) = (&bytes[read..], wrote + more, found + fields);
            match result {
                ReadRecordResult::Record => {
                    let begins = [0].into_iter().chain(ends[..found].iter().copied());
                    records.push(begins.zip(&ends[..found]).map(|(begin, &end)| text[begin..end].to_vec()).collect());
                    (wrote, found) = (0, 0);
                }
                ReadRecordResult::End => return records,
                _ => {}
            }
        }
    }

    /// The same by this file, the bytes coming in pieces of `piece`; nothing if a quote is no mark of a field.
    fn by_us(bytes: &[u8], piece: usize, dialect: Dialect) -> Option<Vec<Vec<Vec<u8>>>> {
        let (mut records, mut end, mut begin, mut at) = (Vec::new(), EndOfRecord::new(dialect), 0, 0);
        while begin < bytes.len() {
            let until = bytes.len().min(at + piece);
            let found = match end.find(&bytes[at..until]) {
                Some(Found::End(found)) => Some(at + found),
                Some(Found::Text) => return None,
                None => None,
            };
            at = found.unwrap_or(until);
            if found.is_none() && until < bytes.len() {
                continue;
            }
            let body = &bytes[begin..at];
            let body = if found.is_some() { &body[..body.len() - 1] } else { body };
            if !body.is_empty() {
                records.push(split(body, dialect));
            }
            end.begin();
            begin = at;
        }
        Some(records)
    }

    fn random_texts(n: u32, mut each: impl FnMut(&[u8], usize)) {
        let mut random = Random::new(1);
        for _ in 0..n {
            let bytes: Vec<u8> = (0..random.below(24)).map(|_| *random.pick(b"\"\",\nab\\'")).collect();
            each(&bytes, usize::try_from(1 + random.below(9)).unwrap());
        }
    }

    const USUAL: Dialect = Dialect { separator: b',', quote: Some(b'"'), escape: None };

    /// As usual, with other quotes, without quotes, and with an escape, which that reader leaves out of the text.
    #[test]
    fn dialects_are_those_of_a_well_kept_reader() {
        for (quote, escape, least) in [
            (Some(b'"'), None, 20_000),
            (Some(b'\''), None, 20_000),
            (None, None, 60_000),
            (Some(b'"'), Some(b'\\'), 20_000),
        ] {
            let (dialect, mut whole) = (Dialect { separator: b',', quote, escape }, 0);
            random_texts(60_000, |bytes, piece| {
                // A record that ends inside an escape is cut off.
                let Some(mut ours) = by_us(bytes, piece, dialect).filter(|_| !bytes.ends_with(b"\\")) else { return };
                whole += 1;
                let mut theirs = by_csv_core(bytes, dialect);
                if escape.is_some() {
                    for field in ours.iter_mut().chain(&mut theirs).flatten() {
                        field.retain(|byte| *byte != b'\\');
                    }
                }
                assert_eq!(ours, theirs, "{:?} by {piece}", String::from_utf8_lossy(bytes));
            });
            assert!(whole > least - 10_000, "{whole}");
        }
    }

    /// Whether text follows a closing quote, byte by byte.
    fn has_text_behind_a_quote(bytes: &[u8]) -> bool {
        let (mut is_first, mut is_quoted, mut at) = (true, false, 0);
        while at < bytes.len() {
            match (bytes[at], is_quoted) {
                (b'"', true) if bytes.get(at + 1) == Some(&b'"') => at += 1,
                (b'"', true) if !matches!(bytes.get(at + 1), None | Some(b',' | b'\n')) => return true,
                (b'"', true) => is_quoted = false,
                (b'"', false) if is_first => is_quoted = true,
                _ => {}
            }
            is_first = !is_quoted && matches!(bytes[at], b',' | b'\n');
            at += 1;
        }
        false
    }

    #[test]
    fn text_behind_a_closing_quote_is_found_however_the_bytes_come() {
        random_texts(60_000, |bytes, piece| {
            let found = by_us(bytes, piece, USUAL).is_none();
            assert_eq!(found, has_text_behind_a_quote(bytes), "{:?} by {piece}", String::from_utf8_lossy(bytes));
        });
    }

    #[test]
    fn fields_past_the_last_that_matters_are_left() {
        let mut fields = Fields::default();
        for (body, want) in [(&b"a,b,c"[..], &b"b"[..]), (b"a,\"b,\"\"\",c", b"b,\"")] {
            fields.split(body, USUAL, 2);
            assert_eq!((fields.len(), fields.get(1, body), fields.get(2, body)), (2, Some(want), None));
        }
    }
}
