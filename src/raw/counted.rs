//! A value with several owners, the last of whom drops it.
//!
//! It is the standard library's `Arc` without weak references, whose memory is an error where there is none: that one ends the process.
//!
//! ```text
//!  Counted, Counted, ..  ->  [ owners | value ]
//! ```

use std::ops::Deref;
use std::process::abort;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::boxed;
use crate::error::Error;

struct Place<T> {
    owners: AtomicUsize,
    value: T,
}

pub(crate) struct Counted<T>(NonNull<Place<T>>);

impl<T> Counted<T> {
    /// With one owner.
    pub(crate) fn new(value: T) -> Result<Self, Error> {
        let place = boxed(Place { owners: AtomicUsize::new(1), value })?;
        Ok(Self(NonNull::from(Box::leak(place))))
    }

    fn place(&self) -> &Place<T> {
        // SAFETY: it lives as long as one of its owners does, and is never borrowed mutably.
        unsafe { self.0.as_ref() }
    }
}

impl<T> Deref for Counted<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.place().value
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Counted<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> Clone for Counted<T> {
    fn clone(&self) -> Self {
        // Owners that are forgotten and never dropped could wrap the count, and the value would be dropped under others.
        if self.place().owners.fetch_add(1, Ordering::Relaxed) > usize::MAX / 2 {
            abort();
        }
        Self(self.0)
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        // What every owner did happened before the last one drops it. A fence would do, which ThreadSanitizer does not see.
        if self.place().owners.fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: this was the last owner, and the place came from a box.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

// SAFETY: its owners share the value, and the last one, on any thread, drops it.
unsafe impl<T: Send + Sync> Send for Counted<T> {}
// SAFETY: the same.
unsafe impl<T: Send + Sync> Sync for Counted<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often it is dropped.
    struct Counts<'a>(&'a AtomicUsize);

    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn a_value_is_dropped_once_by_its_last_owner() {
        let drops = AtomicUsize::new(0);
        let first = Counted::new(Counts(&drops)).expect("memory");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let own = first.clone();
                scope.spawn(move || (0..1000).for_each(|_| drop(own.clone())));
            }
        });
        assert_eq!(drops.load(Ordering::Relaxed), 0);
        drop(first);
        assert_eq!(drops.load(Ordering::Relaxed), 1);
    }
}
