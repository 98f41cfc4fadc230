//! Tests of the parts: blocks against a list of entries and the drawing of the layout, and against the exact rates.

use super::block::{Added, Block};
use super::layout::{Item, Layout, Shape};
use super::plan::{DENSEST, HIGHER, Plan, Request};
use super::rate::{Rates, units};
use crate::bit_string::BitString;
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::num;
use crate::options::Options;
use crate::raw::{BitMachine, Machine, Portable};

/// The `i`-th uniform word of a stream.
fn mix(stream: u64, i: u64) -> u64 {
    KeyHash(stream).derive(i)
}

fn layout(bits: usize, chains: usize, removable: bool) -> Layout {
    Layout::new(Shape { bits, chains, removable }).unwrap()
}

/// An entry as the drawing shows it: its chain, its fingerprint, its extension bit where there is one.
type Entry = (usize, u64, Option<u64>);

/// One key of a list.
#[derive(Debug, Clone, Copy)]
struct StoredEntry {
    chain: usize,
    remainder: u64,
    /// How many bits of the remainder are left, in a removable block; none if there was not even room for the mark.
    known: Option<usize>,
}

/// A block as a list of keys, by the text of the paper and its corrections.
#[derive(Debug)]
struct List {
    array: usize,
    chains: usize,
    removable: bool,
    kept: Vec<StoredEntry>,
}

impl List {
    fn new(bits: usize, chains: usize, removable: bool) -> Self {
        Self { array: bits - chains, chains, removable, kept: Vec::new() }
    }

    /// Bits of a fingerprint without its extension.
    fn width(&self) -> usize {
        (self.array / self.kept.len().max(1) - 1).min(48)
    }

    /// Slots with an extension bit.
    fn extended(&self) -> usize {
        let items = self.kept.len();
        if items == 0 { 0 } else { (self.array - items * (self.width() + 1)).min(items) }
    }

    fn key(&self, mix: u64) -> (usize, u64) {
        let product = u128::from(mix) * u128::from(num::wide(self.chains));
        (usize::try_from(product >> 64).unwrap(), u64::try_from(product & u128::from(u64::MAX)).unwrap())
    }

    /// The first bits of a slot's remainder that an entry of it matches by.
    fn known(&self, slot: usize) -> usize {
        if self.removable { self.kept[slot].known.unwrap_or(0) } else { self.room(slot) }
    }

    /// Bits of a slot.
    fn room(&self, slot: usize) -> usize {
        self.width() + usize::from(slot < self.extended())
    }

    /// What a slot shows: its chain, its fingerprint and its extension bit.
    fn shown(&self, slot: usize) -> Entry {
        let StoredEntry { chain, remainder, known } = self.kept[slot];
        let (width, room) = (self.width(), self.room(slot));
        let first = |n: usize| if n == 0 { 0 } else { remainder >> (64 - n) };
        let bits = match known {
            _ if !self.removable => first(room),
            Some(known) => ((first(known) << 1) | 1) << (room - known - 1),
            None => 0,
        };
        (chain, if room > width { bits >> 1 } else { bits }, (room > width).then_some(bits & 1))
    }

    fn matches(&self, slot: usize, mix: u64) -> bool {
        let (chain, remainder) = self.key(mix);
        let (kept, known) = (self.kept[slot], self.known(slot));
        chain == kept.chain && (known == 0 || (remainder ^ kept.remainder) >> (64 - known) == 0)
    }

    fn has(&self, mix: u64) -> bool {
        (0..self.kept.len()).any(|slot| self.matches(slot, mix))
    }

    /// Entries lose what there is no room for.
    fn cut(&mut self) {
        let most: Vec<_> = (0..self.kept.len()).map(|slot| self.room(slot).checked_sub(1)).collect();
        self.kept.iter_mut().zip(most).for_each(|(kept, most)| kept.known = kept.known.min(most));
    }

    fn add(&mut self, mix: u64) {
        let (chain, remainder) = self.key(mix);
        let first = self.kept.partition_point(|kept| kept.chain < chain);
        self.kept.insert(first, StoredEntry { chain, remainder, known: Some(64) });
        self.cut();
    }

    fn take(&mut self, mix: u64) -> bool {
        let mut slots = (0..self.kept.len()).filter(|&slot| self.matches(slot, mix)).collect::<Vec<_>>();
        slots.sort_by_key(|&slot| std::cmp::Reverse(self.kept[slot].known));
        let Some(&slot) = slots.first() else { return false };
        self.kept.remove(slot);
        self.cut();
        true
    }

    fn entries(&self) -> Vec<Entry> {
        (0..self.kept.len()).map(|slot| self.shown(slot)).collect()
    }

    /// What the entries match of one chain each, in the units of `rate`.
    fn cover(&self) -> u64 {
        (0..self.kept.len()).map(|slot| 1u64 << (49 - self.known(slot))).sum()
    }
}

/// Reads a block bit by bit as the drawing in `block` says.
fn entries<const N: usize>(words: &[u64; N], chains: usize) -> Vec<Entry> {
    let bit = |at: usize| (words[at / 64] >> (at % 64)) & 1;
    let number = |from: usize, n: usize| (0..n).map(|i| bit(from + i) << i).sum::<u64>();
    let lasts = chains;
    let mut owners = Vec::new();
    for chain in (0..chains).filter(|&chain| bit(chain) == 1) {
        owners.push(chain);
        while bit(lasts + owners.len() - 1) == 0 {
            owners.push(chain);
        }
    }
    let (items, array) = (owners.len(), N * 64 - lasts);
    if items == 0 {
        return Vec::new();
    }
    let width = (array / items - 1).min(48);
    let extended = match array / items {
        0..50 => array % items,
        _ => (array - items * (width + 1)).min(items),
    };
    let entry = |(slot, chain)| {
        let extension = (slot < extended).then(|| bit(lasts + items + slot));
        (chain, number(N * 64 - (slot + 1) * width, width), extension)
    };
    owners.into_iter().enumerate().map(entry).collect()
}

/// The shapes that are tried: bits, chains.
const SHAPES: [(usize, usize); 10] =
    [(512, 92), (512, 64), (512, 56), (512, 1), (512, 200), (512, 129), (256, 48), (256, 28), (256, 64), (256, 3)];

/// Adds keys up to the last bit and looks at every bit after each.
fn fill<const N: usize>(machine: impl Machine, chains: usize, stream: u64) {
    let (layout, mut list) = (layout(N * 64, chains, false), List::new(N * 64, chains, false));
    let mut block = Block::<N, _>::new(BitString::ZEROS, &layout, machine);
    let mut i = 0;
    // A chain that is full matches every key: with few of them the last slots are never taken.
    for _ in 0..5000 {
        i += 1;
        let (key, held) = (mix(stream, i), list.kept.len());
        assert_eq!(block.has(Item::new(key, &layout)), list.has(key), "{chains} chains, {held} keys");
        if list.has(key) || held == layout.array() {
            continue;
        }
        let before = list.cover();
        list.add(key);
        match block.add(Item::new(key, &layout)) {
            Added::Stored(covers) => assert_eq!((covers.before, covers.after), (before, list.cover())),
            other => panic!("{other:?} with {held} keys"),
        }
        assert_eq!(entries(&block.bits.0, chains), list.entries(), "{chains} chains, {held} keys");
    }
    let least = if chains > 16 { layout.array() / 3 } else { 16 };
    assert!(list.kept.len() >= least, "{chains} chains held {} keys", list.kept.len());
}

#[test]
fn an_add_only_block_is_the_list_of_its_keys_to_the_last_bit() {
    for (stream, (bits, chains)) in (1..).zip(SHAPES) {
        if bits == 512 {
            fill::<8>(Portable, chains, stream)
        } else {
            fill::<4>(Portable, chains, stream)
        }
        let Some(machine) = BitMachine::detect() else { continue };
        if bits == 512 { fill::<8>(machine, chains, stream) } else { fill::<4>(machine, chains, stream) }
    }
}

/// Adds and takes keys that are there, up and down, and looks at every bit after each.
fn churn<const N: usize>(machine: impl Machine, chains: usize, stream: u64) {
    let (layout, mut list) = (layout(N * 64, chains, true), List::new(N * 64, chains, true));
    let mut block = Block::<N, _>::new(BitString::ZEROS, &layout, machine);
    let mut held: Vec<u64> = Vec::new();
    for i in 0..6000 {
        let draw = mix(stream, 2 * i);
        // Up to a load that changes every 500 steps, then down.
        let wanted = [5, 60, 20, layout.array() / 2, 1, 100][num::index(i / 500 % 6)].min(layout.array());
        let up = if held.len() < wanted { 7 } else { 3 };
        let before = list.cover();
        let covers = if held.is_empty() || draw % 10 < up {
            let key = mix(stream, 2 * i + 1);
            held.push(key);
            list.add(key);
            match block.add(Item::new(key, &layout)) {
                Added::Stored(covers) => covers,
                other => panic!("{other:?}"),
            }
        } else {
            let key = held.swap_remove(num::index(num::spread(mix(stream, !i), num::wide(held.len()))));
            assert!(list.take(key), "{chains} chains: key {key:x} is lost among {}", held.len() + 1);
            block.take(Item::new(key, &layout)).expect("an entry")
        };
        assert_eq!(
            covers.after.wrapping_sub(covers.before),
            list.cover().wrapping_sub(before),
            "{chains} chains, step {i}"
        );
        assert_eq!(block.checked(), Some((list.kept.len(), list.cover())));
        assert_eq!(entries(&block.bits.0, chains), list.entries(), "{chains} chains, step {i}");
        assert!(held.iter().all(|&key| block.has(Item::new(key, &layout))), "{chains} chains, step {i}");
    }
    for key in held {
        block.take(Item::new(key, &layout)).expect("an entry");
    }
    assert_eq!(block.bits.0, [0; N]);
}

#[test]
fn a_removable_block_is_the_list_of_its_keys() {
    for (stream, (bits, chains)) in (100..).zip(SHAPES) {
        if bits == 512 {
            churn::<8>(Portable, chains, stream)
        } else {
            churn::<4>(Portable, chains, stream)
        }
        let Some(machine) = BitMachine::detect() else { continue };
        if bits == 512 { churn::<8>(machine, chains, stream) } else { churn::<4>(machine, chains, stream) }
    }
}

#[test]
fn a_full_removable_block_refuses_and_stays() {
    for chains in [1, 50, 256] {
        let layout = layout(512, chains, true);
        let mut block = Block::<8, _>::new(BitString::ZEROS, &layout, Portable);
        for i in 0..layout.array() {
            assert!(matches!(block.add(Item::new(mix(7, num::wide(i)), &layout)), Added::Stored(_)));
        }
        let before = block.bits.0;
        assert_eq!(block.add(Item::new(mix(8, 0), &layout)), Added::Full);
        assert_eq!(block.bits.0, before);
        for i in 0..layout.array() {
            assert!(block.has(Item::new(mix(7, num::wide(i)), &layout)));
            block.take(Item::new(mix(7, num::wide(i)), &layout)).expect("an entry");
        }
        assert_eq!(block.bits.0, [0; 8]);
    }
}

#[test]
fn a_full_add_only_block_takes_every_chain() {
    // One entry of every chain must fit: with 256 chains there is not one bit to spare.
    for chains in [2, 92, 255, 256] {
        let layout = layout(512, chains, false);
        let mut block = Block::<8, _>::new(BitString::ZEROS, &layout, Portable);
        // Entries of the upper half of the chains only, until the block is full.
        let upper = (0..).map(|i| mix(9, i) | (1 << 63));
        for key in upper.take(layout.array()) {
            assert!(matches!(block.add(Item::new(key, &layout)), Added::Stored(_)));
        }
        let inside = |chain: usize| (u128::from(2 * num::wide(chain) + 1) << 63) / u128::from(num::wide(chains));
        let each = (0..chains).map(|chain| u64::try_from(inside(chain)).unwrap());
        let keys: Vec<u64> = (0..500).map(|i| mix(10, i)).chain(each).collect();
        for (i, &key) in keys.iter().enumerate() {
            if !block.has(Item::new(key, &layout)) {
                assert_eq!(block.add(Item::new(key, &layout)), Added::Replaced);
            }
            assert_eq!(entries(&block.bits.0, chains).len(), layout.array());
            assert!(keys[..=i].iter().all(|&key| block.has(Item::new(key, &layout))), "{chains} chains");
        }
        let mut owners: Vec<usize> = entries(&block.bits.0, chains).iter().map(|entry| entry.0).collect();
        owners.dedup();
        assert_eq!(owners, (0..chains).collect::<Vec<_>>());
    }
}

/// Blocks with exactly `items` entries: how many of a number of keys match, and how many the rates expect.
fn hits(layout: &Layout, items: usize, blocks: u64, queries: u64) -> (f64, f64) {
    let mut hits = 0;
    for stream in 0..blocks {
        let mut block = Block::<8, _>::new(BitString::ZEROS, layout, Portable);
        let (mut held, mut i) = (0, 0);
        while held < items {
            let item = Item::new(mix(stream, i), layout);
            i += 1;
            if !block.has(item) {
                block.add(item);
                held += 1;
            }
        }
        let strange = |i: &u64| block.has(Item::new(mix(!stream, *i), layout));
        hits += num::wide((0..queries).filter(strange).count());
    }
    (num::real(hits), num::real(blocks * queries) * Rates::new(layout.shape).of(items))
}

/// The chance of a block with exactly that many entries, for loads on both sides of the planned one: a size, a `mod` or
/// an end of a chain that is off by one shows as a factor. 48 comparisons, each at 1 - 0.01 / 48 (3.7 deviations); the
/// law itself is an approximation to 0.3 % below a chance of 5 % and 1 % below 30 %.
#[test]
fn block_with_a_given_number_of_entries_has_the_exact_chance() {
    for (chains, removable) in [(92, false), (68, false), (56, false), (86, true)] {
        let layout = layout(512, chains, removable);
        for items in [36, 40, 41, 44, 48, 52, 57, 60, 66, 73, 85, 110] {
            let (got, expected) = hits(&layout, items, 500, 2000);
            let law = if expected < 5e4 { 0.003 } else { 0.01 };
            let off = (got - expected).abs() - law * expected;
            assert!(off < 3.7 * expected.sqrt(), "{chains} chains, {items} entries: {got} hits, expected {expected}");
        }
    }
}

/// Rates::mean against a walk over loads by hand, and the curve against the chances that it was drawn from.
#[test]
fn means_and_the_curve_are_those_of_the_chances() {
    let layout = layout(512, 68, false);
    let mut rates = Rates::new(layout.shape);
    // Poisson with mean 3: shares 0.0498, 0.1494, 0.2240 ... by the definition e^-3 3^n / n!.
    let factorial = |n: usize| (1..=n).map(|i| num::real(num::wide(i))).product::<f64>();
    let share = |n: usize| (-3f64).exp() * 3f64.powi(i32::try_from(n).unwrap()) / factorial(n);
    let by_hand: f64 = (0..40).map(|n| share(n) * rates.of(n)).sum();
    assert!((rates.mean(3.0) / by_hand - 1.0).abs() < 1e-9);
    let steps: f64 = (0..1000u32).map(|i| rates.mean((f64::from(i) + 0.5) * 0.04) / 1000.0).sum();
    assert!((rates.mean_while_filling(40.0) / steps - 1.0).abs() < 1e-5);
    assert_eq!(rates.of_cover(0, 10), 0.0);
    // A thousand blocks with 50 entries each: the cover is 0.5 x the usual formula's at that load.
    let sizes = layout.sizes(50);
    let cover = u128::from(units(50, sizes)) * 1000;
    let (got, expected) = (rates.of_cover(cover, 1000), rates.of(50));
    assert!((got / expected - 1.0).abs() < 0.002, "{got} {expected}");
    assert!(rates.of_cover(u128::MAX >> 20, 1000) <= 1.0);
}

/// The search tries every fourth number of chains: no other is better.
#[test]
fn the_search_finds_the_best_number_of_chains() {
    for (removable, rate) in [(false, 0.3), (false, 1e-2), (false, 1e-5), (true, 1e-3)] {
        let asked = Options::new(Kind::TinySet).capacity(1 << 30).error_rate(rate).removable(removable);
        let found = Plan::new(&asked).unwrap();
        for chains in 1..=250 {
            let other = Plan::new(&asked.clone().chains(chains)).unwrap();
            assert_eq!(other.chains, u64::from(chains));
            assert!(found.blocks <= other.blocks, "{rate:e}: {} chains, but {chains} are better", found.chains);
        }
    }
}

/// The most keys per block by plain halving.
fn slowly_most_keys(rates: &mut Rates, target: f64, halvings: usize) -> f64 {
    let above = (0..rates.most_entries() + 1).take_while(|&items| rates.of(items) <= target).count();
    let (mut yes, mut no) = (0.0, num::real(num::wide(above)));
    for _ in 0..halvings {
        let middle = f64::midpoint(yes, no);
        if rates.worst(middle) <= target { yes = middle } else { no = middle }
    }
    yes
}

/// The number of chains with the highest score: of every fourth, then of all around the best.
fn slowly_best(block: u64, removable: bool, score: impl Fn(&mut Rates) -> f64) -> (f64, u64) {
    let rated = |chains: u64| {
        let shape = Shape { bits: num::index(block * 8), chains: num::index(chains), removable };
        (score(&mut Rates::new(shape)), chains)
    };
    let top = |best: (f64, u64), next: (f64, u64)| if next.0 > best.0 { next } else { best };
    let first = (1..=block * 4).step_by(4).map(rated).fold(rated(1), top);
    (first.1.saturating_sub(3).max(1)..=(first.1 + 3).min(block * 4)).map(rated).fold(first, top)
}

fn slowly_densest(block: u64, removable: bool, target: f64) -> (u64, f64) {
    let (_, chains) = slowly_best(block, removable, |rates| slowly_most_keys(rates, target, 20));
    let shape = Shape { bits: num::index(block * 8), chains: num::index(chains), removable };
    (chains, slowly_most_keys(&mut Rates::new(shape), target, 45))
}

const BLOCKS: [(u32, bool); 4] = [(64, false), (64, true), (32, false), (32, true)];

#[test]
fn the_table_of_densest_plans_is_that_of_the_slow_search() {
    for (rate, rows) in DENSEST {
        for ((block, removable), row) in BLOCKS.into_iter().zip(rows) {
            let found = slowly_densest(block.into(), removable, rate);
            let close = (found.1 / row.1 - 1.0).abs() < 1e-12;
            assert!(found.0 == row.0 && close, "{rate:e}, {block} bytes, {removable}: {found:?} and not {row:?}");
        }
    }
}

/// Rates that are in no table, between 0.5 and about 1e-9.
fn rates_between(n: u64) -> impl Iterator<Item = f64> {
    (0..n).map(move |i| 0.5 * (-19.0 * (num::real(i) + num::real(mix(11, i) >> 44) / 1e6) / num::real(n)).exp())
}

#[test]
fn the_search_climbs_to_what_the_slow_search_finds() {
    // At the highest rates blocks change the most, so most are there.
    let high = (0..2 * SEARCHES).map(|i| 0.1 + 0.4 * (num::real(i) + 0.5) / num::real(2 * SEARCHES));
    for target in rates_between(SEARCHES).chain(high) {
        BLOCKS.into_iter().for_each(|(block, removable)| expect_slow(block, removable, target));
    }
}

#[test]
fn the_last_number_of_chains_is_the_densest_just_above_the_rate_that_is_listed() {
    for ((block, removable), rows) in BLOCKS.into_iter().zip(HIGHER).filter(|((_, removable), _)| *removable) {
        let (rate, (_, keys)) = rows[0];
        let densest = |rate: f64| slowly_densest(block.into(), removable, rate);
        assert!(densest(rate * (1.0 - 1e-9)).0 < densest(rate * (1.0 + 1e-9)).0, "{block} bytes");
        [1.0 - 1e-9, 1.0 + 1e-9].iter().for_each(|part| expect_slow(block, removable, rate * part));
        let shape =
            Shape { bits: num::index(u64::from(block) * 8), chains: num::index(u64::from(block) * 4 - 3), removable };
        assert!((Rates::new(shape).worst(keys) / rate - 1.0).abs() < 1e-9, "{block} bytes");
    }
}

/// The search finds what the slow one finds, or neither finds anything.
fn expect_slow(block: u32, removable: bool, target: f64) {
    let asked = Options::new(Kind::TinySet).capacity(1).error_rate(target).removable(removable);
    let found = Request::new(&asked.block_bytes(block)).unwrap().shape();
    let (chains, keys) = slowly_densest(block.into(), removable, target);
    match found {
        Ok(found) => assert_eq!(found, (chains, keys), "{target:e}, {block} bytes, {removable}"),
        Err(_) => assert!(keys < 1.0, "{target:e}, {block} bytes, {removable}: {keys} keys"),
    }
}

#[test]
fn plan_for_keys_and_memory_has_the_rate_of_the_slow_search() {
    for i in 0..SEARCHES {
        let keys = 60 + mix(12, i) % [5000, 20_000][num::index(i % 2)];
        for (block, removable) in BLOCKS {
            let asked = Options::new(Kind::TinySet).capacity(keys).memory(6400).removable(removable);
            let found = Request::new(&asked.block_bytes(block)).unwrap().shape();
            let per_block = num::real(keys) / num::real(6400 / u64::from(block));
            let (rate, chains) = slowly_best(block.into(), removable, |rates| -rates.worst(per_block));
            match found {
                Ok(found) => assert_eq!(found, (chains, per_block), "{keys} keys, {block} bytes, {removable}"),
                Err(_) => assert!(-rate > 0.5, "{keys} keys, {block} bytes, {removable}"),
            }
        }
    }
}

#[test]
fn a_load_has_the_most_chains_that_meet_the_rate() {
    for (i, target) in (0..).zip(rates_between(SEARCHES)) {
        let load = 0.1 + num::real(mix(13, i) % 1000) / 700.0;
        for (block, removable) in BLOCKS {
            let asked = Options::new(Kind::TinySet).capacity(1).load(load).error_rate(target).removable(removable);
            let found = Request::new(&asked.block_bytes(block)).unwrap().shape().ok().map(|(chains, _)| chains);
            let meets = |&chains: &u64| {
                let shape = Shape { bits: num::index(u64::from(block) * 8), chains: num::index(chains), removable };
                Rates::new(shape).worst(load * num::real(chains)) <= target
            };
            assert_eq!(
                found,
                (1..=u64::from(block) * 4).rev().find(meets),
                "{target:e}, load {load}, {block}, {removable}"
            );
        }
    }
}

/// Requests that are searched for in two ways.
const SEARCHES: u64 = 20;
