//! The counts of answered calls that every kind has, and `stats_reset` sets to 0.

use crate::filter::values::{Stats, Verdict};
use crate::tick::Tick;

/// See the module. A kind without time has no late and no refused tick.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) new_count: u64,
    pub(crate) duplicate_count: u64,
    pub(crate) late_ticks: u64,
    pub(crate) refused_ticks: u64,
    /// How far the latest of the late ticks was below the clock.
    pub(crate) max_lateness: u64,
    /// The last tick that was refused.
    pub(crate) last_refused: Tick,
}

impl Seen {
    /// No branch: it might wait for memory that is far away.
    #[inline]
    pub(crate) fn count(&mut self, verdict: Verdict) {
        self.duplicate_count += u64::from(verdict.is_duplicate());
        self.new_count += u64::from(verdict.is_new());
    }

    /// Counts a tick that is so far below the clock, where some lateness is allowed.
    #[inline]
    pub(crate) fn count_late(&mut self, lateness: u64, allowed: u64) {
        self.late_ticks += u64::from(lateness > allowed);
        self.max_lateness = self.max_lateness.max(lateness);
    }

    /// Counts a tick that was refused.
    #[cold]
    pub(crate) fn count_refused(&mut self, tick: Tick) {
        self.refused_ticks += 1;
        self.last_refused = tick;
    }

    /// Adds what was counted under another lock, and sets it to 0 there. Refusals are counted under all locks.
    pub(crate) fn take_in(&mut self, other: &mut Self) {
        let other = std::mem::take(other);
        self.new_count += other.new_count;
        self.duplicate_count += other.duplicate_count;
        self.late_ticks += other.late_ticks;
        self.max_lateness = self.max_lateness.max(other.max_lateness);
    }

    /// Statistics in which nothing else is set yet.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            new_count: self.new_count,
            duplicate_count: self.duplicate_count,
            late_ticks: self.late_ticks,
            refused_ticks: self.refused_ticks,
            max_lateness_ns: self.max_lateness,
            last_refused_tick: self.last_refused,
            ..Stats::default()
        }
    }
}
