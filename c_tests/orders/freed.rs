//! Whether the memory of one handle was given back: an allocator that watches one address. The memory there stays, so that a call
//! after the end finds what it left and not another's.
#![allow(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};

struct Watching;

#[global_allocator]
static ALLOCATOR: Watching = Watching;

static WATCHED: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static TIMES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's, but that one block is never given back.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if block.cast() == WATCHED.load(SeqCst) {
            TIMES.fetch_add(1, SeqCst);
            return;
        }
        // SAFETY: a block of the system, with its layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Watches a handle from now on.
pub(crate) fn watch(handle: *mut c_void) {
    WATCHED.store(handle, SeqCst);
    TIMES.store(0, SeqCst);
}

/// How often it was given back.
pub(crate) fn times() -> usize {
    TIMES.load(SeqCst)
}
