//! Clocks of streams as they are: sparse ones, ones with a wrong line, ones of another time, and clocks of machines that were
//! wrong. No duplicate and no record is lost to them.

use crate::common;

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use common::{Ran, lately, quiet};

const DAY: u64 = 86_400;

/// Lines of `seconds key`; no --max-step is asked for.
fn timed(window: &str, args: &[&str], lines: &str) -> Ran {
    let fixed = ["--window", window, "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    lately(&[&fixed[..], args].concat(), lines)
}

fn lines(of: &[(u64, &str)]) -> String {
    of.iter().map(|(at, key)| format!("{at} {key}\n")).collect()
}

const T: u64 = 1_700_000_000;

#[test]
fn a_key_is_found_again_after_two_days_of_silence() {
    let input = "2026-03-01T00:00:00Z\ta\n2026-03-03T00:00:00Z\ta\n";
    let args = ["--window", "1w", "-k", "2", "--time-field", "1"];
    assert_eq!(quiet(&args, input).text(), "2026-03-01T00:00:00Z\ta\n");
    let ages = quiet(&[&args[..], &["--flag=age"]].concat(), input).text().to_owned();
    let second: Vec<&str> = ages.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(second[2], "duplicate");
    assert!(second[3].starts_with("1d") && second[4].starts_with("2d"), "{ages}");
}

#[test]
fn every_order_of_a_sparse_stream_has_its_retry_found() {
    let orders: String =
        (0..30).map(|i| format!("{0} o{i}\n{1} o{i}\n", T + 3 * DAY * i, T + 3 * DAY * i + 1)).collect();
    for args in [&[][..], &["--flag=age"], &["--first"]] {
        let ran = timed("10m", args, &orders);
        let new = ran.text().lines().filter(|line| !line.contains("duplicate")).count();
        assert_eq!((ran.code, ran.err.as_str(), new), (0, "", 30), "{args:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret");
    let ran = timed("10m", &["--keyed", secret.to_str().unwrap()], &orders);
    assert_eq!((ran.err.as_str(), ran.text().lines().count()), ("", 30));
}

#[test]
fn copies_after_a_pause_are_duplicates_from_the_second_on() {
    let copies = format!("{T} a\n") + &format!("{} b\n", T + 3 * DAY).repeat(300);
    let ran = timed("10m", &["--report", "json"], &copies);
    assert_eq!(ran.text().lines().count(), 2);
    assert_eq!(["read", "new", "duplicate", "refused", "strays"].map(|name| ran.count(name)), [301, 2, 299, 0, 0]);
}

/// A log of 2020 with one line of 2023.
#[test]
fn a_line_that_no_other_follows_is_named_and_does_not_move_the_clock() {
    let mut log: Vec<(u64, &str)> = (0..50).map(|i| (1_580_000_000 + i, ["a", "b"][usize::from(i % 2 == 0)])).collect();
    log.insert(20, (1_680_000_000, "far"));
    let ran = timed("10m", &["--flag", "--report", "json"], &lines(&log));
    let words = ran.words();
    assert_eq!((words[0], words[1], words[20]), ("new", "new", "new"));
    assert!(words.iter().enumerate().all(|(i, word)| [0, 1, 20].contains(&i) || *word == "duplicate"), "{words:?}");
    assert_eq!(["late", "too_late", "strays", "refused"].map(|name| ran.count(name)), [0, 0, 1, 0]);
    let said = "lately: line 21: 1157d9h46m21s ahead of the clock, and the next record is not: the clock stays";
    assert!(ran.err.starts_with(said), "{}", ran.err);
    assert_eq!(timed("10m", &["--strict"], &lines(&log)).code, 3);
}

#[test]
fn record_ahead_of_every_clock_is_refused_until_a_hundred_follow() {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let ran = timed(
        "10m",
        &["--flag"],
        &lines(&[(T, "a"), (now + 2 * DAY, "b"), (now + DAY / 2, "c"), (now + DAY / 2, "c")]),
    );
    assert_eq!(ran.words(), ["new", "refused", "new", "duplicate"]);
    let far = format!("{T} a\n") + &format!("{} b\n", now + 900 * DAY).repeat(102);
    let ran = timed("10m", &["--flag", "--report", "json"], &far);
    assert_eq!(["refused", "gaps", "new", "duplicate"].map(|name| ran.count(name)), [100, 1, 2, 1]);
}

#[test]
fn given_max_step_binds() {
    let ran = timed("10m", &["--max-step", "24h", "--flag"], &lines(&[(T, "a"), (T + 3 * DAY, "b"), (T + 1, "a")]));
    assert_eq!(ran.words(), ["new", "refused", "duplicate"]);
}

/// The last record of a run may be one far ahead: the first of the next run decides.
#[test]
fn a_state_keeps_the_record_that_waits_for_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret").to_str().unwrap().to_owned();
    for (i, args) in [&["--flag"][..], &["--flag", "--keyed", &secret], &["--flag=age"]].into_iter().enumerate() {
        let state = dir.path().join(format!("state{i}")).to_str().unwrap().to_owned();
        let run = |input: &[(u64, &str)]| {
            let ran = timed("10m", &[args, &["--state", &state]].concat(), &lines(input));
            let words: Vec<_> = ran.text().lines().map(|line| line.split(' ').nth(2).unwrap().to_owned()).collect();
            (words, ran.err)
        };
        assert_eq!(run(&[(T, "a"), (T + 3 * DAY, "b")]).0, ["new", "new"]);
        assert_eq!(run(&[(T + 3 * DAY + 5, "b")]).0, ["duplicate"], "{args:?}");
        assert_eq!(run(&[(T + 6 * DAY, "c"), (T + 9 * DAY, "d")]).0, ["new", "new"]);
        let (words, err) = run(&[(T + 6 * DAY + 1, "c"), (T + 6 * DAY + 1, "d")]);
        assert_eq!(words, ["duplicate", "new"], "{args:?}: {err}");
        assert!(err.contains("the last record of the state is 3d ahead of the clock"), "{err}");
    }
}

/// Rewrites the state as if it had been saved when the clock was `ahead` of now.
fn move_clock(path: &Path, ahead: Duration) {
    let bytes = fs::read(path).unwrap();
    let options = lately::LoadOptions::new(Duration::ZERO);
    let mut filter = lately::Filter::read_snapshot(bytes.as_slice(), &options).unwrap();
    let trailer = &bytes[usize::try_from(filter.snapshot_size()).unwrap()..];
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + ahead;
    filter.advance(lately::Tick(u64::try_from(now.as_nanos()).unwrap())).unwrap();
    filter.observe_at(b"a", filter.stats().clock).unwrap();
    let mut out = Vec::new();
    filter.write_snapshot(&mut out).unwrap();
    out.extend(trailer);
    fs::write(path, out).unwrap();
}

/// A state that was saved by a clock that ran ahead: what passed since is not known, and counts as nothing.
#[test]
fn wall_clock_that_was_wrong_is_reported_and_the_run_continues() {
    for (ahead, said) in [(Duration::from_secs(365 * DAY), "364d23h59m"), (Duration::from_millis(5500), "")] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let args = ["--window", "1h", "--state", path.to_str().unwrap()];
        quiet(&args, "a\n");
        move_clock(&path, ahead);
        let ran = lately(&args, "a\nb\nb\n");
        assert_eq!((ran.code, ran.text(), ran.err.lines().count()), (0, "b\n", 1), "{}", ran.err);
        assert!(ran.err.contains(&format!("state: saved {said}")), "{}", ran.err);
        assert!(ran.err.contains("after now, by the clock of this machine: the pause counts as 0"), "{}", ran.err);
        assert_eq!(lately(&args, "a\nb\nc\n").text(), "c\n");
        let reset = lately(&[&args[..], &["--reset-clock"]].concat(), "a\na\n");
        assert_eq!((reset.code, reset.text()), (0, "a\n"), "{}", reset.err);
        assert!(reset.err.contains("the filter was emptied"), "{}", reset.err);
        assert_eq!(quiet(&args, "a\nd\n").text(), "d\n", "the clock is that of now again");
    }
}

#[test]
fn times_in_another_unit_are_hinted_at() {
    let run = |format: &str, input: &str| {
        lately(&["--window", "10m", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", format], input)
    };
    let ran = run("epoch_ms", "1700000000 a\n1700000001 b\n1700000002 c\n");
    assert_eq!(
        ran.err,
        "lately: line 1: 1970-01-20T16:13:20Z by milliseconds since 1970: with --time-format epoch it is 2023-11-14T22:13:20Z\n"
    );
    let ran = run("epoch", "1700000000000 a\n");
    assert!(ran.err.contains("with --time-format epoch_ms it is 2023-11-14T22:13:20Z"), "{}", ran.err);
    assert_eq!(ran.code, 3);
    for (format, input) in [("epoch", "50 a\n60 b\n"), ("epoch", "1700000000 a\n"), ("epoch_ms", "1700000000000 a\n")] {
        assert_eq!(run(format, input).err, "", "{format} {input}");
    }
}

#[test]
fn input_of_which_no_record_could_be_judged_is_status_3() {
    for (args, input) in [
        (&["--last", "9", "-k", "2"][..], "a\nb\n"),
        (&["--last", "9", "--json", "/a"], "{}\nx\n"),
        (&["--window", "1h", "--time-field", "1"], "a\nb\n"),
        (&["--last", "9", "-k", "2", "--bad", "drop"], "a\n"),
    ] {
        let ran = lately(args, input);
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.err);
        assert!(ran.err.ends_with("lately: no record could be judged\n"), "{}", ran.err);
        assert_eq!(ran.text(), if args.contains(&"drop") { "" } else { input });
    }
    assert_eq!(quiet(&["--last", "9", "-k", "2"], "").text(), "");
    assert_eq!(quiet(&["--last", "9", "--csv", "-k", "a"], "a\n").text(), "a\n");
    assert_eq!(lately(&["--last", "9", "-k", "2"], "a\nb\tc\n").code, 0);
}
