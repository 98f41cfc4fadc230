//! The times of arrival: from when on they count, and the clock that they are read from.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::args::Args;
use crate::exit::Exit;
use crate::judge::Judge;
use crate::notes;
use crate::units::show_time;

/// The time of arrival: nanoseconds since 1970, by the wall clock when the run began and from then on by a clock that
/// never runs back.
pub(super) fn arrival(began_at: u64, began: Instant) -> u64 {
    began_at.saturating_add(u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

/// Nanoseconds since 1970.
pub(super) fn wall_clock() -> Result<u64, Exit> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_nanos());
    let now = since.and_then(|since| u64::try_from(since).ok());
    now.ok_or_else(|| Exit::Failed("the clock of this machine is not between 1970 and 2554".into()))
}

/// From when on the times of arrival count: from now, or from the last one of a state that lies ahead of now. How long ago
/// its records came is not known, and the pause counts as 0; or the filter is emptied.
pub(super) fn begin_arrival(judge: &mut Judge, args: &Args, now: u64) -> u64 {
    let last = judge.filter.stats().clock.0;
    let Some(path) = args.state.as_ref().filter(|_| args.time_field.is_none() && last > now) else { return now };
    let ahead = format!("{}: saved {} after now, by the clock of this machine", path.display(), show_time(last - now));
    if args.reset_clock {
        notes::say(format_args!("{ahead}: the filter was emptied"));
        judge.restart();
        return now;
    }
    notes::say(format_args!("{ahead}: the pause counts as 0; --reset-clock would empty the filter"));
    last
}
