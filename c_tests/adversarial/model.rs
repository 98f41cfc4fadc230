//! The exact oracle of every kind: which keys must be found, which cannot be, and what must have been counted.

use std::collections::HashMap;

use super::abi::{CLOCK, ELAPSED, NOW, OK, RawLoad, RawOptions, RawStats, TICK, Verb};

/// What the promises say of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Must {
    Find,
    Miss,
    Either,
}

/// What a filter was told, in full.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) options: RawOptions,
    pub(crate) clock: u64,
    started: bool,
    /// When, or as which insertion, a key was last stored; or how many entries it has.
    pub(crate) stored: HashMap<u16, u64>,
    last: Option<u64>,
    /// Insertions, or of a window table of calls all that observe or insert.
    inserted: u64,
    new_count: u64,
    duplicate_count: u64,
    late: u64,
    refused: u64,
    /// How much longer than promised the keys of a window are asked for: 0, and 1 in the canary.
    excess: u64,
}

impl Model {
    pub(crate) fn new(options: RawOptions, excess: u64) -> Self {
        let (stored, last) = (HashMap::new(), None);
        let (clock, started, inserted) = (0, false, 0);
        let (new_count, duplicate_count, late, refused) = (0, 0, 0, 0);
        Self { options, clock, started, stored, last, inserted, new_count, duplicate_count, late, refused, excess }
    }

    pub(crate) fn is_timed(&self) -> bool {
        self.options.window_ns != 0
    }

    pub(crate) fn is_window_table(&self) -> bool {
        self.options.kind == 5
    }

    /// Whether the window moves on with a repeat that is not stored.
    pub(crate) fn moves_on(&self) -> bool {
        self.is_window_table() && self.counts() && !self.refreshes()
    }

    /// Whether the window is of insertions or calls.
    fn counts(&self) -> bool {
        self.options.kind == 2 || (self.is_window_table() && !self.is_timed())
    }

    /// Whether ticks are taken, and two handles can be told the same time.
    pub(crate) fn is_manual(&self) -> bool {
        self.options.clock == 2
    }

    pub(crate) fn is_removable(&self) -> bool {
        self.options.removable == 1
    }

    pub(crate) fn is_keyed(&self) -> bool {
        self.options.keyed == 1
    }

    /// The status of a tick that a caller tells.
    pub(crate) fn tick_status(&self, now: u64) -> i32 {
        let limit = self.options.max_step_ns;
        match self.is_manual() {
            false => CLOCK,
            true if self.started && limit > 0 && now.saturating_sub(self.clock) > limit => TICK,
            true => OK,
        }
    }

    /// The status of a call at a tick, or now: a manual clock has no now before its first tick.
    pub(crate) fn status_at(&self, at: Option<u64>) -> i32 {
        match at {
            Some(at) => self.tick_status(at),
            None if self.is_manual() && !self.started => CLOCK,
            None => OK,
        }
    }

    /// A tick was told, and came to `status`; the moment at which the call happens.
    pub(crate) fn told(&mut self, now: u64, status: i32) {
        match status {
            OK => self.pass(now),
            TICK => self.refused += 1,
            _ => {}
        }
    }

    fn pass(&mut self, now: u64) {
        self.late += u64::from(now < self.clock);
        self.advanced(now);
    }

    pub(crate) fn advanced(&mut self, now: u64) {
        self.started = true;
        self.clock = self.clock.max(now);
    }

    /// What is promised of a key at a tick, by what `stats` said before.
    pub(crate) fn must(&self, key: u16, at: Option<u64>, stats: &RawStats) -> Must {
        let now = at.map_or(self.clock, |at| at.max(self.clock));
        match self.options.kind {
            _ if self.is_timed() && self.is_manual() => self.must_in_time(key, now, stats),
            1 | 3 if self.stored.contains_key(&key) => Must::Find,
            _ if self.counts() && self.is_recent(key) => Must::Find,
            _ if self.last.is_none() || (self.is_removable() && self.stored.is_empty()) => Must::Miss,
            _ => Must::Either,
        }
    }

    /// An age of exactly T is inside; a filter into which nothing came for longer is empty.
    fn must_in_time(&self, key: u16, now: u64, stats: &RawStats) -> Must {
        let window = self.options.window_ns;
        let reach = |since| stats.reach_ns == window || self.clock - since < stats.reach_ns;
        let edge = window.saturating_add(self.excess);
        match (self.stored.get(&key), self.last) {
            (Some(&since), _) if now - since <= edge && reach(since) => Must::Find,
            (_, None) => Must::Miss,
            (_, Some(last)) if now - last > self.empty_after() => Must::Miss,
            _ => Must::Either,
        }
    }

    /// The longest that anything is found after the last key came. A window table is late by less than a window.
    fn empty_after(&self) -> u64 {
        if self.is_window_table() { self.options.window_ns.saturating_mul(2) } else { self.options.window_ns }
    }

    fn is_recent(&self, key: u16) -> bool {
        let reach = self.options.window_keys + self.excess;
        self.stored.get(&key).is_some_and(|then| self.inserted - then < reach)
    }

    /// The last tick at which the key must be found, if that is to come.
    pub(crate) fn edge(&self, key: u16) -> Option<u64> {
        let since = self.stored.get(&key).filter(|_| self.is_manual())?;
        since
            .checked_add(self.options.window_ns)?
            .checked_add(self.excess)
            .filter(|edge| *edge >= self.clock && *edge < NOW)
    }

    /// Whether the next insertion takes the key out of the window.
    pub(crate) fn is_last_of_window(&self, key: u16) -> bool {
        let last = |then| self.counts() && self.inserted - then + 1 == self.options.window_keys + self.excess;
        self.stored.get(&key).is_some_and(|&then| last(then))
    }

    /// Whether it stores whatever the verdict.
    fn refreshes(&self) -> bool {
        match self.options.kind {
            1 | 2 | 5 => self.options.repeat != 2,
            // What a quotient filter keeps is nobody's promise but that of its laws.
            _ => false,
        }
    }

    /// An observation was answered.
    pub(crate) fn observed(&mut self, key: u16, verdict: u8) {
        let is_new = verdict == 0;
        self.new_count += u64::from(is_new);
        self.duplicate_count += u64::from(!is_new);
        if is_new || self.refreshes() {
            self.inserted(key);
        } else if self.is_window_table() {
            self.inserted += 1;
        }
    }

    /// A key was stored at the clock.
    pub(crate) fn inserted(&mut self, key: u16) {
        self.inserted += 1;
        self.last = Some(self.clock);
        let value = match () {
            () if self.is_timed() => self.clock,
            () if self.counts() => self.inserted,
            () => self.stored.get(&key).copied().unwrap_or(0) + 1,
        };
        self.stored.insert(key, value);
    }

    pub(crate) fn removed(&mut self, key: u16) {
        match self.stored.remove(&key) {
            Some(entries) if entries > 1 => {
                self.stored.insert(key, entries - 1);
            }
            _ => {}
        }
    }

    pub(crate) fn cleared(&mut self) {
        *self = Self::new(self.options, self.excess);
    }

    pub(crate) fn reset(&mut self) {
        (self.new_count, self.duplicate_count, self.late, self.refused) = (0, 0, 0, 0);
    }

    /// What loading a snapshot needs beside its bytes.
    pub(crate) fn load_options(&self) -> RawLoad {
        RawLoad { secret_lo: self.options.secret_lo, secret_hi: self.options.secret_hi, ..RawLoad::init() }
    }

    /// Whether there is a tick so late.
    pub(crate) fn load_status(&self, passed: i64) -> i32 {
        let fits = self.clock.checked_add_signed(passed).is_some();
        if fits || !self.is_timed() { OK } else { ELAPSED }
    }

    /// So much time passed on disk.
    pub(crate) fn restored(&mut self, passed: i64) {
        if self.is_manual() {
            self.clock = self.clock.saturating_add_signed(passed);
        }
    }

    /// The keys that were ever stored and not removed, in order.
    pub(crate) fn keys(&self) -> Vec<u16> {
        let mut keys: Vec<u16> = self.stored.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// The moment at which the key was stored.
    pub(crate) fn since(&self, key: u16) -> u64 {
        self.stored.get(&key).copied().unwrap_or(self.clock)
    }

    /// Counts, clock and limits, as far as they are certain.
    pub(crate) fn check(&self, stats: &RawStats) {
        let (have, want) = (
            (stats.new_count, stats.duplicate_count, stats.late_ticks, stats.refused_ticks),
            (self.new_count, self.duplicate_count, self.late, self.refused),
        );
        assert_eq!(have, want, "new_count, duplicate_count, late ticks, refused ticks");
        assert!(stats.bytes <= stats.bytes_peak, "{stats:?}");
        assert!(
            self.options.memory == 0 || stats.bytes_peak <= self.options.memory,
            "above the memory limit: {stats:?}"
        );
        if self.is_timed() {
            self.check_time(stats);
        }
        if self.is_removable() {
            assert_eq!(stats.items, self.stored.values().sum::<u64>(), "entries");
        }
        let rates = [stats.error_rate, stats.miss_rate];
        assert!(rates.iter().all(|rate| (0.0..=1.0).contains(rate)), "rates of {stats:?}");
    }

    fn check_time(&self, stats: &RawStats) {
        assert!(stats.reach_ns <= self.options.window_ns, "{stats:?}");
        assert!(!self.is_manual() || stats.clock == self.clock, "the clock is {}, not {}", stats.clock, self.clock);
        if self.options.memory == 0 || self.options.on_limit == 2 {
            assert_eq!((stats.reach_ns, stats.forgotten), (self.options.window_ns, 0), "the window is whole");
        }
    }
}

/// Whether a verb stores.
pub(crate) fn stores(verb: Verb) -> bool {
    verb != Verb::Contains
}
