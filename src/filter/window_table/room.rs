//! Room for a key where both of its lines are full, or not as wide as they should be.
//!
//! ```text
//!  width     a line that is narrower than wanted and has room becomes wider; a wider one that is full, narrower
//!  move      a cell goes to its other line: first those whose other line was split last, for there is room
//!  deep      .. which makes room by a move of its own
//!  valve     a line becomes narrower than wanted
//!  stash     the last resort
//!  victim    where memory allows no more lines: the oldest cell of both lines goes, or of the lines next to them
//! ```

use crate::num;
use crate::simd::{self, Baseline, Instructions, Line, Task};

use super::due::MOST_LINES;
use super::form::Any;
use super::key::{Spot, across};
use super::line::{Cell, Cells, Lanes};
use super::look::Look;
use super::movers::Movers;
use super::position::Part;
use super::state::State;
use super::table::Grid;
use super::tally::weight;
use super::width::{Widths, left};

/// Cells whose other line is looked at for one move, and for one deep move. [S] (`policy`): with 4 tries 2 of 100,000
/// keys are stashed at 1e-6, with 8 and 16 none; with 1, 3 and 6 deep ones at most 1.
const TRIES: usize = 8;
const DEEP_TRIES: usize = 3;

/// Cells whose other line is looked at for an older victim. In half of the memory that 40,000 keys need the reach is 0.30 of the window
/// at 0, 0.39 at 4, 0.41 at 8 and 0.43 at 12, for 20, 28, 36 and 44 lines a call; the promise is 0.38.
const CHAIN: usize = 8;

/// How victims' average age follows them: a thousand of them make it. With a hundred and with ten thousand the reach is the same.
const TYPICAL: f64 = 1.0 / 1024.0;

/// The effort for a move where the other line is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Nothing.
    Plain,
    /// A cell of that line moves.
    Deep,
    /// That line becomes as narrow as wanted. Only merges do this, which meet lines that are wider than they need be because no
    /// key was stored; with the stores of keys it would cut more bits than the rate allows.
    Narrow,
    /// A cell of that line moves, or it becomes narrower than wanted; each time other cells of this line are tried.
    Utmost,
}

/// A cell that moves.
#[derive(Debug, Clone, Copy)]
struct Mover {
    cell: u32,
    lane: u16,
    /// Its string on the other side, and how many bits of it are known.
    string: u64,
    bits: u32,
}

/// A cell and its line.
#[derive(Debug, Clone, Copy)]
struct Victim {
    spot: Spot,
    cell: u32,
    /// Generations; more than a tag tells for a free cell.
    age: u64,
}

/// Stores a key of a part whose emptier line is not as wide as wanted, or full.
struct Store<'a>(&'a Grid, &'a mut State, (u64, Part));

impl Task for Store<'_> {
    /// The emptier line.
    type Args = usize;
    type Result = ();

    #[inline(always)]
    fn run<I: Instructions>(self, emptier: usize) {
        let Self(grid, state, (hash, part)) = self;
        let look = &grid.look::<Any>(hash, state.position.part, part);
        for side in [emptier, 1 - emptier] {
            if grid.store_in::<I>(state, look, side) {
                return;
            }
        }
        grid.store_in_full(state, look, hash);
    }
}

/// Gives a line another width; returns whether its cells fit.
struct Convert<'a>(&'a Grid, &'a mut State, &'a Spot);

impl Task for Convert<'_> {
    type Args = usize;
    type Result = bool;

    #[inline(always)]
    fn run<I: Instructions>(self, code: usize) -> bool {
        let Self(grid, state, spot) = self;
        let (line, widths) = (grid.line(spot), &grid.plan.widths);
        let before = widths.code(line);
        let now = spot.generation(state.position.part);
        let (mut cells, n) = grid.taken(line);
        let old = cells;
        if !widths.write(line, &mut cells[..n], code, now, spot.depth) {
            return false;
        }
        state.course.by_code.remove(spot.phase(), before);
        state.course.by_code.add(spot.phase(), code);
        grid.reweigh(state, spot, &old[..n], &cells[..n]);
        true
    }
}

/// Moves a cell of a line to its other line, if one has room there; returns which is free now.
struct Move<'a>(&'a Grid, &'a mut State, &'a Spot);

impl Task for Move<'_> {
    type Args = Effort;
    type Result = Option<u32>;

    #[inline(always)]
    fn run<I: Instructions>(self, effort: Effort) -> Option<u32> {
        let Self(grid, state, spot) = self;
        let mut movers = Movers::new(&grid.plan.widths, &grid.shape, spot, grid.line(spot));
        let mut tries = if effort == Effort::Deep { DEEP_TRIES } else { TRIES };
        if effort == Effort::Utmost {
            let used = grid.plan.widths.used(grid.line(spot)).count_ones();
            (0..state.course.stores() % u64::from(used.max(1))).for_each(|_| _ = movers.take_best());
        }
        while tries > 0 {
            let cell = movers.take_best()?;
            if state.touched >= MOST_LINES - 4 {
                return None;
            }
            let Some((mover, to)) = grid.mover(spot, cell) else { continue };
            (tries, state.touched) = (tries - 1, state.touched + 1);
            let there = grid.fresh_by::<I>(&to, state.position.part);
            let is_full = grid.plan.widths.free::<I>(there) == 0;
            let goes = |state: &mut State| grid.go::<I>(state, spot, &mover, &to);
            // A free cell may not suit it.
            let is_in_need = is_full || effort == Effort::Utmost;
            if !is_full && goes(state) || is_in_need && grid.makes_room(state, &to, effort) && goes(state) {
                return Some(cell);
            }
        }
        None
    }
}

impl Grid {
    /// Stores a key whose emptier line is full, or not as wide as wanted.
    #[inline(never)]
    pub(super) fn store_slowly(&self, state: &mut State, key: (u64, Part), emptier: usize) {
        simd::run(Store(self, state, key), emptier);
    }

    /// Stores a key in one of its lines, which changes its width for it; returns whether it had room.
    #[inline(always)]
    fn store_in<I: Instructions>(&self, state: &mut State, look: &Look<'_>, side: usize) -> bool {
        let (widths, here) = (&self.plan.widths, &self.side(look, side));
        let (wanted, cells) = (self.wanted(&state.course, &here.spot), here.width.cells);
        let free = widths.free::<I>(here.line);
        if here.code < wanted && cells - free.count_ones() < widths.of(wanted).cells {
            self.convert(state, &here.spot, wanted);
        } else if free != 0 {
            self.write(state, look, here, free.trailing_zeros());
            return true;
        } else if here.code <= wanted || !self.narrow(state, &here.spot, cells) {
            return false;
        }
        self.put_if_free(state, look, side)
    }

    /// Makes a full line that is wider than wanted as narrow as wanted, or less so if its cells lack bits for that;
    /// returns whether it has room now.
    fn narrow(&self, state: &mut State, spot: &Spot, used: u32) -> bool {
        let (widths, code) = (&self.plan.widths, self.plan.widths.code(self.line(spot)));
        let wanted = self.wanted(&state.course, spot);
        let holds_more = |to: &usize| widths.of(*to).cells > used;
        state.course.need.narrows && (wanted..code).filter(holds_more).any(|to| self.convert(state, spot, to))
    }

    fn put_if_free(&self, state: &mut State, look: &Look<'_>, side: usize) -> bool {
        let side = self.side(look, side);
        let Some(cell) = Lanes(self.plan.widths.free::<Baseline>(side.line)).next() else { return false };
        self.write(state, look, &side, cell);
        true
    }

    fn store_in_full(&self, state: &mut State, look: &Look<'_>, hash: u64) {
        let spots = self.spots(&look.pair.key);
        // Out of the side that is not being split: its cells have somewhere to go.
        let splits_left = self.shape.next_split().side == 0;
        let order = if splits_left { [1, 0] } else { [0, 1] };
        let efforts: &[Effort] = if state.course.starved { &[Effort::Plain] } else { &[Effort::Plain, Effort::Deep] };
        for effort in efforts {
            for side in order {
                // The line was full, so this is its free cell.
                if let Some(cell) = self.move_one(state, &spots[side], *effort) {
                    return self.write(state, look, &self.side(look, side), cell);
                }
            }
        }
        if state.course.starved {
            return self.replace_oldest(state, look);
        }
        let valve =
            || order.into_iter().flat_map(|side| (0..self.plan.widths.codes).rev().map(move |code| (side, code)));
        if let Some((side, _)) = valve().find(|(side, code)| self.squeeze(state, &spots[*side], *code)) {
            self.put_if_free(state, look, side);
        } else if state.remember(hash, look.part) {
            state.counts.stashed += 1;
        } else {
            self.replace_oldest(state, look);
        }
    }

    /// Makes a line narrower, whatever is wanted; returns whether it has room now.
    fn squeeze(&self, state: &mut State, spot: &Spot, code: usize) -> bool {
        let (line, widths) = (self.line(spot), &self.plan.widths);
        let used = widths.used(line).count_ones();
        code < widths.code(line) && widths.of(code).cells > used && self.convert(state, spot, code)
    }

    /// Gives a line another width; returns whether its cells fit.
    fn convert(&self, state: &mut State, spot: &Spot, code: usize) -> bool {
        simd::run(Convert(self, state, spot), code)
    }

    /// The cells of a line, apart from it, in the order in which [`Widths::write`] leaves them.
    #[inline(always)]
    pub(super) fn taken(&self, line: &Line) -> (Cells, usize) {
        let mut cells = Cells::default();
        let mut n = 0;
        for (_, cell) in self.plan.widths.cells(line) {
            cells[n] = cell;
            n += 1;
        }
        cells[..n].sort_unstable_by_key(|cell| std::cmp::Reverse(cell.known));
        (cells, n)
    }

    /// Counts what cells weigh more because bits were cut off.
    pub(super) fn reweigh(&self, state: &mut State, spot: &Spot, before: &[Cell], after: &[Cell]) {
        let now = spot.generation(state.position.part);
        for (old, new) in before.iter().zip(after).filter(|(old, new)| old.known != new.known) {
            let seen = now.before(self.plan.widths.age(new.lane, now));
            let [old, new] = [old, new].map(|cell| weight(spot.depth + cell.known));
            state.tally.reweigh(spot.phase(), seen, old, new);
        }
    }

    /// Moves a cell of this line to its other line, if one has room there; returns which is free now.
    pub(super) fn move_one(&self, state: &mut State, spot: &Spot, effort: Effort) -> Option<u32> {
        simd::run(Move(self, state, spot), effort)
    }

    /// Makes room in a full line for a cell that moves there, if the effort goes so far.
    fn makes_room(&self, state: &mut State, to: &Spot, effort: Effort) -> bool {
        match effort {
            Effort::Plain => false,
            Effort::Deep => self.move_one(state, to, Effort::Plain).is_some(),
            Effort::Narrow => self.narrow(state, to, self.plan.widths.used(self.line(to)).count_ones()),
            Effort::Utmost => {
                self.move_one(state, to, Effort::Plain).is_some()
                    || (0..self.plan.widths.codes).rev().any(|code| self.squeeze(state, to, code))
            }
        }
    }

    /// A cell of a line, and where else it could be; `None` if it does not know to which half of a line it belongs there.
    #[inline(always)]
    fn mover(&self, spot: &Spot, cell: u32) -> Option<(Mover, Spot)> {
        let (widths, line) = (&self.plan.widths, self.line(spot));
        let lane = line.lane(u64::from(cell));
        let (bits, known) = Widths::known(widths.width(line), line, cell);
        let string = across(lane & widths.prints, spot.string(bits));
        let (mover, to) =
            (Mover { cell, lane, string, bits: spot.depth + known }, self.shape.spot(1 - spot.side, string));
        (mover.bits >= to.depth).then_some((mover, to))
    }

    /// Puts a cell into a free cell of its other line; returns whether one suits it.
    #[inline(always)]
    fn go<I: Instructions>(&self, state: &mut State, from: &Spot, mover: &Mover, to: &Spot) -> bool {
        let (widths, there) = (&self.plan.widths, self.line(to));
        let width = widths.width(there);
        let known = mover.bits - to.depth;
        let suits = |slot: &u32| width.open || known >= width.most_known(*slot).min(left(to.depth));
        let Some(slot) = Lanes(widths.free::<I>(there)).find(suits) else { return false };
        let now = from.generation(state.position.part);
        let seen = now.before(widths.age(mover.lane, now));
        let kept = Widths::put(width, there, slot, Cell { lane: mover.lane, bits: mover.string >> to.depth, known });
        Widths::free_cell(self.line(from), mover.cell);
        state.tally.remove(from.phase(), seen, weight(mover.bits));
        state.tally.add(to.phase(), seen, weight(to.depth + kept));
        state.counts.moved += 1;
        true
    }

    /// At the limit of memory: stores a key in the place of the oldest cell that is near.
    fn replace_oldest(&self, state: &mut State, look: &Look<'_>) {
        let victims = self.spots(&look.pair.key).map(|spot| self.oldest(state, &spot));
        let Some(oldest) = victims.into_iter().flatten().max_by_key(|victim| victim.age) else { return };
        // Much younger than victims are as a rule: a cell of these lines goes in the place of an older one elsewhere.
        let young = num::real(8 * oldest.age + 8) < state.loss.typical;
        let room = state.touched + 2 * num::wide(CHAIN) <= MOST_LINES;
        if young && room && self.replace_elsewhere(state, look, oldest.age) {
            return;
        }
        self.forget(state, &oldest);
        let side = oldest.spot.side;
        self.put_if_free(state, look, side);
    }

    /// The oldest cell of a line that is up to date.
    fn oldest(&self, state: &State, spot: &Spot) -> Option<Victim> {
        let (line, now) = (self.line(spot), spot.generation(state.position.part));
        let age = |cell: u32| self.plan.widths.age(line.lane(u64::from(cell)), now);
        let cells = Lanes(self.plan.widths.used(line)).map(|cell| Victim { spot: *spot, cell, age: age(cell) });
        cells.max_by_key(|victim| victim.age)
    }

    /// Frees a cell before its time.
    fn forget(&self, state: &mut State, victim: &Victim) {
        let (line, spot, part) = (self.line(&victim.spot), &victim.spot, state.position.part);
        let (_, known) = Widths::known(self.plan.widths.width(line), line, victim.cell);
        let seen = spot.generation(part).before(victim.age);
        state.tally.remove(spot.phase(), seen, weight(spot.depth + known));
        Widths::free_cell(line, victim.cell);
        let (first, last) = seen.parts(spot.phase());
        let loss = &mut state.loss;
        loss.forgot = loss.forgot.max(Some(last.min(part)));
        loss.forgotten += 1;
        loss.typical += (num::real(part.0.saturating_sub(first.0)) - loss.typical) * TYPICAL;
    }

    /// Moves a cell of the key's lines to the place of one that is older than `age`, or free, and stores the key in its place.
    fn replace_elsewhere(&self, state: &mut State, look: &Look<'_>, age: u64) -> bool {
        let mut best: Option<(Mover, Spot, Victim)> = None;
        for spot in &self.spots(&look.pair.key) {
            let cells = Lanes(self.plan.widths.used(self.line(spot)));
            for (mover, to) in cells.filter_map(|cell| self.mover(spot, cell)).take(CHAIN) {
                state.touched += 1;
                let there = self.fresh(&to, state.position.part);
                if !self.plan.widths.width(there).open {
                    continue;
                }
                let Some(victim) = self.oldest(state, &to) else { continue };
                if victim.age > best.map_or(age, |(_, _, best)| best.age) {
                    best = Some((mover, *spot, victim));
                }
            }
        }
        let Some((mover, from, victim)) = best else { return false };
        self.forget(state, &victim);
        self.go::<Baseline>(state, &from, &mover, &victim.spot) && self.put_if_free(state, look, from.side)
    }
}
