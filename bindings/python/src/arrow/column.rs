//! A column of Arrow as a column of keys, by the format string of its type.
#![allow(unsafe_code, reason = "a column of Arrow is a list of addresses")]

use std::ffi::CStr;
use std::slice;

use super::ffi::{Array, ArrowArray, ArrowSchema, Schema};
use crate::column::{Bits, Column, Items, Numbers, Reals, Values};
use crate::table::Table;

type Refused = String;

/// The columns of a piece: those of a struct, or the one that it is.
pub(super) fn table<'a>(schema: &'a Schema, array: &'a Array) -> Result<Table<'a>, Refused> {
    let (schema, array) = (schema.get(), array.get());
    let (first, rows) = (size(array.offset)?, size(array.length)?);
    if format(schema)? != "+s" {
        return Ok(Table { columns: vec![column(schema, array, first, rows)?], validity: None, rows });
    }
    let children = size(schema.n_children)?;
    if children == 0 || schema.n_children != array.n_children {
        return Err(String::from("the keys have no column"));
    }
    let one = |i: usize| {
        // SAFETY: a struct has the number of children that it declares, of type and of memory.
        let schema = unsafe { child(schema.children, i) };
        // SAFETY: the same.
        let array = unsafe { child(array.children, i) };
        column(schema, array, first + size(array.offset)?, rows)
    };
    let columns = (0..children).map(one).collect::<Result<_, _>>()?;
    Ok(Table { columns, validity: validity(array, first)?, rows })
}

/// # Safety
/// There are more than `i` addresses, and a struct at each, for 'a.
unsafe fn child<'a, T>(children: *mut *mut T, i: usize) -> &'a T {
    // SAFETY: the same promise.
    let at = unsafe { children.add(i) };
    // SAFETY: the same promise.
    let child = unsafe { *at };
    // SAFETY: the same promise.
    unsafe { &*child }
}

/// The times of a piece, one after the other, and whether they are dates in nanoseconds. A null is none.
pub(super) fn times<'a>(
    schema: &'a Schema,
    array: &'a Array,
) -> Result<(impl ExactSizeIterator<Item = Option<i128>> + use<'a>, bool), Refused> {
    let (schema, array) = (schema.get(), array.get());
    let (first, rows) = (size(array.offset)?, size(array.length)?);
    let (numbers, unit, are_dates) = match (column(schema, array, first, rows)?.values, format(schema)?) {
        (Values::Numbers(numbers), format) if !format.starts_with(['t', 'b']) || format.starts_with("ts") => {
            (numbers, 1, format.starts_with("ts"))
        }
        (Values::Times { numbers, unit }, format) if format.starts_with("ts") => (numbers, unit, true),
        (_, format) => {
            return Err(format!("the times have the Arrow format {format:?}: use timestamps or whole numbers"));
        }
    };
    let validity = validity(array, first)?;
    let is_there = move |i: usize| validity.is_none_or(|validity| validity.get(i));
    Ok(((0..rows).map(move |i| is_there(i).then(|| numbers.get(i) * unit)), are_dates))
}

/// `rows` keys from row `first` of the buffers on.
fn column<'a>(
    schema: &'a ArrowSchema,
    array: &'a ArrowArray,
    first: usize,
    rows: usize,
) -> Result<Column<'a>, Refused> {
    let mut values = match format(schema)? {
        "n" => Values::Nulls,
        "c" => numbers(array, first, 1, true)?,
        "C" => numbers(array, first, 1, false)?,
        "s" => numbers(array, first, 2, true)?,
        "S" => numbers(array, first, 2, false)?,
        "i" => numbers(array, first, 4, true)?,
        "I" => numbers(array, first, 4, false)?,
        "l" => numbers(array, first, 8, true)?,
        "L" => numbers(array, first, 8, false)?,
        "u" | "z" => packed(array, first, rows, 4)?,
        "U" | "Z" => packed(array, first, rows, 8)?,
        "vu" | "vz" => views(array, first)?,
        "e" => Values::Reals(Reals(items(array, 1, first, 2)?)),
        "f" => Values::Reals(Reals(items(array, 1, first, 4)?)),
        "g" => Values::Reals(Reals(items(array, 1, first, 8)?)),
        "b" => Values::Flags(bits(array, 1, first)?),
        format if format.starts_with('t') => spans(format, array, first)?,
        format => fixed(format, array, first)?,
    };
    // SAFETY: if it is not null it is the type of a dictionary.
    if let Some(of) = unsafe { schema.dictionary.as_ref() } {
        values = coded(values, of, array)?;
    }
    let validity = if matches!(values, Values::Nulls) { None } else { validity(array, first)? };
    Ok(Column { values, validity, rows })
}

fn format(schema: &ArrowSchema) -> Result<&str, Refused> {
    // SAFETY: a type has a format, which ends with a zero.
    let format = unsafe { CStr::from_ptr(schema.format) };
    format.to_str().map_err(|_| String::from("an Arrow type has a format that is not UTF-8"))
}

/// The validity bitmap, which is left out where nothing is null.
fn validity(array: &ArrowArray, first: usize) -> Result<Option<Bits<'_>>, Refused> {
    if array.null_count == 0 || array.n_buffers == 0 {
        return Ok(None);
    }
    let has_bitmap = !buffer(array, 0)?.is_null();
    has_bitmap.then(|| bits(array, 0, first)).transpose()
}

/// The bits in a buffer, from row `first` on.
fn bits(array: &ArrowArray, i: i64, first: usize) -> Result<Bits<'_>, Refused> {
    let start = buffer(array, i)?;
    // SAFETY: a bitmap has a bit for every row.
    Ok(unsafe { Bits::new(start, first) })
}

/// Nanoseconds of a second and of a day.
const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// Dates, times of day, timestamps and durations. What counts months is none of them.
fn spans<'a>(format: &str, array: &'a ArrowArray, first: usize) -> Result<Values<'a>, Refused> {
    let (width, unit) = match format.get(..3) {
        Some("tdD") => (4, DAY),
        Some("tts") => (4, SECOND),
        Some("ttm") => (4, SECOND / 1_000),
        Some("tss" | "tDs") => (8, SECOND),
        Some("tdm" | "tsm" | "tDm") => (8, SECOND / 1_000),
        Some("ttu" | "tsu" | "tDu") => (8, SECOND / 1_000_000),
        Some("ttn" | "tsn" | "tDn") => (8, 1),
        _ => return Err(refused(format)),
    };
    let numbers = Numbers { items: items(array, 1, first, width)?, is_signed: true };
    Ok(if unit == 1 { Values::Numbers(numbers) } else { Values::Times { numbers, unit } })
}

fn buffer(array: &ArrowArray, i: i64) -> Result<*const u8, Refused> {
    if i >= array.n_buffers {
        return Err(format!("an Arrow column has {} buffers: expected more", array.n_buffers));
    }
    // SAFETY: a column has the number of buffers that it declares.
    let at = unsafe { array.buffers.add(size(i)?) };
    // SAFETY: the same.
    Ok(unsafe { *at }.cast())
}

fn items(array: &ArrowArray, i: i64, first: usize, width: usize) -> Result<Items<'_>, Refused> {
    let start = buffer(array, i)?.wrapping_add(first * width);
    // SAFETY: the buffer has `width` bytes for every row, and `first` is the first row that is meant.
    Ok(unsafe { Items::new(start, isize::try_from(width).unwrap_or(isize::MAX), width) })
}

fn numbers(array: &ArrowArray, first: usize, width: usize, is_signed: bool) -> Result<Values<'_>, Refused> {
    Ok(Values::Numbers(Numbers { items: items(array, 1, first, width)?, is_signed }))
}

fn packed(array: &ArrowArray, first: usize, rows: usize, width: usize) -> Result<Values<'_>, Refused> {
    let start = buffer(array, 2)?;
    // SAFETY: the bytes reach up to the last offset.
    let bytes = unsafe { Items::new(start, 1, 1) };
    if rows == 0 {
        return Ok(Values::Fixed { items: bytes, is_padded: false });
    }
    let offsets = Numbers { items: items(array, 1, first, width)?, is_signed: true };
    let len = usize::try_from(offsets.get(rows)).map_err(|_| String::from("an Arrow column ends below 0"))?;
    Ok(Values::Packed { bytes, len, offsets })
}

fn views(array: &ArrowArray, first: usize) -> Result<Values<'_>, Refused> {
    let long = size(array.n_buffers)?.checked_sub(3).ok_or("an Arrow column of views has too few buffers")?;
    let lengths = Numbers { items: items(array, array.n_buffers - 1, 0, 8)?, is_signed: true };
    let one = |i: usize| {
        let len = usize::try_from(lengths.get(i)).map_err(|_| String::from("an Arrow buffer has a length below 0"))?;
        let start = buffer(array, i64::try_from(i).unwrap_or(i64::MAX) + 2)?;
        // SAFETY: the last buffer has the lengths of those before it.
        Ok(if len == 0 { &[][..] } else { unsafe { slice::from_raw_parts(start, len) } })
    };
    let buffers = (0..long).map(one).collect::<Result<_, Refused>>()?;
    Ok(Values::Views { views: items(array, 1, first, 16)?, buffers })
}

/// Byte strings of one width, and decimals: their whole numbers of units, of the width that the type has.
fn fixed<'a>(format: &str, array: &'a ArrowArray, first: usize) -> Result<Values<'a>, Refused> {
    let width = match format.strip_prefix("w:") {
        Some(width) => width.parse().ok(),
        None => format.strip_prefix("d:").and_then(decimal),
    };
    let width = width.ok_or_else(|| refused(format))?;
    Ok(Values::Fixed { items: items(array, 1, first, width)?, is_padded: false })
}

/// Bytes of a decimal of `precision,scale` or `precision,scale,bits`. Arrow stores them in the byte order of the machine; a key has the lowest byte first.
fn decimal(kind: &str) -> Option<usize> {
    let bits: usize = kind.split(',').nth(2).map_or(Some(128), |bits| bits.parse().ok())?;
    cfg!(target_endian = "little").then_some(bits / 8)
}

fn refused(format: &str) -> Refused {
    format!(
        "the keys have the Arrow format {format:?}: use strings, binary, numbers, booleans, dates, times, decimals, and \
         dictionaries of them; cast other types to one of these"
    )
}

/// The keys of a dictionary, by whole numbers.
fn coded<'a>(codes: Values<'a>, of: &'a ArrowSchema, array: &'a ArrowArray) -> Result<Values<'a>, Refused> {
    let Values::Numbers(codes) = codes else {
        return Err(String::from("an Arrow dictionary has indices that are no numbers"));
    };
    // SAFETY: a column of such a type has a dictionary.
    let words = unsafe { array.dictionary.as_ref() }.ok_or("an Arrow column lacks its dictionary")?;
    let of = column(of, words, size(words.offset)?, size(words.length)?)?;
    Ok(Values::Coded { codes, of: Box::new(of) })
}

fn size(number: i64) -> Result<usize, Refused> {
    usize::try_from(number).map_err(|_| format!("an Arrow column has the size {number}"))
}
