//! gzip, as `gunzip` reads it: members one behind another, and behind the last one zeros, which fill up the blocks of tapes
//! and of some disks. Anything else behind a member is an error.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result};

use flate2::bufread::GzDecoder;

const MEMBER: u8 = 0x1f;

/// Where in the input it is. A read that fails changes nothing, so that the call may be made again.
enum At<R> {
    Member(GzDecoder<BufReader<R>>),
    Between(BufReader<R>),
    /// In the zeros behind the last one.
    Padding(BufReader<R>),
    /// Only on the way from one to the next.
    Nowhere,
}

pub(crate) struct Gzip<R> {
    at: At<R>,
}

impl<R: Read> Gzip<R> {
    pub(crate) fn new(input: BufReader<R>) -> Self {
        Self { at: At::Member(GzDecoder::new(input)) }
    }

    /// Goes where the next bytes behind a member lead; returns whether there are more members.
    fn next(&mut self) -> Result<bool> {
        if let At::Between(input) = &mut self.at {
            let Some(&first) = input.fill_buf()?.first() else { return Ok(false) };
            if ![0, MEMBER].contains(&first) {
                return Err(no_gzip());
            }
            if let At::Between(input) = std::mem::replace(&mut self.at, At::Nowhere) {
                self.at = if first == 0 { At::Padding(input) } else { At::Member(GzDecoder::new(input)) };
            }
        }
        if let At::Padding(input) = &mut self.at {
            pass_zeros(input)?;
        }
        Ok(matches!(self.at, At::Member(_)))
    }
}

/// Reads to the end of the input, where nothing but zeros may come.
fn pass_zeros(input: &mut impl BufRead) -> Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        match bytes.iter().all(|byte| *byte == 0) {
            true if bytes.is_empty() => return Ok(()),
            true => {
                let n = bytes.len();
                input.consume(n);
            }
            false => return Err(no_gzip()),
        }
    }
}

fn no_gzip() -> Error {
    Error::new(ErrorKind::InvalidData, "bytes other than zeros behind the gzip data")
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            if let At::Member(member) = &mut self.at {
                let read = member.read(buffer)?;
                if read > 0 || buffer.is_empty() {
                    return Ok(read);
                }
                if let At::Member(member) = std::mem::replace(&mut self.at, At::Nowhere) {
                    self.at = At::Between(member.into_inner());
                }
            }
            if !self.next()? {
                return Ok(0);
            }
        }
    }
}
