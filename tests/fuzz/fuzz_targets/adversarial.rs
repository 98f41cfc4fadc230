//! Any bytes against the C ABI, as `c_tests/adversarial/` judges them: LATELY_FUZZ says in which way.
#![no_main]
#![allow(dead_code, reason = "not every part of it is used here")]

use std::sync::LazyLock;

// The C functions that are called.
use capi as _;

#[path = "../../../c_tests/adversarial/mod.rs"]
mod adversarial;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| match std::env::var("LATELY_FUZZ").as_deref() {
    // Any sequence of calls, on both handles at once, against the exact oracle.
    Ok("calls") => |bytes| _ = adversarial::play(bytes),
    // Must fail: the same against an oracle whose promise is one tick too long.
    Ok("canary") => |bytes| _ = adversarial::play_with_an_impossible_promise(bytes),
    // Any bytes into `load` of both handles: a filter that continues, or a status.
    Ok("load") => |bytes| _ = adversarial::load::any(bytes),
    // What comes of `load` is used 10,000 times and weighed.
    Ok("weigh") => |bytes| _ = adversarial::load::weigh(bytes),
    // Any request: a plan or an error that names a field, and a filter within its memory.
    Ok("options") => |bytes| _ = adversarial::request::ask(bytes),
    other => panic!("LATELY_FUZZ = {other:?}: must be calls, canary, load, weigh or options"),
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
