//! Claims of all filters together, for `INFO lately`: read from the filters when it is asked for, so that no command pays for it.

use std::collections::BTreeMap;
use std::ptr::with_exposed_provenance;
use std::sync::{Mutex, MutexGuard};

use lately::Stats;

use crate::entry::Entry;

/// Filters with claims by their addresses, and what was counted of others.
struct Filters {
    /// With what each had counted when it came here.
    there: BTreeMap<usize, Counts>,
    /// Of filters that are gone: a count never falls.
    gone: Counts,
}

/// What is counted and never falls.
#[derive(Clone, Copy, Default)]
struct Counts {
    expired: u64,
    pending: u64,
}

/// The fields of `INFO lately`.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) open: u64,
    pub(crate) most: u64,
    pub(crate) expired: u64,
    pub(crate) pending: u64,
}

static FILTERS: Mutex<Filters> =
    Mutex::new(Filters { there: BTreeMap::new(), gone: Counts { expired: 0, pending: 0 } });

fn filters() -> MutexGuard<'static, Filters> {
    FILTERS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Counts {
    const fn of(stats: &Stats) -> Self {
        Self { expired: stats.expired_claims, pending: stats.pending }
    }

    /// Adds what a filter counted since it had counted `before`.
    fn add(&mut self, now: Self, before: Self) {
        self.expired += now.expired.saturating_sub(before.expired);
        self.pending += now.pending.saturating_sub(before.pending);
    }
}

/// A filter is the server's from here on: until it is dropped it stays where it is.
pub(crate) fn came(entry: *mut Entry) {
    // SAFETY: the caller has just made it.
    let stats = unsafe { &*entry }.value.stats();
    if stats.max_claims > 0 {
        filters().there.insert(entry.expose_provenance(), Counts::of(&stats));
    }
}

/// It is dropped, from whatever thread.
pub(crate) fn goes(entry: &Entry) {
    let mut filters = filters();
    let address = std::ptr::from_ref(entry).addr();
    let Some(before) = filters.there.remove(&address) else { return };
    if !entry.broken {
        filters.gone.add(Counts::of(&entry.value.stats()), before);
    }
}

/// Asked by the thread that runs the commands.
pub(crate) fn totals() -> Totals {
    let filters = filters();
    let (mut counts, mut totals) = (filters.gone, Totals::default());
    for (address, before) in &filters.there {
        // SAFETY: it is not dropped before `goes` has the lock, and no command runs now.
        let entry = unsafe { &*with_exposed_provenance::<Entry>(*address) };
        if !entry.broken {
            let stats = entry.value.stats();
            counts.add(Counts::of(&stats), *before);
            totals.open += stats.open_claims;
            totals.most += stats.max_claims;
        }
    }
    Totals { expired: counts.expired, pending: counts.pending, ..totals }
}
