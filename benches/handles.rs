//! Both handles and batches: what a lock costs one thread, and that a batch is not slower than its single calls.
//! `cargo bench -p lately -- handles`.
//!
//! Six rows for each kind, window and verb: single calls and batches of 32 and 256, unshared and shared. They take turns,
//! block by block, each on a filter of its own, so that a change of the machine's speed meets all of them. Where the system
//! puts a filter can change its time by a third, so the rows are measured on a few filters each, one after the other.

use lately::{Filter, Kind, Options, Variant};

use crate::Effort;
use crate::contender::{Contender, Filling, Verb};
use crate::filters::{self, Handle, RATE, last, last_n, last_t, within};
use crate::rounds::{Row, Times, measure};

const BATCHES: [usize; 3] = [1, 32, 256];

/// The most that one thread may pay for the lock.
const LOCK: f64 = 1.25;

/// One kind for a window, or a capacity, of so many keys.
struct Subject {
    name: &'static str,
    request: fn(keys: u64) -> Options,
    filling: Filling,
}

const SUBJECTS: [Subject; 8] = [
    Subject { name: "window table, keys", request: last, filling: Filling::WINDOW },
    Subject { name: "window table, time", request: |keys| within(keys).capacity(keys), filling: Filling::WINDOW },
    Subject { name: filters::LAST_T, request: last_t, filling: Filling::WINDOW },
    Subject { name: filters::LAST_N, request: last_n, filling: Filling::WINDOW },
    Subject { name: "quotient-64", request: |keys| quotient(keys, 4), filling: ROWS },
    Subject { name: "quotient-48", request: |keys| quotient(keys, 3), filling: ROWS },
    Subject { name: "tinyset", request: |keys| set(keys, false), filling: SET },
    Subject { name: "tinyset, removable", request: |keys| set(keys, true), filling: SET },
];

/// Full rows.
const ROWS: Filling = Filling { quarters: 8, endless: true };

/// Filters of each row.
const PLACES: usize = 5;

/// From half full to full, and again.
const SET: Filling = Filling { quarters: 2, endless: false };

/// Rows of 64 bits, or of 48.
fn quotient(keys: u64, cells: u32) -> Options {
    Options::new(Kind::Quotient).variant(Variant::Qqhtd).k(cells).fingerprint_bits(16).memory(8 * keys)
}

fn set(keys: u64, removable: bool) -> Options {
    Options::tiny_set(keys).removable(removable).error_rate(RATE)
}

/// A table for every number of keys.
pub(crate) fn table(effort: &Effort) {
    println!("\nhandles: ns of one call, unshared and shared, single and in batches; what the lock costs one thread");
    for &keys in effort.handles {
        let effort = &effort.in_blocks(effort.block.min(keys));
        println!(
            "{:24}{:>10}{:>10}{:>24}{:>24}{:>20}{:>20}{:>22}",
            format!("{keys} keys"),
            "bytes",
            "",
            "unshared: 1, 32, 256",
            "shared: 1, 32, 256",
            "32, 256 of single",
            "the same, shared",
            "shared of unshared"
        );
        for subject in &SUBJECTS {
            for verb in [Verb::Observe, Verb::Contains] {
                subject.print(keys, verb, effort);
            }
        }
    }
    println!(
        "medians of {} interleaved rounds of {} calls, on {PLACES} filters each; * is above 1 or {LOCK}",
        effort.rounds.div_ceil(PLACES) * PLACES,
        effort.block
    );
}

impl Subject {
    fn print(&self, keys: u64, verb: Verb, effort: &Effort) {
        let (times, bytes) = (self.times(keys, verb, effort), plan_bytes(&(self.request)(keys)));
        let ns = |rows: [usize; 3]| rows.map(|row| format!("{:.1}", times.nanoseconds(row))).join(" ");
        let over = |pairs: &[(usize, usize)], most: f64| {
            let marked = pairs.iter().map(|&(row, other)| {
                let ratio = times.ratio(row, other);
                format!("{ratio:.2}{}", if ratio > most { "*" } else { "" })
            });
            marked.collect::<Vec<_>>().join(" ")
        };
        println!(
            "{:24}{bytes:>10}{:>10}{:>24}{:>24}{:>20}{:>20}{:>22}",
            self.name,
            format!("{verb:?}").to_lowercase(),
            ns([0, 1, 2]),
            ns([3, 4, 5]),
            over(&[(1, 0), (2, 0)], 1.0),
            over(&[(4, 3), (5, 3)], 1.0),
            over(&[(3, 0), (4, 1), (5, 2)], LOCK),
        );
    }

    /// Rows 0 to 2 are those of the unshared handle, 3 to 5 those of the shared one.
    fn times(&self, keys: u64, verb: Verb, effort: &Effort) -> Times {
        let options = (self.request)(keys);
        // Every second sighting of a set brings a key.
        let window = if self.filling.endless { keys } else { 2 * keys };
        let handles = [Handle::Unshared, Handle::Shared];
        let (mut times, mut filters) = (Times(Vec::new()), Vec::new());
        for _ in 0..PLACES {
            let all = handles.iter().flat_map(|handle| BATCHES.map(|batch| (*handle, batch))).enumerate();
            let (mut contenders, rows): (Vec<Contender>, Vec<Row>) = all
                .map(|(at, (handle, batch))| {
                    let contender = filters::contender_of(handle, self.name, &options, window, self.filling);
                    (contender, Row::new(self.name, at, verb, batch))
                })
                .unzip();
            times.0.extend(measure(&mut contenders, &rows, &effort.in_rounds(effort.rounds.div_ceil(PLACES))).0);
            // They stay, so that the next ones are elsewhere.
            filters.extend(contenders);
        }
        times
    }
}

fn plan_bytes(options: &Options) -> u64 {
    Filter::plan(options).expect("a plan for this request").bytes
}
