//! What the crates of the C ABI (`capi/`) and of Python need of this one, in addition to the public names.
//!
//! No part of the public API: it changes with the C ABI and without notice. The hidden methods of [`Filter`](crate::Filter) and
//! [`SharedFilter`] belong to it as well.

use std::io;

use crate::error::Error;
use crate::raw;
use crate::shared::SharedFilter;

pub use crate::counters::Holders;
pub use crate::field::Shape;
pub use crate::file::{open_shared, save_shared};
pub use crate::keys::AnyKeys;
pub use crate::text::Text;

/// The error of a stream: that of the snapshot in it, or `IO`.
#[must_use]
pub fn of_stream(error: io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => error,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Error::corrupt_structure("it ends too early"),
        Err(error) => Error::io(error),
    }
}

/// A value in memory of its own.
///
/// # Errors
/// No memory.
pub fn boxed<T>(value: T) -> Result<Box<T>, Error> {
    raw::boxed(value)
}

/// Divides a filter among its locks, as threads do that wait for each other: for tests of one thread.
pub fn divide(filter: &SharedFilter) {
    filter.divide();
}
