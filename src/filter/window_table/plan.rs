//! From a request to the integers of a window table. Allocates nothing.
//!
//! ```text
//!  cells in use    n (1 + 1 / 2 G), averaged over the phases of lines
//!  fill F          cells in use / cells
//!  error           2 F (K / 2^(E+1) + (C - K) / 2^E) / (2^(16 - t) - 1)      two lines of C cells, each matches by chance
//!  bits a key      512 (1 + 1 / 2 G) / (F C)
//! ```
//! The fill is bounded by the error and by room: what meets two full lines must move a cell. So the layout with the most
//! cells in use for a line, at this error, is the smallest table.

use crate::error::Error;
use crate::field::Field;
use crate::filter::values::PlanSummary;
use crate::num;
use crate::options::{ClockSource, DEFAULT_ERROR_RATE, MOST_MEMORY, OnLimit, Options, Repeat, within};

use super::line::{LEAST_CELLS, Layout, MOST_CELLS};
use super::position::{PARTS, Span};
use super::sweep::{SWEPT_A_PART, Sweep};
use super::table::Shape;

/// The least error rate.
const LEAST_ERROR_RATE: f64 = 1e-12;

/// What only a window of time has.
const OF_TIME_ALONE: [Field; 4] = [Field::Clock, Field::OnLimit, Field::Capacity, Field::MaxStepNs];

/// t of a request that does not fix it.
const DEFAULT_AGE_BITS: u32 = 3;

/// The most keys that a request can name.
pub(super) const MOST_KEYS: u64 = 1 << 40;

/// Bytes of a line.
pub(super) const LINE_BYTES: u64 = 64;

/// Lines of the first table of a window of time whose traffic is not known: 1 KiB.
pub(super) const FIRST_LINES: u64 = 16;

/// The fewest lines of a group that is not the only one: fewer, and stashes fill by chance.
const GROUP: u64 = 256;

/// Locks, of which each has the same number of groups.
const LOCKS: u64 = 64;

/// The part of the error rate that the first table of a window of time may use; it leaves the other half to the tables
/// that follow it while it drains.
pub(super) const FIRST_SHARE: f64 = 0.5;

/// Everything that is fixed when a window table is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    /// Whether the window is a span of time.
    pub(super) timed: bool,
    pub(super) span: Span,
    pub(super) tag_bits: u32,
    pub(super) error_rate: f64,
    pub(super) repeat: Repeat,
    pub(super) on_limit: OnLimit,
    /// How far a caller's tick may lead the clock.
    pub(super) max_step: u64,
    /// Keys that the request names, 0 if none.
    pub(super) capacity: u64,
    /// Bytes that the request allows, 0 if no limit.
    pub(super) memory: u64,
    /// The first table.
    pub(super) first: Shape,
}

/// The layout that holds the most keys in a line at an error rate, and how far it is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Density {
    pub(super) layout: Layout,
    pub(super) fill: f64,
}

impl Density {
    pub(super) fn best(error_rate: f64, tag_bits: u32) -> Self {
        let of = |cells| {
            let layout = Layout::new(cells, tag_bits);
            Self { layout, fill: most_fill(cells).min(error_rate / chance(&layout, 1.0)) }
        };
        let mut best = of(LEAST_CELLS);
        for other in (LEAST_CELLS + 1..=MOST_CELLS).map(of) {
            if other.cells_per_line() > best.cells_per_line() {
                best = other;
            }
        }
        best
    }

    /// Cells in use of a line.
    fn cells_per_line(&self) -> f64 {
        self.fill * num::real(self.layout.cells)
    }

    /// Lines for a window of `keys` keys.
    pub(super) fn lines(&self, keys: f64) -> u64 {
        num::ceil(in_use(keys, &self.layout) / self.cells_per_line()).max(2)
    }

    /// Keys of a window that that many lines hold.
    pub(super) fn keys(&self, lines: u64) -> f64 {
        let g = num::real(self.layout.generations());
        num::real(lines) * self.cells_per_line() / (1.0 + 0.5 / g)
    }

    /// Cells that a table takes before it is full as planned.
    pub(super) fn limit(&self, shape: &Shape) -> u64 {
        num::floor(self.fill * num::real(shape.cells())).max(1)
    }
}

/// Cells in use for a window of `keys` keys. A table of few lines has not all phases, and may have to hold a whole
/// generation more.
fn in_use(keys: f64, layout: &Layout) -> f64 {
    const FEW: f64 = 500.0;
    let g = num::real(layout.generations());
    if keys < FEW { keys * (1.0 + 1.0 / g) + 1.0 } else { keys * (1.0 + 0.5 / g) }
}

/// The chance that an absent key finds a match among cells of which the share `fill` is in use.
pub(super) fn chance(layout: &Layout, fill: f64) -> f64 {
    let wide = num::real(layout.wider) * fill;
    chance_of(layout, wide, num::real(layout.cells) * fill - wide)
}

/// The chance of a match among that many wide and narrow cells in each of two lines.
pub(super) fn chance_of(layout: &Layout, wide: f64, narrow: f64) -> f64 {
    let each = 0.5f64.powi(i32::try_from(layout.width(layout.cells)).unwrap_or(i32::MAX));
    2.0 * each * (wide / 2.0 + narrow) / num::real(layout.fingerprints())
}

/// How full a table may be so that at most a few in a hundred keys must move a cell: more cells in a line are evener.
fn most_fill(cells: u64) -> f64 {
    0.905 + 0.005 * (num::real(cells) - 25.0).clamp(0.0, 6.0) / 6.0
}

impl Shape {
    /// At least that many lines, in groups.
    pub(super) fn of(layout: Layout, lines: u64) -> Self {
        let groups = groups(lines);
        Self { layout, groups, half: lines.div_ceil(2 * groups).max(1) }
    }

    /// At most that many lines, in groups; at least 2.
    pub(super) fn within(layout: Layout, lines: u64) -> Self {
        let groups = groups(lines);
        Self { layout, groups, half: (lines / (2 * groups)).max(1) }
    }

    pub(super) const fn bytes(&self) -> u64 {
        self.lines().saturating_mul(LINE_BYTES)
    }

    /// Locks that its groups can be divided among, as a power of 2.
    pub(super) fn locks(&self) -> u32 {
        self.groups.min(LOCKS).trailing_zeros()
    }
}

/// Groups of 256 to 511 lines, as many for each lock; one if there are not that many.
fn groups(lines: u64) -> u64 {
    match lines / GROUP {
        0 | 1 => 1,
        n if n >= LOCKS => n - n % LOCKS,
        n => 1 << n.ilog2(),
    }
}

impl Plan {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let tag_bits = within(Field::AgeBits, options.age_bits, 2, 5)?.unwrap_or(DEFAULT_AGE_BITS);
        let error_rate = options.checked_error_rate()?;
        let error_rate = within(Field::ErrorRate, error_rate, LEAST_ERROR_RATE, 0.5)?;
        let memory = within(Field::Memory, options.memory, 2 * LINE_BYTES, MOST_MEMORY)?;
        match (options.window_ns, options.window_keys) {
            (None, Some(keys)) => Self::of_keys(options, keys, tag_bits, error_rate, memory),
            (Some(ns), None) => Self::of_time(options, ns, tag_bits, error_rate.unwrap_or(DEFAULT_ERROR_RATE), memory),
            (None, None) => Err(Error::option(Field::WindowNs, 0, "1 or more, or window_keys")),
            (Some(ns), Some(_)) => Err(Error::option(Field::WindowNs, ns, "nothing beside window_keys")),
        }
    }

    /// A window of the last `keys` observations.
    fn of_keys(
        options: &Options,
        keys: u64,
        tag_bits: u32,
        error_rate: Option<f64>,
        memory: Option<u64>,
    ) -> Result<Self, Error> {
        options.expect_none_of(&OF_TIME_ALONE, "nothing beside window_keys")?;
        within(Field::WindowKeys, Some(keys), 1, MOST_KEYS)?;
        let of_rate = |rate| {
            let density = Density::best(rate, tag_bits);
            Shape::of(density.layout, density.lines(num::real(keys)))
        };
        let (first, error_rate) = match (error_rate, memory) {
            (Some(rate), _) => (of_rate(rate), rate),
            (None, None) => (of_rate(DEFAULT_ERROR_RATE), DEFAULT_ERROR_RATE),
            (None, Some(bytes)) => tightest(keys, tag_bits, bytes)?,
        };
        if let Some(bytes) = memory.filter(|bytes| first.bytes() > *bytes) {
            return Err(Error::option(Field::Memory, bytes, format_args!("{} or more for this window", first.bytes())));
        }
        let plan = Self::of(false, keys, tag_bits, error_rate, first);
        Ok(Self { repeat: options.repeat.unwrap_or_default(), memory: memory.unwrap_or(0), ..plan })
    }

    /// A window of the last `ns` nanoseconds.
    fn of_time(options: &Options, ns: u64, tag_bits: u32, error_rate: f64, memory: Option<u64>) -> Result<Self, Error> {
        within(Field::WindowNs, Some(ns), 1, u64::MAX)?;
        let capacity = within(Field::Capacity, options.capacity, 1, MOST_KEYS)?.unwrap_or(0);
        let memory = memory.unwrap_or(0);
        let first = first_of_time(error_rate, tag_bits, capacity, memory);
        Ok(Self {
            repeat: options.repeat.unwrap_or_default(),
            on_limit: options.on_limit.unwrap_or_default(),
            max_step: max_step(options)?,
            capacity,
            memory,
            ..Self::of(true, ns, tag_bits, error_rate, first)
        })
    }

    /// The plan without what only some requests have.
    pub(super) fn of(timed: bool, window: u64, tag_bits: u32, error_rate: f64, first: Shape) -> Self {
        Self {
            timed,
            span: Span { window, parts: PARTS * first.layout.generations() },
            tag_bits,
            error_rate,
            repeat: Repeat::default(),
            on_limit: OnLimit::default(),
            max_step: u64::MAX,
            capacity: 0,
            memory: 0,
            first,
        }
    }

    /// From now on all tables of a window of time take no more bytes than these, 0 if no limit. A window of keys does not
    /// grow.
    pub(super) fn bind(&mut self, bytes: u64) {
        if self.timed {
            self.memory = bytes;
            self.first = first_of_time(self.error_rate, self.tag_bits, self.capacity, self.memory);
        }
    }

    /// Cells that this table may have in use, when it has a share of the error rate.
    pub(super) fn limit(&self, shape: &Shape, share: f64) -> u64 {
        Density { layout: shape.layout, fill: self.fill(&shape.layout, share) }.limit(shape)
    }

    fn fill(&self, layout: &Layout, share: f64) -> f64 {
        most_fill(layout.cells).min(self.error_rate * share / chance(layout, 1.0))
    }

    /// The best layout for a share of the error rate.
    pub(super) fn density(&self, share: f64) -> Density {
        Density::best(self.error_rate * share, self.tag_bits)
    }

    /// How fast lines are brought up to date.
    pub(super) fn pace(&self, shape: &Shape) -> u64 {
        if self.timed { Sweep::STEADY } else { Sweep::pace(shape.lines(), self.span.window, self.span.parts / PARTS) }
    }

    /// The keys of a window that the plan is for: those that are named, or that `memory` holds; 0 if neither is known.
    fn planned_keys(&self, density: &Density) -> u64 {
        let held = num::floor(density.keys(self.memory / LINE_BYTES));
        match (self.timed, self.capacity, self.memory) {
            (false, ..) => self.span.window,
            (true, keys, 0) => keys,
            (true, 0, _) => held,
            (true, keys, _) => keys.min(held),
        }
    }

    /// The table of those keys.
    fn planned_shape(&self, density: &Density) -> Shape {
        match (self.timed, self.capacity, self.memory) {
            (true, 0, memory) if memory > 0 => Shape::within(density.layout, memory / LINE_BYTES),
            _ => self.first,
        }
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let layout = &self.first.layout;
        let share = if self.timed { FIRST_SHARE } else { 1.0 };
        let density = self.density(share);
        let keys = self.planned_keys(&density);
        let shape = self.planned_shape(&density);
        let fill = in_use(num::real(keys), layout) / num::real(shape.cells());
        let fill = if self.timed { self.fill(layout, share) } else { fill };
        let line = num::real(LINE_BYTES * 8);
        let bits = if keys == 0 || (self.timed && self.capacity == 0) {
            line / density.keys(1)
        } else {
            num::real(shape.bytes()) * 8.0 / num::real(keys)
        };
        PlanSummary {
            bytes: if keys == 0 { 0 } else { shape.bytes() },
            bits_per_key: bits,
            k: layout.cells,
            l: layout.generations(),
            fill,
            slices: 1,
            blocks: shape.groups,
            rows: shape.lines(),
            load: 0.0,
            margin: if self.timed { margin(num::real(keys)) } else { 0.0 },
            error_rate_worst: if self.timed { self.error_rate } else { chance(layout, fill) },
            error_rate_mean: chance(layout, fill),
            miss_rate: 0.0,
            window_keys: keys,
            cache_lines_per_observe: 2.0,
            fingerprint_bits: u64::from(16 - layout.tag_bits) + layout.width(layout.cells),
            chains: 0,
            block_bytes: LINE_BYTES,
        }
    }
}

/// The first table of a window of time.
pub(super) fn first_of_time(error_rate: f64, tag_bits: u32, capacity: u64, memory: u64) -> Shape {
    let density = Density::best(error_rate * FIRST_SHARE, tag_bits);
    let keys = num::real(capacity);
    let wanted = if capacity == 0 { FIRST_LINES } else { density.lines(keys * (1.0 + margin(keys))).max(FIRST_LINES) };
    let most = largest(memory);
    if wanted <= most && Shape::of(density.layout, wanted).lines() <= most {
        Shape::of(density.layout, wanted)
    } else {
        Shape::within(density.layout, most)
    }
}

/// The most lines of one table where all tables may take `memory` bytes: it leaves an eighth for the smaller one that takes
/// its place when keys become few. A table that is swept whole with each part needs none.
pub(super) fn largest(memory: u64) -> u64 {
    let lines = memory / LINE_BYTES;
    match lines {
        _ if memory == 0 => u64::MAX,
        0..=SWEPT_A_PART => lines.max(2),
        _ => lines - lines / 8,
    }
}

/// The share by which a table of a window of time is larger than its keys need, so that uneven arrivals do not make
/// it grow.
pub(super) fn margin(keys: f64) -> f64 {
    0.03 + 3.0 / keys.max(100.0).sqrt()
}

/// The least error rate of a window of `keys` keys in `bytes` bytes.
fn tightest(keys: u64, tag_bits: u32, bytes: u64) -> Result<(Shape, f64), Error> {
    let of = |cells| {
        let density = Density { layout: Layout::new(cells, tag_bits), fill: most_fill(cells) };
        Shape::of(density.layout, density.lines(num::real(keys)))
    };
    let fits = (LEAST_CELLS..=MOST_CELLS).map(of).find(|shape| shape.bytes() <= bytes);
    let least = || of(MOST_CELLS).bytes();
    let shape =
        fits.ok_or_else(|| Error::option(Field::Memory, bytes, format_args!("{} or more for this window", least())))?;
    let rate = chance(&shape.layout, most_fill(shape.layout.cells));
    Ok((shape, rate.max(LEAST_ERROR_RATE)))
}

fn max_step(options: &Options) -> Result<u64, Error> {
    match (within(Field::MaxStepNs, options.max_step_ns, 1, u64::MAX)?, options.clock.unwrap_or_default()) {
        (Some(step), ClockSource::System) => Err(Error::option(Field::MaxStepNs, step, "0 unless the clock is manual")),
        (step, _) => Ok(step.unwrap_or(u64::MAX)),
    }
}
