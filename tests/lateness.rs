//! Records out of order, as `docs/TIME.md` promises: with a window of T + L, records that arrive up to L late have every repeat
//! within T of their own time found, in either order of arrival. The oracle keeps every record with its own time.

mod common;

use std::collections::HashMap;

use common::SECOND;
use common::rng::Rng;
use lately::{ClockSource, Filter, Kind, Options, Tick, Verdict};

const WINDOW: u64 = 60 * SECOND;
const LATENESS: u64 = 45 * SECOND;
const ERROR_RATE: f64 = 1e-6;

/// A record: its key, and its own time.
type Record = (u64, u64);

/// One record every 10 ms of its own time; half of them repeat a key of the last 100 s. Each arrives up to `LATENESS` later
/// than one that was on time, in an order that only chance decides.
fn shuffled(records: u64, seed: u64) -> Vec<Record> {
    let mut rng = Rng(seed);
    let mut keys: Vec<u64> = Vec::new();
    let mut arrivals: Vec<(u64, Record)> = Vec::new();
    for i in 0..records {
        let back = usize::try_from(1 + rng.below(10_000)).expect("a small number");
        let repeats = rng.below(2) == 0 && back <= keys.len();
        let key = if repeats { keys[keys.len() - back] } else { i };
        keys.push(key);
        let time = 1000 * SECOND + i * SECOND / 100;
        arrivals.push((time + rng.below(LATENESS + 1), (key, time)));
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
    let options = Options::new(kind).clock(ClockSource::Manual).window_ns(window).error_rate(ERROR_RATE);
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
    let records = shuffled(60_000, 31);
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
    let told = tell(Kind::WindowTable, WINDOW, &shuffled(60_000, 31));
    assert!(told.missed > 100, "{told:?}");
}
