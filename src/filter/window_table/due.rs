//! The upkeep that is due as time passes: where the walk and the sweep are, and whether keys go to the stash meanwhile (`tend`).

use crate::num;
use crate::wire::{MOST_COUNT, Refused, expect};

use super::key::{LineNumber, Section, Spot};
use super::numbers::Numbers;
use super::position::{PARTS, Part, Position};

/// The most lines that one call touches, a promise: `exact.rs` counts those of every call.
pub(super) const MOST_LINES: u64 = 64;

/// Keys for each attempt to merge where a table is a little too large. [S] (`policy`) at 3, 12, 50: 10.7, 9.2, 6.2 % move, a sine takes
/// 41.8, 44.4, 47.0 bits, and a tenth more keys merge at 3.
pub(super) const PATIENCE: u32 = 12;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tend {
    /// Before this moment nothing is due with a key; 0 if something is.
    pub(super) calm_until: u64,
    /// The next line of the walk, and the phase that it goes over; `None` when it is finished.
    pub(super) walk: Option<Spot>,
    /// Walks that were finished, one after the other.
    pub(super) finished: u64,
    /// The next line of the sweep, and lines that it owes.
    pub(super) sweep: (usize, u64),
    pub(super) owed: u64,
    /// The part in which the present round began: every line was up to date with the round before it.
    pub(super) round: Part,
    /// The part since which keys go to the stash.
    pub(super) quiet: Option<Part>,
    /// Lines that were wiped so far of a table that begins again; the others are dead.
    pub(super) wiped: Option<u64>,
    /// Keys up to the next attempt to merge.
    pub(super) patience: u32,
}

impl Tend {
    pub(super) const fn new(part: Part) -> Self {
        let (quiet, wiped) = (None, None);
        Self { calm_until: 0, walk: None, finished: 0, sweep: (0, 0), owed: 0, round: part, quiet, wiped, patience: 0 }
    }

    /// The upkeep of the section of a phase, with a number of lines, of a table whose lines are all up to date since some part. The section
    /// walks over its lines before a walk counts as finished, and sweeps them while keys go to the stash.
    pub(super) const fn of_section(&self, phase: u64, lines: u64) -> Self {
        let walk = Some(Spot { side: 0, line: LineNumber::first(0, phase), depth: 0 });
        let owed = if self.is_quiet() { lines + 2 } else { 0 };
        Self { quiet: self.quiet, walk, owed, ..Self::new(self.round) }
    }

    /// Whether cells are dead that lines still have.
    #[inline(always)]
    pub(super) const fn is_wiping(&self) -> bool {
        self.wiped.is_some()
    }

    #[inline(always)]
    pub(super) const fn is_quiet(&self) -> bool {
        self.quiet.is_some()
    }

    /// Whether it owes no line anything, and keys go to their lines.
    pub(super) const fn is_idle(&self) -> bool {
        self.walk.is_none() && self.owed == 0 && self.quiet.is_none() && self.wiped.is_none()
    }

    /// Its numbers, to be saved or loaded, in a table at a position that is `running`.
    pub(super) fn numbers(
        &mut self,
        to: &mut impl Numbers,
        section: Section,
        (position, running): (&Position, bool),
    ) -> Result<(), Refused> {
        let part = position.part;
        let mut calm = self.calm_until > 0;
        to.flag("calm", &mut calm)?;
        let mut patience = u64::from(self.patience);
        to.whole("patience", &mut patience, 0..=u64::from(PATIENCE))?;
        self.patience = num::lower(patience);
        // 0 is no walk; a line is written after its side.
        let mut walk = self.walk.map_or(0, |spot| 1 + num::wide(spot.side));
        to.whole("side of the walk", &mut walk, 0..=2)?;
        let mut line = self.walk.map_or(0, |spot| spot.line.0);
        to.whole("line of the walk", &mut line, 0..=MOST_COUNT)?;
        let (phase, _) = section.last_walk(part);
        let first = LineNumber::first(usize::from(walk == 2), phase);
        let begins = if walk == 0 { line == 0 } else { line % PARTS == first.0 };
        expect(begins, "line of the walk", line, "the first of a generation, or 0 where none begins")?;
        self.walk = walk.checked_sub(1).map(|side| Spot { side: num::index(side), line: LineNumber(line), depth: 0 });
        to.count("finished", &mut self.finished)?;
        let mut side = num::wide(self.sweep.0);
        to.whole("side of the sweep", &mut side, 0..=1)?;
        self.sweep.0 = num::index(side);
        to.whole("line of the sweep", &mut self.sweep.1, 0..=MOST_COUNT)?;
        to.count("owed", &mut self.owed)?;
        to.past("round", &mut self.round, part)?;
        to.past_if_any("quiet", &mut self.quiet, part)?;
        expect(!calm || running, "running", 0, "1 where it is calm")?;
        expect(!calm || self.is_idle(), "calm", 1, "0 where lines are due")?;
        self.calm_until = if calm { position.next } else { 0 };
        Ok(())
    }

    /// Something is to be done with the next key.
    pub(super) fn wake(&mut self) {
        self.calm_until = 0;
    }
}
