//! The errors: each cause has a number that never changes, and one constructor.

use std::fmt::{self, Write};
use std::time::SystemTime;

use crate::field::Field;
use crate::text::{Brief, Text};
use crate::unit::Unit;

/// The numbers of the C ABI. A number is never used for a second meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
#[non_exhaustive]
pub enum Code {
    /// A required pointer was null (C ABI only).
    Null = 1,
    /// A struct size that this library does not know, or a tail that is not 0 (C ABI only).
    StructSize = 2,
    /// An option is out of range, contradicts another, or is not one of this kind.
    Option = 3,
    /// The offsets of a batch decrease or leave the bytes.
    Offsets = 4,
    /// This filter has no such verb: its kind does not support it, or a keyed one was given hashes, or an unkeyed one asked for a secret.
    Unsupported = 5,
    /// Ticks were given to a filter that reads the system clock, or that has no time.
    Clock = 6,
    /// A tick leads the filter's clock by more than `max_step_ns`, is too large for its unit, or a date has no tick.
    Tick = 7,
    /// The token was never given out for this key.
    Claim = 8,
    /// The filter, or the table of its claims, is full.
    Full = 100,
    /// An earlier call panicked inside this handle (C ABI only).
    Poisoned = 101,
    /// The handle was closed (bindings only).
    Closed = 102,
    /// The buffer is too short.
    ShortBuffer = 200,
    /// Not a snapshot.
    Magic = 201,
    /// A snapshot of a version that this library does not read.
    Version = 202,
    /// The snapshot's checksum is wrong.
    Checksum = 203,
    /// The snapshot contradicts itself.
    Corrupt = 204,
    /// The snapshot needs more memory than the caller allows.
    TooLarge = 205,
    /// The secret is missing or wrong.
    Secret = 206,
    /// The elapsed time is unknown or negative.
    Elapsed = 207,
    /// The options of a filter are others than those expected.
    OptionsDiffer = 208,
    /// Reading or writing failed.
    Io = 300,
    /// A bug in the library: a panic was stopped at the ABI.
    Panic = 900,
    /// The system has no memory, or no randomness, to give.
    NoMemory = 901,
}

impl Code {
    /// The number in the C ABI.
    #[must_use]
    #[allow(clippy::as_conversions, reason = "the discriminant of an enum that declares its numbers")]
    pub const fn number(self) -> i32 {
        self as i32
    }
}

/// Why a request was refused. The filter is as it was before the call.
///
/// It allocates nothing: an error can be made, and shown, where there is no memory. `{:?}` shows the same text as `{}`, since that is
/// what `unwrap` and a `main` that returns it print.
#[derive(Clone, PartialEq)]
pub struct Error(Kind);

// A larger error, with the place where a batch stopped, would make a `Result` that clippy warns of in every program.
const _: () = assert!(size_of::<Error>() + size_of::<usize>() < 128);

/// A value and its range, or a value and why it is refused, one after the other.
#[derive(Debug, Clone, PartialEq)]
struct ValueAndRest {
    text: Text<92>,
    /// Where the value ends.
    value: u8,
}

impl ValueAndRest {
    fn new(value: impl fmt::Display, rest: impl fmt::Display) -> Self {
        let mut text = Text::of(value);
        let value = text.len();
        // The text is cut where it is too long, which loses words and nothing else.
        let _ = write!(text, "{rest}");
        Self { text, value }
    }

    /// The value, and what follows it.
    fn parts(&self) -> (&str, &str) {
        self.text.as_str().split_at(usize::from(self.value))
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    OutOfRange { field: Field, text: ValueAndRest },
    Conflict { field: Field, text: ValueAndRest },
    Offsets { index: usize, why: &'static str },
    Length { what: &'static str, have: usize, want: usize },
    Unsupported(&'static str),
    Clock(&'static str),
    Step { lead: u64, max: u64 },
    Date(SystemTime),
    Tick { tick: u64, unit: Unit },
    Claim,
    Full(&'static str),
    ShortBuffer { have: usize, need: u64 },
    Magic,
    Version { found: u32, known: u32 },
    Checksum,
    CorruptNumber { part: &'static str, text: ValueAndRest },
    CorruptStructure(Text<100>),
    TooLarge { need: u64, limit: u64 },
    Secret(&'static str),
    Elapsed(ValueAndRest),
    Differ { field: Field, text: ValueAndRest },
    Io(Text<100>),
    NoMemory { bytes: usize },
    NoRandomness,
}

impl Error {
    /// `field` has `value`, which must be in `range`: `fill = 2: must be 0.1 to 0.9`. A range has its unit.
    pub(crate) fn out_of_range(field: Field, value: impl fmt::Display, range: impl fmt::Display) -> Self {
        Self(Kind::OutOfRange { field, text: ValueAndRest::new(Brief(value), range) })
    }

    /// `field` has `value`, which another option, the kind or the plan excludes: `max_claims = 5: needs lease_ns`.
    pub(crate) fn conflict(field: Field, value: impl fmt::Display, why: impl fmt::Display) -> Self {
        Self(Kind::Conflict { field, text: ValueAndRest::new(Brief(value), why) })
    }

    pub(crate) fn offsets(index: usize, why: &'static str) -> Self {
        Self(Kind::Offsets { index, why })
    }

    /// A slice that goes with the keys of a batch and is not as long as they are.
    pub(crate) fn length(what: &'static str, have: usize, want: usize) -> Self {
        Self(Kind::Length { what, have, want })
    }

    pub(crate) fn unsupported(what: &'static str) -> Self {
        Self(Kind::Unsupported(what))
    }

    pub(crate) fn clock(what: &'static str) -> Self {
        Self(Kind::Clock(what))
    }

    /// A call without a tick, of a manual clock that has none yet.
    #[cold]
    pub(crate) fn no_tick_yet() -> Self {
        Self::clock("the manual clock has no time yet: pass a tick, or advance it first")
    }

    /// A tick that leads the clock by `lead` where at most `max` is allowed.
    pub(crate) fn step(lead: u64, max: u64) -> Self {
        Self(Kind::Step { lead, max })
    }

    /// A tick of a manual clock beyond the last nanosecond.
    #[cold]
    pub(crate) fn tick(tick: u64, unit: Unit) -> Self {
        Self(Kind::Tick { tick, unit })
    }

    pub(crate) fn date(time: SystemTime) -> Self {
        Self(Kind::Date(time))
    }

    /// The error of the option `memory` where a table takes `table` of the `given` bytes, in terms of both.
    pub(crate) fn with_table(self, given: u64, table: u64) -> Self {
        match &self.0 {
            Kind::OutOfRange { field: Field::Memory, text } => Self::out_of_range(
                Field::Memory,
                given,
                format_args!("{table} bytes for max_claims plus {}", text.parts().1),
            ),
            Kind::Conflict { field: Field::Memory, text } => {
                let why = text.parts().1;
                Self::conflict(Field::Memory, given, format_args!("{why} after {table} bytes for max_claims"))
            }
            _ => self,
        }
    }

    /// A token that is not of this key.
    pub(crate) fn claim() -> Self {
        Self(Kind::Claim)
    }

    /// There is no room left for the key.
    pub(crate) fn full(what: &'static str) -> Self {
        Self(Kind::Full(what))
    }

    /// A snapshot of `need` bytes does not fit.
    pub(crate) fn short_buffer(have: usize, need: u64) -> Self {
        Self(Kind::ShortBuffer { have, need })
    }

    /// The bytes do not begin as a snapshot does.
    pub(crate) fn magic() -> Self {
        Self(Kind::Magic)
    }

    /// A snapshot of format version `found`, where `known` is read.
    pub(crate) fn version(found: u32, known: u32) -> Self {
        Self(Kind::Version { found, known })
    }

    pub(crate) fn checksum() -> Self {
        Self(Kind::Checksum)
    }

    /// The number `part` of a snapshot has `value`, which must be in `range`.
    pub(crate) fn corrupt_number(part: &'static str, value: impl fmt::Display, range: impl fmt::Display) -> Self {
        Self(Kind::CorruptNumber { part, text: ValueAndRest::new(Brief(value), range) })
    }

    /// The snapshot has a structure that no filter writes: `row 7 has gaps between its filled cells`.
    pub(crate) fn corrupt_structure(what: impl fmt::Display) -> Self {
        Self(Kind::CorruptStructure(Text::of(what)))
    }

    /// A snapshot whose filter takes `need` bytes, where `limit` are allowed.
    pub(crate) fn too_large(need: u64, limit: u64) -> Self {
        Self(Kind::TooLarge { need, limit })
    }

    pub(crate) fn secret(what: &'static str) -> Self {
        Self(Kind::Secret(what))
    }

    /// The time since the snapshot is `value`, which must be in `range`.
    pub(crate) fn elapsed(value: impl fmt::Display, range: impl fmt::Display) -> Self {
        Self(Kind::Elapsed(ValueAndRest::new(value, range)))
    }

    /// The option `field` of a filter is `have`, where `want` is expected.
    pub(crate) fn differ(field: Field, have: impl fmt::Display, want: impl fmt::Display) -> Self {
        Self(Kind::Differ { field, text: ValueAndRest::new(Brief(have), Brief(want)) })
    }

    /// Reading or writing failed.
    pub(crate) fn io(error: impl fmt::Display) -> Self {
        Self(Kind::Io(Text::of(error)))
    }

    pub(crate) fn no_memory(bytes: usize) -> Self {
        Self(Kind::NoMemory { bytes })
    }

    /// There is no memory for `n` values.
    pub(crate) fn no_memory_for<T>(n: usize) -> Self {
        Self::no_memory(n.saturating_mul(size_of::<T>()))
    }

    pub(crate) fn no_randomness() -> Self {
        Self(Kind::NoRandomness)
    }

    /// The number of this cause, as in the C ABI.
    #[must_use]
    pub fn code(&self) -> Code {
        match self.0 {
            Kind::OutOfRange { .. } | Kind::Conflict { .. } => Code::Option,
            Kind::Offsets { .. } | Kind::Length { .. } => Code::Offsets,
            Kind::Unsupported(_) => Code::Unsupported,
            Kind::Clock(_) => Code::Clock,
            Kind::Step { .. } | Kind::Date(_) | Kind::Tick { .. } => Code::Tick,
            Kind::Claim => Code::Claim,
            Kind::Full(_) => Code::Full,
            Kind::ShortBuffer { .. } => Code::ShortBuffer,
            Kind::Magic => Code::Magic,
            Kind::Version { .. } => Code::Version,
            Kind::Checksum => Code::Checksum,
            Kind::CorruptNumber { .. } | Kind::CorruptStructure(_) => Code::Corrupt,
            Kind::TooLarge { .. } => Code::TooLarge,
            Kind::Secret(_) => Code::Secret,
            Kind::Elapsed(_) => Code::Elapsed,
            Kind::Differ { .. } => Code::OptionsDiffer,
            Kind::Io(_) => Code::Io,
            Kind::NoMemory { .. } | Kind::NoRandomness => Code::NoMemory,
        }
    }

    /// The option at fault, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<Field> {
        match self.0 {
            Kind::OutOfRange { field, .. } | Kind::Conflict { field, .. } | Kind::Differ { field, .. } => Some(field),
            _ => None,
        }
    }
}

impl Error {
    /// How many bytes it takes, where there was less room (`SHORT_BUFFER`) or less was allowed (`TOO_LARGE`).
    #[must_use]
    pub fn needed(&self) -> Option<u64> {
        match self.0 {
            Kind::ShortBuffer { need, .. } | Kind::TooLarge { need, .. } => Some(need),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::OutOfRange { field, text } => out_of_range(f, field.name(), field.unit_of_value(), text),
            Kind::Conflict { field, text } => {
                let (value, why) = text.parts();
                write!(f, "{field} = {value}{}: {why}", field.unit_of_value())
            }
            Kind::Offsets { index, why } => write!(f, "offsets[{index}] {why}"),
            Kind::Length { what, have, want } => write!(f, "{what} has {have} entries for {want} keys"),
            Kind::Unsupported(what) => write!(f, "not supported: {what}"),
            Kind::Clock(what) => f.write_str(what),
            Kind::Step { lead, max } => {
                write!(f, "the tick is {lead} ns ahead of the filter's clock: max_step_ns = {max}")
            }
            Kind::Date(time) => write!(f, "the date {time:?} has no tick: it must be 1970-01-01 to 2554-07-21 UTC"),
            Kind::Tick { tick, unit } => {
                let most = u64::MAX / unit.nanoseconds();
                write!(f, "the tick is {tick} {unit}: must be 0 to {most} {unit}", unit = unit.name())
            }
            Kind::Claim => f.write_str("the token was never given out for this key"),
            Kind::Full(what) => write!(f, "full: {what}"),
            Kind::NoMemory { bytes } => write!(f, "out of memory: {bytes} bytes"),
            Kind::NoRandomness => f.write_str("the operating system gave no random secret"),
            saved => saved_filter(f, saved),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// A value and the range that it must be in.
fn out_of_range(f: &mut fmt::Formatter<'_>, name: &str, unit: &str, text: &ValueAndRest) -> fmt::Result {
    let (value, range) = text.parts();
    write!(f, "{name} = {value}{unit}: must be {range}")
}

/// Why a saved filter is not loaded, or not written.
fn saved_filter(f: &mut fmt::Formatter<'_>, kind: &Kind) -> fmt::Result {
    match kind {
        Kind::ShortBuffer { have, need } => {
            write!(f, "the snapshot takes {need} bytes: the buffer has {have} bytes")
        }
        Kind::Magic => f.write_str("these bytes are not a snapshot"),
        Kind::Version { found, known } => {
            write!(f, "the snapshot has format version {found}: this library reads version {known}")
        }
        Kind::Checksum => f.write_str("corrupt snapshot: its checksum does not match its bytes"),
        Kind::CorruptNumber { part, text } => {
            f.write_str("corrupt snapshot: ")?;
            out_of_range(f, part, "", text)
        }
        Kind::CorruptStructure(what) => write!(f, "corrupt snapshot: {what}"),
        Kind::TooLarge { need, limit } => {
            write!(f, "the filter of the snapshot takes {need} bytes: memory = {limit} bytes")
        }
        Kind::Secret(what) => f.write_str(what),
        Kind::Elapsed(text) => out_of_range(f, "elapsed", "", text),
        Kind::Differ { field, text } => {
            let (have, want) = text.parts();
            let unit = field.unit_of_value();
            // Bindings write a number before ns as a span of time.
            let span = if field.name().ends_with("_ns") { " ns" } else { "" };
            write!(f, "{field} = {have}{unit}: the options given come to {want}{unit}{span}")
        }
        Kind::Io(what) => f.write_str(what.as_str()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_of_an_error_is_its_message() {
        let error = Error::out_of_range(Field::Memory, 100, "1024 to 72057594037927936 bytes");
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(
            format!("{:?}", Err::<(), _>(error)),
            "Err(memory = 100 bytes: must be 1024 to 72057594037927936 bytes)"
        );
    }
}
