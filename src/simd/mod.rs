//! Cache lines of 32 lanes of 16 bits: which lanes are equal to a value, by AVX-512, AVX2, SSE2, NEON or plain words.
//!
//! ```text
//!  line   word 0            word 1            ...   word 7
//!         [l0][l1][l2][l3]  [l4][l5][l6][l7]  ...   [..][l31]     lane i is bits 16 (i mod 4) .. of word i / 4
//! ```
//! **Law.** Every form gives the same bits. A line is read and written in pieces of a lane or more, each at once and in no
//! order, so a line that another thread changes is never undefined, only mixed; callers that need more take a lock.
//!
//! **Proofs.** The forms of x86-64 and AArch64 read and write a line inside `asm!`: no Rust type reads an atomic word into
//! a vector register, or a lane of one alone. What `asm!` does is what the machine does, which has no undefined reads; all
//! of it stays inside the 64 bytes of the line. AVX2 and AVX-512 are used where a check at run time shows that the machine has
//! them.
#![allow(unsafe_code, reason = "the room of vector instructions")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod found;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod pieces;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(any(test, not(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64")))))]
mod words;

use std::sync::atomic::Ordering::Relaxed;

use crate::num;
use crate::raw;

pub(crate) use crate::raw::Line;

#[cfg(not(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64"))))]
use words as pieces;

/// Where eight bytes of a line begin: at byte 56 at most, so that who reads them need not ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start(u8);

impl Start {
    /// At this byte, or at the last from which eight are left.
    pub(crate) const fn at(byte: u64) -> Self {
        Self(num::low_byte(if byte < 56 { byte } else { 56 }))
    }

    #[inline(always)]
    fn byte(self) -> u64 {
        u64::from(self.0)
    }
}

impl Line {
    /// Word `i`, below 8: the mask spares the check.
    #[inline(always)]
    pub(crate) fn word(&self, i: usize) -> u64 {
        debug_assert!(i < 8);
        self.0[i % 8].load(Relaxed)
    }

    /// Writes word `i`. One writer at a time.
    #[inline(always)]
    pub(crate) fn set_word(&self, i: usize, value: u64) {
        debug_assert!(i < 8);
        self.0[i % 8].store(value, Relaxed);
    }

    /// Lane `i`, below 32.
    #[inline(always)]
    pub(crate) fn lane(&self, i: u64) -> u16 {
        #[cfg(test)]
        if plain::is_asked_for() {
            return words::lane(self, i % 32);
        }
        pieces::lane(self, i % 32)
    }

    /// All of them, a word at a time.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> [u16; 32] {
        let mut lanes = [0; 32];
        for (i, four) in lanes.chunks_exact_mut(4).enumerate() {
            let [a, b, c, d, e, f, g, h] = self.word(i).to_le_bytes();
            four.copy_from_slice(&[[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes));
        }
        lanes
    }

    /// Writes lane `i`, below 32. One writer at a time.
    #[inline(always)]
    pub(crate) fn set_lane(&self, i: u64, lane: u16) {
        #[cfg(test)]
        if plain::is_asked_for() {
            return words::set_lane(self, i % 32, lane);
        }
        pieces::set_lane(self, i % 32, lane);
    }

    /// Eight bytes from there on.
    #[inline(always)]
    pub(crate) fn eight_bytes(&self, from: Start) -> u64 {
        #[cfg(test)]
        if plain::is_asked_for() {
            return words::eight_bytes(self, from);
        }
        pieces::eight_bytes(self, from)
    }

    /// Writes eight bytes. One writer at a time.
    #[inline(always)]
    pub(crate) fn set_eight_bytes(&self, from: Start, bytes: u64) {
        #[cfg(test)]
        if plain::is_asked_for() {
            return words::set_eight_bytes(self, from, bytes);
        }
        pieces::set_eight_bytes(self, from, bytes);
    }

    /// Asks for the line.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        raw::prefetch(&self.0[0]);
    }
}

/// A set of instructions.
pub(crate) trait Instructions {
    /// The lanes that are `want` where `keep` has ones: bit `i` for lane `i`.
    fn equal(line: &Line, keep: u16, want: u16) -> u32;

    /// The same of two lines: bit 32 + `i` for lane `i` of the second.
    #[inline(always)]
    fn equal_in_both([first, second]: [&Line; 2], keep: u16, want: u16) -> u64 {
        u64::from(Self::equal(first, keep, want)) | (u64::from(Self::equal(second, keep, want)) << 32)
    }

    /// The lanes of two lines that are 0.
    #[inline(always)]
    fn free_in_both(lines: [&Line; 2]) -> u64 {
        Self::equal_in_both(lines, u16::MAX, 0)
    }

    /// Makes those of the first `lanes` lanes 0 that are `want` where `keep` has ones. One writer at a time.
    fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16);

    /// Whether `a` has more ones than `b`.
    fn has_more(a: u32, b: u32) -> bool;

    /// Runs a task within another that has these instructions, as a call.
    fn run<T: Task>(task: T, given: T::Args) -> T::Result;
}

/// The instructions that every machine of the target has.
pub(crate) struct Baseline;

impl Instructions for Baseline {
    #[inline(always)]
    fn equal(line: &Line, keep: u16, want: u16) -> u32 {
        #[cfg(test)]
        if plain::is_asked_for() {
            return words::equal(line, keep, want);
        }
        #[cfg(target_arch = "x86_64")]
        return sse2::equal(line, keep, want);
        #[cfg(target_arch = "aarch64")]
        return neon::equal(line, keep, want);
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return words::equal(line, keep, want);
    }

    #[inline(always)]
    fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
        #[cfg(test)]
        if plain::is_asked_for() {
            return words::clear_equal(line, keep, want, lanes);
        }
        #[cfg(target_arch = "x86_64")]
        return sse2::clear_equal(line, keep, want, lanes);
        #[cfg(target_arch = "aarch64")]
        return neon::clear_equal(line, keep, want, lanes);
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return words::clear_equal(line, keep, want, lanes);
    }

    #[cfg_attr(target_arch = "x86_64", inline(always))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(never))]
    fn run<T: Task>(task: T, given: T::Args) -> T::Result {
        run_baseline(task, given)
    }

    /// Baseline machines count no ones at once: both are counted together.
    #[inline(always)]
    fn has_more(a: u32, b: u32) -> bool {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let both = u64::from(a) | (u64::from(b) << 32);
        let pairs = both - ((both >> 1) & (0x55 * EACH));
        let nibbles = (pairs & (0x33 * EACH)) + ((pairs >> 2) & (0x33 * EACH));
        let bytes = (nibbles + (nibbles >> 4)) & (0x0F * EACH);
        let words = bytes + (bytes >> 16);
        let sums = words + (words >> 8);
        sums & 0x3F > (sums >> 32) & 0x3F
    }
}

/// A task for the best instructions of this machine. Arguments of a call come separately, two words at most,
/// so that all of it stays in registers.
pub(crate) trait Task {
    /// The arguments of a call.
    type Args;
    type Result;
    fn run<I: Instructions>(self, given: Self::Args) -> Self::Result;
}

/// Runs a task with the best instructions of this machine.
#[inline(always)]
pub(crate) fn run<T: Task>(task: T, given: T::Args) -> T::Result {
    #[cfg(target_arch = "x86_64")]
    match found::level() {
        // SAFETY: the machine has it.
        found::AVX512 => return unsafe { avx512::run(task, given) },
        // SAFETY: the machine has it.
        found::AVX2 => return unsafe { avx2::run(task, given) },
        _ => {}
    }
    run_baseline(task, given)
}

/// A call of its own where the choice is made at run time, so that the choice stays small.
#[cfg_attr(target_arch = "x86_64", inline(never))]
#[cfg_attr(not(target_arch = "x86_64"), inline(always))]
fn run_baseline<T: Task>(task: T, given: T::Args) -> T::Result {
    task.run::<Baseline>(given)
}

/// Tests run the plain form where they ask for it.
#[cfg(test)]
pub(crate) mod plain {
    use std::cell::Cell;

    thread_local!(static ASKED: Cell<bool> = const { Cell::new(false) });

    pub(super) fn is_asked_for() -> bool {
        ASKED.get()
    }

    /// Runs `f` with the plain form on this thread.
    pub(crate) fn run<R>(f: impl FnOnce() -> R) -> R {
        ASKED.set(true);
        let result = f();
        ASKED.set(false);
        result
    }
}

/// Finds out what this machine has, before the first task runs.
pub(crate) fn look() {
    #[cfg(target_arch = "x86_64")]
    found::look();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;

    const LANES: usize = 32;

    /// [`super::run`], once it is known what this machine has.
    fn run<T: Task>(task: T, given: T::Args) -> T::Result {
        #[cfg(target_arch = "x86_64")]
        found::look();
        super::run(task, given)
    }

    /// The same by AVX2 on a machine that has more than that, too; `otherwise` where it is not there.
    fn run_avx2<T: Task>(task: T, given: T::Args, otherwise: T::Result) -> T::Result {
        #[cfg(target_arch = "x86_64")]
        if found::level() >= found::AVX2 {
            // SAFETY: the machine has it.
            return unsafe { avx2::run(task, given) };
        }
        drop((task, given));
        otherwise
    }

    struct Equal<'a>(&'a Line, u16, u16);

    impl Task for Equal<'_> {
        type Args = ();
        type Result = u32;
        fn run<I: Instructions>(self, (): ()) -> u32 {
            I::equal(self.0, self.1, self.2)
        }
    }

    struct EqualInBoth<'a>(&'a Line, &'a Line);

    impl Task for EqualInBoth<'_> {
        type Args = (u16, u16);
        type Result = u64;
        fn run<I: Instructions>(self, (keep, want): (u16, u16)) -> u64 {
            assert_eq!(I::free_in_both([self.0, self.1]), I::equal_in_both([self.0, self.1], u16::MAX, 0));
            I::equal_in_both([self.0, self.1], keep, want)
        }
    }

    struct Clear<'a>(&'a Line);

    impl Task for Clear<'_> {
        type Args = (u16, u16, u16);
        type Result = ();
        fn run<I: Instructions>(self, (keep, want, lanes): (u16, u16, u16)) {
            I::clear_equal(self.0, keep, want, lanes);
        }
    }

    struct HasMore(u32, u32);

    impl Task for HasMore {
        type Args = ();
        type Result = bool;
        fn run<I: Instructions>(self, (): ()) -> bool {
            I::has_more(self.0, self.1)
        }
    }

    /// Each form against whole words, for every piece of lines of random bits.
    #[test]
    fn every_form_reads_and_writes_the_same_pieces() {
        for seed in 0..200 {
            let random = |i: u64| KeyHash(seed).derive(i);
            let fresh = || {
                let line = Line::default();
                (0..8).for_each(|i| line.set_word(i, random(num::wide(i))));
                line
            };
            let (mine, other) = (fresh(), fresh());
            let same = |a: &Line, b: &Line| (0..8).all(|i| a.word(i) == b.word(i));
            for i in 0..32 {
                assert_eq!(mine.lane(i), words::lane(&other, i));
                let [low, high, ..] = random(100 + i).to_le_bytes();
                mine.set_lane(i, u16::from_le_bytes([low, high]));
                words::set_lane(&other, i, u16::from_le_bytes([low, high]));
                assert!(same(&mine, &other));
            }
            for byte in 0..=57 {
                let from = Start::at(byte);
                assert_eq!(from.byte(), byte.min(56), "eight bytes are left");
                assert_eq!(mine.eight_bytes(from), plain::run(|| other.eight_bytes(from)));
                mine.set_eight_bytes(from, random(200 + byte));
                plain::run(|| other.set_eight_bytes(from, random(200 + byte)));
                assert!(same(&mine, &other), "eight bytes from {byte} on");
            }
        }
    }

    /// Each form against lane by lane, for lines of few values.
    #[test]
    fn every_form_clears_the_lanes_that_are_equal_and_no_others() {
        for seed in 0..200 {
            let fresh = || {
                let line = Line::default();
                (0..8).for_each(|i| line.set_word(i, KeyHash(seed).derive(num::wide(i)) & 0x0003_8003_0001_E001));
                line
            };
            for (keep, want, lanes) in
                [(0x8000, 0, 31), (0x8000, 0x8000, 27), (0xE000, 0xE000, 32), (3, 1, 10), (1, 0, 0)]
            {
                let (mine, best, other, before) = (fresh(), fresh(), fresh(), fresh());
                Baseline::clear_equal(&mine, keep, want, lanes);
                run(Clear(&best), (keep, want, lanes));
                plain::run(|| Baseline::clear_equal(&other, keep, want, lanes));
                for i in 0..32 {
                    let goes = i < u64::from(lanes) && before.lane(i) & keep == want;
                    let left = if goes { 0 } else { before.lane(i) };
                    let each = [&mine, &best, &other].map(|line| line.lane(i));
                    assert_eq!(each, [left; 3], "lane {i} of {lanes}, {keep:x} {want:x}");
                }
            }
        }
    }

    #[test]
    fn every_form_counts_the_same_ones() {
        for seed in 0..10_000 {
            let [a, b] = [0, 1].map(|i| u32::try_from(KeyHash(seed).derive(i) >> (32 + seed % 32)).unwrap());
            assert_eq!(Baseline::has_more(a, b), a.count_ones() > b.count_ones());
            assert_eq!(run(HasMore(a, b), ()), a.count_ones() > b.count_ones());
        }
    }

    /// Each form against the definition, for lines of few values so that lanes are often equal.
    #[test]
    fn every_form_finds_the_lanes_that_are_equal() {
        for seed in 0..2000 {
            let line = Line::default();
            let few = if seed % 2 == 0 { 0x0003_8003_0001_E001 } else { u64::MAX };
            (0..8).for_each(|i| line.set_word(i, KeyHash(seed).derive(num::wide(i)) & few));
            let lane = |i: usize| {
                let [low, high, ..] = (line.word(i / 4) >> (16 * (i % 4))).to_le_bytes();
                u16::from_le_bytes([low, high])
            };
            let backwards = Line::default();
            (0..).zip((0..LANES).rev()).for_each(|(i, from)| backwards.set_lane(i, lane(from)));
            for keep in [0xFFFF, 0x1FFF, 0xE000, 0x8000, 1, 0] {
                for want in (0..LANES).map(lane).chain([0, 1, keep]) {
                    let want = want & keep;
                    let expected = (0..LANES).filter(|&i| lane(i) & keep == want).fold(0, |bits, i| bits | (1 << i));
                    assert_eq!(words::equal(&line, keep, want), expected);
                    let other =
                        (0..LANES).filter(|&i| lane(31 - i) & keep == want).fold(0u64, |bits, i| bits | (1 << i));
                    let both = u64::from(expected) | (other << 32);
                    assert_eq!(run(EqualInBoth(&line, &backwards), (keep, want)), both, "{keep:x} {want:x} {line:x?}");
                    assert_eq!(Baseline::equal_in_both([&line, &backwards], keep, want), both);
                    let by_avx2 = run_avx2(EqualInBoth(&line, &backwards), (keep, want), both);
                    assert_eq!(by_avx2, both, "AVX2, {keep:x} {want:x} {line:x?}");
                    // A first line that has nothing to do with the second.
                    let (zeros, all) = (Line::default(), if want == 0 { u64::from(u32::MAX) } else { 0 });
                    let both = all | (u64::from(expected) << 32);
                    assert_eq!(run(EqualInBoth(&zeros, &line), (keep, want)), both);
                    assert_eq!(run_avx2(EqualInBoth(&zeros, &line), (keep, want), both), both, "AVX2, one line");
                    assert_eq!(run(Equal(&line, keep, want), ()), expected);
                    assert_eq!(Baseline::equal(&line, keep, want), expected, "{keep:x} {want:x} {line:x?}");
                }
            }
        }
    }
}
