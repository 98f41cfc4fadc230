//! The C ABI of `lately`. A function checks its pointers, calls one verb of the library, and writes its answer, inside a
//! boundary that no panic crosses. The two handles have the same verbs, whose bodies are written once, generic over
//! [`handle::Handle`]; `functions/` has what C sees of them, one line each.
//!
//! `include/lately.h` is generated from these files, in the order below (`tests/house/header.rs`), so the comments of what it
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

mod filter;
mod shared;

mod age;
mod batch;
mod claim;
mod hashed;
mod in_place;
mod life;
mod one_key;
mod snapshot;

mod functions;

#[cfg(feature = "testing")]
mod testing;
