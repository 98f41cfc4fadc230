//! All memory is the server's: `maxmemory` and `used_memory` see every byte.
//!
//! Large zeroed memory comes as fresh pages, which cost nothing until they are touched, and "no" is an answer: the server's
//! own `Calloc` would end the process. So that a filter knows its size, each thread counts what it holds.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ffi::c_void;

use crate::api::api;

/// From this size on zeroed memory is asked of the system and not written.
const LARGE: usize = 1 << 18;

const PAGE: usize = 1 << 12;

/// What the server's allocator aligns to.
const ALIGNED: usize = 16;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// Bytes that this thread allocated and did not free, as the server counts them.
pub(crate) fn held() -> isize {
    HELD.get()
}

/// Bytes of an allocation, as the server counts them.
///
/// # Safety
/// It came from the server's allocator.
pub(crate) unsafe fn size(start: *mut c_void) -> isize {
    // SAFETY: as the caller says.
    unsafe { api!(RedisModule_MallocSize)(start) as isize }
}

/// The server's allocator.
pub(crate) struct ServerMemory;

/// # Safety
/// The server has started the module.
unsafe fn take(bytes: usize) -> *mut u8 {
    // SAFETY: as the caller says.
    let start = unsafe { api!(RedisModule_TryAlloc)(bytes) };
    if !start.is_null() {
        // SAFETY: it was just allocated.
        HELD.set(HELD.get() + unsafe { size(start) });
    }
    start.cast()
}

/// # Safety
/// It came from `take`, and goes back once.
unsafe fn give_back(start: *mut u8) {
    // SAFETY: as the caller says.
    HELD.set(HELD.get() - unsafe { size(start.cast()) });
    // SAFETY: the same.
    unsafe { api!(RedisModule_Free)(start.cast()) };
}

/// Makes memory zero. Of a large one the whole pages are dropped, so that they come back as zeros when they are touched.
///
/// # Safety
/// `bytes` bytes from `start` on are the caller's alone.
unsafe fn zero(start: *mut u8, bytes: usize) {
    let skipped = start.align_offset(PAGE).min(bytes);
    let whole = (bytes - skipped) / PAGE * PAGE;
    // SAFETY: within the memory.
    let first = unsafe { start.add(skipped) };
    // SAFETY: whole pages of plain memory that no one else has; where they are of another sort the call fails.
    let dropped = whole >= LARGE && unsafe { libc::madvise(first.cast(), whole, libc::MADV_DONTNEED) } == 0;
    let written = if dropped { skipped } else { bytes };
    // SAFETY: within the memory.
    unsafe { start.write_bytes(0, written) };
    if dropped {
        // SAFETY: what lies behind the last whole page.
        unsafe { first.add(whole).write_bytes(0, bytes - skipped - whole) };
    }
}

// SAFETY: memory of the size and alignment that is asked for, or null; it goes back to where it came from.
unsafe impl GlobalAlloc for ServerMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: nothing is allocated before the module is started.
            return unsafe { take(layout.size().max(1)) };
        }
        // Room to align, and before it the address that the server gave.
        let Some(bytes) = layout.size().checked_add(layout.align() + size_of::<usize>()) else {
            return std::ptr::null_mut();
        };
        // SAFETY: the same.
        let start = unsafe { take(bytes) };
        if start.is_null() {
            return start;
        }
        let behind = start.wrapping_add(size_of::<usize>());
        let place = behind.wrapping_add(behind.align_offset(layout.align()));
        // SAFETY: within the memory, right before what is handed out.
        unsafe { place.sub(size_of::<usize>()).cast::<*mut u8>().write_unaligned(start) };
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let start = if layout.align() <= ALIGNED {
            place
        } else {
            // SAFETY: `alloc` put it there.
            unsafe { place.sub(size_of::<usize>()).cast::<*mut u8>().read_unaligned() }
        };
        // SAFETY: what `alloc` took.
        unsafe { give_back(start) };
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        let place = unsafe { self.alloc(layout) };
        if !place.is_null() {
            // SAFETY: it was just allocated.
            unsafe { zero(place, layout.size()) };
        }
        place
    }
}
