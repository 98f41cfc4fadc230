//! A table as bytes: its numbers, the keys of its stash, then for each line which cells are in use, and those cells.
//!
//! **Law.** Free cells take no bytes, and every other number is written as it is: a loaded table continues as the saved one does. A
//! loaded number is in its range, and a count of what is written is not believed but counted again.

use std::io;

use crate::error::Error;
use crate::num;
use crate::raw::arena::Account;
use crate::simd::Baseline;
use crate::wire::{Refused, Sink, Source, count, expect, expect_sound, within};

use super::directory::LINE_BYTES;
use super::key::{PHASE_BITS, Shape, Side, Spot};
use super::line::{Cell, Cells, Width, put};
use super::plan::{Plan, by_width};
use super::position::{PARTS, Part, Position, START};
use super::room::spots;
use super::stash::Stash;
use super::table::{Counts, Loss, Mode, Table};

/// Words of a section's numbers, of each key of a stash.
const NUMBERS: u64 = 22;
const KEY: u64 = 2;

/// A number of parts after which no key is found.
const LONGEST: u64 = 1000;

/// Which lines of a filter a table has: all, or those of a section.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lines {
    Whole,
    Section(u64),
}

/// Bytes of the mask of a line, and of a cell.
const fn mask_bytes<W: Width>() -> usize {
    W::CELLS.div_ceil(8)
}

const fn cell_bytes<W: Width>() -> usize {
    2 + field_bytes::<W>()
}

const fn field_bytes<W: Width>() -> usize {
    match W::FIELD {
        8 => 1,
        16 => 2,
        _ => 4,
    }
}

/// Bytes of a line with every cell in use.
const MOST_OF_A_LINE: usize = 3 + 21 * 6;

impl Table {
    /// Bytes of the numbers, the stash and the lines.
    pub(super) fn saved_bytes<W: Width>(&self) -> u64 {
        let numbers = 8 * (NUMBERS + KEY * self.state.stash.len());
        if !self.state.has_lines() {
            return numbers;
        }
        let chunks: u64 = Side::BOTH.into_iter().map(|side| self.chunks_of(side)).sum();
        let behind = if self.state.walk.left > 0 { 2 * chunks } else { 0 };
        let masks = self.grid.shape.lines() * num::wide(mask_bytes::<W>());
        numbers + behind + masks + self.state.used * num::wide(cell_bytes::<W>())
    }

    /// Writes the numbers and the stash. Observations beyond what a snapshot may say, and moments that count them, are written as `beyond` fewer.
    pub(super) fn save_numbers(&self, beyond: u64, sink: &mut Sink<'_>) -> io::Result<()> {
        let (state, shape) = (&self.state, &self.grid.shape);
        let ([part, rest, at], now) = (state.position.saved(), state.position.part);
        // Only places within a lifetime matter, so that filters with the same future have the same bytes.
        let part = START + part % START;
        let (mode, since) = match state.mode {
            Mode::Map => (0, 0),
            Mode::Table => (1, 0),
            Mode::Resting(since) => (2, now.since(since)),
        };
        let (depth, split) = if state.has_lines() { (u64::from(shape.depth), shape.split) } else { (0, 0) };
        let forgot = state.loss.forgot.map(|part| now.since(part)).filter(|ago| *ago <= self.grid.plan.span.kept);
        let forgot = forgot.map_or(0, |ago| ago + 1);
        let counts = &state.counts;
        sink.u64s(&[u64::from(state.running), part, rest, at.saturating_sub(beyond), mode, since, depth, split])?;
        sink.counts([state.calls])?;
        sink.u64s(&[u64::from(state.starved) | (u64::from(state.stuck) << 1), forgot, state.loss.typical])?;
        sink.counts([counts.moved, counts.refused, counts.forgotten])?;
        sink.u64s(&[u64::from(counts.calm), state.walk.left, state.walk.cursor])?;
        self.save_stash(sink)
    }

    fn save_stash(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let (stash, now) = (&self.state.stash, self.state.position.part);
        let [homes, old, moved, swept, to_sweep] = stash.saved();
        sink.u64s(&[homes, old, moved | (swept << 32), to_sweep | (stash.len() << 32)])?;
        let word =
            |(hash, seen): (u64, Part)| [hash, (now.since(seen).min(LONGEST) << 1) | u64::from(stash.is_old(hash))];
        sink.words(stash.in_order(now).flat_map(word))
    }

    /// Writes how far chunks are behind, if a walk is under way, and the cells of each line.
    pub(super) fn save_lines<W: Width>(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        if !self.state.has_lines() {
            return Ok(());
        }
        for side in Side::BOTH.into_iter().filter(|_| self.state.walk.left > 0) {
            for chunk in 0..self.chunks_of(side) {
                let [low, high, ..] = self.parts_behind(side, chunk).min(self.grid.plan.lifetime()).to_le_bytes();
                sink.bytes(&[low, high])?;
            }
        }
        spots(self.grid.shape.sides).try_for_each(|spot| self.save_line::<W>(spot, sink))
    }

    fn save_line<W: Width>(&self, spot: Spot, sink: &mut Sink<'_>) -> io::Result<()> {
        let cells = Cells::load::<Baseline, W>(self.grid.lines.line(spot));
        let (mut bytes, mut end, mut mask) = ([0; MOST_OF_A_LINE], mask_bytes::<W>(), 0u32);
        for i in cells.used::<W>() {
            mask |= 1 << i;
            bytes[end..end + 2].copy_from_slice(&cells.lanes[i].to_le_bytes());
            let field = cells.fields[i].to_le_bytes();
            bytes[end + 2..end + cell_bytes::<W>()].copy_from_slice(&field[..field_bytes::<W>()]);
            end += cell_bytes::<W>();
        }
        bytes[..mask_bytes::<W>()].copy_from_slice(&mask.to_le_bytes()[..mask_bytes::<W>()]);
        sink.bytes(&bytes[..end])
    }

    /// Reads the numbers and the stash of a table whose clock was at `moment`.
    pub(super) fn load_numbers(
        plan: Plan,
        own: Lines,
        moment: u64,
        source: &mut Source<'_>,
        account: &Account,
    ) -> Result<Self, Refused> {
        let [running, part, rest, at, mode, since, depth, split] = source.u64s()?;
        let [calls, starved, forgot, typical] = source.u64s()?;
        let [moved, refused, forgotten, calm, left, cursor] = source.u64s()?;
        within("running", running, 0, 1)?;
        within("starved", starved, 0, 3)?;
        within("mode", mode, 0, 2)?;
        let shape = load_shape(&plan, own, mode, (depth, split), source)?;
        let position = load_position(&plan, running == 1, [part, rest, at], moment)?;
        expect_sound(running == 1 || mode < 2, "it rests before it has begun")?;
        let part = position.part;
        let mode = match mode {
            0 | 1 if since > 0 => return Err(Error::corrupt_number("since", since, "0 unless it rests").into()),
            0 => Mode::Map,
            1 => Mode::Table,
            _ => Mode::Resting(Part(part.0 - within("since", since, 0, LONGEST)?)),
        };
        let mut table = Self::bare(plan, shape, account);
        let state = &mut table.state;
        (state.running, state.position, state.mode) = (running == 1, position, mode);
        (state.calls, state.starved, state.stuck) = (count("calls", calls)?, starved & 1 == 1, starved & 2 == 2);
        let ago = within("forgot", forgot, 0, plan.span.kept + 1)?.checked_sub(1);
        let forgot = ago.map(|ago| Part(part.0 - ago));
        state.loss = Loss { forgot, typical: within("typical", typical, 0, 1 << 16)? };
        state.counts = Counts {
            moved: count("moved", moved)?,
            refused: count("refused", refused)?,
            forgotten: count("forgotten", forgotten)?,
            calm: num::lower(within("calm", calm, 0, u32::MAX.into())?),
        };
        // Lines may have been merged since a walk began.
        state.walk.left = within("walk", left, 0, if mode == Mode::Map { 0 } else { 1 << 56 })?;
        state.walk.cursor = within("cursor", cursor, 0, 1 << 56)?;
        table.set_tags();
        table.load_stash(source)?;
        Ok(table)
    }

    fn load_stash(&mut self, source: &mut Source<'_>) -> Result<(), Refused> {
        let [homes, old, first, second] = source.u64s()?;
        let halves = |word: u64| (word & u64::from(u32::MAX), word >> 32);
        let ((moved, swept), (to_sweep, keys)) = (halves(first), halves(second));
        let now = self.state.position.part;
        expect(keys <= source.left() / (8 * KEY), "keys", keys, "as many as there are bytes for")?;
        expect_sound(keys == 0 || self.state.running, "it has keys, and its window has not begun")?;
        let account = self.state.stash.account().clone();
        let slots = super::slots::bytes_of(homes).saturating_add(super::slots::bytes_of(old));
        let bytes = account.bytes().saturating_add(slots);
        source.expect_room(bytes)?;
        let most = self.grid.plan.most_bytes();
        expect(bytes <= most, "slots of the stash", slots, format_args!("at most {most} bytes, by memory"))?;
        let restored = Stash::restored(&account, [homes, old, moved, swept, to_sweep], keys)?;
        let Some(mut stash) = restored else {
            return Err(Error::corrupt_structure("its stash has impossible slots").into());
        };
        let (mut last, mut sound) = (None, true);
        source.words(KEY * keys, |_, words| {
            for key in words.chunks_exact(2) {
                let (order, ago) = (Stash::order(key[0]), key[1] >> 1);
                let is_next = last.is_none_or(|last| order > last) && ago <= LONGEST;
                sound = sound && is_next && stash.restore(key[0], Part(now.0 - ago.min(LONGEST)), key[1] & 1 == 1);
                last = Some(order);
            }
        })?;
        expect_sound(sound, "its stash is out of order")?;
        self.state.stash = stash;
        Ok(())
    }

    /// Bytes of the lines that it needs.
    pub(super) fn line_bytes(&self) -> u64 {
        if self.state.has_lines() { self.grid.shape.lines().saturating_mul(LINE_BYTES) } else { 0 }
    }

    /// Reads the lines.
    pub(super) fn load_lines<W: Width>(&mut self, source: &mut Source<'_>) -> Result<(), Refused> {
        if !self.state.has_lines() {
            return Ok(());
        }
        let shape = self.grid.shape;
        expect_sound(shape.lines() <= source.left() / num::wide(mask_bytes::<W>()), "it has bytes for fewer lines")?;
        source.expect_room(self.state.stash.account().bytes().saturating_add(self.line_bytes()))?;
        self.grid.lines.open(self.state.stash.account(), &shape, true)?;
        self.note_chunks()?;
        let is_behind = self.state.walk.left > 0;
        for side in Side::BOTH.into_iter().filter(|_| is_behind) {
            for chunk in 0..self.chunks_of(side) {
                let mut parts = [0; 2];
                source.bytes(&mut parts)?;
                let parts = within("lag", u16::from_le_bytes(parts).into(), 0, self.grid.plan.lifetime())?;
                self.set_behind(side, chunk, parts);
            }
        }
        spots(shape.sides).try_for_each(|spot| self.load_line::<W>(spot, source))?;
        expect_sound(self.state.used == 0 || self.state.running, "it has cells, and its window has not begun")?;
        self.set_bounds();
        Ok(())
    }

    fn load_line<W: Width>(&mut self, spot: Spot, source: &mut Source<'_>) -> Result<(), Refused> {
        let (mut mask, mut bytes) = ([0; 4], [0; MOST_OF_A_LINE]);
        source.bytes(&mut mask[..mask_bytes::<W>()])?;
        let mask = u32::from_le_bytes(mask);
        expect(mask >> W::CELLS == 0, "cells of a line", mask, format_args!("a mask of {} bits", W::CELLS))?;
        let bytes = &mut bytes[..num::index(mask.count_ones().into()) * cell_bytes::<W>()];
        source.bytes(bytes)?;
        let line = self.grid.lines.line(spot);
        let places = (0..W::CELLS).filter(|i| (mask >> i) & 1 == 1);
        for (i, cell) in places.zip(bytes.chunks_exact(cell_bytes::<W>())) {
            let mut field = [0; 4];
            field[..field_bytes::<W>()].copy_from_slice(&cell[2..]);
            let (lane, field) = (u16::from_le_bytes([cell[0], cell[1]]), u32::from_le_bytes(field));
            expect(field != 0, "field", field, "1 or more")?;
            put::<W>(line, i, Cell { lane, field });
        }
        let phase = num::index(self.grid.shape.phase_of(spot.line));
        (0..mask.count_ones()).for_each(|_| self.state.count(phase));
        Ok(())
    }
}

/// The lines of a table, or those that it will have.
fn load_shape(
    plan: &Plan,
    own: Lines,
    mode: u64,
    (depth, split): (u64, u64),
    source: &Source<'_>,
) -> Result<Shape, Error> {
    let whole = Shape::of(plan.first_lines);
    let (first, least) = match own {
        Lines::Whole => (whole, PHASE_BITS),
        Lines::Section(phase) => (whole.section(phase), 0),
    };
    if mode == 0 {
        expect_sound(!plan.at_once && (depth, split) == (0, 0), "it has no lines")?;
        return Ok(first);
    }
    let most = 63 - source.left().max(1).leading_zeros();
    let depth = num::lower(within("depth", depth, least.into(), most.max(least).into())?);
    let shape = first.with(depth, within("split", split, 0, (2 << depth) - 1)?);
    let lines = first.lines();
    expect(shape.lines() >= lines, "lines", shape.lines(), format_args!("at least {lines}, those of the first table"))?;
    Ok(shape)
}

fn load_position(plan: &Plan, running: bool, [part, rest, at]: [u64; 3], moment: u64) -> Result<Position, Error> {
    let span = &plan.span;
    if !running {
        expect_sound([part, rest, at] == Position::start(0, span).saved(), "its window has not begun")?;
        return Ok(Position::start(0, span));
    }
    let part = Part(within("part", part, START, 2 * START - 1)?);
    let rest = within("rest", rest, 0, span.parts - 1)?;
    within("rest", rest, 0, span.window - 1)?;
    let at = within("moment of a part", at, 0, moment)?;
    Ok(Position::known(part, rest, at, span))
}

/// Bytes that the lines of all tables need, beside those of what they have: at most what memory allows.
pub(super) fn expect_memory(tables: &[Table], plan: &Plan, taken: u64) -> Result<(), Error> {
    let bytes = tables.iter().fold(taken, |sum, table| sum.saturating_add(table.line_bytes()));
    let most = plan.most_bytes();
    expect(bytes <= most, "lines", bytes / LINE_BYTES, format_args!("at most {}, by memory", most / LINE_BYTES))
}

/// Writes the lines of a table of any width.
pub(super) fn save_lines(table: &Table, sink: &mut Sink<'_>) -> io::Result<()> {
    by_width!(table.grid.plan.width, W => table.save_lines::<W>(sink))
}

/// Whether two sections are at one moment: the same place in the same generation.
pub(super) fn are_of_one_moment(one: &Table, other: &Table) -> bool {
    let [a, b] = [one, other].map(|table| table.state.position);
    let (later, earlier) = if a.at >= b.at { (a, b) } else { (b, a) };
    let place = |position: Position| {
        let [part, rest, at] = position.saved();
        (part % PARTS, rest, at)
    };
    let moved = earlier.moved(later.at, &one.grid.plan.span);
    one.state.running == other.state.running && place(moved) == place(later)
}
