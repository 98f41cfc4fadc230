//! Rank-indexed hashing (Hua, Zhao, Lin, Xu 2008): chains of fingerprints found by rank, in blocks that borrow extensions.
//!
//! From the description in TinySet's paper. Level 0 of a block is a bit for each chain; the fingerprint behind the i-th
//! set bit of a level is the i-th of that level, and has a bit of its own in the next: whether its chain goes on. A block
//! has room for S fingerprints; one with more takes an extension for E from a pool, if one is left. Law: chains are
//! Poisson(load), so the rate is 1 - e^(-load / 2^f) at most. How its authors counted pointers and pool is not known
//! here: the search below counts a pointer of 8 bits a block and a pool for all but one block in 10^4, so that its sizes
//! are ours and not theirs.

use crate::laws::poisson;
use crate::num;
use crate::rng;
use crate::sets::Set;

/// The integers of a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// Chains of a block.
    pub(crate) chains: u64,
    /// Bits of a fingerprint.
    pub(crate) f: u32,
    /// Fingerprints of a block, and of an extension.
    pub(crate) room: u64,
    pub(crate) more: u64,
    /// Extensions per block.
    pub(crate) pool: f64,
    /// Keys per chain.
    pub(crate) load: f64,
}

const POINTER: f64 = 8.0;
/// The share of blocks that may find no room.
const REFUSED: f64 = 1e-4;

impl Shape {
    /// Keys of a block on average.
    pub(crate) fn keys(&self) -> f64 {
        self.load * num::real(self.chains)
    }

    fn block_bits(&self) -> f64 {
        let cell = f64::from(self.f) + 1.0;
        num::real(self.chains) + POINTER + cell * (num::real(self.room) + self.pool * num::real(self.more))
    }

    pub(crate) fn bits_per_key(&self) -> f64 {
        self.block_bits() / self.keys()
    }

    /// The smallest for a rate, over chains, fingerprints and room.
    pub(crate) fn for_rate(target: f64) -> Self {
        let shapes = [32, 64].into_iter().flat_map(|chains| (4..=18).filter_map(move |f| best(chains, f, target)));
        shapes.min_by(|a, b| a.bits_per_key().total_cmp(&b.bits_per_key())).expect("one at least")
    }
}

/// The rate of chains of that many keys on average.
pub(crate) fn rate(load: f64, f: u32) -> f64 {
    -(-load * 0.5f64.powi(num::power(u64::from(f)))).exp_m1()
}

/// The smallest with these chains and fingerprints.
fn best(chains: u64, f: u32, target: f64) -> Option<Shape> {
    let load = -(-target).ln_1p() * 2f64.powi(num::power(u64::from(f)));
    let keys = load * num::real(chains);
    if !(4.0..=200.0).contains(&keys) {
        return None;
    }
    let tails: Vec<f64> = tails(keys);
    let most = num::wide(tails.iter().position(|&tail| tail <= REFUSED)?);
    let shape = |room: u64| Shape { chains, f, room, more: most - room, pool: tails[num::index(room)] * 1.05, load };
    (1..=most).map(shape).min_by(|a, b| a.bits_per_key().total_cmp(&b.bits_per_key()))
}

/// P(X > 0), P(X > 1), ...
fn tails(mean: f64) -> Vec<f64> {
    let mut left = 1.0;
    poisson::shares(mean)
        .map(|share| {
            left -= share;
            f64::max(left, 0.0)
        })
        .collect()
}

/// One level: whether there is a fingerprint at each place, and those that there are.
#[derive(Debug, Clone, Default)]
struct Level {
    bits: Vec<bool>,
    prints: Vec<u16>,
}

impl Level {
    fn rank(&self, place: usize) -> usize {
        self.bits[..place].iter().filter(|bit| **bit).count()
    }
}

#[derive(Debug, Clone)]
struct Block {
    levels: Vec<Level>,
    keys: u64,
    extended: bool,
}

pub(crate) struct RankIndexed {
    shape: Shape,
    blocks: Vec<Block>,
    /// Extensions that are left.
    left: u64,
    bits: f64,
    seed: u64,
}

impl RankIndexed {
    pub(crate) fn new(shape: Shape, blocks: u64, seed: u64) -> Self {
        let first = Level { bits: vec![false; num::index(shape.chains)], prints: Vec::new() };
        let block = Block { levels: vec![first], keys: 0, extended: false };
        Self {
            shape,
            blocks: vec![block; num::index(blocks)],
            left: num::ceil(shape.pool * num::real(blocks)),
            bits: shape.block_bits() * num::real(blocks),
            seed,
        }
    }

    /// Block, chain and fingerprint of a key.
    fn locate(&self, key: u64) -> (usize, usize, u16) {
        let hash = |i| rng::hash(key ^ self.seed, i);
        let print = u16::try_from(hash(2) >> (64 - self.shape.f)).unwrap_or(u16::MAX);
        let block = num::spread(hash(0), num::wide(self.blocks.len()));
        (num::index(block), num::index(num::spread(hash(1), self.shape.chains)), print)
    }

    /// Whether the block has room for one more, with an extension if it must and one is left.
    fn has_room(&mut self, block: usize) -> bool {
        let Shape { room, more, .. } = self.shape;
        let block = &mut self.blocks[block];
        if block.keys == room && !block.extended && self.left > 0 {
            (block.extended, self.left) = (true, self.left - 1);
        }
        block.keys < room + if block.extended { more } else { 0 }
    }
}

impl Block {
    /// The fingerprints of a chain.
    fn chain(&self, chain: usize) -> impl Iterator<Item = u16> + '_ {
        let mut place = chain;
        self.levels.iter().map_while(move |level| {
            level.bits[place].then(|| {
                place = level.rank(place);
                level.prints[place]
            })
        })
    }

    /// Behind the last fingerprint of a chain.
    fn push(&mut self, chain: usize, print: u16) {
        let (mut place, mut depth) = (chain, 0);
        while self.levels[depth].bits[place] {
            place = self.levels[depth].rank(place);
            depth += 1;
        }
        let rank = self.levels[depth].rank(place);
        self.levels[depth].bits[place] = true;
        self.levels[depth].prints.insert(rank, print);
        if depth + 1 == self.levels.len() {
            self.levels.push(Level::default());
        }
        self.levels[depth + 1].bits.insert(rank, false);
        self.keys += 1;
    }
}

impl Set for RankIndexed {
    fn insert(&mut self, key: u64) -> bool {
        let (block, chain, print) = self.locate(key);
        if self.blocks[block].chain(chain).any(|other| other == print) {
            return true;
        }
        let room = self.has_room(block);
        if room {
            self.blocks[block].push(chain, print);
        }
        room
    }

    fn contains(&self, key: u64) -> bool {
        let (block, chain, print) = self.locate(key);
        self.blocks[block].chain(chain).any(|other| other == print)
    }

    fn bits(&self) -> f64 {
        self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    /// Measured within five standard deviations of the formula; a key in ten thousand at most finds no room.
    #[test]
    fn the_rate_is_that_of_the_formula() {
        for target in [0.03, 0.003] {
            let shape = Shape::for_rate(target);
            let mut set = RankIndexed::new(shape, 1000, 1);
            let keys = num::floor(shape.keys() * 1000.0);
            let refused = sets::fill(&mut set, keys);
            assert!(num::real(refused) <= 5e-4 * num::real(keys), "{refused} of {keys}");
            assert_eq!(sets::missing(&set, 0..keys), refused);
            let measured = sets::false_rate(&set, 400_000);
            // Keys that match are not stored: half a rate less, at most.
            let interval = 5.0 * (target / 4e5).sqrt() + 0.02 * target + target * target;
            assert!((measured - rate(shape.load, shape.f)).abs() < interval, "{shape:?}: {measured}");
        }
    }

    /// The search comes to sizes near those that TinySet's paper prints.
    #[test]
    fn sizes_are_near_those_of_the_paper() {
        for (target, bits) in [(1e-2, 10.6), (1e-3, 14.4), (1e-4, 18.2)] {
            let shape = Shape::for_rate(target);
            assert!((rate(shape.load, shape.f) / target - 1.0).abs() < 1e-9);
            assert!((shape.bits_per_key() / bits - 1.0).abs() < 0.08, "{shape:?}: {}", shape.bits_per_key());
        }
    }

    #[test]
    fn chains_are_found_by_rank() {
        let first = Level { bits: vec![false; 4], prints: Vec::new() };
        let mut block = Block { levels: vec![first], keys: 0, extended: false };
        [(2, 5), (1, 6), (2, 7), (0, 8), (1, 9), (2, 10)]
            .into_iter()
            .for_each(|(chain, print)| block.push(chain, print));
        let chains: Vec<Vec<u16>> = (0..4).map(|chain| block.chain(chain).collect()).collect();
        assert_eq!(chains, [vec![8], vec![6, 9], vec![5, 7, 10], vec![]]);
    }
}
