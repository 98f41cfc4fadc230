//! Cleaning one column of one function, a few words at every insertion.
//!
//! A column is every w-th bit. Where a word begins in the middle of a row the mask turns with it: it is the mask of every
//! w-th bit, shifted to the first bit of the column in this word.

use crate::bits::{Bits, WORD};
use crate::num;

use super::plan::Plan;

/// The words that are left to clean, and how fast.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sweep {
    /// Every w-th bit of a word, from the lowest on.
    every: u64,
    columns: u64,
    /// The first bit of the column in the first word.
    column: u64,
    /// The first bit of the column in the next word.
    bit: u64,
    first: u64,
    next: u64,
    end: u64,
    /// Words for each insertion, so that the last of a generation finds nothing left.
    pace: u64,
}

impl Sweep {
    /// The sweep that has no word left to clean.
    pub(crate) const fn idle() -> Self {
        Self { every: 0, columns: 1, column: 0, bit: 0, first: 0, next: 0, end: 0, pace: 0 }
    }

    /// The column of a function, over one generation.
    pub(crate) fn new(plan: &Plan, function: u64, column: u64) -> Self {
        let words = plan.function_words();
        let (first, pace) = (function * words, words.div_ceil(plan.generation));
        let (every, columns) = (column_mask(plan.columns, 0, 0), plan.columns);
        Self { every, columns, column, bit: column, first, next: first, end: first + words, pace }
    }

    /// The first bit of the column in the word after one where it is `bit`.
    #[inline]
    const fn following(&self, bit: u64) -> u64 {
        let turn = WORD % self.columns;
        if bit >= turn { bit - turn } else { bit + self.columns - turn }
    }

    /// Cleans as much as falls to one insertion.
    #[inline]
    pub(crate) fn step(&mut self, bits: &mut Bits) {
        let stop = self.end.min(self.next + self.pace);
        while self.next < stop {
            bits.keep(self.next, !(self.every << self.bit));
            self.bit = self.following(self.bit);
            self.next += 1;
        }
    }
}

/// The same for many threads: each cleans what falls to the insertions that it drew.
impl Sweep {
    /// Cleans what falls to `n` insertions, the first of them number `from` of the generation.
    pub(super) fn clean_concurrent(&self, bits: &Bits, from: u64, n: u64) {
        let (start, stop) = (self.at(from), self.at(from + n));
        let mut bit = self.bit_of(start);
        for word in start..stop {
            bits.keep_concurrent(word, !(self.every << bit));
            bit = self.following(bit);
        }
    }

    /// The words of the first `n` insertions are clean.
    pub(super) fn skip(&mut self, n: u64) {
        self.next = self.next.max(self.at(n));
        self.bit = self.bit_of(self.next);
    }

    /// The word at which insertion number `n` of the generation begins.
    fn at(&self, n: u64) -> u64 {
        self.end.min(self.first.saturating_add(n.saturating_mul(self.pace)))
    }

    /// The first bit of the column in a word.
    const fn bit_of(&self, word: u64) -> u64 {
        let place = (word - self.first) * WORD % self.columns;
        (self.columns + self.column - place) % self.columns
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
