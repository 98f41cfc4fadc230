//! `--state FILE`: a second run continues where the first one ended; killed at any moment, it leaves a whole state.

use crate::common;

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use common::{Ran, command, end, feed, kill, lately, numbers, quiet, start, waiting};
use lately::{Filter, LoadOptions};

/// A folder, and the state in it.
struct Place {
    dir: tempfile::TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("seen.state");
        Self { dir, path }
    }

    fn args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        [args, &["--state", self.path.to_str().unwrap()]].concat()
    }

    fn out(&self, args: &[&str], input: &str) -> String {
        quiet(&self.args(args), input).text().to_owned()
    }

    fn run(&self, args: &[&str], input: &str) -> Ran {
        lately(&self.args(args), input)
    }

    fn filter(&self) -> Filter {
        let file = File::open(&self.path).unwrap();
        Filter::read_snapshot(file, &LoadOptions::new(Duration::ZERO)).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.dir.path()).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

const KINDS: [&[&str]; 9] = [
    &["--window", "1h"],
    &["--last", "1000"],
    &["--capacity", "1000"],
    &["--memory", "64K"],
    &["--window", "1h", "--first"],
    &["--window", "1h", "--age-bits", "2"],
    &["--algo", "time-limited", "--window", "1h"],
    &["--algo", "time-limited", "--window", "1h", "--on-limit", "raise"],
    &["--algo", "age-partitioned", "--last", "1000"],
];

/// Before there was a window table, the same options made a filter of another kind. Its state continues as what it is.
#[test]
fn a_state_of_an_older_kind_goes_on_as_what_it_is() {
    let kind = |ran: &Ran| ran.report()["kind"].as_str().unwrap().to_owned();
    for (window, older) in [
        (&["--window", "1h", "--error", "1e-2"][..], "time-limited"),
        (&["--last", "1000", "--first"], "age-partitioned"),
    ] {
        let place = Place::new();
        let named = [&["--algo", older], window].concat();
        place.out(&named, "a\nb\n");
        for (args, new) in [(window, "c"), (&named[..], "d"), (window, "e")] {
            let ran = place.run(&[args, &["--report", "json"]].concat(), &format!("a\nb\n{new}\n"));
            assert_eq!((ran.text(), kind(&ran)), (&*format!("{new}\n"), older.to_owned()), "{}", ran.err);
        }
        let outright = place.run(&[&["--algo", "window-table"], window].concat(), "a\n");
        outright.refused(3, &[&format!("--algo {older}, now --algo window-table")]);
        let ran = place.run(&[window, &["--error", "1e-4"]].concat(), "a\n");
        assert_eq!((ran.code == 2 || ran.code == 3, ran.text()), (true, ""), "other options are no older ones");
        let fresh = Place::new();
        fresh.out(window, "a\n");
        let ran = fresh.run(&named, "a\n");
        assert_eq!((ran.code, ran.text()), (3, ""), "a state of a window table is none of the older kind");
    }
}

/// What gives way is part of what made a state: which kind that made is said at the first run only, and a state of the
/// other kind is none of this request.
#[test]
fn a_state_whose_error_rate_may_rise_keeps_its_kind() {
    let raise = ["--window", "1h", "--memory", "1M", "--on-limit", "raise"];
    let place = Place::new();
    let first = place.run(&raise, "a\nb\n");
    assert_eq!((first.code, first.text(), first.err.matches("time-limited (--algo").count()), (0, "a\nb\n", 1));
    assert_eq!(place.out(&raise, "b\nc\n"), "c\n");
    assert_eq!(place.out(&[], "a\nd\n"), "d\n");
    assert_eq!(place.out(&[&["--algo", "time-limited"], &raise[..]].concat(), "e\n"), "e\n");
    for other in [&["--window", "1h"][..], &["--algo", "time-limited", "--window", "1h"]] {
        place.run(other, "f\n").refused(3, &["--on-limit raise, now nothing"]);
    }
    let table = Place::new();
    table.out(&["--window", "1h", "--memory", "1M"], "a\n");
    let said = ["--algo window-table, now --algo time-limited", "nothing, now --on-limit raise"];
    table.run(&raise, "b\n").refused(3, &said);
    table.run(&["--on-limit", "raise"], "b\n").refused(2, &["invalid value 'raise' for '--on-limit'"]);
    assert_eq!(table.out(&["--window", "1h"], "a\nb\n"), "b\n", "it is as it was");
}

#[test]
fn two_runs_with_a_state_have_the_verdicts_of_one() {
    let records = |range: std::ops::Range<u32>| range.map(|i| format!("{}\n", i % 700)).collect::<String>();
    for args in [&["--last", "500"][..], &["--last", "500", "--first"], &["--memory", "1K"], &["--capacity", "700"]] {
        let place = Place::new();
        let halves = place.out(args, &records(0..1234)) + &place.out(args, &records(1234..3000));
        assert_eq!(halves, quiet(args, records(0..3000)).text(), "{args:?}");
    }
}

#[test]
fn second_run_takes_the_elapsed_time_from_its_records() {
    let args = ["--window", "10m", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let place = Place::new();
    assert_eq!(place.out(&args, "1000\ta\n1300\tb\n"), "1000\ta\n1300\tb\n");
    assert_eq!(place.out(&args, "1600\ta\n"), "", "ten minutes are inside");
    let late = place.run(&args, "1300\tc\n");
    assert_eq!(late.text(), "1300\tc\n", "judged at the clock");
    assert_eq!(late.err, "lately: the latest record was 5m late: --late 5m judges it at its own time\n");
    let ran = place.run(&args, "2600\ta\n2600\tb\n");
    assert_eq!((ran.code, ran.text()), (0, "2600\ta\n2600\tb\n"));
    assert_eq!(ran.err, "lately: line 1: 16m40s after the last record of the state, more than the window\n");
}

/// A pause longer than --max-step is a pause, between two runs and within one.
#[test]
fn a_pause_may_be_longer_than_a_step() {
    let args = ["--window", "10m", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let place = Place::new();
    let days = |n: u32| 1_000_000 + n * 86_400;
    for run in 0..4 {
        let input = format!("{0}\ta\n{0}\ta\n{1}\tfar\n", days(3 * run), days(3 * run + 2));
        let ran = place.run(&args, &input);
        assert_eq!(ran.text(), format!("{}\ta\n{}\tfar\n", days(3 * run), days(3 * run + 2)), "run {run}: {}", ran.err);
        assert!(!ran.err.contains("ahead of the clock"), "{}", ran.err);
    }
}

/// Output that fails in the middle: the record that did not get out is not in the state, though later flushes succeed.
#[test]
fn records_that_could_not_be_printed_are_not_in_the_state() {
    let place = Place::new();
    place.out(&["--last", "100"], "before\n");
    let state = fs::read(&place.path).unwrap();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let long = "x".repeat(1 << 18) + "\n";
    let ran = feed(command(&place.args(&["--last", "100"])).stdout(full).spawn().unwrap(), &long);
    assert_eq!(ran.code, 3);
    assert_eq!(fs::read(&place.path).unwrap(), state);
    assert_eq!(place.out(&["--last", "100"], &long), long);
}

/// Links and the file that they lead to are one state, also before there is a file; nothing is left beside them.
#[cfg(unix)]
#[test]
fn a_link_to_no_file_yet_leads_to_where_it_will_be() {
    let place = Place::new();
    let other = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| other.path().join(name));
    std::os::unix::fs::symlink(&place.path, &first).unwrap();
    std::os::unix::fs::symlink("first", &second).unwrap();
    quiet(&["--last", "10", "--state", second.to_str().unwrap()], "a\n");
    assert!(fs::symlink_metadata(&second).unwrap().is_symlink() && fs::symlink_metadata(&first).unwrap().is_symlink());
    assert_eq!((place.files(), fs::read_dir(other.path()).unwrap().count()), (vec!["seen.state".into()], 2));
    assert_eq!(place.out(&["--last", "10"], "a\nb\n"), "b\n");
    assert_eq!(quiet(&["--last", "10", "--state", second.to_str().unwrap()], "b\nc\n").text(), "c\n");
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing_behind() {
    let place = Place::new();
    fs::write(&place.path, "notes of mine\n").unwrap();
    assert_eq!(place.run(&["--last", "9"], "a\n").code, 3);
    assert_eq!(place.run(&["--last", "9", "--window", "1h"], "a\n").code, 2);
    lately(&["--last", "10", "--state", "/no/such/folder/state"], "a\n").refused(3, &["/no/such/folder/state"]);
    assert_eq!(place.files(), ["seen.state"]);
    assert_eq!(fs::read(&place.path).unwrap(), b"notes of mine\n");
    // What could not be saved: the folder went away under the run.
    let gone = place.dir.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let (child, stdin) = waiting(&["--last", "9", "--state", gone.join("state").to_str().unwrap()], "a\n", "a\n");
    fs::remove_dir_all(&gone).unwrap();
    drop(stdin);
    let ran = end(child);
    assert!(ran.code == 3 && ran.err.contains("not saved"), "{}", ran.err);
}

#[test]
fn a_run_can_wait_for_a_state() {
    let place = Place::new();
    let (mut first, stdin) = waiting(&place.args(&["--last", "10"]), "a\n", "a\n");
    place.run(&["--last", "10", "--wait", "100ms"], "b\n").refused(3, &["another run uses this state"]);
    let mut second = start(&place.args(&["--last", "10", "--wait", "10m"]));
    second.stdin.take().unwrap().write_all(b"a\nb\n").unwrap();
    std::thread::sleep(Duration::from_millis(100));
    drop(stdin);
    assert!(first.wait().unwrap().success());
    let ran = end(second);
    assert_eq!((ran.code, ran.text()), (0, "b\n"));
    assert_eq!(place.files(), ["seen.state"]);
}

#[test]
fn the_wall_clock_runs_between_two_runs() {
    let place = Place::new();
    assert_eq!(place.out(&["--window", "400ms"], "a\n"), "a\n");
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(place.out(&["--window", "400ms"], "a\n"), "a\n");
}

#[test]
fn other_options_are_named_in_the_words_of_the_shell() {
    let place = Place::new();
    place.out(&["--window", "1h", "-k", "1", "--error", "1e-3"], "a\tb\n");
    for (args, lines) in [
        (&["--window", "2h", "-k", "1"][..], "  --window 1h, now --window 2h\n"),
        (&["--window", "1h", "-k", "1", "--error", "1e-2"], "  --error 1e-3, now --error 1e-2\n"),
        (&["--last", "9", "-k", "1"], "  nothing, now --last 9\n  --window 1h, now nothing\n"),
        (&["--window", "1h", "-k", "2"], "  --key 1, now --key 2\n"),
        (&["--window", "1h"], "  --key 1, now nothing\n  --separator \\t, now nothing\n"),
        (&["--window", "1h", "-k", "1", "-t", ","], "  --separator \\t, now --separator ,\n"),
        (&["--window", "1h", "-k", "1", "--ignore-case"], "  nothing, now --ignore-case\n"),
        (&["--window", "1h", "-k", "1", "--null"], "  nothing, now --null\n"),
        (&["--window", "1h", "-k", "1", "--time-field", "2"], "  nothing, now --time-field\n"),
        (&["--window", "1h", "-k", "1", "--first"], "  nothing, now --first\n"),
        (&["--window", "1h", "-k", "1", "--age-bits", "4"], "  nothing, now --age-bits 4\n"),
    ] {
        let ran = place.run(args, "a\tb\n");
        assert_eq!((ran.code, ran.text()), (3, ""), "{args:?}");
        let said = ran.err.split_once("this state was made with other options:\n").map(|(_, lines)| lines);
        assert_eq!(said, Some(lines), "{args:?}: {}", ran.err);
    }
    assert_eq!(place.out(&["--window", "1h", "-k", "1"], "a\tb\n"), "", "it is as it was");
}

#[test]
fn options_that_do_not_shape_verdicts_may_change() {
    let place = Place::new();
    place.out(&["--window", "1h", "-k", "1", "--memory", "64M", "--error", "1e-3"], "a\tb\n");
    for args in [
        &["--memory", "32M"][..],
        &["--report", "json"],
        &["--flag"],
        &["-d"],
        &["--bad", "drop"],
        &["--strict"],
        &["--save-every", "0"],
        &["--line-buffered"],
        &["--max-record", "1K"],
        &["--error", "1e-3"],
        &["--refresh"],
        &["--age-bits", "3"],
        &["-t", "\t"],
    ] {
        let ran = place.run(&[&["--window", "1h", "-k", "1"], args].concat(), "a\tb\n");
        assert_eq!((ran.code, ran.text().contains("\tnew")), (0, false), "{args:?}: {}", ran.err);
    }
    let events = Place::new();
    let args = ["--window", "1h", "--time-field", "1", "--time-format", "epoch"];
    events.out(&args, "1000\n");
    for extra in [&["--max-step", "1h"][..], &["--reset-clock"], &["--late", "drop"]] {
        assert_eq!(events.out(&[&args[..], extra].concat(), "1000\n"), "", "{extra:?}");
    }
}

/// The memory of a window of time is that of the last run that named one.
#[test]
fn the_memory_of_a_window_of_time_can_be_raised_and_lowered() {
    for algo in ["window-table", "time-limited"] {
        let place = Place::new();
        let run = |args: &[&str], input: &str| {
            let fixed = ["--algo", algo, "--window", "1h", "--error", "1e-3", "--report", "json"];
            let ran = place.run(&[&fixed[..], args].concat(), input);
            assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
            ran
        };
        let small = run(&["--memory", "64K"], &numbers(0..200_000));
        assert!(small.count("bytes_peak") <= 1 << 16 && small.err.contains("the limit --memory 64K shortened"));
        let kept = run(&[], &numbers(200_000..300_000));
        assert!(kept.count("bytes") <= 1 << 16, "{}", kept.err);
        let said = "the limit --memory 64K of the state shortened the window from 1h to";
        assert!(kept.err.contains(said), "{}", kept.err);
        let raised = run(&["--memory", "100M"], &numbers(300_000..500_000));
        assert!(raised.count("bytes") > 1 << 17, "{}", raised.err);
        assert!(raised.err.contains("the memory of an earlier run shortened the window from 1h to"), "{}", raised.err);
        assert!(!raised.err.contains("the system"), "{}", raised.err);
        let again = run(&["-d"], &numbers(300_000..500_000));
        assert_eq!(again.count("duplicate"), 200_000, "the memory of the last run stays: {}", again.err);
        let low = place.run(&["--algo", algo, "--window", "1h", "--memory", "64K"], "");
        assert_eq!(low.code, 3);
        let said = low.err.trim_end();
        assert!(said.contains("seen.state: this state needs ") && said.ends_with(" or more"), "{said}");
        let least = said.rsplit(' ').nth(2).unwrap();
        run(&["--memory", least], "");
    }
}

/// Another memory is no contradiction where the window or the capacity says what is remembered; a quotient filter is its
/// memory.
#[test]
fn a_state_keeps_the_memory_that_it_was_planned_for() {
    for kind in [["--last", "1000"], ["--capacity", "1000"], ["--last", "1000000"]] {
        let place = Place::new();
        let with = |memory| [&kind[..], &["--memory", memory]].concat();
        assert_eq!(place.out(&with("4M"), "a\n"), "a\n");
        let ran = place.run(&with("8M"), "a\nb\n");
        assert_eq!((ran.code, ran.text()), (0, "b\n"), "{kind:?}: {}", ran.err);
        let said = "seen.state: the state keeps its --memory 4M: a filter of this kind cannot change its size\n";
        assert!(ran.err.ends_with(said), "{}", ran.err);
        assert!(place.run(&with("8M"), "").err.contains("keeps its --memory 4M"), "also a run later");
        assert_eq!(place.out(&kind, "a\nc\n"), "c\n", "given once, it need not be given again");
        assert_eq!(place.out(&["--memory", "4M"], "a\nd\n"), "d\n", "nor need the window");
        assert_eq!(place.out(&[], "a\nb\ne\n"), "e\n");
        place.run(&with("128"), "a\n").refused(3, &["this state needs ", "--memory"]);
    }
    let place = Place::new();
    place.out(&["--memory", "1M"], "a\n");
    place.run(&["--memory", "1536K"], "a\n").refused(3, &["\n  --memory 1M, now --memory 1536K\n"]);
    let place = Place::new();
    place.out(&["--last", "1000"], "a\n");
    let ran = place.run(&["--last", "1000", "--memory", "4M"], "a\nb\n");
    assert_eq!((ran.code, ran.text()), (0, "b\n"), "{}", ran.err);
    assert!(ran.err.contains("the state keeps its size: "), "{}", ran.err);
}

/// What a run leaves open is as the state says.
#[test]
fn options_that_were_given_once_may_be_absent_later() {
    for args in KINDS.iter().chain(&[
        &["--window", "90m", "--error", "1e-2"][..],
        &["--last", "1000", "--error", "1e-2", "--first"],
        &["--capacity", "1000", "--error", "1e-2"],
        &["--algo", "quotient", "--last", "1000", "--miss", "0.1"],
        &["--memory", "64K", "--variant", "qht"],
        &["--window", "1h", "--memory", "1M"],
    ]) {
        let place = Place::new();
        assert_eq!(place.out(args, "a\nb\n"), "a\nb\n");
        for new in ["c", "d"] {
            assert_eq!(place.out(&[], &format!("a\nb\n{new}\n")), format!("{new}\n"), "{args:?}");
        }
        assert_eq!(place.out(args, "a\nb\nc\nd\n"), "", "{args:?}");
    }
    let place = Place::new();
    place.out(&["--window", "1h", "-k", "1"], "a\tb\n");
    place.run(&[], "a\tb\n").refused(3, &["--key 1, now nothing"]);
    place.run(&["--last", "9", "-k", "1"], "a\tb\n").refused(3, &["--window 1h, now nothing"]);
    let ran = Place::new().run(&[], "a\n");
    assert_eq!((ran.code, ran.text()), (0, "a\n"), "there is no state yet, and all records count: {}", ran.err);
}

/// An option that says what holds anyway is no other request.
#[test]
fn an_option_that_equals_the_default_is_no_contradiction() {
    let plan = lately(&["plan", "--last", "4000", "--json"], "");
    let rate = |error: &str| lately(&["plan", "--last", "4000", "--json", "--error", error], "").text() == plan.text();
    let default = ["1e-7", "1e-6", "1e-5", "1e-4"].into_iter().find(|error| rate(error)).expect("the default");
    for kind in [&["--last", "4000"][..], &["--capacity", "4000"]] {
        let said = [kind, &["--error", default]].concat();
        for [first, second] in [[kind, &said], [&said, kind]] {
            let place = Place::new();
            assert_eq!(place.out(first, "a\n"), "a\n");
            assert_eq!(place.out(second, "a\nb\n"), "b\n", "{first:?}, then {second:?}");
        }
        let place = Place::new();
        place.out(kind, "a\n");
        assert_eq!(place.run(&[kind, &["--error", "0.3"]].concat(), "a\n").code, 3);
    }
}

/// The state does not fit where it is: that is told, the one before stays, and nothing is left beside it.
#[cfg(target_os = "linux")]
#[test]
fn state_too_large_for_the_disk_is_reported_and_the_old_one_stays() {
    let place = Place::new();
    place.out(&["--last", "100000"], "a\n");
    let before = fs::read(&place.path).unwrap();
    let script = format!("ulimit -f 2; exec \"$0\" --last 100000 --state {}", place.path.display());
    let child = common::sh(place.dir.path(), &script).spawn().unwrap();
    let ran = feed(child, "a\nb\n");
    assert_eq!((ran.code, ran.text()), (3, "b\n"), "{}", ran.err);
    assert!(ran.err.contains("seen.state: not saved: File too large"), "{}", ran.err);
    assert_eq!(place.files(), ["seen.state"]);
    assert_eq!(fs::read(&place.path).unwrap(), before);
}

#[test]
fn the_secret_is_not_in_the_state_and_must_be_the_same() {
    let place = Place::new();
    let secret = place.dir.path().join("secret");
    let other = place.dir.path().join("other");
    let args = |path: &PathBuf| ["--last", "100", "--keyed", path.to_str().unwrap()].map(str::to_owned);
    let run = |path: &PathBuf, input: &str| {
        let args = args(path);
        place.run(&args.iter().map(String::as_str).collect::<Vec<_>>(), input)
    };
    assert_eq!(run(&secret, "a\n").text(), "a\n");
    assert_eq!(run(&secret, "a\nb\n").text(), "b\n");
    let digits = fs::read_to_string(&secret).unwrap();
    let word = |at: usize| u64::from_str_radix(&digits[at..at + 16], 16).unwrap().to_be_bytes();
    let state = fs::read(&place.path).unwrap();
    for at in [0, 16] {
        assert!(!state.windows(8).any(|bytes| bytes == word(at)), "the secret is in the state");
    }
    run(&other, "a\n").refused(3, &["secret"]);
}

#[test]
fn a_damaged_state_is_an_error_and_stays() {
    let place = Place::new();
    place.out(&["--last", "10"], "a\nb\n");
    let whole = fs::read(&place.path).unwrap();
    let lengths = (1..whole.len()).step_by(whole.len().div_ceil(40)).chain([whole.len() - 1]);
    let cut = lengths.map(|end| whole[..end].to_vec());
    let flipped = (0..whole.len()).step_by(whole.len().div_ceil(40)).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        bytes
    });
    let longer = [&whole[..], b"\n"].concat();
    for bytes in cut.chain(flipped).chain([longer]) {
        fs::write(&place.path, &bytes).unwrap();
        place.run(&["--last", "10"], "c\n").refused(3, &["seen.state: "]);
        assert_eq!(fs::read(&place.path).unwrap(), bytes, "it is as it was");
    }
}

/// The form of a snapshot is written behind its first eight bytes.
#[test]
fn state_of_another_release_is_refused_with_advice() {
    let place = Place::new();
    place.out(&["--last", "10"], "a\nb\n");
    let mut bytes = fs::read(&place.path).unwrap();
    bytes[8] = 1;
    fs::write(&place.path, &bytes).unwrap();
    let said = ["another release of lately", "format version 1", "remove the file"];
    place.run(&["--last", "10"], "a\n").refused(3, &said);
    assert_eq!(fs::read(&place.path).unwrap(), bytes, "it is as it was");
}

/// Records that nobody took are not in the state: the next run prints them.
#[test]
fn a_reader_that_goes_takes_nothing_from_the_next_run() {
    let place = Place::new();
    place.out(&["--last", "100000"], "before\n");
    let state = fs::read(&place.path).unwrap();
    let mut child = start(&place.args(&["--last", "100000"]));
    drop(child.stdout.take());
    let input: String = (0..50_000).map(|i| format!("record {i}\n")).collect();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(&place.path).unwrap(), state);
}

/// The duplicates would take the place of what the file keeps: a state that is gone, or a secret without which no state opens.
#[test]
fn file_of_the_duplicates_that_keeps_state_or_secret_is_refused_and_stays() {
    let place = Place::new();
    let secret = place.dir.path().join("secret");
    let [state, secret] = [&place.path, &secret].map(|path| path.to_str().unwrap());
    let args = ["--last", "1000", "--keyed", secret];
    place.out(&args, "before\n");
    let kept = [state, secret].map(|path| fs::read(path).unwrap());
    for (option, path) in [("--state", state), ("--keyed", secret)] {
        let ran = place.run(&[&args[..], &["--repeats", path]].concat(), "before\n");
        ran.refused(2, &[&format!("for '--repeats': must be another file than that of '{option}'")]);
        assert!([state, secret].map(|path| fs::read(path).unwrap()) == kept, "{option}");
    }
}

/// A folder for those who may put files into it and not see which there are.
#[cfg(unix)]
#[test]
fn state_in_a_folder_that_cannot_be_read_is_saved_without_a_word() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let place = Place::new();
    let folder = place.dir.path().join("post");
    fs::create_dir(&folder).unwrap();
    let open = |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    open(place.dir.path(), 0o755);
    open(&folder, 0o333);
    let path = folder.join("seen.state");
    let run = |as_another: bool| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lately"));
        command.args(["--last", "9", "--state", path.to_str().unwrap()]).stdin(std::process::Stdio::null());
        if as_another {
            command.uid(65_534).gid(65_534);
        }
        command.output()
    };
    // Nothing is forbidden to root, and another user may not reach the shell.
    let ran = run(fs::read_dir(&folder).is_ok()).or_else(|_| run(false)).unwrap();
    open(&folder, 0o755);
    assert_eq!((ran.status.code(), String::from_utf8(ran.stderr).unwrap().as_str()), (Some(0), ""));
    assert!(path.is_file());
}

/// Killed at any moment: the state is whole, and holds the records of a beginning of the input and nothing else.
#[test]
fn a_kill_at_any_moment_leaves_a_whole_state() {
    // More than all rounds send, however fast the machine is.
    let args = ["--last", "40000", "--save-every", "1ms"];
    let place = Place::new();
    let (rounds, mut delay, mut states) = (60_u64, 7_u64, std::collections::BTreeSet::new());
    // A busy machine gets no further than its start before the first kills: then they come later.
    let mut least = 2_000;
    let mut shown = 0_u64;
    for round in 0..rounds {
        let mut child = start(&place.args(&args));
        let mut input = child.stdin.take().unwrap();
        let first = shown;
        let feeder = std::thread::spawn(move || {
            // The pipe breaks when the other end is killed.
            let _ = (first..first + 400).try_for_each(|i| input.write_all(format!("{i}\n").as_bytes()));
            // Kept open: the run does not come to its end.
            input
        });
        delay = delay * 1_103_515_245 % 40_009;
        std::thread::sleep(Duration::from_micros(least + delay));
        kill(child);
        drop(feeder.join().unwrap());
        if !place.path.exists() {
            least = 1_000_000.min(2 * least);
            continue;
        }
        let filter = place.filter();
        let held = (0..first + 400).take_while(|i| filter.contains(i.to_string().as_bytes()).is_duplicate()).count();
        let held = u64::try_from(held).unwrap();
        assert!(held >= first, "round {round}: records of an earlier state are gone");
        let beyond = (held..first + 400).filter(|i| filter.contains(i.to_string().as_bytes()).is_duplicate()).count();
        assert!(beyond <= 6, "round {round}: {beyond} records beyond the {held} of a beginning");
        least = if held == first { 1_000_000.min(2 * least) } else { least };
        states.insert(held);
        shown = held;
    }
    assert!(states.len() > 3, "the kills met {} states", states.len());
    let input: String = (0..shown).map(|i| format!("{i}\n")).collect();
    assert_eq!(place.out(&args[..2], &input), "", "the next run continues from it");
}

/// Killed while its reader makes it wait: what did not get out is in no state.
#[cfg(unix)]
#[test]
fn a_record_is_handed_on_before_it_is_in_a_state() {
    const SENT: u32 = 40_000;
    let place = Place::new();
    let mut child = start(&place.args(&["--last", "20000", "--error", "1e-9", "--save-every", "1ns"]));
    let mut input = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        // More than the pipes hold: it breaks when the other end is killed. In pieces that are read one by one.
        let _ = (0..SENT).step_by(100).try_for_each(|first| {
            std::thread::sleep(Duration::from_millis(2));
            input.write_all((first..first + 100).map(|i| format!("{i}\n")).collect::<String>().as_bytes())
        });
        input
    });
    // Until nothing is saved any more.
    let saved = || fs::metadata(&place.path).and_then(|data| data.modified()).ok();
    let (mut last, mut quiet) = (None, 0);
    while quiet < 20 {
        std::thread::sleep(Duration::from_millis(50));
        let now = saved();
        quiet = if now.is_some() && now == last { quiet + 1 } else { 0 };
        last = now;
    }
    child.kill().unwrap();
    // Dead before its pipe is read: else what it hands on now gets out after all.
    child.wait().unwrap();
    let mut printed = Vec::new();
    std::io::Read::read_to_end(&mut child.stdout.take().unwrap(), &mut printed).unwrap();
    drop(feeder.join().unwrap());
    let printed = u32::try_from(printed.iter().filter(|byte| **byte == b'\n').count()).unwrap();
    let filter = place.filter();
    let held = |range: std::ops::Range<u32>| {
        range.filter(|i| filter.contains(i.to_string().as_bytes()).is_duplicate()).count()
    };
    assert!(held(0..printed) > 1000, "{printed} records were printed");
    let beyond = held(printed + 1..SENT);
    assert!(beyond < 3, "{beyond} records are in the state, and were not printed");
}

/// A run as root, in a cron job say, does not take a state from its owner; anybody else keeps what may be kept.
#[cfg(unix)]
#[test]
fn state_keeps_its_owner_and_its_mode() {
    use std::os::unix::fs::{MetadataExt, chown};
    let place = Place::new();
    // As mktemp makes it: an empty file is a new state.
    File::create(&place.path).unwrap().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let data = || fs::metadata(&place.path).map(|data| (data.uid(), data.gid(), data.mode() & 0o777)).unwrap();
    assert_eq!((place.out(&["--last", "9"], "a\n"), data().2), (String::from("a\n"), 0o600));
    let given = chown(&place.path, Some(1000), Some(1000)).is_ok();
    fs::set_permissions(&place.path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let before = data();
    assert!(!given || before == (1000, 1000, 0o640));
    assert_eq!(place.out(&["--last", "9"], "a\nb\n"), "b\n");
    assert_eq!(data(), before);
}
