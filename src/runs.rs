//! Sliced windows: the chance of k hits in a row, and the search for the k, l and fill that meet an error rate.
//!
//! Law: an absent key hits slice `i` with probability `f_i`, its fill, independently of the others; the filter
//! calls it present when some `k` consecutive slices all hit. The recursion below is exact.
//!
//! ```text
//!  slice     0 ........ k-1 | k ........ k+l-1       a full generation later every slice is one place to the right
//!  fill      ramp to `fill` | fill .... fill         f_i = 1 - (1 - fill)^((i + u) / k) at phase u in (0, 1], i < k
//! ```
//! Price: k (k + l) / (l ln(1 / (1 - fill))) bits per key of the window.
//!
//! Source: "Age-Partitioned Bloom Filters" and "Time-limited Bloom Filter", section 5. The papers' own (k, l) pairs
//! bracket the error rate at fill 1/2; here the worst instant meets it, and the fill is free, which saves up to
//! 15 % of the bits.

use crate::error::Error;
use crate::field::Field;
use crate::num;
use crate::options::{Options, within};

/// The chance that some `k` consecutive slices all hit.
///
/// `chance` is F, the chance of a run among the slices so far. A first run ends at slice `i` if the last `k` slices
/// hit, the one before them missed, and no run ended before that: so F grows by
/// `missed[i - k] * f[i - k + 1] * .. * f[i]`.
pub(crate) fn run_chance(k: usize, fills: &[f64]) -> f64 {
    let mut missed = Vec::with_capacity(fills.len() + 1);
    missed.push(1.0); // before slice 0: as good as a miss
    let mut chance = 0.0;
    for (i, fill) in fills.iter().enumerate() {
        let alive = 1.0 - chance;
        if i + 1 >= k {
            chance += missed[i + 1 - k] * fills[i + 1 - k..=i].iter().product::<f64>();
        }
        missed.push(alive * (1.0 - fill));
    }
    chance
}

/// The same for the steady state of `k + l` slices at phase `u` of a generation, in O(k^2 + l).
pub(crate) fn steady_chance(k: u32, l: u32, fill: f64, u: f64) -> f64 {
    let (k, n) = (usize::try_from(k).unwrap_or(usize::MAX), k + l);
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    let empty = -(-fill).ln_1p() / num::real(num::wide(k));
    let fills: Vec<f64> = (0..n.min(2 * k))
        .map(|i| if i < k { -(-empty * (num::real(num::wide(i)) + u)).exp_m1() } else { fill })
        .collect();
    let full_run = (num::real(num::wide(k)) * fill.ln()).exp();
    let mut missed = Vec::with_capacity(n + 1);
    missed.push(1.0);
    let mut chance: f64 = 0.0;
    for i in 0..n {
        let alive = 1.0 - chance;
        if i + 1 >= k {
            let run = if i >= 2 * k { full_run } else { fills[i + 1 - k..=i].iter().product() };
            chance += missed[i + 1 - k] * run;
        }
        missed.push(alive * (1.0 - fills.get(i).copied().unwrap_or(fill)));
    }
    chance
}

/// The integers of a sliced window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// Slices that take each insertion, and bits per key.
    pub(crate) k: u32,
    /// Full generations in the window.
    pub(crate) l: u32,
    /// The fill of a full slice.
    pub(crate) fill: f64,
}

/// Slices that the search may use unless the options say otherwise.
const DEFAULT_MAX_SLICES: u32 = 32;
/// The most slices that the search may use.
const MOST_SLICES: u32 = 1024;
const LEAST_FILL: f64 = 0.1;
const MOST_FILL: f64 = 0.9;
/// A plan may cost this much more than the cheapest one if it needs fewer bits per key to be set.
const TIE: f64 = 1.01;

impl Shape {
    /// The shape that the options ask for: what they give is kept, the rest is searched.
    pub(crate) fn new(options: &Options, default_rate: f64) -> Result<Self, Error> {
        let k = within(Field::K, options.k, 1, MOST_SLICES - 1)?;
        let l = within(Field::L, options.l, 1, MOST_SLICES - 1)?;
        let fill = within(Field::Fill, options.fill, LEAST_FILL, MOST_FILL)?;
        let rate = options.checked_error_rate()?;
        let most = max_slices(options, k, l)?;
        match (k, l, fill, rate) {
            (Some(k), Some(l), Some(fill), None) => Ok(Self { k, l, fill }),
            (Some(_), Some(_), Some(_), Some(rate)) => {
                Err(Error::option(Field::ErrorRate, rate, "0 when k, l and fill are all given: they fix it"))
            }
            _ => Search { k, l, fill, rate: rate.unwrap_or(default_rate), most }.run(),
        }
    }

    /// The error rate at the worst instant, just before a shift.
    pub(crate) fn worst(&self) -> f64 {
        steady_chance(self.k, self.l, self.fill, 1.0)
    }

    /// The error rate averaged over a generation (32 midpoints).
    pub(crate) fn mean(&self) -> f64 {
        (0..32u32).map(|i| steady_chance(self.k, self.l, self.fill, (f64::from(i) + 0.5) / 32.0)).sum::<f64>() / 32.0
    }

    /// Bits per key of the window.
    pub(crate) fn bits_per_key(&self) -> f64 {
        let (k, l) = (f64::from(self.k), f64::from(self.l));
        k * (k + l) / (l * -(-self.fill).ln_1p())
    }
}

fn max_slices(options: &Options, k: Option<u32>, l: Option<u32>) -> Result<u32, Error> {
    let given = within(Field::MaxSlices, options.max_slices, 2, MOST_SLICES)?;
    let (Some(k), Some(l)) = (k, l) else {
        return Ok(given.unwrap_or(DEFAULT_MAX_SLICES));
    };
    match given {
        Some(most) if most < k + l => Err(Error::option(Field::MaxSlices, most, format!("at least k + l = {}", k + l))),
        _ if k + l > MOST_SLICES => Err(Error::option(Field::L, l, format!("k + l up to {MOST_SLICES}"))),
        _ => Ok(k + l),
    }
}

/// The exact search: every k; for each the l of least bits; for each pair the largest fill that meets the rate.
struct Search {
    k: Option<u32>,
    l: Option<u32>,
    fill: Option<f64>,
    rate: f64,
    most: u32,
}

impl Search {
    fn run(&self) -> Result<Shape, Error> {
        let mut cheapest = f64::INFINITY;
        let mut best_by_k: Vec<Shape> = Vec::new();
        for k in self.k.map_or(1..=self.most - 1, |k| k..=k) {
            // Even the best l and fill cost k / ln(1 / (1 - 0.9)) bits: larger k cannot win any more.
            if f64::from(k) > TIE * cheapest * -(-MOST_FILL).ln_1p() {
                break;
            }
            if let Some(shape) = self.best_l(k) {
                cheapest = cheapest.min(shape.bits_per_key());
                best_by_k.push(shape);
            }
        }
        let shape = best_by_k.into_iter().find(|shape| shape.bits_per_key() <= TIE * cheapest);
        shape.map(|shape| self.least_l(shape, TIE * cheapest)).ok_or_else(|| self.no_solution())
    }

    /// The l of least bits for this k. Bits fall with l while the share of young slices shrinks, and rise again
    /// when the fill must: one valley, found by halving on the sign of the slope.
    fn best_l(&self, k: u32) -> Option<Shape> {
        let (mut low, mut high) = self.l_range(k)?;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.bits(k, middle + 1) < self.bits(k, middle) { low = middle + 1 } else { high = middle }
        }
        self.shape(k, low)
    }

    /// The smallest l on the falling side of the valley that costs at most `bound`.
    fn least_l(&self, best: Shape, bound: f64) -> Shape {
        let (mut low, mut high) = (self.l.unwrap_or(1), best.l);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.bits(best.k, middle) <= bound { high = middle } else { low = middle + 1 }
        }
        self.shape(best.k, low).unwrap_or(best)
    }

    fn l_range(&self, k: u32) -> Option<(u32, u32)> {
        match self.l {
            Some(l) => (k + l <= self.most).then_some((l, l)),
            None => (k < self.most).then(|| (1, self.most - k)),
        }
    }

    /// Infinite where the pair cannot meet the rate.
    fn bits(&self, k: u32, l: u32) -> f64 {
        self.shape(k, l).map_or(f64::INFINITY, |shape| shape.bits_per_key())
    }

    fn shape(&self, k: u32, l: u32) -> Option<Shape> {
        let meets = |fill| steady_chance(k, l, fill, 1.0) <= self.rate;
        let fill = match self.fill {
            Some(fill) => meets(fill).then_some(fill),
            None => largest(LEAST_FILL, MOST_FILL, meets),
        };
        fill.map(|fill| Shape { k, l, fill })
    }

    /// Names what keeps the search from a solution, the bound on the slices if nothing narrower does.
    fn no_solution(&self) -> Error {
        let rate = self.rate;
        match (self.k, self.l, self.fill) {
            (Some(k), _, _) if k >= self.most => {
                Error::option(Field::MaxSlices, self.most, format!("more than k = {k}"))
            }
            (_, _, Some(fill)) => {
                Error::option(Field::Fill, fill, format!("less, or more slices: none meets an error_rate of {rate}"))
            }
            (Some(k), _, None) => {
                Error::option(Field::K, k, format!("more: no fill from 0.1 meets an error_rate of {rate}"))
            }
            (None, Some(l), None) => {
                Error::option(Field::L, l, format!("less, or a larger max_slices: none meets an error_rate of {rate}"))
            }
            (None, None, None) => {
                Error::option(Field::MaxSlices, self.most, format!("more: none meets an error_rate of {rate}"))
            }
        }
    }
}

/// The largest `x` in `low..=high` with `holds(x)`, for a predicate that holds up to some point.
fn largest(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(high) {
        return Some(high);
    }
    if !holds(low) {
        return None;
    }
    let (mut yes, mut no) = (low, high);
    for _ in 0..40 {
        let middle = f64::midpoint(yes, no);
        if holds(middle) { yes = middle } else { no = middle }
    }
    Some(yes)
}
