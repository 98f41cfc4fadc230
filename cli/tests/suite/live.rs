//! A stream that is followed: nothing waits for long, states are saved while nothing comes, and signals end the run with
//! everything handed on.

use crate::common;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::time::Duration;

use common::{bytes, end, expect, kill, line, place, quiet, send, start, wait_for, waiting};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

#[test]
fn judged_records_are_flushed_while_the_input_pauses() {
    for args in [&["--last", "9"][..], &["--window", "1h", "--flag"], &["--last", "9", "-k", "1"]] {
        let word = if args.contains(&"--flag") { "\tnew" } else { "" };
        let (mut child, mut stdin) = waiting(args, "a\nb\npart", &format!("a{word}\nb{word}\n"));
        stdin.write_all(b"ial\nc\n").unwrap();
        expect(&mut child, &format!("partial{word}\nc{word}\n"));
        drop(stdin);
        assert!(child.wait().unwrap().success());
    }
}

/// The same of compressed input, whose last bytes may lie in the decompressor.
#[test]
fn compressed_input_pauses_too() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"a\nb\na\n").unwrap();
    packed.flush().unwrap();
    let head = packed.get_ref().clone();
    packed.write_all(b"c\n").unwrap();
    let whole = packed.finish().unwrap();
    let mut child = start(&["--last", "9"]);
    let mut stdin = child.stdin.take().unwrap();
    // Byte by byte, so that every part of a header comes alone.
    head.iter().for_each(|byte| stdin.write_all(&[*byte]).unwrap());
    expect(&mut child, "a\nb\n");
    stdin.write_all(&whole[head.len()..]).unwrap();
    drop(stdin);
    expect(&mut child, "c\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn every_signal_that_ends_a_run_hands_on_saves_and_is_its_status() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let (_dir, state) = place("state");
        let args = ["--last", "1000", "--state", &state, "--save-every", "0"];
        let (child, stdin) = waiting(&args, "a\nb\ncut off", "a\nb\n");
        send(&child, signal);
        let ran = end(child);
        drop(stdin);
        assert_eq!((ran.code, ran.text()), (status, ""));
        assert!(ran.err.starts_with("read            2\n"), "{}", ran.err);
        assert_eq!(quiet(&args, "a\nb\ncut off\n").text(), "cut off\n");
    }
}

/// A state that takes so long to save that signals come meanwhile.
const LARGE: &str = "2e7";

/// `timeout` signals its child and then its group; a closing terminal sends SIGHUP twice.
#[test]
fn signals_within_a_second_of_the_first_do_not_cancel_the_save() {
    for (signal, status) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let (dir, state) = place("state");
        let (child, stdin) = waiting(&["--last", LARGE, "--state", &state], "a\n", "a\n");
        send(&child, signal);
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(10));
            // It may have ended already.
            let _ = kill_process(Pid::from_child(&child), signal);
        }
        let ran = end(child);
        drop(stdin);
        assert!(ran.code == status && ran.err.starts_with("read            1\n"), "{}", ran.err);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing but the state");
        assert_eq!(quiet(&["--last", LARGE, "--state", &state], "a\nb\n").text(), "b\n");
    }
}

/// A run that nobody reads can be ended: by a signal that comes a second after the first one.
#[test]
fn second_signal_ends_the_run_and_names_what_is_unsaved() {
    let (_dir, state) = place("state");
    for (args, lost) in [
        (&["--last", "1e5", "--state", &state][..], format!("{state} was not saved")),
        (&["--last", "1e5"], String::from("not all that was read was printed")),
    ] {
        let mut child = start(args);
        let mut stdin = child.stdin.take().unwrap();
        // More than the pipes and the buffers hold; the write fails when the run ends.
        let feeder = std::thread::spawn(move || (0..400_000).try_for_each(|i| writeln!(stdin, "{i}")));
        std::thread::sleep(Duration::from_millis(500));
        send(&child, Signal::TERM);
        std::thread::sleep(Duration::from_millis(300));
        send(&child, Signal::TERM);
        std::thread::sleep(Duration::from_millis(1200));
        assert_eq!(child.try_wait().unwrap(), None, "nothing but its reader keeps it");
        send(&child, Signal::TERM);
        let status = child.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(err, format!("lately: a further signal ended the run at once: {lost}\n"));
        assert!(feeder.join().unwrap().is_err(), "the pipe was closed");
        assert!(!Path::new(&state).exists());
    }
}

/// A file system that is full for a while costs no record and does not end the run.
#[test]
fn periodic_save_that_fails_is_reported_and_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("folder");
    let away = dir.path().join("away");
    fs::create_dir(&folder).unwrap();
    let state = folder.join("state").to_str().unwrap().to_owned();
    let args = ["--last", "9", "--state", &state, "--save-every", "20ms"];
    let (mut child, mut stdin) = waiting(&args, "a\n", "a\n");
    fs::rename(&folder, &away).unwrap();
    let mut stderr = child.stderr.take();
    let mut say = |stdin: &mut ChildStdin, letter: &str, want: &str| {
        stdin.write_all(format!("{letter}\n").as_bytes()).unwrap();
        let (said, rest) = line(stderr.take().unwrap());
        assert!(said.starts_with(&format!("lately: {state}: {want}")), "{said}");
        stderr = Some(rest);
    };
    say(&mut stdin, "b", "not saved: ");
    std::thread::sleep(Duration::from_millis(100));
    fs::rename(&away, &folder).unwrap();
    say(&mut stdin, "c", "saved again");
    drop((stdin, stderr));
    let ran = end(child);
    assert_eq!((ran.code, ran.text()), (0, "b\nc\n"));
    assert_eq!(quiet(&args, "a\nb\nc\nd\n").text(), "d\n");
}

#[test]
fn a_time_limit_from_outside_loses_nothing() {
    let script = "(seq 1 100; sleep 30) | timeout 1 \"$0\" --last 1000";
    let mut child = Command::new("setsid");
    let mut child = child
        .args(["sh", "-c", script, env!("CARGO_BIN_EXE_lately")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    expect(&mut child, &common::numbers(1..101));
    kill_process_group(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
}

/// Records that came but were not judged yet when the signal did: all that were read are handed on.
#[test]
fn records_that_were_read_before_the_signal_are_judged() {
    for _ in 0..10 {
        let mut child = start(&["--last", "1e6"]);
        let mut stdin = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || {
            let mut sent = 0_u32;
            while stdin.write_all(format!("{sent}\n").as_bytes()).is_ok() {
                sent += 1;
            }
        });
        let (mut text, mut stdout) = bytes(child.stdout.take().unwrap(), 5000);
        send(&child, Signal::TERM);
        stdout.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(143));
        feeder.join().unwrap();
        let numbers = text.lines().map(|line| line.parse::<u32>().expect("a whole line"));
        // False duplicates are left out by design, one in thousands.
        assert!(numbers.clone().zip(numbers.skip(1)).all(|(one, next)| next > one && next - one < 4));
    }
}

#[test]
fn a_report_on_the_way_ends_nothing() {
    let (mut child, mut stdin) = waiting(&["--last", "9", "--report", "json"], "a\na\n", "a\n");
    for n in 0..3 {
        send(&child, Signal::USR1);
        let head = format!("{{\"read\":{},\"new\":{},\"duplicate\":1,", 2 + n, 1 + n);
        let (said, stderr) = line(child.stderr.take().unwrap());
        assert!(said.starts_with(&head), "{said}");
        child.stderr = Some(stderr);
        stdin.write_all(format!("{n}\n").as_bytes()).unwrap();
        expect(&mut child, &format!("{n}\n"));
    }
    drop(stdin);
    let ran = end(child);
    assert!(ran.code == 0 && ran.err.starts_with("{\"read\":5,"));
    let (child, stdin) = waiting(&["--last", "9"], "a\n", "a\n");
    send(&child, Signal::USR1);
    drop(stdin);
    assert_eq!(end(child).code, 0);
}

#[test]
fn a_state_is_saved_while_nothing_comes() {
    let (_dir, state) = place("state");
    let started = |every| waiting(&["--last", "9", "--state", &state, "--save-every", every], "a\n", "a\n");
    let (child, stdin) = started("0");
    std::thread::sleep(Duration::from_millis(150));
    assert!(!Path::new(&state).exists(), "0 is never");
    kill(child);
    drop(stdin);
    let (child, stdin) = started("50ms");
    wait_for(&state);
    kill(child);
    drop(stdin);
    assert_eq!(quiet(&["--last", "9", "--state", &state], "a\nb\n").text(), "b\n");
}

/// What whoever started the run wants ignored stays ignored.
#[cfg(target_os = "linux")]
#[test]
fn nohup_is_obeyed() {
    let script = "trap '' HUP; exec \"$0\" --last 9";
    let mut child = common::sh(Path::new("."), script).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a\n").unwrap();
    expect(&mut child, "a\n");
    send(&child, Signal::HUP);
    stdin.write_all(b"b\n").unwrap();
    expect(&mut child, "b\n");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
