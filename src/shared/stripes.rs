//! One filter behind 64 locks: with any of them a thread may read it, with all of them change it.
//!
//! ```text
//!  lock 0 [what happened under it]   lock 1 [..]   ...   lock 63 [..]      each on two cache lines of its own
//!         \__________________________ ___________________________/
//!                                    V
//!               the filter, one for all: its memory, its window, its plan
//!
//!  undivided    lock 0 is the right to change everything: the verbs are those of the unshared filter
//!     |         threads have waited for each other a few times
//!     v
//!  divided      one lock: the filter does not change; cells of its keys are written, and what happened is noted apart
//!               all locks: the notes are taken in, and the filter is as one thread would have it
//! ```
//! A filter begins undivided, so that one thread pays for one lock and for nothing else, and stays divided once it is. The other
//! locks are made then; without memory for them it stays undivided.
//! A thread takes locks in ascending order, so there is no deadlock.
#![allow(unsafe_code, reason = "what the compiler cannot see: all locks together are the right to change")]

use std::cell::UnsafeCell;
use std::sync::OnceLock;

use crate::counters::Maximum;
use crate::error::Error;
use crate::filter::striped::{Route, STRIPES, Striped};
use crate::hash::KeyHash;
use crate::raw::vec_of;
use crate::sync::{Mutex, MutexGuard};

/// See the module.
pub(super) struct Stripes<K: Striped> {
    first: Lock<K::Delta>,
    /// Those after the first, once the filter is to be divided.
    others: OnceLock<Box<[Lock<K::Delta>]>>,
    route: Route,
    /// [`UNDIVIDED`], or the bits of the route. Changes under all locks.
    way: Maximum,
    /// How often threads have waited for each other.
    contentions: Maximum,
    /// Whether the owner of lock 0 of an undivided filter reads or changes all of it, and not a key.
    busy: Maximum,
    /// Locks of keys that were taken.
    #[cfg(test)]
    pub(super) taken: Maximum,
    common: UnsafeCell<Common<K>>,
}

/// The way of every key while lock 0 guards all.
const UNDIVIDED: u64 = u64::MAX;

/// Meetings after which a filter is divided. A few may come from the system, which took the processor from the thread with the lock.
const MOST_CONTENTIONS: u64 = if cfg!(shuttle) { 1 } else { 8 };

/// The filter, which threads read under one lock and change under all.
struct Common<K: Striped> {
    filter: K,
    open: K::LockFree,
}

/// Apart from the next one, also for a processor that fetches cache lines in pairs.
#[repr(align(128))]
struct Lock<P>(Mutex<P>);

// SAFETY: of a divided filter `common` is read through `&` while at least one lock is held and through `&mut` while all are;
// of an undivided one there is a `&mut` under lock 0 and nothing else. So never both together; which of the two it is changes
// under all locks. What is read concurrently is Sync, and what passes from thread to thread is Send.
unsafe impl<K: Striped + Send + Sync> Sync for Stripes<K>
where
    K::LockFree: Send + Sync,
    K::Delta: Send,
{
}

impl<K: Striped> Stripes<K> {
    /// Gives a filter that had one owner to the threads.
    pub(super) fn new(filter: K) -> Result<Self, Error> {
        let first = Lock(Mutex::new(filter.part()?));
        let (route, common) = (filter.route(), UnsafeCell::new(Common { filter, open: K::LockFree::default() }));
        let (mut way, contentions, busy) = (Maximum::default(), Maximum::default(), Maximum::default());
        way.set(UNDIVIDED);
        Ok(Self {
            first,
            others: OnceLock::new(),
            route,
            way,
            contentions,
            busy,
            #[cfg(test)]
            taken: Maximum::default(),
            common,
        })
    }

    pub(super) fn route(&self) -> Route {
        self.route
    }

    /// The whole filter for a verb of keys, while it is undivided.
    #[inline(always)]
    pub(super) fn whole(&self) -> Option<Undivided<'_, K>> {
        if self.way.get() != UNDIVIDED {
            return None;
        }
        let lock = match self.first.0.try_lock() {
            Some(lock) => lock,
            None => self.wait_for_lock_0(),
        };
        self.whole_under(lock)
    }

    /// The whole filter, if it is undivided under lock 0, which is held.
    #[inline(always)]
    fn whole_under<'a>(&'a self, lock: MutexGuard<'a, K::Delta>) -> Option<Undivided<'a, K>> {
        if self.way.get() != UNDIVIDED {
            return None;
        }
        // SAFETY: the way changes under all locks only, and lock 0 is held: the filter stays undivided, and then nobody
        // has a reference without lock 0.
        let filter = unsafe { &mut (*self.common.get()).filter };
        Some(Undivided { filter, _lock: lock })
    }

    /// Waits for lock 0. Threads that do so again and again divide the filter.
    #[cold]
    fn wait_for_lock_0(&self) -> MutexGuard<'_, K::Delta> {
        let counts = self.busy.get() == 0;
        let lock = self.first.0.lock();
        if counts {
            self.contentions.put(self.contentions.get() + 1);
            if self.contentions.get() >= MOST_CONTENTIONS && self.way.get() == UNDIVIDED {
                drop(lock);
                self.divide();
                return self.first.0.lock();
            }
        }
        lock
    }

    /// Divides the filter among the locks, for good.
    pub(super) fn divide(&self) {
        if self.make_locks().is_err() {
            return;
        }
        let mut parts = self.lock_all();
        if self.way.get() == UNDIVIDED {
            // SAFETY: all locks are held, so there is no other reference.
            let Common { filter, open } = unsafe { &mut *self.common.get() };
            filter.scatter(open, parts.iter_mut().map(|part| &mut **part));
            self.way.publish(filter.route_bits().into());
        }
    }

    /// Makes the other locks.
    fn make_locks(&self) -> Result<(), Error> {
        let _lock = self.first.0.lock();
        if self.others.get().is_some() {
            return Ok(());
        }
        let mut others = vec_of(STRIPES - 1)?;
        for _ in 1..STRIPES {
            // SAFETY: lock 0 is held, and without the other locks the filter is undivided: nobody else has a reference.
            let part = unsafe { &(*self.common.get()).filter }.part()?;
            others.push(Lock(Mutex::new(part)));
        }
        // Only the owner of lock 0 comes here.
        let _ = self.others.set(others.into_boxed_slice());
        Ok(())
    }

    /// The lock of a stripe of a divided filter.
    #[inline(always)]
    fn lock(&self, stripe: usize) -> &Mutex<K::Delta> {
        match (stripe.checked_sub(1), self.others.get()) {
            (Some(i), Some(others)) => &others[i].0,
            _ => &self.first.0,
        }
    }

    /// Runs `f` under the lock of a key; `None` if the filter is undivided.
    #[inline]
    pub(super) fn of_key<R>(&self, key: KeyHash, f: impl FnOnce(&K, &K::LockFree, &mut K::Delta) -> R) -> Option<R> {
        self.of_lock(key, |_, filter, open, part| f(filter, open, part))
    }

    /// Runs `f` under the lock of the first of these keys, with the number of keys from the first on that go by it; `None` if
    /// the filter is undivided.
    #[inline]
    pub(super) fn of_neighbours<R>(
        &self,
        keys: &[KeyHash],
        f: impl FnOnce(usize, &K, &K::LockFree, &mut K::Delta) -> R,
    ) -> Option<R> {
        let first = *keys.first()?;
        self.of_lock(first, |way, filter, open, part| {
            let stripe = self.route.stripe(first, way);
            let neighbours = keys.iter().take_while(|key| self.route.stripe(**key, way) == stripe).count();
            f(neighbours, filter, open, part)
        })
    }

    /// The same for one key, with the way that led to its lock.
    #[inline]
    fn of_lock<R>(&self, key: KeyHash, f: impl FnOnce(u64, &K, &K::LockFree, &mut K::Delta) -> R) -> Option<R> {
        loop {
            // With the way come the other locks, which were made before.
            let way = self.way.published();
            if way == UNDIVIDED {
                return None;
            }
            let mut part = self.lock(self.route.stripe(key, way)).lock();
            #[cfg(test)]
            self.taken.put(self.taken.get() + 1);
            // Under the lock the way does not change; before it another thread may have changed it.
            if self.way.get() == way {
                // SAFETY: one lock of a divided filter is held, so no thread has them all, and there is no `&mut`.
                let common = unsafe { &*self.common.get() };
                return Some(f(way, &common.filter, &common.open, &mut part));
            }
        }
    }

    /// Runs `f` under all locks, on the filter as one thread would have it.
    pub(super) fn all<R>(&self, f: impl FnOnce(&mut K) -> R) -> R {
        if self.way.published() == UNDIVIDED {
            if let Some(whole) = self.whole_under(self.first.0.lock()) {
                let _busy = Busy::begin(&self.busy);
                return f(whole.filter);
            }
        }
        let parts = self.lock_all();
        // SAFETY: all locks are held, so there is no other reference.
        let common = unsafe { &mut *self.common.get() };
        f(AllLocks::gather(common, &self.way, parts).filter())
    }

    fn lock_all(&self) -> [MutexGuard<'_, K::Delta>; STRIPES] {
        std::array::from_fn(|stripe| self.lock(stripe).lock())
    }
}

/// An undivided filter under its lock.
pub(super) struct Undivided<'a, K: Striped> {
    pub(super) filter: &'a mut K,
    _lock: MutexGuard<'a, K::Delta>,
}

/// Lets others know that lock 0 is held for longer than a key takes, also when a panic passes.
struct Busy<'a>(&'a Maximum);

impl<'a> Busy<'a> {
    fn begin(front: &'a Maximum) -> Self {
        front.put(1);
        Self(front)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.put(0);
    }
}

/// All locks, and the filter as one thread would have it. It goes back to the threads also when a panic passes.
struct AllLocks<'a, K: Striped> {
    common: &'a mut Common<K>,
    way: &'a Maximum,
    parts: [MutexGuard<'a, K::Delta>; STRIPES],
}

impl<'a, K: Striped> AllLocks<'a, K> {
    fn gather(common: &'a mut Common<K>, way: &'a Maximum, mut parts: [MutexGuard<'a, K::Delta>; STRIPES]) -> Self {
        common.filter.gather(&mut common.open, parts.iter_mut().map(|part| &mut **part));
        Self { common, way, parts }
    }

    fn filter(&mut self) -> &mut K {
        &mut self.common.filter
    }
}

impl<K: Striped> Drop for AllLocks<'_, K> {
    fn drop(&mut self) {
        let Common { filter, open } = &mut *self.common;
        filter.scatter(open, self.parts.iter_mut().map(|part| &mut **part));
        self.way.publish(filter.route_bits().into());
    }
}

/// Shows the filter as it is under all locks, which are not held while the text is taken.
impl<K: Striped + std::fmt::Debug> std::fmt::Debug for Stripes<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.all(|filter| if f.alternate() { format!("{filter:#?}") } else { format!("{filter:?}") });
        f.write_str(&text)
    }
}
