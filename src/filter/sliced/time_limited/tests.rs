//! Tests of the parts, with their private state; the promises are tested in `tests/`.

use std::collections::HashMap;

use super::plan::margin;
use super::*;
use crate::filter::sliced::runs::run_chance;
use crate::hash::hash64;
use crate::kind::Kind;
use crate::options::Clock;
use crate::unit::Unit;

const WINDOW: u64 = 1_000_000;

fn manual(window: u64) -> Options {
    Options::new(Kind::TimeLimited).window_ns(window).clock(Clock::Manual(Unit::Nanoseconds))
}

fn build(options: &Options) -> TimeLimited {
    TimeLimited::new(options).unwrap()
}

fn key(i: u64) -> KeyHash {
    KeyHash(hash64(&i.to_le_bytes(), 0))
}

/// Uniform in `0..n`, the same on every run.
fn dice(seed: u64, i: u64, n: u64) -> u64 {
    num::spread(key(seed).derive(i), n)
}

/// A moment of every kind: steps, leaps, bursts, ticks that step back.
fn next_tick(now: u64, window: u64, i: u64) -> u64 {
    match dice(1, i, 1000) {
        0 => now + 3 * window,
        1 => now + dice(2, i, 1000) * window,
        2..10 => now + dice(3, i, window / 2 + 1),
        10..20 => now.saturating_sub(dice(4, i, 2 * window)),
        _ if i / 2000 % 3 == 0 => now,
        _ => now + window / 1000,
    }
}

/// What is true of a filter at every moment.
fn sound(f: &TimeLimited) {
    let k = f.plan.k;
    assert!(f.slices.len() >= k);
    assert_eq!(f.words, f.slices.iter().map(|slice| slice.len() / 64).sum::<u64>());
    assert!(f.words <= f.counts.words_peak && f.counts.words_peak <= f.plan.most_words);
    for (place, slice) in f.slices.iter().enumerate() {
        assert!((slice.fill() - num::real(slice.scan()) / num::real(slice.len())).abs() < 1e-15);
        let neighbour = f.slices.get(place + 1);
        assert!(neighbour.is_none_or(|older| older.began <= slice.began), "generations begin in order");
        assert!(neighbour.is_none_or(|older| (older.function() + 1) % num::wide(k) == slice.function()));
        assert!(place < k || f.stamp(place, f.time.stamp) <= f.stamp(place - 1, f.time.stamp), "stamps fall with age");
        if k >= 4 && f.plan.on_limit == OnLimit::ForgetOldest && slice.capacity >= 4 * num::wide(k) {
            assert!(
                slice.fill() < f.plan.shape.fill + 0.15,
                "a slice is overfull: {} of {}",
                slice.fill(),
                slice.len()
            );
        }
    }
    assert!(f.time.stamp.is_none_or(|stamp| stamp <= f.time.clock) && f.time.generation <= f.time.clock);
}

/// A wild life, compared with an oracle, sound at every step.
fn live(options: &Options, steps: u64) -> TimeLimited {
    let (mut f, mut stored, mut now, mut clock) = (build(options), HashMap::new(), 0, 0);
    for i in 0..steps {
        let fresh = num::wide(stored.len());
        let id = if dice(5, i, 3) == 0 && fresh > 0 {
            dice(6, i, fresh.min(3000)) + fresh.saturating_sub(3000)
        } else {
            fresh
        };
        now = next_tick(now, f.plan.window, i);
        clock = now.max(clock);
        let foretold = f.contains(key(id), Tick(now));
        let verdict = f.observe(key(id), Tick(now)).unwrap();
        assert_eq!(foretold, verdict, "contains foretells observe");
        let must = stored.get(&id).is_some_and(|&since| clock - since <= f.plan.window) && f.time.forgot.is_none();
        assert!(!must || verdict.is_duplicate(), "key {id} is new at {clock}");
        if verdict.is_new() || f.plan.repeat == Repeat::Refresh {
            stored.insert(id, clock);
        }
        if i % 97 == 0 {
            sound(&f);
        }
    }
    f
}

#[test]
fn a_wild_life_is_sound() {
    for (k, l, fill) in [(1, 1, 0.5), (1, 5, 0.2), (2, 1, 0.5), (4, 3, 0.5), (9, 22, 0.353)] {
        let options = manual(WINDOW).k(k).l(l).fill(fill);
        live(&options, 20_000);
        live(&options.clone().repeat(Repeat::KeepFirst), 5000);
        live(&options.clone().capacity(1000), 5000);
        let tight = options.memory(u64::from(k + l) * 16);
        let f = live(&tight, 5000);
        assert!(f.counts.forgotten > 0 && f.counts.deferred == 0);
        let f = live(&tight.on_limit(OnLimit::RaiseErrorRate), 5000);
        assert!(f.counts.forgotten == 0 && f.counts.deferred > 0 && f.time.forgot.is_none());
    }
}

/// k hits in a row, the long way.
fn finds_plainly(f: &TimeLimited, key: KeyHash, now: Tick) -> bool {
    let in_date = |place: usize| f.stamp(place, f.time.stamp).is_some_and(|stamp| now.since(stamp) <= f.plan.window);
    let hit: Vec<bool> = (0..f.slices.len()).map(|place| in_date(place) && f.slices[place].hit(&key)).collect();
    hit.windows(f.plan.k).any(|run| run.iter().all(|&hit| hit))
}

#[test]
fn algorithm_1_finds_every_run_and_no_other() {
    for (k, l) in [(1, 1), (1, 9), (2, 3), (3, 1), (3, 7), (4, 9)] {
        let mut f = build(&manual(WINDOW).k(k).l(l).fill(0.7));
        let (mut found, mut lost) = (0, 0);
        for i in 0..3000 {
            f.insert(key(i), Tick(i * 700)).unwrap();
            for id in [i / 2, i + 1_000_000, i.saturating_sub(1400)] {
                for now in [Tick(0), Tick(i * 700 + WINDOW / 2), Tick(i * 700 + WINDOW)] {
                    let now = now.max(f.time.clock);
                    let want = finds_plainly(&f, key(id), now);
                    assert_eq!(f.finds(&key(id), now, f.time.stamp), want, "k {k}, l {l}");
                    if want { found += 1 } else { lost += 1 }
                }
            }
        }
        assert!(found > 500 && lost > 500, "k {k}, l {l}: {found} found, {lost} not");
    }
}

/// A generation lasts T / l rounded up, from the first insertion; the shift comes with the first tick past it.
#[test]
fn generations_end_by_time() {
    let mut f = build(&manual(100).k(2).l(3).fill(0.5));
    assert_eq!(f.plan.generation_ns, 34);
    f.advance(Tick(1000));
    assert_eq!((f.counts.shifts, f.slices.len()), (0, 2), "nothing was ever inserted");
    f.insert(key(1), Tick(1007)).unwrap();
    assert_eq!((f.time.generation, f.slices[0].began, f.slices[1].began), (Tick(1007), Tick(1007), Tick(1007)));
    f.insert(key(1), Tick(1040)).unwrap();
    let shifts = f.counts.shifts;
    f.advance(Tick(1041));
    assert_eq!((f.counts.shifts, f.slices.len(), f.time.generation), (shifts + 1, 3, Tick(1041)));
    f.advance(Tick(1041 + 33));
    assert_eq!(f.slices.len(), 3);
    f.advance(Tick(1041 + 34));
    assert_eq!((f.slices.len(), f.time.generation), (4, Tick(1075)));
    assert_eq!((f.slices[2].stamp, f.slices[3].stamp), (Tick(1040), Tick(1040)), "both took the last insertion");
    assert!(f.contains(key(1), Tick(1140)).is_duplicate() && f.contains(key(1), Tick(1141)).is_new());
}

/// After a pause, one new slice for each generation that passed, k at most, and the generation begins on the grid.
#[test]
fn a_pause_makes_k_slices_at_most() {
    for (pause, slices) in [(33, 4), (34, 5), (67, 5), (68, 6), (102, 7), (135, 7), (136, 8)] {
        let mut f = build(&manual(34 * 8).k(4).l(8).fill(0.5));
        f.insert(key(1), Tick(0)).unwrap();
        f.advance(Tick(pause));
        assert_eq!(f.slices.len(), slices, "after {pause}");
        assert_eq!(f.time.generation, Tick(pause / 34 * 34));
    }
    let mut f = build(&manual(34 * 8).k(4).l(8).fill(0.5));
    f.insert(key(1), Tick(0)).unwrap();
    f.advance(Tick(1 << 60));
    assert_eq!((f.slices.len(), f.counts.shifts), (4, 1), "all that was before is gone");
    assert!(f.slices.iter().all(|slice| slice.scan() == 0));
}

/// A full generation ends before the key that would overfill a slice.
/// The slices that a pause makes at once have room for the generations that each has before it, and no more.
#[test]
fn slices_after_a_pause_are_as_large_as_they_need() {
    let mut f = build(&manual(8000).k(4).l(8).fill(0.5));
    for i in 0..30_000 {
        f.observe(key(i), Tick(i)).unwrap();
    }
    f.observe(key(40_000), Tick(30_000 + 3 * f.plan.generation_ns)).unwrap();
    let bits: Vec<u64> = f.slices.iter().take(4).map(Slice::len).collect();
    assert!(bits[0] > bits[1] && bits[1] > bits[2] && 2 * bits[2] < 3 * bits[0], "{bits:?}");
}

#[test]
fn generations_end_when_full() {
    let mut f = build(&manual(WINDOW).k(3).l(4).fill(0.5).capacity(40));
    let room = f.room;
    assert!(room >= 9, "a tenth of 40 and more: {room}");
    for i in 0..room {
        f.insert(key(i), Tick(0)).unwrap();
    }
    assert_eq!((f.counts.shifts, f.room, f.slices[0].generation), (0, 0, room));
    f.insert(key(0), Tick(0)).unwrap();
    assert_eq!(f.counts.shifts, 0, "a key that is stored already needs no room");
    f.insert(key(room), Tick(0)).unwrap();
    assert_eq!((f.counts.shifts, f.slices.len(), f.slices[0].generation), (1, 4, 1));
    assert_eq!(f.slices[3].stamp, Tick(0));
}

#[test]
fn remaining_generations_spread_evenly() {
    let mut f = build(&manual(WINDOW).k(3).l(4).fill(0.5));
    let capacities: Vec<u64> = f.slices.iter().map(|slice| slice.capacity).collect();
    assert_eq!(f.left().collect::<Vec<_>>(), capacities);
    for (slice, (capacity, generation)) in f.slices.iter_mut().zip([(90, 5), (60, 10), (40, 15)]) {
        (slice.capacity, slice.generation) = (capacity, generation);
    }
    assert_eq!(f.left().collect::<Vec<_>>(), [85, 45, 10]);
    assert_eq!(f.room_now(), 10, "the oldest that fills has one generation left");
    f.slices[2].capacity = 80;
    assert_eq!(f.room_now(), 22, "45 over two generations");
    f.slices[1].capacity = 8;
    assert_eq!((f.left().collect::<Vec<_>>(), f.room_now()), (vec![85, 0, 50], 1), "never less than one");
}

/// Equation 7 by playing it: no slice is overfilled, and the new one gets what the generations really take.
#[test]
fn look_ahead_plays_the_generations() {
    assert_eq!(look_ahead(10, &[], 3), 30);
    assert_eq!(look_ahead(10, &[100, 100], 3), 30, "nothing limits");
    assert_eq!(look_ahead(10, &[8, 100], 2), 18, "8 until the neighbour stops, then 10");
    assert_eq!(look_ahead(10, &[100, 4], 3), 24, "4 in the first, then 10 and 10");
    assert_eq!(look_ahead(10, &[100, 100, 100], 1), 10);
    for i in 0..2000 {
        let generations = num::index(1 + dice(10, i, 8));
        let left: Vec<u64> = (0..generations - 1).map(|j| 20 + dice(11, i * 10 + num::wide(j), 200)).collect();
        let target = 1 + dice(12, i, 40);
        let (mut total, mut room) = (0, left.clone());
        for to_go in (0..generations).rev() {
            let limit = room.iter().take(to_go).enumerate().map(|(i, room)| room / num::wide(to_go - i)).min();
            let takes = limit.map_or(target, |limit| target.min(limit)).max(1);
            room.iter_mut().take(to_go).for_each(|room| *room = room.saturating_sub(takes));
            total += takes;
        }
        assert_eq!(look_ahead(target, &left, generations), total, "{target} {left:?}");
    }
}

fn plan(options: &Options) -> Plan {
    Plan::new(options).unwrap()
}

#[test]
fn a_slice_takes_what_fills_it_and_no_more() {
    for fill in [0.1, 0.353, 0.5, 0.9] {
        // At k = 40 no key is overlooked.
        let plan = plan(&manual(WINDOW).k(40).l(3).fill(fill));
        for bits in [64, 128, 640, 6400, 64_000_000] {
            let capacity = plan.slice_capacity(bits);
            let expected = |keys: u64| 1.0 - (1.0 - 1.0 / num::real(bits)).powf(num::real(keys));
            assert!(expected(capacity) <= fill * 1.000_001, "{capacity} keys in {bits} bits");
            assert!(expected(capacity + 1) > fill * 0.999_999, "{capacity} keys in {bits} bits");
        }
        for keys in [1, 10, 100, 12_345, 1 << 40] {
            for window in [0, 3000, 1 << 30] {
                let words = plan.slice_words(keys, window, 1.0);
                let bits = num::real(keys) * (1.0 + margin(window)) / -(1.0 - fill).ln();
                assert!(num::real(words) * 64.0 >= bits * 0.999_999, "{keys} keys in {words} words");
                assert!((num::real(words) - 1.0) * 64.0 <= bits, "{keys} keys in {words} words");
                assert!(plan.slice_capacity(words * 64) >= keys);
            }
        }
        assert_eq!(plan.slice_words(0, 0, 1.0), 1);
    }
}

/// The share of new keys that find their k bits set, by integrals done by hand: at k = 1 and 2 it decides how many
/// counted keys fill a slice.
#[test]
fn the_overlooked_are_counted_for_where_k_is_small() {
    let empty = 0.4f64;
    let log = -empty.ln();
    let root = empty.sqrt();
    let half = 2.0 * (1.0 - root) / log;
    let overlooked = [1.0 - (1.0 - empty) / log, 1.0 - half * (1.0 + root) + root * (1.0 - empty) / log];
    for (k, overlooked) in (1u32..).zip(overlooked) {
        let plan = plan(&manual(WINDOW).k(k).l(5).fill(1.0 - empty).capacity(5_000_000));
        let counted = 1.0 - overlooked;
        let close = |have: u64, want: f64| (num::real(have) / want - 1.0).abs() < 1e-4;
        assert!(close(plan.first_target, 1e6 * counted), "{plan:?}");
        assert!(close(plan.slice_capacity(64_000_000), 64e6 * log * counted), "{plan:?}");
        for room in [1.0, 1.3] {
            let bits = 1e7 * (1.0 + margin(3000)) * room / (log * counted);
            assert!(close(plan.slice_words(10_000_000, 3000, room), bits / 64.0), "{plan:?}");
        }
        let slices = f64::from(k) + 5.0;
        let bytes = slices * f64::from(k) * 1e6 * (1.0 + margin(5_000_000)) / log / 8.0;
        assert!(close(plan.summary().bytes, bytes), "{:?}", plan.summary());
    }
}

#[test]
fn memory_limit_leaves_a_word_for_every_slice() {
    let request = |bytes| Plan::new(&manual(100).k(4).l(7).fill(0.5).memory(bytes));
    assert_eq!(request(88).unwrap().most_slice_words, 1);
    assert!(request(87).unwrap_err().to_string().contains("88"));
}

#[test]
fn the_margin_falls_with_the_root_of_the_keys() {
    let most = margin(3000);
    assert!((0.005..=0.02).contains(&most));
    assert!(margin(0).to_bits() == most.to_bits() && margin(1).to_bits() == most.to_bits());
    assert!((margin(300_000) * 10.0 / most - 1.0).abs() < 1e-12);
}

#[test]
fn the_plan_is_what_was_asked() {
    let options = manual(100).k(4).l(7).fill(0.5).memory(11 * 80 + 7).capacity(70).max_step_ns(9);
    let plan = plan(&options);
    assert_eq!((plan.k, plan.l, plan.window, plan.generation_ns, plan.max_step), (4, 7, 100, 15, 9));
    assert_eq!((plan.first_target, plan.most_words, plan.most_slice_words), (10, 110, 10));
    assert_eq!(plan.slice_words(1 << 40, 0, 1.0), 10, "no slice is so large that k + l do not fit");
    let plan = Plan::new(&manual(100).k(4).l(7).fill(0.5)).unwrap();
    assert_eq!((plan.first_target, plan.most_words, plan.max_step), (1, u64::MAX, u64::MAX));
    assert_eq!((plan.repeat, plan.on_limit), (Repeat::Refresh, OnLimit::ForgetOldest));
}

#[test]
fn the_summary_is_in_everybodys_words() {
    let summary = |options: &Options| Plan::new(options).unwrap().summary();
    let given = manual(100).k(4).l(3).fill(0.5);
    let none = summary(&given);
    assert_eq!((none.bytes, none.window_keys, none.k, none.l, none.slices), (0, 0, 4, 3, 7));
    assert!((none.error_rate_worst - 0.1074).abs() < 5e-5 && (none.error_rate_mean - 0.0879).abs() < 5e-5);
    let price = 28.0 / (3.0 * 2f64.ln());
    assert!((none.bits_per_key / (price * (1.0 + margin(0))) - 1.0).abs() < 1e-12);
    assert!((none.margin - margin(0)).abs() < 1e-15);
    assert!((none.cache_lines_per_observe - (4.0 + 0.75 / 0.5)).abs() < 1e-12);
    let keys = summary(&given.clone().capacity(3000));
    let words = 4000.0 * (1.0 + margin(3000)) / 2f64.ln() / 64.0;
    // Up to a word, and the share of keys that is overlooked at k = 4.
    let slack = num::real(keys.bytes) / 56.0 - words;
    assert!(keys.window_keys == 3000 && keys.bytes % 56 == 0 && (0.0..1.0 + 0.01 * words).contains(&slack), "{keys:?}");
    let memory = summary(&given.clone().memory(100_000));
    let fits = 800_000.0 / price / (1.0 + margin(memory.window_keys));
    assert!(num::real(memory.window_keys) <= fits && num::real(memory.window_keys) > 0.99 * fits, "{memory:?}");
    assert!(memory.bytes <= 100_000 && memory.bytes > 99_000);
    let both = summary(&given.clone().memory(100_000).capacity(3000));
    assert_eq!((both.window_keys, both.bytes), (3000, keys.bytes));
    assert_eq!(summary(&given.memory(56).capacity(1 << 40)).bytes, 56);
}

/// The numbers of `stats`, on a life short enough to count by hand.
#[test]
fn stats_by_hand() {
    let mut f = build(&manual(100).k(2).l(2).fill(0.5));
    assert_eq!(
        f.stats(Tick(7)),
        Stats {
            bytes: 16,
            bytes_peak: 16,
            slices: 2,
            newest_slice_bits: 64,
            reach_ns: 100,
            clock: Tick(7),
            ..Stats::default()
        }
    );
    for (i, tick) in [(1, 0), (2, 10), (2, 20), (3, 60), (4, 105)] {
        f.observe(key(i), Tick(tick)).unwrap();
    }
    let stats = f.stats(Tick(0));
    assert_eq!((stats.slices, stats.shifts, stats.items, stats.stored), (4, 2, 4, 4));
    assert_eq!((stats.new_count, stats.duplicate_count, stats.clock), (4, 1, Tick(105)));
    assert!((stats.error_rate - run_chance(2, f.slices.iter().map(Slice::fill))).abs() < 1e-15);
    // At 121 the oldest slice, stamped at 20, is out of date; it is still allocated.
    let later = f.stats(Tick(121));
    assert_eq!((later.slices, later.bytes), (4, stats.bytes));
    assert!(later.error_rate < stats.error_rate);
    // The first generation ended at 50 and the second at 100.
    assert_eq!([150, 151, 200, 201, 205, 206].map(|now| f.stats(Tick(now)).items), [4, 2, 2, 1, 1, 0]);
    f.stats_reset();
    assert_eq!((f.stats(Tick(0)).new_count, f.stats(Tick(0)).duplicate_count, f.stats(Tick(0)).shifts), (0, 0, 2));
}

/// What the slices but the k - 1 oldest have counted: those have their keys in slices that are gone.
#[test]
fn stored_leaves_out_the_oldest() {
    let mut f = build(&manual(WINDOW).k(3).l(6).fill(0.4).capacity(600));
    (0..3000).for_each(|i| f.insert(key(i), Tick(i * WINDOW / 600)).unwrap());
    let counted: Vec<u64> = f.slices.iter().map(|slice| slice.generation).collect();
    let (stored, rest) = counted.split_at(counted.len() - 2);
    assert!(rest.iter().all(|&keys| keys > 0), "{counted:?}");
    assert_eq!(f.stats(f.time.clock).stored, stored.iter().sum::<u64>());
}

/// At the limit the oldest go, and the reach is the age of the last insertion that went with them.
#[test]
fn forgetting_by_hand() {
    let mut f = build(&manual(1000).k(2).l(2).fill(0.5).memory(4 * 8));
    let mut i = 0;
    while f.counts.forgotten == 0 {
        f.insert(key(i), Tick(i)).unwrap();
        i += 1;
        assert!(i < 1000 && f.words <= 4);
    }
    let forgot = f.time.forgot.unwrap();
    assert!(forgot < Tick(i) && f.reach(f.time.clock) == f.time.clock.since(forgot));
    assert!((forgot.0 + 1..i).all(|i| f.contains(key(i), f.time.clock).is_duplicate()));
    // Of the window's very edge one tick is lost, whatever was forgotten there.
    assert_eq!([998, 999, 1000, 1001].map(|age| f.reach(forgot.plus(age))), [998, 999, 999, 1000]);
    assert_eq!(f.reach(forgot.plus(5000)), 1000);
    assert_eq!(f.stats(f.time.clock).forgotten, f.counts.forgotten);
}

/// At the limit shifts are put off: all stays, the generation continues, and the count says so.
#[test]
fn deferring_by_hand() {
    let options = manual(1000).k(2).l(2).fill(0.5).memory(4 * 8).on_limit(OnLimit::RaiseErrorRate);
    let mut f = build(&options);
    (0..300).for_each(|i| f.insert(key(i), Tick(i)).unwrap());
    let stats = f.stats(Tick(299));
    assert!(stats.deferred > 0 && stats.forgotten == 0 && stats.slices == 4 && stats.bytes == 32);
    assert!((0..300).all(|i| f.contains(key(i), Tick(299)).is_duplicate()));
    assert!(stats.error_rate > 0.8, "64 bits for 150 keys and more: {}", stats.error_rate);
}

#[test]
fn ticks_are_admitted_by_the_limit() {
    let mut f = build(&manual(1000).max_step_ns(10));
    assert!(f.check_step(Tick(u64::MAX)).is_ok(), "the first is always taken");
    f.admit(Tick(500)).unwrap();
    assert_eq!((f.clock(), f.counts.seen.late_ticks), (Tick(500), 0));
    assert!(f.admit(Tick(510)).is_ok() && f.admit(Tick(521)).is_err() && f.check_step(Tick(521)).is_err());
    assert_eq!((f.clock(), f.counts.seen.refused_ticks), (Tick(510), 1));
    assert_eq!(f.stats(f.clock()).refused_ticks, 1);
    f.admit(Tick(509)).unwrap();
    f.admit(Tick(510)).unwrap();
    assert_eq!((f.clock(), f.counts.seen.late_ticks), (Tick(510), 1));
    f.advance(Tick(10_000));
    f.advance(Tick(3));
    assert_eq!((f.clock(), f.counts.seen.late_ticks), (Tick(10_000), 1));
}

#[test]
fn a_copy_has_everything() {
    let options = manual(WINDOW).k(4).l(9).fill(0.4).memory(13 * 24);
    let mut f = live(&options, 3000);
    let mut copy = f.try_clone().unwrap();
    assert_eq!(format!("{copy:?}"), format!("{f:?}"));
    for i in 0..2000 {
        let tick = Tick(f.time.clock.0 + 500);
        assert_eq!(f.observe(key(i * 3), tick), copy.observe(key(i * 3), tick));
    }
    assert_eq!(format!("{copy:?}"), format!("{f:?}"));
}

#[test]
fn clear_starts_again() {
    let options = manual(WINDOW).k(4).l(9).fill(0.4).capacity(50);
    let mut f = live(&options, 3000);
    f.clear();
    assert_eq!(format!("{f:?}"), format!("{:?}", build(&options)));
}

#[test]
fn verdicts_are_counted_and_stored_by_the_policy() {
    for (repeat, at_150) in [(Repeat::Refresh, Verdict::Duplicate), (Repeat::KeepFirst, Verdict::New)] {
        let mut f = build(&manual(100).repeat(repeat));
        let verdicts = [0, 60, 150].map(|tick| f.observe(key(1), Tick(tick)).unwrap());
        assert_eq!(verdicts, [Verdict::New, Verdict::Duplicate, at_150], "{repeat:?}");
        let new_count = u64::from(at_150.is_new());
        assert_eq!((f.counts.seen.new_count, f.counts.seen.duplicate_count), (1 + new_count, 2 - new_count));
        f.insert(key(1), Tick(200)).unwrap();
        assert!(f.contains(key(1), Tick(300)).is_duplicate(), "an insertion stores under {repeat:?} too");
        assert!(f.remove(key(1), Tick(0)).is_err());
    }
}

/// Slices retire from the old end only, when strictly older than T, and k always stay.
#[test]
fn retirement() {
    let mut f = build(&manual(100).k(2).l(4).fill(0.5));
    for (i, tick) in [(0, 0), (1, 25), (2, 50), (3, 75)] {
        f.insert(key(i), Tick(tick)).unwrap();
    }
    let stamps =
        |f: &TimeLimited| (0..f.slices.len()).map(|place| f.stamp(place, f.time.stamp).unwrap().0).collect::<Vec<_>>();
    assert_eq!(stamps(&f), [75, 75, 50, 25, 0]);
    f.time.clock = Tick(100);
    f.retire();
    assert_eq!(
        (
            f.slices.len(),
            f.live(Tick(100), f.time.stamp),
            f.live(Tick(101), f.time.stamp),
            f.live(Tick(126), f.time.stamp)
        ),
        (5, 5, 4, 3)
    );
    f.time.clock = Tick(101);
    f.retire();
    assert_eq!(stamps(&f), [75, 75, 50, 25]);
    f.time.clock = Tick(1000);
    f.retire();
    assert_eq!(
        (
            f.slices.len(),
            f.live(Tick(1000), f.time.stamp),
            f.live(Tick(175), f.time.stamp),
            f.live(Tick(176), f.time.stamp)
        ),
        (2, 0, 2, 0)
    );
}

/// Where a fresh start does not fit in addition to what is there, the k slices that fill are emptied in place.
#[test]
fn clear_without_room_empties_in_place() {
    let mut f = build(&manual(1000).k(3).l(1).fill(0.5).memory(64).capacity(10_000));
    for i in 0..500 {
        f.observe(key(i), Tick(i * 7)).unwrap();
    }
    let (words, made) = (f.slices.iter().take(3).map(|slice| slice.len() / 64).sum::<u64>(), f.counts.made);
    f.clear();
    assert_eq!((f.words, f.slices.len(), f.counts.made, f.counts.words_peak), (words, 3, made, words));
    assert!((0..500).all(|i| f.contains(key(i), Tick(0)).is_new()) && f.stats(Tick(0)).shifts == 0);
    sound(&f);
    f.observe(key(1), Tick(9)).unwrap();
    assert!(f.contains(key(1), Tick(9)).is_duplicate());
}

/// Where it fits, the size of a busy day does not outlive it; also where it just fits.
#[test]
fn clear_with_room_starts_small() {
    for memory in [4096, 4096 * 2] {
        let mut f = build(&manual(1000).k(3).l(4).fill(0.5).memory(memory));
        let fresh = f.words;
        (0..20_000).for_each(|i| drop(f.observe(key(i), Tick(i / 10))));
        assert!(f.words > 10 * fresh);
        f.clear();
        assert_eq!((f.words, f.slices.len(), f.counts.made), (fresh, 3, 3));
    }
}

#[test]
fn a_tick_is_late_below_the_clock() {
    let mut f = build(&manual(1000));
    [5, 5, 6, 5, 4].into_iter().for_each(|tick| f.admit(Tick(tick)).unwrap());
    assert_eq!((f.stats(Tick(0)).late_ticks, f.clock()), (2, Tick(6)));
}
