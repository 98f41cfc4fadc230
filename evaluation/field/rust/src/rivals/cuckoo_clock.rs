//! The crate `cuckoo-clock`: a cuckoo filter whose items have a time to live, in scans that the caller makes.

use cuckoo_clock::CuckooFilter;
use cuckoo_clock::config::{CuckooConfiguration, TtlConfig};
use lately_field::line::{Documented, Law};
use lately_field::rival::{Entry, Rival};
use lately_field::stream::{Key, Workload};
use std::hash::RandomState;

/// Scans of a window. An item lives for one more, so that none of the window is gone.
const SCANS: u64 = 8;

struct CuckooClock {
    filter: CuckooFilter<RandomState>,
    /// Between two scans, and when the next is due.
    step: u64,
    next: u64,
}

/// Fingerprints and buckets are those of its example; the time to live has the bits that it needs.
fn filter(items: u64, ttl: u32, bits: usize) -> CuckooFilter<RandomState> {
    let items = usize::try_from(items).expect("items in memory");
    let built = CuckooConfiguration::builder(items)
        .fingerprint_bits(18.try_into().expect("its example"))
        .bucket_size(8.try_into().expect("its example"))
        .with_ttl(TtlConfig { ttl: ttl.try_into().expect("not 0"), ttl_bits: bits.try_into().expect("a few bits") })
        .build();
    CuckooFilter::new_random(built.expect("a filter of memory"))
}

impl CuckooClock {
    fn new(workload: &Workload) -> Self {
        let window = if workload.span == 0 { workload.records } else { workload.span };
        let step = window / SCANS;
        Self { filter: filter(workload.records, 9, 4), step, next: step }
    }
}

impl Rival for CuckooClock {
    fn observe(&mut self, key: &Key, tick: u64) -> bool {
        while tick >= self.next {
            self.filter.scan_and_update_full();
            self.next += self.step;
        }
        let found = self.filter.contains(key);
        if !found {
            // A key that was called a duplicate wrongly is not stored, so that its repeat may be new. What is evicted is lost.
            self.filter.insert(key);
        }
        found
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "cuckoo-clock",
    version: || super::version_of("cuckoo-clock"),
    base: "lately-1e-3",
    error: None,
    misses: true,
    is_real: false,
    what: "a cuckoo filter for as many items as records, of 18 bits and 4 of time, in buckets of 8; `contains`, then `insert`; eight scans a window, an item lives for nine",
    takes: |_| true,
    build: |workload| Box::new(CuckooClock::new(workload)),
    documented,
};

/// The example of its time to live.
fn documented() -> Vec<Documented> {
    let filter = filter(1000, 3, 2);
    filter.insert("example_data");
    let mut scans = 0;
    while filter.contains("example_data") && scans < 100 {
        filter.scan_and_update_full();
        scans += 1;
    }
    vec![Documented {
        rival: ENTRY.name.to_owned(),
        what: "scans after which an item with a time to live of 3 is gone".to_owned(),
        unit: "scans".to_owned(),
        documented: 3.0,
        measured: f64::from(scans),
        law: Law::Exactly,
        slack: 0.0,
        source: "docs.rs/cuckoo-clock, CuckooFilter::scan_and_update_full: its example".to_owned(),
    }]
}
