//! A key's cell: seen again, made longer, or written into the emptier of its two lines.

use crate::num;
use crate::simd::{Baseline, Instructions};

use super::form::Form;
use super::key::generation_of;
use super::line::{Cell, Lanes};
use super::look::{Look, Match, Side};
use super::position::{PARTS, Part};
use super::state::{Course, State};
use super::table::{Grid, Verb};
use super::tally::weight;
use super::width::{Widths, left};

impl Grid {
    /// Sees a key's cell again.
    #[inline(always)]
    pub(super) fn renew(&self, state: &mut State, look: &Look<'_>, found: &Match<'_>) {
        let is_punctual = look.tag == look.now;
        // A late sighting does not make a key older.
        let latest = if is_punctual { look.now } else { look.tag.max(look.now.before(found.age)) };
        let lane = self.plan.widths.lane(look.pair.key.print, latest);
        found.line.set_lane(u64::from(found.cell), lane);
        state.renewed |= lane ^ found.lane;
        let before = self.plan.widths.tag(found.lane);
        state.tally.renew(look.pair.key.phase(), (before, latest), weight(found.bits));
    }

    /// Sees a key again whose cell is short of bits: a second, longer one is stored, if there is room for one that knows more by two
    /// bits. Without that rule the cell of a hot key would fill its lines with copies of itself.
    pub(super) fn lengthen(&self, state: &mut State, look: &Look<'_>, found: &Match<'_>) {
        let free = look.pair.lines.map(|line| self.plan.widths.free::<Baseline>(line));
        let used = look.pair.lines.map(|line| self.plan.widths.used(line).count_ones());
        let emptier = usize::from(used[1] < used[0]);
        let side = self.side(look, emptier);
        let is_wide = side.code == self.wanted(&state.course, &side.spot);
        let most = |i: u32| side.width.most_known(i).min(left(side.spot.depth)) + side.spot.depth;
        match Lanes(free[emptier]).next().filter(|i| is_wide && most(*i) > found.bits + 1) {
            Some(cell) => {
                let weighed = state.course.weighed;
                self.write(state, look, &side, cell);
                state.course.weighed = weighed; // nothing new was stored
                state.course.arm(state.tally.all().cells);
                state.renewed |= u16::from(look.tag > look.now.before(found.age));
            }
            None => self.renew(state, look, found),
        }
    }

    /// Writes the key into a free cell.
    #[inline(always)]
    pub(super) fn write(&self, state: &mut State, look: &Look<'_>, side: &Side<'_>, cell: u32) {
        let lane = self.plan.widths.lane(look.pair.key.print, look.tag);
        let depth = side.spot.depth;
        let known = Widths::put(side.width, side.line, cell, Cell { lane, bits: side.bits, known: left(depth) });
        state.born(look.pair.key.phase(), look.tag, depth + known);
    }

    /// Stores a key in the emptier line, if that is as wide as it should be and has room; otherwise returns which it is.
    #[inline(always)]
    pub(super) fn store<I: Instructions, F: Form>(&self, state: &mut State, look: &Look<'_>) -> Result<(), usize> {
        let free = I::free_in_both(look.pair.lines) & look.lanes;
        let used = free ^ look.lanes;
        let emptier = usize::from(I::has_more(num::lower(used), num::upper(used)));
        let [free, used] = [free, used].map(|both| num::lower(both >> (32 * emptier)));
        let side = self.side(look, emptier);
        if free == 0 || F::TIMED && !self.is_wide(&state.course, &side, used) {
            return Err(emptier);
        }
        self.write(state, look, &side, free.trailing_zeros());
        Ok(())
    }

    /// Whether a line is as wide as wanted, or wider, or has too many cells to become so.
    #[inline(always)]
    fn is_wide(&self, course: &Course, side: &Side<'_>, used: u32) -> bool {
        let wanted = self.wanted(course, &side.spot);
        side.code >= wanted || used.count_ones() >= self.plan.widths.of(wanted).cells
    }

    /// Whether the stash has a key that was seen within the window of a part; sees it again there.
    #[cold]
    pub(super) fn is_stashed(&self, state: &mut State, hash: u64, part: Part, verb: Verb) -> bool {
        let Some(seen) = self.stashed(state, hash, part) else { return false };
        if self.renews(verb) {
            state.renewed |= u16::from(generation_of(hash, part) > generation_of(hash, seen));
            state.remember_or_lose(hash, part);
        }
        true
    }

    /// The part in which the stash saw a key last, if that is within the window of a part. As with a cell its generation counts,
    /// so that a filter with a key in its stash finds it as long as another filter with the key in a cell.
    pub(super) fn stashed(&self, state: &State, hash: u64, part: Part) -> Option<Part> {
        let oldest = generation_of(hash, part).before(self.plan.span.parts / PARTS);
        state.stash.find(hash).filter(|seen| generation_of(hash, *seen) >= oldest)
    }
}
