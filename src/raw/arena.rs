//! Lines in arenas: runs of lines that are handed out one at a time, and go back to the system with the last of their arena.
//!
//! ```text
//!  arena   [ run 0 | run 1 | run 2 | .. ]      one request to the system, counted by its runs
//!  run     [ l0 l1 l2 l3 l4 l5 .. ]            lines that lie next to each other
//!  every   [ l1 .. .. .. l5 .. .. .. ]         or each 2^s-th line of such a run, for a lock of its own
//! ```
//! **Law.** No line is in two runs, and an arena lives as long as one of its runs. An account knows the bytes of all arenas
//! that were opened on it and still live, whichever side has their runs, and these never exceed its limit.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{Counted, LARGE, LARGE_PAGES, LaneLine as Line, Zeroed, boxed};
use crate::error::Error;
use crate::num;

/// The bytes that a filter may take, has taken, and took at most.
struct Sums {
    bytes: AtomicU64,
    peak: AtomicU64,
    limit: AtomicU64,
}

/// The bytes of one filter: every copy of an account is the same account.
#[derive(Clone)]
pub(crate) struct Account(Counted<Sums>);

impl Account {
    /// An account on which nothing is yet, for at most `limit` bytes.
    pub(crate) fn new(limit: u64) -> Result<Self, Error> {
        let (bytes, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        Counted::new(Sums { bytes, peak, limit: AtomicU64::new(limit) }).map(Self)
    }

    /// Bytes that are taken.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// The most so far.
    pub(crate) fn peak(&self) -> u64 {
        self.0.peak.load(Ordering::Relaxed)
    }

    /// The largest amount was at least this much.
    pub(crate) fn raise_peak(&self, to: u64) {
        self.0.peak.fetch_max(to, Ordering::Relaxed);
    }

    /// From now on no more bytes than these are taken.
    pub(crate) fn set_limit(&self, to: u64) {
        self.0.limit.store(to, Ordering::Relaxed);
    }

    /// Takes bytes if the limit allows them, and returns whether it does. The sum never passes the limit on the way.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let sums = &*self.0;
        let limit = sums.limit.load(Ordering::Relaxed);
        let taken = |had: u64| had.checked_add(bytes).filter(|sum| *sum <= limit);
        sums.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }

    /// Whether the limit allows this many bytes more.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.bytes().checked_add(bytes).is_some_and(|sum| sum <= self.0.limit.load(Ordering::Relaxed))
    }

    /// Notes that what was taken is there: it may be the most so far.
    pub(crate) fn note(&self) {
        self.raise_peak(self.bytes());
    }

    /// Gives bytes back.
    pub(crate) fn give(&self, bytes: u64) {
        self.0.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Account({} bytes)", self.bytes())
    }
}

/// The bytes of a line, as a power of 2.
pub(super) const LINE_BITS: u32 = size_of::<Line>().trailing_zeros();

/// Memory that runs share.
struct Arena {
    lines: Zeroed<Line>,
    /// Runs that are not dropped.
    runs: AtomicUsize,
    account: Account,
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.account.give(bytes_of(self.lines.len()));
    }
}

fn bytes_of(lines: usize) -> u64 {
    num::wide(lines * size_of::<Line>())
}

/// See the module.
pub(crate) struct Run {
    first: NonNull<Line>,
    lines: usize,
    /// The lines are 2^scale bytes from each other.
    scale: u32,
    arena: NonNull<Arena>,
}

// SAFETY: a run leads to lines of its own, which are atomic words, and its arena counts runs by an atomic.
unsafe impl Send for Run {}
// SAFETY: the same.
unsafe impl Sync for Run {}

impl Run {
    /// Puts `runs` runs of `lines` lines of a new arena on the list.
    pub(crate) fn cut(account: &Account, runs: usize, lines: usize, list: &mut Vec<Self>) -> Result<(), Error> {
        Self::cut_aligned(account, 1, (runs, lines), list)
    }

    /// The same from a large page on, if the arena has room for one: the allocator is asked for one page more, which is never
    /// touched. Without that an arena of the size of a page has none, and a larger one has one less than its bytes allow.
    pub(crate) fn cut_from_a_page(
        account: &Account,
        runs: usize,
        lines: usize,
        list: &mut Vec<Self>,
    ) -> Result<(), Error> {
        let align = if LARGE_PAGES && runs.saturating_mul(lines) >= LARGE / size_of::<Line>() { LARGE } else { 1 };
        Self::cut_aligned(account, align, (runs, lines), list)
    }

    /// The same from a multiple of `align` bytes on.
    fn cut_aligned(
        account: &Account,
        align: usize,
        (runs, lines): (usize, usize),
        list: &mut Vec<Self>,
    ) -> Result<(), Error> {
        let too_much = || Error::no_memory_for::<Line>(runs.saturating_mul(lines));
        let all = runs.checked_mul(lines).filter(|all| *all < isize::MAX.unsigned_abs() / size_of::<Line>());
        let all = all.ok_or_else(too_much)?;
        list.try_reserve(runs).map_err(|_| Error::no_memory_for::<Self>(runs))?;
        let more = bytes_of(all);
        if !account.take(more) {
            return Err(too_much());
        }
        let lines_of_all = Zeroed::new(all, align).inspect_err(|_| account.give(more))?;
        let first = NonNull::from(&*lines_of_all).cast::<Line>();
        let runs_left = AtomicUsize::new(runs);
        // Where there is no memory for the arena itself, it is dropped and gives its bytes back.
        let arena = Arena { lines: lines_of_all, runs: runs_left, account: account.clone() };
        let arena = NonNull::from(Box::leak(boxed(arena)?));
        account.note();
        for i in (0..runs).rev() {
            // SAFETY: `i * lines` is below the lines of the arena, or 0.
            let first = unsafe { first.add(i * lines) };
            list.push(Self { first, lines, scale: LINE_BITS, arena });
        }
        Ok(())
    }

    /// Hands out 2^apart runs in its place: the i-th has each 2^apart-th line from line i on.
    pub(crate) fn divide(self, apart: u32, mut give: impl FnMut(usize, Self)) {
        let parts = 1 << apart;
        let run = std::mem::ManuallyDrop::new(self);
        run.arena().runs.fetch_add(parts - 1, Ordering::Relaxed);
        for i in 0..parts {
            // SAFETY: `i` is a line of the run, or the first behind a run that is shorter than that, which has no lines there.
            let first = unsafe { run.first.byte_add(i.min(run.lines.saturating_sub(1)) << run.scale) };
            let lines = (run.lines + parts - 1 - i) >> apart;
            give(i, Self { first, lines, scale: run.scale + apart, arena: run.arena });
        }
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
        let line = unsafe { self.first.byte_add(i << self.scale) };
        // SAFETY: the line is initialised, aligned and never borrowed by `&mut`.
        unsafe { line.as_ref() }
    }

    /// How many lines it has, if these are 2^`scale` bytes from each other, else 0.
    pub(super) const fn spaced(&self, scale: u32) -> usize {
        if self.scale == scale { self.lines } else { 0 }
    }

    pub(super) const fn first(&self) -> NonNull<Line> {
        self.first
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
            // SAFETY: this was the last run, so no other pointer leads to the arena, which came from a box.
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
        let (account, mut runs) = (Account::new(4000).unwrap(), Vec::new());
        Run::cut(&account, 5, 7, &mut runs).unwrap();
        for (n, run) in (0u16..).zip(&runs) {
            (0..7).for_each(|i| run.at(i).set_lane(0, n));
        }
        for (n, run) in (0u16..).zip(&runs) {
            assert!((0..7).all(|i| run.at(i).lane(0) == n), "run {n}");
            assert_eq!((run.len(), run.siblings(), run.is_sibling(&runs[0])), (7, 5, true));
        }
        runs.truncate(2);
        assert_eq!(runs[0].siblings(), 2);
        assert!(Run::cut(&account, usize::MAX, 2, &mut runs).is_err());
        assert!(Run::cut(&account, 1, 28, &mut runs).is_err(), "more than the account allows");
        account.set_limit(u64::MAX);
        assert!(std::hint::black_box(Run::cut(&account, 1, 1 << 56, &mut runs)).is_err());
        assert_eq!((runs.len(), account.bytes(), account.peak()), (2, 35 * 64, 35 * 64));
        drop(runs);
        assert_eq!((account.bytes(), account.clone().peak()), (0, 35 * 64));
    }

    #[test]
    fn a_divided_run_gives_each_line_to_one_part() {
        let (account, mut runs) = (Account::new(u64::MAX).unwrap(), Vec::new());
        Run::cut(&account, 1, 40, &mut runs).unwrap();
        let whole = runs.pop().unwrap();
        (0..40).for_each(|i| whole.at(i).set_lane(0, u16::try_from(i).unwrap()));
        whole.divide(3, |i, run| {
            let apart = (run.spaced(LINE_BITS), run.spaced(LINE_BITS + 3));
            assert_eq!((i, run.len(), apart), (runs.len(), 5, (0, 5)));
            runs.push(run);
        });
        for (i, run) in runs.iter().enumerate() {
            assert!((0..5).all(|j| usize::from(run.at(j).lane(0)) == 8 * j + i));
        }
        assert_eq!((runs[0].siblings(), account.bytes()), (8, 40 * 64));
        runs.truncate(1);
        assert_eq!(account.bytes(), 40 * 64, "the arena lives as long as one of its runs");
        runs.clear();
        assert_eq!(account.bytes(), 0);
    }
}
