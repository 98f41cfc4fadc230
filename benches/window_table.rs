//! The window table beside exact state and the roofs: one window of sightings, singly and in batches, and how it grows.

use std::hint::black_box;
use std::time::Instant;

use lately::{Filter, Options, Tick, Verdict};

use crate::contender::{Contender, Filling, Verb};
use crate::filters::{self, RATE, last, within};
use crate::rivals::exact::Exact;
use crate::rivals::rotating_sets::RotatingSets;
use crate::rounds::{ROOF, Row, goals, legend, measure};
use crate::workloads::Promise;
use crate::{Effort, faults, roof};

/// What the registry calls this table.
pub(crate) const TITLE: &str = "window-table beside exact state";

/// Until the tables of growth have drained, and the one that is left has the size that the stream asks for.
const SETTLED: Filling = Filling { quarters: 20, endless: true };

/// The most that single calls and batches may take: of the map, and of the roof that is called alike.
struct Goals {
    single: (f64, f64),
    batch: (f64, f64),
}

fn goals_of(keys: u64) -> Goals {
    match keys {
        0..500_000 => Goals { single: (0.60, 4.0), batch: (0.60, 5.0) },
        500_000..5_000_000 => Goals { single: (0.27, 2.5), batch: (0.22, 2.2) },
        _ => Goals { single: (0.48, 3.5), batch: (0.22, 2.2) },
    }
}

/// Rows of the roof called in batches and of the map, in every table here.
const BATCHED_ROOF: usize = 1;
const MAP: usize = 2;

const BATCH: usize = 32;

fn rows(keys: u64) -> Vec<Row> {
    let goals = goals_of(keys);
    let row = |name, contender, verb, batch| Row::new(name, contender, verb, batch);
    vec![
        row("roof", 0, Verb::Observe, 1),
        row("roof", 0, Verb::Observe, BATCH),
        row("exact map and ring", 1, Verb::Observe, 1),
        row("observe", 2, Verb::Observe, 1).at_most(goals.single.0, MAP, 0).at_most(goals.single.1, ROOF, 0),
        row("observe", 2, Verb::Observe, BATCH).at_most(goals.batch.0, MAP, 0).at_most(goals.batch.1, BATCHED_ROOF, 0),
        row("contains", 2, Verb::Contains, 1),
        row("contains", 2, Verb::Contains, BATCH),
        row("observe, window of time", 3, Verb::Observe, 1).at_most(1.1, 3, 0),
        row("observe, window of time", 3, Verb::Observe, BATCH).at_most(1.1, 4, 0),
        row("age-partitioned observe", 4, Verb::Observe, 1),
        row("age-partitioned observe", 4, Verb::Observe, BATCH),
        row("two rotating sets of hashes", 5, Verb::Observe, 1),
        row("observe, window of time, 1e-6", 6, Verb::Observe, 1),
        row("observe, window of time, 1e-6", 6, Verb::Observe, BATCH),
    ]
}

fn contenders(keys: u64) -> Vec<Contender> {
    let plan = Filter::plan(&last(keys)).expect("a plan");
    let exact = Promise { false_duplicates: 0.0, missed: 0.0 };
    let filter = |name, options: &Options| filters::contender(name, options, keys, Filling::WINDOW);
    vec![
        roof::contender(plan.bytes, keys),
        Contender::new("exact", Box::new(Exact::new(keys)), keys, exact, Filling::WINDOW),
        filter("window table", &last(keys)),
        filters::contender("window table of time", &within(keys), keys, SETTLED),
        filter("age-partitioned", &filters::last_n(keys)),
        Contender::new("rotating sets", Box::new(RotatingSets::new(keys)), keys, exact, Filling::WINDOW),
        filters::contender("window table of time, 1e-6", &within(keys).error_rate(1e-6), keys, SETTLED),
    ]
}

/// Every size; 1e8 keys take 13 GB with the map, and stand behind their name.
pub(crate) fn table(effort: &Effort) {
    effort.windows.iter().for_each(|&keys| one_size(keys, effort));
    growth(effort.windows.iter().copied().fold(effort.growth, u64::max));
}

/// Operations of a block: a window of them, so that each contender has its lines back in the caches for most of its turn, as
/// one that runs alone has; 1e7 keys do not fit there anyway.
fn block(keys: u64, effort: &Effort) -> u64 {
    keys.clamp(effort.block, (1 << 21).max(effort.block))
}

fn one_size(keys: u64, effort: &Effort) {
    let (rows, mut contenders) = (rows(keys), contenders(keys));
    let effort = &effort.in_blocks(block(keys, effort));
    let columns = [(u64::MAX, measure(&mut contenders, &rows, effort))];
    let times = &columns[0].1;
    println!("\nwindow table: {keys} sightings, half of them repeats, error rate {RATE}");
    print!("{:34}{:>10}{:>10}{:>14}{:>10}", "", "ns", "x roof", "x batch roof", "x map");
    for (at, row) in rows.iter().enumerate() {
        let (ns, maps) = (times.nanoseconds(at), times.ratio(at, MAP));
        let (roofs, batched) = (times.ratio(at, ROOF), times.ratio(at, BATCHED_ROOF));
        print!("\n{:34}{ns:>10.1}{roofs:>10.2}{batched:>14.2}{maps:>10.2}{}", row.name, goals(&rows, at, &columns));
    }
    println!("\n{}", legend(effort));
}

/// Growth of a window of time from nothing, every key distinct: time and memory along the way, and the longest call, of all and
/// of those without a page fault.
fn growth(keys: u64) {
    let mut filter = Filter::new(&within(u64::MAX / 2)).expect("a filter");
    println!(
        "\nwindow table: growth from nothing\n{:>12}{:>10}{:>14}{:>16}{:>24}",
        "keys", "ns a key", "bytes a key", "longest, us", "without page faults, us"
    );
    let (mut done, mut next) = (0u64, 1000);
    while done < keys {
        let calls = Calls::between(&mut filter, done, next);
        let each = calls.nanoseconds / real(next - done);
        let bytes = real(filter.stats().bytes) / real(next);
        let [all, quiet] = [calls.longest, calls.longest_without_faults].map(|nanoseconds| nanoseconds / 1e3);
        println!("{next:>12}{each:>10.1}{bytes:>14.2}{all:>16.1}{quiet:>24.1}");
        done = next;
        next = done * 2;
    }
    assert_eq!(filter.observe_at(&0x5555u64.to_le_bytes(), Tick(done)), Ok(Verdict::Duplicate), "the first is known");
}

/// What calls took, in nanoseconds.
#[derive(Default)]
struct Calls {
    nanoseconds: f64,
    longest: f64,
    longest_without_faults: f64,
}

impl Calls {
    /// Of new keys, one a tick.
    fn between(filter: &mut Filter, from: u64, to: u64) -> Self {
        let (mut calls, mut faults) = (Self::default(), faults::so_far());
        for i in from..to {
            let call = Instant::now();
            let verdict = filter.observe_at(&(i ^ 0x5555).to_le_bytes(), Tick(i));
            let nanoseconds = call.elapsed().as_secs_f64() * 1e9;
            black_box(verdict).expect("a verdict");
            let before = std::mem::replace(&mut faults, faults::so_far());
            calls.nanoseconds += nanoseconds;
            calls.longest = calls.longest.max(nanoseconds);
            if before == faults {
                calls.longest_without_faults = calls.longest_without_faults.max(nanoseconds);
            }
        }
        calls
    }
}

fn real(n: u64) -> f64 {
    f64::from(u32::try_from(n).expect("few enough"))
}
