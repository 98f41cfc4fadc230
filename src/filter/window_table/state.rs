//! The state of a table apart from its lines: the position of the window, the counts, the upkeep that is due.

use crate::error::Error;
use crate::num;
use crate::raw::arena::Account;

use super::due::Tend;
use super::plan::Plan;
use super::policy::{Limits, Mix, Need};
use super::position::{Generation, PARTS, Part, Position};
use super::stash::Stash;
use super::tally::{Tally, weight};
use super::width::ByCode;

/// See the module.
#[derive(Debug)]
pub(super) struct State {
    pub(super) position: Position,
    /// Whether the position follows the clock yet.
    pub(super) running: bool,
    pub(super) tally: Tally,
    pub(super) stash: Stash,
    pub(super) tend: Tend,
    pub(super) course: Course,
    pub(super) loss: Loss,
    /// Lines that the present call has touched.
    pub(super) touched: u64,
    /// Whether a known key was written into a later generation since this was 0: bits by which its tag changed.
    pub(super) renewed: u16,
    /// The latest moment.
    pub(super) now: u64,
    pub(super) counts: Counts,
}

/// Where growth goes: what was found out at the last look, and what has been stored since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Course {
    pub(super) need: Need,
    /// Of lines of depth D and of D + 1.
    pub(super) mixes: [Mix; 2],
    pub(super) limits: Limits,
    /// Lines of each code.
    pub(super) by_code: ByCode,
    /// Keys that can be stored before growth can be due: below 0, as a number with its highest bit, once it can. And the number
    /// of stores when it is 0.
    left: u64,
    armed: u64,
    /// Keys that were stored in the last part, and before this one.
    pub(super) last: u64,
    before: u64,
    /// The number of stores at which growth is looked at again.
    pub(super) due: u64,
    /// The weight of the cells stored since the last look, and the number of stores at which that count began.
    pub(super) weighed: u64,
    pub(super) since: u64,
    pub(super) correction: f64,
    /// Whether memory refused the last line.
    pub(super) starved: bool,
    /// Until this part the table keeps the size that the request asked for.
    pub(super) keeps_until: Part,
}

/// The keys that were evicted early.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Loss {
    /// The last part at which a key that had to go can have been seen.
    pub(super) forgot: Option<Part>,
    pub(super) forgotten: u64,
    /// The age of those keys in parts, on average.
    pub(super) typical: f64,
}

/// The counts so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) moved: u64,
    pub(super) stashed: u64,
    pub(super) splits: u64,
    pub(super) merges: u64,
    pub(super) copied: u64,
    /// Times that memory for a line was refused after it had not been.
    pub(super) refused: u64,
    /// The most lines so far; updated before the table shrinks.
    pub(super) most_lines: u64,
}

/// The most keys that are counted down at once.
const MOST_LEFT: u64 = u64::MAX / 2;

impl Course {
    pub(super) fn new(plan: &Plan) -> Self {
        let need = Need { weight: 1.0, bits: 0, narrows: true, grows: plan.timed };
        Self {
            need,
            mixes: Default::default(),
            limits: Limits { most: u64::MAX, low: 0, far: 0 },
            by_code: ByCode::default(),
            left: MOST_LEFT,
            armed: MOST_LEFT,
            last: 0,
            before: 0,
            due: u64::MAX,
            weighed: 0,
            since: 0,
            correction: 1.0,
            starved: false,
            keeps_until: Part(if plan.keys > 0 { u64::MAX } else { 0 }),
        }
    }

    /// Keys stored so far.
    pub(super) const fn stores(&self) -> u64 {
        self.armed.wrapping_sub(self.left)
    }

    /// Keys stored in this part.
    pub(super) const fn now(&self) -> u64 {
        self.stores().wrapping_sub(self.before)
    }

    /// Counts a key that is stored: one number for what is counted and for when growth is due.
    #[inline(always)]
    pub(super) const fn count_store(&mut self) {
        self.left = self.left.wrapping_sub(1);
    }

    /// Whether growth may be due.
    #[inline(always)]
    pub(super) const fn is_due(&self) -> bool {
        self.left > MOST_LEFT
    }

    /// A part begins.
    pub(super) const fn begin_part(&mut self) {
        (self.last, self.before) = (self.now(), self.stores());
    }

    /// The stores of the last parts do not predict those of the next.
    pub(super) const fn forget_pace(&mut self) {
        (self.last, self.before) = (0, self.stores());
    }

    /// From now on these are the keys stored so far, in the last part and in this one; growth may be due with the next.
    pub(super) const fn set_stores(&mut self, stores: u64, last: u64, now: u64) {
        (self.left, self.armed) = (0, stores);
        (self.last, self.before) = (last, stores.wrapping_sub(now));
    }

    /// Finds out with how many more keys growth can be due in a table of `cells` cells.
    pub(super) fn arm(&mut self, cells: u64) {
        let (stores, room) = (self.stores(), self.limits.most.saturating_sub(cells).saturating_add(1));
        let left = room.min(self.due.saturating_sub(stores)).saturating_sub(1).min(MOST_LEFT);
        (self.left, self.armed) = (left, stores.wrapping_add(left));
    }

    /// Whether this is the growth plan of a table that keeps its size.
    pub(super) fn is_fixed(&self, plan: &Plan) -> bool {
        let fixed = Self::new(plan);
        (self.need, self.mixes, self.limits) == (fixed.need, fixed.mixes, fixed.limits)
    }
}

impl State {
    /// A copy of its numbers, without what is counted and kept in addition.
    pub(super) fn numbers_alone(&self) -> Self {
        Self { tally: Tally::default(), stash: self.stash.without_keys(), ..*self }
    }

    pub(super) fn new(plan: &Plan, account: &Account) -> Result<Self, Error> {
        Ok(Self::with(plan, Tally::new(plan.widths.tag_bits)?, Stash::new(account)))
    }

    /// A new state, with an empty tally and an empty stash.
    pub(super) fn with(plan: &Plan, tally: Tally, stash: Stash) -> Self {
        Self {
            position: Position::start(0, &plan.span),
            running: !plan.timed,
            tally,
            stash,
            tend: Tend::new(Part::START),
            course: Course::new(plan),
            loss: Loss::default(),
            touched: 0,
            renewed: 0,
            now: 0,
            counts: Counts::default(),
        }
    }

    /// A call begins: it will touch the two lines of its key.
    #[inline(always)]
    pub(super) const fn begin_call(&mut self, moment: u64) {
        (self.now, self.touched) = (moment, 2);
    }

    /// Whether a look at growth is due, or there are more cells than lines are meant for.
    pub(super) const fn has_grown(&self) -> bool {
        self.course.stores() >= self.course.due || self.tally.all().cells > self.course.limits.most
    }

    /// Counts a new cell of a phase: by the bits that it and its line know.
    #[inline(always)]
    pub(super) fn born(&mut self, phase: u64, now: Generation, bits: u32) {
        let weight = weight(bits);
        self.tally.add(phase, now, weight);
        // A window of keys never reads it, and it may wrap.
        self.course.weighed = self.course.weighed.wrapping_add(weight);
    }

    /// The oldest part of which a key can still be found: that of the generation that ends with the oldest one needed.
    pub(super) fn oldest(&self, plan: &Plan) -> Part {
        self.position.part.before(plan.span.kept + PARTS - 1)
    }

    /// Keeps a key in the stash that was seen in `part`; returns whether there was memory for it.
    pub(super) fn remember(&mut self, hash: u64, part: Part) -> bool {
        self.stash.keep(hash, part).is_ok()
    }

    /// Keeps a key in the stash while the table is about to begin again; without memory it is one that had to go.
    #[cold]
    pub(super) fn remember_or_lose(&mut self, hash: u64, part: Part) {
        if !self.remember(hash, part) {
            self.loss.forgot = Some(self.position.part);
            self.loss.forgotten += 1;
        }
    }

    /// How much of the present part is over.
    pub(super) fn over(&self, plan: &Plan) -> f64 {
        let parts = num::real(plan.span.parts);
        let width = num::real(plan.span.window) / parts;
        let since = num::real(self.now.saturating_sub(self.position.next.saturating_sub(num::ceil(width))));
        (since / width).clamp(0.0, 1.0)
    }
}
