//! Status codes: numbers that never change and are never used again, and their names.

use std::ffi::{CStr, c_char};

use library::Code;

/// The outcome of a call: LATELY_OK or one of LATELY_ERR_*. A verdict is never a status; it is an out-parameter.
pub type lately_status = i32;

/// Done.
pub const LATELY_OK: lately_status = 0;
/// A required pointer is NULL.
pub const LATELY_ERR_NULL: lately_status = 1;
/// A `struct_size` that no version of the struct has, or a non-zero byte past the part that this library knows.
pub const LATELY_ERR_STRUCT_SIZE: lately_status = 2;
/// An option is missing, out of range, contradicts another, or is not one of this kind; `lately_error.field` names
/// it.
pub const LATELY_ERR_OPTION: lately_status = 3;
/// Offsets that decrease or leave the bytes, or a length that exceeds the address space.
pub const LATELY_ERR_OFFSETS: lately_status = 4;
/// This filter does not support the call: its kind does not, or hashes and a keyed filter were mixed.
pub const LATELY_ERR_UNSUPPORTED: lately_status = 5;
/// Ticks were given to a filter that reads the system's clock, or that has no time.
pub const LATELY_ERR_CLOCK: lately_status = 6;
/// A tick leads the filter's clock by more than `max_step_ns`.
pub const LATELY_ERR_TICK: lately_status = 7;
/// The token of a commit was never given out for this key.
pub const LATELY_ERR_CLAIM: lately_status = 8;
/// `max_claims` claims are open. Or the filter is full: a removable set has no room left in the block of a key. That is no
/// sign of overload: far past its capacity nearly every key is a duplicate and nothing is stored. Watch `stats.error_rate`.
pub const LATELY_ERR_FULL: lately_status = 100;
/// An earlier call on this handle returned LATELY_ERR_PANIC; only freeing it works.
pub const LATELY_ERR_POISONED: lately_status = 101;
/// The object was closed. For bindings; no function here returns it.
pub const LATELY_ERR_CLOSED: lately_status = 102;
/// The buffer is too short; the size needed was written.
pub const LATELY_ERR_SHORT_BUFFER: lately_status = 200;
/// The bytes are not a snapshot.
pub const LATELY_ERR_MAGIC: lately_status = 201;
/// The snapshot has a format version that this library does not read.
pub const LATELY_ERR_VERSION: lately_status = 202;
/// The checksum of the snapshot is wrong.
pub const LATELY_ERR_CHECKSUM: lately_status = 203;
/// The snapshot contradicts itself.
pub const LATELY_ERR_CORRUPT: lately_status = 204;
/// The snapshot needs more memory than the caller allows.
pub const LATELY_ERR_TOO_LARGE: lately_status = 205;
/// The secret of a keyed filter is missing or wrong.
pub const LATELY_ERR_SECRET: lately_status = 206;
/// The time that passed since the snapshot is missing or impossible.
pub const LATELY_ERR_ELAPSED: lately_status = 207;
/// The options of the filter are others than those expected; `lately_error.field` names the first that differs.
pub const LATELY_ERR_OPTIONS_DIFFER: lately_status = 208;
/// The caller's writer or reader failed, or a file could not be opened, read or written.
pub const LATELY_ERR_IO: lately_status = 300;
/// A bug in the library: a panic was caught before it reached C. The handle is poisoned.
pub const LATELY_ERR_PANIC: lately_status = 900;
/// The system gave no memory or no randomness.
pub const LATELY_ERR_NO_MEMORY: lately_status = 901;

/// Declares the names and checks at compile time that every number is that of the crate.
macro_rules! names {
    ($($status:ident = $code:ident $name:literal $text:literal),+ $(,)?) => {
        $(const _: () = assert!($status == Code::$code.number());)+

        const fn name(status: lately_status) -> &'static CStr {
            match status {
                LATELY_OK => c"OK",
                $($status => $name,)+
                _ => c"UNKNOWN",
            }
        }

        const fn text(status: lately_status) -> &'static CStr {
            match status {
                LATELY_OK => c"done",
                $($status => $text,)+
                _ => c"a status that this library does not have",
            }
        }
    };
}

names! {
    LATELY_ERR_NULL = Null c"NULL" c"a required pointer is NULL",
    LATELY_ERR_STRUCT_SIZE = StructSize c"STRUCT_SIZE" c"a struct has a size or a tail that this library does not know",
    LATELY_ERR_OPTION = Option c"OPTION" c"an option is missing, out of range, or contradicts another",
    LATELY_ERR_OFFSETS = Offsets c"OFFSETS" c"the offsets decrease or leave the bytes, or a length exceeds the address space",
    LATELY_ERR_UNSUPPORTED = Unsupported c"UNSUPPORTED" c"this filter cannot do that: its kind cannot, it has no lease for claims, or it is keyed and takes no hashes",
    LATELY_ERR_CLOCK = Clock c"CLOCK" c"the call does not fit the clock of the filter",
    LATELY_ERR_TICK = Tick c"TICK" c"the tick is too far ahead of the filter's clock, or too large",
    LATELY_ERR_CLAIM = Claim c"CLAIM" c"the token was never given out for this key",
    LATELY_ERR_FULL = Full c"FULL" c"the filter, or the table of its claims, is full",
    LATELY_ERR_POISONED = Poisoned c"POISONED" c"an earlier call panicked in this handle",
    LATELY_ERR_CLOSED = Closed c"CLOSED" c"the filter was closed",
    LATELY_ERR_SHORT_BUFFER = ShortBuffer c"SHORT_BUFFER" c"the buffer is too short",
    LATELY_ERR_MAGIC = Magic c"MAGIC" c"the bytes are not a snapshot",
    LATELY_ERR_VERSION = Version c"VERSION" c"the snapshot has a format version that this library does not read",
    LATELY_ERR_CHECKSUM = Checksum c"CHECKSUM" c"the checksum of the snapshot is wrong",
    LATELY_ERR_CORRUPT = Corrupt c"CORRUPT" c"the snapshot contradicts itself",
    LATELY_ERR_TOO_LARGE = TooLarge c"TOO_LARGE" c"the snapshot needs more memory than is allowed",
    LATELY_ERR_SECRET = Secret c"SECRET" c"the secret of a keyed filter is missing or wrong",
    LATELY_ERR_ELAPSED = Elapsed c"ELAPSED" c"the time since the snapshot is missing or impossible",
    LATELY_ERR_OPTIONS_DIFFER = OptionsDiffer c"OPTIONS_DIFFER" c"the filter was made with other options",
    LATELY_ERR_IO = Io c"IO" c"reading or writing failed",
    LATELY_ERR_PANIC = Panic c"PANIC" c"a bug in the library: it panicked",
    LATELY_ERR_NO_MEMORY = NoMemory c"NO_MEMORY" c"the system gave no memory or no randomness",
}

/// The name of a status: that of its constant without LATELY_ or LATELY_ERR_, such as "STRUCT_SIZE".
///
/// - `status` (in): any number.
///
/// Returns: a string that ends in NUL and lives as long as the program, "UNKNOWN" for a number that this library does
/// not have; never NULL. Never fails.
/// Cost: none.
#[unsafe(no_mangle)]
pub extern "C" fn lately_status_name(status: lately_status) -> *const c_char {
    name(status).as_ptr()
}

/// What a status means, in a sentence without its full stop, for a message. `lately_error.message` says more, where
/// there is one.
///
/// - `status` (in): any number.
///
/// Returns: a string that ends in NUL and lives as long as the program; never NULL. Never fails.
/// Cost: none.
#[unsafe(no_mangle)]
pub extern "C" fn lately_status_text(status: lately_status) -> *const c_char {
    text(status).as_ptr()
}
