//! Both lines of a key are full: a cell moves to its other line, or a cell there makes room for that, or the key goes to the stash
//! and lines are split.
//!
//! ```text
//!  line A [ . . x . . ]      one step     other line of x [ . . free . ]         x goes there, the key takes its place
//!  line A [ . . x . . ]      two steps    other line of x [ . . y . . ]          y goes to its own other line first
//!  stash                     exact; more lines come, and with a later sweep the key goes to one of them
//! ```
//! **Law.** A cell that moves keeps its tag, and as many bits as both lines and its field have. One that knows too few to find its other
//! line stays.
//! **Price.** Growing, two stores of five come here, and 3 in 10,000 of all go to the stash; settled, one of twenty, and none. Most of them
//! look at one more line.

use super::key::{Print, Side, Spot, low, section_of};
use super::line::{Cell, Width, count_free, first_free, get, known, put};
use super::plan::Plan;
use super::position::Part;
use super::stash::Fate;
use super::table::{Key, Place, Table};
use crate::num;
use crate::simd::{self, Baseline, Instructions, Line, Task};

/// Cells that are tried first, because their other lines are halves.
const LIKELY: usize = 3;
/// Cells that are tried then in one step, and those of another line that may make room.
const TRIES: usize = 8;
/// Cells that are tried in two steps: with the lines that these look at, a call touches less than 128.
const TRIES_TWICE: usize = 12;
/// Cells that are tried while lines are brought up to date: then cells move in one step.
const TRIES_IN_A_WALK: usize = 16;

/// Hundredths of its cells in use up to which cells move in a table at its limit.
const MOST_MOVING: u64 = 95;

/// Lines that are split when a key finds no room: so that the next of its phase do.
const SPLITS: usize = 8;
/// The same while lines are brought up to date for it.
const SPLITS_IN_A_WALK: usize = 1;

/// A line that a cell may leave, and what all its cells know.
struct Origin<'a> {
    line: &'a Line,
    side: Side,
    bits: u32,
    string: u64,
}

/// A cell, its other line, and its field there.
#[derive(Debug, Clone, Copy)]
struct Move {
    place: Place,
    to: Spot,
    field: u32,
}

impl Table {
    /// Stores a key whose lines are both full.
    pub(super) fn crowded<W: Width>(&mut self, key: &Key, own: Part) {
        let place = if self.is_at_limit() { self.make_room_at_limit::<W>(key) } else { self.make_room::<W>(key) };
        match place {
            Some(place) => {
                self.state.counts.moved += 1;
                self.put::<W>(key, own, place);
                if self.state.used > self.state.bounds.most() {
                    self.resize::<W>();
                }
            }
            None => self.stash_or_replace::<W>(key, own),
        }
    }

    /// Whether no line can be added.
    fn is_at_limit(&self) -> bool {
        self.state.starved || self.grid.shape.lines() >= self.grid.most_lines()
    }

    /// The same where no line can be added: nearly full lines have hardly a cell that moves.
    fn make_room_at_limit<W: Width>(&mut self, key: &Key) -> Option<Place> {
        let room = self.grid.shape.lines() * self.grid.plan.width.cells();
        if self.state.used * 100 > room * MOST_MOVING { None } else { self.make_room::<W>(key) }
    }

    /// A cell of the key's lines that has become free.
    fn make_room<W: Width>(&mut self, key: &Key) -> Option<Place> {
        let spots = self.grid.spots(key);
        let from = num::index(key.hash >> 40);
        let tried = move |i: usize| Place { spot: spots[(i + from) % 2], cell: (i / 2 + from / 2) % W::CELLS };
        let (tries, is_walk) = if self.state.walk.left > 0 { (TRIES_IN_A_WALK, true) } else { (TRIES, false) };
        let likely =
            self.cells_of_halves::<W>(spots, from).into_iter().flatten().find(|cell| self.moves::<W>(*cell, 1));
        let one = likely.map(|cell| cell.place).or_else(|| {
            (0..TRIES).for_each(|i| self.prefetch_other::<W>(tried(i)));
            (0..tries).map(tried).find(|place| self.shift::<W>(*place, 1))
        });
        if one.is_some() || is_walk {
            return one;
        }
        (0..TRIES_TWICE).map(tried).find(|place| self.shift_twice::<W>(*place, spots))
    }

    /// Moves a cell to its other line, after one of that line has moved on.
    fn shift_twice<W: Width>(&mut self, place: Place, spots: [Spot; 2]) -> bool {
        let Some((other, _)) = self.other::<W>(place) else { return false };
        if spots.contains(&other) || self.is_stale(other) {
            return false;
        }
        let makes_room = (0..TRIES.min(W::CELLS)).any(|cell| self.shift::<W>(Place { spot: other, cell }, 1));
        makes_room && self.shift::<W>(place, 1)
    }

    /// The free cells of a line; none if it is not up to date.
    fn free_cells<W: Width>(&self, spot: Spot) -> u32 {
        if self.is_stale(spot) { 0 } else { W::free::<Baseline>(self.grid.lines.line(spot)) }
    }

    /// Cells whose other lines are halves of former ones, prefetched: as a rule these have room, and whole ones have none.
    fn cells_of_halves<W: Width>(&self, spots: [Spot; 2], from: usize) -> [Option<Move>; LIKELY] {
        let shape = &self.grid.shape;
        // While lines of the first side are split, all of the second are whole.
        let spot = spots[if shape.splits_first() { 1 } else { from % 2 }];
        let (origin, mut found, mut n) = (self.origin(spot), [None; LIKELY], 0);
        for cell in (0..W::CELLS).map(|i| (i + from / 2) % W::CELLS) {
            let Some((to, field)) = self.other_of::<W>(&origin, cell).filter(|(to, _)| shape.is_half(*to)) else {
                continue;
            };
            self.grid.lines.line(to).prefetch();
            found[n] = Some(Move { place: Place { spot, cell }, to, field });
            n += 1;
            if n == LIKELY {
                break;
            }
        }
        found
    }

    fn prefetch_other<W: Width>(&self, place: Place) {
        self.other::<W>(place).iter().for_each(|(to, _)| self.grid.lines.line(*to).prefetch());
    }

    #[inline(always)]
    fn origin(&self, spot: Spot) -> Origin<'_> {
        let (shape, Spot { side, line }) = (&self.grid.shape, spot);
        Origin { line: self.grid.lines.line(spot), side, bits: shape.bits(side, line), string: shape.string(line) }
    }

    fn other<W: Width>(&self, place: Place) -> Option<(Spot, u32)> {
        self.other_of::<W>(&self.origin(place.spot), place.cell)
    }

    /// The other line of a cell, and its field there; `None` if it knows too little.
    #[inline(always)]
    fn other_of<W: Width>(&self, origin: &Origin<'_>, cell: usize) -> Option<(Spot, u32)> {
        let (shape, cell) = (&self.grid.shape, get::<W>(origin.line, cell));
        if cell.field == 0 {
            return None;
        }
        let known = known(cell.field);
        let string = origin.string | (low(cell.field.into(), known) << origin.bits);
        let across = low(string ^ Print(cell.lane & self.grid.plan.print_mask).apart(), origin.bits + known);
        let to = shape.spot(origin.side.other(), across);
        let there = shape.bits(to.side, to.line);
        let left = (origin.bits + known).checked_sub(there)?.min(W::KNOWN);
        Some((to, super::line::field_of(across, there, left)))
    }

    /// Moves a cell to its other line if `spare` cells are free there.
    pub(super) fn shift<W: Width>(&mut self, place: Place, spare: u32) -> bool {
        self.other::<W>(place).is_some_and(|(to, field)| self.moves::<W>(Move { place, to, field }, spare))
    }

    /// The same where its other line is known.
    fn moves<W: Width>(&mut self, Move { place, to, field }: Move, spare: u32) -> bool {
        let free = self.free_cells::<W>(to);
        if count_free::<W>(free) < spare {
            return false;
        }
        let Some(at) = first_free::<W>(free) else { return false };
        let (old, new) = (self.grid.lines.line(place.spot), self.grid.lines.line(to));
        put::<W>(new, at, Cell { lane: old.lane(place.cell), field });
        put::<W>(old, place.cell, Cell { lane: 0, field: 0 });
        true
    }

    /// The last resort: the stash, and more lines.
    fn stash_or_replace<W: Width>(&mut self, key: &Key, own: Part) {
        let now = self.state.position.part;
        if self.state.starved || !self.state.stash.has_room() || self.state.stash.keep(key.hash, own, now).is_err() {
            self.state.counts.refused += 1;
            return self.replace::<W>(key, own);
        }
        self.state.due = 0;
        let splits = if self.state.walk.left > 0 { SPLITS_IN_A_WALK } else { SPLITS };
        for _ in 0..splits {
            let cells = self.state.phases[section_of(key.hash)];
            if cells <= self.state.bounds.crest / 2 || !self.split::<W>() {
                break;
            }
        }
    }

    /// A key of the stash goes to its lines, if it has a cell there or they have a free one.
    pub(super) fn settle<W: Width>(&mut self, key: &Key, seen: Part) -> Fate {
        let generation = key.generation(seen);
        let epoch = key.generation(self.state.position.part);
        let there = self.cells_of::<W>(key).next();
        if let Some((place, cell)) = there {
            let latest = self.grid.seen(cell.lane, epoch).max(generation);
            self.grid.lines.line(place.spot).set_lane(place.cell, self.grid.lane(key.print, latest));
            return Fate::Goes;
        }
        match self.free_place::<W>(key) {
            Some(place) => {
                self.put::<W>(key, seen, place);
                if self.state.used > self.state.bounds.most() {
                    self.resize::<W>();
                }
                Fate::Goes
            }
            None => Fate::Stays,
        }
    }
}

/// How much of the window a table at its limit of memory looks for a victim in: the cells whose other lines it asks.
const ASKED: usize = 16;

/// The oldest cell of a line, with its age in generations.
#[derive(Debug, Clone, Copy)]
struct Oldest {
    place: Place,
    age: u64,
}

/// A key that takes the place of an older one: all lines that are asked for that by the same instructions.
struct Replace<'a, W>(&'a mut Table, std::marker::PhantomData<W>);

impl<W: Width> Task for Replace<'_, W> {
    type Args = (Key, Part);
    type Result = ();

    #[inline(always)]
    fn run<I: Instructions>(self, (key, own): (Key, Part)) {
        self.0.replace_by::<I, W>(&key, own);
    }
}

impl Table {
    /// At the limit of memory: the oldest cell of the two lines goes, or an older one of the other lines of some of their cells, whose place
    /// one of these takes.
    fn replace<W: Width>(&mut self, key: &Key, own: Part) {
        simd::run(Replace::<W>(self, std::marker::PhantomData), (*key, own));
    }

    #[inline(always)]
    fn replace_by<I: Instructions, W: Width>(&mut self, key: &Key, own: Part) {
        let (spots, tag) = (self.grid.spots(key), self.state.tags[section_of(key.hash)]);
        let [a, b] = [self.oldest::<I, W>(spots[0], tag), self.oldest::<I, W>(spots[1], tag)];
        let Some(here) = a.into_iter().chain(b).max_by_key(|oldest| oldest.age) else { return };
        let age = here.age * 256;
        let is_young = age + 256 < self.state.loss.typical;
        let older = if is_young { self.older_elsewhere::<I, W>(spots, tag, here.age) } else { None };
        let (freed, victim) = older.unwrap_or((here.place, here.age));
        self.state.loss.typical = self.state.loss.typical - self.state.loss.typical / 256 + victim;
        let generation = key.generation(self.state.position.part).before(victim);
        self.note_loss(generation.parts(key.phase()).1.min(self.state.position.part));
        put::<W>(self.grid.lines.line(freed.spot), freed.cell, Cell { lane: 0, field: 0 });
        self.state.uncount(key.phase(), 1);
        self.put::<W>(key, own, freed);
    }

    /// The oldest cell of a line that is up to date with the tag of its phase.
    #[inline(always)]
    fn oldest<I: Instructions, W: Width>(&self, spot: Spot, tag: u16) -> Option<Oldest> {
        let (line, plan) = (self.grid.lines.line(spot), &self.grid.plan);
        let (age, cell) = super::line::oldest::<I, W>(line, tag, plan.print_mask)?;
        Some(Oldest { place: Place { spot, cell }, age: u64::from(age >> plan.print_bits) })
    }

    /// Moves a cell of the two lines into the place of the oldest cell that is in one of their other lines and older than `age`; returns the
    /// place that it leaves, and the age of the cell that went.
    #[inline(always)]
    fn older_elsewhere<I: Instructions, W: Width>(
        &mut self,
        spots: [Spot; 2],
        tag: u16,
        age: u64,
    ) -> Option<(Place, u64)> {
        let origins = [self.origin(spots[0]), self.origin(spots[1])];
        let (mut least, mut found) = (age + 1, None);
        for i in 0..ASKED {
            let place = Place { spot: spots[i % 2], cell: i / 2 % W::CELLS };
            let Some((to, field)) = self.other_of::<W>(&origins[i % 2], place.cell) else { continue };
            let older = (!self.is_stale(to)).then(|| self.oldest::<I, W>(to, tag)).flatten();
            if let Some(older) = older.filter(|older| older.age >= least) {
                (least, found) = (older.age, Some((place, field, older)));
            }
        }
        let (place, field, older) = found?;
        let lane = self.grid.lines.line(place.spot).lane(place.cell);
        put::<W>(self.grid.lines.line(older.place.spot), older.place.cell, Cell { lane, field });
        Some((place, older.age))
    }

    /// A key that can have been seen up to this part was forgotten.
    pub(super) fn note_loss(&mut self, last: Part) {
        self.state.counts.forgotten += 1;
        self.state.loss.forgot = self.state.loss.forgot.max(Some(last));
    }

    /// The age below which no key is missed at a moment: what was seen after the last part of a key that had to go. A late
    /// record counts its window from its own moment, so its lateness is taken off.
    pub(super) fn reach(&self, moment: u64) -> u64 {
        let plan: &Plan = &self.grid.plan;
        let (span, part) = (&plan.span, self.part_at(moment));
        let Some(forgot) = self.state.loss.forgot.filter(|forgot| part.since(*forgot) <= span.kept) else {
            return span.window;
        };
        let Some(parts) = part.since(forgot).checked_sub(1) else { return 0 };
        let rest = self.state.position.rest_at(moment, span);
        let age = u128::from(parts) * u128::from(span.window) + u128::from(rest);
        let age = num::low_half(age / u128::from(span.parts));
        age.saturating_sub(plan.lateness).min(span.window - 1)
    }
}

/// The sides of a table, as a row of lines.
pub(super) fn spots(sides: [u64; 2]) -> impl Iterator<Item = Spot> {
    Side::BOTH.into_iter().flat_map(move |side| (0..sides[side.index()]).map(move |line| Spot { side, line }))
}
