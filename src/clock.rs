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
}

impl Clock {
    pub(crate) fn new(source: ClockSource) -> Self {
        match source {
            ClockSource::System => Self::System(Instant::now()),
            ClockSource::Manual => Self::Manual,
        }
    }

    /// The present moment, unless it comes from the caller.
    pub(crate) fn read(&self) -> Option<Tick> {
        match self {
            Self::System(origin) => Some(Tick(0).after(origin.elapsed())),
            Self::Manual => None,
        }
    }
}
