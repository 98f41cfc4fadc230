//! The statistics of a filter, in C.

use library::Stats;

use crate::growing::Growing;

/// The statistics of a filter. Fields that do not apply to a kind are 0. Set `struct_size` (LATELY_STATS_INIT does); later
/// versions append fields and change none.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "testing", derive(Debug, PartialEq))]
#[repr(C)]
pub struct lately_stats {
    /// sizeof(lately_stats), set by the caller.
    pub struct_size: usize,
    /// Bytes of the cells, and of the table of claims, now; a copy or a loaded filter may have fewer (WT).
    pub bytes: u64,
    /// The most bytes of the cells so far; a loaded filter counts its lines alone (WT).
    pub bytes_peak: u64,
    /// Slices (TL, AP) that are allocated; 1 (WT).
    pub slices: u64,
    /// Bits of the newest slice (TL, AP) or of all lines (WT).
    pub newest_slice_bits: u64,
    /// Keys that the generations within the window have counted (TL, AP), cells in use within it (WT), entries (TS), filled
    /// cells (Q).
    pub items: u64,
    /// Keys that all allocated generations but the k oldest have counted (TL), or what `items` is: 8 x bytes / stored
    /// is the price per key.
    pub stored: u64,
    /// How far back the promise reaches now, in nanoseconds: the window, unless `memory` shortened it.
    pub reach_ns: u64,
    /// The chance that an absent key is called a duplicate now, from the real fills.
    pub error_rate: f64,
    /// Shifts so far (TL, AP).
    pub shifts: u64,
    /// Slices (TL) or cells (WT) that `memory` made the filter forget before their time.
    pub forgotten: u64,
    /// Shifts that `memory` made the filter put off, so that the error rate rises (TL); the times that memory refused a line (WT).
    pub deferred: u64,
    /// Observations answered LATELY_NEW since the last reset.
    pub new_count: u64,
    /// Observations answered LATELY_DUPLICATE since the last reset.
    pub duplicate_count: u64,
    /// Ticks more than `lateness_ns` below the clock, judged at it, since the last reset.
    pub late_ticks: u64,
    /// Ticks refused by `max_step_ns` since the last reset.
    pub refused_ticks: u64,
    /// The filter's clock, as a tick.
    pub clock: u64,
    /// Rows all of whose cells are filled (Q).
    pub rows_full: u64,
    /// The chance that a key seen very long ago is called new now (Q).
    pub miss_rate: f64,
    /// Cells that moved to their other line so far, to make room (WT).
    pub moved: u64,
    /// Keys that found no room in their lines and are in the stash (WT).
    pub stashed: u64,
    /// The most that a tick was below the clock since the last reset, in nanoseconds: the `lateness_ns` that takes them all.
    pub max_lateness_ns: u64,
    /// The last tick refused by `max_step_ns` since the last reset; 0 if none was.
    pub last_refused_tick: u64,
    /// Claims that are open now: neither committed nor abandoned, and their lease is not over.
    pub open_claims: u64,
    /// The option `max_claims`; 0 without claims.
    pub max_claims: u64,
    /// Claims whose lease ran out since the last reset.
    pub expired_claims: u64,
    /// Claims answered LATELY_PENDING since the last reset.
    pub pending: u64,
    /// Keys that `lately_filter_remove` forgot so far (WT).
    pub removed: u64,
}

// SAFETY: size_t, integers and doubles, no padding, any bytes are a value.
unsafe impl Growing for lately_stats {
    const NAME: &'static str = "lately_stats";
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<lately_stats>() == 28 * 8);

impl From<Stats> for lately_stats {
    fn from(stats: Stats) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            bytes: stats.bytes,
            bytes_peak: stats.bytes_peak,
            slices: stats.slices,
            newest_slice_bits: stats.newest_slice_bits,
            items: stats.items,
            stored: stats.stored,
            reach_ns: stats.reach_ns,
            error_rate: stats.error_rate,
            shifts: stats.shifts,
            forgotten: stats.forgotten,
            deferred: stats.deferred,
            new_count: stats.new_count,
            duplicate_count: stats.duplicate_count,
            late_ticks: stats.late_ticks,
            refused_ticks: stats.refused_ticks,
            clock: stats.clock.0,
            rows_full: stats.rows_full,
            miss_rate: stats.miss_rate,
            moved: stats.moved,
            stashed: stats.stashed,
            max_lateness_ns: stats.max_lateness_ns,
            last_refused_tick: stats.last_refused_tick.0,
            open_claims: stats.open_claims,
            max_claims: stats.max_claims,
            expired_claims: stats.expired_claims,
            pending: stats.pending,
            removed: stats.removed,
        }
    }
}
