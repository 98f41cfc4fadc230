//! Locks and counters that several threads meet at: the system's and the processor's.
//!
//! The standard library's lock asks for no memory on Linux and Windows, even if threads wait for it: a thread that meets another
//! where there is no memory left continues. (Locks that keep a list of waiting threads end the process there.)
//!
//! Under `--cfg tsan` the lock is parking_lot's, into which ThreadSanitizer sees; under `--cfg shuttle` lock and counters
//! are those of a checker that tries the orders in which threads may run.

#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic::AtomicU64;

#[cfg(tsan)]
pub(crate) use parking_lot::{Mutex, MutexGuard};
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic::AtomicU64;
#[cfg(shuttle)]
pub(crate) use shuttle_parking_lot::{Mutex, MutexGuard};
#[cfg(not(any(shuttle, tsan)))]
pub(crate) use system::{Mutex, MutexGuard};

#[cfg(not(any(shuttle, tsan)))]
mod system {
    use std::sync::{PoisonError, TryLockError};

    pub(crate) use std::sync::MutexGuard;

    /// A lock that a panic leaves as it is: its owner repairs what it guards.
    #[derive(Debug)]
    pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(std::sync::Mutex::new(value))
        }

        #[inline(always)]
        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        #[inline(always)]
        pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
            match self.0.try_lock() {
                Ok(guard) => Some(guard),
                Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            }
        }
    }
}
