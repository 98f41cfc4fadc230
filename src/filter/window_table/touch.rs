//! What happens to one key: found and renewed, or stored.

use std::marker::PhantomData;

use crate::error::Error;
use crate::filter::contract::{Series, Way};
use crate::filter::values::Verdict;
use crate::hash::KeyHash;
use crate::options::{OnLimit, Repeat};
use crate::simd::{Baseline, Instructions, Task};
use crate::tick::Tick;

use super::hand::Hand;
use super::line;
use super::table::Place;
use super::{Core, WindowTable};

/// What is done with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Observe,
    Insert,
}

impl Core {
    /// Asks for the lines of a key.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        self.newest.prefetch(hash);
        self.prefetch_sealed(hash);
    }

    /// Asks for its lines in the tables that drain. A new key needs them all, and none waits for another.
    #[inline]
    pub(super) fn prefetch_sealed(&self, hash: u64) {
        self.sealed.iter().for_each(|sealed| sealed.table.prefetch(hash));
    }

    /// Tests a key, and stores it if the verb and the rules want that.
    #[inline(always)]
    pub(super) fn touch<I: Instructions>(&self, hand: &mut Hand, hash: u64, verb: Verb) -> Verdict {
        let counted = u64::from(verb == Verb::Observe);
        let (span, part) = (&self.plan.span, self.position.part);
        let place = self.newest.shape.place(hash);
        let both = self.newest.both(&place, part);
        both.lines[1].prefetch();
        self.newest.sweep(hand, part, span);
        for (side, spot) in [place.home, place.other].into_iter().enumerate() {
            let (line, at) = ((both.lines[side], both.now[side]), (spot.group, spot.line));
            let behind = self.newest.freshen_line(hand, line, at, part, span);
            hand.meet(behind);
        }
        let renews = self.plan.repeat == Repeat::Refresh || verb == Verb::Insert;
        if let Some(cell) = self.newest.find::<I>(&both, place.print) {
            if renews {
                self.newest.renew(hand, &both, cell, place.print);
            }
            hand.seen.duplicate_count += counted;
            return Verdict::Duplicate;
        }
        let marked = line::is_marked(both.lines[0]);
        if marked || self.overfull || !self.sealed.is_empty() || !hand.stash.is_empty() {
            let verdict = self.touch_elsewhere(hand, hash, renews, marked);
            hand.seen.duplicate_count += counted & u64::from(verdict.is_duplicate());
            hand.seen.new_count += counted & u64::from(verdict.is_new());
            return verdict;
        }
        if self.plan.timed {
            hand.room -= 1;
        }
        if !self.newest.store::<I>(hand, &both, place.print) {
            self.newest.store_in_full(hand, hash, part, span);
        }
        hand.seen.new_count += counted;
        Verdict::New
    }

    /// The same for a key without a cell in the newest table where there is more to ask than that.
    #[cold]
    #[inline(never)]
    fn touch_elsewhere(&self, hand: &mut Hand, hash: u64, renews: bool, marked: bool) -> Verdict {
        let place = self.newest.shape.place(hash);
        let known = self.knows_otherwise(hand, hash, &place, marked);
        if renews || !known {
            self.store(hand, hash, marked);
        }
        Verdict::of(known)
    }

    /// Whether a key without a cell in the newest table is in a stash or in a sealed table, or is of a closed group.
    fn knows_otherwise(&self, hand: &Hand, hash: u64, place: &Place, marked: bool) -> bool {
        let (span, part) = (&self.plan.span, self.position.part);
        self.prefetch_sealed(hash);
        let (home, print) = (place.home, self.newest.shape.layout.whole(place.print));
        (marked && hand.stash.find(home.group, home.line, print, part, span).is_some())
            || hand.stash.is_closed(home.group, part, span)
            || self.sealed.iter().any(|sealed| sealed.find(hash, part, span).is_some())
    }

    fn store(&self, hand: &mut Hand, hash: u64, marked: bool) {
        let (span, part) = (&self.plan.span, self.position.part);
        let place = &self.newest.shape.place(hash);
        if marked {
            let print = self.newest.shape.layout.whole(place.print);
            hand.stash.take(place.home.group, place.home.line, print);
        }
        if self.plan.timed {
            hand.room -= 1;
            if self.overfull && self.plan.on_limit == OnLimit::ForgetOldest {
                if let Some(last) = self.newest.replace_oldest(hand, place, part) {
                    return hand.forget(last);
                }
            }
        }
        if !self.newest.store::<Baseline>(hand, &self.newest.both(place, part), place.print) {
            self.newest.store_in_full(hand, hash, part, span);
        }
    }

    /// The verdict that `touch` would give at `now`. Changes nothing.
    #[inline]
    pub(super) fn contains(&self, hand: &Hand, hash: u64, now: Tick) -> Verdict {
        let part = self.part_at(now);
        let place = self.newest.shape.place(hash);
        self.newest.line(&place.other).prefetch();
        if self.newest.look(&place, part, self.position.part).is_some() {
            return Verdict::Duplicate;
        }
        let marked = line::is_marked(self.newest.line(&place.home));
        if marked || !self.sealed.is_empty() || !hand.stash.is_empty() {
            return self.contains_elsewhere(hand, hash, part);
        }
        Verdict::New
    }

    #[cold]
    #[inline(never)]
    fn contains_elsewhere(&self, hand: &Hand, hash: u64, part: u64) -> Verdict {
        let (span, place) = (&self.plan.span, self.newest.shape.place(hash));
        let known = hand.stash.sighting(&place, &self.newest, part, span).is_some()
            || self.sealed.iter().any(|sealed| sealed.find(hash, part, span).is_some());
        Verdict::of(known)
    }
}

/// A key of an unshared filter.
#[derive(Debug)]
pub(super) struct Touch<'a>(pub(super) &'a mut WindowTable, pub(super) Verb);

impl Task for Touch<'_> {
    type Given = (KeyHash, Tick);
    type Result = Result<Verdict, Error>;

    #[inline(always)]
    fn run<I: Instructions>(self, (key, now): (KeyHash, Tick)) -> Result<Verdict, Error> {
        Ok(self.0.touch::<I>(key, now, self.1))
    }
}

/// Many observations of an unshared filter: what does not hang on a key is at hand for all of them.
pub(super) struct TouchEach<'a, S>(pub(super) &'a mut WindowTable, pub(super) S);

impl<S: Series<WindowTable>> Task for TouchEach<'_, S> {
    type Given = ();
    type Result = S::Result;

    #[inline(always)]
    fn run<I: Instructions>(self, (): ()) -> S::Result {
        self.1.run::<By<I>>(self.0)
    }
}

/// By these instructions.
struct By<I>(PhantomData<I>);

impl<I: Instructions> Way<WindowTable> for By<I> {
    #[inline(always)]
    fn observe(filter: &mut WindowTable, key: KeyHash, now: Tick) -> Result<Verdict, Error> {
        Ok(filter.touch::<I>(key, now, Verb::Observe))
    }
}

/// A key under the lock of a shared filter.
pub(super) struct TouchLocked<'a>(pub(super) &'a Core, pub(super) &'a mut Hand);

impl Task for TouchLocked<'_> {
    type Given = (KeyHash, Verb);
    type Result = Verdict;

    #[inline(always)]
    fn run<I: Instructions>(self, (key, verb): (KeyHash, Verb)) -> Verdict {
        self.0.touch::<I>(self.1, key.mixed(), verb)
    }
}
