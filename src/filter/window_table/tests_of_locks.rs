//! Eight locks that own a section each, as one thread goes by them: sections pass from part to part together, each observation counts
//! once, and what was saved of them is loaded.

use super::WindowTable;
use super::directory::LINE_BYTES;
use super::exact::T;
use super::key::{SECTIONS, section_of};
use super::plan::Plan;
use super::position::PARTS;
use super::shared::{Delta, LockFree};
use super::snapshot::HEAD;
use super::tests_of_sections::{N, loaded, saved};
use crate::filter::contract::Contract;
use crate::filter::striped::Striped;
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;

/// Eight locks that one thread goes by.
struct Locks {
    filter: WindowTable,
    open: LockFree,
    parts: Vec<Delta>,
}

impl Locks {
    fn new(plan: Plan) -> Self {
        Self::of(WindowTable::empty(plan).unwrap())
    }

    fn of(filter: WindowTable) -> Self {
        let parts = (0..SECTIONS).map(|_| filter.part().unwrap()).collect();
        let mut locks = Self { filter, open: LockFree::default(), parts };
        locks.filter.scatter(&mut locks.open, locks.parts.iter_mut());
        locks
    }

    fn under_all<R>(&mut self, call: impl FnOnce(&mut WindowTable) -> R) -> R {
        let Self { filter, open, parts } = self;
        filter.gather(open, parts.iter_mut());
        let result = call(filter);
        filter.scatter(open, parts.iter_mut());
        result
    }

    fn observe(&mut self, key: KeyHash, now: u64) -> Verdict {
        let lock = self.filter.route().stripe(key, self.filter.route_bits().into());
        let verdict = self.filter.observe_concurrent(&self.open, &mut self.parts[lock], key, Tick(now));
        verdict.unwrap_or_else(|| self.under_all(|filter| filter.observe(key, Tick(now)))).unwrap()
    }

    fn contains(&mut self, key: KeyHash, now: u64) -> bool {
        let lock = self.filter.route().stripe(key, self.filter.route_bits().into());
        let verdict = self.filter.contains_concurrent(&self.open, &self.parts[lock], key, Tick(now));
        verdict.unwrap_or_else(|| self.under_all(|filter| filter.contains(key, Tick(now)))).is_duplicate()
    }
}

/// The i-th key of a section.
fn key_of(section: usize, i: usize) -> KeyHash {
    let keys = (0..).map(|key: u64| KeyHash(num::mix(key)));
    keys.filter(|key| section_of(key.mixed()) == section).nth(i).unwrap()
}

/// A tick that is late is that of the clock, whichever lock has seen the clock: the key is there for a window from then on.
#[test]
fn a_late_tick_counts_from_the_part_that_any_lock_has_seen() {
    let mut locks = Locks::new(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    let clock = 20 * T;
    for section in 0..SECTIONS {
        locks.observe(key_of(section, 0), 10 * T);
    }
    locks.observe(key_of(3, 1), clock);
    for section in 0..SECTIONS {
        locks.observe(key_of(section, 2), 19 * T);
    }
    for section in 0..SECTIONS {
        assert!(locks.contains(key_of(section, 2), clock + T / 56 * 55), "section {section}");
        assert!(!locks.contains(key_of(section, 0), clock), "section {section}");
    }
}

/// The first key of each section comes a little later than that of the section before.
#[test]
fn all_sections_begin_together_and_pass_together() {
    let plan = Plan::of_time(T, 1e-3, 3, 0, 0).unwrap();
    let mut locks = Locks::new(plan);
    for section in 0..SECTIONS {
        locks.observe(key_of(section, 0), T + num::wide(section) * (T / 1000));
    }
    for step in 0..100u64 {
        let now = 2 * T + step * (T / 100);
        locks.observe(key_of(num::index(step) % SECTIONS, 5), now);
        let bytes = locks.under_all(|filter| {
            filter.advance(Tick(now));
            assert!(filter.tables.iter().all(|table| table.stands_with(&filter.tables[0])), "at {now}");
            saved(filter)
        });
        assert!(loaded(&bytes, Tick(now)).is_ok(), "at {now}");
    }
}

/// A section that rests longer than cells live counts fewer parts, by whole generations. No other difference is believed.
#[test]
fn sections_that_rested_are_loaded_and_those_of_other_parts_are_not() {
    let mut locks = Locks::new(Plan::of_time(T, 1e-3, 3, 0, 0).unwrap());
    (0..SECTIONS).for_each(|section| assert!(locks.observe(key_of(section, 0), T).is_new()));
    let now = 50 * T;
    for third in 4..=150 {
        locks.observe(key_of(3, 0), third * (T / 3));
    }
    locks.observe(key_of(3, 0), now);
    let mut bytes = locks.under_all(|filter| saved(filter));
    let place = |section: u64| num::index(HEAD + section * (44 + 1) * 8 + 8);
    assert!(bytes[place(0)..place(0) + 8] != bytes[place(3)..place(3) + 8], "one of them rested");
    assert!(loaded(&bytes, Tick(now)).is_ok());
    bytes[place(5)] ^= 1;
    assert!(loaded(&bytes, Tick(now)).is_err());
}

/// So that no cache line is written by all threads: a section changes what all share with its first tick of a part alone.
#[test]
fn ticks_within_a_part_change_nothing_that_all_locks_share() {
    let mut locks = Locks::new(Plan::of_time(T, 1e-6, 3, 0, 0).unwrap());
    locks.observe(key_of(0, 0), T);
    let (keys, parts) = (2 * N, 56);
    let shown = |locks: &Locks| format!("{:?}", locks.open);
    let (mut before, mut changes) = (shown(&locks), 0);
    for i in 0..keys {
        locks.observe(KeyHash(num::mix(i)), T + i * (T / keys));
        let after = shown(&locks);
        changes += u64::from(after != before);
        before = after;
    }
    assert!((parts..=(parts + 1) * PARTS).contains(&changes), "{changes} changes in {parts} parts");
}

/// Room that locks drew and did not use is given back when all of them are held: the count is that of one thread.
#[test]
fn a_divided_window_of_keys_counts_each_observation_once() {
    // Locks draw several at a time.
    const KEYS: u64 = 150_000;
    let mut locks = Locks::new(Plan::of_keys(KEYS, 1e-6, 3, 0).unwrap());
    for i in 0..5 * KEYS / 2 {
        locks.observe(KeyHash(num::mix(i)), 0);
        if i % 97 == 0 {
            assert_eq!(locks.under_all(|filter| filter.time.count), i + 1);
        }
        if let Some(last) = (i + 1).checked_sub(KEYS) {
            assert!(locks.contains(KeyHash(num::mix(last)), 0), "key {last} of the last {KEYS}");
        }
    }
    let late = 3 * KEYS / 2 - KEYS.div_ceil(7) - 2;
    let dead = (0..late).filter(|i| locks.contains(KeyHash(num::mix(*i)), 0)).count();
    assert!(dead <= 3, "{dead} of {late} keys are found too late");
}

/// One key alone comes for three windows, so the sections that rest begin again, and wipe their lines while keys go to the stash, for
/// which memory has no room.
#[test]
fn section_of_keys_that_wipes_its_lines_misses_no_key_where_memory_is_used_up() {
    const KEYS: u64 = 200_000;
    let lines = Plan::of_keys(KEYS, 1e-6, 3, 1 << 40).unwrap().first.lines();
    let mut locks = Locks::new(Plan::of_keys(KEYS, 1e-6, 3, lines * LINE_BYTES).unwrap());
    let only = key_of(0, 0);
    for _ in 0..3 * KEYS {
        locks.observe(only, 0);
    }
    let keys =
        |section: usize| (0..).map(|i| KeyHash(num::mix(i))).filter(move |key| section_of(key.mixed()) == section);
    for section in 1..SECTIONS {
        for key in keys(section).take(1000) {
            assert_eq!(locks.observe(key, 0), Verdict::New, "section {section}");
        }
        let missed = keys(section).take(1000).filter(|key| !locks.contains(*key, 0)).count();
        assert_eq!(missed, 0, "keys of section {section}");
    }
}

/// With memory for the stash the lines of a section that rested are wiped with the next keys, some with each.
#[test]
fn call_that_wipes_lines_of_a_section_touches_64_at_most() {
    const KEYS: u64 = 200_000;
    let mut locks = Locks::new(Plan::of_keys(KEYS, 1e-6, 3, 0).unwrap());
    let only = key_of(0, 0);
    for _ in 0..3 * KEYS {
        locks.observe(only, 0);
    }
    let mut most = 0;
    for key in (0..).map(|i| KeyHash(num::mix(i))).filter(|key| section_of(key.mixed()) == 1).take(1000) {
        locks.observe(key, 0);
        most = most.max(locks.under_all(|filter| filter.tables[1].state.touched));
    }
    assert!((40..=64).contains(&most), "{most} lines at most");
}

/// With a window of one key each observation takes more parts than a sweep has, and keys would go to the stash until lines are swept.
#[test]
fn window_of_one_key_that_is_divided_needs_no_stash() {
    let lines = Plan::of_keys(1, 1e-6, 3, 1 << 40).unwrap().first.lines();
    let plan = Plan::of_keys(1, 1e-6, 3, lines * LINE_BYTES).unwrap();
    for key in 0..100 {
        let mut alone = WindowTable::empty(plan).unwrap();
        for before in 0..3 {
            alone.observe(KeyHash(num::mix(before)), Tick(0)).unwrap();
        }
        let mut locks = Locks::of(alone);
        locks.observe(KeyHash(num::mix(1000 + key)), 0);
        assert!(locks.contains(KeyHash(num::mix(1000 + key)), 0), "{key}");
    }
}

/// The phases of a window of keys need not have equally many lines, and memory may be just what all of them take.
#[test]
fn sections_of_keys_in_memory_for_just_their_lines_are_loaded_again() {
    for keys in [59, 238, 505, 4096, 10_000] {
        let lines = Plan::of_keys(keys, 1e-6, 3, 1 << 40).unwrap().first.lines();
        let mut locks = Locks::new(Plan::of_keys(keys, 1e-6, 3, lines * LINE_BYTES).unwrap());
        (0..keys).for_each(|key| assert_eq!(locks.observe(KeyHash(num::mix(key)), 0), Verdict::New));
        let bytes = locks.under_all(|filter| saved(filter));
        let other = loaded(&bytes, Tick(0)).expect("what was saved is loaded");
        assert!(saved(&other) == bytes, "{keys} keys");
    }
}
