//! What lies under a key, with the memory that it takes. And counters of all of them, for `INFO lately`.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

use lately_commands::Held;

use crate::{alloc, claims};

/// A filter of the server, or a part of one. It stays where it is until it is dropped.
pub(crate) struct Entry {
    pub(crate) held: Held,
    /// Bytes that it takes, this struct included.
    bytes: isize,
    /// A panic went through it: a bug, and its state is not to be trusted.
    broken: bool,
    /// What it adds to the counters of such filters, as of its last command.
    overfull: bool,
    ahead: bool,
}

/// Filters there are, parts included.
pub(crate) static FILTERS: AtomicI64 = AtomicI64::new(0);
/// Bytes that they take.
pub(crate) static BYTES: AtomicI64 = AtomicI64::new(0);
/// Sets with more items than their capacity.
pub(crate) static OVERFULL: AtomicI64 = AtomicI64::new(0);
/// Filters whose clock is ahead of the server's.
pub(crate) static AHEAD: AtomicI64 = AtomicI64::new(0);
/// Items that were new.
pub(crate) static NEW: AtomicU64 = AtomicU64::new(0);
/// Items that were seen.
pub(crate) static DUPLICATES: AtomicU64 = AtomicU64::new(0);

impl Entry {
    /// An entry whose bytes were not counted yet.
    pub(crate) fn new(held: Held) -> Box<Self> {
        FILTERS.fetch_add(1, Relaxed);
        let mut entry = Box::new(Self { held, bytes: 0, broken: false, overfull: false, ahead: false });
        entry.mark(None);
        entry
    }

    /// Counts it among those that are overfull or ahead, or no more; its clock by a command that has a time.
    pub(crate) fn mark(&mut self, now_ms: Option<u64>) {
        let (overfull, ahead) = match &self.held {
            Held::Filter(value) => (value.is_overfull(), now_ms.map_or(self.ahead, |now| value.is_ahead_of(now))),
            Held::Partial(_) => (false, false),
        };
        turn(&OVERFULL, &mut self.overfull, overfull);
        turn(&AHEAD, &mut self.ahead, ahead);
    }

    /// An entry of what `make` makes, with its bytes.
    pub(crate) fn measured<E>(make: impl FnOnce() -> Result<Held, E>) -> Result<Box<Self>, E> {
        let before = alloc::held();
        let mut entry = Self::new(make()?);
        entry.grow(alloc::held() - before);
        Ok(entry)
    }

    /// Hands it over to the server, which gives it back when it is freed.
    pub(crate) fn hand_over(self: Box<Self>) -> *mut Self {
        let entry = Box::into_raw(self);
        // SAFETY: it was just made.
        claims::came(unsafe { &raw mut (*entry).held });
        entry
    }

    /// A part of a filter becomes the filter.
    ///
    /// # Safety
    /// The entry is the server's, and no one else looks at it now.
    pub(crate) unsafe fn replace(entry: *mut Self, held: Held) {
        // SAFETY: the caller guarantees it.
        let under = unsafe { &raw mut (*entry).held };
        // SAFETY: the same.
        claims::goes(unsafe { &*under });
        // SAFETY: the same.
        unsafe { *under = held };
        claims::came(under);
    }

    /// A panic went through it.
    pub(crate) fn distrust(&mut self) {
        claims::breaks(&self.held);
        self.broken = true;
    }

    pub(crate) const fn is_broken(&self) -> bool {
        self.broken
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
        claims::goes(&self.held);
        FILTERS.fetch_sub(1, Relaxed);
        turn(&OVERFULL, &mut self.overfull, false);
        turn(&AHEAD, &mut self.ahead, false);
        BYTES.fetch_sub(self.bytes as i64, Relaxed);
    }
}

/// A filter begins to be one of those that are counted, or ends.
fn turn(all: &AtomicI64, before: &mut bool, is: bool) {
    if std::mem::replace(before, is) != is {
        all.fetch_add(if is { 1 } else { -1 }, Relaxed);
    }
}
