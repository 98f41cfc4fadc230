//! The kinds of filter: a row each, and from it a table with the verbs of that kind, singly and in batches.

use lately::{Filter, Kind as Which, Options, PlanSummary, Variant};

use crate::contender::{Contender, Filling, Verb};
use crate::filters::{self, LAST_N, LAST_T, RATE, last_n, last_t};
use crate::rivals::textbook;
use crate::rounds::{ROOF, Row, print_sizes};
use crate::{Effort, MIB, roof};

/// One kind, or one shape of it.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// A request whose cells take about this many bytes.
    pub(crate) request: fn(bytes: u64) -> Options,
    /// Sightings in the window of its stream.
    window: fn(&PlanSummary) -> u64,
    pub(crate) filling: Filling,
    /// What it does, and the most that this may take, in roofs.
    verbs: &'static [(Verb, Option<f64>)],
    /// Whether the sliced filter of the textbook is its rival.
    textbook: bool,
}

/// The rows. A new kind is a new row.
pub(crate) const KINDS: [Kind; 6] = [
    Kind {
        name: "window-table", // the last n
        request: |bytes| {
            let all_time = Options::window(std::time::Duration::from_nanos(u64::MAX)).error_rate(RATE);
            Options::last(planned(&all_time.memory(bytes)).window_keys).error_rate(RATE)
        },
        window: |plan| plan.window_keys,
        filling: Filling::WINDOW,
        verbs: &[(Verb::Observe, None), (Verb::Contains, None)],
        textbook: false,
    },
    Kind {
        name: LAST_T,
        request: |bytes| {
            let all_time = Options::time_limited(std::time::Duration::from_nanos(u64::MAX)).error_rate(RATE);
            last_t(planned(&all_time.memory(bytes)).window_keys)
        },
        window: |plan| plan.window_keys,
        filling: Filling::WINDOW,
        verbs: &[(Verb::Observe, None), (Verb::Contains, None)],
        textbook: true,
    },
    Kind {
        name: LAST_N,
        request: |bytes| last_n(planned(&filters::any_last_n().memory(bytes)).window_keys),
        window: |plan| plan.window_keys,
        filling: Filling::WINDOW,
        verbs: &[(Verb::Observe, None), (Verb::Contains, None)],
        textbook: true,
    },
    Kind {
        name: "quotient-64", // k s divides 512
        request: |bytes| quotient(bytes, 4, 16),
        window: |plan| plan.window_keys,
        filling: SATURATED,
        verbs: &[(Verb::Observe, Some(1.5)), (Verb::Contains, None)],
        textbook: false,
    },
    Kind {
        name: "quotient-48", // k s does not
        request: |bytes| quotient(bytes, 4, 12),
        window: |plan| plan.window_keys,
        filling: SATURATED,
        verbs: &[(Verb::Observe, Some(2.0)), (Verb::Contains, None)],
        textbook: false,
    },
    Kind {
        name: "tinyset",
        request: |bytes| Options::new(Which::TinySet).memory(bytes).error_rate(RATE),
        window: |plan| 2 * plan.window_keys, // every second sighting brings a key
        filling: Filling { quarters: 3, endless: false },
        verbs: &[(Verb::Contains, Some(2.0)), (Verb::Insert, Some(4.0))],
        textbook: false,
    },
];

/// Every cell is used three times over.
const SATURATED: Filling = Filling { quarters: 48, endless: true };

/// A queued filter of this many bytes, with a fourth of its cells as the window.
fn quotient(bytes: u64, k: u32, s: u32) -> Options {
    let cells = bytes * 8 / u64::from(s);
    let shape = Options::new(Which::Quotient).variant(Variant::Qqhtd).k(k).fingerprint_bits(s);
    shape.memory(bytes).window_keys(cells / 4)
}

fn planned(options: &Options) -> PlanSummary {
    Filter::plan(options).expect("a plan for this request")
}

/// Goals are for filters that no cache holds.
const LARGE: u64 = 16 * MIB;
const HUGE: u64 = 256 * MIB;

/// At least one and a half times as fast.
const FASTER: f64 = 1.0 / 1.5;

/// Keys of a batch; 1 is a single call.
const BATCHES: [usize; 3] = [1, 32, 256];

/// The rival's row, where there is one.
const TEXTBOOK: usize = 1;

impl Kind {
    pub(crate) fn table(&self, effort: &Effort) {
        let rows = self.rows();
        print_sizes(self.name, effort, &rows, |bytes| self.contenders(bytes));
    }

    fn contenders(&self, bytes: u64) -> Vec<Contender> {
        let options = (self.request)(bytes);
        let plan = planned(&options);
        let window = (self.window)(&plan);
        let mut all = vec![roof::contender(bytes, window)];
        if self.textbook {
            all.push(textbook::contender(&plan));
        }
        all.push(filters::contender(self.name, &options, window, self.filling));
        all
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::new("roof", 0, Verb::Observe, 1)];
        if self.textbook {
            rows.push(Row::new("textbook observe", TEXTBOOK, Verb::Observe, 1));
        }
        for (verb, roofs) in self.verbs {
            let single = rows.len();
            rows.extend(BATCHES.map(|batch| self.row(*verb, *roofs, batch, single)));
        }
        rows
    }

    fn row(&self, verb: Verb, roofs: Option<f64>, batch: usize, single: usize) -> Row {
        let mine = if self.textbook { TEXTBOOK + 1 } else { TEXTBOOK };
        let mut row = Row::new(&format!("{verb:?}").to_lowercase(), mine, verb, batch);
        if let Some(most) = roofs {
            row = row.at_most(most, ROOF, LARGE);
        }
        if self.textbook && verb == Verb::Observe && batch == 1 {
            row = row.at_most(FASTER, TEXTBOOK, LARGE);
        }
        if batch > 1 { row.at_most(FASTER, single, HUGE) } else { row }
    }
}

/// Keys of every request of the table of plans.
pub(crate) const PLANNED_KEYS: u64 = 1_000_000;

/// What is asked for there, except the error rate.
pub(crate) type Request = fn() -> Options;

/// The requests of the table of plans.
pub(crate) const PLANS: [(&str, Request); 13] = [
    ("time-limited", || Options::new(Which::TimeLimited).window_ns(1_000_000_000).capacity(PLANNED_KEYS)),
    ("age-partitioned", || Options::new(Which::AgePartitioned).window_keys(PLANNED_KEYS)),
    ("window table", || Options::last(PLANNED_KEYS)),
    ("quotient", || Options::new(Which::Quotient).memory(PLANNED_KEYS)),
    ("quotient, window", || Options::new(Which::Quotient).memory(PLANNED_KEYS).window_keys(PLANNED_KEYS)),
    ("quotient, miss rate", || Options::new(Which::Quotient).window_keys(PLANNED_KEYS).miss_rate(0.01)),
    ("queue, miss rate", || {
        Options::new(Which::Quotient).variant(Variant::Qqhtd).window_keys(PLANNED_KEYS).miss_rate(0.01)
    }),
    ("QQHT, window", || {
        Options::new(Which::Quotient).variant(Variant::Qqht).memory(PLANNED_KEYS).window_keys(PLANNED_KEYS)
    }),
    ("QQHT, miss rate", || {
        Options::new(Which::Quotient).variant(Variant::Qqht).window_keys(PLANNED_KEYS).miss_rate(0.01)
    }),
    ("set", || Options::tiny_set(PLANNED_KEYS)),
    ("set, removable", || Options::tiny_set(PLANNED_KEYS).removable(true)),
    ("set, 32 bytes", || Options::tiny_set(PLANNED_KEYS).block_bytes(32)),
    ("set, removable, 32 bytes", || Options::tiny_set(PLANNED_KEYS).removable(true).block_bytes(32)),
];
