//! Slots in order: keys with the part of their last sighting, found by their place among all.
//!
//! ```text
//!  slots      [ .. | m seen | m seen | .. | m seen | .. ]      m = hash x odd, in ascending order from slot to slot
//!  home       of m: m x homes / 2^64, so that order is kept where a key is a few slots behind its home; spare slots follow the last home
//! ```
//! **Law.** A key is at its home or behind it, with no free slot between. The bytes of all slots are on an account.
//! **Price.** 12 bytes a slot, and a few slots for a call.

use crate::error::Error;
use crate::num;
use crate::raw::arena::Account;

use super::position::Part;

/// Slots that a call looks at, beyond those of its key.
pub(super) const SLOTS_A_CALL: usize = 16;

/// Spreads a hash: keys that find no room have their lowest bits in common. Its inverse gives the hash back.
pub(super) const ODD: u64 = num::STEP;
pub(super) const INVERSE: u64 = {
    let mut inverse: u64 = ODD;
    let mut i = 0;
    while i < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(ODD.wrapping_mul(inverse)));
        i += 1;
    }
    inverse
};

/// A key: the two halves of m, and the part in which it was seen, or 0 where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot([u32; 3]);

const SLOT_BYTES: u64 = num::wide(size_of::<Slot>());

/// Set in every slot that is in use. The other bits of a part are its lowest.
const USED: u32 = 1 << 31;

impl Slot {
    pub(super) const fn new(m: u64, seen: Part) -> Self {
        Self([num::lower(m), num::upper(m), num::lower(seen.0) | USED])
    }

    pub(super) const fn is_free(self) -> bool {
        self.0[2] == 0
    }

    pub(super) fn m(self) -> u64 {
        u64::from(self.0[0]) | (u64::from(self.0[1]) << 32)
    }

    /// The part, which is not after `now` nor 2^31 parts before it.
    pub(super) fn seen(self, now: Part) -> Part {
        let ago = num::lower(now.0).wrapping_sub(self.0[2]) & !USED;
        Part(now.0.saturating_sub(u64::from(ago)))
    }
}

/// Slots in order.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) slots: Vec<Slot>,
    pub(super) homes: u64,
    pub(super) used: usize,
    /// Slots that have moved: those before are free, whatever has its home there.
    pub(super) moved: usize,
}

/// Slots behind the last home: chance fills them once in 50,000 times, and in 10^15 where homes are many. Then there is one more. Few homes
/// have few: a filter of three keys is small.
const fn spare(homes: u64) -> u64 {
    match homes / 8 {
        _ if homes < HOMES_OF_MANY => 4,
        few if few < 16 => 16,
        few if few > 64 => 64,
        few => few,
    }
}

/// Slots of `homes` homes.
pub(super) const fn slots_of(homes: u64) -> u64 {
    if homes == 0 { 0 } else { homes.saturating_add(spare(homes)) }
}

pub(super) const fn bytes_of(homes: u64) -> u64 {
    slots_of(homes).saturating_mul(SLOT_BYTES)
}

/// Whether a snapshot with `keys` keys may ask for `homes` homes: those of any map, whose keys may have gone to lines; else 64 for each
/// key, and those that a few more keys would have.
pub(super) const fn is_dense(homes: u64, keys: u64) -> bool {
    homes <= 4096 || homes / 64 <= keys.saturating_add(num::wide(SLOTS_A_CALL))
}

/// The fewest homes of `keys` keys.
pub(super) const fn homes_for(keys: u64) -> u64 {
    let mut homes = FIRST;
    while keys * 4 >= homes * 3 {
        homes = more(homes);
    }
    homes
}

/// The next number of homes.
pub(super) const fn more(homes: u64) -> u64 {
    if homes < HOMES_OF_FEW {
        HOMES_OF_FEW
    } else if homes < HOMES_OF_MANY {
        HOMES_OF_MANY
    } else {
        homes + homes / 4
    }
}

/// Bytes of this many keys while they come to new slots.
pub(super) const fn bytes_for(keys: u64) -> u64 {
    let (mut before, mut homes) = (0, FIRST);
    while keys * 4 >= homes * 3 {
        (before, homes) = (homes, more(homes));
    }
    bytes_of(before) + bytes_of(homes)
}

/// Bytes of this many keys once all have moved.
pub(super) const fn bytes_settled(keys: u64) -> u64 {
    bytes_of(homes_for(keys))
}

/// The fewest homes: those of three keys. The next are those of six.
pub(super) const FIRST: u64 = 4;
const HOMES_OF_FEW: u64 = 9;
/// From these on 1,000 keys have room in slots to which all have moved.
const HOMES_OF_MANY: u64 = 18;

impl Slots {
    pub(super) fn new(homes: u64, account: &Account) -> Result<Self, Error> {
        let (mut slots, n) = (Vec::new(), num::index(homes + spare(homes)));
        let no_memory = || Error::no_memory_for::<Slot>(n);
        if !account.take(bytes_of(homes)) {
            return Err(no_memory());
        }
        if slots.try_reserve_exact(n).is_err() {
            account.give(bytes_of(homes));
            return Err(no_memory());
        }
        account.note();
        slots.resize(n, Slot::default());
        Ok(Self { slots, homes, used: 0, moved: 0 })
    }

    /// A copy of them on another account.
    pub(super) fn try_clone(&self, account: &Account) -> Result<Self, Error> {
        if self.homes == 0 {
            return Ok(Self::default());
        }
        let mut copy = Self::new(self.homes, account)?;
        while copy.slots.len() < self.slots.len() {
            copy.lengthen(account)?;
        }
        copy.slots.copy_from_slice(&self.slots);
        (copy.used, copy.moved) = (self.used, self.moved);
        Ok(copy)
    }

    /// Where a key is.
    pub(super) fn find(&self, m: u64) -> Option<usize> {
        if self.used == 0 { None } else { self.place(m).ok() }
    }

    /// Where a key is, or where it would be put.
    pub(super) fn place(&self, m: u64) -> Result<usize, usize> {
        let mut at = num::index(num::spread(m, self.homes)).max(self.moved);
        while let Some(slot) = self.slots.get(at).filter(|slot| !slot.is_free() && slot.m() <= m) {
            if slot.m() == m {
                return Ok(at);
            }
            at += 1;
        }
        Err(at)
    }

    /// Puts a key in its place.
    pub(super) fn insert(&mut self, at: usize, slot: Slot, account: &Account) -> Result<(), Error> {
        let end = match self.slots[at..].iter().position(|slot| slot.is_free()) {
            Some(end) => end,
            None => {
                let behind = self.slots.len() - at;
                self.lengthen(account)?;
                behind
            }
        };
        self.slots.copy_within(at..at + end, at + 1);
        self.slots[at] = slot;
        self.used += 1;
        Ok(())
    }

    /// One more slot behind the last.
    #[cold]
    pub(super) fn lengthen(&mut self, account: &Account) -> Result<(), Error> {
        let no_memory = || Error::no_memory_for::<Slot>(1);
        if !account.take(SLOT_BYTES) {
            return Err(no_memory());
        }
        // Exactly: it is on the account.
        if self.slots.try_reserve_exact(1).is_err() {
            account.give(SLOT_BYTES);
            return Err(no_memory());
        }
        account.note();
        self.slots.push(Slot::default());
        Ok(())
    }

    /// Bytes of its slots.
    pub(super) fn bytes(&self) -> u64 {
        num::wide(self.slots.len()) * SLOT_BYTES
    }

    /// Takes a key out; those behind it move to their homes.
    pub(super) fn remove(&mut self, at: usize) {
        let homes = self.homes;
        let stays = |(i, slot): (usize, &Slot)| slot.is_free() || num::index(num::spread(slot.m(), homes)) > at + i;
        let behind = self.slots[at + 1..].iter().enumerate().position(stays).unwrap_or(self.slots.len() - at - 1);
        self.slots.copy_within(at + 1..at + 1 + behind, at);
        self.slots[at + behind] = Slot::default();
        self.used -= 1;
    }
}
