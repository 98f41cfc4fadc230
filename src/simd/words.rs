//! Lines a lane at a time, for machines without vectors, and as the reference for tests of the others.

use super::Bytes;
use crate::raw::LaneLine as Line;

/// A bit for each of these lanes, `bits` next to each other.
fn mask(lanes: impl DoubleEndedIterator<Item = bool>, bits: u32) -> u32 {
    lanes.rev().fold(0, |mask, is_set| (mask << bits) | if is_set { (1 << bits) - 1 } else { 0 })
}

pub(super) fn equal(line: &Line, keep: u16, want: u16) -> u32 {
    mask((0..32).map(|i| line.lane(i) & keep == want), 1)
}

pub(super) fn equal_in_first_half(line: &Line, keep: u16, want: u16) -> u32 {
    mask((0..16).map(|i| line.lane(i) & keep == want), 2)
}

pub(super) fn zero_lanes(line: &Line) -> u32 {
    mask((16..32).map(|i| line.lane(i) == 0), 2)
}

pub(super) fn zero_bytes(line: &Line) -> u32 {
    let of_lane = |i: usize| line.lane(i).to_le_bytes();
    mask((0..32).map(|i| of_lane(16 + i / 2)[i % 2] == 0), 1)
}

pub(super) fn zero_pairs(line: &Line) -> u32 {
    mask((0..8).map(|i| line.lane(16 + 2 * i) | line.lane(17 + 2 * i) == 0), 1)
}

pub(super) fn load(line: &Line) -> Bytes {
    let mut bytes = Bytes::default();
    for (i, two) in bytes.0.chunks_exact_mut(2).enumerate() {
        two.copy_from_slice(&line.lane(i).to_le_bytes());
    }
    bytes
}

pub(super) fn store(line: &Line, bytes: &Bytes) {
    for (i, two) in bytes.0.chunks_exact(2).enumerate() {
        line.set_lane(i, u16::from_le_bytes([two[0], two[1]]));
    }
}
