//! The statistics of a window table, from counts that it keeps: nothing is scanned.

use crate::filter::values::Stats;
use crate::num;
use crate::tick::Tick;

use super::WindowTable;
use super::directory::LINE_BYTES;
use super::table::Table;

impl WindowTable {
    /// The statistics at `now`, or at the clock if that is later.
    pub(super) fn report(&self, now: Tick) -> Stats {
        let moment = self.moment(now);
        let sum = |of: fn(&Table) -> u64| self.tables.iter().map(of).sum::<u64>();
        let live = self.tables.iter().map(|table| table.count_at(table.part_at(moment)).cells).sum();
        let wrong: f64 = self.tables.iter().map(|table| table.error_at(table.part_at(moment))).sum();
        let reach = self.tables.iter().map(|table| table.reach(moment)).min();
        Stats {
            bytes: self.account.bytes(),
            bytes_peak: self.account.peak(),
            slices: 1,
            newest_slice_bits: sum(|table| table.grid.shape.lines()) * LINE_BYTES * 8,
            items: live,
            stored: live,
            reach_ns: if self.plan.timed { reach.unwrap_or(self.plan.span.window) } else { 0 },
            error_rate: wrong.min(1.0),
            forgotten: sum(|table| table.state.loss.forgotten),
            deferred: sum(|table| table.state.counts.refused),
            moved: sum(|table| table.state.counts.moved),
            stashed: sum(|table| table.state.stash.len()),
            clock: if self.plan.timed { Tick(moment) } else { Tick(0) },
            ..self.seen.stats()
        }
    }
}

impl Table {
    /// The age below which no key is missed at a moment: what was seen after the last position of a cell that had to go. A late
    /// record counts its window from its own moment, so its lateness is taken off.
    pub(super) fn reach(&self, moment: u64) -> u64 {
        let (span, part) = (&self.grid.plan.span, self.part_at(moment));
        let Some(forgot) = self.state.loss.forgot.filter(|forgot| part.since(*forgot) <= span.kept) else {
            return span.window;
        };
        let Some(parts) = part.since(forgot).checked_sub(1) else { return 0 };
        let rest = self.state.position.rest_at(moment, span);
        let age = u128::from(parts) * u128::from(span.window) + u128::from(rest);
        let age = num::low_half(age / u128::from(span.parts));
        age.saturating_sub(self.grid.plan.lateness).min(span.window - 1)
    }
}
