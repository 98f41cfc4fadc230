//! The time that this thread has had on a processor: what others take on a shared machine does not count.
#![allow(unsafe_code, reason = "the system is asked through libc")]

use std::time::Duration;

/// Nanoseconds so far.
pub(crate) fn nanoseconds() -> f64 {
    so_far().as_secs_f64() * 1e9
}

#[cfg(target_os = "linux")]
fn so_far() -> Duration {
    let mut time = std::mem::MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: there is room for the answer.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr()) };
    assert_eq!(status, 0, "threads have clocks");
    // SAFETY: zeros are a value of it, and the call wrote another.
    let time = unsafe { time.assume_init() };
    let seconds = u64::try_from(time.tv_sec).expect("time passes forwards");
    Duration::new(seconds, u32::try_from(time.tv_nsec).expect("less than a second"))
}

/// The time that has passed, where the system is not asked.
#[cfg(not(target_os = "linux"))]
fn so_far() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
