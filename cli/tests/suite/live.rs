//! A stream that is followed: nothing waits for long, states are saved while nothing comes, and signals end the run with
//! everything handed on.

use crate::common;

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use common::{quiet, start};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// Panics if it does not come within a minute.
const LONG: Duration = Duration::from_secs(60);

/// Reads `n` bytes while their source stays open.
fn bytes<R: Read + Send + 'static>(mut from: R, n: usize) -> (String, R) {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; n];
        if from.read_exact(&mut bytes).is_ok() {
            // The test may have given up.
            let _ = sender.send((String::from_utf8(bytes).expect("text"), from));
        }
    });
    receiver.recv_timeout(LONG).expect("bytes within a minute")
}

/// A run that was fed `input`, has shown `output`, and waits for more.
fn waiting(args: &[&str], input: &str, output: &str) -> (Child, ChildStdin) {
    let mut child = start(args);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let (came, stdout) = bytes(child.stdout.take().unwrap(), output.len());
    assert_eq!(came, output);
    child.stdout = Some(stdout);
    (child, stdin)
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn judged_records_are_flushed_while_the_input_pauses() {
    for args in [&["--last", "9"][..], &["--window", "1h", "--flag"], &["--last", "9", "-k", "1"]] {
        let word = if args.contains(&"--flag") { "\tnew" } else { "" };
        let (mut child, mut stdin) = waiting(args, "a\nb\npart", &format!("a{word}\nb{word}\n"));
        stdin.write_all(b"ial\nc\n").unwrap();
        let (came, _) = bytes(child.stdout.take().unwrap(), 10 + 2 * word.len());
        assert_eq!(came, format!("partial{word}\nc{word}\n"));
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
    let (came, stdout) = bytes(child.stdout.take().unwrap(), 4);
    assert_eq!(came, "a\nb\n");
    stdin.write_all(&whole[head.len()..]).unwrap();
    drop(stdin);
    assert_eq!(bytes(stdout, 2).0, "c\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn every_signal_that_ends_a_run_hands_on_saves_and_is_its_status() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state").to_str().unwrap().to_owned();
        let args = ["--last", "1000", "--state", &state, "--save-every", "0"];
        let (child, stdin) = waiting(&args, "a\nb\ncut off", "a\nb\n");
        send(&child, signal);
        let done = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(status), &b""[..]));
        assert!(done.stderr.starts_with(b"read            2\n"), "{}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(quiet(&args, "a\nb\ncut off\n").text(), "cut off\n");
    }
}

/// A state that takes so long to save that signals come meanwhile.
const LARGE: &str = "2e7";

/// `timeout` signals its child and then its group; a closing terminal sends SIGHUP twice.
#[test]
fn signals_within_a_second_of_the_first_do_not_cancel_the_save() {
    for (first, then, status) in
        [(Signal::TERM, Signal::TERM, 143), (Signal::HUP, Signal::HUP, 129), (Signal::INT, Signal::INT, 130)]
    {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state").to_str().unwrap().to_owned();
        let (child, stdin) = waiting(&["--last", LARGE, "--state", &state], "a\n", "a\n");
        send(&child, first);
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(10));
            // It may have ended already.
            let _ = kill_process(Pid::from_child(&child), then);
        }
        let done = child.wait_with_output().unwrap();
        drop(stdin);
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(status), "{err}");
        assert!(err.starts_with("read            1\n"), "{err}");
        let files: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(files, ["state"]);
        assert_eq!(quiet(&["--last", LARGE, "--state", &state], "a\nb\n").text(), "b\n");
    }
}

/// A run that nobody reads can be ended: by a signal that comes a second after the first one.
#[test]
fn second_signal_ends_the_run_and_names_what_is_unsaved() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state").to_str().unwrap().to_owned();
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
        assert!(!std::path::Path::new(&state).exists());
    }
}

/// A file system that is full for a while costs no record and does not end the run.
#[test]
fn periodic_save_that_fails_is_reported_and_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("folder");
    let away = dir.path().join("away");
    std::fs::create_dir(&folder).unwrap();
    let state = folder.join("state").to_str().unwrap().to_owned();
    let args = ["--last", "9", "--state", &state, "--save-every", "20ms"];
    let (mut child, mut stdin) = waiting(&args, "a\n", "a\n");
    std::fs::rename(&folder, &away).unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let mut line = |stdin: &mut ChildStdin, letter: &str, want: &str| {
        let mut said = String::new();
        stdin.write_all(format!("{letter}\n").as_bytes()).unwrap();
        while !said.ends_with('\n') {
            let mut byte = [0];
            assert_eq!(stderr.read(&mut byte).unwrap(), 1, "{said}");
            said.push(char::from(byte[0]));
        }
        assert!(said.starts_with(&format!("lately: {state}: {want}")), "{said}");
    };
    line(&mut stdin, "b", "not saved: ");
    std::thread::sleep(Duration::from_millis(100));
    std::fs::rename(&away, &folder).unwrap();
    line(&mut stdin, "c", "saved again");
    drop((stdin, stderr));
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(0), &b"b\nc\n"[..]));
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
    let want: String = (1..101).map(|i| format!("{i}\n")).collect();
    let (came, _) = bytes(child.stdout.take().unwrap(), want.len());
    assert_eq!(came, want);
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
        let mut stderr = child.stderr.take().unwrap();
        let mut line = String::new();
        while !line.ends_with('\n') {
            let (byte, rest) = bytes(stderr, 1);
            (line, stderr) = (line + &byte, rest);
        }
        assert!(line.starts_with(&head), "{line}");
        child.stderr = Some(stderr);
        stdin.write_all(format!("{n}\n").as_bytes()).unwrap();
        let (came, stdout) = bytes(child.stdout.take().unwrap(), 2);
        assert_eq!(came, format!("{n}\n"));
        child.stdout = Some(stdout);
    }
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success() && done.stderr.starts_with(b"{\"read\":5,"));
    let (child, stdin) = waiting(&["--last", "9"], "a\n", "a\n");
    send(&child, Signal::USR1);
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success());
}

#[test]
fn a_state_is_saved_while_nothing_comes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    let args = |every| ["--last", "9", "--state", path.to_str().unwrap(), "--save-every", every].map(str::to_owned);
    let started = |every| {
        let args = args(every);
        waiting(&args.iter().map(String::as_str).collect::<Vec<_>>(), "a\n", "a\n")
    };
    let (mut child, stdin) = started("0");
    std::thread::sleep(Duration::from_millis(150));
    assert!(!path.exists(), "0 is never");
    child.kill().unwrap();
    child.wait().unwrap();
    drop(stdin);
    let (mut child, stdin) = started("50ms");
    for _ in 0..6000 {
        if path.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(stdin);
    assert_eq!(quiet(&["--last", "9", "--state", path.to_str().unwrap()], "a\nb\n").text(), "b\n");
}

/// What whoever started the run wants ignored stays ignored.
#[cfg(target_os = "linux")]
#[test]
fn nohup_is_obeyed() {
    let script = "trap '' HUP; exec \"$0\" --last 9";
    let mut child = Command::new("sh");
    let mut child = child
        .args(["-c", script, env!("CARGO_BIN_EXE_lately")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a\n").unwrap();
    let (_, stdout) = bytes(child.stdout.take().unwrap(), 2);
    send(&child, Signal::HUP);
    stdin.write_all(b"b\n").unwrap();
    assert_eq!(bytes(stdout, 2).0, "b\n");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
