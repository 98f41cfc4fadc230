//! Time passes: parts begin, and lines are brought up to date.
//!
//! ```text
//!  part        0       8       16       ..     56      64
//!  phase 0     | g 0   | g 1   | g 2   |       | g 7   | g 8        a cell seen in g is needed to g + 7, and goes with g + 8
//!  phase 3   | g 0   | g 1   | g 2   |       | g 7   | g 8          lines of one phase reach it together
//!
//!  chunk       16 lines next to each other, with the part to which they are up to date
//!  walk        with each part: every call brings the two chunks of its key up to date, and the next of all, until all are
//! ```
//! **Law.** While no walk is under way all lines are up to date. The part of a chunk is a number that never wraps, so that lines may wait
//! as long as they like, at any rate of calls. A table that waits for a generation with few calls rests, and ends a lifetime later (`rest`).
//! **Price.** Of a call in a walk: 2 chunks and 32 lines, 47 at most, which are those of 16 chunks where one part has passed.

use crate::error::Error;
use crate::num;
use crate::simd::{self, Instructions, Task};

use super::chunks::CHUNK;
use super::key::{Side, Spot};
use super::line::{Expired, Width, expire};
use super::position::{PARTS, Part, Position};
use super::stash::Fate;
use super::table::{Grid, Mode, State, Table, Touched, Verb};

/// Lines that a call brings up to date in addition to those of its key, and chunks that it looks at for that.
const LINES_A_CALL: u64 = 32;
const LOOKS: u64 = 64;

/// Frees the cells of a chunk that have expired since a part.
struct Expire<'a, W>(&'a Grid, &'a mut State, std::marker::PhantomData<W>);

impl<W: Width> Task for Expire<'_, W> {
    type Args = (Side, u64, Part);
    /// Lines that were looked at.
    type Result = u64;

    #[inline(always)]
    fn run<I: Instructions>(self, (side, chunk, before): Self::Args) -> u64 {
        let (Self(grid, state, _), mut looked) = (self, 0);
        let (now, tags) = (state.position.part, 1 << grid.plan.tag_bits);
        let end = grid.lines.len(side).min((chunk + 1) * CHUNK);
        // With each part the generation of one phase ends.
        for passed in 1..=now.since(before).min(PARTS) {
            let phase = (before.0 + passed).wrapping_neg() % PARTS;
            let generation = now.generation(phase);
            let lag = generation.since(before.generation(phase)).min(tags);
            let [count, ..] = lag.to_le_bytes();
            let [oldest, ..] = ((generation.0 - lag + 1) & (tags - 1)).to_le_bytes();
            let expired = Expired { print_bits: grid.plan.print_bits, oldest: oldest.into(), tags: count.into() };
            let [mut line, step] = grid.shape.first_of_phase(chunk * CHUNK, phase);
            let mut freed = 0;
            // A loop without closures, which would not have the instructions.
            while line < end {
                freed += expire::<I, W>(grid.lines.line(Spot { side, line }), expired);
                (line, looked) = (line + step, looked + 1);
            }
            state.uncount(phase, freed.into());
        }
        looked
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
        self.state.calls += 1;
        if self.is_behind(moment) {
            self.pass(moment);
        }
        if self.grid.lines.is_leaving() {
            self.grid.lines.give_back();
        }
        if self.state.walk.left > 0 {
            let spots = self.grid.spots(&self.grid.key(hash));
            spots.into_iter().for_each(|spot| self.refresh::<W>(spot));
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
    fn pass(&mut self, moment: u64) {
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
        let (part, is_late) = (self.state.position.part, self.state.walk.left > 0);
        if part.since(before) >= self.grid.plan.lifetime() {
            self.forget_all();
        }
        if self.state.has_lines() && self.grid.shape.ages_between(before, part) {
            self.state.walk.left = self.chunks();
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
            (0..self.chunks_of(side)).for_each(|chunk| {
                self.refresh_chunk::<W>(side, chunk);
            });
        }
        self.state.walk.left = 0;
    }

    /// Brings the chunk of a line up to date.
    pub(super) fn refresh<W: Width>(&mut self, spot: Spot) {
        self.refresh_chunk::<W>(spot.side, spot.line / CHUNK);
    }

    /// The same; returns how many lines that touched.
    fn refresh_chunk<W: Width>(&mut self, side: Side, chunk: u64) -> u64 {
        let now = self.state.position.part;
        let before = self.state.walk.set_part(side, chunk, now);
        if before == now {
            return 0;
        }
        simd::run(Expire::<W>(&self.grid, &mut self.state, std::marker::PhantomData), (side, chunk, before))
    }

    /// The next chunks are brought up to date.
    fn walk_on<W: Width>(&mut self) {
        let (chunks, mut lines) = (self.chunks(), 0);
        for _ in 0..LOOKS {
            let walk = &mut self.state.walk;
            if walk.left == 0 || lines >= LINES_A_CALL {
                break;
            }
            walk.left -= 1;
            walk.cursor = if walk.cursor + 1 >= chunks { 0 } else { walk.cursor + 1 };
            let (side, chunk) = (Side::BOTH[num::index(walk.cursor % 2)], walk.cursor / 2);
            if chunk < self.chunks_of(side) {
                lines += self.refresh_chunk::<W>(side, chunk);
            }
        }
        if self.state.walk.left == 0 {
            // Keys of the stash can go to lines again.
            self.state.stash.sweep_all();
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
        if self.state.mode != Mode::Table || self.state.walk.left > 0 {
            return Fate::Stays;
        }
        self.settle::<W>(&key, seen)
    }
}
