//! All memory is the server's: `maxmemory` and `used_memory` see every byte.
//!
//! Large zeroed memory comes as fresh pages, which cost nothing until they are touched, and "no" is an answer: the server's
//! own `Calloc` would end the process. So that a filter knows its size, each thread counts its own memory.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::api::api;

/// From this size on zeroed memory is asked of the system and not written.
const LARGE: usize = 1 << 18;

const PAGE: usize = 1 << 12;

/// What every allocator of a server aligns to.
const ALIGNED: usize = 16;

/// Where memory was handed out that begins behind what the server gave, for that was not aligned enough; and what it gave.
static SHIFTED: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// How many there are: none, of an allocator that aligns large memory to a line.
static SHIFTS: AtomicUsize = AtomicUsize::new(0);

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
unsafe fn size(start: *mut c_void) -> isize {
    // SAFETY: the caller guarantees it.
    unsafe { api!(RedisModule_MallocSize)(start) as isize }
}

/// Whether the server's allocator has this size, to a hundredth; or no memory, which is for others to find.
fn is_size(bytes: usize) -> bool {
    // SAFETY: the server has started the module.
    let start = unsafe { take(bytes) };
    if start.is_null() {
        return true;
    }
    // SAFETY: it was just taken.
    let size = unsafe { size(start.cast()) } as usize;
    // SAFETY: the same.
    unsafe { give_back(start) };
    size - bytes <= bytes / 100
}

/// The largest size of the server's allocator within this number of bytes. Those of jemalloc are the powers of two, and 1.25, 1.5 and 1.75
/// times those: it rounds up what lies between two. Others round up by less than a hundredth.
pub(crate) fn size_within(bytes: usize) -> usize {
    let step = bytes.checked_ilog2().map_or(1, |bits| 1 << bits.saturating_sub(2));
    let below = bytes / step * step;
    if below > 0 && !is_size(bytes) && is_size(below) { below } else { bytes }
}

/// The server's allocator.
pub(crate) struct ServerMemory;

/// # Safety
/// The server has started the module.
unsafe fn take(bytes: usize) -> *mut u8 {
    // SAFETY: the caller guarantees it.
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
    // SAFETY: the caller guarantees it.
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

/// Memory with room to align, in place of `plain`, which is not aligned enough: room for all would be a quarter more of an
/// allocator whose sizes go by quarters.
///
/// # Safety
/// `plain` came from `take`, and goes back here.
unsafe fn shifted(plain: *mut u8, layout: Layout) -> *mut u8 {
    // SAFETY: the caller guarantees it.
    unsafe { give_back(plain) };
    let Some(bytes) = layout.size().checked_add(layout.align()) else {
        return std::ptr::null_mut();
    };
    // SAFETY: the server has started the module.
    let start = unsafe { take(bytes) };
    let place = start.wrapping_add(start.align_offset(layout.align()));
    if start.is_null() || place == start {
        return start;
    }
    let mut all = SHIFTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if all.try_reserve(1).is_err() {
        // SAFETY: it was just taken.
        unsafe { give_back(start) };
        return std::ptr::null_mut();
    }
    all.push((place as usize, start as usize));
    SHIFTS.store(all.len(), Relaxed);
    place
}

/// What the server gave for what was handed out.
fn start_of(place: *mut u8) -> *mut u8 {
    if SHIFTS.load(Relaxed) == 0 {
        return place;
    }
    let mut all = SHIFTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let Some(found) = all.iter().position(|(handed, _)| *handed == place as usize) else {
        return place;
    };
    let (_, start) = all.swap_remove(found);
    SHIFTS.store(all.len(), Relaxed);
    place.wrapping_sub(place as usize - start)
}

// SAFETY: memory of the size and alignment that is asked for, or null; it goes back to where it came from.
unsafe impl GlobalAlloc for ServerMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: nothing is allocated before the module is started.
            return unsafe { take(layout.size().max(1)) };
        }
        // SAFETY: the same.
        let plain = unsafe { take(layout.size()) };
        if plain.align_offset(layout.align()) == 0 {
            return plain;
        }
        // SAFETY: it was just taken, if it is there.
        unsafe { shifted(plain, layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let start = if layout.align() <= ALIGNED { place } else { start_of(place) };
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
