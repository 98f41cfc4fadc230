// Generated from packaging/metrics/metrics.tsv by `BLESS=1 cargo test -p packaging --test metrics`. DO NOT EDIT.

package prometheus

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/lately/lately/bindings/go"
)

// The statistics of the filter.
var stats = []metric{
	{"lately_memory_bytes", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Bytes) }, "Bytes of the cells."},
	{"lately_memory_peak_bytes", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.BytesPeak) }, "The most bytes of the cells so far."},
	{"lately_reach_seconds", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Reach) / 1e9 }, "How far back no duplicate is missed: the window, unless memory shortened it."},
	{"lately_error_ratio", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.ErrorRate) }, "Chance that an absent key is called a duplicate now."},
	{"lately_miss_ratio", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.MissRate) }, "Chance that a key seen very long ago is called new now, of a filter that forgets by law."},
	{"lately_new_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.NewCount) }, "Observations answered New."},
	{"lately_duplicates_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.DuplicateCount) }, "Observations answered Duplicate."},
	{"lately_late_ticks_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.LateTicks) }, "Ticks below the clock by more than the lateness, judged at the clock."},
	{"lately_refused_ticks_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.RefusedTicks) }, "Ticks refused because they led the clock by more than the largest step."},
	{"lately_max_lateness_seconds", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.MaxLateness) / 1e9 }, "The most that a tick was below the clock: the lateness that takes them all."},
	{"lately_last_refused_tick_seconds", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.LastRefusedTick) / 1e9 }, "The last tick that was refused; 0 if none was."},
	{"lately_clock_seconds", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Clock) / 1e9 }, "The clock of the filter, from its own origin."},
	{"lately_items", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Items) }, "Keys within the window; without a window, entries or filled cells."},
	{"lately_stored_items", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Stored) }, "Keys in all that is allocated: 8 x bytes / stored is the price of a key in bits."},
	{"lately_forgotten_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.Forgotten) }, "Slices or cells that memory made the filter forget before their time."},
	{"lately_deferred_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.Deferred) }, "Times that memory refused the filter a slice or a line."},
	{"lately_shifts_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.Shifts) }, "Shifts of slices."},
	{"lately_slices", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Slices) }, "Slices that are allocated; 1 of a filter with lines."},
	{"lately_newest_slice_bytes", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.NewestSliceBits) / 8 }, "Bytes of the newest slice, or of all lines."},
	{"lately_full_rows", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.RowsFull) }, "Rows all of whose cells are filled, of a filter with rows."},
	{"lately_moved_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.Moved) }, "Cells that moved to their other line."},
	{"lately_stashed_items", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.Stashed) }, "Keys that found no room in their lines and are in the stash."},
	{"lately_open_claims", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.OpenClaims) }, "Claims that are neither committed nor abandoned."},
	{"lately_max_claims", prometheus.GaugeValue, func(s *lately.Stats) float64 { return float64(s.MaxClaims) }, "The most claims that may be open."},
	{"lately_expired_claims_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.ExpiredClaims) }, "Claims whose lease ran out."},
	{"lately_pending_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.Pending) }, "Claims answered Pending, because another owner has the key."},
	{"lately_removed_total", prometheus.CounterValue, func(s *lately.Stats) float64 { return float64(s.Removed) }, "Keys that a window was made to forget by remove."},
}

// Options that were given; a 0 was not.
var asked = []limit{
	{"lately_memory_limit_bytes", func(a *askedFor) float64 { return a.memory }, "The most bytes that the cells may take; absent without a limit."},
	{"lately_window_seconds", func(a *askedFor) float64 { return a.window }, "The window of time that was asked for; absent without one."},
	{"lately_error_limit_ratio", func(a *askedFor) float64 { return a.errorRate }, "The error rate that was asked for, or else the planned one at its worst."},
}
