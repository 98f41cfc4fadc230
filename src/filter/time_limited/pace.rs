//! How many keys the next generation should take, and how many a new slice must have room for.
//!
//! Paper: sections 6.2 and 6.3, equations 4 to 8. Three things are ours: the rate is that of the whole window unless
//! the last generations contradict it; what a generation may be sized for is bounded by what the stream has really
//! shown; and equation 7 plays the coming generations forward.

use crate::num;
use crate::tick::Tick;

/// One generation: when it began and how many keys it counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Generation {
    pub(crate) born: Tick,
    pub(crate) keys: u64,
}

/// Keys that came in a stretch of time.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    keys: u64,
    ns: u64,
}

/// How far a stretch must be from what a rate predicts, in standard deviations, before it contradicts it.
const SURPRISE: f64 = 3.0;

impl Stretch {
    fn ns(&self) -> f64 {
        num::real(self.ns.max(1))
    }

    /// Keys per nanosecond.
    fn rate(&self) -> f64 {
        num::real(self.keys) / self.ns()
    }

    /// Whether chance alone would hardly make these keys of this rate.
    fn contradicts(&self, rate: f64) -> bool {
        let (keys, expected) = (num::real(self.keys), rate * self.ns());
        (keys - expected).abs() > SURPRISE * keys.max(expected).sqrt()
    }
}

/// What the generations that began within the last T have counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Traffic {
    /// All of them.
    held: u64,
    /// The last one.
    last: Stretch,
    /// The most keys in any stretch of T / l.
    busiest: u64,
    /// Keys per nanosecond at present.
    rate: f64,
}

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
        let newest = |n: usize| Stretch {
            keys: (0..n).map(|i| at(i).keys).sum(),
            ns: n.checked_sub(1).map_or(0, |oldest| end.since(at(oldest).born)),
        };
        let (held, last) = (newest(recent).keys, newest(1));
        Self { held, last, rate: present_rate(recent, newest), busiest: busiest(recent, at, end, longest) }
    }

    /// Keys that the next generation should take: equation 6, bounded by what the stream has shown. Without the
    /// bound a burst of a second is taken for a window's worth of traffic. A generation that took its whole time has
    /// shown all that can be asked.
    pub(crate) fn target(&self, window: u64, k: u64, l: u64) -> Target {
        let growth = (MOST_GROWTH * num::real(k + l) / num::real(k * l)).min(1.0);
        let shown = num::floor(num::real(self.held) * growth).min(self.busiest).max(self.held.div_ceil(l));
        let shown =
            if (window.div_ceil(l)..=window).contains(&self.last.ns) { shown.max(self.last.keys) } else { shown };
        let wanted = num::ceil(self.rate * num::real(window)).div_ceil(l);
        let room = if wanted / CLIMB > shown { CLIMB_ROOM } else { 1.0 };
        Target { keys: wanted.min(shown).max(1), room }
    }
}

/// The rate of all `recent` generations, unless the newest 1, 2, 4, .. of them contradict it: then theirs.
///
/// The rate of one generation is a noisy estimate, and that of the window follows a change a window late.
fn present_rate(recent: usize, newest: impl Fn(usize) -> Stretch) -> f64 {
    let rate = newest(recent).rate();
    let halves = std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|&n| n < recent);
    halves.map(newest).find(|stretch| stretch.contradicts(rate)).map_or(rate, |stretch| stretch.rate())
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
