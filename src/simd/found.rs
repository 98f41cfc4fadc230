//! The instructions that this machine has above the baseline of x86-64, found at run time: machines without them are still sold.

use std::arch::is_x86_feature_detected;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The third level of x86-64, of which AVX2 is a part.
pub(super) const AVX2: u8 = 1;
/// AVX2 and AVX-512 with lanes of 16 bits.
pub(super) const AVX512: u8 = 2;

/// The instructions that were found, once a thread has looked.
static FOUND: AtomicU8 = AtomicU8::new(0);

/// The instructions of this machine. The constructor of lines has looked for them.
#[inline(always)]
pub(super) fn level() -> u8 {
    #[cfg(test)]
    if super::plain::is_asked_for() {
        return 0;
    }
    FOUND.load(Relaxed)
}

/// Finds out what this machine has.
pub(super) fn look() {
    let third = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt");
    let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
    let level = match (third, wide) {
        (true, true) => AVX512,
        (true, false) => AVX2,
        _ => 0,
    };
    FOUND.store(level, Relaxed);
}
