//! What happens to one key: found and renewed, or stored.

use crate::filter::values::Verdict;
use crate::options::{OnLimit, Repeat};
use crate::tick::Tick;

use super::Core;
use super::hand::Hand;
use super::line;
use super::table::{Both, Place};

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
    pub(super) fn touch(&self, hand: &mut Hand, hash: u64, verb: Verb) -> Verdict {
        let (span, part) = (&self.plan.span, self.position.part);
        let place = self.newest.shape.place(hash);
        let lines = self.newest.both(&place);
        lines.other.prefetch();
        self.newest.sweep(hand, part, span);
        self.newest.freshen_line(hand, lines.home, &place.home, part, span);
        self.newest.freshen_line(hand, lines.other, &place.other, part, span);
        if !self.plan.timed {
            hand.room -= 1;
        }
        let renews = self.plan.repeat == Repeat::Refresh || verb == Verb::Insert;
        if let Some((found, line)) = self.newest.find(&place, lines, part) {
            if renews {
                self.newest.renew(hand, &found, line, part);
            }
            return Verdict::Duplicate;
        }
        let marked = line::is_marked(lines.home);
        let known = if marked || !self.sealed.is_empty() || !hand.stash.is_empty() {
            // A copy, so that the place itself can stay in registers; below alike.
            let copy = place;
            self.knows_otherwise(hand, hash, &copy, marked)
        } else {
            false
        };
        if renews || !known {
            self.store(hand, &place, lines, marked);
        }
        Verdict::of(known)
    }

    /// Whether a key without a cell in the newest table is in a stash or in a sealed table, or is of a closed group.
    #[cold]
    #[inline(never)]
    fn knows_otherwise(&self, hand: &Hand, hash: u64, place: &Place, marked: bool) -> bool {
        let (span, part) = (&self.plan.span, self.position.part);
        self.prefetch_sealed(hash);
        let (home, print) = (place.home, self.newest.shape.layout.whole(place.print));
        (marked && hand.stash.find(home.group, home.line, print, part, span).is_some())
            || hand.stash.is_closed(home.group, part, span)
            || self.sealed.iter().any(|sealed| sealed.find(hash, part, span).is_some())
    }

    #[inline(always)]
    fn store(&self, hand: &mut Hand, place: &Place, lines: Both<'_>, marked: bool) {
        let (span, part) = (&self.plan.span, self.position.part);
        if marked {
            let place = *place;
            let print = self.newest.shape.layout.whole(place.print);
            hand.stash.take(place.home.group, place.home.line, print);
        }
        if self.plan.timed {
            hand.room -= 1;
            if self.overfull && self.plan.on_limit == OnLimit::ForgetOldest {
                let place = *place;
                if let Some(last) = self.newest.replace_oldest(hand, &place, part) {
                    return hand.forget(last);
                }
            }
        }
        self.newest.store(hand, place, lines, part, span);
    }

    /// The verdict that `touch` would give at `now`. Changes nothing.
    #[inline]
    pub(super) fn contains(&self, hand: &Hand, hash: u64, now: Tick) -> Verdict {
        let (span, part) = (&self.plan.span, self.part_at(now));
        let place = self.newest.shape.place(hash);
        self.newest.line(&place.other).prefetch();
        if self.newest.look(&place, part, self.position.part).is_some() {
            return Verdict::Duplicate;
        }
        let known = hand.stash.sighting(&place, &self.newest, part, span).is_some()
            || self.sealed.iter().any(|sealed| sealed.find(hash, part, span).is_some());
        Verdict::of(known)
    }
}
