//! From a request to the integers of a quotient filter. Allocates nothing, except the lists of QQHT's law for short rows.
//!
//! | given | planned |
//! | --- | --- |
//! | `memory`, `k`, `fingerprint_bits` | N = floor(8 memory / (k s)) rows |
//! | `memory`, `error_rate` | the smallest s, then the largest k, whose full rows meet the rate |
//! | `memory`, `error_rate`, `window_keys` | among all (k, s) that meet it the one that misses fewest at that distance |
//! | `window_keys`, `error_rate`, `miss_rate` | among all (k, s) that meet the first rate, and the N that then meet the second, the least memory |
//!
//! Either of k and s may be given to each, and the other is searched. Ties go to the shorter row, which is the
//! faster one; so do rates of misses too small to be measured. The plan itself chooses at most 1,024 cells in a row.
//! `search` has the search.

use std::ops::RangeInclusive;

use super::law::Law;
use super::sorted::Code;
use crate::bits::WORD;
use crate::error::Error;
use crate::field::Field;
use crate::filter::values::PlanSummary;
use crate::kind::Kind;
use crate::num;
use crate::options::{MOST_MEMORY, Options, Variant, within};
use crate::text::RoundedUp;

/// The longest distance that can be planned for.
pub(super) const MOST_KEYS: u64 = 1 << 48;

/// The most bytes that can be planned.
pub(super) const MOST_BYTES: u64 = 1 << 60;

/// The longest fingerprint.
pub(super) const MOST_BITS: u64 = 16;

/// The most cells that the plan itself gives a row.
const MOST_CELLS: u64 = 1024;

/// The error rate of a request that fixes it neither itself nor by its other options: what the longest fingerprints reach
/// at best is 1.6e-5, and a smaller rate is paid in keys that are forgotten.
const DEFAULT_ERROR_RATE: f64 = 1e-3;

/// Everything that is fixed when a quotient filter is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) rows: u64,
    /// Bytes of the rows, in whole words except what would pass `memory` in the last of them.
    pub(crate) bytes: u64,
    /// The seed of the victims.
    pub(crate) seed: u64,
    /// The distance at which `miss_rate` is meant.
    pub(super) window: Option<u64>,
}

/// A row: its cells, their bits, and its law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub(crate) law: Law,
    pub(crate) k: u64,
    pub(crate) s: u64,
    pub(crate) code: Option<Code>,
}

impl Shape {
    /// The row of k cells of s bits, semi-sorted or not, if there is one.
    pub(super) fn new(variant: Variant, k: u64, s: u64, semi_sort: bool) -> Option<Self> {
        let code = if semi_sort { Some(Code::new(k, s)?) } else { None };
        Some(Self { law: Law::new(variant, k, s), k, s, code })
    }

    /// Bits of a row.
    pub(super) fn width(&self) -> u64 {
        self.code.map_or(self.k * self.s, |code| code.width())
    }

    /// Rows that fit in `words`.
    pub(super) fn rows_in(&self, words: u64) -> u64 {
        words * WORD / self.width()
    }

    /// Words that `rows` take.
    pub(super) fn words(&self, rows: u64) -> u64 {
        (rows * self.width()).div_ceil(WORD)
    }
}

impl Plan {
    /// The options that come to this plan.
    pub(super) fn options(&self) -> Options {
        let [k, s] = [self.shape.k, self.shape.s].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let mut options = Options::new(Kind::Quotient).variant(self.shape.law.variant).k(k).fingerprint_bits(s);
        options.window_keys = self.window;
        options.semi_sort(self.shape.code.is_some()).memory(self.bytes).seed(self.seed)
    }

    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let request = Request::new(options)?;
        let plan = match (request.memory, request.window.zip(request.miss_rate)) {
            (_, Some((window, miss_rate))) => request.least(window, miss_rate)?,
            (Some(bytes), None) => Self::of_memory(request.fill(bytes)?, bytes),
            (None, None) => {
                let why = "required unless window_keys and miss_rate are given";
                return Err(Error::conflict(Field::Memory, 0, why));
            }
        };
        match request.memory {
            Some(bytes) if plan.bytes > bytes => Err(Error::out_of_range(
                Field::Memory,
                bytes,
                format_args!("at least {} bytes with these options", plan.bytes),
            )),
            _ => Ok(Self { seed: options.seed.unwrap_or(0), window: request.window, ..plan }),
        }
    }

    /// As many rows as fit in `bytes`.
    fn of_memory(shape: Shape, bytes: u64) -> Self {
        let plan = Self::of_rows(shape, bytes * 8 / shape.width());
        Self { bytes: plan.bytes.min(bytes), ..plan }
    }

    pub(super) fn of_rows(shape: Shape, rows: u64) -> Self {
        Self { shape, rows, bytes: shape.words(rows) * 8, seed: 0, window: None }
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> PlanSummary {
        let Shape { law, k, .. } = self.shape;
        let bits = self.window.map_or(0.0, |keys| num::real(self.bytes) * 8.0 / num::real(keys));
        PlanSummary {
            bytes: self.bytes,
            k,
            rows: self.rows,
            error_rate_worst: law.worst(),
            // An endless stream finds the rows full except at its beginning.
            error_rate_mean: law.worst(),
            miss_rate: self.window.map_or(f64::NAN, |keys| law.miss(self.rows, keys)),
            window_keys: self.window.unwrap_or(0),
            cache_lines_per_observe: cache_lines(self.shape.width()),
            fingerprint_bits: self.shape.s,
            ..PlanSummary::sized(bits)
        }
    }
}

/// Lines of 64 bytes that a row of `width` bits lies in, on average over the rows.
pub(super) fn cache_lines(width: u64) -> f64 {
    // Rows begin at the multiples of 2^n bits, n the twos in the width, equally often.
    let step = (1 << width.trailing_zeros()).min(512);
    1.0 + num::real(width - step) / 512.0
}

/// The options, each in its range.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) variant: Variant,
    k: Option<u64>,
    s: Option<u64>,
    semi_sort: bool,
    memory: Option<u64>,
    window: Option<u64>,
    error_rate: Option<f64>,
    miss_rate: Option<f64>,
}

impl Request {
    pub(super) fn new(options: &Options) -> Result<Self, Error> {
        options.expect_taken()?;
        let k = within(Field::K, options.k, 1, u32::MAX)?.map(u64::from);
        let s = options.fingerprint_bits.map(u64::from);
        let given = options.error_rate.is_some() || (k.is_some() && s.is_some());
        let request = Self {
            variant: options.variant.unwrap_or_default(),
            k,
            s: within(Field::FingerprintBits, s, 1, MOST_BITS)?,
            semi_sort: options.semi_sort.unwrap_or(false),
            memory: within(Field::Memory, options.memory, 1, MOST_MEMORY)?,
            window: within(Field::WindowKeys, options.window_keys, 1, MOST_KEYS)?,
            error_rate: if given { options.checked_error_rate()? } else { Some(DEFAULT_ERROR_RATE) },
            miss_rate: checked_miss_rate(options)?,
        };
        request.check_semi_sort()?;
        Ok(request)
    }

    /// Semi-sorting needs rows without order that have a code.
    fn check_semi_sort(&self) -> Result<(), Error> {
        let queued = self.variant.is_queued();
        let codes = |k| self.bits().any(|s| Code::new(k, s).is_some());
        match self.semi_sort {
            true if queued => {
                let variant = self.variant;
                let why = format_args!("cannot be combined with variant {variant:?}, which orders its rows by age");
                Err(Error::conflict(Field::SemiSort, 1, why))
            }
            true if !self.k.map_or_else(|| (1..=WORD).any(codes), codes) => {
                let why = "needs k = 3 to 16 and k x fingerprint_bits of at most 64";
                Err(Error::conflict(Field::SemiSort, 1, why))
            }
            _ => Ok(()),
        }
    }

    /// The fingerprints to try, the shortest first.
    pub(super) fn bits(&self) -> RangeInclusive<u64> {
        self.s.map_or(1..=MOST_BITS, |s| s..=s)
    }

    /// The row of k cells of s bits, if there is one.
    pub(super) fn shape(&self, k: u64, s: u64) -> Option<Shape> {
        Shape::new(self.variant, k, s, self.semi_sort)
    }

    /// The cells of the rows with fingerprints of s bits that meet the error rate. The more, the more false duplicates.
    pub(super) fn cells(&self, s: u64) -> RangeInclusive<u64> {
        let room = if self.semi_sort { Code::cells(s) } else { 1..=u64::from(u32::MAX) };
        let (first, last) = self.k.map_or((1, MOST_CELLS), |k| (k, k));
        let (first, last) = (first.max(*room.start()), last.min(*room.end()));
        first..=self.error_rate.map_or(last, |rate| most_cells(self.variant, s, rate, last))
    }

    /// The shortest rows that meet the error rate, one for each length of fingerprints.
    fn shortest(&self) -> impl Iterator<Item = Shape> {
        self.bits().filter_map(|s| self.shape(self.cells(s).next()?, s))
    }

    /// An error if no row meets the error rate.
    fn check_shapes(&self) -> Result<(), Error> {
        self.shortest().next().map(|_| ()).ok_or_else(|| self.unmet())
    }

    /// The error if no row meets the error rate: it names the lowest rate.
    fn unmet(&self) -> Error {
        let shortest = |s| self.k.map_or(1..=WORD, |k| k..=k).find_map(|k| self.shape(k, s));
        let all = self.bits().filter_map(shortest);
        let least = all.map(|shape| shape.law.worst()).fold(1.0, f64::min);
        let rate = self.error_rate.unwrap_or(DEFAULT_ERROR_RATE);
        let range = format_args!("at least {}, or change k or fingerprint_bits", RoundedUp(least));
        Error::out_of_range(Field::ErrorRate, rate, range)
    }

    /// The row that uses `bytes` best.
    fn fill(&self, bytes: u64) -> Result<Shape, Error> {
        self.check_shapes()?;
        let best = match self.window {
            None => self.longest(bytes),
            Some(window) => self.rarest(bytes, window),
        };
        let least = || self.shortest().map(|shape| shape.width()).min().unwrap_or(0).div_ceil(8);
        best.ok_or_else(|| {
            Error::out_of_range(Field::Memory, bytes, format_args!("at least {} bytes for one row", least()))
        })
    }

    /// The least memory that misses no more than `miss_rate` of the keys at distance `window`.
    fn least(&self, window: u64, miss_rate: f64) -> Result<Plan, Error> {
        self.check_shapes()?;
        let why = format_args!("no filter of {MOST_BYTES} bytes reaches it");
        let error = || Error::conflict(Field::MissRate, miss_rate, why);
        self.smallest(window, miss_rate).ok_or_else(error)
    }
}

/// The most cells of s bits, at most `last`, with which full rows meet `rate`.
fn most_cells(variant: Variant, s: u64, rate: f64, last: u64) -> u64 {
    let fingerprints = num::real((1 << s) - 1);
    let cells = match variant {
        Variant::Qht | Variant::Qqht => rate * fingerprints,
        Variant::Qhtd | Variant::Qqhtd => (-rate).ln_1p() / (-1.0 / fingerprints).ln_1p(),
    };
    // The formula may be one too high: the law decides.
    let most = num::floor(cells + 1.0).min(last);
    most - u64::from(most > 0 && Law::new(variant, most, s).worst() > rate)
}

/// The rate of misses, if given, when it lies in (0, 1) and comes with its distance.
fn checked_miss_rate(options: &Options) -> Result<Option<f64>, Error> {
    match options.miss_rate {
        Some(rate) if !(rate > 0.0 && rate < 1.0) => {
            Err(Error::out_of_range(Field::MissRate, rate, "above 0 and below 1"))
        }
        Some(_) if options.window_keys.is_none() => {
            let why = "required with miss_rate, which applies at that distance";
            Err(Error::conflict(Field::WindowKeys, 0, why))
        }
        rate => Ok(rate),
    }
}
