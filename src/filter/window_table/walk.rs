//! Time passes: parts begin, and lines are brought up to date.
//!
//! ```text
//!  part        0       8       16       ..     56      64
//!  phase 0     | g 0   | g 1   | g 2   |       | g 7   | g 8        a cell seen in g is needed to g + 7, and goes with g + 8
//!  phase 3   | g 0   | g 1   | g 2   |       | g 7   | g 8          lines of one phase go on at one time
//!
//!  group       8 lines of one phase, with the generation to which they are up to date
//!  walk        with each part: every call brings the two groups of its key up to date, and some others, until all are
//! ```
//! **Law.** While no walk is under way all lines are up to date. After a silence of a lifetime no cell is needed.
//! **Price.** Of a call in a walk: 6 groups and 66 looks at a generation. Generations are numbers of 32 bits, and a call visits some
//! groups: no table that fits a memory waits for 2^32 generations.

use crate::error::Error;
use crate::num;
use crate::raw::vec_of;
use crate::simd::{self, Instructions, Task};

use super::directory::GROUP;
use super::key::{SECTIONS, Shape, Side, Spot};
use super::line::{Expired, Width, expire};
use super::position::{Generation, PARTS, Part, Position};
use super::stash::Fate;
use super::table::{Grid, Mode, Table, Touched, Verb};

/// Groups that a call brings up to date in addition to those of its key, and looks at for that.
const GROUPS_A_CALL: usize = 4;
const LOOKS: u64 = 64;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The lowest bits of the generation of each group.
    epochs: [Vec<u32>; 2],
    /// Groups that are still to be looked at, and the next of them.
    pub(super) left: u64,
    pub(super) cursor: u64,
}

/// The first line of a group, and how far its lines are from each other.
#[inline(always)]
const fn lines_of(shape: &Shape, group: u64) -> [u64; 2] {
    if shape.skip == 0 { [group / PARTS * PARTS * GROUP + group % PARTS, PARTS] } else { [group * GROUP, 1] }
}

/// The group of a line.
const fn group_of(shape: &Shape, line: u64) -> u64 {
    if shape.skip == 0 { line / (PARTS * GROUP) * PARTS + line % PARTS } else { line / GROUP }
}

/// The groups that so many lines of a side have.
const fn groups_for(shape: &Shape, lines: u64) -> u64 {
    let run = if shape.skip == 0 { PARTS * GROUP } else { GROUP };
    lines.div_ceil(run) * (run / GROUP)
}

impl Walk {
    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut copy = Self { epochs: [Vec::new(), Vec::new()], ..*self };
        for (to, from) in copy.epochs.iter_mut().zip(&self.epochs) {
            *to = vec_of(from.len())?;
            to.extend_from_slice(from);
        }
        Ok(copy)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The groups of a phase of a whole table, as those of a section.
    pub(super) fn take_phase(&mut self, whole: &Self, phase: usize, side: Side) -> Result<(), Error> {
        let all = &whole.epochs[side.index()];
        let own = &mut self.epochs[side.index()];
        *own = vec_of(all.len() / SECTIONS + 1)?;
        own.extend(all.iter().skip(phase).step_by(SECTIONS));
        Ok(())
    }
}

/// Frees the expired cells of some lines.
struct Expire<'a, W>(&'a Grid, std::marker::PhantomData<W>);

impl<W: Width> Task for Expire<'_, W> {
    type Args = (Side, u64, Expired);
    type Result = u32;

    #[inline(always)]
    fn run<I: Instructions>(self, (side, group, expired): Self::Args) -> u32 {
        // A loop without closures, which would not have the instructions.
        let (end, mut freed) = (self.0.lines.len(side), 0);
        let [mut line, step] = lines_of(&self.0.shape, group);
        for _ in 0..GROUP {
            if line < end {
                freed += expire::<I, W>(self.0.lines.line(Spot { side, line }), expired);
            }
            line += step;
        }
        freed
    }
}

impl Table {
    /// What is due before a key; then the key itself, unless the usual call may do that.
    #[cold]
    #[inline(never)]
    pub(super) fn tend<W: Width>(&mut self, hash: u64, moment: u64) -> Option<Touched> {
        self.attend::<W>(hash, moment);
        let is_usual = self.state.mode == Mode::Table && self.grid.plan.lateness == 0;
        (!is_usual).then(|| self.touch_at::<W>(hash, self.state.position.part, Verb::Observe))
    }

    /// Does what is due before a key.
    pub(super) fn attend<W: Width>(&mut self, hash: u64, moment: u64) {
        if moment < self.state.due {
            return;
        }
        if moment >= self.state.position.next || !self.state.running {
            self.pass(moment);
        }
        if self.grid.lines.is_leaving() {
            self.grid.lines.give_back();
        }
        if self.state.walk.left > 0 {
            self.refresh_key::<W>(hash);
            self.walk_on::<W>();
        }
        if !self.state.stash.is_idle() {
            self.sweep::<W>();
        }
        if self.is_too_large() {
            self.state.stuck = !self.shrink_fast::<W>();
        }
        self.set_due();
    }

    /// Whether lines are to be merged with every call.
    fn is_too_large(&self) -> bool {
        let state = &self.state;
        state.mode == Mode::Table && state.used < state.bounds.urgent && !state.stuck && !self.grid.is_first()
    }

    /// From when on something is due.
    pub(super) fn set_due(&mut self) {
        let state = &self.state;
        let is_calm = state.mode == Mode::Table
            && state.running
            && state.walk.left == 0
            && state.stash.is_idle()
            && !self.grid.lines.is_leaving()
            && !self.is_too_large()
            && self.grid.plan.lateness == 0;
        self.state.due = if is_calm { state.position.next } else { 0 };
    }

    /// Whether a part has passed since the last key, or the window has not begun.
    #[inline(always)]
    pub(super) fn is_behind(&self, moment: u64) -> bool {
        moment >= self.state.position.next || !self.state.running
    }

    /// Moves the window on to `moment` without a key.
    pub(super) fn go_to(&mut self, moment: u64) {
        if self.is_behind(moment) {
            self.pass(moment);
            self.set_due();
        }
        self.grid.lines.give_back();
    }

    /// A part begins, or the window does.
    pub(super) fn pass(&mut self, moment: u64) {
        let (span, before) = (self.grid.plan.span, self.state.position.part);
        if !self.state.running {
            self.state.position = Position::start(moment, &span);
            self.state.running = true;
            self.set_tags();
            return;
        }
        self.state.position = self.state.position.moved(moment, &span);
        (self.state.starved, self.state.stuck) = (false, false);
        self.set_tags();
        let part = self.state.position.part;
        if part.since(before) >= self.grid.plan.lifetime() {
            self.forget_all();
        }
        if self.state.has_lines() && self.has_stale_groups(before, part) {
            self.begin_walk();
        }
        self.state.stash.sweep_all();
        if part.0 / PARTS != before.0 / PARTS {
            self.choose_mode(part);
        }
    }

    /// Groups of lines in use of both sides, side by side.
    pub(super) fn groups(&self) -> u64 {
        let shape = &self.grid.shape;
        2 * groups_for(shape, shape.sides[0].max(shape.sides[1]))
    }

    pub(super) fn begin_walk(&mut self) {
        self.state.walk.left = self.groups();
    }

    /// The groups of a side that have lines in use.
    pub(super) fn groups_of(&self, side: Side) -> u64 {
        groups_for(&self.grid.shape, self.grid.shape.sides[side.index()])
    }

    /// Sets how many generations a group is behind.
    pub(super) fn set_lag(&mut self, side: Side, group: u64, lag: u32) {
        let now = self.grid.generation(group, self.state.position.part);
        if let Some(epoch) = self.state.walk.epochs[side.index()].get_mut(num::index(group)) {
            *epoch = num::lower(now.0).wrapping_sub(lag);
        }
    }

    pub(super) fn set_tags(&mut self) {
        let part = self.state.position.part;
        for (phase, tag) in (0..).zip(&mut self.state.tags) {
            *tag = self.grid.tag(part.generation(phase));
        }
    }

    /// Whether lines are in another generation than they were: those of a phase at least, and all lines of a section or none.
    fn has_stale_groups(&self, before: Part, now: Part) -> bool {
        let shape = &self.grid.shape;
        shape.skip == 0 || now.generation(shape.phase_of(0)) != before.generation(shape.phase_of(0))
    }

    /// A generation for each group of lines that there are.
    pub(super) fn open_groups(&mut self) -> Result<(), Error> {
        for side in Side::BOTH {
            let groups = groups_for(&self.grid.shape, self.grid.lines.len(side));
            let part = self.state.position.part;
            let epochs = &mut self.state.walk.epochs[side.index()];
            let more = groups.saturating_sub(num::wide(epochs.len()));
            epochs.try_reserve(num::index(more)).map_err(|_| Error::no_memory_for::<u32>(num::index(more)))?;
            for group in num::wide(epochs.len())..groups {
                epochs.push(num::lower(self.grid.generation(group, part).0));
            }
        }
        Ok(())
    }

    /// The groups of lines that are gone are forgotten.
    pub(super) fn close_groups(&mut self, side: Side) {
        let groups = groups_for(&self.grid.shape, self.grid.lines.len(side));
        self.state.walk.epochs[side.index()].truncate(num::index(groups));
    }

    fn refresh_key<W: Width>(&mut self, hash: u64) {
        let spots = self.grid.spots(&self.grid.key(hash));
        spots.into_iter().for_each(|spot| self.refresh::<W>(spot));
    }

    /// Brings the group of a line up to date.
    pub(super) fn refresh<W: Width>(&mut self, spot: Spot) {
        let group = group_of(&self.grid.shape, spot.line);
        self.refresh_group::<W>(spot.side, group);
    }

    /// How many generations a line is behind.
    pub(super) fn lag(&self, spot: Spot) -> u64 {
        self.lag_of(spot.side, group_of(&self.grid.shape, spot.line))
    }

    pub(super) fn lag_of(&self, side: Side, group: u64) -> u64 {
        let now = self.grid.generation(group, self.state.position.part);
        let epoch = self.state.walk.epochs[side.index()].get(num::index(group));
        epoch.map_or(0, |epoch| u64::from(num::lower(now.0).wrapping_sub(*epoch)))
    }

    /// Whether lines of a group are behind; they are not any more.
    fn refresh_group<W: Width>(&mut self, side: Side, group: u64) -> bool {
        let lag = self.lag_of(side, group);
        if lag == 0 {
            return false;
        }
        let now = self.grid.generation(group, self.state.position.part);
        self.state.walk.epochs[side.index()][num::index(group)] = num::lower(now.0);
        let tag_bits = self.grid.plan.tag_bits;
        let [tags, ..] = lag.min(1 << tag_bits).to_le_bytes();
        let [oldest, ..] = ((now.0 - lag + 1) & ((1 << tag_bits) - 1)).to_le_bytes();
        let expired = Expired { print_bits: self.grid.plan.print_bits, oldest: oldest.into(), tags: tags.into() };
        let freed = simd::run(Expire::<W>(&self.grid, std::marker::PhantomData), (side, group, expired));
        let phase = self.grid.phase_of_group(group);
        self.state.uncount(phase, freed.into());
        true
    }

    /// Some groups are looked at, and brought up to date where they are behind.
    fn walk_on<W: Width>(&mut self) {
        let (groups, mut refreshed) = (self.groups(), 0);
        for _ in 0..LOOKS.min(self.state.walk.left) {
            let walk = &mut self.state.walk;
            walk.left -= 1;
            walk.cursor = if walk.cursor + 1 >= groups { 0 } else { walk.cursor + 1 };
            let (side, group) = (Side::BOTH[num::index(walk.cursor % 2)], walk.cursor / 2);
            if group < self.groups_of(side) && self.refresh_group::<W>(side, group) {
                refreshed += 1;
                if refreshed == GROUPS_A_CALL {
                    break;
                }
            }
        }
    }

    /// Keys of the stash that have expired go, and others go to their lines where these have room.
    fn sweep<W: Width>(&mut self) {
        let mut stash = std::mem::replace(&mut self.state.stash, super::stash::Stash::new(self.grid.lines.account()));
        stash.sweep(self.state.position.part, |hash, seen| self.fate::<W>(hash, seen));
        self.state.stash = stash;
    }

    fn fate<W: Width>(&mut self, hash: u64, seen: Part) -> Fate {
        let key = self.grid.key(hash);
        let now = key.generation(self.state.position.part);
        if now.since(key.generation(seen)) > self.grid.plan.span.kept / PARTS {
            return Fate::Goes;
        }
        if self.state.mode != Mode::Table {
            return Fate::Stays;
        }
        if self.state.walk.left > 0 {
            self.refresh_key::<W>(hash);
        }
        self.settle::<W>(&key, seen)
    }
}

impl Grid {
    /// The generation of a group at a part.
    pub(super) fn generation(&self, group: u64, part: Part) -> Generation {
        part.generation(self.phase_of_group(group))
    }

    fn phase_of_group(&self, group: u64) -> u64 {
        if self.shape.skip == 0 { group % PARTS } else { self.shape.phase_of(0) }
    }
}
