//! One table and the keys in it: found, seen again, stored, taken out.
//!
//! ```text
//!  grid     the lines, and where a key's two are                does not change, except what is written into lines
//!  state    the position of the window, what is counted, what is due, the stash
//!
//!  observe  moment < due: the usual call      compare both lines -> seen again | the emptier line has a free cell | `room`
//!           else `attend`: a part begins, a walk or a sweep is under way, or the filter is a map
//! ```
//! **Law.** In the usual call both lines of a key are up to date, so that every cell in them is of the window or may be found a little longer.
//! **Price.** Two cache lines. No division, no loop but that over cells with the fingerprint, one or none as a rule.

use crate::error::Error;
use crate::filter::seen::Seen;
use crate::filter::values::Verdict;
use crate::num;
use crate::raw::arena::Account;
use crate::simd::{Instructions, Line};

use super::chunks::Walk;
use super::directory::Directory;
use super::key::{Print, SECTIONS, Shape, Side, Spot, section_of};
use super::line::{Cell, Width, agrees, field_of, first_free, put};
use super::plan::Plan;
use super::position::{Generation, PARTS, Part, Position};
use super::stash::Stash;

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
    /// Below it a line is merged now and then.
    pub(super) least: u64,
    /// Up to this number above it nothing is due.
    pub(super) calm: u64,
    /// Below it merges are urgent.
    pub(super) urgent: u64,
    /// Cells in use of one phase above which nothing is merged.
    pub(super) crest: u64,
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
    /// Calls in this generation for which something was due.
    pub(super) calls: u64,
    pub(super) stash: Stash,
    pub(super) position: Position,
    pub(super) walk: Walk,
    pub(super) mode: Mode,
    /// Whether the window has begun.
    pub(super) running: bool,
    /// Whether memory was refused in this part.
    pub(super) starved: bool,
    /// Whether lines that should be merged could not be in this part.
    pub(super) stuck: bool,
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

/// A key and its lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub(super) hash: u64,
    pub(super) print: Print,
    pub(super) strings: [u64; 2],
}

/// One of the two lines of a key, and its number: two words, so that a choice between both lines stays in registers.
#[derive(Clone, Copy)]
struct Way<'a> {
    line: &'a Line,
    number: u64,
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

impl Touched {
    pub(super) const NEW: Self = Self { verdict: Verdict::New, is_traced: true };
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

    /// The line of a string, of a table that may be known to be `WHOLE`.
    #[inline(always)]
    fn way<const WHOLE: bool>(&self, side: Side, string: u64) -> Way<'_> {
        let spot = self.shape.spot_of::<WHOLE>(side, string);
        let line = if WHOLE { self.lines.whole_line(side, spot.line) } else { self.lines.line(spot) };
        Way { line, number: spot.line }
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
        let known = if W::FIELD == 32 {
            W::KNOWN.min((u64::BITS - self.plan.print_bits).saturating_sub(bits))
        } else {
            W::KNOWN
        };
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
            stuck: false,
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

    /// Fewer are, by `cells`.
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
        crate::simd::detect();
        let mut new = Self::bare(plan, Shape::of(plan.first_lines), account);
        if plan.at_once {
            new.begin_table()?;
        } else {
            new.state.stash.reserve(0)?;
        }
        Ok(new)
    }

    /// A map without keys, and without memory.
    pub(super) fn bare(plan: Plan, shape: Shape, account: &Account) -> Self {
        let lines = Directory::new(shape.skip > 0);
        Self { grid: Grid { plan, shape, lines }, state: State::new(&plan, account) }
    }

    /// Observes a key. As a rule nothing is due. Whatever is not usual is called last, so that nothing is saved for its return.
    #[inline(always)]
    pub(super) fn observe<I: Instructions, W: Width>(&mut self, hash: u64, moment: u64, seen: &mut Seen) -> Touched {
        if moment >= self.state.due {
            return self.tend_and_observe::<W>(hash, moment, seen);
        }
        self.observe_here::<I, W, true>(hash, seen)
    }

    /// The same where nothing is due.
    #[inline(always)]
    pub(super) fn observe_here<I: Instructions, W: Width, const WHOLE: bool>(
        &mut self,
        hash: u64,
        seen: &mut Seen,
    ) -> Touched {
        let (grid, state) = (&self.grid, &mut self.state);
        let print = Print::of(hash, grid.plan.print_bits);
        let other = hash ^ print.apart();
        let (a, b) = (grid.way::<WHOLE>(Side::First, hash), grid.way::<WHOLE>(Side::Second, other));
        let lane = print.0 | state.tags[section_of(hash)];
        if let Some((line, cell)) = grid.find::<I, W>(print, (hash, a), (other, b)) {
            seen.duplicate_count += 1;
            let is_traced = grid.plan.refreshes() && line.lane(cell) != lane;
            if grid.plan.refreshes() {
                line.set_lane(cell, lane);
            }
            return Touched { verdict: Verdict::Duplicate, is_traced };
        }
        // What is due may be slots that move: a whole table has seen to it.
        let is_stashed = if WHOLE { state.stash.has_any_at_rest() } else { state.stash.has_any() };
        if is_stashed {
            return self.observe_in_stash::<W>(hash, seen);
        }
        seen.new_count += 1;
        let (free_a, free_b) = (W::free::<I>(a.line), W::free::<I>(b.line));
        let is_second = I::has_more(free_b, free_a);
        let (way, free) = if is_second { (b, free_b) } else { (a, free_a) };
        let (side, string) = if is_second { (Side::Second, other) } else { (Side::First, hash) };
        let Some(cell) = first_free::<W>(free) else { return self.crowded_now::<W>(hash) };
        let field = grid.field::<W>(string, Spot { side, line: way.number });
        put::<W>(way.line, cell, Cell { lane, field });
        state.count(section_of(hash));
        if state.bounds.calls_for(state.used) {
            return self.resize::<W>();
        }
        Touched::NEW
    }

    #[inline(always)]
    pub(super) fn prefetch<const WHOLE: bool>(&self, hash: u64) {
        if self.state.has_lines() {
            let other = hash ^ Print::of(hash, self.grid.plan.print_bits).apart();
            self.grid.way::<WHOLE>(Side::First, hash).line.prefetch();
            self.grid.way::<WHOLE>(Side::Second, other).line.prefetch();
        }
    }

    pub(super) fn try_clone(&self, account: &Account) -> Result<Self, Error> {
        let (grid, state) = (&self.grid, &self.state);
        // A limit may have no room for whole runs.
        let is_exact = grid.plan.memory > 0 || grid.shape.skip > 0;
        let lines = grid.lines.try_clone(state.has_lines().then_some(&grid.shape), is_exact, account)?;
        let (stash, walk) = (state.stash.try_clone(account)?, state.walk.try_clone()?);
        Ok(Self { grid: Grid { lines, ..*grid }, state: State { stash, walk, ..*state } })
    }
}

impl Grid {
    /// The cell of a key, if one of its two lines has one; each comes with the string that leads there.
    #[inline(always)]
    fn find<'a, I: Instructions, W: Width>(
        &self,
        print: Print,
        (one, a): (u64, Way<'a>),
        (other, b): (u64, Way<'a>),
    ) -> Option<(&'a Line, usize)> {
        let (mask, want) = (self.plan.print_mask, print.0);
        let mut hits =
            u64::from(W::hits::<I>(a.line, mask, want)) | (u64::from(W::hits::<I>(b.line, mask, want)) << 32);
        while hits != 0 {
            let at = hits.trailing_zeros();
            let way = if at < 32 { a } else { b };
            let (side, string) = if at < 32 { (Side::First, one) } else { (Side::Second, other) };
            let cell = num::index(u64::from((at & 31) >> W::HIT_SHIFT));
            if agrees(W::field(way.line, cell), string, self.shape.bits(side, way.number)) {
                return Some((way.line, cell));
            }
            hits &= !(((1 << (1 << W::HIT_SHIFT)) - 1) << at);
        }
        None
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
    /// Above it a line is split.
    pub(super) const fn most(&self) -> u64 {
        self.least + self.calm
    }

    /// Whether a table with `used` cells in use should have more lines, or fewer.
    #[inline(always)]
    pub(super) const fn calls_for(&self, used: u64) -> bool {
        used.wrapping_sub(self.least) > self.calm
    }
}
