//! The age-partitioned Bloom filter: which keys are among the last N insertions.
//!
//! **Law.** A key among the last N insertions is always found. An absent key is called present with probability at most
//! the planned rate, at the worst instant, just before a shift. A key older than N is found with certainty at most one
//! generation (N / l insertions) longer, and `j` generations later with probability about fill^j.
//!
//! **Layout.** k + l slices in the order of their age; an insertion sets one bit in each of the k youngest. Slices k
//! apart never share an insertion and so share a hash function. Their bits stand side by side: a function is a matrix
//! of m rows, a row is one bit of each of its w slices.
//!
//! ```text
//!  slice number  n = k q + f    function f, epoch q; it is column q mod w of function f
//!
//!  function 0    row 0 [w bits] row 1 [w bits] ... row m-1 [w bits]      one key: one row of each function,
//!  function 1    row 0 [w bits] ...                                      read for all slices at once and
//!  ...                                                                   written in one column
//!  function k-1  ...
//!
//!  found         if k neighbouring slice numbers all have their bit: epoch q from some function on, epoch q + 1 before it
//! ```
//! A generation is ceil(N / l) insertions. At its end the oldest slice is given up and the spare one becomes the
//! youngest; the next spare one is cleaned a few words at a time by the insertions of the generation, so that a
//! shift costs O(k) and never waits for memory.
//!
//! **Price.** k w m bits; an observation reads and writes k cache lines, and cleans about k / ln(1 / (1 - fill)) bits.
//!
//! **Paper.** Shtul, Baquero, Almeida: Age-Partitioned Bloom Filters (2020), and section 5 of their paper of 2023.
//! Where we differ: the plan is exact and its fill is free (`runs`), slices that share a function share cache lines,
//! and a shift does not stop to clear a slice.

pub(crate) mod plan;
mod shared;
mod snapshot;
mod sweep;
#[cfg(test)]
mod tests;

use crate::bits::{Bits, WORD};
use crate::error::Error;
use crate::filter::contract::Contract;
use crate::filter::seen::Seen;
use crate::filter::sliced::runs::run_chance;
use crate::filter::values::{PlanSummary, Stats, Verdict};
use crate::hash::KeyHash;
use crate::kind::Kind;
use crate::num;
use crate::options::{Options, Repeat};
use crate::tick::Tick;

use plan::Plan;
use sweep::Sweep;

/// See the module.
#[derive(Debug)]
pub(crate) struct AgePartitioned {
    plan: Plan,
    bits: Bits,
    /// Bits that are set, for every column of every function.
    ones: Vec<u64>,
    functions: Vec<Function>,
    /// Where the rows of the present key begin, by function.
    rows: Vec<u64>,
    /// The number of the youngest slice.
    youngest: u64,
    /// Insertions of the present generation.
    count: u64,
    sweep: Sweep,
    inserted: u64,
    shifts: u64,
    seen: Seen,
}

/// The values of one function that a shift changes.
#[derive(Debug, Clone, Copy, Default)]
struct Function {
    /// Where its rows begin, in bits.
    start: u64,
    /// The column that takes insertions: its youngest slice.
    column: u64,
    /// Whether that slice is of the youngest epoch (then its row is one place higher) or of the one before.
    place: u32,
    /// The bits of an aligned row that belong to slices in the filter.
    live: u64,
}

impl AgePartitioned {
    /// The empty filter over bits that are all 0: slices 0 to k - 1 fill, the others have no number yet.
    fn with(plan: Plan, bits: Bits) -> Result<Self, Error> {
        let ones = filled(num::index(plan.k * plan.columns))?;
        let (functions, rows) = (filled(num::index(plan.k))?, filled(num::index(plan.k))?);
        let (youngest, sweep) = (plan.k - 1, Sweep::idle());
        let mut filter = Self {
            plan,
            bits,
            ones,
            functions,
            rows,
            youngest,
            count: 0,
            sweep,
            inserted: 0,
            shifts: 0,
            seen: Seen::default(),
        };
        filter.align();
        Ok(filter)
    }

    /// Whether k neighbouring slices have the bits of the key whose rows these are.
    ///
    /// Aligned rows have the same epoch at the same place. `begun` has the epochs for which the functions so far hit
    /// one epoch later: a run may begin at the next function. `run` has the epochs at which a run that has begun hits
    /// still.
    fn finds(&self, rows: impl Iterator<Item = u64>) -> bool {
        let (mut run, mut begun) = (0, u64::MAX);
        for (function, row) in self.functions.iter().zip(rows) {
            let row = self.aligned(function, self.bits.field(row, self.plan.columns));
            run = row & (run | begun);
            begun &= row >> 1;
            if run | begun == 0 {
                return false;
            }
        }
        run != 0
    }

    /// Turns a row so that its epochs stand in order, the oldest lowest.
    fn aligned(&self, function: &Function, row: u64) -> u64 {
        let w = self.plan.columns;
        let oldest = if function.column + 1 == w { 0 } else { function.column + 1 };
        let turned = (row >> oldest) | (row << (w - oldest));
        ((turned & ((1 << w) - 1)) << function.place) & function.live
    }

    /// Where the key's row of function `f` begins.
    fn row(&self, f: u64, function: &Function, key: KeyHash) -> u64 {
        function.start + num::spread(key.derive(f), self.plan.rows) * self.plan.columns
    }

    /// Finds the key's rows and asks for their cache lines, all at once.
    fn locate(&mut self, key: KeyHash) {
        for (f, function) in (0..).zip(&self.functions) {
            let row = self.row(f, function, key);
            self.bits.prefetch(row);
            self.rows[num::index(f)] = row;
        }
    }

    /// Inserts the key that was located: the youngest slice of every function.
    fn store(&mut self) {
        if self.count == self.plan.generation {
            self.shift();
        }
        let columns = self.ones.chunks_exact_mut(num::index(self.plan.columns));
        for ((function, row), ones) in self.functions.iter().zip(&self.rows).zip(columns) {
            ones[num::index(function.column)] += u64::from(self.bits.set(row + function.column));
        }
        self.sweep.step(&mut self.bits);
        self.count += 1;
        self.inserted += 1;
    }

    /// Gives up the oldest slice; the spare one, clean by now, becomes the youngest.
    fn shift(&mut self) {
        self.youngest += 1;
        self.count = 0;
        self.shifts += 1;
        let f = self.youngest % self.plan.k;
        let column = self.youngest / self.plan.k % self.plan.columns;
        self.ones[num::index(f * self.plan.columns + column)] = 0;
        self.align();
    }

    /// Sets what follows from the number of the youngest slice.
    fn align(&mut self) {
        let (k, w, youngest) = (self.plan.k, self.plan.columns, self.youngest);
        let (epoch, last) = (youngest / k, youngest % k);
        for (f, function) in (0..k).zip(&mut self.functions) {
            let young = f <= last;
            // An aligned place b means epoch - w + b: place w is the youngest epoch.
            let live = (0..=w).filter(|b| {
                let number = (k * (epoch + b) + f).checked_sub(k * w);
                number.is_some_and(|n| n <= youngest && youngest - n < k + self.plan.l)
            });
            *function = Function {
                start: f * self.plan.function_words() * WORD,
                column: (epoch + w - u64::from(!young)) % w,
                place: u32::from(young),
                live: live.fold(0, |mask, b| mask | (1 << b)),
            };
        }
        let next = youngest + 1;
        self.sweep = Sweep::new(&self.plan, next % k, next / k % w);
    }

    /// The fills of the slices in the filter, the youngest first.
    fn fills(&self) -> impl Iterator<Item = f64> {
        let (k, w) = (self.plan.k, self.plan.columns);
        let oldest = self.youngest.saturating_sub(k + self.plan.l - 1);
        let ones = (oldest..=self.youngest).rev().map(move |n| self.ones[num::index(n % k * w + n / k % w)]);
        ones.map(|ones| num::real(ones) / num::real(self.plan.rows))
    }
}

impl Contract for AgePartitioned {
    const KIND: Kind = Kind::AgePartitioned;

    fn new(options: &Options) -> Result<Self, Error> {
        let plan = Plan::new(options)?;
        let words = plan.k.saturating_mul(plan.function_words());
        Self::with(plan, Bits::zeroed(words)?)
    }

    fn plan(options: &Options) -> Result<PlanSummary, Error> {
        Plan::new(options).map(|plan| plan.summary())
    }

    fn options(&self) -> Options {
        self.plan.options()
    }

    fn observe(&mut self, key: KeyHash, _: Tick) -> Result<Verdict, Error> {
        self.locate(key);
        let verdict = Verdict::of(self.finds(self.rows.iter().copied()));
        self.seen.count(verdict);
        if verdict == Verdict::New || self.plan.repeat == Repeat::Refresh {
            self.store();
        }
        Ok(verdict)
    }

    fn insert(&mut self, key: KeyHash, _: Tick) -> Result<(), Error> {
        self.locate(key);
        self.store();
        Ok(())
    }

    fn contains(&self, key: KeyHash, _: Tick) -> Verdict {
        let functions = (0..).zip(&self.functions);
        Verdict::of(self.finds(functions.map(|(f, function)| self.row(f, function, key))))
    }

    fn window(&self) -> u64 {
        self.plan.generation.saturating_mul(self.plan.l)
    }

    fn prefetch(&self, key: KeyHash) {
        for (f, function) in (0..).zip(&self.functions) {
            self.bits.prefetch(self.row(f, function, key));
        }
    }

    const NEAR: u64 = 512 << 10;
    const AHEAD: usize = 4;

    fn cell_bytes(&self) -> u64 {
        self.plan.bytes()
    }

    fn clear(&mut self) {
        self.bits.clear();
        self.ones.fill(0);
        (self.youngest, self.count, self.inserted, self.shifts) = (self.plan.k - 1, 0, 0, 0);
        self.stats_reset();
        self.align();
    }

    fn try_clone(&self) -> Result<Self, Error> {
        let (ones, functions, rows) = (copy(&self.ones)?, copy(&self.functions)?, copy(&self.rows)?);
        Ok(Self { bits: self.bits.try_clone()?, ones, functions, rows, ..*self })
    }

    fn stats(&self, _: Tick) -> Stats {
        let held = self.inserted.min(self.plan.l * self.plan.generation + self.count);
        Stats {
            bytes: self.plan.bytes(),
            bytes_peak: self.plan.bytes(),
            slices: self.plan.k + self.plan.l,
            newest_slice_bits: self.plan.rows,
            items: held,
            stored: held,
            error_rate: run_chance(num::index(self.plan.k), self.fills()),
            shifts: self.shifts,
            ..self.seen.stats()
        }
    }

    fn stats_reset(&mut self) {
        self.seen = Seen::default();
    }
}

/// `n` defaults.
fn filled<T: Copy + Default>(n: usize) -> Result<Vec<T>, Error> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(n).map_err(|_| Error::no_memory_for::<T>(n))?;
    vec.resize(n, T::default());
    Ok(vec)
}

fn copy<T: Copy + Default>(all: &[T]) -> Result<Vec<T>, Error> {
    let mut copy = filled(all.len())?;
    copy.copy_from_slice(all);
    Ok(copy)
}
