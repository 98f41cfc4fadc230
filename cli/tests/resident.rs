//! Resident memory: the filter's, 8 MiB, and twice the longest record; whatever comes.
#![cfg(target_os = "linux")]

mod common;

use std::io::{Read, Write};

use common::start;

/// Runs over `input`, and gives what was resident at most and what the filter took at most.
fn resident(args: &[&str], input: Vec<u8>) -> (u64, u64) {
    let mut child = start(&[args, &["--report", "json"]].concat());
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let feeder = std::thread::spawn(move || {
        stdin.write_all(&input).unwrap();
        // A record that comes out says that all before it are judged; the input stays open meanwhile.
        stdin.write_all(b"{\"a\":\"the last one\"}\n").unwrap();
        stdin
    });
    let (mut tail, mut some) = (Vec::new(), vec![0; 1 << 16]);
    while !tail.ends_with(b"the last one\"}\n") {
        let read = stdout.read(&mut some).unwrap();
        assert!(read > 0, "it ended");
        tail.extend_from_slice(&some[..read]);
        tail.drain(..tail.len().saturating_sub(64));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
    drop(feeder.join().unwrap());
    let done = child.wait_with_output().unwrap();
    let err = String::from_utf8(done.stderr).unwrap();
    let report = err.lines().find(|line| line.starts_with('{')).unwrap();
    let report: serde_json::Value = serde_json::from_str(report).unwrap();
    (kib << 10, report["bytes_peak"].as_u64().unwrap())
}

#[test]
fn it_is_bounded_whatever_comes() {
    const MIB: usize = 1 << 20;
    // The code of a build without optimisation is twice as large, and counts.
    const CODE: usize = if cfg!(debug_assertions) { 2 * MIB } else { 0 };
    let lines = |n: u32| (0..n).flat_map(|i| format!("{{\"a\":\"{i}\"}}\n").into_bytes()).collect::<Vec<u8>>();
    let long = |mib: usize| [b"{\"a\":\"".to_vec(), vec![b'x'; mib * MIB], b"\"}\n".to_vec()].concat();
    for (args, input, longest) in [
        (&["--last", "1e5"][..], lines(400_000), 0),
        (&["--window", "1h"], lines(400_000), 0),
        (&["--last", "1e3", "--top", "5"], lines(400_000).repeat(2), 0),
        (&["--last", "1e3"], [long(15), lines(9), long(15)].concat(), 15 * MIB),
        (&["--last", "1e3", "--json", "/a"], [long(15), lines(9)].concat(), 15 * MIB),
        (&["--last", "1e3", "--bad", "drop"], long(200), 16 * MIB),
    ] {
        let (hwm, filter) = resident(args, input);
        let most = filter + u64::try_from(8 * MIB + CODE + 2 * longest).unwrap();
        assert!(hwm <= most, "{args:?}: {hwm} bytes resident, {most} allowed, {filter} the filter's");
    }
}

/// A pipe's window has room for 2^20 keys at once, and what few keys leave of it goes back. A state is not made larger.
#[test]
fn a_pipe_has_room_from_the_start_and_gives_back_what_it_does_not_use() {
    let arrivals = common::quiet_report(&["--window", "1h"], "a\n");
    assert!((4 << 20..5 << 20).contains(&arrivals["bytes"].as_u64().unwrap()), "{arrivals}");
    let times = ["--window", "10s", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let lines: String = (1..=200_000).map(|i| format!("{}.{:03} k{i}\n", i / 1000, i % 1000)).collect();
    let later = common::quiet_report(&times, &lines);
    assert!((40_000..80_000).contains(&later["bytes"].as_u64().unwrap()), "{later}");
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let kept = common::quiet_report(&["--window", "1h", "--state", state.to_str().unwrap()], "a\n");
    assert_eq!(kept["bytes"], 1024, "{kept}");
}
