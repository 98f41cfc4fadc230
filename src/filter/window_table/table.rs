//! One table and the keys in it: found, seen again, stored, taken out.
//!
//! ```text
//!  grid     the lines, and where a key's two are                does not change, except what is written into lines
//!  state    the position of the window, what is counted, what is due, the stash
//!
//!  observe  moment < due: the usual call      compare both lines -> seen again | the emptier line has a free cell | `room`
//!           else `tend`: a part begins, a walk or a sweep is under way, or the filter is a map
//! ```
//! **Law.** In the usual call both lines of a key are up to date, so that every cell in them is of the window or may be found a little longer.
//! **Price.** Two cache lines. No division, no loop but that over cells with the fingerprint, one or none as a rule.

use crate::error::Error;
use crate::filter::values::Verdict;
use crate::num;
use crate::raw::arena::Account;
use crate::simd::{self, Baseline, Instructions, Line, Task};

use super::directory::Directory;
use super::key::{Print, SECTIONS, Shape, Side, Spot, section_of};
use super::line::{Cell, Width, agrees, field_of, first_free, get, put};
use super::plan::Plan;
use super::position::{Generation, PARTS, Part, Position, When};
use super::stash::Stash;
use super::walk::Walk;

/// The verbs of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Observe,
    Insert,
}

/// Where the keys are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// All in the stash: there are no lines.
    Map,
    /// In lines, and those that find no room there in the stash.
    Table,
    /// Those that come go to the stash, since this part; a lifetime later the lines are not needed.
    Resting(Part),
}

/// Lines, and where they are.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) plan: Plan,
    pub(super) shape: Shape,
    pub(super) lines: Directory,
}

/// When to split and to merge, by cells in use.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    /// Above it a line is split.
    pub(super) most: u64,
    /// Below it one is merged now and then, and from `most` down to it nothing is due.
    pub(super) least: u64,
    /// Below it merges are urgent.
    pub(super) urgent: u64,
}

/// What changes with the keys.
#[derive(Debug)]
pub(super) struct State {
    /// From this moment on something is due before a key.
    pub(super) due: u64,
    /// Cells in use, in all and of each phase.
    pub(super) used: u64,
    pub(super) phases: [u64; SECTIONS],
    pub(super) bounds: Bounds,
    /// The tag of each phase now, in its place in a lane.
    pub(super) tags: [u16; 8],
    /// Calls in this generation.
    pub(super) calls: u64,
    pub(super) stash: Stash,
    pub(super) position: Position,
    pub(super) walk: Walk,
    pub(super) mode: Mode,
    /// Whether the window has begun.
    pub(super) running: bool,
    /// Whether memory was refused in this part.
    pub(super) starved: bool,
    pub(super) counts: Counts,
    pub(super) loss: Loss,
}

/// What `stats` report.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) moved: u64,
    pub(super) refused: u64,
    pub(super) forgotten: u64,
    /// Calls of `grow` with too many keys or too few.
    pub(super) calm: u32,
}

/// The keys that memory made the table forget.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Loss {
    /// The last part in which one of them can have been seen.
    pub(super) forgot: Option<Part>,
    /// The mean age of the oldest cell of two lines, in 256ths of a generation.
    pub(super) typical: u64,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) grid: Grid,
    pub(super) state: State,
}

/// A key of a table that may be a section.
struct ObserveAny<'a, W>(&'a mut Table, std::marker::PhantomData<W>);

impl<W: Width> Task for ObserveAny<'_, W> {
    type Args = (u64, u64);
    type Result = Verdict;

    #[inline(always)]
    fn run<I: Instructions>(self, (hash, moment): (u64, u64)) -> Verdict {
        self.0.observe::<I, W, false>(hash, moment)
    }
}

/// A key and its lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) hash: u64,
    pub(super) print: Print,
    pub(super) strings: [u64; 2],
}

/// A cell of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) spot: Spot,
    pub(super) cell: usize,
}

/// What a key left: the verdict, and whether a copy needs the key, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touched {
    pub(super) verdict: Verdict,
    pub(super) is_traced: bool,
}

impl Grid {
    #[inline(always)]
    pub(super) fn key(&self, hash: u64) -> Key {
        let print = Print::of(hash, self.plan.print_bits);
        Key { hash, print, strings: [hash, hash ^ print.apart()] }
    }

    #[inline(always)]
    pub(super) fn spots(&self, key: &Key) -> [Spot; 2] {
        [self.shape.spot(Side::First, key.strings[0]), self.shape.spot(Side::Second, key.strings[1])]
    }

    #[inline(always)]
    fn line<const WHOLE: bool>(&self, spot: Spot) -> &Line {
        if WHOLE { self.lines.whole_line(spot.side, spot.line) } else { self.lines.line(spot) }
    }

    /// The bits of a lane that are a fingerprint.
    #[inline(always)]
    pub(super) const fn print_mask(&self) -> u16 {
        u16::MAX >> self.plan.tag_bits
    }

    /// The lane of a key that was seen in this generation.
    #[inline(always)]
    pub(super) fn lane(&self, print: Print, seen: Generation) -> u16 {
        print.0 | self.tag(seen)
    }

    /// A generation in its place in a lane.
    #[inline(always)]
    pub(super) fn tag(&self, seen: Generation) -> u16 {
        let [low, high, ..] = (seen.0 << self.plan.print_bits).to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// The generation of a lane of a line that is up to date with `epoch`.
    pub(super) fn seen(&self, lane: u16, epoch: Generation) -> Generation {
        let tags = (1 << self.plan.tag_bits) - 1;
        let ago = epoch.0.wrapping_sub(u64::from(lane >> self.plan.print_bits)) & tags;
        epoch.before(ago)
    }

    /// The field of a string in a line, with all bits that it has room for and the hash has.
    #[inline(always)]
    pub(super) fn field<W: Width>(&self, string: u64, spot: Spot) -> u32 {
        let bits = self.shape.bits(spot.side, spot.line);
        let known = if W::FIELD == 32 { W::KNOWN.min((u64::BITS - self.plan.print_bits).saturating_sub(bits)) } else { W::KNOWN };
        field_of(string, bits, known)
    }
}

impl State {
    fn new(plan: &Plan, account: &Account) -> Self {
        Self {
            due: 0,
            used: 0,
            phases: [0; SECTIONS],
            bounds: Bounds::default(),
            tags: [0; 8],
            calls: 0,
            stash: Stash::new(account),
            position: Position::start(0, &plan.span),
            walk: Walk::default(),
            mode: Mode::Map,
            running: false,
            starved: false,
            counts: Counts::default(),
            loss: Loss::default(),
        }
    }

    /// A cell more is in use.
    #[inline(always)]
    pub(super) fn count(&mut self, section: usize) {
        self.used += 1;
        self.phases[section] += 1;
    }

    /// So many fewer are.
    pub(super) fn uncount(&mut self, phase: u64, cells: u64) {
        self.used -= cells;
        self.phases[num::index(phase)] -= cells;
    }

    pub(super) fn count_none(&mut self) {
        (self.used, self.phases) = (0, [0; SECTIONS]);
    }

    /// Whether lines are to be asked.
    pub(super) fn has_lines(&self) -> bool {
        self.mode != Mode::Map
    }
}

impl Table {
    pub(super) fn new(plan: Plan, account: &Account) -> Result<Self, Error> {
        crate::simd::look();
        let mut new = Self::bare(plan, Shape::of(plan.first_lines), account);
        if plan.at_once {
            new.begin_table()?;
        } else {
            new.state.stash.reserve()?;
        }
        Ok(new)
    }

    /// A map without keys, and without memory.
    pub(super) fn bare(plan: Plan, shape: Shape, account: &Account) -> Self {
        let lines = Directory::new(account, shape.skip > 0);
        Self { grid: Grid { plan, shape, lines }, state: State::new(&plan, account) }
    }

    /// Observes a key. As a rule nothing is due.
    #[inline(always)]
    pub(super) fn observe<I: Instructions, W: Width, const WHOLE: bool>(&mut self, hash: u64, moment: u64) -> Verdict {
        if moment >= self.state.due {
            if let Some(touched) = self.tend::<W>(hash, moment) {
                return touched.verdict;
            }
        }
        let (grid, state) = (&self.grid, &mut self.state);
        state.calls += 1;
        let key = grid.key(hash);
        let spots = grid.spots(&key);
        let lines = spots.map(|spot| grid.line::<WHOLE>(spot));
        let lane = key.print.0 | state.tags[section_of(hash)];
        if let Some((line, cell)) = grid.find::<I, W>(&key, spots, lines) {
            if grid.plan.refreshes() {
                line.set_lane(cell, lane);
            }
            return Verdict::Duplicate;
        }
        if state.stash.has_any() {
            if let Some(touched) = state.touch_stash(&grid.plan, hash) {
                return touched.verdict;
            }
        }
        let free = lines.map(W::free::<I>);
        let (spot, string, line, free) = if I::has_more(free[1], free[0]) {
            (spots[1], key.strings[1], lines[1], free[1])
        } else {
            (spots[0], key.strings[0], lines[0], free[0])
        };
        let Some(cell) = first_free::<W>(free) else {
            self.crowded::<W>(&key, self.state.position.part);
            return Verdict::New;
        };
        put::<W>(line, cell, Cell { lane, field: grid.field::<W>(string, spot) });
        state.count(section_of(hash));
        if state.bounds.calls_for(state.used) {
            self.resize::<W>();
        }
        Verdict::New
    }

    /// Observes or inserts a key under a lock.
    #[inline(always)]
    pub(super) fn touch_any<W: Width>(&mut self, hash: u64, when: When, verb: Verb) -> Verdict {
        if when.own == when.clock && verb == Verb::Observe {
            return simd::run(ObserveAny::<W>(self, std::marker::PhantomData), (hash, when.clock));
        }
        self.touch::<W>(hash, when, verb).verdict
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
        self.state.calls += 1;
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
            let hits = W::hits::<Baseline>(line, grid.print_mask(), key.print.0);
            let cells = (0..W::CELLS).filter(move |cell| hits >> (cell << W::HIT_SHIFT) & 1 == 1);
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

    #[inline(always)]
    pub(super) fn prefetch<const WHOLE: bool>(&self, hash: u64) {
        if self.state.has_lines() {
            let spots = self.grid.spots(&self.grid.key(hash));
            spots.into_iter().for_each(|spot| self.grid.line::<WHOLE>(spot).prefetch());
        }
    }

    pub(super) fn try_clone(&self, account: &Account) -> Result<Self, Error> {
        let (grid, state) = (&self.grid, &self.state);
        let lines = grid.lines.try_clone(state.has_lines().then_some(&grid.shape), account)?;
        let (stash, walk) = (state.stash.try_clone(account)?, state.walk.try_clone()?);
        Ok(Self { grid: Grid { lines, ..*grid }, state: State { stash, walk, ..*state } })
    }
}

impl Grid {
    /// The cell of a key, if one of its two lines has one.
    #[inline(always)]
    fn find<'a, I: Instructions, W: Width>(
        &self,
        key: &Key,
        spots: [Spot; 2],
        lines: [&'a Line; 2],
    ) -> Option<(&'a Line, usize)> {
        let [a, b] = lines.map(|line| u64::from(W::hits::<I>(line, self.print_mask(), key.print.0)));
        let mut hits = a | (b << 32);
        while hits != 0 {
            let first = hits.trailing_zeros();
            let (line, spot, string) = if first < 32 {
                (lines[0], spots[0], key.strings[0])
            } else {
                (lines[1], spots[1], key.strings[1])
            };
            let cell = num::index(u64::from((first & 31) >> W::HIT_SHIFT));
            if agrees(W::field(line, cell), string, self.shape.bits(spot.side, spot.line)) {
                return Some((line, cell));
            }
            hits &= !(((1 << (1 << W::HIT_SHIFT)) - 1) << first);
        }
        None
    }
}

impl State {
    /// Whether the stash has a key, which is seen again there.
    #[cold]
    #[inline(never)]
    fn touch_stash(&mut self, plan: &Plan, hash: u64) -> Option<Touched> {
        let (now, phase) = (self.position.part, hash % PARTS);
        let seen = self.stash.find(hash, now)?.generation(phase);
        let is_known = now.generation(phase) <= seen.after(plan.generations());
        if plan.refreshes() || !is_known {
            // It is there, so that it needs no memory.
            self.stash.keep(hash, now, now).ok()?;
        }
        Some(Touched { verdict: Verdict::of(is_known), is_traced: true })
    }
}

impl Key {
    pub(super) const fn phase(&self) -> u64 {
        self.hash % PARTS
    }

    /// The generation of both of its lines at a part.
    pub(super) const fn generation(&self, part: Part) -> Generation {
        part.generation(self.phase())
    }
}

impl Bounds {
    /// Whether a table with so many cells in use should have more lines, or fewer.
    #[inline(always)]
    const fn calls_for(&self, used: u64) -> bool {
        used.wrapping_sub(self.least) > self.most - self.least
    }
}
