//! A window table in traffic that is never steady: exact answers, the error at every moment, and bits a live key.
//!
//! One set of runs, which every test here reads: windows of 10,000 and 40,000 sightings; with `LATELY_LONG=1` of 100,000 and
//! 1,000,000. `LATELY_SIZE=number` runs another size, `LATELY_ONLY=words` the traffics whose name contains them, with
//! every sample printed.

use crate::common;

mod bounds;
pub(crate) mod judge;
pub(crate) mod limited;
pub(crate) mod stream;
pub(crate) mod traffics;

use std::sync::LazyLock;

use bounds::{AFTER_A_DEEP_FALL, BOUNDS, Bound, FIRST_TABLE, OF_KEYS, RATES, SMALL, allowance};
use common::num::real;
use common::{num, odds, rng};
pub(crate) use judge::of_time;
use judge::{Report, Run, Span, judge, judge_all};
use lately::{Filter, Options, SharedFilter, Tick};
use traffics::TRAFFICS;

/// Rates beyond those that have bounds of memory, and the traffics that strain the error most.
const MORE_RATES: [f64; 7] = [1e-1, 1e-2, 1e-4, 1e-5, 1e-7, 1e-8, 1e-9];
const STRAINS: [&str; 3] = ["steady from nothing", "burst of twenty", "doubling"];

fn sizes() -> Vec<u64> {
    let asked = std::env::var("LATELY_SIZE").ok().map(|size| size.parse().expect("LATELY_SIZE is a number"));
    let usual = if common::long_or(2) > 1 { vec![100_000, 1_000_000] } else { vec![10_000, 40_000] };
    asked.map_or(usual, |size| vec![size])
}

/// Words of the traffics that are run alone.
fn only() -> Option<String> {
    std::env::var("LATELY_ONLY").ok()
}

fn runs_of(size: u64) -> Vec<Run> {
    let mut runs = Vec::new();
    let steady = traffics::named("steady from nothing");
    let run = Run {
        traffic: steady,
        span: Span::Time,
        size,
        repeats: 0.5,
        error_rate: f64::NAN,
        is_divided: false,
        memory: None,
    };
    for traffic in TRAFFICS {
        for &repeats in traffic.keys.shares() {
            runs.extend(RATES.map(|error_rate| Run { traffic, repeats, error_rate, ..run }));
        }
    }
    for traffic in STRAINS.map(traffics::named) {
        runs.extend(MORE_RATES.map(|error_rate| Run { traffic, error_rate, ..run }));
    }
    for (error_rate, _) in OF_KEYS {
        runs.extend([0.5, 0.0].map(|repeats| Run { span: Span::Keys, repeats, error_rate, ..run }));
    }
    runs
}

/// Every traffic on a divided filter, each at one rate in turn, and windows of keys.
fn divided_runs_of(size: u64) -> Vec<Run> {
    let alone = runs_of(size).into_iter().filter(|run| RATES.contains(&run.error_rate));
    alone.map(|run| Run { is_divided: true, ..run }).collect()
}

static REPORTS: LazyLock<Vec<Report>> = LazyLock::new(|| {
    let words = only().unwrap_or_default();
    let divided = sizes().into_iter().take(1).flat_map(divided_runs_of);
    let runs = sizes().into_iter().flat_map(runs_of).chain(divided).filter(|run| run.traffic.name.contains(&words));
    let reports = judge_all(&runs.collect::<Vec<Run>>());
    reports.iter().for_each(|report| println!("{}", report.line()));
    if only().is_some() {
        reports.iter().for_each(print_samples);
    }
    reports
});

fn print_samples(report: &Report) {
    println!("{}", report.run.name());
    for sample in &report.samples {
        let error = sample.error_rate / report.run.error_rate;
        println!("{:6.2} live {:9} bits {:7.1} error {error:5.3}", sample.at, sample.live, sample.bits());
    }
}

fn none(failed: &[String]) {
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// The runs of which something is true.
fn lines(of: impl Fn(&Report) -> bool) -> Vec<String> {
    REPORTS.iter().filter(|report| of(report)).map(Report::line).collect()
}

/// Every repeat, and every key at the very edge of the window.
#[test]
fn no_key_of_the_window_is_missed() {
    none(&lines(|report| report.missed.hits > 0));
}

/// Beyond the window and a generation a key is found by error alone.
#[test]
fn no_key_is_found_beyond_a_generation() {
    none(&lines(|report| is_too_many(report, report.late)));
}

/// The same over all runs at small rates together, since one of them expects less than one hit.
#[test]
fn no_key_is_found_beyond_a_generation_at_small_rates() {
    let small = || REPORTS.iter().filter(|report| report.run.error_rate < 1e-5);
    let expected: f64 = small().map(|report| report.run.error_rate * real(report.late.asked)).sum();
    let hits: u64 = small().map(|report| report.late.hits).sum();
    println!("late at small rates: {hits}, expected at most {expected:.3}");
    assert!(odds::at_least(expected, hits) >= 0.01 / comparisons(), "{hits} hits, expected at most {expected:.3}");
}

/// Keys that the exact map does not have.
#[test]
fn new_keys_are_called_duplicates_at_the_target_at_most() {
    none(&lines(|report| is_too_many(report, report.fresh) || is_too_many(report, report.absent)));
}

/// Comparisons of hits with what is expected, in this file.
fn comparisons() -> f64 {
    4.0 * real(num::wide(REPORTS.len()))
}

fn is_too_many(report: &Report, count: judge::Count) -> bool {
    odds::at_least(real(count.asked) * report.run.error_rate, count.hits) < 0.01 / comparisons()
}

/// Asked for ten times in each part of a window, twice in the check.
#[test]
fn the_error_is_below_the_target_at_every_moment() {
    none(&lines(|report| report.worst_error() > report.run.error_rate));
}

/// As many hits as `stats` expects, within the noise.
#[test]
fn stats_give_the_error_that_is_measured() {
    none(&lines(|report| {
        let (hits, expected) = (report.absent.hits, report.expected);
        odds::at_least(expected, hits).min(odds::at_most(expected, hits)) < 0.005 / comparisons()
    }));
}

/// One bound in one report, if it has a sample and fails.
fn exceeded(report: &Report, bound: &Bound) -> Option<String> {
    let column = judge::place(&RATES, report.run.error_rate);
    let most = bound.bits.get(column)? * allowance(report.run.size);
    let bits = report.most_bits(bound.from, bound.to, bound.live.min(report.run.size / 2), FIRST_TABLE)?;
    let Bound { from, to, promised, .. } = bound;
    let word = if *promised { "promised" } else { "expected" };
    (bits > most).then(|| format!("{} at {from:.2}..{to:.2}: {bits:.1} bits, {word} {most:.1}", report.run.name()))
}

#[test]
fn bits_of_a_live_key_stay_within_their_bounds() {
    let of_time = REPORTS.iter().filter(|report| matches!(report.run.span, Span::Time) && !report.run.is_divided);
    let failed: Vec<String> = of_time
        .flat_map(|report| {
            BOUNDS.iter().filter(|bound| bound.traffic == report.run.traffic.name).map(move |bound| (report, bound))
        })
        .filter_map(|(report, bound)| exceeded(report, bound))
        .collect();
    none(&failed);
}

/// By keys of the window, as its size is known.
#[test]
fn windows_of_keys_take_what_they_took() {
    let mut failed = Vec::new();
    for report in REPORTS.iter().filter(|report| matches!(report.run.span, Span::Keys)) {
        let rates = OF_KEYS.map(|(rate, _)| rate);
        let most = OF_KEYS[judge::place(&rates, report.run.error_rate)].1 * allowance(report.run.size);
        let bytes = report.samples.iter().map(|sample| sample.bytes).max().unwrap_or(0);
        let bits = 8.0 * real(bytes) / real(report.run.size);
        println!("{}: {bits:.1} bits of {most:.1}", report.run.name());
        if bits > most {
            failed.push(format!("{}: {bits:.1} bits, promised {most:.1}", report.run.name()));
        }
    }
    none(&failed);
}

/// Every row of the bounds names a traffic.
#[test]
fn bounds_name_traffics() {
    BOUNDS.iter().for_each(|bound| assert_eq!(traffics::named(bound.traffic).name, bound.traffic));
}

/// The same run twice gives the same figures.
#[test]
fn runs_repeat() {
    let traffic = traffics::named("sine over one window");
    let run = Run { traffic, size: 1000, repeats: 0.5, error_rate: 1e-3, ..runs_of(1000)[0] };
    assert_eq!(judge(run).line(), judge(run).line());
}

/// Three windows of keys that are all new.
fn settled(options: &Options, keys: u64) -> Filter {
    let mut filter = common::build(options);
    for key in 0..3 * keys {
        let key_bytes = key.to_le_bytes();
        let tick = Tick(key * (stream::WINDOW / keys));
        filter.observe_at(key_bytes, tick).or_else(|_| filter.observe(key_bytes)).expect("a verdict");
    }
    filter
}

/// Three windows of keys, then ten new ones a window: until the last old cell has died, and then so many calls for the lines
/// that there were. Bytes before and after.
fn after_a_deep_fall(keys: u64, calls: impl Fn(u64) -> u64) -> (u64, u64) {
    let mut filter = settled(&of_time(1e-3), keys);
    let before = filter.stats().bytes;
    let (end, gap) = (3 * stream::WINDOW, stream::WINDOW / 10);
    let dead = 12; // a window and a generation later
    let all = dead + calls(before / 64);
    for call in 0..all {
        filter.observe_at((u64::MAX - call).to_le_bytes(), Tick(end + call * gap)).expect("a tick");
    }
    (before, filter.stats().bytes)
}

/// A fall that is too deep for a third of a window: a call for each 16 lines is enough.
#[test]
fn after_a_deep_fall_the_table_shrinks_within_a_sixteenth_of_its_lines() {
    let (before, after) = after_a_deep_fall(100_000, |lines| lines / 16);
    println!("{before} bytes before the fall, {after} behind it");
    assert!(after <= AFTER_A_DEEP_FALL, "{after} bytes of {AFTER_A_DEEP_FALL}, {before} before the fall");
}

/// Nothing is live: each call gives an arena back, one of 32 or more.
#[test]
fn after_a_long_silence_few_calls_give_the_memory_back() {
    let mut filter = settled(&of_time(1e-3), 100_000);
    let (before, end) = (filter.stats().bytes, 10 * stream::WINDOW);
    for call in 0..64 {
        filter.observe_at(u64::MAX.to_le_bytes(), Tick(end + call)).expect("a tick");
    }
    let after = filter.stats().bytes;
    println!("{before} bytes before the silence, {after} after 64 calls");
    assert!(after <= AFTER_A_DEEP_FALL, "{after} bytes of {AFTER_A_DEEP_FALL}, {before} before the silence");
}

/// Of both windows: 1,000 keys and 10, on both handles. A shared one that is not divided has no cells more.
#[test]
fn small_windows_take_few_bytes() {
    let mut failed = Vec::new();
    for (keys, most) in SMALL {
        for (name, options) in [("time", of_time(1e-3)), ("keys", Options::last(keys).error_rate(1e-3))] {
            let filter = settled(&options, keys);
            let (unshared, stashed) = (filter.stats().bytes, filter.stats().stashed);
            let shared = SharedFilter::of(filter).expect("memory for the locks").stats().bytes;
            println!(
                "{keys} keys, window of {name}: {unshared} bytes, {stashed} keys stashed, shared {shared}, bound {most}"
            );
            if unshared.max(shared) > most {
                failed.push(format!("{keys} keys, window of {name}: {unshared}, shared {shared} bytes of {most}"));
            }
        }
    }
    none(&failed);
}
