//! An age-partitioned filter as bytes: its integers, how many keys were inserted, the matrices.
//!
//! The number of insertions determines how many generations have ended, which slices are in the filter, and how far the
//! spare one has been cleaned. The bits of the spare one are written as 0: no call reads them any more. Bits that are set
//! are counted again. A number that is not written cannot be wrong.

use std::io;

use crate::bits::{Bits, WORD};
use crate::error::Error;
use crate::filter::contract::Stored;
use crate::filter::seen::Seen;
use crate::num;
use crate::options::Choice;
use crate::tick::Tick;
use crate::wire::{MOST_COUNT, Refused, Sink, Source, WORD_BYTES, choice, count, expect, expect_sound, within};

use super::AgePartitioned;
use super::plan::Plan;
use super::sweep::column_mask;

/// The places of a row at which a word may begin: as many as columns, 63 at most.
const MOST_PLACES: usize = 64;

/// Bytes before the matrices.
const HEAD: u64 = 56;

impl Stored for AgePartitioned {
    fn saved_bytes(&self) -> u64 {
        HEAD + WORD_BYTES * self.bits.words()
    }

    fn save(&self, _: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let plan = &self.plan;
        let [k, l] = [plan.k, plan.l].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        sink.u64s(&[plan.rows, plan.generation])?;
        sink.u32s(&[k, l, plan.repeat.number(), 0])?;
        sink.counts([restarted(plan, self.inserted), self.seen.new_count, self.seen.duplicate_count])?;
        let words = plan.function_words();
        (0..plan.k).try_for_each(|f| {
            let live = self.live_words(f);
            sink.words(self.bits.run(f * words, words).zip(live).map(|(word, live)| word & live))
        })
    }

    fn load(source: &mut Source<'_>, _: Tick, _: Tick) -> Result<Self, Refused> {
        let plan = load_plan(source)?;
        let [inserted, new_count, duplicate_count] = source.u64s()?;
        let most = if round(&plan).is_some() { MOST_COUNT } else { MOST_COUNT / 2 };
        let inserted = within("inserted", inserted, 0, most)?;
        let (new_count, duplicate_count) = (count("new_count", new_count)?, count("duplicate_count", duplicate_count)?);
        let words = plan.k.saturating_mul(plan.function_words());
        source.expect_cells(words)?;
        let mut bits = Bits::zeroed(words)?;
        source.fill(&mut bits, 0, words)?;
        let seen = Seen { new_count, duplicate_count, ..Seen::default() };
        let mut filter = Self { seen, ..Self::with(plan, bits)? };
        filter.go_on_after(inserted)?;
        Ok(filter)
    }
}

/// Insertions after which slices and columns are numbered alike again, if a count can be reduced by them.
fn round(plan: &Plan) -> Option<u64> {
    plan.generation.checked_mul(plan.k * plan.columns).filter(|round| *round <= MOST_COUNT / 4)
}

/// A number of insertions within the range of a snapshot, after which the filter would be the same as after `inserted`.
fn restarted(plan: &Plan, inserted: u64) -> u64 {
    let least = (plan.k + plan.l + 1) * plan.generation;
    match round(plan) {
        Some(round) if inserted > MOST_COUNT => least + (inserted - least) % round,
        _ => inserted,
    }
}

fn load_plan(source: &mut Source<'_>) -> Result<Plan, Refused> {
    let [rows, generation] = source.u64s()?;
    let [k, l, repeat, reserved] = source.u32s()?;
    expect(reserved == 0, "reserved", reserved, "0")?;
    let plan = Plan::known(k, l, rows, generation, choice("repeat", repeat)?);
    let what = format_args!("no plan has k = {k}, l = {l}, rows = {rows}, generation = {generation}");
    Ok(plan.ok_or_else(|| Error::corrupt_structure(what))?)
}

impl AgePartitioned {
    /// Sets everything that follows from the number of insertions and from the bits.
    fn go_on_after(&mut self, inserted: u64) -> Result<(), Error> {
        // A shift comes with the first insertion after a full generation.
        self.shifts = inserted.saturating_sub(1) / self.plan.generation;
        self.count = inserted - self.shifts * self.plan.generation;
        self.inserted = inserted;
        self.youngest += self.shifts;
        self.align();
        self.sweep.skip(self.count);
        self.check_dead()?;
        self.count_ones();
        Ok(())
    }

    /// The bits of slices in the filter, for every word of a function.
    fn live_words(&self, f: u64) -> impl Iterator<Item = u64> {
        let (k, w) = (self.plan.k, self.plan.columns);
        let live = self.live_slices().filter(move |n| n % k == f);
        let mut masks = [0; MOST_PLACES];
        for n in live {
            (0..w).zip(&mut masks).for_each(|(place, mask)| *mask |= column_mask(w, place, n / k % w));
        }
        (0..).map(move |word| masks[num::index(word * WORD % w)])
    }

    /// The numbers of the slices in the filter.
    fn live_slices(&self) -> std::ops::RangeInclusive<u64> {
        self.youngest.saturating_sub(self.plan.k + self.plan.l - 1)..=self.youngest
    }

    /// Whether only slices in the filter have bits that are set.
    fn check_dead(&self) -> Result<(), Error> {
        let words = self.plan.function_words();
        let past = words * WORD - self.plan.rows * self.plan.columns;
        for f in 0..self.plan.k {
            let mut live = self.bits.run(f * words, words).zip(self.live_words(f));
            expect_sound(live.all(|(word, live)| word & !live == 0), "an expired slice has bits that are set")?;
            let ends = past == 0 || self.bits.field((f + 1) * words * WORD - past, past) == 0;
            expect_sound(ends, "it has bits past its last row")?;
        }
        Ok(())
    }

    /// Counts the bits of every slice in the filter.
    fn count_ones(&mut self) {
        let (k, w, words) = (self.plan.k, self.plan.columns, self.plan.function_words());
        for n in self.live_slices() {
            let (f, column) = (n % k, n / k % w);
            let mut masks = [0; MOST_PLACES];
            (0..w).zip(&mut masks).for_each(|(place, mask)| *mask = column_mask(w, place, column));
            let ones = (0..).zip(self.bits.run(f * words, words));
            let ones = ones.map(|(i, word)| u64::from((word & masks[num::index(i * WORD % w)]).count_ones()));
            self.ones[num::index(f * w + column)] = ones.sum();
        }
    }
}
