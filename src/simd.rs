//! Cache lines of 32 lanes of 16 bits: which lanes are equal to a value, by SSE2, NEON or plain words.
//!
//! ```text
//!  line   word 0            word 1            ...   word 7
//!         [l0][l1][l2][l3]  [l4][l5][l6][l7]  ...   [..][l31]     lane i is bits 16 (i mod 4) .. of word i / 4
//! ```
//! **Law.** Every form gives the same bits. A line is read and written word by word, each at once and in no order, so
//! a line that another thread changes is never undefined, only mixed; who needs more holds a lock.
//!
//! **Proofs.** The vector forms read a line by instructions of 16 bytes inside `asm!`, since no Rust type reads an atomic
//! word into a vector register. Such an instruction on an aligned address reads each of its halves of 8 bytes at once on
//! both architectures, which is what two relaxed loads do.
#![allow(unsafe_code, reason = "the room of vector instructions")]

use std::sync::atomic::Ordering::Relaxed;

use crate::error::Error;
use crate::raw::{self, Zeroed};

pub(crate) use crate::raw::Line;

impl Line {
    /// Word `i`, below 8: the mask spares the check.
    #[inline(always)]
    pub(crate) fn word(&self, i: usize) -> u64 {
        debug_assert!(i < 8);
        self.0[i % 8].load(Relaxed)
    }

    /// Writes word `i`. One writer at a time.
    #[inline(always)]
    pub(crate) fn set_word(&self, i: usize, value: u64) {
        debug_assert!(i < 8);
        self.0[i % 8].store(value, Relaxed);
    }

    /// The lanes that are `want` where `keep` has ones: bit `i` for lane `i`.
    #[inline(always)]
    pub(crate) fn equal(&self, keep: u16, want: u16) -> u32 {
        #[cfg(test)]
        if plain::is_asked_for() {
            return equal_in_words(self, keep, want);
        }
        #[cfg(target_arch = "x86_64")]
        return sse2::equal(self, keep, want);
        #[cfg(target_arch = "aarch64")]
        return neon::equal(self, keep, want);
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return equal_in_words(self, keep, want);
    }

    /// Asks for the line.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        raw::prefetch(&self.0[0]);
    }
}

/// [`Line::equal`], four lanes at a time.
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn equal_in_words(line: &Line, keep: u16, want: u16) -> u32 {
    const EACH: u64 = 0x0001_0001_0001_0001;
    const LOW: u64 = 0x7FFF * EACH;
    // Brings the bits 0, 16, 32 and 48 side by side, to the bits 48 .. 51.
    const GATHER: u64 = (1 << 48) | (1 << 33) | (1 << 18) | (1 << 3);
    let (keep, want) = (u64::from(keep) * EACH, u64::from(want) * EACH);
    (0..8).rev().fold(0, |lanes, i| {
        let differs = (line.word(i) & keep) ^ want;
        let none = !(((differs & LOW) + LOW) | differs | LOW) >> 15;
        let [four, ..] = (none.wrapping_mul(GATHER) >> 48).to_le_bytes();
        (lanes << 4) | u32::from(four & 15)
    })
}

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_packs_epi16, _mm_set1_epi16,
    };

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
}

#[cfg(target_arch = "aarch64")]
mod neon {
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
}

/// Tests run the plain form where they ask for it.
#[cfg(test)]
pub(crate) mod plain {
    use std::cell::Cell;

    thread_local!(static ASKED: Cell<bool> = const { Cell::new(false) });

    pub(super) fn is_asked_for() -> bool {
        ASKED.get()
    }

    /// Runs `f` with the plain form on this thread.
    pub(crate) fn run<R>(f: impl FnOnce() -> R) -> R {
        ASKED.set(true);
        let result = f();
        ASKED.set(false);
        result
    }
}

/// A fixed number of cache lines, all 0 at first.
#[derive(Debug, Default)]
pub(crate) struct Lanes {
    lines: Zeroed<Line>,
}

impl Lanes {
    /// `lines` lines, all 0.
    pub(crate) fn zeroed(lines: u64) -> Result<Self, Error> {
        let n = usize::try_from(lines).map_err(|_| Error::no_memory(usize::MAX))?;
        Ok(Self { lines: Zeroed::new(n, size_of::<Line>())? })
    }

    /// A copy of its own.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let copy = Self { lines: self.lines.fresh()? };
        for (to, from) in copy.lines.iter().zip(self.lines.iter()) {
            (0..8).for_each(|i| to.set_word(i, from.word(i)));
        }
        Ok(copy)
    }

    /// Gives the memory of these lines back to the system, where it takes some. They are 0 or as they were from then on.
    pub(crate) fn give_back(&mut self, range: std::ops::Range<usize>) {
        raw::give_back(&mut self.lines[range]);
    }

    /// Makes every line 0.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Line `i`.
    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> &Line {
        &self.lines[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;
    use crate::num;

    const LANES: usize = 32;

    /// Each form against the definition, for lines of few values so that lanes are often equal.
    #[test]
    fn every_form_finds_the_lanes_that_are_equal() {
        for seed in 0..2000 {
            let line = Line::default();
            let few = if seed % 2 == 0 { 0x0003_8003_0001_E001 } else { u64::MAX };
            (0..8).for_each(|i| line.set_word(i, KeyHash(seed).derive(num::wide(i)) & few));
            let lane = |i: usize| {
                let [low, high, ..] = (line.word(i / 4) >> (16 * (i % 4))).to_le_bytes();
                u16::from_le_bytes([low, high])
            };
            for keep in [0xFFFF, 0x1FFF, 0xE000, 0x8000, 1, 0] {
                for want in (0..LANES).map(lane).chain([0, 1, keep]) {
                    let want = want & keep;
                    let expected = (0..LANES).filter(|&i| lane(i) & keep == want).fold(0, |bits, i| bits | (1 << i));
                    assert_eq!(equal_in_words(&line, keep, want), expected);
                    assert_eq!(line.equal(keep, want), expected, "{keep:x} {want:x} {line:x?}");
                }
            }
        }
    }
}
