//! One table and the keys in it: found, seen again, stored.
//!
//! ```text
//!  grid     the lines, and where a key's two are                does not change, except what is written into lines
//!  state    the position of the window, what is counted, what is due
//! ```

use crate::error::Error;
use crate::filter::values::Verdict;
use crate::num;
use crate::raw::arena::Account;
use crate::simd::{Baseline, Instructions, Line};

use super::directory::Directory;
use super::form::{Any, Busy, Form};
use super::key::{Key, Shape, Spot};
use super::line::Lanes;
use super::plan::Plan;
use super::position::{Generation, PARTS, Part, When};
use super::stash::Stash;
use super::state::{Course, State};
use super::width::Widths;

/// The verbs of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Observe,
    Insert,
}

/// Lines, and where they are.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) plan: Plan,
    pub(super) shape: Shape,
    pub(super) lines: Directory,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) grid: Grid,
    pub(super) state: State,
}

impl Grid {
    #[inline(always)]
    pub(super) fn line(&self, spot: &Spot) -> &Line {
        self.lines.line(spot.side, spot.line)
    }

    #[inline(always)]
    pub(super) fn spots(&self, key: &Key) -> [Spot; 2] {
        [self.shape.spot(0, key.strings[0]), self.shape.spot(1, key.strings[1])]
    }

    /// Whether a known key is seen again by a verb.
    #[inline(always)]
    pub(super) fn renews(&self, verb: Verb) -> bool {
        self.plan.refreshes() || verb == Verb::Insert
    }

    /// The code that a line should have.
    #[inline(always)]
    pub(super) fn wanted(&self, course: &Course, spot: &Spot) -> usize {
        let deeper = num::index(u64::from(spot.depth - self.shape.depth));
        course.mixes[deeper % 2].code_of(spot.line)
    }

    /// Brings a line up to date.
    pub(super) fn fresh(&self, spot: &Spot, part: Part) -> &Line {
        self.fresh_by::<Baseline>(spot, part)
    }

    /// The same by these instructions.
    #[inline(always)]
    pub(super) fn fresh_by<I: Instructions>(&self, spot: &Spot, part: Part) -> &Line {
        let line = self.line(spot);
        self.plan.widths.refresh::<I>(line, &self.plan.widths.turn(spot.generation(part)));
        line
    }

    /// The generation in which a matching cell was seen, the latest, if it is within the window of `part`. Lines are up to date
    /// with `as_of`, or some generations behind.
    pub(super) fn sighting(&self, key: &Key, part: Part, as_of: Part) -> Option<(Generation, u64)> {
        let (widths, generations) = (&self.plan.widths, self.plan.span.parts / PARTS);
        let spots = self.spots(key);
        let phase = spots[0].phase();
        let mut latest = None;
        for (spot, string) in spots.iter().zip(key.strings) {
            let (line, then) = (self.line(spot), spot.generation(as_of));
            let width = widths.width(line);
            let hits = Baseline::equal(line, widths.prints, key.print) & width.lanes;
            for cell in Lanes(hits) {
                let (bits, known) = Widths::known(width, line, cell);
                let epoch = then.before(widths.lag(line, then));
                let seen = epoch.before(widths.age(line.lane(u64::from(cell)), epoch));
                let matches = (bits ^ (string >> spot.depth)) & ((1 << known) - 1) == 0;
                if matches && spot.generation(part) <= seen.after(generations) {
                    latest = latest.max(Some((seen, phase)));
                }
            }
        }
        latest
    }
}

impl Table {
    pub(super) fn new(plan: Plan, account: &Account) -> Result<Self, Error> {
        crate::simd::look();
        let lines = Directory::new(&plan.first, plan.most(), account)?;
        let mut new = Self { grid: Grid { plan, shape: plan.first, lines }, state: State::new(&plan, account)? };
        new.begin();
        Ok(new)
    }

    /// Whether a part has passed since the last key, or the window has not begun.
    #[inline(always)]
    pub(super) fn is_behind(&self, moment: u64) -> bool {
        moment >= self.state.position.next || !self.state.running
    }

    pub(super) fn is_running(&self) -> bool {
        self.state.running
    }

    /// Moves the window on to `moment`: nanoseconds, or observations.
    pub(super) fn go_to(&mut self, moment: u64) {
        self.state.now = moment;
        if self.is_behind(moment) {
            self.pass(moment);
        }
    }

    /// The same where the window has begun.
    #[inline(always)]
    pub(super) fn go_on(&mut self, moment: u64) {
        if moment >= self.state.position.next {
            self.go_to(moment);
        }
    }

    /// Tests a key, and stores it if the verb and the rules want that.
    #[inline(always)]
    pub(super) fn touch<I: Instructions>(&mut self, hash: u64, when: When, verb: Verb) -> Verdict {
        if when.own == when.clock {
            self.observe::<I, Any>(hash, when.clock, verb)
        } else {
            self.touch_late(hash, when, verb)
        }
    }

    /// The same for a late record: a separate function, so that punctual records do without the second moment.
    #[cold]
    #[inline(never)]
    fn touch_late(&mut self, hash: u64, when: When, verb: Verb) -> Verdict {
        self.state.begin_call(when.clock);
        if self.tend() {
            self.touch_lines::<Baseline, Busy>(hash, self.late_part(when.own), verb)
        } else {
            self.touch_stash(hash, self.late_part(when.own), verb)
        }
    }

    /// The same for a punctual record. As a rule nothing else is due.
    #[inline(always)]
    pub(super) fn observe<I: Instructions, F: Form>(&mut self, hash: u64, moment: u64, verb: Verb) -> Verdict {
        if moment < self.state.tend.calm_until {
            debug_assert!(
                self.state.running && self.state.tend.is_idle() && !self.is_behind(moment),
                "something is due"
            );
            self.state.begin_call(moment);
        } else if let Some(verdict) = self.attend(hash, moment, verb) {
            return verdict;
        }
        self.touch_lines::<I, F>(hash, self.state.position.part, verb)
    }

    /// Does what is due before a punctual record, and the rest, too, where it is not only about lines.
    #[cold]
    #[inline(never)]
    fn attend(&mut self, hash: u64, moment: u64, verb: Verb) -> Option<Verdict> {
        self.go_to(moment);
        self.state.begin_call(moment);
        let (looks, part) = (self.tend(), self.state.position.part);
        if !looks {
            Some(self.touch_stash(hash, part, verb))
        } else if self.state.tend.is_quiet() {
            Some(self.touch_lines::<Baseline, Busy>(hash, part, verb))
        } else {
            None
        }
    }

    /// Tests a key of its `own` part in its lines and in the stash.
    #[inline(always)]
    fn touch_lines<I: Instructions, F: Form>(&mut self, hash: u64, own: Part, verb: Verb) -> Verdict {
        let now = self.state.position.part;
        let (grid, state) = (&self.grid, &mut self.state);
        let own = if F::CALM { now } else { own };
        let look = grid.look::<F>(hash, now, own);
        if grid.is_known::<I, F>(state, &look, hash, verb) {
            if !F::CALM && grid.renews(verb) && state.tend.is_quiet() {
                state.remember_or_lose(hash, own);
            }
            return Verdict::Duplicate;
        }
        if state.stash.has_any() && grid.is_stashed(state, hash, own, verb) {
            return Verdict::Duplicate;
        }
        if !F::CALM && state.tend.is_quiet() {
            state.remember_or_lose(hash, own);
        } else if let Err(emptier) = grid.store::<I, F>(state, &look) {
            grid.store_slowly(state, (hash, own), emptier);
        }
        state.course.count_store();
        debug_assert!(state.course.is_due() || !state.has_grown(), "growth is due later than it should be");
        if F::TIMED && state.course.is_due() {
            self.grow();
        }
        Verdict::New
    }

    /// The same while keys go to the stash and lines are not read.
    #[cold]
    #[inline(never)]
    fn touch_stash(&mut self, hash: u64, part: Part, verb: Verb) -> Verdict {
        if self.grid.is_stashed(&mut self.state, hash, part, verb) {
            return Verdict::Duplicate;
        }
        if self.state.remember(hash, part) {
            return Verdict::New;
        }
        // Without memory for the stash the key needs its lines, so all of them are wiped: one long call, and no key is missed.
        while !self.wipe_on() {}
        self.touch_lines::<Baseline, Busy>(hash, part, verb)
    }

    /// The part of a late record's own moment, once the window has moved on to the clock.
    #[cold]
    fn late_part(&self, own: u64) -> Part {
        self.state.position.place_of(own, &self.grid.plan.span).0
    }

    /// When the key that `contains` would find was seen: the first and the last part that it can have been.
    pub(super) fn sighting(&self, hash: u64, part: Part) -> Option<(Part, Part)> {
        let as_of = self.state.position.part;
        let key = Key::of(hash, self.grid.plan.widths.prints);
        let cell = if self.state.tend.is_wiping() { None } else { self.grid.sighting(&key, part, as_of) };
        let cell = cell.map(|(generation, phase)| generation.parts(phase));
        // With a lateness a key may have a cell of one sighting, and be in the stash since a later one.
        let stashed = self.grid.stashed(&self.state, hash, part).map(|seen| (seen, seen));
        match (cell, stashed) {
            (Some(cell), Some(stashed)) => Some((cell.0.max(stashed.0), cell.1.max(stashed.1))),
            (one, other) => one.or(other),
        }
    }

    /// The verdict that `touch` would give. Changes nothing.
    pub(super) fn contains(&self, hash: u64, when: When) -> Verdict {
        Verdict::of(self.sighting(hash, self.part_of(when)).is_some())
    }

    /// The part of a record's own moment, whether or not the window has moved on to the clock.
    pub(super) fn part_of(&self, when: When) -> Part {
        if when.own == when.clock || !self.state.running { self.part_at(when.clock) } else { self.late_part(when.own) }
    }

    /// The part at a moment.
    pub(super) fn part_at(&self, moment: u64) -> Part {
        if self.state.running {
            self.state.position.part_at(moment, &self.grid.plan.span)
        } else {
            self.state.position.part
        }
    }

    /// Cells within the window, and what they weigh, at a part.
    pub(super) fn count_at(&self, part: Part) -> super::tally::Count {
        self.state.tally.at(self.state.position.part, part)
    }

    /// The most lines so far. Unlike the peak of allocated bytes it depends on the calls alone, so a replica has the same.
    pub(super) fn most_lines(&self) -> u64 {
        self.state.counts.most_lines.max(self.grid.shape.lines())
    }

    /// The chance that an absent key is found at a part.
    pub(super) fn error_at(&self, part: Part) -> f64 {
        super::tally::real(self.count_at(part).weight) / self.grid.plan.target.prints
    }

    #[inline(always)]
    pub(super) fn prefetch<F: Form>(&self, hash: u64) {
        self.grid.pair::<F>(hash).lines.iter().for_each(|line| line.prefetch());
    }

    /// Bytes of its lines and of its stash.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.grid.lines.account().bytes()
    }

    /// The moment with which the next part begins.
    pub(super) fn end_of_part(&self) -> u64 {
        self.state.position.next
    }

    /// Applies the memory limit of this plan from now on.
    pub(super) fn bind(&mut self, plan: &Plan) {
        self.grid.plan = *plan;
        self.grid.lines.bind(plan.most_bytes());
        // The next request for a line finds out whether the limit allows it.
        self.state.course.starved = false;
    }

    /// An arena of what is on its way back, if there is one.
    pub(super) fn give_back(&mut self) {
        if self.grid.lines.is_leaving() {
            self.grid.lines.give_back();
        }
    }

    /// Empties the table with the memory that it has.
    pub(super) fn wipe(&mut self) {
        let (plan, state) = (self.grid.plan, &mut self.state);
        state.tally.clear();
        let (tally, stash) = (std::mem::take(&mut state.tally), state.stash.without_keys());
        *state = State::with(&plan, tally, stash);
        if plan.timed {
            self.grid.shape = Shape::of(self.grid.shape.section, 0);
            self.grid.lines.restart(&self.grid.shape);
        }
        self.begin();
    }

    pub(super) fn try_clone(&self, account: &Account) -> Result<Self, Error> {
        let (grid, state) = (&self.grid, &self.state);
        let lines = grid.lines.try_clone(&grid.shape, account)?;
        let (tally, stash) = (state.tally.try_clone()?, state.stash.try_clone_into(Stash::new(account))?);
        Ok(Self { grid: Grid { lines, ..*grid }, state: State { tally, stash, ..*state } })
    }
}
