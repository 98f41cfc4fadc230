//! Time passes: parts begin, and lines are brought up to date.
//!
//! ```text
//!  part        0       8       16       ..     56      64
//!  phase 0     | g 0   | g 1   | g 2   |       | g 7   | g 8        a cell seen in g is needed to g + 7, and goes with g + 8
//!  phase 3   | g 0   | g 1   | g 2   |       | g 7   | g 8          lines of one phase reach it together
//!
//!  chunk       32 lines next to each other, with the part to which they are up to date
//!  walk        with each part: every call brings the two chunks of its key up to date, and the next of all, until all are
//! ```
//! **Law.** While no walk is under way all lines are up to date. The part of a chunk is a number that never wraps, so that lines may wait
//! as long as they like, at any rate of calls. A table that waits for a generation with few calls rests, and ends a lifetime later (`rest`).
//! **Price.** Of a call in a walk 64 lines, at most 95: first those of its key's 2 chunks, of which 4 are due where one part has passed.

use crate::error::Error;
use crate::num;
use crate::simd::{self, Instructions, Task};

use super::chunks::CHUNK;
use super::key::{Side, Spot};
use super::line::{Width, expire};
use super::position::{PARTS, Part, Position};
use super::stash::Fate;
use super::table::{Grid, Mode, State, Table};

/// Lines of a call after which no other chunk is brought up to date, and chunks that it looks at for that.
const LINES_A_CALL: u64 = 64;
const LOOKS: u64 = 64;

/// Brings the chunk of a line up to date.
struct Refresh<'a, W>(&'a Grid, &'a mut State, std::marker::PhantomData<W>);

impl<W: Width> Task for Refresh<'_, W> {
    type Args = (Side, u64);
    type Result = ();

    #[inline(always)]
    fn run<I: Instructions>(self, (side, chunk): (Side, u64)) {
        self.1.refresh::<I, W>(self.0, side, chunk);
    }
}

/// Brings the chunks of a key up to date, and the next of all.
struct Step<'a, W>(&'a Grid, &'a mut State, std::marker::PhantomData<W>);

impl<W: Width> Task for Step<'_, W> {
    type Args = [Spot; 2];
    type Result = ();

    #[inline(always)]
    fn run<I: Instructions>(self, spots: [Spot; 2]) {
        let (Self(grid, state, _), mut lines) = (self, 0);
        for Spot { side, line } in spots {
            lines += state.refresh::<I, W>(grid, side, line / CHUNK);
        }
        let chunks = grid.shape.sides.map(|lines| lines.div_ceil(CHUNK));
        let all = 2 * chunks[0].max(chunks[1]);
        for _ in 0..LOOKS.min(state.walk.left - 1) {
            if lines >= LINES_A_CALL {
                break;
            }
            let walk = &mut state.walk;
            walk.left -= 1;
            walk.cursor = if walk.cursor + 1 >= all { 0 } else { walk.cursor + 1 };
            let (side, chunk) = (Side::BOTH[num::index(walk.cursor % 2)], walk.cursor / 2);
            if chunk < chunks[side.index()] {
                lines += state.refresh::<I, W>(grid, side, chunk);
            }
        }
    }
}

/// Brings a chunk up to date that is more than one part behind.
struct CatchUp<'a, W>(&'a Grid, &'a mut State, std::marker::PhantomData<W>);

impl<W: Width> Task for CatchUp<'_, W> {
    type Args = (Side, u64, Part);
    type Result = u64;

    #[inline(always)]
    fn run<I: Instructions>(self, (side, chunk, before): Self::Args) -> u64 {
        let (Self(grid, state, _), mut looked) = (self, 0);
        // With each part the generation of one phase ends.
        let now = state.position.part;
        for passed in 1..=now.since(before).min(PARTS) {
            let phase = phase_of(before.after(passed));
            let lag = now.generation(phase).since(before.generation(phase));
            looked += state.expire::<I, W>(grid, (side, chunk), phase, lag);
        }
        looked
    }
}

/// The phase whose generation begins with a part.
#[inline(always)]
const fn phase_of(part: Part) -> u64 {
    part.0.wrapping_neg() % PARTS
}

impl State {
    /// Brings a chunk up to date; returns how many lines that touched. As a rule one part has passed.
    #[inline(always)]
    fn refresh<I: Instructions, W: Width>(&mut self, grid: &Grid, side: Side, chunk: u64) -> u64 {
        let now = self.position.part;
        let before = self.walk.set_part(side, chunk, now);
        match now.since(before) {
            0 => 0,
            1 => self.expire::<I, W>(grid, (side, chunk), phase_of(now), 1),
            _ => I::run(CatchUp::<W>(grid, self, std::marker::PhantomData), (side, chunk, before)),
        }
    }

    /// Frees the cells that have expired in a chunk's lines of one phase, which are `lag` generations behind; returns how many lines those are.
    #[inline(always)]
    fn expire<I: Instructions, W: Width>(
        &mut self,
        grid: &Grid,
        (side, chunk): (Side, u64),
        phase: u64,
        lag: u64,
    ) -> u64 {
        let expired = grid.plan.expired(self.tags[num::index(phase)], lag);
        let [mut line, step] = grid.shape.first_of_phase(chunk * CHUNK, phase);
        let end = grid.lines.len(side).min((chunk + 1) * CHUNK);
        let (mut freed, mut looked) = (0, 0);
        // A loop without closures, which would not have the instructions.
        while line < end {
            freed += expire::<I, W>(grid.lines.line(Spot { side, line }), expired);
            (line, looked) = (line + step, looked + 1);
        }
        self.uncount(phase, freed.into());
        looked
    }
}

impl Table {
    /// Does what is due before a key.
    pub(super) fn attend<W: Width>(&mut self, hash: u64, moment: u64) {
        if moment < self.state.due {
            return;
        }
        self.state.calls += 1;
        if self.is_behind(moment) {
            self.pass(moment);
        }
        if self.grid.lines.is_leaving() {
            self.grid.lines.give_back(self.state.stash.account());
        }
        if self.state.walk.left > 0 {
            self.walk_on::<W>(hash);
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
        self.grid.lines.give_back(self.state.stash.account());
    }

    /// A part begins, or the window does.
    fn pass(&mut self, moment: u64) {
        let (span, before) = (self.grid.plan.span, self.state.position.part);
        if !self.state.running {
            self.state.position = Position::start(moment, &span);
            self.state.running = true;
            self.set_tags();
            return;
        }
        let was_young = self.is_young();
        self.state.position = self.state.position.moved(moment, &span);
        if was_young && self.state.has_lines() {
            self.set_bounds();
        }
        (self.state.starved, self.state.stuck) = (false, false);
        self.set_tags();
        let (part, is_late) = (self.state.position.part, self.state.walk.left > 0);
        if part.since(before) >= self.grid.plan.lifetime() {
            self.forget_all();
        }
        if self.state.has_lines() && self.grid.shape.ages_between(before, part) {
            self.state.walk.left = self.chunks() + 1;
        }
        self.state.stash.sweep_all();
        if part.0 / PARTS != before.0 / PARTS {
            self.choose_mode(part, is_late);
        }
    }

    pub(super) fn set_tags(&mut self) {
        let part = self.state.position.part;
        for (phase, tag) in (0..).zip(&mut self.state.tags) {
            *tag = self.grid.tag(part.generation(phase));
        }
    }

    /// Chunks of lines in use of both sides, side by side.
    pub(super) fn chunks(&self) -> u64 {
        let sides = self.grid.shape.sides;
        2 * sides[0].max(sides[1]).div_ceil(CHUNK)
    }

    /// The chunks of a side that have lines in use.
    pub(super) fn chunks_of(&self, side: Side) -> u64 {
        self.grid.shape.sides[side.index()].div_ceil(CHUNK)
    }

    /// A part for each chunk of lines that there are.
    pub(super) fn note_chunks(&mut self) -> Result<(), Error> {
        let part = self.state.position.part;
        Side::BOTH.into_iter().try_for_each(|side| self.state.walk.resize(side, self.grid.lines.len(side), part))
    }

    /// How many parts a chunk is behind.
    pub(super) fn parts_behind(&self, side: Side, chunk: u64) -> u64 {
        self.state.position.part.since(self.state.walk.part(side, chunk))
    }

    /// A chunk is `parts` parts behind.
    pub(super) fn set_behind(&mut self, side: Side, chunk: u64, parts: u64) {
        let part = Part(self.state.position.part.0 - parts);
        self.state.walk.set_part(side, chunk, part);
    }

    /// How many generations a line is behind.
    pub(super) fn lag(&self, spot: Spot) -> u64 {
        let phase = self.grid.shape.phase_of(spot.line);
        let before = self.state.walk.part(spot.side, spot.line / CHUNK);
        self.state.position.part.generation(phase).since(before.generation(phase))
    }

    /// Brings all lines up to date.
    pub(super) fn refresh_all<W: Width>(&mut self) {
        for side in Side::BOTH {
            (0..self.chunks_of(side)).for_each(|chunk| self.refresh_chunk::<W>(side, chunk));
        }
        self.state.walk.left = 0;
    }

    fn refresh_chunk<W: Width>(&mut self, side: Side, chunk: u64) {
        simd::run(Refresh::<W>(&self.grid, &mut self.state, std::marker::PhantomData), (side, chunk));
    }

    /// The chunks of a key are brought up to date, and the next of all.
    fn walk_on<W: Width>(&mut self, hash: u64) {
        if self.state.walk.left == 1 {
            self.state.walk.left = 0;
            // Keys of the stash can go to lines again.
            return self.state.stash.sweep_all();
        }
        let spots = self.grid.spots(&self.grid.key(hash));
        simd::run(Step::<W>(&self.grid, &mut self.state, std::marker::PhantomData), spots);
    }

    /// Whether both lines are up to date. If one is not, that is done now, and what needs both waits for another call.
    pub(super) fn are_up_to_date<W: Width>(&mut self, spots: [Spot; 2]) -> bool {
        let stale = spots.into_iter().find(|spot| self.is_stale(*spot));
        stale.iter().for_each(|spot| self.refresh_chunk::<W>(spot.side, spot.line / CHUNK));
        stale.is_none()
    }

    /// Whether a line is still to be brought up to date.
    pub(super) fn is_stale(&self, spot: Spot) -> bool {
        self.state.walk.left > 0 && self.lag(spot) > 0
    }

    /// Keys of the stash that have expired go, and others go to their lines where these have room.
    fn sweep<W: Width>(&mut self) {
        let none = super::stash::Stash::new(self.state.stash.account());
        let mut stash = std::mem::replace(&mut self.state.stash, none);
        stash.sweep(self.state.position.part, |hash, seen| self.fate::<W>(hash, seen));
        self.state.stash = stash;
    }

    fn fate<W: Width>(&mut self, hash: u64, seen: Part) -> Fate {
        let key = self.grid.key(hash);
        let now = key.generation(self.state.position.part);
        if now.since(key.generation(seen)) > self.grid.plan.span.kept / PARTS {
            return Fate::Goes;
        }
        if self.state.mode != Mode::Table || self.state.walk.left > 0 {
            return Fate::Stays;
        }
        self.settle::<W>(&key, seen)
    }
}
