//! moka: a concurrent cache whose entries expire a time after they were put in. It reads the clock itself.

use std::thread;
use std::time::Duration;

use lately_field::line::{Documented, Law};
use lately_field::rival::{Entry, Rival};
use lately_field::stream::Key;
use moka::sync::Cache;

struct Moka(Cache<Key, ()>);

impl Moka {
    fn new(span: u64) -> Self {
        Self(Cache::builder().time_to_live(Duration::from_nanos(span)).build())
    }
}

impl Rival for Moka {
    fn observe(&mut self, key: &Key, _tick: u64) -> bool {
        !self.0.entry_by_ref(key).or_insert(()).is_fresh()
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "moka",
    version: || super::version_of("moka"),
    base: "lately-1e-6-real",
    error: Some(0.0),
    misses: false,
    is_real: true,
    what: "moka::sync::Cache with time_to_live of the window and no capacity, entry_by_ref(key).or_insert(())",
    takes: |workload| workload.span > 0,
    build: |workload| Box::new(Moka::new(workload.span)),
    documented,
};

/// Keys of its test.
const KEYS: u64 = 10_000;

fn documented() -> Vec<Documented> {
    const SPAN: u64 = 50_000_000;
    let mut cache = Moka::new(SPAN);
    let mut found = |after: u64| {
        thread::sleep(Duration::from_nanos(after));
        (0..KEYS).filter(|key| cache.observe(&key.to_le_bytes(), 0)).count()
    };
    found(0);
    let expired = u32::try_from(found(SPAN)).map_or(f64::NAN, f64::from);
    vec![Documented {
        rival: ENTRY.name.to_owned(),
        what: format!("of {KEYS} keys, found once the time to live is over"),
        unit: "keys".to_owned(),
        documented: 0.0,
        measured: expired,
        law: Law::Exactly,
        slack: 0.0,
        source: "CacheBuilder::time_to_live: expired after the duration past from insert".to_owned(),
    }]
}
