//! TinySet: a set of keys in blocks of one cache line, whose fingerprints shrink as keys come.
//!
//! **Law.** A key that `insert` took, or that `observe` answered `New`, is present until it is removed, at any load. An
//! absent key is called present with probability at most the planned rate up to the planned number of keys, and with
//! a rate that rises smoothly past it. There is no window: nothing is forgotten by itself.
//!
//! **Churn.** A removable filter is planned for endless churn: at the planned load random keys, or the oldest, always make
//! place for new ones, and the rate is the planned one (a third to a half of it before the first removal). Keys that stay
//! while others are replaced many times raise the rate, without end: where half of the keys never leave, to twice the
//! planned rate after 100 turnovers of the others at 0.1 %, three times after 1,000. `stats` reports the current rate. No
//! verdict can give an entry its bits back, since a match may be another key's; removing the key and inserting it again does.
//!
//! **Layout.** Blocks of 64 (or 32) bytes, each inside one cache line. A key's hash picks the block, a chain in it, and
//! a remainder; the block keeps prefixes of the remainders, chain by chain, as long as they fit (`block` draws it).
//!
//! ```text
//!  KeyHash --+--> block of B bits --> [ chains | ends of chains | extensions | .. | fingerprints ]
//!            +--> chain of L
//!            +--> remainder: 11010011..., of which the block keeps floor(A / r) - 1 bits when it has r entries
//! ```
//! **Two modes.** Add-only: a full block (A entries, of which only the chains are left) continues: a key of a chain that is
//! not empty is present, one of an empty chain takes the slot of one of two entries of another. Removable: what was cut
//! off a fingerprint cannot come back when others leave, so that each one ends in a mark that shows how far it is known
//! (`removable`); a full block refuses the key (FULL). FULL is no sign of overload: an overloaded block calls nearly every
//! key a duplicate, so that `observe` has nothing to store. `stats.error_rate` is the sign.
//!
//! `observe` stores a key only when it is `New`. `insert` stores one more entry each time if removable (two inserts need
//! two removals), and otherwise only if no entry matches. Removing a key that was never stored may take the entry of
//! another, as in every counting filter: remove only what `insert` took or `observe` called `New`.
//!
//! **Price.** 8.9, 12.8 and 17.2 bits per key at 1 %, 0.1 % and 0.01 %; 11.1, 15.8 and 21.2 if removable; one cache line
//! for every operation; a look-up reads chain bits and ends by rank and select, an insertion shifts half a block.
//!
//! **Paper.** Einziger, Friedman: TinySet (2015). Where we differ: `mod` and the sums of section 4.3 as they must be;
//! widths are equal and the extension bits are apart, so that fingerprints move only behind an insertion; a removable
//! block does not count the most entries that it ever had, each entry has a mark instead, so that the next key gets the
//! room of a removal at once; removals prefer the entry that knows most (any other order loses keys); overflow
//! is defined.

mod block;
mod layout;
pub(crate) mod plan;
mod rate;
mod removable;
mod shared;
mod shorten;
mod snapshot;
#[cfg(test)]
mod tests;

use crate::bit_string::BitString;
use crate::bits::{LINE, Lines};
use crate::error::Error;
use crate::filter::contract::{Contract, no_removal};
use crate::filter::seen::Seen;
use crate::filter::values::{PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::num;
use crate::options::Options;
use crate::raw::{BitMachine, Machine, Portable};
use crate::tick::Tick;

use block::{Added, Block, Covers};
use layout::{Item, Layout};
use plan::Plan;
use rate::Rates;

/// Words of a block of 32 bytes.
const HALF: usize = LINE / 2;

/// See the module.
pub(crate) struct TinySet {
    table: Table,
    tally: Tally,
}

/// The blocks. A caller that changes one is alone with it, by `&mut` or by its lock.
struct Table {
    plan: Plan,
    layout: Layout,
    lines: Lines,
    machine: Option<BitMachine>,
}

/// Counts of the blocks. Those of many threads are added up, and one of them alone may be below 0: it wraps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// Entries in all blocks.
    items: u64,
    /// Their cover, in the units of `rate`.
    cover: u128,
    seen: Seen,
}

/// Shows the plan and how much there is, not the cells.
impl std::fmt::Debug for TinySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (plan, items) = (&self.table.plan, &self.tally.items);
        f.debug_struct("TinySet").field("plan", plan).field("items", items).finish_non_exhaustive()
    }
}

/// When an insertion stores its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Store {
    /// Unless an entry matches it.
    New,
    /// Always.
    Always,
}

/// Calls a method for the words of a block and the machine that there are.
macro_rules! each_shape {
    ($self:ident, $method:ident($($argument:expr),*)) => {
        match ($self.plan.block_bytes, $self.machine) {
            (64, Some(machine)) => machine.run(|| $self.$method::<LINE, _>($($argument,)* machine)),
            (_, Some(machine)) => machine.run(|| $self.$method::<HALF, _>($($argument,)* machine)),
            (64, None) => $self.$method::<LINE, _>($($argument,)* Portable),
            (_, None) => $self.$method::<HALF, _>($($argument,)* Portable),
        }
    };
}

impl TinySet {
    /// The filter over lines whose blocks are empty.
    fn with(plan: Plan, lines: Lines) -> Result<Self, Error> {
        let table = Table { plan, layout: Layout::new(plan.shape())?, lines, machine: BitMachine::detect() };
        Ok(Self { table, tally: Tally::default() })
    }
}

impl Table {
    /// The block of a key, and what the block sees of it.
    #[inline]
    fn locate(&self, key: KeyHash) -> (usize, Item) {
        (num::index(num::spread(key.derive(0), self.plan.blocks)), Item::new(key.derive(1), &self.layout))
    }

    #[inline(always)]
    fn find<const N: usize, M: Machine>(&self, key: KeyHash, machine: M) -> Verdict {
        let (i, item) = self.locate(key);
        Verdict::of(Block::<N, M>::new(BitString(self.lines.load(i)), &self.layout, machine).has(item))
    }

    #[inline(always)]
    fn add<const N: usize, M: Machine>(
        &self,
        tally: &mut Tally,
        key: KeyHash,
        store: Store,
        machine: M,
    ) -> Result<Verdict, Error> {
        let (i, item) = self.locate(key);
        let mut block = Block::<N, M>::new(BitString(self.lines.load(i)), &self.layout, machine);
        if store == Store::New && block.has(item) {
            return Ok(Verdict::Duplicate);
        }
        let added = block.add(item);
        self.lines.store(i, &block.bits.0);
        match added {
            Added::Stored(covers) => tally.count(1, covers),
            Added::Replaced => {}
            Added::Full => return Err(full()),
        }
        Ok(Verdict::New)
    }

    #[inline(always)]
    fn take<const N: usize, M: Machine>(&self, tally: &mut Tally, key: KeyHash, machine: M) -> bool {
        let (i, item) = self.locate(key);
        let mut block = Block::<N, M>::new(BitString(self.lines.load(i)), &self.layout, machine);
        let Some(covers) = block.take(item) else { return false };
        self.lines.store(i, &block.bits.0);
        tally.count(u64::MAX, covers);
        true
    }

    fn store(&self, tally: &mut Tally, key: KeyHash, store: Store) -> Result<Verdict, Error> {
        each_shape!(self, add(tally, key, store))
    }

    fn observe(&self, tally: &mut Tally, key: KeyHash) -> Result<Verdict, Error> {
        let verdict = self.store(tally, key, Store::New)?;
        tally.seen.count(verdict);
        Ok(verdict)
    }

    fn insert(&self, tally: &mut Tally, key: KeyHash) -> Result<(), Error> {
        let store = if self.plan.removable { Store::Always } else { Store::New };
        self.store(tally, key, store).map(drop)
    }

    fn contains(&self, key: KeyHash) -> Verdict {
        each_shape!(self, find(key))
    }

    fn expect_removal(&self) -> Result<(), Error> {
        if self.plan.removable { Ok(()) } else { Err(no_removal()) }
    }

    fn remove(&self, tally: &mut Tally, key: KeyHash) -> Result<bool, Error> {
        self.expect_removal()?;
        Ok(each_shape!(self, take(tally, key)))
    }
}

impl Tally {
    /// Counts entries more (or, wrapped, fewer) and what they changed.
    fn count(&mut self, items: u64, covers: Covers) {
        self.items = self.items.wrapping_add(items);
        self.cover = self.cover.wrapping_add(u128::from(covers.after)).wrapping_sub(u128::from(covers.before));
    }

    fn take_in(&mut self, other: &mut Self) {
        self.seen.take_in(&mut other.seen);
        let other = std::mem::take(other);
        self.items = self.items.wrapping_add(other.items);
        self.cover = self.cover.wrapping_add(other.cover);
    }
}

#[cold]
fn full() -> Error {
    Error::full("the block of this key has no room left: remove keys, or plan for more")
}

impl Contract for TinySet {
    const KIND: Kind = Kind::TinySet;

    fn new(options: &Options) -> Result<Self, Error> {
        let plan = Plan::new(options)?;
        Self::with(plan, Lines::zeroed(plan.lines())?)
    }

    fn plan(options: &Options) -> Result<PlanSummary, Error> {
        Plan::new(options).map(|plan| plan.summary())
    }

    fn options(&self) -> Options {
        self.table.plan.options()
    }

    fn observe(&mut self, key: KeyHash, _: Tick) -> Result<Verdict, Error> {
        self.table.observe(&mut self.tally, key)
    }

    fn insert(&mut self, key: KeyHash, _: Tick) -> Result<(), Error> {
        self.table.insert(&mut self.tally, key)
    }

    fn contains(&self, key: KeyHash, _: Tick) -> Verdict {
        self.table.contains(key)
    }

    fn prefetch(&self, key: KeyHash) {
        let (i, _) = self.table.locate(key);
        let block_words = num::index(self.table.plan.block_bytes / 8);
        self.table.lines.prefetch(i * block_words / LINE);
    }

    fn cell_bytes(&self) -> u64 {
        self.table.plan.bytes()
    }

    fn expect_removal(&self) -> Result<(), Error> {
        self.table.expect_removal()
    }

    fn remove(&mut self, key: KeyHash, _now: Tick) -> Result<bool, Error> {
        self.table.remove(&mut self.tally, key)
    }

    fn clear(&mut self) {
        self.table.lines.clear();
        self.tally = Tally::default();
    }

    fn try_clone(&self) -> Result<Self, Error> {
        let copy = Self::with(self.table.plan, self.table.lines.try_clone()?)?;
        Ok(Self { tally: self.tally, ..copy })
    }

    fn stats(&self, _: Tick) -> Stats {
        let (plan, tally) = (&self.table.plan, &self.tally);
        Stats {
            bytes: plan.bytes(),
            bytes_peak: plan.bytes(),
            items: tally.items,
            stored: tally.items,
            error_rate: Rates::new(plan.shape()).of_cover(tally.cover, plan.blocks),
            ..tally.seen.stats()
        }
    }

    fn stats_reset(&mut self) {
        self.tally.seen = Seen::default();
    }
}
