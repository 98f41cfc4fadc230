//! The arrays of a batch as C has them: keys, ticks, verdicts, and how far it went.

use crate::edge::{Keys, Stopped};
use crate::ffi::boundary::Fault;
use crate::ffi::pointers::{Out, OutArray, slice};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::tick::Tick;

/// The keys of a batch and their ticks.
pub type Batch<'a> = (Keys<'a>, Option<&'a [Tick]>);

/// The caller's count of keys dealt with, right at every moment, also if the next key panics.
pub struct Done(Out<usize>);

impl Done {
    /// Starts at 0; `None` if there is no place.
    ///
    /// # Safety
    /// Unless it is NULL, `place` can be written while this value lives.
    pub unsafe fn start(place: *mut usize) -> Option<Self> {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("done", place) }.ok()?;
        out.set(0);
        Some(Self(out))
    }

    /// Key `i` is dealt with.
    pub fn with(&self, verdicts: &OutArray<u8>, i: usize, verdict: Verdict) {
        verdicts.set(i, verdict.into());
        self.0.set(i + 1);
    }

    /// A batch of `n` keys without verdicts is over.
    pub fn after(&self, n: usize, result: &Result<(), Stopped>) {
        self.0.set(result.as_ref().map_or_else(|stopped| stopped.done, |()| n));
    }
}

/// Keys that lie back to back.
///
/// # Safety
/// As the comments of the batches say.
pub unsafe fn of_bytes<'a>(
    bytes: *const u8,
    bytes_len: usize,
    offsets: *const u64,
    ticks: *const u64,
    n: usize,
) -> Result<Batch<'a>, Fault> {
    let count = n.checked_add(1).ok_or(Fault::Length("offsets"))?;
    // SAFETY: the same promise.
    let offsets = unsafe { slice("offsets", offsets, count) }?;
    // SAFETY: the same promise.
    let bytes = unsafe { slice("bytes", bytes, bytes_len) }?;
    // SAFETY: the same promise.
    Ok((Keys::Bytes { bytes, offsets }, unsafe { optional_ticks(ticks, n) }?))
}

/// Keys that were hashed before.
///
/// # Safety
/// As the comments of the batches say.
pub unsafe fn of_hashes<'a>(hashes: *const u64, ticks: *const u64, n: usize) -> Result<Batch<'a>, Fault> {
    // SAFETY: the same promise; a KeyHash is a u64 and nothing else.
    let hashes = unsafe { slice("hashes", hashes.cast::<KeyHash>(), n) }?;
    // SAFETY: the same promise.
    Ok((Keys::Hashes(hashes), unsafe { optional_ticks(ticks, n) }?))
}

/// # Safety
/// Unless it is NULL, `ticks` has `n` numbers.
unsafe fn optional_ticks<'a>(ticks: *const u64, n: usize) -> Result<Option<&'a [Tick]>, Fault> {
    if ticks.is_null() {
        return Ok(None);
    }
    // SAFETY: the same promise; a Tick is a u64 and nothing else.
    unsafe { slice("ticks", ticks.cast::<Tick>(), n) }.map(Some)
}
