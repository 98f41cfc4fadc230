//! "Have I seen this lately?": duplicate detection in unbounded streams, in bounded memory.
//!
//! | layer | files | names only |
//! | --- | --- | --- |
//! | L0 | `num` `text` `error` `field` `kind` `raw` `simd` `sync` `counters` `bits` `bit_string` `cells` | lower files of L0 |
//! | L1 | `options` `hash` `tick` `rng` `wire` | L0, `options` |
//! | L2 | `filter/<kind>` over `filter/values`, `filter/contract` and `filter/striped`, listed in `filter/any` | L0, L1, never another kind |
//! | L3 | `clock` `edge` `snapshot` `handle` `shared` | L0 to L2, lower files of L3 |
//! | L4 | `abi`: the door of the C ABI, the crate in `capi/` | everything |
//!
//! The verbs of a filter do not know who hashed the key, what time it is, whether a lock is held or where a snapshot
//! goes. Each kind has two files beside them that do: `shared.rs` says which lock guards what, and `snapshot.rs` which of
//! its numbers are kept, as bytes through `wire`.

#[doc(hidden)]
pub mod abi;
mod bit_string;
mod bits;
mod cells;
mod clock;
mod counters;
mod edge;
mod error;
mod field;
mod filter;
mod handle;
mod hash;
mod kind;
mod num;
mod options;
mod raw;
mod rng;
mod shared;
mod simd;
mod snapshot;
mod sync;
mod text;
mod tick;
mod wire;

pub use edge::{Keys, Stopped};
pub use error::{Code, Error};
pub use field::Field;
pub use filter::values::{Age, PlanSummary, Stats, Verdict};
pub use handle::Filter;
pub use hash::{KeyHash, hash64};
pub use kind::Kind;
pub use options::{ClockSource, OnLimit, Options, Repeat, Variant};
pub use shared::SharedFilter;
pub use snapshot::LoadOptions;
pub use tick::Tick;

/// The examples of the README, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
