//! The verbs of `lately_filter` that tell the age of a match.

use std::ffi::c_void;

use crate::age::{self, Places, lately_age};
use crate::filter::lately_filter;
use crate::one_key::Key;
use crate::status::lately_status;

/// As `lately_filter_observe`, and returns how long ago a duplicate was last seen. WT only.
///
/// - `age` (out): not NULL; 0 and 0 with LATELY_NEW, written only on LATELY_OK.
///
/// Status: also LATELY_ERR_UNSUPPORTED if the kind has no `age_bits`; nothing was observed then. Cost: about twice that of
/// `lately_filter_observe`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_age(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::observe(filter, Key { start: key.cast(), len }, None, Places { verdict, age })
}

/// As `lately_filter_observe_age`, at tick `now` of a manual clock. A tick below the clock counts as the clock.
///
/// - `now` (in, ns): the tick.
///
/// Status: also LATELY_ERR_CLOCK and LATELY_ERR_TICK, as from `lately_filter_observe_at`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_observe_age_at(
    filter: *mut lately_filter,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::observe(filter, Key { start: key.cast(), len }, Some(now), Places { verdict, age })
}

/// As `lately_filter_contains`, and returns how long ago a duplicate was last seen: as `lately_filter_observe_age` would return it now.
/// Changes nothing at all. WT only.
///
/// - `age` (out): not NULL; 0 and 0 with LATELY_NEW, written only on LATELY_OK.
///
/// Status: also LATELY_ERR_UNSUPPORTED if the kind has no `age_bits`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_age(
    filter: *const lately_filter,
    key: *const c_void,
    len: usize,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::contains(filter, Key { start: key.cast(), len }, None, Places { verdict, age })
}

/// As `lately_filter_contains_age`, at tick `now` of a manual clock. Changes nothing at all.
///
/// - `now` (in, ns): the tick.
///
/// Status: also LATELY_ERR_CLOCK and LATELY_ERR_TICK, as from `lately_filter_contains_at`. Since: 0.1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_contains_age_at(
    filter: *const lately_filter,
    key: *const c_void,
    len: usize,
    now: u64,
    verdict: *mut u8,
    age: *mut lately_age,
) -> lately_status {
    age::contains(filter, Key { start: key.cast(), len }, Some(now), Places { verdict, age })
}
