//! Lanes by SSE2, 8 at a time: the baseline of x86-64.

use std::arch::asm;
use std::arch::x86_64::{__m128i, _mm_and_si128, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16};

use crate::raw::Line;

#[inline(always)]
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    let [a, b, c, d] = load(line);
    let [keep, want] = [keep, want].map(|lane| {
        // SAFETY: SSE2 is part of every x86-64.
        unsafe { _mm_set1_epi16(i16::from_ne_bytes(lane.to_ne_bytes())) }
    });
    let hit = |part: __m128i| {
        // SAFETY: as above.
        let kept = unsafe { _mm_and_si128(part, keep) };
        // SAFETY: as above.
        unsafe { _mm_cmpeq_epi16(kept, want) }
    };
    let bits = |low: __m128i, high: __m128i| {
        // SAFETY: as above. All ones and all zeros of 16 bits become those of 8 bits.
        let bytes = unsafe { _mm_packs_epi16(hit(low), hit(high)) };
        // SAFETY: as above. One bit of each byte.
        let bits = unsafe { _mm_movemask_epi8(bytes) };
        u32::from_ne_bytes(bits.to_ne_bytes())
    };
    bits(a, b) | (bits(c, d) << 16)
}

#[inline(always)]
fn load(line: &Line) -> [__m128i; 4] {
    let start = std::ptr::from_ref(line);
    let (a, b, c, d);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written, and two aligned halves
    // of 8 bytes are each read at once, as two relaxed loads would.
    unsafe {
        asm!(
            "movdqa {a}, [{start}]",
            "movdqa {b}, [{start} + 16]",
            "movdqa {c}, [{start} + 32]",
            "movdqa {d}, [{start} + 48]",
            start = in(reg) start,
            a = out(xmm_reg) a,
            b = out(xmm_reg) b,
            c = out(xmm_reg) c,
            d = out(xmm_reg) d,
            options(readonly, nostack, preserves_flags),
        );
    }
    [a, b, c, d]
}
