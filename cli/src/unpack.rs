//! xz, bzip2 and lz4, undone by a thread: their readers cannot be left in the middle of a wait, and a run that waits for input has work to do
//! (records to hand on, a state to save).
//!
//! ```text
//!  file -> thread: decompress -> pair of sockets -> the run, which waits for bytes, signals and its own deadlines
//! ```
//! Faults of the bytes are reported at their end.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write, copy};
use std::sync::{Arc, Mutex};

use bzip2::bufread::MultiBzDecoder;
use lz4_flex::frame::FrameDecoder;
use lzma_rust2::XzReader;

use crate::sniff::Packed;

const AT_ONCE: usize = 1 << 16;

/// Notes an end that is met inside a frame: its reader takes that for the end of the frame.
struct Noted<R> {
    input: R,
    has_ended: bool,
}

impl<R: Read> Read for Noted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.input.read(buffer)?;
        self.has_ended |= read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

fn unpack(packed: Packed, input: impl Read, to: &mut impl Write) -> Result<()> {
    let mut input = BufReader::with_capacity(AT_ONCE, input);
    match packed {
        Packed::Xz => copy(&mut XzReader::new(input, true), to).map(drop),
        Packed::Bzip2 => copy(&mut MultiBzDecoder::new(input), to).map(drop),
        Packed::Lz4 => {
            // Frames one behind another.
            while !input.fill_buf()?.is_empty() {
                let mut frame = Noted { input: &mut input, has_ended: false };
                copy(&mut FrameDecoder::new(&mut frame), to)?;
                if frame.has_ended {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
            }
            Ok(())
        }
        _ => Err(Error::other("not a form of compression that a thread undoes")),
    }
}

/// The fault of compressed bytes, with the name of their form.
fn named(packed: Packed, error: &Error) -> Error {
    let name = match packed {
        Packed::Xz => "xz",
        Packed::Bzip2 => "bzip2",
        _ => "lz4",
    };
    match error.kind() {
        ErrorKind::UnexpectedEof => Error::new(ErrorKind::UnexpectedEof, format!("the {name} data is cut off")),
        kind => Error::new(kind, format!("the {name} data is damaged: {error}")),
    }
}

/// What was wrong with the bytes, once they have ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ended(Arc<Mutex<Option<Error>>>);

impl Ended {
    pub(crate) fn check(&self) -> Result<()> {
        self.0.lock().ok().and_then(|mut error| error.take()).map_or(Ok(()), Err)
    }
}

/// Begins to decompress; gives where the bytes come out.
#[cfg(unix)]
pub(crate) fn begin(packed: Packed, input: impl Read + Send + 'static) -> Result<(std::fs::File, Ended)> {
    let ((ours, theirs), ended) = (std::os::unix::net::UnixStream::pair()?, Ended::default());
    let told = ended.clone();
    std::thread::Builder::new().spawn(move || {
        let mut to = std::io::BufWriter::with_capacity(AT_ONCE, theirs);
        let unpacked = unpack(packed, input, &mut to).map_err(|error| named(packed, &error));
        // All that was read before an error is handed on, and the error is there before the end is seen. If the run has ended
        // first, neither is read.
        let _ = to.flush();
        if let (Err(error), Ok(mut slot)) = (unpacked, told.0.lock()) {
            *slot = Some(error);
        }
    })?;
    Ok((std::os::fd::OwnedFd::from(ours).into(), ended))
}
