//! Records out of order, as `docs/reference/clocks.md` promises: with a lateness of L, a record that arrives up to L late is a duplicate of
//! every record within T before its own time and of every one after it, in either order of arrival, and of none that is more than T
//! and a generation before it. A window of T + L finds the same repeats, and more. The oracle keeps every record with its own time.

use crate::common;

use std::collections::HashMap;

use common::bytes::reloaded;
use common::handle::{self, Handle, Way};
use common::rng::Rng;
use common::{SECOND, build};
use lately::{Age, Clock, Filter, Kind, Options, Repeat, Tick, Unit, Verdict};

const WINDOW: u64 = 60 * SECOND;
const LATENESS: u64 = 45 * SECOND;
/// 24 of the 31 generations that a tag tells apart; the others are the window.
const MOST_LATENESS: u64 = WINDOW * 24 / 7;
const ERROR_RATE: f64 = 1e-6;

/// A record: its key, and its own time.
type Record = (u64, u64);

/// One record every 10 ms of its own time; half of them repeat a key of the last 100 s. Each arrives up to `lateness` later
/// than one that was on time, in an order that only chance decides.
fn shuffled(records: u64, lateness: u64, seed: u64) -> Vec<Record> {
    let mut rng = Rng(seed);
    let mut keys: Vec<u64> = Vec::new();
    let mut arrivals: Vec<(u64, Record)> = Vec::new();
    for i in 0..records {
        let back = usize::try_from(1 + rng.below(10_000)).expect("a small number");
        let repeats = rng.below(2) == 0 && back <= keys.len();
        let key = if repeats { keys[keys.len() - back] } else { i };
        keys.push(key);
        let time = 1000 * SECOND + i * SECOND / 100;
        arrivals.push((time + rng.below(lateness + 1), (key, time)));
    }
    arrivals.sort_unstable();
    arrivals.into_iter().map(|(_, record)| record).collect()
}

/// Repeats that had to be found, those that were not, and first sightings that were called duplicates.
#[derive(Debug, Default)]
struct Told {
    repeats: u64,
    missed: u64,
    /// Keys that were never within the window and the lateness and a generation of this record, and those found though.
    fresh: u64,
    found: u64,
}

/// Observes the records with this window.
fn tell(kind: Kind, window: u64, records: &[Record]) -> Told {
    let options = Options::new(kind).clock(Clock::Manual(Unit::Nanoseconds)).window_ns(window).error_rate(ERROR_RATE);
    let mut filter = Filter::new(&options).expect("a filter");
    let mut seen: HashMap<u64, Vec<u64>> = HashMap::new();
    let (mut told, mut clock) = (Told::default(), 0);
    for &(key, time) in records {
        let verdict = filter.observe_at(key.to_le_bytes(), Tick(time)).expect("a verdict");
        clock = clock.max(time);
        let times = seen.entry(key).or_default();
        let is_repeat = times.iter().any(|other| other.abs_diff(time) <= WINDOW);
        // Stored at the clock, which led each of these times by no more than the lateness.
        let is_fresh = times.iter().all(|other| clock > other + LATENESS + window + window / 4);
        told.repeats += u64::from(is_repeat);
        told.missed += u64::from(is_repeat && verdict == Verdict::New);
        told.fresh += u64::from(is_fresh);
        told.found += u64::from(is_fresh && verdict == Verdict::Duplicate);
        times.push(time);
    }
    told
}

#[test]
fn a_window_longer_by_the_lateness_finds_every_repeat_in_either_order() {
    let records = shuffled(60_000, LATENESS, 31);
    let late = records.windows(2).filter(|pair| pair[1].1 < pair[0].1).count();
    assert!(late > 25_000, "only {late} records arrived before an older one");
    for kind in [Kind::WindowTable, Kind::TimeLimited] {
        let told = tell(kind, WINDOW + LATENESS, &records);
        assert!(told.repeats > 15_000 && told.fresh > 25_000, "{kind:?}: {told:?}");
        assert_eq!(told.missed, 0, "{kind:?}: {told:?}");
        // 60,000 times 1e-6 is 0.06 expected: 4 are a chance of 1 in 2 million.
        assert!(told.found <= 3, "{kind:?}: {told:?}");
    }
}

/// The oracle can tell: with the window alone repeats of late records are missed, as the page says.
#[test]
fn the_window_alone_misses_repeats_of_late_records() {
    let told = tell(Kind::WindowTable, WINDOW, &shuffled(60_000, LATENESS, 31));
    assert!(told.missed > 100, "{told:?}");
}

fn late(lateness: u64) -> Options {
    common::table(WINDOW).lateness_ns(lateness).error_rate(ERROR_RATE)
}

/// A filter that judges records of any order, and all that the oracle knows of them.
struct Judge {
    filter: Box<dyn Handle>,
    lateness: u64,
    /// A generation.
    grain: u64,
    seen: HashMap<u64, Vec<u64>>,
    clock: u64,
    told: Told,
}

impl Judge {
    fn new(options: &Options, lateness: u64, is_divided: bool) -> Self {
        let grain = WINDOW / Filter::plan(options).expect("a plan").l + 1;
        let filter = handle::of(build(options), is_divided);
        Self { filter, lateness, grain, seen: HashMap::new(), clock: 0, told: Told::default() }
    }

    /// One record, which is in time. `stores` says whether a duplicate is seen again.
    fn judge(&mut self, (key, time): Record, stores: bool) {
        self.clock = self.clock.max(time);
        assert!(self.clock - time <= self.lateness, "the stream is in time");
        let times = self.seen.entry(key).or_default();
        let is_repeat = times.iter().any(|other| other.abs_diff(time) <= WINDOW);
        let is_fresh = times.iter().all(|other| time > other + WINDOW + self.grain);
        let latest = times.iter().max().copied();
        let age = self.filter.contains_age(&key.to_le_bytes(), Some(Tick(time))).expect("an answer");
        let (before, verdict) = (self.filter.found(key, time), self.filter.observed(key, time));
        assert_eq!(before, verdict, "contains says what observe does");
        assert_eq!(age.is_some(), verdict.is_duplicate(), "only a duplicate has an age");
        if let (Some(age), Some(latest)) = (age, latest.filter(|_| is_repeat)) {
            let true_age = time.saturating_sub(latest);
            assert!((age.at_least..=age.at_most).contains(&true_age), "{true_age} {age:?}");
            assert!(latest <= time + self.grain || age == Age::default(), "seen later, so 0 ago: {age:?}");
        }
        self.told.repeats += u64::from(is_repeat);
        self.told.missed += u64::from(is_repeat && verdict == Verdict::New);
        self.told.fresh += u64::from(is_fresh);
        self.told.found += u64::from(is_fresh && verdict == Verdict::Duplicate);
        if verdict == Verdict::New || stores {
            times.push(time);
        }
    }
}

/// Every kind of lateness and tag, on either handle, saved and loaded on the way.
#[test]
fn with_a_lateness_each_record_is_judged_at_its_own_time() {
    let rows = [
        (WINDOW / 50, None),
        (WINDOW / 10, None),
        (LATENESS, None),
        (WINDOW, None),
        (WINDOW, Some(5)),
        (1, Some(2)),
        (WINDOW * 3 / 2, None),
        (MOST_LATENESS, None),
        (2 * WINDOW, Some(2)),
    ];
    for (lateness, age_bits) in rows {
        let options = age_bits.map_or(late(lateness), |bits| late(lateness).age_bits(bits));
        for (repeat, is_divided) in [Repeat::Refresh, Repeat::KeepFirst].into_iter().zip([false, true]) {
            for is_divided in [is_divided, !is_divided] {
                let mut judge = Judge::new(&options.clone().repeat(repeat), lateness, is_divided);
                for (i, record) in shuffled(30_000, lateness, 31).into_iter().enumerate() {
                    judge.judge(record, repeat == Repeat::Refresh);
                    if i % 10_000 == 7000 {
                        judge.filter = handle::of(reloaded(&*judge.filter), is_divided);
                    }
                }
                let name = format!("{lateness} {age_bits:?} {repeat:?} {is_divided}: {:?}", judge.told);
                assert!(judge.told.repeats > 5000 && judge.told.fresh > 12_000, "{name}");
                assert_eq!(judge.told.missed, 0, "{name}");
                // 30,000 times 1e-6 is 0.03 expected in each of 36 rows: 4 are a chance of 1 in a million.
                assert!(judge.told.found <= 3, "{name}");
                let stats = judge.filter.stats();
                assert_eq!(stats.late_ticks, 0, "{name}");
                assert!(stats.error_rate <= ERROR_RATE, "{name}: {}", stats.error_rate);
            }
        }
    }
}

/// A generation is a seventh of the window or less, so the tags have more bits; where 5 are too few, an error names the most.
#[test]
fn lateness_longer_than_the_tags_allow_is_an_error_that_names_the_most() {
    let generations = |lateness: u64| Filter::plan(&late(lateness)).map(|plan| plan.l);
    for lateness in [1, WINDOW / 2, WINDOW, WINDOW * 8 / 7, WINDOW * 8 / 7 + 1, 2 * WINDOW, MOST_LATENESS] {
        assert!(generations(lateness).expect("a plan") >= 7, "{lateness}");
    }
    let refused = |options: &Options| Filter::plan(options).map(|plan| plan.l).expect_err("too late").to_string();
    assert_eq!(
        refused(&late(MOST_LATENESS + 1)),
        format!("lateness_ns = {}: must be 0 to {MOST_LATENESS} ns", MOST_LATENESS + 1)
    );
    let most = 2 * WINDOW;
    assert_eq!(refused(&late(most + 1).age_bits(2)), format!("lateness_ns = {}: must be 0 to {most} ns", most + 1));
    assert_eq!(refused(&late(1).window_ns(0)), "window_ns = 0: must be 1 to 18446744073709551615 ns");
    assert!(Filter::plan(&late(u64::MAX).window_ns(u64::MAX)).is_ok(), "a window of centuries");
}

/// One key, at the edges: of the window on both sides of a record, and of the lateness.
#[test]
fn the_edges_of_window_and_lateness_are_exact() {
    const START: u64 = 1000 * SECOND;
    let grain = WINDOW / Filter::plan(&late(LATENESS)).expect("a plan").l + 1;
    let verdict = |seen: u64, clock: u64, time: u64| {
        let mut filter = Way::Own.build(&late(LATENESS));
        filter.observed(1, seen);
        filter.observed(2, clock);
        filter.observed(1, time)
    };
    for shift in 0..200 {
        let seen = START + shift * (WINDOW / 200 + 1);
        let edge = seen + WINDOW;
        assert_eq!(verdict(seen, edge + LATENESS, edge), Verdict::Duplicate, "{shift}: the last moment of its window");
        assert_eq!(verdict(seen, edge + LATENESS, edge + grain), Verdict::New, "{shift}: a generation after it");
        assert_eq!(
            verdict(seen, seen, seen - LATENESS),
            Verdict::Duplicate,
            "{shift}: seen later than the latest record"
        );
        assert_eq!(verdict(seen, edge + LATENESS + 1, edge), Verdict::New, "{shift}: too late, so judged at the clock");
    }
}

#[test]
fn late_ticks_are_counted_and_the_largest_is_reported() {
    let mut filter = build(&late(LATENESS).max_step_ns(WINDOW));
    let at = |filter: &mut Filter, time: u64| filter.observe_at(b"key", Tick(time));
    let told = |filter: &Filter| {
        let stats = filter.stats();
        (stats.late_ticks, stats.max_lateness_ns, stats.refused_ticks, stats.last_refused_tick)
    };
    assert_eq!(told(&filter), (0, 0, 0, Tick(0)));
    at(&mut filter, 2 * WINDOW).expect("the first tick");
    at(&mut filter, 2 * WINDOW - LATENESS).expect("in time");
    assert_eq!(told(&filter), (0, LATENESS, 0, Tick(0)));
    at(&mut filter, 2 * WINDOW - LATENESS - 1).expect("late, and judged");
    assert_eq!(told(&filter), (1, LATENESS + 1, 0, Tick(0)));
    at(&mut filter, 3 * WINDOW + 1).expect_err("a step that is too long");
    assert_eq!(told(&filter), (1, LATENESS + 1, 1, Tick(3 * WINDOW + 1)));
    filter.stats_reset();
    assert_eq!(told(&filter), (0, 0, 0, Tick(0)));
}

/// A late sighting is kept with its own time: it does not lengthen the window of its key, and does not shorten it.
#[test]
fn a_late_sighting_moves_no_expiry() {
    const START: u64 = 1000 * SECOND;
    let grain = WINDOW / Filter::plan(&late(WINDOW)).expect("a plan").l + 1;
    for inserts in [false, true] {
        let mut filter = build(&late(WINDOW));
        let mut tell = |key: u64, time: u64| {
            let (key, now) = (key.to_le_bytes(), Tick(time));
            if inserts { filter.insert_at(key, now) } else { filter.observe_at(key, now).map(drop) }.expect("in time");
        };
        tell(0, START + WINDOW);
        tell(1, START); // late, and new
        tell(2, START + WINDOW);
        tell(2, START); // late, and known
        let at =
            |key: u64, time: u64| filter.contains_at(key.to_le_bytes(), Tick(time)).expect("a verdict").is_duplicate();
        assert!(at(1, START + WINDOW) && !at(1, START + WINDOW + grain), "as if it had come in time");
        assert!(at(2, START + 2 * WINDOW), "counted from the later of both");
    }
}

/// At an eighth of the memory that it needs: whatever had to go, the reach that `stats` tell is that of records in time, too.
#[test]
fn the_reach_at_a_memory_limit_counts_from_each_record() {
    for is_divided in [false, true] {
        let settled = Filter::plan(&late(WINDOW).capacity(5000)).expect("a plan").bytes;
        let options = late(WINDOW / 4).memory(settled / 8);
        let mut judge = Judge::new(&options, WINDOW / 4, is_divided);
        let (mut checks, mut least) = (0, WINDOW);
        // Every minute and a half the load falls to a quarter, for as long: the reach grows again.
        let stream = shuffled(120_000, WINDOW / 4, 7).into_iter();
        for (i, (key, time)) in stream.filter(|(key, time)| time / (90 * SECOND) % 2 == 0 || key % 4 == 0).enumerate() {
            let reach = judge.filter.stats().reach_ns;
            let times = judge.seen.entry(key).or_default();
            let is_within = times.iter().any(|other| (time.saturating_sub(reach)..=time).contains(other) && reach > 0);
            times.push(time);
            let verdict = judge.filter.observed(key, time);
            assert!(!is_within || verdict == Verdict::Duplicate, "record {i}, reach {reach}");
            checks += u64::from(is_within && reach < WINDOW);
            least = least.min(reach);
        }
        assert!(checks > 1000 && (1..WINDOW * 3 / 4).contains(&least), "{checks} checks, reach down to {least}");
        assert!(judge.filter.stats().bytes_peak <= settled / 8);
    }
}

/// After a flood so few keys come that they cannot bring all lines up to date, and wait in the stash; late ones, too.
#[test]
fn late_records_are_found_where_keys_wait_in_the_stash() {
    const START: u64 = 1000 * SECOND;
    for is_divided in [false, true] {
        let mut judge = Judge::new(&late(WINDOW), WINDOW, is_divided);
        for key in 0..400_000 {
            judge.filter.observed(key | (1 << 63), START);
        }
        let trickle = shuffled(60_000, 2 * WINDOW / 5, 3).into_iter().filter(|(_, time)| time % (SECOND / 2) == 0);
        let mut most = 0;
        for (key, time) in trickle {
            // Keys of one hundred: most come again and again.
            judge.judge((key % 100, START + SECOND + (time - START)), true);
            most = most.max(judge.filter.stats().stashed);
        }
        assert!(most > 50, "{most} in the stash at most");
        assert!(judge.told.repeats > 800 && judge.told.missed == 0, "{:?}", judge.told);
    }
}
