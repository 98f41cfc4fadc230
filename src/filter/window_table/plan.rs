//! From a request to what is fixed when a table is built: the window, the widths of its lines, what it may cost and how wrong
//! it may be. Allocates nothing.
//!
//! ```text
//!  cells in use    n (1 + 1 / 2 G), averaged over the phases of lines
//!  fill F          0.905, or less where that number of cells would pass the error rate
//!  error           2 F C 2^-(bits known) / (2^(16 - t) - 1)         two lines of C cells, each matches by chance
//!  bits a key      512 (1 + 1 / 2 G) / (F C)                        settled
//! ```
//! A window of time keeps a reserve of its error rate (`policy`), and grows to what it needs: a capacity is only its first size.

use crate::error::Error;
use crate::field::Field;
use crate::filter::values::PlanSummary;
use crate::kind::Kind;
use crate::num;
use crate::options::{Clock, DEFAULT_ERROR_RATE, MOST_MEMORY, OnLimit, Options, Repeat, within};
use crate::text::RoundedUp;
use crate::tick::Tick;

use super::directory::{Directory, LINE_BYTES, Most};
use super::key::{LEAST_DEPTH, STRING, Section, Shape};
use super::lateness::{MOST_AGE_BITS, age_bits, generations_of, lateness};
use super::policy::{self, SMALL, Target, reserve};
use super::position::{PARTS, Span, When};
use super::width::{FILL, LEAST_CELLS, MOST_CELLS, Widths};

/// The least error rate that a request can name: at it 64 bits of a hash tell 9 million keys apart, at 1e-13 too few for `USUAL`.
const LEAST_ERROR_RATE: f64 = 1e-12;

/// Windows of time above this rate use its layouts: a cell must know a bit when its line is split.
const MOST_RATE: f64 = 2e-3;

/// The options that only a window of time has.
const OF_TIME_ALONE: [Field; 5] = [Field::Clock, Field::OnLimit, Field::Capacity, Field::MaxStepNs, Field::LatenessNs];

/// The most keys that a request can name: at 1e-3 they take 3 TB.
pub(super) const MOST_KEYS: u64 = 1 << 40;

/// Keys that the strings must be long enough for where the request names none; a choice, since their number is not known.
const USUAL: u64 = 1_000_000;

/// Bytes of the least table: a line for each phase on each side.
pub(super) const LEAST_BYTES: u64 = (2 << LEAST_DEPTH) * LINE_BYTES;

/// How much more than the settled lines a limit of memory must allow, so that no key has to go: at 1.02 of them a few in a
/// million go while a first window fills, at 1.05 none.
const ROOM_AT_LIMIT: f64 = 1.05;

/// Everything that is fixed when a window table is built.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Whether the window is a span of time, so that the number of its keys is not known and the table grows and shrinks.
    pub(super) timed: bool,
    pub(super) span: Span,
    pub(super) widths: Widths,
    pub(super) target: Target,
    /// The rate of the request, or the one that it leaves open.
    pub(super) error_rate: f64,
    pub(super) repeat: Repeat,
    /// How far a caller's tick may lead the clock.
    pub(super) max_step: u64,
    /// How far it may be below the clock and still be judged at its own time.
    pub(super) lateness: u64,
    /// Keys that the request names: its capacity, or its window.
    pub(super) keys: u64,
    /// Bytes that the request allows, 0 if no limit.
    pub(super) memory: u64,
    pub(super) first: Shape,
}

/// The worst error of a window of keys over its mean. Within a part keys arrive and none expire, and lines not yet split are fuller.
/// Measured for 1,000 to a million keys at seven rates: at most 1.051 with tags of 2 bits, 1.038 with longer ones.
fn worst_of_mean(tag_bits: u32) -> f64 {
    if tag_bits == 2 { 1.06 } else { 1.04 }
}

impl Plan {
    /// The options that come to this plan.
    pub(super) fn options(&self) -> Options {
        let mut options = Options::new(Kind::WindowTable).error_rate(self.error_rate).repeat(self.repeat);
        options.age_bits = Some(self.widths.tag_bits);
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
        let plan = match (rate, memory) {
            (Some(rate), _) => Self::of_keys(keys, rate, tag_bits, memory.unwrap_or(0))?,
            (None, None) => Self::of_keys(keys, DEFAULT_ERROR_RATE, tag_bits, 0)?,
            (None, Some(bytes)) => Self::tightest(keys, tag_bits, bytes)?,
        };
        let least = plan.first_bytes();
        if let Some(bytes) = memory.filter(|bytes| least > *bytes) {
            return Err(Error::out_of_range(
                Field::Memory,
                bytes,
                format_args!("at least {least} bytes for this window"),
            ));
        }
        Ok(plan)
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
        Ok(Self { max_step: max_step(options)?, ..Self::of_late_time(span, rate, tag_bits, capacity, memory)? })
    }

    /// A window of time of `ns` nanoseconds for `capacity` keys (0: it finds out) in `memory` bytes (0: no limit).
    #[cfg(test)]
    pub(super) fn of_time(ns: u64, error_rate: f64, tag_bits: u32, capacity: u64, memory: u64) -> Result<Self, Error> {
        Self::of_late_time((ns, 0), error_rate, tag_bits, capacity, memory)
    }

    /// The same with some nanoseconds of lateness, at most [`super::lateness::most_lateness`].
    pub(super) fn of_late_time(
        (ns, lateness): (u64, u64),
        error_rate: f64,
        tag_bits: u32,
        capacity: u64,
        memory: u64,
    ) -> Result<Self, Error> {
        let rate = error_rate.min(MOST_RATE);
        let widths = Widths::new(rate, tag_bits, true);
        let parts = PARTS * generations_of((ns, lateness), widths.generations);
        let plan = Self::of((true, ns), (error_rate, reserve(rate) * rate), widths, capacity).with_parts(parts);
        plan.check_strings()?;
        let plan = Self { memory, lateness, ..plan };
        Ok(Self { first: plan.first_of_time(), ..plan })
    }

    /// A window of the last `keys` observations in `memory` bytes (0: no limit): the table has its size for good.
    pub(super) fn of_keys(keys: u64, rate: f64, tag_bits: u32, memory: u64) -> Result<Self, Error> {
        let mean = rate / worst_of_mean(tag_bits);
        let plan = Self::of((false, keys), (rate, mean), Widths::new(mean, tag_bits, false), keys);
        let plan = Self { memory, ..plan };
        plan.check_strings()?;
        Ok(Self { first: Shape::of(Section::WHOLE, plan.lines_for(keys)), ..plan })
    }

    /// The least error rate of a window of `keys` keys in `bytes` bytes.
    fn tightest(keys: u64, tag_bits: u32, bytes: u64) -> Result<Self, Error> {
        let rate = |cells| Widths::rate_of(cells, tag_bits) * worst_of_mean(tag_bits);
        let of = |cells| Self::of_keys(keys, rate(cells).clamp(LEAST_ERROR_RATE, 0.5), tag_bits, bytes);
        let fits = |plan: &Self| plan.first_bytes() <= bytes;
        if let Some(plan) = (LEAST_CELLS..=MOST_CELLS).filter_map(|cells| of(cells).ok()).find(fits) {
            return Ok(plan);
        }
        let least = of(MOST_CELLS)?.first_bytes();
        Err(Error::out_of_range(Field::Memory, bytes, format_args!("at least {least} bytes for this window")))
    }

    fn of((timed, window): (bool, u64), (error_rate, rate): (f64, f64), widths: Widths, keys: u64) -> Self {
        let kept = PARTS * widths.generations;
        let target = Target { rate, prints: f64::from(widths.prints), parts: num::real(kept + PARTS / 2) };
        let (span, first) = (Span { window, parts: kept, kept }, Shape::of(Section::WHOLE, 0));
        let (repeat, max_step, memory) = (Repeat::default(), u64::MAX, 0);
        Self { timed, span, widths, target, error_rate, repeat, max_step, lateness: 0, keys, memory, first }
    }

    /// By the parts of the window; the others that a tag distinguishes are those of the lateness.
    fn with_parts(self, parts: u64) -> Self {
        Self { span: Span { parts, ..self.span }, ..self }
    }

    /// When a record with tick `now` is judged.
    #[inline(always)]
    pub(super) fn when(&self, now: Tick, clock: Tick) -> When {
        When::late(now.max(clock).0, now.0, self.lateness)
    }

    /// Windows for which a key is kept: 1, and the lateness.
    fn kept_windows(&self) -> f64 {
        num::real(self.span.kept) / num::real(self.span.parts)
    }

    /// Keys that are kept, by the keys of the window.
    fn kept_keys(&self, keys: u64) -> f64 {
        num::real(keys) * self.kept_windows()
    }

    /// The same for the keys that the request names.
    pub(super) fn planned(&self) -> u64 {
        num::floor(self.kept_keys(self.keys))
    }

    /// The first table of a window of time: what its capacity needs and its memory allows.
    fn first_of_time(&self) -> Shape {
        let most = self.most_bytes() / LINE_BYTES;
        let lines = if self.keys == 0 { 0 } else { self.lines_for(self.keys).min(most) };
        let shape = Shape::of(Section::WHOLE, lines);
        // The last run has a line of each phase, for all of which there may be no memory.
        let fits = Directory::lines_for(&shape, false) <= most;
        if fits { shape } else { Shape::of(Section::WHOLE, lines - lines % PARTS) }
    }

    /// From now on a window of time takes no more bytes than these, 0 if no limit. A window of keys does not grow.
    pub(super) fn bind(&mut self, bytes: u64) {
        if self.timed {
            self.memory = bytes;
            self.first = self.first_of_time();
        }
    }

    /// An error if a string has too few bits to distinguish the keys at this rate.
    fn check_strings(&self) -> Result<(), Error> {
        let keys = if self.keys == 0 { USUAL } else { self.keys };
        let least = num::real(keys) / (self.target.prints * num::real(1 << STRING));
        if self.target.rate >= least {
            return Ok(());
        }
        let range = format_args!("at least {} for this many keys", RoundedUp(least));
        Err(Error::out_of_range(Field::ErrorRate, self.error_rate, range))
    }

    /// Lines for a number of keys when all is settled.
    fn lines_for(&self, keys: u64) -> u64 {
        let of_phase = num::real(keys) * (1.0 + 1.0 / num::real(self.widths.generations)) / num::real(PARTS);
        let room = if self.timed { 1.0 } else { policy::of_fullest_phase(&self.widths, of_phase, self.memory > 0) };
        let lines = self.in_use(num::real(keys)) * room / self.cells_of_a_line();
        // Few lines are less even, so they are less full.
        num::ceil(lines + SMALL / FILL).max(2 << LEAST_DEPTH)
    }

    /// Cells in use of a settled line.
    fn cells_of_a_line(&self) -> f64 {
        let width = self.widths.of(0);
        if self.timed {
            return policy::settled_cells(&self.widths, &self.target, self.cells_a_key() / self.kept_windows());
        }
        FILL.min(self.target.rate / width.chance(self.target.prints)) * f64::from(width.cells)
    }

    /// G.
    fn generations(&self) -> f64 {
        num::real(self.span.parts / PARTS)
    }

    /// Cells in use for each key of a large window.
    fn cells_a_key(&self) -> f64 {
        self.kept_windows() + 0.5 / self.generations()
    }

    /// Cells in use for a window of a number of keys: a table of few lines has not all phases.
    fn in_use(&self, keys: f64) -> f64 {
        // The phases of few keys are uneven: all may be of the one that expires last. Where to begin is a choice, a fourteenth of the keys.
        const FEW: f64 = 500.0;
        let most = self.kept_windows() + 1.0 / self.generations();
        if keys < FEW { keys * most + 1.0 } else { keys * self.cells_a_key() }
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

    /// How many lines there may be.
    pub(super) const fn most(&self) -> Most {
        if self.timed { Most::Bytes(self.most_bytes()) } else { Most::Fixed }
    }

    /// The most cells that `memory` allows.
    pub(super) fn most_cells(&self) -> f64 {
        num::real(self.most_bytes() / LINE_BYTES) * f64::from(self.widths.of(0).cells)
    }

    fn first_bytes(&self) -> u64 {
        Directory::lines_for(&self.first, !self.timed).saturating_mul(LINE_BYTES)
    }

    /// Bits for each key of a large window when all is settled.
    fn settled_bits(&self) -> f64 {
        num::real(LINE_BYTES * 8) * self.cells_a_key() / self.cells_of_a_line()
    }

    /// Keys of a window that `memory` has room for.
    fn keys_in_memory(&self) -> u64 {
        num::floor(num::real(self.memory) * 8.0 / (ROOM_AT_LIMIT * self.settled_bits()))
    }

    /// The keys of a window that the plan is for: those that are named, or that fit `memory`; 0 if neither is known.
    fn planned_keys(&self) -> u64 {
        match (self.timed, self.keys, self.memory) {
            (false, keys, _) | (true, keys, 0) => keys,
            (true, 0, _) => self.keys_in_memory(),
            (true, keys, _) => keys.min(self.keys_in_memory()),
        }
    }

    /// Bits for each key at the peak of growth from nothing at a steady rate, once a quarter of the keys are there, where no
    /// capacity is given and `settled` bits are left in the end.
    fn bits_at_peak(&self, keys: u64, settled: f64) -> f64 {
        if !self.timed {
            return settled;
        }
        let keys = self.kept_keys(if keys == 0 { USUAL } else { keys });
        (policy::growing_bits(&self.widths, &self.target, keys) * self.kept_windows()).max(settled)
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let (keys, width) = (self.planned_keys(), self.widths.of(0));
        let sized = !self.timed || self.keys > 0;
        let lines = if sized { Directory::lines_for(&self.first, !self.timed) } else { self.memory / LINE_BYTES };
        let cells = f64::from(width.cells);
        let fill = if sized { self.in_use(num::real(keys)) / num::real(lines) } else { self.cells_of_a_line() } / cells;
        let chance = if self.timed { self.target.rate } else { fill * width.chance(self.target.prints) };
        let bits = if sized { num::real(lines * LINE_BYTES * 8) / num::real(keys) } else { self.settled_bits() };
        PlanSummary {
            bytes: lines * LINE_BYTES,
            bits_per_key: bits,
            k: width.cells.into(),
            l: self.span.parts / PARTS,
            fill,
            slices: 1,
            blocks: 0,
            rows: lines,
            load: 0.0,
            margin: 0.0,
            error_rate_worst: if self.timed { self.error_rate } else { chance * worst_of_mean(self.widths.tag_bits) },
            error_rate_mean: chance,
            miss_rate: 0.0,
            window_keys: keys,
            cache_lines_per_observe: 2.0,
            fingerprint_bits: u64::from(16 - self.widths.tag_bits) + u64::from(width.most_known(width.cells - 1)),
            chains: 0,
            block_bytes: LINE_BYTES,
            bits_per_key_peak: self.bits_at_peak(keys, bits),
        }
    }
}

fn max_step(options: &Options) -> Result<u64, Error> {
    match (within(Field::MaxStepNs, options.max_step_ns, 1, u64::MAX)?, options.clock.unwrap_or_default()) {
        (Some(step), Clock::System) => Err(Error::conflict(Field::MaxStepNs, step, "needs a manual clock")),
        (step, _) => Ok(step.unwrap_or(u64::MAX)),
    }
}
