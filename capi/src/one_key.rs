//! The bodies of the verbs for one key.

use library::abi::{Change, Look};
use library::{Error, Tick};

use crate::boundary::Fault;
use crate::handle::Handle;
use crate::pointers::{Out, slice};
use crate::status::lately_status;

/// A key, as C hands it over.
pub struct Key {
    pub start: *const u8,
    pub len: usize,
}

impl Key {
    /// # Safety
    /// Unless it is NULL, the key has `len` readable bytes.
    pub unsafe fn read<'a>(self) -> Result<&'a [u8], Fault> {
        // SAFETY: the same promise.
        unsafe { slice("key", self.start, self.len) }
    }
}

/// Where an answer goes, and its name in the header.
type Place<T> = (&'static str, *mut T);

/// # Safety
/// As for the C functions: the handle, key and place are as their comments say. So for all functions here.
pub unsafe fn observe<H: Handle>(handle: *mut H, key: Key, verdict: *mut u8) -> lately_status {
    // SAFETY: the same promise.
    unsafe { change(handle, key, ("verdict", verdict), |filter, key| Ok(filter.observe(key)?.into())) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn observe_at<H: Handle>(handle: *mut H, key: Key, now: u64, verdict: *mut u8) -> lately_status {
    // SAFETY: the same promise.
    unsafe { change(handle, key, ("verdict", verdict), |filter, key| Ok(filter.observe_at(key, Tick(now))?.into())) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn insert<H: Handle>(handle: *mut H, key: Key) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let key = unsafe { key.read() }?;
        Ok(filter.insert(key)?)
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn insert_at<H: Handle>(handle: *mut H, key: Key, now: u64) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let key = unsafe { key.read() }?;
        Ok(filter.insert_at(key, Tick(now))?)
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn remove<H: Handle>(handle: *mut H, key: Key, removed: *mut u8) -> lately_status {
    // SAFETY: the same promise.
    unsafe { change(handle, key, ("removed", removed), |filter, key| filter.remove(key).map(u8::from)) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn contains<H: Handle>(handle: *const H, key: Key, verdict: *mut u8) -> lately_status {
    // SAFETY: the same promise.
    unsafe { look(handle, key, ("verdict", verdict), |filter, key| Ok(filter.contains(key).into())) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn contains_at<H: Handle>(handle: *const H, key: Key, now: u64, verdict: *mut u8) -> lately_status {
    // SAFETY: the same promise.
    unsafe { look(handle, key, ("verdict", verdict), |filter, key| Ok(filter.contains_at(key, Tick(now))?.into())) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn hash<H: Handle>(handle: *const H, key: Key, hash: *mut u64) -> lately_status {
    // SAFETY: the same promise.
    unsafe { look(handle, key, ("hash", hash), |filter, key| Ok(filter.hash(key)?.0)) }
}

/// A verb that may change the filter: its answer for the key goes to the place.
///
/// # Safety
/// As for [`observe`].
unsafe fn change<H: Handle, T>(
    handle: *mut H,
    key: Key,
    place: Place<T>,
    verb: impl FnOnce(H::Changing<'_>, &[u8]) -> Result<T, Error>,
) -> lately_status {
    // SAFETY: the same promise.
    let body = |filter: H::Changing<'_>| unsafe { answer(key, place, |key| verb(filter, key)) };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// A verb that leaves the filter as it is.
///
/// # Safety
/// As for [`observe`].
unsafe fn look<H: Handle, T>(
    handle: *const H,
    key: Key,
    place: Place<T>,
    verb: impl FnOnce(H::Looking<'_>, &[u8]) -> Result<T, Error>,
) -> lately_status {
    // SAFETY: the same promise.
    let body = |filter: H::Looking<'_>| unsafe { answer(key, place, |key| verb(filter, key)) };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}

/// Place and key are checked, in this order, before the verb is called.
///
/// # Safety
/// As for [`observe`].
unsafe fn answer<T>(
    key: Key,
    (name, place): Place<T>,
    verb: impl FnOnce(&[u8]) -> Result<T, Error>,
) -> Result<(), Fault> {
    // SAFETY: the same promise.
    let out = unsafe { Out::new(name, place) }?;
    // SAFETY: the same promise.
    let key = unsafe { key.read() }?;
    out.set(verb(key)?);
    Ok(())
}
