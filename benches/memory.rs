//! Bytes per key of a window: the filters and exact state, each in a separate process.
//!
//! Exact state is what a program would write without a filter: a hash map from the key to its last sighting, and a
//! queue or a ring of sightings so that old ones can be dropped. Measured is the resident memory that the process
//! gained, as Linux reports it; elsewhere the table says that it is not measured.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::rc::Rc;

use lately::{Filter, Options};

use crate::Effort;
use crate::contender::{Subject, Verb};
use crate::filters::{LAST_N, LAST_T, last_n, last_t};
use crate::resident::{CHILD, measured};
use crate::rivals::RIVALS;
use crate::rivals::rotating_sets::RotatingSets;
use crate::workloads::Stream;

/// A way of remembering the last `keys` of `2 * keys` distinct keys, in addition to those of the rivals.
struct Remembering {
    name: &'static str,
    run: fn(keys: u64) -> Box<dyn Any>,
}

const WAYS: [Remembering; 3] = [
    Remembering { name: "hash map + queue, [u8; 16]", run: |keys| exact(keys, |key| key) },
    Remembering { name: "hash map + queue, Rc<[u8]>", run: |keys| exact(keys, Rc::<[u8]>::from) },
    Remembering { name: "two rotating hash sets, u64", run: |keys| filled(Box::new(RotatingSets::new(keys)), keys) },
];

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

/// Shows two windows of distinct keys to a subject.
fn filled(mut subject: Box<dyn Subject>, keys: u64) -> Box<dyn Any> {
    const FEW: u64 = 500; // so that the block weighs nothing
    let (mut stream, mut verdicts) = (Stream::new(keys), Vec::new());
    for _ in 0..(2 * keys).div_ceil(FEW) {
        verdicts.clear();
        subject.run(Verb::Observe, 1, &stream.fresh(FEW), &mut verdicts);
    }
    Box::new(subject)
}

/// Remembers `keys` keys in the way of this name.
fn kept(name: &str, keys: u64) -> Box<dyn Any> {
    let way = WAYS.iter().find(|way| way.name == name);
    let rival = || RIVALS.iter().find(|rival| rival.name == name).expect("the name of a way");
    way.map_or_else(|| filled((rival().new)(keys), keys), |way| (way.run)(keys))
}

/// Resident bytes of this process.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

/// The process that measures one way: prints the resident bytes gained, or nothing.
pub(crate) fn child(arguments: &[String]) {
    let [name, keys] = arguments else { panic!("{CHILD} takes a way and a number of keys") };
    let before = resident();
    let kept = kept(name, keys.parse().expect("a number of keys"));
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("{}", after.saturating_sub(before));
    }
    drop(kept);
}

/// Bytes per key, for each way and number of keys.
pub(crate) fn table(effort: &Effort) {
    print!("\n{:34}", "resident bytes per key");
    effort.memory.iter().for_each(|keys| print!("{:>18}", format!("{keys} keys")));
    for name in RIVALS.iter().map(|rival| rival.name).chain(WAYS.iter().map(|way| way.name)) {
        print!("\n{name:34}");
        effort.memory.iter().for_each(|&keys| print!("{:>18}", measured(name, keys.into())));
    }
    print_plan(LAST_T, last_t, effort);
    print_plan(LAST_N, last_n, effort);
    println!("\nall keys distinct, a window full of them after two windows");
}

/// Bytes per key of the cells alone, as the plan counts them.
fn print_plan(name: &str, request: fn(u64) -> Options, effort: &Effort) {
    print!("\n{:34}", format!("{name}, cells by the plan"));
    let cells = |keys: u32| Filter::plan(&request(keys.into())).expect("a plan").bits_per_key / 8.0;
    effort.memory.iter().for_each(|&keys| print!("{:>18.1}", cells(keys)));
}
