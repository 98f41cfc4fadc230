//! How long ago a key was seen: a tag says in which generation, and so between which two moments.
//!
//! ```text
//!  position   | 8 g - phase ......... 8 g - phase + 7 |  ...   | now: a part and, of time, the rest behind it |
//!  ages        <----------- at_most ------------------------------------------->
//!                                                     <------- at_least ------->
//! ```
//! **Law.** Between the two, one generation apart, the key was seen last. A position of observations is known to its part,
//! so that a count window's ages are an eighth of a generation further apart.

use std::ops::RangeInclusive;

use crate::filter::values::Age;
use crate::num;
use crate::tick::Tick;

use super::Core;
use super::hand::Hand;

impl Core {
    /// The ages between which the key that `contains` finds at `now` was seen. Changes nothing.
    pub(super) fn age(&self, hand: &Hand, hash: u64, now: Tick) -> Option<Age> {
        self.sighting(hand, hash, now).map(|seen| self.ages(&seen, now))
    }

    /// The positions between which the key was seen.
    fn sighting(&self, hand: &Hand, hash: u64, now: Tick) -> Option<RangeInclusive<u64>> {
        let (span, part) = (&self.plan.span, self.part_at(now));
        let place = self.newest.shape.place(hash);
        let found = self.newest.look(&place, part, self.position.part).map(|found| found.parts());
        let elsewhere = || self.sealed.iter().find_map(|sealed| sealed.sighting(hash, part, span));
        found.or_else(|| hand.stash.sighting(&place, &self.newest, part, span)).or_else(elsewhere)
    }

    /// What positions are as ages at `now`.
    fn ages(&self, seen: &RangeInclusive<u64>, now: Tick) -> Age {
        let (span, part, rest) = (&self.plan.span, self.part_at(now), self.rest_at(now));
        // `parts` of the window and `rest` of a part, in nanoseconds or observations, as a number and its excess.
        let units = |parts: u64, rest: u64| {
            let x = u128::from(parts) * u128::from(span.window) + u128::from(rest);
            num::low_half((x / u128::from(span.parts)).min(u128::from(u64::MAX)))
        };
        let at_most = units(part - seen.start(), *rest.end());
        // It was seen before the part behind the last possible one began.
        let at_least = match part.checked_sub(seen.end() + 1) {
            Some(parts) => units(parts, *rest.start()).saturating_add(1),
            None => 0,
        };
        Age { at_least: at_least.min(at_most), at_most }
    }

    /// How far into its part the position is, in parts of the window: exact for time; for observations, somewhere in it.
    fn rest_at(&self, now: Tick) -> RangeInclusive<u64> {
        if self.plan.timed && self.time.running {
            let rest = self.position.rest_at(now.0, &self.plan.span);
            rest..=rest
        } else {
            0..=self.plan.span.window - 1
        }
    }
}
