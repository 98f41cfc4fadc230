//! What a call costs, in Rust: as `calls.c`, which says what goes in and out. There is no empty call: nothing is crossed.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use lately::{Filter, Keys, Options, SharedFilter, Verdict};

const KEYS: usize = 1 << 16;
const LENGTH: usize = 16;
const SIZES: [usize; 3] = [1, 32, 256];

struct Stream {
    bytes: Vec<u8>,
    offsets: Vec<u64>,
}

impl Stream {
    fn new() -> Self {
        let (mut bytes, mut offsets, mut state) = (Vec::new(), vec![0], 1u64);
        for end in (LENGTH..).step_by(LENGTH).take(KEYS) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 33) % 40_000;
            bytes.extend(number.to_le_bytes());
            bytes.extend((!number).to_le_bytes());
            offsets.push(u64::try_from(end).expect("an offset"));
        }
        Self { bytes, offsets }
    }

    /// How many keys are duplicates, one key in a call.
    fn singles(&self, mut observe: impl FnMut(&[u8]) -> Result<Verdict, lately::Error>) -> Result<u64, lately::Error> {
        let mut seen = 0;
        for key in self.bytes.chunks_exact(LENGTH) {
            seen += u64::from(observe(key)? == Verdict::Duplicate);
        }
        Ok(seen)
    }

    /// The same, `size` keys in a call.
    fn batches(
        &self,
        size: usize,
        mut observe: impl FnMut(Keys<'_>, &mut [Verdict]) -> Result<(), Box<dyn Error>>,
    ) -> Result<u64, Box<dyn Error>> {
        let (mut verdicts, mut seen) = ([Verdict::New; 256], 0);
        for start in (0..KEYS).step_by(size) {
            let keys = Keys::Bytes { bytes: &self.bytes, offsets: &self.offsets[start..=start + size] };
            observe(keys, &mut verdicts[..size])?;
            seen += verdicts[..size].iter().map(|verdict| u64::from(*verdict == Verdict::Duplicate)).sum::<u64>();
        }
        Ok(seen)
    }
}

/// Nanoseconds for each key, as text, and what the call answers.
fn cell(call: impl FnOnce() -> Result<u64, Box<dyn Error>>) -> Result<(String, u64), Box<dyn Error>> {
    let start = Instant::now();
    let seen = call()?;
    let keys = f64::from(u32::try_from(KEYS)?);
    Ok((format!("{:.3} ", start.elapsed().as_secs_f64() * 1e9 / keys), seen))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (stream, options) = (Stream::new(), Options::last(20_000).error_rate(1e-3));
    let mut filters = [Filter::new(&options)?, Filter::new(&options)?, Filter::new(&options)?];
    let shared = [SharedFilter::new(&options)?, SharedFilter::new(&options)?, SharedFilter::new(&options)?];
    let (mut duplicates, mut out) = (0, io::stdout().lock());
    for line in io::stdin().lock().lines() {
        line?;
        let mut cells = Vec::new();
        for (filter, size) in filters.iter_mut().zip(SIZES) {
            cells.push(cell(|| match size {
                1 => Ok(stream.singles(|key| filter.observe(key))?),
                _ => stream.batches(size, |keys, out| Ok(filter.observe_batch(keys, None, out).map(drop)?)),
            })?);
        }
        for (filter, size) in shared.iter().zip(SIZES) {
            cells.push(cell(|| match size {
                1 => Ok(stream.singles(|key| filter.observe(key))?),
                _ => stream.batches(size, |keys, out| Ok(filter.observe_batch(keys, None, out).map(drop)?)),
            })?);
        }
        for (took, seen) in cells {
            write!(out, "{took}")?;
            duplicates += seen;
        }
        writeln!(out, "nan {duplicates}")?;
        out.flush()?;
    }
    Ok(())
}
