//! What an engineer writes in an hour, in the contest: two rotating sets of 64-bit hashes, and a map of hash to time.
//!
//! Their tables have a power of two of places and fill at most seven of eight; they double when they are full.

use crate::baselines::hashes::{HashTimes, RotatingSets};
use crate::num;
use crate::timely::Counted;

use super::contest_entrant::{Entrant, Law, Missed, Rate};

pub(super) const SETS: &str = "two sets of hashes";
pub(super) const TIMES: &str = "map of hash to time";

/// Bytes of a place with its control byte: a hash; a hash with its time, in whole words.
const OF_A_HASH: u64 = 9;
const OF_A_TIME: u64 = 17;

/// The places of a table that took so many keys.
fn places(keys: u64) -> u64 {
    if keys < 8 { if keys < 4 { 4 } else { 8 } } else { (keys * 8).div_ceil(7).next_power_of_two() }
}

/// The mean of the places of a table that grows from nothing to so many keys.
fn mean_places(keys: u64) -> f64 {
    let (mut sum, mut first) = (0.0, 1);
    while first <= keys {
        let places = places(first);
        let last = (places / 8 * 7).max(first).min(keys);
        sum += num::real(places) * num::real(last + 1 - first);
        first = last + 1;
    }
    sum / num::real(keys)
}

/// Both, for a window of this many keys.
pub(super) fn all(window: u64) -> [Entrant; 2] {
    [sets(window), times(window)]
}

/// The old set is full; the young one grows from nothing in each window.
fn sets(window: u64) -> Entrant {
    let full = num::real(places(window));
    let bits = |places: f64| num::real(8 * OF_A_HASH) * places / num::real(window);
    Entrant {
        plan: "64-bit hashes, a turn each window".to_owned(),
        bits_per_key: bits(full + mean_places(window)),
        bits_at_peak: bits(2.0 * full),
        late: 1.0,
        law: law(0.5, 0.03),
        // Two tables of two lines each.
        build: Box::new(move |seed| Box::new(Counted::new(RotatingSets::new(window, seed), 4.0))),
        name: SETS.to_owned(),
    }
}

/// Between two sweeps it has a window and a quarter. Places that were given up are cleared where a table is half empty; else it
/// doubles.
fn times(window: u64) -> Entrant {
    let first = places(window / 4 * 5);
    let settled = if window * 16 > first * 7 { 2 * first } else { first };
    let bits = num::real(8 * OF_A_TIME * settled) / num::real(window);
    let late = HashTimes::late(window);
    Entrant {
        plan: "64-bit hashes, 32-bit times, four sweeps a window".to_owned(),
        bits_per_key: bits,
        bits_at_peak: bits,
        late,
        law: law(0.5 * late, 1.0),
        build: Box::new(move |seed| Box::new(Counted::new(HashTimes::new(window, seed), 2.0))),
        name: TIMES.to_owned(),
    }
}

/// Two keys in 2^64 meet.
fn law(stale: f64, slack: f64) -> Law {
    Law { rate: Rate::About(0.0), stale: Some(stale), missed: Missed::None, slack }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_double_when_seven_of_eight_are_taken() {
        assert_eq!([3, 7, 14, 15, 57_344, 57_345].map(places), [4, 8, 16, 32, 65_536, 131_072]);
    }

    #[test]
    fn mean_of_places_is_that_of_each_key() {
        let slow = (1..=5000).map(|keys| num::real(places(keys))).sum::<f64>() / 5000.0;
        assert!((mean_places(5000) / slow - 1.0).abs() < 1e-12, "{slow}");
    }
}
