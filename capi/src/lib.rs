//! The C ABI of `lately`. A function checks its pointers, calls one verb of the library, and writes its answer, inside a
//! boundary that no panic crosses. There is one handle (`handle.rs`), of two variants; each verb is written once for both.
//!
//! `include/lately.h` is generated from these files, in the order below (`tests/house/header/mod.rs`), so the comments of what it
//! shows speak to C callers.
#![allow(unsafe_code, reason = "C hands over pointers")]
#![allow(non_camel_case_types, reason = "the names are those of the C header")]
#![allow(unreachable_pub, reason = "the header generator reads `pub` items only")]

mod boundary;
mod growing;
mod handle;
mod pointers;

mod version;

mod status;

mod error;

mod options;

mod plan;

mod stats;

mod hash;

mod key;

mod keys;

mod claim;

mod life;

mod snapshot;

#[cfg(feature = "testing")]
mod testing;

// The structs, for tests in Rust that call the functions as C does.
#[cfg(feature = "testing")]
pub use {
    keys::lately_keys, options::lately_options, plan::lately_plan_result, snapshot::lately_load_options,
    stats::lately_stats,
};
