//! The search for the k, l and fill of least bits.
//!
//! The search compares a pair without solving it for its fill: the fewest bits so far give the pair a fill, and if it
//! meets the rate with that, it needs no more bits. Along l the chance at fixed bits has one valley (at first more slices
//! make the share of young ones smaller, then each is one more chance), and its bottom for one k is near that for the next.
//!
//! Price: some 200 quick chances and 4 exact ones with 32 slices, 10 us in all; with 1,024 up to 1 ms, and 20 ms where
//! the rate is 1e-300 (`a_search_is_short`).

use std::fmt;

use crate::error::Error;
use crate::field::Field;
use crate::num;
use crate::text::Brief;

use super::layout::{DEFAULT_MAX_SLICES, LEAST_FILL, Layout, MOST_FILL};
use super::quick::{Quick, unsure};
use super::shape::Shape;
use super::steady_chance;

/// The exact search: among all k and l, each with the largest fill that meets the rate, the fewest bits.
pub(super) struct Search {
    pub(super) k: Option<u32>,
    pub(super) l: Option<u32>,
    pub(super) fill: Option<f64>,
    pub(super) rate: f64,
    pub(super) most: u32,
    pub(super) layout: Layout,
}

/// Bits that differ by this share only are the same.
const SAME: f64 = 1e-9;
/// A plan may cost this much more than the cheapest one if it needs fewer bits per key to be set.
pub(super) const TIE: f64 = 1.01;

impl Search {
    /// The listed result of [`Search::run`], if there is one.
    pub(super) fn listed(&self) -> Option<Shape> {
        let is_open = self.k.is_none() && self.l.is_none() && self.fill.is_none() && self.most == DEFAULT_MAX_SLICES;
        let same = |rate: f64| rate.to_bits() == self.rate.to_bits();
        let found = self.layout.listed.iter().find(|(rate, ..)| is_open && same(*rate));
        found.and_then(|(_, k, l, fill)| Shape::known(*k, *l, *fill, self.layout))
    }

    pub(super) fn run(&self) -> Result<Shape, Error> {
        let (mut quick, mut least, mut near) = (Quick::new(), f64::INFINITY, 1);
        for k in self.guess().into_iter().chain(self.ks()) {
            least = self.least_bits(&mut quick, k, &mut near, least);
        }
        near = 1;
        let within = self.ks().find_map(|k| self.within(&mut quick, k, &mut near, TIE * least));
        within.ok_or_else(|| self.no_solution())
    }

    pub(super) fn ks(&self) -> std::ops::RangeInclusive<u32> {
        self.k.map_or(1..=self.most - 1, |k| k..=k)
    }

    /// A k that needs few bits, after which most others are soon out of the question: that of a Bloom filter or, where
    /// slices are few, two fifths of them.
    fn guess(&self) -> Option<u32> {
        let bloom = u32::try_from(num::floor(1.0 - self.rate.log2())).unwrap_or(u32::MAX);
        self.k.is_none().then(|| bloom.min(self.most * 2 / 5).max(1))
    }

    /// The fewest bits of this k, or `bits` if it needs more. `near` is where the bottom of the valley was last.
    fn least_bits(&self, quick: &mut Quick, k: u32, near: &mut u32, mut bits: f64) -> f64 {
        let choices = self.choices(k);
        if bits.is_infinite() && choices > 0 && self.excess(quick, k, choices, bits) <= 0.0 {
            (bits, *near) = (self.bits(quick, k, choices, bits), choices);
        }
        while let Some(found) = self.bottom(quick, k, near, bits).then(|| self.bits(quick, k, *near, bits)) {
            if found >= bits * (1.0 - SAME) {
                break;
            }
            bits = found;
        }
        bits
    }

    /// The shape of this k and the smallest l on the falling side of the valley that costs at most `bits`.
    fn within(&self, quick: &mut Quick, k: u32, near: &mut u32, bits: f64) -> Option<Shape> {
        let found = self.bottom(quick, k, near, bits);
        let j = found.then(|| first(1, *near, |j| self.excess(quick, k, j, bits) <= 0.0))?;
        self.shape(quick, k, j, bits)
    }

    /// Moves `near` to the bottom of the valley of this k; returns whether it costs at most `bits`.
    fn bottom(&self, quick: &mut Quick, k: u32, near: &mut u32, bits: f64) -> bool {
        let choices = self.choices(k);
        // The most slices need the least fill for that many bits: more than there may be is too much for all.
        if choices == 0 || self.enough(k, choices, bits).is_some_and(|fill| fill > MOST_FILL) {
            return false;
        }
        let excess;
        (*near, excess) = bottom(choices, *near, |j| self.excess(quick, k, j, bits));
        excess <= 0.0
    }

    /// The fill with which the pair costs that many bits, if it can be laid out.
    fn enough(&self, k: u32, j: u32, bits: f64) -> Option<f64> {
        let l = self.l(k, j);
        let slices = (self.layout.slices)(k, l)?;
        Some(-(-f64::from(k) * f64::from(slices) / (f64::from(l) * bits)).exp_m1())
    }

    /// The `j`-th l that may go with k.
    pub(super) fn l(&self, k: u32, j: u32) -> u32 {
        self.l.unwrap_or_else(|| (self.layout.l)(k, j))
    }

    /// How many l may go with k within the bound on the slices.
    pub(super) fn choices(&self, k: u32) -> u32 {
        match self.l {
            Some(l) => u32::from(k + l <= self.most),
            None => first(0, self.most, |j| k + (self.layout.l)(k, j + 1) > self.most),
        }
    }

    /// How far the pair is from meeting the rate with that many bits: at most 0 if it does, on a scale with one valley.
    fn excess(&self, quick: &mut Quick, k: u32, j: u32, bits: f64) -> f64 {
        let l = self.l(k, j);
        let Some(enough) = self.enough(k, j, bits) else { return f64::INFINITY };
        match self.fill {
            Some(fill) if !self.meets(quick, k, l, fill) => f64::INFINITY,
            Some(fill) => enough - fill,
            // Higher than any logarithm, and lower the nearer it is.
            None if enough > MOST_FILL => f64::MAX.sqrt() * enough,
            None => quick.log_chance(k, l, enough.max(LEAST_FILL)) - self.rate.ln(),
        }
    }

    /// Whether the exact chance is at most the rate.
    fn meets(&self, quick: &mut Quick, k: u32, l: u32, fill: f64) -> bool {
        let excess = quick.log_chance(k, l, fill) - self.rate.ln();
        if excess.abs() > unsure(k) * f64::from(k) { excess < 0.0 } else { self.meets_exactly(k, l, fill) }
    }

    fn meets_exactly(&self, k: u32, l: u32, fill: f64) -> bool {
        #[cfg(test)]
        super::tests::LOOKED.set((super::tests::LOOKED.get().0, super::tests::LOOKED.get().1 + 1));
        steady_chance(k, l, fill, 1.0) <= self.rate
    }

    /// The bits per key of a pair that costs at most `bits`.
    fn bits(&self, quick: &mut Quick, k: u32, j: u32, bits: f64) -> f64 {
        let (l, fill) = (self.l(k, j), self.root(quick, k, j, bits));
        Shape { k, l, fill, slices: (self.layout.slices)(k, l).unwrap_or(u32::MAX) }.bits_per_key()
    }

    /// The fill of a pair that costs at most `bits`, nearly.
    fn root(&self, quick: &mut Quick, k: u32, j: u32, bits: f64) -> f64 {
        let start = self.enough(k, j, bits).unwrap_or(LEAST_FILL);
        self.fill.unwrap_or_else(|| quick.root(k, self.l(k, j), start, self.rate))
    }

    /// The shape of a pair that costs at most `bits`: its fill is the largest that meets the rate.
    fn shape(&self, quick: &mut Quick, k: u32, j: u32, bits: f64) -> Option<Shape> {
        let (l, root, unsure) = (self.l(k, j), self.root(quick, k, j, bits), unsure(k));
        // The exact chance decides where the quick one may be wrong.
        let meets = |fill: f64| if (fill - root).abs() > unsure { fill < root } else { self.meets_exactly(k, l, fill) };
        let fill = self.fill.or_else(|| largest(LEAST_FILL, MOST_FILL, meets))?;
        Some(Shape { k, l, fill, slices: (self.layout.slices)(k, l)? })
    }

    /// The error that names the option without which there is a solution: the bound on the slices if no narrower one is given.
    fn no_solution(&self) -> Error {
        let misses = |field, value: &dyn fmt::Display, cure| {
            Error::conflict(field, value, format_args!("no plan meets error_rate = {}; {cure}", Brief(self.rate)))
        };
        match (self.k, self.l, self.fill) {
            (Some(k), _, _) if k >= self.most => {
                Error::out_of_range(Field::MaxSlices, self.most, format_args!("more than k = {k}"))
            }
            (_, _, Some(fill)) => misses(Field::Fill, &fill, "lower fill or allow more slices"),
            (Some(k), _, None) => misses(Field::K, &k, "raise k"),
            (None, Some(l), None) => misses(Field::L, &l, "lower l or raise max_slices"),
            (None, None, None) => misses(Field::MaxSlices, &self.most, "raise max_slices"),
        }
    }
}

/// The first number of `low..=high` that is enough, where each number above an enough one is enough; `high` if none before is.
fn first(mut low: u32, mut high: u32, mut is_enough: impl FnMut(u32) -> bool) -> u32 {
    while low < high {
        let middle = low + (high - low) / 2;
        if is_enough(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// Where in `1..=n` the one valley of `value` has its bottom, and how deep it is: from `near` on in steps that double,
/// then by halving.
pub(super) fn bottom(n: u32, near: u32, mut value: impl FnMut(u32) -> f64) -> (u32, f64) {
    let mut known = [(0, 0.0); 2];
    let mut ask = |j: u32| {
        if let Some((_, found)) = known.iter().find(|(i, _)| *i == j) {
            return *found;
        }
        known = [(j, value(j)), known[0]];
        known[0].1
    };
    let mut rises = |j: u32| j >= n || ask(j + 1) >= ask(j);
    let (mut low, mut high, mut step) = (1, near.clamp(1, n), 1);
    if rises(high) {
        while low < high {
            let below = high.saturating_sub(step).max(1);
            if !rises(below) {
                low = below + 1;
                break;
            }
            (high, step) = (below, step * 2);
        }
    } else {
        low = high + 1;
        high = low;
        while !rises(high) {
            (low, step) = (high + 1, step * 2);
            high = (high + step).min(n);
        }
    }
    let found = first(low, high, rises);
    (found, ask(found))
}

/// The largest `x` in `low..=high` with `fits(x)`, for a predicate that is true up to some point.
pub(super) fn largest(low: f64, high: f64, fits: impl Fn(f64) -> bool) -> Option<f64> {
    if fits(high) {
        return Some(high);
    }
    if !fits(low) {
        return None;
    }
    let (mut yes, mut no) = (low, high);
    for _ in 0..40 {
        let middle = f64::midpoint(yes, no);
        if fits(middle) { yes = middle } else { no = middle }
    }
    Some(yes)
}
