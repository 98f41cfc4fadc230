//! The bodies of the batches, and their arrays as C hands them over.

use library::abi::{AnyKeys, Change, Look};
use library::{KeyHash, Keys, Stopped, Tick, Verdict};

use crate::boundary::Fault;
use crate::handle::Handle;
use crate::in_place::{self, Present, lately_column, lately_slice};
use crate::pointers::{Out, OutArray, slice};
use crate::status::{LATELY_ERR_NULL, lately_status};

/// The keys of a batch.
pub enum RawKeys {
    /// Back to back, with `n` + 1 offsets.
    Bytes { bytes: *const u8, bytes_len: usize, offsets: *const u64 },
    /// Numbers of 8 bytes.
    U64s(*const u64),
    /// Hashed before.
    Hashes(*const u64),
    /// Anywhere.
    Slices(*const lately_slice),
    /// In one buffer, some of them absent.
    Column(*const lately_column),
}

/// The same, checked: what the library takes, or slices, which it takes by their own verb.
enum Given<'a> {
    Keys(Keys<'a>),
    Slices(&'a [Present]),
}

impl Given<'_> {
    fn any(&self) -> AnyKeys<'_> {
        match self {
            Self::Keys(keys) => AnyKeys::of(keys),
            Self::Slices(slices) => AnyKeys::of_slices(slices),
        }
    }
}

/// A batch of `n` keys, with `n` ticks or NULL.
pub struct Batch {
    pub keys: RawKeys,
    pub ticks: *const u64,
    pub n: usize,
}

impl Batch {
    /// The batch as the library takes it.
    ///
    /// # Safety
    /// The arrays are as the comments of the C functions say.
    unsafe fn read<'a>(&self) -> Result<(Given<'a>, Option<&'a [Tick]>), Fault> {
        // SAFETY: the same promise.
        let keys = unsafe { self.keys() }?;
        if self.ticks.is_null() {
            return Ok((keys, None));
        }
        // SAFETY: the same promise; a Tick is a u64 and nothing else.
        Ok((keys, Some(unsafe { slice("ticks", self.ticks.cast::<Tick>(), self.n) }?)))
    }

    /// # Safety
    /// As for [`Batch::read`].
    unsafe fn keys<'a>(&self) -> Result<Given<'a>, Fault> {
        Ok(Given::Keys(match self.keys {
            RawKeys::Bytes { bytes, bytes_len, offsets } => {
                let count = self.n.checked_add(1).ok_or(Fault::Length("offsets"))?;
                // SAFETY: the same promise.
                let offsets = unsafe { slice("offsets", offsets, count) }?;
                // SAFETY: the same promise.
                Keys::Bytes { bytes: unsafe { slice("bytes", bytes, bytes_len) }?, offsets }
            }
            // SAFETY: the same promise.
            RawKeys::U64s(keys) => Keys::U64s(unsafe { slice("keys", keys, self.n) }?),
            // SAFETY: the same promise; a KeyHash is a u64 and nothing else.
            RawKeys::Hashes(hashes) => Keys::Hashes(unsafe { slice("hashes", hashes.cast::<KeyHash>(), self.n) }?),
            // SAFETY: the same promise.
            RawKeys::Column(column) => Keys::Column(unsafe { in_place::column(column, self.n) }?),
            // SAFETY: the same promise.
            RawKeys::Slices(keys) => return unsafe { in_place::slices(keys, self.n) }.map(Given::Slices),
        }))
    }
}

/// The caller's count of keys processed, right at every moment, also if the next key panics.
struct Done(Out<usize>);

impl Done {
    /// Starts at 0; `None` if there is no place.
    ///
    /// # Safety
    /// Unless it is NULL, `place` can be written while this value lives.
    unsafe fn start(place: *mut usize) -> Option<Self> {
        // SAFETY: the same promise.
        let out = unsafe { Out::new("done", place) }.ok()?;
        out.set(0);
        Some(Self(out))
    }

    /// Key `i` is processed.
    fn with(&self, verdicts: &OutArray<u8>, i: usize, verdict: Verdict) {
        verdicts.set(i, verdict.into());
        self.0.set(i + 1);
    }

    /// A batch of `n` keys without verdicts is over.
    fn after(&self, n: usize, result: &Result<(), Stopped>) {
        self.0.set(result.as_ref().map_or_else(|stopped| stopped.done, |()| n));
    }
}

/// # Safety
/// As for the C functions: handle, arrays and places are as their comments say. So for all functions here.
pub unsafe fn observe<H: Handle>(handle: *mut H, batch: Batch, verdicts: *mut u8, done: *mut usize) -> lately_status {
    // SAFETY: the same promise.
    let Some(done) = (unsafe { Done::start(done) }) else { return LATELY_ERR_NULL };
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let verdicts = unsafe { OutArray::new("verdicts", verdicts, batch.n) }?;
        // SAFETY: the same promise.
        let (keys, ticks) = unsafe { batch.read() }?;
        Ok(filter.observe_each(keys.any(), ticks, move |i, verdict| done.with(&verdicts, i, verdict))?)
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn insert<H: Handle>(handle: *mut H, batch: Batch, done: *mut usize) -> lately_status {
    // SAFETY: the same promise.
    let Some(done) = (unsafe { Done::start(done) }) else { return LATELY_ERR_NULL };
    let body = |filter: H::Changing<'_>| {
        // SAFETY: the same promise.
        let (keys, ticks) = unsafe { batch.read() }?;
        let result = filter.insert_each(keys.any(), ticks);
        done.after(batch.n, &result);
        Ok(result?)
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn contains<H: Handle>(
    handle: *const H,
    batch: Batch,
    verdicts: *mut u8,
    done: *mut usize,
) -> lately_status {
    // SAFETY: the same promise.
    let Some(done) = (unsafe { Done::start(done) }) else { return LATELY_ERR_NULL };
    let body = |filter: H::Looking<'_>| {
        // SAFETY: the same promise.
        let verdicts = unsafe { OutArray::new("verdicts", verdicts, batch.n) }?;
        // SAFETY: the same promise.
        let (keys, ticks) = unsafe { batch.read() }?;
        Ok(filter.contains_each(keys.any(), ticks, move |i, verdict| done.with(&verdicts, i, verdict))?)
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}
