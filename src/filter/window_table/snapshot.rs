//! A window table as bytes: the request behind its plan, what it remembers of time, then of each section its numbers and its
//! stash, then all lines.
//!
//! A filter that is divided is written as its eight sections: dividing is not undone, and either handle loads both.

use std::io;

use crate::filter::contract::Stored;
use crate::filter::seen::Seen;
use crate::num;
use crate::options::{Choice, OnLimit, Repeat};
use crate::raw::arena::Account;
use crate::raw::push;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source, WORD_BYTES, choice, count, expect, expect_sound, within};

use super::WindowTable;
use super::directory::{Directory, LINE_BYTES};
use super::key::{SECTIONS, Section};
use super::lateness::most_lateness;
use super::plan::{LEAST_BYTES, MOST_KEYS, Plan};
use super::table::Table;
use super::time::Time;

/// Bytes before the sections, without the lateness.
pub(super) const HEAD: u64 = 112;

/// Flags: the window is one of time; the caller has passed a tick; lateness is allowed, and follows the choices.
const TIMED: u32 = 1;
const STARTED: u32 = 2;
const LATE: u32 = 4;

impl WindowTable {
    fn save_head(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let (plan, seen) = (&self.plan, &self.seen);
        let capacity = if plan.timed { plan.keys } else { 0 };
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags = flag(plan.timed, TIMED) | flag(self.time.has_started(), STARTED) | flag(plan.lateness > 0, LATE);
        sink.u64s(&[plan.span.window, capacity, plan.memory, plan.max_step, plan.error_rate.to_bits()])?;
        sink.u32s(&[flags, plan.widths.tag_bits, plan.repeat.number(), OnLimit::ForgetOldest.number()])?;
        if plan.lateness > 0 {
            sink.u64s(&[plan.lateness])?;
        }
        sink.counts([seen.new_count, seen.duplicate_count, seen.late_ticks, seen.refused_ticks])?;
        sink.counts([LINE_BYTES * self.tables.iter().map(Table::most_lines).sum::<u64>()])?;
        sink.u64s(&[plan.widths.named(), num::wide(self.tables.len())])
    }
}

impl Stored for WindowTable {
    fn saved_bytes(&self) -> u64 {
        let lateness = if self.plan.lateness > 0 { WORD_BYTES } else { 0 };
        HEAD + lateness + self.tables.iter().map(Table::saved_bytes).sum::<u64>()
    }

    fn save(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let moment = self.moment(now);
        self.save_head(sink)?;
        self.tables.iter().try_for_each(|table| table.save_numbers(moment, sink))?;
        self.tables.iter().try_for_each(|table| table.save_lines(moment, sink))
    }

    fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused> {
        let (plan, started, seen) = load_plan(source)?;
        let [peak, cells, n] = source.u64s()?;
        let peak = count("bytes_peak", peak)?;
        expect(cells == plan.widths.named(), "cells of a line", cells, plan.widths.named())?;
        expect(n == 1 || n == num::wide(SECTIONS), "sections", n, "1 or 8")?;
        let (account, mut tables) = (Account::new(plan.most_bytes())?, Vec::new());
        let moment = if plan.timed { then.0 } else { 0 };
        for i in 0..n {
            let section = if n == 1 { Section::WHOLE } else { Section::of(i) };
            push(&mut tables, Table::load_numbers(plan, section, moment, source, &account)?)?;
        }
        check_sections(&tables, &plan, source)?;
        tables.iter_mut().try_for_each(|table| table.load_lines(source))?;
        source.expect_room(account.bytes())?;
        load_peak(&mut tables, peak)?;
        account.raise_peak(peak);
        let time = Time { clock: if plan.timed { now } else { Tick(0) }, ..Time::default() };
        let mut filter = Self { plan, tables, account, time, seen, route_bits: 0 };
        if started {
            filter.start();
        }
        let memory = source.memory(plan.memory);
        if memory != plan.memory {
            filter.bind(memory);
        }
        Ok(filter)
    }
}

impl WindowTable {
    /// From now on it takes no more bytes than these, 0 if no limit.
    fn bind(&mut self, bytes: u64) {
        self.plan.bind(bytes);
        self.account.set_limit(self.plan.most_bytes());
        for table in &mut self.tables {
            table.bind(&self.plan);
        }
    }
}

/// The request behind the plan, whether a tick was passed, and the counts.
fn load_plan(source: &mut Source<'_>) -> Result<(Plan, bool, Seen), Refused> {
    let [window, capacity, memory, max_step, error_rate] = source.u64s()?;
    let [flags, tag_bits, repeat, on_limit] = source.u32s()?;
    expect(flags <= TIMED | STARTED | LATE, "flags", flags, "0 to 7")?;
    let timed = flags & TIMED != 0;
    let [lateness] = if flags & LATE == 0 { [0] } else { source.u64s()? };
    let [new_count, duplicate_count, late_ticks, refused_ticks] = source.u64s()?;
    let rate = f64::from_bits(error_rate);
    expect(timed || flags == 0, "flags", flags, "0 for a window of keys")?;
    expect((1e-12..=0.5).contains(&rate), "error_rate", rate, "1e-12 to 0.5")?;
    let tag_bits = within("age_bits", tag_bits, 2, 5)?;
    let window = within("window", window, 1, if timed { u64::MAX } else { MOST_KEYS })?;
    expect(timed || (capacity == 0 && max_step == u64::MAX), "capacity", capacity, "0 for a window of keys")?;
    let capacity = within("capacity", capacity, 0, MOST_KEYS)?;
    let least = if timed { LEAST_BYTES } else { 2 * LINE_BYTES };
    expect(memory == 0 || memory >= least, "memory", memory, format_args!("0 or at least {least}"))?;
    expect(on_limit == OnLimit::ForgetOldest.number(), "on_limit", on_limit, "1, ForgetOldest")?;
    let plan = if timed {
        let least = if flags & LATE == 0 { 0 } else { 1 };
        let lateness = within("lateness_ns", lateness, least, source.most_lateness(most_lateness(window, tag_bits)))?;
        Plan::of_late_time((window, lateness), rate, tag_bits, capacity, memory)
    } else {
        Plan::of_keys(window, rate, tag_bits, memory)
    };
    let too_low = |_| crate::error::Error::corrupt_number("error_rate", rate, "one that a hash of 64 bits can reach");
    let plan = plan.map_err(too_low)?;
    let repeat: Repeat = choice("repeat", repeat)?;
    let seen = Seen {
        new_count: count("new_count", new_count)?,
        duplicate_count: count("duplicate_count", duplicate_count)?,
        late_ticks: count("late_ticks", late_ticks)?,
        refused_ticks: count("refused_ticks", refused_ticks)?,
        ..Seen::default()
    };
    Ok((Plan { repeat, max_step: source.max_step(max_step)?, ..plan }, flags & STARTED != 0, seen))
}

/// Restores the most lines so far. A snapshot has only the sum over sections, so the first section gets the difference.
fn load_peak(tables: &mut [Table], peak: u64) -> Result<(), Refused> {
    let lines = tables.iter().map(Table::most_lines).sum::<u64>();
    let more = (peak / LINE_BYTES).checked_sub(lines).filter(|_| peak % LINE_BYTES == 0);
    expect(more.is_some(), "bytes_peak", peak, format_args!("a multiple of 64, at least {}", lines * LINE_BYTES))?;
    if let [first, ..] = tables {
        first.state.counts.most_lines = first.most_lines() + more.unwrap_or(0);
    }
    Ok(())
}

/// Whether all sections stand at one moment, and have as many lines as the snapshot has bytes for and memory allows: those of a window
/// of time an eighth of it each, of which they grow, and those of a window of keys all together.
fn check_sections(tables: &[Table], plan: &Plan, source: &Source<'_>) -> Result<(), Refused> {
    let (mut all, mut of_all) = (0u64, 0u64);
    for table in tables {
        let (first, shape) = (&tables[0], &table.grid.shape);
        let lines = Directory::lines_for(shape, !plan.timed);
        (all, of_all) = (all.saturating_add(shape.lines()), of_all.saturating_add(lines));
        let most = plan.most_bytes() / LINE_BYTES;
        let (lines, most) = if plan.timed { (lines, most >> shape.section.skip) } else { (of_all, most) };
        expect(lines <= most, "lines", lines, format_args!("at most {most}, by memory"))?;
        expect_sound(table.stands_with(first), "its sections are not of one moment")?;
    }
    source.expect_cells(all.saturating_mul(LINE_BYTES / WORD_BYTES))?;
    Ok(())
}
