//! What a window table knows of itself, from counts that it keeps: nothing is scanned.

use crate::filter::values::Stats;
use crate::num;
use crate::tick::Tick;

use super::WindowTable;
use super::plan::chance_of;
use super::table::Table;
use super::tally::Count;

impl WindowTable {
    /// The statistics at `now`, which is not before the clock.
    pub(super) fn report(&self, now: Tick) -> Stats {
        let (core, hand) = (&self.core, &self.hand);
        let part = core.part_at(now);
        let last = core.position.part;
        let mut live = hand.tally.live(part, last);
        let (_, closed) = hand.stash.count(part, &core.plan.span);
        let mut error_rate = chance_in(&core.newest, live) + share(closed, core.newest.shape.groups);
        for sealed in &core.sealed {
            let (_, closed) = sealed.stash.count(part, &core.plan.span);
            error_rate += chance_in(&sealed.table, sealed.live(part));
            live.add(sealed.live(part));
            error_rate += share(closed, sealed.table.shape.groups);
        }
        Stats {
            bytes: core.bytes(),
            bytes_peak: core.counts.bytes_peak,
            slices: 1 + num::wide(core.sealed.len()),
            newest_slice_bits: core.newest.shape.bytes() * 8,
            items: live.all,
            stored: live.all,
            reach_ns: if core.plan.timed { self.reach(now, part) } else { 0 },
            error_rate: error_rate.min(1.0),
            shifts: core.counts.tables,
            forgotten: hand.forgotten,
            deferred: core.counts.deferred,
            clock: if core.plan.timed { now } else { Tick(0) },
            ..hand.seen.stats()
        }
    }

    /// The age below which no key is missed now: what was seen after the last position of a cell that had to go.
    fn reach(&self, now: Tick, part: u64) -> u64 {
        let span = &self.core.plan.span;
        let Some(forgot) = self.hand.forgot.filter(|forgot| part - forgot <= span.parts) else { return span.window };
        let Some(parts) = (part - forgot).checked_sub(1) else { return 0 };
        let rest = self.core.position.rest_at(now.0, span);
        let age = u128::from(parts) * u128::from(span.window) + u128::from(rest);
        num::low_half(age / u128::from(span.parts)).min(span.window - 1)
    }
}

/// The chance that an absent key finds a match in a table with so many cells in use.
fn chance_in(table: &Table, live: Count) -> f64 {
    let lines = num::real(table.shape.lines());
    chance_of(&table.shape.layout, num::real(live.wide) / lines, num::real(live.all.saturating_sub(live.wide)) / lines)
}

fn share(part: u64, whole: u64) -> f64 {
    num::real(part) / num::real(whole)
}
