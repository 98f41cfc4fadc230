//! The last resort of a group: at most 64 keys that found no room in their lines, and then the group is closed.
//!
//! **Law.** A key in the stash is found for as long as a cell of its line would be. Of a closed group every key is
//! called a duplicate, until a window after the last key that found no room there either: so no key within the window is
//! ever new, whoever aims. Where there is no memory for a key the group is closed instead; where there is none for the
//! group's record, all groups of the table are.
//! **Price.** At the planned fill about one key in ten million; then one record a group, found by bisection.

use std::ops::RangeInclusive;

use crate::error::Error;
use crate::raw::push;

use super::line::{self, Print};
use super::position::{PARTS, Span};
use super::table::{Place, Table};

/// Keys that a group's stash holds.
pub(super) const MOST: usize = 64;

/// A key without a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// Its home line.
    pub(super) home: usize,
    /// The phase of that line.
    pub(super) phase: u64,
    pub(super) print: Print,
    /// The position at which it was seen.
    pub(super) part: u64,
}

impl Kept {
    /// Whether a cell of its line would still be there.
    pub(super) fn lives(&self, part: u64, span: &Span) -> bool {
        (part + self.phase) / PARTS - (self.part + self.phase) / PARTS <= span.parts / PARTS
    }

    fn is(&self, home: usize, print: Print) -> bool {
        self.home == home && self.print == print
    }
}

/// What a group holds beside its lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) group: u64,
    pub(super) keys: Vec<Kept>,
    /// The position of the last key that found no room.
    pub(super) closed: Option<u64>,
}

/// The groups that hold something, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stash {
    pub(super) groups: Vec<Held>,
    /// The position of the last key whose group could not have a record for want of memory: until a window after it all
    /// groups are closed.
    pub(super) shut: Option<u64>,
}

impl Stash {
    fn place(&self, group: u64) -> Result<usize, usize> {
        self.groups.binary_search_by_key(&group, |held| held.group)
    }

    fn group(&self, group: u64) -> Option<&Held> {
        self.place(group).ok().map(|at| &self.groups[at])
    }

    /// Whether a key of this line is there.
    pub(super) fn has_home(&self, group: u64, home: usize, part: u64, span: &Span) -> bool {
        self.group(group).is_some_and(|held| held.keys.iter().any(|key| key.home == home && key.lives(part, span)))
    }

    /// Whether the group is closed.
    #[inline]
    pub(super) fn is_closed(&self, group: u64, part: u64, span: &Span) -> bool {
        !self.is_empty()
            && (self.is_shut(part, span) || self.group(group).is_some_and(|held| held.is_closed(part, span)))
    }

    /// Whether all groups are closed.
    pub(super) fn is_shut(&self, part: u64, span: &Span) -> bool {
        self.shut.is_some_and(|shut| part - shut < span.lifetime())
    }

    /// Whether nothing is held and nothing closed.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.shut.is_none()
    }

    /// The position at which this key was seen, if it is there.
    pub(super) fn find(&self, group: u64, home: usize, print: Print, part: u64, span: &Span) -> Option<u64> {
        let held = self.group(group)?;
        held.keys.iter().find(|key| key.is(home, print) && key.lives(part, span)).map(|key| key.part)
    }

    /// The positions between which the key of this place was seen: one, if it is here; any within a lifetime, if its
    /// group is closed.
    pub(super) fn sighting(&self, place: &Place, table: &Table, part: u64, span: &Span) -> Option<RangeInclusive<u64>> {
        let (group, line) = (place.home.group, place.home.line);
        let print = table.shape.layout.whole(place.print);
        let marked = line::is_marked(table.line(&place.home));
        let kept = if marked { self.find(group, line, print, part, span) } else { None };
        let closed = || self.is_closed(group, part, span).then(|| part - span.lifetime()..=part);
        kept.map(|seen| seen..=seen).or_else(closed)
    }

    /// Takes this key out.
    pub(super) fn take(&mut self, group: u64, home: usize, print: Print) {
        if let Ok(at) = self.place(group) {
            self.groups[at].keys.retain(|key| !key.is(home, print));
        }
    }

    /// Keeps a key, or closes its group if that holds 64 that are needed, or if there is no memory for one more.
    pub(super) fn keep(&mut self, group: u64, key: Kept, span: &Span) {
        let place = self.place(group);
        if place.is_err() && self.groups.try_reserve(1).is_err() {
            self.shut = Some(key.part);
            return;
        }
        let at = place.unwrap_or_else(|at| {
            self.groups.insert(at, Held { group, ..Held::default() });
            at
        });
        let held = &mut self.groups[at];
        held.keys.retain(|other| other.lives(key.part, span));
        if held.keys.len() < MOST && held.keys.try_reserve(1).is_ok() {
            held.keys.push(key);
        } else {
            held.closed = Some(key.part);
        }
    }

    /// Takes the records of another stash in, whose groups are all above; closes all groups if there is no memory for them.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.shut = self.shut.max(other.shut.take());
        for held in other.groups.drain(..) {
            self.push(held);
        }
    }

    /// Adds the record of a group above all others; closes all groups if there is no memory for it.
    pub(super) fn push(&mut self, held: Held) {
        if self.groups.try_reserve(1).is_ok() {
            self.groups.push(held);
        } else {
            self.shut = self.shut.max(held.last());
        }
    }

    /// Forgets what no one needs any more.
    pub(super) fn tidy(&mut self, part: u64, span: &Span) {
        self.groups.retain_mut(|held| {
            held.keys.retain(|key| key.lives(part, span));
            held.closed = held.closed.filter(|_| held.is_closed(part, span));
            !held.keys.is_empty() || held.closed.is_some()
        });
        self.shut = self.shut.filter(|_| self.is_shut(part, span));
    }

    /// Keys that are needed, and closed groups of that many.
    pub(super) fn count(&self, part: u64, span: &Span, groups: u64) -> (u64, u64) {
        let (keys, closed) = self.groups.iter().fold((0, 0), |(keys, closed), held| {
            let here: u64 = held.keys.iter().map(|key| u64::from(key.lives(part, span))).sum();
            (keys + here, closed + u64::from(held.is_closed(part, span)))
        });
        (keys, if self.is_shut(part, span) { groups } else { closed })
    }

    pub(super) fn try_clone(&self) -> Result<Self, Error> {
        let mut groups = Vec::new();
        for held in &self.groups {
            let mut keys = Vec::new();
            held.keys.iter().try_for_each(|key| push(&mut keys, *key))?;
            push(&mut groups, Held { keys, ..*held })?;
        }
        Ok(Self { groups, shut: self.shut })
    }
}

impl Held {
    /// The last position of which it holds anything.
    fn last(&self) -> Option<u64> {
        self.keys.iter().map(|key| key.part).max().max(self.closed)
    }

    fn is_closed(&self, part: u64, span: &Span) -> bool {
        self.closed.is_some_and(|closed| part - closed < span.lifetime())
    }
}
