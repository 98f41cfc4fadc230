//! Lanes and pieces of a line from whole words, for machines without vectors, and as the reference for tests of the others.

use super::Start;
use crate::num;
use crate::raw::Line;

/// [`Line::equal`], four lanes at a time.
pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
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

/// Lane `i`.
#[inline(always)]
pub(super) fn lane(line: &Line, i: u64) -> u16 {
    let [low, high, ..] = (line.word(num::index(i / 4)) >> (16 * (i % 4))).to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// Writes lane `i`.
#[inline(always)]
pub(super) fn set_lane(line: &Line, i: u64, lane: u16) {
    let (word, from) = (num::index(i / 4), 16 * (i % 4));
    line.set_word(word, (line.word(word) & !(0xFFFF << from)) | (u64::from(lane) << from));
}

/// [`Line::clear_equal`], lane by lane.
pub(super) fn clear_equal(line: &Line, keep: u16, want: u16, lanes: u16) {
    (0..u64::from(lanes)).filter(|&i| lane(line, i) & keep == want).for_each(|i| set_lane(line, i, 0));
}

/// Eight bytes from there on. No branch: the next word is read whether or not it has some, as the first
/// again behind the last.
#[inline(always)]
pub(super) fn eight_bytes(line: &Line, from: Start) -> u64 {
    let (word, from) = place(from);
    let next = line.word((word + 1) % 8);
    (line.word(word) >> from) | ((next << 1) << (63 - from))
}

/// Writes eight bytes.
#[inline(always)]
pub(super) fn set_eight_bytes(line: &Line, from: Start, bytes: u64) {
    let (word, from) = place(from);
    let high = u64::MAX << from;
    line.set_word(word, (line.word(word) & !high) | (bytes << from));
    if from > 0 {
        line.set_word(word + 1, (line.word(word + 1) & high) | (bytes >> (64 - from)));
    }
}

/// The word, and the bit of it, with which eight bytes begin.
#[inline(always)]
fn place(from: Start) -> (usize, u64) {
    let byte = from.byte();
    (num::index(byte / 8), 8 * (byte % 8))
}
