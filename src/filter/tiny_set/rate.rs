//! How often a TinySet calls an absent key present.
//!
//! **Cover.** An entry matches 2^-width of the keys of its chain, half of that where its extension bit is known. The
//! cover of a block is the sum over its entries, divided by L: all keys that match, counted once for each entry.
//!
//! **Chance.** The keys that match, counted once. Let r entries of one width be cells of M = L 2^width, and let f(j) be
//! the chance with j entries. Entry j + 1 was stored because it did not match, so it had the chance 1 / (M (1 - f(j)))
//! to take a given cell that is free: a cell is free with chance Product (1 - 1 / (M (1 - f(j)))), j < r. Entries that
//! share a cell now differed when they were stored and were cut alike since. Two widths divide the chains between them.
//! (The cover alone, which is the usual formula, is 0.5 % too high at a chance of 1 %, 14 % too high at 35 %.)
//!
//! **Rate.** Keys fall on blocks evenly, so entries per block are Poisson, and the rate of the filter is the mean of the
//! chances: it rises with every key, and past the planned load it rises on.

use crate::num;

use super::layout::{Layout, Sizes};

/// The cover of a block is counted in units of 2^-UNIT / L: one entry of the greatest width and its extension is one.
const UNIT: usize = 49;

/// The cover of a block, in units.
#[inline]
pub(super) fn units(items: usize, sizes: Sizes, known: usize) -> u64 {
    num::wide(2 * items - known) << (UNIT - 1 - sizes.width)
}

/// Cover and chance of a block, by its entries, if they were never more.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    covers: Vec<f64>,
    chances: Vec<f64>,
}

/// The rate of a filter from what its blocks cover in all.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    /// Mean covers, rising, and the rates at the loads at which blocks without removals cover as much.
    points: Vec<(f64, f64)>,
    chains: f64,
}

impl Rates {
    pub(super) fn new(layout: &Layout) -> Self {
        let chains = num::real(num::wide(layout.chains));
        let mut rates = Self { covers: Vec::new(), chances: Vec::new() };
        // The sum over the entries so far of 1 / (1 - f).
        let mut tries = 0.0;
        for items in 0..=layout.array() {
            let block = Expected::new(layout, items);
            let chance = block.chance(tries / chains);
            rates.covers.push(block.cover(num::real(num::wide(items)) / chains));
            rates.chances.push(chance);
            tries += 1.0 / (1.0 - chance);
        }
        rates
    }

    /// The chance of a block with so many entries.
    pub(super) fn of(&self, items: usize) -> f64 {
        self.chances[items.min(self.chances.len() - 1)]
    }

    /// The mean over blocks with so many keys on average.
    pub(super) fn mean(&self, keys_per_block: f64) -> f64 {
        mean(&self.chances, keys_per_block)
    }

    /// The mean from the first key on to so many per block.
    pub(super) fn mean_while_filling(&self, keys_per_block: f64) -> f64 {
        // The integral of P(X = r) over the mean is P(X > r).
        let mut more = 1.0;
        let mut sum = 0.0;
        for (items, share) in poisson(keys_per_block).enumerate() {
            more -= share;
            sum += f64::max(more, 0.0) * self.of(items);
        }
        sum / keys_per_block
    }

    /// The most keys per block whose rate is at most `target`, in so many halvings.
    pub(super) fn most_keys(&self, target: f64, halvings: usize) -> f64 {
        // The mean over loads is above the chance at the mean load.
        let above = self.chances.iter().take_while(|&&chance| chance <= target).count();
        let (mut yes, mut no) = (0.0, num::real(num::wide(above)));
        for _ in 0..halvings {
            let middle = f64::midpoint(yes, no);
            if self.mean(middle) <= target { yes = middle } else { no = middle }
        }
        yes
    }
}

impl Curve {
    /// Points of the curve; between them it is straight.
    const POINTS: u32 = 128;

    pub(super) fn new(layout: &Layout) -> Self {
        let (rates, most) = (Rates::new(layout), num::real(num::wide(layout.array())));
        let loads = (0..=Self::POINTS).map(|i| most * f64::from(i) / f64::from(Self::POINTS));
        let points = loads.map(|keys| (mean(&rates.covers, keys), mean(&rates.chances, keys))).collect();
        Self { points, chains: num::real(num::wide(layout.chains)) }
    }

    /// The rate of `blocks` blocks that cover so many units in all.
    pub(super) fn rate(&self, units: u128, blocks: u64) -> f64 {
        let [high, low] = [units >> 64, units & u128::from(u64::MAX)].map(|half| u64::try_from(half).unwrap_or(0));
        let units = num::real(high) * 2f64.powi(64) + num::real(low);
        let cover = units / num::real(1 << UNIT) / self.chains / num::real(blocks);
        let next = self.points.partition_point(|&(point, _)| point <= cover).clamp(1, self.points.len() - 1);
        let [(low, rate_low), (high, rate_high)] = [self.points[next - 1], self.points[next]];
        // The share of the cover that is counted once is what is nearly straight.
        let share = |point: f64, rate: f64| if point > 0.0 { rate / point } else { 1.0 };
        let between = ((cover - low) / (high - low)).min(1.0);
        (cover * (share(low, rate_low) * (1.0 - between) + share(high, rate_high) * between)).min(1.0)
    }
}

/// The mean of `values`, by entries, over blocks with so many keys on average; of full blocks when that is more than
/// they hold.
fn mean(values: &[f64], keys_per_block: f64) -> f64 {
    let last = values.len() - 1;
    if keys_per_block > num::real(num::wide(last)) {
        return values[last];
    }
    poisson(keys_per_block).enumerate().map(|(items, share)| share * values[items.min(last)]).sum()
}

/// A block whose entries were never more.
#[derive(Debug, Clone, Copy)]
struct Expected {
    /// What one entry without extension matches of its chain.
    short: f64,
    /// What one with an extension matches on average.
    long: f64,
    /// The share of entries that have one.
    extended: f64,
    items: f64,
}

impl Expected {
    fn new(layout: &Layout, items: usize) -> Self {
        let sizes = layout.sizes(items);
        let short = (0..sizes.width).fold(1.0, |short, _| short / 2.0);
        // Where a 0 is not knowledge, only half of the extensions are.
        let long = short * if layout.removable { 0.75 } else { 0.5 };
        let real = |n: usize| num::real(num::wide(n));
        Self { short, long, extended: real(sizes.extended) / real(items.max(1)), items: real(items.max(1)) }
    }

    /// All matching keys, counted once for each entry; `share` is entries per chain.
    fn cover(&self, share: f64) -> f64 {
        share * (self.extended * self.long + (1.0 - self.extended) * self.short)
    }

    /// All matching keys, counted once.
    fn chance(&self, share: f64) -> f64 {
        self.extended * self.taken(share * self.long) + (1.0 - self.extended) * self.taken(share * self.short)
    }

    /// 1 - Product (1 - x), where the x of all entries sum up to `sum` and are nearly equal.
    fn taken(&self, sum: f64) -> f64 {
        -(-sum - sum * sum / (2.0 * self.items)).exp_m1()
    }
}

/// P(X = 0), P(X = 1), ..., until the rest is nothing.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    let end = num::ceil(mean + 12.0 * mean.sqrt() + 30.0);
    let first = (-mean).exp();
    std::iter::successors(Some((0.0, first)), move |&(n, share)| Some((n + 1.0, share * mean / (n + 1.0))))
        .map(|(_, share)| share)
        .take(num::index(end))
}
