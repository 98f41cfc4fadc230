//! Where bytes come from: files in turn, or standard input; compression is undone on the way, and UTF-16 becomes UTF-8, with a progress
//! bar on a terminal.

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
use crate::unpack::{self, Ended};
use crate::utf16::Utf16;

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

pub(crate) enum Input {
    /// Not known yet: the first bytes, and where more come from.
    Begun(Begun),
    Text(Whole),
    Gzip(Box<Gzip<Whole>>),
    Zstd(Box<ZstdDecoder<'static, BufReader<Whole>>>),
    /// Bytes that a thread decompresses.
    Unpacked(Source, Ended),
    Utf16(Box<Utf16<Whole>>),
}

pub(crate) struct Begun {
    head: Vec<u8>,
    source: Option<Source>,
    /// LF or NUL: UTF-16 has no records that end with NUL.
    end: u8,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Self::Begun(begun) => {
                begun.read_head()?;
                *self = Self::know(begun)?;
                self.read(buffer)
            }
            Self::Text(text) => text.read(buffer),
            Self::Gzip(text) => text.read(buffer),
            Self::Zstd(text) => text.read(buffer),
            Self::Utf16(text) => text.read(buffer),
            Self::Unpacked(source, ended) => match source.read(buffer)? {
                0 if !buffer.is_empty() => ended.check().map(|()| 0),
                read => Ok(read),
            },
        }
    }
}

impl Begun {
    /// Reads until the first bytes tell what the source is.
    fn read_head(&mut self) -> Result<()> {
        let mut some = [0; 64];
        while let Some(from) = self.source.as_mut().filter(|_| sniff::packed(&self.head).is_none()) {
            let read = from.read(&mut some)?;
            self.head.extend_from_slice(&some[..read]);
            if read == 0 {
                break;
            }
        }
        Ok(())
    }
}

impl Input {
    fn know(begun: &mut Begun) -> Result<Self> {
        let packed = sniff::packed(&begun.head).flatten();
        let Some(source) = begun.source.take() else { return Err(ErrorKind::UnexpectedEof.into()) };
        let mut head = std::mem::take(&mut begun.head);
        if let (Some(Packed::Utf16(order)), 1..) = (packed, begun.end) {
            const MARK: usize = 2;
            let whole = Cursor::new(head.split_off(MARK)).chain(source);
            return Ok(Self::Utf16(Box::new(Utf16::new(whole, order))));
        }
        let buffered = |head, source| BufReader::with_capacity(AT_ONCE, Cursor::new(head).chain(source));
        match packed {
            Some(packed @ (Packed::Xz | Packed::Bzip2 | Packed::Lz4)) => Self::unpacked(packed, head, source),
            Some(Packed::Gzip) => Ok(Self::Gzip(Box::new(Gzip::new(buffered(head, source))))),
            Some(Packed::Zstd) => Ok(Self::Zstd(Box::new(ZstdDecoder::with_buffer(buffered(head, source))?))),
            None | Some(Packed::Utf16(_)) => Ok(Self::Text(Cursor::new(head).chain(source))),
        }
    }

    pub(crate) fn is_utf16(&self) -> bool {
        matches!(self, Self::Utf16(_))
    }

    #[cfg(unix)]
    fn unpacked(packed: Packed, head: Vec<u8>, source: Source) -> Result<Self> {
        let Source { file, watch, bar } = source;
        let counted = bar.wrap_read(crate::patient::Patient(file));
        let (file, ended) = unpack::begin(packed, Cursor::new(head).chain(counted))?;
        // The bytes of the file are counted, and not what comes out.
        Ok(Self::Unpacked(Source { file, watch, bar: ProgressBar::hidden() }, ended))
    }

    #[cfg(not(unix))]
    fn unpacked(packed: Packed, _: Vec<u8>, _: Source) -> Result<Self> {
        let tool = match packed {
            Packed::Xz => "xz",
            Packed::Lz4 => "lz4",
            _ => "bzip2",
        };
        Err(Error::other(format!("this is {tool}: pipe it through {tool} -dc")))
    }
}

pub(crate) fn open(path: &Path, watch: &Rc<Watch>, bar: &ProgressBar, end: u8) -> Result<Input> {
    let file = if stdio::is_stdin(path) {
        stdio::expect(stdio::INPUT).and_then(|()| standard_input())?
    } else {
        File::open(path)?
    };
    if file.metadata().is_ok_and(|data| streams::is_read_and_written(&data)) {
        return Err(Error::other("the output goes to this file too, so that reading it would not end"));
    }
    let source = Source { file, watch: Rc::clone(watch), bar: bar.clone() };
    Ok(Input::Begun(Begun { head: Vec::new(), source: Some(source), end }))
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
