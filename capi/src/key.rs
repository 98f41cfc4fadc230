//! The verbs for one key.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use library::{Age, Tick, Verdict};

use crate::handle::{change, lately_filter, look};
use crate::pointers::{key, place};
use crate::status::lately_status;

/// Verdict: not seen within the window.
pub const LATELY_NEW: u8 = 0;
/// Verdict: seen, or, with at most the error rate, believed to be.
pub const LATELY_DUPLICATE: u8 = 1;
/// Verdict of a claim: claimed already, and neither committed nor abandoned yet.
pub const LATELY_PENDING: u8 = 2;
/// Verdict: an absent key of a column, which was not observed.
pub const LATELY_ABSENT_KEY: u8 = 3;

const _: () = {
    assert!(!Verdict::New.is_duplicate() && LATELY_NEW == 0 && LATELY_DUPLICATE == 1);
    assert!(LATELY_PENDING == 2 && LATELY_ABSENT_KEY == 3);
};

/// `tick`: now, by the filter's clock. LATELY_NOW of the header, which no generator of headers can work out.
pub(crate) const NOW: u64 = u64::MAX;

/// A verb of time: `$now` without a tick, `$at` with the tick `$tick`.
macro_rules! timed {
    ($filter:ident, $tick:ident, $now:expr, $at:expr) => {
        if $tick == $crate::key::NOW {
            $now
        } else {
            let $tick = library::Tick($tick);
            $at
        }
    };
}

pub(crate) use timed;

/// Tests and inserts a key in one step: "have I seen this lately?"
///
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0, which is a key like any other.
/// - `tick` (in, unit of the clock): LATELY_NOW, for the system's clock, the manual clock as it is, or a filter without
///   time. Else the time by a manual clock, from an origin that the caller chose and keeps; below the clock it counts
///   as the clock.
/// - `verdict` (out): not NULL; LATELY_NEW or LATELY_DUPLICATE, written only on LATELY_OK.
///
/// Status: LATELY_ERR_CLOCK for a tick unless the clock is manual, and for LATELY_NOW before its first tick;
/// LATELY_ERR_TICK if the tick leads the clock by more than `max_step_ns`, which changes nothing but
/// `lately_stats.refused_ticks`, or exceeds 2^64 - 1 ns; LATELY_ERR_FULL if the key is new and a removable filter has
/// no room left in its block.
/// Cost: a hash of the key and about `lately_plan_result.cache_lines_per_observe` cache lines; a shift when one is due.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    tick: u64,
    verdict: Option<&mut MaybeUninit<u8>>,
) -> lately_status {
    change!(filter, |filter| {
        let (verdict, key) = (place("verdict", verdict)?, key!(key, len));
        verdict.write(timed!(filter, tick, filter.observe(key), filter.observe_at(key, tick))?.into());
        Ok(())
    })
}

/// As `lately_filter_observe`, without a verdict. WT, TL, AP: inserts always, even under LATELY_REPEAT_KEEP_FIRST, so
/// that the age is renewed. Q: as `lately_filter_observe` would. TS: if `removable`, one more entry each time, so that
/// two insertions need two removals; else unless an entry matches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_insert(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    tick: u64,
) -> lately_status {
    change!(filter, |filter| {
        let key = key!(key, len);
        Ok(timed!(filter, tick, filter.insert(key), filter.insert_at(key, tick))?)
    })
}

/// Returns the verdict that `lately_filter_observe` would give. Changes nothing at all: neither the clock nor the
/// counts of late and refused ticks. As `lately_filter_observe` for the rest.
///
/// - `verdict` (out): not NULL; LATELY_DUPLICATE if the key is present, else LATELY_NEW; written only on LATELY_OK.
///
/// Status: LATELY_ERR_FULL never. Cost: a hash of the key and a cache line for every slice that is examined.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains(
    filter: Option<&lately_filter>,
    key: *const c_void,
    len: usize,
    tick: u64,
    verdict: Option<&mut MaybeUninit<u8>>,
) -> lately_status {
    look!(filter, |filter| {
        let (verdict, key) = (place("verdict", verdict)?, key!(key, len));
        let said = match tick {
            NOW => filter.expect_now().map(|()| filter.contains(key)),
            tick => filter.contains_at(key, Tick(tick)),
        };
        verdict.write(said?.into());
        Ok(())
    })
}

/// Forgets a key of a window of the default kind (and another, with a chance of at most the error rate) or of a
/// `removable` set, from which remove only what was inserted or called LATELY_NEW: else another may be forgotten. An
/// open claim stays open, and its commit stores the key.
///
/// - `key` (in), `len` (in, bytes), `tick` (in): as of `lately_filter_contains`; a removal moves no clock.
/// - `removed` (out): not NULL; 1 if the key was there (of a window: within it), else 0; written only on LATELY_OK.
///
/// Status: LATELY_ERR_UNSUPPORTED if the filter has no removal; else as `lately_filter_contains`. Cost: a hash of the key,
/// and one block or two lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_remove(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    tick: u64,
    removed: Option<&mut MaybeUninit<u8>>,
) -> lately_status {
    change!(filter, |filter| {
        let (removed, key) = (place("removed", removed)?, key!(key, len));
        removed.write(timed!(filter, tick, filter.remove(key), filter.remove_at(key, tick))?.into());
        Ok(())
    })
}

/// Returns the hash of the key, the same in this filter and in every other unkeyed one with the same seed.
///
/// - `key` (in), `len` (in, bytes): the key; NULL only if `len` is 0.
/// - `hash` (out): not NULL; that of `lately_hash64` with the filter's seed; written only on LATELY_OK.
///
/// Status: LATELY_ERR_UNSUPPORTED if the filter is keyed, since its hashes would reveal what the secret hides.
/// Cost: a hash of the key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_hash(
    filter: Option<&lately_filter>,
    key: *const c_void,
    len: usize,
    hash: Option<&mut MaybeUninit<u64>>,
) -> lately_status {
    look!(filter, |filter| {
        let (hash, key) = (place("hash", hash)?, key!(key, len));
        hash.write(filter.hash(key)?.0);
        Ok(())
    })
}

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

/// As `lately_filter_observe`, and returns how long ago a duplicate was last seen. WT only.
///
/// - `age` (out): not NULL; 0 and 0 with LATELY_NEW, written only on LATELY_OK.
///
/// Status: also LATELY_ERR_UNSUPPORTED if the kind has no `age_bits`; nothing was observed then. Cost: about twice that
/// of `lately_filter_observe`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_age(
    filter: Option<NonNull<lately_filter>>,
    key: *const c_void,
    len: usize,
    tick: u64,
    verdict: Option<&mut MaybeUninit<u8>>,
    age: Option<&mut MaybeUninit<lately_age>>,
) -> lately_status {
    change!(filter, |filter| {
        let (verdict, age, key) = (place("verdict", verdict)?, place("age", age)?, key!(key, len));
        let (said, seen) = timed!(filter, tick, filter.observe_age(key), filter.observe_age_at(key, tick))?;
        verdict.write(said.into());
        age.write(seen.into());
        Ok(())
    })
}

/// As `lately_filter_observe_age`, but changes nothing at all, as `lately_filter_contains`. WT only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_age(
    filter: Option<&lately_filter>,
    key: *const c_void,
    len: usize,
    tick: u64,
    verdict: Option<&mut MaybeUninit<u8>>,
    age: Option<&mut MaybeUninit<lately_age>>,
) -> lately_status {
    look!(filter, |filter| {
        let (verdict, age, key) = (place("verdict", verdict)?, place("age", age)?, key!(key, len));
        let seen = timed!(filter, tick, filter.contains_age(key), filter.contains_age_at(key, tick))?;
        verdict.write(if seen.is_some() { LATELY_DUPLICATE } else { LATELY_NEW });
        age.write(seen.into());
        Ok(())
    })
}

/// Moves a manual clock to `tick`, however far: `max_step_ns` does not apply, so this is the way across a real gap.
/// Whatever has left the window is forgotten and its memory freed. A tick below the clock changes nothing.
///
/// - `tick` (in, unit of the clock): the time.
///
/// Status: LATELY_ERR_CLOCK unless the clock is manual, and for LATELY_NOW; LATELY_ERR_TICK if the tick exceeds 2^64 -
/// 1 ns.
/// Cost: O(slices), however long the gap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_advance(filter: Option<NonNull<lately_filter>>, tick: u64) -> lately_status {
    change!(filter, |filter| {
        if tick == NOW {
            return Err(crate::boundary::Fault::NowhereToAdvance);
        }
        Ok(filter.advance(Tick(tick))?)
    })
}
