//! A small filter is a map, and a large one a table: where keys are, and when that changes.
//!
//! ```text
//!  Map  -- too many keys -->  Table  -- few keys, at a generation -->  Resting  -- a lifetime -->  Map
//!                               <-------------- too many keys ------------
//! ```
//! **Law.** While a filter rests, keys go to the stash, so that a lifetime later no cell of its lines is needed. While both are
//! there, both are asked and both count as bytes.
//! **Price.** The first lines are one arena of 32 KiB; 16 slots of the map with each call go to them.

use crate::error::Error;

use super::directory::LINE_BYTES;
use super::key::{PHASE_BITS, Shape};
use super::line::Width;
use super::plan::{LEAST_IN_TABLE, MOST_ENTRIES, Plan, by_width};
use super::position::{PARTS, Part, Position};
use super::stash::Fate;
use super::table::{Counts, Grid, Key, Loss, Mode, Table};

impl Table {
    /// No key is left.
    pub(super) fn forget_all(&mut self) {
        self.state.stash.clear();
        if !self.grid.plan.at_once {
            self.end_table();
        }
    }

    /// With a generation: whether lines are worth their memory. `is_late`: the calls were too few to bring them up to date.
    pub(super) fn choose_mode(&mut self, part: Part, is_late: bool) {
        let state = &mut self.state;
        let calls = std::mem::take(&mut state.calls);
        let few = LEAST_IN_TABLE >> self.grid.shape.skip;
        let lifetime = self.grid.plan.lifetime();
        match state.mode {
            Mode::Table if !self.grid.plan.at_once => {
                let is_small = self.grid.is_first() && state.used + state.stash.len() < few;
                if is_small || is_late && calls.saturating_mul(lifetime / PARTS) < few {
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
        let opened = self.grid.lines.open(self.state.stash.account(), &first, self.grid.plan.is_exact());
        if let Err(error) = opened.and_then(|()| self.note_chunks()) {
            self.grid.lines.begin_again(self.state.stash.account());
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
        self.grid.lines.begin_again(self.state.stash.account());
        self.grid.shape = self.grid.first();
        self.state.walk.clear();
        self.state.count_none();
        self.state.mode = Mode::Map;
        self.state.due = 0;
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

    /// Applies the memory limit of this plan from now on, and its first table if that is larger or of other cells.
    pub(super) fn bind<W: Width>(&mut self, plan: &Plan) -> Result<(), Error> {
        let is_other = plan.width != self.grid.plan.width || plan.first_lines > self.grid.plan.first_lines;
        if is_other && self.state.has_lines() {
            by_width!(plan.width, V => self.refit::<W, V>(plan))?;
        }
        self.grid.plan = *plan;
        // The next request for a line finds out whether the limit allows it.
        self.state.starved = false;
        if !self.state.has_lines() {
            self.grid.shape = self.grid.first();
        }
        self.set_due();
        Ok(())
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
        self.state.loss = Loss::default();
        (self.state.counts, self.state.calls) = (Counts::default(), 0);
        self.state.walk.restart(self.state.position.part);
        self.state.due = 0;
    }

    /// Keeps a key in the stash, or where that has too many or gets no memory, in lines.
    pub(super) fn remember<W: Width>(&mut self, key: &Key, own: Part) {
        let now = self.state.position.part;
        let is_new = self.state.stash.find(key.hash, now).is_none();
        if is_new && self.state.stash.len() >= self.most_in_map() && self.leave_map() {
            return self.store_or_renew::<W>(key, own);
        }
        if self.state.stash.keep(key.hash, own, now).is_ok() {
            return;
        }
        self.state.counts.refused += 1;
        if self.leave_map() {
            return self.store_or_renew::<W>(key, own);
        }
        let victim = self.state.stash.forget_one(key.hash, now);
        let kept = self.state.stash.keep(key.hash, own, now);
        let lost = if kept.is_ok() { victim } else { victim.max(Some(own)) };
        lost.iter().for_each(|part| self.note_loss(*part));
    }

    /// Whether keys can go to lines from now on.
    fn leave_map(&mut self) -> bool {
        match self.state.mode {
            Mode::Map => self.begin_table().is_ok(),
            Mode::Resting(_) => {
                self.wake();
                true
            }
            Mode::Table => false,
        }
    }

    fn store_or_renew<W: Width>(&mut self, key: &Key, own: Part) {
        if self.settle::<W>(key, own) == Fate::Stays {
            self.crowded::<W>(key, own);
        }
    }
}

impl Grid {
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
        let all = self.plan.most_bytes() / LINE_BYTES;
        if self.shape.skip == 0 { all } else { all >> PHASE_BITS }
    }
}
