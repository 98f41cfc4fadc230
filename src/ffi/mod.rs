//! The C ABI: one file per C type. A body checks its pointers, calls one function of the crate, and writes its
//! answer; every body runs inside [`boundary`], so no panic crosses into C.
//!
//! `include/lately.h` is generated from these files (`tests/header.rs`), so their comments speak to C callers.
#![allow(unsafe_code, reason = "C hands over pointers: the one room for unsafe beside raw.rs")]
#![allow(non_camel_case_types, reason = "the names are those of the C header")]
#![allow(unreachable_pub, reason = "the header generator reads `pub` items only")]

mod arrays;
mod batch;
mod boundary;
mod error;
mod filter;
mod growing;
mod hash;
mod options;
mod plan;
mod pointers;
mod shared;
mod single;
mod snapshot;
mod stats;
mod status;
mod version;

#[cfg(feature = "testing")]
mod testing;
