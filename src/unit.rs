//! The units in which a manual clock counts.

/// The unit of the ticks of a manual clock: those of calls, of batches, of `advance`, and the clock of the statistics. The
/// options in nanoseconds, and ages, stay in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Ticks are nanoseconds.
    Nanoseconds,
    /// Ticks are microseconds.
    Microseconds,
    /// Ticks are milliseconds.
    Milliseconds,
    /// Ticks are seconds.
    Seconds,
}

impl Unit {
    /// How many nanoseconds a tick is.
    #[must_use]
    pub const fn nanoseconds(self) -> u64 {
        match self {
            Self::Nanoseconds => 1,
            Self::Microseconds => 1_000,
            Self::Milliseconds => 1_000_000,
            Self::Seconds => 1_000_000_000,
        }
    }

    /// Its symbol: `ns`, `us`, `ms` or `s`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Microseconds => "us",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
        }
    }
}
