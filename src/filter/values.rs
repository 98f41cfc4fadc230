//! The answers of every kind of filter: the verdict, the statistics, the plan. They are public.

use std::time::Duration;

use crate::tick::Tick;

/// The answer to "have I seen this lately?". Never a bare bool: in half of such libraries `true` means the opposite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Verdict {
    /// Not seen within the window.
    New = 0,
    /// Seen, or, with at most the error rate, believed to be.
    Duplicate = 1,
    /// Claimed by another who has neither committed nor abandoned it yet. Only a claim gives this verdict.
    Pending = 2,
    /// Absent from a [`Column`](crate::Column): the filter did not look at it. Only a batch gives this verdict.
    AbsentKey = 3,
}

impl Verdict {
    /// Whether the key was seen.
    #[must_use]
    pub const fn is_duplicate(self) -> bool {
        matches!(self, Self::Duplicate)
    }

    /// Whether the key was not seen.
    #[must_use]
    pub const fn is_new(self) -> bool {
        matches!(self, Self::New)
    }

    pub(crate) const fn of(present: bool) -> Self {
        if present { Self::Duplicate } else { Self::New }
    }
}

impl From<Verdict> for u8 {
    /// The number of the C ABI: 0 for new, 1 for duplicate, 2 for pending, 3 for an absent key.
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::New => 0,
            Verdict::Duplicate => 1,
            Verdict::Pending => 2,
            Verdict::AbsentKey => 3,
        }
    }
}

/// The statistics of a filter, in O(slices): nothing is scanned. Fields that a kind does not have are 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Bytes of the cells, and of the table of claims, now. A copy or a loaded filter has no spare lines, so its bytes may be
    /// fewer.
    pub bytes: u64,
    /// The most bytes of the cells so far. A loaded filter with lines counts these alone.
    pub bytes_peak: u64,
    /// Slices that are allocated (kinds with slices); 1 of a kind with lines.
    pub slices: u64,
    /// Bits of the newest slice (kinds with slices), or of all lines (kinds with lines).
    pub newest_slice_bits: u64,
    /// Keys that the generations within the window have counted; without a window, entries or filled cells.
    pub items: u64,
    /// Keys that all allocated generations but the k oldest have counted, or what `items` is: `8 * bytes / stored` is
    /// the price per key.
    pub stored: u64,
    /// How far back the promise reaches now, in nanoseconds: no key inserted less than this ago is missed. The window,
    /// whose very edge is inside, unless `memory` shortened it; 0 if keys of this very tick had to go.
    pub reach_ns: u64,
    /// The chance that an absent key is called a duplicate now, from the real fills.
    pub error_rate: f64,
    /// Shifts so far.
    pub shifts: u64,
    /// Slices, or cells of lines, that `memory` made the filter forget before their time.
    pub forgotten: u64,
    /// Shifts that `memory` made the filter put off, so that the error rate rises; of a kind with lines, the times that memory
    /// refused it one.
    pub deferred: u64,
    /// Observations answered `New` since the last `stats_reset`.
    pub new_count: u64,
    /// Observations answered `Duplicate` since the last `stats_reset`.
    pub duplicate_count: u64,
    /// Ticks below the clock by more than `lateness_ns`, judged at the clock, since the last `stats_reset`.
    pub late_ticks: u64,
    /// Ticks refused by `max_step_ns` since the last `stats_reset`.
    pub refused_ticks: u64,
    /// The filter's clock.
    pub clock: Tick,
    /// Rows all of whose cells are filled (kinds with rows).
    pub rows_full: u64,
    /// The chance that a key seen very long ago is called new now (kinds with rows): once all of them are full, what the rate
    /// of missed duplicates tends to with distance.
    pub miss_rate: f64,
    /// Cells that moved to their other line so far, to make room (kinds with lines).
    pub moved: u64,
    /// Keys that found no room in their lines and are in the stash (kinds with lines).
    pub stashed: u64,
    /// The most that a tick was below the clock since the last `stats_reset`: the `lateness` that would have taken all of them.
    /// Not in snapshots, as the next.
    pub max_lateness_ns: u64,
    /// The last tick refused by `max_step_ns` since the last `stats_reset`; 0 if none was.
    pub last_refused_tick: Tick,
    /// Claims that are open now: neither committed nor abandoned, and their lease is not over.
    pub open_claims: u64,
    /// The option `max_claims`; 0 of a filter without claims.
    pub max_claims: u64,
    /// Claims whose lease ran out since the last `stats_reset`.
    pub expired_claims: u64,
    /// Claims answered `Pending` since the last `stats_reset`.
    pub pending: u64,
    /// Keys of the window that `remove` forgot so far (kinds with lines).
    pub removed: u64,
}

impl Stats {
    /// How far back the promise reaches now: [`Stats::reach_ns`].
    #[must_use]
    pub const fn reach(&self) -> Duration {
        Duration::from_nanos(self.reach_ns)
    }
}

/// How long ago a key was seen last, by a lower and an upper bound: in nanoseconds if the window is a span of time, else in
/// observations and insertions, where the last one was 1 ago.
///
/// They are a generation apart, T / (2^`age_bits` - 1); of a window of observations, an eighth of a generation more. For
/// one key in some thousands, whose cell had to move to a line of another phase, the true age may be above `at_most` by
/// less than a generation for each such move. For a false duplicate they mean nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Age {
    /// Lower bound on the age.
    pub at_least: u64,
    /// Upper bound on the age.
    pub at_most: u64,
}

/// The integers that follow from a request, before anything is allocated. Fields that a kind does not have are 0, and a
/// rate that nothing fixes is NaN.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct PlanSummary {
    /// Bytes of the cells at the planned number of keys; 0 when the request names none.
    pub bytes: u64,
    /// Bits per key of the window, margin included.
    pub bits_per_key: f64,
    /// Bits per key, or cells per row.
    pub k: u64,
    /// Full generations in the window.
    pub l: u64,
    /// Fill of a full slice.
    pub fill: f64,
    /// Slices in the steady state, k + l; 1 of a kind with lines.
    pub slices: u64,
    /// Blocks.
    pub blocks: u64,
    /// Rows or lines; of a window of insertions in slices, the bits of a slice.
    pub rows: u64,
    /// Keys per chain.
    pub load: f64,
    /// The share of the size that allows for uneven arrivals.
    pub margin: f64,
    /// Rate of false duplicates at the worst instant.
    pub error_rate_worst: f64,
    /// Rate of false duplicates averaged over a generation.
    pub error_rate_mean: f64,
    /// Rate of missed duplicates at `window_keys`, of QQHT at most; NaN when that is not given.
    pub miss_rate: f64,
    /// The window in keys, or the keys that fit into `memory`; 0 when the request names neither.
    pub window_keys: u64,
    /// Cache lines that one `observe` of a new key touches, about.
    pub cache_lines_per_observe: f64,
    /// Bits of a fingerprint (kinds with rows or lines).
    pub fingerprint_bits: u64,
    /// Chains of a block.
    pub chains: u64,
    /// Bytes of a block.
    pub block_bytes: u64,
    /// Bits per key of the window at the peak of ordinary growth: while the keys of the first window come at a steady rate
    /// from nothing, with no `capacity` given (a window of time in lines, which grow). For every other request it is `bits_per_key`.
    pub bits_per_key_peak: f64,
    /// Rate of false duplicates that no traffic exceeds, up to the number of keys for which the plan is made (a window in lines, which
    /// grow); 0 for every other request.
    pub error_rate_bound: f64,
}

impl PlanSummary {
    /// Bits per key alone, for a filter that has its size from the beginning.
    pub(crate) fn sized(bits_per_key: f64) -> Self {
        Self { bits_per_key, bits_per_key_peak: bits_per_key, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_its_number() {
        let all = [Verdict::New, Verdict::Duplicate, Verdict::Pending, Verdict::AbsentKey];
        assert_eq!(all.map(u8::from), [0, 1, 2, 3]);
        assert_eq!([false, true].map(Verdict::of), [Verdict::New, Verdict::Duplicate]);
        assert!(Verdict::New.is_new() && !Verdict::New.is_duplicate());
        assert!(Verdict::Duplicate.is_duplicate() && !Verdict::Duplicate.is_new());
        for verdict in [Verdict::Pending, Verdict::AbsentKey] {
            assert!(!verdict.is_duplicate() && !verdict.is_new());
        }
    }
}
