//! What is fixed when a table is built: the window, the widths of its lines, what it may cost and how wrong it may be.

use crate::error::Error;
use crate::field::Field;
use crate::num;

use super::super::plan::LINE_BYTES;
use super::super::position::{PARTS, Span};
use super::key::{LEAST_DEPTH, STRING, Shape};
use super::policy::{SMALL, Target, reserve};
use super::width::{FILL, Widths};

/// Windows of time above this rate use its layouts: a cell must know a bit when its line is split.
const MOST_RATE: f64 = 2e-3;

/// Keys that the strings must be long enough for where the request names none.
const USUAL: u64 = 1_000_000;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Whether the window is a span of time, so that the number of its keys is not known and the table grows and shrinks.
    pub(super) timed: bool,
    pub(super) span: Span,
    pub(super) widths: Widths,
    pub(super) target: Target,
    /// Whether a repeat renews its key.
    pub(super) refreshes: bool,
    /// Keys that the request names.
    pub(super) keys: u64,
    /// The most bytes of lines.
    pub(super) memory: u64,
    pub(super) first: Shape,
}

impl Plan {
    /// A window of time of `ns` nanoseconds for `capacity` keys (0: it finds out) in `memory` bytes (0: no limit).
    pub(super) fn of_time(ns: u64, rate: f64, tag_bits: u32, capacity: u64, memory: u64) -> Result<Self, Error> {
        let rate = rate.min(MOST_RATE);
        let most = if memory == 0 { u64::MAX } else { memory };
        let plan = Self::of((true, ns), reserve(rate) * rate, Widths::new(rate, tag_bits, true), capacity, most);
        plan.check_strings(rate)?;
        let lines = plan.lines_for(capacity).min(most / LINE_BYTES);
        Ok(Self { first: Shape::of(if capacity == 0 { 0 } else { lines }), ..plan })
    }

    /// A window of the last `keys` observations: the table has its size for good.
    pub(super) fn of_keys(keys: u64, rate: f64, tag_bits: u32) -> Result<Self, Error> {
        let plan = Self::of((false, keys), rate, Widths::new(rate, tag_bits, false), keys, u64::MAX);
        plan.check_strings(rate)?;
        Ok(Self { first: Shape::of(plan.lines_for(keys)), ..plan })
    }

    fn of((timed, window): (bool, u64), rate: f64, widths: Widths, keys: u64, memory: u64) -> Self {
        let parts = PARTS * widths.generations;
        let target = Target { rate, prints: f64::from(widths.prints), parts: num::real(parts + PARTS / 2) };
        let (span, first) = (Span { window, parts }, Shape::of(0));
        Self { timed, span, widths, target, refreshes: true, keys, memory, first }
    }

    /// An error if a string has too few bits to tell so many keys apart at this rate.
    fn check_strings(&self, rate: f64) -> Result<(), Error> {
        let keys = if self.keys == 0 { USUAL } else { self.keys };
        let least = num::real(keys) / (self.target.prints * num::real(1 << STRING));
        if self.target.rate >= least {
            return Ok(());
        }
        Err(Error::option(Field::ErrorRate, rate, format_args!("{least:.2e} or more for this many keys")))
    }

    /// Lines for so many keys when all is settled.
    fn lines_for(&self, keys: u64) -> u64 {
        let lines = self.in_use(num::real(keys)) / self.cells_of_a_line();
        // Few lines are less even, so they are less full.
        num::ceil(lines + SMALL / FILL).max(2 << LEAST_DEPTH)
    }

    /// Cells in use of a settled line.
    fn cells_of_a_line(&self) -> f64 {
        let width = self.widths.of(0);
        let chance = 2.0 * f64::from(width.cells) * width.mean / self.target.prints;
        let fill = if self.timed { FILL } else { FILL.min(self.target.rate / chance) };
        fill * f64::from(width.cells)
    }

    /// Cells in use for a window of so many keys: a table of few lines has not all phases.
    fn in_use(&self, keys: f64) -> f64 {
        const FEW: f64 = 500.0;
        let g = num::real(self.widths.generations);
        if keys < FEW { keys * (1.0 + 1.0 / g) + 1.0 } else { keys * (1.0 + 0.5 / g) }
    }

    /// Generations after which nothing of before is left, in parts.
    pub(super) const fn lifetime(&self) -> u64 {
        self.span.lifetime()
    }

    /// The most cells that `memory` allows.
    pub(super) fn most_cells(&self) -> f64 {
        num::real(self.memory / LINE_BYTES) * f64::from(self.widths.of(0).cells)
    }
}
