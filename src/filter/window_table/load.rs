//! A window table from bytes: every integer, every key of a stash and every line is checked before it is believed.
//!
//! A line is good if its epoch is the one of that moment, each of its cells is free and all 0 or has a fingerprint, and its
//! mark says what the stash says. A table may hold no more than its lines; how full it is decides what comes next,
//! and that is counted.

use crate::filter::seen::Seen;
use crate::num;
use crate::raw::push;
use crate::tick::Tick;
use crate::wire::{MOST_COUNT, Refused, Source, WORD_BYTES, choice, count, expect, within};

use super::grow::Sealed;
use super::hand::Hand;
use super::line::{LEAST_CELLS, Layout, MOST_CELLS, Print};
use super::plan::{LINE_BYTES, MOST_KEYS, Plan, first_of_time};
use super::position::{PARTS, Position, START, Span};
use super::snapshot::{FORGOT, OLDEST, RUNNING, STARTED, TIMED};
use super::stash::{Held, Kept, MOST, Stash};
use super::sweep::Sweep;
use super::table::{Shape, Table};
use super::tally::{Count, Tally};
use super::{Core, Counts, Time, WindowTable};

/// More tables than any filter makes: beyond ten, each doubles what there is.
const MOST_TABLES: u64 = 64;

/// No table has that many pairs of lines.
const MOST_PAIRS: u64 = 1 << 45;

/// The head, before there is a filter.
struct Head {
    /// Without its first table.
    plan: Plan,
    flags: u32,
    overfull: bool,
    part: u64,
    rest: u64,
    forgot: u64,
    forgotten: u64,
    moved: u64,
    counts: Counts,
    seen: Seen,
    room: u64,
    touches: u64,
    /// Generations since the sweep's round began.
    lap: u64,
    tables: u64,
}

/// The record of a table, before its lines.
struct Record {
    shape: Shape,
    leaving: Count,
    share: f64,
    since: u64,
    stash: Stash,
}

pub(super) fn load(source: &mut Source<'_>, then: Tick, now: Tick) -> Result<WindowTable, Refused> {
    let head = load_head(source)?;
    let mut records = Vec::new();
    for _ in 0..head.tables {
        push(&mut records, load_record(source, &head)?)?;
    }
    check_records(&records, &head, source)?;
    let mut tables = Vec::new();
    for record in records {
        push(&mut tables, load_table(record, &head, source)?)?;
    }
    let mut filter = build(head, tables, then, now)?;
    let plan = &mut filter.core.plan;
    plan.bind(source.memory(plan.memory));
    Ok(filter)
}

fn load_head(source: &mut Source<'_>) -> Result<Head, Refused> {
    let [window, capacity, memory, max_step, error_rate] = source.u64s()?;
    let [flags, tag_bits, repeat, on_limit] = source.u32s()?;
    let [part, rest, forgot, forgotten, moved] = source.u64s()?;
    let [bytes_peak, tables, deferred] = source.u64s()?;
    let [new_count, duplicate_count, late_ticks, refused_ticks] = source.u64s()?;
    let [room, touches, lap] = source.u64s()?;
    let [overfull, reserved] = source.u32s()?;
    let [n] = source.u64s()?;
    let rate = f64::from_bits(error_rate);
    expect(flags <= TIMED | STARTED | RUNNING | FORGOT, "flags", flags, "0 to 15")?;
    let timed = flags & TIMED != 0;
    expect(timed || flags == 0, "flags", flags, "0 of a window of keys")?;
    expect(reserved == 0 && overfull <= u32::from(timed), "overfull", overfull, "0, or 1 of a window of time")?;
    expect((1e-12..=0.5).contains(&rate), "error_rate", rate, "1e-12 to 0.5")?;
    let tag_bits = within("age_bits", tag_bits, 2, 5)?;
    let window = within("window", window, 1, if timed { u64::MAX } else { MOST_KEYS })?;
    expect(timed || (capacity == 0 && max_step == u64::MAX), "capacity", capacity, "0 of a window of keys")?;
    let capacity = within("capacity", capacity, 0, MOST_KEYS)?;
    expect(memory == 0 || memory >= 2 * LINE_BYTES, "memory", memory, "0, or 128 or more")?;
    let first = first_of_time(rate, tag_bits, capacity, memory);
    let plan = Plan {
        repeat: choice("repeat", repeat)?,
        on_limit: choice("on_limit", on_limit)?,
        max_step: source.max_step(max_step)?,
        capacity,
        memory,
        ..Plan::of(timed, window, tag_bits, rate, first)
    };
    let seen = Seen {
        new_count: count("new_count", new_count)?,
        duplicate_count: count("duplicate_count", duplicate_count)?,
        late_ticks: count("late_ticks", late_ticks)?,
        refused_ticks: count("refused_ticks", refused_ticks)?,
    };
    let counts = Counts { bytes_peak, tables: count("tables", tables)?, deferred: count("deferred", deferred)? };
    expect(flags & FORGOT != 0 || forgot == 0, "forgot", forgot, "0, for nothing was")?;
    Ok(Head {
        plan,
        flags,
        overfull: overfull == 1,
        part: START + within("position", part, 0, START - 1)?,
        rest: within("rest", rest, 0, window - 1)?,
        forgot: within("forgot", forgot, 0, OLDEST)?,
        forgotten: count("forgotten", forgotten)?,
        moved: count("moved", moved)?,
        counts,
        seen,
        room,
        touches: within("keys of this round", touches, 0, if timed { MOST_COUNT } else { 0 })?,
        lap: within("generations of this round", lap, 0, if timed { (START - 1) / PARTS } else { 0 })?,
        tables: within("number of tables", n, 1, if timed { MOST_TABLES } else { 1 })?,
    })
}

fn load_record(source: &mut Source<'_>, head: &Head) -> Result<Record, Refused> {
    let [groups, half, cells, share, since, held] = source.u64s()?;
    let [all, wide] = source.u64s()?;
    let share = f64::from_bits(share);
    let grouped = groups.is_power_of_two() && groups < 64 || groups > 0 && groups % 64 == 0;
    expect(grouped && groups <= MOST_PAIRS, "groups", groups, "a power of 2 below 64, or a multiple of 64")?;
    let half = within("pairs of lines", half, 1, MOST_PAIRS / groups)?;
    let layout = Layout::new(within("cells", cells, LEAST_CELLS, MOST_CELLS)?, head.plan.tag_bits);
    let shares = if head.plan.timed { (0.0..=0.5).contains(&share) } else { share.to_bits() == 1f64.to_bits() };
    expect(shares, "share", share, "0 to 0.5 of a window of time, else 1")?;
    let shape = Shape { layout, groups, half };
    let since = head.part - within("since", since, 0, OLDEST)?;
    let mut stash = Stash::default();
    for _ in 0..within("groups of the stash", held, 0, groups + 1)? {
        let held = load_group(source, &shape, head.part)?;
        let above = stash.groups.last().is_none_or(|last| last.group < held.group);
        expect(above && stash.shut.is_none(), "groups of the stash", held.group, "in their order")?;
        if held.group == groups {
            expect(held.closed.is_some(), "closed", 0, "1 or more where it is all groups")?;
            stash.shut = held.closed;
        } else {
            push(&mut stash.groups, held)?;
        }
    }
    Ok(Record { shape, leaving: Count { all, wide }, share, since, stash })
}

fn load_group(source: &mut Source<'_>, shape: &Shape, part: u64) -> Result<Held, Refused> {
    let [group, n, closed] = source.u64s()?;
    let group = within("group", group, 0, shape.groups)?;
    let closed = within("closed", closed, 0, OLDEST + 1)?.checked_sub(1).map(|age| part - age);
    let mut keys = Vec::new();
    let n = within("keys of a stash", n, 0, if group < shape.groups { num::wide(MOST) } else { 0 })?;
    for _ in 0..n {
        let [home, lane, extra, age] = source.u64s()?;
        let first = 2 * shape.half * group;
        let home = within("home", home, first, first + 2 * shape.half - 1)?;
        let lane = within("fingerprint", lane, 1, shape.layout.fingerprints())?;
        let print = Print { lane: u16::try_from(lane).unwrap_or(u16::MAX), extra };
        expect(shape.layout.whole(print) == print, "extra bits", extra, "no more than a cell has")?;
        let age = within("age", age, 0, OLDEST)?;
        let home = num::index(home);
        push(&mut keys, Kept { home, phase: shape.spot_of(home).phase(), print, part: part - age })?;
    }
    Ok(Held { group, keys, closed })
}

fn check_records(records: &[Record], head: &Head, source: &Source<'_>) -> Result<(), Refused> {
    let lines = records.iter().map(|record| record.shape.lines());
    let lines = lines.fold(0u64, u64::saturating_add);
    source.expect_cells(lines.saturating_mul(LINE_BYTES / WORD_BYTES))?;
    let shares: f64 = records.iter().map(|record| record.share).sum();
    expect(shares <= 1.0, "shares of the error rate", shares, "1 in all")?;
    let sealed = records.get(1..).unwrap_or(&[]);
    let ordered = sealed.windows(2).all(|pair| pair[0].since >= pair[1].since);
    expect(ordered, "sealed tables", "out of order", "the youngest first")?;
    let most = head.plan.memory;
    let bytes = lines * LINE_BYTES;
    expect(most == 0 || bytes <= most, "bytes of all tables", bytes, "no more than memory")?;
    within("bytes_peak", head.counts.bytes_peak, 0, MOST_COUNT)?;
    Ok(())
}

/// A table whose lines are read and checked, and what was counted.
struct Loaded {
    table: Table,
    tally: Tally,
    record: Record,
}

fn load_table(record: Record, head: &Head, source: &mut Source<'_>) -> Result<Loaded, Refused> {
    let table = Table::new(record.shape)?;
    source.words(record.shape.lines() * 8, |first, words| {
        for (i, word) in (first..).zip(words) {
            table.lines.at(num::index(i / 8)).set_word(num::index(i % 8), *word);
        }
    })?;
    let mut tally = Tally::new(&record.shape.layout)?;
    for i in 0..table.lines.len() {
        check_line(&table, i, &record.stash, head, &mut tally)?;
    }
    let settled = tally.settle(record.leaving, record.shape.cells());
    expect(settled, "leaving", record.leaving.all, "no more than the table has cells")?;
    Ok(Loaded { table, tally, record })
}

fn check_line(table: &Table, i: usize, stash: &Stash, head: &Head, tally: &mut Tally) -> Result<(), Refused> {
    let (spot, layout) = (table.shape.spot_of(i), &table.shape.layout);
    let marked = stash.has_home(spot.group, i, head.part, &head.plan.span);
    let good = table.canonical(&spot, head.part, head.part, marked);
    let line = table.line(&spot);
    let same = (0..8).all(|word| line.word(word) == good[word]);
    expect(same && table.lag(&spot, head.part) == 0, "line", i, "one that is up to date")?;
    let now = spot.generation(head.part);
    for cell in 0..layout.cells {
        let lane = line.lane(cell);
        expect(lane == 0 || layout.print_of(lane) != 0, "fingerprint of a line", i, "not 0")?;
        if lane != 0 {
            tally.store(spot.birth(now - layout.age(lane, now)), cell < layout.wider);
        }
    }
    Ok(())
}

fn build(head: Head, mut tables: Vec<Loaded>, then: Tick, now: Tick) -> Result<WindowTable, Refused> {
    let Head { plan, part, .. } = head;
    let newest = tables.remove(0);
    let span: Span = plan.span;
    let running = head.flags & RUNNING != 0;
    let position = Position::known(part, head.rest, if running { then.0 } else { 0 }, &span);
    let time = Time { clock: now, started: head.flags & STARTED != 0, running };
    let shape = newest.record.shape;
    let mut hand = Hand::new(&shape.layout, Sweep::default())?;
    (hand.tally, hand.stash, hand.seen) = (newest.tally, newest.record.stash, head.seen);
    hand.tally.moved = head.moved;
    (hand.forgot, hand.forgotten) = ((head.flags & FORGOT != 0).then(|| part - head.forgot), head.forgotten);
    let mut sealed = Vec::new();
    for Loaded { table, tally, record } in tables {
        let Record { share, since: ended, stash, .. } = record;
        push(&mut sealed, Sealed { table, stash, tally, share, as_of: part, ended })?;
    }
    let limit = plan.limit(&shape, newest.record.share);
    let core = Core {
        plan: if plan.timed { plan } else { Plan { first: shape, ..plan } },
        newest: newest.table,
        born: newest.record.since,
        share: newest.record.share,
        limit,
        sealed,
        leaving: Vec::new(),
        position,
        time,
        overfull: head.overfull,
        lap: part / PARTS - head.lap,
        counts: head.counts,
    };
    hand.sweep = core.sweep();
    let mut filter = WindowTable { core, hand };
    let bytes = filter.core.bytes();
    expect(head.counts.bytes_peak >= bytes, "bytes_peak", head.counts.bytes_peak, "as many as there are")?;
    filter.hand.set_touches(head.touches);
    filter.hand.room = within("room", head.room, 0, if plan.timed { limit } else { 0 })?;
    if !plan.timed {
        filter.hand.room = filter.core.position.next - filter.core.position.at;
    }
    Ok(filter)
}
