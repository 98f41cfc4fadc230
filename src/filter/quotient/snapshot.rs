//! A quotient filter as bytes: its integers, the generators of victims, the rows.
//!
//! How full the rows are is counted again, row by row; a row that no observations make is refused. A number that is not
//! written cannot be wrong.

use std::io;

use crate::error::Error;
use crate::filter::contract::Stored;
use crate::filter::seen::Seen;
use crate::num;
use crate::options::{Choice, Variant};
use crate::rng::Rng;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source, WORD_BYTES, choice, count, expect, expect_sound, within};

use super::occupancy::Occupancy;
use super::plan::{MOST_BITS, MOST_BYTES, MOST_KEYS, Plan, Shape};
use super::{Quotient, STRIPES, Table};

/// Bytes before the rows.
const HEAD: u64 = 64 + 64 * WORD_BYTES;

impl Stored for Quotient {
    fn saved_bytes(&self) -> u64 {
        HEAD + WORD_BYTES * self.table.plan.shape.words(self.table.plan.rows)
    }

    fn save(&self, _: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let (plan, shape) = (&self.table.plan, &self.table.plan.shape);
        let [k, s] = [shape.k, shape.s].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        sink.u64s(&[plan.rows, plan.bytes, plan.window.unwrap_or(0), plan.seed])?;
        sink.u32s(&[k, s, shape.law.variant.number(), shape.code.is_some().into()])?;
        sink.counts([self.seen.new_count, self.seen.duplicate_count])?;
        sink.words(self.victims.iter().map(Rng::counter))?;
        sink.words(self.table.rows.words())
    }

    fn load(source: &mut Source<'_>, _: Tick, _: Tick) -> Result<Self, Refused> {
        let plan = load_plan(source)?;
        let [new_count, duplicate_count] = source.u64s()?;
        let (new_count, duplicate_count) = (count("new_count", new_count)?, count("duplicate_count", duplicate_count)?);
        let victims = source.u64s::<STRIPES>()?.map(Rng::at);
        source.expect_cells(plan.shape.words(plan.rows))?;
        source.expect_tables(Occupancy::bytes(plan.shape.k))?;
        // The rows first: the memory for their counts grows with the length that the snapshot claims for them.
        let mut table = Table::empty(plan)?;
        table.rows.load(source)?;
        let seen = Seen { new_count, duplicate_count, ..Seen::default() };
        let mut filter = Self { seen, ..Self::of(table)? };
        *filter.victims = victims;
        filter.count_rows()?;
        Ok(filter)
    }
}

fn load_plan(source: &mut Source<'_>) -> Result<Plan, Refused> {
    let [rows, bytes, window, seed] = source.u64s()?;
    let [k, s, variant, semi_sort] = source.u32s()?;
    let k = within("k", u64::from(k), 1, u32::MAX.into())?;
    let s = within("fingerprint_bits", u64::from(s), 1, MOST_BITS)?;
    let variant: Variant = choice("variant", variant)?;
    let semi_sort = within("semi_sort", semi_sort, 0, 1)? == 1;
    let queued = variant.is_queued();
    expect(!(semi_sort && queued), "semi_sort", 1, "0 with a variant that orders rows by age")?;
    let shape = Shape::new(variant, k, s, semi_sort);
    let no_code = || Error::corrupt_structure(format_args!("rows of {k} cells of {s} bits cannot be semi-sorted"));
    let shape = shape.ok_or_else(no_code)?;
    within("rows", rows, 1, MOST_BYTES * 8 / shape.width())?;
    within("bytes", bytes, (rows * shape.width()).div_ceil(8), shape.words(rows) * WORD_BYTES)?;
    let window = match within("window_keys", window, 0, MOST_KEYS)? {
        0 => None,
        keys => Some(keys),
    };
    Ok(Plan { shape, rows, bytes, seed, window })
}

impl Quotient {
    /// Checks every row, and counts how full it is.
    fn count_rows(&mut self) -> Result<(), Error> {
        expect_sound(self.table.rows.ends_clean(self.table.plan.rows), "it has bits past its last row")?;
        for row in 0..self.table.plan.rows {
            let filled = self.table.rows.checked(row);
            let with_gaps = || Error::corrupt_structure(format_args!("row {row} has gaps between its filled cells"));
            let filled = filled.ok_or_else(with_gaps)?;
            self.occupancy.found(filled);
        }
        Ok(())
    }
}

/// 64 by the layout of the file.
const _: () = assert!(STRIPES == 64);

/// Whole words are written, so that none is cut.
const _: () = assert!(HEAD % WORD_BYTES == 0 && num::wide(STRIPES) * WORD_BYTES + 64 == HEAD);
