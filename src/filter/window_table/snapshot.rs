//! A window table as bytes: the request behind its plan, what it remembers of time, then of each section its numbers and its
//! stash, then all cells.
//!
//! A filter that is divided is written as its eight sections: dividing is not undone, and either handle loads both.

use std::io;

use crate::error::Error;
use crate::filter::contract::Stored;
use crate::filter::seen::Seen;
use crate::num;
use crate::options::{Choice, OnLimit, Repeat};
use crate::raw::arena::Account;
use crate::raw::push;
use crate::tick::Tick;
use crate::wire::{MOST_COUNT, Refused, Sink, Source, WORD_BYTES, choice, count, expect, expect_sound, within};

use super::WindowTable;
use super::directory::LINE_BYTES;
use super::key::SECTIONS;
use super::lateness::most_lateness;
use super::plan::{CellWidth, LEAST_ERROR_RATE, MOST_KEYS, Plan, by_width};
use super::position::{PARTS, Time};
use super::saved::{self, Lines};
use super::table::Table;

/// Bytes before the sections, without the lateness.
const HEAD: u64 = 136;

/// Flags: the window is one of time; the caller has passed a tick; lateness is allowed, and follows the choices; the first
/// table was made at once.
const TIMED: u32 = 1;
const STARTED: u32 = 2;
const LATE: u32 = 4;
const AT_ONCE: u32 = 8;

impl WindowTable {
    fn save_head(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let (plan, seen) = (&self.plan, &self.seen);
        let capacity = if plan.timed { plan.keys } else { 0 };
        let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
        let flags = flag(plan.timed, TIMED) | flag(self.time.has_started(), STARTED) | flag(plan.lateness > 0, LATE);
        let flags = flags | flag(plan.at_once, AT_ONCE);
        sink.u64s(&[plan.span.window, capacity, plan.memory, plan.max_step, plan.error_rate.to_bits()])?;
        sink.u32s(&[flags, plan.tag_bits, plan.repeat.number(), OnLimit::ForgetOldest.number()])?;
        if plan.lateness > 0 {
            sink.u64s(&[plan.lateness])?;
        }
        sink.counts([seen.new_count, seen.duplicate_count, seen.late_ticks, seen.refused_ticks, self.removed])?;
        sink.u64s(&[plan.width.field().into(), plan.first_lines])?;
        sink.counts([self.count()])?;
        sink.u64s(&[self.account.peak(), num::wide(self.tables.len())])
    }

    /// Observations of a window of keys.
    fn count(&self) -> u64 {
        if self.plan.timed { 0 } else { self.time.count }
    }
}

impl Stored for WindowTable {
    fn saved_bytes(&self) -> u64 {
        let lateness = if self.plan.lateness > 0 { WORD_BYTES } else { 0 };
        let bytes = |table: &Table| by_width!(self.plan.width, W => table.saved_bytes::<W>());
        HEAD + lateness + self.tables.iter().map(bytes).sum::<u64>()
    }

    fn save(&self, _now: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        self.save_head(sink)?;
        let beyond = self.count().saturating_sub(MOST_COUNT);
        self.tables.iter().try_for_each(|table| table.save_numbers(beyond, sink))?;
        self.tables.iter().try_for_each(|table| saved::save_lines(table, sink))
    }

    fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused> {
        let Head { plan, started, seen, removed, observed, peak, sections } = Head::read(source)?;
        let (account, mut tables) = (Account::new(plan.most_bytes())?, Vec::new());
        let moment = if plan.timed { then.0 } else { observed };
        for i in 0..sections {
            let own = if sections == 1 { Lines::Whole } else { Lines::Section(i) };
            push(&mut tables, Table::load_numbers(plan, own, moment, source, &account)?)?;
        }
        saved::expect_memory(&tables, &plan, account.bytes())?;
        let is_sound = sections == 1 || tables.iter().all(|table| saved::are_of_one_moment(&tables[0], table));
        expect_sound(is_sound, "its sections are not of one moment")?;
        tables.iter_mut().try_for_each(|table| by_width!(plan.width, W => table.load_lines::<W>(source)))?;
        tables.iter_mut().for_each(Table::set_due);
        let bytes = account.bytes();
        within("bytes_peak", peak, bytes, MOST_COUNT.max(bytes))?;
        account.raise_peak(peak);
        let time = Time { clock: if plan.timed { now } else { Tick(0) }, count: observed, ..Time::default() };
        let mut filter = Self { plan, tables, account, time, seen, removed, route_bits: 0 };
        if started {
            filter.start();
        }
        let memory = source.memory(plan.memory);
        if memory != plan.memory && plan.timed {
            filter.bind(memory)?;
        } else if memory != plan.memory {
            // A window of keys keeps its size, and its bytes the limit that they were loaded with.
            filter.account.set_limit(if memory == 0 { u64::MAX } else { memory });
        }
        Ok(filter)
    }
}

impl WindowTable {
    /// From now on it takes no more bytes than these, 0 if no limit.
    fn bind(&mut self, bytes: u64) -> Result<(), Error> {
        let (width, has_lines) = (self.plan.width, self.tables.iter().any(|table| table.state.has_lines()));
        let lines = |width| self.tables.iter().map(|table| table.lines_to_refit(width)).sum();
        self.plan = self.plan.bound_to(bytes, has_lines, lines)?;
        self.account.set_limit(self.plan.most_bytes());
        let plan = &self.plan;
        self.tables.iter_mut().try_for_each(|table| by_width!(width, W => table.bind::<W>(plan)))
    }
}

/// The request behind the plan, whether a tick was passed, and the counts.
struct Head {
    plan: Plan,
    started: bool,
    seen: Seen,
    removed: u64,
    /// Observations of a window of keys.
    observed: u64,
    /// The most bytes that it ever had.
    peak: u64,
    sections: u64,
}

impl Head {
    fn read(source: &mut Source<'_>) -> Result<Self, Refused> {
        let [window, capacity, memory, max_step, error_rate] = source.u64s()?;
        let [flags, tag_bits, repeat, on_limit] = source.u32s()?;
        expect(flags <= TIMED | STARTED | LATE | AT_ONCE, "flags", flags, "0 to 15")?;
        let timed = flags & TIMED != 0;
        let [lateness] = if flags & LATE == 0 { [0] } else { source.u64s()? };
        let seen = read_seen(source)?;
        let [removed] = source.u64s()?;
        let [field, first_lines, observed, peak, sections] = source.u64s()?;
        let rate = f64::from_bits(error_rate);
        expect(timed || flags & !AT_ONCE == 0, "flags", flags, "0 or 8 for a window of keys")?;
        expect((LEAST_ERROR_RATE..=0.5).contains(&rate), "error_rate", rate, "1e-11 to 0.5")?;
        let tag_bits = within("age_bits", tag_bits, 2, 5)?;
        let window = within("window", window, 1, if timed { u64::MAX } else { MOST_KEYS })?;
        expect(timed || (capacity == 0 && max_step == u64::MAX), "capacity", capacity, "0 for a window of keys")?;
        within("observations", observed, 0, if timed { 0 } else { MOST_COUNT })?;
        // A map that was loaded with less than a request can name keeps that.
        let least = if timed { 1 } else { 2 * LINE_BYTES };
        expect(memory == 0 || memory >= least, "memory", memory, format_args!("0 or at least {least}"))?;
        expect(on_limit == OnLimit::ForgetOldest.number(), "on_limit", on_limit, "1, ForgetOldest")?;
        let least = if flags & LATE == 0 { 0 } else { 1 };
        let most = if timed { source.most_lateness(most_lateness(window, tag_bits)) } else { 0 };
        let lateness = within("lateness_ns", lateness, least, most.max(least))?;
        expect(lateness <= most, "lateness_ns", lateness, format_args!("0 to {most}"))?;
        let width = CellWidth::ALL.into_iter().find(|width| u64::from(width.field()) == field);
        let width = width.ok_or_else(|| Error::corrupt_number("field", field, "8, 16 or 32"))?;
        let keys = within("capacity", if timed { capacity } else { window }, 0, MOST_KEYS)?;
        let bare = Plan::bare(timed, (window, lateness), tag_bits).sized(keys, memory).of_width(width, rate);
        let at_once = flags & AT_ONCE != 0;
        let most = if at_once { 1 << 50 } else { 1 << 12 };
        let first_lines = within("first_lines", first_lines, 2 * PARTS, most)?;
        expect(sections == 1 || sections == num::wide(SECTIONS), "sections", sections, "1 or 8")?;
        let repeat: Repeat = choice("repeat", repeat)?;
        let plan = Plan { first_lines, at_once, repeat, max_step: source.max_step(max_step)?, ..bare };
        let (started, removed) = (flags & STARTED != 0, count("removed", removed)?);
        Ok(Self { plan, started, seen, removed, observed, peak, sections })
    }
}

fn read_seen(source: &mut Source<'_>) -> Result<Seen, Refused> {
    let [new_count, duplicate_count, late_ticks, refused_ticks] = source.u64s()?;
    Ok(Seen {
        new_count: count("new_count", new_count)?,
        duplicate_count: count("duplicate_count", duplicate_count)?,
        late_ticks: count("late_ticks", late_ticks)?,
        refused_ticks: count("refused_ticks", refused_ticks)?,
        ..Seen::default()
    })
}
