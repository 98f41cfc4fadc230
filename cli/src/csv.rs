//! One CSV record from the lines that it spans.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

use crate::fields::Fields;

/// Takes lines until a record is whole. A line feed ends a record unless it is quoted.
#[derive(Debug)]
pub(crate) struct CsvReader {
    core: Reader,
    /// Bytes and ends of the present record's fields.
    text: usize,
    ends: Vec<usize>,
    count: usize,
    /// Whether a line of the present record was taken.
    started: bool,
}

impl CsvReader {
    pub(crate) fn new(separator: u8) -> Self {
        let core = ReaderBuilder::new().delimiter(separator).terminator(Terminator::Any(b'\n')).build();
        Self { core, text: 0, ends: vec![0; 16], count: 0, started: false }
    }

    /// A record begins.
    pub(crate) fn begin(&mut self) {
        (self.text, self.count, self.started) = (0, 0, false);
    }

    /// Takes one line of the record (nothing: the input has ended); says whether the record is whole.
    pub(crate) fn feed(&mut self, line: &[u8], fields: &mut Fields) -> bool {
        let blank = !self.started && matches!(line, b"\n" | b"\r\n");
        self.started = true;
        let whole = blank || self.parse(line, fields);
        if whole {
            self.finish(fields, blank, line.ends_with(b"\r\n"));
        }
        whole
    }

    fn parse(&mut self, mut line: &[u8], fields: &mut Fields) -> bool {
        let ended = line.is_empty() || !line.ends_with(b"\n");
        loop {
            self.make_room(fields, line.len());
            let (text, ends) = (&mut fields.text[self.text..], &mut self.ends[self.count..]);
            let (result, read, wrote, found) = self.core.read_record(line, text, ends);
            (self.text, self.count, line) = (self.text + wrote, self.count + found, &line[read..]);
            match result {
                ReadRecordResult::Record => return true,
                ReadRecordResult::End => return true,
                ReadRecordResult::InputEmpty if !ended => return false,
                // Nothing is left to come: the parser is told so by an empty input.
                _ => {}
            }
        }
    }

    fn make_room(&mut self, fields: &mut Fields, more: usize) {
        let need = self.text + more + 1;
        if fields.text.len() < need {
            fields.text.resize(need * 2, 0);
        }
        if self.ends.len() == self.count {
            self.ends.resize(self.count * 2, 0);
        }
    }

    /// Notes the places of the fields. The CR of an end of line is not part of the last one.
    fn finish(&mut self, fields: &mut Fields, blank: bool, cr: bool) {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        fields.places.clear();
        fields.places.extend(begins.zip(self.ends.iter().copied()).take(self.count));
        if blank {
            fields.places.push((0, 0));
        }
        if let (true, Some((begin, end))) = (cr, fields.places.last_mut()) {
            *end -= usize::from(*end > *begin);
        }
    }
}

/// Takes apart one CSV record that is whole, such as a list of column names.
pub(crate) fn split(text: &str) -> Vec<Vec<u8>> {
    let (mut reader, mut fields) = (CsvReader::new(b','), Fields::default());
    reader.feed(text.as_bytes(), &mut fields);
    fields.places.iter().map(|&(begin, end)| fields.text[begin..end].to_vec()).collect()
}
