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

use super::table::Table;

impl Table {
    /// The ages between which the key that `contains` finds at a moment was seen. Changes nothing.
    pub(super) fn age(&self, hash: u64, moment: u64) -> Option<Age> {
        let (first, last) = self.sighting(hash, self.part_at(moment))?;
        Some(self.ages(&(first..=last), moment))
    }

    /// What positions are as ages at a moment.
    fn ages(&self, seen: &RangeInclusive<u64>, moment: u64) -> Age {
        let (span, part, rest) = (&self.grid.plan.span, self.part_at(moment), self.rest_at(moment));
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
    fn rest_at(&self, moment: u64) -> RangeInclusive<u64> {
        let span = &self.grid.plan.span;
        if self.grid.plan.timed && self.state.running {
            let rest = self.state.position.rest_at(moment, span);
            rest..=rest
        } else {
            0..=span.window - 1
        }
    }
}
