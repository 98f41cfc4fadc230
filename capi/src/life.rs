//! A handle from new to copy, and what concerns the whole filter.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use library::Filter;

use crate::boundary::Fault;
use crate::error::{explained, lately_error};
use crate::growing::{In, Out};
use crate::handle::{Of, change, lately_filter, look, making};
use crate::options::{lately_options, request};
use crate::pointers::{place, room};
use crate::stats::lately_stats;
use crate::status::lately_status;

/// Builds the filter that the options ask for, for one owner at a time.
///
/// - `options` (in): not NULL, set up by `lately_options_init`.
/// - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
/// - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_ERR_OPTION, with `error->field`; LATELY_ERR_NO_MEMORY, also when the operating system gives no
/// secret.
/// Ownership: the caller owns the handle and passes it to `lately_filter_free` once. Cost: that of `lately_plan`, and
/// the first slices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_new(
    options: In<lately_options>,
    filter: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
    error: Out<lately_error>,
) -> lately_status {
    explained(error, || making(filter, "filter", || Ok(Of::own(Filter::new(&request(options)?)?))))
}

/// As `lately_filter_new`, for any number of threads at once. The locks take 8 to 40 KiB, 119 with rows of 200 cells.
/// Status: LATELY_ERR_OPTION also if they would take more than 2 MiB and more than the cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_shared_new(
    options: In<lately_options>,
    filter: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
    error: Out<lately_error>,
) -> lately_status {
    explained(error, || making(filter, "filter", || Ok(Of::shared(Filter::new(&request(options)?)?)?)))
}

/// Makes a second filter, of the same sort of handle, that equals the first in everything: content, clock, counters,
/// seed and secret.
///
/// - `copy` (out): not NULL; the new handle, written only on LATELY_OK.
///
/// Status: LATELY_ERR_NO_MEMORY.
/// Ownership: the caller owns the copy and passes it to `lately_filter_free` once. Cost: a copy of its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_copy(
    filter: Option<&lately_filter>,
    copy: Option<&mut MaybeUninit<Option<NonNull<lately_filter>>>>,
) -> lately_status {
    let Some(handle) = filter else { return crate::handle::no_handle() };
    crate::handle::guard(handle, |of| {
        making(copy, "copy", || match of {
            Of::Own(own) => Ok(Of::own(own.look(Filter::try_clone)?)),
            Of::Shared { filter, .. } => Ok(Of::shared(filter.unshared()?)?),
        })
    })
}

/// Empties the filter and resets clock and counters; options, seed and secret stay. Cost: returns its memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_clear(filter: Option<NonNull<lately_filter>>) -> lately_status {
    change!(filter, |filter| {
        filter.clear();
        Ok(())
    })
}

/// Returns the options that make a filter like this one, with what its plan chose: `k`, `fill`, `error_rate` and so on.
/// 0 is what the kind does not take. No secret is among them.
///
/// - `options` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
///
/// Cost: some reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_options(
    filter: Option<&lately_filter>,
    options: Out<lately_options>,
) -> lately_status {
    look!(filter, |filter| options.write(&filter.options().into()))
}

/// Asks whether the options would make a filter like this one, whatever is in it and whatever its secret.
///
/// - `options` (in): not NULL, set up by `lately_options_init`.
/// - `error` (out): the difference; may be NULL, else with `struct_size` set.
///
/// Status: LATELY_OK if they would; LATELY_ERR_OPTIONS_DIFFER, and `error->field` is the first option that differs;
/// else as `lately_plan`. Cost: that of `lately_filter_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_expect(
    filter: Option<&lately_filter>,
    options: In<lately_options>,
    error: Out<lately_error>,
) -> lately_status {
    let mut result = Ok(());
    let status = look!(filter, |filter| {
        result = request(options).and_then(|request| Ok(filter.expect_options(&request)?));
        Ok(())
    });
    if status != crate::status::LATELY_OK {
        return status;
    }
    explained(error, || result)
}

/// Returns the statistics of the filter now.
///
/// - `stats` (out): not NULL, with `struct_size` set; the rest is written only on LATELY_OK.
///
/// Cost: O(slices); nothing is scanned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_stats(
    filter: Option<&lately_filter>,
    stats: Out<lately_stats>,
) -> lately_status {
    look!(filter, |filter| stats.write(&filter.stats().into()))
}

/// Sets the counters of verdicts and of late and refused ticks to 0. Cost: a few writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_stats_reset(filter: Option<NonNull<lately_filter>>) -> lately_status {
    change!(filter, |filter| {
        filter.stats_reset();
        Ok(())
    })
}

/// Writes the filter in one line, for a log: kind, window, bytes, error rate. It contains no key and no secret, and its
/// words may change from version to version.
///
/// - `text` (out): not NULL; room for `len` bytes, of which 128 are always enough. Ends in NUL; written only on
///   LATELY_OK.
/// - `len` (in, bytes): how much room there is.
///
/// Status: LATELY_ERR_SHORT_BUFFER if the line and its NUL do not fit.
/// Ownership: the text is the caller's. Cost: that of `lately_filter_stats`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_describe(
    filter: Option<&lately_filter>,
    text: *mut c_char,
    len: usize,
) -> lately_status {
    look!(filter, |filter| {
        if text.is_null() {
            return Err(Fault::Null("text"));
        }
        // SAFETY: the caller's room.
        let room = unsafe { room("text", text.cast::<u8>(), len) }?;
        let line = filter.line();
        let bytes = line.as_str().as_bytes();
        if len <= bytes.len() {
            return Err(Fault::Short("text"));
        }
        room.iter_mut().zip(bytes.iter().chain(&[0])).for_each(|(to, from)| {
            to.write(*from);
        });
        Ok(())
    })
}

/// Returns the secret of a keyed filter, given or drawn. Keep it as you would a password: no snapshot contains it.
///
/// - `lo` (out), `hi` (out): not NULL; the low and the high word; written only on LATELY_OK.
///
/// Status: LATELY_ERR_UNSUPPORTED if the filter is not keyed.
/// Cost: two reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lately_filter_secret(
    filter: Option<&lately_filter>,
    lo: Option<&mut MaybeUninit<u64>>,
    hi: Option<&mut MaybeUninit<u64>>,
) -> lately_status {
    look!(filter, |filter| {
        let (out_lo, out_hi) = (place("lo", lo)?, place("hi", hi)?);
        let (lo, hi) = filter.secret()?.words();
        out_lo.write(lo);
        out_hi.write(hi);
        Ok(())
    })
}
