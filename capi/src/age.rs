//! The age of a match in C, and the bodies of the verbs that tell it.

use library::abi::{Change, Look};
use library::{Age, Error, Tick, Verdict};

use crate::boundary::Fault;
use crate::handle::Handle;
use crate::one_key::Key;
use crate::pointers::Out;
use crate::status::lately_status;

/// How long ago a key was seen last: between `at_least` and `at_most`, in nanoseconds where the window is a span of time,
/// else in observations and insertions, where the last one was 1 ago. Both are 0 with LATELY_NEW.
///
/// They are a generation apart, the window / (2^age_bits - 1); of a window of observations, an eighth of a generation
/// more. For one key in some thousands, whose cell had to move, the true age may be above `at_most`, by less than a
/// generation for each such move. For a false duplicate they mean nothing. This struct never grows.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct lately_age {
    /// Lower bound on the age.
    pub at_least: u64,
    /// Upper bound on the age.
    pub at_most: u64,
}

impl From<Option<Age>> for lately_age {
    fn from(age: Option<Age>) -> Self {
        let Age { at_least, at_most } = age.unwrap_or_default();
        Self { at_least, at_most }
    }
}

/// Where the two answers go.
pub struct Places {
    pub verdict: *mut u8,
    pub age: *mut lately_age,
}

impl Places {
    /// Places and key are checked, in this order, before the verb is called.
    ///
    /// # Safety
    /// As for [`observe`].
    unsafe fn answer(
        self,
        key: Key,
        verb: impl FnOnce(&[u8]) -> Result<(Verdict, Option<Age>), Error>,
    ) -> Result<(), Fault> {
        // SAFETY: the same promise.
        let verdict = unsafe { Out::new("verdict", self.verdict) }?;
        // SAFETY: the same promise.
        let age = unsafe { Out::new("age", self.age) }?;
        // SAFETY: the same promise.
        let key = unsafe { key.read() }?;
        let (said, seen) = verb(key)?;
        verdict.set(said.into());
        age.set(seen.into());
        Ok(())
    }
}

/// With an age the key is a duplicate, without one it is new.
fn with_verdict(age: Option<Age>) -> (Verdict, Option<Age>) {
    (if age.is_some() { Verdict::Duplicate } else { Verdict::New }, age)
}

/// # Safety
/// As for the C functions: the handle, key and places are as their comments say. So for all functions here.
pub unsafe fn observe<H: Handle>(handle: *mut H, key: Key, now: Option<u64>, places: Places) -> lately_status {
    let body = |filter: H::Changing<'_>| {
        let verb = |key: &[u8]| match now {
            Some(now) => filter.observe_age_at(key, Tick(now)),
            None => filter.observe_age(key),
        };
        // SAFETY: the same promise.
        unsafe { places.answer(key, verb) }
    };
    // SAFETY: the same promise.
    unsafe { H::change(handle, body) }
}

/// # Safety
/// As for [`observe`].
pub unsafe fn contains<H: Handle>(handle: *const H, key: Key, now: Option<u64>, places: Places) -> lately_status {
    let body = |filter: H::Looking<'_>| {
        let verb = |key: &[u8]| {
            let age = match now {
                Some(now) => filter.contains_age_at(key, Tick(now)),
                None => filter.contains_age(key),
            };
            age.map(with_verdict)
        };
        // SAFETY: the same promise.
        unsafe { places.answer(key, verb) }
    };
    // SAFETY: the same promise.
    unsafe { H::look(handle, body) }
}
