//! The bodies of the verbs for one key that the caller has hashed. `now` is the tick, if there is one.

use library::abi::{Change, Look};
use library::{KeyHash, Tick};

use crate::handle::Handle;
use crate::pointers::Out;
use crate::status::lately_status;

/// # Safety
/// As for the C functions: handle and place are as their comments say. So for all functions here.
pub unsafe fn observe<H: Handle>(handle: *mut H, hash: u64, now: Option<u64>, verdict: *mut u8) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("verdict", verdict) }?;
        let verdict = match now {
            Some(now) => filter.observe_hash_at(KeyHash(hash), Tick(now)),
            None => filter.observe_hash(KeyHash(hash)),
        };
        out.set(verdict?.into());
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn insert<H: Handle>(handle: *mut H, hash: u64, now: Option<u64>) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        Ok(match now {
            Some(now) => filter.insert_hash_at(KeyHash(hash), Tick(now)),
            None => filter.insert_hash(KeyHash(hash)),
        }?)
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn contains<H: Handle>(handle: *const H, hash: u64, now: Option<u64>, verdict: *mut u8) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("verdict", verdict) }?;
        let verdict = match now {
            Some(now) => filter.contains_hash_at(KeyHash(hash), Tick(now)),
            None => filter.contains_hash(KeyHash(hash)),
        };
        out.set(verdict?.into());
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}
