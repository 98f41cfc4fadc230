//! Lanes by NEON, 8 at a time: the baseline of AArch64.

use std::arch::aarch64::{
    uint8x8_t, uint16x8_t, vaddv_u8, vand_u8, vandq_u16, vceqq_u16, vdupq_n_u16, vld1_u8, vmovn_u16,
};
use std::arch::asm;

use crate::raw::Line;

/// One bit for each of eight lanes.
const WEIGHTS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

#[inline(always)]
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    let [a, b, c, d] = load(line);
    // SAFETY: NEON is part of every aarch64 that has a standard library.
    let [keep, want] = [keep, want].map(|lane| unsafe { vdupq_n_u16(lane) });
    let hit = |part: uint16x8_t| {
        // SAFETY: as above.
        let kept = unsafe { vandq_u16(part, keep) };
        // SAFETY: as above.
        let same = unsafe { vceqq_u16(kept, want) };
        // SAFETY: as above. All ones and all zeros of 16 bits become those of 8 bits.
        u32::from(bits(unsafe { vmovn_u16(same) }))
    };
    hit(a) | (hit(b) << 8) | (hit(c) << 16) | (hit(d) << 24)
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
