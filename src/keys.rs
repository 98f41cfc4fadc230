//! The keys of a batch, in the forms in which callers have them: what is checked of them, and how they are hashed.

use std::ops::Range;

use crate::error::Error;
use crate::hash::{Hasher, KeyHash, Named};
use crate::num;

/// The keys of a batch: byte strings in one buffer, numbers, or hashes made by [`crate::Filter::hash`].
///
/// Keys in an array of slices go to [`crate::Filter::observe_slices`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Keys<'a> {
    /// Key `i` is `bytes[offsets[i] .. offsets[i + 1]]`; n + 1 offsets that do not decrease.
    Bytes {
        /// All keys, back to back.
        bytes: &'a [u8],
        /// Where each begins, and where the last ends.
        offsets: &'a [u64],
    },
    /// Numbers: key `i` is the 8 bytes of `keys[i]`, the lowest first.
    U64s(&'a [u64]),
    /// Hashes of an unkeyed filter.
    Hashes(&'a [KeyHash]),
    /// A column in the layout of Apache Arrow, in which keys may be absent.
    Column(Column<'a>),
}

/// A column of byte strings or texts in the layout of Apache Arrow: one buffer, offsets, and which keys are present.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    /// The buffer of values. It may begin before the first key and end after the last.
    pub bytes: &'a [u8],
    /// Where each key begins, and where the last ends: n + 1 numbers for n keys.
    pub offsets: Offsets<'a>,
    /// Which keys are present; `None` if all are. An absent key gets [`crate::Verdict::AbsentKey`].
    pub validity: Option<Validity<'a>>,
}

/// The offsets of a [`Column`]: at least 0, not decreasing, none beyond its bytes. The first need not be 0.
#[derive(Debug, Clone, Copy)]
pub enum Offsets<'a> {
    /// Of Arrow's `Binary` and `Utf8`.
    I32(&'a [i32]),
    /// Of Arrow's `LargeBinary` and `LargeUtf8`.
    I64(&'a [i64]),
}

/// Which keys of a [`Column`] are present: key `i` is, if bit `offset + i` is 1. The lowest bit of a byte is its first.
#[derive(Debug, Clone, Copy)]
pub struct Validity<'a> {
    /// The bitmap.
    pub bits: &'a [u8],
    /// The bit of the first key.
    pub offset: usize,
}

impl Keys<'_> {
    /// How many keys, absent ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Bytes { offsets, .. } => offsets.len().saturating_sub(1),
            Self::U64s(keys) => keys.len(),
            Self::Hashes(hashes) => hashes.len(),
            Self::Column(column) => column.offsets.keys(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Offsets<'_> {
    const fn keys(&self) -> usize {
        let len = match self {
            Self::I32(offsets) => offsets.len(),
            Self::I64(offsets) => offsets.len(),
        };
        len.saturating_sub(1)
    }
}

impl Validity<'_> {
    /// Bit i is 1 if key `first` + i is present; for `n` keys, 32 at most.
    fn present(&self, first: usize, n: usize) -> u64 {
        let bit = self.offset + first;
        let from = &self.bits[bit / 8..];
        let mut bytes = [0; 8];
        // 32 bits that begin inside a byte end in the fifth.
        let have = from.len().min(5);
        bytes[..have].copy_from_slice(&from[..have]);
        (u64::from_le_bytes(bytes) >> (bit % 8)) & low_bits(n)
    }

    /// Whether key `i` is present.
    pub(crate) fn has(&self, i: usize) -> bool {
        self.present(i, 1) == 1
    }

    fn check(&self, keys: usize) -> Result<(), Error> {
        let have = self.bits.len().saturating_mul(8).saturating_sub(self.offset);
        if have < keys { Err(Error::length("validity", have, keys)) } else { Ok(()) }
    }
}

const fn low_bits(n: usize) -> u64 {
    (1 << n) - 1
}

/// The keys of a batch, in whatever form they are.
pub(crate) trait Source {
    /// How many, absent ones included.
    fn len(&self) -> usize;

    /// Checks them. The other methods rely on it.
    fn check(&self, hasher: &Hasher) -> Result<(), Error>;

    /// Which keys are present; `None` if all are.
    fn validity(&self) -> Option<Validity<'_>> {
        None
    }

    /// Hashes the keys from `first` on.
    fn hash(&self, first: usize, hasher: &Hasher, hashes: &mut [KeyHash]);

    /// Key `i` by hash and identity; `None` of a hash, which has lost its key.
    fn named(&self, i: usize, hasher: &Hasher) -> Option<Named>;

    /// Whether there are hashes in place of keys.
    fn are_hashes(&self) -> bool {
        false
    }
}

/// The keys of a batch in any of their forms.
#[derive(Clone, Copy)]
pub struct AnyKeys<'a>(pub(crate) &'a dyn Source);

impl<'a> AnyKeys<'a> {
    /// Keys of one buffer, numbers or hashes.
    #[must_use]
    pub fn of(keys: &'a Keys<'a>) -> Self {
        Self(keys)
    }

    /// Keys where they lie.
    #[must_use]
    pub fn of_slices<K: AsRef<[u8]>>(keys: &'a &'a [K]) -> Self {
        Self(keys)
    }

    pub(crate) fn len(self) -> usize {
        self.0.len()
    }
}

impl Source for Keys<'_> {
    fn len(&self) -> usize {
        Keys::len(self)
    }

    fn check(&self, hasher: &Hasher) -> Result<(), Error> {
        match self {
            Self::Bytes { bytes, offsets } => check_offsets(bytes, offsets),
            Self::U64s(_) => Ok(()),
            Self::Hashes(_) => hasher.expect_unkeyed(),
            Self::Column(column) => column.check(),
        }
    }

    fn validity(&self) -> Option<Validity<'_>> {
        match self {
            Self::Column(column) => column.validity,
            _ => None,
        }
    }

    fn hash(&self, first: usize, hasher: &Hasher, hashes: &mut [KeyHash]) {
        match self {
            Self::Bytes { bytes, offsets } => hash_between(bytes, &offsets[first..], hasher, hashes),
            Self::U64s(keys) => hasher.hash_numbers(&keys[first..], hashes),
            Self::Hashes(given) => hashes.copy_from_slice(&given[first..first + hashes.len()]),
            Self::Column(Column { bytes, offsets: Offsets::I32(offsets), .. }) => {
                hash_between(bytes, &offsets[first..], hasher, hashes);
            }
            Self::Column(Column { bytes, offsets: Offsets::I64(offsets), .. }) => {
                hash_between(bytes, &offsets[first..], hasher, hashes);
            }
        }
    }

    fn named(&self, i: usize, hasher: &Hasher) -> Option<Named> {
        Some(match self {
            Self::Bytes { bytes, offsets } => hasher.named(key_between(bytes, offsets[i], offsets[i + 1])),
            Self::U64s(keys) => hasher.named(&keys[i].to_le_bytes()),
            Self::Hashes(_) => return None,
            Self::Column(Column { bytes, offsets: Offsets::I32(offsets), .. }) => {
                hasher.named(key_between(bytes, offsets[i], offsets[i + 1]))
            }
            Self::Column(Column { bytes, offsets: Offsets::I64(offsets), .. }) => {
                hasher.named(key_between(bytes, offsets[i], offsets[i + 1]))
            }
        })
    }

    fn are_hashes(&self) -> bool {
        matches!(self, Self::Hashes(_))
    }
}

impl Column<'_> {
    fn check(&self) -> Result<(), Error> {
        match self.offsets {
            Offsets::I32(offsets) => check_offsets(self.bytes, offsets)?,
            Offsets::I64(offsets) => check_offsets(self.bytes, offsets)?,
        }
        self.validity.map_or(Ok(()), |validity| validity.check(self.offsets.keys()))
    }
}

/// Keys where they lie: anything that is bytes.
impl<K: AsRef<[u8]>> Source for &[K] {
    fn len(&self) -> usize {
        <[K]>::len(self)
    }

    fn check(&self, _: &Hasher) -> Result<(), Error> {
        Ok(())
    }

    fn hash(&self, first: usize, hasher: &Hasher, hashes: &mut [KeyHash]) {
        hashes.iter_mut().zip(&self[first..]).for_each(|(hash, key)| *hash = hasher.hash(key.as_ref()));
    }

    fn named(&self, i: usize, hasher: &Hasher) -> Option<Named> {
        Some(hasher.named(self[i].as_ref()))
    }
}

/// The offset at which a key begins.
trait Offset: Copy + Ord {
    /// The number, unless it is below 0.
    fn number(self) -> Option<u64>;
}

impl Offset for u64 {
    #[inline]
    fn number(self) -> Option<u64> {
        Some(self)
    }
}

impl Offset for i64 {
    #[inline]
    fn number(self) -> Option<u64> {
        self.try_into().ok()
    }
}

impl Offset for i32 {
    #[inline]
    fn number(self) -> Option<u64> {
        self.try_into().ok()
    }
}

fn check_offsets<T: Offset>(bytes: &[u8], offsets: &[T]) -> Result<(), Error> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Err(Error::offsets(0, "is missing: n keys have n + 1 offsets"));
    };
    if first.number().is_none() {
        return Err(Error::offsets(0, "is below 0"));
    }
    if let Some(i) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(Error::offsets(i + 1, "is below the one before it"));
    }
    match last.number() {
        Some(end) if end <= num::wide(bytes.len()) => Ok(()),
        _ => Err(Error::offsets(offsets.len() - 1, "is beyond the bytes")),
    }
}

/// Hashes the keys between the offsets, once these are known to be sound.
#[inline]
fn hash_between<T: Offset>(bytes: &[u8], offsets: &[T], hasher: &Hasher, hashes: &mut [KeyHash]) {
    for (hash, ends) in hashes.iter_mut().zip(offsets.windows(2)) {
        *hash = hasher.hash(key_between(bytes, ends[0], ends[1]));
    }
}

/// The key between two sound offsets.
#[inline]
fn key_between<T: Offset>(bytes: &[u8], start: T, end: T) -> &[u8] {
    let place = |offset: T| num::index(offset.number().unwrap_or_default());
    &bytes[place(start)..place(end)]
}

/// A few neighbouring keys of a batch, some of which may be absent.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    /// How many, 32 at most.
    pub(crate) n: usize,
    /// Bit i is 1 if key i of the group is present.
    present: u64,
}

impl Group {
    /// The `n` keys from place `first` of the batch on.
    pub(crate) fn new(first: usize, n: usize, validity: Validity<'_>) -> Self {
        Self { n, present: validity.present(first, n) }
    }

    /// The place of the first present key in the group.
    pub(crate) fn begin(&self) -> usize {
        position(self.present.trailing_zeros())
    }

    /// The places, in the group, of present keys without a gap between them.
    pub(crate) fn runs(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let mut left = self.present;
        std::iter::from_fn(move || {
            let start = (left != 0).then_some(left.trailing_zeros())?;
            let end = start + (left >> start).trailing_ones();
            left &= !low_bits(position(end));
            Some(position(start)..position(end))
        })
    }
}

/// The number of a bit as an index.
fn position(bit: u32) -> usize {
    num::index(bit.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_begin_with_the_lowest_at_any_offset() {
        let bits = [0b1011_0001, 0xff, 0x00, 0xff, 0x01];
        for offset in 0..16 {
            let keys = 40 - offset;
            let at = |i: usize| (bits[(offset + i) / 8] >> ((offset + i) % 8)) & 1 == 1;
            for first in 0..keys {
                let n = 32.min(keys - first);
                let places: Vec<usize> =
                    Group::new(first, n, Validity { bits: &bits, offset }).runs().flatten().collect();
                let want: Vec<usize> = (0..n).filter(|&i| at(first + i)).collect();
                assert_eq!(places, want, "bit {offset}, {n} keys from {first}");
            }
        }
    }
}
