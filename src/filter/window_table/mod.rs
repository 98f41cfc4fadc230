//! The window table: which keys came within the last T, or among the last n, in two cache lines a key.
//!
//! **Law.** A key observed or inserted within the window is always found, at its very edge, at any rate, after any growth, unless
//! `remove` forgot it; one older than the window by more than a generation, T / (2^t - 1), never. A key never seen is called a duplicate with at
//! most the requested rate up to 30 million keys a window, or the plan's. Exceptions: memory that is refused, which `stats` report,
//! and keys aimed by one who knows the seed, which cost memory.
//! **Layout.** A key has two lines of 64 bytes, one on each side, and one cell of fixed width in one of them (`line`). Each side grows by
//! linear hashing, a line at a time, in place (`grow`). A small filter is an exact map (`stash`).
//!
//! ```text
//!  side 0   [ split .. split | whole .. whole | second halves ]      P lines of 2^(D + 1) are split
//!  side 1   [ whole .. .. .. .. .. .. whole ]                        one more when the cells in use pass 0.86 of all (0.80 in the first window)
//!
//!  cell     tag: generation of the last sighting | fingerprint | bits known: as many as its field has
//!  split    the lowest known bit decides which half a cell goes to, and is dropped; the key of a cell is never needed
//!
//!  position ------------------------------------------------>  8 parts a generation, G generations a window
//!  line of phase 0   | generation 7        | generation 8        |
//!  line of phase 3        | generation 7        | generation 8        |     lines do not expire all at once
//!
//!  divided  [section 0: lines of phase 0] .. [section 7]             both lines of a key are in one: a lock owns each
//! ```
//! A cell keeps its chance of a false match whatever the table does (`rate`). A window of keys is the same table with a size that is known.
//!
//! **Price.** 512 (1 + 1 / 2G) / (0.86 C) bits a key when settled, two cache lines. A call touches at most 128, and makes one arena of 2 MiB.
//! **Paper.** Linear hashing (Litwin 1980); partners of a cuckoo filter (Fan et al. 2014); fingerprints that a split shortens
//! (Pagh, Segev, Wieder 2013; InfiniFilter 2023). Tags of generations and expiry by arithmetic are ours.

mod chunks;
mod directory;
mod grow;
mod key;
mod lateness;
mod line;
pub(crate) mod plan;
mod position;
mod rate;
mod refit;
mod report;
mod rest;
mod room;
mod saved;
mod shared;
mod slots;
mod snapshot;
mod stash;
mod table;
#[cfg(test)]
mod tests;
mod touch;
mod walk;

use std::marker::PhantomData;

use crate::error::Error;
use crate::filter::contract::{Contract, Observing, Series};
use crate::filter::seen::Seen;
use crate::filter::values::{Age, PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::options::Options;
use crate::raw::arena::Account;
use crate::raw::push;
use crate::simd::{self, Instructions, Task};
use crate::tick::Tick;

use key::section_of;
use line::Width;
use plan::{Plan, by_width};
use position::{Time, When};
use table::{Table, Touched, Verb};

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
    /// Keys that `remove` forgot.
    removed: u64,
    /// Bits of a hash that say which lock owns a key's table, once there are locks.
    route_bits: u32,
}

impl WindowTable {
    fn empty(plan: Plan) -> Result<Self, Error> {
        let account = Account::new(plan.most_bytes())?;
        let mut tables = Vec::new();
        push(&mut tables, Table::new(plan, &account)?)?;
        Ok(Self { plan, tables, account, time: Time::default(), seen: Seen::default(), removed: 0, route_bits: 0 })
    }

    /// The table of a key: nearly always there is one.
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
    fn observe_now<I: Instructions, W: Width>(&mut self, key: KeyHash, now: Tick) -> Touched {
        let [table] = &mut self.tables[..] else { return self.touch(key, now, Verb::Observe) };
        self.time.clock = now;
        let moment = if self.plan.timed { now.0 } else { self.time.next() };
        table.observe::<I, W>(key.mixed(), moment, &mut self.seen)
    }

    /// The same, by the best instructions.
    #[inline(always)]
    fn observe_here(&mut self, key: KeyHash, now: Tick) -> Touched {
        by_width!(self.plan.width, W => simd::run(Observe::<W>(self, PhantomData), (key, now)))
    }

    /// The same at a tick that may be below the clock.
    #[inline(always)]
    fn observe_any(&mut self, key: KeyHash, now: Tick) -> Touched {
        let is_late = self.plan.timed && now < self.time.clock;
        if is_late { self.touch(key, now, Verb::Observe) } else { self.observe_here(key, now) }
    }

    /// The same for any record, for an insertion, and where sections are apart.
    #[cold]
    #[inline(never)]
    fn touch(&mut self, key: KeyHash, now: Tick, verb: Verb) -> Touched {
        let (hash, when) = (key.mixed(), self.when(now));
        if self.plan.timed {
            self.time.clock = Tick(when.clock);
        } else {
            self.time.next();
        }
        let i = self.index(hash);
        if self.tables.len() > 1 && self.tables[i].is_behind(when.clock) {
            self.go_to(when.clock);
        }
        let touched = by_width!(self.plan.width, W => self.tables[i].touch::<W>(hash, when, verb));
        if verb == Verb::Observe {
            self.seen.count(touched.verdict);
        }
        touched
    }

    #[cold]
    fn go_to(&mut self, moment: u64) {
        self.tables.iter_mut().for_each(|table| table.go_to(moment));
    }

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

/// A key of an unshared filter that is observed now. Each width is a function of its own, which saves the registers that it needs.
struct Observe<'a, W>(&'a mut WindowTable, PhantomData<W>);

impl<W: Width> Task for Observe<'_, W> {
    type Args = (KeyHash, Tick);
    type Result = Touched;

    #[inline(always)]
    fn run<I: Instructions>(self, (key, now): (KeyHash, Tick)) -> Touched {
        self.0.observe_now::<I, W>(key, now)
    }
}

/// Many observations of an unshared filter: the instructions are chosen once for all of them.
struct ObserveEach<'a, S>(&'a mut WindowTable, S);

impl<S: Series<WindowTable>> Task for ObserveEach<'_, S> {
    type Args = ();
    type Result = S::Result;

    #[inline(always)]
    fn run<I: Instructions>(self, (): ()) -> S::Result {
        self.1.run::<Vectorised<I>>(self.0)
    }
}

/// By these instructions.
struct Vectorised<I>(PhantomData<I>);

impl<I: Instructions> Observing<WindowTable> for Vectorised<I> {
    #[inline(always)]
    fn observe(filter: &mut WindowTable, key: KeyHash, now: Tick, is_given: bool) -> Result<Verdict, Error> {
        if is_given && filter.plan.timed && !filter.time.is_usual(now) {
            return filter.observe_unusual(key, now);
        }
        if filter.plan.timed && now < filter.time.clock {
            return Ok(filter.touch(key, now, Verb::Observe).verdict);
        }
        // A call: in the loop of a batch the compiler would turn what no branch asks for into branches.
        Ok(by_width!(filter.plan.width, W => I::run(Observe::<W>(filter, PhantomData), (key, now)).verdict))
    }

    #[inline(always)]
    fn prefetch(filter: &WindowTable, key: KeyHash) {
        Contract::prefetch(filter, key);
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
        Ok(self.observe_any(key, now).verdict)
    }

    #[inline]
    fn observe_series<S: Series<Self>>(&mut self, series: S) -> S::Result {
        simd::run(ObserveEach(self, series), ())
    }

    fn observe_traced(&mut self, key: KeyHash, now: Tick) -> Result<(Verdict, bool), Error> {
        let touched = self.observe_any(key, now);
        // Every observation is one of those that a window of keys counts.
        Ok((touched.verdict, touched.is_traced || !self.plan.timed))
    }

    fn insert(&mut self, key: KeyHash, now: Tick) -> Result<(), Error> {
        self.touch(key, now, Verb::Insert);
        Ok(())
    }

    fn contains(&self, key: KeyHash, now: Tick) -> Verdict {
        let hash = key.mixed();
        by_width!(self.plan.width, W => self.table_of(hash).contains::<W>(hash, self.when(now)))
    }

    fn expect_ages() -> Result<(), Error> {
        Ok(())
    }

    fn age(&self, key: KeyHash, now: Tick) -> Option<Age> {
        let hash = key.mixed();
        by_width!(self.plan.width, W => self.table_of(hash).age::<W>(hash, self.when(now)))
    }

    fn remove(&mut self, key: KeyHash, now: Tick) -> Result<bool, Error> {
        let (hash, when) = (key.mixed(), self.when(now));
        let i = self.index(hash);
        let was_known = by_width!(self.plan.width, W => self.tables[i].remove::<W>(hash, when));
        self.removed += u64::from(was_known);
        Ok(was_known)
    }

    #[inline]
    fn prefetch(&self, key: KeyHash) {
        let hash = key.mixed();
        match &self.tables[..] {
            [table] => table.prefetch::<true>(hash),
            tables => tables.get(section_of(hash)).iter().for_each(|table| table.prefetch::<false>(hash)),
        }
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
            return Ok(self.observe_here(key, now).verdict);
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
            Err(_) => {
                self.tables.iter_mut().for_each(Table::empty);
                (self.time, self.seen, self.removed) = (Time::default(), Seen::default(), 0);
            }
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
