//! Zeroed memory that can fail, prefetch, and the clock of the system. With `simd` the only `unsafe` below the shared
//! handle.
//!
//! `vec![0; n]` asks the system for zero pages and is instant, but ends the process when there is no memory;
//! `try_reserve` reports that, but then every page must be written. A bounded-memory filter needs both: pages
//! that cost nothing until touched, and an error instead of an abort.
#![allow(unsafe_code, reason = "memory and the system, for all that is safe above it")]

pub(crate) mod arena;
mod counted;
pub(crate) mod row;

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU16, AtomicU64};

use crate::error::Error;

pub(crate) use counted::Counted;

/// An empty list with room for `n` values, or an error where there is no memory.
pub(crate) fn vec_of<T>(n: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(n).map_err(|_| Error::no_memory_for::<T>(n))?;
    Ok(list)
}

/// A type for which zero bytes are a value.
///
/// # Safety
/// They are one, it needs no drop, and its alignment is that of a word or more.
pub(crate) unsafe trait Zero {}

// SAFETY: an integer in an atomic.
unsafe impl Zero for AtomicU64 {}

/// A value in memory of its own, or an error where there is none.
pub(crate) fn boxed<T>(value: T) -> Result<Box<T>, Error> {
    let layout = Layout::new::<T>();
    if layout.size() == 0 {
        return Ok(Box::new(value));
    }
    // SAFETY: the layout has a non-zero size.
    let place = unsafe { alloc(layout) }.cast::<T>();
    if place.is_null() {
        return Err(Error::no_memory(layout.size()));
    }
    // SAFETY: room for a T, aligned for it, that no one else has.
    unsafe { place.write(value) };
    // SAFETY: the memory comes from the global allocator with the layout that Box<T> frees it with, and contains a T.
    Ok(unsafe { Box::from_raw(place) })
}

/// Makes the table in which threads wait for locks, unless it is there.
pub(crate) fn make_waiting_table() {
    static NOBODY: u8 = 0;
    // SAFETY: an address of this library's own, at which nobody waits: nothing is woken, and the table is there then.
    unsafe { parking_lot_core::unpark_all(std::ptr::from_ref(&NOBODY).addr(), parking_lot_core::DEFAULT_UNPARK_TOKEN) };
}

/// A list longer by one, or an error where there is no memory. A list of one has no room for more, since most stay so.
pub(crate) fn push<T>(list: &mut Vec<T>, value: T) -> Result<(), Error> {
    let reserved = if list.is_empty() { list.try_reserve_exact(1) } else { list.try_reserve(1) };
    reserved.map_err(|_| Error::no_memory_for::<T>(list.len() + 1))?;
    list.push(value);
    Ok(())
}

/// Gives room back where a list has four times what it needs and more.
pub(crate) fn shorten<T>(list: &mut Vec<T>) {
    if list.capacity() > 64 && list.capacity() / 4 > list.len() {
        list.shrink_to(2 * list.len());
    }
}

/// Eight words that share one cache line, and share it with nothing else.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [AtomicU64; 8]);

// SAFETY: eight integers.
unsafe impl Zero for Line {}

/// Thirty-two lanes of 16 bits that share one cache line, and share it with nothing else.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct LaneLine(pub(crate) [AtomicU16; 32]);

// SAFETY: thirty-two integers, at a multiple of 64.
unsafe impl Zero for LaneLine {}

/// A fixed number of values, all 0 at first, in memory that costs nothing until it is touched.
///
/// An alignment above that of a word is met by room to spare: the system's allocator, asked for one, would write every
/// page. Pages of 2 MiB are asked for wherever the values cover one. With `small-pages` the array does neither: there
/// the allocator is the server's, which aligns to a line at no cost, and may round room to spare up by a quarter.
pub(crate) struct Zeroed<T: Zero> {
    /// The first value.
    start: NonNull<T>,
    n: usize,
    /// The block that the allocator gave, up to `align` bytes before.
    block: NonNull<u8>,
    align: usize,
}

/// Bytes of a word.
const WORD: usize = size_of::<AtomicU64>();

/// The alignment that the allocator is asked for where `align` is needed, with which it gives zero pages as they come.
fn asked(align: usize) -> usize {
    if cfg!(feature = "small-pages") { align.min(align_of::<Line>()) } else { WORD }
}

impl<T: Zero> Zeroed<T> {
    /// `n` values from a multiple of `align` bytes on, a power of two.
    pub(crate) fn new(n: usize, align: usize) -> Result<Self, Error> {
        let align = align.max(align_of::<T>());
        if n == 0 {
            return Ok(Self { start: NonNull::dangling(), n, block: NonNull::dangling(), align });
        }
        let no_memory = || Error::no_memory_for::<T>(n);
        let layout = Self::layout(n, align).ok_or_else(no_memory)?;
        // SAFETY: the layout has a non-zero size, since n > 0.
        let block = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(no_memory)?;
        let skipped = block.as_ptr().align_offset(align);
        // SAFETY: from a multiple of what was asked for to the next one of `align` it is no more than the room to spare.
        let start = unsafe { block.add(skipped) }.cast();
        ask_for_large_pages(block.as_ptr(), layout.size());
        Ok(Self { start, n, block, align })
    }

    /// As many, all 0, aligned alike.
    pub(crate) fn fresh(&self) -> Result<Self, Error> {
        Self::new(self.n, self.align)
    }

    /// Makes all values 0 again. Of a large array the pages go back to the system, if it has another to give.
    pub(crate) fn clear(&mut self) {
        if size_of_val(&**self) >= LARGE {
            if let Ok(fresh) = self.fresh() {
                *self = fresh;
                return;
            }
        }
        // SAFETY: `n` values from `start` on are this array's alone, and zero bytes are a value.
        unsafe { self.start.write_bytes(0, self.n) };
    }

    /// The memory for `n` values and the way to the first multiple of `align`.
    fn layout(n: usize, align: usize) -> Option<Layout> {
        let bytes = n.checked_mul(size_of::<T>())?.checked_add(align - asked(align))?;
        Layout::from_size_align(bytes, asked(align)).ok()
    }
}

impl<T: Zero> Drop for Zeroed<T> {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.n, self.align).filter(|_| self.n > 0) {
            // SAFETY: the block came from the allocator with this layout, and goes back once.
            unsafe { dealloc(self.block.as_ptr(), layout) };
        }
    }
}

impl<T: Zero> Deref for Zeroed<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `n` values from `start` on, this array's as long as it is borrowed.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.n) }
    }
}

impl<T: Zero> DerefMut for Zeroed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the same, and there is no other reference to them.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.n) }
    }
}

// SAFETY: it owns its values, as a box does.
unsafe impl<T: Zero + Send> Send for Zeroed<T> {}
// SAFETY: the same.
unsafe impl<T: Zero + Sync> Sync for Zeroed<T> {}

/// No values.
impl<T: Zero> Default for Zeroed<T> {
    fn default() -> Self {
        Self { start: NonNull::dangling(), n: 0, block: NonNull::dangling(), align: align_of::<T>() }
    }
}

impl<T: Zero + std::fmt::Debug> std::fmt::Debug for Zeroed<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

/// Bytes of a large page, from which on an array is a large one.
const LARGE: usize = 1 << 21;

/// Whether the system may give such pages. Where it does not, beginning an array at one would only waste room.
const LARGE_PAGES: bool = cfg!(all(target_os = "linux", not(feature = "small-pages")));

/// Asks Linux for pages of 2 MiB wherever the `bytes` from `start` on cover one. In pages of 4 KiB nearly every cache
/// line of a large filter costs a walk through the page tables in addition to the line itself.
#[cfg(all(target_os = "linux", not(feature = "small-pages")))]
fn ask_for_large_pages(start: *mut u8, bytes: usize) {
    let skipped = start.align_offset(LARGE).min(bytes);
    let bytes = (bytes - skipped) / LARGE * LARGE;
    if bytes > 0 {
        let first = start.wrapping_add(skipped).cast();
        // SAFETY: whole pages of memory that was allocated and that no one else has; the advice changes nothing that
        // can be read, and may be refused.
        let _ = unsafe { libc::madvise(first, bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(target_os = "linux", not(feature = "small-pages"))))]
fn ask_for_large_pages(_: *mut u8, _: usize) {}

/// Asks for the cache line of a value that will be needed soon.
#[inline(always)]
pub(crate) fn prefetch<T>(word: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch neither reads nor writes; any address will do, and this one is valid.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(word).cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the same.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{word}]",
            word = in(reg) std::ptr::from_ref(word),
            options(readonly, nostack, preserves_flags),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
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

    fn sum(words: &[AtomicU64]) -> u64 {
        words.iter().map(|word| word.load(std::sync::atomic::Ordering::Relaxed)).sum()
    }

    #[test]
    fn values_are_zero_and_aligned_and_too_many_are_an_error() {
        for align in [1, 8, 16, 64, 4096] {
            for n in [1, 7, 1000, 300_000] {
                let words = Zeroed::<AtomicU64>::new(n, align).unwrap();
                assert_eq!((words.len(), sum(&words), words.as_ptr().addr() % align), (n, 0, 0), "{n} at {align}");
                let lines = Zeroed::<Line>::new(n, align).unwrap().fresh().unwrap();
                assert_eq!((lines.len(), lines.as_ptr().addr() % align.max(64)), (n, 0), "{n} at {align}");
                assert_eq!(lines.iter().map(|line| sum(&line.0)).sum::<u64>(), 0);
            }
            assert_eq!(Zeroed::<Line>::new(0, align).unwrap().len(), 0);
            for n in [usize::MAX, 1 << 61, 1 << 57, 1 << 54] {
                assert!(std::hint::black_box(Zeroed::<Line>::new(n, align)).is_err());
            }
            assert!(std::hint::black_box(Zeroed::<AtomicU64>::new(usize::MAX, align)).is_err());
        }
    }

    #[test]
    fn cleared_values_are_zero_whether_there_are_few_or_many() {
        for n in [0, 1, 1000, LARGE / 8, LARGE / 8 + 1] {
            let mut words = Zeroed::<AtomicU64>::new(n, 64).unwrap();
            words.iter_mut().for_each(|word| *word.get_mut() = 1);
            assert_eq!(sum(&words), u64::try_from(n).unwrap());
            words.clear();
            assert_eq!(
                (words.len(), sum(&words), words.as_ptr().addr() % 64),
                (n, 0, if n == 0 { words.as_ptr().addr() % 64 } else { 0 })
            );
        }
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
}
