//! The quotient filters QHT, QHTD, QQHT, QQHTD: which keys were seen lately, in memory that never grows.
//!
//! **Law.** Nothing is certain, by design: fixed memory forgets. How often an absent key is called a duplicate, and
//! how often a key that comes again after d others is called new, is known in advance and exactly: `law`.
//!
//! **Layout.** N rows of k cells of s bits. A key has one row and one fingerprint, which is independent of the row and
//! never 0: 0 is an empty cell. It was seen if its row contains its fingerprint.
//!
//! ```text
//!  row 0            row 1            ...  row N - 1        packed, nothing between them; N is any number
//!  [c0 c1 .. ck-1]  [c0 c1 .. ck-1]       [c0 c1 .. ck-1]
//!
//!            stores when       where
//!  QHT       new               the first empty cell, else a random one     (victims seeded, part of the state)
//!  QHTD      always            the same, also when the row has it
//!  QQHT      new               drops the head (empty cells first), appends
//!  QQHTD     always            the same, also when the row has it
//! ```
//! Rows fall into 64 stripes, stripe = (row / 64) mod 64: each has a generator of victims of its own, so that
//! what happens in one stripe does not depend on the others, and shares no word with them.
//!
//! **Price.** k s bits of memory for k cells; an observation reads and writes one row, in words whose cells are compared
//! all at once: one cache line where k s divides 512. QHT and QHTD can sort their rows to save bits, for time: `sorted`.
//!
//! **Paper.** Geraud, Lombard-Platet, Naccache: Quotient Hash Tables (2019). Where we differ: fingerprints are 1 ..
//! 2^s - 1 from the start, so S = 2^s - 1 throughout (its tables used that, its text says 2^s). Theorem 4.1 is exact for
//! k = 1 only: on the way to k/S a row fills by distinct fingerprints, faster than the formula says. Theorem 4.2 is true
//! for an alphabet far larger than N k. The false negatives of the variants at a given distance, which it leaves to future work, are in
//! `law`, for QQHT as a bound, and the plan solves them for memory.

mod binomial;
mod law;
mod occupancy;
pub(crate) mod plan;
mod rows;
mod search;
mod shared;
#[cfg(test)]
mod slow_search;
mod snapshot;
mod sorted;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::filter::contract::Contract;
use crate::filter::seen::Seen;
use crate::filter::striped::STRIPES;
use crate::filter::values::{PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::num;
use crate::options::Options;
use crate::raw::boxed;
use crate::rng::Rng;
use crate::tick::Tick;

use occupancy::Occupancy;
use plan::Plan;
use rows::Rows;

/// See the module.
#[derive(Debug)]
pub(crate) struct Quotient {
    table: Table,
    victims: Box<[Rng; STRIPES]>,
    occupancy: Occupancy,
    seen: Seen,
}

/// The rows. A caller that changes one is alone with it, by `&mut` or by the lock of its stripe.
#[derive(Debug)]
struct Table {
    plan: Plan,
    rows: Rows,
    /// Whether a key that is found is stored again.
    renews: bool,
    /// Whether a row is a queue.
    queued: bool,
}

impl Quotient {
    fn empty(plan: Plan) -> Result<Self, Error> {
        Self::of(Table::empty(plan)?)
    }

    /// A filter whose rows are counted as empty.
    fn of(table: Table) -> Result<Self, Error> {
        let occupancy = Occupancy::new(table.plan.rows, table.plan.shape.k)?;
        let victims = boxed(victims(table.plan.seed))?;
        Ok(Self { victims, table, occupancy, seen: Seen::default() })
    }

    fn touch(&mut self, key: KeyHash) -> bool {
        let place = self.table.place(key);
        self.table.touch(place, &mut self.occupancy, &mut self.victims[stripe(place.0)])
    }
}

impl Table {
    fn empty(plan: Plan) -> Result<Self, Error> {
        let shape = plan.shape;
        let (queued, renews) = (shape.law.variant.is_queued(), shape.law.variant.renews());
        let rows = Rows::new(plan.rows, shape.k, shape.s, shape.code, queued)?;
        Ok(Self { plan, rows, renews, queued })
    }

    /// The key's row, and its fingerprint: uniform over 1 .. 2^s - 1 without a second try for a zero.
    #[inline]
    fn place(&self, key: KeyHash) -> (u64, u64) {
        let fingerprint = 1 + num::spread(key.derive(1), self.plan.shape.law.fingerprints);
        (num::spread(key.derive(0), self.plan.rows), fingerprint)
    }

    /// Tests and inserts, and counts nothing but filled cells.
    #[inline]
    fn touch(&self, (row, fingerprint): (u64, u64), occupancy: &mut Occupancy, victims: &mut Rng) -> bool {
        if self.rows.is_piece() {
            return self.touch_piece(row, fingerprint, occupancy, victims);
        }
        let hit = self.rows.contains(row, fingerprint);
        if !hit || self.renews {
            self.store(row, fingerprint, occupancy, victims);
        }
        hit
    }

    /// The same for a row of one piece, read and written once. Once rows are full no branch depends on what the row
    /// contains, so that the memory accesses of several keys overlap.
    #[inline]
    fn touch_piece(&self, row: u64, fingerprint: u64, occupancy: &mut Occupancy, victims: &mut Rng) -> bool {
        self.rows.update(row, |piece, word| {
            let hit = piece.contains(word, fingerprint);
            let stores = !hit | self.renews;
            let full = piece.is_full(word);
            if !full && stores {
                occupancy.grow(piece.filled(word));
            }
            let stored = if self.queued {
                piece.push(word, fingerprint)
            } else if full {
                let victim = victims.next_below(self.plan.shape.k);
                victims.go_on(stores);
                piece.set(word, victim, fingerprint)
            } else {
                piece.set(word, piece.filled(word), fingerprint)
            };
            (if stores { stored } else { word }, hit)
        })
    }

    fn contains(&self, key: KeyHash) -> Verdict {
        let (row, fingerprint) = self.place(key);
        Verdict::of(self.rows.contains(row, fingerprint))
    }

    fn store(&self, row: u64, fingerprint: u64, occupancy: &mut Occupancy, victims: &mut Rng) {
        let (k, filled) = (self.plan.shape.k, self.rows.filled(row));
        if filled < k {
            occupancy.grow(filled);
        }
        if self.queued {
            self.rows.push(row, fingerprint);
        } else if filled < k {
            self.rows.set(row, self.rows.empty_cell(filled), fingerprint);
        } else {
            self.rows.set(row, victims.next_below(k), fingerprint);
            victims.go_on(true);
        }
    }
}

/// Neighbouring rows of one stripe, as a power of 2: 64 rows are whole words, whatever a row's width.
const RUN: u32 = 6;

#[inline]
fn stripe(row: u64) -> usize {
    num::index(row >> RUN) % STRIPES
}

/// One generator for each stripe.
fn victims(seed: u64) -> [Rng; STRIPES] {
    std::array::from_fn(|stripe| Rng::new(seed, num::wide(stripe)))
}

impl Contract for Quotient {
    const KIND: Kind = Kind::Quotient;

    fn new(options: &Options) -> Result<Self, Error> {
        Self::empty(Plan::new(options)?)
    }

    fn plan(options: &Options) -> Result<PlanSummary, Error> {
        Plan::new(options).map(|plan| plan.summary())
    }

    fn options(&self) -> Options {
        self.table.plan.options()
    }

    fn observe(&mut self, key: KeyHash, _: Tick) -> Result<Verdict, Error> {
        let verdict = Verdict::of(self.touch(key));
        self.seen.count(verdict);
        Ok(verdict)
    }

    fn insert(&mut self, key: KeyHash, _: Tick) -> Result<(), Error> {
        self.touch(key);
        Ok(())
    }

    fn contains(&self, key: KeyHash, _: Tick) -> Verdict {
        self.table.contains(key)
    }

    fn prefetch(&self, key: KeyHash) {
        self.table.rows.prefetch(self.table.place(key).0);
    }

    fn cell_bytes(&self) -> u64 {
        self.table.plan.bytes
    }

    fn clear(&mut self) {
        self.table.rows.clear();
        self.occupancy.clear();
        *self.victims = victims(self.table.plan.seed);
        self.stats_reset();
    }

    fn try_clone(&self) -> Result<Self, Error> {
        let (rows, occupancy) = (self.table.rows.try_clone()?, self.occupancy.try_clone()?);
        Ok(Self { table: Table { rows, ..self.table }, occupancy, victims: boxed(*self.victims)?, ..*self })
    }

    fn stats(&self, _: Tick) -> Stats {
        let (plan, filled) = (&self.table.plan, self.occupancy.filled());
        Stats {
            bytes: plan.bytes,
            bytes_peak: plan.bytes,
            items: filled,
            stored: filled,
            error_rate: self.occupancy.mean(|filled| plan.shape.law.false_duplicate(filled)),
            rows_full: self.occupancy.full(),
            miss_rate: self.occupancy.mean(|filled| plan.shape.law.far_miss(filled)),
            ..self.seen.stats()
        }
    }

    fn stats_reset(&mut self) {
        self.seen = Seen::default();
    }
}
