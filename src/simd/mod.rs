//! Cache lines of 32 lanes of 16 bits: which lanes are equal to a value, which parts of the second half are 0, by AVX2, SSE2,
//! NEON or one lane at a time.
//!
//! ```text
//!  line   bytes 0 .. 31                    32 .. 63
//!         [l0][l1][l2] .. [l15]            [l16] .. [l31]        lanes
//!                                          b0 b1 .. b31          bytes of the second half
//!                                          [p0 ][p1 ] .. [p7 ]   pairs of its lanes
//! ```
//! **Law.** Every form gives the same bits. A lane is read and written at once, and lanes in no order, so a line that another
//! thread changes is never undefined, only mixed; callers that need more take a lock.
//!
//! **Proofs.** The forms of x86-64 and AArch64 read and write a line inside `asm!`: no Rust type reads an atomic lane into
//! a vector register. What `asm!` does is what the machine does, which has no undefined reads; all of it stays inside the 64
//! bytes of the line. AVX2 is used where a check at run time shows that the machine has it.
#![allow(unsafe_code, reason = "the room of vector instructions")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod found;
#[cfg(all(target_endian = "little", target_arch = "aarch64"))]
mod neon;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(any(test, not(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64")))))]
mod words;

use std::sync::atomic::Ordering::Relaxed;

use crate::raw;

pub(crate) use crate::raw::LaneLine as Line;

#[cfg(all(target_endian = "little", target_arch = "aarch64"))]
use neon as baseline;
#[cfg(target_arch = "x86_64")]
use sse2 as baseline;
#[cfg(not(all(target_endian = "little", any(target_arch = "x86_64", target_arch = "aarch64"))))]
use words as baseline;

/// The bytes of a line, out of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Bytes(pub(crate) [u8; 64]);

impl Default for Bytes {
    fn default() -> Self {
        Self([0; 64])
    }
}

impl Line {
    /// Lane `i`, below 32: the mask spares the check.
    #[inline(always)]
    pub(crate) fn lane(&self, i: usize) -> u16 {
        debug_assert!(i < 32);
        self.0[i % 32].load(Relaxed)
    }

    /// Writes lane `i`. One writer at a time.
    #[inline(always)]
    pub(crate) fn set_lane(&self, i: usize, lane: u16) {
        debug_assert!(i < 32);
        self.0[i % 32].store(lane, Relaxed);
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
    /// The same of the first 16 lanes: bits 2 `i` and 2 `i` + 1 for lane `i`.
    fn equal_in_first_half(line: &Line, keep: u16, want: u16) -> u32;
    /// The lanes of the second half that are 0: bits 2 `i` and 2 `i` + 1 for lane 16 + `i`.
    fn zero_lanes(line: &Line) -> u32;
    /// The bytes of the second half that are 0: bit `i` for byte 32 + `i`.
    fn zero_bytes(line: &Line) -> u32;
    /// The pairs of lanes of the second half that are 0: bit `i` for lanes 16 + 2 `i` and the next.
    fn zero_pairs(line: &Line) -> u32;
    /// All of it.
    fn load(line: &Line) -> Bytes;
    /// Writes all of it. One writer at a time.
    fn store(line: &Line, bytes: &Bytes);
    /// Whether `a` has more ones than `b`.
    fn has_more(a: u32, b: u32) -> bool;
    /// Runs a task within another that has these instructions, as a call.
    fn run<T: Task>(task: T, given: T::Args) -> T::Result;
}

/// The instructions that every machine of the target has.
pub(crate) struct Baseline;

/// A form of the baseline; tests run the plain form where they ask for it.
macro_rules! forms {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        $(#[inline(always)]
        fn $name(line: &Line, $($argument: $type),*) -> $result {
            #[cfg(test)]
            if plain::is_asked_for() {
                return words::$name(line, $($argument),*);
            }
            baseline::$name(line, $($argument),*)
        })+
    };
}

impl Instructions for Baseline {
    forms! {
        equal(keep: u16, want: u16) -> u32;
        equal_in_first_half(keep: u16, want: u16) -> u32;
        zero_lanes() -> u32;
        zero_bytes() -> u32;
        zero_pairs() -> u32;
        load() -> Bytes;
        store(bytes: &Bytes) -> ();
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
    if found::has_avx2() {
        // SAFETY: the machine has it.
        return unsafe { avx2::run(task, given) };
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
pub(crate) fn detect() {
    #[cfg(target_arch = "x86_64")]
    found::detect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;

    /// All that a form computes from a line.
    struct All<'a>(&'a Line);

    impl Task for All<'_> {
        type Args = (u16, u16);
        type Result = ([u32; 5], Bytes);
        fn run<I: Instructions>(self, (keep, want): (u16, u16)) -> Self::Result {
            let line = self.0;
            let zeros = [I::zero_lanes(line), I::zero_bytes(line), I::zero_pairs(line)];
            let equal = [I::equal(line, keep, want), I::equal_in_first_half(line, keep, want)];
            ([equal[0], equal[1], zeros[0], zeros[1], zeros[2]], I::load(line))
        }
    }

    struct Store<'a>(&'a Line, Bytes);

    impl Task for Store<'_> {
        type Args = ();
        type Result = ();
        fn run<I: Instructions>(self, (): ()) {
            I::store(self.0, &self.1);
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

    fn lane(random: u64, i: usize) -> u16 {
        let [a, b, ..] = KeyHash(random).derive(crate::num::wide(i)).to_le_bytes();
        let few = if random % 2 == 0 { 0xE003 } else { u16::MAX };
        if random % 3 == 0 && i % 3 > 0 { 0 } else { u16::from_le_bytes([a, b]) & few }
    }

    /// The forms against the definition, for lines of few values so that lanes are often equal or 0.
    #[test]
    fn every_form_computes_its_definition() {
        detect();
        for seed in 0..3000 {
            let line = Line::default();
            (0..32).for_each(|i| line.set_lane(i, lane(seed, i)));
            for keep in [0xFFFF, 0x1FFF, 0x07FF] {
                let want = lane(seed, 5) & keep;
                let bit = |is: bool, at: usize| u32::from(is) << at;
                let equal = (0..32).fold(0, |bits, i| bits | bit(lane(seed, i) & keep == want, i));
                let half = (0..16).fold(0, |bits, i| bits | (3 * bit(lane(seed, i) & keep == want, 2 * i)));
                let lanes = (0..16).fold(0, |bits, i| bits | (3 * bit(lane(seed, 16 + i) == 0, 2 * i)));
                let byte = |i: usize| lane(seed, 16 + i / 2).to_le_bytes()[i % 2];
                let bytes = (0..32).fold(0, |bits, i| bits | bit(byte(i) == 0, i));
                let pair = |i: usize| lane(seed, 16 + 2 * i) | lane(seed, 17 + 2 * i);
                let pairs = (0..8).fold(0, |bits, i| bits | bit(pair(i) == 0, i));
                let mut all = Bytes::default();
                (0..32).for_each(|i| all.0[2 * i..2 * i + 2].copy_from_slice(&lane(seed, i).to_le_bytes()));
                let expected = ([equal, half, lanes, bytes, pairs], all);
                let task = || All(&line);
                assert_eq!(run(task(), (keep, want)), expected, "best");
                assert_eq!(task().run::<Baseline>((keep, want)), expected, "baseline");
                assert_eq!(plain::run(|| task().run::<Baseline>((keep, want))), expected, "plain");
                let copies = [Line::default(), Line::default(), Line::default()];
                run(Store(&copies[0], all), ());
                Store(&copies[1], all).run::<Baseline>(());
                plain::run(|| Store(&copies[2], all).run::<Baseline>(()));
                for copy in &copies {
                    assert!((0..32).all(|i| copy.lane(i) == lane(seed, i)));
                }
            }
        }
    }

    #[test]
    fn every_form_counts_the_same_ones() {
        detect();
        for seed in 0..10_000 {
            let [a, b] = [0, 1].map(|i| u32::try_from(KeyHash(seed).derive(i) >> (32 + seed % 32)).unwrap());
            assert_eq!(Baseline::has_more(a, b), a.count_ones() > b.count_ones());
            assert_eq!(run(HasMore(a, b), ()), a.count_ones() > b.count_ones());
        }
    }
}
