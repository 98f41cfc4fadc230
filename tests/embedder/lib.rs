//! A shared object that uses the library crate: its only export is `embedder_knows` (`artefacts.embedder`).
#![allow(unsafe_code, reason = "exports a function")]

use std::sync::Mutex;

use lately::{Filter, Options};

static SEEN: Mutex<Option<Filter>> = Mutex::new(None);

/// Whether the number came before; -1 for no answer.
#[unsafe(no_mangle)]
pub extern "C" fn embedder_knows(number: u64) -> i32 {
    let Ok(mut seen) = SEEN.lock() else { return -1 };
    if seen.is_none() {
        *seen = Filter::new(&Options::quotient(1 << 16)).ok();
    }
    let verdict = seen.as_mut().and_then(|seen| seen.observe(&number.to_le_bytes()).ok());
    verdict.map_or(-1, |verdict| i32::from(verdict.is_duplicate()))
}
