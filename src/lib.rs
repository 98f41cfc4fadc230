//! <!-- Where the links of the page below lead on docs.rs: these definitions come first, so they win. -->
//! [the page about claims]: https://github.com/lately/lately/blob/main/docs/how-to/claim-then-commit.md
//! [the page about clocks]: https://github.com/lately/lately/blob/main/docs/reference/clocks.md
//! [Which kind is for which job]: https://github.com/lately/lately/blob/main/docs/how-to/choose-a-kind.md
//! [promises]: https://github.com/lately/lately/blob/main/docs/reference/promises.md
//! [security]: https://github.com/lately/lately/blob/main/docs/explanation/security.md
//! [the format of snapshots]: https://github.com/lately/lately/blob/main/docs/reference/format.md
//! [costs]: https://github.com/lately/lately/blob/main/docs/reference/costs.md
//! [the architecture of the code]: https://github.com/lately/lately/blob/main/docs/explanation/architecture.md
//! [`Clock`]: crate::Clock
//! [`Error`]: crate::Error
//! [`Filter`]: crate::Filter
//! [`Filter::abandon`]: crate::Filter::abandon
//! [`Filter::claim`]: crate::Filter::claim
//! [`Filter::commit`]: crate::Filter::commit
//! [`Filter::load`]: crate::Filter::load
//! [`Filter::open`]: crate::Filter::open
//! [`Filter::plan`]: crate::Filter::plan
//! [`Filter::save`]: crate::Filter::save
//! [`Filter::snapshot_write`]: crate::Filter::snapshot_write
//! [`Guarded`]: crate::Guarded
//! [`Keys`]: crate::Keys
//! [`Kind`]: crate::Kind
//! [`Observe`]: crate::Observe
//! [`OnLimit`]: crate::OnLimit
//! [`Options::last`]: crate::Options::last
//! [`Options::new`]: crate::Options::new
//! [`Options::window`]: crate::Options::window
//! [`SharedFilter`]: crate::SharedFilter
//! [`SharedFilter::guard`]: crate::SharedFilter::guard
//! [`SharedFilter::unshared`]: crate::SharedFilter::unshared
//! [`SharedFilter::guard_owned`]: crate::SharedFilter::guard_owned
//! [`first`]: https://github.com/lately/lately/blob/main/src/first.rs
//! [`key`]: https://github.com/lately/lately/blob/main/src/key.rs
//! [`Stats`]: crate::Stats
//! [`Tick`]: crate::Tick
#![doc = include_str!("../docs/reference/rust.md")]

#[doc(hidden)]
pub mod abi;
mod bit_string;
mod bits;
mod cells;
mod chunk;
mod claims;
mod clock;
mod counters;
mod edge;
mod error;
mod field;
mod file;
mod filter;
mod first;
mod handle;
mod hash;
mod key;
mod key_buffer;
mod keys;
mod kind;
#[doc(hidden)]
pub mod metrics;
mod num;
mod observe;
mod options;
mod raw;
#[cfg(feature = "serde")]
mod request;
mod rng;
mod secret;
mod shared;
mod simd;
mod snapshot;
mod sync;
mod text;
mod tick;
mod unit;
mod wire;

pub use claims::values::{Claim, Committed, Token};
pub use edge::Stopped;
pub use error::{Code, Error};
pub use field::Field;
pub use file::Opened;
pub use filter::values::{Age, PlanSummary, Stats, Verdict};
pub use first::{First, first};
pub use handle::Filter;
pub use hash::{KeyHash, hash64};
pub use key::{Key, KeyPart, KeyValue, key};
pub use key_buffer::KeyBuffer;
pub use keys::{Column, Keys, Offsets, Validity};
pub use kind::Kind;
#[cfg(feature = "metrics")]
pub use metrics::Metrics;
pub use observe::Observe;
pub use options::{Clock, OnLimit, Options, Repeat, Variant};
pub use secret::Secret;
pub use shared::{Guard, Guarded, SharedFilter};
pub use snapshot::LoadOptions;
pub use tick::Tick;
pub use unit::Unit;

/// The examples of the pages, run as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/tutorial/rust.md")]
#[cfg_attr(feature = "metrics", doc = include_str!("../docs/reference/metrics.md"))]
#[doc = include_str!("../docs/how-to/claim-then-commit.md")]
#[doc = include_str!("../docs/how-to/handle-only-in-flight.md")]
#[doc = include_str!("../docs/how-to/judge-records-out-of-order.md")]
#[doc = include_str!("../docs/how-to/refuse-replayed-nonces.md")]
#[doc = include_str!("../docs/how-to/restart-without-a-gap.md")]
#[doc = include_str!("../docs/how-to/share-a-filter-between-threads.md")]
#[doc = include_str!("../docs/how-to/use-it-in-async-code.md")]
struct Pages;
