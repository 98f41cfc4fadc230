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

use super::layout::{Shape, Sizes};

/// The cover of a block is counted in units of 2^-UNIT / L: one entry of the greatest width and its extension is one.
pub(super) const UNIT: usize = 49;

/// The cover of an add-only block, in units.
#[inline]
pub(super) fn units(items: usize, sizes: Sizes) -> u64 {
    num::wide(2 * items - sizes.extended) << (UNIT - 1 - sizes.width)
}

/// The most entries of a block, and 1.
const MOST: usize = 512;

/// The chance of a block, by its entries, if they were never more; computed as far as it is asked for.
pub(super) struct Rates {
    shape: Shape,
    blocks: [Expected; MOST],
    chances: Chances,
    /// Blocks and chances that are known.
    known: usize,
}

impl Rates {
    pub(super) fn new(shape: Shape) -> Self {
        let chances = Chances::new(shape.chains);
        Self { shape, blocks: [Expected::default(); MOST], chances, known: 0 }
    }

    /// Sees to it that blocks with up to that many entries are known.
    fn reach(&mut self, items: usize) {
        for items in self.known..=items.min(self.shape.array()) {
            self.blocks[items] = Expected::new(self.shape, items);
            self.chances.push(items, self.blocks[items]);
            self.known = items + 1;
        }
    }

    /// The most entries of a block.
    pub(super) fn most_entries(&self) -> usize {
        self.shape.array()
    }

    /// The chance of a block with that many entries.
    pub(super) fn of(&mut self, items: usize) -> f64 {
        let items = items.min(self.shape.array());
        self.reach(items);
        self.chances.list[items]
    }

    /// The rate that a plan answers for with that many keys per block on average: under endless churn, if keys can be
    /// removed.
    pub(super) fn worst(&mut self, keys_per_block: f64) -> f64 {
        if self.shape.removable { self.under_churn(keys_per_block) } else { self.mean(keys_per_block) }
    }

    /// The mean over blocks of which random keys are replaced for ever.
    fn under_churn(&mut self, keys_per_block: f64) -> f64 {
        let last = self.shape.array();
        let others = num::index(poisson_end(keys_per_block)).min(last - 1);
        self.reach(others + 1);
        let mut risen = [0.0; MOST];
        let mut before = 0.0;
        for (others, risen) in (0..=others).zip(&mut risen) {
            let others = num::real(num::wide(others));
            before = keys_per_block / (keys_per_block + others + 1.0 - others * before);
            *risen = before;
        }
        let mut churned = self.blocks;
        for others in (0..others).rev() {
            let (now, more) = (churned[others + 1], churned[others + 2]);
            churned[others + 1] = now.between(more, risen[others]);
        }
        let mut chances = Chances::new(self.shape.chains);
        (0..others + 2).for_each(|items| chances.push(items, churned[items]));
        mean(&chances.list[..others + 2], keys_per_block)
    }

    /// The mean over blocks with that many keys on average, of which none was removed.
    pub(super) fn mean(&mut self, keys_per_block: f64) -> f64 {
        let last = self.shape.array();
        let end = if self.holds(keys_per_block) { num::index(poisson_end(keys_per_block)).min(last) } else { last };
        self.reach(end);
        mean(&self.chances.list[..=end], keys_per_block)
    }

    fn holds(&self, keys_per_block: f64) -> bool {
        keys_per_block <= num::real(num::wide(self.shape.array()))
    }

    /// The mean from the first key on to that many per block.
    pub(super) fn mean_while_filling(&mut self, keys_per_block: f64) -> f64 {
        // The integral of P(X = r) over the mean is P(X > r).
        let mut more = 1.0;
        let mut sum = 0.0;
        for (items, share) in poisson(keys_per_block).enumerate() {
            more -= share;
            sum += f64::max(more, 0.0) * self.of(items);
        }
        sum / keys_per_block
    }

    /// The most keys per block whose rate is at most `target`, in that many halvings; 0 unless that is more than `least`.
    pub(super) fn most_keys(&mut self, target: f64, halvings: i32, least: f64) -> f64 {
        // The mean over loads is above the chance at the mean load.
        let all = self.most_entries() + 1;
        let above = (0..all).take_while(|&items| self.of(items) <= target).count();
        let mut meets = Meets { target, good: 0.0, bad: num::real(num::wide(above)) };
        if !meets.ask(self, least) {
            return 0.0;
        }
        let (mut yes, mut no) = (0.0, meets.bad);
        meets.close_in(self, 8.0 * 0.5f64.powi(halvings));
        for _ in 0..halvings {
            let middle = f64::midpoint(yes, no);
            if meets.ask(self, middle) { yes = middle } else { no = middle }
        }
        yes
    }

    /// The rate of `blocks` blocks that cover that many units in all: that of the load at which blocks without removals
    /// cover as much, between the two nearest of some loads.
    pub(super) fn of_cover(&mut self, units: u128, blocks: u64) -> f64 {
        let [high, low] = [units >> 64, units & u128::from(u64::MAX)].map(|half| u64::try_from(half).unwrap_or(0));
        let units = num::real(high) * 2f64.powi(64) + num::real(low);
        let cover = units / num::real(1 << UNIT) / num::real(num::wide(self.shape.chains)) / num::real(blocks);
        // Halving: at `low` blocks cover no more, or it is the first; at `high` more, or it is the last.
        let [mut low, mut high] = [0, LOADS];
        while high - low > 1 {
            let middle = u32::midpoint(low, high);
            if self.covered(middle) <= cover { low = middle } else { high = middle }
        }
        let [(low, rate_low), (high, rate_high)] = [low, high].map(|i| (self.covered(i), self.mean(self.load(i))));
        // The share of the cover that is counted once is what is nearly straight.
        let share = |point: f64, rate: f64| if point > 0.0 { rate / point } else { 1.0 };
        let between = ((cover - low) / (high - low)).min(1.0);
        (cover * (share(low, rate_low) * (1.0 - between) + share(high, rate_high) * between)).min(1.0)
    }

    /// The `i`-th of the loads, in keys per block.
    fn load(&self, i: u32) -> f64 {
        num::real(num::wide(self.shape.array())) * f64::from(i) / f64::from(LOADS)
    }

    /// What a block covers on average at the `i`-th load.
    fn covered(&mut self, i: u32) -> f64 {
        let (keys, last) = (self.load(i), self.shape.array());
        let chains = num::real(num::wide(self.shape.chains));
        self.reach(num::index(poisson_end(keys)));
        let cover = |items: usize| self.blocks[items].cover(num::real(num::wide(items)) / chains);
        poisson(keys).enumerate().map(|(items, share)| share * cover(items.min(last))).sum()
    }
}

/// Loads at which the cover is compared.
const LOADS: u32 = 128;

/// Whether loads meet a rate, which rises with the load: what is known is not asked again.
struct Meets {
    target: f64,
    /// The highest load that is known to meet it, and the lowest that is known not to.
    good: f64,
    bad: f64,
}

impl Meets {
    fn ask(&mut self, rates: &mut Rates, load: f64) -> bool {
        load <= self.good || load < self.bad && self.tell(load, rates.worst(load))
    }

    fn tell(&mut self, load: f64, rate: f64) -> bool {
        let meets = rate <= self.target;
        if meets {
            self.good = self.good.max(load)
        } else {
            self.bad = self.bad.min(load)
        }
        meets
    }

    /// Brings the two together, to about a `part` of either: logarithms of rates lie nearly straight over those of loads.
    fn close_in(&mut self, rates: &mut Rates, part: f64) {
        let (mut before, mut load, mut slope) = (None, f64::midpoint(self.good, self.bad), 8.0);
        for _ in 0..8 {
            let rate = rates.worst(load);
            self.tell(load, rate);
            let point = (load.ln(), (rate / self.target).ln());
            if let Some((x, y)) = before.replace(point) {
                slope = (point.1 - y) / (point.0 - x);
            }
            let next = (point.0 - point.1 / slope).exp();
            if !(next > self.good && next < self.bad) || (next / load - 1.0).abs() < part {
                break;
            }
            load = next;
        }
        self.ask(rates, load * (1.0 - part));
        self.ask(rates, load * (1.0 + part));
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
struct Chances {
    list: [f64; MOST],
    /// The sum over the entries so far of 1 / (1 - f).
    tries: f64,
    chains: f64,
}

impl Chances {
    fn new(chains: usize) -> Self {
        Self { list: [0.0; MOST], tries: 0.0, chains: num::real(num::wide(chains)) }
    }

    /// The next one.
    fn push(&mut self, items: usize, block: Expected) {
        let chance = block.chance(self.tries / self.chains);
        self.tries += 1.0 / (1.0 - chance);
        self.list[items] = chance;
    }
}

/// What the entries of a block match on average.
#[derive(Debug, Clone, Copy, Default)]
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
    fn new(shape: Shape, items: usize) -> Self {
        let sizes = shape.sizes(items);
        let matched = |known: usize| (0..known).fold(1.0, |share, _| share / 2.0);
        // The mark takes a bit.
        let mark = usize::from(shape.removable);
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
