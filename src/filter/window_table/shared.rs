//! The window table for many threads: a lock guards groups of the newest table, and what is beside their lines.
//!
//! **Law.** One thread is told what the unshared filter would tell it. Of many, a part of the window passes when all of
//! them together have made its observations, not before and not after.
//!
//! ```text
//!  under one lock    lines of its groups, their stash, changes of the tally; sealed tables are only read
//!  under all locks   a new part, a new table, memory that goes back
//!
//!  room (observations of this part, or keys that the newest table may take) --draw--> each lock's portion
//! ```
//! A lock's groups are neighbours: the highest bits of the hash say which lock, as many of them as there are groups
//! for. A table of one group goes by one lock, a larger one that follows it by more.

use crate::counters::{Front, Pool};
use crate::error::Error;
use crate::filter::striped::{Route, Striped};
use crate::filter::values::{Age, Verdict};
use crate::hash::KeyHash;
use crate::num;
use crate::simd;
use crate::tick::Tick;

use super::WindowTable;
use super::hand::Hand;
use super::sweep::Sweep;
use super::touch::{TouchLocked, Verb};

/// What all threads read and seldom write.
#[derive(Debug, Default)]
pub(crate) struct Open {
    /// The latest tick that a caller told.
    clock: Front,
    /// Room that no lock has drawn yet.
    room: Pool,
}

/// What happened under one lock.
#[derive(Debug)]
pub(crate) struct Part {
    hand: Hand,
    clock: Tick,
    /// The table that the sweep goes over, by its number.
    table: Option<u64>,
}

impl WindowTable {
    /// The clock as this lock sees it.
    fn clock_of(&self, open: &Open, part: &Part, now: Tick) -> Tick {
        if self.core.plan.timed { now.max(self.clock_concurrent(open)).max(part.clock) } else { Tick(0) }
    }

    /// The same for who only reads; `None` where the observation that used up the last room has not yet moved the window
    /// on.
    fn clock_of_reader(&self, open: &Open, part: &Part, now: Tick) -> Option<Tick> {
        let is_past = !self.core.plan.timed && part.hand.room == 0 && open.room.is_empty();
        (!is_past).then(|| self.clock_of(open, part, now))
    }

    fn touch_concurrent(&self, open: &Open, part: &mut Part, key: KeyHash, now: Tick, verb: Verb) -> Option<Verdict> {
        let core = &self.core;
        let clock = self.clock_of(open, part, now);
        let is_past = core.plan.timed && (clock.0 >= core.position.next || !core.time.running);
        if is_past || !core.leaving.is_empty() {
            return None;
        }
        if part.hand.room == 0 {
            part.hand.room = open.room.draw().taken;
            if part.hand.room == 0 {
                return None;
            }
        }
        part.clock = clock;
        let verdict = simd::run(TouchLocked(core, &mut part.hand), (key, verb));
        part.hand.room -= u64::from(!core.plan.timed);
        Some(verdict)
    }

    /// The sweep of one of 2^`bits` locks.
    fn sweep_of(&self, lock: usize, bits: u32) -> Sweep {
        let (core, locks) = (&self.core, 1 << bits);
        if lock >= locks {
            return Sweep::default();
        }
        let lines = core.newest.lines.len() / locks;
        let pace = core.plan.pace(&core.newest.shape);
        Sweep::new(lock * lines, (lock + 1) * lines, pace)
    }
}

impl Striped for WindowTable {
    type Open = Open;
    type Part = Part;

    fn part(&self) -> Result<Part, Error> {
        let hand = Hand::new(&self.core.plan.first.layout, Sweep::default())?;
        Ok(Part { hand, clock: Tick(0), table: None })
    }

    fn route(&self) -> Route {
        Route::Top
    }

    fn route_bits(&self) -> u32 {
        self.core.newest.shape.locks()
    }

    fn observe_concurrent(
        &self,
        open: &Open,
        part: &mut Part,
        key: KeyHash,
        now: Tick,
    ) -> Option<Result<Verdict, Error>> {
        let verdict = self.touch_concurrent(open, part, key, now, Verb::Observe)?;
        Some(Ok(verdict))
    }

    fn insert_concurrent(&self, open: &Open, part: &mut Part, key: KeyHash, now: Tick) -> Option<Result<(), Error>> {
        self.touch_concurrent(open, part, key, now, Verb::Insert).map(|_| Ok(()))
    }

    fn contains_concurrent(&self, open: &Open, part: &Part, key: KeyHash, now: Tick) -> Option<Verdict> {
        let clock = self.clock_of_reader(open, part, now)?;
        Some(self.core.contains(&part.hand, key.mixed(), clock))
    }

    fn age_concurrent(&self, open: &Open, part: &Part, key: KeyHash, now: Tick) -> Option<Option<Age>> {
        let clock = self.clock_of_reader(open, part, now)?;
        Some(self.core.age(&part.hand, key.mixed(), clock))
    }

    fn gather<'a>(&mut self, open: &mut Open, parts: impl Iterator<Item = &'a mut Part>) {
        let (hand, time) = (&mut self.hand, &mut self.core.time);
        time.clock = time.clock.max(Tick(open.clock.get()));
        hand.room = open.room.drain();
        for part in parts {
            time.clock = time.clock.max(part.clock);
            part.clock = Tick(0);
            hand.take_in(&mut part.hand);
        }
        if self.hand.room == 0 && !self.core.plan.timed {
            self.next_part();
        }
    }

    fn scatter<'a>(&mut self, open: &mut Open, parts: impl Iterator<Item = &'a mut Part>) {
        let (bits, table) = (self.core.newest.shape.locks(), self.core.counts.tables);
        let groups = self.core.newest.shape.groups >> bits;
        let shut = self.hand.stash.shut.take();
        let mut held = std::mem::take(&mut self.hand.stash.groups).into_iter().peekable();
        for (lock, part) in parts.enumerate() {
            if part.table != Some(table) {
                part.hand.sweep = self.sweep_of(lock, bits);
                part.table = Some(table);
            }
            let end = (num::wide(lock) + 1) * groups;
            part.hand.stash.shut = shut;
            while let Some(held) = held.next_if(|held| held.group < end) {
                part.hand.stash.push(held);
            }
        }
        open.clock.set(self.core.time.clock.0);
        open.room.fill(std::mem::take(&mut self.hand.room));
    }

    fn clock_concurrent(&self, open: &Open) -> Tick {
        self.core.time.clock.max(Tick(open.clock.get()))
    }

    fn check_step_concurrent(&self, open: &Open, now: Tick) -> Result<(), Error> {
        self.core.check_lead(self.clock_concurrent(open), now)
    }

    fn admit_again(&mut self, now: Tick) -> Result<(), Error> {
        let checked = self.core.check_lead(self.core.time.clock, now);
        self.hand.seen.refused_ticks += u64::from(checked.is_err());
        self.core.time.started |= checked.is_ok();
        checked
    }

    fn admit_concurrent(&self, open: &Open, part: &mut Part, now: Tick) -> Option<Result<(), Error>> {
        if !self.core.time.started {
            return None;
        }
        if let Err(error) = self.check_step_concurrent(open, now) {
            part.hand.seen.refused_ticks += 1;
            return Some(Err(error));
        }
        part.hand.seen.late_ticks += u64::from(now < self.clock_concurrent(open));
        open.clock.raise(now.0);
        Some(Ok(()))
    }
}
