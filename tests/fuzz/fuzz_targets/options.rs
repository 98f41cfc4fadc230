//! Any request: a plan or an error that names a field, and a filter within its memory.
#![no_main]
#![allow(dead_code, reason = "each target uses its own part")]

// The C functions that are called.
use capi as _;
use lately::Field;

#[path = "../../../c_tests/adversarial/mod.rs"]
mod adversarial;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    adversarial::request::ask(bytes);
});
