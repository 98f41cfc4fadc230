//! Zeroed memory that can fail, and prefetch: the only `unsafe` outside `ffi`.
//!
//! `vec![0; n]` asks the system for zero pages and is instant, but ends the process when there is no memory;
//! `try_reserve` reports that, but then every page must be written. A bounded-memory filter needs both: pages
//! that cost nothing until touched, and an error instead of an abort.
#![allow(unsafe_code, reason = "the one file for unsafe code below the ABI")]

use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::AtomicU64;

use crate::error::Error;

/// `n` words, all 0.
pub(crate) fn zeroed_words(n: usize) -> Result<Box<[AtomicU64]>, Error> {
    if n == 0 {
        return Ok(Box::default());
    }
    let layout = Layout::array::<AtomicU64>(n).map_err(|_| Error::no_memory(n))?;
    // SAFETY: the layout has a non-zero size, since n > 0.
    let start = unsafe { alloc_zeroed(layout) }.cast::<AtomicU64>();
    if start.is_null() {
        return Err(Error::no_memory(n));
    }
    ask_for_large_pages(start, n);
    let words = std::ptr::slice_from_raw_parts_mut(start, n);
    // SAFETY: the memory comes from the global allocator with exactly the layout that Box<[AtomicU64]> frees it
    // with, it is not null, and zero bytes are n valid AtomicU64.
    Ok(unsafe { Box::from_raw(words) })
}

/// Eight words that share one cache line, and share it with nothing else.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [AtomicU64; 8]);

/// `n` lines, all 0.
pub(crate) fn zeroed_lines(n: usize) -> Result<Box<[Line]>, Error> {
    let words = n.saturating_mul(8);
    if n == 0 {
        return Ok(Box::default());
    }
    let layout = Layout::array::<Line>(n).map_err(|_| Error::no_memory(words))?;
    // SAFETY: the layout has a non-zero size, since n > 0.
    let start = unsafe { alloc_zeroed(layout) }.cast::<Line>();
    if start.is_null() {
        return Err(Error::no_memory(words));
    }
    let lines = std::ptr::slice_from_raw_parts_mut(start, n);
    // SAFETY: the memory comes from the global allocator with exactly the layout that Box<[Line]> frees it with, it
    // is not null, and zero bytes are n valid lines of AtomicU64.
    Ok(unsafe { Box::from_raw(lines) })
}

/// Asks Linux for pages of 2 MiB wherever the `n` words from `start` on cover one. In pages of 4 KiB nearly every cache
/// line of a large filter costs a walk through the page tables beside the line itself.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(start: *mut AtomicU64, n: usize) {
    const LARGE: usize = 1 << 21;
    let skipped = start.align_offset(LARGE).min(n);
    let bytes = (n - skipped) * size_of::<AtomicU64>() / LARGE * LARGE;
    if bytes > 0 {
        let first = start.wrapping_add(skipped).cast();
        // SAFETY: whole pages of memory that was allocated and that no one else has; the advice changes nothing that
        // can be read, and may be refused.
        let _ = unsafe { libc::madvise(first, bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: *mut AtomicU64, _: usize) {}

/// Asks for the cache line of a word that will be needed soon.
#[inline]
pub(crate) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch neither reads nor writes; any address will do, and this one is valid.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(word).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_zero_and_aligned_and_too_many_are_an_error() {
        let lines = zeroed_lines(1000).unwrap();
        let words = lines.iter().flat_map(|line| &line.0);
        assert_eq!(words.map(|w| w.load(std::sync::atomic::Ordering::Relaxed)).sum::<u64>(), 0);
        assert_eq!(lines.as_ptr().align_offset(64), 0);
        assert_eq!(size_of_val(&*lines), 64_000);
        assert_eq!(zeroed_lines(0).unwrap().len(), 0);
        assert!(zeroed_lines(usize::MAX).is_err());
        assert!(zeroed_lines(1 << 54).is_err());
    }

    #[test]
    fn words_are_zero_and_too_many_are_an_error() {
        let words = zeroed_words(1000).unwrap();
        assert!(words.iter().all(|w| w.load(std::sync::atomic::Ordering::Relaxed) == 0));
        assert_eq!(zeroed_words(0).unwrap().len(), 0);
        assert!(zeroed_words(usize::MAX).is_err());
        assert!(zeroed_words(1 << 57).is_err());
    }
}
