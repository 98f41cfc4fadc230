//! Time passes: parts begin, lines are brought up to date, a small table becomes a map and a large map a table.
//!
//! ```text
//!  part        0       8       16       ..     56      64
//!  phase 0     | g 0   | g 1   | g 2   |       | g 7   | g 8        a cell seen in g is needed to g + 7, and goes with g + 8
//!  phase 3   | g 0   | g 1   | g 2   |       | g 7   | g 8          lines of one phase go on at one time
//!
//!  group       8 lines of one phase, with the generation to which they are up to date
//!  walk        with each part: every call brings the two groups of its key up to date, and some others, until all are
//!
//!  Map  -- too many keys -->  Table  -- few keys, at a generation -->  Resting  -- a lifetime -->  Map
//!                               <-------------- too many keys ------------
//! ```
//! **Law.** While no walk is under way all lines are up to date. While a filter rests, keys go to the stash, so that a lifetime later no
//! cell of its lines is needed. After a silence of a lifetime nothing is.
//! **Price.** Of a call in a walk: 6 groups and 26 looks at a generation. Generations are numbers of 32 bits, and a call visits some
//! groups: no table that fits a memory waits for 2^32 generations.

use crate::error::Error;
use crate::num;
use crate::raw::vec_of;
use crate::simd::{self, Instructions, Task};

use super::directory::GROUP;
use super::key::{PHASE_BITS, SECTIONS, Shape, Side, Spot};
use super::line::{Expired, Width, expire};
use super::plan::{LEAST_IN_TABLE, MOST_ENTRIES, Plan};
use super::position::{Generation, PARTS, Part, Position};
use super::stash::Fate;
use super::table::{Grid, Mode, Table, Touched, Verb};

/// Groups that a call brings up to date beside those of its key, and looks at for each.
const GROUPS_A_CALL: usize = 4;
const LOOKS: u64 = PARTS;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The lowest bits of the generation of each group.
    epochs: [Vec<u32>; 2],
    /// Groups that are still to be looked at, and the next of them.
    pub(super) left: u64,
    pub(super) cursor: u64,
}

/// The lines of a group from the first on, so far from each other.
fn lines_of(shape: &Shape, group: u64) -> impl Iterator<Item = u64> {
    let (first, step) = if shape.skip == 0 {
        (group / PARTS * PARTS * GROUP + group % PARTS, num::index(PARTS))
    } else {
        (group * GROUP, 1)
    };
    (first..).step_by(step).take(num::index(GROUP))
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
        let end = self.0.lines.len(side);
        let lines = lines_of(&self.0.shape, group).filter(|line| *line < end);
        lines.map(|line| expire::<I, W>(self.0.lines.line(Spot { side, line }), expired)).sum()
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
        self.set_due();
    }

    /// From when on something is due.
    pub(super) fn set_due(&mut self) {
        let state = &self.state;
        let is_calm = state.mode == Mode::Table
            && state.running
            && state.walk.left == 0
            && state.stash.is_idle()
            && !self.grid.lines.is_leaving()
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

    /// Gives all memory back that is on its way.
    pub(super) fn give_back(&mut self) {
        self.grid.lines.give_all_back();
        self.set_due();
    }

    /// The moment with which the next part begins.
    pub(super) fn end_of_part(&self) -> u64 {
        self.state.position.next
    }

    /// Applies the memory limit of this plan from now on.
    pub(super) fn bind(&mut self, plan: &Plan) {
        self.grid.plan = *plan;
        self.grid.shape = if self.state.has_lines() { self.grid.shape } else { self.grid.first() };
        // The next request for a line finds out whether the limit allows it.
        self.state.starved = false;
    }

    /// Forgets everything with the memory that there is.
    pub(super) fn empty(&mut self) {
        self.state.stash.clear();
        if self.grid.plan.at_once {
            let shape = self.grid.shape;
            super::room::spots(shape.sides).for_each(|spot| self.grid.lines.clear(spot));
            self.state.count_none();
        } else {
            self.end_table();
        }
        self.state.running = false;
        self.state.position = Position::start(0, &self.grid.plan.span);
        self.state.loss = super::table::Loss::default();
        (self.state.counts, self.state.calls) = (super::table::Counts::default(), 0);
        self.state.walk.left = 0;
        for side in Side::BOTH {
            (0..self.groups_of(side)).for_each(|group| self.set_lag(side, group, 0));
        }
        self.state.due = 0;
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
        self.state.starved = false;
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

    /// No key is left.
    fn forget_all(&mut self) {
        self.state.stash.clear();
        if !self.grid.plan.at_once {
            self.end_table();
        }
    }

    /// With a generation: whether lines are worth their memory.
    fn choose_mode(&mut self, part: Part) {
        let state = &mut self.state;
        let calls = std::mem::take(&mut state.calls);
        let few = LEAST_IN_TABLE >> self.grid.shape.skip;
        let lifetime = self.grid.plan.lifetime();
        match state.mode {
            Mode::Table if !self.grid.plan.at_once => {
                let is_small = self.grid.is_first() && state.used + state.stash.len() < few;
                if is_small || calls * (lifetime / PARTS) < few {
                    state.mode = Mode::Resting(part);
                }
            }
            Mode::Resting(since) if part.since(since) >= lifetime => self.end_table(),
            _ => {}
        }
    }

    /// Keys that are in the stash and go to lines when they can.
    pub(super) fn wake(&mut self) {
        self.state.mode = Mode::Table;
        self.state.stash.sweep_all();
        self.state.due = 0;
    }

    /// The most keys of a map.
    pub(super) const fn most_in_map(&self) -> u64 {
        MOST_ENTRIES >> self.grid.shape.skip
    }

    /// Makes the first lines.
    pub(super) fn begin_table(&mut self) -> Result<(), Error> {
        let first = self.grid.first();
        let opened = self.grid.lines.open(&first, self.grid.plan.is_exact());
        if let Err(error) = opened.and_then(|()| self.open_groups()) {
            self.grid.lines.begin_again();
            self.state.walk.clear();
            return Err(error);
        }
        self.grid.shape = first;
        self.state.walk.left = 0;
        self.state.count_none();
        self.set_bounds();
        self.wake();
        Ok(())
    }

    /// Gives the lines up.
    fn end_table(&mut self) {
        if !self.state.has_lines() {
            return;
        }
        self.grid.lines.begin_again();
        self.grid.shape = self.grid.first();
        self.state.walk.clear();
        self.state.count_none();
        self.state.mode = Mode::Map;
        self.state.due = 0;
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
        let expired =
            Expired { print_bits: self.grid.plan.print_bits, oldest: oldest.into(), tags: tags.into() };
        let freed = simd::run(Expire::<W>(&self.grid, std::marker::PhantomData), (side, group, expired));
        let phase = self.grid.phase_of_group(group);
        self.state.uncount(phase, freed.into());
        true
    }

    /// Some groups are looked at, and brought up to date where they are behind.
    fn walk_on<W: Width>(&mut self) {
        for _ in 0..GROUPS_A_CALL {
            for _ in 0..LOOKS.min(self.state.walk.left) {
                let (groups, walk) = (self.groups(), &mut self.state.walk);
                walk.left -= 1;
                walk.cursor = if walk.cursor + 1 >= groups { 0 } else { walk.cursor + 1 };
                let (side, group) = (Side::BOTH[num::index(walk.cursor % 2)], walk.cursor / 2);
                if group < num::wide(walk.epochs[side.index()].len()) && self.refresh_group::<W>(side, group) {
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

    /// The shape of the first table.
    pub(super) fn first(&self) -> Shape {
        let whole = Shape::of(self.plan.first_lines);
        if self.shape.skip == 0 { whole } else { whole.section(self.shape.phase_of(0)) }
    }

    /// Whether there are no more lines than at first.
    pub(super) fn is_first(&self) -> bool {
        self.shape.lines() <= self.first().lines()
    }

    /// Lines that memory allows.
    pub(super) fn most_lines(&self) -> u64 {
        let all = self.plan.most_bytes() / super::directory::LINE_BYTES;
        if self.shape.skip == 0 { all } else { all >> PHASE_BITS }
    }
}
