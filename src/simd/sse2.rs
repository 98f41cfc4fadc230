//! Lanes by SSE2, 8 at a time: the baseline of x86-64.

use std::arch::asm;
use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpeq_epi16, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16,
    _mm_packs_epi32, _mm_set1_epi16, _mm_setzero_si128,
};

use super::Bytes;
use crate::raw::LaneLine as Line;

#[inline(always)]
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    let [keep, want] = [keep, want].map(all);
    let hits = load_parts(line).map(|part| same(part, keep, want));
    ones(narrow(hits[0], hits[1])) | (ones(narrow(hits[2], hits[3])) << 16)
}

#[inline(always)]
pub(super) fn equal_in_first_half(line: &Line, keep: u16, want: u16) -> u32 {
    let [keep, want] = [keep, want].map(all);
    let [a, b] = load_half::<0>(line).map(|part| ones(same(part, keep, want)));
    a | (b << 16)
}

#[inline(always)]
pub(super) fn zero_lanes(line: &Line) -> u32 {
    // SAFETY: SSE2 is part of every x86-64.
    let [a, b] = load_half::<32>(line).map(|part| ones(unsafe { _mm_cmpeq_epi16(part, zero()) }));
    a | (b << 16)
}

#[inline(always)]
pub(super) fn zero_bytes(line: &Line) -> u32 {
    // SAFETY: SSE2 is part of every x86-64.
    let [a, b] = load_half::<32>(line).map(|part| ones(unsafe { _mm_cmpeq_epi8(part, zero()) }));
    a | (b << 16)
}

#[inline(always)]
pub(super) fn zero_pairs(line: &Line) -> u32 {
    // SAFETY: SSE2 is part of every x86-64.
    let [a, b] = load_half::<32>(line).map(|part| unsafe { _mm_cmpeq_epi32(part, zero()) });
    // SAFETY: as above.
    ones(narrow(unsafe { _mm_packs_epi32(a, b) }, zero()))
}

#[inline(always)]
pub(super) fn load(line: &Line) -> Bytes {
    // SAFETY: 64 bytes, whatever they are.
    Bytes(unsafe { std::mem::transmute::<[__m128i; 4], [u8; 64]>(load_parts(line)) })
}

#[inline(always)]
pub(super) fn store(line: &Line, bytes: &Bytes) {
    // SAFETY: 64 bytes, whatever they are.
    let [a, b, c, d] = unsafe { std::mem::transmute::<[u8; 64], [__m128i; 4]>(bytes.0) };
    let start = std::ptr::from_ref(line);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64, whose lanes may be written behind a shared
    // reference; each lane is written at once, as a relaxed store would.
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

/// The same in every lane.
#[inline(always)]
fn all(lane: u16) -> __m128i {
    // SAFETY: SSE2 is part of every x86-64.
    unsafe { _mm_set1_epi16(i16::from_ne_bytes(lane.to_ne_bytes())) }
}

#[inline(always)]
fn zero() -> __m128i {
    // SAFETY: SSE2 is part of every x86-64.
    unsafe { _mm_setzero_si128() }
}

/// All ones in the lanes that are `want` where `keep` has ones.
#[inline(always)]
fn same(part: __m128i, keep: __m128i, want: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of every x86-64.
    let kept = unsafe { _mm_and_si128(part, keep) };
    // SAFETY: as above.
    unsafe { _mm_cmpeq_epi16(kept, want) }
}

/// All ones and all zeros of 16 bits as those of 8 bits.
#[inline(always)]
fn narrow(low: __m128i, high: __m128i) -> __m128i {
    // SAFETY: SSE2 is part of every x86-64.
    unsafe { _mm_packs_epi16(low, high) }
}

/// One bit of each byte.
#[inline(always)]
fn ones(bytes: __m128i) -> u32 {
    // SAFETY: SSE2 is part of every x86-64.
    u32::from_ne_bytes(unsafe { _mm_movemask_epi8(bytes) }.to_ne_bytes())
}

/// The 32 bytes from byte `FROM` on.
#[inline(always)]
fn load_half<const FROM: usize>(line: &Line) -> [__m128i; 2] {
    let start = std::ptr::from_ref(line);
    let (a, b);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written, and each lane is read at
    // once, as a relaxed load would.
    unsafe {
        asm!(
            "movdqa {a}, [{start} + {from}]",
            "movdqa {b}, [{start} + {from} + 16]",
            start = in(reg) start,
            from = const FROM,
            a = out(xmm_reg) a,
            b = out(xmm_reg) b,
            options(readonly, nostack, preserves_flags),
        );
    }
    [a, b]
}

#[inline(always)]
fn load_parts(line: &Line) -> [__m128i; 4] {
    let ([a, b], [c, d]) = (load_half::<0>(line), load_half::<32>(line));
    [a, b, c, d]
}
