//! A window table as bytes: the request behind its plan, where the window stands, a record for each table, the lines.
//!
//! Lines are written as if all had been brought up to date at that moment, with the extra bits of free cells 0, so that
//! the same state gives the same bytes, whoever swept what. Positions are ages before the present one. How many cells
//! there are, of which generation, is counted again: what is not written cannot be a lie.

use std::io;

use crate::filter::contract::Stored;
use crate::num;
use crate::options::Choice;
use crate::tick::Tick;
use crate::wire::{Refused, Sink, Source};

use super::position::{PARTS, START, Span};
use super::stash::{Held, Stash};
use super::table::Table;
use super::tally::Count;
use super::{WindowTable, load};

/// Bytes before the records.
pub(super) const HEAD: u64 = 192;
/// Bytes of the record of a table, of a group of its stash, and of a key there.
pub(super) const RECORD: u64 = 64;
pub(super) const GROUP: u64 = 24;
pub(super) const KEY: u64 = 32;

/// Flags: the window is one of time; the caller has told a tick; the position follows the clock; a key had to go.
pub(super) const TIMED: u32 = 1;
pub(super) const STARTED: u32 = 2;
pub(super) const RUNNING: u32 = 4;
pub(super) const FORGOT: u32 = 8;

/// No age is written as more parts than this: what is so old is not needed by any window.
pub(super) const OLDEST: u64 = 1000;

/// A table and what is saved with it.
struct Saved<'a> {
    table: &'a Table,
    stash: &'a Stash,
    /// Cells of the generation that lines are giving up.
    leaving: Count,
    share: f64,
    /// The part that its lines are up to date with, but for those that are behind.
    as_of: u64,
    /// The part at which it was sealed, or at which it came.
    since: u64,
}

impl WindowTable {
    /// The tables, the newest first.
    fn tables(&self, part: u64) -> impl Iterator<Item = Saved<'_>> {
        let core = &self.core;
        let (table, stash, share) = (&core.newest, &self.hand.stash, core.share);
        let as_of = core.position.part;
        let leaving = self.hand.tally.leaving_at(part, as_of);
        let newest = Saved { table, stash, leaving, share, as_of, since: core.born };
        let sealed = core.sealed.iter().map(move |one| {
            let (table, stash, share) = (&one.table, &one.stash, one.share);
            let leaving = one.tally.leaving_at(part, one.as_of);
            Saved { table, stash, leaving, share, as_of: one.as_of, since: one.ended }
        });
        std::iter::once(newest).chain(sealed)
    }

    /// Where the window stands at `now`: its part, and the rest.
    fn stands(&self, now: Tick) -> (u64, u64) {
        let (core, span) = (&self.core, &self.core.plan.span);
        let moment = match (core.plan.timed, core.time.running) {
            (true, true) => now.0,
            (true, false) => core.position.at,
            (false, _) => core.position.next - self.hand.room,
        };
        (core.position.part_at(moment, span), core.position.rest_at(moment, span))
    }

    fn save_head(&self, (part, rest): (u64, u64), sink: &mut Sink<'_>) -> io::Result<()> {
        let (core, plan, hand) = (&self.core, &self.core.plan, &self.hand);
        let flag = |holds: bool, flag: u32| if holds { flag } else { 0 };
        let flags = flag(plan.timed, TIMED)
            | flag(core.time.started, STARTED)
            | flag(core.time.running, RUNNING)
            | flag(hand.forgot.is_some(), FORGOT);
        sink.u64s(&[plan.span.window, plan.capacity, plan.memory, plan.max_step, plan.error_rate.to_bits()])?;
        sink.u32s(&[flags, plan.tag_bits, plan.repeat.number(), plan.on_limit.number()])?;
        let forgot = hand.forgot.map_or(0, |forgot| age(part, forgot));
        sink.u64s(&[part % START, rest, forgot])?;
        sink.counts([hand.forgotten, hand.tally.moved])?;
        sink.u64s(&[core.counts.bytes_peak])?;
        sink.counts([core.counts.tables, core.counts.deferred])?;
        let seen = &hand.seen;
        sink.counts([seen.new_count, seen.duplicate_count, seen.late_ticks, seen.refused_ticks])?;
        // Of a count window these follow from the position.
        let lap = (part / PARTS - core.lap).min((START - 1) / PARTS);
        sink.counts(if plan.timed { [hand.room, hand.touches(), lap] } else { [0; 3] })?;
        sink.u32s(&[u32::from(core.overfull), 0])?;
        sink.u64s(&[1 + num::wide(core.sealed.len())])
    }
}

impl Saved<'_> {
    fn save_record(&self, part: u64, sink: &mut Sink<'_>) -> io::Result<()> {
        let shape = &self.table.shape;
        let groups = num::wide(self.stash.groups.len()) + u64::from(self.stash.shut.is_some());
        let since = age(part, self.since);
        sink.u64s(&[shape.groups, shape.half, shape.layout.cells, self.share.to_bits(), since, groups])?;
        sink.u64s(&[self.leaving.all, self.leaving.wide])?;
        self.stash.groups.iter().try_for_each(|held| save_group(held, part, sink))?;
        // The number after the last group means all of them.
        self.stash.shut.map_or(Ok(()), |shut| sink.u64s(&[shape.groups, 0, age(part, shut) + 1]))
    }

    fn save_lines(&self, part: u64, span: &Span, sink: &mut Sink<'_>) -> io::Result<()> {
        let lines = (0..self.table.lines.len()).flat_map(|i| {
            let spot = self.table.shape.spot_of(i);
            let marked = self.stash.has_home(spot.group, i, part, span);
            self.table.canonical(&spot, part, self.as_of, marked)
        });
        sink.words(lines)
    }
}

fn save_group(held: &Held, part: u64, sink: &mut Sink<'_>) -> io::Result<()> {
    let closed = held.closed.map_or(0, |closed| age(part, closed) + 1);
    sink.u64s(&[held.group, num::wide(held.keys.len()), closed])?;
    held.keys.iter().try_for_each(|key| {
        let lane = u64::from(key.print.lane);
        sink.u64s(&[num::wide(key.home), lane, key.print.extra, age(part, key.part)])
    })
}

/// How many parts ago that was.
fn age(part: u64, then: u64) -> u64 {
    (part - then).min(OLDEST)
}

impl Stored for WindowTable {
    fn saved_bytes(&self) -> u64 {
        let bytes = self.tables(self.core.position.part).map(|one| {
            let groups = one.stash.groups.iter().map(|held| GROUP + KEY * num::wide(held.keys.len()));
            let shut = if one.stash.shut.is_some() { GROUP } else { 0 };
            RECORD + groups.sum::<u64>() + shut + one.table.shape.bytes()
        });
        HEAD + bytes.sum::<u64>()
    }

    fn save(&self, now: Tick, sink: &mut Sink<'_>) -> io::Result<()> {
        let (part, rest) = self.stands(now);
        self.save_head((part, rest), sink)?;
        self.tables(part).try_for_each(|one| one.save_record(part, sink))?;
        self.tables(part).try_for_each(|one| one.save_lines(part, &self.core.plan.span, sink))
    }

    fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<Self, Refused> {
        load::load(source, then, now)
    }
}
