//! Page faults of this thread: what the system did for a call, beside the call's own work.
#![allow(unsafe_code, reason = "the system is asked through libc")]

/// How many there have been; 0 always where the system is not asked.
pub(crate) fn so_far() -> i64 {
    #[cfg(target_os = "linux")]
    {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: there is room for the answer.
        if unsafe { libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr()) } == 0 {
            // SAFETY: zeros are a value of it, and the call wrote another.
            let usage = unsafe { usage.assume_init() };
            return usage.ru_minflt + usage.ru_majflt;
        }
    }
    0
}
