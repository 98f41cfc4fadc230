//! Lanes by NEON, 8 at a time: the baseline of AArch64.

use std::arch::aarch64::{
    uint8x16_t, uint16x8_t, vaddv_u8, vaddvq_u16, vaddvq_u32, vandq_u8, vandq_u16, vandq_u32, vceqq_u8, vceqq_u16,
    vceqq_u32, vdupq_n_u16, vget_high_u8, vget_low_u8, vld1q_u8, vld1q_u16, vld1q_u32, vreinterpretq_u8_u16,
    vreinterpretq_u32_u16,
};
use std::arch::asm;

use super::Bytes;
use crate::raw::LaneLine as Line;

/// One bit for each of eight lanes.
const ONE_EACH: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Two bits for each of eight lanes.
const TWO_EACH: [u16; 8] = [3, 3 << 2, 3 << 4, 3 << 6, 3 << 8, 3 << 10, 3 << 12, 3 << 14];
/// One bit for each of eight bytes, twice.
const BYTES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
/// One bit for each of four pairs of lanes.
const PAIRS: [u32; 4] = [1, 2, 4, 8];

#[inline(always)]
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    let [keep, want] = [keep, want].map(all);
    let [a, b, c, d] = load_parts(line).map(|part| gather(same(part, keep, want), &ONE_EACH));
    a | (b << 8) | (c << 16) | (d << 24)
}

#[inline(always)]
pub(super) fn equal_in_first_half(line: &Line, keep: u16, want: u16) -> u32 {
    let [keep, want] = [keep, want].map(all);
    let [a, b, ..] = load_parts(line);
    gather(same(a, keep, want), &TWO_EACH) | (gather(same(b, keep, want), &TWO_EACH) << 16)
}

#[inline(always)]
pub(super) fn zero_lanes(line: &Line) -> u32 {
    let [.., c, d] = load_parts(line);
    let [none, every] = [all(0), all(u16::MAX)];
    gather(same(c, every, none), &TWO_EACH) | (gather(same(d, every, none), &TWO_EACH) << 16)
}

#[inline(always)]
pub(super) fn zero_bytes(line: &Line) -> u32 {
    let [.., c, d] = load_parts(line);
    let bits = |part: uint16x8_t| {
        // SAFETY: NEON is part of every aarch64 that has a standard library.
        let (bytes, none) = unsafe { (vreinterpretq_u8_u16(part), vreinterpretq_u8_u16(all(0))) };
        // SAFETY: as above.
        gather_bytes(unsafe { vceqq_u8(bytes, none) })
    };
    bits(c) | (bits(d) << 16)
}

#[inline(always)]
pub(super) fn zero_pairs(line: &Line) -> u32 {
    let [.., c, d] = load_parts(line);
    // SAFETY: four numbers are there.
    let weights = unsafe { vld1q_u32(PAIRS.as_ptr()) };
    let bits = |part: uint16x8_t| {
        // SAFETY: NEON, as above.
        let (pairs, none) = unsafe { (vreinterpretq_u32_u16(part), vreinterpretq_u32_u16(all(0))) };
        // SAFETY: as above.
        let zero = unsafe { vceqq_u32(pairs, none) };
        // SAFETY: as above.
        let own = unsafe { vandq_u32(zero, weights) };
        // SAFETY: as above.
        unsafe { vaddvq_u32(own) }
    };
    bits(c) | (bits(d) << 4)
}

#[inline(always)]
pub(super) fn load(line: &Line) -> Bytes {
    // SAFETY: 64 bytes, whatever they are.
    Bytes(unsafe { std::mem::transmute::<[uint16x8_t; 4], [u8; 64]>(load_parts(line)) })
}

#[inline(always)]
pub(super) fn store(line: &Line, bytes: &Bytes) {
    // SAFETY: 64 bytes, whatever they are.
    let [a, b, c, d] = unsafe { std::mem::transmute::<[u8; 64], [uint16x8_t; 4]>(bytes.0) };
    let start = std::ptr::from_ref(line);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64, whose lanes may be written behind a shared
    // reference; each lane is written at once, as a relaxed store would.
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

/// The weights of the lanes that are all ones.
#[inline(always)]
fn gather(lanes: uint16x8_t, weights: &[u16; 8]) -> u32 {
    // SAFETY: eight lanes are there.
    let weights = unsafe { vld1q_u16(weights.as_ptr()) };
    // SAFETY: NEON, as above.
    let own = unsafe { vandq_u16(lanes, weights) };
    // SAFETY: as above.
    u32::from(unsafe { vaddvq_u16(own) })
}

/// One bit of each byte that is all ones.
#[inline(always)]
fn gather_bytes(bytes: uint8x16_t) -> u32 {
    // SAFETY: sixteen bytes are there.
    let weights = unsafe { vld1q_u8(BYTES.as_ptr()) };
    // SAFETY: NEON, as above.
    let own = unsafe { vandq_u8(bytes, weights) };
    // SAFETY: as above.
    let (low, high) = unsafe { (vget_low_u8(own), vget_high_u8(own)) };
    // SAFETY: as above.
    let [low, high] = [low, high].map(|half| u32::from(unsafe { vaddv_u8(half) }));
    low | (high << 8)
}

#[inline(always)]
fn load_parts(line: &Line) -> [uint16x8_t; 4] {
    let start = std::ptr::from_ref(line);
    let (a, b, c, d);
    // SAFETY: the address is that of 64 bytes that are there, aligned to 64; nothing is written, and each lane is read at
    // once, as a relaxed load would.
    unsafe {
        asm!(
            "ldp {a:q}, {b:q}, [{start}]",
            "ldp {c:q}, {d:q}, [{start}, 32]",
            start = in(reg) start,
            a = out(vreg) a,
            b = out(vreg) b,
            c = out(vreg) c,
            d = out(vreg) d,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    [a, b, c, d]
}
