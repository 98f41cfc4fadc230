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
    pub(crate) began: Tick,
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

    /// Whether chance alone would hardly make these keys of this rate. Ticks may be as long as whole generations take, so
    /// the stretch is up to one shorter or longer than they say.
    fn contradicts(&self, rate: f64) -> bool {
        let keys = num::real(self.keys);
        let ticks = [self.ns.saturating_sub(1), self.ns.saturating_add(1)];
        let [least, most] = ticks.map(|ticks| rate * num::real(ticks));
        let chance = |expected: f64| SURPRISE * keys.max(expected).sqrt();
        keys < least - chance(least) || keys > most + chance(most)
    }
}

/// The counts of the generations that began within the last T.
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

/// The size of the next generation.
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
        let recent = (0..count).take_while(|&i| end.since(at(i).began) <= window).count();
        let newest = |n: usize| Stretch {
            keys: (0..n).map(|i| at(i).keys).sum(),
            ns: n.checked_sub(1).map_or(0, |oldest| end.since(at(oldest).began)),
        };
        let (held, last) = (newest(recent).keys, newest(1));
        Self { held, last, rate: present_rate(recent, newest), busiest: busiest(recent, at, longest) }
    }

    /// Keys that a generation of T / l takes at the present rate.
    pub(crate) fn wanted(&self, window: u64, l: u64) -> u64 {
        num::ceil(self.rate * num::real(window)).div_ceil(l)
    }

    /// Keys that the next generation should take: equation 6, bounded by what the stream has shown. Without the
    /// bound a burst of a second is taken for a window's worth of traffic. A generation that took its whole time has
    /// shown all that can be asked.
    pub(crate) fn target(&self, window: u64, k: u64, l: u64) -> Target {
        let growth = (MOST_GROWTH * num::real(k + l) / num::real(k * l)).min(1.0);
        let shown = num::floor(num::real(self.held) * growth).min(self.busiest).max(self.held.div_ceil(l));
        let shown =
            if (window.div_ceil(l)..=window).contains(&self.last.ns) { shown.max(self.last.keys) } else { shown };
        let wanted = self.wanted(window, l);
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
fn busiest(count: usize, at: impl Fn(usize) -> Generation, span: u64) -> u64 {
    let (mut most, mut keys, mut newest) = (0, 0, 0);
    for oldest in 0..count {
        let generation = at(oldest);
        keys += generation.keys;
        while newest < oldest && at(newest).began.since(generation.began) >= span {
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

#[cfg(test)]
mod tests {
    use super::*;

    const END: u64 = 1_000_000_000;

    /// Ticks of one unit of time in these tests.
    const FINE: u64 = 1000;

    /// The target of generations given by their keys and lengths, the newest first; a generation lasts 10 at most.
    fn target(generations: &[(u64, u64)], k: u64, l: u64) -> Target {
        target_of_ticks(FINE, generations, k, l)
    }

    /// The same where a unit of time is that many ticks.
    fn target_of_ticks(ticks: u64, generations: &[(u64, u64)], k: u64, l: u64) -> Target {
        let began = |i: usize| Tick(END - ticks * generations[..=i].iter().map(|(_, length)| length).sum::<u64>());
        let at = |i: usize| Generation { began: began(i), keys: generations[i].0 };
        Traffic::new(generations.len(), at, Tick(END), 10 * ticks * l, 10 * ticks).target(10 * ticks * l, k, l)
    }

    /// `newest`, and ten generations of ten keys before it.
    fn after_calm(newest: (u64, u64)) -> Vec<(u64, u64)> {
        std::iter::once(newest).chain(std::iter::repeat_n((10, 10), 10)).collect()
    }

    fn calm(keys: u64) -> Target {
        Target { keys, room: 1.0 }
    }

    #[test]
    fn a_steady_stream_keeps_its_pace() {
        assert_eq!(target(&after_calm((10, 10)), 3, 10), calm(10));
        assert_eq!(target(&[(7, 10); 10], 3, 10), calm(7));
        assert_eq!(target(&[(7, 9); 12], 3, 10), calm(8));
    }

    #[test]
    fn chance_does_not_contradict_the_window() {
        let [a, b, c] = [(103, 10), (106, 10), (70, 10)];
        // 70 of 100 expected are three deviations off, and no more.
        assert_eq!(target(&[c, a, a, a, a, a, a, a, a, b], 3, 10), calm(100));
        assert_eq!(target(&[(69, 10), a, a, a, a, a, a, a, a, (107, 10)], 3, 10), calm(69));
        // And three deviations above, which are those of the larger number.
        let above: Vec<_> = std::iter::once((140, 10)).chain(std::iter::repeat_n((96, 10), 10)).collect();
        assert_eq!(target(&above, 3, 10).keys, 140);
        let within: Vec<_> = std::iter::once((120, 10)).chain(std::iter::repeat_n((96, 10), 10)).collect();
        assert_eq!(target(&within, 3, 10).keys, 99);
    }

    #[test]
    fn two_generations_may_contradict_what_one_does_not() {
        let [low, high] = [(75, 10), (117, 10)];
        assert_eq!(target(&[low, low, low, low, high, high, high, high, high, (115, 10)], 3, 10), calm(75));
    }

    #[test]
    fn the_newest_are_tried_by_doubling() {
        let [low, high, calm_one] = [(75, 10), (140, 10), (101, 10)];
        let generations = [low, low, high, calm_one, calm_one, calm_one, calm_one, calm_one, calm_one, (104, 10)];
        assert_eq!(target(&generations, 3, 10), calm(75));
    }

    /// A hundred keys at each tick, in five generations: that is the rate, whatever came at one tick and took no time.
    #[test]
    fn generations_of_one_tick_do_not_contradict_the_window() {
        let ticks: Vec<_> = (0..500).map(|i| (20, u64::from(i % 5 == 4))).collect();
        assert_eq!(target_of_ticks(1, &ticks, 3, 10).keys, 1000);
        // A tick that brings far more does, by all of its generations together.
        let more: Vec<_> = std::iter::repeat_n((20, 0), 100).chain(ticks).collect();
        assert!(target_of_ticks(1, &more, 3, 10).keys > 1000);
    }

    #[test]
    fn a_generation_that_took_its_time_is_believed() {
        assert_eq!(target(&after_calm((300, 10)), 3, 10), calm(300));
        // One that did not is bounded by what the window held, and the stream is climbing.
        assert_eq!(target(&after_calm((300, 1)), 3, 10), Target { keys: 253, room: CLIMB_ROOM });
    }

    #[test]
    fn a_burst_is_bounded_by_what_it_has_shown() {
        // Keys of one tick, and what the busiest stretch has.
        assert_eq!(target(&after_calm((50, 0)), 3, 10), Target { keys: 50, room: CLIMB_ROOM });
        // Two generations that took half of T / l together.
        let mut two = after_calm((50, 0));
        two.insert(1, (40, 5));
        assert_eq!(target(&two, 3, 10), Target { keys: 90, room: CLIMB_ROOM });
        // 1.5 (k + l) / (k l) of the keys held: 0.5625 of 1,080.
        let mut burst = after_calm((1000, 0));
        burst.truncate(9);
        assert_eq!(target(&burst, 4, 8), Target { keys: 607, room: CLIMB_ROOM });
    }

    #[test]
    fn twice_what_was_shown_is_no_climb_yet() {
        assert_eq!(target(&after_calm((60, 5)), 3, 10), calm(60));
        assert_eq!(target(&after_calm((61, 5)), 3, 10), calm(61));
        assert_eq!(target(&after_calm((60, 4)), 3, 10), Target { keys: 60, room: CLIMB_ROOM });
    }

    #[test]
    fn silence_asks_for_one_key() {
        assert_eq!(target(&[(1000, 101), (1000, 10)], 3, 10), calm(1));
    }
}
