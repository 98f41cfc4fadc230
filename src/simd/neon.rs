//! Lanes by NEON, 8 at a time: the baseline of AArch64.

use std::arch::aarch64::{
    uint8x8_t, uint16x8_t, vaddv_u8, vand_u8, vandq_u16, vbicq_u16, vceqq_u16, vcgtq_u16, vdupq_n_u16, vld1_u8,
    vld1q_u16, vmovn_u16,
};
use std::arch::asm;

use crate::raw::Line;

/// One bit for each of eight lanes.
const WEIGHTS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

#[inline(always)]
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    let [a, b, c, d] = load(line);
    let [keep, want] = [keep, want].map(all);
    let hit = |part| {
        // SAFETY: NEON is part of every aarch64 that has a standard library. All ones and all zeros of 16 bits become those
        // of 8 bits.
        u32::from(bits(unsafe { vmovn_u16(same(part, keep, want)) }))
    };
    hit(a) | (hit(b) << 8) | (hit(c) << 16) | (hit(d) << 24)
}

#[inline(always)]
pub(super) fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
    /// The numbers of the lanes.
    const NUMBERS: [[u16; 8]; 4] = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [8, 9, 10, 11, 12, 13, 14, 15],
        [16, 17, 18, 19, 20, 21, 22, 23],
        [24, 25, 26, 27, 28, 29, 30, 31],
    ];
    let [keep, want, lanes] = [keep, want, lanes].map(all);
    let left = |part: uint16x8_t, numbers: &[u16; 8]| {
        // SAFETY: eight lanes are there.
        let numbers = unsafe { vld1q_u16(numbers.as_ptr()) };
        // SAFETY: NEON, as above.
        let counts = unsafe { vcgtq_u16(lanes, numbers) };
        // SAFETY: as above.
        let goes = unsafe { vandq_u16(counts, same(part, keep, want)) };
        // SAFETY: as above.
        unsafe { vbicq_u16(part, goes) }
    };
    let [a, b, c, d] = load(line);
    let [na, nb, nc, nd] = &NUMBERS;
    store(line, [left(a, na), left(b, nb), left(c, nc), left(d, nd)]);
}

/// The same in every lane.
#[inline(always)]
fn all(lane: u16) -> uint16x8_t {
    // SAFETY: NEON, as above.
    unsafe { vdupq_n_u16(lane) }
}

/// All ones in the lanes that are `want` where `keep` has ones.
#[inline(always)]
fn same(part: uint16x8_t, keep: uint16x8_t, want: uint16x8_t) -> uint16x8_t {
    // SAFETY: NEON, as above.
    let kept = unsafe { vandq_u16(part, keep) };
    // SAFETY: as above.
    unsafe { vceqq_u16(kept, want) }
}

/// One bit of each byte that is all ones.
#[inline(always)]
fn bits(bytes: uint8x8_t) -> u8 {
    // SAFETY: eight bytes are there.
    let weights = unsafe { vld1_u8(WEIGHTS.as_ptr()) };
    // SAFETY: NEON, as above.
    let own = unsafe { vand_u8(bytes, weights) };
    // SAFETY: as above.
    unsafe { vaddv_u8(own) }
}

#[inline(always)]
fn load(line: &Line) -> [uint16x8_t; 4] {
    let start = std::ptr::from_ref(line);
    let (a, b, c, d);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written, and two aligned halves
    // of 8 bytes are each read at once, as two relaxed loads would.
    unsafe {
        asm!(
            "ldp {a:q}, {b:q}, [{start}]",
            "ldp {c:q}, {d:q}, [{start}, 32]",
            start = in(reg) start,
            a = out(vreg) a,
            b = out(vreg) b,
            c = out(vreg) c,
            d = out(vreg) d,
            options(readonly, nostack, preserves_flags),
        );
    }
    [a, b, c, d]
}

#[inline(always)]
fn store(line: &Line, [a, b, c, d]: [uint16x8_t; 4]) {
    let start = std::ptr::from_ref(line);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64, whose words may be written behind a shared
    // reference; two aligned halves of 8 bytes are each written at once, as two relaxed stores would.
    unsafe {
        asm!(
            "stp {a:q}, {b:q}, [{start}]",
            "stp {c:q}, {d:q}, [{start}, 32]",
            start = in(reg) start,
            a = in(vreg) a,
            b = in(vreg) b,
            c = in(vreg) c,
            d = in(vreg) d,
            options(nostack, preserves_flags),
        );
    }
}
