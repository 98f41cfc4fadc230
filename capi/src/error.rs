//! Why a cold call failed, in words, in memory of the caller.

use std::ffi::c_char;
use std::fmt;

use library::Field;
use library::abi::Text;

use crate::boundary::{Fault, boundary, catch, status_of};
use crate::growing::{Growing, Out};
use crate::status::{LATELY_ERR_PANIC, LATELY_OK, lately_status};

/// `kind`: which kind of filter.
pub const LATELY_FIELD_KIND: u32 = 1;
/// `clock`: which clock is used.
pub const LATELY_FIELD_CLOCK: u32 = 2;
/// `repeat`: how a repeat is treated.
pub const LATELY_FIELD_REPEAT: u32 = 3;
/// `on_limit`: what gives way at the memory limit.
pub const LATELY_FIELD_ON_LIMIT: u32 = 4;
/// `window_ns`: the window in nanoseconds.
pub const LATELY_FIELD_WINDOW_NS: u32 = 5;
/// `window_keys`: the window in insertions.
pub const LATELY_FIELD_WINDOW_KEYS: u32 = 6;
/// `capacity`: how many keys to plan for.
pub const LATELY_FIELD_CAPACITY: u32 = 7;
/// `error_rate`: the rate of false duplicates.
pub const LATELY_FIELD_ERROR_RATE: u32 = 8;
/// `miss_rate`: the rate of missed duplicates.
pub const LATELY_FIELD_MISS_RATE: u32 = 9;
/// `memory`: the most bytes to use.
pub const LATELY_FIELD_MEMORY: u32 = 10;
/// `max_step_ns`: how far a tick may lead the clock.
pub const LATELY_FIELD_MAX_STEP_NS: u32 = 11;
/// `k`: bits per key, or cells per row.
pub const LATELY_FIELD_K: u32 = 12;
/// `l`: full generations in the window.
pub const LATELY_FIELD_L: u32 = 13;
/// `max_slices`: the bound of the search on k + l.
pub const LATELY_FIELD_MAX_SLICES: u32 = 14;
/// `fill`: the fill of a full slice.
pub const LATELY_FIELD_FILL: u32 = 15;
/// `variant`: what a row does with a repeat, and which cell gives way.
pub const LATELY_FIELD_VARIANT: u32 = 16;
/// `fingerprint_bits`: bits of a fingerprint.
pub const LATELY_FIELD_FINGERPRINT_BITS: u32 = 17;
/// `semi_sort`: whether rows are sorted to save bits.
pub const LATELY_FIELD_SEMI_SORT: u32 = 18;
/// `removable`: whether keys can be removed.
pub const LATELY_FIELD_REMOVABLE: u32 = 19;
/// `block_bytes`: bytes of a block.
pub const LATELY_FIELD_BLOCK_BYTES: u32 = 20;
/// `chains`: chains of a block.
pub const LATELY_FIELD_CHAINS: u32 = 21;
/// `load`: keys per chain.
pub const LATELY_FIELD_LOAD: u32 = 22;
/// `keyed`: whether the hash has a secret.
pub const LATELY_FIELD_KEYED: u32 = 23;
/// `seed`: the seed of the hash.
pub const LATELY_FIELD_SEED: u32 = 24;
/// `secret_lo`: the low word of the secret.
pub const LATELY_FIELD_SECRET_LO: u32 = 25;
/// `secret_hi`: the high word of the secret.
pub const LATELY_FIELD_SECRET_HI: u32 = 26;
/// `age_bits`: bits of the age of a key.
pub const LATELY_FIELD_AGE_BITS: u32 = 27;
/// `lateness_ns`: how late a record may be and still be judged at its own time.
pub const LATELY_FIELD_LATENESS_NS: u32 = 28;
/// `lease_ns`: how long a claim stays open.
pub const LATELY_FIELD_LEASE_NS: u32 = 29;
/// `max_claims`: the most open claims.
pub const LATELY_FIELD_MAX_CLAIMS: u32 = 30;

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

/// Declares the constants' equality with the crate's numbers, at compile time.
macro_rules! fields {
    ($($constant:ident = $field:ident),+ $(,)?) => {
        $(const _: () = assert!($constant == Field::$field.number());)+
        const _: () = assert!([$($constant),+].len() == Field::ALL.len());
    };
}

fields! {
    LATELY_FIELD_KIND = Kind,
    LATELY_FIELD_CLOCK = Clock,
    LATELY_FIELD_REPEAT = Repeat,
    LATELY_FIELD_ON_LIMIT = OnLimit,
    LATELY_FIELD_WINDOW_NS = WindowNs,
    LATELY_FIELD_WINDOW_KEYS = WindowKeys,
    LATELY_FIELD_CAPACITY = Capacity,
    LATELY_FIELD_ERROR_RATE = ErrorRate,
    LATELY_FIELD_MISS_RATE = MissRate,
    LATELY_FIELD_MEMORY = Memory,
    LATELY_FIELD_MAX_STEP_NS = MaxStepNs,
    LATELY_FIELD_K = K,
    LATELY_FIELD_L = L,
    LATELY_FIELD_MAX_SLICES = MaxSlices,
    LATELY_FIELD_FILL = Fill,
    LATELY_FIELD_VARIANT = Variant,
    LATELY_FIELD_FINGERPRINT_BITS = FingerprintBits,
    LATELY_FIELD_SEMI_SORT = SemiSort,
    LATELY_FIELD_REMOVABLE = Removable,
    LATELY_FIELD_BLOCK_BYTES = BlockBytes,
    LATELY_FIELD_CHAINS = Chains,
    LATELY_FIELD_LOAD = Load,
    LATELY_FIELD_KEYED = Keyed,
    LATELY_FIELD_SEED = Seed,
    LATELY_FIELD_SECRET_LO = SecretLo,
    LATELY_FIELD_SECRET_HI = SecretHi,
    LATELY_FIELD_AGE_BITS = AgeBits,
    LATELY_FIELD_LATENESS_NS = LatenessNs,
    LATELY_FIELD_LEASE_NS = LeaseNs,
    LATELY_FIELD_MAX_CLAIMS = MaxClaims,
}
