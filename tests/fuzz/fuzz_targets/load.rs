//! Any bytes into `load` of both handles: a filter that continues, or a status.
#![no_main]
#![allow(dead_code, reason = "each target uses its own part")]

// The C functions that are called.
use capi as _;
use lately::Field;

#[path = "../../../c_tests/adversarial/mod.rs"]
mod adversarial;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    adversarial::load::any(bytes);
});
