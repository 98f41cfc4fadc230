//! The promises, through the tool and against an exact oracle: no key seen within the window is called new, no more
//! false duplicates than were asked for, and keys older than the window fade by the law.

use crate::common;

use std::collections::HashSet;

use common::oracle::{Oracle, Tally, Truth, lower, upper};
use common::random::Random;
use common::{lately, samples};

const S: u64 = 1_000_000_000;
/// Every bound is passed by chance in at most one case of a thousand.
const TAIL: f64 = 1e-3;

/// A record's key (its parts told apart) and time by plain reading; nothing if it has none.
type Reading = fn(&str) -> Option<(Vec<u8>, u64)>;

fn read_dns(line: &str) -> Option<(Vec<u8>, u64)> {
    let fields: Vec<_> = line.split('\t').collect();
    let (seconds, fraction) = fields[0].split_once('.')?;
    let time = seconds.parse::<u64>().ok()? * S + format!("{fraction:0<9}").parse::<u64>().ok()?;
    Some(([fields[2], fields[3], fields[7], fields[9]].join("\t").into_bytes(), time))
}

fn read_web(line: &str) -> Option<(Vec<u8>, u64)> {
    let (host, rest) = line.split_once(' ')?;
    let (time, rest) = rest.split_once('[')?.1.split_once("] \"")?;
    let request = rest.split("\" ").next()?;
    Some((format!("{host}\t{request}").into_bytes(), seconds_of_may(time)? * S))
}

/// `17/May/2015:10:05:03 +0000` as seconds since 1970: 16,556 days to 2015-05-01.
fn seconds_of_may(time: &str) -> Option<u64> {
    let (day, clock) = time.strip_suffix(" +0000")?.split_once("/May/2015:")?;
    let clock: Vec<u64> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    Some((16_556 + day.parse::<u64>().ok()? - 1) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
}

/// Holds the verdicts on a log against the oracle; gives what was counted, and the highest rate that the tool reports.
fn hold(name: &str, log: &[u8], args: &[&str], read: Reading, error: f64) -> (Tally, f64) {
    let rate = error.to_string();
    let ran = lately(&[args, &["--window", "10m", "--error", &rate, "--flag", "--report", "json"]].concat(), log);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (log, separator) = (String::from_utf8_lossy(log), args.contains(&" "));
    let mut lines = String::from_utf8_lossy(&ran.out).into_owned();
    lines.truncate(lines.trim_end().len());
    assert_eq!(log.lines().count(), lines.lines().count(), "every record comes out");
    let (mut oracle, mut tally) = (Oracle::new(600 * S), Tally::default());
    for (line, flagged) in log.lines().zip(lines.lines()) {
        let (came, word) = flagged.rsplit_once(if separator { ' ' } else { '\t' }).expect("a word");
        assert_eq!(came, line, "in order and as it came");
        match read(line) {
            Some((key, time)) => tally.add(oracle.see(key, time), expect_verdict(word)),
            None => assert_eq!(word, "bad", "{line}"),
        }
    }
    println!("{name} at {error:e}: {tally:?}");
    assert_eq!(tally.missed, 0, "{name}: a key seen within the window was called new");
    (tally, ran.report()["error_rate_highest"].as_f64().expect("a rate"))
}

/// Holds false duplicates against a rate: its upper bound at 99.9 %.
fn hold_rate(name: &str, tally: &Tally, rate: f64) {
    let most = upper(tally.never, rate, TAIL);
    assert!(tally.false_duplicates <= most, "{name}: {} false duplicates, at most {most}", tally.false_duplicates);
}

fn expect_verdict(word: &str) -> bool {
    assert!(word == "new" || word == "duplicate", "{word}");
    word == "duplicate"
}

#[test]
fn dns_queries_are_judged_as_promised() {
    let args = ["-k", "3,4,8,10", "--time-field", "1", "--time-format", "epoch"];
    for (name, log) in samples::dns() {
        for error in [1e-2, 1e-3, 1e-4] {
            let (tally, _) = hold(name, &log, &args, read_dns, error);
            hold_rate(name, &tally, error);
            assert!(tally.within > 10_000 && tally.never > 10_000, "the sample has something to judge: {tally:?}");
        }
    }
}

#[test]
fn web_requests_are_judged_as_promised() {
    let args = ["-t", " ", "-k", "1,5", "--time-field", "4", "--time-format", "clf"];
    for (name, log) in samples::web() {
        for error in [1e-2, 1e-3, 1e-4] {
            let (tally, _) = hold(name, &log, &args, read_web, error);
            hold_rate(name, &tally, error);
            assert!(tally.within > 100 && tally.never > 5_000, "the sample has something to judge: {tally:?}");
        }
    }
}

#[test]
fn error_rate_stays_below_target_while_traffic_climbs() {
    // At 1e-1 the first minutes, in which the filter learns the rate, are a large part of these logs.
    let args = ["-k", "3,4,8,10", "--time-field", "1", "--time-format", "epoch"];
    for (name, log) in samples::dns() {
        let (tally, highest) = hold(name, &log, &args, read_dns, 1e-1);
        assert!(highest <= 0.1, "{highest}");
        hold_rate(name, &tally, 1e-1);
    }
}

/// Window of the stale stream in milliseconds, keys in it, and windows that the stream lasts.
const WINDOW_MS: u64 = 1_000_000;
const KEYS: u64 = 20_000;
const WINDOWS: u64 = 25;

/// A probe of a key of the stream at a chosen age.
struct Probe {
    /// Which of the ages.
    age: usize,
    /// The number of its record.
    record: u64,
}

/// A steady stream of new keys, about every seventh record a repeat at one of `ages` (in records). A key is probed
/// once at most, for a probe renews it.
fn stale_stream(ages: &[u64]) -> (String, Vec<Probe>) {
    let (mut text, mut probes, mut fresh) = (String::new(), Vec::new(), HashSet::new());
    let mut random = Random::new(9);
    for i in 0..KEYS * WINDOWS {
        let age = usize::try_from(random.below(u64::try_from(ages.len()).unwrap())).unwrap();
        let old = i.checked_sub(ages[age]).filter(|old| random.once_in(7) && fresh.remove(old));
        let key = old.unwrap_or(i);
        match old {
            Some(_) => probes.push(Probe { age, record: i }),
            None => assert!(fresh.insert(i)),
        }
        text += &format!("{}\t{key}\n", i * (WINDOW_MS / KEYS));
    }
    (text, probes)
}

/// Of each age, how many probes came in the steady state, and how many were called duplicates.
fn probe(args: &[&str], ages: &[u64]) -> Vec<(u32, u32)> {
    let (stream, probes) = stale_stream(ages);
    let same =
        ["--window", "1000s", "--error", "1e-3", "-k", "2", "--time-field", "1", "--time-format", "epoch_ms", "--flag"];
    let ran = lately(&[args, &same].concat(), &stream);
    let lines: Vec<_> = ran.text().lines().collect();
    // The first three windows find out how many keys there are.
    let steady = probes.iter().filter(|probe| probe.record > 3 * KEYS + ages[probe.age]);
    let mut seen = vec![(0_u32, 0_u32); ages.len()];
    for probe in steady {
        let (all, found) = &mut seen[probe.age];
        *all += 1;
        *found += u32::from(lines[usize::try_from(probe.record).unwrap()].ends_with("\tduplicate"));
    }
    seen
}

#[test]
fn keys_past_the_window_are_gone_a_generation_later() {
    // The very edge, half of a generation past it, just more than one, and three. A window has seven.
    let ages = [KEYS, KEYS + KEYS / 14, KEYS + KEYS / 7 + 2, KEYS + 3 * KEYS / 7];
    let seen = probe(&[], &ages);
    println!("{seen:?}");
    assert!(seen.iter().all(|(all, _)| *all > 1000), "{seen:?}");
    assert_eq!(seen[0].0, seen[0].1, "found at the very edge");
    // Half of a generation past the window: gone unless its line turns later. A half of the keys, give or take a tenth.
    let (all, found) = seen[1];
    assert!(lower(all, 0.4, TAIL) <= found && found <= upper(all, 0.6, TAIL), "{found} of {all}");
    for (all, found) in &seen[2..] {
        assert!(*found <= upper(*all, 1e-3, TAIL), "{found} of {all} found past a generation");
    }
}

#[test]
fn repeats_past_the_window_are_new() {
    // The oracle itself: the edge is inside, and a late record is judged at the clock.
    let mut oracle = Oracle::new(10);
    let truth: Vec<_> = [(b"a", 50), (b"a", 60), (b"b", 40), (b"a", 71), (b"b", 70)]
        .map(|(key, time)| oracle.see(key.to_vec(), time))
        .into();
    assert_eq!(truth, [Truth::Never, Truth::Within, Truth::Never, Truth::Past, Truth::Past]);
    assert_eq!(oracle.keys(), 2);
    // And the bounds of chance.
    assert_eq!([upper(10, 0.5, 0.02), lower(10, 0.5, 0.02)], [8, 2]);
    assert_eq!([upper(1_000_000, 1e-3, 1e-3), upper(0, 0.5, 1e-3)], [1099, 0]);
}
