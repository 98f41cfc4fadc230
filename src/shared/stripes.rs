//! One filter behind 64 locks: what any of them lets a thread read, all of them together let it change.
//!
//! ```text
//!  lock 0 [what happened under it]   lock 1 [..]   ...   lock 63 [..]      each on two cache lines of its own
//!         \__________________________ ___________________________/
//!                                    V
//!               the filter, one for all: its memory, its window, its plan
//!
//!  one lock     the filter stands still; cells of this lock's keys are written, and what happened is noted beside it
//!  all locks    the notes are taken in, and the filter is as one thread would have it
//! ```
//! Locks are taken in their order, and never a second one while one is held: no deadlock.
#![allow(unsafe_code, reason = "what the compiler cannot see: all locks together are the right to change")]

use std::cell::UnsafeCell;

use crate::counters::Front;
use crate::error::Error;
use crate::filter::striped::{Route, STRIPES, Striped};
use crate::hash::KeyHash;
use crate::raw::vec_of;
use crate::sync::{Mutex, MutexGuard};

/// See the module.
pub(super) struct Stripes<K: Striped> {
    locks: Box<[Lock<K::Part>]>,
    route: Route,
    /// Bits of the route, which change under all locks.
    bits: Front,
    common: UnsafeCell<Common<K>>,
}

/// What is read under one lock and changed under all.
struct Common<K: Striped> {
    filter: K,
    open: K::Open,
}

/// Apart from the next one, also for a processor that fetches cache lines in pairs.
#[repr(align(128))]
struct Lock<P>(Mutex<P>);

// SAFETY: `common` is read through `&` while at least one lock is held and through `&mut` while all are, so never both
// together; what is read concurrently is Sync, and what passes from thread to thread is Send.
unsafe impl<K: Striped + Send + Sync> Sync for Stripes<K>
where
    K::Open: Send + Sync,
    K::Part: Send,
{
}

impl<K: Striped> Stripes<K> {
    /// Gives a filter that had one owner to the threads.
    pub(super) fn new(mut filter: K) -> Result<Self, Error> {
        let mut parts = vec_of(STRIPES)?;
        for _ in 0..STRIPES {
            parts.push(filter.part()?);
        }
        let (route, mut open, mut bits) = (filter.route(), K::Open::default(), Front::default());
        bits.set(filter.route_bits().into());
        filter.scatter(&mut open, parts.iter_mut());
        let mut locks = vec_of(STRIPES)?;
        locks.extend(parts.into_iter().map(|part| Lock(Mutex::new(part))));
        Ok(Self { locks: locks.into_boxed_slice(), route, bits, common: UnsafeCell::new(Common { filter, open }) })
    }

    /// The lock of a key.
    fn stripe(&self, key: KeyHash) -> usize {
        self.route.stripe(key, self.bits.get())
    }

    /// Runs `f` under the lock of a key.
    pub(super) fn of_key<R>(&self, key: KeyHash, f: impl FnOnce(&K, &K::Open, &mut K::Part) -> R) -> R {
        loop {
            let stripe = self.stripe(key);
            let mut part = self.locks[stripe].0.lock();
            // Under the lock the way stands still; before it another thread may have changed it.
            if self.stripe(key) == stripe {
                // SAFETY: one lock is held, so nobody has them all, and nobody has a `&mut`.
                let common = unsafe { &*self.common.get() };
                return f(&common.filter, &common.open, &mut part);
            }
        }
    }

    /// Runs `f` under one lock, with what happened under it.
    pub(super) fn one<R>(&self, stripe: usize, f: impl FnOnce(&K, &K::Open, &mut K::Part) -> R) -> R {
        let mut part = self.locks[stripe].0.lock();
        // SAFETY: one lock is held, so nobody has them all, and nobody has a `&mut`.
        let common = unsafe { &*self.common.get() };
        f(&common.filter, &common.open, &mut part)
    }

    /// Runs `f` under all locks, on the filter as one thread would have it.
    pub(super) fn all<R>(&self, f: impl FnOnce(&mut K) -> R) -> R {
        let parts: [MutexGuard<'_, K::Part>; STRIPES] = std::array::from_fn(|stripe| self.locks[stripe].0.lock());
        // SAFETY: all locks are held, so nobody else has a reference.
        let common = unsafe { &mut *self.common.get() };
        f(Held::gather(common, &self.bits, parts).filter())
    }
}

/// All locks, and the filter as one thread would have it. It goes back to the threads also when a panic passes.
struct Held<'a, K: Striped> {
    common: &'a mut Common<K>,
    bits: &'a Front,
    parts: [MutexGuard<'a, K::Part>; STRIPES],
}

impl<'a, K: Striped> Held<'a, K> {
    fn gather(common: &'a mut Common<K>, bits: &'a Front, mut parts: [MutexGuard<'a, K::Part>; STRIPES]) -> Self {
        common.filter.gather(&mut common.open, parts.iter_mut().map(|part| &mut **part));
        Self { common, bits, parts }
    }

    fn filter(&mut self) -> &mut K {
        &mut self.common.filter
    }
}

impl<K: Striped> Drop for Held<'_, K> {
    fn drop(&mut self) {
        let Common { filter, open } = &mut *self.common;
        filter.scatter(open, self.parts.iter_mut().map(|part| &mut **part));
        self.bits.put(filter.route_bits().into());
    }
}

/// Shows the filter as it is under all locks, which are not held while the text is taken.
impl<K: Striped + std::fmt::Debug> std::fmt::Debug for Stripes<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.all(|filter| if f.alternate() { format!("{filter:#?}") } else { format!("{filter:?}") });
        f.write_str(&text)
    }
}
