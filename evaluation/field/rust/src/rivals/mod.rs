//! The packages of others, one file each.

mod dedupe_cache;
mod deduper;
mod moka;

use lately_field::rival::{Entry, SIMPLE};

/// All rivals of this program.
pub(crate) fn all() -> Vec<Entry> {
    let packages = [moka::ENTRY, dedupe_cache::ENTRY, deduper::ENTRY];
    SIMPLE.into_iter().chain(packages).collect()
}
