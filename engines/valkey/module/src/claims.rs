//! Claims of all filters together, for `INFO lately`: read from the filters when it is asked for, so that no command pays for it.

use std::collections::BTreeMap;
use std::ptr::with_exposed_provenance;
use std::sync::{Mutex, MutexGuard};

use lately::Stats;
use lately_commands::Held;

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

/// It is where it stays, until it goes.
pub(crate) fn came(held: *mut Held) {
    // SAFETY: the caller has just put it there.
    let Held::Filter(value) = (unsafe { &*held }) else { return };
    let stats = value.stats();
    if stats.max_claims > 0 {
        filters().there.insert(held.expose_provenance(), Counts::of(&stats));
    }
}

/// It is dropped, from whatever thread.
pub(crate) fn goes(held: &Held) {
    let mut filters = filters();
    let before = filters.there.remove(&std::ptr::from_ref(held).addr());
    if let (Some(before), Held::Filter(value)) = (before, held) {
        filters.gone.add(Counts::of(&value.stats()), before);
    }
}

/// It met a bug: it is looked at no more.
pub(crate) fn breaks(held: &Held) {
    filters().there.remove(&std::ptr::from_ref(held).addr());
}

/// Asked by the thread that runs the commands.
pub(crate) fn totals() -> Totals {
    let filters = filters();
    let (mut counts, mut totals) = (filters.gone, Totals::default());
    for (address, before) in &filters.there {
        // SAFETY: it is not dropped before `goes` has the lock, and no command runs now.
        let held = unsafe { &*with_exposed_provenance::<Held>(*address) };
        if let Held::Filter(value) = held {
            let stats = value.stats();
            counts.add(Counts::of(&stats), *before);
            totals.open += stats.open_claims;
            totals.most += stats.max_claims;
        }
    }
    Totals { expired: counts.expired, pending: counts.pending, ..totals }
}
