//! The roof: what no filter of this kind can beat. Hash a 16-byte key, read and write one random cache line.

use std::hint::black_box;

use crate::workloads::Block;

/// Words of a cache line of 64 bytes.
const LINE: u64 = 8;

/// A table of whole cache lines, a power of two of them.
pub(crate) struct Roof {
    words: Vec<u64>,
    mask: u64,
}

impl Roof {
    pub(crate) fn new(bytes: u64) -> Self {
        let lines = bytes / 8 / LINE;
        assert!(lines.is_power_of_two(), "a mask picks the line");
        // Written, so that every page is there before the clock runs.
        Self { words: vec![1; index(lines * LINE)], mask: lines - 1 }
    }

    pub(crate) fn run(&mut self, block: &Block) {
        for (key, _) in block.singles() {
            let hash = lately::hash64(key, 0);
            let word = &mut self.words[index((hash & self.mask) * LINE)];
            *word = word.wrapping_add(hash);
        }
        black_box(&mut self.words);
    }
}

fn index(n: u64) -> usize {
    usize::try_from(n).expect("a table fits into memory")
}
