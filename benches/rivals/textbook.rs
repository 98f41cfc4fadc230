//! The sliced filter as the papers draw it: one bit array per slice, k functions by multiply-shift, Algorithm 1 with
//! early exit, no prefetch, and a shift that clears a slice at once.

use std::collections::VecDeque;

use lately::{PlanSummary, Verdict};

use super::index;
use crate::contender::{Contender, Filling, Subject, Verb};
use crate::filters::{RATE, answers};
use crate::workloads::{Block, Promise};

pub(crate) struct Textbook {
    /// The newest first.
    slices: VecDeque<Slice>,
    k: usize,
    /// Bits of a slice.
    bits: u64,
    /// Insertions of a generation, and of the present one.
    generation: u64,
    count: u64,
    /// Slices made.
    made: u64,
}

#[derive(Clone)]
struct Slice {
    words: Vec<u64>,
    multiplier: u64,
}

impl Textbook {
    /// With the k, the l, the window and the bits of a plan.
    pub(crate) fn new(plan: &PlanSummary) -> Self {
        let bits = plan.bytes * 8 / plan.slices;
        let empty = Slice { words: vec![0; index(bits.div_ceil(64))], multiplier: 0 };
        let (slices, k) = (VecDeque::from(vec![empty; index(plan.slices)]), index(plan.k));
        let generation = plan.window_keys.div_ceil(plan.l);
        let mut new = Self { slices, k, bits, generation, count: 0, made: 0 };
        (0..k).for_each(|_| new.shift());
        new
    }

    pub(crate) fn observe(&mut self, hash: u64) -> Verdict {
        let found = self.finds(hash);
        self.insert(hash);
        if found { Verdict::Duplicate } else { Verdict::New }
    }

    fn insert(&mut self, hash: u64) {
        if self.count == self.generation {
            self.shift();
        }
        self.count += 1;
        for slice in self.slices.iter_mut().take(self.k) {
            let at = slice.position(hash, self.bits);
            slice.words[index(at / 64)] |= 1 << (at % 64);
        }
    }

    /// The oldest slice is cleared and becomes the newest, under the function of the one k before it.
    fn shift(&mut self) {
        let mut slice = self.slices.pop_back().expect("k + l slices");
        slice.words.fill(0);
        slice.multiplier = multiplier(self.made % u64::try_from(self.k).expect("a few"));
        self.slices.push_front(slice);
        self.made += 1;
        self.count = 0;
    }

    /// Algorithm 1: k hits in a row, a run from the old end and one that was met before it taken together.
    fn finds(&self, hash: u64) -> bool {
        let (mut place, mut run, mut before) = (self.slices.len() - self.k, 0, 0);
        loop {
            if self.slices[place].has(hash, self.bits) {
                run += 1;
                place += 1;
                if run + before == self.k {
                    return true;
                }
            } else if place < self.k {
                return false;
            } else {
                place -= self.k;
                before = run;
                run = 0;
            }
        }
    }
}

impl Slice {
    fn has(&self, hash: u64, bits: u64) -> bool {
        let at = self.position(hash, bits);
        self.words[index(at / 64)] & (1 << (at % 64)) != 0
    }

    /// Multiply-shift: the high bits of a product with an odd number, spread over the slice.
    fn position(&self, hash: u64, bits: u64) -> u64 {
        let product = u128::from(hash.wrapping_mul(self.multiplier));
        u64::try_from((product * u128::from(bits)) >> 64).expect("below the number of bits")
    }
}

/// The odd number of a function.
fn multiplier(function: u64) -> u64 {
    lately::hash64(&function.to_le_bytes(), 1) | 1
}

impl Subject for Textbook {
    fn run(&mut self, verb: Verb, _: usize, block: &Block, verdicts: &mut Vec<Verdict>) {
        assert_eq!(verb, Verb::Observe, "a rival observes");
        answers(block, verdicts, |key, _| self.observe(lately::hash64(key, 0)));
    }
}

/// The textbook's filter in its steady state, of the same k, l and bits as the plan.
pub(crate) fn contender(plan: &PlanSummary) -> Contender {
    let promise = Promise { false_duplicates: RATE, missed: 0.0 };
    Contender::new("textbook", Box::new(Textbook::new(plan)), plan.window_keys, promise, Filling::WINDOW)
}
