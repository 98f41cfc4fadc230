//! From a request to what is fixed when a table is built: the window, the width of its cells, its first size, and what follows:
//! bytes, and how wrong it may be. Allocates nothing.
//!
//! ```text
//!  cells in use    n (1 + 1 / 2 G), averaged over the phases of lines; F of the room in lines at most
//!  bits a key      512 (1 + 1 / 2 G) / (F C)                      settled
//! ```
//! A request gets the narrowest of three widths whose W (`rate`) keeps its rate, with J from the first size to that of `MANY` keys, or
//! of the memory that it allows.

use crate::error::Error;
use crate::field::Field;
use crate::kind::Kind;
use crate::num;
use crate::options::{Clock, DEFAULT_ERROR_RATE, MOST_MEMORY, OnLimit, Options, Repeat, within};
use crate::tick::Tick;

use super::directory::{Directory, LINE_BYTES};
use super::key::Shape;
use super::lateness::{MOST_AGE_BITS, age_bits, generations_of, lateness};
use super::line::{Expired, Middle, Narrow, Wide, Width};
use super::position::{PARTS, Span, When};

/// The least error rate that a request can name: the widest cells keep it.
pub(super) const LEAST_ERROR_RATE: f64 = 1e-11;

/// The options that only a window of time has.
const OF_TIME_ALONE: [Field; 5] = [Field::Clock, Field::OnLimit, Field::Capacity, Field::MaxStepNs, Field::LatenessNs];

/// The most keys that a request can name.
pub(super) const MOST_KEYS: u64 = 1 << 40;

/// Keys of a window up to which growth from nothing keeps the error rate of a request that names no number.
pub(super) const MANY: u64 = 30_000_000;

/// Keys of a window up to which a map is planned for. It has some more, since keys go up to a generation after their window.
pub(super) const MOST_IN_MAP: u64 = 1500;
pub(super) const MOST_ENTRIES: u64 = MOST_IN_MAP * 8 / 7;

/// Keys alive below which a table of its first size ends.
pub(super) const LEAST_IN_TABLE: u64 = 700;

/// Lines of the first table of a request that names no number of keys: enough that growth to [`MANY`] keeps its rate.
pub(super) const FIRST_LINES: u64 = 512;

/// A request whose tags are long may begin with more of those lines, if narrower cells then keep its rate; one that names its keys may
/// have a little more than they need, which takes less than wider cells: in sixteenths.
const LARGER_FIRST: [u64; 4] = [16, 32, 64, 128];
const LARGER_SIZED: [u64; 5] = [16, 17, 18, 19, 20];

/// Bytes of `memory` below which there is no map: the table is made at once, with all lines that there is memory for.
const LEAST_FOR_MAP: u64 = 96 << 10;

/// Bytes of the least table: a line for each phase on each side.
pub(super) const LEAST_BYTES: u64 = 2 * PARTS * LINE_BYTES;

/// How many times the fewest lines a table of known size has, so that no key has to go: at 1.00 of them 5 in 10,000 go, at 1.05 none.
const SPARE: f64 = 1.05;

/// The width of all cells of a table. The first is found with the fewest comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellWidth {
    Middle,
    Narrow,
    Wide,
}

/// Runs code for the type of a width.
macro_rules! by_width {
    ($width:expr, $W:ident => $call:expr) => {
        match $width {
            $crate::filter::window_table::plan::CellWidth::Middle => {
                type $W = $crate::filter::window_table::line::Middle;
                $call
            }
            $crate::filter::window_table::plan::CellWidth::Narrow => {
                type $W = $crate::filter::window_table::line::Narrow;
                $call
            }
            $crate::filter::window_table::plan::CellWidth::Wide => {
                type $W = $crate::filter::window_table::line::Wide;
                $call
            }
        }
    };
}
pub(super) use by_width;

impl CellWidth {
    pub(super) const ALL: [Self; 3] = [Self::Narrow, Self::Middle, Self::Wide];

    /// Cells of a line.
    pub(super) const fn cells(self) -> u64 {
        match self {
            Self::Narrow => num::wide(Narrow::CELLS),
            Self::Middle => num::wide(Middle::CELLS),
            Self::Wide => num::wide(Wide::CELLS),
        }
    }

    /// Bits of a field.
    pub(super) const fn field(self) -> u32 {
        match self {
            Self::Narrow => Narrow::FIELD,
            Self::Middle => Middle::FIELD,
            Self::Wide => Wide::FIELD,
        }
    }

    /// How many thousandths of its cells are in use where a table is split. While it grows both lines of a key are full at 0.88 for 42 % of the
    /// stores, at 0.85 for 30 %: cells move less often, for more memory. Lines of ten are less even.
    pub(super) const fn fill(self) -> u64 {
        match self {
            Self::Narrow | Self::Middle => 860,
            Self::Wide => 840,
        }
    }

    /// The same in the first window of a filter, before any key has expired: a cell for each key and no other is in use, so that there is room for
    /// growth with fewer moves.
    pub(super) const fn young_fill(self) -> u64 {
        match self {
            Self::Narrow | Self::Middle => 800,
            Self::Wide => 780,
        }
    }

    /// The same at which some keys of a table that cannot grow have to go; see [`SPARE`].
    const fn most_fill(self) -> u64 {
        match self {
            Self::Narrow | Self::Middle => 880,
            Self::Wide => 840,
        }
    }
}

/// Everything that is fixed when a window table is built.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Whether the window is a span of time, so that the number of its keys is not known.
    pub(super) timed: bool,
    pub(super) span: Span,
    /// Bits of a tag, and of a fingerprint: a lane in all.
    pub(super) tag_bits: u32,
    pub(super) print_bits: u32,
    /// The bits of a lane that are a fingerprint.
    pub(super) print_mask: u16,
    pub(super) width: CellWidth,
    /// The rate of the request, or the one that it leaves open.
    pub(super) error_rate: f64,
    pub(super) repeat: Repeat,
    /// How far a caller's tick may lead the clock.
    pub(super) max_step: u64,
    /// How far it may be below the clock and still be judged at its own time.
    pub(super) lateness: u64,
    /// Keys that the request names: its capacity, or its window; else 0.
    pub(super) keys: u64,
    /// Bytes that the request allows, 0 if no limit.
    pub(super) memory: u64,
    /// Lines of the first table, below which it does not shrink.
    pub(super) first_lines: u64,
    /// Whether that table is made at once and stays. If not, a small filter is a map.
    pub(super) at_once: bool,
}

impl Plan {
    /// What has expired in lines that are `lag` generations behind the one with this tag, in its place in a lane.
    #[inline(always)]
    pub(super) fn expired(&self, tag: u16, lag: u64) -> Expired {
        let more = lag.min(1 << self.tag_bits) - 1;
        let [low, high, ..] = (more << self.print_bits).to_le_bytes();
        Expired::of(tag, u16::from_le_bytes([low, high]), self.print_mask)
    }

    /// The options that come to this plan.
    pub(super) fn options(&self) -> Options {
        let mut options = Options::new(Kind::WindowTable).error_rate(self.error_rate).repeat(self.repeat);
        options.age_bits = Some(self.tag_bits);
        options.memory = (self.memory > 0).then_some(self.memory);
        if !self.timed {
            return options.window_keys(self.span.window);
        }
        options.capacity = (self.keys > 0).then_some(self.keys);
        options.max_step_ns = (self.max_step < u64::MAX).then_some(self.max_step);
        options.lateness_ns = (self.lateness > 0).then_some(self.lateness);
        options.window_ns(self.span.window).on_limit(OnLimit::ForgetOldest)
    }

    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let tag_bits = within(Field::AgeBits, options.age_bits, 2, MOST_AGE_BITS)?.unwrap_or_else(|| age_bits(options));
        let error_rate = options.checked_error_rate()?;
        let error_rate = within(Field::ErrorRate, error_rate, LEAST_ERROR_RATE, 0.5)?;
        let plan = match (options.window_ns, options.window_keys) {
            (None, Some(keys)) => Self::from_keys(options, keys, tag_bits, error_rate),
            (Some(ns), None) => Self::from_time(options, ns, tag_bits, error_rate.unwrap_or(DEFAULT_ERROR_RATE)),
            (None, None) => Err(Error::conflict(Field::WindowNs, 0, "required unless window_keys is given")),
            (Some(ns), Some(_)) => Err(Error::conflict(Field::WindowNs, ns, "cannot be combined with window_keys")),
        }?;
        Ok(Self { repeat: options.repeat.unwrap_or_default(), ..plan })
    }

    fn from_keys(options: &Options, keys: u64, tag_bits: u32, rate: Option<f64>) -> Result<Self, Error> {
        options.expect_none_of(&OF_TIME_ALONE, "cannot be combined with window_keys")?;
        within(Field::WindowKeys, Some(keys), 1, MOST_KEYS)?;
        let memory = within(Field::Memory, options.memory, 2 * LINE_BYTES, MOST_MEMORY)?;
        let bare = Self::bare(false, (keys, 0), tag_bits).sized(keys, memory.unwrap_or(0));
        match (rate, memory) {
            (None, Some(bytes)) => bare.tightest(bytes),
            (rate, _) => bare.narrowest(rate.unwrap_or(DEFAULT_ERROR_RATE))?.expect_fit(),
        }
    }

    fn from_time(options: &Options, ns: u64, tag_bits: u32, rate: f64) -> Result<Self, Error> {
        within(Field::WindowNs, Some(ns), 1, u64::MAX)?;
        let capacity = within(Field::Capacity, options.capacity, 1, MOST_KEYS)?.unwrap_or(0);
        let memory = within(Field::Memory, options.memory, LEAST_BYTES, MOST_MEMORY)?.unwrap_or(0);
        if let Some(OnLimit::RaiseErrorRate) = options.on_limit {
            let other = Kind::KEEPS_WINDOW;
            return Err(Error::out_of_range(
                Field::OnLimit,
                "RaiseErrorRate",
                format_args!("ForgetOldest; the kind {other} keeps the window and raises the error rate"),
            ));
        }
        let span = (ns, lateness(options, ns, tag_bits)?);
        let plan = Self::bare(true, span, tag_bits).sized(capacity, memory).narrowest(rate)?;
        Ok(Self { max_step: max_step(options)?, ..plan })
    }

    /// A window of time or of keys with a lateness; its size and its width are still to be chosen.
    pub(super) fn bare(timed: bool, (window, lateness): (u64, u64), tag_bits: u32) -> Self {
        let generations = (1 << tag_bits) - 1;
        let parts = PARTS * if timed { generations_of((window, lateness), generations) } else { generations };
        Self {
            timed,
            span: Span { window, parts, kept: PARTS * generations },
            tag_bits,
            print_bits: 16 - tag_bits,
            print_mask: u16::MAX >> tag_bits,
            width: CellWidth::Narrow,
            error_rate: DEFAULT_ERROR_RATE,
            repeat: Repeat::default(),
            max_step: u64::MAX,
            lateness,
            keys: 0,
            memory: 0,
            first_lines: FIRST_LINES,
            at_once: false,
        }
    }

    /// The same for a number of keys (0: it finds out) in some bytes (0: no limit).
    pub(super) fn sized(self, keys: u64, memory: u64) -> Self {
        Self { keys, memory, ..self }
    }

    /// The same with cells of this width, and the first size that follows.
    pub(super) fn of_width(self, width: CellWidth, rate: f64) -> Self {
        let plan = Self { width, error_rate: rate, ..self };
        let most = plan.most_bytes() / LINE_BYTES;
        let lines = if plan.keys > MOST_IN_MAP { plan.lines_for(plan.keys) } else { FIRST_LINES };
        let is_small = plan.memory > 0 && plan.memory < LEAST_FOR_MAP;
        let wanted = if is_small && plan.timed { most } else { lines };
        let at_once = plan.keys > MOST_IN_MAP || is_small && plan.timed;
        Self { first_lines: wanted.min(most).max(2 * PARTS), at_once, ..plan }
    }

    /// The same with the narrowest cells that keep this rate.
    pub(super) fn narrowest(self, rate: f64) -> Result<Self, Error> {
        let wider = |width: CellWidth| {
            let plan = self.of_width(width, rate);
            let is_free = !plan.at_once && plan.tag_bits > 3 && plan.first_lines == FIRST_LINES;
            let sixteenths: &[u64] = match () {
                () if is_free => &LARGER_FIRST,
                () if plan.timed && plan.keys > 0 => &LARGER_SIZED,
                () => &[16],
            };
            let larger = |times: &u64| Self { first_lines: plan.first_lines * times / 16, ..plan };
            sixteenths
                .iter()
                .map(larger)
                .filter(|larger| larger.first_lines <= plan.first_lines.max(plan.most_lines()))
                .find(|plan| plan.worst() <= rate)
        };
        let found = CellWidth::ALL.into_iter().find_map(wider);
        let least = self.of_width(CellWidth::Wide, rate).worst();
        let named = crate::text::RoundedUp(least);
        found.ok_or_else(|| {
            Error::out_of_range(Field::ErrorRate, rate, format_args!("at least {named} for this request"))
        })
    }

    /// A window of keys in some bytes, as right as they allow.
    fn tightest(self, bytes: u64) -> Result<Self, Error> {
        let of = |width| self.of_width(width, 0.5);
        let fits = |plan: &Self| plan.whole_bytes() <= bytes;
        match CellWidth::ALL.into_iter().rev().map(of).find(fits) {
            Some(plan) => Ok(Self { error_rate: plan.worst().max(LEAST_ERROR_RATE), ..plan }),
            None => of(CellWidth::Narrow).expect_fit(),
        }
    }

    /// An error if a window of keys does not fit into its memory.
    fn expect_fit(self) -> Result<Self, Error> {
        let least = self.whole_bytes();
        if self.memory == 0 || least <= self.memory {
            return Ok(self);
        }
        Err(Error::out_of_range(Field::Memory, self.memory, format_args!("at least {least} bytes for this window")))
    }

    pub(super) fn most_lines(&self) -> u64 {
        self.most_bytes() / LINE_BYTES
    }

    /// When a record with tick `now` is judged.
    #[inline(always)]
    pub(super) fn when(&self, now: Tick, clock: Tick) -> When {
        When::late(now.max(clock).0, now.0, self.lateness)
    }

    /// G.
    #[inline(always)]
    pub(super) const fn generations(&self) -> u64 {
        self.span.parts / PARTS
    }

    /// Windows for which a key is kept: 1, and the lateness.
    fn kept_windows(&self) -> f64 {
        num::real(self.span.kept) / num::real(self.span.parts)
    }

    /// Cells in use for each key of a large window.
    pub(super) fn cells_a_key(&self) -> f64 {
        self.kept_windows() + 0.5 / num::real(self.generations())
    }

    /// Cells of a line in use.
    pub(super) fn cells_of_a_line(&self) -> f64 {
        num::real(self.width.cells() * self.width.fill()) / 1000.0
    }

    /// Lines for a number of keys when all is settled. Cells move within a phase, and by chance one of eight has four deviations more keys
    /// than others, once in 2,000 windows; lines that are a twentieth less full than others have room for that of 20,000 keys and more.
    pub(super) fn lines_for(&self, keys: u64) -> u64 {
        let keys = num::real(keys);
        let uneven = (4.0 * (num::real(PARTS) * keys).sqrt() - 0.08 * keys).max(0.0);
        let most = num::real(self.width.cells() * self.width.most_fill()) / 1000.0;
        num::ceil((keys * self.cells_a_key() * SPARE + uneven) / most).max(2 * PARTS)
    }

    /// Parts after which no earlier key is left.
    pub(super) const fn lifetime(&self) -> u64 {
        self.span.lifetime()
    }

    /// Whether a repeat renews its key.
    #[inline(always)]
    pub(super) fn refreshes(&self) -> bool {
        self.repeat == Repeat::Refresh
    }

    /// The most bytes of lines and stash.
    pub(super) const fn most_bytes(&self) -> u64 {
        if self.memory == 0 { u64::MAX } else { self.memory }
    }

    /// Whether the table has exactly its first lines: where memory is scarce, none is left over for whole runs.
    pub(super) const fn is_exact(&self) -> bool {
        self.memory > 0 && self.at_once && self.first_lines * LINE_BYTES + (64 << 10) > self.memory
    }

    /// Bytes of the first table.
    pub(super) fn first_bytes(&self) -> u64 {
        let shape = Shape::of(self.first_lines);
        Directory::lines_of(&shape, self.is_exact()).saturating_mul(LINE_BYTES)
    }

    /// Bytes of a window of keys as a whole.
    fn whole_bytes(&self) -> u64 {
        if self.at_once { self.lines_for(self.keys) * LINE_BYTES } else { super::slots::bytes_for(self.keys * 8 / 7) }
    }
}

fn max_step(options: &Options) -> Result<u64, Error> {
    match (within(Field::MaxStepNs, options.max_step_ns, 1, u64::MAX)?, options.clock.unwrap_or_default()) {
        (Some(step), Clock::System) => Err(Error::conflict(Field::MaxStepNs, step, "needs a manual clock")),
        (step, _) => Ok(step.unwrap_or(u64::MAX)),
    }
}
