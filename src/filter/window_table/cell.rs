//! A key's cell: seen again, made longer, or written into the emptier of its two lines.

use crate::num;
use crate::simd::{Baseline, Instructions};

use super::line::{Cell, Lanes};
use super::state::{Course, State};
use super::table::{Grid, Look, Match};
use super::tally::weight;
use super::width::{Widths, left};

impl Grid {
    /// Sees a key's cell again.
    #[inline(always)]
    pub(super) fn renew(&self, state: &mut State, look: &Look<'_>, found: &Match) {
        let (line, spot, widths) = (look.lines[found.side], &look.spots[found.side], &self.plan.widths);
        let lane = line.lane(u64::from(found.cell));
        let seen = look.now - widths.age(lane, look.now);
        // A late sighting does not make a key older.
        let latest = seen.max(look.tag);
        line.set_lane(u64::from(found.cell), widths.lane(look.key.print, latest));
        state.tally.renew(spot.phase(), (seen, latest), weight(found.bits));
    }

    /// Sees a key again whose cell is short of bits: a longer one goes beside it, if there is room for one that knows more by two
    /// bits. Without that rule the cell of a hot key would fill its lines with copies of itself.
    #[cold]
    pub(super) fn lengthen(&self, state: &mut State, look: &Look<'_>, found: &Match) {
        let free = [0, 1].map(|side| self.plan.widths.free::<Baseline>(look.lines[side]));
        let used = [0, 1].map(|side| look.widths[side].cells - free[side].count_ones());
        let side = usize::from(used[1] < used[0]);
        let (width, spot) = (look.widths[side], &look.spots[side]);
        let is_wide = self.plan.widths.code(look.lines[side]) == self.wanted(&state.course, spot);
        let longer = |i: u32| width.most_known(i).min(left(spot.depth)) + spot.depth > found.bits + 1;
        match Lanes(free[side]).next().filter(|i| is_wide && longer(*i)) {
            Some(cell) => {
                let weighed = state.course.weighed;
                self.write(state, look, side, cell);
                state.course.weighed = weighed; // nothing new was stored
            }
            None => self.renew(state, look, found),
        }
    }

    /// Writes the key into a free cell.
    #[inline(always)]
    fn write(&self, state: &mut State, look: &Look<'_>, side: usize, cell: u32) {
        let (spot, string) = (&look.spots[side], look.key.strings[side]);
        let lane = self.plan.widths.lane(look.key.print, look.tag);
        let new = Cell { lane, bits: string >> spot.depth, known: left(spot.depth) };
        let known = Widths::put(look.widths[side], look.lines[side], cell, new);
        state.born(spot, look.tag, known);
    }

    /// Stores a key in the emptier line; says whether that was as wide as it should be and had room.
    #[inline(always)]
    pub(super) fn store<I: Instructions>(&self, state: &mut State, look: &Look<'_>) -> bool {
        let free = I::free_in_both(look.lines);
        let free = [num::lower(free) & look.widths[0].lanes, num::upper(free) & look.widths[1].lanes];
        let used = [!free[0] & look.widths[0].lanes, !free[1] & look.widths[1].lanes];
        let side = usize::from(I::has_more(used[0], used[1]));
        if free[side] == 0 || !self.is_wide(&state.course, look, side, used[side]) {
            return false;
        }
        self.write(state, look, side, free[side].trailing_zeros());
        true
    }

    /// Whether a line is as wide as wanted, or wider, or has too many cells to become so.
    #[inline(always)]
    fn is_wide(&self, course: &Course, look: &Look<'_>, side: usize, used: u32) -> bool {
        let wanted = self.wanted(course, &look.spots[side]);
        self.plan.widths.code(look.lines[side]) >= wanted || used.count_ones() >= self.plan.widths.of(wanted).cells
    }

    /// Whether the stash has a key that was seen within the window of a part; sees it again there.
    #[cold]
    pub(super) fn is_stashed(&self, state: &mut State, hash: u64, part: u64, renews: bool) -> bool {
        let known = state.stash.find(hash, part - self.plan.span.parts).is_some();
        if known && renews {
            state.remember_or_lose(hash, part);
        }
        known
    }
}
