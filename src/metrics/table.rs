//! The metrics of a filter: names, texts of help, and where each figure is.
//! Generated from packaging/metrics/metrics.tsv by `BLESS=1 cargo test -p packaging --test metrics`.

use super::{Figure, Metric};
use crate::num::real;

/// The statistics of the filter.
#[rustfmt::skip]
pub const STATS: [Metric; 27] = [
    Metric { name: "lately_memory_bytes", figure: Figure::Gauge(|s| real(s.bytes)), help: "Bytes of the cells." },
    Metric { name: "lately_memory_peak_bytes", figure: Figure::Gauge(|s| real(s.bytes_peak)), help: "The most bytes of the cells so far." },
    Metric { name: "lately_reach_seconds", figure: Figure::Gauge(|s| real(s.reach_ns) / 1e9), help: "How far back no duplicate is missed: the window, unless memory shortened it." },
    Metric { name: "lately_error_ratio", figure: Figure::Gauge(|s| s.error_rate), help: "Chance that an absent key is called a duplicate now." },
    Metric { name: "lately_miss_ratio", figure: Figure::Gauge(|s| s.miss_rate), help: "Chance that a key seen very long ago is called new now, of a filter that forgets by law." },
    Metric { name: "lately_new_total", figure: Figure::Count(|s| s.new_count), help: "Observations answered New." },
    Metric { name: "lately_duplicates_total", figure: Figure::Count(|s| s.duplicate_count), help: "Observations answered Duplicate." },
    Metric { name: "lately_late_ticks_total", figure: Figure::Count(|s| s.late_ticks), help: "Ticks below the clock by more than the lateness, judged at the clock." },
    Metric { name: "lately_refused_ticks_total", figure: Figure::Count(|s| s.refused_ticks), help: "Ticks refused because they led the clock by more than the largest step." },
    Metric { name: "lately_max_lateness_seconds", figure: Figure::Gauge(|s| real(s.max_lateness_ns) / 1e9), help: "The most that a tick was below the clock: the lateness that takes them all." },
    Metric { name: "lately_last_refused_tick_seconds", figure: Figure::Gauge(|s| real(s.last_refused_tick.0) / 1e9), help: "The last tick that was refused; 0 if none was." },
    Metric { name: "lately_clock_seconds", figure: Figure::Gauge(|s| real(s.clock.0) / 1e9), help: "The clock of the filter, from its own origin." },
    Metric { name: "lately_items", figure: Figure::Gauge(|s| real(s.items)), help: "Keys within the window; without a window, entries or filled cells." },
    Metric { name: "lately_stored_items", figure: Figure::Gauge(|s| real(s.stored)), help: "Keys in all that is allocated: 8 x bytes / stored is the price of a key in bits." },
    Metric { name: "lately_forgotten_total", figure: Figure::Count(|s| s.forgotten), help: "Slices or cells that memory made the filter forget before their time." },
    Metric { name: "lately_deferred_total", figure: Figure::Count(|s| s.deferred), help: "Times that memory refused the filter a slice or a line." },
    Metric { name: "lately_shifts_total", figure: Figure::Count(|s| s.shifts), help: "Shifts of slices." },
    Metric { name: "lately_slices", figure: Figure::Gauge(|s| real(s.slices)), help: "Slices that are allocated; 1 of a filter with lines." },
    Metric { name: "lately_newest_slice_bytes", figure: Figure::Gauge(|s| real(s.newest_slice_bits) / 8.0), help: "Bytes of the newest slice, or of all lines." },
    Metric { name: "lately_full_rows", figure: Figure::Gauge(|s| real(s.rows_full)), help: "Rows all of whose cells are filled, of a filter with rows." },
    Metric { name: "lately_moved_total", figure: Figure::Count(|s| s.moved), help: "Cells that moved to their other line." },
    Metric { name: "lately_stashed_items", figure: Figure::Gauge(|s| real(s.stashed)), help: "Keys that found no room in their lines and are in the stash." },
    Metric { name: "lately_open_claims", figure: Figure::Gauge(|s| real(s.open_claims)), help: "Claims that are neither committed nor abandoned." },
    Metric { name: "lately_max_claims", figure: Figure::Gauge(|s| real(s.max_claims)), help: "The most claims that may be open." },
    Metric { name: "lately_expired_claims_total", figure: Figure::Count(|s| s.expired_claims), help: "Claims whose lease ran out." },
    Metric { name: "lately_pending_total", figure: Figure::Count(|s| s.pending), help: "Claims answered Pending, because another owner has the key." },
    Metric { name: "lately_removed_total", figure: Figure::Count(|s| s.removed), help: "Keys that a window was made to forget by remove." },
];

/// What was asked for.
#[rustfmt::skip]
pub const ASKED: [Metric; 3] = [
    Metric { name: "lately_memory_limit_bytes", figure: Figure::Asked(|asked| asked.memory), help: "The most bytes that the cells may take; absent without a limit." },
    Metric { name: "lately_window_seconds", figure: Figure::Asked(|asked| asked.window), help: "The window of time that was asked for; absent without one." },
    Metric { name: "lately_error_limit_ratio", figure: Figure::Asked(|asked| asked.error_rate), help: "The error rate that was asked for, or else the planned one at its worst." },
];
