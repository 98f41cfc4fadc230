//! One lane of a line, or eight bytes from any byte on, by the machine's own instructions.

use std::arch::asm;

use super::Start;
use crate::raw::Line;

#[inline(always)]
pub(super) fn lane(line: &Line, i: u64) -> u16 {
    let (start, lane): (_, u16);
    start = std::ptr::from_ref(line);
    debug_assert!(i < 32);
    // SAFETY: lane `i` is one of the 32 of this line; nothing is written.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("movzx {lane:e}, word ptr [{start} + 2 * {i}]", start = in(reg) start, i = in(reg) i, lane = out(reg) lane,
            options(readonly, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        asm!("ldrh {lane:w}, [{start}, {i}, lsl #1]", start = in(reg) start, i = in(reg) i, lane = out(reg) lane,
            options(readonly, nostack, preserves_flags));
    }
    lane
}

#[inline(always)]
pub(super) fn set_lane(line: &Line, i: u64, lane: u16) {
    let start = std::ptr::from_ref(line);
    debug_assert!(i < 32);
    // SAFETY: lane `i` is one of the 32 of this line, whose words may be written behind a shared reference.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("mov word ptr [{start} + 2 * {i}], {lane:x}", start = in(reg) start, i = in(reg) i, lane = in(reg) lane,
            options(nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        asm!("strh {lane:w}, [{start}, {i}, lsl #1]", start = in(reg) start, i = in(reg) i, lane = in(reg) lane,
            options(nostack, preserves_flags));
    }
}

#[inline(always)]
pub(super) fn eight_bytes(line: &Line, from: Start) -> u64 {
    let (start, word): (_, u64);
    let byte = from.byte();
    start = std::ptr::from_ref(line);
    // SAFETY: bytes 0 .. 63 are those of this line, and a `Start` is at most 56; nothing is written.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("mov {word}, qword ptr [{start} + {byte}]", start = in(reg) start, byte = in(reg) byte, word = out(reg) word,
            options(readonly, nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        asm!("ldr {word}, [{start}, {byte}]", start = in(reg) start, byte = in(reg) byte, word = out(reg) word,
            options(readonly, nostack, preserves_flags));
    }
    word
}

#[inline(always)]
pub(super) fn set_eight_bytes(line: &Line, from: Start, word: u64) {
    let (start, byte) = (std::ptr::from_ref(line), from.byte());
    // SAFETY: bytes 0 .. 63 are those of this line, whose words may be written behind a shared reference, and a `Start` is
    // at most 56.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("mov qword ptr [{start} + {byte}], {word}", start = in(reg) start, byte = in(reg) byte, word = in(reg) word,
            options(nostack, preserves_flags));
        #[cfg(target_arch = "aarch64")]
        asm!("str {word}, [{start}, {byte}]", start = in(reg) start, byte = in(reg) byte, word = in(reg) word,
            options(nostack, preserves_flags));
    }
}
