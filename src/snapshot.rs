//! Snapshots: a filter as bytes that every language, version and machine reads alike. `docs/reference/format.md` has every byte.
//!
//! ```text
//!  0   magic, 8 bytes         8   format version, kind         16  bytes in all
//!  24  hash, clock's source and parts    32  seed, or a check of the secret    40  the clock's tick
//!  48  the claims, if they are a part (claims/saved.rs)
//!  ..  what the kind keeps (filter/<kind>/snapshot.rs): integers, then cells
//!  end XXH3-64 of all before it
//! ```
//! The same state gives the same bytes. A secret is never in them. Loading takes no byte on trust: any bytes give a
//! filter or an error, and never more memory than is allowed.

use std::fmt;
use std::io::{self, Read, Write};
use std::time::Duration;

use crate::claims::Claims;
use crate::claims::saved::Pause;
use crate::clock::Watch;
use crate::edge::Edge;
use crate::error::Error;
use crate::filter::any::AnyFilter;
use crate::filter::contract::Stored;
use crate::hash::{Hasher, Mark, hash64};
use crate::num;
use crate::options::{Choice, Clock};
use crate::secret::Secret;
use crate::tick::Tick;
use crate::wire::{Refused, Room, SUM_BYTES, Sink, Source, choice, expect};

/// How a snapshot begins. The first byte is no text, the last ones do not survive a transfer as text.
const MAGIC: [u8; 8] = *b"\x89LTLY\r\n\x1a";

/// The format that is written and read.
const VERSION: u32 = 3;

/// Bytes up to what the kind keeps.
const HEAD: u64 = 48;

/// Bytes up to and with the number of bytes in all.
const START: u64 = 24;

/// The options for loading a snapshot.
///
/// ```
/// use lately::{Filter, LoadOptions, Options, Verdict};
/// use std::time::Duration;
///
/// let mut seen = Filter::new(&Options::window(Duration::from_secs(600)))?;
/// seen.observe(b"order-17")?;
/// let mut bytes = Vec::new();
/// seen.write_snapshot(&mut bytes).expect("a Vec takes all");
///
/// // Nine minutes later, perhaps elsewhere.
/// let mut restored = Filter::load(&bytes, &LoadOptions::new(Duration::from_secs(540)))?;
/// assert_eq!(restored.observe(b"order-17")?, Verdict::Duplicate);
/// # Ok::<(), lately::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LoadOptions {
    elapsed: Duration,
    memory: Option<u64>,
    new_memory: Option<u64>,
    secret: Option<Secret>,
}

impl LoadOptions {
    /// `elapsed` passed since the snapshot was written: every age grows by it, so that a window does not stand still on
    /// disk. It has no default. 0 is right where the ticks themselves tell what passed. A filter without a window of
    /// time takes any, and is not changed by it.
    #[must_use]
    pub const fn new(elapsed: Duration) -> Self {
        Self { elapsed, memory: None, new_memory: None, secret: None }
    }

    /// The same with a time in nanoseconds that may be unknown, which is any number below 0.
    ///
    /// # Errors
    /// `ELAPSED` if it is negative.
    pub fn after_ns(elapsed_ns: i64) -> Result<Self, Error> {
        let elapsed = u64::try_from(elapsed_ns);
        let elapsed = elapsed.map_err(|_| Error::elapsed(format_args!("{elapsed_ns} ns"), "at least 0 ns"))?;
        Ok(Self::new(Duration::from_nanos(elapsed)))
    }

    /// The most bytes that the cells may take, as the option `memory` counts them; without it there is no limit but
    /// the snapshot's own. For a window of time it becomes the permanent limit if it is lower than the saved one;
    /// a window of keys is bound by it until it is saved; other filters do not grow.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// The option `memory` of a filter with a window of time from now on, in place of the one that it was saved with: less
    /// or more than that; `u64::MAX` takes the limit away. What was forgotten under the old limit does not come back, and
    /// the window reaches as far as it should once a window has passed. Cells that take more already are `TOO_LARGE`. A
    /// filter of another window does not grow: of that this is checked and nothing else. The error rate is kept: a limit
    /// with too little room for the cells that this takes is an error that names those which have enough. With it,
    /// [`LoadOptions::memory`] binds only what is loaded.
    #[must_use]
    pub const fn new_memory(mut self, bytes: u64) -> Self {
        self.new_memory = Some(bytes);
        self
    }

    /// The secret of a keyed filter: a snapshot does not contain it.
    #[must_use]
    pub const fn secret(mut self, secret: Secret) -> Self {
        self.secret = Some(secret);
        self
    }
}

/// Shows of the secret only that there is one.
impl fmt::Debug for LoadOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secret = self.secret;
        let Self { elapsed, memory, new_memory, .. } = self;
        write!(
            f,
            "LoadOptions {{ elapsed: {elapsed:?}, memory: {memory:?}, new_memory: {new_memory:?}, secret: {secret:?} }}"
        )
    }
}

/// The parts of a handle.
type Parts = (AnyFilter, Edge, Option<Box<Claims>>);

/// In the upper half of the clock's word: the filter has claims.
const HAS_CLAIMS: u32 = 1 << 16;

/// The parts that are written: a filter, and its claims if it has any.
pub(crate) struct Written<'a, K> {
    pub(crate) filter: &'a K,
    pub(crate) claims: Option<&'a Claims>,
}

/// Bytes of the snapshot of a filter as it is.
pub(crate) fn size<K: Stored>(whole: &Written<'_, K>) -> u64 {
    HEAD + whole.claims.map_or(0, Claims::saved_bytes) + whole.filter.saved_bytes() + SUM_BYTES
}

/// Writes the snapshot of a filter; returns how many bytes.
pub(crate) fn write<K: Stored>(whole: &Written<'_, K>, edge: &Edge, out: &mut dyn Write) -> io::Result<u64> {
    let (clock, mark, last) = (&edge.clock, edge.mark(), whole.filter.clock());
    let now = clock.read().map_or(last, |now| now.max(last));
    let parts = if whole.claims.is_some() { HAS_CLAIMS } else { 0 };
    let bytes = size(whole);
    let mut sink = Sink::new(out);
    sink.bytes(&MAGIC)?;
    sink.u32s(&[VERSION, K::KIND.number()])?;
    sink.u64s(&[bytes])?;
    sink.u32s(&[mark.id, parts | clock.source().map_or(0, Clock::number)])?;
    sink.u64s(&[mark.value, now.0])?;
    whole.claims.map_or(Ok(()), |claims| claims.save(now, &mut sink))?;
    whole.filter.save(now, &mut sink)?;
    sink.finish()?;
    Ok(bytes)
}

/// Writes the snapshot into memory that has room for `have` bytes, or nothing; returns how many.
pub(crate) fn write_within<K: Stored>(
    whole: &Written<'_, K>,
    edge: &Edge,
    have: usize,
    room: &mut dyn Write,
) -> Result<u64, Error> {
    let short = Error::short_buffer(have, size(whole));
    if num::wide(have) < size(whole) {
        return Err(short);
    }
    // Memory takes what it has room for, and so cannot fail.
    write(whole, edge, room).map_err(|_| short)
}

/// Loads a filter from bytes that are a snapshot and nothing else.
pub(crate) fn from_bytes(bytes: &[u8], options: &LoadOptions) -> Result<Parts, Error> {
    check(bytes)?;
    read(&mut &bytes[..], options).map_err(of_bytes)
}

/// Loads a filter from a stream, which is read up to the last byte of the snapshot and no further.
pub(crate) fn from_stream(input: &mut dyn Read, options: &LoadOptions) -> io::Result<Parts> {
    read(input, options).map_err(of_stream)
}

/// A stream has errors of its own.
fn of_stream(refused: Refused) -> io::Error {
    match refused {
        Refused::Bad(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        Refused::Unread(error) => error,
    }
}

/// An error unless a stream begins as a snapshot that this library reads.
pub(crate) fn expect_start(input: &mut dyn Read) -> io::Result<()> {
    Start::read(&mut Source::new(input, Room::default())).map(drop).map_err(of_stream)
}

/// Whether bytes are whole and unchanged, before anything is believed.
fn check(bytes: &[u8]) -> Result<(), Error> {
    let start = Start::read(&mut Source::new(&mut &bytes[..], Room::default())).map_err(of_bytes)?;
    if start.length != num::wide(bytes.len()) {
        return Err(Error::corrupt_number("length", start.length, format_args!("{}, the bytes given", bytes.len())));
    }
    let (body, sum) = bytes.split_at(bytes.len() - num::index(SUM_BYTES));
    if hash64(body, 0).to_le_bytes() == sum { Ok(()) } else { Err(Error::checksum()) }
}

/// A slice gives all that it has: what it cannot give is not there.
fn of_bytes(refused: Refused) -> Error {
    match refused {
        Refused::Bad(error) => error,
        Refused::Unread(error) => Error::corrupt_structure(format_args!("it cannot be read: {error}")),
    }
}

/// The first fields, before all that depends on the format.
struct Start {
    kind: u32,
    /// Bytes in all.
    length: u64,
}

impl Start {
    fn read(source: &mut Source<'_>) -> Result<Self, Refused> {
        let mut magic = [0; 8];
        match source.bytes(&mut magic) {
            Ok(()) if magic == MAGIC => {}
            Err(unread @ Refused::Unread(_)) => return Err(unread),
            _ => return Err(Error::magic().into()),
        }
        let [version] = source.u32s()?;
        if version != VERSION {
            return Err(Error::version(version, VERSION).into());
        }
        let ([kind], [length]) = (source.u32s()?, source.u64s()?);
        expect(length >= HEAD + SUM_BYTES, "length", length, format_args!("at least {}", HEAD + SUM_BYTES))?;
        Ok(Self { kind, length })
    }
}

fn read(input: &mut dyn Read, options: &LoadOptions) -> Result<Parts, Refused> {
    let mut source = Source::new(input, Room { most: options.memory, new: options.new_memory });
    let Start { kind, length } = Start::read(&mut source)?;
    source.expect_in_all(length - START - SUM_BYTES);
    let [id, clock_and_parts] = source.u32s()?;
    let (clock, parts) = (clock_and_parts & (HAS_CLAIMS - 1), clock_and_parts & !(HAS_CLAIMS - 1));
    expect(parts & !HAS_CLAIMS == 0, "parts", parts >> 16, "0 or 1")?;
    let [value, then] = source.u64s()?;
    let hasher = Hasher::marked(Mark { id, value }, options.secret)?;
    let has_time = clock != 0;
    let now = if has_time { later(then, options.elapsed)? } else { then };
    source.expect_manual_clock(has_time && clock != Clock::System.number());
    let pause = Pause { then: has_time.then_some(Tick(then)), elapsed: nanoseconds(options.elapsed) };
    let claims = if parts == 0 { None } else { Some(Claims::load(&mut source, pause)?) };
    let any = AnyFilter::load(kind, &mut source, Tick(then), Tick(now))?;
    source.finish()?;
    let of_kind = if any.has_time() { "1 to 5" } else { "0, at tick 0" };
    expect(any.has_time() == has_time && (has_time || then == 0), "clock", clock, of_kind)?;
    if let Some(claims) = &claims {
        any.expect_claims(claims.lease())?;
    }
    let clock = if has_time { Watch::resumed(choice("clock", clock)?, Tick(now)) } else { Watch::Timeless };
    Ok((any, Edge::new(hasher, clock), claims))
}

/// A time in nanoseconds, or the longest that there is.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The moment `elapsed` after `then`.
fn later(then: u64, elapsed: Duration) -> Result<u64, Error> {
    let now = u64::try_from(elapsed.as_nanos()).ok().and_then(|elapsed| then.checked_add(elapsed));
    let most = || Duration::from_nanos(u64::MAX - then);
    now.ok_or_else(|| {
        Error::elapsed(format_args!("{elapsed:?}"), format_args!("at most {:?}, up to the last tick", most()))
    })
}
