//! The cache of Vector's `dedupe` transform. Vector is a program, not a package: this is its cache, the package `lru`, used as the
//! transform uses it, with the same shape of an entry. One field of each event is compared.

use std::num::NonZeroUsize;

use bytes::Bytes;
use lately_field::line::{Documented, Law};
use lately_field::rival::{Entry, Rival};
use lately_field::stream::Key;
use lru::LruCache;

/// The compared fields of an event, each with the number of its type.
type Fields = Vec<Option<(u8, Bytes)>>;

struct DedupeCache(LruCache<Fields, bool>);

impl DedupeCache {
    fn new(events: u64) -> Self {
        let events = usize::try_from(events).ok().and_then(NonZeroUsize::new);
        Self(LruCache::new(events.expect("a window of records")))
    }
}

impl Rival for DedupeCache {
    fn observe(&mut self, key: &Key, _tick: u64) -> bool {
        self.0.put(vec![Some((0, Bytes::copy_from_slice(key)))], true).is_some()
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "vector-dedupe-cache",
    version: || super::version_of("lru"),
    base: "lately-1e-6",
    error: Some(0.0),
    misses: false,
    is_real: false,
    what: "the cache of Vector's transform `dedupe` (an LruCache of field values) without Vector, num_events = N",
    takes: |workload| workload.span == 0,
    build: |workload| Box::new(DedupeCache::new(workload.records)),
    documented,
};

fn documented() -> Vec<Documented> {
    // Its default.
    const EVENTS: u32 = 5_000;
    let mut cache = DedupeCache::new(EVENTS.into());
    let mut show = |from: u32, to: u32| (from..to).filter(|i| cache.observe(&u64::from(*i).to_le_bytes(), 0)).count();
    show(0, 2 * EVENTS);
    let found = show(EVENTS, 2 * EVENTS);
    vec![Documented {
        rival: ENTRY.name.to_owned(),
        what: "events that are compared with, by default".to_owned(),
        unit: "events".to_owned(),
        documented: EVENTS.into(),
        measured: u32::try_from(found).map_or(f64::NAN, f64::from),
        law: Law::Exactly,
        slack: 0.0,
        source: "vector.dev, transform dedupe, cache.num_events: default 5000".to_owned(),
    }]
}
