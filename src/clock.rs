//! The only reader of a clock: monotonic, nanoseconds since the filter was built.

use std::time::Instant;

use crate::options::ClockSource;
use crate::tick::Tick;

/// Where a handle takes "now" from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Clock {
    /// The system's monotonic clock, since an origin.
    System(Instant),
    /// Ticks come from the caller.
    Manual,
    /// The kind has no time.
    Timeless,
}

impl Clock {
    /// The clock of a kind that has time or has none.
    pub(crate) fn new(has_time: bool, source: ClockSource) -> Self {
        match source {
            _ if !has_time => Self::Timeless,
            ClockSource::System => Self::System(Instant::now()),
            ClockSource::Manual => Self::Manual,
        }
    }

    /// The present moment, if the system says it.
    pub(crate) fn read(&self) -> Option<Tick> {
        match self {
            Self::System(origin) => Some(Tick(0).after(origin.elapsed())),
            Self::Manual | Self::Timeless => None,
        }
    }
}
