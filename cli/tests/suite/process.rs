//! The shell as a process: reports, streams that end or break, signals, a terminal.

use crate::common;

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::Stdio;
use std::time::Duration;

use common::{command, end, feed, files, lately, line, numbers, quiet, script, send, start, waiting};
use rustix::process::Signal;

const W: [&str; 2] = ["--window", "1h"];

#[test]
fn memory_limit_reached_is_reported_immediately_and_at_the_end() {
    let ran = lately(&["--window", "1h", "--memory", "16K"], numbers(0..100_000));
    let said: Vec<&str> = ran.err.lines().collect();
    assert_eq!((ran.code, said.len()), (0, 2), "{}", ran.err);
    assert!(
        said[0].starts_with("lately: line ") && said[0].contains(": the limit --memory 16K shortened"),
        "{}",
        ran.err
    );
    assert!(said[1].starts_with("lately: the limit --memory 16K shortened the window from 1h to"), "{}", ran.err);
    let ran = lately(&["--window", "1h", "--memory", "16K", "--report", "json"], numbers(0..100_000));
    assert_eq!(ran.report()["memory_shortened_window"], true);
    assert!(ran.count("bytes_peak") <= 16_384 && ran.count("window_shortest_ns") < 3_600_000_000_000);
    let ran =
        lately(&["--window", "1h", "--memory", "16K", "--error", "1e-3", "--on-limit", "raise"], numbers(0..100_000));
    assert!(ran.err.contains("the limit --memory 16K raised the error rate from 1e-3 to"), "{}", ran.err);
}

#[test]
fn strict_sees_promises_that_are_broken() {
    for (args, records, said) in [
        (&["--window", "1h", "--memory", "16K", "--error", "1e-3"][..], 100_000, "shortened the window"),
        (
            &["--algo", "time-limited", "--window", "1h", "--memory", "16K", "--error", "1e-3", "--on-limit", "raise"],
            100_000,
            "--memory 16K raised the error rate from 1e-3 to",
        ),
        (&["--capacity", "1000", "--error", "1e-3"], 300_000, " keys in a set planned for 1000 raise"),
    ] {
        let ran = lately(&[args, &["--strict"]].concat(), numbers(0..records));
        assert_eq!(ran.code, 3, "{args:?}: {}", ran.err);
        assert!(ran.err.lines().count() >= 2 && ran.err.lines().all(|line| line.contains(said)), "{}", ran.err);
        assert_eq!(lately(args, numbers(0..records)).code, 0, "{args:?}");
        assert_eq!(
            lately(&[args, &["--strict"]].concat(), numbers(0..100)).code,
            0,
            "{args:?}: what is kept is no fault"
        );
    }
}

#[test]
fn strict_is_content_with_filters_that_keep_their_promises() {
    for args in [
        &["--window", "1h"][..],
        &["--window", "10ms"],
        &["--window", "1h", "--first", "--error", "1e-4"],
        &["--algo", "time-limited", "--window", "1h"],
        &["--last", "1000", "--error", "1e-3"],
        &["--last", "50000", "--error", "1e-2"],
        &["--algo", "age-partitioned", "--last", "30", "--error", "1e-3"],
        &["--algo", "age-partitioned", "--last", "1000"],
        &["--capacity", "100000", "--error", "1e-3"],
        &["--capacity", "100000", "--memory", "1M"],
        &["--memory", "4K"],
        &["--memory", "64K", "--variant", "qht"],
        &["--algo", "quotient", "--last", "1000", "--miss", "0.1"],
    ] {
        let ran = lately(&[args, &["--strict"]].concat(), numbers(0..100_000));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}");
    }
}

/// While the run continues, and once.
#[test]
fn live_run_reports_a_broken_promise_when_it_breaks() {
    let (mut child, mut stdin) =
        waiting(&["--capacity", "10", "--error", "1e-3", "--line-buffered"], "hello\npart", "hello\n");
    stdin.write_all(numbers(0..300).as_bytes()).unwrap();
    let (said, stderr) = line(child.stderr.take().unwrap());
    assert!(said.starts_with("lately: line ") && said.contains(" keys in a set planned for 10"), "{said}");
    child.stderr = Some(stderr);
    drop(stdin);
    let ran = end(child);
    assert!(ran.code == 0 && ran.err.lines().count() <= 2, "{}", ran.err);
}

/// As with cat and grep: what can be read is read, and the status remembers the rest.
#[test]
fn inputs_behind_one_that_cannot_be_read_are_read() {
    let (dir, paths) = files(&[&b"a\nb\n"[..], b"b\nc\n", b"\x1f\x8b\x08\0cut"]);
    let [one, two, cut] = [&paths[0], &paths[1], &paths[2]].map(String::as_str);
    let state = dir.path().join("state");
    for bad in ["no/such/file", ".", cut] {
        let ran = lately(&["--last", "9", one, bad, two], "");
        assert_eq!((ran.code, ran.text()), (3, "a\nb\nc\n"), "{}", ran.err);
        assert!(ran.err.starts_with(&format!("lately: {bad}: ")) && ran.err.lines().count() == 1, "{}", ran.err);
    }
    let args = ["--last", "9", "--state", state.to_str().unwrap(), "--report", "json"];
    let ran = lately(&[&args[..], &["no/such/file", two]].concat(), "");
    assert_eq!((ran.code, ran.count("read")), (3, 2), "{}", ran.err);
    assert_eq!(quiet(&args[..4], "c\nd\n").text(), "d\n", "what was read is in the state");
    let failing = lately(&["--last", "9", "--exec", "false", "no/such/file", two], "");
    assert_eq!(failing.code, 3, "{}", failing.err);
}

/// One end of a pair of sockets, non-blocking as node and ssh make the pipes that they share; and the other end.
fn slow_stream() -> (Stdio, UnixStream) {
    let (theirs, ours) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    (OwnedFd::from(theirs).into(), ours)
}

/// Runs with this standard output and standard error, and reads `from` after the run had time to fill it.
fn late_reader(args: &[&str], input: String, out: Stdio, err: Stdio, mut from: UnixStream) -> (i32, String) {
    let mut child = command(args).stdout(out).stderr(err).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    std::thread::sleep(Duration::from_millis(300));
    let mut text = String::new();
    from.read_to_string(&mut text).unwrap();
    let _ = feeder.join().unwrap();
    (child.wait().unwrap().code().unwrap_or(-1), text)
}

#[test]
fn non_blocking_output_gets_every_record() {
    let text = numbers(0..200_000);
    for extra in [&[][..], &["--flag"], &["--line-buffered"], &["--repeats", "/dev/null"]] {
        let (out, from) = slow_stream();
        let ran = late_reader(&[&["--last", "10"], extra].concat(), text.clone(), out, Stdio::null(), from);
        let want = if extra == ["--flag"] { text.replace('\n', "\tnew\n") } else { text.clone() };
        assert!(ran == (0, want), "{extra:?}: status {}, {} bytes", ran.0, ran.1.len());
    }
    for args in [&["--generate", "man"][..], &["--help"], &["plan", "--last", "9"]] {
        let (out, from) = slow_stream();
        let ran = late_reader(args, String::new(), out, Stdio::null(), from);
        assert!(ran == (0, quiet(args, "").text().to_owned()), "{args:?}: status {}", ran.0);
    }
}

/// The thread that decompresses waits, too.
#[test]
fn non_blocking_input_is_read_to_its_end() {
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(b"a\nb\na\n").unwrap();
    let (theirs, mut ours) = slow_stream();
    let child = command(&["--last", "9"]).stdin(theirs).spawn().unwrap();
    for part in lz4.finish().unwrap().chunks(9) {
        std::thread::sleep(Duration::from_millis(100));
        ours.write_all(part).unwrap();
    }
    drop(ours);
    let ran = end(child);
    assert_eq!((ran.code, ran.text()), (0, "a\nb\n"), "{}", ran.err);
}

#[test]
fn non_blocking_standard_error_gets_every_failed_record() {
    let records: Vec<String> = (0..400).map(|i| format!("{i:03} {}", "x".repeat(1000))).collect();
    let (err, from) = slow_stream();
    let args = ["--last", "1000", "--exec", "exit 1"];
    let (code, text) = late_reader(&args, records.join("\n") + "\n", Stdio::null(), err, from);
    let came: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("exit status 1: ")).map(|(_, it)| it).collect();
    assert_eq!((code, came.len()), (4, 400));
    assert!(came.iter().eq(&records));
}

#[test]
fn a_reader_that_leaves_ends_the_run_in_silence() {
    for extra in [&[][..], &["--line-buffered"], &["--report", "text", "--flag"]] {
        let mut child = start(&[&W[..], extra].concat());
        let mut stdin = child.stdin.take().unwrap();
        // More than pipes and buffers hold, so that the shell must notice.
        let feeder = std::thread::spawn(move || stdin.write_all(numbers(0..400_000).as_bytes()));
        let mut first = String::new();
        let mut stdout = BufReader::with_capacity(16, child.stdout.take().unwrap());
        stdout.read_line(&mut first).unwrap();
        drop(stdout);
        let done = child.wait_with_output().unwrap();
        let _ = feeder.join().unwrap();
        assert!(first.starts_with('0'));
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]), "{extra:?}");
    }
}

/// A socket of packets shows which records were written together.
#[test]
fn line_buffered_records_leave_one_by_one() {
    for (args, packets) in [(&["--line-buffered"][..], 3), (&[], 1)] {
        let (theirs, ours) = UnixDatagram::pair().unwrap();
        let child = command(&[&W[..], args].concat()).stdout(OwnedFd::from(theirs)).spawn().unwrap();
        assert_eq!(feed(child, "a\nb\nc\n").code, 0);
        ours.set_nonblocking(true).unwrap();
        assert_eq!(std::iter::from_fn(|| ours.recv(&mut [0; 64]).ok()).count(), packets, "{args:?}");
    }
}

#[test]
fn an_interrupt_at_work_hands_on_what_was_judged() {
    let mut child = start(&[&W[..], &["--report", "json"]].concat());
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || (0_u64..).try_for_each(|i| writeln!(stdin, "{i}")));
    let mut stdout = child.stdout.take().unwrap();
    let mut some = [0; 4096];
    let read = stdout.read(&mut some).unwrap();
    send(&child, Signal::INT);
    let mut text = some[..read].to_vec();
    stdout.read_to_end(&mut text).unwrap();
    let ran = end(child);
    assert!(feeder.join().unwrap().is_err(), "the pipe was closed");
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!((ran.code, ran.err.lines().count(), ran.count("new")), (130, 1, u64::try_from(lines).unwrap()));
}

/// A pseudo-terminal: the end that programs see, and what reads them.
fn terminal() -> (File, File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let slave = File::options().read(true).write(true).open(name).unwrap();
    (slave, File::from(master))
}

#[test]
fn a_terminal_sees_progress() {
    let (_dir, paths) = files(&[numbers(0..2_000_000)]);
    let (slave, mut master) = terminal();
    let mut child = command(&[&W[..], &[&paths[0]]].concat())
        .env("TERM", "xterm")
        .stdout(Stdio::null())
        .stderr(slave)
        .spawn()
        .unwrap();
    let mut seen = Vec::new();
    let mut part = [0; 4096];
    // At the end a terminal without programs gives an error on Linux, and an end elsewhere.
    while let Ok(read @ 1..) = master.read(&mut part) {
        seen.extend_from_slice(&part[..read]);
    }
    assert!(child.wait().unwrap().success());
    let seen = String::from_utf8_lossy(&seen);
    assert!(seen.contains(" of ") && seen.contains("iB/s"), "{seen}");
}

#[test]
fn a_pipe_sees_no_progress_and_a_terminal_gets_lines_right_away() {
    assert_eq!(quiet(&W, numbers(0..100_000)).err, "");
    let (slave, master) = terminal();
    let mut child = command(&W).stdout(slave).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"hello\n").unwrap();
    let (came, _master) = line(master);
    assert_eq!(came.trim_end(), "hello", "while the input is still open");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Runs with its standard streams led by sh, in a folder that has a file `log`; what that file has then, and the status.
fn led(text: &str) -> (String, i32) {
    let (dir, log) = common::place("log");
    std::fs::write(&log, "a day of log\n").unwrap();
    let ran = script(dir.path(), &text.replace("lately", "\"$0\""));
    (std::fs::read_to_string(&log).unwrap(), ran.code)
}

#[test]
fn outputs_that_are_open_already_are_written_where_they_are() {
    let input = "printf 'a\\nb\\na\\nc\\n' | lately --last 9";
    for (streams, want) in [
        ("--repeats /dev/stderr > out 2>> log", "a day of log\na\n"),
        ("--repeats log > out 2>> log", "a day of log\na\n"),
        ("--repeats /dev/stdout >> log", "a day of log\na\nb\na\nc\n"),
        ("--repeats log > log", "a\nb\na\nc\n"),
        ("--repeats /dev/fd/3 > out 3>> log", "a day of log\na\n"),
        ("--repeats log > out", "a\n"),
    ] {
        assert_eq!(led(&format!("{input} {streams}")), (want.to_owned(), 0), "{streams}");
    }
    // Who opened the stream goes on behind what the run wrote.
    assert_eq!(led(&format!("({input} --repeats /dev/fd/3 > out; echo more >&3) 3> log")), ("a\nmore\n".into(), 0));
}

#[test]
fn file_that_is_an_output_is_neither_input_nor_state_nor_metrics() {
    assert_eq!(led("lately --last 9 log >> log"), ("a day of log\n".into(), 3));
    assert_eq!(led("lately --last 9 < log >> log"), ("a day of log\n".into(), 3));
    assert_eq!(led("lately --last 9 log > out"), ("a day of log\n".into(), 0));
    for option in ["--state", "--metrics"] {
        let (log, code) = led(&format!("echo a | lately --last 9 {option} log >> log"));
        assert_eq!((log.as_str(), code), ("a day of log\n", 2), "{option}");
        let (log, code) = led(&format!("echo a | lately --last 9 {option} /dev/stderr 2>> log"));
        assert!(log.contains("must be a file that is no standard output of the run") && code == 2, "{option}: {log}");
    }
}
