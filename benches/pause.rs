//! The largest single `observe`: a filter that stops to clear a slice shows it here. Minutes long, so only when named:
//! `cargo bench -p lately -- pauses`.
//!
//! Every call is timed on its own. Other work on the machine makes pauses too, so the same is done with calls that do
//! nothing; and the calls that shift are looked at apart, by their median, which other work hardly touches.

use std::hint::black_box;
use std::time::Instant;

use lately::{Filter, PlanSummary, Verdict};

use crate::Effort;
use crate::filters::{LAST_N, last_n};
use crate::rivals::textbook::Textbook;
use crate::workloads::Stream;

/// One call.
type Observe = Box<dyn FnMut(&[u8]) -> Verdict>;

/// What is timed, for the plan of a filter of the last n.
struct Paused {
    name: &'static str,
    new: fn(u64, &PlanSummary) -> Observe,
}

const ROWS: [Paused; 3] = [
    Paused { name: "nothing", new: |_, _| Box::new(|_| Verdict::New) },
    Paused { name: LAST_N, new: |keys, _| of_last_n(keys) },
    Paused { name: "textbook, of the last n", new: |_, plan| textbook(plan) },
];

fn of_last_n(keys: u64) -> Observe {
    let mut filter = Filter::new(&last_n(keys)).expect("a filter of this size");
    Box::new(move |key| filter.observe(key).expect("the filter takes this key"))
}

fn textbook(plan: &PlanSummary) -> Observe {
    let mut filter = Textbook::new(plan);
    Box::new(move |key| filter.observe(lately::hash64(key, 0)))
}

/// Thresholds, in nanoseconds.
const LONG: [u64; 3] = [10_000, 100_000, 1_000_000];

/// What the calls of a window took.
#[derive(Default)]
struct Pauses {
    largest: u64,
    longer: [u64; LONG.len()],
    shifts: Vec<u64>,
}

impl Pauses {
    fn add(&mut self, taken: u64, shifts: bool) {
        self.largest = self.largest.max(taken);
        for (count, least) in self.longer.iter_mut().zip(LONG) {
            *count += u64::from(taken > least);
        }
        if shifts {
            self.shifts.push(taken);
        }
    }

    fn print(&mut self, name: &str) {
        self.shifts.sort_unstable();
        let median = self.shifts.get(self.shifts.len() / 2).copied().unwrap_or_default();
        print!("\n{name:34}{:>14}{median:>18}", self.largest);
        self.longer.iter().for_each(|count| print!("{count:>12}"));
    }
}

pub(crate) fn table(effort: &Effort) {
    let keys = effort.pauses;
    let plan = Filter::plan(&last_n(keys)).expect("a plan for this window");
    println!("\npauses: observe, ns, a window of {keys} sightings, over the window after the one that fills it");
    print!("{:34}{:>14}{:>18}", "", "largest", "median of shifts");
    LONG.iter().for_each(|ns| print!("{:>12}", format!("> {} us", ns / 1000)));
    for row in &ROWS {
        paused(&mut (row.new)(keys, &plan), &plan).print(row.name);
    }
    println!("\nbytes of a slice: {}; shifts: {}", plan.bytes / plan.slices, plan.l);
}

/// Fills a window and times every call of the next one.
fn paused(observe: &mut Observe, plan: &PlanSummary) -> Pauses {
    const BLOCK: u64 = 1 << 12;
    let generation = plan.window_keys.div_ceil(plan.l);
    let (mut stream, mut pauses) = (Stream::new(plan.window_keys), Pauses::default());
    for _ in 0..(2 * plan.window_keys).div_ceil(BLOCK) {
        for (key, tick) in stream.sightings(BLOCK).singles() {
            let start = Instant::now();
            black_box(observe(key));
            let taken = u64::try_from(start.elapsed().as_nanos()).expect("a call ends within centuries");
            if tick.0 >= plan.window_keys {
                pauses.add(taken, tick.0 % generation == 0);
            }
        }
    }
    pauses
}
