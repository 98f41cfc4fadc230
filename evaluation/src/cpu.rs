//! The time that this thread has had on a processor: what others take on a shared machine does not count.

use std::time::Duration;

use cpu_time::ThreadTime;

/// Runs this; says how long the thread took for it, and what came out.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let begin = ThreadTime::now();
    let result = run();
    (begin.elapsed(), result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_no_time_and_work_is() {
        let (idle, ()) = timed(|| std::thread::sleep(Duration::from_millis(50)));
        let (busy, sum) = timed(|| (0..20_000_000_u64).fold(1, |sum, i| crate::rng::mix(sum ^ i)));
        assert!(idle < Duration::from_millis(40) && busy > Duration::from_millis(5) && sum != 0, "{idle:?} {busy:?}");
    }
}
