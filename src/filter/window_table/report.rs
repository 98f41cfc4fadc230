//! The answers of a window table about itself: statistics, from counts that it keeps and a sample of its lines; and how long ago a
//! key was seen, since a tag gives the generation, and so the two moments between which it was.
//!
//! ```text
//!  position   | 8 g - phase ......... 8 g - phase + 7 |  ...   | now: a part and, of time, the rest behind it |
//!  ages        <----------- at_most ------------------------------------------->
//!                                                     <------- at_least ------->
//! ```
//! **Law.** Between the two ages, one generation apart, the key was seen last. A position of observations is known to its part,
//! so that a count window's ages are an eighth of a generation further apart.
//!
//! The error is that of all lines where there are at most 1,024, else of 1,024 lines at even distances on both sides: 14,000
//! cells or more, so that chance leaves the sum within 5 % of the truth, and a twentieth is added.
//! **Price.** 1,024 cache lines.

use std::ops::RangeInclusive;

use crate::filter::values::{Age, PlanSummary, Stats};
use crate::num;
use crate::simd::Baseline;
use crate::tick::Tick;

use super::WindowTable;
use super::directory::LINE_BYTES;
use super::key::{Side, Spot};
use super::line::{Cells, Width, known};
use super::plan::{Plan, by_width};
use super::position::{PARTS, Part, When};
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
    /// Cells in use, expired or not: how many there are in all is counted, so that a sample is of their sort alone.
    cells: f64,
}

impl WindowTable {
    /// The statistics at `now`, or at the clock if that is later.
    pub(super) fn report(&self, now: Tick) -> Stats {
        let moment = self.moment(now);
        let sum = |of: fn(&Table) -> u64| self.tables.iter().map(of).sum::<u64>();
        let most = SAMPLED / num::wide(self.tables.len());
        let samples = self.tables.iter().map(|table| by_width!(self.plan.width, W => table.sample::<W>(moment, most)));
        let (items, error) =
            samples.fold((0.0, 0.0), |(items, error), sample| (items + sample.items, error + sample.error));
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
        let mut all =
            Sample { items: num::real(num::wide(stash.filter(|(_, seen)| within(seen)).count())), ..Sample::default() };
        if !self.state.has_lines() {
            return all;
        }
        let mut of_lines = Sample::default();
        for side in Side::BOTH {
            let lines = self.grid.shape.sides[side.index()];
            let (step, short) = if lines > most { (lines.div_ceil(most), SHORT) } else { (1, 1.0) };
            let taken = (0..lines).step_by(num::index(step));
            let mut sum = Sample::default();
            for line in taken.clone() {
                self.add_line::<W>(Spot { side, line }, part, &mut sum);
            }
            let times = num::real(lines) / num::real(num::wide(taken.count()));
            of_lines.items += sum.items * times;
            of_lines.error += sum.error * times * short;
            of_lines.cells += sum.cells * times;
        }
        let used = num::real(self.state.used);
        let each = if of_lines.cells > 0.0 { used / of_lines.cells } else { 0.0 };
        // Where the sample has none, as if all were found.
        let items = if of_lines.cells > 0.0 { of_lines.items * each } else { used };
        let (least, is_sparse) = (items * self.error_of_new::<W>(), self.state.used * 2 < self.state.bounds.most());
        all.items += items;
        // A sample of a sparse table has few cells. One that has its first lines never split a cell that it has, and moved none.
        all.error += if is_sparse && self.grid.is_first() { least } else { least.max(of_lines.error * each) };
        all
    }

    /// The chance that an absent key is taken for a key that comes now: no key in lines has a smaller one.
    fn error_of_new<W: Width>(&self) -> f64 {
        let (shape, print) = (&self.grid.shape, self.grid.plan.print_bits);
        let (half, bits) = (num::real(1u64 << shape.depth), shape.depth + shape.skip);
        let of = |bits: u32| chance(print + (bits + W::KNOWN).min(u64::BITS - print));
        let of_side = |lines: u64| {
            let split = num::real(lines) / half - 1.0;
            (1.0 - split) * of(bits) + split * of(bits + 1)
        };
        0.5 * (of_side(shape.sides[0]) + of_side(shape.sides[1]))
    }

    /// Adds the cells of a line that are found at a part.
    fn add_line<W: Width>(&self, spot: Spot, part: Part, sum: &mut Sample) {
        let (grid, plan) = (&self.grid, &self.grid.plan);
        let phase = grid.shape.phase_of(spot.line);
        let (lag, now) = (self.lag(spot), self.state.position.part.generation(phase));
        let (cells, bits) = (Cells::load::<Baseline, W>(grid.lines.line(spot)), grid.shape.bits(spot.side, spot.line));
        for i in cells.used::<W>() {
            sum.cells += 1.0;
            if lag >= 1 << plan.tag_bits {
                continue;
            }
            let seen = grid.seen(cells.lanes[i], now.before(lag));
            if part.generation(phase) <= seen.after(plan.span.kept / PARTS) {
                let known = (bits + known(cells.fields[i])).min(u64::BITS - plan.print_bits);
                sum.items += 1.0;
                sum.error += chance(known + plan.print_bits);
            }
        }
    }
}

/// The chance that this number of bits agrees, 64 at most. It lowers the exponent of 1, because `powi` multiplies in a loop, and `stats`
/// needs a chance for each of 14,000 cells.
fn chance(bits: u32) -> f64 {
    const EXPONENT: u32 = 52;
    f64::from_bits(1f64.to_bits() - (u64::from(bits) << EXPONENT))
}

/// The most bits a key from nothing, by those of a settled table: the map and the first table are there at one time, and the last arena
/// is nearly empty.
const GROWTH: f64 = 1.04;

impl Plan {
    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let keys = self.planned_keys();
        let is_sized = !self.timed || self.keys > 0;
        let bytes = match is_sized {
            true if self.at_once => self.first_bytes(),
            true => super::slots::bytes_for(self.keys * 8 / 7),
            false => self.memory / LINE_BYTES * LINE_BYTES,
        };
        let rows = if is_sized && !self.at_once { 0 } else { bytes / LINE_BYTES };
        let peak = num::real(bytes * 8) / num::real(keys.max(1));
        let bits = match is_sized {
            true if self.at_once => peak,
            true => num::real(8 * super::slots::bytes_settled(self.keys)) / num::real(keys.max(1)),
            false => self.settled_bits(),
        };
        PlanSummary {
            bytes,
            bits_per_key: bits,
            bits_per_key_peak: match (self.timed, is_sized && !self.at_once) {
                (true, true) => peak.max(bits),
                (true, false) => bits.max(self.settled_bits() * GROWTH),
                (false, _) => bits,
            },
            k: self.width.cells(),
            l: self.span.parts / PARTS,
            fill: self.planned_fill(if is_sized { rows } else { 0 }),
            slices: 1,
            rows,
            error_rate_worst: self.worst(),
            error_rate_bound: self.bound(),
            error_rate_mean: if self.worst() > 0.0 { self.settled_error() } else { 0.0 },
            window_keys: keys,
            cache_lines_per_observe: 2.0,
            fingerprint_bits: u64::from(self.print_bits + self.width.field() - 1),
            block_bytes: LINE_BYTES,
            ..PlanSummary::default()
        }
    }

    /// How full this number of lines is with the planned keys; with no lines, how full those of a large table are.
    fn planned_fill(&self, lines: u64) -> f64 {
        let cells = self.width.cells();
        if lines > 0 {
            num::real(self.planned_keys()) * self.cells_a_key() / num::real(lines * cells)
        } else {
            self.cells_of_a_line() / num::real(cells)
        }
    }

    /// Bits for each key of a large window when all is settled.
    pub(super) fn settled_bits(&self) -> f64 {
        num::real(LINE_BYTES * 8) * self.cells_a_key() / self.cells_of_a_line()
    }

    /// Keys of a window that `memory` has room for.
    fn keys_in_memory(&self) -> u64 {
        // The last run of each side may be nearly empty.
        let memory = if self.is_exact() { self.memory } else { self.memory.saturating_sub(2 << 12) };
        let fits = |keys: u64| self.lines_for(keys) * LINE_BYTES <= memory;
        let most = num::floor(num::real(self.memory) * 8.0 / self.settled_bits());
        (0..most.checked_ilog2().map_or(0, |bits| bits + 1))
            .rev()
            .fold(0, |keys, bit| if fits(keys | (1 << bit)) { keys | (1 << bit) } else { keys })
    }

    /// The keys of a window that the plan is for: those that are named, or that fit `memory`; 0 if neither is known.
    pub(super) fn planned_keys(&self) -> u64 {
        match (self.timed, self.keys, self.memory) {
            (false, keys, _) | (true, keys, 0) => keys,
            (true, 0, _) => self.keys_in_memory(),
            (true, keys, _) => keys.min(self.keys_in_memory()),
        }
    }
}

impl Table {
    /// The ages between which the key that `contains` finds was seen, back from the record's own moment. Changes nothing.
    pub(super) fn age<W: Width>(&self, hash: u64, when: When) -> Option<Age> {
        let (first, last) = self.sighting::<W>(hash, self.part_of(when))?;
        Some(self.ages(&(first..=last), when))
    }

    /// Positions as ages. A key that was seen at a later moment than the record's own is 0 old.
    fn ages(&self, seen: &RangeInclusive<Part>, when: When) -> Age {
        let (span, part, rest) = (&self.grid.plan.span, self.part_of(when), self.rest_at(when.own));
        // `parts` of the window and `rest` of a part, in nanoseconds or observations, as a number and its excess.
        let units = |parts: u64, rest: u64| {
            let x = u128::from(parts) * u128::from(span.window) + u128::from(rest);
            num::low_half((x / u128::from(span.parts)).min(u128::from(u64::MAX)))
        };
        let at_most = part.0.checked_sub(seen.start().0).map_or(0, |parts| units(parts, *rest.end()));
        // It was seen before the part behind the last possible one began.
        let at_least = match part.0.checked_sub(seen.end().after(1).0) {
            Some(parts) => units(parts, *rest.start()).saturating_add(1),
            None => 0,
        };
        Age { at_least: at_least.min(at_most), at_most }
    }

    /// How far into its part the position is, in parts of the window: exact for time; for observations, somewhere in it.
    fn rest_at(&self, moment: u64) -> RangeInclusive<u64> {
        let span = &self.grid.plan.span;
        if self.grid.plan.timed && self.state.running {
            let (_, rest) = self.state.position.place_of(moment, span);
            rest..=rest
        } else {
            0..=span.window - 1
        }
    }
}
