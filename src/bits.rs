//! Bit arrays over 64-bit words.
//!
//! Layout: bit `p` is bit `p mod 64` (from the least significant) of word `p div 64`; a whole number of words.
//! Price: one cache line per bit touched.
//!
//! The words are atomics so that the shared handle can use the same arrays. A caller that is alone with a word, by `&mut`
//! or by a lock, reads and writes it with relaxed loads and stores, which compile to plain moves; all others use the
//! `_concurrent` forms.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::error::Error;
use crate::raw::Zeroed;
use crate::{num, raw};

/// Bits in a word.
pub(crate) const WORD: u64 = 64;

/// A fixed number of bits, a multiple of 64.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    words: Zeroed<AtomicU64>,
}

impl Bits {
    /// `words` x 64 bits, all 0.
    pub(crate) fn zeroed(words: u64) -> Result<Self, Error> {
        Self::aligned(words, size_of::<AtomicU64>())
    }

    /// The same, the first of which begins a cache line.
    pub(crate) fn in_lines(words: u64) -> Result<Self, Error> {
        Self::aligned(words, size_of::<raw::Line>())
    }

    fn aligned(words: u64, align: usize) -> Result<Self, Error> {
        let n = usize::try_from(words).map_err(|_| Error::no_memory(usize::MAX))?;
        Ok(Self { words: Zeroed::new(n, align)? })
    }

    /// A copy of its own.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let copy = Self { words: self.words.fresh()? };
        for (to, from) in copy.words.iter().zip(self.words.iter()) {
            to.store(from.load(Relaxed), Relaxed);
        }
        Ok(copy)
    }

    /// How many words.
    #[inline]
    pub(crate) fn words(&self) -> u64 {
        num::wide(self.words.len())
    }

    /// How many bits.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.words() * WORD
    }

    /// Whether bit `p` is set.
    #[inline]
    pub(crate) fn get(&self, p: u64) -> bool {
        let (word, mask) = self.place(p);
        word.load(Relaxed) & mask != 0
    }

    /// Sets bit `p`; returns whether that changed it. One writer at a time.
    #[inline]
    pub(crate) fn set(&mut self, p: u64) -> bool {
        let (word, mask) = self.place(p);
        let old = word.load(Relaxed);
        word.store(old | mask, Relaxed);
        old & mask == 0
    }

    /// [`Bits::set`] among several writers: exactly one of them learns that it changed the bit.
    #[inline]
    pub(crate) fn set_concurrent(&self, p: u64) -> bool {
        let (word, mask) = self.place(p);
        word.load(Relaxed) & mask == 0 && word.fetch_or(mask, Relaxed) & mask == 0
    }

    /// The `width` bits from bit `p` on, 1 to 64 of them.
    #[inline]
    pub(crate) fn field(&self, p: u64, width: u64) -> u64 {
        let (i, from) = (num::index(p / WORD), p % WORD);
        let mut field = self.words[i].load(Relaxed) >> from;
        if from + width > WORD {
            field |= self.words[i + 1].load(Relaxed) << (WORD - from);
        }
        field & mask(width)
    }

    /// Writes `value` into the `width` bits from bit `p` on, 1 to 64 of them. One writer at a time.
    #[inline]
    pub(crate) fn put(&self, p: u64, width: u64, value: u64) {
        self.update(p, width, |_| (value, ()));
    }

    /// Replaces the `width` bits from bit `p` on, 1 to 64 of them, by the first value that `change` returns for them, and
    /// returns the second. One writer at a time.
    #[inline]
    pub(crate) fn update<T>(&self, p: u64, width: u64, change: impl FnOnce(u64) -> (u64, T)) -> T {
        let (i, from) = (num::index(p / WORD), p % WORD);
        let (crosses, field) = (from + width > WORD, mask(width));
        let first = self.words[i].load(Relaxed);
        let next = if crosses { self.words[i + 1].load(Relaxed) } else { 0 };
        let old = (first >> from) | ((next << 1) << (WORD - 1 - from));
        let (value, output) = change(old & field);
        self.words[i].store((first & !(field << from)) | (value << from), Relaxed);
        if crosses {
            let (field, value) = (field >> (WORD - from), value >> (WORD - from));
            self.words[i + 1].store((next & !field) | value, Relaxed);
        }
        output
    }

    /// The `n` words from word `first` on.
    #[inline]
    pub(crate) fn run(&self, first: u64, n: u64) -> impl Iterator<Item = u64> {
        self.words[num::index(first)..num::index(first + n)].iter().map(|word| word.load(Relaxed))
    }

    /// Shifts the `n` words from word `first` on, as one number, down by `width` bits, 1 to 63 of them, and puts
    /// `value` above what is left. One writer at a time.
    #[inline]
    pub(crate) fn shift(&self, first: u64, n: u64, width: u64, value: u64) {
        let mut from_above = value;
        for word in self.words[num::index(first)..num::index(first + n)].iter().rev() {
            let old = word.load(Relaxed);
            word.store((old >> width) | (from_above << (WORD - width)), Relaxed);
            from_above = old & mask(width);
        }
    }

    /// Words before the first that begins a cache line.
    #[cfg(test)]
    pub(crate) fn unaligned_words(&self) -> u64 {
        num::wide(self.words.as_ptr().align_offset(LINE * size_of::<AtomicU64>()))
    }

    /// Writes `words` from word `first` on. One writer at a time.
    pub(crate) fn fill_run(&mut self, first: u64, words: impl Iterator<Item = u64>) {
        for (to, from) in self.words[num::index(first)..].iter_mut().zip(words) {
            *to.get_mut() = from;
        }
    }

    /// Asks for the cache line of bit `p`.
    #[inline]
    pub(crate) fn prefetch(&self, p: u64) {
        raw::prefetch(&self.words[num::index(p / WORD)]);
    }

    /// Clears the bits of word `i` that `mask` does not have.
    #[inline]
    pub(crate) fn keep(&mut self, i: u64, mask: u64) {
        *self.words[num::index(i)].get_mut() &= mask;
    }

    /// [`Bits::keep`] among several writers of other bits.
    #[inline]
    pub(crate) fn keep_concurrent(&self, i: u64, mask: u64) {
        let word = &self.words[num::index(i)];
        if word.load(Relaxed) & !mask != 0 {
            word.fetch_and(mask, Relaxed);
        }
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    #[inline]
    fn place(&self, p: u64) -> (&AtomicU64, u64) {
        (&self.words[num::index(p / WORD)], 1 << (p % WORD))
    }
}

/// The lowest `width` bits, 1 to 64 of them.
#[inline]
pub(crate) const fn mask(width: u64) -> u64 {
    u64::MAX >> (WORD - width)
}

/// Words of a cache line.
pub(crate) const LINE: usize = 8;

/// A fixed number of cache lines of words, read and written a line or half a line at a time.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    lines: Zeroed<raw::Line>,
}

impl Lines {
    /// `lines` x 512 bits, all 0.
    pub(crate) fn zeroed(lines: u64) -> Result<Self, Error> {
        let n = usize::try_from(lines).map_err(|_| Error::no_memory(usize::MAX))?;
        Ok(Self { lines: Zeroed::new(n, size_of::<raw::Line>())? })
    }

    /// A copy of its own.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let copy = Self { lines: self.lines.fresh()? };
        for (to, from) in copy.lines.iter().zip(self.lines.iter()) {
            for (to, from) in to.0.iter().zip(&from.0) {
                to.store(from.load(Relaxed), Relaxed);
            }
        }
        Ok(copy)
    }

    /// Asks for line `i`.
    #[inline]
    pub(crate) fn prefetch(&self, i: usize) {
        raw::prefetch(&self.lines[i].0[0]);
    }

    /// The `N` words, 4 or 8 of them, of the `i`-th run of `N` words.
    #[inline]
    pub(crate) fn load<const N: usize>(&self, i: usize) -> [u64; N] {
        let run = self.run::<N>(i);
        std::array::from_fn(|j| run[j].load(Relaxed))
    }

    /// Writes the `N` words of the `i`-th run. One writer at a time.
    #[inline]
    pub(crate) fn store<const N: usize>(&self, i: usize, words: &[u64; N]) {
        for (to, from) in self.run::<N>(i).iter().zip(words) {
            to.store(*from, Relaxed);
        }
    }

    /// Clears every bit.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
    }

    #[inline]
    fn run<const N: usize>(&self, i: usize) -> &[AtomicU64] {
        const { assert!(N == LINE || N == LINE / 2) };
        let from = i * N % LINE;
        &self.lines[i * N / LINE].0[from..from + N]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_may_cross_a_word() {
        let mut bits = Bits::zeroed(2).unwrap();
        for p in [60, 61, 63, 64, 66] {
            bits.set(p);
        }
        assert_eq!(bits.field(60, 7), 0b101_1011);
        assert_eq!((bits.field(60, 4), bits.field(64, 3), bits.field(65, 63)), (0b1011, 0b101, 0b10));
        bits.keep(0, !(1 << 61));
        assert_eq!(bits.field(60, 7), 0b101_1001);
    }

    #[test]
    fn lines_are_read_and_written_in_halves_or_whole() {
        let mut lines = Lines::zeroed(3).unwrap();
        lines.store(1, &[1, 2, 3, 4, 5, 6, 7, 8]);
        lines.store(5, &[9, 9, 9, 9]);
        assert_eq!(lines.load(2), [1, 2, 3, 4]);
        assert_eq!(lines.load(3), [5, 6, 7, 8]);
        assert_eq!(lines.load(2), [0, 0, 0, 0, 9, 9, 9, 9]);
        let copy = lines.try_clone().unwrap();
        lines.clear();
        assert_eq!((lines.load(2), copy.load(5)), ([0; 8], [9; 4]));
        assert!(Lines::zeroed(u64::MAX).is_err());
    }

    #[test]
    fn a_field_is_written_alone() {
        for p in 0..=128 {
            for width in (1..=64).filter(|width| p + width <= 192) {
                let mut bits = Bits::zeroed(3).unwrap();
                (0..192).for_each(|p| assert!(bits.set(p)));
                let value = 0xA5C3_9E71_D20F_6B48 & mask(width);
                bits.put(p, width, value);
                assert_eq!(bits.field(p, width), value, "{width} at {p}");
                bits.put(p, width, mask(width));
                assert!((0..192).all(|p| bits.get(p)), "{width} at {p}");
            }
        }
    }

    #[test]
    fn an_update_sees_and_changes_its_field_alone() {
        for p in 0..=128 {
            for width in (1..=64).filter(|width| p + width <= 192) {
                let mut bits = Bits::zeroed(3).unwrap();
                bits.put(p, width, mask(width));
                assert_eq!(bits.update(p, width, |field| (0, field)), mask(width), "{width} at {p}");
                assert!((0..192).all(|p| !bits.get(p)), "{width} at {p}");
                (0..192).for_each(|p| assert!(bits.set(p)));
                let value = 0xA5C3_9E71_D20F_6B48 & mask(width);
                bits.update(p, width, |_| (value, ()));
                let rest = (0..192).filter(|q| !(p..p + width).contains(q)).all(|q| bits.get(q));
                assert!(rest && bits.field(p, width) == value, "{width} at {p}");
            }
        }
    }

    #[test]
    fn no_bit_is_lost_among_several_writers() {
        // Each of two threads sets and clears its own bit of the same few words, and always finds it as it left it.
        let (bits, start) = (Bits::zeroed(8).unwrap(), std::sync::Barrier::new(2));
        let each = |thread: u64| {
            start.wait();
            for i in 0..5_000_000 {
                let word = i % 8;
                let own = word * 64 + thread;
                assert!(bits.set_concurrent(own), "a bit that was cleared is still set");
                assert!(bits.get(own) && !bits.set_concurrent(own), "a bit that was set is lost");
                bits.keep_concurrent(word, !(1 << thread));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| each(0));
            each(1);
        });
        assert!(bits.run(0, 8).all(|word| word == 0));
    }

    #[test]
    fn words_shift_as_one_number() {
        let bits = Bits::zeroed(4).unwrap();
        for i in 0..4 {
            bits.put(i * 64, 64, 0x1111_1111_1111_1110 * (i + 1) + 7);
        }
        bits.shift(1, 2, 4, 0xA);
        let words = [0x1111_1111_1111_1117, 0x7222_2222_2222_2222, 0xA333_3333_3333_3333, 0x4444_4444_4444_4447];
        assert!(bits.run(0, 4).eq(words), "{:x?}", bits.run(0, 4).collect::<Vec<_>>());
    }

    #[test]
    fn a_bit_is_set_once_and_alone() {
        let mut bits = Bits::zeroed(3).unwrap();
        assert_eq!((bits.words(), bits.len()), (3, 192));
        for p in [0, 63, 64, 191] {
            assert!(!bits.get(p) && bits.set(p) && bits.get(p) && !bits.set(p));
        }
        let copy = bits.try_clone().unwrap();
        bits.clear();
        assert_eq!((0..192).filter(|&p| bits.get(p)).count(), 0);
        assert_eq!((0..192).filter(|&p| copy.get(p)).collect::<Vec<_>>(), [0, 63, 64, 191]);
    }
}
