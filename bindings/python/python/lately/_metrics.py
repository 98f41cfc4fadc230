"""The metrics of a filter. Generated from packaging/metrics/metrics.tsv by `BLESS=1 cargo test -p packaging --test metrics`."""

STATS = (
    ("lately_memory_bytes", False, "bytes", 1, "Bytes of the cells."),
    ("lately_memory_peak_bytes", False, "bytes_peak", 1, "The most bytes of the cells so far."),
    ("lately_reach_seconds", False, "reach_ns", 1e9, "How far back no duplicate is missed: the window, unless memory shortened it."),
    ("lately_error_ratio", False, "error_rate", 1, "Chance that an absent key is called a duplicate now."),
    ("lately_miss_ratio", False, "miss_rate", 1, "Chance that a key seen very long ago is called new now, of a filter that forgets by law."),
    ("lately_new_total", True, "new_count", 1, "Observations answered New."),
    ("lately_duplicates_total", True, "duplicate_count", 1, "Observations answered Duplicate."),
    ("lately_late_ticks_total", True, "late_ticks", 1, "Ticks below the clock by more than the lateness, judged at the clock."),
    ("lately_refused_ticks_total", True, "refused_ticks", 1, "Ticks refused because they led the clock by more than the largest step."),
    ("lately_max_lateness_seconds", False, "max_lateness_ns", 1e9, "The most that a tick was below the clock: the lateness that takes them all."),
    ("lately_last_refused_tick_seconds", False, "last_refused_tick", 1e9, "The last tick that was refused; 0 if none was."),
    ("lately_clock_seconds", False, "clock", 1e9, "The clock of the filter, from its own origin."),
    ("lately_items", False, "items", 1, "Keys within the window; without a window, entries or filled cells."),
    ("lately_stored_items", False, "stored", 1, "Keys in all that is allocated: 8 x bytes / stored is the price of a key in bits."),
    ("lately_forgotten_total", True, "forgotten", 1, "Slices or cells that memory made the filter forget before their time."),
    ("lately_deferred_total", True, "deferred", 1, "Times that memory refused the filter a slice or a line."),
    ("lately_shifts_total", True, "shifts", 1, "Shifts of slices."),
    ("lately_slices", False, "slices", 1, "Slices that are allocated; 1 of a filter with lines."),
    ("lately_newest_slice_bytes", False, "newest_slice_bits", 8, "Bytes of the newest slice, or of all lines."),
    ("lately_full_rows", False, "rows_full", 1, "Rows all of whose cells are filled, of a filter with rows."),
    ("lately_moved_total", True, "moved", 1, "Cells that moved to their other line."),
    ("lately_stashed_items", False, "stashed", 1, "Keys that found no room in their lines and are in the stash."),
    ("lately_open_claims", False, "open_claims", 1, "Claims that are neither committed nor abandoned."),
    ("lately_max_claims", False, "max_claims", 1, "The most claims that may be open."),
    ("lately_expired_claims_total", True, "expired_claims", 1, "Claims whose lease ran out."),
    ("lately_pending_total", True, "pending", 1, "Claims answered Pending, because another owner has the key."),
    ("lately_removed_total", True, "removed", 1, "Keys that a window was made to forget by remove."),
)
"""The statistics of the filter: name, whether it is a counter, field, divisor, help."""

ASKED = (
    ("lately_memory_limit_bytes", False, "memory", 1, "The most bytes that the cells may take; absent without a limit."),
    ("lately_window_seconds", False, "window_ns", 1e9, "The window of time that was asked for; absent without one."),
    ("lately_error_limit_ratio", False, "error_rate", 1, "The error rate that was asked for, or else the planned one at its worst."),
)
"""What was asked for: the same, with an option in place of the field."""
