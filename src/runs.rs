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

/// The same for the steady state of `k + l` slices at phase `u` of a generation, in O(k + l): the runs that touch the
/// ramp come from sums of logarithms, all others are `fill^k`.
pub(crate) fn steady_chance(k: u32, l: u32, fill: f64, u: f64) -> f64 {
    let (k, n) = (num::index(u64::from(k)), num::index(u64::from(k + l)));
    let empty = -(-fill).ln_1p() / num::real(num::wide(k));
    let fill_at = |i: usize| if i < k { -(-empty * (num::real(num::wide(i)) + u)).exp_m1() } else { fill };
    let full_run = (num::real(num::wide(k)) * fill.ln()).exp();
    let (mut missed, mut logs) = (Vec::with_capacity(n + 1), Vec::with_capacity(2 * k + 1));
    missed.push(1.0);
    logs.push(0.0);
    let mut chance: f64 = 0.0;
    for i in 0..n {
        let (alive, fill) = (1.0 - chance, fill_at(i));
        if i < 2 * k {
            logs.push(logs[i] + fill.ln());
        }
        if i + 1 >= k {
            let run = if i < 2 * k { (logs[i + 1] - logs[i + 1 - k]).exp() } else { full_run };
            chance += missed[i + 1 - k] * run;
        }
        missed.push(alive * (1.0 - fill));
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
    /// The slices that are paid for: k + l, and what the layout adds.
    pub(crate) slices: u32,
}

/// Slices that the search may use unless the options say otherwise.
const DEFAULT_MAX_SLICES: u32 = 32;
/// The most slices that the search may use.
const MOST_SLICES: u32 = 1024;
/// The emptiest that full slices may be planned.
pub(crate) const LEAST_FILL: f64 = 0.1;
/// The fullest.
pub(crate) const MOST_FILL: f64 = 0.9;
/// A plan may cost this much more than the cheapest one if it needs fewer bits per key to be set.
const TIE: f64 = 1.01;

impl Shape {
    /// The shape that the options ask for: what they give is kept, the rest is searched.
    pub(crate) fn new(options: &Options, rate: f64, layout: Layout) -> Result<Self, Error> {
        let (k, l) = given_pair(options)?;
        let fill = within(Field::Fill, options.fill, LEAST_FILL, MOST_FILL)?;
        let given = options.checked_error_rate()?;
        let (most, rate) = (max_slices(options, k, l)?, given.unwrap_or(rate));
        match (k, l, fill, given) {
            (Some(k), Some(l), Some(fill), None) => Self::of(k, l, fill, layout),
            (Some(_), Some(_), Some(_), Some(rate)) => {
                Err(Error::option(Field::ErrorRate, rate, "0 when k, l and fill are all given: they fix it"))
            }
            _ => Search { k, l, fill, rate, most, layout }.run(),
        }
    }

    /// This shape and no other.
    fn of(k: u32, l: u32, fill: f64, layout: Layout) -> Result<Self, Error> {
        let slices = (layout.slices)(k, l);
        let slices =
            slices.ok_or_else(|| Error::option(Field::L, l, format!("less beside k = {k}: at most 62 k - 1")))?;
        Ok(Self { k, l, fill, slices })
    }

    /// The shape of least error rate among those that leave what is given and have a fill, the first of equals.
    pub(crate) fn tightest(
        options: &Options,
        layout: Layout,
        fill: impl Fn(u32, u32) -> Option<f64>,
    ) -> Result<Option<Self>, Error> {
        let (k, l) = given_pair(options)?;
        let search = Search { k, l, fill: None, rate: 0.0, most: max_slices(options, k, l)?, layout };
        let pairs = search.ks().flat_map(|k| (1..=search.choices(k).unwrap_or(0)).map(move |j| (k, j)));
        let shapes = pairs.filter_map(|(k, j)| {
            let l = search.l(k, j);
            Some(Self { k, l, fill: fill(k, l)?, slices: (layout.slices)(k, l)? })
        });
        Ok(shapes.map(|shape| (shape.worst(), shape)).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, shape)| shape))
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
        let (k, l, slices) = (f64::from(self.k), f64::from(self.l), f64::from(self.slices));
        k * slices / (l * -(-self.fill).ln_1p())
    }
}

fn given_pair(options: &Options) -> Result<(Option<u32>, Option<u32>), Error> {
    let k = within(Field::K, options.k, 1, MOST_SLICES - 1)?;
    Ok((k, within(Field::L, options.l, 1, MOST_SLICES - 1)?))
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

/// Which l a kind can lay out well, and how many slices' worth of bits a pair costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// The `j`-th l for this k, from 1, growing with `j`.
    pub(crate) l: fn(k: u32, j: u32) -> u32,
    /// The slices that are paid for, k + l and whatever the layout adds; `None` if it cannot hold them.
    pub(crate) slices: fn(k: u32, l: u32) -> Option<u32>,
}

/// The exact search: every k; for each the l of least bits; for each pair the largest fill that meets the rate.
struct Search {
    k: Option<u32>,
    l: Option<u32>,
    fill: Option<f64>,
    rate: f64,
    most: u32,
    layout: Layout,
}

impl Search {
    fn run(&self) -> Result<Shape, Error> {
        let mut cheapest = f64::INFINITY;
        let mut best_by_k: Vec<Shape> = Vec::new();
        for k in self.ks() {
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

    fn ks(&self) -> std::ops::RangeInclusive<u32> {
        self.k.map_or(1..=self.most - 1, |k| k..=k)
    }

    /// The l of least bits for this k. Bits fall with l while the share of young slices shrinks, and rise again
    /// when the fill must: one valley, found by halving on the sign of the slope.
    fn best_l(&self, k: u32) -> Option<Shape> {
        let (mut low, mut high) = (1, self.choices(k)?);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.bits(k, middle + 1) < self.bits(k, middle) { low = middle + 1 } else { high = middle }
        }
        self.shape(k, low)
    }

    /// The smallest l on the falling side of the valley that costs at most `bound`.
    fn least_l(&self, best: Shape, bound: f64) -> Shape {
        let k = best.k;
        let (mut low, mut high) = (1, self.choices(k).unwrap_or(1));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.l(k, middle) >= best.l || self.bits(k, middle) <= bound { high = middle } else { low = middle + 1 }
        }
        self.shape(k, low).unwrap_or(best)
    }

    /// The `j`-th l that may stand beside k.
    fn l(&self, k: u32, j: u32) -> u32 {
        self.l.unwrap_or_else(|| (self.layout.l)(k, j))
    }

    /// How many l may stand beside k within the bound on the slices; `None` if there is none.
    fn choices(&self, k: u32) -> Option<u32> {
        match self.l {
            Some(l) => (k + l <= self.most).then_some(1),
            None => (1..self.most).take_while(|&j| k + (self.layout.l)(k, j) <= self.most).last(),
        }
    }

    /// Infinite where the pair cannot meet the rate.
    fn bits(&self, k: u32, j: u32) -> f64 {
        self.shape(k, j).map_or(f64::INFINITY, |shape| shape.bits_per_key())
    }

    fn shape(&self, k: u32, j: u32) -> Option<Shape> {
        let l = self.l(k, j);
        let slices = (self.layout.slices)(k, l)?;
        let meets = |fill| steady_chance(k, l, fill, 1.0) <= self.rate;
        let fill = match self.fill {
            Some(fill) => meets(fill).then_some(fill),
            None => largest(LEAST_FILL, MOST_FILL, meets),
        };
        fill.map(|fill| Shape { k, l, fill, slices })
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
