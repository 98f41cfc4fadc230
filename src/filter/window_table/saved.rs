//! A table as bytes: its numbers, its stash, its lines; and back, every one of them checked.
//!
//! Each number is named once, with its range, and the same list saves and loads it (`numbers`). Parts are written as how long ago
//! they were. Lines are written as if all had been brought up to date at that moment, with 0 in free cells, so that the same
//! state gives the same bytes. What can be counted is counted again from the lines: a number that is not written cannot be
//! wrong. A table can be saved at a later moment than that of its last key.

use std::io;

use crate::num;
use crate::raw::arena::Account;
use crate::simd::Line;
use crate::wire::{MOST_COUNT, Refused, Sink, Source, WORD_BYTES, expect, expect_sound, within};

use super::directory::{Directory, LINE_BYTES};
use super::due::Tend;
use super::key::{LEAST_DEPTH, Section, Shape, Spot};
use super::line::Cell;
use super::numbers::{Counted, Numbers, Reads, Writes};
use super::plan::Plan;
use super::policy::{CORRECTION, Mix};
use super::position::{PARTS, Part, Position, START};
use super::state::State;
use super::table::{Grid, Table};
use super::tally::weight;
use super::width::{ByCode, Widths, left};

/// The deepest table: 2^41 lines of 64 bytes are more than any machine has.
const MOST_DEPTH: u64 = 40;

/// Every number of a table in addition to its plan, in the order in which it is kept.
fn numbers(to: &mut impl Numbers, plan: &Plan, shape: &mut Shape, state: &mut State) -> Result<(), Refused> {
    place(to, plan, shape, state)?;
    let part = state.position.part;
    course(to, plan, &mut state.course, part)?;
    state.tend.numbers(to, shape.section, (&state.position, state.running))?;
    let (loss, counts) = (&mut state.loss, &mut state.counts);
    to.past_if_any("forgot", &mut loss.forgot, part)?;
    to.count("forgotten", &mut loss.forgotten)?;
    to.real("typical age", &mut loss.typical, 0.0..=num::real(START))?;
    to.count("moved", &mut counts.moved)?;
    to.count("stashed", &mut counts.stashed)?;
    to.count("splits", &mut counts.splits)?;
    to.count("merges", &mut counts.merges)?;
    to.count("copied", &mut counts.copied)?;
    to.count("refused", &mut counts.refused)
}

/// The position of the window, and the number of lines.
fn place(to: &mut impl Numbers, plan: &Plan, shape: &mut Shape, state: &mut State) -> Result<(), Refused> {
    to.flag("running", &mut state.running)?;
    // Saving keeps the multiple of START that the position is in; loading begins at START.
    let base = state.position.part.0 / START * START;
    let mut part = state.position.part.0 - base;
    to.whole("position", &mut part, 0..=START - 1)?;
    let mut rest = state.position.rest_at(state.now.max(state.position.at), &plan.span);
    to.whole("rest", &mut rest, 0..=plan.span.window - 1)?;
    state.position = Position::known(Part(base + part), rest, state.now.max(state.position.at), &plan.span);
    let (mut depth, mut split) = (u64::from(shape.depth), shape.split);
    to.whole("depth", &mut depth, u64::from(LEAST_DEPTH)..=MOST_DEPTH)?;
    to.whole("split", &mut split, 0..=(2 << (depth - u64::from(shape.section.skip))) - 1)?;
    *shape = Shape::new(shape.section, num::lower(depth), split);
    Ok(())
}

/// Where growth goes.
fn course(to: &mut impl Numbers, plan: &Plan, course: &mut super::state::Course, part: Part) -> Result<(), Refused> {
    let need = &mut course.need;
    to.real("weight", &mut need.weight, 0.0..=1.0)?;
    let mut bits = u64::from(need.bits);
    to.whole("bits", &mut bits, 0..=u64::from(left(0)) + 64)?;
    need.bits = num::lower(bits);
    to.flag("narrows", &mut need.narrows)?;
    to.flag("grows", &mut need.grows)?;
    for mix in &mut course.mixes {
        let mut code = num::wide(mix.code);
        to.whole("code", &mut code, 0..=num::wide(plan.widths.codes - 1))?;
        let (code, mut share) = (num::index(code), mix.share);
        let most = if code + 1 < plan.widths.codes { 256 } else { 0 };
        to.whole("share", &mut share, 0..=most)?;
        *mix = Mix::new(code, share);
    }
    let limits = &mut course.limits;
    for (name, limit) in [("most", &mut limits.most), ("low", &mut limits.low), ("far", &mut limits.far)] {
        to.whole(name, limit, 0..=u64::MAX)?;
    }
    let stores = stored(to, course)?;
    // A window of keys never plans its growth.
    let allowed = if plan.timed { stores..=stores + super::grow::LOOK.1 } else { u64::MAX..=u64::MAX };
    to.whole("due", &mut course.due, allowed)?;
    // A table whose size is known does not use it.
    let most = if plan.timed { MOST_COUNT } else { 0 };
    course.weighed = course.weighed.min(most);
    to.whole("weighed", &mut course.weighed, 0..=most)?;
    to.whole("since", &mut course.since, 0..=stores)?;
    to.real("correction", &mut course.correction, CORRECTION.0..=CORRECTION.1)?;
    to.flag("starved", &mut course.starved)?;
    let mut keeps = course.keeps_until.0.saturating_sub(part.0).min(START);
    to.whole("parts of the first size", &mut keeps, 0..=START)?;
    // Before the first key the table keeps its first size without end.
    course.keeps_until = Part(if keeps == START { u64::MAX } else { part.0 + keeps });
    expect(plan.timed || course.is_fixed(plan), "limits", course.limits.most, "those of a table that keeps its size")?;
    Ok(())
}

/// How many keys were stored.
fn stored(to: &mut impl Numbers, course: &mut super::state::Course) -> Result<u64, Refused> {
    let (mut stores, mut last, mut now) = (course.stores(), course.last, course.now());
    to.count("stores", &mut stores)?;
    to.count("stores of the last part", &mut last)?;
    to.count("stores of this part", &mut now)?;
    course.set_stores(stores, last, now);
    Ok(stores)
}

impl Table {
    /// Bytes that `save_numbers` and `save_lines` write.
    pub(super) fn saved_bytes(&self) -> u64 {
        let (mut counted, mut state) = (Counted::default(), self.state_at(self.state.now));
        // Counting cannot fail.
        let _ = self.each_number(&mut counted, &mut state);
        WORD_BYTES * (counted.0 + 1 + 2 * self.state.stash.len()) + LINE_BYTES * self.grid.shape.lines()
    }

    fn each_number(&self, to: &mut impl Numbers, state: &mut State) -> Result<(), Refused> {
        numbers(to, &self.grid.plan, &mut self.grid.shape.clone(), state)
    }

    /// The numbers as they stand at a moment.
    fn state_at(&self, moment: u64) -> State {
        let (mut state, span) = (self.state.numbers_alone(), &self.grid.plan.span);
        state.now = moment.max(state.position.at);
        let (before, part) = (state.position.part, self.part_at(state.now));
        if part > before {
            let last = if part == before.after(1) { state.course.now() } else { 0 };
            state.course.set_stores(state.course.stores(), last, 0);
            state.position = state.position.moved(state.now, span);
        }
        if part > before || state.tend.is_wiping() {
            // All lines are written as of this part.
            state.tend = Tend::new(part);
        }
        state
    }

    /// Writes numbers and stash as they stand at a moment.
    pub(super) fn save_numbers(&self, moment: u64, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut state = self.state_at(moment);
        self.each_number(&mut Writes(sink), &mut state).map_err(|refused| match refused {
            Refused::Unread(error) => error,
            Refused::Bad(error) => io::Error::new(io::ErrorKind::InvalidData, error),
        })?;
        sink.u64s(&[self.state.stash.len()])?;
        let part = state.position.part;
        self.state.stash.in_order().try_for_each(|(hash, seen)| sink.u64s(&[hash, part.since(seen)]))
    }

    /// Writes the lines as they stand at a moment.
    pub(super) fn save_lines(&self, moment: u64, sink: &mut Sink<'_>) -> io::Result<()> {
        let (part, dead) = (self.part_at(moment), self.state.tend.is_wiping());
        sink.words(self.grid.shape.spots().flat_map(|spot| self.canonical(&spot, part, dead)))
    }

    /// A line as one that is up to date at `part`, and whose free cells are all 0; where it is dead it has no cells.
    fn canonical(&self, spot: &Spot, part: Part, dead: bool) -> [u64; 8] {
        if !dead {
            return self.grid.canonical(spot, part, self.state.position.part);
        }
        let copy = Line::default();
        self.grid.plan.widths.empty(&copy, 0, spot.generation(part));
        std::array::from_fn(|i| copy.word(i))
    }

    /// Reads numbers and stash of a section of a table of this plan that was saved at the moment `then`; no byte is taken on
    /// trust. Its lines come later.
    pub(super) fn load_numbers(
        plan: Plan,
        section: Section,
        then: u64,
        source: &mut Source<'_>,
        account: &Account,
    ) -> Result<Self, Refused> {
        let first = if section == Section::WHOLE { plan.first } else { plan.first.sectioned(section.phase()) };
        let (mut shape, mut state) = (first, State::new(&plan, account)?);
        state.now = then;
        numbers(&mut Reads(source), &plan, &mut shape, &mut state)?;
        expect(plan.timed || shape == first, "lines", shape.lines(), "as many as the window has")?;
        load_stash(source, &mut state, section)?;
        let is_untouched = state.position.part == Part::START && state.stash.len() == 0;
        expect(state.running || (plan.timed && is_untouched), "running", 0, "1 where a key was seen")?;
        let lines = Directory::without_lines(section, plan.most(), account);
        Ok(Self { grid: Grid { plan, shape, lines }, state })
    }

    /// Reads and checks the lines.
    pub(super) fn load_lines(&mut self, source: &mut Source<'_>) -> Result<(), Refused> {
        crate::simd::look();
        self.grid.lines.fill(&self.grid.shape)?;
        let (grid, mut at) = (&self.grid, self.grid.shape.spots());
        let mut spot = at.next();
        source.words(grid.shape.lines() * 8, |first, words| {
            for (i, word) in (first..).zip(words) {
                if let Some(here) = &spot {
                    grid.line(here).set_word(num::index(i % 8), *word);
                }
                if i % 8 == 7 {
                    spot = at.next();
                }
            }
        })?;
        self.validate()
    }

    /// Whether its parts and generations pass together with those of another section. One that rested may have counted fewer of
    /// them, by whole generations (`position`).
    pub(super) fn stands_with(&self, other: &Self) -> bool {
        let of = |state: &State| (state.running, state.position.part.0 % PARTS, state.position.at, state.position.next);
        of(&self.state) == of(&other.state)
    }

    /// Checks every line, and counts what is in them.
    fn validate(&mut self) -> Result<(), Refused> {
        let part = self.state.position.part;
        self.state.course.by_code = ByCode::default();
        for spot in self.grid.shape.spots() {
            let (line, now) = (self.grid.line(&spot), spot.generation(part));
            let widths = &self.grid.plan.widths;
            let code = widths.code(line);
            expect(code < widths.codes && widths.lag(line, now) == 0, "line", spot.line.0, "one that is up to date")?;
            let good = self.grid.canonical(&spot, part, part);
            expect((0..8).all(|i| good[i] == line.word(i)), "line", spot.line.0, "free cells of 0")?;
            for (i, cell) in widths.cells(line) {
                expect(self.state.running, "running", 0, "1 where there is a cell")?;
                expect(cell.lane & widths.prints != 0, "fingerprint", spot.line.0, "not 0")?;
                let most = widths.of(code).most_known(i).min(left(spot.depth));
                expect(cell.known <= most, "known bits of a cell", cell.known, format_args!("at most {most}"))?;
                let seen = now.before(widths.age(cell.lane, now));
                self.state.tally.add(spot.phase(), seen, weight(spot.depth + cell.known));
            }
            self.state.course.by_code.add(spot.phase(), code);
        }
        Ok(())
    }
}

fn load_stash(source: &mut Source<'_>, state: &mut State, section: Section) -> Result<(), Refused> {
    let [n] = source.u64s()?;
    let most = source.left() / (2 * WORD_BYTES);
    let mut last = None;
    for _ in 0..within("keys of the stash", n, 0, most)? {
        let [hash, age] = source.u64s()?;
        expect_sound(last.is_none_or(|last| last < hash), "the keys of its stash are out of order")?;
        expect_sound(section.has(hash), "its stash has a key of another section")?;
        let age = within("age", age, 0, START - 1)?;
        state.stash.keep(hash, state.position.part.before(age))?;
        last = Some(hash);
    }
    Ok(())
}

impl Grid {
    /// A line as one that is up to date at `part`, and whose free cells are all 0; it was up to date at `as_of`, or some
    /// generations before.
    fn canonical(&self, spot: &Spot, part: Part, as_of: Part) -> [u64; 8] {
        let (widths, line, copy) = (&self.plan.widths, self.line(spot), Line::default());
        let (now, then) = (spot.generation(part), spot.generation(as_of));
        widths.empty(&copy, widths.code(line), now);
        let epoch = then.before(widths.lag(line, then));
        let width = widths.width(line);
        for (i, cell) in widths.cells(line) {
            let seen = epoch.before(widths.age(cell.lane, epoch));
            if now.since(seen) <= widths.generations {
                let lane = widths.lane(cell.lane & widths.prints, seen);
                Widths::put(width, &copy, i, Cell { lane, ..cell });
            }
        }
        std::array::from_fn(|i| copy.word(i))
    }
}
