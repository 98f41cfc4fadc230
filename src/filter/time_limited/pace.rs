//! How many keys the next generation should take, and how many a new slice must have room for.
//!
//! Paper: sections 6.2 and 6.3, equations 4 to 8. Three things are ours: the rate is that of the whole window unless
//! the last generation contradicts it; what a generation may be sized for is bounded by what the stream has really
//! shown; and equation 7 plays the coming generations forward.

use crate::num;
use crate::tick::Tick;

/// One generation: when it began and how many keys it counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Generation {
    pub(crate) born: Tick,
    pub(crate) keys: u64,
}

/// What the generations that began within the last T have counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traffic {
    /// Keys of all of them.
    held: u64,
    /// The time they took.
    held_ns: u64,
    /// Keys of the last one.
    last: u64,
    /// The time it took.
    last_ns: u64,
    /// The most keys in any stretch of T / l.
    busiest: u64,
}

/// How far one generation must be from what the last T predicts, in standard deviations, before its own rate is
/// believed instead.
const SURPRISE: f64 = 3.0;

/// A generation is sized for at most this many times its share of the slices that the held keys need.
const MOST_GROWTH: f64 = 1.5;

/// A stream that wants generations this many times larger than it has shown itself to need is climbing.
const CLIMB: u64 = 2;

/// Bits of a slice that is made while the stream climbs, over those of a calm one. The climb takes more slices than
/// k + l, each a chance more for an absent key: emptier slices make up for them.
const CLIMB_ROOM: f64 = 1.3;

/// What the next generation is made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target {
    /// Keys that it should take.
    pub(crate) keys: u64,
    /// By how much its slice is larger than its keys need.
    pub(crate) room: f64,
}

impl Traffic {
    /// Of `count` generations, `at(0)` the newest, which ends at `end`; `window` is T and `longest` T / l.
    pub(crate) fn new(count: usize, at: impl Fn(usize) -> Generation, end: Tick, window: u64, longest: u64) -> Self {
        let recent = (0..count).take_while(|&i| end.since(at(i).born) <= window).count();
        let newest = at(0);
        Self {
            held: (0..recent).map(|i| at(i).keys).sum(),
            held_ns: recent.checked_sub(1).map_or(0, |oldest| end.since(at(oldest).born)),
            last: newest.keys,
            last_ns: end.since(newest.born),
            busiest: busiest(recent, at, end, longest),
        }
    }

    /// Keys that the next generation should take: equation 6, bounded by what the stream has shown. Without the
    /// bound a burst of a second is taken for a window's worth of traffic. A generation that took its whole time has
    /// shown all that can be asked.
    pub(crate) fn target(&self, window: u64, k: u64, l: u64) -> Target {
        let growth = (MOST_GROWTH * num::real(k + l) / num::real(k * l)).min(1.0);
        let shown = num::floor(num::real(self.held) * growth).min(self.busiest).max(self.held.div_ceil(l));
        let shown = if (window.div_ceil(l)..=window).contains(&self.last_ns) { shown.max(self.last) } else { shown };
        let wanted = self.rate_times(window).div_ceil(l);
        let room = if wanted / CLIMB > shown { CLIMB_ROOM } else { 1.0 };
        Target { keys: wanted.min(shown).max(1), room }
    }

    /// Keys that the window will hold if they keep arriving as they do.
    ///
    /// The rate of one generation is a noisy estimate: that of the last T is taken, unless the last generation
    /// contradicts it by more than chance.
    fn rate_times(&self, window: u64) -> u64 {
        let (held, last) = (num::real(self.held), num::real(self.last));
        let (held_ns, last_ns) = (num::real(self.held_ns.max(1)), num::real(self.last_ns.max(1)));
        let expected = held / held_ns * last_ns;
        let surprising = (last - expected).abs() > SURPRISE * last.max(expected).sqrt();
        let rate = if surprising { last / last_ns } else { held / held_ns };
        num::ceil(rate * num::real(window))
    }
}

/// The most keys of neighbouring generations that took `span` together, the one that it begins in included: a
/// generation that ended a little early does not make the stream look slower than it is.
fn busiest(count: usize, at: impl Fn(usize) -> Generation, end: Tick, span: u64) -> u64 {
    let ended = |i: usize| if i == 0 { end } else { at(i - 1).born };
    let (mut most, mut keys, mut newest) = (0, 0, 0);
    for oldest in 0..count {
        let generation = at(oldest);
        keys += generation.keys;
        while newest < oldest && ended(newest + 1).since(generation.born) >= span {
            keys -= at(newest).keys;
            newest += 1;
        }
        most = keys.max(most);
    }
    most
}

/// The keys that the next `generations` generations take when each takes `target`, or less where the slices that
/// are still filling allow less: the sum that equation 7 is after, and the room that a new slice needs.
///
/// `left[i]` is what the slice `i + 1` places behind the new one may still take; it stops `i + 1` generations
/// before the new one does, and what it may still take is spread over the generations until then (equation 4).
pub(crate) fn look_ahead(target: u64, left: &[u64], generations: usize) -> u64 {
    let mut total = 0;
    for to_go in (0..generations).rev() {
        let filling = left.iter().take(to_go).enumerate();
        let allowed = filling.map(|(i, room)| room.saturating_sub(total) / num::wide(to_go - i)).min();
        total += target.min(allowed.unwrap_or(u64::MAX)).max(1);
    }
    total
}
