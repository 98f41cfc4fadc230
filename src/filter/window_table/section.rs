//! Divides a table into eight sections, one for each phase, so that each of eight locks owns one.
//!
//! ```text
//!  whole      lines 0 1 2 3 4 5 6 7 | 8 9 ..         one P, one plan of growth, one tally by phase and generation
//!  section 3  line  . . . 3 . . . . | . . . 11 ..    its own P, plan, tally, stash and clock; the lines stay where they are
//! ```
//! **Law.** No key has lines in two sections, so none waits for another or falls behind with it. An absent key is found in
//! its section with a chance that is, on average over sections, the sum of all weights / fingerprints, as before.
//!
//! **Price.** A list of runs is made, 16 KiB for each MiB of lines, once; no line is touched.

use crate::error::Error;
use crate::num;
use crate::raw::vec_of;

use super::key::SECTIONS;
use super::stash::Stash;
use super::state::{Counts, Course, Loss, State};
use super::table::{Grid, Table};
use super::tally::Tally;

const LOCKS: u64 = num::wide(SECTIONS);

impl Table {
    /// The sections of this table, which has no lines afterwards. Without memory for them it stays as it is.
    pub(super) fn divide(&mut self) -> Result<Vec<Self>, Error> {
        let (mut tables, mut own) = (vec_of(SECTIONS)?, vec_of(SECTIONS)?);
        let most_lines = self.most_lines();
        for phase in 0..SECTIONS {
            own.push((self.state.tally.of_phase(phase)?, self.state.stash.of_phase(phase)?));
        }
        let all = self.grid.lines.divide()?.into_iter().zip(own).enumerate();
        tables.extend(all.map(|(phase, (lines, (tally, stash)))| {
            let shape = self.grid.shape.sectioned(num::wide(phase));
            Self {
                grid: Grid { lines, shape, ..self.grid },
                state: self.state.of_section(phase, shape.lines(), (tally, stash)),
            }
        }));
        let before = tables.iter().skip(1).map(|table: &Self| table.grid.shape.lines()).sum::<u64>();
        tables[0].state.counts.most_lines = most_lines - before;
        tables.iter_mut().for_each(Self::plan_growth);
        Ok(tables)
    }
}

impl State {
    /// The state with which one section continues, with a number of lines. The first gets the counts so far.
    fn of_section(&self, phase: usize, lines: u64, (tally, stash): (Tally, Stash)) -> Self {
        let (loss, counts) = (self.loss, self.counts);
        let is_first = phase == 0;
        Self {
            tally,
            stash,
            tend: self.tend.of_section(num::wide(phase), lines),
            course: self.course.of_section(phase),
            loss: Loss { forgotten: if is_first { loss.forgotten } else { 0 }, ..loss },
            counts: if is_first { counts } else { Counts::default() },
            ..*self
        }
    }
}

impl Course {
    /// An eighth of what was stored, on average.
    fn of_section(&self, phase: usize) -> Self {
        let stores = self.stores() / LOCKS;
        let due = if self.due == u64::MAX { self.due } else { stores };
        let mut own = *self;
        own.by_code = self.by_code.of(phase);
        (own.due, own.weighed, own.since, own.starved) = (due, 0, stores, false);
        own.set_stores(stores, self.last / LOCKS, self.now() / LOCKS);
        own
    }
}
