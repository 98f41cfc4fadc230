//! What lies under a key: a filter, with the memory that it takes. And counters of all filters, for `INFO lately`.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use lately_commands::Value;

use crate::{alloc, claims};

/// A filter of the server.
pub(crate) struct Entry {
    pub(crate) value: Value,
    /// Bytes that it takes, this struct included.
    bytes: isize,
    /// A panic went through it: a bug, and its state is not to be trusted.
    pub(crate) broken: bool,
}

/// Filters there are.
pub(crate) static FILTERS: AtomicI64 = AtomicI64::new(0);
/// Bytes that they take.
pub(crate) static BYTES: AtomicI64 = AtomicI64::new(0);
/// Items that were new.
pub(crate) static NEW: AtomicU64 = AtomicU64::new(0);
/// Items that were seen.
pub(crate) static DUPLICATES: AtomicU64 = AtomicU64::new(0);

impl Entry {
    /// An entry whose bytes were not counted yet.
    pub(crate) fn new(value: Value) -> Box<Self> {
        FILTERS.fetch_add(1, Relaxed);
        Box::new(Self { value, bytes: 0, broken: false })
    }

    /// An entry of the value that `make` makes, with its bytes.
    pub(crate) fn measured<E>(make: impl FnOnce() -> Result<Value, E>) -> Result<Box<Self>, E> {
        let before = alloc::held();
        let mut entry = Self::new(make()?);
        entry.grow(alloc::held() - before);
        Ok(entry)
    }

    /// Hands it over to the server, which gives it back when it is freed.
    pub(crate) fn hand_over(self: Box<Self>) -> *mut Self {
        let entry = Box::into_raw(self);
        claims::came(entry);
        entry
    }

    /// It takes that number of bytes more, or less.
    pub(crate) fn grow(&mut self, bytes: isize) {
        self.bytes += bytes;
        BYTES.fetch_add(bytes as i64, Relaxed);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.max(0) as usize
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        claims::goes(self);
        FILTERS.fetch_sub(1, Relaxed);
        BYTES.fetch_sub(self.bytes as i64, Relaxed);
    }
}
