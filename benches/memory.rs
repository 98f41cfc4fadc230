//! Bytes per key of a window: the filter beside exact state, each in a process of its own.
//!
//! Exact state is what a program would write without a filter: a hash map from the key to its last sighting, and a
//! queue of sightings so that old ones can be dropped. Measured is the resident memory that the process gained, as
//! Linux tells it; elsewhere the table says that it is not measured.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use lately::{ClockSource, Filter, Options, Tick};

/// The argument that makes a process measure one way of remembering.
pub(crate) const CHILD: &str = "--resident";

/// A way of remembering the last `keys` of `2 * keys` distinct keys.
struct Way {
    name: &'static str,
    run: fn(keys: u64) -> Box<dyn Any>,
}

const WAYS: [Way; 3] = [
    Way { name: "time-limited filter, 1e-3", run: |keys| Box::new(filter(keys)) },
    Way { name: "hash map + queue, [u8; 16]", run: |keys| exact(keys, |key| key) },
    Way { name: "hash map + queue, Rc<[u8]>", run: |keys| exact(keys, Rc::<[u8]>::from) },
];

fn filter(keys: u64) -> Filter {
    let options = Options::time_limited(Duration::from_nanos(keys)).clock(ClockSource::Manual).error_rate(1e-3);
    let mut seen = Filter::new(&options).expect("a filter without a limit");
    for i in 0..2 * keys {
        let _ = seen.observe_at(&key(i), Tick(i)).expect("the clock is manual");
        assert!(seen.contains(&key(i - i % keys)).is_duplicate(), "a key of the window was forgotten");
    }
    seen
}

fn exact<K: Hash + Eq + Clone + 'static>(keys: u64, own: fn([u8; 16]) -> K) -> Box<dyn Any> {
    let (mut last, mut queue): (HashMap<K, u64>, VecDeque<K>) = Default::default();
    for i in 0..2 * keys {
        if i >= keys {
            queue.pop_front().map(|old| last.remove(&old));
        }
        let key = own(key(i));
        queue.push_back(key.clone());
        last.insert(key, i);
    }
    assert_eq!(u64::try_from(last.len()), Ok(keys), "the keys of the window and no others");
    Box::new((last, queue))
}

fn key(i: u64) -> [u8; 16] {
    ((u128::from(i) << 64) | u128::from(lately::hash64(&i.to_le_bytes(), 1))).to_le_bytes()
}

/// Resident bytes of this process.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// The process that measures one way: prints the resident bytes gained, or nothing.
pub(crate) fn child(arguments: &[String]) {
    let [way, keys] = arguments else { panic!("{CHILD} takes a way and a number of keys") };
    let way = WAYS.iter().find(|w| w.name == way).expect("the name of a way");
    let before = resident();
    let kept = (way.run)(keys.parse().expect("a number of keys"));
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("{}", after.saturating_sub(before));
    }
    drop(kept);
}

/// Bytes per key, for each way and number of keys.
pub(crate) fn table(numbers_of_keys: &[u32]) {
    print!("{:32}", "resident bytes per key");
    numbers_of_keys.iter().for_each(|keys| print!("{:>20}", format!("{keys} keys")));
    for way in &WAYS {
        print!("\n{:32}", way.name);
        numbers_of_keys.iter().for_each(|&keys| print!("{:>20}", measured(way, keys)));
    }
    print!("\n{:32}", "the filter's cells, by stats");
    numbers_of_keys.iter().for_each(|&keys| print!("{:>20.1}", cells(keys)));
    println!("\nall keys distinct, a window full of them after two windows");
}

fn cells(keys: u32) -> f64 {
    let bytes = filter(u64::from(keys)).stats().bytes;
    f64::from(u32::try_from(bytes).expect("a filter below 4 GiB")) / f64::from(keys)
}

fn measured(way: &Way, keys: u32) -> String {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).args([CHILD, way.name, &keys.to_string()]).output().expect("a second process");
    assert!(output.status.success(), "{}: {}", way.name, String::from_utf8_lossy(&output.stderr));
    let gained = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
    gained.map_or_else(|_| "not measured".to_owned(), |bytes| format!("{:.1}", bytes / f64::from(keys)))
}
