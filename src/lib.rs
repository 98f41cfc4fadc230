//! "Have I seen this lately?": duplicate detection in unbounded streams, in bounded memory.
//!
//! ```
//! use lately::{Filter, Options, Verdict};
//! use std::time::Duration;
//!
//! // Which orders came within the last ten minutes? One in a thousand new ones is taken for a repeat, none is missed.
//! let options = Options::window(Duration::from_secs(600)).error_rate(1e-3).memory(64 << 20);
//! let mut seen = Filter::new(&options)?;
//! assert_eq!(seen.observe("order-17")?, Verdict::New);
//! assert_eq!(seen.observe("order-17")?, Verdict::Duplicate);
//! # Ok::<(), lately::Error>(())
//! ```
//!
//! - [`Options`] says what is wanted: [`Options::window`] a span of time, [`Options::last`] a number of keys, and the
//!   kinds of the papers. [`Filter::plan`] says what it comes to, before anything is allocated.
//! - [`Filter`] has one owner at a time, [`SharedFilter`] any number of threads; [`Observe`] is for code over either.
//! - Time is read from the system, or given by the caller with each call ([`ClockSource::Manual`], [`Tick`]).
//! - Without `memory` a filter with a window of time grows with its traffic. With it, [`OnLimit`] says what gives way, and
//!   [`Stats`] by how much.
//! - [`Filter::snapshot_write`] and [`Filter::load`] take a filter through a restart; the bytes are the same in every
//!   language.
//! - [`Error`] names the option at fault, its value and what is allowed. Nothing is clamped, nothing panics.
//!
//! # For those who read the source
//!
//! | layer | files | names only |
//! | --- | --- | --- |
//! | L0 | `num` `text` `error` `field` `kind` `raw` `simd` `sync` `counters` `bits` `bit_string` `cells` | lower files of L0 |
//! | L1 | `options` `request` `hash` `tick` `rng` `wire` | L0, `options` |
//! | L2 | `filter/<kind>` over `filter/values`, `filter/contract` and `filter/striped`, listed in `filter/any` | L0, L1, never another kind |
//! | L3 | `clock` `edge` `chunk` `snapshot` `handle` `shared` `observe` | L0 to L2, lower files of L3 |
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
mod chunk;
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
mod observe;
mod options;
mod raw;
#[cfg(feature = "serde")]
mod request;
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
pub use observe::Observe;
pub use options::{ClockSource, OnLimit, Options, Repeat, Variant};
pub use shared::SharedFilter;
pub use snapshot::LoadOptions;
pub use tick::Tick;

/// The examples of the README, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
