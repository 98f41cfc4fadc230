//! What a user would write in an afternoon, beside the filters: time and memory for one window, in one run.

pub(crate) mod exact;
mod rotating;
pub(crate) mod rotating_sets;
pub(crate) mod textbook;

use lately::{Filter, Options, PlanSummary};

use crate::contender::{Contender, Filling, Subject, Verb};
use crate::filters::{self, LAST_N, LAST_T, RATE, last_n, last_t};
use crate::rounds::{ROOF, Row, Times, goals, legend, measure};
use crate::workloads::Promise;
use crate::{Effort, resident, roof};

use exact::Exact;
use rotating::Rotating;
use textbook::Textbook;

/// A key as the exact rival keeps it.
type Key = [u8; 16];

fn key_of(bytes: &[u8]) -> Key {
    bytes.try_into().expect("keys have 16 bytes")
}

fn index(n: u64) -> usize {
    usize::try_from(n).expect("a table fits into memory")
}

/// One way of remembering the last `n` sightings.
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) new: fn(n: u64) -> Box<dyn Subject>,
    /// The rate of false duplicates that it promises.
    rate: f64,
    /// The most that it may take, as a multiple of the map: for batches of one and of this many keys.
    goals: &'static [(usize, f64)],
}

/// The rows; the map is first, for the goals are multiples of it.
pub(crate) const RIVALS: [Rival; 7] = [
    Rival { name: "exact map and ring", new: |n| Box::new(Exact::new(n)), rate: 0.0, goals: &[] },
    Rival { name: "two rotating Bloom filters", new: |n| Box::new(Rotating::new(n)), rate: RATE, goals: &[] },
    Rival {
        name: "textbook, of the last n",
        new: |n| Box::new(Textbook::new(&plan(&last_n(n)))),
        rate: RATE,
        goals: &[],
    },
    Rival {
        name: "textbook, of the last T",
        new: |n| Box::new(Textbook::new(&plan(&last_t(n)))),
        rate: RATE,
        goals: &[],
    },
    Rival {
        name: "window-table",
        new: |n| filters::subject(&Options::last(n).error_rate(RATE)),
        rate: RATE,
        goals: &[(1, 0.38), (32, 0.15)],
    },
    Rival { name: LAST_N, new: |n| filters::subject(&last_n(n)), rate: RATE, goals: &[(1, 1.2), (32, 1.0)] },
    Rival { name: LAST_T, new: |n| filters::subject(&last_t(n)), rate: RATE, goals: &[(1, 1.6), (32, 1.4)] },
];

/// The row of the map, behind the roof.
const MAP: usize = 1;

fn plan(options: &Options) -> PlanSummary {
    Filter::plan(options).expect("a plan for this window")
}

impl Rival {
    fn contender(&self, n: u64) -> Contender {
        let promise = Promise { false_duplicates: self.rate, missed: 0.0 };
        Contender::new(self.name, (self.new)(n), n, promise, Filling::WINDOW)
    }

    /// Its rows, as the contender at this place.
    fn rows(&self, place: usize) -> Vec<Row> {
        let row = |batch| Row::new(self.name, place, Verb::Observe, batch);
        match self.goals {
            [] => vec![row(1)],
            goals => goals.iter().map(|&(batch, most)| row(batch).at_most(most, MAP, 0)).collect(),
        }
    }
}

/// The roof has the size of the filter of the last n.
pub(crate) fn table(effort: &Effort) {
    let n = effort.rivals;
    let bytes = plan(&last_n(n)).bytes;
    let mut contenders = vec![roof::contender(bytes, n)];
    contenders.extend(RIVALS.iter().map(|rival| rival.contender(n)));
    let rows: Vec<Row> = RIVALS.iter().zip(1..).flat_map(|(rival, place)| rival.rows(place)).collect();
    let rows = [vec![Row::new("roof", 0, Verb::Observe, 1)], rows].concat();
    let times = measure(&mut contenders, &rows, effort);
    drop(contenders);
    print_rows(&rows, times, effort);
}

fn print_rows(rows: &[Row], times: Times, effort: &Effort) {
    let n = effort.rivals;
    let columns = [(u64::MAX, times)];
    let times = &columns[0].1;
    println!("\nrivals: observe, a window of {n} sightings, error rate {RATE}");
    print!("{:34}{:>10}{:>10}{:>10}{:>16}", "", "ns", "x roof", "x map", "bytes per key");
    for (at, row) in rows.iter().enumerate() {
        let (ns, roofs, maps) = (times.nanoseconds(at), times.ratio(at, ROOF), times.ratio(at, MAP));
        let bytes = resident_of(&row.name, n);
        print!("\n{:34}{ns:>10.1}{roofs:>10.2}{maps:>10.2}{bytes:>16}{}", row.name, goals(rows, at, &columns));
    }
    println!("\n{}\nbytes per key: resident, a window full of distinct keys, in a process of its own", legend(effort));
}

/// Resident bytes per key of a row that is a rival by itself: neither the roof nor the batches of one.
fn resident_of(row: &str, n: u64) -> String {
    let is_rival = RIVALS.iter().any(|rival| rival.name == row);
    if is_rival { resident::measured(row, n) } else { String::new() }
}
