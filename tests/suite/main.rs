//! The tests of the library, as one program: `cargo test --test suite window::` runs those of `window.rs`.
//!
//! A file that needs a process to itself is a program of `tests/` instead: for its allocator (`clocks`, `memory`, `one_call`,
//! `refused`, `snapshot_hostile`), its memory (`resident`, `unobtainable`), its features (`metrics`, `serde`) or its flags (`orders`).

#[path = "../common/mod.rs"]
mod common;

mod age_partitioned;
mod ages;
mod bits_per_key;
mod bursts;
mod churn;
mod claims;
mod claims_saved;
mod claims_vectors;
mod contract;
mod divided;
mod elastic;
mod elastic_limit;
mod elastic_shared;
mod file;
mod format;
mod golden;
mod in_place;
mod keyed;
mod keys;
mod lateness;
mod million;
mod parts;
mod plans;
mod quotient;
mod rates;
mod removal;
mod shared;
mod snapshot;
mod snapshot_growth;
mod snapshot_machines;
mod snapshot_shared;
mod sparse;
mod staleness;
mod tiny_set;
mod traced;
mod vectors;
mod verbs;
mod window;
