//! Lately, and what an engineer writes in an hour: two sets that rotate, a map of hash to time, an exact map with a ring.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use lately::{Clock, Filter, Kind, Options, Tick, Unit};
use xxhash_rust::xxh3::xxh3_64;

use crate::rival::{Entry, Rival};
use crate::stream::{Key, Workload};

/// The hash of a 64-bit hash is itself.
#[derive(Debug, Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type OfHashes = BuildHasherDefault<Same>;

/// The length of the window in ticks.
fn window(workload: &Workload) -> u64 {
    if workload.span == 0 { workload.records } else { workload.span }
}

/// Lately's window table.
struct Lately {
    filter: Filter,
    has_ticks: bool,
}

impl Lately {
    fn new(workload: &Workload, error: f64, clock: Clock) -> Self {
        let options = Options::new(Kind::WindowTable).error_rate(error);
        let is_timed = workload.span > 0;
        let options = if is_timed {
            options.window_ns(workload.span).clock(clock)
        } else {
            options.window_keys(workload.records)
        };
        let has_ticks = is_timed && matches!(clock, Clock::Manual(Unit::Nanoseconds));
        Self { filter: Filter::new(&options).expect("a window of a workload"), has_ticks }
    }
}

impl Rival for Lately {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        let verdict = if self.has_ticks { self.filter.observe_at(key, Tick(tick)) } else { self.filter.observe(key) };
        verdict.expect("a window table takes every key").is_duplicate()
    }
}

/// Two sets of 64-bit hashes: keys go into the young one; after a window it becomes the old one.
struct TwoSets {
    young: HashSet<u64, OfHashes>,
    old: HashSet<u64, OfHashes>,
    window: u64,
    turn: u64,
}

impl TwoSets {
    fn new(workload: &Workload) -> Self {
        let window = window(workload);
        Self { young: HashSet::default(), old: HashSet::default(), window, turn: window }
    }
}

impl Rival for TwoSets {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        while tick >= self.turn {
            std::mem::swap(&mut self.young, &mut self.old);
            self.young.clear();
            self.turn += self.window;
        }
        let hash = xxh3_64(key);
        !self.young.insert(hash) || self.old.contains(&hash)
    }
}

/// A map of 64-bit hash to 32-bit time, swept once a window.
struct HashToTime {
    last: HashMap<u64, u32, OfHashes>,
    window: u32,
    /// Ticks of a unit of its time.
    unit: u64,
    sweep: u32,
}

impl HashToTime {
    fn new(workload: &Workload) -> Self {
        // Microseconds last for 71 minutes, which is enough here.
        let unit = if workload.span == 0 { 1 } else { 1_000 };
        let window = u32::try_from(window(workload) / unit).expect("a window of minutes");
        Self { last: HashMap::default(), window, unit, sweep: window }
    }
}

impl Rival for HashToTime {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        let now = u32::try_from(tick / self.unit).expect("a stream of minutes");
        if now >= self.sweep {
            self.last.retain(|_, then| now - *then <= self.window);
            self.sweep = now + self.window;
        }
        self.last.insert(xxh3_64(key), now).is_some_and(|then| now - then <= self.window)
    }
}

/// Whole keys with the time of each, and a ring of all sightings in order.
struct Exact {
    last: HashMap<Key, u64>,
    ring: VecDeque<(Key, u64)>,
    window: u64,
}

impl Exact {
    fn new(workload: &Workload) -> Self {
        Self { last: HashMap::new(), ring: VecDeque::new(), window: window(workload) }
    }

    fn forget(&mut self, tick: u64) {
        while let Some(&(key, then)) = self.ring.front() {
            if tick - then <= self.window {
                return;
            }
            self.ring.pop_front();
            if self.last.get(&key) == Some(&then) {
                self.last.remove(&key);
            }
        }
    }
}

impl Rival for Exact {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        self.forget(tick);
        self.ring.push_back((*key, tick));
        self.last.insert(*key, tick).is_some()
    }
}

/// What is written here has the version of this package.
fn here() -> String {
    concat!("written here, ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// The base of the list: what promises 1e-6.
const BASE: Entry = Entry {
    name: "lately-1e-6",
    version: || concat!("lately ", env!("CARGO_PKG_VERSION")).to_owned(),
    base: "lately-1e-6",
    error: Some(1e-6),
    misses: false,
    is_real: false,
    what: "the window table, not shared, one key a call",
    takes: |_| true,
    build: |workload| Box::new(Lately::new(workload, 1e-6, Clock::Manual(Unit::Nanoseconds))),
    documented: Vec::new,
};

pub(crate) const ENTRIES: [Entry; 5] = [
    BASE,
    Entry {
        name: "lately-1e-3",
        base: "lately-1e-3",
        error: Some(1e-3),
        build: |workload| Box::new(Lately::new(workload, 1e-3, Clock::Manual(Unit::Nanoseconds))),
        ..BASE
    },
    Entry {
        name: "two-sets",
        version: here,
        error: Some(0.0),
        what: "two rotating std HashSets of XXH3-64 hashes; a duplicate is found for one to two windows",
        build: |workload| Box::new(TwoSets::new(workload)),
        ..BASE
    },
    Entry {
        name: "hash-to-time",
        version: here,
        error: Some(0.0),
        what: "a std HashMap of XXH3-64 hash to 32-bit time, swept once a window",
        build: |workload| Box::new(HashToTime::new(workload)),
        ..BASE
    },
    Entry {
        name: "exact",
        version: here,
        error: Some(0.0),
        what: "a std HashMap of whole keys with its default hash, and a ring of all sightings",
        build: |workload| Box::new(Exact::new(workload)),
        ..BASE
    },
];

/// The base of rivals that read the clock of the system: it reads it too, and waits for the same moments.
pub(crate) const REAL: [Entry; 2] = [
    Entry {
        name: "lately-1e-6-real",
        base: "lately-1e-6-real",
        is_real: true,
        what: "the same with the clock of the system",
        takes: |workload| workload.span > 0,
        build: |workload| Box::new(Lately::new(workload, 1e-6, Clock::System)),
        ..BASE
    },
    Entry {
        name: "lately-1e-3-real",
        base: "lately-1e-3-real",
        error: Some(1e-3),
        is_real: true,
        what: "the same with the clock of the system",
        takes: |workload| workload.span > 0,
        build: |workload| Box::new(Lately::new(workload, 1e-3, Clock::System)),
        ..BASE
    },
];
