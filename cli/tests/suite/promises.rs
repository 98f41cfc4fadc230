//! The promises, through the tool and against an exact oracle: no key seen within the window is called new, and no more
//! false duplicates than were asked for.

use crate::common;

use common::oracle::{Oracle, Tally, Truth, upper};
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

/// Logs at several rates. At 1e-1 the first minutes, in which the filter learns the rate, are a large part of them.
fn hold_all(logs: Vec<(&str, Vec<u8>)>, args: &[&str], read: Reading, [within, never]: [u32; 2]) {
    for (name, log) in logs {
        for error in [1e-1, 1e-2, 1e-3, 1e-4] {
            let (tally, highest) = hold(name, &log, args, read, error);
            hold_rate(name, &tally, error);
            assert!(tally.within > within && tally.never > never, "the sample has something to judge: {tally:?}");
            assert!(error < 0.1 || highest <= 0.1, "{highest}");
        }
    }
}

#[test]
fn dns_queries_are_judged_as_promised() {
    let args = ["-k", "3,4,8,10", "--time-field", "1", "--time-format", "epoch"];
    hold_all(samples::dns(), &args, read_dns, [10_000, 10_000]);
}

#[test]
fn web_requests_are_judged_as_promised() {
    let args = ["-t", " ", "-k", "1,5", "--time-field", "4", "--time-format", "clf"];
    hold_all(samples::web(), &args, read_web, [100, 5_000]);
}

#[test]
fn repeats_past_the_window_are_new() {
    // The oracle itself: the edge is inside, and a late record is judged at the clock.
    let mut oracle = Oracle::new(10);
    let truth: Vec<_> = [(b"a", 50), (b"a", 60), (b"b", 40), (b"a", 71), (b"b", 70)]
        .map(|(key, time)| oracle.see(key.to_vec(), time))
        .into();
    assert_eq!(truth, [Truth::Never, Truth::Within, Truth::Never, Truth::Past, Truth::Past]);
    // And the bounds of chance.
    assert_eq!([upper(10, 0.5, 0.02), upper(1_000_000, 1e-3, 1e-3), upper(0, 0.5, 1e-3)], [8, 1099, 0]);
}
