//! The keys of a table on a filter, without Python: all at once where they lie as the library takes them, else some at a time.

use lately::abi::AnyKeys;
use lately::{Keys, SharedFilter, Stopped, Tick, Verdict};

use crate::room::{self, NoRoom, Refused};
use crate::table::{Layout, Nulls, Row, Table};

/// Keys that are gathered and processed together.
const CHUNK: usize = 1024;

/// What is done with each key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Observe,
    Insert,
    Contains,
    Remove,
}

/// What is done with the rows of a table.
pub(crate) struct Batch<'a> {
    pub(crate) filter: &'a SharedFilter,
    pub(crate) verb: Verb,
    pub(crate) nulls: Nulls,
}

impl Batch<'_> {
    /// Processes every row in order, and appends to `mask` 1 for each that is new, else 0; of `Contains` and `Remove` 1 for each
    /// that is contained, or was. On an error `mask` has the rows before it. `ticks` are those of the rows, if there are any. `mask` has room
    /// for all rows.
    pub(crate) fn run(&self, table: &Table<'_>, ticks: Option<&[Tick]>, mask: &mut Vec<u8>) -> Result<(), Refused> {
        if let Some(keys) = table.keys(self.nulls) {
            return self.all(keys, ticks, mask);
        }
        let mut chunk = Chunk::new(table.layout(self.nulls));
        for first in (0..table.rows).step_by(CHUNK) {
            let end = table.rows.min(first + CHUNK);
            chunk.fill(table, first, end, self.nulls)?;
            chunk.take_ticks(ticks)?;
            self.process(&mut chunk, end - first, mask)?;
        }
        Ok(())
    }

    /// Processes keys that need no gathering.
    fn all(&self, keys: Keys<'_>, ticks: Option<&[Tick]>, mask: &mut Vec<u8>) -> Result<(), Refused> {
        let mut verdicts = room::with(keys.len())?;
        verdicts.resize(keys.len(), Verdict::New);
        let result = self.verb(AnyKeys::of(&keys), ticks, &mut verdicts);
        let done = result.as_ref().map_or_else(|stopped| stopped.done, |()| keys.len());
        mask.extend(verdicts[..done].iter().map(|verdict| self.flag(*verdict)));
        Ok(result?)
    }

    fn process(&self, chunk: &mut Chunk<'_>, rows: usize, mask: &mut Vec<u8>) -> Result<(), Refused> {
        let before = mask.len();
        mask.resize(before + rows, self.flag(Verdict::New));
        let mut verdicts = [Verdict::New; CHUNK];
        let verdicts = &mut verdicts[..chunk.places.len()];
        let ticks = chunk.has_ticks.then_some(&chunk.ticks[..]);
        let (slices, numbers) = (&chunk.slices[..], Keys::U64s(&chunk.numbers));
        let made = Keys::Bytes { bytes: &chunk.bytes, offsets: &chunk.offsets };
        let keys = match chunk.layout {
            Layout::Slices => AnyKeys::of_slices(&slices),
            Layout::Numbers => AnyKeys::of(&numbers),
            Layout::Made => AnyKeys::of(&made),
        };
        let result = self.verb(keys, ticks, verdicts);
        let done = result.as_ref().map_or_else(|stopped| stopped.done, |()| chunk.places.len());
        for (place, verdict) in chunk.places[..done].iter().zip(verdicts) {
            mask[before + place - chunk.first] = self.flag(*verdict);
        }
        result.map_err(|stopped| {
            mask.truncate(before + chunk.places[done] - chunk.first);
            stopped.into()
        })
    }

    /// What the mask has for a verdict. An absent key is new.
    fn flag(&self, verdict: Verdict) -> u8 {
        u8::from((verdict == Verdict::Duplicate) == matches!(self.verb, Verb::Contains | Verb::Remove))
    }

    fn verb(&self, keys: AnyKeys<'_>, ticks: Option<&[Tick]>, verdicts: &mut [Verdict]) -> Result<(), Stopped> {
        let keep = |i: usize, verdict| verdicts[i] = verdict;
        match self.verb {
            Verb::Observe => self.filter.observe_each(keys, ticks, keep),
            Verb::Insert => self.filter.insert_each(keys, ticks),
            Verb::Contains => self.filter.contains_each(keys, ticks, keep),
            Verb::Remove => self.filter.remove_each(keys, ticks, keep),
        }
    }
}

/// Some keys of a table that are not absent.
#[derive(Default)]
struct Chunk<'a> {
    layout: Layout,
    /// The first row.
    first: usize,
    /// The row of each key.
    places: Vec<usize>,
    slices: Vec<&'a [u8]>,
    numbers: Vec<u64>,
    bytes: Vec<u8>,
    offsets: Vec<u64>,
    ticks: Vec<Tick>,
    has_ticks: bool,
}

impl<'a> Chunk<'a> {
    fn new(layout: Layout) -> Self {
        Self { layout, ..Self::default() }
    }

    fn empty(&mut self, first: usize) {
        self.first = first;
        self.places.clear();
        self.slices.clear();
        self.numbers.clear();
        self.bytes.clear();
        self.offsets.clear();
        self.offsets.push(0);
    }

    fn fill(&mut self, table: &Table<'a>, first: usize, end: usize, nulls: Nulls) -> Result<(), NoRoom> {
        self.empty(first);
        for i in first..end {
            match (table.row(i, nulls, &mut self.bytes)?, self.layout) {
                (Row::Absent, _) => continue,
                (Row::Bytes(bytes), Layout::Slices) => room::push(&mut self.slices, bytes)?,
                (Row::Number(number), Layout::Numbers) => room::push(&mut self.numbers, number)?,
                (Row::Number(number), _) => room::append(&mut self.bytes, &number.to_le_bytes())?,
                (Row::Bytes(bytes), _) => room::append(&mut self.bytes, bytes)?,
                (Row::Made, _) => {}
            }
            room::push(&mut self.places, i)?;
            room::push(&mut self.offsets, u64::try_from(self.bytes.len()).unwrap_or(u64::MAX))?;
        }
        Ok(())
    }

    fn take_ticks(&mut self, ticks: Option<&[Tick]>) -> Result<(), NoRoom> {
        self.ticks.clear();
        self.has_ticks = ticks.is_some();
        if let Some(ticks) = ticks {
            room::reserve(&mut self.ticks, self.places.len())?;
            self.ticks.extend(self.places.iter().map(|place| ticks[*place]));
        }
        Ok(())
    }
}
