//! Where panics stop and every failure becomes a status.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use library::{Code, Error, Field, Stopped};

use crate::status::{LATELY_ERR_PANIC, LATELY_OK, lately_status};

/// Why a call was refused: by the library, or here before the library was asked.
#[derive(Debug)]
pub enum Fault {
    Core(Error),
    Null(&'static str),
    Size { of: &'static str, have: usize, range: &'static str },
    Dirty { of: &'static str, byte: usize },
    Reserved { name: &'static str, value: u32 },
    Option { name: &'static str, value: u32, range: &'static str },
    Length(&'static str),
    Unaligned(&'static str),
    Short(&'static str),
    Poisoned,
    OneOwner,
    NowhereToAdvance,
}

impl Fault {
    pub fn status(&self) -> lately_status {
        match self {
            Self::Core(error) => error.code(),
            Self::Null(_) => Code::Null,
            Self::Size { .. } | Self::Dirty { .. } | Self::Reserved { .. } => Code::StructSize,
            Self::Option { .. } => Code::Option,
            Self::Length(_) | Self::Unaligned(_) => Code::Offsets,
            Self::Short(_) => Code::ShortBuffer,
            Self::Poisoned => Code::Poisoned,
            Self::OneOwner => Code::Unsupported,
            Self::NowhereToAdvance => Code::Clock,
        }
        .number()
    }

    /// The number of the option at fault, 0 where there is none.
    pub fn field(&self) -> u32 {
        match self {
            Self::Core(error) => error.field().map_or(0, Field::number),
            _ => 0,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Core(error) => error.fmt(f),
            Self::Null(what) => write!(f, "{what} is NULL"),
            Self::Size { of, have, range } => write!(f, "{of}.struct_size = {have}: must be {range}"),
            Self::Dirty { of, byte } => write!(f, "{of}: byte {byte} is not 0, and this library knows no option there"),
            Self::Reserved { name, value } => write!(f, "{name} = {value}: must be 0"),
            Self::Option { name, value, range } => write!(f, "{name} = {value}: must be {range}"),
            Self::Length(what) => write!(f, "{what} exceeds the address space"),
            Self::Unaligned(what) => write!(f, "{what} is not aligned for its type"),
            Self::Short(what) => write!(f, "the buffer is too short for the {what}"),
            Self::OneOwner => {
                f.write_str("retain: a filter of lately_filter_new has one owner; lately_shared_new makes one for many")
            }
            Self::NowhereToAdvance => f.write_str("advance needs a tick: LATELY_NOW is where the clock is"),
            Self::Poisoned => f.write_str("an earlier call panicked in this handle: only freeing it works"),
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}

impl From<Stopped> for Fault {
    fn from(stopped: Stopped) -> Self {
        Self::Core(stopped.error)
    }
}

/// Runs the body of a C function. No panic gets out; `None` is one that was stopped here.
pub fn catch<T>(body: impl FnOnce() -> T) -> Option<T> {
    // What a panic may have left half done is behind a handle that is poisoned by it, or is dropped.
    catch_unwind(AssertUnwindSafe(body)).ok()
}

/// The body of a C function as its status.
pub fn boundary(body: impl FnOnce() -> Result<(), Fault>) -> lately_status {
    catch(body).map_or(LATELY_ERR_PANIC, status_of)
}

/// The status of a call that did not panic.
pub fn status_of(result: Result<(), Fault>) -> lately_status {
    result.map_or_else(|fault| fault.status(), |()| LATELY_OK)
}
