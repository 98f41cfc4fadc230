//! The statistics of a time-limited filter, from counts that it keeps: nothing is scanned.

use crate::filter::sliced::runs::run_chance;
use crate::filter::values::Stats;
use crate::num;
use crate::tick::Tick;

use super::TimeLimited;
use super::slice::Slice;

impl TimeLimited {
    /// The statistics at `now`, which is not before the clock.
    pub(super) fn report(&self, now: Tick) -> Stats {
        let (n, k) = (self.slices.len(), self.plan.k);
        let live = self.slices.iter().take(self.live(now, self.time.stamp));
        Stats {
            bytes: self.words * 8,
            bytes_peak: self.counts.words_peak * 8,
            slices: num::wide(n),
            newest_slice_bits: self.slices[0].len(),
            items: self.items(now),
            stored: self.slices.iter().take(n - k + 1).map(|slice| slice.generation).sum(),
            reach_ns: self.reach(now),
            error_rate: run_chance(k, live.map(Slice::fill)),
            shifts: self.counts.shifts,
            forgotten: self.counts.forgotten,
            deferred: self.counts.deferred,
            clock: now,
            ..self.counts.seen.stats()
        }
    }

    /// Keys counted by the generations that ended within the last T, and by the present one while it is not out of
    /// date itself.
    fn items(&self, now: Tick) -> u64 {
        let ended = std::iter::once(now).chain(self.slices.iter().map(|slice| slice.began));
        let within = self
            .slices
            .iter()
            .take(self.live(now, self.time.stamp))
            .zip(ended)
            .take_while(|(_, end)| now.since(*end) <= self.plan.window);
        within.map(|(slice, _)| slice.generation).sum()
    }

    /// The age below which no key is missed now. T, and then T itself is inside, unless slices went before their time.
    pub(super) fn reach(&self, now: Tick) -> u64 {
        let window = self.plan.window;
        match self.time.forgot.map(|lost| now.since(lost)) {
            Some(age) if age <= window => age.min(window - 1),
            _ => window,
        }
    }
}
