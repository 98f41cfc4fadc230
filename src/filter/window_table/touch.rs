//! What the usual call spares: late records, insertions, filters that are a map or rest; looking for a key without changing anything;
//! and taking one out.
//!
//! **Law.** Of all sightings of a key that its two lines and the stash have, the last counts. A late record is judged at its own moment,
//! also against cells that were seen later than that, and makes no key older.
//! **Price.** Some more comparisons than the usual call, in the same two lines.

use crate::filter::seen::Seen;
use crate::filter::values::Verdict;
use crate::simd::{self, Baseline, Instructions, Task};

use super::key::{Side, Spot, section_of};
use super::line::{Cell, Width, agrees, first_free, get, put, take_first};
use super::plan::Plan;
use super::position::{Generation, PARTS, Part, When};
use super::table::{Key, Mode, Place, State, Table, Touched, Verb};

/// A key of a table that may be a section, in which nothing is due.
struct ObserveHere<'a, W>(&'a mut Table, &'a mut Seen, std::marker::PhantomData<W>);

impl<W: Width> Task for ObserveHere<'_, W> {
    type Args = u64;
    type Result = Touched;

    #[inline(always)]
    fn run<I: Instructions>(self, hash: u64) -> Touched {
        self.0.observe_here::<I, W, false>(hash, self.1)
    }
}

impl Table {
    /// What is due, and then the key.
    #[cold]
    #[inline(never)]
    pub(super) fn tend_and_observe<W: Width>(&mut self, hash: u64, moment: u64, seen: &mut Seen) -> Touched {
        self.attend::<W>(hash, moment);
        if self.state.mode == Mode::Table && self.grid.plan.lateness == 0 {
            return simd::run(ObserveHere::<W>(self, seen, std::marker::PhantomData), hash);
        }
        let touched = self.touch_at::<W>(hash, self.state.position.part, Verb::Observe);
        seen.count(touched.verdict);
        touched
    }

    /// A key that its lines do not have, where the stash has some.
    #[cold]
    #[inline(never)]
    pub(super) fn observe_in_stash<W: Width>(&mut self, hash: u64, seen: &mut Seen) -> Touched {
        if let Some(verdict) = self.state.touch_stash(&self.grid.plan, hash) {
            seen.count(verdict);
            return Touched { verdict, is_traced: true };
        }
        self.store::<W>(&self.grid.key(hash), self.state.position.part);
        seen.count(Verdict::New);
        Touched::NEW
    }

    #[cold]
    #[inline(never)]
    pub(super) fn crowded_now<W: Width>(&mut self, hash: u64) -> Touched {
        self.crowded::<W>(&self.grid.key(hash), self.state.position.part);
        Touched::NEW
    }

    /// Observes or inserts a key under a lock.
    #[inline(always)]
    pub(super) fn touch_any<W: Width>(&mut self, hash: u64, when: When, verb: Verb, seen: &mut Seen) -> Verdict {
        if verb == Verb::Insert {
            return self.touch::<W>(hash, when, verb).verdict;
        }
        if when.own < when.clock {
            let verdict = self.touch::<W>(hash, when, verb).verdict;
            seen.count(verdict);
            return verdict;
        }
        if when.clock >= self.state.due {
            return self.tend_and_observe::<W>(hash, when.clock, seen).verdict;
        }
        simd::run(ObserveHere::<W>(self, seen, std::marker::PhantomData), hash).verdict
    }

    /// Observes or inserts a key at any moment, also a late one: what the usual call does, and all that it spares.
    #[cold]
    #[inline(never)]
    pub(super) fn touch<W: Width>(&mut self, hash: u64, when: When, verb: Verb) -> Touched {
        self.attend::<W>(hash, when.clock);
        let own = if when.own == when.clock { self.state.position.part } else { self.late_part(when.own) };
        self.touch_at::<W>(hash, own, verb)
    }

    /// The same once nothing is due.
    pub(super) fn touch_at<W: Width>(&mut self, hash: u64, own: Part, verb: Verb) -> Touched {
        let key = self.grid.key(hash);
        let generation = key.generation(own);
        let cell = self.cell_of::<W>(&key);
        let stashed = self.state.stash.find(hash, self.state.position.part);
        let seen = cell.map(|(_, seen)| seen).max(stashed.map(|seen| key.generation(seen)));
        let is_known = seen.is_some_and(|seen| generation <= seen.after(self.grid.plan.generations()));
        let verdict = Verdict::of(is_known);
        if is_known && !(self.grid.plan.refreshes() || verb == Verb::Insert) {
            return Touched { verdict, is_traced: false };
        }
        match cell {
            _ if self.state.mode != Mode::Table => self.remember::<W>(&key, own),
            Some((place, seen)) => {
                let lane = self.grid.lane(key.print, generation.max(seen));
                self.grid.lines.line(place.spot).set_lane(place.cell, lane);
            }
            None if stashed.is_some() => self.remember::<W>(&key, own),
            None => self.store::<W>(&key, own),
        }
        Touched { verdict, is_traced: seen.is_none_or(|seen| generation > seen) }
    }

    /// Stores a key in the emptier of its lines.
    pub(super) fn store<W: Width>(&mut self, key: &Key, own: Part) {
        let Some(place) = self.free_place::<W>(key) else { return self.crowded::<W>(key, own) };
        self.put::<W>(key, own, place);
        if self.state.bounds.calls_for(self.state.used) {
            self.resize::<W>();
        }
    }

    /// The first free cell of the emptier line.
    pub(super) fn free_place<W: Width>(&self, key: &Key) -> Option<Place> {
        let spots = self.grid.spots(key);
        let free = spots.map(|spot| W::free::<Baseline>(self.grid.lines.line(spot)));
        let emptier = usize::from(Baseline::has_more(free[1], free[0]));
        first_free::<W>(free[emptier]).map(|cell| Place { spot: spots[emptier], cell })
    }

    /// Writes a key into a free cell.
    #[inline(always)]
    pub(super) fn put<W: Width>(&mut self, key: &Key, own: Part, place: Place) {
        let string = key.strings[place.spot.side.index()];
        let lane = self.grid.lane(key.print, key.generation(own));
        let field = self.grid.field::<W>(string, place.spot);
        put::<W>(self.grid.lines.line(place.spot), place.cell, Cell { lane, field });
        self.state.count(section_of(key.hash));
    }

    /// The cell of a key that was seen last, of lines that are up to date.
    fn cell_of<W: Width>(&self, key: &Key) -> Option<(Place, Generation)> {
        let epoch = key.generation(self.state.position.part);
        let cells = self.cells_of::<W>(key);
        cells.map(|(place, cell)| (place, self.grid.seen(cell.lane, epoch))).max_by_key(|(_, seen)| *seen)
    }

    /// All cells that agree with a key.
    pub(super) fn cells_of<W: Width>(&self, key: &Key) -> impl Iterator<Item = (Place, Cell)> {
        let lines = if self.state.has_lines() { &Side::BOTH[..] } else { &[] };
        let (grid, key) = (&self.grid, *key);
        lines.iter().flat_map(move |side| {
            let string = key.strings[side.index()];
            let spot = grid.shape.spot(*side, string);
            let (line, bits) = (grid.lines.line(spot), grid.shape.bits(*side, spot.line));
            let mut hits = W::hits::<Baseline>(line, grid.plan.print_mask, key.print.0);
            let cells = std::iter::from_fn(move || take_first::<W>(&mut hits));
            let cells = cells.map(move |cell| (Place { spot, cell }, get::<W>(line, cell)));
            cells.filter(move |(_, cell)| agrees(cell.field, string, bits))
        })
    }

    /// The part of a late record's own moment, once the window has moved on to the clock.
    fn late_part(&self, own: u64) -> Part {
        self.state.position.place_of(own, &self.grid.plan.span).0
    }

    /// When the key that `contains` would find was seen: the first and the last part that it can have been. Changes nothing: lines
    /// may be some generations behind, and the window of `part` some parts further.
    pub(super) fn sighting<W: Width>(&self, hash: u64, part: Part) -> Option<(Part, Part)> {
        let key = self.grid.key(hash);
        let is_within = |seen: &Generation| key.generation(part) <= seen.after(self.grid.plan.generations());
        let seen = |(place, cell): (Place, Cell)| self.seen_in(&key, place.spot, cell);
        let cell = self.cells_of::<W>(&key).filter_map(seen).filter(is_within).max();
        let stashed = self.state.stash.find(hash, self.state.position.part);
        let stashed = stashed.filter(|seen| is_within(&key.generation(*seen)));
        let (cell, stashed) = (cell.map(|seen| seen.parts(key.phase())), stashed.map(|seen| (seen, seen)));
        match (cell, stashed) {
            (Some(cell), Some(stashed)) => Some((cell.0.max(stashed.0), cell.1.max(stashed.1))),
            (one, other) => one.or(other),
        }
    }

    /// When a cell of a line was seen that may be behind; `None` if it has expired since.
    fn seen_in(&self, key: &Key, spot: Spot, cell: Cell) -> Option<Generation> {
        let now = key.generation(self.state.position.part);
        let lag = self.lag(spot);
        let tags = 1 << self.grid.plan.tag_bits;
        let seen = (lag < tags).then(|| self.grid.seen(cell.lane, now.before(lag)))?;
        (now.since(seen) < tags).then_some(seen)
    }

    /// The verdict that `touch` would give. Changes nothing.
    pub(super) fn contains<W: Width>(&self, hash: u64, when: When) -> Verdict {
        if when.clock < self.state.due && when.own == when.clock && !self.state.stash.has_any() {
            let key = self.grid.key(hash);
            return Verdict::of(self.cells_of::<W>(&key).next().is_some());
        }
        Verdict::of(self.sighting::<W>(hash, self.part_of(when)).is_some())
    }

    /// Forgets a key: every cell that agrees with it goes. Returns whether it was within the window.
    pub(super) fn remove<W: Width>(&mut self, hash: u64, when: When) -> bool {
        let was_known = self.sighting::<W>(hash, self.part_of(when)).is_some();
        let key = self.grid.key(hash);
        loop {
            let Some((place, _)) = self.cells_of::<W>(&key).next() else { break };
            put::<W>(self.grid.lines.line(place.spot), place.cell, Cell { lane: 0, field: 0 });
            self.state.uncount(key.phase(), 1);
        }
        self.state.stash.remove(hash, self.state.position.part);
        // Lines may be too many now.
        self.set_due();
        was_known
    }

    /// The part of a record's own moment, whether or not the window has moved on to the clock.
    pub(super) fn part_of(&self, when: When) -> Part {
        if when.own == when.clock || !self.state.running { self.part_at(when.clock) } else { self.late_part(when.own) }
    }

    /// The part at a moment.
    pub(super) fn part_at(&self, moment: u64) -> Part {
        let position = &self.state.position;
        if self.state.running { position.part_at(moment, &self.grid.plan.span) } else { position.part }
    }
}

impl State {
    /// The verdict on a key that the stash has, which is seen again there.
    fn touch_stash(&mut self, plan: &Plan, hash: u64) -> Option<Verdict> {
        let (now, phase) = (self.position.part, hash % PARTS);
        let seen = self.stash.find(hash, now)?.generation(phase);
        let is_known = now.generation(phase) <= seen.after(plan.generations());
        if plan.refreshes() || !is_known {
            // It is there, so that it needs no memory.
            self.stash.keep(hash, now, now).ok()?;
        }
        Some(Verdict::of(is_known))
    }
}
