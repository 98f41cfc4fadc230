//! What can go wrong, each cause with a number that never changes, one constructor per cause.

use std::fmt;
use std::time::SystemTime;

use crate::field::Field;

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
    /// This filter has no such verb: its kind has not, or a keyed one was given hashes, or an unkeyed one asked for a secret.
    Unsupported = 5,
    /// Ticks were given to a filter that reads the system clock, or that has no time.
    Clock = 6,
    /// A tick leads the filter's clock by more than `max_step_ns`, or a date has no tick.
    Tick = 7,
    /// The filter is full.
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
#[derive(Debug, Clone, PartialEq)]
pub struct Error(Box<Kind>);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Option { field: Field, value: String, allowed: String },
    Offsets { index: usize, why: &'static str },
    Length { what: &'static str, have: usize, want: usize },
    Unsupported(&'static str),
    Clock(&'static str),
    Step { lead: u64, max: u64 },
    Date(SystemTime),
    Full(&'static str),
    NoMemory { words: usize },
    NoRandomness,
}

impl Error {
    /// `field` has `value`, and only `allowed` is possible.
    pub(crate) fn option(field: Field, value: impl fmt::Display, allowed: impl fmt::Display) -> Self {
        Self::of(Kind::Option { field, value: value.to_string(), allowed: allowed.to_string() })
    }

    pub(crate) fn offsets(index: usize, why: &'static str) -> Self {
        Self::of(Kind::Offsets { index, why })
    }

    /// A slice beside the keys of a batch that is not as long as they are.
    pub(crate) fn length(what: &'static str, have: usize, want: usize) -> Self {
        Self::of(Kind::Length { what, have, want })
    }

    pub(crate) fn unsupported(what: &'static str) -> Self {
        Self::of(Kind::Unsupported(what))
    }

    pub(crate) fn clock(what: &'static str) -> Self {
        Self::of(Kind::Clock(what))
    }

    /// A tick that leads the clock by `lead` where at most `max` is allowed.
    pub(crate) fn step(lead: u64, max: u64) -> Self {
        Self::of(Kind::Step { lead, max })
    }

    pub(crate) fn date(time: SystemTime) -> Self {
        Self::of(Kind::Date(time))
    }

    /// There is no room left for the key.
    pub(crate) fn full(what: &'static str) -> Self {
        Self::of(Kind::Full(what))
    }

    pub(crate) fn no_memory(words: usize) -> Self {
        Self::of(Kind::NoMemory { words })
    }

    pub(crate) fn no_randomness() -> Self {
        Self::of(Kind::NoRandomness)
    }

    fn of(kind: Kind) -> Self {
        Self(Box::new(kind))
    }

    /// The number of this cause, as in the C ABI.
    #[must_use]
    pub fn code(&self) -> Code {
        match *self.0 {
            Kind::Option { .. } => Code::Option,
            Kind::Offsets { .. } | Kind::Length { .. } => Code::Offsets,
            Kind::Unsupported(_) => Code::Unsupported,
            Kind::Clock(_) => Code::Clock,
            Kind::Step { .. } | Kind::Date(_) => Code::Tick,
            Kind::Full(_) => Code::Full,
            Kind::NoMemory { .. } | Kind::NoRandomness => Code::NoMemory,
        }
    }

    /// The option at fault, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<Field> {
        match *self.0 {
            Kind::Option { field, .. } => Some(field),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Option { field, value, allowed } => write!(f, "{field} = {value}: allowed is {allowed}"),
            Kind::Offsets { index, why } => write!(f, "offsets[{index}] {why}"),
            Kind::Length { what, have, want } => write!(f, "{what} has {have} entries for {want} keys"),
            Kind::Unsupported(what) => write!(f, "not supported: {what}"),
            Kind::Clock(what) => f.write_str(what),
            Kind::Step { lead, max } => {
                write!(f, "the tick leads the filter's clock by {lead} ns: allowed is max_step_ns = {max}")
            }
            Kind::Date(time) => write!(f, "the date {time:?} has no tick: allowed is 1970-01-01 to 2554-07-21 UTC"),
            Kind::Full(what) => write!(f, "full: {what}"),
            Kind::NoMemory { words } => write!(f, "no memory for {words} words of 8 bytes"),
            Kind::NoRandomness => f.write_str("the operating system gave no random secret"),
        }
    }
}

impl std::error::Error for Error {}
