//! An exact map of whole hashes, each with the part of its last sighting: a small filter as a whole, and of a larger one the keys
//! that found no room in their lines.
//!
//! ```text
//!  slots      [ .. | m seen | m seen | .. | m seen | .. ]      see `slots`
//!  growing    [ old: moved | moved | m | m ]  [ new: .. ]      16 slots move with each call, both are asked and both are counted
//! ```
//! **Law.** A key is found until it is taken out. Slots are in order, so equal contents are listed alike however they came.
//! **Price.** A few slots for a call, 16 bytes a slot at most 3/4 of which are in use, so 16 to 24 a key with 12 in each.

use crate::error::Error;
use crate::num;
use crate::raw::arena::Account;
use crate::raw::boxed;

use super::position::Part;
use super::slots::{FIRST, INVERSE, ODD, SLOTS_A_CALL, Slot, Slots, bytes_of, homes_for, is_dense, more, slots_of};

/// What happens to a key that a sweep meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    Goes,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Stash {
    slots: Slots,
    /// The slots before a change of their number, until all have moved.
    old: Option<Box<Slots>>,
    /// Where a sweep is, and how many slots are left to it.
    swept: usize,
    to_sweep: usize,
    account: Account,
}

impl Stash {
    pub(super) fn new(account: &Account) -> Self {
        Self { slots: Slots::default(), old: None, swept: 0, to_sweep: 0, account: account.clone() }
    }

    /// Makes room for `keys` keys, of a stash that has none.
    pub(super) fn reserve(&mut self, keys: u64) -> Result<(), Error> {
        if self.slots.homes == 0 {
            self.slots = Slots::new(homes_for(keys), &self.account)?;
        }
        Ok(())
    }

    pub(super) const fn account(&self) -> &Account {
        &self.account
    }

    /// Whether there may be any key in it.
    #[inline(always)]
    pub(super) const fn has_any(&self) -> bool {
        self.slots.used > 0 || self.old.is_some()
    }

    /// The same where no slots have to move, as where nothing is due: one comparison.
    #[inline(always)]
    pub(super) fn has_any_at_rest(&self) -> bool {
        debug_assert!(self.old.is_none(), "slots that move are due");
        self.slots.used > 0
    }

    pub(super) fn len(&self) -> u64 {
        num::wide(self.all().map(|slots| slots.used).sum::<usize>())
    }

    /// The slots, and the old ones.
    fn all(&self) -> impl Iterator<Item = &Slots> {
        std::iter::once(&self.slots).chain(self.old.as_deref())
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Slots> {
        std::iter::once(&mut self.slots).chain(self.old.as_deref_mut())
    }

    /// Whether there is memory for a key: no allocation is tried in vain for each key of a filter at its limit.
    pub(super) fn has_room(&self) -> bool {
        self.slots.homes > 0 || self.account.has_room(bytes_of(FIRST))
    }

    /// The part in which this key was seen.
    pub(super) fn find(&self, hash: u64, now: Part) -> Option<Part> {
        let m = hash.wrapping_mul(ODD);
        self.all().find_map(|slots| slots.find(m).map(|at| slots.slots[at].seen(now)))
    }

    /// Keeps a key that was seen in `part`, or later before. A key that is there needs no memory.
    pub(super) fn keep(&mut self, hash: u64, part: Part, now: Part) -> Result<(), Error> {
        let m = hash.wrapping_mul(ODD);
        for slots in self.all_mut() {
            if let Some(at) = slots.find(m) {
                slots.slots[at] = Slot::new(m, part.max(slots.slots[at].seen(now)));
                return Ok(());
            }
        }
        self.make_room()?;
        self.put(Slot::new(m, part))
    }

    fn put(&mut self, slot: Slot) -> Result<(), Error> {
        match self.slots.place(slot.m()) {
            Ok(_) => Ok(()),
            Err(at) => self.slots.insert(at, slot, &self.account),
        }
    }

    /// Room for one more key.
    fn make_room(&mut self) -> Result<(), Error> {
        if self.slots.homes == 0 {
            self.slots = Slots::new(FIRST, &self.account)?;
        } else if self.len() * 4 >= self.slots.homes * 3 {
            // Those that still have to move are among them.
            match self.resize(more(self.slots.homes)) {
                Err(error) if self.len() * 16 >= self.slots.homes * 15 => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Other slots, to which these move with the next calls.
    fn resize(&mut self, homes: u64) -> Result<(), Error> {
        // As a rule all of the last have moved.
        self.move_some(usize::MAX)?;
        let (old, slots) = (boxed(Slots::default())?, Slots::new(homes, &self.account)?);
        *self.old.insert(old).as_mut() = std::mem::replace(&mut self.slots, slots);
        (self.swept, self.to_sweep) = (0, if self.to_sweep > 0 { self.slots.slots.len() } else { 0 });
        Ok(())
    }

    /// Some slots move.
    fn move_some(&mut self, slots: usize) -> Result<(), Error> {
        let Some(mut old) = self.old.take() else { return Ok(()) };
        let end = old.moved.saturating_add(slots).min(old.slots.len());
        let moved = (old.moved..end).try_for_each(|at| {
            let slot = old.slots[at];
            if !slot.is_free() {
                self.put(slot)?;
                old.slots[at] = Slot::default();
                old.used -= 1;
            }
            old.moved = at + 1;
            Ok(())
        });
        if old.moved == old.slots.len() {
            self.account.give(old.bytes());
        } else {
            self.old = Some(old);
        }
        moved
    }

    /// Whether slots are to be moved or swept.
    pub(super) const fn is_idle(&self) -> bool {
        self.old.is_none() && self.to_sweep == 0
    }

    /// Every key is met once more by the next sweeps.
    pub(super) fn sweep_all(&mut self) {
        self.to_sweep = self.slots.slots.len();
    }

    /// Meets the keys of some slots, with the part in which each was seen.
    pub(super) fn sweep(&mut self, now: Part, mut fate: impl FnMut(u64, Part) -> Fate) {
        if self.old.is_some() {
            self.tidy();
            return;
        }
        for _ in 0..SLOTS_A_CALL {
            if self.to_sweep == 0 {
                break;
            }
            if self.swept >= self.slots.slots.len() {
                self.swept = 0;
            }
            let slot = self.slots.slots[self.swept];
            let goes = !slot.is_free() && fate(slot.m().wrapping_mul(INVERSE), slot.seen(now)) == Fate::Goes;
            if goes {
                // The next key may be here now.
                self.slots.remove(self.swept);
            } else {
                (self.swept, self.to_sweep) = (self.swept + 1, self.to_sweep - 1);
            }
        }
        self.shrink();
    }

    /// Fewer slots where few are in use.
    fn shrink(&mut self) {
        let (used, homes) = (num::wide(self.slots.used), self.slots.homes);
        if used == 0 && homes > 0 {
            self.clear();
        } else if homes > FIRST && used * 4 < homes && self.to_sweep == 0 {
            // Without memory they stay as they are.
            let _ = self.resize((used * 2).max(FIRST));
        }
    }

    /// Takes a key out; returns when it was seen.
    pub(super) fn remove(&mut self, hash: u64, now: Part) -> Option<Part> {
        let m = hash.wrapping_mul(ODD);
        let seen = self.all_mut().find_map(|slots| {
            let at = slots.find(m)?;
            let seen = slots.slots[at].seen(now);
            slots.remove(at);
            Some(seen)
        })?;
        self.tidy();
        Some(seen)
    }

    /// Some old slots move, or fewer are made where few are in use.
    fn tidy(&mut self) {
        if self.old.is_some() {
            // Without memory for a slot they wait for a key to go.
            let _ = self.move_some(SLOTS_A_CALL);
        } else {
            self.shrink();
        }
    }

    /// Takes out the key seen longest ago of the next few; returns when that was.
    pub(super) fn forget_one(&mut self, hash: u64, now: Part) -> Option<Part> {
        let m = hash.wrapping_mul(ODD);
        let slots = self.all_mut().find(|slots| slots.used > 0)?;
        let from = match slots.place(m) {
            Ok(at) | Err(at) => at,
        };
        let in_use = |at: &usize| !slots.slots[*at].is_free();
        let n = slots.slots.len();
        let next = (from..n).chain(0..from).filter(in_use).take(SLOTS_A_CALL);
        let at = next.min_by_key(|at| slots.slots[*at].seen(now))?;
        let seen = slots.slots[at].seen(now);
        slots.remove(at);
        Some(seen)
    }

    pub(super) fn clear(&mut self) {
        self.account.give(self.all().map(Slots::bytes).sum());
        (self.slots, self.old) = (Slots::default(), None);
        (self.swept, self.to_sweep) = (0, 0);
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.all().map(Slots::bytes).sum()
    }

    /// The keys in their order, each with the part in which it was seen.
    pub(super) fn in_order(&self, now: Part) -> impl Iterator<Item = (u64, Part)> + '_ {
        let old = self.old.as_ref().map_or(&[][..], |old| &old.slots);
        let [mut new, mut old] =
            [&self.slots.slots, old].map(|slots| slots.iter().filter(|slot| !slot.is_free()).peekable());
        let next = move || match (new.peek(), old.peek()) {
            (Some(a), Some(b)) if a.m() < b.m() => new.next(),
            (Some(_), None) => new.next(),
            (_, _) => old.next(),
        };
        std::iter::from_fn(next).map(move |slot| (slot.m().wrapping_mul(INVERSE), slot.seen(now)))
    }

    /// How its slots are, for a snapshot: homes, those of the old ones, how many of them have moved, where the sweep is. Slots of which
    /// few are in use would take far more memory than a snapshot has bytes: instead of these the fewest are written.
    pub(super) fn saved(&self) -> [u64; 5] {
        let (homes, [old, moved]) =
            (self.slots.homes, self.old.as_ref().map_or([0; 2], |old| [old.homes, num::wide(old.moved)]));
        if !is_dense(homes.max(old), self.len()) {
            let homes = homes_for(self.len());
            return [homes, 0, 0, 0, if self.is_idle() { 0 } else { slots_of(homes) }];
        }
        let wide = [self.swept, self.to_sweep].map(num::wide);
        [homes, old, moved.min(slots_of(old)), wide[0], wide[1]]
    }

    /// The same stash: its slots, then its keys.
    pub(super) fn restored(account: &Account, saved: [u64; 5], keys: u64) -> Result<Option<Self>, Error> {
        let [homes, old, moved, swept, to_sweep] = saved;
        let is_sound = moved <= slots_of(old)
            && swept <= u64::from(u32::MAX)
            && to_sweep <= slots_of(homes).saturating_mul(2)
            && [homes, old].iter().all(|homes| *homes == 0 || *homes >= FIRST)
            && keys <= slots_of(homes).saturating_add(slots_of(old));
        if !(is_sound && is_dense(homes.max(old), keys)) {
            return Ok(None);
        }
        let mut stash = Self::new(account);
        if homes > 0 {
            stash.slots = Slots::new(homes, account)?;
        }
        if old > 0 {
            let mut slots = boxed(Slots::new(old, account)?)?;
            slots.moved = num::index(moved);
            stash.old = Some(slots);
        }
        (stash.swept, stash.to_sweep) = (num::index(swept), num::index(to_sweep));
        Ok(Some(stash))
    }

    /// Where a key is in the order of all.
    pub(super) const fn order(hash: u64) -> u64 {
        hash.wrapping_mul(ODD)
    }

    /// Adds the next key of a snapshot to the old slots or to the others; false where it has no place there.
    pub(super) fn restore(&mut self, hash: u64, seen: Part, is_old: bool) -> bool {
        let m = hash.wrapping_mul(ODD);
        let slots = if is_old { self.old.as_deref_mut() } else { Some(&mut self.slots) };
        let Some(slots) = slots.filter(|slots| slots.homes > 0) else { return false };
        slots.place(m).is_err_and(|at| slots.insert(at, Slot::new(m, seen), &self.account).is_ok())
    }

    /// Whether a snapshot has a key among the old slots.
    pub(super) fn is_old(&self, hash: u64) -> bool {
        let is_there = |old: &Slots| old.find(hash.wrapping_mul(ODD)).is_some();
        let of_old = |old: &Slots| is_dense(self.slots.homes.max(old.homes), self.len()) && is_there(old);
        self.old.as_deref().is_some_and(of_old)
    }

    /// A copy of it on another account.
    pub(super) fn try_clone(&self, account: &Account) -> Result<Self, Error> {
        let mut copy = Self::new(account);
        copy.slots = self.slots.try_clone(account)?;
        if let Some(old) = &self.old {
            *copy.old.insert(boxed(Slots::default())?).as_mut() = old.try_clone(account)?;
        }
        (copy.swept, copy.to_sweep) = (self.swept, self.to_sweep);
        Ok(copy)
    }
}

impl Drop for Stash {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const NOW: Part = Part(1 << 40);

    /// It is listed in order, copied, and restored slot for slot.
    fn is_whole(stash: &Stash, all: &BTreeMap<u64, Part>, account: &Account) {
        let listed = stash.in_order(NOW).map(|(key, seen)| (key.wrapping_mul(ODD), seen));
        assert!(listed.eq(all.iter().map(|(m, seen)| (*m, *seen))));
        let copy = stash.try_clone(account).unwrap();
        let mut again = Stash::restored(account, stash.saved(), stash.len()).unwrap().unwrap();
        for (key, seen) in stash.in_order(NOW) {
            assert!(again.restore(key, seen, stash.is_old(key)));
        }
        assert_eq!(again.saved(), stash.saved());
        let slots = |stash: &Stash| stash.all().map(|slots| slots.slots.clone()).collect::<Vec<_>>();
        assert!(slots(&again) == slots(stash) && slots(&copy) == slots(stash));
    }

    /// Against a list in order: kept, renewed, found, taken out, swept, copied, restored, at every size.
    #[test]
    fn keys_are_found_until_they_are_taken_out() {
        let account = Account::new(u64::MAX).unwrap();
        let mut stash = Stash::new(&account);
        let mut all = BTreeMap::new();
        for i in 0..60_000u64 {
            let random = num::mix(i);
            let (key, part) = (num::mix(random % 4000), Part(NOW.0 - (random >> 44)));
            // First many keys, then few.
            match random % 8 {
                n if n < 5 && i < 40_000 || n < 1 => {
                    let seen = all.entry(key.wrapping_mul(ODD)).or_insert(part);
                    *seen = part.max(*seen);
                    stash.keep(key, part, NOW).unwrap();
                }
                5 => assert_eq!(stash.remove(key, NOW), all.remove(&key.wrapping_mul(ODD)), "{i}"),
                6 if i % 5000 == 0 => stash.sweep_all(),
                _ => stash.sweep(NOW, |key, seen| {
                    assert_eq!(all.get(&key.wrapping_mul(ODD)), Some(&seen), "{i}");
                    if key % 3 == 0 {
                        all.remove(&key.wrapping_mul(ODD));
                        return Fate::Goes;
                    }
                    Fate::Stays
                }),
            }
            let other = num::mix(random % 5000);
            assert_eq!(stash.find(other, NOW), all.get(&other.wrapping_mul(ODD)).copied(), "{i}");
            assert_eq!((stash.len(), stash.bytes()), (num::wide(all.len()), account.bytes()));
            if i % 977 == 0 {
                is_whole(&stash, &all, &account);
            }
        }
        stash.sweep_all();
        while !stash.is_idle() {
            stash.sweep(NOW, |_, _| Fate::Goes);
        }
        assert_eq!((stash.len(), account.bytes()), (0, 0));
    }

    #[test]
    fn a_thousand_keys_take_at_most_24_bytes_each_and_ten_640_in_all() {
        let account = Account::new(u64::MAX).unwrap();
        let mut stash = Stash::new(&account);
        for i in 1..=1500u64 {
            stash.keep(num::mix(i), NOW, NOW).unwrap();
            stash.sweep(NOW, |_, _| Fate::Stays);
            assert!(i > 10 || stash.bytes() <= 640, "{i}: {}", stash.bytes());
            assert!(i != 1000 || stash.bytes() <= 24_000, "{}", stash.bytes());
            assert!(i < 64 || stash.bytes() <= 45 * i, "{i}: {}", stash.bytes());
        }
    }

    #[test]
    fn without_memory_a_key_is_refused_and_the_oldest_of_some_can_go() {
        let account = Account::new(bytes_of(more(FIRST)) + bytes_of(more(more(FIRST)))).unwrap();
        let mut stash = Stash::new(&account);
        let kept = (0..100).take_while(|i| stash.keep(num::mix(*i), Part(NOW.0 - *i), NOW).is_ok()).count();
        assert!(kept >= 12, "{kept}");
        let oldest = stash.forget_one(5, NOW).unwrap();
        assert!(NOW.since(oldest) >= 5 && stash.len() == num::wide(kept) - 1);
        assert!(stash.keep(num::mix(1000), NOW, NOW).is_ok());
    }
}
