//! What every kind counts of the calls that it answered, and `stats_reset` sets to 0.

use crate::filter::values::{Stats, Verdict};

/// See the module. A kind without time has no late and no refused tick.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    pub(crate) new_count: u64,
    pub(crate) duplicate_count: u64,
    pub(crate) late_ticks: u64,
    pub(crate) refused_ticks: u64,
}

impl Seen {
    /// No branch: it may hang on memory that is far away.
    #[inline]
    pub(crate) fn count(&mut self, verdict: Verdict) {
        self.duplicate_count += u64::from(verdict.is_duplicate());
        self.new_count += u64::from(verdict.is_new());
    }

    /// Adds what was counted under another lock, and sets it to 0 there.
    pub(crate) fn take_in(&mut self, other: &mut Self) {
        let other = std::mem::take(other);
        self.new_count += other.new_count;
        self.duplicate_count += other.duplicate_count;
        self.late_ticks += other.late_ticks;
        self.refused_ticks += other.refused_ticks;
    }

    /// Statistics in which nothing else is set yet.
    pub(crate) fn stats(&self) -> Stats {
        let Self { new_count, duplicate_count, late_ticks, refused_ticks } = *self;
        Stats { new_count, duplicate_count, late_ticks, refused_ticks, ..Stats::default() }
    }
}
