//! How often a TinySet calls an absent key present.
//!
//! **Cover.** An entry matches 2^-known of the keys of its chain. Known are its fingerprint and its extension bit, or
//! one bit less where it ends in a mark. The cover of a block is the sum over its entries, divided by L: all keys that
//! match, counted once for each entry.
//!
//! **Chance.** The keys that match, counted once. Let r entries of one width be cells of M = L 2^width, and let f(j) be
//! the chance with j entries. Entry j + 1 was stored because it did not match, so it had the chance 1 / (M (1 - f(j)))
//! to take a given cell that is free: a cell is free with chance Product (1 - 1 / (M (1 - f(j)))), j < r. Entries that
//! share a cell now differed when they were stored and were cut alike since. Two widths divide the chains between them.
//! (The cover alone, which is the usual formula, is 0.5 % too high at a chance of 1 %, 14 % too high at 35 %.)
//!
//! **Rate.** Keys fall on blocks evenly, so entries per block are Poisson, and the rate of the filter is the mean of the
//! chances: it rises with every key, and past the planned load it rises on.
//!
//! **Churn.** Remove a key that is chosen by chance, insert a new one, for ever: the entries of a block are a queue
//! M/M/inf with mean mu, Poisson at each moment, and an entry knows what the narrowest slot in its life left. With time
//! in turnovers, its age is exponential with mean 1, and seen backwards the queue is the same queue. So let o other
//! entries be there now, and phi(o) be the chance that there were o + 1 before the age is over:
//!
//! ```text
//!  phi(o) = mu / (mu + o + 1 - o phi(o - 1))
//!  x(o)   = (1 - phi(o)) 2^-known(o + 1) + phi(o) x(o + 1)      what an entry among o others covers on average
//! ```
//! A plan of a removable filter answers for that rate. It is a bound as long as ages are like that: keys that stay
//! while the rest of their block is replaced again and again have seen narrower slots, and know less.

use crate::num;

use super::layout::{Layout, Sizes};

/// The cover of a block is counted in units of 2^-UNIT / L: one entry of the greatest width and its extension is one.
pub(super) const UNIT: usize = 49;

/// The cover of an add-only block, in units.
#[inline]
pub(super) fn units(items: usize, sizes: Sizes) -> u64 {
    num::wide(2 * items - sizes.extended) << (UNIT - 1 - sizes.width)
}

/// Cover and chance of a block, by its entries, if they were never more.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    blocks: Vec<Expected>,
    covers: Vec<f64>,
    chances: Vec<f64>,
    chains: f64,
    removable: bool,
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
        let blocks: Vec<_> = (0..=layout.array()).map(|items| Expected::new(layout, items)).collect();
        let covers = (0..).zip(&blocks).map(|(items, block)| block.cover(f64::from(items) / chains)).collect();
        let chances = chances(chains, blocks.iter().copied());
        Self { blocks, covers, chances, chains, removable: layout.removable }
    }

    /// The chance of a block with that many entries.
    pub(super) fn of(&self, items: usize) -> f64 {
        self.chances[items.min(self.chances.len() - 1)]
    }

    /// The rate that a plan answers for with that many keys per block on average: under endless churn, if keys can be
    /// removed.
    pub(super) fn worst(&self, keys_per_block: f64) -> f64 {
        if self.removable { self.under_churn(keys_per_block) } else { self.mean(keys_per_block) }
    }

    /// The mean over blocks of which random keys are replaced for ever.
    fn under_churn(&self, keys_per_block: f64) -> f64 {
        let others = num::index(poisson_end(keys_per_block)).min(self.blocks.len() - 2);
        let mut before = 0.0;
        let risen: Vec<f64> = (0..=others)
            .map(|others| {
                let others = num::real(num::wide(others));
                before = keys_per_block / (keys_per_block + others + 1.0 - others * before);
                before
            })
            .collect();
        let mut churned = self.blocks[..others + 2].to_vec();
        for others in (0..others).rev() {
            let (now, more) = (churned[others + 1], churned[others + 2]);
            churned[others + 1] = now.between(more, risen[others]);
        }
        mean(&chances(self.chains, churned.into_iter()), keys_per_block)
    }

    /// The mean over blocks with that many keys on average, of which none was removed.
    pub(super) fn mean(&self, keys_per_block: f64) -> f64 {
        mean(&self.chances, keys_per_block)
    }

    /// The mean from the first key on to that many per block.
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

    /// The most keys per block whose rate is at most `target`, in that many halvings.
    pub(super) fn most_keys(&self, target: f64, halvings: usize) -> f64 {
        // The mean over loads is above the chance at the mean load.
        let above = self.chances.iter().take_while(|&&chance| chance <= target).count();
        let (mut yes, mut no) = (0.0, num::real(num::wide(above)));
        for _ in 0..halvings {
            let middle = f64::midpoint(yes, no);
            if self.worst(middle) <= target { yes = middle } else { no = middle }
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

    /// The rate of `blocks` blocks that cover that many units in all.
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

/// The mean of `values`, by entries, over blocks with that many keys on average; of full blocks when that is more than
/// they hold.
fn mean(values: &[f64], keys_per_block: f64) -> f64 {
    let last = values.len() - 1;
    if keys_per_block > num::real(num::wide(last)) {
        return values[last];
    }
    poisson(keys_per_block).enumerate().map(|(items, share)| share * values[items.min(last)]).sum()
}

/// The chances of blocks with 0, 1, ... entries.
fn chances(chains: f64, blocks: impl Iterator<Item = Expected>) -> Vec<f64> {
    // The sum over the entries so far of 1 / (1 - f).
    let mut tries = 0.0;
    let chance = |block: Expected| {
        let chance = block.chance(tries / chains);
        tries += 1.0 / (1.0 - chance);
        chance
    };
    blocks.map(chance).collect()
}

/// What the entries of a block match on average.
#[derive(Debug, Clone, Copy)]
struct Expected {
    /// What one without extension matches of its chain.
    short: f64,
    /// What one with an extension matches.
    long: f64,
    /// The share of entries that have one.
    extended: f64,
    items: f64,
}

impl Expected {
    /// A block whose entries were never more.
    fn new(layout: &Layout, items: usize) -> Self {
        let sizes = layout.sizes(items);
        let matched = |known: usize| (0..known).fold(1.0, |share, _| share / 2.0);
        // The mark takes a bit.
        let mark = usize::from(layout.removable);
        let (short, long) = (matched(sizes.width.saturating_sub(mark)), matched(sizes.width + 1 - mark));
        let real = |n: usize| num::real(num::wide(n));
        Self { short, long, extended: real(sizes.extended) / real(items.max(1)), items: real(items.max(1)) }
    }

    /// As many entries, each of which is with a chance of `part` as in `other`.
    fn between(self, other: Self, part: f64) -> Self {
        let mixed = (1.0 - part) * self.cover(1.0) + part * other.cover(1.0);
        Self { short: mixed, extended: 0.0, ..self }
    }

    /// All matching keys, counted once for each entry; `share` is entries per chain.
    fn cover(&self, share: f64) -> f64 {
        share * (self.extended * self.long + (1.0 - self.extended) * self.short)
    }

    /// All matching keys, counted once.
    fn chance(&self, share: f64) -> f64 {
        let short = (1.0 - self.extended) * self.taken(share * self.short);
        if self.extended > 0.0 { self.extended * self.taken(share * self.long) + short } else { short }
    }

    /// 1 - Product (1 - x), where the x of all entries sum up to `sum` and are nearly equal.
    fn taken(&self, sum: f64) -> f64 {
        -(-sum - sum * sum / (2.0 * self.items)).exp_m1()
    }
}

/// P(X = 0), P(X = 1), ..., until the rest is nothing.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    let first = (-mean).exp();
    std::iter::successors(Some((0.0, first)), move |&(n, share)| Some((n + 1.0, share * mean / (n + 1.0))))
        .map(|(_, share)| share)
        .take(num::index(poisson_end(mean)))
}

/// Where the rest is nothing.
fn poisson_end(mean: f64) -> u64 {
    num::ceil(mean + 12.0 * mean.sqrt() + 30.0)
}
