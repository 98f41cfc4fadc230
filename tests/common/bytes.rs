//! The bytes of snapshots, changed under a good checksum; bytes as the files of `tests/vectors` have them; and keys as a column.

use std::time::Duration;

use lately::{Column, Filter, Keys, LoadOptions, Offsets, Validity, hash64};

use super::handle::{Handle, snapshot};

/// Loaded from its snapshot after no time: a filter without a secret.
pub(crate) fn reloaded(filter: &dyn Handle) -> Filter {
    Filter::load(&snapshot(filter), &LoadOptions::new(Duration::ZERO)).expect("its own snapshot")
}

/// The number of 8 bytes at a place.
pub(crate) fn get(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

/// Puts a number there, and the checksum right.
pub(crate) fn put(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    mend(bytes);
}

/// Puts the right checksum at the end of changed bytes.
pub(crate) fn mend(bytes: &mut [u8]) {
    let (body, sum) = bytes.split_at_mut(bytes.len() - 8);
    sum.copy_from_slice(&hash64(body, 0).to_le_bytes());
}

/// Hexadecimal digits, `-` if there are no bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    match bytes {
        [] => String::from("-"),
        _ => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// The bytes of such digits.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits = if text == "-" { "" } else { text };
    assert!(digits.len() % 2 == 0, "{text}");
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

/// A column in memory of its own, with something in every place that a reader must not look at.
pub(crate) struct Owned {
    bytes: Vec<u8>,
    small: Vec<i32>,
    large: Vec<i64>,
    bits: Vec<u8>,
    bit: Option<usize>,
}

impl Owned {
    /// The keys, `before` bytes and `bit` bits after the beginning of the buffers; no bitmap without `bit`.
    pub(crate) fn new<K: AsRef<[u8]>>(keys: &[Option<K>], before: usize, bit: Option<usize>) -> Self {
        let mut bytes = vec![b'!'; before];
        let mut ends = vec![before];
        let first = bit.unwrap_or(0);
        // Bits that belong to no key are 1: a key that takes one of them for its own is present where it should be absent.
        let mut bits = vec![0xff; (first + keys.len()).div_ceil(8)];
        for (i, key) in keys.iter().enumerate() {
            bytes.extend(key.as_ref().map_or(&b"hidden"[..], AsRef::as_ref));
            ends.push(bytes.len());
            if key.is_none() {
                bits[(first + i) / 8] &= !(1 << ((first + i) % 8));
            }
        }
        bytes.extend(b"behind");
        let small = ends.iter().map(|&end| i32::try_from(end).expect("a short column")).collect();
        let large = ends.iter().map(|&end| i64::try_from(end).expect("a short column")).collect();
        Self { bytes, small, large, bits, bit }
    }

    pub(crate) fn column(&self, small: bool) -> Keys<'_> {
        let offsets = if small { Offsets::I32(&self.small) } else { Offsets::I64(&self.large) };
        let validity = self.bit.map(|offset| Validity { bits: &self.bits, offset });
        Keys::Column(Column { bytes: &self.bytes, offsets, validity })
    }
}
