//! The window table for many threads: once it is divided, each of eight locks owns a section with all that belongs to it.
//!
//! ```text
//!  under one lock    everything about a key: its lines, growth, the stash, the passing of time; a map, of all keys
//!  under all locks   what is of all keys: clear, copies, statistics; the beginning of a generation, and of a part of a window of keys
//!
//!  time              a section follows its own ticks and the front, which is raised with the first tick of a part: what any
//!                    section knows of the clock is in the same part of the window as the latest tick of all
//!  keys              room (observations of this part) --draw--> each lock's portion; all sections see one count at a time
//!
//!  undivided         lines 0 1 2 3 4 5 6 7 | 8 9 10 11 ..      one depth and split, one stash
//!                          |   |
//!  section 1         side 0: 1, 9 ..  side 1: 1, 9 ..          each: own lock, depth and split, walk, stash
//!  section 3         side 0: 3, 11 .. side 1: 3, 11 ..
//! ```
//! **Law.** Every line that a key, a split, a merge or a move touches has the phase of the key: no cell crosses sections. Sections pass from part to part at the same moments, since their positions were one when they were divided. So a
//! cell gets the generation that the latest tick of all would give it, and no key is missed. With each generation a section
//! without keys gives its memory back, too.
//! **Price.** Division moves no line: a section uses every eighth line of the old runs and adds its own. It takes a step for every eight lines,
//! and one for each key of the stash, of which there are few then.

use crate::counters::{Maximum, Pool};
use crate::error::Error;
use crate::filter::place::Here;
use crate::filter::seen::Seen;
use crate::filter::striped::{Route, Striped};
use crate::filter::values::{Age, Verdict};
use crate::hash::KeyHash;
use crate::num;
use crate::raw::vec_of;
use crate::tick::Tick;

use super::WindowTable;
use super::chunks::Walk;
use super::key::{PHASE_BITS, SECTIONS, Side, section_of};
use super::plan::by_width;
use super::position::{PARTS, When};
use super::stash::Stash;
use super::table::{Counts, Grid, Mode, State, Table, Verb};

/// The numbers that all threads read and rarely write.
#[derive(Debug, Default)]
pub(crate) struct LockFree {
    /// The latest tick that began a part, or the observations before this part.
    front: Maximum,
    /// Observations of this part that no lock has drawn yet.
    room: Pool,
    /// How many observations the part ends with.
    end: u64,
}

/// The state that belongs to one lock.
#[derive(Debug, Default)]
pub(crate) struct Delta {
    table: Option<Table>,
    clock: Tick,
    /// Observations that were drawn and are not made yet.
    room: u64,
    seen: Seen,
    removed: u64,
    /// Whether there was no memory to divide the table.
    undivided: bool,
}

impl WindowTable {
    /// The clock, or the count, as this lock knows it: it is in the same part as the true one.
    #[inline(always)]
    fn clock_of(&self, open: &LockFree, part: &Delta) -> Tick {
        part.clock.max(Tick(open.front.get()))
    }

    /// The moment at which a call is judged.
    #[inline(always)]
    fn when_of(&self, open: &LockFree, part: &Delta, now: Tick) -> When {
        if self.plan.timed { self.plan.when(now, self.clock_of(open, part)) } else { When::at(open.front.get()) }
    }

    /// The same for a call that only reads; `None` where the observation that used up the last room has not yet moved the window on.
    fn when_of_reader(&self, open: &LockFree, part: &Delta, now: Tick) -> Option<When> {
        let is_past = !self.plan.timed && part.room == 0 && open.room.is_empty();
        (!is_past).then(|| self.when_of(open, part, now))
    }

    /// Whether a table needs all locks before a call: to begin, to be divided, to pass into another generation with the others.
    fn needs_all(&self, part: &Delta, when: When) -> bool {
        let Some(table) = &part.table else { return true };
        let is_alone = self.route_bits == 0;
        let position = &table.state.position;
        let may_divide = is_alone && !part.undivided && table.is_divisible();
        let next = || table.part_at(when.clock).0 / PARTS;
        !table.state.running || may_divide || table.is_behind(when.clock) && next() != position.part.0 / PARTS
    }

    fn touch_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
        verb: Verb,
    ) -> Option<Verdict> {
        let when = self.when_of(open, part, now);
        if self.needs_all(part, when) {
            return None;
        }
        let table = part.table.as_mut()?;
        if !self.plan.timed {
            if part.room == 0 {
                part.room = open.room.draw().taken;
            }
            part.room = part.room.checked_sub(1)?;
        }
        if table.is_behind(when.clock) {
            table.go_to(when.clock);
            part.undivided = false;
            if self.plan.timed {
                open.front.raise(when.clock);
            }
        }
        part.clock = Tick(when.clock);
        let seen = &mut part.seen;
        Some(by_width!(self.plan.width, W => table.touch_any::<W>(key.mixed(), when, verb, seen)))
    }
}

impl Striped for WindowTable {
    type LockFree = LockFree;
    type Delta = Delta;
    type Place = Here<Self>;

    fn part(&self) -> Result<Delta, Error> {
        Ok(Delta::default())
    }

    fn route(&self) -> Route {
        Route::Bits
    }

    fn route_bits(&self) -> u32 {
        self.route_bits
    }

    /// A map is under one lock as long as it is one, which many keys would end; that of a window of few keys stays one.
    fn make_divisible(&mut self) {
        match &mut self.tables[..] {
            // Without memory it stays a map.
            [table] if self.plan.timed && !table.state.has_lines() => drop(table.begin_table()),
            _ => {}
        }
    }

    fn observe_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<Verdict, Error>> {
        let verdict = self.touch_concurrent(open, part, key, now, Verb::Observe)?;
        Some(Ok(verdict))
    }

    /// Another section may raise the front between the two looks, so that the key is past the window at the second. That renews
    /// it where repeats renew; where they do not, nothing is stored.
    fn renew_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<(), Error>> {
        if self.plan.timed && !self.plan.refreshes() {
            part.seen.count(Verdict::Duplicate);
            return Some(Ok(()));
        }
        self.touch_concurrent(open, part, key, now, Verb::Observe).map(|_| Ok(()))
    }

    fn insert_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<(), Error>> {
        self.touch_concurrent(open, part, key, now, Verb::Insert).map(|_| Ok(()))
    }

    fn contains_concurrent(&self, open: &LockFree, part: &Delta, key: KeyHash, now: Tick) -> Option<Verdict> {
        let (when, table) = (self.when_of_reader(open, part, now)?, part.table.as_ref()?);
        Some(by_width!(self.plan.width, W => table.contains::<W>(key.mixed(), when)))
    }

    fn age_concurrent(&self, open: &LockFree, part: &Delta, key: KeyHash, now: Tick) -> Option<Option<Age>> {
        let (when, table) = (self.when_of_reader(open, part, now)?, part.table.as_ref()?);
        Some(by_width!(self.plan.width, W => table.age::<W>(key.mixed(), when)))
    }

    fn remove_concurrent(
        &self,
        open: &LockFree,
        part: &mut Delta,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<bool, Error>> {
        let (when, table) = (self.when_of_reader(open, part, now)?, part.table.as_mut()?);
        let was_known = by_width!(self.plan.width, W => table.remove::<W>(key.mixed(), when));
        part.removed += u64::from(was_known);
        Some(Ok(was_known))
    }

    fn prefetch_later(&self, part: &Delta, keys: &[KeyHash]) {
        let Some(table) = &part.table else { return };
        let section = table.grid.shape.section_number();
        let mut own =
            keys.iter().map(|key| key.mixed()).filter(|hash| section.is_none_or(|own| own == section_of(*hash)));
        own.next().iter().for_each(|hash| table.prefetch::<false>(*hash));
    }

    fn gather<'a>(&mut self, open: &mut LockFree, parts: impl Iterator<Item = &'a mut Delta>) {
        let mut left = open.room.drain();
        let mut clock = self.time.clock.max(Tick(open.front.get()));
        for part in parts {
            self.tables.extend(part.table.take());
            self.seen.take_in(&mut part.seen);
            self.removed += std::mem::take(&mut part.removed);
            left += std::mem::take(&mut part.room);
            clock = clock.max(std::mem::take(&mut part.clock));
        }
        if self.plan.timed {
            self.time.clock = clock;
        } else {
            self.time.count = open.end - left;
            self.go_to(self.time.count);
        }
    }

    fn scatter<'a>(&mut self, open: &mut LockFree, parts: impl Iterator<Item = &'a mut Delta>) {
        let mut undivided = false;
        if self.tables.len() == 1 && self.tables[0].is_divisible() {
            // Without memory for it one lock owns the table, until there is some.
            undivided = !self.divide();
        }
        let moment = self.moment(Tick(0));
        if !self.plan.timed {
            open.end = self.tables.iter().map(Table::end_of_part).min().unwrap_or(moment).max(moment);
            open.room.fill(open.end - moment);
        }
        open.front.set(moment);
        self.route_bits = if self.tables.len() == 1 { 0 } else { PHASE_BITS };
        for (part, table) in parts.zip(self.tables.drain(..)) {
            (part.table, part.undivided) = (Some(table), undivided);
        }
    }

    fn clock_concurrent(&self, _: &LockFree) -> Option<Tick> {
        // Under one lock the part that the clock is in is known, but not the clock.
        (!self.plan.timed).then_some(Tick(0))
    }

    fn check_step_concurrent(&self, open: &LockFree, part: &Delta, now: Tick) -> Option<Result<(), Error>> {
        // A step that is too long from the moment that this lock knows may be allowed from the clock, under all locks.
        self.check_lead(self.clock_of(open, part), now).is_ok().then_some(Ok(()))
    }

    fn admit_again(&mut self, now: Tick) -> Result<(), Error> {
        let checked = self.check_lead(self.time.clock, now);
        if checked.is_err() {
            self.seen.count_refused(now);
        }
        if checked.is_ok() {
            self.start();
        }
        checked
    }

    fn admit_concurrent(&self, open: &LockFree, part: &mut Delta, now: Tick) -> Option<Result<(), Error>> {
        let clock = self.clock_of(open, part);
        if !self.time.has_started() || self.check_lead(clock, now).is_err() {
            return None;
        }
        part.seen.count_late(clock.since(now), self.plan.lateness);
        Some(Ok(()))
    }
}

impl WindowTable {
    /// Divides the one table; false where there is no memory for that.
    fn divide(&mut self) -> bool {
        let Some(table) = self.tables.pop() else { return false };
        match table.divide() {
            Ok(sections) => {
                self.tables = sections;
                true
            }
            Err(table) => {
                // There is room: it was here.
                self.tables.push(table);
                false
            }
        }
    }
}

/// Keys of the stash with which a table can be divided: a choice, so that it does not take long. A map's go to lines first.
const MOST_STASHED: u64 = 256;

impl Table {
    /// Whether it can be divided: a map is under one lock, lines are up to date, and a half swept stash has keys of one end alone.
    pub(super) fn is_divisible(&self) -> bool {
        let state = &self.state;
        let is_calm = state.running && state.walk.left == 0 && state.stash.is_idle();
        is_calm && state.mode == Mode::Table && state.stash.len() <= MOST_STASHED
    }

    /// The sections of a whole table; it itself where there is no memory for them.
    #[allow(clippy::result_large_err, reason = "the table itself comes back, once in a filter's life")]
    pub(super) fn divide(self) -> Result<Vec<Self>, Self> {
        let parts = self.states().and_then(|states| Ok((states, vec_of(SECTIONS)?)));
        let Ok((states, mut sections)) = parts else { return Err(self) };
        let Self { grid: Grid { plan, shape, lines }, state } = self;
        match lines.divide() {
            Ok(parts) => {
                for (phase, (state, lines)) in (0..).zip(states.into_iter().zip(parts)) {
                    let mut section = Self { grid: Grid { plan, shape: shape.section(phase), lines }, state };
                    section.set_bounds();
                    sections.push(section);
                }
                Ok(sections)
            }
            Err(lines) => Err(Self { grid: Grid { plan, shape, lines }, state }),
        }
    }

    /// What each section takes of the state.
    fn states(&self) -> Result<Vec<State>, Error> {
        let (state, mut states) = (&self.state, vec_of(SECTIONS)?);
        for (phase, used) in state.phases.iter().enumerate() {
            let mut walk = Walk::default();
            for side in Side::BOTH {
                let lines = self.grid.lines.len(side).div_ceil(PARTS);
                walk.resize(side, lines, state.position.part)?;
            }
            let counts = state.counts.share(phase);
            let stash = Stash::new(state.stash.account());
            let calls = share(state.calls, phase);
            states.push(State { used: *used, stash, walk, counts, calls, ..*state });
        }
        let now = state.position.part;
        let mut keys = [0; SECTIONS];
        state.stash.in_order(now).for_each(|(hash, _)| keys[section_of(hash)] += 1);
        for (state, keys) in states.iter_mut().zip(keys).filter(|(_, keys)| *keys > 0) {
            state.stash.reserve(keys)?;
        }
        for (hash, seen) in state.stash.in_order(now) {
            states[section_of(hash)].stash.keep(hash, seen, now)?;
        }
        states.iter_mut().for_each(|state: &mut State| state.due = 0);
        Ok(states)
    }
}

/// An eighth of a count; all eighths together are the count.
fn share(all: u64, phase: usize) -> u64 {
    let parts = num::wide(SECTIONS);
    all / parts + u64::from(all % parts > num::wide(phase))
}

impl Counts {
    fn share(&self, phase: usize) -> Self {
        Self {
            moved: share(self.moved, phase),
            refused: share(self.refused, phase),
            forgotten: share(self.forgotten, phase),
            ..*self
        }
    }
}
