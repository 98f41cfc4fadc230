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
//! **Churn.** Remove a key that is chosen by chance, insert a new one, forever: the entries of a block are a queue
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
    chances: Known,
    /// The part of its chain that an entry matches on average.
    covers: Known,
    /// The same under churn, by the entries of its block now.
    churned: [f64; MOST],
    tries: Tries,
}

/// The values of blocks with 0, 1, ... entries, as far as they are known.
struct Known {
    list: [f64; MOST],
    len: usize,
}

impl Known {
    const fn none() -> Self {
        Self { list: [0.0; MOST], len: 0 }
    }

    /// Computes the values of blocks with up to that many entries, unless they are known.
    fn reach(&mut self, items: usize, mut value: impl FnMut(usize) -> f64) {
        for items in self.len..=items {
            self.list[items] = value(items);
            self.len = items + 1;
        }
    }
}

impl Rates {
    pub(super) fn new(shape: Shape) -> Self {
        Self { shape, chances: Known::none(), covers: Known::none(), churned: [0.0; MOST], tries: Tries::new(shape) }
    }

    /// Computes the chances of blocks with up to that many entries, unless they are known.
    fn reach(&mut self, items: usize) {
        let Self { shape, chances, tries, .. } = self;
        chances.reach(items.min(shape.array()), |items| tries.next(&Expected::new(*shape, items)));
    }

    fn reach_cover(&mut self, items: usize) {
        let shape = self.shape;
        self.covers.reach(items.min(shape.array()), |items| Expected::new(shape, items).cover());
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
        self.worst_within(keys_per_block, f64::INFINITY)
    }

    /// The same, or anything above `most` if it is above that.
    pub(super) fn worst_within(&mut self, keys_per_block: f64, most: f64) -> f64 {
        if self.shape.removable {
            self.under_churn(keys_per_block, most)
        } else {
            self.mean_within(keys_per_block, most)
        }
    }

    /// The mean over blocks of which random keys are replaced forever.
    fn under_churn(&mut self, keys_per_block: f64, most: f64) -> f64 {
        self.churn(keys_per_block);
        let (covers, mut tries, mut known, mut last) = (&self.churned, Tries::new(self.shape), 0, 0.0);
        let chance = |items| {
            if items == known {
                (known, last) = (items + 1, tries.next_alike(items, covers[items]));
            }
            last
        };
        mean(self.shape.array(), keys_per_block, most, chance)
    }

    /// The mean over blocks with that many keys on average, of which none was removed.
    pub(super) fn mean(&mut self, keys_per_block: f64) -> f64 {
        self.mean_within(keys_per_block, f64::INFINITY)
    }

    fn mean_within(&mut self, keys_per_block: f64, most: f64) -> f64 {
        mean(self.shape.array(), keys_per_block, most, |items| self.of(items))
    }

    /// Finds x of the essay, each behind the one before it, and phi before that.
    fn churn(&mut self, keys_per_block: f64) {
        let most = num::index(poisson_end(keys_per_block)).min(self.shape.array());
        self.reach_cover(most);
        let (list, covers) = (&mut self.churned, &self.covers.list);
        let mut before = 0.0;
        for (others, risen) in (0u32..).map(f64::from).zip(&mut list[1..most]) {
            before = keys_per_block / (keys_per_block + others + 1.0 - others * before);
            *risen = before;
        }
        let mut more = covers[most];
        list[most] = more;
        for (risen, cover) in list[1..most].iter_mut().zip(&covers[1..most]).rev() {
            more = (1.0 - *risen) * cover + *risen * more;
            *risen = more;
        }
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
        let mut meets = Meets { target, good: 0.0, bad: f64::INFINITY, last: None };
        if least > 0.0 && !meets.ask(self, least) {
            return 0.0;
        }
        // The mean over loads is above the chance at the mean load.
        let above = (0..self.most_entries() + 1).take_while(|&items| self.of(items) <= target).count();
        meets.bad = num::real(num::wide(above));
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

    /// The mean cover of a block at the `i`-th load.
    fn covered(&mut self, i: u32) -> f64 {
        let (keys, last) = (self.load(i), self.shape.array());
        let chains = num::real(num::wide(self.shape.chains));
        self.reach_cover(num::index(poisson_end(keys)));
        let cover = |items: usize| num::real(num::wide(items)) / chains * self.covers.list[items];
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
    /// The load that was asked last, and its rate over the target: the logarithms, which lie nearly straight.
    last: Option<(f64, f64)>,
}

/// About how fast logarithms of rates rise with those of loads.
const SLOPE: f64 = 6.0;

impl Meets {
    fn ask(&mut self, rates: &mut Rates, load: f64) -> bool {
        load <= self.good || load < self.bad && self.tell(load, rates.worst_within(load, self.target))
    }

    fn tell(&mut self, load: f64, rate: f64) -> bool {
        let meets = rate <= self.target;
        if meets {
            self.good = self.good.max(load)
        } else {
            self.bad = self.bad.min(load)
        }
        self.last = Some((load.ln(), (rate / self.target).ln()));
        meets
    }

    /// Brings the two together, to about a `part` of either, along the line through the last two loads.
    fn close_in(&mut self, rates: &mut Rates, part: f64) {
        let (mut slope, mut step) = (SLOPE, 1.0);
        let mut load = self.last.map_or(f64::midpoint(self.good, self.bad), |(x, y)| (x - y / slope).exp());
        for _ in 0..8 {
            if !(load > self.good && load < self.bad) {
                break;
            }
            let before = self.last;
            self.tell(load, rates.worst(load));
            let (Some((x, y)), before) = (self.last, before) else { break };
            if let Some((x_before, y_before)) = before {
                slope = (y - y_before) / (x - x_before);
            }
            let next = (x - y / slope).exp();
            let (step_before, error) = (step, next / load - 1.0);
            (load, step) = (next, error);
            // The error of the line is about the product of the last two steps.
            if (step_before * step).abs() < part / 4.0 {
                break;
            }
        }
        self.ask(rates, load * (1.0 - part));
        self.ask(rates, load * (1.0 + part));
    }
}

/// The mean of a value, which rises with the entries of a block, over blocks of at most `last` entries with that many keys
/// on average, or anything above `most` if it is above that; the value of full blocks when there are more keys.
fn mean(last: usize, keys_per_block: f64, most: f64, mut value: impl FnMut(usize) -> f64) -> f64 {
    if keys_per_block > num::real(num::wide(last)) {
        return (0..=last).fold(0.0, |_, items| value(items));
    }
    let mut sum = 0.0;
    for (items, share) in poisson(keys_per_block).enumerate() {
        sum += share * value(items.min(last));
        if sum > most {
            break;
        }
    }
    sum
}

/// The chances of blocks with 0, 1, ... entries, one after the other.
struct Tries {
    /// The sum over the entries so far of 1 / (1 - f).
    sum: f64,
    /// 1 / L.
    part: f64,
}

impl Tries {
    fn new(shape: Shape) -> Self {
        Self { sum: 0.0, part: 1.0 / num::real(num::wide(shape.chains)) }
    }

    fn next(&mut self, block: &Expected) -> f64 {
        let chance = block.chance(self.sum * self.part);
        self.sum += 1.0 / (1.0 - chance);
        chance
    }

    /// The same for a block of which each entry matches as much.
    fn next_alike(&mut self, items: usize, cover: f64) -> f64 {
        let free = Expected::alike(items, cover).free(self.sum * self.part * cover);
        self.sum += (-free).exp();
        -free.exp_m1()
    }
}

/// The parts of their chains that the entries of a block match on average.
#[derive(Debug, Clone, Copy)]
struct Expected {
    /// Of an entry without an extension.
    short: f64,
    /// Of an entry with one.
    long: f64,
    /// The share of entries that have one.
    extended: f64,
    /// 1 / (2 entries).
    half: f64,
}

impl Expected {
    /// A block whose entries were never more.
    fn new(shape: Shape, items: usize) -> Self {
        let sizes = shape.sizes(items);
        let matched = |known: usize| 1.0 / num::real(1 << known);
        // The mark takes a bit.
        let mark = usize::from(shape.removable);
        let (short, long) = (matched(sizes.width.saturating_sub(mark)), matched(sizes.width + 1 - mark));
        let alike = Self::alike(items, short);
        Self { long, extended: num::real(num::wide(2 * sizes.extended)) * alike.half, ..alike }
    }

    /// A block whose entries each match as much.
    fn alike(items: usize, cover: f64) -> Self {
        Self { short: cover, long: cover, extended: 0.0, half: 0.5 / num::real(num::wide(items.max(1))) }
    }

    /// The part of its chain that an entry matches.
    fn cover(&self) -> f64 {
        self.extended * self.long + (1.0 - self.extended) * self.short
    }

    /// All matching keys, counted once; `share` is entries per chain.
    fn chance(&self, share: f64) -> f64 {
        let part = |part: f64, cover: f64| if part > 0.0 { part * -self.free(share * cover).exp_m1() } else { 0.0 };
        part(self.extended, self.long) + part(1.0 - self.extended, self.short)
    }

    /// The logarithm of Product (1 - x), where the x of all entries sum up to `sum` and are nearly equal.
    fn free(&self, sum: f64) -> f64 {
        -sum - sum * sum * self.half
    }
}

/// P(X = 0), P(X = 1), ..., until the rest is nothing.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    let first = (-mean).exp();
    std::iter::successors(Some((0.0, first)), move |&(n, share)| Some((n + 1.0, share * mean / (n + 1.0))))
        .map(|(_, share)| share)
        .take(num::index(poisson_end(mean)))
}

/// Where the rest is nothing: less than 1e-20.
fn poisson_end(mean: f64) -> u64 {
    num::ceil(mean + 9.5 * mean.sqrt() + 20.0)
}
