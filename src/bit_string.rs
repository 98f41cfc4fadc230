//! A string of N words of bits in registers: fields of any width, moved bit by bit, counted and found.
//!
//! ```text
//!  word      0               1
//!  bit       0 1 2 ... 63    64 65 ...      bit p is bit p mod 64, from the least significant, of word p div 64
//!            |-- field --|                  `width` bits from bit p on; it may cross a word
//! ```
//! The blocks of a set are such strings. Price: a few instructions for every word that is touched, no memory.

use crate::num;
use crate::raw::Machine;

/// A word whose lowest `n` bits are 1, for `n` below 64.
#[inline(always)]
pub(crate) const fn lowest(n: usize) -> u64 {
    (1 << n) - 1
}

/// 64 x `N` bits; `N` is a power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BitString<const N: usize>(pub(crate) [u64; N]);

impl<const N: usize> BitString<N> {
    /// No bit is 1.
    pub(crate) const ZEROS: Self = Self([0; N]);

    /// Every bit the other way.
    #[inline(always)]
    pub(crate) fn inverted(&self) -> Self {
        Self(self.0.map(|word| !word))
    }

    /// Whether bit `p` is 1.
    #[inline(always)]
    pub(crate) fn get(&self, p: usize) -> bool {
        (self.0[p / 64] >> (p % 64)) & 1 == 1
    }

    /// How many bits are 1.
    #[inline(always)]
    pub(crate) fn ones(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// 64 bits from bit `p` on; those beyond the last word are any.
    #[inline(always)]
    fn word_at(&self, p: usize) -> u64 {
        const { assert!(N.is_power_of_two()) };
        let (i, from) = ((p / 64) % N, p % 64);
        (self.0[i] >> from) | ((self.0[(i + 1) % N] << 1) << (63 - from))
    }

    /// Writes 64 bits from bit `p` on, all of which there are.
    #[inline(always)]
    fn set_word_at(&mut self, p: usize, value: u64) {
        let (i, from) = ((p / 64) % N, p % 64);
        self.0[i] = (self.0[i] & lowest(from)) | (value << from);
        if from != 0 {
            let next = &mut self.0[(i + 1) % N];
            *next = (*next & !lowest(from)) | (value >> (64 - from));
        }
    }

    /// The `width` bits from bit `p` on, fewer than 64.
    #[inline(always)]
    pub(crate) fn field(&self, p: usize, width: usize) -> u64 {
        self.word_at(p) & lowest(width)
    }

    /// Writes the `width` bits from bit `p` on, fewer than 64; `value` has no others.
    #[inline(always)]
    pub(crate) fn set_field(&mut self, p: usize, width: usize, value: u64) {
        let (i, from) = ((p / 64) % N, p % 64);
        self.0[i] = (self.0[i] & !(lowest(width) << from)) | (value << from);
        if from + width > 64 {
            let next = &mut self.0[(i + 1) % N];
            *next = (*next & !lowest(from + width - 64)) | (value >> (64 - from));
        }
    }

    /// Moves the `n` bits from bit `from` on up by `by` bits.
    #[inline(always)]
    pub(crate) fn shift_up(&mut self, from: usize, by: usize, n: usize) {
        let mut left = n;
        while left >= 64 {
            left -= 64;
            let bits = self.word_at(from + left);
            self.set_word_at(from + left + by, bits);
        }
        let bits = self.field(from, left);
        self.set_field(from + by, left, bits);
    }

    /// Moves the `n` bits from bit `from` on down by `by` bits.
    #[inline(always)]
    pub(crate) fn shift_down(&mut self, from: usize, by: usize, n: usize) {
        let mut done = 0;
        while n - done >= 64 {
            let bits = self.word_at(from + done);
            self.set_word_at(from + done - by, bits);
            done += 64;
        }
        let bits = self.field(from + done, n - done);
        self.set_field(from + done - by, n - done, bits);
    }

    /// Puts a bit before bit `at` of those in `at..end`, which move up by one.
    #[inline(always)]
    pub(crate) fn insert(&mut self, at: usize, end: usize, bit: bool) {
        self.shift_up(at, 1, end - at);
        self.set_field(at, 1, u64::from(bit));
    }

    /// Takes bit `at` of those in `at..end` out; the others move down by one, and the last becomes 0.
    #[inline(always)]
    pub(crate) fn remove(&mut self, at: usize, end: usize) {
        self.shift_down(at + 1, 1, end - at - 1);
        self.set_field(end - 1, 1, 0);
    }

    /// How many of the `to` lowest bits are 1, and how many of the `less` lowest, which are no more.
    #[inline(always)]
    pub(crate) fn ranks(&self, less: usize, to: usize) -> (usize, usize) {
        let (mut below, mut all, mut start) = (0, 0, 0);
        for &word in &self.0 {
            let upto = |end: usize| if end >= start + 64 { word } else { word & lowest(end - start) };
            all += upto(to).count_ones();
            below += if less > start { upto(less).count_ones() } else { 0 };
            start += 64;
            if start >= to {
                break;
            }
        }
        (num::index(u64::from(below)), num::index(u64::from(all)))
    }

    /// Where the `k`-th bit from 0 on that is 1, at or above `from`, is; there is one.
    #[inline(always)]
    pub(crate) fn select<M: Machine>(&self, machine: M, from: usize, k: usize) -> usize {
        let (mut i, mut left) = (from / 64, num::wide(k));
        let mut word = self.0[i % N] & !lowest(from % 64);
        loop {
            let ones = u64::from(word.count_ones());
            if left < ones {
                return i * 64 + num::index(machine.select(word, left));
            }
            left -= ones;
            i += 1;
            word = self.0[i % N];
        }
    }

    /// Where the first bit at or above `from` that is 1 is; there is one.
    #[inline(always)]
    pub(crate) fn next_one(&self, from: usize) -> usize {
        let mut i = from / 64;
        let mut word = self.0[i % N] & !lowest(from % 64);
        while word == 0 {
            i += 1;
            word = self.0[i % N];
        }
        i * 64 + num::index(u64::from(word.trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::Portable;

    /// Words with bits here and there, and as a list of bits.
    fn samples() -> Vec<(BitString<4>, Vec<bool>)> {
        let mixed = |i: u64| std::array::from_fn(|j| crate::hash::KeyHash(i).derive(num::wide(j)));
        let sparse = |i: u64| std::array::from_fn(|j| 1 << (crate::hash::KeyHash(i).derive(num::wide(j)) % 64));
        let all = (0..40).map(mixed).chain((0..40).map(sparse)).chain([[0; 4], [u64::MAX; 4], [1 << 63; 4]]);
        all.map(|words: [u64; 4]| (BitString(words), (0..256).map(|p| (words[p / 64] >> (p % 64)) & 1 == 1).collect()))
            .collect()
    }

    #[test]
    fn rank_counts_and_select_finds() {
        for (words, list) in samples() {
            for from in [0, 1, 63, 64, 100, 191, 255] {
                let count = |to: usize| list[..to].iter().filter(|&&bit| bit).count();
                assert_eq!(words.ranks(from, 256), (count(from), count(256)));
                assert_eq!(words.ranks(from / 2, from), (count(from / 2), count(from)));
                let ones = (from..256).filter(|&p| list[p]);
                for (k, p) in ones.enumerate() {
                    assert_eq!(words.select(Portable, from, k), p, "{words:?} from {from}");
                    assert_eq!(words.next_one(p), p);
                    assert!(k > 0 || words.next_one(from) == p);
                }
            }
        }
    }

    #[test]
    fn bits_move_as_in_a_list() {
        for (words, list) in samples() {
            for (from, by, n) in [(1, 1, 255), (70, 10, 130), (64, 64, 128), (5, 0, 0), (128, 100, 128), (203, 197, 9)]
            {
                for up in [false, true] {
                    let (mut moved, mut expected) = (words, list.clone());
                    if up {
                        moved.shift_up(from - by, by, n);
                        expected.copy_within(from - by..from - by + n, from);
                    } else {
                        moved.shift_down(from, by, n);
                        expected.copy_within(from..from + n, from - by);
                    }
                    let moved = (0..256).map(|p| moved.field(p, 1) == 1).collect::<Vec<_>>();
                    assert_eq!(moved, expected, "{from} {by} {n}");
                }
            }
            for (at, end) in [(0, 255), (63, 200), (64, 64), (130, 131)] {
                let (mut longer, mut expected) = (words, list.clone());
                longer.insert(at, end, true);
                expected.copy_within(at..end, at + 1);
                expected[at] = true;
                assert_eq!((0..256).map(|p| longer.field(p, 1) == 1).collect::<Vec<_>>(), expected, "{at} {end}");
                longer.remove(at, end + 1);
                expected.copy_within(at + 1..end + 1, at);
                expected[end] = false;
                assert_eq!((0..256).map(|p| longer.field(p, 1) == 1).collect::<Vec<_>>(), expected, "{at} {end}");
            }
        }
    }

    #[test]
    fn fields_of_any_width_are_read_and_written() {
        for (words, list) in samples() {
            for (p, width) in [(0, 63), (1, 63), (10, 54), (10, 55), (63, 2), (64, 0), (193, 63), (250, 6), (130, 33)] {
                let by_bit = (0..width).filter(|i| list[p + i]).fold(0, |value, i| value | (1 << i));
                assert_eq!(words.field(p, width), by_bit);
                let (mut written, value) = (words, 0xDEAD_BEEF_0123_4567 & lowest(width));
                written.set_field(p, width, value);
                assert_eq!(written.field(p, width), value);
                written.set_field(p, width, by_bit);
                assert_eq!(written, words);
            }
        }
        assert_eq!((lowest(0), lowest(1), lowest(63)), (0, 1, u64::MAX >> 1));
    }
}
