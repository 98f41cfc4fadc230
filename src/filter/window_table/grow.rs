//! The tables of a window of time: when one is sealed, how large the next one is, what becomes of a drained one.
//!
//! ```text
//!  newest nearly as full as planned    a larger one in front, as large as its own pace of filling asks for
//!  much too large for a window         a smaller one in front
//!  sealed a window and a generation    nothing in it is needed: its memory goes back, 2 MiB with each call
//!  no memory for another table         forget the oldest: a fourth of the limit each, the one sealed first goes
//! ```
//! **Law.** A table is sealed and not copied: its cells die where they are. Its error is bounded by its share of the rate, and
//! the sum of all shares is never above 1. How large the next one is says `size`. A table that is forgotten goes in one call,
//! however large it is.

use std::mem;
use std::ops::RangeInclusive;

use crate::error::Error;
use crate::num;
use crate::options::OnLimit;
use crate::tick::Tick;

use super::hand::Hand;
use super::plan::{FIRST_LINES, LINE_BYTES, largest, margin};
use super::position::{PARTS, Position, Span};
use super::stash::Stash;
use super::sweep::{SWEPT_A_PART, Sweep};
use super::table::{Place, Table};
use super::tally::{Count, Tally};
use super::{Core, WindowTable};

/// A table that takes no more keys.
#[derive(Debug)]
pub(super) struct Sealed {
    pub(super) table: Table,
    pub(super) stash: Stash,
    pub(super) tally: Tally,
    pub(super) share: f64,
    /// The part at which its lines were last written.
    pub(super) as_of: u64,
    /// The part at which it was sealed: the same, unless it was loaded since.
    pub(super) ended: u64,
}

/// Tables that a window at its limit of memory is held in, by turns.
const TURNS: u64 = 4;

/// A table is too large when its keys would fit in one smaller by this factor, and by what chance may do to their number.
const LARGE: f64 = 1.07;

/// A round of the sweep that takes more generations than this is too slow for the epochs of lines.
const SLOWEST_LAP: u64 = 40;

impl Sealed {
    /// The position at which the key was seen last, if that is within the window.
    #[inline]
    pub(super) fn find(&self, hash: u64, part: u64, span: &Span) -> Option<u64> {
        self.sighting(hash, part, span).map(|seen| *seen.end())
    }

    /// The positions between which the key was seen last, if that is within the window.
    #[inline]
    pub(super) fn sighting(&self, hash: u64, part: u64, span: &Span) -> Option<RangeInclusive<u64>> {
        let place: Place = self.table.shape.place(hash);
        if let Some(found) = self.table.look(&place, part, self.as_of) {
            return Some(found.parts());
        }
        self.stash.sighting(&place, &self.table, part, span)
    }

    /// Cells within the window.
    pub(super) fn live(&self, part: u64) -> Count {
        self.tally.live(part, self.as_of)
    }
}

impl WindowTable {
    /// Moves the position to `now`, and does what a new part brings.
    #[cold]
    #[inline(never)]
    pub(super) fn pass(&mut self, now: Tick) {
        let span = self.core.plan.span;
        if !self.core.time.running {
            self.core.position = Position::known(self.core.position.part, 0, now.0, &span);
            self.core.time.running = true;
        }
        self.move_to(now.0);
    }

    /// Moves the position to a moment.
    fn move_to(&mut self, moment: u64) {
        let span = self.core.plan.span;
        let from = self.core.position.part;
        self.core.position = self.core.position.moved(moment, &span);
        let part = self.core.position.part;
        self.hand.tally.step(from, part);
        if from / PARTS != part / PARTS {
            self.hand.stash.tidy(part, &span);
        }
        if self.core.plan.timed && from != part {
            self.part_passed(from);
        }
        self.core.newest.sweep_lines(&mut self.hand, SWEPT_A_PART, part, &span);
    }

    /// Every observation of this part has been made: the next part of a window of keys.
    #[cold]
    #[inline(never)]
    pub(super) fn next_part(&mut self) {
        self.move_to(self.core.position.next);
        self.hand.room = self.core.position.next - self.core.position.at;
    }

    /// Room is used up: a look at how full the newest table is.
    #[cold]
    #[inline(never)]
    pub(super) fn refill_table(&mut self) {
        let (limit, live) = (self.core.limit, self.live());
        if live + limit / 128 < limit {
            self.core.overfull = false;
            self.hand.room = limit - live;
        } else if !self.grow(live) {
            self.core.counts.deferred += u64::from(!self.core.overfull);
            self.core.overfull = true;
            self.hand.room = limit / 64 + 1;
        }
    }

    /// Cells of the newest table within the window.
    pub(super) fn live(&self) -> u64 {
        let part = self.core.position.part;
        self.hand.tally.live(part, part).all
    }

    fn part_passed(&mut self, from: u64) {
        let part = self.core.position.part;
        self.core.drop_drained(part);
        if part - from > self.core.plan.span.lifetime() {
            return self.start_small();
        }
        let settled = self.core.sealed.is_empty() && part - self.core.born >= self.core.plan.span.lifetime();
        let too_slow = from / PARTS != part / PARTS && self.is_swept_too_slowly();
        if too_slow || (settled && self.is_too_large()) {
            // Where memory does not allow it the table stays as it is.
            let _ = self.shrink(too_slow);
        }
    }

    /// Whether so few keys came that lines fall too far behind. Rounds are counted by keys, and not by what was swept under
    /// which lock: a shared filter decides alike. All sealed tables have drained by then.
    fn is_swept_too_slowly(&mut self) -> bool {
        let now = self.core.position.part / PARTS;
        if self.hand.touches() >= Sweep::KEYS_A_LINE * self.core.newest.shape.lines() || now < self.core.lap {
            self.hand.set_touches(0);
            self.core.lap = now;
        }
        now - self.core.lap > SLOWEST_LAP && self.core.newest.shape.lines() > SWEPT_A_PART
    }

    /// After a silence nothing is needed: a large table goes.
    fn start_small(&mut self) {
        let first = self.core.plan.first.lines();
        self.drop_sealed();
        if self.core.newest.shape.lines() > first {
            let share = mem::take(&mut self.core.share);
            let first = self.core.make_room(first);
            if self.replace(first).is_err() {
                self.core.share = share;
            }
            self.drop_sealed();
        }
    }

    fn drop_sealed(&mut self) {
        while let Some(sealed) = self.core.sealed.pop() {
            self.core.leave(sealed.table.lines);
        }
    }

    /// Whether a table for the keys that there are would be much smaller; how many there are is partly chance.
    fn is_too_large(&self) -> bool {
        let large = LARGE + 3.0 / num::real(self.live()).max(1.0).sqrt();
        let lines = self.core.newest.shape.lines();
        lines > FIRST_LINES && num::real(lines) > large * num::real(self.fitting_lines())
    }

    /// Lines of a table for the keys that there are.
    fn fitting_lines(&self) -> u64 {
        let keys = self.core.keys_of(self.live());
        let density = self.core.plan.density(self.core.next_share());
        density.lines(keys * (1.0 + margin(keys))).max(FIRST_LINES)
    }

    /// Makes a smaller table for the keys that there are. If it `must`, memory may make it smaller still.
    fn shrink(&mut self, must: bool) -> Result<(), Error> {
        let lines = self.fitting_lines().min(self.core.newest.shape.lines());
        let left = self.core.make_room(lines);
        if left < if must { 2 } else { lines } { Err(Error::no_memory(1)) } else { self.replace(left) }
    }

    /// Makes a larger table, if memory allows one that is worth it. An error would ask for memory.
    fn grow(&mut self, live: u64) -> bool {
        let pace = self.pace(live);
        self.core.drop_drained(self.core.position.part);
        let lines = self.next_lines(pace, live);
        let least = (self.core.newest.shape.lines() / 2).max(2);
        let forgets = self.core.plan.on_limit == OnLimit::ForgetOldest;
        if forgets { self.take_turns(lines, least) } else { self.squeeze(lines, least) }
    }

    /// A table of that many lines, or of what `memory` leaves, if that is not too little.
    fn squeeze(&mut self, lines: u64, least: u64) -> bool {
        let left = self.core.room();
        left >= least && self.replace(lines.min(left).min(largest(self.core.plan.memory))).is_ok()
    }

    /// A table of that many lines, or where `memory` has no room for it, of a fourth of that; the tables that were sealed
    /// first go for it. So a window at its limit is four tables that take turns, and three of them are within reach.
    fn take_turns(&mut self, mut lines: u64, least: u64) -> bool {
        lines = lines.min(largest(self.core.plan.memory));
        if self.core.room() < lines {
            lines = lines.min((self.core.plan.memory / LINE_BYTES / TURNS).max(2));
        }
        while self.core.room() < lines || self.replace(lines).is_err() {
            if !self.forget_oldest_table() {
                // The system has less than `memory` allows.
                lines /= 2;
                if lines < least {
                    return false;
                }
            }
        }
        true
    }

    /// Gives up the table that was sealed first; says whether there was one.
    fn forget_oldest_table(&mut self) -> bool {
        let Some(oldest) = self.core.sealed.pop() else { return false };
        let lost = oldest.live(self.core.position.part).all;
        if lost > 0 {
            self.hand.forgot = self.hand.forgot.max(Some(oldest.ended));
            self.hand.forgotten += lost;
        }
        true
    }

    /// Seals the newest table and puts an empty one in front.
    fn replace(&mut self, lines: u64) -> Result<(), Error> {
        let core = &mut self.core;
        let (part, share) = (core.position.part, core.next_share());
        let layout = core.plan.density(share).layout;
        let shape = if core.plan.memory == 0 {
            super::table::Shape::of(layout, lines)
        } else {
            super::table::Shape::within(layout, lines)
        };
        core.sealed.try_reserve(1).map_err(|_| Error::no_memory(1))?;
        let table = Table::new(shape)?;
        let mut hand = Hand::new(&layout, Sweep::default())?;
        let old = mem::replace(&mut core.newest, table);
        (core.limit, core.born, core.overfull) = (core.plan.limit(&shape, share), part, false);
        core.lap = part / PARTS;
        let old_share = mem::replace(&mut core.share, share);
        hand.sweep = core.sweep();
        hand.room = core.limit;
        hand.seen = mem::take(&mut self.hand.seen);
        (hand.forgot, hand.forgotten) = (self.hand.forgot, self.hand.forgotten);
        hand.tally.moved = self.hand.tally.moved;
        let old_hand = mem::replace(&mut self.hand, hand);
        let Hand { stash, tally, .. } = old_hand;
        core.sealed.insert(0, Sealed { table: old, stash, tally, share: old_share, as_of: part, ended: part });
        core.counts.tables += 1;
        core.counts.bytes_peak = core.counts.bytes_peak.max(core.bytes());
        Ok(())
    }

    /// Empties what there is, in place.
    pub(super) fn wipe(&mut self) {
        let core = &mut self.core;
        core.sealed.clear();
        core.leaving.clear();
        core.newest.lines.clear();
        core.position = Position::start(0, &core.plan.span);
        (core.time, core.counts, core.overfull) = (super::Time::default(), super::Counts::default(), false);
        (core.born, core.counts.bytes_peak) = (core.position.part, core.bytes());
        core.lap = core.born / PARTS;
        let tally = mem::take(&mut self.hand.tally);
        self.hand = Hand::with(tally.emptied(), core.sweep());
        self.go_on();
    }
}

impl Core {
    /// Lines that `memory` leaves for another table.
    fn room(&self) -> u64 {
        if self.plan.memory == 0 { u64::MAX } else { self.plan.memory.saturating_sub(self.bytes()) / LINE_BYTES }
    }

    /// Lines that there is room for, up to that many; for them, drained tables go back at once where memory is short.
    fn make_room(&mut self, lines: u64) -> u64 {
        if self.room() < lines {
            self.leaving.clear();
        }
        self.room().min(lines)
    }

    /// Bytes of all tables, and of those that the system has not yet got back.
    pub(super) fn bytes(&self) -> u64 {
        (self.lines() + self.leaving()) * LINE_BYTES
    }

    fn drop_drained(&mut self, part: u64) {
        let lifetime = self.plan.span.lifetime();
        while self.sealed.last().is_some_and(|sealed| part - sealed.ended >= lifetime) {
            let Some(sealed) = self.sealed.pop() else { return };
            self.leave(sealed.table.lines);
        }
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut sealed = Vec::new();
        sealed.try_reserve_exact(self.sealed.len()).map_err(|_| Error::no_memory(self.sealed.len()))?;
        for one in &self.sealed {
            let (table, stash, tally) = (one.table.try_clone()?, one.stash.try_clone()?, one.tally.try_clone()?);
            sealed.push(Sealed { table, stash, tally, ..*one });
        }
        Ok(Self { newest: self.newest.try_clone()?, sealed, leaving: Vec::new(), ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::contract::Contract;
    use crate::filter::values::Verdict;
    use crate::hash::KeyHash;
    use crate::kind::Kind;
    use crate::options::{ClockSource, Options};

    /// A window that needs eight times its memory: what is within reach is always found, and the reach is that of most of
    /// the memory, not of the few keys since the last table came.
    #[test]
    fn at_the_limit_the_oldest_go_and_the_reach_is_that_of_the_memory() {
        const WINDOW: u64 = 1_000_000;
        for memory in [8 << 10, 32 << 10, 128 << 10] {
            let options = Options::new(Kind::WindowTable).window_ns(WINDOW).clock(ClockSource::Manual).memory(memory);
            let mut filter = WindowTable::new(&options.error_rate(1e-3)).unwrap();
            let keys = 8 * memory * 8 / 23; // a window
            let held = WINDOW / 8;
            let (mut least, mut checks) = (u64::MAX, 0);
            for i in 0..3 * keys {
                let now = Tick(i * WINDOW / keys);
                filter.observe(KeyHash(i).derived(), now).unwrap();
                let stats = filter.stats(now);
                assert!(stats.bytes <= memory, "{} of {memory}", stats.bytes);
                if i > keys {
                    least = least.min(stats.reach_ns);
                }
                // The oldest key within reach, and one between.
                for back in [stats.reach_ns, stats.reach_ns / 2] {
                    let old = (now.0.saturating_sub(back) * keys).div_ceil(WINDOW);
                    if old <= i {
                        checks += 1;
                        assert_eq!(filter.contains(KeyHash(old).derived(), now), Verdict::Duplicate, "{old} at {i}");
                    }
                }
            }
            println!("{memory} bytes: a reach of {least} ns at least, of {held}");
            assert!(least * 100 >= held * 55, "{least} ns of {held} in {memory} bytes");
            assert!(checks > 5 * keys);
        }
    }

    impl KeyHash {
        /// A key of its own for every number.
        fn derived(self) -> Self {
            Self(self.derive(7))
        }
    }
}
