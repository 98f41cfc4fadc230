//! The first window: slices that are emptier than later ones, so that the error rate never passes the target.
//!
//! A filter that knows nothing of its stream begins with generations of a key and makes them larger as it learns: at
//! a million keys a window it has made 40 to 120 slices beyond k + l when the first T is over, and none of them may go
//! before. Were they as full as later ones, their runs would add up to up to four targets.
//!
//! **Law.** In ln(1 / (1 - error rate)) runs add up. A generation of T / l may add one part in l + 1 of the target's.
//! While the oldest slice is younger than T, a new one is given what is left of the whole, in proportion to the part
//! that its generations are of the time that is left:
//!
//! ```text
//!  0 |.|.|. | .  |   .   |      .      |      .      |      .      T      spent by slices that are there, at their
//!    '--------- spent ---------' new   '------- what is left ------'      full fill; what was spent too fast at first
//!                                                                         is saved by all that follow
//! ```
//! A slice at fill `g` instead of `f` adds (g / f)^k (1 - g) / (1 - f) as much: a run, behind a miss unless k = 1.
//!
//! **Price.** Generations of a key cannot be so empty that they add nothing. They add `least`, such that all of them
//! spend half of the whole: there are about k log2(keys of a full generation) of them. So slices are larger by the
//! k-th root of that, 1.3 times at k = 9 and twice at k = 5. Together they come to 1.4 times the need of a full window
//! at most from k = 4 on; of what has come so far to three times for a moment, with fewer functions to more.
//!
//! **Few generations.** With l below k - 1, which no plan chooses, a window is too short to save. So the slices of the start
//! have spare room, by a formula that was fitted to shapes up to (24, 16). With l = 1 the start lasts until its slices are
//! gone, which fill for k windows, and later slices have spare room too: one slice more than k + 1 is one run of two.

use crate::filter::sliced::runs::run_chance;
use crate::num;

use super::TimeLimited;
use super::slice::Slice;

/// Generations of a start for each function and each doubling of the keys of a generation, and as many to spare.
const CLIMB: f64 = 1.2;

/// The same with one function or two, where nearly every hit is a run: what is spent too fast is not saved by a miss.
const CLIMB_OF_TWO: f64 = 4.0;

/// The most doublings that a rate is believed: it may come from two keys of one tick.
const MOST_DOUBLINGS: f64 = 30.0;

/// Spare room of a slice where a window is one generation.
const ROOM_OF_ONE: f64 = 1.2;

/// The most spare room of a slice of the start.
const MOST_ROOM: f64 = 4.0;

/// Rounds of the iteration for the fill.
const ROUNDS: u32 = 16;

impl TimeLimited {
    /// By how much a new slice is larger than a calm one, 1 or more. Its generations take `share` of the `full` keys
    /// that those of T / l take at the present rate.
    pub(super) fn room_at_start(&self, share: f64, full: u64) -> f64 {
        let age = self.slices.last().map_or(0, |oldest| self.time.generation.since(oldest.began));
        let start = self.start();
        if age >= start {
            return if self.plan.l == 1 { ROOM_OF_ONE } else { 1.0 };
        }
        let part = num::real(self.plan.l + 1);
        let left = num::real(start - age) / num::real(self.plan.generation_ns) + 1.0;
        let given = share.min(1.0) * (self.plan.budget - self.spent()) / self.plan.budget * part / left;
        let doublings = num::real(full.max(2)).log2().min(MOST_DOUBLINGS);
        let climb = if self.plan.k <= 2 { CLIMB_OF_TWO } else { CLIMB };
        let least = part / (climb * doublings * num::real(num::wide(self.plan.k)));
        self.room_for(given.max(least).min(1.0)) * self.spare_room()
    }

    /// How old the oldest slice is when the start is over.
    fn start(&self) -> u64 {
        let more = if self.plan.l == 1 { num::wide(self.plan.k).saturating_sub(2) } else { 0 };
        self.plan.window.saturating_add(more.saturating_mul(self.plan.generation_ns))
    }

    /// By how much a slice of the start is larger than by the law, if a window has few generations.
    fn spare_room(&self) -> f64 {
        let (k, l) = (num::wide(self.plan.k), self.plan.l);
        if l > 1 && l + 1 >= k {
            return 1.0;
        }
        (1.25 + 0.1 * num::real(k) / num::real(l) + 0.02 * num::real(k)).min(MOST_ROOM)
    }

    /// The sum of the runs of all slices once they are full.
    fn spent(&self) -> f64 {
        let fills = self.slices.iter().enumerate();
        let fills =
            fills.map(|(place, slice)| if place + 1 < self.plan.k { self.fill_when_full(slice) } else { slice.fill() });
        -(-run_chance(self.plan.k, fills)).ln_1p()
    }

    fn fill_when_full(&self, slice: &Slice) -> f64 {
        let calm = self.plan.slice_capacity(slice.len()).max(1);
        let part = num::real(slice.capacity) / num::real(calm);
        -(part.min(1.0) * (-self.plan.shape.fill).ln_1p()).exp_m1()
    }

    /// The bits of a slice that adds `part` of what a full one adds, over those of a full one.
    fn room_for(&self, part: f64) -> f64 {
        let (fill, root) = (self.plan.shape.fill, 1.0 / num::real(num::wide(self.plan.k)));
        let missed = |other: f64| if self.plan.k == 1 { 1.0 } else { (1.0 - fill) / (1.0 - other) };
        let other = (0..ROUNDS).fold(fill, |other, _| fill * (part * missed(other)).powf(root));
        ((-fill).ln_1p() / (-other).ln_1p()).max(1.0)
    }
}
