//! Lateness: how far below the clock a record is judged at its own time, and what that takes of its key's tag.
//!
//! ```text
//!  2^t - 1 generations that a tag of t bits tells apart  =  G of the window  +  those of the lateness, rounded up
//! ```
//! Where a request does not fix t, it is the least with which a generation is a seventh of the window or less.

use crate::error::Error;
use crate::field::Field;
use crate::num;
use crate::options::{Clock, Options};

/// t of a request that does not fix it, if it allows no lateness. Each bit more takes one of the fingerprint; with one less a sixth more
/// cells are in use where it is a fourteenth, and keys are late by up to a third of the window.
const DEFAULT_AGE_BITS: u32 = 3;

/// The most t: 11 bits of a lane are left to the fingerprint.
pub(super) const MOST_AGE_BITS: u32 = 5;

/// G: the most generations of a window that leave enough for the lateness, of those that a tag distinguishes.
pub(super) fn generations_of((window, lateness): (u64, u64), all: u64) -> u64 {
    let late = |g: u64| (u128::from(g) * u128::from(lateness)).div_ceil(u128::from(window));
    (1..=all).rev().find(|g| u128::from(*g) + late(*g) <= u128::from(all)).unwrap_or(1)
}

/// Generations in a window of which a request does not fix t: a generation is a seventh of the window at most.
const LEAST_GENERATIONS: u64 = 7;

/// t of a request that does not fix it: the least for which a generation is short enough.
pub(super) fn age_bits(options: &Options) -> u32 {
    let span = (options.window_ns.unwrap_or(u64::MAX).max(1), options.lateness_ns.unwrap_or(0));
    let is_fine = |bits: &u32| generations_of(span, (1 << bits) - 1) >= LEAST_GENERATIONS;
    (DEFAULT_AGE_BITS..MOST_AGE_BITS).find(is_fine).unwrap_or(MOST_AGE_BITS)
}

/// The most lateness: 24 of 31 generations, of which 7 are the window, or what fewer bits leave a window of one generation.
pub(super) fn most_lateness(window: u64, tag_bits: u32) -> u64 {
    let part = |of: u64, parts: u64| {
        num::low_half((u128::from(window) * u128::from(of) / u128::from(parts)).min(u128::from(u64::MAX)))
    };
    part((1 << MOST_AGE_BITS) - 1 - LEAST_GENERATIONS, LEAST_GENERATIONS).min(part((1 << tag_bits) - 2, 1))
}

/// The lateness that is asked for.
pub(super) fn lateness(options: &Options, window: u64, tag_bits: u32) -> Result<u64, Error> {
    let (lateness, most) = (options.lateness_ns.unwrap_or(0), most_lateness(window, tag_bits));
    match options.clock.unwrap_or_default() {
        Clock::System if lateness > 0 => Err(Error::conflict(Field::LatenessNs, lateness, "needs a manual clock")),
        _ if lateness > most => Err(Error::out_of_range(Field::LatenessNs, lateness, format_args!("0 to {most} ns"))),
        _ => Ok(lateness),
    }
}
