//! The locks: parking_lot's, or under `--cfg shuttle` those of a checker that tries the orders in which threads may run.

#[cfg(not(shuttle))]
pub(super) use parking_lot::{Mutex, MutexGuard};
#[cfg(shuttle)]
pub(super) use shuttle_parking_lot::{Mutex, MutexGuard};
