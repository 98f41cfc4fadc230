//! TinySet as its paper draws it, for blocks of any size: a model that keeps whole remainders and compares as many bits as
//! a block of L + A bits would have. Ours is the library's; this one runs the configurations that ours has no blocks for.
//!
//! Law: `laws/tiny_set`. Like the paper's, and unlike ours, it stores a key that matches an entry once more.

use crate::num;
use crate::rng;
use crate::sets::Set;
use crate::wrong::{self, Mistake, Wrong};

/// A block: chains, and bits for entries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub(crate) chains: u64,
    pub(crate) array: u64,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    chain: u64,
    remainder: u64,
}

pub(crate) struct PaperTinySet {
    shape: Shape,
    /// By chain, the newest of a chain first.
    blocks: Vec<Vec<Entry>>,
    seed: u64,
    mistake: Mistake,
    /// Whether the bits that are left over go to the first fingerprints.
    extends: bool,
}

impl PaperTinySet {
    pub(crate) fn new(shape: Shape, blocks: u64, seed: u64) -> Self {
        let (blocks, extends) = (vec![Vec::new(); num::index(blocks)], !wrong::is(Wrong::NoExtended));
        Self { shape, blocks, seed, mistake: Mistake::now(), extends }
    }

    fn locate(&self, key: u64) -> (usize, Entry) {
        let hash = |i| rng::hash(key ^ self.seed, i);
        let block = num::index(num::spread(hash(0), num::wide(self.blocks.len())));
        (block, Entry { chain: num::spread(hash(1), self.shape.chains), remainder: hash(2) })
    }
}

impl PaperTinySet {
    /// Takes a key, if its block has room.
    fn store(&mut self, key: u64) -> bool {
        let (block, entry) = self.locate(key);
        let (array, block) = (self.shape.array, &mut self.blocks[block]);
        let room = num::wide(block.len()) < array;
        if room {
            block.insert(block.partition_point(|other| other.chain < entry.chain), entry);
        }
        room
    }
}

impl Set for PaperTinySet {
    fn insert(&mut self, key: u64) -> bool {
        if let Some(ghost) = self.mistake.ghost() {
            self.store(ghost);
        }
        self.store(key)
    }

    fn contains(&self, key: u64) -> bool {
        let (block, entry) = self.locate(key);
        let block = &self.blocks[block];
        let (size, extended) = match num::wide(block.len()) {
            0 => return false,
            items => (self.shape.array / items, self.shape.array % items),
        };
        let first = block.partition_point(|other| other.chain < entry.chain);
        let chain = block[first..].iter().take_while(|other| other.chain == entry.chain);
        (num::wide(first)..).zip(chain).any(|(slot, other)| {
            let width = (size - 1 + u64::from(self.extends && slot < extended)).min(63);
            (other.remainder ^ entry.remainder) & ((1 << width) - 1) == 0
        })
    }

    fn bits(&self) -> f64 {
        num::real(num::wide(self.blocks.len()) * (self.shape.chains + self.shape.array))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::tiny_set;
    use crate::sets;

    /// Measured within five standard deviations of the formula, at three loads of three blocks.
    #[test]
    fn the_rate_is_that_of_the_formula() {
        for (chains, array, keys) in [(64, 448, 56), (32, 224, 18), (16, 142, 16), (64, 300, 90)] {
            let mut set = PaperTinySet::new(Shape { chains, array }, 2000, 1);
            assert_eq!(sets::fill(&mut set, keys * 2000) + sets::missing(&set, 0..keys * 2000), 0);
            let law = tiny_set::rate(chains, array, num::real(keys), tiny_set::ADD_ONLY);
            let measured = sets::false_rate(&set, 400_000);
            let interval = 5.0 * (law / 4e5).sqrt() + 0.04 * law;
            assert!((measured - law).abs() < interval, "{chains} {array} {keys}: {measured} {law}");
        }
    }
}
