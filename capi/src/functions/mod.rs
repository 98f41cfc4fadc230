//! The C functions of the two handles, one line each: the body is the generic one of `life`, `one_key`, `batch` or
//! `snapshot`.
#![allow(unsafe_op_in_unsafe_fn, reason = "a function asks of its caller what its body asks, as its comment says")]

mod filter;
mod hashed;
mod one_key;

mod age;
mod claim;

mod batch;

mod in_place;

mod snapshot;

mod shared;
mod shared_claim;
mod shared_in_place;
mod shared_many;
