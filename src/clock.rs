//! The only reader of a clock: monotonic, nanoseconds since the filter was built, the time on disk included.
//!
//! A window is a span of real time, so the time that a machine sleeps counts. Linux's usual monotonic clock leaves it
//! out; there we read `CLOCK_BOOTTIME`. Elsewhere the standard library's clock decides ([`moment`]).
//!
//! A coarse clock would take a fifth of the time. Its readings are up to a step old, so that a key could be `New` within
//! its window, and it leaves sleep out as well: `docs/reference/costs.md` has the figures.

use std::time::SystemTime;

use crate::options::Clock;
use crate::tick::Tick;
use crate::unit::Unit;

use moment::Moment;

/// The date, which a file has, too.
pub(crate) fn date() -> SystemTime {
    SystemTime::now()
}

#[cfg(target_os = "linux")]
mod moment {
    use std::time::Duration;

    use crate::raw;

    /// A reading of the clock that also runs while the machine is suspended.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Moment(Duration);

    impl Moment {
        pub(super) fn now() -> Self {
            Self(raw::since_boot())
        }

        pub(super) fn elapsed(self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod moment {
    use std::time::{Duration, Instant};

    /// A reading of the standard library's monotonic clock. On macOS it stops while the machine sleeps; for
    /// Windows nothing is documented.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Moment(Instant);

    impl Moment {
        pub(super) fn now() -> Self {
            Self(Instant::now())
        }

        pub(super) fn elapsed(self) -> Duration {
            self.0.elapsed()
        }
    }
}

/// Where a handle takes "now" from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Watch {
    /// The system's monotonic clock: `at` when it was `origin`.
    System { origin: Moment, at: Tick },
    /// Ticks come from the caller, in this unit.
    Manual(Unit),
    /// The kind has no time.
    Timeless,
}

impl Watch {
    /// The clock of a kind that has time or has none.
    pub(crate) fn new(has_time: bool, source: Clock) -> Self {
        if has_time { Self::resumed(source, Tick(0)) } else { Self::Timeless }
    }

    /// The clock of a kind that has time, at `now`.
    pub(crate) fn resumed(source: Clock, now: Tick) -> Self {
        match source {
            Clock::System => Self::System { origin: Moment::now(), at: now },
            Clock::Manual(unit) => Self::Manual(unit),
        }
    }

    /// The clock that leases go by, if this is not it.
    pub(crate) fn of_leases(&self) -> Option<Self> {
        matches!(self, Self::Timeless).then(|| Self::resumed(Clock::System, Tick(0)))
    }

    /// Which clock is used; none if the filter has no time.
    pub(crate) const fn source(&self) -> Option<Clock> {
        match self {
            Self::System { .. } => Some(Clock::System),
            Self::Manual(unit) => Some(Clock::Manual(*unit)),
            Self::Timeless => None,
        }
    }

    pub(crate) const fn is_system(&self) -> bool {
        matches!(self, Self::System { .. })
    }

    pub(crate) const fn is_manual(&self) -> bool {
        matches!(self, Self::Manual(_))
    }

    /// Whether a caller's ticks are nanoseconds.
    pub(crate) const fn counts_nanoseconds(&self) -> bool {
        matches!(self, Self::Manual(Unit::Nanoseconds))
    }

    /// The present moment by the system's clock; `None` if the caller passes the time.
    #[inline]
    pub(crate) fn read(&self) -> Option<Tick> {
        match self {
            Self::System { origin, at } => Some(at.after(origin.elapsed())),
            Self::Manual(_) | Self::Timeless => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `/proc/uptime` counts the time of suspension. Read before and after, it bounds the clock from both sides.
    #[test]
    #[cfg(target_os = "linux")]
    fn the_clock_is_the_one_that_counts_suspension() {
        let uptime = || {
            let text = std::fs::read_to_string("/proc/uptime").unwrap();
            text.split(' ').next().unwrap().parse::<f64>().unwrap()
        };
        // The file has hundredths of a second, cut off.
        let (before, now, after) = (uptime(), crate::raw::since_boot().as_secs_f64(), uptime());
        assert!(before <= now && now <= after + 0.011, "{before} {now} {after}");
    }

    /// A reading is of this moment and not of the last step of a coarse clock, which is a millisecond ago or more.
    #[test]
    fn readings_in_a_row_differ_by_less_than_a_coarse_step() {
        let clock = Watch::resumed(Clock::System, Tick(0));
        let least = (0..100).map(|_| {
            let before = clock.read().unwrap();
            std::iter::repeat_with(|| clock.read().unwrap()).find(|&now| now > before).unwrap().since(before)
        });
        assert!(least.min().unwrap() < 100_000);
    }

    #[test]
    fn clock_loaded_resumes_at_its_moment() {
        let clock = Watch::resumed(Clock::System, Tick(1000));
        let (first, second) = (clock.read().unwrap(), clock.read().unwrap());
        assert!(Tick(1000) <= first && first <= second);
    }
}
