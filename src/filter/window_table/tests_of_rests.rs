//! Sections that rest while others get keys, and sections of tables that have no memory to spare: nothing is missed, and what is saved
//! is loaded.

use super::directory::LINE_BYTES;
use super::exact::T;
use super::key::{SECTIONS, section_of};
use super::plan::Plan;
use super::snapshot::HEAD;
use super::tests_of_sections::{Locks, key_of, loaded, saved};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::num;
use crate::tick::Tick;

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

/// With a window of one key each observation takes 56 parts: keys would go to the stash until lines are swept.
#[test]
fn window_of_one_key_that_is_divided_needs_no_stash() {
    let lines = Plan::of_keys(1, 1e-6, 3, 1 << 40).unwrap().first.lines();
    let plan = Plan::of_keys(1, 1e-6, 3, lines * LINE_BYTES).unwrap();
    for key in 0..100 {
        let mut locks = Locks::divided_after(plan, 3);
        locks.observe(KeyHash(num::mix(1000 + key)), 0);
        assert!(locks.contains(KeyHash(num::mix(1000 + key)), 0), "{key}");
    }
}
