//! The time-limited Bloom filter: which keys came within the last T, at any rate of arrival.
//!
//! **Law.** A key inserted at `t` is found at every moment up to and including `t + T`. An absent key is called
//! present with probability at most the planned rate while keys arrive steadily, from the first one on (`start`); while
//! the rate climbs it can pass it, and `stats` gives the chance now, from the real fills. A key older than T is found with certainty at most
//! one generation longer, and `j` generations later with probability about fill^j.
//!
//! **Layout.** A queue of slices, the newest first. An insertion sets one bit in each of the first k; each of their
//! hash functions belongs to the slice for life. A generation later a new slice enters in front:
//!
//! ```text
//!  place        0    1   ...  k-1 |  k   ...              n-1
//!               [ ]  [.]      [:] | [::]       [::]       [::]  <- retired once its last insertion is older than T
//!               still filling     | full, never written again
//!  function     c   c-1   ...     | numbers of creation, mod k
//!  found        if some k neighbouring slices, none of them out of date, all have the key's bit
//! ```
//! A generation ends when the next key would overfill a slice, or after T / l: at a steady rate that makes k + l
//! slices. When the rate changes, more (or fewer) generations fall into T while the size of new slices follows.
//!
//! **Price.** k (k + l) / (l ln(1 / (1 - fill))) bits per key and a margin for uneven arrivals; an insertion writes
//! k cache lines.
//!
//! **Paper.** Rodrigues, Shtul, Baquero, Almeida: Time-limited Bloom Filter (2023), sections 5, 6, Algorithm 1.
//! Where we differ: a generation also ends by time; a pause makes at most k shifts; one stamp serves all slices that still
//! fill; their size follows the exact plan (`runs`) and what the window held (`pace`); a storm of one key costs nothing.

mod find;
mod memory;
mod pace;
pub(crate) mod plan;
mod report;
mod shared;
mod slice;
mod snapshot;
mod start;
#[cfg(test)]
mod tests;

use crate::bits::Bits;
use crate::error::Error;
use crate::filter::contract::Contract;
use crate::filter::seen::Seen;
use crate::filter::values::{PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::num;
use crate::options::{OnLimit, Options, Repeat};
use crate::tick::Tick;

use pace::{Generation, Traffic, look_ahead};
use plan::Plan;
use slice::{Mix, Mixed, Slice};

/// The most functions that a plan has.
const MOST_FUNCTIONS: usize = 1023;

/// See the module.
#[derive(Debug)]
pub(crate) struct TimeLimited {
    plan: Plan,
    /// The newest first; at least k.
    slices: Vec<Slice>,
    time: Time,
    /// Keys that the present generation may still take.
    room: u64,
    /// Words of all slices.
    words: u64,
    counts: Counts,
}

/// The moments that the filter remembers. None of them runs back.
#[derive(Debug, Clone, Copy, Default)]
struct Time {
    /// The clock: the latest tick that a caller gave.
    clock: Tick,
    /// Whether the caller has ever given a tick.
    started: bool,
    /// The last insertion: the stamp of every slice that still fills.
    stamp: Option<Tick>,
    /// When the present generation began.
    generation: Tick,
    /// The stamp of the youngest slice that `memory` made the filter forget.
    forgot: Option<Tick>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Slices made: the next one's number.
    made: u64,
    words_peak: u64,
    shifts: u64,
    forgotten: u64,
    deferred: u64,
    seen: Seen,
}

impl TimeLimited {
    fn empty(plan: Plan) -> Result<Self, Error> {
        let mut slices = Vec::new();
        let most = plan.k + num::index(plan.l) + 1;
        slices.try_reserve_exact(most).map_err(|_| Error::no_memory_for::<Slice>(most))?;
        let (time, counts) = (Time::default(), Counts::default());
        let mut filter = Self { plan, slices, time, room: 0, words: 0, counts };
        filter.begin()?;
        Ok(filter)
    }

    /// Puts k empty slices in place, with room for the first generations of a stream that is not known yet.
    fn begin(&mut self) -> Result<(), Error> {
        let target = self.plan.first_target;
        for generations in 1..=self.plan.k {
            let keys = target.saturating_mul(num::wide(generations));
            let bits = Bits::zeroed(self.plan.slice_words(keys, target.saturating_mul(self.plan.l), 1.0))?;
            self.push(bits, keys, 1.0);
        }
        self.room = self.room_now();
        Ok(())
    }

    /// Inserts at the clock.
    fn store(&mut self, key: &impl Mix) {
        self.catch_up();
        if self.room == 0 && !self.is_stored(key) {
            self.shift(self.time.clock, 0);
        }
        let mut changed = false;
        for slice in self.slices.iter_mut().take(self.plan.k) {
            changed |= slice.set(key);
        }
        self.time.stamp = Some(self.time.clock);
        // A key whose bits were all set is stamped and not counted: a storm of one key costs no memory.
        if changed {
            self.slices[0].generation += 1;
            self.room = self.room.saturating_sub(1);
        }
    }

    /// Whether the slices that still fill have all bits of the key already.
    fn is_stored(&self, key: &impl Mix) -> bool {
        self.slices.iter().take(self.plan.k).all(|slice| slice.hit(key))
    }

    /// Ends generations that have lasted T / l, at the clock.
    fn catch_up(&mut self) {
        if self.time.stamp.is_none() {
            self.time.generation = self.time.clock;
            self.slices.iter_mut().for_each(|slice| slice.began = self.time.clock);
        }
        let lasted = self.time.clock.since(self.time.generation);
        if lasted >= self.plan.generation_ns {
            let passed = lasted / self.plan.generation_ns;
            self.shift(self.time.generation.plus(passed * self.plan.generation_ns), passed);
        }
    }

    /// Begins a generation at `start`, `passed` generations of time after the last one (0 if that one was full).
    ///
    /// After a pause one new slice for each generation that passed, k at most: then no key of before shares its
    /// slices' stamps with keys of now for longer than its own generation lasted.
    fn shift(&mut self, start: Tick, passed: u64) {
        let traffic = self.traffic(start);
        let target = traffic.target(self.plan.window, num::wide(self.plan.k), self.plan.l);
        let full = traffic.wanted(self.plan.window, self.plan.l);
        self.time.generation = start;
        self.counts.shifts += 1;
        for behind in (0..num::index(passed.clamp(1, num::wide(self.plan.k)))).rev() {
            self.retire();
            let generations = self.plan.k - behind;
            let mut left = [0; MOST_FUNCTIONS];
            left.iter_mut().zip(self.left()).for_each(|(to, left)| *to = left);
            let keys = look_ahead(target.keys, &left[..self.plan.k], generations);
            let share = num::real(keys) / (num::real(full.max(1)) * num::real(num::wide(generations)));
            let room = target.room.max(self.room_at_start(share, full));
            let words = self.plan.slice_words(keys, target.keys.saturating_mul(self.plan.l), room);
            let Some(bits) = self.obtain(words) else {
                self.counts.deferred += 1;
                self.room = target.keys;
                return;
            };
            self.push(bits, keys, room);
        }
        self.retire();
        self.room = self.room_now();
    }

    /// Puts a slice for `keys` keys in front, which has `room` times the bits that they need. The slice at place k - 1
    /// leaves the ones that fill: its stamp is final.
    fn push(&mut self, bits: Bits, keys: u64, room: f64) {
        let k = self.plan.k;
        if let (Some(leaving), Some(stamp)) = (self.slices.get_mut(k - 1), self.time.stamp) {
            leaving.stamp = stamp;
        }
        self.words += bits.words();
        self.counts.words_peak = self.counts.words_peak.max(self.words);
        let fits = num::floor(num::real(self.plan.slice_capacity(bits.len())) / room);
        let capacity = match self.plan.on_limit {
            OnLimit::ForgetOldest => fits,
            OnLimit::RaiseErrorRate => fits.max(keys),
        };
        self.slices.insert(0, Slice::new(bits, self.counts.made % num::wide(k), capacity, self.time.generation));
        self.counts.made += 1;
    }

    /// Keys that each of the slices that still fill may yet take, the newest first.
    fn left(&self) -> impl Iterator<Item = u64> {
        let mut used = 0;
        self.slices.iter().take(self.plan.k).map(move |slice| {
            used += slice.generation;
            slice.capacity.saturating_sub(used)
        })
    }

    /// Equations 4 and 5: the keys that the slices that fill may yet take, spread over the generations until each stops.
    fn room_now(&self) -> u64 {
        let spread = self.left().enumerate().map(|(place, left)| left / num::wide(self.plan.k - place));
        spread.min().unwrap_or(0).max(1)
    }

    /// The counts of the generations within the last T, the present one ending at `end`.
    fn traffic(&self, end: Tick) -> Traffic {
        let at = |i: usize| Generation { began: self.slices[i].began, keys: self.slices[i].counted() };
        Traffic::new(self.slices.len(), at, end, self.plan.window, self.plan.generation_ns)
    }

    /// Whether `now` is too far ahead of `clock`.
    fn check_lead(&self, clock: Tick, now: Tick) -> Result<(), Error> {
        if self.time.started { now.check_lead(clock, self.plan.max_step) } else { Ok(()) }
    }
}

impl TimeLimited {
    /// [`Contract::observe_near`], by the functions of the key.
    #[inline]
    fn observe_by(&mut self, key: &impl Mix, now: Tick) -> Verdict {
        self.time.clock = self.time.clock.max(now);
        let verdict = Verdict::of(self.finds(key, self.time.clock, self.time.stamp));
        self.counts.seen.count(verdict);
        if verdict == Verdict::New || self.plan.repeat == Repeat::Refresh {
            self.store(key);
        }
        verdict
    }

    /// Asks for the lines with which a query begins, except those that an insertion writes; which others it reads
    /// depends on what it finds.
    #[inline]
    fn fetch_full(&self, key: &impl Mix) {
        let mut place = self.slices.len();
        while place >= 2 * self.plan.k {
            place -= self.plan.k;
            self.slices[place].prefetch(key);
        }
    }

    /// The slices that still fill.
    #[inline]
    fn filling(&self) -> &[Slice] {
        &self.slices[..self.plan.k]
    }

    /// The functions of a key, whose lines are asked for unless the second cache of a processor has them.
    #[inline]
    fn mixed(&self, key: KeyHash) -> Mixed {
        const CACHED: u64 = (512 << 10) / 8;
        if self.words <= CACHED {
            return Mixed::new(key, self.filling(), |_, _| ());
        }
        let mixed = Mixed::new(key, self.filling(), |slice, mix| slice.prefetch(mix));
        self.fetch_full(&mixed);
        mixed
    }

    /// Whether the functions of a key are few enough to be made all at once.
    #[inline]
    const fn is_narrow(&self) -> bool {
        self.plan.k <= Mixed::MOST
    }
}

impl Contract for TimeLimited {
    const KIND: Kind = Kind::TimeLimited;

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
        if self.is_narrow() {
            return Ok(self.observe_by(&self.mixed(key), now));
        }
        self.prefetch(key);
        Ok(self.observe_by(&key, now))
    }

    fn insert(&mut self, key: KeyHash, now: Tick) -> Result<(), Error> {
        self.time.clock = self.time.clock.max(now);
        self.store(&key);
        Ok(())
    }

    fn contains(&self, key: KeyHash, now: Tick) -> Verdict {
        Verdict::of(self.finds(&key, self.time.clock.max(now), self.time.stamp))
    }

    fn prefetch(&self, key: KeyHash) {
        if self.is_narrow() {
            self.mixed(key);
        } else {
            self.filling().iter().for_each(|slice| slice.prefetch(&key));
            self.fetch_full(&key);
        }
    }

    fn prefetch_look(&self, key: KeyHash) {
        self.fetch_full(&key);
    }

    /// A call asks for all k lines that it writes at once: only far away a batch gains more.
    const NEAR: u64 = 8 << 20;

    fn cell_bytes(&self) -> u64 {
        self.words * 8
    }

    fn check_step(&self, now: Tick) -> Result<(), Error> {
        self.check_lead(self.time.clock, now)
    }

    fn admit(&mut self, now: Tick) -> Result<(), Error> {
        if let Err(error) = self.check_step(now) {
            self.counts.seen.count_refused(now);
            return Err(error);
        }
        self.counts.seen.count_late(self.time.clock.since(now), 0);
        self.time.started = true;
        self.time.clock = self.time.clock.max(now);
        Ok(())
    }

    fn advance(&mut self, now: Tick) {
        self.time.started = true;
        self.time.clock = self.time.clock.max(now);
        self.catch_up();
        self.retire();
    }

    fn clear(&mut self) {
        // Keeps the arrays of k slices, or none if there is memory for a fresh start, so that the filter does not stay as
        // large as on its busiest day.
        while self.slices.len() > self.plan.k {
            self.drop_oldest();
        }
        match Self::empty(self.plan) {
            Ok(fresh) if self.words + fresh.words <= self.plan.most_words => *self = fresh,
            _ => self.wipe(),
        }
    }

    fn try_clone(&self) -> Result<Self, Error> {
        let mut slices = Vec::new();
        slices.try_reserve_exact(self.slices.len()).map_err(|_| Error::no_memory_for::<Slice>(self.slices.len()))?;
        for slice in &self.slices {
            slices.push(slice.try_clone()?);
        }
        Ok(Self { plan: self.plan, slices, time: self.time, room: self.room, words: self.words, counts: self.counts })
    }

    fn has_time(&self) -> bool {
        true
    }

    fn window(&self) -> u64 {
        self.plan.window
    }

    fn has_started(&self) -> bool {
        self.time.started
    }

    fn clock(&self) -> Tick {
        self.time.clock
    }

    fn stats(&self, now: Tick) -> Stats {
        self.report(self.time.clock.max(now))
    }

    fn stats_reset(&mut self) {
        self.counts.seen = Seen::default();
    }
}
