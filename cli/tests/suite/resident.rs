//! Resident memory: the filter's, 8 MiB, and twice the longest record; whatever comes.

use crate::common;

use std::io::{Read, Write};

use common::{end, start};

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
    (kib << 10, end(child).count("bytes_peak"))
}

#[test]
fn resident_memory_is_bounded_for_any_input() {
    const MIB: usize = 1 << 20;
    // The code of a build without optimisation is more than twice as large, and counts.
    const CODE: usize = if cfg!(debug_assertions) { 3 * MIB } else { 0 };
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

/// What the report says was taken, now and at most, where `lines` come through a pipe and from a file.
fn taken(args: &[&str], lines: &str) -> Vec<u64> {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lines");
    std::fs::write(&file, lines).unwrap();
    let reports = [args.to_vec(), [args, &[file.to_str().unwrap()]].concat()].map(|args| {
        let report = common::quiet_report(&args, lines);
        ["bytes", "bytes_peak"].map(|name| report[name].as_u64().unwrap())
    });
    reports.concat()
}

/// The bytes that `lately plan` says.
fn planned(args: &[&str]) -> u64 {
    common::plan(args)["bytes"].as_u64().unwrap()
}

/// A window of time has the memory that its keys need, whether they come from a file or through a pipe: at most twice the plan.
#[test]
fn a_window_takes_what_its_keys_need_whatever_the_input() {
    let one = common::quiet_report(&["--window", "1h"], "a\n");
    assert!(one["bytes"].as_u64().is_some_and(|bytes| bytes <= 640), "{one}");
    // 5,000 keys come again and again.
    let lines: String = (0..200_000).map(|i| format!("{}.{:03} k{}\n", i / 1000, i % 1000, i % 5000)).collect();
    let times = ["--window", "10s", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    // A map of the first keys and the first lines are there at one time.
    let most = (96 << 10).max(2 * planned(&["--window", "10s", "--rate", "500"]));
    let taken = taken(&times, &lines);
    assert!(taken.iter().all(|bytes| *bytes <= most), "{taken:?}, {most} allowed");
}

/// A window of records takes what its plan says, whatever comes: few keys again and again, or a new one with each record.
#[test]
fn a_window_of_records_takes_its_plan_whatever_the_input() {
    let cycling: String = (0..200_000).map(|i| format!("k{}\n", i % 5000)).collect();
    let fresh: String = (0..200_000).map(|i| format!("k{i}\n")).collect();
    for args in [&["--last", "5000"][..], &["--last", "1e5"], &["--last", "5000", "--error", "1e-2", "--memory", "1M"]]
    {
        let plan = planned(args);
        for lines in [&cycling, &fresh] {
            let taken = taken(args, lines);
            let agrees = |bytes: &u64| (plan..=2 * plan).contains(bytes);
            assert!(taken.iter().all(agrees), "{args:?}: {taken:?}, {plan} planned");
        }
    }
}
