//! A window table that is divided among its locks: what one section does without the others, and all of them in every order of
//! silence, skew, late ticks, refused ticks, copies and clears.

use crate::common;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use common::bytes::reloaded;
use common::handle::{Verb, snapshot};
use common::num::{index, real, wide};
use common::promised::{Promised, ages_agree};
use common::rng::Rng;
use common::{long_or, odds};
use lately::{Field, Filter, LoadOptions, Options, Repeat, SharedFilter, Stats, Tick, Verdict, hash64};

/// A window of 56 parts of 1,000 ticks each.
const WINDOW: u64 = 56_000;
const PART: u64 = 1000;

/// From this age on a key is dead: a window and a generation.
const DEAD: u64 = 64 * PART + 1;

const RATE: f64 = 1e-3;

/// Comparisons with an error rate in this file.
const COMPARISONS: u32 = 40;

fn of_time() -> Options {
    common::table(WINDOW).error_rate(RATE)
}

fn divided(options: &Options) -> SharedFilter {
    common::divided(common::build(options))
}

fn observe(filter: &SharedFilter, key: u64, tick: u64) -> bool {
    filter.observe_at(key.to_le_bytes(), Tick(tick)).expect("a tick").is_duplicate()
}

fn finds(filter: &SharedFilter, key: u64, tick: u64) -> bool {
    filter.contains_at(key.to_le_bytes(), Tick(tick)).expect("a tick").is_duplicate()
}

/// Which of the eight sections a key is in.
fn section(key: u64) -> u64 {
    let hash = hash64(&key.to_le_bytes(), 0);
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ (mixed >> 32)) % 8
}

/// Keys of one section, from a number on.
fn keys_of(only: u64, from: u64) -> impl Iterator<Item = u64> {
    (from..).filter(move |key| section(*key) == only)
}

/// Keys of one section have an eighth of the lines, so that these must be many. Keys that were split among filters by their hash, as the
/// page about threads tells, are in all sections.
#[test]
fn keys_that_are_split_by_their_hash_are_in_every_section() {
    let bytes = |keys: &mut dyn Iterator<Item = u64>| {
        let mut filter = common::build(&of_time());
        for key in keys.take(20_000) {
            common::observe(&mut filter, key, 0);
        }
        filter.stats().bytes
    };
    let any = bytes(&mut (0..));
    let of_one = bytes(&mut keys_of(3, 0));
    assert!(of_one > 4 * any, "{of_one} bytes for keys of one section, {any} for any");
    for filters in [2, 8, 64] {
        let split = bytes(&mut (0u64..).filter(|key| hash64(&key.to_le_bytes(), 0) % filters == 1));
        assert!(split < any + any / 8, "{split} bytes for one of {filters} filters, {any} for any keys");
    }
}

/// Only one section is called for a while, then all others: whatever the length of that, the ones that rested forget what is dead
/// and nothing else.
#[test]
fn sections_that_rest_for_any_time_miss_nothing_and_find_nothing_dead() {
    // Around a part, a generation, the window, a lifetime (72 parts), powers of two, and far beyond.
    let rests =
        [0, 1, 7, 8, 9, 55, 56, 57, 63, 64, 65, 71, 72, 73, 80, 128, 255, 256, 257, 264, 512, 1023, 1024, 1_000_000];
    let (mut dead, mut found) = (0, 0);
    for (round, &rest) in rests.iter().enumerate() {
        for gap in [PART / 3, PART, 10 * PART, rest * PART] {
            let filter = divided(&of_time());
            let start = 7 + wide(round) * PART / 5;
            (0..1000).for_each(|key| observe_quietly(&filter, key, start + key));
            let end = start + 1000 + rest * PART;
            let calls = (rest * PART / gap.max(1)).min(300);
            for (i, key) in keys_of(3, 1 << 40).cycle_of(5).take(index(calls)).enumerate() {
                observe_quietly(&filter, key, start + 1000 + rest * PART * wide(i) / calls);
            }
            for key in 0..1000 {
                let age = end - (start + key);
                let is_found = [finds(&filter, key, end), observe(&filter, key, end)];
                assert_eq!(is_found[0], is_found[1], "{rest} parts, calls each {gap}: key {key}");
                assert!(
                    is_found[0] || age > WINDOW,
                    "{rest} parts, calls each {gap}: key {key} of age {age} is missed"
                );
                dead += u64::from(age >= DEAD);
                found += u64::from(age >= DEAD && is_found[0]);
            }
            assert!(filter.stats().error_rate <= RATE, "{:?}", filter.stats());
        }
    }
    odds::expect_at_most(found, real(dead) * RATE, COMPARISONS, "dead keys");
}

/// The same of a window of keys, whose sections rest while one of them is called: a section that is not called follows the count of all.
#[test]
fn sections_of_a_window_of_keys_that_rest_find_nothing_dead() {
    const KEYS: u64 = 2000;
    let (mut dead, mut found) = (0, 0);
    for windows in 2..24 {
        let filter = divided(&Options::last(KEYS).error_rate(RATE));
        let bring = |key: u64| assert!(filter.observe(key.to_le_bytes()).is_ok());
        (0..KEYS).for_each(bring);
        keys_of(3, 1 << 40).cycle_of(5).take(index(windows * KEYS)).for_each(bring);
        dead += KEYS;
        found += wide((0..KEYS).filter(|key| filter.contains(key.to_le_bytes()).is_duplicate()).count());
    }
    odds::expect_at_most(found, real(dead) * RATE, COMPARISONS, "dead keys");
}

/// So few keys come after a flood that most lines are behind when the table is divided. A section must not say that it has met them:
/// a tag tells 8 generations apart, so that a dead cell would be as good as new.
#[test]
fn section_whose_lines_were_behind_when_it_was_divided_finds_nothing_dead() {
    const FLOOD: u64 = 100_000;
    let mut alone = common::build(&of_time());
    for key in 0..FLOOD {
        common::observe(&mut alone, key, 0);
    }
    let (before, after) = ([40, 60, 123], [131, 171, 234, 297]);
    let mut few = keys_of(3, 1 << 40);
    for (part, key) in before.into_iter().zip(&mut few) {
        common::observe(&mut alone, key, part * PART);
    }
    let filter = common::divided(alone);
    for (part, key) in after.into_iter().zip(&mut few) {
        observe_quietly(&filter, key, part * PART);
    }
    let dead: Vec<u64> = keys_of(3, 0).take_while(|key| *key < FLOOD).collect();
    let found = wide(dead.iter().filter(|key| finds(&filter, **key, after[3] * PART)).count());
    odds::expect_at_most(found, real(wide(dead.len())) * RATE, COMPARISONS, "dead keys");
}

/// Divided with any number of lines: the sections have all of them, each grows on from there, and none of its keys is lost.
#[test]
fn a_filter_that_is_divided_while_it_grows_loses_nothing() {
    for before in (0..3000).step_by(17) {
        let mut alone = common::build(&of_time());
        for key in 0..before {
            common::observe(&mut alone, key, key % PART);
        }
        let filter = common::divided(alone);
        for key in before..before + 1500 {
            observe_quietly(&filter, key, PART);
        }
        let lost = (0..before + 1500).find(|key| !finds(&filter, *key, PART));
        assert_eq!(lost, None, "divided after {before} keys");
    }
}

/// Removals make lines too many: what is loaded after them merges lines with the same calls as its original.
#[test]
fn a_loaded_filter_continues_as_its_original_after_removals() {
    let mut one = common::build(&of_time());
    (0..40_000).for_each(|key| {
        common::observe(&mut one, key, PART);
    });
    for key in 0..20_000_u64 {
        assert_eq!(one.remove_at(key.to_le_bytes(), Tick(PART)), Ok(true), "{key}");
    }
    let mut other = reloaded(&one);
    for key in 40_000..40_010 {
        common::observe(&mut one, key, PART);
        common::observe(&mut other, key, PART);
    }
    assert!(snapshot(&one) == snapshot(&other));
}

/// Where fewer than eight lines are still to be split, sections of some phases have none.
#[test]
fn a_table_that_is_divided_just_below_a_power_of_two_misses_nothing() {
    for lines in [1017, 1018, 1023, 1024, 1025] {
        let mut alone = common::build(&of_time());
        let grown = (0..).find(|key| {
            common::observe(&mut alone, *key, PART);
            alone.stats().newest_slice_bits / 512 >= lines
        });
        let (filter, known) = (common::divided(alone), grown.expect("it grows"));
        let loaded = Filter::load(&snapshot(&filter), &LoadOptions::new(Duration::ZERO));
        assert!(loaded.is_ok(), "{lines} lines: {loaded:?}");
        (known..3 * known).for_each(|key| observe_quietly(&filter, key, PART));
        let lost = (0..3 * known).filter(|key| !finds(&filter, *key, PART)).count();
        assert_eq!(lost, 0, "{lines} lines");
    }
}

/// The keys of a map come to the stashes of eight sections all at once, and are swept a few with each call.
#[test]
fn a_filter_that_leaves_its_map_can_be_loaded_at_each_key() {
    let filter = divided(&of_time());
    for key in 0..2500 {
        observe_quietly(&filter, key, PART + key);
        let bytes = snapshot(&filter);
        let loaded = Filter::load(&bytes, &LoadOptions::new(Duration::ZERO));
        let loaded = loaded.unwrap_or_else(|error| panic!("key {key}: {error}"));
        assert!(snapshot(&loaded) == bytes, "key {key}");
    }
}

/// Traffic that changes its rate up to four hundredfold and falls silent, and a filter that is divided in the middle of it,
/// while it grows, shrinks, sweeps or gives memory back, and is saved and loaded now and then: no key is missed.
#[test]
fn a_filter_that_is_divided_in_changing_traffic_misses_nothing() {
    let (mut absent, mut found) = (0, 0);
    for seed in 0..40 * long_or(10) {
        let mut rng = Rng(900 + seed);
        let (phases, at) = (12, 1 + rng.below(10));
        let (mut filter, mut now) = (SharedFilter::new(&of_time()).expect("a filter"), 0);
        let mut seen = HashMap::new();
        for phase in 0..phases {
            let (calls, step) = (rng.below(3000), [1, 4, 40, 400][index(rng.below(4))]);
            for call in 0..calls {
                if phase == at && call == calls / 2 {
                    lately::abi::divide(&filter);
                }
                now += rng.below(2 * step);
                let key = rng.below(6000 * (1 + seed % 4));
                let last = seen.insert(key, now);
                let is_found = observe(&filter, key, now);
                let age = last.map_or(u64::MAX, |last| now - last);
                assert!(is_found || age > WINDOW, "seed {seed}, phase {phase}: key {key} of age {age} is missed");
                absent += u64::from(age >= DEAD);
                found += u64::from(age >= DEAD && is_found);
            }
            let stats = filter.stats();
            assert!(stats.error_rate <= RATE, "seed {seed}, phase {phase}: {stats:?}");
            now += [0, PART, 30 * PART, 80 * PART][index(rng.below(4))];
            if rng.below(3) == 0 {
                // Saved, loaded, used and saved again, whether divided or not.
                filter =
                    SharedFilter::load(&snapshot(&filter), &LoadOptions::new(Duration::ZERO)).expect("its snapshot");
            }
        }
    }
    odds::expect_at_most(found, real(absent) * RATE, COMPARISONS, "absent keys");
    assert!(absent > 100_000, "only {absent} absent keys");
}

/// A verdict that does not matter.
fn observe_quietly(filter: &SharedFilter, key: u64, tick: u64) {
    observe(filter, key, tick);
}

/// The first of them again and again.
trait CycleOf: Iterator<Item = u64> + Sized {
    fn cycle_of(self, n: usize) -> std::iter::Cycle<std::vec::IntoIter<u64>> {
        self.take(n).collect::<Vec<u64>>().into_iter().cycle()
    }
}

impl<I: Iterator<Item = u64>> CycleOf for I {}

/// All keys of a window in one section, then all in the next: an exact map is never contradicted, and the sections together keep
/// to the error rate and to `memory`.
#[test]
fn keys_of_one_section_after_the_other_are_found() {
    for memory in [0, 8192] {
        let options = if memory == 0 { of_time() } else { of_time().memory(memory) };
        let filter = divided(&options);
        let (mut seen, mut now, mut absent_keys, mut errors) = (HashMap::new(), 0, 0, 0);
        let mut rng = Rng(memory);
        for turn in 0..24 {
            let keys: Vec<u64> = keys_of(turn * 3 % 8, turn << 32).take(index(2000 * long_or(10))).collect();
            for _ in 0..keys.len() * 2 {
                now += rng.below(2 * WINDOW / wide(keys.len()));
                let key = keys[index(rng.below(wide(keys.len())))];
                let reach = filter.stats().reach_ns;
                let is_found = observe(&filter, key, now);
                match seen.insert(key, now).map(|at| now - at) {
                    Some(age) if age < reach || reach == WINDOW && age == WINDOW => {
                        assert!(is_found, "key {key} of age {age} is missed, reach {reach}, turn {turn}");
                    }
                    Some(age) if age < DEAD => {}
                    _ => (absent_keys, errors) = (absent_keys + 1, errors + u64::from(is_found)),
                }
            }
            let stats = filter.stats();
            assert!(stats.error_rate <= RATE, "turn {turn}: {stats:?}");
            assert!(memory == 0 || stats.bytes_peak <= memory, "turn {turn}: {stats:?}");
            assert!(memory > 0 || (stats.reach_ns, stats.forgotten) == (WINDOW, 0), "turn {turn}: {stats:?}");
        }
        odds::expect_at_most(errors, real(absent_keys) * RATE, COMPARISONS, "absent keys");
    }
}

/// Of a window of keys all sections have one count: the last `n` calls are found whichever section they went to, as the unshared
/// filter finds them.
#[test]
fn skewed_calls_of_a_window_of_keys_count_for_all_sections() {
    let n = 3000;
    let options = Options::last(n).error_rate(1e-9);
    let (filter, mut alone) = (divided(&options), common::build(&options));
    let mut calls = 0;
    for turn in 0..40 {
        for key in keys_of(turn * 5 % 8, turn << 32).take(index(n / 7)) {
            let key = key.to_le_bytes();
            assert_eq!(filter.observe(key), alone.observe(key));
            calls += 1;
        }
        for back in 0..turn.min(8) {
            let turn = turn - back;
            for key in keys_of(turn * 5 % 8, turn << 32).take(index(n / 7)).map(u64::to_le_bytes) {
                assert_eq!(filter.contains(key), alone.contains(key), "{back} turns back of {turn}, {calls} calls");
            }
        }
    }
    let kept = |stats: Stats| stats.items + stats.stashed;
    assert_eq!(kept(filter.stats()), kept(alone.stats()));
}

/// What a lock has drawn of the count and not used goes back when all locks are taken: a program that is watched all the time has the
/// window that it asked for.
#[test]
fn calls_that_take_all_locks_do_not_shorten_a_window_of_keys() {
    const KEYS: u64 = 1 << 22;
    let filter = divided(&Options::last(KEYS).error_rate(1e-9));
    for key in 0..450_000u64 {
        assert_eq!(filter.observe(key.to_le_bytes()), Ok(Verdict::New), "key {key}");
        if key % 8 == 0 {
            filter.stats_reset();
        }
    }
    let missed = (0..450_000u64).filter(|key| !filter.contains(key.to_le_bytes()).is_duplicate()).count();
    assert_eq!(missed, 0, "of the last ninth of the window");
}

/// A step that is too long is refused as the unshared filter refuses it, to the nanosecond, whichever section saw the clock last; so
/// are plain calls judged at that clock.
#[test]
fn steps_are_refused_and_plain_calls_judged_by_the_clock_of_all() {
    for most in [1, 3, PART / 2, PART, 5 * PART, WINDOW, 3 * WINDOW] {
        let options = of_time().error_rate(1e-9).max_step_ns(most);
        let (filter, mut alone) = (common::divided(common::started(&options)), common::started(&options));
        let mut promised = Promised::new(WINDOW, Repeat::Refresh, 1e-9);
        let (mut rng, mut clock, mut refused) = (Rng(most), 0, 0);
        for i in 0..20_000 {
            let key = rng.below(500);
            let step = [0, most - 1, most, most, most + 1, 2 * most, most / 2][index(rng.below(7))];
            let now = if rng.once_in(8) { Tick(clock - clock.min(step)) } else { Tick(clock + step) };
            let bytes = key.to_le_bytes();
            let (did, tick, told) = match rng.below(6) {
                0 => (Verb::Contains, now.0, (filter.contains_at(bytes, now), alone.contains_at(bytes, now))),
                1 => (Verb::Observe, 0, (filter.observe(bytes), alone.observe(bytes))),
                2 => (Verb::Contains, 0, (Ok(filter.contains(bytes)), Ok(alone.contains(bytes)))),
                _ => (Verb::Observe, now.0, (filter.observe_at(bytes, now), alone.observe_at(bytes, now))),
            };
            match &told {
                (Ok(many), Ok(one)) => promised.judge(key, tick, [*many, *one], did, None),
                (many, one) => assert_eq!(many, one, "{most}: {i}, {now:?}"),
            }
            let ages = [filter.contains_age(bytes), alone.contains_age(bytes)].map(|age| age.expect("ages"));
            // Longer steps let a section rest until its generations begin at other moments.
            assert!(most > PART || ages_agree(ages, WINDOW, 0), "{most}: {i}, {ages:?}");
            refused += u64::from(told.1.is_err());
            clock = alone.stats().clock.0;
        }
        let counts = (filter.stats().refused_ticks, filter.stats().clock);
        assert_eq!(counts, (alone.stats().refused_ticks, alone.stats().clock), "{most}");
        assert!(refused > 1000, "{most}: {refused}");
        promised.expect_within_the_rate(COMPARISONS, &format!("steps of {most}"));
    }
}

/// The sections together have the counts of the table that was divided, whatever eight does not divide.
#[test]
fn a_division_leaves_the_counts_as_they_are() {
    let counts = |stats: Stats| [stats.moved, stats.forgotten, stats.deferred, stats.items, stats.removed];
    for keys in 20_000..20_008 {
        let mut alone = common::build(&of_time().memory(32 << 10));
        for key in 0..keys {
            common::observe(&mut alone, key, key / 2);
        }
        let before = counts(alone.stats());
        let filter = common::divided(alone);
        assert!(observe(&filter, keys - 1, keys / 2), "{keys}");
        assert_eq!(counts(filter.stats()), before, "{keys}");
        assert!(before[0] > 0 && before[1] > 0, "{before:?}");
    }
}

/// A late tick counts as the clock, also to a section that has not been called since long before it: the key is found for a whole
/// window from then on, and its age is known to a part. Each section, since the generations of each begin with another part.
#[test]
fn a_tick_that_is_late_to_another_section_counts_as_the_clock() {
    let parts = (1..=16).map(|parts| parts * PART);
    for lead in parts.chain([2 * PART + 1, 30 * PART, WINDOW, 3 * WINDOW]) {
        (0..8).for_each(|section| a_late_tick_counts_as_the_clock(lead, section));
    }
}

fn a_late_tick_counts_as_the_clock(lead: u64, section: u64) {
    let filter = divided(&of_time().error_rate(1e-9));
    let start = 5 * WINDOW;
    (0..200).for_each(|key| observe_quietly(&filter, key, start));
    let now = start + lead;
    keys_of((section + 3) % 8, 1 << 40).take(20).for_each(|key| observe_quietly(&filter, key, now));
    for key in keys_of(section, 1 << 41).take(20) {
        assert!(!observe(&filter, key, start + lead / 3), "lead {lead}");
        let age = filter.contains_age(key.to_le_bytes()).expect("ages").expect("it was seen");
        assert!(age.at_least == 0 && age.at_most <= WINDOW / 7 + PART, "lead {lead}: {age:?}");
    }
    for key in 0..200 {
        let is_found = finds(&filter, key, start);
        assert_eq!(is_found, finds(&filter, key, now), "lead {lead}: key {key}, asked at a late tick");
        assert!(is_found == (lead <= WINDOW) || (WINDOW..DEAD).contains(&lead), "lead {lead}: key {key}");
    }
    let missed = keys_of(section, 1 << 41).take(20).filter(|key| !finds(&filter, *key, now + WINDOW)).count();
    assert_eq!(missed, 0, "lead {lead}, section {section}: keys that came with a late tick");
}

/// What is loaded, by either handle, answers as what was saved does, and continues to answer so.
#[test]
fn a_divided_filter_is_saved_and_goes_on_as_both_handles() {
    let last = Options::last(3000).error_rate(RATE);
    for (options, timed) in [(of_time(), true), (of_time().memory(4096), true), (last, false)] {
        let filter = divided(&options);
        let (mut rng, mut now) = (Rng(11), 0);
        let step = |rng: &mut Rng, now: &mut u64| {
            *now += if rng.once_in(2000) { 3 * WINDOW } else { rng.below(30) };
            (rng.below(9000).to_le_bytes(), Tick(*now))
        };
        for round in 0..6 {
            for _ in 0..4000 {
                let (key, tick) = step(&mut rng, &mut now);
                let told = if timed { filter.observe_at(key, tick) } else { filter.observe(key) };
                told.expect("a verdict");
            }
            let (bytes, load) = (snapshot(&filter), LoadOptions::new(Duration::ZERO));
            let mut one = Filter::load(&bytes, &load).expect("good bytes");
            let many = SharedFilter::load(&bytes, &load).expect("good bytes");
            let source = filter.unshared().expect("memory");
            lately::abi::divide(&many);
            // What was short of memory tries again once it is loaded, and may keep more than what was saved.
            let is_short = source.stats().deferred > 0;
            assert!(is_short || snapshot(&many) == bytes, "round {round}");
            let mut source = source;
            for _ in 0..4000 {
                let (key, tick) = step(&mut rng, &mut now);
                let told = if timed {
                    [source.observe_at(key, tick), one.observe_at(key, tick), many.observe_at(key, tick)]
                } else {
                    [source.observe(key), one.observe(key), many.observe(key)]
                };
                assert_eq!(told[1], told[2], "round {round} at {tick:?}");
                assert!(is_short || told[0] == told[1], "round {round} at {tick:?}: {told:?}");
            }
            let stats = many.stats();
            assert!(stats.error_rate <= RATE, "{stats:?}");
            assert_eq!(stats.items, one.stats().items, "round {round}");
            assert!(is_short || stats.items == source.stats().items, "round {round}");
        }
    }
}

/// Observes at tick 0, which a clock that was cleared needs, or in a window of keys.
fn observe_now(filter: &SharedFilter, options: &Options, key: u64) {
    let (bytes, is_timed) = (key.to_le_bytes(), options.number_of(Field::WindowNs) > 0);
    let told = if is_timed { filter.observe_at(bytes, Tick(0)) } else { filter.observe(bytes) };
    assert!(told.is_ok(), "{told:?}");
}

/// Threads observe while one of them clears: keys from before the last clear are gone, those after it are found, and what the
/// filter takes is what a new one takes for them.
#[test]
fn a_clear_while_threads_run_forgets_what_came_before_it_and_nothing_else() {
    const THREADS: u64 = 4;
    for options in [of_time(), Options::last(100_000).error_rate(RATE)] {
        let filter = divided(&options);
        // Odd while a clear is on its way.
        let clears = AtomicU64::new(0);
        let run = |thread: u64| {
            let mut keys = Vec::new();
            for i in 0..4000 * long_or(10) {
                let (key, before) = ((thread << 40) | i, clears.load(SeqCst));
                observe_now(&filter, &options, key);
                keys.push((key, before, clears.load(SeqCst)));
                if thread == 0 && i % 500 == 250 {
                    clears.fetch_add(1, SeqCst);
                    filter.clear();
                    clears.fetch_add(1, SeqCst);
                }
            }
            keys
        };
        let run = &run;
        let keys: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || run(thread))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")).collect()
        });
        let last = clears.into_inner();
        let (mut gone, mut errors, mut there) = (0, 0, 0);
        for (key, before, after) in keys {
            let is_found = filter.contains(key.to_le_bytes()).is_duplicate();
            if before == last {
                assert!(is_found, "{options:?}: key {key:x} came after the last clear");
                there += 1;
            } else if after + 1 < last {
                (gone, errors) = (gone + 1, errors + u64::from(is_found));
            }
        }
        assert!(gone > 1000 && there > 100, "{gone} gone, {there} there");
        odds::expect_at_most(errors, real(gone) * RATE, COMPARISONS, "keys from before a clear");
        filter.clear();
        assert_eq!((filter.stats().items, filter.stats().bytes), (0, common::build(&options).stats().bytes));
    }
}
