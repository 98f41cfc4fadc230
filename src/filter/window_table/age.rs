//! How long ago a key was seen: a tag gives the generation, and so the two moments between which it was.
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

use super::line::Width;
use super::position::{Part, When};
use super::table::Table;

impl Table {
    /// The ages between which the key that `contains` finds was seen, back from the record's own moment. Changes nothing.
    pub(super) fn age<W: Width>(&self, hash: u64, when: When) -> Option<Age> {
        let (first, last) = self.sighting::<W>(hash, self.part_of(when))?;
        Some(self.ages(&(first..=last), when))
    }

    /// Positions as ages. A key that was seen at a later moment than the record's own is 0 old.
    fn ages(&self, seen: &RangeInclusive<Part>, when: When) -> Age {
        let (span, part, rest) = (&self.grid.plan.span, self.part_of(when), self.rest_at(when.own));
        // `parts` of the window and `rest` of a part, in nanoseconds or observations, as a number and its excess.
        let units = |parts: u64, rest: u64| {
            let x = u128::from(parts) * u128::from(span.window) + u128::from(rest);
            num::low_half((x / u128::from(span.parts)).min(u128::from(u64::MAX)))
        };
        let at_most = part.0.checked_sub(seen.start().0).map_or(0, |parts| units(parts, *rest.end()));
        // It was seen before the part behind the last possible one began.
        let at_least = match part.0.checked_sub(seen.end().after(1).0) {
            Some(parts) => units(parts, *rest.start()).saturating_add(1),
            None => 0,
        };
        Age { at_least: at_least.min(at_most), at_most }
    }

    /// How far into its part the position is, in parts of the window: exact for time; for observations, somewhere in it.
    fn rest_at(&self, moment: u64) -> RangeInclusive<u64> {
        let span = &self.grid.plan.span;
        if self.grid.plan.timed && self.state.running {
            let (_, rest) = self.state.position.place_of(moment, span);
            rest..=rest
        } else {
            0..=span.window - 1
        }
    }
}
