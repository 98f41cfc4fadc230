//! Lines in arenas: runs of lines that are handed out one at a time, and go back to the system with the last of their arena.
//!
//! ```text
//!  arena   [ run 0 | run 1 | run 2 | .. ]      one request to the system, counted by its runs
//!  run     [ l0 l1 l2 l3 l4 l5 .. ]            lines that lie next to each other
//!  every   [ l1 .. .. .. l5 .. .. .. ]         or each 2^s-th line of such a run, for a lock of its own
//! ```
//! **Law.** No line is in two runs, and an arena lives as long as one of its runs.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{LARGE, Line, Zeroed, boxed};
use crate::error::Error;

/// Memory that runs share.
struct Arena {
    lines: Zeroed<Line>,
    /// Runs that are not dropped.
    runs: AtomicUsize,
}

/// See the module.
pub(crate) struct Run {
    first: NonNull<Line>,
    lines: usize,
    /// The lines are 2^apart from each other.
    apart: u32,
    arena: NonNull<Arena>,
}

// SAFETY: a run leads to lines of its own, which are atomic words, and its arena counts runs by an atomic.
unsafe impl Send for Run {}
// SAFETY: the same.
unsafe impl Sync for Run {}

impl Run {
    /// Puts `runs` runs of `lines` lines of a new arena on the list, which has room for them.
    pub(crate) fn cut(runs: usize, lines: usize, list: &mut Vec<Self>) -> Result<(), Error> {
        let all = runs.checked_mul(lines).ok_or_else(|| Error::no_memory(usize::MAX))?;
        list.try_reserve(runs).map_err(|_| Error::no_memory(runs * size_of::<Self>() / 8))?;
        let align = if all * size_of::<Line>() >= LARGE { LARGE } else { size_of::<Line>() };
        let memory = Zeroed::new(all, align)?;
        let first = NonNull::from(&*memory).cast::<Line>();
        let arena = NonNull::from(Box::leak(boxed(Arena { lines: memory, runs: AtomicUsize::new(runs) })?));
        for i in (0..runs).rev() {
            // SAFETY: `i * lines` is below the lines of the arena, or 0.
            let first = unsafe { first.add(i * lines) };
            list.push(Self { first, lines, apart: 0, arena });
        }
        Ok(())
    }

    /// How many lines it has.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.lines
    }

    /// Line `i`.
    #[inline(always)]
    pub(crate) fn at(&self, i: usize) -> &Line {
        assert!(i < self.lines, "no such line");
        // SAFETY: the run has more than `i` lines, so this one is inside the arena, which lives as long as the run.
        let line = unsafe { self.first.add(i << self.apart) };
        // SAFETY: the line is initialised, aligned and never borrowed by `&mut`.
        unsafe { line.as_ref() }
    }

    /// How many runs of this arena are not dropped.
    pub(crate) fn siblings(&self) -> usize {
        self.arena().runs.load(Ordering::Relaxed)
    }

    /// Whether both are of one arena.
    pub(crate) fn is_sibling(&self, other: &Self) -> bool {
        self.arena == other.arena
    }

    fn arena(&self) -> &Arena {
        // SAFETY: the arena lives as long as one of its runs does, and is only read.
        unsafe { self.arena.as_ref() }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if self.arena().runs.fetch_sub(1, Ordering::Release) == 1 {
            std::sync::atomic::fence(Ordering::Acquire);
            // SAFETY: this was the last run, so nobody else leads to the arena, which came from a box.
            let arena = unsafe { Box::from_raw(self.arena.as_ptr()) };
            debug_assert!(arena.lines.len() >= self.lines);
        }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Run({} lines)", self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_an_arena_have_lines_of_their_own_and_end_it_together() {
        let mut runs = Vec::new();
        Run::cut(5, 7, &mut runs).unwrap();
        for (n, run) in (0u64..).zip(&runs) {
            (0..7).for_each(|i| run.at(i).set_word(0, n));
        }
        for (n, run) in (0u64..).zip(&runs) {
            assert!((0..7).all(|i| run.at(i).word(0) == n), "run {n}");
            assert_eq!((run.len(), run.siblings(), run.is_sibling(&runs[0])), (7, 5, true));
        }
        runs.truncate(2);
        assert_eq!(runs[0].siblings(), 2);
        assert!(Run::cut(usize::MAX, 2, &mut runs).is_err());
        assert!(std::hint::black_box(Run::cut(1, 1 << 56, &mut runs)).is_err());
        assert_eq!(runs.len(), 2);
    }
}
