//! A table as eight, one for each phase, so that eight locks can own them.
//!
//! ```text
//!  undivided   lines 0 1 2 3 4 5 6 7 | 8 9 10 11 ..      one depth and split, one stash
//!                    |   |
//!  section 1   side 0: 1, 9 ..  side 1: 1, 9 ..          each: own lock, depth and split, walk, stash
//!  section 3   side 0: 3, 11 .. side 1: 3, 11 ..
//! ```
//! **Law.** Every line that a key, a split, a merge or a move touches has the phase of the key: no cell crosses sections. Division
//! moves no line, a section uses every eighth line of the old runs and adds its own.
//! **Price.** Once: a step for every eight lines, and one for each key of the stash, of which there are few then.

use crate::error::Error;
use crate::num;
use crate::raw::vec_of;

use super::key::{SECTIONS, Side, section_of};
use super::stash::Stash;
use super::table::{Counts, Grid, Mode, State, Table};
use super::walk::Walk;

/// Keys of the stash with which a table can be divided: a choice, so that it does not take long.
const MOST_STASHED: u64 = 4096;

impl Table {
    /// Whether it can be divided: a map is under one lock.
    pub(super) fn is_divisible(&self) -> bool {
        self.state.mode == Mode::Table && self.state.running && self.state.stash.len() <= MOST_STASHED
    }

    /// The sections of a whole table; it itself where there is no memory for them.
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
                walk.take_phase(&state.walk, phase, side)?;
            }
            let counts = state.counts.share(phase);
            let stash = Stash::new(self.grid.lines.account());
            let calls = share(state.calls, phase);
            states.push(State { used: *used, stash, walk, counts, calls, ..*state });
        }
        let now = state.position.part;
        for (hash, seen) in state.stash.in_order(now) {
            states[section_of(hash)].stash.keep(hash, seen, now)?;
        }
        states.iter_mut().for_each(|state: &mut State| state.stash.sweep_all());
        states.iter_mut().for_each(|state| state.due = 0);
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

