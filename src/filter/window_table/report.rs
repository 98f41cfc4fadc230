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
        let (part, last) = (core.part_at(now), core.position.part);
        let mut sum = Sum::default();
        sum.add(
            &core.newest,
            hand.tally.live(part, last),
            hand.stash.count(part, &core.plan.span, core.newest.shape.groups),
        );
        for sealed in &core.sealed {
            sum.add(
                &sealed.table,
                sealed.live(part),
                sealed.stash.count(part, &core.plan.span, sealed.table.shape.groups),
            );
        }
        Stats {
            bytes: core.bytes(),
            bytes_peak: core.counts.bytes_peak,
            slices: 1 + num::wide(core.sealed.len()),
            newest_slice_bits: core.newest.shape.bytes() * 8,
            items: sum.live,
            stored: sum.live,
            reach_ns: if core.plan.timed { self.reach(now, part) } else { 0 },
            error_rate: sum.wrong,
            shifts: core.counts.tables,
            forgotten: hand.forgotten,
            deferred: core.counts.deferred,
            tables: 1 + num::wide(core.sealed.len()),
            moved: hand.tally.moved,
            stashed: sum.stashed,
            closed_groups: sum.closed,
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

/// Of all tables.
#[derive(Debug, Default)]
struct Sum {
    live: u64,
    stashed: u64,
    closed: u64,
    /// The chance that an absent key is called a duplicate by one of them.
    wrong: f64,
}

impl Sum {
    fn add(&mut self, table: &Table, live: Count, (stashed, closed): (u64, u64)) {
        self.live += live.all;
        self.stashed += stashed;
        self.closed += closed;
        let shut = num::real(closed) / num::real(table.shape.groups);
        self.wrong = either(self.wrong, either(shut, chance_in(table, live)));
    }
}

/// The chance of one thing or another that has nothing to do with it.
fn either(one: f64, other: f64) -> f64 {
    one + (1.0 - one) * other.min(1.0)
}

/// The chance that an absent key finds a match in a table with that many cells in use.
fn chance_in(table: &Table, live: Count) -> f64 {
    let lines = num::real(table.shape.lines());
    chance_of(&table.shape.layout, num::real(live.wide) / lines, num::real(live.all.saturating_sub(live.wide)) / lines)
}
