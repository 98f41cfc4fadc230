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
