//! What a call costs, in Rust: as `calls.c`, which says what goes in and out. There is no empty call: no border is crossed.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use lately::{Filter, Keys, Options, SharedFilter, Verdict};

#[path = "../../cpu.rs"]
mod cpu;

const KEYS: usize = 1 << 16;
const BATCH: usize = 256;
const FORMS: usize = 9;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The same numbers as keys of one length, back to back, and where each lies.
#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    offsets: Vec<u64>,
    keys: Vec<Vec<u8>>,
}

impl Stream {
    fn add(&mut self, key: Vec<u8>) -> Outcome<()> {
        self.bytes.extend(&key);
        self.keys.push(key);
        self.offsets.push(u64::try_from(self.bytes.len())?);
        Ok(())
    }

    fn batch(&self, first: usize, size: usize) -> Keys<'_> {
        Keys::Bytes { bytes: &self.bytes, offsets: &self.offsets[first..=first + size] }
    }
}

struct Streams {
    words: Vec<u64>,
    pairs: Stream,
    texts: Stream,
}

impl Streams {
    fn new() -> Outcome<Self> {
        let empty = || Stream { offsets: vec![0], ..Stream::default() };
        let (mut all, mut state) = (Self { words: Vec::new(), pairs: empty(), texts: empty() }, 1u64);
        for _ in 0..KEYS {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 33) % 40_000;
            all.words.push(number);
            all.pairs.add([number.to_le_bytes(), (!number).to_le_bytes()].concat())?;
            all.texts.add(format!("{number:040}").into_bytes())?;
        }
        Ok(all)
    }
}

/// Either handle: what the rows call.
trait Handle {
    fn one(&mut self, key: &[u8]) -> Result<Verdict, lately::Error>;
    fn batch(&mut self, keys: Keys<'_>, out: &mut [Verdict]) -> Outcome<()>;
    fn slices(&mut self, keys: &[Vec<u8>], out: &mut [Verdict]) -> Outcome<()>;
}

macro_rules! handle {
    ($name:ty) => {
        impl Handle for $name {
            fn one(&mut self, key: &[u8]) -> Result<Verdict, lately::Error> {
                self.observe(key)
            }

            fn batch(&mut self, keys: Keys<'_>, out: &mut [Verdict]) -> Outcome<()> {
                Ok(self.observe_batch(keys, None, out).map(drop)?)
            }

            fn slices(&mut self, keys: &[Vec<u8>], out: &mut [Verdict]) -> Outcome<()> {
                Ok(self.observe_slices(keys, None, out).map(drop)?)
            }
        }
    };
}

handle!(Filter);
handle!(SharedFilter);

/// How many keys are duplicates, one key in a call.
fn singles<'a>(filter: &mut impl Handle, keys: impl Iterator<Item = &'a Vec<u8>>) -> Outcome<u64> {
    let mut seen = 0;
    for key in keys {
        seen += u64::from(filter.one(key)? == Verdict::Duplicate);
    }
    Ok(seen)
}

/// The same for numbers.
fn numbers(filter: &mut impl Handle, keys: &[u64]) -> Outcome<u64> {
    let mut seen = 0;
    for key in keys {
        seen += u64::from(filter.one(&key.to_le_bytes())? == Verdict::Duplicate);
    }
    Ok(seen)
}

/// The same, `size` keys in a call.
fn batches(size: usize, mut observe: impl FnMut(usize, &mut [Verdict]) -> Outcome<()>) -> Outcome<u64> {
    let (mut verdicts, mut seen) = ([Verdict::New; BATCH], 0);
    for first in (0..KEYS).step_by(size) {
        observe(first, &mut verdicts[..size])?;
        seen += verdicts[..size].iter().map(|verdict| u64::from(*verdict == Verdict::Duplicate)).sum::<u64>();
    }
    Ok(seen)
}

/// What the row of `form` calls.
fn form(from: &Streams, filter: &mut impl Handle, form: usize) -> Outcome<u64> {
    let Streams { words, pairs, texts } = from;
    match form {
        0 => numbers(filter, words),
        1 => batches(BATCH, |i, out| filter.batch(Keys::U64s(&words[i..i + BATCH]), out)),
        2 => singles(filter, pairs.keys.iter()),
        3 => batches(32, |i, out| filter.batch(pairs.batch(i, 32), out)),
        4 => batches(BATCH, |i, out| filter.batch(pairs.batch(i, BATCH), out)),
        5 => batches(BATCH, |i, out| filter.slices(&pairs.keys[i..i + BATCH], out)),
        6 => singles(filter, texts.keys.iter()),
        7 => batches(BATCH, |i, out| filter.batch(texts.batch(i, BATCH), out)),
        _ => batches(BATCH, |i, out| filter.slices(&texts.keys[i..i + BATCH], out)),
    }
}

/// Writes nanoseconds for each key of every form, and returns how many were duplicates.
fn rows(from: &Streams, filters: &mut [impl Handle], out: &mut impl Write) -> Outcome<u64> {
    let (mut seen, keys) = (0, f64::from(u32::try_from(KEYS)?));
    for (i, filter) in filters.iter_mut().enumerate() {
        let start = cpu::nanoseconds();
        seen += form(from, filter, i)?;
        write!(out, "{:.3} ", (cpu::nanoseconds() - start) / keys)?;
    }
    Ok(seen)
}

/// A filter for each form.
fn nine<T>(build: impl Fn() -> Result<T, lately::Error>) -> Result<Vec<T>, lately::Error> {
    (0..FORMS).map(|_| build()).collect()
}

fn main() -> Outcome<()> {
    let (from, mut out, mut duplicates) = (Streams::new()?, io::stdout().lock(), 0);
    let windows = [Options::last(20_000), Options::window(Duration::from_secs(3600))];
    let mut filters = Vec::new();
    for options in &windows {
        filters.push((nine(|| Filter::new(options))?, nine(|| SharedFilter::new(options))?));
    }
    for line in io::stdin().lock().lines() {
        line?;
        for (unshared, shared) in &mut filters {
            duplicates += rows(&from, unshared, &mut out)?;
            duplicates += rows(&from, shared, &mut out)?;
        }
        writeln!(out, "nan {duplicates}")?;
        out.flush()?;
    }
    Ok(())
}
