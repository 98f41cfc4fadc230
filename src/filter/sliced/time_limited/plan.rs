//! From a request to the integers of a time-limited filter. Allocates nothing.
//!
//! The shape (k, l, fill) meets the error rate exactly at the worst instant of a steady stream (`runs`). Arrivals
//! are not steady: a Poisson stream of N keys a window is off by sqrt(N), so every slice is larger than its keys
//! need by the share `margin`. A slice of `m` bits is for the keys that fill it to `fill`, whole words included.

use crate::bits::WORD;
use crate::error::Error;
use crate::field::Field;
use crate::filter::sliced::runs::{Layout, Shape};
use crate::filter::values::PlanSummary;
use crate::kind::Kind;
use crate::num;
use crate::options::{Clock, DEFAULT_ERROR_RATE, MOST_MEMORY, OnLimit, Options, Repeat, within};

/// Standard deviations of the keys in a window that the slices have room for. One is enough, for a generation with
/// more keys than planned ends early instead of overfilling: only the number of slices is left to chance.
const SPARE_DEVIATIONS: f64 = 1.0;

/// The keys of a window for which the margin is stated when the request names no number: the least for which
/// Poisson arrivals are promised.
const LEAST_POISSON_KEYS: u64 = 3000;

/// The most keys that a request can name.
pub(super) const MOST_KEYS: u64 = 1 << 48;

/// Everything that is fixed when a time-limited filter is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    pub(crate) k: usize,
    pub(crate) l: u64,
    pub(crate) shape: Shape,
    /// The share of new keys that is counted: the others find all their bits set, like a repeat, and change none.
    counted: f64,
    /// ln(1 / (1 - the error rate)) at the worst instant: what the runs of all slices may add up to.
    pub(crate) budget: f64,
    /// T in nanoseconds.
    pub(crate) window: u64,
    /// The longest generation, T / l rounded up.
    pub(crate) generation_ns: u64,
    /// Keys of the first generation.
    pub(crate) first_target: u64,
    /// Words that all slices may have together.
    pub(crate) most_words: u64,
    /// Words that one slice may have, so that k + l of them fit.
    pub(crate) most_slice_words: u64,
    pub(crate) on_limit: OnLimit,
    pub(crate) repeat: Repeat,
    /// How far a caller's tick may lead the clock.
    pub(crate) max_step: u64,
    /// Keys that the request names, 0 if none.
    capacity: u64,
    /// Bytes that the request allows, 0 if no limit.
    memory: u64,
}

/// From what a plan follows; also what a snapshot keeps of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Given {
    pub(super) shape: Shape,
    /// T in nanoseconds.
    pub(super) window: u64,
    /// Keys that the request names, 0 if none.
    pub(super) capacity: u64,
    /// Bytes that the request allows, 0 if no limit.
    pub(super) memory: u64,
    /// How far a caller's tick may lead the clock.
    pub(super) max_step: u64,
    pub(super) on_limit: OnLimit,
    pub(super) repeat: Repeat,
}

impl Plan {
    /// The options that come to this plan.
    pub(super) fn options(&self) -> Options {
        let mut options =
            Options::new(Kind::TimeLimited).window_ns(self.window).on_limit(self.on_limit).repeat(self.repeat);
        options = options.k(self.shape.k).l(self.shape.l).fill(self.shape.fill);
        options.capacity = (self.capacity > 0).then_some(self.capacity);
        options.memory = (self.memory > 0).then_some(self.memory);
        options.max_step_ns = (self.max_step < u64::MAX).then_some(self.max_step);
        options
    }

    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let window = within(Field::WindowNs, options.window_ns, 1, u64::MAX)?
            .ok_or_else(|| Error::conflict(Field::WindowNs, 0, "required"))?;
        let shape = Shape::new(options, DEFAULT_ERROR_RATE, Layout::SEPARATE)?;
        Ok(Self::of(Given {
            shape,
            window,
            capacity: within(Field::Capacity, options.capacity, 1, MOST_KEYS)?.unwrap_or(0),
            memory: memory(options, shape.slices)?,
            max_step: max_step(options)?,
            on_limit: options.on_limit.unwrap_or_default(),
            repeat: options.repeat.unwrap_or_default(),
        }))
    }

    /// The plan that follows from what is given.
    pub(super) fn of(given: Given) -> Self {
        let Given { shape, window, capacity, memory, max_step, on_limit, repeat } = given;
        let (l, slices) = (u64::from(shape.l), u64::from(shape.slices));
        let most_words = if memory == 0 { u64::MAX } else { memory / 8 };
        let counted = 1.0 - overlooked(&shape);
        Self {
            k: num::index(u64::from(shape.k)),
            l,
            shape,
            counted,
            budget: -(-shape.worst()).ln_1p(),
            window,
            generation_ns: window.div_ceil(l),
            first_target: num::ceil(num::real(capacity.div_ceil(l)) * counted).max(1),
            most_words,
            most_slice_words: (most_words / slices).max(1),
            on_limit,
            repeat,
            max_step,
            capacity,
            memory,
        }
    }

    /// The arguments of [`Plan::of`] that give this plan.
    pub(super) const fn given(&self) -> Given {
        Given {
            shape: self.shape,
            window: self.window,
            capacity: self.capacity,
            memory: self.memory,
            max_step: self.max_step,
            on_limit: self.on_limit,
            repeat: self.repeat,
        }
    }

    /// Words of a slice that will take `keys` keys while the stream brings about `window_keys` in a window, with
    /// `room` times the bits that this needs.
    pub(crate) fn slice_words(&self, keys: u64, window_keys: u64, room: f64) -> u64 {
        let keys = num::real(keys) * (1.0 + margin(window_keys)) * room;
        num::ceil(keys / self.keys_per_bit() / num::real(WORD)).clamp(1, self.most_slice_words)
    }

    /// The counted keys that fill a slice of `bits` bits to `fill`: of n with 1 - (1 - 1/m)^n = fill.
    pub(crate) fn slice_capacity(&self, bits: u64) -> u64 {
        num::floor((-self.shape.fill).ln_1p() / (-1.0 / num::real(bits)).ln_1p() * self.counted)
    }

    /// Counted keys per bit of a full slice: ln(1 / (1 - fill)), less those that are not counted.
    fn keys_per_bit(&self) -> f64 {
        -(-self.shape.fill).ln_1p() * self.counted
    }

    /// The window in keys: those named, or those for which the memory is enough within the error rate.
    fn window_keys(&self) -> u64 {
        match (self.capacity, self.memory) {
            (0, 0) => 0,
            (0, memory) => self.keys_of(memory),
            (keys, 0) => keys,
            (keys, memory) => keys.min(self.keys_of(memory)),
        }
    }

    /// The keys that that many bytes hold, margin included. The first guess has the largest margin, so that the second
    /// is never too many.
    fn keys_of(&self, memory: u64) -> u64 {
        let keys = |window_keys| num::floor(num::real(memory) * 8.0 / self.bits_per_key(window_keys));
        keys(keys(0))
    }

    fn bits_per_key(&self, window_keys: u64) -> f64 {
        self.shape.bits_per_key() * (1.0 + margin(window_keys))
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let keys = self.window_keys();
        let (k, slices) = (num::wide(self.k), num::wide(self.k) + self.l);
        let generation = num::ceil(num::real(keys.div_ceil(self.l)) * self.counted);
        let bytes = match keys {
            0 => 0,
            _ => (slices * self.slice_words(k * generation, keys, 1.0) * 8).min(self.most_words.saturating_mul(8)),
        };
        PlanSummary {
            bytes,
            k,
            l: self.l,
            fill: self.shape.fill,
            slices,
            margin: margin(keys),
            error_rate_worst: self.shape.worst(),
            error_rate_mean: self.shape.mean(),
            window_keys: keys,
            cache_lines_per_observe: self.cache_lines(),
            ..PlanSummary::sized(self.bits_per_key(keys))
        }
    }

    /// The k lines that an insertion writes, and those that a query for an absent key reads beyond them.
    fn cache_lines(&self) -> f64 {
        let fill = self.shape.fill;
        f64::from(self.shape.k) + f64::from(self.shape.l) / f64::from(self.shape.k) / (1.0 - fill)
    }
}

/// The chance that a new key finds its bits set in all k slices that fill, averaged over a generation: no matter from
/// k = 5 on, 10 % at k = 2.
fn overlooked(shape: &Shape) -> f64 {
    let (k, empty) = (f64::from(shape.k), (-shape.fill).ln_1p());
    let fill = |age: f64| -(empty * age / k).exp_m1();
    let all = |u: f64| (0..shape.k).map(|i| fill(f64::from(i) + u)).product::<f64>();
    (0..32u32).map(|i| all((f64::from(i) + 0.5) / 32.0)).sum::<f64>() / 32.0
}

/// The share by which slices are larger than their keys need, for a stream of `window_keys` keys a window.
pub(crate) fn margin(window_keys: u64) -> f64 {
    let keys = if window_keys == 0 { LEAST_POISSON_KEYS } else { window_keys.max(LEAST_POISSON_KEYS) };
    SPARE_DEVIATIONS / num::real(keys).sqrt()
}

/// Bytes that are allowed, 0 if there is no limit: at least one word for each of the k + l slices.
fn memory(options: &Options, slices: u32) -> Result<u64, Error> {
    Ok(within(Field::Memory, options.memory, u64::from(slices) * 8, MOST_MEMORY)?.unwrap_or(0))
}

fn max_step(options: &Options) -> Result<u64, Error> {
    match (within(Field::MaxStepNs, options.max_step_ns, 1, u64::MAX)?, options.clock.unwrap_or_default()) {
        (Some(step), Clock::System) => Err(Error::conflict(Field::MaxStepNs, step, "needs a manual clock")),
        (step, _) => Ok(step.unwrap_or(u64::MAX)),
    }
}
