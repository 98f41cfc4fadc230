//! Either handle of a filter, so that one oracle judges both: that of one owner, or the shared one, divided among its locks.

use std::time::Duration;

use lately::{Age, Filter, LoadOptions, SharedFilter, Stats, Tick, Verdict};

/// See the module. Keys are of 8 bytes.
pub(crate) enum Handle {
    One(Filter),
    Divided(SharedFilter),
}

impl Handle {
    pub(crate) fn of(filter: Filter, is_divided: bool) -> Self {
        if is_divided { Self::Divided(super::divided(filter)) } else { Self::One(filter) }
    }

    /// Observes the next key of a window of keys.
    pub(crate) fn observe(&mut self, key: u64) -> Verdict {
        let key = key.to_le_bytes();
        match self {
            Self::One(filter) => filter.observe(key),
            Self::Divided(filter) => filter.observe(key),
        }
        .expect("a verdict")
    }

    pub(crate) fn observe_at(&mut self, key: u64, time: u64) -> Verdict {
        let (key, now) = (key.to_le_bytes(), Tick(time));
        match self {
            Self::One(filter) => filter.observe_at(key, now),
            Self::Divided(filter) => filter.observe_at(key, now),
        }
        .expect("a verdict")
    }

    pub(crate) fn contains(&self, key: u64) -> Verdict {
        let key = key.to_le_bytes();
        match self {
            Self::One(filter) => filter.contains(key),
            Self::Divided(filter) => filter.contains(key),
        }
    }

    pub(crate) fn contains_at(&self, key: u64, time: u64) -> Verdict {
        let (key, now) = (key.to_le_bytes(), Tick(time));
        match self {
            Self::One(filter) => filter.contains_at(key, now),
            Self::Divided(filter) => filter.contains_at(key, now),
        }
        .expect("a verdict")
    }

    pub(crate) fn age_at(&self, key: u64, time: u64) -> Option<Age> {
        let (key, now) = (key.to_le_bytes(), Tick(time));
        match self {
            Self::One(filter) => filter.contains_age_at(key, now),
            Self::Divided(filter) => filter.contains_age_at(key, now),
        }
        .expect("an answer")
    }

    pub(crate) fn stats(&self) -> Stats {
        match self {
            Self::One(filter) => filter.stats(),
            Self::Divided(filter) => filter.stats(),
        }
    }

    /// Saved and loaded, as the same handle.
    pub(crate) fn reloaded(self) -> Self {
        let mut bytes = Vec::new();
        let load = LoadOptions::new(Duration::ZERO);
        let loaded = |bytes: &[u8]| Filter::load(bytes, &load).expect("a filter");
        match self {
            Self::One(filter) => {
                filter.write_snapshot(&mut bytes).expect("a vector takes all");
                assert_eq!(bytes.len(), usize::try_from(filter.snapshot_size()).expect("a small number"));
                Self::One(loaded(&bytes))
            }
            Self::Divided(filter) => {
                filter.write_snapshot(&mut bytes).expect("a vector takes all");
                Self::Divided(super::divided(loaded(&bytes)))
            }
        }
    }
}
