//! Numbers as bytes and back: little-endian, checked as they come, with a running checksum.
//!
//! A [`Sink`] writes to anything, a [`Source`] reads from anything; neither buffers more than one page. A source knows
//! how many bytes are to come and how much memory may be used, so that no length is believed before it is checked.

use std::fmt;
use std::io::{self, Read, Write};

use xxhash_rust::xxh3::Xxh3;

use crate::bits::Bits;
use crate::error::Error;
use crate::num;
use crate::options::Choice;

/// Words that pass at a time.
const PAGE: usize = 512;

/// Bytes of a word.
pub(crate) const WORD_BYTES: u64 = 8;

/// Bytes of the checksum at the end.
pub(crate) const SUM_BYTES: u64 = 8;

/// No count can be larger: counts continue after loading, and must not overflow.
pub(crate) const MOST_COUNT: u64 = 1 << 62;

/// Where a snapshot is written to.
pub(crate) struct Sink<'a> {
    out: &'a mut dyn Write,
    sum: Xxh3,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, sum: Xxh3::new() }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.out.write_all(bytes)
    }

    pub(crate) fn u32s(&mut self, numbers: &[u32]) -> io::Result<()> {
        numbers.iter().try_for_each(|number| self.bytes(&number.to_le_bytes()))
    }

    pub(crate) fn u64s(&mut self, numbers: &[u64]) -> io::Result<()> {
        self.words(numbers.iter().copied())
    }

    /// Writes counts, which stop at what a snapshot may say: a filter can always read what it wrote.
    pub(crate) fn counts<const N: usize>(&mut self, counts: [u64; N]) -> io::Result<()> {
        self.u64s(&counts.map(|count| count.min(MOST_COUNT)))
    }

    /// Writes words a page at a time.
    pub(crate) fn words(&mut self, words: impl Iterator<Item = u64>) -> io::Result<()> {
        let mut page = [0; PAGE * 8];
        let mut filled = 0;
        for word in words {
            page[filled..filled + 8].copy_from_slice(&word.to_le_bytes());
            filled += 8;
            if filled == page.len() {
                self.bytes(&page)?;
                filled = 0;
            }
        }
        self.bytes(&page[..filled])
    }

    /// Writes the checksum of all that was written.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.out.write_all(&self.sum.digest().to_le_bytes())
    }
}

/// Why nothing was loaded.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The bytes could not be read.
    Unread(io::Error),
    /// They were read, and are not good.
    Bad(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Bad(error)
    }
}

/// The memory that a caller allows to what is loaded.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Room {
    /// Bytes that cells may take, now and later.
    pub(crate) most: Option<u64>,
    /// Bytes that cells may take from now on, whatever limit the snapshot has; `u64::MAX` is no limit.
    pub(crate) new: Option<u64>,
}

impl Room {
    /// Bytes that the cells of the snapshot may take.
    fn limit(self) -> u64 {
        self.most.unwrap_or(u64::MAX).min(self.new.unwrap_or(u64::MAX))
    }

    /// The option `memory` from now on of a filter that was saved with `own`; 0 is no limit.
    fn memory(self, own: u64) -> u64 {
        match (self.most, self.new) {
            (_, Some(u64::MAX)) => 0,
            (_, Some(new)) => new,
            (Some(most), None) if most < u64::MAX => {
                if own == 0 {
                    most
                } else {
                    own.min(most)
                }
            }
            _ => own,
        }
    }
}

/// Where a snapshot is read from.
pub(crate) struct Source<'a> {
    input: &'a mut dyn Read,
    sum: Xxh3,
    /// Bytes before the checksum that were not read yet.
    left: u64,
    room: Room,
    /// Bytes of a table that shares the room with the cells.
    table: u64,
    /// Whether the caller tells the time, so that a step of it can be too long.
    manual: bool,
}

/// Bytes of tables that are always allowed, in addition to the cells.
const SMALL_TABLES: u64 = 1 << 16;

impl<'a> Source<'a> {
    pub(crate) fn new(input: &'a mut dyn Read, room: Room) -> Self {
        Self { input, sum: Xxh3::new(), left: u64::MAX, room, table: 0, manual: false }
    }

    /// From here on `left` bytes are left before the checksum.
    pub(crate) fn expect_in_all(&mut self, left: u64) {
        self.left = left;
    }

    /// Whether the filter's clock is the caller's.
    pub(crate) fn expect_manual_clock(&mut self, manual: bool) {
        self.manual = manual;
    }

    /// The option `max_step_ns` as it was saved: a clock that is not the caller's takes no steps that could be refused.
    pub(crate) fn max_step(&self, saved: u64) -> Result<u64, Error> {
        let least = if self.manual { 1 } else { u64::MAX };
        within("max_step_ns", saved, least, u64::MAX)
    }

    /// The most that the option `lateness_ns` can have been: a clock that is not the caller's has no late ticks.
    pub(crate) fn most_lateness(&self, most: u64) -> u64 {
        if self.manual { most } else { 0 }
    }

    /// The option `memory` from now on of a filter that can grow, and was saved with `own`; 0 is no limit.
    pub(crate) fn memory(&self, own: u64) -> u64 {
        self.room.memory(own)
    }

    /// Whether exactly `words` words are left, all of them cells, and are allowed.
    pub(crate) fn expect_cells(&self, words: u64) -> Result<(), Error> {
        if words.checked_mul(WORD_BYTES) != Some(self.left) {
            let what = format_args!("its cells have {} bytes, not {words} words of {WORD_BYTES} bytes", self.left);
            return Err(Error::corrupt_structure(what));
        }
        self.expect_room(self.left)
    }

    /// Whether `bytes` bytes of cells are allowed.
    pub(crate) fn expect_room(&self, bytes: u64) -> Result<(), Error> {
        let limit = self.room.limit();
        if bytes <= limit {
            return Ok(());
        }
        let in_all = |bytes: u64| bytes.saturating_add(self.table);
        Err(Error::too_large(in_all(bytes), in_all(limit)))
    }

    /// Takes `bytes` bytes of a table out of the room of the cells.
    pub(crate) fn take_table(&mut self, bytes: u64) -> Result<(), Error> {
        self.expect_room(bytes)?;
        let rest = |limit: u64| if limit == u64::MAX { limit } else { limit.saturating_sub(bytes) };
        self.room = Room { most: self.room.most.map(rest), new: self.room.new.map(rest) };
        self.table = bytes;
        Ok(())
    }

    /// Whether tables of `bytes` bytes are allowed in addition to the cells.
    pub(crate) fn expect_tables(&self, bytes: u64) -> Result<(), Error> {
        if bytes > SMALL_TABLES { self.expect_room(bytes) } else { Ok(()) }
    }

    /// Bytes before the checksum that were not read yet.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    pub(crate) fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), Refused> {
        let n = num::wide(bytes.len());
        self.left = self.left.checked_sub(n).ok_or_else(too_short)?;
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => too_short().into(),
            _ => Refused::Unread(error),
        })?;
        self.sum.update(bytes);
        Ok(())
    }

    pub(crate) fn u32s<const N: usize>(&mut self) -> Result<[u32; N], Refused> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            let mut bytes = [0; 4];
            self.bytes(&mut bytes)?;
            *number = u32::from_le_bytes(bytes);
        }
        Ok(numbers)
    }

    pub(crate) fn u64s<const N: usize>(&mut self) -> Result<[u64; N], Refused> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            let mut bytes = [0; 8];
            self.bytes(&mut bytes)?;
            *number = u64::from_le_bytes(bytes);
        }
        Ok(numbers)
    }

    /// Hands `n` words on, in pieces of as many as the last piece has, with the number of the first of each piece.
    pub(crate) fn words(&mut self, n: u64, mut each: impl FnMut(u64, &[u64])) -> Result<(), Refused> {
        let (mut bytes, mut words) = ([0; PAGE * 8], [0; PAGE]);
        let mut done = 0;
        while done < n {
            let here = num::index((n - done).min(num::wide(PAGE)));
            self.bytes(&mut bytes[..here * 8])?;
            for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
                *word = bytes.iter().rev().fold(0, |word, byte| (word << 8) | u64::from(*byte));
            }
            each(done, &words[..here]);
            done += num::wide(here);
        }
        Ok(())
    }

    /// Fills `n` words of an array, from word `first` on.
    pub(crate) fn fill(&mut self, bits: &mut Bits, first: u64, n: u64) -> Result<(), Refused> {
        self.words(n, |i, words| bits.fill_run(first + i, words.iter().copied()))
    }

    /// Reads the checksum, and compares all that was read with it.
    pub(crate) fn finish(mut self) -> Result<(), Refused> {
        if self.left != 0 {
            return Err(Error::corrupt_structure(format_args!("{} bytes follow its last part", self.left)).into());
        }
        let sum = self.sum.digest();
        self.left = SUM_BYTES;
        let [found] = self.u64s()?;
        if found == sum { Ok(()) } else { Err(Error::checksum().into()) }
    }
}

fn too_short() -> Error {
    Error::corrupt_structure("it ends before its last part")
}

/// The value, if it lies in `low..=high`.
pub(crate) fn within<T>(part: &'static str, value: T, low: T, high: T) -> Result<T, Error>
where
    T: PartialOrd + fmt::Display + Copy,
{
    if value >= low && value <= high {
        Ok(value)
    } else {
        Err(Error::corrupt_number(part, value, format_args!("{low} to {high}")))
    }
}

/// The value, if it is a count that can continue.
pub(crate) fn count(part: &'static str, value: u64) -> Result<u64, Error> {
    within(part, value, 0, MOST_COUNT)
}

/// The choice of this number.
pub(crate) fn choice<T: Choice>(part: &'static str, number: u32) -> Result<T, Error> {
    let found = (1..).zip(T::ALL).find(|(n, _)| *n == number);
    found
        .map(|(_, choice)| *choice)
        .ok_or_else(|| Error::corrupt_number(part, number, format_args!("1 to {}", T::ALL.len())))
}

/// An error unless the number `part` is valid.
pub(crate) fn expect(
    is_valid: bool,
    part: &'static str,
    value: impl fmt::Display,
    range: impl fmt::Display,
) -> Result<(), Error> {
    if is_valid { Ok(()) } else { Err(Error::corrupt_number(part, value, range)) }
}

/// An error that names the structure unless it is sound; `what` is said of one that is not.
pub(crate) fn expect_sound(is_sound: bool, what: impl fmt::Display) -> Result<(), Error> {
    if is_sound { Ok(()) } else { Err(Error::corrupt_structure(what)) }
}
