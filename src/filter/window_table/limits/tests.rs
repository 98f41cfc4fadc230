//! Tests at the ends of what can be asked for: aimed keys, ages, the shortest and the longest windows, memory.

use std::collections::HashMap;

use super::tests::{Clocked, build, cells, edges_of_keys, key, last, num, within};
use super::*;
use crate::num::{self, real};
use crate::options::{ClockSource, OnLimit, Repeat};
use crate::{Filter, SharedFilter};

const T: u64 = 1_000_000_000;

/// Keys of group 0 of the filter's table, as one who knows the seed finds them.
fn aimed(filter: &WindowTable, count: usize) -> Vec<KeyHash> {
    let shape = filter.core.newest.shape;
    assert!(shape.groups >= 16, "{} groups", shape.groups);
    (1 << 50..).map(key).filter(|key| shape.place(key.mixed()).home.group == 0).take(count).collect()
}

#[test]
fn a_hundred_thousand_aimed_keys_close_one_group_for_a_window() {
    let n = 150_000;
    for options in [last(n), last(n).repeat(Repeat::KeepFirst), within(T).capacity(n)] {
        let mut filter = build(&options);
        let tick = Tick(5);
        filter.advance(tick);
        let keys = aimed(&filter, 100_000);
        for (i, key) in keys.iter().enumerate() {
            filter.observe(*key, tick).unwrap();
            assert!(filter.contains(keys[i / 2], tick).is_duplicate(), "key {} of {i}: {options:?}", i / 2);
        }
        let end = Tick(5 + T);
        let now = if filter.core.plan.timed { end } else { tick };
        for (i, key) in keys.iter().enumerate() {
            assert!(filter.contains(*key, now).is_duplicate(), "key {i}: {options:?}");
        }
        let stats = filter.stats(now);
        assert_eq!((stats.closed_groups, stats.tables), (1, 1), "{options:?}");
        assert!(stats.stashed <= 64 && stats.error_rate >= 1.0 / real(filter.core.newest.shape.groups));
        // A window and a generation after the last that found no room the group is open. Of observations the others that
        // fall in it find no room either, until the aimed keys are too old.
        let later = if filter.core.plan.timed {
            Tick(5 + T + T / 7 + T / 56 + 1)
        } else {
            (0..2 * (n + n / 7) + n / 28).for_each(|i| drop(filter.observe(key(i), tick)));
            tick
        };
        assert_eq!(filter.stats(later).closed_groups, 0);
        let known = keys.iter().filter(|key| filter.contains(**key, later).is_duplicate()).count();
        assert!(known < 1000, "{known} of the aimed keys are known after the window");
    }
}

/// Either handle, at a tick or by count.
enum Handle {
    Own(Filter),
    Shared(SharedFilter),
}

impl Handle {
    fn observe(&mut self, i: u64, now: Option<u64>) -> (Verdict, Option<Age>) {
        let key = i.to_le_bytes();
        match (self, now) {
            (Self::Own(filter), Some(now)) => filter.observe_age_at(&key, Tick(now)),
            (Self::Own(filter), None) => filter.observe_age(&key),
            (Self::Shared(filter), Some(now)) => filter.observe_age_at(&key, Tick(now)),
            (Self::Shared(filter), None) => filter.observe_age(&key),
        }
        .unwrap()
    }

    fn stats(&self) -> Stats {
        match self {
            Self::Own(filter) => filter.stats(),
            Self::Shared(filter) => filter.stats(),
        }
    }
}

/// What was asked of a filter, and what is true.
#[derive(Default)]
struct Ages {
    seen: HashMap<u64, u64>,
    /// Ages that were told; those that were above `at_most`; those from a table that drains or beside a stash.
    told: u64,
    above: u64,
    beside: u64,
}

impl Ages {
    /// Observes at `now` (time), or as the `now`-th (count), and checks the age of what is within the window.
    fn observe(&mut self, handle: &mut Handle, i: u64, now: u64, options: &Options) {
        let window = options.window_ns.or(options.window_keys).unwrap();
        let generation = window.div_ceil((1 << options.age_bits.unwrap_or(3)) - 1);
        let (verdict, age) = handle.observe(i, options.window_ns.map(|_| now));
        assert_eq!(verdict.is_duplicate(), age.is_some());
        let truth = self.seen.get(&i).map(|then| now - then).filter(|age| *age <= window);
        if let Some(truth) = truth {
            let age = age.unwrap_or_else(|| panic!("missed at {truth}: {options:?}"));
            assert!(age.at_least <= truth, "{age:?}, in truth {truth}: {options:?}");
            assert!(truth <= age.at_most + 2 * generation, "{age:?}, in truth {truth}: {options:?}");
            self.told += 1;
            self.above += u64::from(truth > age.at_most);
        }
        if options.repeat != Some(Repeat::KeepFirst) || verdict.is_new() {
            self.seen.insert(i, now);
        }
    }
}

/// A stream whose rate climbs, so that tables are sealed, and repeats of every age.
fn ages(options: &Options, mut handle: Handle, keys: u64) {
    let (mut ages, mut draws, mut now) = (Ages::default(), super::tests::Draws(keys, 9), 1 << 40);
    let window = options.window_ns.or(options.window_keys).unwrap();
    for step in 0..keys {
        // Of time, a window passes with the first hundredth of the keys, with the next tenth, and with the others.
        let pace = if step < keys / 100 {
            keys / 100
        } else if step < keys / 10 {
            keys / 10
        } else {
            keys / 2
        };
        now += if options.window_ns.is_some() { window / pace } else { 1 };
        let fresh = draws.below(2) == 0;
        let i = if fresh { step } else { step - draws.below(step.min(keys / 2) + 1) };
        ages.observe(&mut handle, i, now, options);
        if step % 1024 == 0 {
            let stats = handle.stats();
            ages.beside += u64::from(stats.tables > 1 || stats.stashed > 0);
        }
    }
    let stats = handle.stats();
    println!("{} ages, {} above, {} moved, {} beside", ages.told, ages.above, stats.moved, ages.beside);
    assert!(ages.told > keys / 8 && ages.above <= stats.moved, "{} above, {} moved", ages.above, stats.moved);
    assert!(ages.above * 200 <= ages.told, "{} of {} above", ages.above, ages.told);
    let grows = options.window_ns.is_some();
    assert_eq!(ages.beside > 0, grows, "{options:?}");
}

#[test]
fn a_true_age_is_in_its_bracket() {
    let keys = 60_000;
    let of_time = within(T).error_rate(1e-5);
    for options in [
        last(20_000).error_rate(1e-5),
        last(20_000).error_rate(1e-5).repeat(Repeat::KeepFirst).age_bits(4),
        of_time.clone(),
        of_time.clone().repeat(Repeat::KeepFirst).age_bits(2),
        of_time.memory(8192).on_limit(OnLimit::RaiseErrorRate),
    ] {
        ages(&options, Handle::Own(Filter::new(&options).unwrap()), keys);
        ages(&options, Handle::Shared(SharedFilter::new(&options).unwrap()), keys);
    }
}

#[test]
fn a_window_of_a_hundred_thousand_has_an_exact_edge() {
    edges_of_keys(&last(100_000), 100_000, 20_000, 3);
}

/// Also where ticks are beyond 2^63, and where a window is 1 ns or centuries.
#[test]
fn the_shortest_and_the_longest_times_have_an_exact_edge() {
    const CENTURIES: u64 = 500 * 365 * 86_400 * 1_000_000_000;
    for (window, start) in [(1, 0), (1, 1 << 63), (3, u64::MAX - 100_000), (CENTURIES, 0), (CENTURIES / 4, 1 << 63)] {
        let mut clocked = Clocked::new(&within(window), start);
        clocked.stream(2000, 2 * window.min(CENTURIES / 20));
        clocked.stream(2000, window.min(CENTURIES / 20));
        assert!(clocked.edges > 200, "{} edges of {window}", clocked.edges);
    }
}

#[test]
fn small_windows_are_small() {
    for (n, age_bits) in [1, 10, 100, 1000].into_iter().flat_map(|n| (2..=5).map(move |bits| (n, bits))) {
        let bytes = build(&last(n).age_bits(age_bits)).stats(Tick(0)).bytes;
        assert!(bytes <= 1024 + 5 * n, "{bytes} bytes for {n}, age_bits {age_bits}");
        let bytes = build(&within(T).capacity(n).age_bits(age_bits)).stats(Tick(0)).bytes;
        assert!(bytes <= 1024 + 5 * n, "{bytes} bytes for {n} of time, age_bits {age_bits}");
    }
    assert_eq!(build(&within(T)).stats(Tick(0)).bytes, 1024);
}

/// A table that was made for many keys, as large as `memory` allows, and then few come for hundreds of generations: a smaller
/// one takes its place, in what is left of `memory`, and nothing old is ever taken for new cells.
#[test]
fn memory_is_not_exceeded_when_keys_become_few() {
    for memory in [1 << 10, 3 << 10, 20 << 10, 256 << 10] {
        for (on_limit, age_bits) in
            [(OnLimit::ForgetOldest, 3), (OnLimit::RaiseErrorRate, 3), (OnLimit::ForgetOldest, 5)]
        {
            let options = within(T).capacity(1 << 30).memory(memory).on_limit(on_limit).age_bits(age_bits);
            let mut filter = build(&options);
            let (most, mut now, mut wrong) = (memory / 2, 0, 0);
            // Of windows that are too full any key may be known.
            for (keys, windows, is_full) in [(most, 3, true), (most / 256, 60, false), (3, 100, false), (most, 2, true)]
            {
                for i in 0..keys * windows {
                    now += T / keys;
                    let verdict = filter.observe(key(now), Tick(now)).unwrap();
                    let stats = filter.stats(Tick(now));
                    assert!(stats.bytes_peak <= memory, "{} of {memory} bytes", stats.bytes_peak);
                    if !is_full && i > 4 * keys {
                        wrong += u64::from(verdict.is_duplicate());
                        assert!(
                            stats.items <= 2 * keys + 4,
                            "{} items, {keys} keys a window: {options:?}",
                            stats.items
                        );
                    }
                }
            }
            assert!(wrong <= 2 + memory / 10_000, "{wrong} wrong: {options:?}");
            // Hundreds of windows of silence.
            now += 500 * T;
            filter.observe(key(1), Tick(now)).unwrap();
            assert!(filter.stats(Tick(now)).bytes_peak <= memory);
        }
    }
}

/// Lines that no key touches are brought up to date all the same: else, 128 generations later, their cells would seem new.
#[test]
fn a_storm_of_one_key_lets_all_others_expire() {
    let timed = within(T).capacity(3000);
    for (n, options) in [
        (3000, last(3000)),
        (3000, last(3000).age_bits(5)),
        (3000, timed.clone()),
        (3000, timed.age_bits(2)),
        // More lines than fall due with the parts of the window: the others fall due with keys.
        (600_000, last(600_000).age_bits(5).error_rate(1e-12)),
    ] {
        let generation = n / ((1 << options.age_bits.unwrap_or(3)) - 1);
        let at = |i: u64| Tick(i * (T / n));
        let mut filter = build(&options);
        (0..n).for_each(|i| _ = filter.observe(key(i), at(i)).unwrap());
        for i in n..n + 170 * generation {
            filter.observe(key(n), at(i)).unwrap();
            if i > 2 * n + 2 * generation && i % generation.div_ceil(3) == 0 {
                let others = (0..n).step_by(num(1 + n / 5000));
                let known = others.filter(|other| filter.contains(key(*other), at(i)).is_duplicate()).count();
                assert!(known <= 12, "{known} came back after {} observations: {options:?}", i - n);
            }
        }
    }
}

/// A late tick counts as the clock, also where the clock was set by a load, before anything was observed since.
#[test]
fn a_late_tick_after_a_load_counts_as_the_clock() {
    let options = within(1000).capacity(100);
    let mut empty = Filter::new(&options).unwrap();
    empty.advance(Tick(500)).unwrap();
    let mut with = Filter::new(&options).unwrap();
    with.observe_at(b"known", Tick(500)).unwrap();
    for filter in [empty, with] {
        let knew = filter.contains_at(b"known", Tick(500)).unwrap();
        let mut bytes = Vec::new();
        filter.write_snapshot(&mut bytes).unwrap();
        let later = crate::LoadOptions::new(std::time::Duration::from_nanos(5000));
        let mut own = Filter::load(&bytes, &later).unwrap();
        let shared = SharedFilter::load(&bytes, &later).unwrap();
        // The clock is 5500, and what was known is too old, also for one who asks at an earlier tick.
        for tick in [500, 501, 5500] {
            assert!(own.contains_at(b"known", Tick(tick)).unwrap().is_new(), "{knew:?} at {tick}");
            assert!(shared.contains_at(b"known", Tick(tick)).unwrap().is_new());
        }
        own.insert_at(b"late", Tick(600)).unwrap();
        shared.insert_at(b"late", Tick(600)).unwrap();
        for tick in [5500, 6500] {
            assert!(own.contains_at(b"late", Tick(tick)).unwrap().is_duplicate());
            assert!(shared.contains_at(b"late", Tick(tick)).unwrap().is_duplicate());
        }
    }
}

/// The snapshot with these bits of one byte changed, under a good checksum, is refused.
fn expect_corrupt(bytes: &[u8], at: usize, bits: u8, what: &str) {
    let (mut lie, end) = (bytes.to_vec(), bytes.len() - 8);
    lie[at] ^= bits;
    let sum = crate::hash::hash64(&lie[..end], 0).to_le_bytes();
    lie[end..].copy_from_slice(&sum);
    let loaded = Filter::load(&lie, &crate::LoadOptions::new(std::time::Duration::ZERO));
    assert_eq!(loaded.unwrap_err().code(), crate::Code::Corrupt, "{what}");
}

/// Nothing of time, and nothing that memory took, is said of a window of keys.
#[test]
fn a_window_of_keys_has_no_flags() {
    let mut bytes = Vec::new();
    Filter::new(&last(100)).unwrap().write_snapshot(&mut bytes).unwrap();
    (0..4).for_each(|flag| expect_corrupt(&bytes, 88, 1 << flag, &format!("flag {}", 1 << flag)));
}

/// Under a good checksum: a cell has a fingerprint or is all 0, and a line is up to date and marked as the stash says.
#[test]
fn a_line_that_no_filter_writes_is_corrupt() {
    for options in [last(100), within(1000).capacity(100)] {
        let mut filter = Filter::new(&options).unwrap();
        (0..40u64).for_each(|i| filter.insert(&i.to_le_bytes()).unwrap());
        let mut bytes = Vec::new();
        filter.write_snapshot(&mut bytes).unwrap();
        let (end, mut lies) = (bytes.len() - 8, 0);
        let start = end - num(filter.stats().bytes);
        for bit in 8 * start..8 * end {
            let in_line = (bit - 8 * start) % 512;
            let lane = start + (bit / 8 - start) / 2 * 2;
            // A tag without a fingerprint; or the epoch, or the mark.
            let lone_tag = in_line < 10 * 16 && in_line % 16 >= 13 && bytes[lane..lane + 2] == [0, 0];
            if lone_tag || in_line >= 504 {
                expect_corrupt(&bytes, bit / 8, 1 << (bit % 8), &format!("bit {in_line} of a line"));
                lies += 1;
            }
        }
        assert!(lies > 100, "{lies} lies");
    }
}

/// Few keys, so that a small table takes the place of a large one, and then a flood: tables must not become many.
#[test]
fn a_flood_after_few_keys_makes_few_tables() {
    for (rate, age_bits, capacity) in
        [(1e-6, 5, 3000), (1e-3, 3, 3000), (1e-9, 5, 100_000), (1e-9, 2, 1), (1e-12, 3, 1)]
    {
        let options = within(T).error_rate(rate).age_bits(age_bits).capacity(capacity);
        let mut filter = build(&options);
        [0, T / 3, 2 * T / 3].iter().for_each(|at| drop(filter.insert(key(*at | (1 << 60)), Tick(*at))));
        filter.advance(Tick(T + T / 8));
        let keys = 200_000;
        for i in 0..keys {
            let now = Tick(T + T / 8 + i * (T / keys));
            filter.observe(key(i), now).unwrap();
            let stats = filter.stats(now);
            assert!(stats.tables <= 28, "{} tables of {} bytes at {i}: {options:?}", stats.tables, stats.bytes);
            assert!(stats.error_rate <= rate, "{} at {i}: {options:?}", stats.error_rate);
            assert!(filter.contains(key(i / 2), now).is_duplicate(), "{} at {i}", i / 2);
        }
    }
}

/// A filter can load what it wrote, whatever it lived through.
#[test]
fn every_snapshot_of_a_wild_life_loads() {
    let mut written = 0;
    for seed in 0..60 {
        let mut draws = super::tests::Draws(seed, 1);
        let options = within(1000).error_rate([0.3, 0.05][num(seed % 2)]);
        let options = if seed % 3 == 0 { options } else { options.memory(128 << (seed % 3)) };
        let options = options.on_limit([OnLimit::ForgetOldest, OnLimit::RaiseErrorRate][num(seed / 2 % 2)]);
        let mut filter = Filter::new(&options).unwrap();
        let pace = [3, 29, 140, 700][num(seed / 4 % 4)];
        for step in 0..400 {
            filter.observe_at(&draws.below(90).to_le_bytes(), Tick(step * pace)).unwrap();
            let mut bytes = Vec::new();
            filter.write_snapshot(&mut bytes).unwrap();
            let loaded = Filter::load(&bytes, &crate::LoadOptions::new(std::time::Duration::ZERO));
            assert!(loaded.is_ok(), "step {step} of {options:?}: {}", loaded.unwrap_err());
            written += 1;
        }
    }
    assert_eq!(written, 60 * 400);
}

#[test]
fn what_is_idle_gives_memory_back() {
    let mut clocked = Clocked::new(&within(T), 0);
    clocked.stream(200_000, T);
    let before = clocked.filter.stats(Tick(clocked.now)).bytes;
    assert!(before > 400_000, "{before} bytes");
    clocked.filter.advance(Tick(clocked.now + 10 * T));
    (0..100).for_each(|_| clocked.filter.advance(Tick(clocked.now + 10 * T)));
    let stats = clocked.filter.stats(Tick(clocked.now + 10 * T));
    assert_eq!((stats.bytes, stats.tables, stats.items), (1024, 1, 0));
}

/// Keys that are new are called duplicates as often as `stats` says, which is what the cells say, and no oftener than asked.
#[test]
fn a_window_of_time_is_as_wrong_as_it_says() {
    for (rate, rounds) in [(1e-2, 200_000), (1e-3, 1_000_000), (1e-4, 4_000_000)] {
        let mut filter = build(&within(T).error_rate(rate).capacity(20_000));
        let (mut wrong, mut expected) = (0u64, 0.0);
        for i in 0..rounds {
            let now = Tick(i * (T / 20_000));
            if i % 500 == 0 {
                let said = filter.stats(now).error_rate;
                assert!(said <= rate, "{said} of {rate}");
                expected += 500.0 * said;
            }
            wrong += u64::from(filter.observe(key(i), now).unwrap().is_duplicate());
        }
        let (live, _) = cells(&filter);
        let items = filter.stats(Tick((rounds - 1) * (T / 20_000))).items;
        assert!((real(live) / real(items) - 1.0).abs() <= 0.02, "{live} cells, {items} said");
        // Four deviations, and 2 % for what is counted by generation.
        let (wrong, slack) = (real(wrong), 0.02 * expected + 4.0 * expected.sqrt());
        println!("{rate}: {wrong} wrong, {expected:.0} expected of {:.0}", rate * real(rounds));
        assert!((wrong - expected).abs() <= slack, "{wrong} wrong, {expected} expected");
        assert!(wrong > 100.0 && wrong <= rate * real(rounds) + 4.0 * expected.sqrt());
    }
}

/// Bytes against what a plan takes for the keys of the last window, all along.
#[test]
fn a_climb_and_a_fall_keep_to_their_memory() {
    let mut clocked = Clocked::new(&within(T), 0);
    let (mut worst, mut history) = (0.0f64, Vec::new());
    for (keys, windows) in
        [(1000, 3), (2000, 3), (20_000, 3), (200_000, 2), (20_000, 4), (400, 6), (200_000, 1), (400, 4)]
    {
        for piece in 0..windows * 50 {
            clocked.stream(keys / 50, T / 50);
            history.push(crate::num::wide(clocked.seen.len()));
            // A fall is noticed a window and a generation later; then what it leaves has to drain for as long.
            let held = *history.iter().rev().take(120).max().unwrap();
            let plan = WindowTable::plan(&within(T).capacity(held.max(1))).unwrap();
            let bytes = clocked.filter.stats(Tick(clocked.now)).bytes;
            let ratio = real(bytes) / real(plan.bytes.max(1024));
            if ratio > worst {
                println!("{keys} a window, piece {piece}: {bytes} bytes for {held} keys, {ratio:.2} of the plan");
                worst = ratio;
            }
        }
        let stats = clocked.filter.stats(Tick(clocked.now));
        println!("{keys}: at last {} bytes, {} tables, {} keys", stats.bytes, stats.tables, clocked.seen.len());
    }
    assert!(worst <= 2.5, "{worst:.2} times the plan");
}

/// From nothing, at a steady rate: a window and a generation after a table was made it is the only one, and not much larger than
/// planned for the keys of a window. Four windows from the beginning no more are made.
#[test]
fn at_a_steady_rate_one_table_is_left() {
    for keys in [2_000, 3_000, 5_000, 7_000, 10_000, 20_000, 50_000, 70_000, 100_000, 150_000] {
        let mut filter = build(&within(T));
        let planned = WindowTable::plan(&within(T).capacity(keys)).unwrap().bytes;
        let (mut made, mut made_at) = (0, 0);
        for i in 0..8 * keys {
            let now = Tick(i * T / keys);
            filter.observe(key(i), now).unwrap();
            if i % (keys / 100) != 0 {
                continue;
            }
            let stats = filter.stats(now);
            if stats.shifts != made {
                (made, made_at) = (stats.shifts, i);
            }
            assert!(made_at <= 4 * keys, "{keys}: a table at {now:?}");
            // A part of the window more, since it is then that a filter looks.
            if i > keys + made_at + keys / 7 + keys / 50 {
                let fits = 20 * stats.bytes <= 23 * planned;
                assert!(stats.tables == 1 && fits, "{keys} at {now:?}: {stats:?}, planned {planned}");
            }
        }
        assert!(made > 2, "{keys} keys: it grew");
    }
}

#[test]
fn options_of_other_windows_are_refused_by_name() {
    let clock = last(10).clock(ClockSource::Manual);
    for (options, field) in [
        (last(10).capacity(5), "capacity"),
        (clock, "clock"),
        (last(10).on_limit(OnLimit::ForgetOldest), "on_limit"),
        (last(10).max_step_ns(5), "max_step_ns"),
        (last(10).window_ns(5), "window_ns"),
        (Options::new(Kind::WindowTable), "window_ns"),
        (last(10).age_bits(1), "age_bits"),
        (last(10).age_bits(6), "age_bits"),
        (last(10).k(3), "k"),
        (within(T).max_slices(30), "max_slices"),
    ] {
        let error = WindowTable::plan(&options).unwrap_err();
        assert_eq!(error.field().map(|field| field.name()), Some(field), "{options:?}: {error}");
    }
}

/// A line that is behind costs a key the wait for it: the walk is there before nearly all keys. Without it two keys of
/// seven meet one.
#[test]
fn few_keys_meet_a_line_that_is_behind() {
    const KEYS: u64 = 50_000;
    for options in [last(KEYS), within(KEYS).capacity(KEYS)] {
        let mut filter = build(&options);
        for i in 0..4 * KEYS {
            if i == 2 * KEYS {
                filter.hand.behind = 0;
            }
            filter.observe(key(i), Tick(i)).unwrap();
        }
        let behind = filter.hand.behind;
        assert!(behind < 2 * KEYS / 20, "{behind} lines of {} keys", 2 * KEYS);
    }
}

/// Most keys leave the sweep alone, and all of them count for it.
#[test]
fn every_key_counts_for_the_rounds_of_the_sweep() {
    let mut filter = build(&last(1000));
    for i in 0..5000 {
        assert_eq!(filter.hand.touches(), i);
        filter.observe(key(i), Tick(0)).unwrap();
    }
}

/// Keys that lines hold at this moment, one after the other: what the tally says without a look.
fn held(table: &Table, part: u64, as_of: u64) -> u64 {
    let free = |line: &[u64; 8], cell| (line[cell / 4] >> (cell % 4 * 16)) & 0xFFFF == 0;
    let of = |line| {
        let line = table.canonical(&table.shape.spot_of(line), part, as_of, false);
        (0..num::index(table.shape.layout.cells)).filter(|cell| !free(&line, *cell)).count()
    };
    num::wide((0..table.lines.len()).map(of).sum::<usize>())
}

/// Keys in bursts, some of which come back about a window later, when some lines have given up the burst before and others
/// have not: what is counted is what is there, so that no table is overfull before the next one comes.
#[test]
fn bursts_a_window_apart_keep_the_error_rate() {
    for (rate, percent) in [1e-2, 1e-3, 1e-5, 1e-7].into_iter().flat_map(|rate| [96, 99, 102, 105].map(|p| (rate, p))) {
        for keys in [500, 2000] {
            let options = within(T).error_rate(rate);
            let mut filter = build(&options);
            let shared = SharedFilter::new(&options).unwrap();
            let mut draws = super::tests::Draws(keys, percent);
            for round in 1..=40 {
                let now = Tick(round * (T / 100 * percent) + draws.below(T / 56));
                for i in 0..keys {
                    let key = key(draws.below(2 * keys));
                    filter.observe(key, now).unwrap();
                    shared.observe_hash_at(key, now).unwrap();
                    if i % 64 == 0 || i == keys - 1 {
                        let (stats, part) = (filter.stats(now), filter.core.position.part);
                        let rates = (stats.error_rate, shared.stats().error_rate);
                        assert!(rates.0 <= rate && rates.1 <= rate, "{rates:?} in round {round}: {keys} {options:?}");
                        let sealed = &filter.core.sealed;
                        let there: u64 = sealed.iter().map(|one| held(&one.table, part, one.as_of)).sum();
                        assert_eq!(stats.items, there + held(&filter.core.newest, part, part), "{keys} {options:?}");
                    }
                }
            }
        }
    }
}
