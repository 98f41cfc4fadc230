//! The figures at the end, as text or as one line of JSON.

use std::fmt::Write;
use std::time::Duration;

use lately::Stats;
use serde::Serialize;

use crate::judge::{Counts, Extremes};
use crate::units::show_time;

/// What a run has shown.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    read: u64,
    new: u64,
    duplicate: u64,
    late: u64,
    too_late: u64,
    pub(crate) refused: u64,
    pub(crate) bad: u64,
    pub(crate) gaps: u64,
    seconds: f64,
    records_per_second: u64,
    bytes: u64,
    bytes_peak: u64,
    error_rate: f64,
    error_rate_highest: f64,
    error_rate_asked: f64,
    window_ns: u64,
    window_reached_ns: u64,
    window_shortest_ns: u64,
    memory_shortened_window: bool,
    memory_raised_error_rate: bool,
}

/// What was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) window: u64,
    pub(crate) error_rate: f64,
    pub(crate) memory: u64,
    /// Whether the error rate gives way at the memory limit, and not the window.
    pub(crate) may_raise: bool,
}

impl Report {
    pub(crate) fn new(
        read: u64,
        bad: u64,
        counts: &Counts,
        (stats, worst): (Stats, Extremes),
        asked: Asked,
        took: Duration,
    ) -> Self {
        Self {
            read,
            new: counts.new,
            duplicate: counts.duplicate,
            late: counts.late,
            too_late: counts.too_late,
            refused: counts.refused,
            bad,
            gaps: counts.gaps,
            seconds: took.as_secs_f64(),
            records_per_second: rate(read, took),
            bytes: stats.bytes,
            bytes_peak: stats.bytes_peak,
            error_rate: stats.error_rate,
            error_rate_highest: worst.error_rate,
            error_rate_asked: asked.error_rate,
            window_ns: asked.window,
            window_reached_ns: stats.reach_ns,
            window_shortest_ns: worst.reach,
            memory_shortened_window: stats.forgotten > 0,
            memory_raised_error_rate: asked.may_raise && raised(&stats, worst.error_rate, asked),
        }
    }

    /// Lines for people.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| writeln!(text, "{name:<16}{value}").unwrap_or(());
        line("read", self.read.to_string());
        line("new", self.new.to_string());
        line("duplicate", self.duplicate.to_string());
        line("late", self.late.to_string());
        line("too late", self.too_late.to_string());
        line("refused", self.refused.to_string());
        line("bad", self.bad.to_string());
        line("gaps", self.gaps.to_string());
        line("records/s", self.records_per_second.to_string());
        line("bytes", format!("{} (at most {})", self.bytes, self.bytes_peak));
        line("error rate now", self.show_error_rate());
        line("window reached", self.show_window());
        line("memory limit", self.show_limit().into());
        text
    }

    /// One line for programs.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    fn show_error_rate(&self) -> String {
        let [now, highest] = [self.error_rate, self.error_rate_highest];
        format!("{now:.3e} (highest {highest:.3e}, asked {:e})", self.error_rate_asked)
    }

    fn show_window(&self) -> String {
        let [now, shortest, asked] = [self.window_reached_ns, self.window_shortest_ns, self.window_ns].map(show_time);
        format!("{now} (shortest {shortest}, asked {asked})")
    }

    fn show_limit(&self) -> &'static str {
        match (self.memory_shortened_window, self.memory_raised_error_rate) {
            (false, false) => "did not shorten the window",
            (true, _) => "shortened the window",
            (false, true) => "raised the error rate",
        }
    }

    /// What the user must know even without a report.
    pub(crate) fn warning(&self, asked: Asked) -> Option<String> {
        let (memory, at) = (asked.memory, "the memory limit of");
        if self.memory_shortened_window {
            let [shortest, asked] = [self.window_shortest_ns, self.window_ns].map(show_time);
            return Some(format!("{at} {memory} bytes shortened the window from {asked} to {shortest}"));
        }
        let (highest, asked) = (self.error_rate_highest, asked.error_rate);
        let raised = self.memory_raised_error_rate;
        raised.then(|| format!("{at} {memory} bytes raised the error rate from {asked:e} to {highest:.3e}"))
    }
}

/// Whether the limit made the rate rise: the filter put shifts off, or its slices could not be as large as they should
/// be (it then fills most of the memory, and passes the rate that was asked for).
fn raised(stats: &Stats, highest: f64, asked: Asked) -> bool {
    stats.deferred > 0 || (highest > asked.error_rate && stats.bytes_peak > asked.memory / 2)
}

/// Records in a second.
fn rate(records: u64, took: Duration) -> u64 {
    let per_second = u128::from(records) * 1_000_000_000 / took.as_nanos().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
