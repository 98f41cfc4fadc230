//! The open claims, in the order of claiming, found by the identity of their keys.
//!
//! ```text
//!  ring    [ hole | claim | hole | claim | claim | .. ]     oldest first; a claim that is closed leaves a hole
//!             \___ popped with the claim before it             full of holes: the claims move together
//!  index   [ . | 3 | . | 1 | 4 | . ]                        places in the ring, by the salted identity of the key
//! ```
//! All leases are equally long and the clock never runs back, so the oldest claim is the first whose lease runs out: none has
//! to be searched for. The ring has a sixteenth more places than there can be claims, so moving them together costs a call
//! 17 moves on average at most. The salt is drawn for each table, so that a sender cannot aim at the places of an index.
//!
//! **Price.** At most 40 bytes for each claim that there can be, open or not.

use crate::error::Error;
use crate::hash::Identity;
use crate::num;
use crate::raw::vec_of;
use crate::tick::Tick;

/// An open claim, or a hole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenClaim {
    pub(crate) id: Identity,
    /// When it was claimed.
    pub(crate) since: Tick,
    /// Its number; 0 of a hole.
    pub(crate) sequence: u64,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Table {
    /// Claims and holes; the oldest, which is no hole, is at `head`.
    ring: Vec<OpenClaim>,
    head: usize,
    /// Places of claims and holes from the head on; they go round.
    used: usize,
    /// Claims among them.
    open: usize,
    /// Places of the ring plus 1, or 0. There are more of them than claims.
    index: Vec<u32>,
    salt: Identity,
    most: usize,
}

/// The most claims that can be asked for: a place of the ring is 32 bits.
pub(crate) const MOST_CLAIMS: u64 = 1 << 24;

const fn ring_places(most: usize) -> usize {
    most + most / 16
}

const fn index_places(most: usize) -> usize {
    most + if most / 2 > 1 { most / 2 } else { 1 }
}

/// Bytes of the table for `most` claims.
pub(crate) const fn bytes_for(most: u64) -> u64 {
    let most = num::index(most);
    num::wide(ring_places(most) * size_of::<OpenClaim>() + index_places(most) * size_of::<u32>())
}

impl Table {
    /// A table with room for `most` claims, up to [`MOST_CLAIMS`].
    pub(crate) fn new(most: u64) -> Result<Self, Error> {
        Self::with(num::index(most), Identity::random()?)
    }

    fn with(most: usize, salt: Identity) -> Result<Self, Error> {
        let mut index = vec_of(index_places(most))?;
        index.resize(index_places(most), 0);
        Ok(Self { ring: vec_of(ring_places(most))?, head: 0, used: 0, open: 0, index, salt, most })
    }

    /// A copy of everything.
    pub(crate) fn try_clone(&self) -> Result<Self, Error> {
        let mut copy = Self::with(self.most, self.salt)?;
        self.iter().for_each(|open| copy.push(*open));
        Ok(copy)
    }

    pub(crate) const fn len(&self) -> usize {
        self.open
    }

    pub(crate) const fn most(&self) -> usize {
        self.most
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.open == self.most
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes_for(num::wide(self.most))
    }

    /// The open claims, the oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &OpenClaim> {
        (0..self.used).map(|i| &self.ring[self.place(i)]).filter(|open| open.sequence != 0)
    }

    pub(crate) fn find(&self, id: Identity) -> Option<&OpenClaim> {
        self.slot(id).map(|slot| &self.ring[self.place_in(slot)])
    }

    /// Adds a claim on a key that has none, not older than the others; the table is not full.
    pub(crate) fn push(&mut self, open: OpenClaim) {
        if self.used == ring_places(self.most) {
            self.move_together();
        }
        let place = self.place(self.used);
        match self.ring.get_mut(place) {
            Some(free) => *free = open,
            // The ring has room for all of its places from the start.
            None => self.ring.push(open),
        }
        self.used += 1;
        self.open += 1;
        self.enter(place);
    }

    /// Closes the claim on a key, if there is one.
    pub(crate) fn close(&mut self, id: Identity) -> Option<OpenClaim> {
        let slot = self.slot(id)?;
        let place = self.place_in(slot);
        self.take_out(slot);
        let closed = std::mem::replace(&mut self.ring[place].sequence, 0);
        self.open -= 1;
        self.skip_holes();
        Some(OpenClaim { sequence: closed, ..self.ring[place] })
    }

    /// Closes the oldest claim if `is_over` is true of it.
    pub(crate) fn close_oldest_if(&mut self, is_over: impl FnOnce(&OpenClaim) -> bool) -> bool {
        let oldest = if self.open > 0 { self.ring.get(self.head).copied() } else { None };
        oldest.filter(is_over).and_then(|open| self.close(open.id)).is_some()
    }

    pub(crate) fn clear(&mut self) {
        self.index.fill(0);
        self.ring.clear();
        (self.head, self.used, self.open) = (0, 0, 0);
    }

    fn skip_holes(&mut self) {
        while self.used > 0 && self.ring[self.head].sequence == 0 {
            self.head = self.place(1);
            self.used -= 1;
        }
    }

    /// The place in the ring of the `i`-th from the head on.
    fn place(&self, i: usize) -> usize {
        (self.head + i) % ring_places(self.most)
    }

    /// Moves the claims to the head of the ring, so that all holes are behind them.
    fn move_together(&mut self) {
        let mut kept = 0;
        for i in 0..self.used {
            let (from, to) = (self.place(i), self.place(kept));
            if self.ring[from].sequence == 0 {
                continue;
            }
            if from != to {
                if let Some(slot) = self.slot(self.ring[from].id) {
                    self.index[slot] = number(to);
                }
                self.ring[to] = self.ring[from];
            }
            kept += 1;
        }
        self.used = kept;
    }

    /// The slot of the index where the probe for a key begins.
    fn home(&self, id: Identity) -> usize {
        let mixed = num::mix(num::mix(id.0 ^ self.salt.0) ^ id.1 ^ self.salt.1);
        num::index(num::spread(mixed, num::wide(self.index.len())))
    }

    fn next(&self, slot: usize) -> usize {
        if slot + 1 == self.index.len() { 0 } else { slot + 1 }
    }

    /// The place in the ring that an occupied slot names.
    fn place_in(&self, slot: usize) -> usize {
        num::index(u64::from(self.index[slot])) - 1
    }

    /// The slot of the claim on a key.
    fn slot(&self, id: Identity) -> Option<usize> {
        let mut slot = self.home(id);
        while self.index[slot] != 0 {
            if self.ring[self.place_in(slot)].id == id {
                return Some(slot);
            }
            slot = self.next(slot);
        }
        None
    }

    /// Enters the claim at this place of the ring into the index.
    fn enter(&mut self, place: usize) {
        let mut slot = self.home(self.ring[place].id);
        while self.index[slot] != 0 {
            slot = self.next(slot);
        }
        self.index[slot] = number(place);
    }

    /// Empties a slot, and moves those behind it up that would not be found over an empty one.
    fn take_out(&mut self, mut empty: usize) {
        let mut slot = self.next(empty);
        while self.index[slot] != 0 {
            let home = self.home(self.ring[self.place_in(slot)].id);
            // It stays if its probe begins behind the empty slot, going round.
            let stays = if empty <= slot { empty < home && home <= slot } else { empty < home || home <= slot };
            if !stays {
                self.index[empty] = self.index[slot];
                empty = slot;
            }
            slot = self.next(slot);
        }
        self.index[empty] = 0;
    }
}

/// A place of the ring as the index has it.
fn number(place: usize) -> u32 {
    num::lower(num::wide(place + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::rng::Rng;

    fn identity(n: u64) -> Identity {
        Identity(num::mix(n), n)
    }

    /// The table against a list of claims in order, over pushes, closings anywhere and from the old end.
    fn agrees_with_a_list(most: usize, keys: u64, calls: usize) {
        let mut table = Table::with(most, Identity(3, 5)).unwrap();
        let mut model: VecDeque<(u64, u64)> = VecDeque::new();
        let mut rng = Rng::new(7, 0);
        for now in 1..=num::wide(calls) {
            let key = rng.below(keys);
            let known = model.iter().position(|(open, _)| *open == key);
            assert_eq!(table.find(identity(key)).map(|open| open.sequence), known.map(|at| model[at].1), "{now}");
            match (known, rng.below(8)) {
                (Some(at), 0..=4) => {
                    let closed = table.close(identity(key)).map(|open| open.sequence);
                    assert_eq!(closed, model.remove(at).map(|(_, sequence)| sequence));
                }
                (_, 5) => {
                    let oldest = model.front().map(|(_, sequence)| *sequence);
                    let is_even = oldest.is_some_and(|sequence| sequence % 2 == 0);
                    assert_eq!(table.close_oldest_if(|open| open.sequence % 2 == 0), is_even);
                    if is_even {
                        model.pop_front();
                    }
                }
                (None, _) if model.len() < most => {
                    table.push(OpenClaim { id: identity(key), since: Tick(now), sequence: now });
                    model.push_back((key, now));
                }
                (None, _) => assert!(table.is_full()),
                (Some(_), _) => assert_eq!(table.close(identity(key + keys)).map(|open| open.sequence), None),
            }
            assert!(table.iter().map(|open| open.sequence).eq(model.iter().map(|(_, sequence)| *sequence)), "{now}");
            assert_eq!(table.len(), model.len());
        }
        let copy = table.try_clone().unwrap();
        assert!(copy.iter().map(|open| open.since).eq(table.iter().map(|open| open.since)));
        table.clear();
        assert!(table.iter().next().is_none() && copy.len() == model.len());
    }

    #[test]
    fn table_any_calls_equals_a_list() {
        for (most, keys) in [(1, 3), (2, 5), (3, 9), (16, 40), (16, 17), (100, 105), (257, 600)] {
            agrees_with_a_list(most, keys, 20_000);
        }
    }

    #[test]
    fn table_any_size_takes_at_most_40_bytes_a_claim() {
        for most in (1..5000).chain([1 << 16, MOST_CLAIMS]) {
            assert!(bytes_for(most) <= 40 * most, "{most}: {}", bytes_for(most));
        }
        let table = Table::with(1000, Identity(0, 0)).unwrap();
        let real = table.ring.capacity() * size_of::<OpenClaim>() + table.index.capacity() * size_of::<u32>();
        assert_eq!(num::wide(real), table.bytes());
    }

    /// The oldest claim stays open while others come and go: every push near the limit has to find a free place.
    #[test]
    fn move_together_table_nearly_full_costs_a_few_moves_each() {
        let most = 4096;
        let mut table = Table::with(most, Identity(1, 2)).unwrap();
        (1..=4096).for_each(|n| table.push(OpenClaim { id: identity(n), since: Tick(0), sequence: n }));
        let mut moves = 0;
        for n in 4097..100_000 {
            let closed = table.close(identity(n - 2000));
            assert!(closed.is_some());
            moves += usize::from(table.used == ring_places(most)) * table.open;
            table.push(OpenClaim { id: identity(n), since: Tick(0), sequence: n });
        }
        assert!(moves < 17 * 96_000, "{moves}");
        assert_eq!(table.find(identity(1)).map(|open| open.sequence), Some(1));
    }
}
