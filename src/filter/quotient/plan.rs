//! From a request to the integers of a quotient filter. Allocates nothing, but for the lists of QQHT's law of misses.
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

use super::law::Law;
use super::sorted::Code;
use crate::bits::WORD;
use crate::error::Error;
use crate::field::Field;
use crate::filter::values::PlanSummary;
use crate::num;
use crate::options::{DEFAULT_ERROR_RATE, MOST_MEMORY, Options, Variant, within};

/// The longest distance that can be planned for.
pub(super) const MOST_KEYS: u64 = 1 << 48;

/// The most bytes that can be planned.
pub(super) const MOST_BYTES: u64 = 1 << 60;

/// The longest fingerprint.
pub(super) const MOST_BITS: u64 = 16;

/// The most cells that the plan itself gives a row.
const MOST_CELLS: u64 = 1024;

/// A rate of misses that counts as none.
const NEVER: f64 = 1e-15;

/// Everything that is fixed when a quotient filter is built.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) rows: u64,
    /// Bytes of the rows, in whole words but for what would pass `memory` in the last of them.
    pub(crate) bytes: u64,
    /// The seed of the victims.
    pub(crate) seed: u64,
    /// The distance at which `miss_rate` is meant.
    pub(super) window: Option<u64>,
}

/// What a row is.
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
    fn rows_in(&self, words: u64) -> u64 {
        words * WORD / self.width()
    }

    /// Words that `rows` take.
    pub(super) fn words(&self, rows: u64) -> u64 {
        (rows * self.width()).div_ceil(WORD)
    }
}

impl Plan {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let request = Request::new(options)?;
        let plan = match (request.memory, request.window.zip(request.miss_rate)) {
            (_, Some((window, miss_rate))) => request.least(window, miss_rate)?,
            (Some(bytes), None) => Self::of_memory(request.fill(bytes)?, bytes),
            (None, None) => {
                return Err(Error::option(Field::Memory, 0, "1 or more, or window_keys with miss_rate"));
            }
        };
        match request.memory {
            Some(bytes) if plan.bytes > bytes => Err(Error::option(
                Field::Memory,
                bytes,
                format_args!("{} or more for what the other options ask", plan.bytes),
            )),
            _ => Ok(Self { seed: options.seed.unwrap_or(0), window: request.window, ..plan }),
        }
    }

    /// As many rows as fit in `bytes`.
    fn of_memory(shape: Shape, bytes: u64) -> Self {
        let plan = Self::of_rows(shape, bytes * 8 / shape.width());
        Self { bytes: plan.bytes.min(bytes), ..plan }
    }

    fn of_rows(shape: Shape, rows: u64) -> Self {
        Self { shape, rows, bytes: shape.words(rows) * 8, seed: 0, window: None }
    }

    /// What follows from the request, in the words of every kind.
    pub(crate) fn summary(&self) -> Result<PlanSummary, Error> {
        let Shape { law, k, .. } = self.shape;
        Ok(PlanSummary {
            bytes: self.bytes,
            bits_per_key: self.window.map_or(0.0, |keys| num::real(self.bytes) * 8.0 / num::real(keys)),
            k,
            rows: self.rows,
            error_rate_worst: law.worst(),
            // An endless stream finds the rows full but for its beginning.
            error_rate_mean: law.worst(),
            miss_rate: self.window.map_or(Ok(f64::NAN), |keys| law.miss(self.rows, keys))?,
            window_keys: self.window.unwrap_or(0),
            cache_lines_per_observe: cache_lines(self.shape.width()),
            fingerprint_bits: self.shape.s,
            ..PlanSummary::default()
        })
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
struct Request {
    variant: Variant,
    k: Option<u64>,
    s: Option<u64>,
    semi_sort: bool,
    memory: Option<u64>,
    window: Option<u64>,
    error_rate: Option<f64>,
    miss_rate: Option<f64>,
}

impl Request {
    fn new(options: &Options) -> Result<Self, Error> {
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
                Err(Error::option(
                    Field::SemiSort,
                    1,
                    format_args!("0 with variant {variant:?}, whose rows are ordered by age"),
                ))
            }
            true if !self.k.map_or_else(|| (1..=WORD).any(codes), codes) => {
                Err(Error::option(Field::SemiSort, 1, "0, or k of 3 to 16 with k x fingerprint_bits at most 64"))
            }
            _ => Ok(()),
        }
    }

    /// The fingerprints to try, the shortest first.
    fn bits(&self) -> std::ops::RangeInclusive<u64> {
        self.s.map_or(1..=MOST_BITS, |s| s..=s)
    }

    /// The row of k cells of s bits, if there is one.
    fn shape(&self, k: u64, s: u64) -> Option<Shape> {
        Shape::new(self.variant, k, s, self.semi_sort)
    }

    /// The rows with fingerprints of s bits that meet the error rate, the shortest first.
    fn shapes_of(&self, s: u64) -> impl Iterator<Item = Shape> + Clone {
        let most = self.error_rate.map_or(MOST_CELLS, |rate| most_cells(self.variant, s, rate));
        let cells = self.k.map_or(1..=most, |k| k..=k);
        cells
            .filter_map(move |k| self.shape(k, s))
            .filter(|shape| self.error_rate.is_none_or(|e| shape.law.worst() <= e))
    }

    /// All rows that meet the error rate; an error if there is none.
    fn shapes(&self) -> Result<impl Iterator<Item = Shape> + Clone, Error> {
        let shapes = self.bits().flat_map(|s| self.shapes_of(s));
        match shapes.clone().next() {
            None => Err(self.unmet()),
            Some(shape) if self.window.is_some() && shape.law.is_costly() => {
                let why = "less, or no window_keys: rows of QQHT with nearly every fingerprint in them";
                Err(Error::option(Field::K, shape.k, why))
            }
            Some(_) => Ok(shapes),
        }
    }

    /// No row meets the error rate: says what the best one has.
    fn unmet(&self) -> Error {
        let cells = self.k.map_or(1..=WORD, |k| k..=k);
        let all = cells.flat_map(|k| self.bits().filter_map(move |s| self.shape(k, s)));
        let least = all.map(|shape| shape.law.worst()).fold(1.0, f64::min);
        let rate = self.error_rate.unwrap_or(DEFAULT_ERROR_RATE);
        Error::option(Field::ErrorRate, rate, format_args!("{least} or more, or another k or fingerprint_bits"))
    }

    /// The row that uses `bytes` best.
    fn fill(&self, bytes: u64) -> Result<Shape, Error> {
        let shapes = self.shapes()?;
        let least = shapes.clone().map(|shape| shape.width()).min().unwrap_or(0).div_ceil(8);
        let mut fits = shapes.filter(|shape| shape.width() <= bytes * 8);
        let best = match self.window {
            None => {
                let s = fits.clone().next().map(|shape| shape.s);
                fits.take_while(|shape| Some(shape.s) == s).last()
            }
            Some(window) => {
                let rated = fits.try_fold(None, |best, shape| rarest(best, shape, bytes, window))?;
                rated.map(|(_, shape)| shape)
            }
        };
        best.ok_or_else(|| Error::option(Field::Memory, bytes, format_args!("{least} or more for one row")))
    }

    /// The least memory that misses no more than `miss_rate` of the keys at distance `window`.
    fn least(&self, window: u64, miss_rate: f64) -> Result<Plan, Error> {
        let mut best: Option<Plan> = None;
        for shape in self.shapes()? {
            let most = match &best {
                None => MOST_BYTES / 8,
                Some(plan) => plan.bytes / 8 - u64::from(plan.shape.width() <= shape.width()),
            };
            best = least_rows(&shape, shape.rows_in(most), window, miss_rate)?
                .map(|rows| Plan::of_rows(shape, rows))
                .or(best);
        }
        let error =
            || Error::option(Field::MissRate, miss_rate, format_args!("more: {MOST_BYTES} bytes do not reach it"));
        best.ok_or_else(error)
    }
}

/// A shape, behind its rate of misses.
type Rated = Option<(f64, Shape)>;

/// The one of the two that misses fewer in `bytes`, or is shorter: of equals the first.
fn rarest(best: Rated, shape: Shape, bytes: u64, window: u64) -> Result<Rated, Error> {
    let miss = shape.law.miss(bytes * 8 / shape.width(), window)?;
    let miss = if miss < NEVER { 0.0 } else { miss };
    let worse = best.is_some_and(|(a, x)| a.total_cmp(&miss).then(x.width().cmp(&shape.width())).is_le());
    Ok(if worse { best } else { Some((miss, shape)) })
}

/// The fewest rows, at most `most`, that miss at most `miss_rate` of the keys at distance `window`, and at every
/// shorter one.
fn least_rows(shape: &Shape, most: u64, window: u64, miss_rate: f64) -> Result<Option<u64>, Error> {
    let meets = |rows| shape.law.miss(rows, window).map(|miss| miss <= miss_rate);
    if most == 0 || !meets(most)? {
        return Ok(None);
    }
    let (mut no, mut yes) = (0, most);
    while no + 1 < yes {
        let middle = no + (yes - no) / 2;
        if meets(middle)? { yes = middle } else { no = middle }
    }
    Ok(Some(yes))
}

/// The most cells of s bits with which full rows meet `rate`, or one more: the caller asks the law itself.
fn most_cells(variant: Variant, s: u64, rate: f64) -> u64 {
    let fingerprints = num::real((1 << s) - 1);
    let cells = match variant {
        Variant::Qht | Variant::Qqht => rate * fingerprints,
        Variant::Qhtd | Variant::Qqhtd => (-rate).ln_1p() / (-1.0 / fingerprints).ln_1p(),
    };
    num::floor(cells + 1.0).min(MOST_CELLS)
}

/// The rate of misses, if given, when it lies in (0, 1) and comes with its distance.
fn checked_miss_rate(options: &Options) -> Result<Option<f64>, Error> {
    match options.miss_rate {
        Some(rate) if !(rate > 0.0 && rate < 1.0) => {
            Err(Error::option(Field::MissRate, rate, "more than 0, less than 1"))
        }
        Some(_) if options.window_keys.is_none() => {
            Err(Error::option(Field::WindowKeys, 0, "1 or more: the distance at which miss_rate is meant"))
        }
        rate => Ok(rate),
    }
}
