//! CSV: where a record ends, and what its fields are. A quote opens a quoted field only where a field begins; a line feed
//! ends a record unless it is quoted. Behind the quote that closes a field come a separator or the record's end.

/// The bytes where the search for a record's end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// The first byte of a field.
    Field,
    /// Text without quotes.
    Plain,
    Quoted,
    /// Behind a quote in a quoted field: it closes the field, or it is the first one of two.
    Closing,
    /// Behind that and a CR, which only a line feed may follow.
    Return,
}

/// What the search has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The place behind the line feed that ends the record.
    End(usize),
    /// Text behind a quote that should close its field: one of both quotes is no mark of a field.
    Text,
}

/// Searches the end of one record in bytes that come piece by piece.
#[derive(Debug)]
pub(crate) struct EndOfRecord {
    separator: u8,
    at: At,
    /// Bytes of the record before the ones that come.
    passed: usize,
    /// Where in the record the last quoted field opens.
    opened: usize,
}

impl EndOfRecord {
    pub(crate) fn new(separator: u8) -> Self {
        Self { separator, at: At::Field, passed: 0, opened: 0 }
    }

    /// A record begins.
    #[inline]
    pub(crate) fn begin(&mut self) {
        (self.at, self.passed) = (At::Field, 0);
    }

    /// Where in the record the quote is that is open, if one is.
    pub(crate) fn open_quote(&self) -> Option<usize> {
        (self.at == At::Quoted).then_some(self.opened)
    }

    /// Where in the record the last quoted field opens.
    pub(crate) fn last_quote(&self) -> usize {
        self.opened
    }

    /// What is found in these bytes, which follow those of the call before.
    #[inline]
    pub(crate) fn find(&mut self, bytes: &[u8]) -> Option<Found> {
        // Most records have no quote, and end at the first line feed.
        if self.at == At::Field {
            if let Some(found) = memchr::memchr2(b'"', b'\n', bytes).filter(|&found| bytes[found] == b'\n') {
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
        match (self.at, bytes[0]) {
            (At::Field | At::Closing, b'"') => Some((At::Quoted, 1)),
            (At::Quoted, _) => match memchr::memchr(b'"', bytes) {
                Some(found) => Some((At::Closing, found + 1)),
                None => Some((At::Quoted, bytes.len())),
            },
            (At::Closing | At::Return, b'\n') => Some((At::Field, 1)),
            (At::Closing, b'\r') => Some((At::Return, 1)),
            (At::Closing, byte) if byte == self.separator => Some((At::Field, 1)),
            (At::Closing | At::Return, _) => None,
            (At::Field | At::Plain, _) => match memchr::memchr2(self.separator, b'\n', bytes) {
                Some(found) => Some((At::Field, found + 1)),
                None => Some((At::Plain, bytes.len())),
            },
        }
    }
}

/// How many fields the record `body` has.
pub(crate) fn count(body: &[u8], separator: u8) -> usize {
    let (mut n, mut rest) = (1, body);
    while let Some(at) = memchr::memchr(separator, &rest[closing_quote(rest)..]) {
        rest = &rest[closing_quote(rest) + at + 1..];
        n += 1;
    }
    n
}

/// The place behind the quote that closes the first field of `bytes`; 0 if no quote opens it.
fn closing_quote(bytes: &[u8]) -> usize {
    let [b'"', inner @ ..] = bytes else { return 0 };
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'"', &inner[at..]) {
        at += found + 1;
        if inner.get(at) != Some(&b'"') {
            return at + 1;
        }
        at += 1;
    }
    bytes.len()
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
    pub(crate) fn split(&mut self, body: &[u8], separator: u8, most: usize) {
        self.places.clear();
        self.is_copy = memchr::memchr(b'"', body).is_some();
        if self.is_copy {
            self.unquote(body, separator, most);
        } else {
            self.part(body, separator, most);
        }
    }

    fn part(&mut self, body: &[u8], separator: u8, most: usize) {
        let mut begin = 0;
        while self.places.len() < most {
            let found = memchr::memchr(separator, &body[begin..]);
            self.places.push((begin, found.map_or(body.len(), |found| begin + found)));
            match found {
                Some(found) => begin += found + 1,
                None => return,
            }
        }
    }

    fn unquote(&mut self, body: &[u8], separator: u8, most: usize) {
        self.text.clear();
        let mut rest = Some(body);
        while let Some(field) = rest.filter(|_| self.places.len() < most) {
            let begin = self.text.len();
            rest = unquote(field, separator, &mut self.text);
            self.places.push((begin, self.text.len()));
        }
    }

    /// Takes apart the record `body` into fields as they came, with their quotes.
    pub(crate) fn split_raw(&mut self, body: &[u8], separator: u8) {
        self.places.clear();
        self.is_copy = false;
        let mut rest = Some(body);
        while let Some(field) = rest {
            self.text.clear();
            rest = unquote(field, separator, &mut self.text);
            let end = rest.map_or(body.len(), |rest| body.len() - rest.len() - 1);
            self.places.push((body.len() - field.len(), end));
        }
    }

    /// Field `i` of the record `body` that was taken apart.
    pub(crate) fn get<'a>(&'a self, i: usize, body: &'a [u8]) -> Option<&'a [u8]> {
        let text = if self.is_copy { &self.text } else { body };
        self.places.get(i).map(|&(begin, end)| &text[begin..end])
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

/// Appends the first field of `bytes` to `text` without its quotes; what follows its separator, if there is one.
fn unquote<'a>(bytes: &'a [u8], separator: u8, text: &mut Vec<u8>) -> Option<&'a [u8]> {
    let mut rest = bytes;
    if let [b'"', inner @ ..] = rest {
        rest = inner;
        while let Some(quote) = memchr::memchr(b'"', rest) {
            text.extend_from_slice(&rest[..quote]);
            rest = &rest[quote + 1..];
            let [b'"', behind @ ..] = rest else { return plain(rest, separator, text) };
            text.push(b'"');
            rest = behind;
        }
        text.extend_from_slice(rest);
        return None;
    }
    plain(rest, separator, text)
}

fn plain<'a>(bytes: &'a [u8], separator: u8, text: &mut Vec<u8>) -> Option<&'a [u8]> {
    let end = memchr::memchr(separator, bytes);
    text.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
    end.map(|end| &bytes[end + 1..])
}

/// Takes apart one CSV record that is whole, such as a list of column names.
pub(crate) fn split(body: &[u8], separator: u8) -> Vec<Vec<u8>> {
    let mut fields = Fields::default();
    fields.split(body, separator, usize::MAX);
    (0..fields.len()).filter_map(|i| fields.get(i, body).map(<[u8]>::to_vec)).collect()
}

#[cfg(test)]
mod tests {
    use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};

    use super::*;

    /// The records of `bytes` by a well-kept reader. It leaves out blank lines.
    fn by_csv_core(mut bytes: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut core = ReaderBuilder::new().terminator(Terminator::Any(b'\n')).build();
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
    fn by_us(bytes: &[u8], piece: usize) -> Option<Vec<Vec<Vec<u8>>>> {
        let (mut records, mut end, mut begin, mut at) = (Vec::new(), EndOfRecord::new(b','), 0, 0);
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
                records.push(split(body, b','));
                assert_eq!(count(body, b','), records[records.len() - 1].len());
            }
            end.begin();
            begin = at;
        }
        Some(records)
    }

    fn random_texts(n: u32, mut each: impl FnMut(&[u8], usize)) {
        let mut seed = 1_u64;
        for _ in 0..n {
            let mut next = |n: u64| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                usize::try_from((seed >> 33) % n).unwrap()
            };
            let bytes: Vec<u8> = (0..next(24)).map(|_| b"\"\",\nab"[next(6)]).collect();
            each(&bytes, 1 + next(9));
        }
    }

    #[test]
    fn records_and_fields_are_those_of_a_well_kept_reader() {
        let mut whole = 0;
        random_texts(60_000, |bytes, piece| {
            let Some(ours) = by_us(bytes, piece) else { return };
            whole += 1;
            assert_eq!(ours, by_csv_core(bytes), "{:?} by {piece}", String::from_utf8_lossy(bytes));
        });
        assert!(whole > 20_000, "{whole}");
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
            let found = by_us(bytes, piece).is_none();
            assert_eq!(found, has_text_behind_a_quote(bytes), "{:?} by {piece}", String::from_utf8_lossy(bytes));
        });
    }

    #[test]
    fn fields_past_the_last_that_matters_are_left() {
        let mut fields = Fields::default();
        for (body, want) in [(&b"a,b,c"[..], &b"b"[..]), (b"a,\"b,\"\"\",c", b"b,\"")] {
            fields.split(body, b',', 2);
            assert_eq!((fields.len(), fields.get(1, body), fields.get(2, body)), (2, Some(want), None));
        }
    }
}
