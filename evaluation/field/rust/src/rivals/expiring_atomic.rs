//! The crate `expiring-atomic-filter`: cuckoo filters in a ring, one for each period of a time to live in whole seconds.
//!
//! `insert_unique` is its test and insertion in one step; it looks only into the period that is being written, so that a key of an
//! earlier one is new. So it takes part twice: with that verb, and with `contains` followed by `insert`.

use std::thread;
use std::time::Duration;

use expiring_atomic_filter::ExpiringAtomicFilter;
use lately_field::line::{Documented, Law};
use lately_field::rival::{Entry, Rival};
use lately_field::stream::{Key, Workload};

const SECOND: u64 = 1_000_000_000;

struct Expiring {
    filter: ExpiringAtomicFilter,
    next: u64,
    is_unique: bool,
}

/// Periods of a second, as whole seconds are the least.
fn filter(items: u64, seconds: u64) -> ExpiringAtomicFilter {
    let items = usize::try_from(items).expect("items in memory");
    let built = ExpiringAtomicFilter::builder().capacity(items).ttl(seconds).expiration_period(1).build();
    built.expect("a filter of memory")
}

impl Expiring {
    fn new(workload: &Workload, is_unique: bool) -> Self {
        Self { filter: filter(workload.records, workload.span / SECOND), next: 0, is_unique }
    }
}

impl Rival for Expiring {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        // Twice a period, as in its example.
        while tick >= self.next {
            self.filter.expire();
            self.next += SECOND / 2;
        }
        if self.is_unique {
            return self.filter.insert_unique(key) == Ok(false);
        }
        let found = self.filter.contains(key);
        if !found {
            // A period that is full takes no more: those are misses.
            let _ = self.filter.insert(key);
        }
        found
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "expiring-atomic-filter",
    version: || super::version_of("expiring-atomic-filter"),
    base: "lately-1e-6-real",
    error: None,
    misses: false,
    is_real: true,
    what: "cuckoo filters of 32 bits for as many items as records, a period of a second each; `contains`, then `insert`; `expire` twice a period",
    takes: |workload| workload.span >= SECOND && workload.span % SECOND == 0,
    build: |workload| Box::new(Expiring::new(workload, false)),
    documented,
};

pub(crate) const UNIQUE: Entry = Entry {
    name: "expiring-atomic-filter-unique",
    misses: true,
    what: "the same with `insert_unique`, which looks only into the period that is being written",
    build: |workload| Box::new(Expiring::new(workload, true)),
    documented: Vec::new,
    ..ENTRY
};

/// Keys of the second before, asked for by `insert_unique`.
fn documented() -> Vec<Documented> {
    const KEYS: u32 = 1_000;
    let filter = filter(10_000, 4);
    (0..KEYS).for_each(|key| filter.insert(&key).expect("room"));
    thread::sleep(Duration::from_millis(1_500));
    let kept = (0..KEYS).filter(|key| filter.contains(key)).count();
    let unique = (0..KEYS).filter(|key| filter.insert_unique(key) == Ok(false)).count();
    let one = |what: &str, found: usize| Documented {
        rival: ENTRY.name.to_owned(),
        what: what.to_owned(),
        unit: "of 1,000 keys".to_owned(),
        documented: f64::from(KEYS),
        measured: u32::try_from(found).map_or(f64::NAN, f64::from),
        law: Law::Exactly,
        slack: 0.0,
        source: "docs.rs/expiring-atomic-filter: ttl; insert_unique, Ok(false) if it was already present".to_owned(),
    };
    vec![
        one("keys that contains finds 1.5 s later, time to live 4 s", kept),
        one("keys of 1.5 s ago that insert_unique calls present", unique),
    ]
}
