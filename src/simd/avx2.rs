//! Lanes by AVX2, 16 at a time.
#![allow(unused_unsafe, reason = "compilers before 1.87 ask for it")]

use std::arch::asm;
use std::arch::x86_64::{
    __m256i, _mm256_castsi256_ps, _mm256_cmpeq_epi16, _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_packs_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_setzero_si256,
};

use super::{Bytes, Instructions, Task};
use crate::raw::LaneLine as Line;

/// An instruction with a value and half of a line, from this byte on, which stays in memory.
macro_rules! with_half {
    ($instruction:literal, $value:expr, $line:expr, $from:literal) => {{
        let (start, value) = (std::ptr::from_ref::<Line>($line), $value);
        let half: __m256i;
        // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written.
        unsafe {
            asm!(
                concat!($instruction, " {half}, {value}, [{start} + ", $from, "]"),
                start = in(reg) start,
                value = in(ymm_reg) value,
                half = lateout(ymm_reg) half,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        half
    }};
}

/// The third level of x86-64, of which AVX2 is a part.
pub(super) struct Avx2;

/// Runs a task on a machine that has it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) unsafe fn run<T: Task>(task: T, given: T::Args) -> T::Result {
    task.run::<Avx2>(given)
}

/// A form of the trait that only `run` leads to, so that the instructions are there.
macro_rules! forms {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {
        $(#[inline(always)]
        fn $name(line: &Line, $($argument: $type),*) -> $result {
            // SAFETY: only `run` leads here.
            unsafe { $name(line, $($argument),*) }
        })+
    };
}

impl Instructions for Avx2 {
    forms! {
        equal(keep: u16, want: u16) -> u32;
        equal_in_first_half(keep: u16, want: u16) -> u32;
        zero_lanes() -> u32;
        zero_bytes() -> u32;
        zero_pairs() -> u32;
        load() -> Bytes;
        store(bytes: &Bytes) -> ();
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
    let kept = [with_half!("vpand", keep, line, "0"), with_half!("vpand", keep, line, "32")];
    // SAFETY: as above.
    let [a, b] = kept.map(|part| unsafe { _mm256_cmpeq_epi16(part, want) });
    // SAFETY: as above. All ones and all zeros of 16 bits as those of 8 bits, in the order 0 2 1 3 of their quarters.
    let mixed = unsafe { _mm256_packs_epi16(a, b) };
    // SAFETY: as above.
    let bytes = unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(mixed) };
    // SAFETY: as above.
    unsafe { ones(bytes) }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal_in_first_half(line: &Line, keep: u16, want: u16) -> u32 {
    // SAFETY: AVX2 is here.
    let [keep, want] = [keep, want].map(|lane| unsafe { all(lane) });
    let kept = with_half!("vpand", keep, line, "0");
    // SAFETY: as above.
    let same = unsafe { _mm256_cmpeq_epi16(kept, want) };
    // SAFETY: as above.
    unsafe { ones(same) }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn zero_lanes(line: &Line) -> u32 {
    // SAFETY: AVX2 is here.
    let none = unsafe { _mm256_setzero_si256() };
    // SAFETY: as above.
    unsafe { ones(with_half!("vpcmpeqw", none, line, "32")) }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn zero_bytes(line: &Line) -> u32 {
    // SAFETY: AVX2 is here.
    let none = unsafe { _mm256_setzero_si256() };
    // SAFETY: as above.
    unsafe { ones(with_half!("vpcmpeqb", none, line, "32")) }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn zero_pairs(line: &Line) -> u32 {
    // SAFETY: AVX2 is here.
    let none = unsafe { _mm256_setzero_si256() };
    let zero = with_half!("vpcmpeqd", none, line, "32");
    // SAFETY: as above. The same bits.
    let zero = unsafe { _mm256_castsi256_ps(zero) };
    // SAFETY: as above. One bit of each four bytes.
    let bits = unsafe { _mm256_movemask_ps(zero) };
    u32::from_ne_bytes(bits.to_ne_bytes())
}

/// One bit of each byte.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn ones(bytes: __m256i) -> u32 {
    // SAFETY: AVX2 is here.
    u32::from_ne_bytes(unsafe { _mm256_movemask_epi8(bytes) }.to_ne_bytes())
}

/// The same in every lane.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn all(lane: u16) -> __m256i {
    // SAFETY: AVX2 is here.
    unsafe { _mm256_set1_epi16(i16::from_ne_bytes(lane.to_ne_bytes())) }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(line: &Line) -> Bytes {
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
    // SAFETY: 64 bytes, whatever they are.
    Bytes(unsafe { std::mem::transmute::<[__m256i; 2], [u8; 64]>([a, b]) })
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store(line: &Line, bytes: &Bytes) {
    // SAFETY: 64 bytes, whatever they are.
    let [a, b] = unsafe { std::mem::transmute::<[u8; 64], [__m256i; 2]>(bytes.0) };
    let start = std::ptr::from_ref(line);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64, whose lanes may be written behind a shared
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
