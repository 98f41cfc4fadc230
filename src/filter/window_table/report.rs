//! The statistics of a window table, from counts that it keeps and a sample of its lines.
//!
//! **Law.** The error is that of all lines where there are at most 1,024, else of 1,024 lines at even distances on both sides: 14,000
//! cells or more, so that chance leaves the sum within 5 % of the truth, and a twentieth is added.
//! **Price.** 1,024 cache lines.

use crate::filter::values::Stats;
use crate::num;
use crate::simd::Baseline;
use crate::tick::Tick;

use super::WindowTable;
use super::directory::LINE_BYTES;
use super::key::{Side, Spot};
use super::line::{Cells, Width, known};
use super::plan::by_width;
use super::position::Part;
use super::table::Table;

/// Lines of a sample of each side of all tables.
const SAMPLED: u64 = 512;

/// What a sample may be short of the truth.
const SHORT: f64 = 1.05;

/// The keys of some lines, and the chance that an absent key is taken for one of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    pub(super) items: f64,
    pub(super) error: f64,
}

impl WindowTable {
    /// The statistics at `now`, or at the clock if that is later.
    pub(super) fn report(&self, now: Tick) -> Stats {
        let moment = self.moment(now);
        let sum = |of: fn(&Table) -> u64| self.tables.iter().map(of).sum::<u64>();
        let most = SAMPLED / num::wide(self.tables.len());
        let samples = self.tables.iter().map(|table| by_width!(self.plan.width, W => table.sample::<W>(moment, most)));
        let (items, error) = samples.fold((0.0, 0.0), |(items, error), sample| (items + sample.items, error + sample.error));
        let live = num::floor(items + 0.5);
        let reach = self.tables.iter().map(|table| table.reach(moment)).min();
        Stats {
            bytes: self.account.bytes(),
            bytes_peak: self.account.peak(),
            slices: 1,
            newest_slice_bits: sum(Table::lines) * LINE_BYTES * 8,
            items: live,
            stored: live,
            reach_ns: if self.plan.timed { reach.unwrap_or(self.plan.span.window) } else { 0 },
            error_rate: error.min(1.0),
            forgotten: sum(|table| table.state.counts.forgotten),
            deferred: sum(|table| table.state.counts.refused),
            moved: sum(|table| table.state.counts.moved),
            stashed: sum(|table| if table.state.has_lines() { table.state.stash.len() } else { 0 }),
            removed: self.removed,
            clock: if self.plan.timed { Tick(moment) } else { Tick(0) },
            ..self.seen.stats()
        }
    }
}

impl Table {
    /// Lines in use.
    pub(super) fn lines(&self) -> u64 {
        if self.state.has_lines() { self.grid.shape.lines() } else { 0 }
    }

    /// The keys of the window, and the error, at a moment.
    fn sample<W: Width>(&self, moment: u64, most: u64) -> Sample {
        let part = self.part_at(moment);
        let stash = self.state.stash.in_order(self.state.position.part);
        let within = |seen: &Part| self.grid.plan.lifetime() > part.since(*seen);
        let mut all = Sample { items: num::real(num::wide(stash.filter(|(_, seen)| within(seen)).count())), error: 0.0 };
        if !self.state.has_lines() {
            return all;
        }
        for side in Side::BOTH {
            let lines = self.grid.shape.sides[side.index()];
            let (step, short) = if lines > most { (lines.div_ceil(most), SHORT) } else { (1, 1.0) };
            let taken = (0..lines).step_by(num::index(step));
            let mut sum = Sample::default();
            for line in taken.clone() {
                self.add_line::<W>(Spot { side, line }, part, &mut sum);
            }
            let times = num::real(lines) / num::real(num::wide(taken.count()));
            all.items += sum.items * times;
            all.error += sum.error * times * short;
        }
        all
    }

    /// Adds the cells of a line that are found at a part.
    fn add_line<W: Width>(&self, spot: Spot, part: Part, sum: &mut Sample) {
        let (grid, plan) = (&self.grid, &self.grid.plan);
        let phase = grid.shape.phase_of(spot.line);
        let (lag, now) = (self.lag(spot), self.state.position.part.generation(phase));
        if lag >= 1 << plan.tag_bits {
            return;
        }
        let (cells, bits) = (Cells::load::<Baseline, W>(grid.lines.line(spot)), grid.shape.bits(spot.side, spot.line));
        for i in cells.used::<W>() {
            let seen = grid.seen(cells.lanes[i], now.before(lag));
            if part.generation(phase) <= seen.after(plan.span.kept / super::position::PARTS) {
                let known = (bits + known(cells.fields[i])).min(u64::BITS - plan.print_bits);
                sum.items += 1.0;
                sum.error += 0.5f64.powi(i32::try_from(known + plan.print_bits).unwrap_or(i32::MAX));
            }
        }
    }
}
