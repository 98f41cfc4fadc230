//! Why a cold call failed, in words, in memory of the caller.

use std::ffi::c_char;
use std::fmt;

use library::Field;
use library::abi::Text;

use crate::boundary::{Fault, boundary, catch, status_of};
use crate::growing::{Growing, Out};
use crate::status::{LATELY_ERR_PANIC, LATELY_OK, lately_status};

// <options>
/// `lately_options.kind`.
pub const LATELY_FIELD_KIND: u32 = 1;
/// `lately_options.clock`.
pub const LATELY_FIELD_CLOCK: u32 = 2;
/// `lately_options.repeat`.
pub const LATELY_FIELD_REPEAT: u32 = 3;
/// `lately_options.on_limit`.
pub const LATELY_FIELD_ON_LIMIT: u32 = 4;
/// `lately_options.window_ns`.
pub const LATELY_FIELD_WINDOW_NS: u32 = 5;
/// `lately_options.window_keys`.
pub const LATELY_FIELD_WINDOW_KEYS: u32 = 6;
/// `lately_options.capacity`.
pub const LATELY_FIELD_CAPACITY: u32 = 7;
/// `lately_options.error_rate`.
pub const LATELY_FIELD_ERROR_RATE: u32 = 8;
/// `lately_options.miss_rate`.
pub const LATELY_FIELD_MISS_RATE: u32 = 9;
/// `lately_options.memory`.
pub const LATELY_FIELD_MEMORY: u32 = 10;
/// `lately_options.max_step_ns`.
pub const LATELY_FIELD_MAX_STEP_NS: u32 = 11;
/// `lately_options.k`.
pub const LATELY_FIELD_K: u32 = 12;
/// `lately_options.l`.
pub const LATELY_FIELD_L: u32 = 13;
/// `lately_options.max_slices`.
pub const LATELY_FIELD_MAX_SLICES: u32 = 14;
/// `lately_options.fill`.
pub const LATELY_FIELD_FILL: u32 = 15;
/// `lately_options.variant`.
pub const LATELY_FIELD_VARIANT: u32 = 16;
/// `lately_options.fingerprint_bits`.
pub const LATELY_FIELD_FINGERPRINT_BITS: u32 = 17;
/// `lately_options.semi_sort`.
pub const LATELY_FIELD_SEMI_SORT: u32 = 18;
/// `lately_options.removable`.
pub const LATELY_FIELD_REMOVABLE: u32 = 19;
/// `lately_options.block_bytes`.
pub const LATELY_FIELD_BLOCK_BYTES: u32 = 20;
/// `lately_options.chains`.
pub const LATELY_FIELD_CHAINS: u32 = 21;
/// `lately_options.load`.
pub const LATELY_FIELD_LOAD: u32 = 22;
/// `lately_options.keyed`.
pub const LATELY_FIELD_KEYED: u32 = 23;
/// `lately_options.seed`.
pub const LATELY_FIELD_SEED: u32 = 24;
/// `lately_options.secret_lo`.
pub const LATELY_FIELD_SECRET_LO: u32 = 25;
/// `lately_options.secret_hi`.
pub const LATELY_FIELD_SECRET_HI: u32 = 26;
/// `lately_options.age_bits`.
pub const LATELY_FIELD_AGE_BITS: u32 = 27;
/// `lately_options.lateness_ns`.
pub const LATELY_FIELD_LATENESS_NS: u32 = 28;
/// `lately_options.lease_ns`.
pub const LATELY_FIELD_LEASE_NS: u32 = 29;
/// `lately_options.max_claims`.
pub const LATELY_FIELD_MAX_CLAIMS: u32 = 30;

/// In the order of their numbers.
const FIELDS: [u32; 30] = [
    LATELY_FIELD_KIND,
    LATELY_FIELD_CLOCK,
    LATELY_FIELD_REPEAT,
    LATELY_FIELD_ON_LIMIT,
    LATELY_FIELD_WINDOW_NS,
    LATELY_FIELD_WINDOW_KEYS,
    LATELY_FIELD_CAPACITY,
    LATELY_FIELD_ERROR_RATE,
    LATELY_FIELD_MISS_RATE,
    LATELY_FIELD_MEMORY,
    LATELY_FIELD_MAX_STEP_NS,
    LATELY_FIELD_K,
    LATELY_FIELD_L,
    LATELY_FIELD_MAX_SLICES,
    LATELY_FIELD_FILL,
    LATELY_FIELD_VARIANT,
    LATELY_FIELD_FINGERPRINT_BITS,
    LATELY_FIELD_SEMI_SORT,
    LATELY_FIELD_REMOVABLE,
    LATELY_FIELD_BLOCK_BYTES,
    LATELY_FIELD_CHAINS,
    LATELY_FIELD_LOAD,
    LATELY_FIELD_KEYED,
    LATELY_FIELD_SEED,
    LATELY_FIELD_SECRET_LO,
    LATELY_FIELD_SECRET_HI,
    LATELY_FIELD_AGE_BITS,
    LATELY_FIELD_LATENESS_NS,
    LATELY_FIELD_LEASE_NS,
    LATELY_FIELD_MAX_CLAIMS,
];
// </options>

/// Why `lately_plan`, `lately_filter_new` or `lately_filter_load` failed. Set `struct_size` (LATELY_ERROR_INIT does) and pass its
/// address; it is filled on every failure and emptied on success.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct lately_error {
    /// sizeof(lately_error), set by the caller.
    pub struct_size: usize,
    /// The status that the call returned.
    pub code: lately_status,
    /// The option at fault, one of LATELY_FIELD_*; 0 if none is.
    pub field: u32,
    /// What is wrong, and the range or the reason: UTF-8, ends in NUL, empty on success.
    pub message: [c_char; 256],
}

// SAFETY: size_t, two 32-bit integers and characters, no padding, any bytes are a value.
unsafe impl Growing for lately_error {
    const NAME: &'static str = "lately_error";
}

const _: () = assert!(size_of::<lately_error>() == size_of::<usize>() + 4 + 4 + 256);

impl lately_error {
    /// The detail of a result; of a panic (`None`) there is no more to say than that.
    fn of(result: &Option<Result<(), Fault>>) -> Self {
        match result {
            Some(Ok(())) => Self::with(LATELY_OK, 0, ""),
            Some(Err(fault)) => Self::with(fault.status(), fault.field(), fault),
            None => Self::with(LATELY_ERR_PANIC, 0, "a bug in the library: it panicked"),
        }
    }

    fn with(code: lately_status, field: u32, said: impl fmt::Display) -> Self {
        let mut message = [0; 256];
        let text = Text::<255>::of(said);
        for (to, from) in message.iter_mut().zip(text.as_str().bytes()) {
            *to = c_char::from_ne_bytes([from]);
        }
        Self { struct_size: size_of::<Self>(), code, field, message }
    }
}

/// The body of a cold C function as its status, with the detail in `error` unless that is NULL.
pub fn explained(error: Out<lately_error>, body: impl FnOnce() -> Result<(), Fault>) -> lately_status {
    if error.is_null() {
        return boundary(body);
    }
    if let Err(fault) = expect_room(error) {
        return fault.status();
    }
    let result = catch(body);
    let written = error.write(&lately_error::of(&result));
    result.map_or(LATELY_ERR_PANIC, |result| status_of(written.and(result)))
}

/// A message cut short by an older struct would not end in NUL: this struct has had its size from the start.
fn expect_room(error: Out<lately_error>) -> Result<(), Fault> {
    match error.size()? {
        have if have < size_of::<lately_error>() => {
            Err(Fault::Size { of: lately_error::NAME, have, range: "sizeof(lately_error)" })
        }
        _ => Ok(()),
    }
}

/// The numbers of the header are those of the table: one that differs, or is missing, does not compile.
const _: () = {
    assert!(FIELDS.len() == Field::ALL.len());
    let mut i = 0;
    while i < FIELDS.len() {
        assert!(FIELDS[i] == Field::ALL[i].number());
        i += 1;
    }
};
