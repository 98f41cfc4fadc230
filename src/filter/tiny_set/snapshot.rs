//! A TinySet as bytes: its integers and its blocks.
//!
//! How many entries there are and what they cover is counted again, block by block; a block that no sequence of
//! operations makes is refused, since its chains would have no end. A number that is not written cannot be wrong.

use std::io;

use crate::bit_string::BitString;
use crate::bits::{LINE, Lines};
use crate::error::Error;
use crate::filter::contract::Stored;
use crate::filter::seen::Seen;
use crate::num;
use crate::raw::Portable;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source, WORD_BYTES, count, expect, within};

use super::block::Block;
use super::plan::{MOST_KEYS, Plan, most_chains};
use super::{HALF, TinySet};

/// Bytes before the blocks.
const HEAD: u64 = 48;

/// More blocks than any memory has, and few enough for their bytes to be counted.
const MOST_BLOCKS: u64 = 1 << 56;

impl Stored for TinySet {
    fn saved_bytes(&self) -> u64 {
        HEAD + self.table.plan.bytes()
    }

    fn save(&self, _: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let (plan, tally) = (&self.table.plan, &self.tally);
        let [block_bytes, chains] = [plan.block_bytes, plan.chains].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        sink.u64s(&[plan.blocks, plan.capacity])?;
        sink.u32s(&[block_bytes, chains, plan.removable.into(), 0])?;
        sink.counts([tally.seen.new_count, tally.seen.duplicate_count])?;
        sink.words((0..num::index(plan.lines())).flat_map(|line| self.table.lines.load::<LINE>(line)))
    }

    fn load(source: &mut Source<'_>, _: Tick, _: Tick) -> Result<Self, Refused> {
        let plan = load_plan(source)?;
        let [new_count, duplicate_count] = source.u64s()?;
        let (new_count, duplicate_count) = (count("new_count", new_count)?, count("duplicate_count", duplicate_count)?);
        source.expect_cells(plan.bytes() / WORD_BYTES)?;
        let lines = Lines::zeroed(plan.lines())?;
        source.words(plan.bytes() / WORD_BYTES, |first, words| {
            let first = num::index(first) / LINE;
            for (line, words) in (first..).zip(words.chunks_exact(LINE)) {
                lines.store::<LINE>(line, &std::array::from_fn(|i| words[i]));
            }
        })?;
        let mut filter = Self::with(plan, lines)?;
        filter.tally.seen = Seen { new_count, duplicate_count, ..Seen::default() };
        match plan.block_bytes {
            64 => filter.count_blocks::<LINE>(),
            _ => filter.count_blocks::<HALF>(),
        }?;
        Ok(filter)
    }
}

fn load_plan(source: &mut Source<'_>) -> Result<Plan, Refused> {
    let [blocks, capacity] = source.u64s()?;
    let [block_bytes, chains, removable, reserved] = source.u32s()?;
    expect(reserved == 0, "reserved", reserved, "0")?;
    expect(block_bytes == 32 || block_bytes == 64, "block_bytes", block_bytes, "32 or 64")?;
    expect(block_bytes == 64 || blocks % 2 == 0, "blocks", blocks, "even with block_bytes = 32")?;
    let plan = Plan {
        removable: within("removable", removable, 0, 1)? == 1,
        block_bytes: block_bytes.into(),
        chains: chains.into(),
        blocks: within("blocks", blocks, 1, MOST_BLOCKS)?,
        capacity: within("capacity", capacity, 1, MOST_KEYS)?,
    };
    within("chains", plan.chains, 1, most_chains(plan.block_bytes))?;
    Ok(plan)
}

impl TinySet {
    /// Checks every block, and counts its entries and what they cover.
    fn count_blocks<const N: usize>(&mut self) -> Result<(), Error> {
        for i in 0..num::index(self.table.plan.blocks) {
            let block = Block::<N, _>::new(BitString(self.table.lines.load(i)), &self.table.layout, Portable);
            let (items, cover) = block.checked().ok_or_else(|| {
                Error::corrupt_structure(format_args!("the chains of block {i} do not match its entries"))
            })?;
            self.tally.items += num::wide(items);
            self.tally.cover += u128::from(cover);
        }
        Ok(())
    }
}
