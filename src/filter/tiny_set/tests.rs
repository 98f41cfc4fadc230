//! Tests of the parts: blocks against a list of entries and the drawing of the layout, and against the exact rates.

use super::block::{Added, Block};
use super::layout::{Item, Layout};
use super::plan::Plan;
use super::rate::{Curve, Rates, units};
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

/// An entry as the drawing shows it: its chain, its fingerprint, its extension bit where there is one.
type Entry = (usize, u64, Option<u64>);

/// One key of a list.
#[derive(Debug, Clone, Copy)]
struct Kept {
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
    kept: Vec<Kept>,
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
        let Kept { chain, remainder, known } = self.kept[slot];
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
        self.kept.insert(first, Kept { chain, remainder, known: Some(64) });
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
    let (layout, mut list) = (Layout::new(N * 64, chains, false), List::new(N * 64, chains, false));
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
    let (layout, mut list) = (Layout::new(N * 64, chains, true), List::new(N * 64, chains, true));
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
        let layout = Layout::new(512, chains, true);
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
        let layout = Layout::new(512, chains, false);
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
    (num::real(hits), num::real(blocks * queries) * Rates::new(layout).of(items))
}

/// The chance of a block with exactly that many entries, for loads on both sides of the planned one: a size, a `mod` or
/// an end of a chain that is off by one shows as a factor. 48 comparisons, each at 1 - 0.01 / 48 (3.7 deviations); the
/// law itself is an approximation to 0.3 % below a chance of 5 % and 1 % below 30 %.
#[test]
fn blocks_with_exactly_so_many_entries_have_the_exact_chance() {
    for (chains, removable) in [(92, false), (68, false), (56, false), (86, true)] {
        let layout = Layout::new(512, chains, removable);
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
    let layout = Layout::new(512, 68, false);
    let rates = Rates::new(&layout);
    // Poisson with mean 3: shares 0.0498, 0.1494, 0.2240 ... by the definition e^-3 3^n / n!.
    let factorial = |n: usize| (1..=n).map(|i| num::real(num::wide(i))).product::<f64>();
    let share = |n: usize| (-3f64).exp() * 3f64.powi(i32::try_from(n).unwrap()) / factorial(n);
    let by_hand: f64 = (0..40).map(|n| share(n) * rates.of(n)).sum();
    assert!((rates.mean(3.0) / by_hand - 1.0).abs() < 1e-9);
    let steps: f64 = (0..1000u32).map(|i| rates.mean((f64::from(i) + 0.5) * 0.04) / 1000.0).sum();
    assert!((rates.mean_while_filling(40.0) / steps - 1.0).abs() < 1e-5);
    let curve = Curve::new(&layout);
    assert_eq!(curve.rate(0, 10), 0.0);
    // A thousand blocks with 50 entries each: the cover is 0.5 x the usual formula's at that load.
    let sizes = layout.sizes(50);
    let cover = u128::from(units(50, sizes)) * 1000;
    assert!(
        (curve.rate(cover, 1000) / rates.of(50) - 1.0).abs() < 0.002,
        "{} {}",
        curve.rate(cover, 1000),
        rates.of(50)
    );
    assert!(curve.rate(u128::MAX >> 20, 1000) <= 1.0);
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
