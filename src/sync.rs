//! Locks and counters that several threads meet at: parking_lot's, into which ThreadSanitizer sees, so that what it checks is what ships.
//!
//! **Price.** A lock is one byte, and a call that waits for nobody asks for no memory. Threads that wait do so in one table of the
//! process, which is made when the first filter for threads is made ([`prepare`]): an error there, if there is no memory. It has room
//! for five threads that have ever waited. For more the table is doubled, by a request that ends the process if it is refused: the one
//! exception to "no abort without memory" (`docs/reference/limits.md`, `docs/explanation/decisions/locks.md`).
//!
//! Under `--cfg shuttle` lock and counters are those of a checker that tries the orders in which threads may run.

#[cfg(not(shuttle))]
pub(crate) use std::sync::atomic::AtomicU64;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(not(shuttle))]
pub(crate) use parking_lot::{Mutex, MutexGuard};
#[cfg(shuttle)]
pub(crate) use shuttle::sync::atomic::AtomicU64;
#[cfg(shuttle)]
pub(crate) use shuttle_parking_lot::{Mutex, MutexGuard};

use crate::error::Error;
use crate::raw;

/// What the table of waiting threads takes at first, with room to spare.
const TABLE_BYTES: usize = 4096;

/// Makes the table in which threads wait, unless it is there; an error if there is no memory for it.
pub(crate) fn prepare() -> Result<(), Error> {
    static IS_THERE: AtomicBool = AtomicBool::new(false);
    if !IS_THERE.load(Ordering::Relaxed) {
        // The table is made by a request that ends the process if it is refused: so one of more bytes comes first, and is given back.
        drop(raw::vec_of::<u8>(TABLE_BYTES)?);
        raw::make_waiting_table();
        IS_THERE.store(true, Ordering::Relaxed);
    }
    Ok(())
}
