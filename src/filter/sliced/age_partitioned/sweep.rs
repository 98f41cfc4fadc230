//! Cleaning one column of one function, a few words at every insertion.
//!
//! A column is every w-th bit. Where a word begins in the middle of a row the mask turns with it: one mask for each of
//! the w ways in which a word can begin.

use crate::bits::{Bits, WORD};
use crate::num;

use super::plan::Plan;

/// What is left to clean, and how fast.
#[derive(Debug, Clone)]
pub(super) struct Sweep {
    /// For a word that begins at place `r` of a row: the bits to keep, and the place at which the next one begins.
    words: Vec<(u64, usize)>,
    /// The place of a row at which the next word begins.
    place: usize,
    first: u64,
    next: u64,
    end: u64,
    /// Words for each insertion, so that the last of a generation finds nothing left.
    pace: u64,
}

impl Sweep {
    /// Nothing to clean.
    pub(crate) const fn idle() -> Self {
        Self { words: Vec::new(), place: 0, first: 0, next: 0, end: 0, pace: 0 }
    }

    /// The column of a function, over one generation.
    pub(crate) fn new(plan: &Plan, function: u64, column: u64) -> Self {
        let words = plan.function_words();
        let w = plan.columns;
        let keep = (0..w).map(|place| (!column_mask(w, place, column), num::index((place + WORD) % w))).collect();
        let first = function * words;
        Self { words: keep, place: 0, first, next: first, end: first + words, pace: words.div_ceil(plan.generation) }
    }

    /// Cleans as much as falls to one insertion.
    #[inline]
    pub(crate) fn step(&mut self, bits: &mut Bits) {
        let stop = self.end.min(self.next + self.pace);
        while self.next < stop {
            let (keep, following) = self.words[self.place];
            bits.keep(self.next, keep);
            self.place = following;
            self.next += 1;
        }
    }
}

/// The same for many threads: each cleans what falls to the insertions that it drew.
impl Sweep {
    /// Cleans what falls to `n` insertions, the first of them number `from` of the generation.
    pub(super) fn clean_concurrent(&self, bits: &Bits, from: u64, n: u64) {
        let (start, stop) = (self.at(from), self.at(from + n));
        let mut place = self.place_of(start);
        for word in start..stop {
            let (keep, following) = self.words[place];
            bits.keep_concurrent(word, keep);
            place = following;
        }
    }

    /// What falls to the first `n` insertions is clean.
    pub(super) fn skip(&mut self, n: u64) {
        self.next = self.next.max(self.at(n));
        self.place = self.place_of(self.next);
    }

    /// The word at which insertion number `n` of the generation begins.
    fn at(&self, n: u64) -> u64 {
        self.end.min(self.first.saturating_add(n.saturating_mul(self.pace)))
    }

    /// The place of a row at which a word begins.
    fn place_of(&self, word: u64) -> usize {
        num::index((word - self.first) * WORD % num::wide(self.words.len()))
    }
}

#[cfg(test)]
impl Sweep {
    /// Words that are not clean yet.
    pub(super) fn left(&self) -> u64 {
        self.end - self.next
    }
}

/// The bits of `column` in a word that begins at place `place` of rows of `columns` bits.
pub(super) fn column_mask(columns: u64, place: u64, column: u64) -> u64 {
    let first = (columns + column - place) % columns;
    (first..WORD).step_by(num::index(columns)).fold(0, |mask, bit| mask | (1 << bit))
}
