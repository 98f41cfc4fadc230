//! What a plan costs, which is most of what building a small filter costs. `cargo bench -p lately -- plans`.
//!
//! Each request is planned a few times and the least time counts, since a plan does the same work each time. A row says
//! the median and the largest of its requests, beside the goal.

use std::hint::black_box;
use std::time::Instant;

use lately::{Filter, Kind, Options};

use crate::Effort;

/// The most microseconds at a rate that is listed, and at any other.
const GOALS: [f64; 2] = [20.0, 300.0];

/// Keys of every request.
const KEYS: u64 = 1_000_000;

/// What is asked for, but for the error rate.
type Request = fn() -> Options;

const REQUESTS: [(&str, Request); 8] = [
    ("time-limited", || Options::new(Kind::TimeLimited).window_ns(1_000_000_000).capacity(KEYS)),
    ("age-partitioned", || Options::new(Kind::AgePartitioned).window_keys(KEYS)),
    ("window table", || Options::last(KEYS)),
    ("quotient", || Options::new(Kind::Quotient).memory(KEYS)),
    ("tinyset", || Options::tiny_set(KEYS)),
    ("tinyset, removable", || Options::tiny_set(KEYS).removable(true)),
    ("tinyset, 32 bytes", || Options::tiny_set(KEYS).block_bytes(32)),
    ("tinyset, removable, 32 bytes", || Options::tiny_set(KEYS).removable(true).block_bytes(32)),
];

/// One column: what becomes of a request, `n` times.
struct Column {
    name: &'static str,
    goal: f64,
    asked: fn(Options, part: f64) -> Options,
    /// Whether the last column's requests are those of sets alone.
    sets: bool,
}

const COLUMNS: [Column; 4] = [
    Column { name: "1e-1 to 1e-6", goal: GOALS[0], asked: |o, part| o.error_rate(listed(part)), sets: false },
    Column {
        name: "other rates",
        goal: GOALS[1],
        asked: |o, part| o.error_rate(10f64.powf(-1.0 - 6.0 * part)),
        sets: false,
    },
    Column { name: "above 1e-1", goal: GOALS[1], asked: |o, part| o.error_rate(0.1 + 0.4 * part), sets: false },
    Column { name: "keys and memory", goal: GOALS[1], asked: |o, part| o.memory(memory(part)), sets: true },
];

/// A power of ten.
fn listed(part: f64) -> f64 {
    [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6].into_iter().nth((part * 6.0) as usize).unwrap_or(1e-6)
}

/// From 4 to 32 bits a key.
fn memory(part: f64) -> u64 {
    (KEYS as f64 / 8.0 * (4.0 + 28.0 * part)) as u64
}

pub(crate) fn table(effort: &Effort) {
    println!("\nplans: microseconds of one, median and largest");
    print!("{:30}", "");
    COLUMNS.iter().for_each(|column| print!("{:>28}", format!("{} (<= {:.0})", column.name, column.goal)));
    for (name, request) in REQUESTS {
        print!("\n{name:30}");
        for column in &COLUMNS {
            print!("{:>28}", column.cell(name, request, effort));
        }
    }
    println!("\nof {} requests, each the least of {} calls; * is above the goal", effort.plans, TIMES);
}

/// Calls of which the quickest counts.
const TIMES: usize = 4;

impl Column {
    fn cell(&self, name: &str, request: Request, effort: &Effort) -> String {
        if self.sets && !name.starts_with("tinyset") {
            return String::new();
        }
        let parts = (0..effort.plans).map(|i| (f64::from(i) + 0.5) / f64::from(effort.plans));
        let mut times: Vec<f64> = parts.filter_map(|part| microseconds(&(self.asked)(request(), part))).collect();
        times.sort_by(f64::total_cmp);
        let Some(&largest) = times.last() else { return "refused".into() };
        format!("{:.1}, {largest:.1}{}", times[times.len() / 2], if largest > self.goal { "*" } else { "" })
    }
}

/// Of a plan that is not refused.
fn microseconds(options: &Options) -> Option<f64> {
    let once = || {
        let begin = Instant::now();
        let plan = Filter::plan(black_box(options));
        plan.is_ok().then(|| begin.elapsed().as_secs_f64() * 1e6)
    };
    (0..TIMES).filter_map(|_| once()).min_by(f64::total_cmp)
}
