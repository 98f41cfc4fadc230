//! Lanes by AVX-512, the 64 of two lines at a time; the rest by AVX2.
//!
//! Its registers are named in the instructions, as compilers before 1.89 do not know their type; those above 15 cause
//! no delay in older instructions that follow.
#![allow(unused_unsafe, reason = "compilers before 1.87 ask for it")]

use std::arch::asm;

use super::avx2::Avx2;
use super::{Instructions, Task};
use crate::raw::Line;

/// AVX-512 with lanes of 16 bits.
struct Avx512;

/// Runs a task on a machine that has it.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) unsafe fn run<T: Task>(task: T, given: T::Args) -> T::Result {
    task.run::<Avx512>(given)
}

impl Instructions for Avx512 {
    #[inline(always)]
    fn equal(line: &Line, keep: u16, want: u16) -> u32 {
        Avx2::equal(line, keep, want)
    }

    #[inline(always)]
    fn equal_in_both([first, second]: [&Line; 2], keep: u16, want: u16) -> u64 {
        let [first, second] = [first, second].map(std::ptr::from_ref);
        let lanes: u64;
        // SAFETY: only `run` leads here, so the machine has these instructions. Each address is that of 64 bytes that are
        // there; nothing is written.
        unsafe {
            asm!(
                "vpbroadcastw zmm16, {keep:e}",
                "vpbroadcastw zmm17, {want:e}",
                "vpandd zmm18, zmm16, [{first}]",
                "vpandd zmm19, zmm16, [{second}]",
                "vpcmpeqw k1, zmm18, zmm17",
                "vpcmpeqw k2, zmm19, zmm17",
                "kunpckdq k1, k2, k1",
                "kmovq {lanes}, k1",
                keep = in(reg) u32::from(keep),
                want = in(reg) u32::from(want),
                first = in(reg) first,
                second = in(reg) second,
                lanes = out(reg) lanes,
                out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _, out("k1") _, out("k2") _,
                options(readonly, nostack, preserves_flags),
            );
        }
        lanes
    }

    #[inline(always)]
    fn free_in_both([first, second]: [&Line; 2]) -> u64 {
        let [first, second] = [first, second].map(std::ptr::from_ref);
        let lanes: u64;
        // SAFETY: as above.
        unsafe {
            asm!(
                "vmovdqa64 zmm16, [{first}]",
                "vmovdqa64 zmm17, [{second}]",
                "vptestnmw k1, zmm16, zmm16",
                "vptestnmw k2, zmm17, zmm17",
                "kunpckdq k1, k2, k1",
                "kmovq {lanes}, k1",
                first = in(reg) first,
                second = in(reg) second,
                lanes = out(reg) lanes,
                out("zmm16") _, out("zmm17") _, out("k1") _, out("k2") _,
                options(readonly, nostack, preserves_flags),
            );
        }
        lanes
    }

    #[inline(always)]
    fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
        Avx2::clear_equal(line, keep, want, lanes);
    }

    #[inline(always)]
    fn run<T: Task>(task: T, given: T::Args) -> T::Result {
        // SAFETY: only `run` leads here.
        unsafe { run(task, given) }
    }

    #[inline(always)]
    fn has_more(a: u32, b: u32) -> bool {
        Avx2::has_more(a, b)
    }
}
