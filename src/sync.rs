//! Locks and counters that several threads meet at: parking_lot's and the processor's, or under `--cfg shuttle` those of
//! a checker that tries the orders in which threads may run.

#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic::AtomicU64;

#[cfg(not(shuttle))]
pub(crate) use parking_lot::{Mutex, MutexGuard};
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic::AtomicU64;
#[cfg(shuttle)]
pub(crate) use shuttle_parking_lot::{Mutex, MutexGuard};
