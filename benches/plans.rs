//! What a plan costs, which is most of what building a small filter costs. `cargo bench -p lately -- plans`.
//!
//! Each request is planned a few times and the least time counts, since a plan does the same work each time. A row says
//! the median and the largest of its requests, beside the goal.

use std::hint::black_box;
use std::time::Instant;

use lately::{Filter, Options};

use crate::Effort;
use crate::kinds::{PLANNED_KEYS as KEYS, PLANS, Request};

/// The most microseconds at a rate that is listed, and at any other.
const GOALS: [f64; 2] = [20.0, 300.0];

/// One column: what becomes of a request, `n` times.
struct Column {
    name: &'static str,
    goal: f64,
    asked: fn(Options, Turn) -> Options,
    /// Whether the last column's requests are those of sets alone.
    sets: bool,
}

const COLUMNS: [Column; 4] = [
    Column { name: "1e-1 to 1e-6", goal: GOALS[0], asked: |o, turn| o.error_rate(turn.listed()), sets: false },
    Column {
        name: "other rates",
        goal: GOALS[1],
        asked: |o, turn| o.error_rate(10f64.powf(-1.0 - 6.0 * turn.part())),
        sets: false,
    },
    Column { name: "above 1e-1", goal: GOALS[1], asked: |o, turn| o.error_rate(0.1 + 0.4 * turn.part()), sets: false },
    Column { name: "keys and memory", goal: GOALS[1], asked: |o, turn| o.memory(turn.memory()), sets: true },
];

/// Which of the requests of a figure.
#[derive(Clone, Copy)]
struct Turn {
    number: u32,
    of: u32,
}

impl Turn {
    /// Between 0 and 1.
    fn part(self) -> f64 {
        (f64::from(self.number) + 0.5) / f64::from(self.of)
    }

    /// A power of ten.
    fn listed(self) -> f64 {
        10f64.powi(-1 - i32::try_from(self.number % 6).unwrap_or(0))
    }

    /// From 4 to 32 bits a key.
    fn memory(self) -> u64 {
        KEYS / 8 * u64::from(4 * self.of + 28 * self.number) / u64::from(self.of)
    }
}

pub(crate) fn table(effort: &Effort) {
    println!("\nplans: microseconds of one, median and largest");
    print!("{:30}", "");
    COLUMNS.iter().for_each(|column| print!("{:>28}", format!("{} (<= {:.0})", column.name, column.goal)));
    for (name, request) in PLANS {
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
        if self.sets && !name.starts_with("set") {
            return String::new();
        }
        let turns = (0..effort.plans).map(|number| Turn { number, of: effort.plans });
        let mut times: Vec<f64> = turns.filter_map(|turn| microseconds(&(self.asked)(request(), turn))).collect();
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
