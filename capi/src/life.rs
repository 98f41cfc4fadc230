//! The bodies of the functions that make a handle, and of those that concern the whole filter.

use library::Tick;
use library::abi::{Change, Look};

use crate::boundary::Fault;
use crate::error::{explained, lately_error};
use crate::growing;
use crate::handle::Handle;
use crate::options::{lately_options, request};
use crate::pointers::{Out, OutArray};
use crate::stats::lately_stats;
use crate::status::lately_status;

/// # Safety
/// As for the C functions: handle, structs and places are as their comments say. So for all functions here.
pub unsafe fn new<H: Handle>(
    options: *const lately_options,
    handle: *mut *mut H,
    error: *mut lately_error,
) -> lately_status {
    let body = || -> Result<(), Fault> {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("filter", handle) }?;
        // SAFETY: the same promise.
        let request = unsafe { request(options) }?;
        out.set(H::new(&request)?);
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { explained(error, body) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn copy<H: Handle>(handle: *const H, copy: *mut *mut H) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("copy", copy) }?;
        out.set(H::copy(filter)?);
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn advance<H: Handle>(handle: *mut H, now: u64) -> lately_status {
    // SAFETY: the same promise.
    unsafe { H::change(handle, |filter| Ok(filter.advance(Tick(now))?)) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn clear<H: Handle>(handle: *mut H) -> lately_status {
    // SAFETY: the same promise.
    unsafe { change(handle, |filter| filter.clear()) }
}

/// A verb that cannot fail.
///
/// # Safety
/// As for [`new`].
unsafe fn change<H: Handle>(handle: *mut H, verb: impl FnOnce(H::Changing<'_>)) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        verb(filter);
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn stats<H: Handle>(handle: *const H, stats: *mut lately_stats) -> lately_status {
    // SAFETY: the same promise.
    let body = |filter: H::Looking<'_>| unsafe { growing::write(stats, &filter.stats().into()) };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn describe<H: Handle>(handle: *const H, text: *mut u8, len: usize) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        if text.is_null() {
            return Err(Fault::Null("text"));
        }
        // SAFETY: the same promise.
        let room = unsafe { OutArray::new("text", text, len) }?;
        let line = filter.line();
        let bytes = line.as_str().as_bytes();
        if len <= bytes.len() {
            return Err(Fault::Short("text"));
        }
        bytes.iter().chain(&[0]).enumerate().for_each(|(i, byte)| room.set(i, *byte));
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn stats_reset<H: Handle>(handle: *mut H) -> lately_status {
    // SAFETY: the same promise.
    unsafe { change(handle, |filter| filter.stats_reset()) }
}

/// # Safety
/// As for [`new`].
pub unsafe fn secret<H: Handle>(handle: *const H, lo: *mut u64, hi: *mut u64) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        // SAFETY: the same promise.
        let (out_lo, out_hi) = (unsafe { Out::new("lo", lo) }?, unsafe { Out::new("hi", hi) }?);
        let (lo, hi) = filter.secret()?.words();
        out_lo.set(lo);
        out_hi.set(hi);
        Ok(())
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}
