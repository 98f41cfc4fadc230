//! A column of keys where it lies: in a buffer of Arrow or numpy, which its owner keeps while the column is used.
//!
//! This file and those that make columns (`arrow/`, `buffer.rs`) hold all unsafe code of the package. What a producer says
//! of its memory (addresses, lengths) is believed, as the Arrow C data interface wants it; what is in the memory (offsets,
//! codes, views) is checked.
#![allow(unsafe_code, reason = "reads memory that other libraries describe by its address")]

use std::marker::PhantomData;
use std::slice;

use lately::{Keys, Offsets, Validity};

/// One key of a column.
pub(crate) enum Cell<'a> {
    Null,
    Bytes(&'a [u8]),
    Number(u64),
    /// A whole number of more than 64 bits, the lowest byte first.
    Wide([u8; 16]),
}

impl Cell<'_> {
    /// A whole number that fits into 64 bits, with a sign or without. A negative one is its two's complement.
    #[inline]
    fn of(number: i128) -> Self {
        match u64::try_from(number) {
            Ok(number) => Self::Number(number),
            Err(_) => Self::signed(number),
        }
    }

    /// A whole number with a sign: 8 bytes if they hold it, else 16.
    #[inline]
    fn signed(number: i128) -> Self {
        match i64::try_from(number) {
            Ok(number) => Self::Number(u64::from_ne_bytes(number.to_ne_bytes())),
            Err(_) => Self::Wide(number.to_le_bytes()),
        }
    }

    /// The bits of a number with a fraction. All that are no number are one key, and so are the two zeros.
    #[inline]
    fn real(number: f64) -> Self {
        match number {
            _ if number.is_nan() => Self::Number(f64::NAN.to_bits() & !(1 << 63)),
            _ if number == 0.0 => Self::Number(0),
            _ => Self::Number(number.to_bits()),
        }
    }
}

/// Items of `width` bytes, `stride` bytes apart.
#[derive(Clone, Copy)]
pub(crate) struct Items<'a> {
    start: *const u8,
    stride: isize,
    pub(crate) width: usize,
    owner: PhantomData<&'a [u8]>,
}

// SAFETY: it is read only, and its owner does not move while 'a lasts.
unsafe impl Send for Items<'_> {}
// SAFETY: the same.
unsafe impl Sync for Items<'_> {}

impl<'a> Items<'a> {
    /// # Safety
    /// For 'a, every item that will be asked for has `width` bytes at its place.
    pub(crate) const unsafe fn new(start: *const u8, stride: isize, width: usize) -> Self {
        Self { start, stride, width, owner: PhantomData }
    }

    /// Item `i`, which is one of those that the maker promised.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> &'a [u8] {
        if self.width == 0 {
            return &[];
        }
        let at = self.start.wrapping_offset(self.stride.wrapping_mul(isize::try_from(i).unwrap_or(isize::MAX)));
        // SAFETY: the maker promised these bytes.
        unsafe { slice::from_raw_parts(at, self.width) }
    }
}

impl<'a> Items<'a> {
    /// The first `count` items as a slice, if they lie side by side and are of this type.
    pub(crate) fn side_by_side<T: Plain>(&self, count: usize) -> Option<&'a [T]> {
        let is_one = self.width == size_of::<T>() && isize::try_from(self.width) == Ok(self.stride);
        let start = self.start.cast::<T>();
        if count == 0 {
            return is_one.then_some(&[]);
        }
        // SAFETY: these are items that the maker promised, and every pattern of bits is a number.
        (is_one && start.is_aligned()).then(|| unsafe { slice::from_raw_parts(start, count) })
    }
}

/// Whole numbers of 1, 2, 4 or 8 bytes in the order of this machine.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'a> {
    pub(crate) items: Items<'a>,
    pub(crate) is_signed: bool,
}

impl Numbers<'_> {
    /// Number `i`.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> i128 {
        let bytes = self.items.get(i);
        match (bytes, self.is_signed) {
            ([a], false) => i128::from(*a),
            ([a], true) => i128::from(i8::from_ne_bytes([*a])),
            (&[a, b], false) => i128::from(u16::from_ne_bytes([a, b])),
            (&[a, b], true) => i128::from(i16::from_ne_bytes([a, b])),
            (&[a, b, c, d], false) => i128::from(u32::from_ne_bytes([a, b, c, d])),
            (&[a, b, c, d], true) => i128::from(i32::from_ne_bytes([a, b, c, d])),
            (&[a, b, c, d, e, f, g, h], false) => i128::from(u64::from_ne_bytes([a, b, c, d, e, f, g, h])),
            (&[a, b, c, d, e, f, g, h], true) => i128::from(i64::from_ne_bytes([a, b, c, d, e, f, g, h])),
            _ => -1,
        }
    }
}

/// Numbers with a fraction, of 2, 4 or 8 bytes in the order of this machine, as those of 8 bytes that are equal to them.
#[derive(Clone, Copy)]
pub(crate) struct Reals<'a>(pub(crate) Items<'a>);

impl Reals<'_> {
    /// Number `i`.
    #[inline]
    fn get(&self, i: usize) -> f64 {
        match *self.0.get(i) {
            [a, b] => half(u16::from_ne_bytes([a, b])),
            [a, b, c, d] => f64::from(f32::from_ne_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => f64::from_ne_bytes([a, b, c, d, e, f, g, h]),
            _ => f64::NAN,
        }
    }
}

/// The number of a sign, 5 bits of an exponent and 10 of a fraction.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * f64::powi(2.0, -24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * f64::powi(2.0, i32::from(exponent) - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// A bitmap, the lowest bit of a byte first.
#[derive(Clone, Copy)]
pub(crate) struct Bits<'a> {
    bytes: Items<'a>,
    first: usize,
}

impl<'a> Bits<'a> {
    /// # Safety
    /// For 'a there are bytes from `start` on for every bit that will be asked for, counted from `first`.
    pub(crate) const unsafe fn new(start: *const u8, first: usize) -> Self {
        // SAFETY: the same promise.
        Self { bytes: unsafe { Items::new(start, 1, 1) }, first }
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> bool {
        let bit = self.first + i;
        self.bytes.get(bit / 8)[0] >> (bit % 8) & 1 == 1
    }

    /// The bitmap of `rows` rows as the library takes it.
    fn whole(&self, rows: usize) -> Validity<'a> {
        let bits = self.bytes.side_by_side((self.first + rows).div_ceil(8)).unwrap_or(&[]);
        Validity { bits, offset: self.first }
    }
}

/// Where the keys of a column are.
pub(crate) enum Values<'a> {
    /// All are null.
    Nulls,
    Numbers(Numbers<'a>),
    /// Dates, times of day, moments and spans of time: each is its number of nanoseconds, `unit` for each of these.
    Times {
        numbers: Numbers<'a>,
        unit: i128,
    },
    Reals(Reals<'a>),
    /// False and true: 0 and 1.
    Flags(Bits<'a>),
    /// Byte strings of one width; those of numpy's `S` end before their last zeros.
    Fixed {
        items: Items<'a>,
        is_padded: bool,
    },
    /// Back to back, with signed offsets of 4 or 8 bytes, one more than there are keys.
    Packed {
        bytes: Items<'a>,
        len: usize,
        offsets: Numbers<'a>,
    },
    /// Arrow's views: 16 bytes each, short strings inside, long ones in one of the buffers.
    Views {
        views: Items<'a>,
        buffers: Vec<&'a [u8]>,
    },
    /// Arrow's dictionary.
    Coded {
        codes: Numbers<'a>,
        of: Box<Column<'a>>,
    },
}

/// A column of keys.
pub(crate) struct Column<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) validity: Option<Bits<'a>>,
    pub(crate) rows: usize,
}

impl<'a> Column<'a> {
    pub(crate) fn is_null(&self, i: usize) -> bool {
        if self.validity.is_some_and(|validity| !validity.get(i)) {
            return true;
        }
        match &self.values {
            Values::Nulls => true,
            Values::Coded { codes, of } => usize::try_from(codes.get(i)).is_ok_and(|code| of.is_null(code)),
            _ => false,
        }
    }

    pub(crate) fn can_be_null(&self) -> bool {
        let inside = match &self.values {
            Values::Nulls => true,
            Values::Coded { of, .. } => of.can_be_null(),
            _ => false,
        };
        inside || self.validity.is_some()
    }

    /// Key `i` of a column that `check` found sound.
    #[inline]
    pub(crate) fn cell(&self, i: usize) -> Cell<'a> {
        if self.validity.is_some_and(|validity| !validity.get(i)) {
            return Cell::Null;
        }
        match &self.values {
            Values::Nulls => Cell::Null,
            Values::Numbers(numbers) => Cell::of(numbers.get(i)),
            Values::Times { numbers, unit } => Cell::signed(numbers.get(i) * unit),
            Values::Reals(reals) => Cell::real(reals.get(i)),
            Values::Flags(flags) => Cell::Number(u64::from(flags.get(i))),
            Values::Fixed { items, is_padded } => Cell::Bytes(unpadded(items.get(i), *is_padded)),
            Values::Packed { bytes, offsets, .. } => Cell::Bytes(between(bytes, offsets, i)),
            Values::Views { views, buffers } => view(views.get(i), buffers).map_or(Cell::Null, Cell::Bytes),
            Values::Coded { codes, of } => usize::try_from(codes.get(i)).map_or(Cell::Null, |code| of.cell(code)),
        }
    }

    /// Whether every key that is not null is a byte string.
    pub(crate) fn is_of_bytes(&self) -> bool {
        match &self.values {
            Values::Nulls | Values::Numbers(_) | Values::Times { .. } | Values::Reals(_) | Values::Flags(_) => false,
            Values::Fixed { .. } | Values::Packed { .. } | Values::Views { .. } => true,
            Values::Coded { of, .. } => of.is_of_bytes(),
        }
    }

    /// Whether every key that is not null is a number of 8 bytes.
    pub(crate) fn is_of_words(&self) -> bool {
        matches!(self.values, Values::Numbers(_) | Values::Reals(_) | Values::Flags(_))
    }

    /// The keys as the library takes them where they lie, if it does: Arrow's strings, and whole numbers of 8 bytes.
    pub(crate) fn keys(&self) -> Option<Keys<'a>> {
        match &self.values {
            Values::Packed { bytes, len, offsets } if offsets.is_signed => {
                let offsets = match offsets.items.width {
                    4 => Offsets::I32(offsets.items.side_by_side(self.rows + 1)?),
                    _ => Offsets::I64(offsets.items.side_by_side(self.rows + 1)?),
                };
                let validity = self.validity.map(|validity| validity.whole(self.rows));
                Some(Keys::Column(lately::Column { bytes: bytes.side_by_side(*len)?, offsets, validity }))
            }
            Values::Numbers(numbers) if self.validity.is_none() => {
                numbers.items.side_by_side(self.rows).map(Keys::U64s)
            }
            _ => None,
        }
    }

    /// Whether every key that is not null can be read; if not, the row and what is wrong.
    pub(crate) fn check(&self) -> Result<(), Wrong> {
        match &self.values {
            Values::Nulls | Values::Fixed { .. } => Ok(()),
            Values::Numbers(_) | Values::Times { .. } | Values::Reals(_) | Values::Flags(_) => Ok(()),
            Values::Packed { len, offsets, .. } => check_offsets(*offsets, self.rows, *len),
            Values::Views { views, buffers } => {
                self.each(|i| view(views.get(i), buffers).map(|_| ()).ok_or(Wrong { row: i, what: "view" }))
            }
            Values::Coded { codes, of } => {
                of.check()?;
                let is_code = |code: i128| usize::try_from(code).is_ok_and(|code| code < of.rows);
                self.each(|i| match is_code(codes.get(i)) {
                    true => Ok(()),
                    false => Err(Wrong { row: i, what: "dictionary index" }),
                })
            }
        }
    }

    fn each(&self, check: impl Fn(usize) -> Result<(), Wrong>) -> Result<(), Wrong> {
        let is_there = |i: &usize| self.validity.is_none_or(|validity| validity.get(*i));
        (0..self.rows).filter(is_there).try_for_each(check)
    }
}

/// The error for a row whose offsets lead out of the data of its column.
pub(crate) struct Wrong {
    pub(crate) row: usize,
    pub(crate) what: &'static str,
}

fn unpadded(bytes: &[u8], is_padded: bool) -> &[u8] {
    match bytes.iter().rposition(|byte| *byte != 0) {
        _ if !is_padded => bytes,
        Some(last) => &bytes[..=last],
        None => &[],
    }
}

fn check_offsets(offsets: Numbers<'_>, rows: usize, len: usize) -> Result<(), Wrong> {
    let most = i128::try_from(len).unwrap_or(i128::MAX);
    let mut before = 0;
    for i in 0..=rows {
        let offset = offsets.get(i);
        if offset < before || offset > most {
            return Err(Wrong { row: i, what: "offset" });
        }
        before = offset;
    }
    Ok(())
}

/// The bytes between two offsets, which were checked.
#[inline]
fn between<'a>(bytes: &Items<'a>, offsets: &Numbers<'a>, i: usize) -> &'a [u8] {
    let place = |i| usize::try_from(offsets.get(i)).unwrap_or(0);
    let (first, end) = (place(i), place(i + 1));
    if first == end {
        return &[];
    }
    // SAFETY: the offsets do not decrease and end inside the bytes, of which the maker promised all.
    unsafe { slice::from_raw_parts(bytes.start.wrapping_add(first), end - first) }
}

/// The bytes of a view; none if it leads out of the buffers.
#[inline]
fn view<'a>(view: &'a [u8], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let word = |at: usize| usize::try_from(i32::from_ne_bytes(view.get(at..at + 4)?.try_into().ok()?)).ok();
    let len = word(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let (buffer, first) = (word(8)?, word(12)?);
    buffers.get(buffer)?.get(first..first.checked_add(len)?)
}

/// Numbers or bytes of Rust as items.
pub(crate) fn bytes_of<T: Plain>(numbers: &[T]) -> Items<'_> {
    let width = size_of::<T>();
    // SAFETY: a slice has its items side by side.
    unsafe { Items::new(numbers.as_ptr().cast(), isize::try_from(width).unwrap_or(isize::MAX), width) }
}

/// A bitmap in a slice, which has a bit for every row that will be asked for.
pub(crate) fn bits_of(bytes: &[u8]) -> Bits<'_> {
    Bits { bytes: bytes_of(bytes), first: 0 }
}

/// Types all bytes of which can be read.
pub(crate) trait Plain {}

impl Plain for u8 {}
impl Plain for i32 {}
impl Plain for i64 {}
impl Plain for u64 {}
