//! The keys of a table on a filter, some at a time, without Python.

use lately::{Error, Keys, SharedFilter, Tick, Verdict};

use crate::table::{Nulls, Row, Table};

/// Keys that are processed together.
const CHUNK: usize = 1024;

/// What is done with each key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Observe,
    Insert,
    Contains,
}

/// What is done with the rows of a table.
pub(crate) struct Batch<'a> {
    pub(crate) filter: &'a SharedFilter,
    pub(crate) verb: Verb,
    pub(crate) nulls: Nulls,
}

impl Batch<'_> {
    /// Processes every row in order, and appends to `mask` 1 for each that is new, else 0; of `Contains` 1 for each that is
    /// contained. On an error `mask` has the rows
    /// before it. `ticks` are those of the rows, if there are any.
    pub(crate) fn run(&self, table: &Table<'_>, ticks: Option<&[Tick]>, mask: &mut Vec<u8>) -> Result<(), Error> {
        let mut chunk = Chunk::default();
        for first in (0..table.rows).step_by(CHUNK) {
            let end = table.rows.min(first + CHUNK);
            chunk.fill(table, first, end, self.nulls);
            chunk.take_ticks(ticks);
            self.process(&mut chunk, end - first, mask)?;
        }
        Ok(())
    }

    fn process(&self, chunk: &mut Chunk<'_>, rows: usize, mask: &mut Vec<u8>) -> Result<(), Error> {
        let before = mask.len();
        let is_yes = |is_new| u8::from(is_new == (self.verb != Verb::Contains));
        mask.resize(before + rows, is_yes(true));
        chunk.verdicts.clear();
        chunk.verdicts.resize(chunk.places.len(), Verdict::New);
        let result = self.verb(chunk);
        let done = result.as_ref().map_or_else(|stopped| stopped.0, |()| chunk.places.len());
        for (place, verdict) in chunk.places[..done].iter().zip(&chunk.verdicts) {
            mask[before + place - chunk.first] = is_yes(verdict.is_new());
        }
        result.map_err(|(done, error)| {
            mask.truncate(before + chunk.places[done] - chunk.first);
            error
        })
    }

    fn verb(&self, chunk: &mut Chunk<'_>) -> Result<(), (usize, Error)> {
        let ticks = chunk.has_ticks.then_some(&chunk.ticks[..]);
        let verdicts = &mut chunk.verdicts[..];
        let keys = match chunk.numbers.is_empty() {
            true => Keys::Bytes { bytes: &chunk.bytes, offsets: &chunk.offsets },
            false => Keys::U64s(&chunk.numbers),
        };
        let result = match self.verb {
            Verb::Observe => self.filter.observe_batch(keys, ticks, verdicts),
            Verb::Insert => self.filter.insert_batch(keys, ticks),
            Verb::Contains => self.filter.contains_batch(keys, ticks, verdicts),
        };
        result.map_err(|stopped| (stopped.done, stopped.error))
    }
}

/// Some keys of a table that are not absent.
#[derive(Default)]
struct Chunk<'a> {
    /// The first row.
    first: usize,
    /// The row of each key.
    places: Vec<usize>,
    numbers: Vec<u64>,
    bytes: Vec<u8>,
    offsets: Vec<u64>,
    ticks: Vec<Tick>,
    has_ticks: bool,
    verdicts: Vec<Verdict>,
    lifetime: std::marker::PhantomData<&'a ()>,
}

impl Chunk<'_> {
    fn fill(&mut self, table: &Table<'_>, first: usize, end: usize, nulls: Nulls) {
        self.first = first;
        self.places.clear();
        self.numbers.clear();
        self.bytes.clear();
        self.offsets.clear();
        self.offsets.push(0);
        let only_numbers = table.is_of_numbers() && nulls != Nulls::Key;
        for i in first..end {
            match table.row(i, nulls, &mut self.bytes) {
                Row::Absent => continue,
                Row::Number(number) if only_numbers => self.numbers.push(number),
                Row::Number(number) => self.bytes.extend_from_slice(&number.to_le_bytes()),
                Row::Bytes(bytes) => self.bytes.extend_from_slice(bytes),
                Row::Made => {}
            }
            self.places.push(i);
            self.offsets.push(u64::try_from(self.bytes.len()).unwrap_or(u64::MAX));
        }
    }

    fn take_ticks(&mut self, ticks: Option<&[Tick]>) {
        self.ticks.clear();
        self.has_ticks = ticks.is_some();
        if let Some(ticks) = ticks {
            self.ticks.extend(self.places.iter().map(|place| ticks[*place]));
        }
    }
}
