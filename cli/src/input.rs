//! Where bytes come from: files in turn, or standard input; gzip and zstd are undone on the way, with a progress bar on a
//! terminal.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Chain, Cursor, Error, ErrorKind, IsTerminal, Read, Result, stderr, stdout};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::gzip::Gzip;
use crate::signals::{Watch, standard_input};
use crate::sniff::{self, Packed};
use crate::stdio;
use crate::streams;

/// Bytes of a compressed file that are read at once.
const AT_ONCE: usize = 1 << 16;

/// One open file. A read gives `WouldBlock` when nothing comes for as long as the watch has patience, and an error once a
/// signal ends the run.
pub(crate) struct Source {
    file: File,
    watch: Rc<Watch>,
    bar: ProgressBar,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if !self.watch.wait_for(&self.file)? {
            return Err(ErrorKind::WouldBlock.into());
        }
        let read = self.file.read(buffer)?;
        self.bar.inc(u64::try_from(read).unwrap_or(0));
        Ok(read)
    }
}

/// The bytes of a source behind those that were read to know what it is.
type Whole = Chain<Cursor<Vec<u8>>, Source>;

/// An input, decompressed.
pub(crate) enum Input {
    /// Not known yet: the first bytes, and where more come from.
    Begun(Vec<u8>, Option<Source>),
    Text(Whole),
    Gzip(Box<Gzip<Whole>>),
    Zstd(Box<ZstdDecoder<'static, BufReader<Whole>>>),
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Input")
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Begun(head, source) => {
                begin(head, source)?;
                *self = Self::know(std::mem::take(head), source.take())?;
                self.read(buffer)
            }
            Self::Text(text) => text.read(buffer),
            Self::Gzip(text) => text.read(buffer),
            Self::Zstd(text) => text.read(buffer),
        }
    }
}

/// Reads until the first bytes tell what the source is.
fn begin(head: &mut Vec<u8>, source: &mut Option<Source>) -> Result<()> {
    let mut some = [0; 64];
    while let Some(from) = source.as_mut().filter(|_| sniff::packed(head).is_none()) {
        let read = from.read(&mut some)?;
        head.extend_from_slice(&some[..read]);
        if read == 0 {
            break;
        }
    }
    Ok(())
}

impl Input {
    fn know(head: Vec<u8>, source: Option<Source>) -> Result<Self> {
        let packed = sniff::packed(&head).flatten();
        let Some(source) = source else { return Err(ErrorKind::UnexpectedEof.into()) };
        let whole = Cursor::new(head).chain(source);
        let buffered = |whole| BufReader::with_capacity(AT_ONCE, whole);
        Ok(match packed {
            None => Self::Text(whole),
            Some(Packed::Gzip) => Self::Gzip(Box::new(Gzip::new(buffered(whole)))),
            Some(Packed::Zstd) => Self::Zstd(Box::new(ZstdDecoder::with_buffer(buffered(whole))?)),
        })
    }
}

/// Opens a file, or standard input.
pub(crate) fn open(path: &Path, watch: &Rc<Watch>, bar: &ProgressBar) -> Result<Input> {
    let file =
        if stdio::is_stdin(path) { stdio::expect_input().and_then(|()| standard_input())? } else { File::open(path)? };
    if file.metadata().is_ok_and(|data| streams::is_read_and_written(&data)) {
        return Err(Error::other("the output goes to this file too, so that reading it would not end"));
    }
    let source = Source { file, watch: Rc::clone(watch), bar: bar.clone() };
    Ok(Input::Begun(Vec::new(), Some(source)))
}

/// A bar over the sizes of all files (a counter if one is not known) when standard error is a terminal that the
/// records do not go to.
pub(crate) fn progress(files: &[PathBuf]) -> ProgressBar {
    if !stderr().is_terminal() || stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let sizes = size(files);
    let template = match sizes {
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(sizes, ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Bytes of all the files, if they are known.
pub(crate) fn size(files: &[PathBuf]) -> Option<u64> {
    let data = |path: &PathBuf| match stdio::is_stdin(path) {
        true => standard_input().and_then(|file| file.metadata()).ok(),
        false => std::fs::metadata(path).ok(),
    };
    files.iter().map(|path| data(path).filter(std::fs::Metadata::is_file).map(|data| data.len())).sum()
}
