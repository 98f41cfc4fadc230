//! From a request to the integers of an age-partitioned filter. Allocates nothing.
//!
//! The shape (k, l, fill) comes from the exact search of `runs`, among those l that leave no column of the matrix
//! unused: k + l slices and the one that is being cleaned are then w columns of k functions. Rows are as many as
//! keep a full column at `fill`, to the row.

use crate::bits::WORD;
use crate::error::Error;
use crate::field::Field;
use crate::filter::sliced::runs::{LEAST_FILL, Layout, MOST_FILL, Shape, steady_chance};
use crate::filter::values::PlanSummary;
use crate::kind::Kind;
use crate::num;
use crate::options::{DEFAULT_ERROR_RATE, MOST_MEMORY, Options, Repeat, within};

/// The most insertions that a window may have.
const MOST_KEYS: u64 = 1 << 48;

/// More rows than any memory has, and few enough for their bits to be counted.
const MOST_ROWS: u64 = 1 << 56;

/// Columns of a row: they, and one place more for a generation that is only half in the window, fit in a word.
const MOST_COLUMNS: u32 = 63;

pub(crate) const LAYOUT: Layout = Layout {
    l: |k, j| if k == 1 { j } else { k * j - 1 },
    slices: |k, l| if columns(k, l) <= MOST_COLUMNS { Some(k * columns(k, l)) } else { None },
    listed: &[
        (1e-1, 6, 17, 0.480_040_945_210_203),
        (1e-2, 8, 23, 0.412_715_887_526_428_5),
        (1e-3, 11, 21, 0.436_837_648_721_120_63),
        (1e-4, 11, 21, 0.350_464_619_986_450_95),
        (1e-5, 11, 21, 0.282_065_284_055_715_96),
        (1e-6, 11, 21, 0.227_479_573_704_476_94),
    ],
};

/// Columns that k + l slices and a spare one need.
const fn columns(k: u32, l: u32) -> u32 {
    (k + l + 1).div_ceil(k)
}

/// Everything that is fixed when an age-partitioned filter is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    pub(crate) k: u64,
    pub(crate) l: u64,
    /// Bits of a row: the slices that share a function.
    pub(crate) columns: u64,
    /// Rows of each function: bits of a slice.
    pub(crate) rows: u64,
    /// Insertions of a generation.
    pub(crate) generation: u64,
    pub(crate) repeat: Repeat,
}

impl Plan {
    /// The options that come to this plan.
    pub(super) fn options(&self) -> Options {
        let [k, l] = [self.k, self.l].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let options = Options::new(Kind::AgePartitioned).window_keys(self.generation.saturating_mul(self.l));
        options.repeat(self.repeat).k(k).l(l).fill(self.fill())
    }

    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let keys = within(Field::WindowKeys, options.window_keys, 1, MOST_KEYS)?;
        let memory = within(Field::Memory, options.memory, 8, MOST_MEMORY)?;
        let rate_is_open =
            options.error_rate.is_none() && !(options.k.is_some() && options.l.is_some() && options.fill.is_some());
        let plan = match (keys, memory) {
            (None, None) => Err(Error::conflict(Field::WindowKeys, 0, "required unless memory is given")),
            (Some(keys), Some(bytes)) if rate_is_open => Self::tightest(options, keys, bytes),
            (Some(keys), _) => Shape::new(options, DEFAULT_ERROR_RATE, LAYOUT).map(|shape| Self::of_keys(&shape, keys)),
            (None, Some(bytes)) => {
                Shape::new(options, DEFAULT_ERROR_RATE, LAYOUT).and_then(|shape| Self::of_memory(&shape, bytes))
            }
        }?;
        plan.expect_within(memory)?;
        Ok(Self { repeat: options.repeat.unwrap_or_default(), ..plan })
    }

    /// A window of `keys` insertions.
    fn of_keys(shape: &Shape, keys: u64) -> Self {
        let generation = keys.div_ceil(u64::from(shape.l));
        let inserted = num::real(u64::from(shape.k) * generation);
        // The least m with 1 - (1 - 1/m)^n <= fill.
        let rows = num::ceil(-1.0 / ((-shape.fill).ln_1p() / inserted).exp_m1());
        Self::with(shape, generation, rows)
    }

    /// The largest window that `bytes` hold.
    fn of_memory(shape: &Shape, bytes: u64) -> Result<Self, Error> {
        let fits = |generation: u64| Self::of_keys(shape, generation * u64::from(shape.l)).bytes() <= bytes;
        if !fits(1) {
            let least = Self::of_keys(shape, 1).bytes();
            return Err(Error::out_of_range(Field::Memory, bytes, format_args!("at least {least} bytes")));
        }
        let (mut yes, mut no) = (1, MOST_KEYS / u64::from(shape.l) + 1);
        while yes + 1 < no {
            let middle = yes + (no - yes) / 2;
            if fits(middle) { yes = middle } else { no = middle }
        }
        Ok(Self::of_keys(shape, yes * u64::from(shape.l)))
    }

    /// A window of `keys` insertions in `bytes`, with the least error rate.
    fn tightest(options: &Options, keys: u64, bytes: u64) -> Result<Self, Error> {
        let asked = within(Field::Fill, options.fill, LEAST_FILL, MOST_FILL)?;
        let rows = |k: u32, l: u32| (bytes / 8 / u64::from(k)).saturating_mul(WORD) / u64::from(columns(k, l));
        let fill = |k, l| {
            let least = fill_of(rows(k, l), u64::from(k) * keys.div_ceil(u64::from(l)));
            let fill = asked.unwrap_or(least.max(LEAST_FILL));
            (least <= fill && fill <= MOST_FILL).then_some(fill)
        };
        let shape = Shape::tightest(options, LAYOUT, fill)?
            .ok_or_else(|| Error::conflict(Field::Memory, bytes, format_args!("{keys} keys do not fit")))?;
        let plan = Self::of_keys(&shape, keys);
        Ok(Self { rows: plan.rows.min(rows(shape.k, shape.l)), ..plan })
    }

    fn with(shape: &Shape, generation: u64, rows: u64) -> Self {
        let columns = u64::from(columns(shape.k, shape.l));
        Self { k: u64::from(shape.k), l: u64::from(shape.l), columns, rows, generation, repeat: Repeat::default() }
    }

    /// The plan of integers that were written down before, if it is within the bounds of the options.
    pub(super) fn known(k: u32, l: u32, rows: u64, generation: u64, repeat: Repeat) -> Option<Self> {
        let shape = Shape::known(k, l, LEAST_FILL, LAYOUT)?;
        let fits = (1..=MOST_ROWS).contains(&rows) && (1..=MOST_KEYS).contains(&generation);
        fits.then(|| Self { repeat, ..Self::with(&shape, generation, rows) })
    }

    fn expect_within(&self, memory: Option<u64>) -> Result<(), Error> {
        match memory {
            Some(bytes) if self.bytes() > bytes => Err(Error::out_of_range(
                Field::Memory,
                bytes,
                format_args!("at least {} bytes with these options", self.bytes()),
            )),
            _ => Ok(()),
        }
    }

    /// Words of the rows of one function.
    pub(crate) fn function_words(&self) -> u64 {
        self.rows.saturating_mul(self.columns).div_ceil(WORD)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.k.saturating_mul(self.function_words()).saturating_mul(8)
    }

    /// The fill of a full slice, from the real integers.
    fn fill(&self) -> f64 {
        fill_of(self.rows, self.k * self.generation)
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let keys = self.l * self.generation;
        let [k, l] = [self.k, self.l].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let at = |u| steady_chance(k, l, self.fill(), u);
        PlanSummary {
            bytes: self.bytes(),
            k: self.k,
            l: self.l,
            fill: self.fill(),
            slices: self.k + self.l,
            rows: self.rows,
            error_rate_worst: at(1.0),
            error_rate_mean: (0..32u32).map(|i| at((f64::from(i) + 0.5) / 32.0)).sum::<f64>() / 32.0,
            window_keys: keys,
            cache_lines_per_observe: num::real(self.k) * (1.0 + num::real(self.columns - 1) / 512.0),
            ..PlanSummary::sized(num::real(self.bytes()) * 8.0 / num::real(keys))
        }
    }
}

/// The expected fill of `rows` bits after `inserted` insertions; 1 if there are no bits.
fn fill_of(rows: u64, inserted: u64) -> f64 {
    if rows < 2 { 1.0 } else { -(num::real(inserted) * (-1.0 / num::real(rows)).ln_1p()).exp_m1() }
}
