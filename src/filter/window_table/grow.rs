//! A table grows by a line and shrinks by a line, in place.
//!
//! ```text
//!  split    line u of the side at P, and a new line u + 2^D: the lowest known bit of a cell decides which of them it is in,
//!           and is gone from its field. A cell that knows none goes to both.
//!  merge    the reverse: the bit comes back. What is too much for one line goes to other lines before.
//! ```
//! **Law.** Neither changes the chance that an absent key is found, except by bits that do not fit any more, which are
//! counted. Neither touches other lines than these or moves memory.

use crate::num;
use crate::simd::Line;

use super::due::MOST_LINES;
use super::key::Spot;
use super::line::Cell;
use super::policy::{self, Lines, Traffic};
use super::room::Effort;
use super::table::Table;
use super::tally::real;
use super::width::ByCode;

/// Keys between two looks at growth, at least and at most, and the lines for each of them. A look is
/// due when a small part of the table can have changed. Bits, moves and the error of [S] (`policy`) are the same within 4 % at 4 to 64
/// lines a key, and with 1 to 64 and 128 to 8,192 keys; a look costs some 400 instructions.
pub(super) const LOOK: (u64, u64) = (8, 1024);
const LINES_A_KEY: u64 = 16;

/// Keys after which the weights of cells are compared with the allowed ones: [S] with 16, 64, 256 the worst error is 0.82, 0.81, 0.78 of the rate.
const ENOUGH: u64 = 64;

impl Table {
    /// The first look, and lines without cells.
    pub(super) fn begin(&mut self) {
        self.state.tend = super::due::Tend::new(self.state.position.part);
        // The weights of the former table's cells do not predict those of the next ones.
        let course = &mut self.state.course;
        (course.correction, course.weighed, course.since) = (1.0, 0, course.stores());
        self.plan_growth();
        let part = self.state.position.part;
        self.state.course.by_code = ByCode::default();
        for spot in self.grid.shape.spots() {
            let code = self.grid.wanted(&self.state.course, &spot);
            let code = if self.grid.plan.timed { code.max(self.grid.plan.widths.narrowest_open()) } else { code };
            self.grid.plan.widths.empty(self.grid.line(&spot), code, spot.generation(part));
            self.state.course.by_code.add(spot.phase(), code);
        }
        self.set_limits();
    }

    /// Looks at the traffic: what the next cells need, and when the table changes its size.
    pub(super) fn plan_growth(&mut self) {
        if !self.grid.plan.timed {
            return;
        }
        let (plan, state) = (&self.grid.plan, &mut self.state);
        let traffic = Traffic {
            sections: self.grid.shape.section.of_whole(),
            live: state.tally.all().cells,
            last: state.course.last,
            now: state.course.now(),
            over: state.over(plan),
            planned: if state.position.part < state.course.keeps_until { plan.planned() } else { 0 },
            most: plan.most_cells(),
            error: real(state.tally.all().weight) / plan.target.prints,
        };
        let course = &mut state.course;
        let stored = course.stores() - course.since;
        if stored >= ENOUGH {
            let allowed = num::real(stored) * course.need.weight;
            course.correction = policy::corrected(course.correction, real(course.weighed), allowed);
            (course.weighed, course.since) = (0, course.stores());
        }
        course.need = policy::need(&plan.target, &traffic);
        course.due = course.stores() + (self.grid.shape.lines() / LINES_A_KEY).clamp(LOOK.0, LOOK.1);
        self.set_widths();
    }

    fn set_widths(&mut self) {
        let (widths, course) = (&self.grid.plan.widths, &mut self.state.course);
        let (weight, depth) = (course.need.weight / course.correction, self.grid.shape.depth);
        course.mixes = [depth, depth + 1].map(|depth| policy::mix(widths, weight, depth));
        self.set_limits();
    }

    fn set_limits(&mut self) {
        let (plan, shape, course) = (&self.grid.plan, &self.grid.shape, &mut self.state.course);
        if !plan.timed {
            return;
        }
        let (all, deep) = (num::real(shape.lines()), 2.0 * num::real(shape.split));
        let [flat, deeper] = course.mixes.map(|mix| mix.cells(&plan.widths));
        let cells = (flat * (all - deep) + deeper * deep) / all;
        let (sections, by_code) = (shape.section.of_whole(), &course.by_code.all);
        let lines = Lines { sections, by_code, cells, narrows: course.need.narrows, grows: course.need.grows };
        let is_least = shape.shrunk().is_none() || self.state.position.part < course.keeps_until && plan.keys > 0;
        course.limits = policy::limits(&plan.widths, &lines, is_least);
        course.arm(self.state.tally.all().cells);
    }

    /// After a key was stored: a look, if one is due, and as many splits as there is need for, two at most.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self) {
        if self.state.course.stores() >= self.state.course.due {
            self.plan_growth();
        }
        self.split_as_needed();
        self.state.course.arm(self.state.tally.all().cells);
    }

    fn split_as_needed(&mut self) {
        for _ in 0..2 {
            if self.state.tally.all().cells <= self.state.course.limits.most {
                self.state.course.starved = false;
                return;
            }
            if self.state.touched + 3 > MOST_LINES || !self.split() {
                return;
            }
        }
    }

    /// Splits the next line; returns whether there was memory, and room for both halves.
    fn split(&mut self) -> bool {
        let from = self.grid.shape.next_split();
        let new = from.line.other_half(self.grid.shape.depth);
        if self.grid.lines.reach(from.side, new).is_err() {
            self.state.counts.refused += u64::from(!self.state.course.starved);
            self.state.course.starved = true;
            return false;
        }
        self.state.course.starved = false;
        self.state.touched += 2;
        let part = self.state.position.part;
        self.grid.fresh(&from, part);
        while !self.fits_in_halves(&from) {
            // Lines are split in order: one that could not be would stop all growth.
            let efforts = [Effort::Plain, Effort::Utmost];
            if !efforts.iter().any(|effort| self.grid.move_one(&mut self.state, &from, *effort).is_some()) {
                return false;
            }
        }
        self.halve(&from);
        self.state.counts.splits += 1;
        true
    }

    /// Whether no half of a line would have more cells than the narrowest open width.
    fn fits_in_halves(&self, from: &Spot) -> bool {
        let widths = &self.grid.plan.widths;
        let most = num::index(widths.of(widths.narrowest_open()).cells.into());
        let cells = || widths.cells(self.grid.line(from)).map(|(_, cell)| cell);
        [0, 1].into_iter().all(|half| cells().filter(|cell| cell.known == 0 || cell.bits & 1 == half).count() <= most)
    }

    fn halve(&mut self, from: &Spot) {
        let (part, new) = (self.state.position.part, from.line.other_half(self.grid.shape.depth));
        let (old, n) = self.grid.taken(self.grid.line(from));
        let code = self.grid.plan.widths.code(self.grid.line(from));
        self.state.course.by_code.remove(from.phase(), code);
        let now = from.generation(part);
        self.grid.shape = self.grid.shape.grown();
        let is_level = self.grid.shape.split == 0;
        for (bit, line) in [(0, from.line), (1, new)] {
            let to = Spot { line, depth: from.depth + 1, ..*from };
            let mut cells = [Cell::default(); 64];
            let mut into = 0;
            for cell in old[..n].iter().filter(|cell| cell.known == 0 || cell.bits & 1 == bit) {
                if cell.known == 0 && bit == 1 {
                    let seen = now.before(self.grid.plan.widths.age(cell.lane, now));
                    // Two copies that know one bit more between them weigh what the cell did.
                    self.state.tally.add(to.phase(), seen, 0);
                    self.state.counts.copied += 1;
                }
                cells[into] = Cell { bits: cell.bits >> 1, known: cell.known.saturating_sub(1), ..*cell };
                into += 1;
            }
            // Both halves are of the depth D + 1 that the mixes are for, also where D has just become that.
            let wanted = self.state.course.mixes[1].code_of(line);
            self.write_line(&to, &mut cells[..into], wanted.max(self.grid.plan.widths.narrowest_open()));
        }
        if is_level { self.set_widths() } else { self.set_limits() }
    }

    /// Undoes the last split, if there is room for it within a number of lines.
    pub(super) fn merge(&mut self, most: u64) -> bool {
        let Some(shape) = self.grid.shape.shrunk() else { return false };
        let low = shape.next_split();
        let deep = |line| Spot { line, depth: low.depth + 1, ..low };
        let (a, b) = (deep(low.line), deep(low.line.other_half(shape.depth)));
        let part = self.state.position.part;
        for spot in [&a, &b] {
            self.grid.fresh(spot, part);
        }
        self.state.touched += 2;
        if !self.make_room_to_merge([&a, &b], most) {
            return false;
        }
        self.unite([&a, &b], shape);
        self.grid.lines.trim(low.side, self.grid.shape.lines_of(low.side));
        self.state.counts.merges += 1;
        true
    }

    /// Moves cells of two lines elsewhere until they fit into one.
    fn make_room_to_merge(&mut self, lines: [&Spot; 2], most: u64) -> bool {
        let widths = self.grid.plan.widths;
        let open = widths.narrowest_open();
        let wanted = self.state.course.mixes[0].code_of(lines[0].line).max(open);
        let mut tries = [true; 2];
        loop {
            let used = lines.map(|spot| widths.used(self.grid.line(spot)).count_ones());
            let all = used[0] + used[1];
            if all <= widths.of(wanted).cells || !(tries[0] || tries[1]) && all <= widths.of(open).cells {
                return true;
            }
            if !(tries[0] || tries[1]) || self.state.touched >= most {
                return false;
            }
            let fuller = usize::from(used[1] > used[0]);
            let side = if tries[fuller] { fuller } else { 1 - fuller };
            let mut moves = |effort| self.grid.move_one(&mut self.state, lines[side], effort).is_some();
            tries[side] = moves(Effort::Plain) || moves(Effort::Narrow);
        }
    }

    fn unite(&mut self, [a, b]: [&Spot; 2], shape: super::key::Shape) {
        let mut cells = [Cell::default(); 64];
        let mut n = 0;
        for (bit, spot) in [(0, a), (1, b)] {
            let line = self.grid.line(spot);
            self.state.course.by_code.remove(spot.phase(), self.grid.plan.widths.code(line));
            for (_, cell) in self.grid.plan.widths.cells(line) {
                cells[n] = Cell { bits: (cell.bits << 1) | bit, known: cell.known + 1, ..cell };
                n += 1;
            }
        }
        let was_level = self.grid.shape.split == 0;
        self.state.counts.most_lines = self.most_lines();
        self.grid.shape = shape;
        if was_level {
            self.set_widths();
        }
        let to = Spot { depth: a.depth - 1, ..*a };
        let wanted = self.state.course.mixes[0].code_of(to.line);
        self.write_line(&to, &mut cells[..n], wanted.max(self.grid.plan.widths.narrowest_open()));
        self.set_limits();
    }

    /// Writes a line of these cells, as wide as wanted if they fit, and counts the bits that they lose.
    fn write_line(&mut self, to: &Spot, cells: &mut [Cell], wanted: usize) {
        let now = to.generation(self.state.position.part);
        cells.sort_unstable_by_key(|cell| std::cmp::Reverse(cell.known));
        let mut old = [Cell::default(); 64];
        old[..cells.len()].copy_from_slice(cells);
        let (line, n): (&Line, usize) = (self.grid.line(to), cells.len());
        let widths = &self.grid.plan.widths;
        let code = (0..=wanted).rev().find(|code| widths.write(line, cells, *code, now, to.depth)).unwrap_or(0);
        self.state.course.by_code.add(to.phase(), code);
        self.grid.reweigh(&mut self.state, to, &old[..n], cells);
    }
}
