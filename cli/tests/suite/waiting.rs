//! What waits: `--count` sums up what came again, `--keep last` holds records back. Nothing is lost or said twice, however a run ends.

use crate::common;

use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use common::random::Random;
use common::{command, end, feed, kill, lately, place, quiet, start, wait_for, waiting};
use serde_json::Value;

/// `seconds key` with a window of ten seconds.
const TIMED: [&str; 8] = ["--window", "10s", "-t", " ", "-k", "2", "--time-field", "1"];

fn timed(args: &[&str], lines: &str) -> common::Ran {
    quiet(&[&TIMED[..], &["--time-format", "epoch"], args].concat(), lines)
}

fn number(n: usize) -> u64 {
    u64::try_from(n).unwrap()
}

/// The summaries among what was printed, and the other lines.
fn parted(text: &str) -> (Vec<Value>, Vec<&str>) {
    let summary =
        |line: &str| line.starts_with("{\"lately\":\"repeated\"").then(|| serde_json::from_str(line).unwrap());
    let lines = text.lines().filter(|line| summary(line).is_none());
    (text.lines().filter_map(summary).collect(), lines.collect())
}

#[test]
fn count_is_said_when_the_window_has_closed_and_n_counts_all_sightings() {
    let lines = "1 a\n2 b\n3 a\n4 a\n50 c\n51 b\n52 b\n";
    let want = "1 a\n2 b\n{\"lately\":\"repeated\",\"n\":3,\"first_repeat\":\"1970-01-01T00:00:03Z\",\"last\":\"1970-01-01T00:00:04Z\",\
                \"record\":\"3 a\"}\n50 c\n51 b\n{\"lately\":\"repeated\",\"n\":2,\"first_repeat\":\"1970-01-01T00:00:52Z\",\
                \"last\":\"1970-01-01T00:00:52Z\",\"record\":\"52 b\"}\n";
    assert_eq!(timed(&["--count"], lines).text(), want);
    let text = timed(&["--count=last message repeated {n} times ({first_repeat}, {last}): {record}"], lines);
    assert!(text.text().contains("last message repeated 3 times (1970-01-01T00:00:03Z, 1970-01-01T00:00:04Z): 3 a\n"));
    // The second sighting of another window is printed as new, behind the summary of the first.
    let again = timed(&["--count={n}"], "1 a\n2 a\n40 a\n41 a\n");
    assert_eq!(again.text(), "1 a\n2\n40 a\n2\n");
}

#[test]
fn count_has_the_record_as_json_where_records_are_json() {
    let ran = common::out(&["--json", "/id", "--count"], "{\"id\":1}\n{\"id\":1,\"x\":[2]}\n");
    let (summaries, lines) = parted(&ran);
    assert_eq!((lines, &summaries[0]["record"]), (vec!["{\"id\":1}"], &serde_json::json!({"id": 1, "x": [2]})));
    assert_eq!(quiet(&["--csv", "--count={n},{record}"], "a\n1\n1\n").text(), "a\n1\n2,1\n");
}

/// All n - 1 together are the duplicates, and each line that is no summary is a first sighting: for any memory and kind of window.
#[test]
fn every_duplicate_is_in_one_summary() {
    let mut random = Random::new(5);
    let lines: String = (0..20_000_u64).map(|i| format!("{} k{}\n", i / 50, random.below(1 + i / 40))).collect();
    for args in [
        &["--window", "10s", "--time-field", "1", "--time-format", "epoch"][..],
        &["--window", "10s", "--time-field", "1", "--time-format", "epoch", "--first"],
        &["--window", "10s", "--time-field", "1", "--time-format", "epoch", "--memory", "64K"],
        &["--last", "500"],
        &["--last", "500", "--first"],
        &["--capacity", "1000"],
        &[],
    ] {
        let keyed = ["-t", " ", "-k", "2"];
        let plain = lately(&[args, &keyed].concat(), &lines);
        let ran = lately(&[args, &keyed, &["--count", "--report", "json"]].concat(), &lines);
        let (summaries, firsts) = parted(ran.text());
        let more: u64 = summaries.iter().map(|summary| summary["n"].as_u64().unwrap() - 1).sum();
        assert_eq!((more, number(summaries.len())), (ran.count("duplicate"), ran.count("summaries")), "{args:?}");
        if !args.contains(&"--memory") {
            assert_eq!(firsts, plain.text().lines().collect::<Vec<_>>(), "{args:?}");
            assert_eq!((ran.count("summaries_early"), ran.count("counts_open")), (0, 0));
        } else {
            assert!(ran.count("summaries_early") > 0 && ran.err.contains("came before the time"), "{}", ran.err);
            assert!(summaries.iter().any(|summary| summary["early"] == true));
        }
    }
}

#[test]
fn window_that_closes_while_nothing_comes_is_summed_up() {
    for (args, want) in [
        (&["--window", "200ms", "--count={n} x {record}"][..], "a\nb\n2 x a\n"),
        (&["--window", "1h", "--keep", "last", "--hold", "200ms"], "a\nb\n"),
        (&["--last", "9", "--keep", "last", "--hold", "200ms"], "a\nb\n"),
    ] {
        let (mut child, stdin) = waiting(args, "a\nb\na\n", want);
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

#[cfg(unix)]
#[test]
fn signal_prints_open_counts_and_kept_records() {
    for (args, want) in [
        (&["--window", "1h", "--count={n} x {record}"][..], "a\nb\n2 x a\n"),
        (&["--window", "1h", "--keep", "last", "--hold", "1h", "-t", " ", "-k", "1"], "a\nb\n"),
    ] {
        let mut child = start(args);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"a\nb\na\n").unwrap();
        std::thread::sleep(Duration::from_millis(300));
        common::send(&child, rustix::process::Signal::TERM);
        let ran = end(child);
        drop(stdin);
        assert_eq!((ran.code, ran.text()), (143, want));
    }
}

/// Runs one after another over parts of a stream print what one run over all of it prints.
#[test]
fn counts_survive_in_a_state_and_are_said_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random::new(9);
    let lines: Vec<String> = (0..600_u64).map(|i| format!("{} k{}\n", i, random.below(1 + i / 10))).collect();
    for (at, window) in [&["--window", "30s", "--time-field", "1", "--time-format", "epoch"][..], &["--last", "25"]]
        .into_iter()
        .enumerate()
    {
        let state = dir.path().join(at.to_string()).to_str().unwrap().to_owned();
        let form = ["-t", " ", "-k", "2", "--count={n} x {record}"];
        let whole = quiet(&[window, &form].concat(), lines.concat());
        let args = [window, &form, &["--state", &state]].concat();
        let parts: String = lines.chunks(100).map(|part| quiet(&args, part.concat()).text().to_owned()).collect();
        assert!(whole.text().starts_with(&parts), "the rest is open: {parts}");
        let open = whole.text()[parts.len()..].lines().count();
        assert!(open > 0 && whole.text()[parts.len()..].lines().all(|line| line.contains(" x ")));
        // A run that does not count leaves them where they are, and says so.
        let other = lately(&[window, &form[..4], &["--state", &state]].concat(), "");
        assert_eq!(
            other.err,
            format!(
                "lately: {state}: the state keeps {open} open counts of a run with --count: this run does not count\n"
            )
        );
        let hold = lately(&[window, &form[..4], &["--state", &state, "--keep", "last", "--hold", "1s"]].concat(), "");
        hold.refused(3, &["which --keep last does not continue"]);
        let rest = lately(&[&args[..], &["--report", "json"]].concat(), "99999 z\n99999 z\n");
        let closed = rest.text().lines().filter(|line| line.contains(" x ")).count();
        let closed = number(closed);
        assert_eq!(closed + rest.count("counts_open"), number(open) + 1);
    }
}

/// What the newest record of each key is, in the order of the first sightings.
fn newest(lines: &str) -> String {
    let (mut order, mut last) = (Vec::new(), HashMap::new());
    for line in lines.lines() {
        let key = line.split(' ').nth(1).unwrap();
        if last.insert(key, line).is_none() {
            order.push(key);
        }
    }
    order.iter().map(|key| format!("{}\n", last[key])).collect()
}

#[test]
fn kept_record_is_the_newest_in_the_order_of_first_sightings() {
    let keep = ["-t", " ", "-k", "2", "--keep", "last", "--hold", "1h"];
    let mut random = Random::new(3);
    let lines: String = (0..5_000_u64).map(|i| format!("{i} k{}\n", random.below(300))).collect();
    for args in [&[][..], &["--last", "1e6"], &["--window", "1h"], &["--capacity", "1000"]] {
        assert_eq!(quiet(&[args, &keep].concat(), &lines).text(), newest(&lines));
    }
    assert_eq!(
        timed(&["--keep", "last", "--hold", "3s"], "1 a\n2 b\n3 a\n5 c\n6 a\n30 a\n").text(),
        "3 a\n2 b\n5 c\n30 a\n"
    );
    // The newest is by the records' own time.
    let late = ["--time-format", "epoch", "--late", "2s", "--keep", "last", "--hold", "3s"];
    assert_eq!(lately(&[&TIMED[..], &late].concat(), "1 a\n3 a 1\n2 a 2\n").text(), "3 a 1\n");
    // The last line has no end, and leaves first.
    assert_eq!(quiet(&["--keep", "last", "--hold", "1s", "-t", " ", "-k", "1"], "a 1\nb 1\na 2").text(), "a 2\nb 1\n");
}

#[test]
fn kept_records_that_have_no_room_leave_early_and_are_counted() {
    let lines: String = (0..2_000).map(|i| format!("{i} k{i}\n")).chain([String::from("x k1999\n")]).collect();
    let args = [
        "--window", "1h", "-t", " ", "-k", "2", "--keep", "last", "--hold", "1h", "--memory", "64K", "--report", "json",
    ];
    let ran = lately(&args, &lines);
    assert_eq!(ran.text(), newest(&lines));
    assert_eq!((ran.count("released"), ran.count("held")), (2000, 0));
    assert!(ran.count("released_early") > 1900 && ran.err.contains("held records came before the time"), "{}", ran.err);
    assert_eq!(lately(&[&args[..], &["--strict"]].concat(), &lines).code, 3);
}

/// A kill leaves what is held in the state that was saved last, and only a run that holds records may take them on.
#[cfg(unix)]
#[test]
fn kept_records_survive_a_kill() {
    let (_dir, state) = place("state");
    let plain = ["--window", "1h", "--state", &state, "--save-every", "50ms", "-t", " ", "-k", "1"];
    let args = [&plain[..], &["--keep", "last", "--hold", "1h"]].concat();
    let mut child = start(&args);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a 1\nb 1\na 2\n").unwrap();
    wait_for(&state);
    kill(child);
    drop(stdin);
    let said = "2 held records of a run that was killed: continue it with --keep last\n";
    lately(&plain, "c 1\n").refused(3, &[said]);
    assert_eq!(quiet(&args, "c 1\na 3\n").text(), "a 3\nb 1\nc 1\n");
    assert_eq!(quiet(&plain, "a 9\nd 1\n").text(), "d 1\n");
}

#[cfg(target_os = "linux")]
#[test]
fn full_disk_at_a_summary_leaves_the_state_as_it_was() {
    let (_dir, state) = place("state");
    let args = ["--last", "3", "--state", &state, "--count={n} x {record}"];
    quiet(&args, "a\na\n");
    let before = std::fs::read(&state).unwrap();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = feed(command(&args).stdout(full).spawn().unwrap(), "b\nc\nd\ne\nf\n");
    assert!(ran.code == 3 && ran.err.starts_with("lately: standard output: "), "{}", ran.err);
    assert_eq!(std::fs::read(&state).unwrap(), before);
    assert_eq!(quiet(&args, "b\nc\nd\ne\nf\n").text(), "b\nc\nd\ne\n2 x a\nf\n");
}
