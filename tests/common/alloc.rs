//! An allocator for a test program: it counts what each thread takes and gives back, and refuses what the rule of that thread says.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

use super::num::wide;

/// What a thread has asked for; it may give back what another one took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    /// Requests, also refused ones.
    pub(crate) asked: u64,
    /// Blocks given back.
    pub(crate) freed: u64,
    /// Bytes, and those of them that were asked for as zeros.
    pub(crate) taken: u64,
    pub(crate) zeroed: u64,
    pub(crate) given: u64,
    /// The most bytes that were held at once; what is refused counts, and both blocks where one takes the place of another.
    pub(crate) peak: u64,
}

impl Counts {
    /// Bytes that the thread holds.
    pub(crate) const fn held(&self) -> u64 {
        self.taken.wrapping_sub(self.given)
    }
}

/// Whether a request of so many bytes, as zeros or not, is refused.
type Rule = fn(usize, bool) -> bool;

thread_local! {
    static COUNTS: Cell<Counts> =
        const { Cell::new(Counts { asked: 0, freed: 0, taken: 0, zeroed: 0, given: 0, peak: 0 }) };
    static RULE: Cell<Rule> = const { Cell::new(|_, _| false) };
}

/// The counts of this thread.
pub(crate) fn counts() -> Counts {
    COUNTS.get()
}

/// From now on the peak is that of what this thread takes beyond what it holds.
pub(crate) fn forget_peak() {
    let counts = COUNTS.get();
    COUNTS.set(Counts { peak: counts.held(), ..counts });
}

/// Sets the rule of this thread.
pub(crate) fn refuse(rule: Rule) {
    RULE.set(rule);
}

/// See the module.
pub(crate) struct Watched;

impl Watched {
    fn refuses(size: usize, zeroed: bool) -> bool {
        let mut counts = COUNTS.get();
        counts.asked += 1;
        let held = counts.held().wrapping_add(wide(size));
        // A thread that gave back what others took holds less than nothing.
        if held < 1 << 63 {
            counts.peak = counts.peak.max(held);
        }
        let refused = RULE.get()(size, zeroed);
        if !refused {
            counts.taken += wide(size);
            counts.zeroed += if zeroed { wide(size) } else { 0 };
        }
        COUNTS.set(counts);
        refused
    }

    fn freed(size: usize) {
        let counts = COUNTS.get();
        COUNTS.set(Counts { freed: counts.freed + 1, given: counts.given + wide(size), ..counts });
    }
}

// SAFETY: every request is passed on to the system's allocator unchanged, or answered by null, which the trait allows.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        if Self::refuses(layout.size(), false) { ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the same contract.
        if Self::refuses(layout.size(), true) { ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if Self::refuses(size, false) {
            return ptr::null_mut();
        }
        Self::freed(layout.size());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        Self::freed(layout.size());
        // SAFETY: the caller keeps the same contract.
        unsafe { System.dealloc(block, layout) }
    }
}
