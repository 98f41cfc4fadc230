//! Lanes by SSE2, 8 at a time: the baseline of x86-64.

use std::arch::asm;
use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi16, _mm_cmpgt_epi16, _mm_movemask_epi8, _mm_packs_epi16,
    _mm_set1_epi16, _mm_setr_epi16,
};

use crate::raw::Line;

#[inline(always)]
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    let [a, b, c, d] = load(line);
    let [keep, want] = [keep, want].map(all);
    let hit = |part| same(part, keep, want);
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
pub(super) fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
    let [keep, want, lanes] = [keep, want, lanes].map(all);
    let left = |(part, first): (__m128i, i16)| {
        // SAFETY: SSE2 is part of every x86-64.
        let numbers = unsafe {
            _mm_setr_epi16(first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7)
        };
        // SAFETY: as above.
        let counts = unsafe { _mm_cmpgt_epi16(lanes, numbers) };
        // SAFETY: as above.
        let goes = unsafe { _mm_and_si128(counts, same(part, keep, want)) };
        // SAFETY: as above.
        unsafe { _mm_andnot_si128(goes, part) }
    };
    let [a, b, c, d] = load(line);
    store(line, [(a, 0), (b, 8), (c, 16), (d, 24)].map(left));
}

/// The same in every lane.
#[inline(always)]
fn all(lane: u16) -> __m128i {
    // SAFETY: SSE2 is part of every x86-64.
    unsafe { _mm_set1_epi16(i16::from_ne_bytes(lane.to_ne_bytes())) }
}

/// All ones in the lanes that are `want` where `keep` has ones.
#[inline(always)]
fn same(part: __m128i, keep: __m128i, want: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of every x86-64.
    let kept = unsafe { _mm_and_si128(part, keep) };
    // SAFETY: as above.
    unsafe { _mm_cmpeq_epi16(kept, want) }
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

#[inline(always)]
fn store(line: &Line, [a, b, c, d]: [__m128i; 4]) {
    let start = std::ptr::from_ref(line);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64, whose words may be written behind a shared
    // reference; two aligned halves of 8 bytes are each written at once, as two relaxed stores would.
    unsafe {
        asm!(
            "movdqa [{start}], {a}",
            "movdqa [{start} + 16], {b}",
            "movdqa [{start} + 32], {c}",
            "movdqa [{start} + 48], {d}",
            start = in(reg) start,
            a = in(xmm_reg) a,
            b = in(xmm_reg) b,
            c = in(xmm_reg) c,
            d = in(xmm_reg) d,
            options(nostack, preserves_flags),
        );
    }
}
