//! Repeats of one key, windows of a few ticks, and the verbs over the trait. All else of the verbs is in `contract.rs`, in
//! `tests/clocks.rs` and in the scripts of `c_tests/adversarial.rs`.

use crate::common;

use std::time::Duration;

use common::{SECOND, build, finds, insert, manual, observe};
use lately::Verdict::Duplicate;
use lately::{Code, KeyHash, Observe, SharedFilter, Tick, Verdict};

const WINDOW: u64 = 60 * SECOND;

/// A million repeats of one key: no memory, no shift beyond those of time, nobody ages, and its own age is new.
#[test]
fn a_storm_of_one_key_costs_nothing() {
    let quiet = {
        let mut filter = build(&manual(WINDOW));
        (0..1000).for_each(|key| insert(&mut filter, key, key));
        filter
    };
    let mut filter = quiet.clone();
    for i in 0..1_000_000 {
        assert_eq!(observe(&mut filter, 7, 1000 + i / 1000), Duplicate);
    }
    let (before, after) = (quiet.stats(), filter.stats());
    assert_eq!((after.bytes_peak, after.shifts, after.slices), (before.bytes_peak, before.shifts, before.slices));
    assert!(after.items <= before.items + 1, "{} items after {}", after.items, before.items);
    assert!((0..1000).all(|key| finds(&filter, key, key + WINDOW)));
    assert!(finds(&filter, 7, 1999 + WINDOW));
}

/// A window shorter than l ticks: each tick is a generation, and the window holds.
#[test]
fn windows_shorter_than_l_ticks() {
    for window in 1..30 {
        let mut filter = build(&manual(window).k(3).l(20).fill(0.3));
        for tick in 0..500 {
            insert(&mut filter, tick, tick);
            assert!(
                (tick.saturating_sub(window)..=tick).all(|key| finds(&filter, key, tick)),
                "window {window}, {tick}"
            );
        }
        let old = (0..400).filter(|&key| finds(&filter, key, 499)).count();
        assert!(old < 40, "window {window}: {old} of 400 keys from long ago");
    }
}

/// Code over the trait says of either handle what the handle itself says.
#[test]
fn the_trait_is_the_handle() {
    fn lived(seen: &mut impl Observe) -> Vec<Verdict> {
        let mut said = Vec::new();
        for i in 0..500_u64 {
            let (key, now) = ((i * i % 97).to_le_bytes(), Tick(SECOND + i));
            said.push(seen.contains_at(&key, now).expect("a tick"));
            said.push(seen.observe_at(&key, now).expect("a tick"));
            said.push(seen.observe(&key).expect("room"));
        }
        seen.insert(b"a").expect("room");
        seen.insert_at(b"b", Tick(2 * SECOND)).expect("room");
        let hash = KeyHash(lately::hash64(b"c", 0));
        said.extend([
            seen.contains(b"a"),
            seen.contains(b"b"),
            seen.observe_hash(hash).expect("no key"),
            seen.contains(b"c"),
        ]);
        assert_eq!(seen.remove(b"a").expect_err("no removal").code(), Code::Unsupported);
        assert_eq!(seen.stats().reach(), Duration::from_nanos(seen.stats().reach_ns));
        seen.advance(Tick(100 * WINDOW)).expect("a manual clock");
        said.push(seen.contains(b"b"));
        seen.clear();
        assert_eq!(seen.stats().new_count, 0);
        said
    }
    let options = manual(WINDOW).max_step(Duration::from_secs(3600));
    let want = lived(&mut build(&options));
    let shared = || SharedFilter::new(&options).expect("sound");
    assert_eq!(lived(&mut shared()), want);
    assert_eq!(lived(&mut &shared()), want);
}
