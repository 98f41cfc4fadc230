//! Algorithm 1: is the key in k neighbouring slices that are not out of date?

use crate::tick::Tick;

use super::TimeLimited;
use super::slice::Mix;

impl TimeLimited {
    /// Algorithm 1: k hits in a row among the slices that are not out of date at `now`, if those that fill carry `stamp`.
    #[inline]
    pub(super) fn finds(&self, key: &impl Mix, now: Tick, stamp: Option<Tick>) -> bool {
        let k = self.plan.k;
        let live = self.live(now, stamp);
        if live < k {
            return false;
        }
        // `run` hits end just below place `i`; `above` hits begin at the place where this run would become whole.
        let (mut i, mut run, mut above) = (live - k, 0, 0);
        loop {
            if self.slices[i].hit(key) {
                run += 1;
                i += 1;
                if run + above == k {
                    return true;
                }
            } else if i < k {
                return false;
            } else {
                i -= k;
                above = run;
                run = 0;
            }
        }
    }

    /// How many slices, from the newest, are not out of date at `now`, if those that fill carry `stamp`.
    pub(super) fn live(&self, now: Tick, stamp: Option<Tick>) -> usize {
        let mut live = self.slices.len();
        while live > 0 && self.is_past(self.stamp(live - 1, stamp), now) {
            live -= 1;
        }
        live
    }

    /// Whether what was stamped so is out of date at `now`.
    pub(super) fn is_past(&self, stamp: Option<Tick>, now: Tick) -> bool {
        stamp.is_none_or(|stamp| now.since(stamp) > self.plan.window)
    }

    /// The last insertion into the slice at this place, if those that fill carry `filling`; a slice never inserted into
    /// has none.
    pub(super) fn stamp(&self, place: usize, filling: Option<Tick>) -> Option<Tick> {
        if place < self.plan.k { filling } else { Some(self.slices[place].stamp) }
    }
}
