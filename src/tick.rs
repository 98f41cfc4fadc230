//! Time as an argument: nanoseconds from any origin, after the edge has scaled what a caller counts. Nothing below the edge
//! reads a clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::unit::Unit;

/// A moment: a number since an origin that the caller chooses and keeps, in the unit of the filter's clock.
///
/// Where a caller has dates, the origin is 1970-01-01 UTC ([`Tick::from_time`]); the last moment is then in the
/// year 2554.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Tick(
    /// Nanoseconds since the origin, or as many of the unit of the clock.
    pub u64,
);

impl Tick {
    /// The tick of a date: nanoseconds since 1970-01-01 UTC.
    ///
    /// # Errors
    /// A date before 1970 or after 2554 is an error of kind `TICK`.
    pub fn from_time(time: SystemTime) -> Result<Self, Error> {
        let since = time.duration_since(UNIX_EPOCH).map_err(|_| Error::date(time))?;
        u64::try_from(since.as_nanos()).map(Self).map_err(|_| Error::date(time))
    }

    /// This tick, which counts in `unit`, in nanoseconds.
    #[inline]
    pub(crate) fn in_nanoseconds(self, unit: Unit) -> Result<Self, Error> {
        if unit == Unit::Nanoseconds {
            return Ok(self);
        }
        self.0.checked_mul(unit.nanoseconds()).map(Self).ok_or_else(|| Error::tick(self.0, unit))
    }

    /// An error if it leads `clock` by more than `most` nanoseconds.
    pub(crate) fn check_lead(self, clock: Self, most: u64) -> Result<(), Error> {
        let lead = self.since(clock);
        if lead > most { Err(Error::step(lead, most)) } else { Ok(()) }
    }

    /// The tick `origin + elapsed`, saturating at the end of time.
    #[must_use]
    pub fn after(self, elapsed: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX)))
    }

    /// How long before this moment `earlier` was; 0 if it was not before.
    #[inline]
    pub(crate) fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment `ns` later, saturating at the end of time.
    #[inline]
    pub(crate) fn plus(self, ns: u64) -> Self {
        Self(self.0.saturating_add(ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_two_ends() {
        assert_eq!(Tick::from_time(UNIX_EPOCH).unwrap(), Tick(0));
        assert!(Tick::from_time(UNIX_EPOCH - Duration::from_nanos(1)).is_err());
        let last = UNIX_EPOCH + Duration::from_nanos(u64::MAX);
        assert_eq!(Tick::from_time(last).unwrap(), Tick(u64::MAX));
        assert!(Tick::from_time(last + Duration::from_nanos(1)).is_err());
    }

    #[test]
    fn time_saturates() {
        assert_eq!(Tick(3).since(Tick(5)), 0);
        assert_eq!(Tick(u64::MAX).plus(1), Tick(u64::MAX));
        assert_eq!(Tick(1).after(Duration::from_secs(u64::MAX)), Tick(u64::MAX));
    }
}
