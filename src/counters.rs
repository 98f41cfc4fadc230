//! Numbers that several threads change concurrently, and words of one thread that share no cache line with another's.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use crate::error::Error;
use crate::raw::vec_of;
use crate::sync::AtomicU64;

/// The share of a pool that one draw takes: at the end of a pool single units.
const PORTIONS: u64 = 1024;

/// The gap in words from one thread's words to the next thread's: two cache lines, since processors fetch them in pairs.
const GAP: usize = 16;

/// Who still has to give a handle back. A checker of orders sees it as it sees every counter.
#[derive(Debug)]
pub struct Holders(AtomicU64);

impl Holders {
    /// One holder.
    #[must_use]
    pub fn one() -> Self {
        Self(AtomicU64::new(1))
    }

    /// One more.
    pub fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// One fewer; returns whether it was the last. What every holder did happened before that.
    #[must_use]
    pub fn leave(&self) -> bool {
        self.0.fetch_sub(1, AcqRel) == 1
    }
}

/// A number that only rises.
#[derive(Debug, Default)]
pub(crate) struct Maximum(AtomicU64);

impl Maximum {
    #[inline(always)]
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Raises the number to at least `to`. Writes only if that changes it, so that all caches keep the line of a number at rest.
    pub(crate) fn raise(&self, to: u64) {
        if self.get() < to {
            self.0.fetch_max(to, Relaxed);
        }
    }

    /// One writer at a time.
    pub(crate) fn put(&self, to: u64) {
        self.0.store(to, Relaxed);
    }

    /// The number, and all that was written before it was published.
    #[inline(always)]
    pub(crate) fn published(&self) -> u64 {
        self.0.load(Acquire)
    }

    /// One writer at a time, for readers of what was written before.
    pub(crate) fn publish(&self, to: u64) {
        self.0.store(to, Release);
    }

    /// For a thread that is alone with it.
    pub(crate) fn set(&mut self, to: u64) {
        *self.0.get_mut() = to;
    }
}

/// A number of units that threads draw in portions, so that they seldom meet. No unit is drawn twice or lost.
#[derive(Debug, Default)]
pub(crate) struct Pool(AtomicU64);

/// The units that a draw found, and those that it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// Units that were there.
    pub(crate) found: u64,
    /// How many are the caller's now; 0 if there was none.
    pub(crate) taken: u64,
}

impl Pool {
    /// Takes a portion.
    pub(crate) fn draw(&self) -> Drawn {
        let mut found = self.0.load(Relaxed);
        loop {
            let taken = found.div_ceil(PORTIONS);
            match self.0.compare_exchange_weak(found, found - taken, Relaxed, Relaxed) {
                Ok(_) => return Drawn { found, taken },
                Err(now) => found = now,
            }
        }
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.load(Relaxed) == 0
    }

    /// Takes the units that are left. For a thread that is alone with the pool.
    pub(crate) fn drain(&mut self) -> u64 {
        std::mem::take(self.0.get_mut())
    }

    /// For a thread that is alone with the pool.
    pub(crate) fn fill(&mut self, units: u64) {
        *self.0.get_mut() = units;
    }
}

/// `n` zeros, with a gap behind them.
pub(crate) fn apart(n: usize) -> Result<Vec<u64>, Error> {
    let mut words = vec_of(n + GAP)?;
    words.resize(n, 0);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_only_rises() {
        let mut front = Maximum::default();
        front.raise(5);
        front.raise(3);
        assert_eq!(front.get(), 5);
        front.set(1);
        assert_eq!(front.get(), 1);
    }

    #[test]
    fn a_pool_gives_what_it_has_and_no_more() {
        let mut pool = Pool::default();
        pool.fill(1_000_000);
        let draws: Vec<Drawn> = (0..).map(|_| pool.draw()).take_while(|drawn| drawn.taken > 0).collect();
        assert_eq!(draws.iter().map(|drawn| drawn.taken).sum::<u64>(), 1_000_000);
        assert!(draws.windows(2).all(|pair| pair[0].found - pair[0].taken == pair[1].found));
        assert_eq!((draws[0].taken, draws.last().unwrap().taken), (977, 1));
        assert!(draws.len() < 10_000, "{}", draws.len());
        assert_eq!(pool.draw(), Drawn { found: 0, taken: 0 });
        pool.fill(7);
        assert_eq!((pool.draw().taken, pool.drain(), pool.drain()), (1, 6, 0));
    }

    #[test]
    fn words_of_two_threads_are_apart() {
        let words = apart(3).unwrap();
        assert!(words == [0; 3] && words.capacity() >= 3 + GAP);
        assert!(apart(usize::MAX - GAP).is_err());
    }
}
