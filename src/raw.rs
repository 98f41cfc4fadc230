//! Zeroed memory that can fail, prefetch, and the clock of the system: the only `unsafe` below the shared handle.
//!
//! `vec![0; n]` asks the system for zero pages and is instant, but ends the process when there is no memory;
//! `try_reserve` reports that, but then every page must be written. A bounded-memory filter needs both: pages
//! that cost nothing until touched, and an error instead of an abort.
#![allow(unsafe_code, reason = "the one file for unsafe code below the ABI")]

use std::alloc::{Layout, alloc, alloc_zeroed};
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

/// A value in memory of its own, or an error where there is none.
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, Error> {
    let layout = Layout::new::<T>();
    if layout.size() == 0 {
        return Ok(Box::new(value));
    }
    // SAFETY: the layout has a non-zero size.
    let place = unsafe { alloc(layout) }.cast::<T>();
    if place.is_null() {
        return Err(Error::no_memory(layout.size().div_ceil(8)));
    }
    // SAFETY: room for a T, aligned for it, that no one else has.
    unsafe { place.write(value) };
    // SAFETY: the memory comes from the global allocator with the layout that Box<T> frees it with, and holds a T.
    Ok(unsafe { Box::from_raw(place) })
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

/// Time since the machine started, suspension included.
#[cfg(target_os = "linux")]
pub(crate) fn since_boot() -> std::time::Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a timespec that the call may write. The clock exists since Linux 2.6.39, so it cannot fail.
    unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time) };
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    std::time::Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

/// How bits of a word are found and gathered. With the same answers on every machine.
pub(crate) trait Machine: Copy {
    /// Whether `gather` takes no more than a few instructions.
    const GATHERS: bool;
    /// Where the `k`-th bit of a word that is 1 is, counted from 0; there is one.
    fn select(self, word: u64, k: u64) -> u64;
    /// The bits of a word where `mask` is 1, side by side from bit 0 on.
    fn gather(self, word: u64, mask: u64) -> u64;
    /// Runs `f`, with all that the machine has if `f` is inlined.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;
}

/// Any machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Machine for Portable {
    const GATHERS: bool = false;

    /// The ones below each byte's end are counted in all bytes at once; the bytes that end before the wanted one are
    /// then counted, and the bits of the next one tried in order.
    #[inline(always)]
    fn select(self, word: u64, k: u64) -> u64 {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let pairs = word - ((word >> 1) & (0x55 * EACH));
        let nibbles = (pairs & (0x33 * EACH)) + ((pairs >> 2) & (0x33 * EACH));
        let ends = ((nibbles + (nibbles >> 4)) & (0x0F * EACH)).wrapping_mul(EACH);
        // A byte of `ends` is at most k (both below 128): its high bit stays.
        let before = ((k * EACH) | (0x80 * EACH)).wrapping_sub(ends) & (0x80 * EACH);
        let byte = ((before >> 7).wrapping_mul(EACH) >> 56) << 3;
        let mut rest = word >> byte;
        for _ in 0..k - (((ends << 8) >> byte) & 0xFF) {
            rest &= rest - 1;
        }
        byte + u64::from(rest.trailing_zeros())
    }

    fn gather(self, word: u64, mask: u64) -> u64 {
        let (mut left, mut gathered, mut at) = (mask, 0, 0);
        while left != 0 {
            gathered |= ((word >> left.trailing_zeros()) & 1) << at;
            left &= left - 1;
            at += 1;
        }
        gathered
    }

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// A machine with instructions for bits: there is a value only where they exist.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BitMachine(());

#[cfg(not(target_arch = "x86_64"))]
impl BitMachine {
    pub(crate) const fn detect() -> Option<Self> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
impl BitMachine {
    pub(crate) fn detect() -> Option<Self> {
        let has =
            is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2");
        has.then_some(Self(()))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Machine for BitMachine {
    const GATHERS: bool = false;

    fn select(self, word: u64, k: u64) -> u64 {
        Portable.select(word, k)
    }

    fn gather(self, word: u64, mask: u64) -> u64 {
        Portable.gather(word, mask)
    }

    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

#[cfg(target_arch = "x86_64")]
impl Machine for BitMachine {
    const GATHERS: bool = true;

    #[inline(always)]
    fn select(self, word: u64, k: u64) -> u64 {
        // SAFETY: `self` exists only where `detect` found the instruction.
        u64::from(unsafe { std::arch::x86_64::_pdep_u64(1 << k, word) }.trailing_zeros())
    }

    #[inline(always)]
    fn gather(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `self` exists only where `detect` found the instruction.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        // SAFETY: `self` exists only where `detect` found what the function enables.
        unsafe { with_bits(f) }
    }
}

/// Runs `f` compiled for a machine with instructions for bits.
///
/// # Safety
/// The machine has them.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
unsafe fn with_bits<R>(f: impl FnOnce() -> R) -> R {
    f()
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
        // Else the compiler sees that the lines are not used, and leaves their allocation out.
        assert!(std::hint::black_box(zeroed_lines(usize::MAX)).is_err());
        assert!(std::hint::black_box(zeroed_lines(1 << 54)).is_err());
    }

    /// Both machines against a list of bits.
    #[test]
    fn machines_agree() {
        let mut word = 1u64;
        for _ in 0..2000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (value, mask) = (word ^ (word >> 29), word.rotate_left(31) & word.rotate_left(7));
            let ones: Vec<u64> = (0..64).filter(|p| (value >> p) & 1 == 1).collect();
            let gathered = (0..64)
                .filter(|p| (mask >> p) & 1 == 1)
                .zip(0..)
                .fold(0, |sum, (p, i)| sum | (((value >> p) & 1) << i));
            assert_eq!(Portable.gather(value, mask), gathered);
            for (k, &p) in (0..).zip(&ones) {
                assert_eq!(Portable.select(value, k), p);
            }
            if let Some(machine) = BitMachine::detect() {
                assert_eq!(machine.run(|| machine.gather(value, mask)), gathered);
                assert!((0..).zip(&ones).all(|(k, &p)| machine.run(|| machine.select(value, k)) == p));
            }
        }
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
