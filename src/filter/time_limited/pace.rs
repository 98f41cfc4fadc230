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
const MOST_GROWTH: u64 = 3;

impl Traffic {
    /// Of `generations`, the newest first, the newest ending at `end`; `window` is T and `longest` T / l.
    pub(crate) fn new(generations: &[Generation], end: Tick, window: u64, longest: u64) -> Self {
        let last = generations.first().map_or((0, 0), |newest| (newest.keys, end.since(newest.born)));
        let recent = generations.iter().take_while(|generation| end.since(generation.born) <= window).count();
        let recent = &generations[..recent];
        Self {
            held: recent.iter().map(|generation| generation.keys).sum(),
            held_ns: recent.last().map_or(0, |oldest| end.since(oldest.born)),
            last: last.0,
            last_ns: last.1,
            busiest: busiest(recent, end, longest),
        }
    }

    /// Keys that the next generation should take: equation 6, bounded by what the stream has shown. Without the
    /// bound a burst of a second is taken for a window's worth of traffic.
    pub(crate) fn target(&self, window: u64, k: u64, l: u64) -> u64 {
        let growth = num::real(MOST_GROWTH * (k + l)) / num::real(k * l);
        let shown = num::floor(num::real(self.held) * growth.min(1.0)).min(self.busiest);
        self.rate_times(window).div_ceil(l).min(shown.max(self.held.div_ceil(l))).max(1)
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

/// The most keys of neighbouring generations that took `span` together, or of a single one.
fn busiest(generations: &[Generation], end: Tick, span: u64) -> u64 {
    let ended = |i: usize| if i == 0 { end } else { generations[i - 1].born };
    let (mut most, mut keys, mut newest) = (0, 0, 0);
    for (oldest, generation) in generations.iter().enumerate() {
        keys += generation.keys;
        while newest < oldest && ended(newest).since(generation.born) > span {
            keys -= generations[newest].keys;
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
