//! Lanes by AVX2, 16 at a time.
#![allow(unused_unsafe, reason = "compilers before 1.87 ask for it")]

use std::arch::asm;
use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi16, _mm256_cmpgt_epi16, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_packs_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_setr_epi16,
    _mm256_testz_si256,
};

use super::{Instructions, Task};
use crate::raw::Line;

/// An instruction with a value and each half of a line, which stays in memory.
macro_rules! with_halves {
    ($instruction:literal, $value:expr, $line:expr) => {{
        let (start, value) = (std::ptr::from_ref::<Line>($line), $value);
        let (a, b): (__m256i, __m256i);
        // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written.
        unsafe {
            asm!(
                concat!($instruction, " {a}, {value}, [{start}]"),
                concat!($instruction, " {b}, {value}, [{start} + 32]"),
                start = in(reg) start,
                value = in(ymm_reg) value,
                a = out(ymm_reg) a,
                b = out(ymm_reg) b,
                options(readonly, nostack, preserves_flags),
            );
        }
        [a, b]
    }};
}

/// The third level of x86-64, of which AVX2 is a part.
pub(super) struct Avx2;

/// Runs a task on a machine that has it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<T: Task>(task: T, given: T::Args) -> T::Result {
    task.run::<Avx2>(given)
}

impl Instructions for Avx2 {
    #[inline(always)]
    fn equal(line: &Line, keep: u16, want: u16) -> u32 {
        // SAFETY: only `run` leads here.
        unsafe { equal(line, keep, want) }
    }

    #[inline(always)]
    fn equal_in_both(lines: [&Line; 2], keep: u16, want: u16) -> u64 {
        // SAFETY: only `run` leads here.
        unsafe { equal_in_both(lines, keep, want) }
    }

    #[inline(always)]
    fn free_in_both(lines: [&Line; 2]) -> u64 {
        // SAFETY: only `run` leads here.
        let [first, second] = lines.map(|line| u64::from(unsafe { free(line) }));
        first | (second << 32)
    }

    #[inline(always)]
    fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
        // SAFETY: only `run` leads here.
        unsafe { clear_equal(line, keep, want, lanes) }
    }

    #[inline(always)]
    fn run<T: Task>(task: T, given: T::Args) -> T::Result {
        // SAFETY: only `run` leads here.
        unsafe { run(task, given) }
    }

    #[inline(always)]
    fn has_more(a: u32, b: u32) -> bool {
        a.count_ones() > b.count_ones()
    }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    // SAFETY: AVX2 is here.
    let [keep, want] = [keep, want].map(|lane| unsafe { all(lane) });
    // SAFETY: as above.
    let kept = unsafe { kept(line, keep) };
    // SAFETY: as above.
    unsafe { bits(kept.map(|part| unsafe { _mm256_cmpeq_epi16(part, want) })) }
}

/// The same of two lines. Most keys are equal to no lane, which is known before bits are put in their places.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal_in_both(lines: [&Line; 2], keep: u16, want: u16) -> u64 {
    // SAFETY: AVX2 is here.
    let [keep, want] = [keep, want].map(|lane| unsafe { all(lane) });
    let found = lines.map(|line| {
        // SAFETY: as above.
        let kept = unsafe { kept(line, keep) };
        // SAFETY: as above.
        let same = kept.map(|part| unsafe { _mm256_cmpeq_epi16(part, want) });
        // SAFETY: as above.
        unsafe { bytes(same) }
    });
    // SAFETY: as above.
    let any = unsafe { _mm256_or_si256(found[0], found[1]) };
    // SAFETY: as above.
    if unsafe { _mm256_testz_si256(any, any) } != 0 {
        return 0;
    }
    // SAFETY: as above.
    let [first, second] = found.map(|bytes| u64::from(unsafe { bits_of(bytes) }));
    first | (second << 32)
}

/// The lanes of a line that are 0.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn free(line: &Line) -> u32 {
    // SAFETY: AVX2 is here.
    let none = unsafe { all(0) };
    // SAFETY: as above.
    unsafe { bits(with_halves!("vpcmpeqw", none, line)) }
}

/// A bit for each lane that is all ones; the others are all zeros.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn bits(lanes: [__m256i; 2]) -> u32 {
    // SAFETY: AVX2 is here.
    let mixed = unsafe { bytes(lanes) };
    // SAFETY: as above.
    unsafe { bits_of(mixed) }
}

/// All ones and all zeros of 16 bits as those of 8 bits, in the order 0 2 1 3 of their quarters.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn bytes([a, b]: [__m256i; 2]) -> __m256i {
    // SAFETY: AVX2 is here.
    unsafe { _mm256_packs_epi16(a, b) }
}

/// A bit for each of these bytes, in the order of their lanes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn bits_of(mixed: __m256i) -> u32 {
    // SAFETY: AVX2 is here.
    let bytes = unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(mixed) };
    // SAFETY: as above. One bit of each byte.
    let bits = unsafe { _mm256_movemask_epi8(bytes) };
    u32::from_ne_bytes(bits.to_ne_bytes())
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
    // SAFETY: AVX2 is here.
    let [a, b] = unsafe { load(line) };
    // SAFETY: as above.
    let [keep, want, lanes] = [keep, want, lanes].map(|lane| unsafe { all(lane) });
    // SAFETY: as above. The numbers of the lanes.
    let low = unsafe { _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) };
    // SAFETY: as above.
    let high = unsafe { _mm256_setr_epi16(16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31) };
    let left = |part: __m256i, numbers: __m256i| {
        // SAFETY: as above.
        let counts = unsafe { _mm256_cmpgt_epi16(lanes, numbers) };
        // SAFETY: as above.
        let same = unsafe { same(part, keep, want) };
        // SAFETY: as above.
        let goes = unsafe { _mm256_and_si256(counts, same) };
        // SAFETY: as above.
        unsafe { _mm256_andnot_si256(goes, part) }
    };
    let left = [left(a, low), left(b, high)];
    // SAFETY: as above.
    unsafe { store(line, left) };
}

/// The same in every lane.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn all(lane: u16) -> __m256i {
    // SAFETY: AVX2 is here.
    unsafe { _mm256_set1_epi16(i16::from_ne_bytes(lane.to_ne_bytes())) }
}

/// All ones in the lanes that are `want` where `keep` has ones.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn same(part: __m256i, keep: __m256i, want: __m256i) -> __m256i {
    // SAFETY: AVX2 is here.
    let kept = unsafe { _mm256_and_si256(part, keep) };
    // SAFETY: as above.
    unsafe { _mm256_cmpeq_epi16(kept, want) }
}

/// The bits of a line where `keep` has ones.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn kept(line: &Line, keep: __m256i) -> [__m256i; 2] {
    with_halves!("vpand", keep, line)
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(line: &Line) -> [__m256i; 2] {
    let start = std::ptr::from_ref(line);
    let (a, b): (__m256i, __m256i);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written.
    unsafe {
        asm!(
            "vmovdqa {a}, [{start}]",
            "vmovdqa {b}, [{start} + 32]",
            start = in(reg) start,
            a = out(ymm_reg) a,
            b = out(ymm_reg) b,
            options(readonly, nostack, preserves_flags),
        );
    }
    [a, b]
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store(line: &Line, [a, b]: [__m256i; 2]) {
    let start = std::ptr::from_ref(line);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64, whose words may be written behind a shared
    // reference.
    unsafe {
        asm!(
            "vmovdqa [{start}], {a}",
            "vmovdqa [{start} + 32], {b}",
            start = in(reg) start,
            a = in(ymm_reg) a,
            b = in(ymm_reg) b,
            options(nostack, preserves_flags),
        );
    }
}
