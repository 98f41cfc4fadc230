//! `--exec CMD`: a new record is printed and counts as seen when its command has ended with 0; one whose command failed, or was
//! killed together with the run, is new again.

use crate::common;

use std::fs;
use std::io::Write;
use std::path::Path;

use common::{end, expect, kill, lately, place, quiet, send, start, wait_for};
use rustix::process::{Pid, Signal, kill_process};

const KINDS: [&[&str]; 4] = [&["--window", "1h"], &["--last", "99"], &["--capacity", "99"], &["--memory", "64K"]];

#[test]
fn new_record_runs_command_and_is_printed() {
    let (_dir, log) = place("log");
    for kind in KINDS {
        fs::write(&log, "").unwrap();
        let command = format!("cat >> {log}; echo \"=$LATELY_RECORD\" >> {log}");
        let ran = quiet(&[kind, &["--exec", &command]].concat(), "a\nb\na\nc\nb");
        assert_eq!(
            (ran.text(), &*fs::read_to_string(&log).unwrap()),
            ("a\nb\nc\n", "a\n=a\nb\n=b\nc\n=c\n"),
            "{kind:?}"
        );
    }
}

#[test]
fn failed_command_gives_record_and_status_and_the_record_stays_new() {
    for kind in KINDS {
        let args = [kind, &["--exec", "test \"$LATELY_RECORD\" != bad || exit 7", "--report", "json"]].concat();
        let ran = lately(&args, "a\nbad\na\nbad\nb\n");
        assert_eq!((ran.code, ran.text()), (4, "a\nb\n"), "{kind:?}: {}", ran.err);
        let lines: Vec<&str> = ran.err.lines().collect();
        assert_eq!(
            lines[..2],
            ["lately: line 2: --exec: exit status 7: bad", "lately: line 4: --exec: exit status 7: bad"]
        );
        assert_eq!(["read", "new", "duplicate", "failed"].map(|name| ran.count(name)), [5, 2, 1, 2]);
    }
    // The whole record, whatever is in it.
    let long = "x".repeat(5000);
    let ran = lately(&["--last", "9", "--exec", "kill -9 $$"], format!("{long}\n"));
    assert_eq!((ran.code, ran.err), (4, format!("lately: line 1: --exec: signal: 9 (SIGKILL): {long}\n")));
}

#[test]
fn failed_command_is_worse_than_a_bad_record() {
    let args = ["--last", "9", "--json", "/a", "--strict", "--exec", "exit $(cat | grep -c 2)"];
    let one = lately(&args, "{\"a\":1}\nbad\n");
    assert_eq!((one.code, one.text()), (3, "{\"a\":1}\nbad\n"));
    assert_eq!(lately(&args, "{\"a\":2}\nbad\n").code, 4);
}

#[test]
fn command_output_goes_to_standard_error() {
    let ran = lately(&["--last", "9", "--exec", "echo out; echo err >&2"], "a\n");
    assert_eq!((ran.code, ran.text(), &*ran.err), (0, "a\n", "out\nerr\n"));
}

/// With commands that take long at first and less and less then, the last ones end first.
#[test]
fn output_is_in_order_however_long_commands_take() {
    let input: String = (0..60).map(|i| format!("{i}\n{}\n", i / 2)).collect();
    let command = "test $((LATELY_RECORD % 10)) != 3 || exit 1; sleep 0.0$((9 - LATELY_RECORD % 10))";
    let want: String = (0..60).filter(|i| i % 10 != 3).map(|i| format!("{i}\n")).collect();
    for parallel in ["1", "7", "64"] {
        let ran = lately(&["--last", "999", "--exec", command, "-P", parallel], &input);
        assert_eq!((ran.code, ran.text()), (4, &*want), "{parallel}");
        assert_eq!(ran.err.lines().count(), 3 * 3 + 3, "each sighting of one that fails is a new one: {}", ran.err);
    }
}

/// Each notes when it begins and ends: as many as allowed run at once, and no more.
#[test]
fn no_more_commands_run_than_parallel_allows() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().display();
    for most in [1, 4] {
        let command = format!(
            "touch {here}/run.$LATELY_RECORD; ls {here} | grep -c run >> {here}/counts; sleep 0.3; rm {here}/run.$LATELY_RECORD"
        );
        quiet(&["--last", "99", "--exec", &command, "-P", &most.to_string()], "a\nb\nc\nd\ne\nf\ng\nh\n");
        let counts = fs::read_to_string(dir.path().join("counts")).unwrap();
        let largest = counts.lines().map(|line| line.parse::<u32>().unwrap()).max().unwrap();
        assert_eq!((largest, counts.lines().count()), (most, 8), "{counts}");
        fs::remove_file(dir.path().join("counts")).unwrap();
    }
}

/// A record that comes while the command of its first sighting runs: once it is a duplicate, once it is new.
#[test]
fn repeat_of_a_record_whose_command_runs_waits_for_it() {
    let (_dir, log) = place("log");
    for (status, want, code) in [("0", "a\nb\n", 0), ("1", "", 4)] {
        fs::write(&log, "").unwrap();
        let command = format!("echo begin >> {log}; sleep 0.2; echo end >> {log}; exit {status}");
        let ran = lately(&["--last", "9", "--exec", &command, "-P", "1"], "a\na\nb\n");
        let pairs = fs::read_to_string(&log).unwrap();
        assert_eq!((ran.code, ran.text()), (code, want), "{}", ran.err);
        assert_eq!(pairs, "begin\nend\n".repeat(if code == 0 { 2 } else { 3 }));
        let ran = lately(&["--last", "9", "--exec", &command, "-P", "9"], "a\na\na\n");
        assert_eq!(ran.text(), if code == 0 { "a\n" } else { "" });
        assert!(fs::read_to_string(&log).unwrap()[pairs.len()..].starts_with("begin\nend\n"), "one after the other");
    }
}

#[test]
fn record_is_handed_on_while_the_input_pauses() {
    let mut child = start(&["--last", "9", "--exec", "sleep 0.1", "-P", "2"]);
    let mut stdin = child.stdin.take().unwrap();
    for record in ["a\n", "b\n"] {
        stdin.write_all(record.as_bytes()).unwrap();
        expect(&mut child, record);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Killed after its command began, with a state saved meanwhile: the record is in no state, and comes again.
#[test]
fn kill_between_claim_and_commit_gives_the_record_again() {
    let (dir, state) = place("state");
    let begun = dir.path().join("begun");
    let command = format!("test \"$LATELY_RECORD\" != slow || {{ touch {}; sleep 9; }}", begun.display());
    let saved = ["--last", "99", "--state", &state, "--save-every", "1ms"];
    let mut child = start(&[&saved[..], &["--exec", &command, "-P", "2"]].concat());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"quick\nslow\n").unwrap();
    wait_for(&begun);
    wait_for(&state);
    let copy = dir.path().join("copy");
    let knows_quick = || {
        fs::copy(&state, &copy).unwrap();
        quiet(&["--last", "99", "--state", copy.to_str().unwrap(), "--exec", "true"], "quick\n").text().is_empty()
    };
    while !knows_quick() {
        assert!(child.try_wait().unwrap().is_none(), "no state had the record before the end");
    }
    kill(child);
    let again = quiet(&[&saved[..], &["--exec", "true"]].concat(), "quick\nslow\nquick\nslow\n");
    assert_eq!(again.text(), "slow\n", "what was committed is in the state, and what was not is not");
}

#[test]
fn failed_record_is_new_for_the_next_run_too() {
    let times = ["--window", "1h", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    for (args, input) in [(&["--last", "99"][..], "a\nb\n"), (&times, "1700000000\ta\n1700000001\tb\n")] {
        let (_dir, state) = place("state");
        let run = |command| lately(&[args, &["--state", &state, "--exec", command]].concat(), input);
        assert_eq!((run("exit 1").code, run("exit 1").code), (4, 4));
        let only_a = run("grep -q a");
        assert_eq!((only_a.code, only_a.text()), (4, input.split_inclusive('\n').next().unwrap()));
        assert_eq!(run("true").text(), input.split_inclusive('\n').nth(1).unwrap());
        assert_eq!(run("exit 1").code, 0, "nothing is new");
    }
}

/// A signal begins no further command; the ones that run are waited for, and count.
#[test]
fn signal_waits_for_commands_that_run_and_begins_no_other() {
    let (dir, state) = place("state");
    let begun = dir.path().join("begun");
    let command = format!("touch {}; sleep 0.5", begun.display());
    let mut child = start(&["--last", "9", "--state", &state, "--exec", &command]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a\nb\nc\n").unwrap();
    wait_for(&begun);
    send(&child, Signal::TERM);
    let ran = end(child);
    drop(stdin);
    assert_eq!((ran.code, ran.text()), (143, "a\n"));
    let rest = quiet(&["--last", "9", "--state", &state], "a\nb\nc\n");
    assert_eq!(rest.text(), "b\nc\n");
}

/// Ctrl-C reaches the command too: its record failed, and is not lost.
#[test]
fn signal_that_kills_the_command_leaves_its_record_new() {
    let (dir, state) = place("state");
    let pid = dir.path().join("pid");
    let command = format!("echo $$ > {0}.new && mv {0}.new {0}; exec sleep 60", pid.display());
    let mut child = start(&["--last", "9", "--state", &state, "--exec", &command]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a\nb\n").unwrap();
    wait_for(&pid);
    send(&child, Signal::INT);
    let of_command = fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(of_command).unwrap(), Signal::INT).unwrap();
    let ran = end(child);
    drop(stdin);
    assert_eq!((ran.code, ran.text()), (130, ""), "{}", ran.err);
    assert!(ran.err.starts_with("lately: line 1: --exec: signal: 2 (SIGINT): a\n"), "{}", ran.err);
    assert_eq!(quiet(&["--last", "9", "--state", &state], "a\nb\n").text(), "a\nb\n");
}

#[test]
fn reader_that_goes_leaves_commands_to_their_end_and_the_state_as_it_was() {
    let (dir, state) = place("state");
    let ended = dir.path().join("ended");
    let command = format!("sleep 0.2; echo >> {}", ended.display());
    let mut child = start(&["--last", "99", "--state", &state, "--exec", &command, "-P", "3", "--line-buffered"]);
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"a\nb\nc\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read_to_string(&ended).unwrap().lines().count(), 3);
    assert!(!Path::new(&state).exists(), "what was not printed is in no state");
}

#[test]
fn bad_and_late_records_keep_their_places() {
    let (_dir, two) = place("two");
    fs::write(&two, "b,a\n4,w\n5,\"x\n\"\n").unwrap();
    let ran = lately(
        &["--last", "9", "--csv", "-k", "a", "--exec", "sleep 0.05", "-P", "9", "-", &two],
        "a,b\nx,1\ny,2,3\nz,3\nx,4\n",
    );
    assert_eq!((ran.code, ran.text()), (0, "a,b\nx,1\ny,2,3\nz,3\nw,4\n\"x\n\",5\n"), "{}", ran.err);
    let times = ["--window", "10s", "-k", "2", "--time-field", "1", "--time-format", "epoch", "--late", "pass"];
    let input = "1700000000\ta\n1700000100\tb\n1700000000\tc\n1700000101\tb\n1700000102\td\n";
    let ran = lately(&[&times[..], &["--exec", "sleep 0.05", "-P", "9"]].concat(), input);
    assert_eq!(ran.text(), "1700000000\ta\n1700000100\tb\n1700000000\tc\n1700000102\td\n", "{}", ran.err);
}

/// A record that is far ahead of the clock counts as seen there only if its command succeeds.
#[test]
fn record_far_ahead_is_kept_only_if_its_command_succeeds() {
    let times = ["--window", "1h", "--late", "keep", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let (now, days) = (1_700_000_000, 10 * 86_400);
    let input = format!("{now}\ta\n{0}\tfar\n{1}\tb\n{1}\tfar\n", now + days, now + days + 60);
    for (fails, want) in [("nothing", 3), ("far", 2)] {
        let command = format!("! grep -q {fails}$");
        let ran = lately(&[&times[..], &["--exec", &command, "-P", "4"]].concat(), &input);
        assert_eq!(ran.text().lines().count(), want, "{}", ran.err);
        let failures = ran.err.lines().filter(|line| line.contains("exit status 1: ")).count();
        assert_eq!(failures, if want == 3 { 0 } else { 2 }, "{}", ran.err);
    }
}

#[test]
fn keyed_folded_and_flagless_outputs_are_refused_or_work() {
    let (_dir, secret) = place("secret");
    let ran = quiet(&["--last", "9", "-i", "-k", "2", "--keyed", &secret, "--exec", "true"], "1\tX\n2\tx\n3\ty\n");
    assert_eq!(ran.text(), "1\tX\n3\ty\n");
    let top = lately(&["--last", "9", "--top", "1", "--exec", "true"], "a\na\na\nb\n");
    assert_eq!((top.text(), &*top.err), ("a\nb\n", "           2  a\n"));
    assert_eq!(lately(&["--last", "9", "--exec", ""], "").code, 2);
}

/// A command that takes too long is ended with what it has started; its record is failed, and new when it comes again.
#[test]
fn command_longer_than_its_limit_is_ended() {
    let (dir, alive) = place("alive");
    let script = format!("case $LATELY_RECORD in slow) (sleep 60; touch {alive}) & wait;; esac");
    let ran = lately(&["--last", "9", "--exec", &script, "--exec-limit", "300ms", "-P", "4"], "a\nslow\nb\nslow\n");
    assert_eq!((ran.code, ran.text()), (4, "a\nb\n"), "{}", ran.err);
    assert_eq!(ran.err.matches("--exec: not done within 300ms: ended by SIGTERM: slow\n").count(), 2, "{}", ran.err);
    // What it has started has our standard error, which ended: so it has ended, and not by itself.
    assert!(!Path::new(&alive).exists());
    drop(dir);
}
