//! One table: groups of lines, and where in its group a key belongs.
//!
//! ```text
//!  hash    | group: spread over the groups | position: spread over 2 h lines | .. | extra bits | fingerprint, 20 bits |
//!  line    of the group = 2 u + e           the other line of a cell = 2 ((v - u) mod h) + (1 - e),  v = fingerprint x h
//!  phase   = (u + group) mod 8
//! ```
//! Each line follows from the other and the fingerprint, so that a cell can move without its key. It moves to a line of the
//! same phase, which gives it up at the same position, if one has room: then moving makes nothing older or younger. Else
//! (one key in some thousands) to one that gives it up a few parts later, at most 7 eighths of a generation.

use std::ops::RangeInclusive;

use crate::error::Error;
use crate::num;
use crate::simd::{Baseline, Instructions, Lanes, Line};

use super::hand::Hand;
use super::line::{self, Layout, Print};
use super::position::{PARTS, Span};
use super::stash::Kept;

/// Bits of the hash that make the fingerprint.
const PRINT_BITS: u32 = 20;

/// The integers of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) layout: Layout,
    pub(super) groups: u64,
    /// Pairs of lines in a group, h.
    pub(super) half: u64,
}

/// A line, as one of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) group: u64,
    /// u.
    pair: u64,
    /// The line's number in the table, odd if e is 1.
    pub(super) line: usize,
}

/// Where a key belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) home: Spot,
    pub(super) other: Spot,
    pub(super) print: Print,
}

impl Shape {
    /// Lines of the table.
    pub(super) const fn lines(&self) -> u64 {
        2 * self.half * self.groups
    }

    /// Cells of the table.
    pub(super) const fn cells(&self) -> u64 {
        self.lines() * self.layout.cells
    }

    #[inline(always)]
    pub(super) fn spot(&self, group: u64, pair: u64, side: u64) -> Spot {
        Spot { group, pair, line: num::index(2 * (group * self.half + pair) + side) }
    }

    /// The place of a key with this mixed hash.
    #[inline(always)]
    pub(super) fn place(&self, hash: u64) -> Place {
        let (group, rest) = num::split(hash, self.groups);
        let position = num::spread(rest, 2 * self.half);
        let home = self.spot(group, position >> 1, position & 1);
        let low = hash & ((1 << PRINT_BITS) - 1);
        let [a, b, ..] = (1 + ((low * self.layout.fingerprints()) >> PRINT_BITS)).to_le_bytes();
        let print = Print { lane: u16::from_le_bytes([a, b]), extra: hash >> PRINT_BITS };
        Place { home, other: self.other(&home, print.lane), print }
    }

    /// The other line of a cell of this line.
    #[inline(always)]
    pub(super) fn other(&self, spot: &Spot, print: u16) -> Spot {
        let v = (u64::from(print) * self.half) >> self.layout.tag_at;
        let (pair, below) = v.overflowing_sub(spot.pair);
        let pair = pair.wrapping_add(if below { self.half } else { 0 });
        self.spot(spot.group, pair, 1 - num::wide(spot.line) % 2)
    }

    /// The line with this number.
    pub(super) fn spot_of(&self, line: usize) -> Spot {
        let pairs = num::wide(line) / 2;
        Spot { group: pairs / self.half, pair: pairs % self.half, line }
    }
}

impl Spot {
    #[inline(always)]
    pub(super) const fn phase(&self) -> u64 {
        (self.pair + self.group) % PARTS
    }

    /// The line's generation at a position.
    #[inline(always)]
    pub(super) const fn generation(&self, part: u64) -> u64 {
        (part + self.phase()) / PARTS
    }

    /// The part at which that generation of the line begins.
    #[inline(always)]
    pub(super) const fn birth(&self, generation: u64) -> u64 {
        generation * PARTS - self.phase()
    }

    /// How many generations this line is behind at a position.
    #[inline(always)]
    fn lag(&self, line: &Line, part: u64) -> u64 {
        line::lag(line, self.generation(part))
    }
}

/// A cell that was found: its line, its number there, and the generation in which it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) spot: Spot,
    pub(super) cell: u64,
    pub(super) generation: u64,
}

/// Both lines of a key, the home line first, and the generation of each: found once, since each way from a number to a line
/// is a check. Which of them it is hangs on the key: a number chooses, and no branch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Both<'a> {
    pub(super) lines: [&'a Line; 2],
    pub(super) now: [u64; 2],
    /// Parts since that generation of each began.
    since: [u64; 2],
    part: u64,
}

impl Both<'_> {
    /// The part at which the present generation of a line began.
    #[inline(always)]
    const fn birth(&self, side: usize) -> u64 {
        self.part - self.since[side]
    }
}

/// A cell of one of a key's two lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    side: usize,
    number: u64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) shape: Shape,
    pub(super) lines: Lanes,
}

impl Table {
    pub(super) fn new(shape: Shape) -> Result<Self, Error> {
        Ok(Self { shape, lines: Lanes::zeroed(shape.lines())? })
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        Ok(Self { shape: self.shape, lines: self.lines.try_clone()? })
    }

    #[inline(always)]
    pub(super) fn line(&self, spot: &Spot) -> &Line {
        self.lines.at(spot.line)
    }

    /// Asks for both lines of a key.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        let place = self.shape.place(hash);
        self.line(&place.home).prefetch();
        self.line(&place.other).prefetch();
    }

    /// Both lines of a key.
    #[inline(always)]
    pub(super) fn both(&self, place: &Place, part: u64) -> Both<'_> {
        let parts = [part + place.home.phase(), part + place.other.phase()];
        Both {
            lines: [self.line(&place.home), self.line(&place.other)],
            now: parts.map(|parts| parts / PARTS),
            since: parts.map(|parts| parts % PARTS),
            part,
        }
    }

    /// How many generations the line is behind at a position.
    #[inline(always)]
    pub(super) fn lag(&self, spot: &Spot, part: u64) -> u64 {
        spot.lag(self.line(spot), part)
    }

    /// A line as one that is up to date at `part`, and whose free cells are all 0. It is up to date with `as_of`, or some
    /// generations behind.
    pub(super) fn canonical(&self, spot: &Spot, part: u64, as_of: u64, marked: bool) -> [u64; 8] {
        let (layout, copy) = (&self.shape.layout, Line::default());
        let line = self.line(spot);
        let (now, epoch) = (spot.generation(part), spot.generation(as_of) - self.lag(spot, as_of));
        for cell in 0..layout.cells {
            let lane = line.lane(cell);
            let generation = epoch - layout.age(lane, epoch);
            if lane != 0 && now - generation <= layout.generations() {
                let print = Print { lane: layout.print_of(lane), extra: layout.extra(line, cell) };
                layout.put(&copy, cell, print, generation);
            }
        }
        line::set_epoch(&copy, now);
        line::set_mark(&copy, marked);
        std::array::from_fn(|i| copy.word(i))
    }

    /// The key's cell, if it has one, in lines that are up to date.
    #[inline(always)]
    pub(super) fn find<I: Instructions>(&self, both: &Both<'_>, print: Print) -> Option<Cell> {
        let layout = &self.shape.layout;
        let mut hits = layout.matches_in_both::<I>(both.lines, print.lane);
        while hits != 0 {
            let first = hits.trailing_zeros();
            let cell = Cell { side: usize::from(first >= 32), number: u64::from(first % 32) };
            if layout.holds(both.lines[cell.side], cell.number, print.extra) {
                return Some(cell);
            }
            hits &= hits - 1;
        }
        None
    }

    /// The key's cell that is needed at `part`, in lines as they are: up to date with `as_of`, or some generations behind.
    #[inline(always)]
    pub(super) fn look(&self, place: &Place, part: u64, as_of: u64) -> Option<Found> {
        let layout = &self.shape.layout;
        let mut newest: Option<Found> = None;
        for spot in [place.home, place.other] {
            let line = self.line(&spot);
            let mut hits = layout.matches::<Baseline>(line, place.print.lane);
            while hits != 0 {
                let cell = u64::from(hits.trailing_zeros());
                let epoch = spot.generation(as_of) - self.lag(&spot, as_of);
                let generation = epoch - layout.age(line.lane(cell), epoch);
                let lives = spot.generation(part) - generation <= layout.generations();
                if lives && layout.holds(line, cell, place.print.extra) {
                    let found = Found { spot, cell, generation };
                    newest = newest.filter(|other| other.last_part() >= found.last_part()).or(Some(found));
                }
                hits &= hits - 1;
            }
        }
        newest
    }

    /// Sees a key's cell again.
    #[inline(always)]
    pub(super) fn renew(&self, hand: &mut Hand, both: &Both<'_>, cell: Cell, print: Print) {
        let layout = &self.shape.layout;
        let (line, now, born) = (both.lines[cell.side], both.now[cell.side], both.birth(cell.side));
        let (before, wide) = (line.lane(cell.number), cell.number < layout.wider);
        line.set_lane(cell.number, layout.lane_of(print.lane, now));
        hand.tally.remove(born - PARTS * layout.age(before, now), wide);
        hand.tally.store(born, wide);
    }

    /// Stores a key whose lines are up to date in the emptier one; says whether one had room.
    #[inline(always)]
    pub(super) fn store<I: Instructions>(&self, hand: &mut Hand, both: &Both<'_>, print: Print) -> bool {
        let layout = &self.shape.layout;
        let free = layout.free_in_both::<I>(both.lines);
        if free == 0 {
            return false;
        }
        let free = [num::lower(free), num::upper(free)];
        let side = usize::from(I::has_more(free[1], free[0]));
        let (now, cell) = (both.now[side], u64::from(free[side].trailing_zeros()));
        layout.put(both.lines[side], cell, print, now);
        hand.tally.store(both.birth(side), cell < layout.wider);
        true
    }

    fn put(&self, hand: &mut Hand, spot: &Spot, cell: u64, print: Print, part: u64) {
        let now = spot.generation(part);
        self.shape.layout.put(self.line(spot), cell, print, now);
        hand.tally.store(spot.birth(now), cell < self.shape.layout.wider);
    }

    /// Where both lines are full a cell moves. First to a line of the same phase, then to those that give it up a part
    /// later, two, and so on.
    #[cold]
    #[inline(never)]
    pub(super) fn store_in_full(&self, hand: &mut Hand, hash: u64, part: u64, span: &Span) {
        let place = &self.shape.place(hash);
        for later in 0..PARTS {
            for spot in [place.home, place.other] {
                if let Some(cell) = self.move_one(hand, &spot, later, part, span) {
                    return self.put(hand, &spot, cell, place.print, part);
                }
            }
        }
        self.stash(hand, place, part, span);
    }

    /// Moves a cell of a full line to its other line, if that gives it up that many parts later and has room; says which.
    fn move_one(&self, hand: &mut Hand, from: &Spot, later: u64, part: u64, span: &Span) -> Option<u64> {
        let layout = &self.shape.layout;
        let line = self.line(from);
        (0..layout.cells).find(|&cell| {
            let lane = line.lane(cell);
            let to = self.shape.other(from, layout.print_of(lane));
            if (from.phase() + PARTS - to.phase()) % PARTS != later {
                return false;
            }
            hand.touch(1);
            self.freshen(hand, &to, part, span);
            // A slot with one extra bit more than the cell has is not for it.
            let wide = cell < layout.wider;
            let slots = layout.free::<Baseline>(self.line(&to)) & if wide { u32::MAX } else { !layout.wide_lanes() };
            if slots == 0 {
                return false;
            }
            let slot = u64::from(slots.trailing_zeros());
            let print = Print { lane: layout.print_of(lane), extra: layout.extra(line, cell) };
            let now = from.generation(part);
            let seen = now - layout.age(lane, now);
            // In a line of a larger phase the last moment of this generation belongs to the next one.
            let there = (seen + u64::from(to.phase() > from.phase())).min(to.generation(part));
            layout.put(self.line(&to), slot, print, there);
            line::empty(line, 1 << cell);
            hand.tally.remove(from.birth(seen), wide);
            hand.tally.store(to.birth(there), slot < layout.wider);
            hand.tally.moved += 1;
            true
        })
    }

    fn stash(&self, hand: &mut Hand, place: &Place, part: u64, span: &Span) {
        let Spot { group, line, .. } = place.home;
        let print = self.shape.layout.whole(place.print);
        hand.stash.keep(group, Kept { home: line, phase: place.home.phase(), print, part }, span);
        line::set_mark(self.line(&place.home), true);
    }

    /// Stores a key in the place of the oldest cell of its lines, which are up to date; says the last position at which
    /// that one can have been seen.
    #[inline(never)]
    pub(super) fn replace_oldest(&self, hand: &mut Hand, place: &Place, part: u64) -> Option<u64> {
        let layout = &self.shape.layout;
        let oldest = (0..=layout.generations()).rev().find_map(|age| {
            [place.home, place.other].into_iter().find_map(|spot| {
                let generation = spot.generation(part) - age;
                let lanes = layout.of_generation(self.line(&spot), generation);
                (lanes != 0).then(|| Found { spot, cell: u64::from(lanes.trailing_zeros()), generation })
            })
        })?;
        line::empty(self.line(&oldest.spot), 1 << oldest.cell);
        hand.tally.remove(oldest.spot.birth(oldest.generation), oldest.cell < layout.wider);
        self.put(hand, &oldest.spot, oldest.cell, place.print, part);
        Some(oldest.last_part().min(part))
    }
}

impl Found {
    /// The positions between which the cell was seen. One that moved to a line of another phase may be older by less than
    /// a generation for each such move.
    pub(super) const fn parts(&self) -> RangeInclusive<u64> {
        let last = self.last_part();
        last + 1 - PARTS..=last
    }

    /// The last position at which the cell can have been seen.
    pub(super) const fn last_part(&self) -> u64 {
        self.generation * PARTS + (PARTS - 1) - self.spot.phase()
    }
}
