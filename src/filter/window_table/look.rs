//! Both lines of a key, and the cell in them that matches it.
//!
//! **Law.** Of the cells of the window that match, the first that is long enough is the key's, else the longest.

use crate::num;
use crate::simd::{Baseline, Instructions, Line};

use super::form::{Any, Form};
use super::key::{Key, Spot};
use super::line::Lanes;
use super::position::{Generation, PARTS, Part};
use super::state::{Course, State};
use super::table::{Grid, Verb};
use super::width::{Width, Widths, left};

/// A key and its lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) key: Key,
    pub(super) lines: [&'a Line; 2],
}

/// The place of a lookup. The other values of a side are computed where they are needed, since registers are few.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) pair: Pair<'a>,
    /// The lanes of its lines that are cells: bit 32 + `i` for lane `i` of the second.
    pub(super) lanes: u64,
    /// The generation of both lines.
    pub(super) now: Generation,
    /// The part of the record's own moment, and the generation of both lines then: before `now` if it is late.
    pub(super) part: Part,
    pub(super) tag: Generation,
}

/// One of the two lines of a look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) spot: Spot,
    /// The key's string above the number of the line.
    pub(super) bits: u64,
    pub(super) line: &'a Line,
    pub(super) code: usize,
    pub(super) width: &'a Width,
}

/// The longest cell that matches a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match<'a> {
    pub(super) line: &'a Line,
    pub(super) cell: u32,
    pub(super) lane: u16,
    /// How many generations ago it was seen.
    pub(super) age: u64,
    /// Bits that it and its line know.
    pub(super) bits: u32,
    /// Whether it knows enough bits to be taken for the key's own.
    pub(super) long: bool,
}

/// One of two that are in registers: an index would need them in memory.
#[inline(always)]
fn pick<T>([first, second]: [T; 2], side: usize) -> T {
    if side == 0 { first } else { second }
}

impl Grid {
    /// A key and its lines.
    #[inline(always)]
    pub(super) fn pair<F: Form>(&self, hash: u64) -> Pair<'_> {
        let key = Key::of(hash, self.plan.widths.prints);
        let [first, second] = key.strings;
        let line = |side, string| self.lines.line_of::<F>(side, self.shape.line(side, string));
        Pair { key, lines: [line(0, first), line(1, second)] }
    }

    /// Looks at both lines of a key for a record of `own` part, and brings them up to date.
    #[inline(always)]
    pub(super) fn look<F: Form>(&self, hash: u64, part: Part, own: Part) -> Look<'_> {
        let pair = self.pair::<F>(hash);
        let (widths, now) = (&self.plan.widths, pair.key.generation(part));
        let tag = if own == part { now } else { pair.key.generation(own) };
        let heads = pair.lines.map(Widths::head);
        if !widths.are_fresh(heads, now) {
            self.refresh(pair.lines[0], pair.lines[1], now);
        }
        // The widths stay what they are.
        let [first, second] = heads.map(|head| u64::from(widths.lanes(Widths::code_in(head))));
        Look { pair, lanes: first | (second << 32), now, part: own, tag }
    }

    #[cold]
    #[inline(never)]
    fn refresh(&self, first: &Line, second: &Line, now: Generation) {
        let turn = self.plan.widths.turn(now);
        for line in [first, second] {
            self.plan.widths.refresh::<Baseline>(line, &turn);
        }
    }

    /// One of its lines. Which of them is chance: no branch asks for that.
    #[inline(always)]
    pub(super) fn side<'a>(&'a self, look: &Look<'a>, side: usize) -> Side<'a> {
        let (string, line) = (pick(look.pair.key.strings, side), pick(look.pair.lines, side));
        let (spot, code) = (self.shape.spot(side, string), self.plan.widths.code(line));
        Side { spot, bits: string >> spot.depth, line, code, width: self.plan.widths.of(code) }
    }

    /// Whether a cell of the window matches, and sees it again.
    #[inline(always)]
    pub(super) fn is_known<I: Instructions, F: Form>(
        &self,
        state: &mut State,
        look: &Look<'_>,
        hash: u64,
        verb: Verb,
    ) -> bool {
        let (lines, print) = (look.pair.lines, look.pair.key.print);
        let hits = I::equal_in_both(lines, self.plan.widths.prints, print) & look.lanes;
        if hits == 0 {
            return false;
        }
        match self.matching::<F>(&state.course, look, hits.trailing_zeros()) {
            Some(found) if found.long => {
                if self.renews(verb) {
                    self.renew(state, look, &found);
                }
                true
            }
            _ => self.is_known_slowly(state, (hash, look.part), hits, verb),
        }
    }

    /// The same where the first cell of the fingerprint does not match, or is short of bits: few keys need more than that.
    #[cold]
    #[inline(never)]
    fn is_known_slowly(&self, state: &mut State, (hash, own): (u64, Part), hits: u64, verb: Verb) -> bool {
        let look = self.look::<Any>(hash, state.position.part, own);
        let Some(found) = self.longest(&state.course, &look, hits) else { return false };
        match (self.renews(verb), found.long) {
            (true, true) => self.renew(state, &look, &found),
            (true, false) => self.lengthen(state, &look, &found),
            (false, _) => {}
        }
        true
    }

    /// The longest cell of the window that matches, or the first that is long enough.
    fn longest<'a>(&'a self, course: &Course, look: &Look<'a>, hits: u64) -> Option<Match<'a>> {
        let all = Lanes(num::lower(hits)).chain(Lanes(num::upper(hits)).map(|lane| lane + 32));
        let mut best: Option<Match<'_>> = None;
        for found in all.filter_map(|lane| self.matching::<Any>(course, look, lane)) {
            if found.long {
                return Some(found);
            }
            best = best.filter(|best| best.bits > found.bits).or(Some(found));
        }
        best
    }

    /// The cell of a lane of both lines, if it matches the key and is of the window.
    #[inline(always)]
    fn matching<'a, F: Form>(&'a self, course: &Course, look: &Look<'a>, lane: u32) -> Option<Match<'a>> {
        let (side, cell) = (self.side(look, num::index(u64::from(lane / 32))), lane % 32);
        let (bits, known) = if F::TIMED {
            Widths::known(side.width, side.line, cell)
        } else {
            Widths::all_known(side.width, side.line, cell)
        };
        let lane = side.line.lane(u64::from(cell));
        let age = self.plan.widths.age(lane, look.now);
        let is_late = F::TIMED && self.plan.lateness > 0 && age > self.reach(look);
        if (bits ^ side.bits) & ((1 << known) - 1) != 0 || is_late {
            return None;
        }
        let bits = side.spot.depth + known;
        let long = !F::TIMED || bits >= course.need.bits || self.is_whole(course, &side, cell, known);
        Some(Match { line: side.line, cell, lane, age, bits, long })
    }

    /// Cells older than this number of generations are outside the record's window: none, if all records are punctual.
    #[inline(always)]
    fn reach(&self, look: &Look<'_>) -> u64 {
        look.now.since(look.tag) + self.plan.span.parts / PARTS
    }

    /// Whether a cell knows all that it can in a line as wide as is wanted.
    #[inline(always)]
    fn is_whole(&self, course: &Course, side: &Side<'_>, cell: u32, known: u32) -> bool {
        known == side.width.most_known(cell).min(left(side.spot.depth)) && side.code == self.wanted(course, &side.spot)
    }
}
