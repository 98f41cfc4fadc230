//! A loaded table whose limit was raised: its cells in more lines, and in wider cells where narrow ones would know too few bits.
//!
//! ```text
//!  before   d bits of the line | k known bits          after   d + 1 bits or more of the line | what is left of k
//!                                                               or in all lines that agree, where k is less
//! ```
//! **Law.** What was found is found. A cell's error does not change; keys that come later know all bits of the new cells.
//! **Price.** Once, at a load: every cell, and a table of up to eight times as many lines, which shrinks with the next calls.

use crate::error::Error;
use crate::field::Field;
use crate::num;
use crate::simd::Baseline;

use super::directory::{Directory, LINE_BYTES};
use super::key::{Print, Shape, Side, Spot, low};
use super::line::{Cell, Cells, Width, field_of, first_free, known, put};
use super::plan::{CellWidth, FIRST_LINES, Plan};
use super::position::PARTS;
use super::room::spots;
use super::table::Table;

/// Doublings of the usual first lines, at most, with which a table is loaded whose limit was raised.
const MOST_TIMES_RAISED: u32 = 3;

/// How many times the lines are doubled once more where a cell finds no room.
const TRIES: u32 = 3;

/// The bits of a string that a cell and its line know.
#[derive(Clone, Copy)]
struct Prefix {
    side: Side,
    string: u64,
    bits: u32,
}

impl Prefix {
    /// The lines that agree with it in a table with no line split, and what else their strings have in common.
    fn lines(self, shape: &Shape) -> impl Iterator<Item = (Self, u64)> + use<> {
        let (shape, Self { side, string, bits }) = (*shape, self);
        let unknown = (shape.depth + shape.skip).saturating_sub(bits);
        let all = (0..1u64 << unknown).map(move |rest| Self { string: string | (rest << bits), ..self });
        all.map(move |prefix| (prefix, shape.line(side, prefix.string)))
    }

    /// What it is on the other side.
    fn other(self, print: Print) -> Self {
        Self { side: self.side.other(), string: low(self.string ^ print.apart(), self.bits), ..self }
    }
}

impl Plan {
    /// The same with other bytes, 0 if no limit, for a filter that was saved. `lines` are those that there must be room for
    /// if cells get another width.
    pub(super) fn bound_to(self, bytes: u64, has_lines: bool, lines: impl Fn(CellWidth) -> u64) -> Result<Self, Error> {
        let plan = Self { memory: bytes, ..self };
        let is_raised = self.memory > 0 && (bytes == 0 || bytes > self.memory);
        match (has_lines, is_raised) {
            (false, true) => {
                Self { first_lines: FIRST_LINES.min(plan.most_lines()).max(2 * PARTS), ..plan }.grown(|_| 0)
            }
            (false, false) => Ok(Self { first_lines: plan.first_lines.min(plan.most_lines()).max(2 * PARTS), ..plan }),
            (true, false) => Ok(plan),
            (true, true) => plan.grown(lines),
        }
    }

    /// The same with a first size and a width from which the rate is kept while the cells of the former limit are there, too.
    fn grown(self, lines: impl Fn(CellWidth) -> u64) -> Result<Self, Error> {
        if self.worst() <= self.error_rate {
            return Ok(self);
        }
        let rest = self.error_rate - self.crowded();
        let sizes = (0..=MOST_TIMES_RAISED).map(|i| FIRST_LINES << i).filter(|size| *size > self.first_lines);
        let sizes = std::iter::once(self.first_lines).chain(sizes.filter(|size| *size <= self.most_lines() / 2));
        let widths = CellWidth::ALL.into_iter().filter(|width| width.field() >= self.width.field());
        let plans = widths.flat_map(|width| sizes.clone().map(move |first_lines| Self { width, first_lines, ..self }));
        let mut kept = plans.filter(|plan| plan.worst() <= rest);
        kept.clone().find(|plan| lines(plan.width) <= self.most_lines()).ok_or_else(|| {
            let (most, rate) = (self.most_at_rate(), self.error_rate);
            let least = kept.next().map_or(u64::MAX, |plan| lines(plan.width).saturating_mul(LINE_BYTES)).max(most + 1);
            let range = format_args!("at most {most} or at least {least} for this state with an error_rate of {rate}");
            Error::out_of_range(Field::Memory, self.most_bytes(), range)
        })
    }

    /// The most bytes with which the rate is kept from these first lines.
    fn most_at_rate(&self) -> u64 {
        let is_kept = |bytes: u64| Self { memory: bytes, ..*self }.worst() <= self.error_rate;
        let (mut kept, mut refused) = (self.first_lines * LINE_BYTES, self.most_bytes());
        while refused - kept > LINE_BYTES {
            let middle = (kept + (refused - kept) / 2).next_multiple_of(LINE_BYTES);
            (kept, refused) = if is_kept(middle) { (middle, refused) } else { (kept, middle) };
        }
        kept
    }
}

impl Table {
    /// The same keys under another plan, from cells of width `W` to those of width `V`.
    pub(super) fn refit<W: Width, V: Width>(&mut self, plan: &Plan) -> Result<(), Error> {
        self.refresh_all::<W>();
        let depth = self.depth_to_refit(plan.width);
        self.grid.plan = *plan;
        let shape = self.grid.shape;
        let empty = Directory::new(shape.section_number().is_some());
        let old = std::mem::replace(&mut self.grid.lines, empty);
        let depth = depth.max((self.grid.first().lines() - 1).ilog2());
        for more in 0..=TRIES {
            self.open_empty(shape.with(depth + more, 0))?;
            if spots(shape.sides).all(|spot| self.take_line::<W, V>(&old, &shape, spot)) {
                self.set_bounds();
                return Ok(());
            }
        }
        Err(Error::no_memory(num::index(self.grid.shape.lines() * LINE_BYTES)))
    }

    /// A depth with at least two lines for each that there is, or four if they have half the cells, and no line split.
    fn depth_to_refit(&self, width: CellWidth) -> u32 {
        let is_wider = width == CellWidth::Wide && width != self.grid.plan.width;
        self.grid.shape.depth + u32::from(self.grid.shape.split > 0) + 1 + u32::from(is_wider)
    }

    /// Lines that there must be room for while it is done.
    pub(super) fn lines_to_refit(&self, width: CellWidth) -> u64 {
        if self.state.has_lines() { self.lines() + (2 << self.depth_to_refit(width)) } else { 0 }
    }

    /// All lines of a shape, up to date and without a cell.
    fn open_empty(&mut self, shape: Shape) -> Result<(), Error> {
        let account = self.state.stash.account().clone();
        self.grid.lines = Directory::new(shape.section_number().is_some());
        self.grid.lines.open(&account, &shape, true)?;
        self.grid.shape = shape;
        self.state.walk.clear();
        self.state.count_none();
        self.note_chunks()
    }

    /// Puts the cells of a line where they belong now; false where one finds no room.
    fn take_line<W: Width, V: Width>(&mut self, old: &Directory, shape: &Shape, spot: Spot) -> bool {
        let cells = Cells::load::<Baseline, W>(old.line(spot));
        let bits = shape.bits(spot.side, spot.line);
        cells.used::<W>().all(|i| {
            let (lane, known) = (cells.lanes[i], known(cells.fields[i]));
            let more = u64::from(cells.fields[i] ^ (1 << known)) << bits;
            let prefix = Prefix { side: spot.side, string: shape.string(spot.line) | more, bits: bits + known };
            let mut lines = prefix.lines(&self.grid.shape);
            lines.all(|(prefix, line)| self.take_cell::<V>(lane, prefix, line))
        })
    }

    /// Puts a cell into its line, or into the other one.
    fn take_cell<V: Width>(&mut self, lane: u16, prefix: Prefix, line: u64) -> bool {
        let print = Print(lane & self.grid.plan.print_mask);
        self.take::<V>(lane, prefix, line) || {
            let (other, shape) = (prefix.other(print), self.grid.shape);
            let line = shape.line(other.side, other.string);
            other.bits >= shape.bits(other.side, line) && self.take::<V>(lane, other, line)
        }
    }

    fn take<V: Width>(&mut self, lane: u16, prefix: Prefix, line: u64) -> bool {
        let spot = Spot { side: prefix.side, line };
        let (cells, bits) = (self.grid.lines.line(spot), self.grid.shape.bits(prefix.side, line));
        let Some(cell) = first_free::<V>(V::free::<Baseline>(cells)) else { return false };
        let known = prefix.bits.saturating_sub(bits).min(V::KNOWN);
        put::<V>(cells, cell, Cell { lane, field: field_of(prefix.string, bits, known) });
        self.state.count(num::index(self.grid.shape.phase_of(line)));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Clock, Options};
    use crate::unit::Unit;

    /// The limit that a refusal names is the largest with which the rate is kept, to a line.
    #[test]
    fn most_at_rate_is_the_last_limit_that_keeps_the_rate() {
        for rate in [1e-4, 2e-4, 6e-7] {
            let window = Options::window(std::time::Duration::from_secs(1)).clock(Clock::Manual(Unit::Nanoseconds));
            let plan = Plan::new(&window.error_rate(rate).memory(128 << 10)).expect("valid");
            let raised = Plan { memory: 1 << 40, ..plan };
            assert!(raised.worst() > rate, "{rate}");
            let most = raised.most_at_rate();
            let worst = |memory| Plan { memory, ..plan }.worst();
            assert!(worst(most) <= rate && worst(most + LINE_BYTES) > rate, "{rate}: {most}");
        }
    }
}
