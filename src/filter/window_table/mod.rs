//! The window table: which keys came within the last T, or among the last n, in two cache lines a key.
//!
//! **Law.** A key observed or inserted within the window is always found, at its very edge, at any rate, after any growth;
//! one older than the window by more than a generation, T / (2^t - 1), never. A key never seen is called a duplicate with at
//! most the requested rate at any moment, whatever the traffic does. Exceptions: memory that is refused, which `stats` report,
//! and keys aimed by one who knows the seed, which cost memory.
//!
//! **Layout.** A key has two lines of 64 bytes, one on each side, and one cell in one of them. Each side grows by linear
//! hashing, a line at a time, in place.
//!
//! ```text
//!  side 0   [ split .. split | whole .. whole | second halves ]      P lines of 2^(D + 1) are split
//!  side 1   [ whole .. .. .. .. .. .. whole ]                        one more when the cells pass the limit
//!
//!  cell     tag: generation of the last sighting | fingerprint | bits known: as many as had room
//!  split    the lowest known bit decides which half a cell goes to, and is dropped; the key of a cell is never needed
//!
//!  position ------------------------------------------------>  8 parts a generation, G generations a window
//!  line of phase 0   | generation 7        | generation 8        |
//!  line of phase 3        | generation 7        | generation 8        |     lines do not expire all at once
//!
//!  divided  [section 0: lines of phase 0] .. [section 7]             both lines of a key are in one: a lock owns each
//! ```
//! Every instant of a window may use the same share of the error rate (`policy`), so cells that are stored while the table is
//! small for its traffic know more bits, and pay for it with fewer cells in their line (`width`). A window of keys is the same
//! table with a size that is known.
//!
//! **Price.** 512 (1 + 1 / 2G) / (F C) bits a key when settled (`plan`), two cache lines and now and then two more. A call
//! touches at most 64 lines (`tend` has the one exception) and asks the system for at most one arena of 2 MiB.
//!
//! **Paper.** Linear hashing (Litwin 1980); partners of a cuckoo filter (Fan et al. 2014); fingerprints of variable length
//! (Pagh, Segev, Wieder 2013; InfiniFilter 2023). Tags of generations, expiry by arithmetic and the budget by time are ours.

mod age;
mod allocator;
mod cell;
mod directory;
mod due;
#[cfg(test)]
mod exact;
mod form;
mod grow;
mod key;
mod lateness;
mod line;
mod look;
mod movers;
mod numbers;
pub(crate) mod plan;
mod policy;
mod position;
mod powers;
mod report;
mod room;
mod saved;
mod section;
mod shared;
mod snapshot;
mod stash;
mod state;
mod table;
mod tally;
mod tend;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_locks;
#[cfg(test)]
mod tests_of_sections;
mod time;
mod touch;
mod width;

use std::marker::PhantomData;

use crate::error::Error;
use crate::filter::contract::{Contract, Series};
use crate::filter::seen::Seen;
use crate::filter::values::{Age, PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::options::Options;
use crate::raw::arena::Account;
use crate::raw::push;
use crate::simd::{self, Instructions};
use crate::tick::Tick;

use form::{Any, Form, OfKeys, OfTime};
use key::section_of;
use plan::Plan;
use position::When;
use table::{Table, Verb};
use time::Time;
use touch::{Observe, ObserveEach, Touch};

/// See the module.
#[derive(Debug)]
pub(crate) struct WindowTable {
    plan: Plan,
    /// One, or those of the sections that it is divided into.
    tables: Vec<Table>,
    /// Bytes of all of them.
    account: Account,
    time: Time,
    seen: Seen,
    /// Bits of a hash that say which lock owns a key's table, once there are locks.
    route_bits: u32,
}

/// The table of a key: nearly always there is one. A branch, since lines are not asked for before it is known.
#[inline(always)]
fn of_key(tables: &mut [Table], hash: u64) -> &mut Table {
    match tables {
        [table] => table,
        tables => &mut tables[section_of(hash)],
    }
}

/// A part passes in the table of a key, which is returned. All begin together, so that their parts begin together.
#[cold]
#[inline(never)]
fn pass(tables: &mut [Table], hash: u64, moment: u64) -> &mut Table {
    if of_key(tables, hash).is_running() {
        of_key(tables, hash).go_to(moment);
    } else {
        tables.iter_mut().for_each(|table| table.go_to(moment));
    }
    of_key(tables, hash)
}

impl WindowTable {
    fn empty(plan: Plan) -> Result<Self, Error> {
        let account = Account::new(plan.most_bytes())?;
        let mut tables = Vec::new();
        push(&mut tables, Table::new(plan, &account)?)?;
        Ok(Self { plan, tables, account, time: Time::default(), seen: Seen::default(), route_bits: 0 })
    }

    /// The table of a key.
    #[inline(always)]
    fn index(&self, hash: u64) -> usize {
        if self.tables.len() == 1 { 0 } else { section_of(hash) }
    }

    #[inline(always)]
    fn table_of(&self, hash: u64) -> &Table {
        &self.tables[self.index(hash)]
    }

    /// The moment that positions follow: `now`, or the number of observations.
    #[inline(always)]
    fn moment(&self, now: Tick) -> u64 {
        if self.plan.timed { now.max(self.time.clock).0 } else { self.time.count }
    }

    /// The same with the record's own moment.
    #[inline(always)]
    fn when(&self, now: Tick) -> When {
        match self.time.clock {
            _ if !self.plan.timed => When::at(self.time.count),
            clock if now < clock => self.plan.when(now, clock),
            _ => When::at(now.0),
        }
    }

    /// Observes a key at a tick that is not below the clock, or as the next key of a window of keys.
    #[inline(always)]
    fn observe_now<I: Instructions, F: Form>(&mut self, key: KeyHash, now: Tick) -> Verdict {
        let [table] = &mut self.tables[..] else { return self.touch(key, now, Verb::Observe) };
        let moment = if F::TIMED { now.0 } else { self.time.count };
        if F::TIMED {
            self.time.clock = now;
        }
        let verdict = table.observe::<I, F>(key.mixed(), moment, Verb::Observe);
        if !F::TIMED {
            // The next observation may be in the next part, which begins at once.
            self.time.count += 1;
            table.go_on(self.time.count);
        }
        // The compiler merges this branch with the one of the table.
        match verdict {
            Verdict::New => self.seen.new_count += 1,
            _ => self.seen.duplicate_count += 1,
        }
        verdict
    }

    /// The same for a late record, for an insertion, and where sections are apart.
    #[cold]
    #[inline(never)]
    fn touch(&mut self, key: KeyHash, now: Tick, verb: Verb) -> Verdict {
        let (hash, when) = (key.mixed(), self.when(now));
        self.time.clock = Tick(when.clock);
        let mut table = of_key(&mut self.tables, hash);
        if table.is_behind(when.clock) {
            table = pass(&mut self.tables, hash, when.clock);
        }
        let verdict = simd::run(Touch(table, verb), (hash, when));
        if !self.plan.timed {
            self.time.count += 1;
            self.go_to(self.time.count);
        }
        if verb == Verb::Observe {
            self.seen.count(verdict);
        }
        verdict
    }

    /// Empties the tables in place.
    fn wipe(&mut self) {
        self.tables.iter_mut().for_each(Table::wipe);
        (self.time, self.seen) = (Time::default(), Seen::default());
    }

    #[cold]
    fn go_to(&mut self, moment: u64) {
        self.tables.iter_mut().for_each(|table| table.go_to(moment));
    }

    #[inline(always)]
    fn admits(&mut self, now: Tick) -> bool {
        let clock = self.time.clock;
        if now < clock {
            self.seen.count_late(clock.since(now), self.plan.lateness);
        } else if now.since(clock) > self.plan.max_step && self.time.has_started() {
            return false;
        } else {
            self.time.clock = now;
        }
        self.start();
        true
    }

    #[inline(always)]
    fn start(&mut self) {
        if self.plan.timed {
            self.time.leads = self.plan.max_step.saturating_add(1);
        }
    }

    /// Counts a tick that is too far ahead.
    #[cold]
    #[inline(never)]
    fn refuse<T>(&mut self, now: Tick) -> Result<T, Error> {
        self.seen.count_refused(now);
        Err(Error::step(now.since(self.time.clock), self.plan.max_step))
    }

    /// Observes at a tick that may be late or too far ahead.
    #[cold]
    #[inline(never)]
    fn observe_unusual(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        if self.admits(now) { self.observe(key, now) } else { self.refuse(now) }
    }

    /// Whether `now` is too far ahead of `clock`.
    fn check_lead(&self, clock: Tick, now: Tick) -> Result<(), Error> {
        if self.time.has_started() { now.check_lead(clock, self.plan.max_step) } else { Ok(()) }
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

    fn options(&self) -> Options {
        self.plan.options()
    }

    fn observe(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        Ok(if !self.plan.timed {
            simd::run(Observe::<OfKeys>(self, PhantomData), (key, now))
        } else if now < self.time.clock {
            self.touch(key, now, Verb::Observe)
        } else {
            simd::run(Observe::<OfTime>(self, PhantomData), (key, now))
        })
    }

    #[inline]
    fn observe_series<S: Series<Self>>(&mut self, series: S) -> S::Result {
        if self.plan.timed {
            simd::run(ObserveEach::<_, OfTime>(self, series, PhantomData), ())
        } else {
            simd::run(ObserveEach::<_, OfKeys>(self, series, PhantomData), ())
        }
    }

    fn observe_traced(&mut self, key: KeyHash, now: Tick) -> Result<(Verdict, bool), Error> {
        of_key(&mut self.tables, key.mixed()).state.renewed = 0;
        let verdict = self.observe(key, now)?;
        // Every observation is one of those that a window of keys counts.
        let renewed = self.table_of(key.mixed()).state.renewed != 0;
        Ok((verdict, renewed || verdict.is_new() || !self.plan.timed))
    }

    fn insert(&mut self, key: KeyHash, now: Tick) -> Result<(), Error> {
        self.touch(key, now, Verb::Insert);
        Ok(())
    }

    fn contains(&self, key: KeyHash, now: Tick) -> Verdict {
        let hash = key.mixed();
        self.table_of(hash).contains(hash, self.when(now))
    }

    fn expect_ages() -> Result<(), Error> {
        Ok(())
    }

    fn age(&self, key: KeyHash, now: Tick) -> Option<Age> {
        let hash = key.mixed();
        self.table_of(hash).age(hash, self.when(now))
    }

    #[inline]
    fn prefetch(&self, key: KeyHash) {
        let hash = key.mixed();
        self.tables.get(self.index(hash)).iter().for_each(|table| table.prefetch::<Any>(hash));
    }

    // It takes 50 instructions a key, so not where lines are in the nearer caches.
    const AHEAD: usize = 10;
    const NEAR: u64 = 512 << 10;

    fn cell_bytes(&self) -> u64 {
        self.account.bytes()
    }

    fn has_time(&self) -> bool {
        self.plan.timed
    }

    fn window(&self) -> u64 {
        self.plan.span.window
    }

    fn check_step(&self, now: Tick) -> Result<(), Error> {
        self.check_lead(self.time.clock, now)
    }

    fn admit(&mut self, now: Tick) -> Result<(), Error> {
        if self.admits(now) { Ok(()) } else { self.refuse(now) }
    }

    #[inline(always)]
    fn observe_at(&mut self, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        if self.time.is_usual(now) {
            return Ok(simd::run(Observe::<OfTime>(self, PhantomData), (key, now)));
        }
        self.observe_unusual(key, now)
    }

    fn advance(&mut self, now: Tick) {
        if self.plan.timed {
            self.start();
            self.time.clock = self.time.clock.max(now);
            self.go_to(self.time.clock.0);
            self.tables.iter_mut().for_each(Table::give_back);
        }
    }

    fn clear(&mut self) {
        match Self::empty(self.plan) {
            Ok(fresh) => *self = fresh,
            // Without memory for a fresh start the tables are emptied in place.
            Err(_) => self.wipe(),
        }
    }

    fn try_clone(&self) -> Result<Self, Error> {
        let (account, mut tables) = (Account::new(self.plan.most_bytes())?, Vec::new());
        self.tables.iter().try_for_each(|table| push(&mut tables, table.try_clone(&account)?))?;
        account.raise_peak(self.account.peak());
        Ok(Self { tables, account, ..*self })
    }

    fn has_started(&self) -> bool {
        !self.plan.timed || self.time.has_started()
    }

    fn clock(&self) -> Tick {
        if self.plan.timed { self.time.clock } else { Tick(0) }
    }

    fn stats(&self, now: Tick) -> Stats {
        self.report(now)
    }

    fn stats_reset(&mut self) {
        self.seen = Seen::default();
    }
}
