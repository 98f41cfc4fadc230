//! Lanes by AVX2, 16 at a time, and a choice at run time: machines without it are still sold.
#![allow(unused_unsafe, reason = "compilers before 1.87 ask for it")]

use std::arch::asm;
use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi16, _mm256_movemask_epi8, _mm256_packs_epi16, _mm256_permute4x64_epi64,
    _mm256_set1_epi16,
};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use super::{Instructions, Task};
use crate::raw::Line;

/// The third level of x86-64, of which AVX2 is a part.
struct Avx2;

const HERE: u8 = 1;
const MISSING: u8 = 2;

/// Whether this machine has it.
#[inline(always)]
pub(super) fn is_here() -> bool {
    static FOUND: AtomicU8 = AtomicU8::new(0);
    #[cfg(test)]
    if super::plain::is_asked_for() {
        return false;
    }
    match FOUND.load(Relaxed) {
        HERE => true,
        MISSING => false,
        _ => look(&FOUND),
    }
}

#[cold]
#[inline(never)]
fn look(found: &AtomicU8) -> bool {
    let here = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    found.store(if here { HERE } else { MISSING }, Relaxed);
    here
}

/// Runs a task on a machine that has it.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<T: Task>(task: T, given: T::Given, moment: u64) -> T::Result {
    task.run::<Avx2>(given, moment)
}

impl Instructions for Avx2 {
    #[inline(always)]
    fn equal(line: &Line, keep: u16, want: u16) -> u32 {
        // SAFETY: only `run` leads here.
        unsafe { equal(line, keep, want) }
    }

    #[inline(always)]
    fn has_more(a: u32, b: u32) -> bool {
        a.count_ones() > b.count_ones()
    }
}

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn equal(line: &Line, keep: u16, want: u16) -> u32 {
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
    let all = |lane: u16| {
        // SAFETY: AVX2 is here.
        unsafe { _mm256_set1_epi16(i16::from_ne_bytes(lane.to_ne_bytes())) }
    };
    let (keep, want) = (all(keep), all(want));
    let hit = |part: __m256i| {
        // SAFETY: as above.
        let kept = unsafe { _mm256_and_si256(part, keep) };
        // SAFETY: as above.
        unsafe { _mm256_cmpeq_epi16(kept, want) }
    };
    // SAFETY: as above. All ones and all zeros of 16 bits become those of 8 bits, in the order 0 2 1 3 of their quarters.
    let mixed = unsafe { _mm256_packs_epi16(hit(a), hit(b)) };
    // SAFETY: as above.
    let bytes = unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(mixed) };
    // SAFETY: as above. One bit of each byte.
    let bits = unsafe { _mm256_movemask_epi8(bytes) };
    u32::from_ne_bytes(bits.to_ne_bytes())
}
