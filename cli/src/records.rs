//! From bytes to records: lines, records that end with NUL, and CSV records that may span lines. What is read is
//! kept as it came.

use std::io::{BufRead, Result};

use crate::csv::CsvReader;
use crate::fields::Fields;

/// One record, and where it stands. Reused for the next one.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// As it came, with its end.
    raw: Vec<u8>,
    /// Bytes before its end.
    body: usize,
    /// The line on which it begins, from 1 (with NUL ends: the number of the record).
    pub(crate) line: u64,
    /// Its fields, if it is CSV.
    pub(crate) fields: Fields,
}

impl Record {
    /// All but the end.
    pub(crate) fn body(&self) -> &[u8] {
        &self.raw[..self.body]
    }

    /// The end: LF, CR LF or NUL; nothing if the input ended first.
    pub(crate) fn end(&self) -> &[u8] {
        &self.raw[self.body..]
    }

    pub(crate) fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Finds the end.
    fn measure(&mut self, end: u8) {
        let ends = match (self.raw.as_slice(), end) {
            ([.., b'\r', b'\n'], b'\n') => 2,
            ([.., last], _) if *last == end => 1,
            _ => 0,
        };
        self.body = self.raw.len() - ends;
    }
}

/// Reads the records of one file.
#[derive(Debug)]
pub(crate) struct Records<R> {
    input: R,
    end: u8,
    lines: u64,
    csv: Option<CsvReader>,
}

impl<R: BufRead> Records<R> {
    pub(crate) fn new(input: R, end: u8, csv: Option<u8>) -> Self {
        Self { input, end, lines: 0, csv: csv.map(CsvReader::new) }
    }

    /// Reads the next record; says whether there was one.
    pub(crate) fn next(&mut self, record: &mut Record) -> Result<bool> {
        record.raw.clear();
        record.line = self.lines + 1;
        let more = self.line(&mut record.raw)?;
        if more {
            self.rest_of_csv(record)?;
        }
        record.measure(self.end);
        Ok(more)
    }

    /// Appends one line; says whether there was one.
    fn line(&mut self, raw: &mut Vec<u8>) -> Result<bool> {
        let read = self.input.read_until(self.end, raw)?;
        self.lines += u64::from(read > 0);
        Ok(read > 0)
    }

    /// Appends lines until the quotes of a CSV record are closed, and takes it apart.
    fn rest_of_csv(&mut self, record: &mut Record) -> Result<()> {
        let Some(mut csv) = self.csv.take() else { return Ok(()) };
        let mut begin = 0;
        csv.begin();
        while !csv.feed(&record.raw[begin..], &mut record.fields) {
            begin = record.raw.len();
            self.line(&mut record.raw)?;
        }
        self.csv = Some(csv);
        Ok(())
    }
}
