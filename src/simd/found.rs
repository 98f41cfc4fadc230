//! The instructions that this machine has above the baseline of x86-64, found at run time: machines without them are still sold.

use std::arch::is_x86_feature_detected;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the third level of x86-64 was found, once a thread has looked.
static FOUND: AtomicBool = AtomicBool::new(false);

/// Whether this machine has the third level of x86-64, of which AVX2 is a part. The constructor of lines has looked for it.
#[inline(always)]
pub(super) fn has_avx2() -> bool {
    #[cfg(test)]
    if super::plain::is_asked_for() {
        return false;
    }
    FOUND.load(Relaxed)
}

/// Finds out what this machine has.
pub(super) fn detect() {
    let third = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    FOUND.store(third, Relaxed);
}
