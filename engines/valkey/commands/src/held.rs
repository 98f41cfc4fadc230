//! The value of a key: a filter, or the part of a filter that has arrived so far.
//!
//! ```text
//!  LOADCHUNK at 0 --> a part --LOADCHUNK--> a larger part --the last one--> the filter
//!                     every other command on a part is an error: MOVING
//!
//!  in a file:   the filter   WINDOW 60000 ..                        its snapshot
//!               a part       PARTIAL 65536 OF 200000 WINDOW 60000 ..  the first 65,536 of its 200,000 bytes
//! ```
//! A filter comes in pieces out of an append-only file, or with a slot that moves here. It is under its key from the first piece
//! on: files, replicas, dumps and copies carry the part, its bytes are counted, and it goes with its key. Price: the bytes of a
//! snapshot until the last piece is there, and those of the filter once more while it is put together.

use std::io::{self, Write};

use crate::refusal::Refusal;
use crate::request::Settings;
use crate::value::{Value, read_request};
use crate::words::Words;

/// The value of a key.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it lies on the heap, and most are filters")]
pub enum Held {
    /// A filter.
    Filter(Value),
    /// A part of one.
    Partial(Partial),
}

/// The first bytes of a snapshot, and the request that comes with them.
#[derive(Debug)]
pub struct Partial {
    request: String,
    total: u64,
    bytes: Vec<u8>,
}

impl Held {
    /// The words of the request.
    #[must_use]
    pub fn request(&self) -> String {
        match self {
            Self::Filter(value) => value.request().text(),
            Self::Partial(partial) => partial.request.clone(),
        }
    }

    /// Bytes of the whole snapshot.
    #[must_use]
    pub fn total(&self) -> u64 {
        match self {
            Self::Filter(value) => value.snapshot_size(),
            Self::Partial(partial) => partial.total,
        }
    }

    /// The words before the bytes in a file.
    #[must_use]
    pub fn head(&self) -> String {
        match self {
            Self::Filter(_) => self.request(),
            Self::Partial(partial) => {
                format!("PARTIAL {} OF {} {}", partial.bytes.len(), partial.total, partial.request)
            }
        }
    }

    /// Writes the snapshot, or what there is of it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Filter(value) => value.write_snapshot(out).map(drop),
            Self::Partial(partial) => out.write_all(&partial.bytes),
        }
    }

    /// What was written: any bytes give something of this or an error. See [`Value::load`].
    ///
    /// # Errors
    /// They are not what a server wrote.
    pub fn load(head: &[u8], bytes: Vec<u8>, user_limit: Option<&Settings>) -> Result<Self, Refusal> {
        let Some(head) = Head::read(head)? else {
            return Value::load(head, &bytes, user_limit).map(Self::Filter);
        };
        let request = read_request(head.request)?;
        if let Some(settings) = user_limit {
            request.check_limit(settings)?;
        }
        if wide(bytes.len()) != head.have {
            return Err(Refusal::new(format_args!("{} bytes of a part that has {}", bytes.len(), head.have)));
        }
        Ok(Self::Partial(Partial { request: request.text(), total: head.total, bytes }))
    }

    /// A copy of everything.
    ///
    /// # Errors
    /// No memory.
    pub fn copy(&self) -> Result<Self, Refusal> {
        match self {
            Self::Filter(value) => value.copy().map(Self::Filter),
            Self::Partial(partial) => partial.copy().map(Self::Partial),
        }
    }
}

impl Partial {
    /// None of `total` bytes yet. A server or its file names the total, so memory for all of them is taken at once; if there is none,
    /// the pieces find out how far it goes.
    pub(crate) fn new(request: &[u8], total: u64) -> Result<Self, Refusal> {
        let request = read_request(request)?.text();
        let mut bytes = Vec::new();
        let _ = usize::try_from(total).map(|total| bytes.try_reserve_exact(total));
        Ok(Self { request, total, bytes })
    }

    /// The next piece.
    pub(crate) fn next(&mut self, request: &[u8], total: u64, offset: u64, piece: &[u8]) -> Result<(), Refusal> {
        if request != self.request.as_bytes() || total != self.total {
            return Err(Refusal::new(format_args!("a piece of another filter than {}", self.request)));
        }
        let have = wide(self.bytes.len());
        if offset != have {
            return Err(Refusal::new(format_args!("offset {offset}: the next piece begins at {have}")));
        }
        if have + wide(piece.len()) > self.total {
            return Err(Refusal::out_of_range("total", self.total, format_args!("the bytes of all pieces")));
        }
        self.bytes.try_reserve(piece.len()).map_err(Refusal::new)?;
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    /// The filter, once the last piece is there. The part stays as it is.
    pub(crate) fn whole(&self) -> Result<Option<Value>, Refusal> {
        if wide(self.bytes.len()) < self.total {
            return Ok(None);
        }
        Value::load(self.request.as_bytes(), &self.bytes, None).map(Some)
    }

    /// The answer to every command but that for the next piece.
    pub(crate) fn refusal(&self) -> Refusal {
        Refusal::moving(self.bytes.len(), self.total)
    }

    fn copy(&self) -> Result<Self, Refusal> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.bytes.len()).map_err(Refusal::new)?;
        bytes.extend_from_slice(&self.bytes);
        Ok(Self { request: self.request.clone(), total: self.total, bytes })
    }
}

/// The words before the bytes of a part.
struct Head<'a> {
    have: u64,
    total: u64,
    request: &'a [u8],
}

impl<'a> Head<'a> {
    /// `None` if the bytes are a whole snapshot.
    fn read(head: &'a [u8]) -> Result<Option<Self>, Refusal> {
        let mut parts = head.splitn(5, |byte| *byte == b' ');
        if parts.next() != Some(b"PARTIAL") {
            return Ok(None);
        }
        let all: Vec<&[u8]> = parts.collect();
        let &[_, _, _, request] = all.as_slice() else {
            return Err(Refusal::syntax("PARTIAL bytes OF total request"));
        };
        let mut words = Words::new(&all[..3], 0);
        let have = words.number("PARTIAL", (0, u64::MAX))?;
        if !words.takes("OF") {
            words.end()?;
        }
        Ok(Some(Self { have, total: words.number("OF", (have, u64::MAX))?, request }))
    }
}

/// How many bytes come behind the words of a part in a file.
///
/// # Errors
/// The words are not what a server wrote.
pub fn bytes_of_part(head: &[u8]) -> Result<Option<u64>, Refusal> {
    Ok(Head::read(head)?.map(|head| head.have))
}

/// A number of bytes or items as the server counts.
pub(crate) fn wide(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
