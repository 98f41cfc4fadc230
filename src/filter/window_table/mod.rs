//! The window table: which keys came within the last T, or among the last n, in two cache lines a key.
//!
//! **Law.** A key observed or inserted within the window is always found, at its very edge, at any rate, after any growth;
//! one older than the window by more than a generation, T / (2^t - 1), never. A key never seen is called a duplicate with
//! at most the planned chance at any moment, also while the rate climbs: the chances of all tables sum to at most that.
//! Two exceptions: a group that is closed (`stash`), and keys aimed by one who knows the seed.
//!
//! **Layout.** A table of lines of 64 bytes (`line` draws one). A key has two lines, both in one group, and one cell in one
//! of them: a fingerprint, and a tag that says in which generation it was last seen.
//!
//! ```text
//!  position ------------------------------------------------>  8 parts a generation, G generations a window
//!  line of phase 0   | generation 7        | generation 8        |
//!  line of phase 3        | generation 7        | generation 8        |     lines do not expire all at once
//!
//!  touched line      cells of more than G generations ago go; nothing else expires them
//!  repeat            the tag is written, in place: it costs no memory
//!  new key           the emptier line; both full: a cell moves to its other line; no such cell: the group's stash
//!
//!  window of time    tables: [newest] [sealed] [sealed]      the newest takes all that is stored; the sealed are only
//!                                                            read, until all of their cells are too old
//! ```
//! A count window has one table for good. Of a window of time, a table that is nearly as full as planned is sealed and
//! a larger one goes in front; one that is much too large for its keys, a smaller one. Each may use a share of what
//! the others leave of the error rate.
//!
//! **Price.** 512 (1 + 1 / 2G) / (F C) bits a key (`plan`): 22.6 at 1e-3; two cache lines for an operation and a table. An
//! observation works on 64 lines at most, makes one table at most, and gives back 2 MiB of a drained one.
//!
//! **Paper.** None: the cuckoo filter's partner line (Fan, Andersen, Kaminsky, Mitzenmacher, 2014), tags of generations,
//! and expiry by arithmetic.

mod age;
#[cfg(test)]
mod elastic;
mod grow;
mod hand;
mod leaving;
#[cfg(test)]
#[path = "limits/tests.rs"]
mod limits;
mod line;
mod load;
#[cfg(test)]
mod oracle;
pub(crate) mod plan;
mod position;
mod report;
mod shared;
mod size;
mod snapshot;
mod stash;
mod sweep;
mod table;
mod tally;
#[cfg(test)]
mod tests;
mod touch;

use crate::error::Error;
use crate::filter::contract::{Contract, Series};
use crate::filter::seen::Seen;
use crate::filter::values::{Age, PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::options::Options;
use crate::simd::{self, Instructions};
use crate::tick::Tick;

use grow::Sealed;
use hand::Hand;
use leaving::Leaving;
use plan::{FIRST_SHARE, Plan};
use position::{PARTS, Position};
use sweep::Sweep;
use table::Table;
use touch::{Touch, TouchEach, Verb};

/// See the module.
#[derive(Debug)]
pub(crate) struct WindowTable {
    core: Core,
    hand: Hand,
}

/// What stands still under one lock, but for the lines of its keys.
#[derive(Debug)]
struct Core {
    plan: Plan,
    /// The table that takes keys.
    newest: Table,
    /// The part at which it came.
    born: u64,
    /// Its part of the error rate.
    share: f64,
    /// Cells that it takes before it is as full as planned.
    limit: u64,
    /// Tables that drain, the youngest first.
    sealed: Vec<Sealed>,
    /// Memory of drained tables, on its way back.
    leaving: Vec<Leaving>,
    position: Position,
    time: Time,
    /// Whether the newest table is full and `memory` allows no other.
    overfull: bool,
    /// The generation in which the present round of the sweep began.
    lap: u64,
    counts: Counts,
}

/// What the filter remembers of time. Nothing here runs back.
#[derive(Debug, Clone, Copy, Default)]
struct Time {
    clock: Tick,
    /// Whether the caller has ever told it a tick.
    started: bool,
    /// Whether the position has begun to follow it.
    running: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    bytes_peak: u64,
    /// Tables made beside the first.
    tables: u64,
    /// Tables that `memory` did not allow.
    deferred: u64,
}

impl WindowTable {
    fn empty(plan: Plan) -> Result<Self, Error> {
        let newest = Table::new(plan.first)?;
        let position = Position::start(0, &plan.span);
        let (share, counts) = (if plan.timed { FIRST_SHARE } else { 1.0 }, Counts::default());
        let (limit, time) = (plan.limit(&plan.first, share), Time::default());
        let (sealed, leaving, born) = (Vec::new(), Vec::new(), position.part);
        let (overfull, lap) = (false, born / PARTS);
        let core = Core { plan, newest, born, share, limit, sealed, leaving, position, time, overfull, lap, counts };
        let hand = Hand::new(&plan.first.layout, core.sweep())?;
        let mut filter = Self { core, hand };
        filter.core.counts.bytes_peak = filter.core.bytes();
        filter.go_on();
        Ok(filter)
    }

    /// Finds out how much room there is, where a filter begins.
    fn go_on(&mut self) {
        let position = &self.core.position;
        self.hand.room = if self.core.plan.timed { self.core.limit } else { position.next - position.at };
    }

    /// Moves clock and position on to `now`; a late tick counts as the clock.
    #[inline(always)]
    fn go_to(&mut self, now: Tick) {
        let now = now.max(self.core.time.clock);
        self.core.time.clock = now;
        if now.0 >= self.core.position.next || !self.core.time.running {
            self.pass(now);
        }
    }

    #[inline(always)]
    fn touch<I: Instructions>(&mut self, key: KeyHash, now: Tick, verb: Verb) -> Verdict {
        if self.core.plan.timed {
            self.go_to(now);
            if self.hand.room == 0 {
                self.refill_table();
            }
        }
        let verdict = self.core.touch::<I>(&mut self.hand, key.mixed(), verb);
        if self.core.plan.timed {
            self.give_back()
        } else {
            self.count()
        }
        verdict
    }

    /// One observation of a window of keys: the next may be in the next part.
    #[inline(always)]
    fn count(&mut self) {
        self.hand.room -= 1;
        if self.hand.room == 0 {
            self.next_part();
        }
    }

    /// A piece of a drained table, if there is one.
    #[inline(always)]
    fn give_back(&mut self) {
        if !self.core.leaving.is_empty() {
            self.core.give_back();
        }
    }
}

impl Core {
    /// A sweep over the newest table.
    fn sweep(&self) -> Sweep {
        Sweep::new(0, self.newest.lines.len(), self.plan.pace(&self.newest.shape))
    }

    /// The part at `now`.
    #[inline(always)]
    fn part_at(&self, now: Tick) -> u64 {
        if self.plan.timed && self.time.running {
            self.position.part_at(now.0, &self.plan.span)
        } else {
            self.position.part
        }
    }

    /// Whether `now` is too far ahead of `clock`.
    fn check_lead(&self, clock: Tick, now: Tick) -> Result<(), Error> {
        let (lead, most) = (now.since(clock), self.plan.max_step);
        if self.time.started && lead > most { Err(Error::step(lead, most)) } else { Ok(()) }
    }
}

impl Contract for WindowTable {
    const KIND: Kind = Kind::WindowTable;

    fn new(options: &Options) -> Result<Self, Error> {
        Self::empty(Plan::new(options)?)
    }

    fn plan(options: &Options) -> Result<PlanSummary, Error> {
        Plan::new(options).map(|plan| plan.summary())
    }

    fn observe(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        simd::run(Touch(self, Verb::Observe), (key, now))
    }

    #[inline]
    fn observe_series<S: Series<Self>>(&mut self, series: S) -> S::Result {
        simd::run(TouchEach(self, series), ())
    }

    fn insert(&mut self, key: KeyHash, now: Tick) -> Result<(), Error> {
        simd::run(Touch(self, Verb::Insert), (key, now)).map(|_| ())
    }

    fn contains(&self, key: KeyHash, now: Tick) -> Verdict {
        self.core.contains(&self.hand, key.mixed(), now.max(self.core.time.clock))
    }

    fn expect_ages() -> Result<(), Error> {
        Ok(())
    }

    fn age(&self, key: KeyHash, now: Tick) -> Option<Age> {
        self.core.age(&self.hand, key.mixed(), now.max(self.core.time.clock))
    }

    fn prefetch(&self, key: KeyHash) {
        self.core.prefetch(key.mixed());
    }

    const AHEAD: usize = 10;
    const NEAR: u64 = 512 << 10;

    fn cell_bytes(&self) -> u64 {
        self.core.bytes()
    }

    fn has_time(&self) -> bool {
        self.core.plan.timed
    }

    fn window(&self) -> u64 {
        self.core.plan.span.window
    }

    fn check_step(&self, now: Tick) -> Result<(), Error> {
        self.core.check_lead(self.core.time.clock, now)
    }

    fn admit(&mut self, now: Tick) -> Result<(), Error> {
        if let Err(error) = self.check_step(now) {
            self.hand.seen.refused_ticks += 1;
            return Err(error);
        }
        self.hand.seen.late_ticks += u64::from(now < self.core.time.clock);
        self.core.time.started = true;
        self.core.time.clock = self.core.time.clock.max(now);
        Ok(())
    }

    fn advance(&mut self, now: Tick) {
        self.core.time.started = true;
        if self.core.plan.timed {
            self.go_to(now);
            self.give_back();
        }
    }

    fn clear(&mut self) {
        match Self::empty(self.core.plan) {
            Ok(fresh) => *self = fresh,
            // There is no memory for a fresh start: what there is is emptied.
            Err(_) => self.wipe(),
        }
    }

    fn try_clone(&self) -> Result<Self, Error> {
        Ok(Self { core: self.core.try_clone()?, hand: self.hand.try_clone()? })
    }

    fn clock(&self) -> Tick {
        self.core.time.clock
    }

    fn stats(&self, now: Tick) -> Stats {
        self.report(self.core.time.clock.max(now))
    }

    fn stats_reset(&mut self) {
        self.hand.seen = Seen::default();
    }
}
