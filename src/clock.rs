//! The only reader of a clock: monotonic, nanoseconds since the filter was built, the time on disk included.

use std::time::Instant;

use crate::options::ClockSource;
use crate::tick::Tick;

/// Where a handle takes "now" from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clock {
    /// The system's monotonic clock: `at` when it was `origin`.
    System { origin: Instant, at: Tick },
    /// Ticks come from the caller.
    Manual,
    /// The kind has no time.
    Timeless,
}

impl Clock {
    /// The clock of a kind that has time or has none.
    pub(crate) fn new(has_time: bool, source: ClockSource) -> Self {
        if has_time { Self::resumed(source, Tick(0)) } else { Self::Timeless }
    }

    /// The clock of a kind that has time, which stands at `now`.
    pub(crate) fn resumed(source: ClockSource, now: Tick) -> Self {
        match source {
            ClockSource::System => Self::System { origin: Instant::now(), at: now },
            ClockSource::Manual => Self::Manual,
        }
    }

    /// Who says what time it is; nobody where there is none.
    pub(crate) const fn source(&self) -> Option<ClockSource> {
        match self {
            Self::System { .. } => Some(ClockSource::System),
            Self::Manual => Some(ClockSource::Manual),
            Self::Timeless => None,
        }
    }

    /// The present moment, if the system says it.
    pub(crate) fn read(&self) -> Option<Tick> {
        match self {
            Self::System { origin, at } => Some(at.after(origin.elapsed())),
            Self::Manual | Self::Timeless => None,
        }
    }
}
