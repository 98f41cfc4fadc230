//! The position of the window: a position in eighths of a generation, exact at nanoseconds and at centuries.
//!
//! ```text
//!  position    = 8 G x (observations, or nanoseconds) / window      a whole part, and a rest in 8 G / window
//!  generation  = floor((position + phase) / 8)                      of a line; its phase is 0 .. 7
//! ```
//! **Law.** A moment that is at most a window later is at most 8 G further on: both positions are floors of one line. So a
//! cell of generation g is needed up to generation g + G of its line, its very edge included, and no longer.
//! A position is kept at the first moment of its part, so that filters with the same parts have the same position.
//! After a silence in which everything has gone the position moves no further than that, and some parts more: then generations
//! begin when they would have begun without a silence. So filters that began together have the same generations, also if one
//! of them was spared the keys that the other knew.
//! Parts and generations are types, so that neither is taken for the other, for a number of them or for a moment.

use crate::num;
use crate::tick::Tick;

/// Parts of a generation; also the phases of lines, and so the locks of a divided table: three bits of both strings.
pub(super) const PARTS: u64 = 8;

/// The first position: far from 0.
pub(super) const START: u64 = PARTS * 128;

/// The number of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part(pub(super) u64);

impl Part {
    /// The first.
    pub(super) const START: Self = Self(START);

    /// The generation of a line of this phase.
    #[inline(always)]
    pub(super) const fn generation(self, phase: u64) -> Generation {
        Generation((self.0 + phase) / PARTS)
    }

    /// Parts since an earlier one.
    #[inline(always)]
    pub(super) const fn since(self, earlier: Self) -> u64 {
        self.0 - earlier.0
    }

    /// The part that is a number of parts later.
    #[inline(always)]
    pub(super) const fn after(self, parts: u64) -> Self {
        Self(self.0 + parts)
    }
}

/// The number of a generation of lines of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Generation(pub(super) u64);

impl Generation {
    /// Generations since an earlier one.
    #[inline(always)]
    pub(super) const fn since(self, earlier: Self) -> u64 {
        self.0 - earlier.0
    }

    /// The generation that is a number of generations earlier.
    #[inline(always)]
    pub(super) const fn before(self, generations: u64) -> Self {
        Self(self.0 - generations)
    }

    /// The generation that is a number of generations later.
    #[inline(always)]
    pub(super) const fn after(self, generations: u64) -> Self {
        Self(self.0 + generations)
    }

    /// Its first and its last part in lines of this phase.
    #[inline(always)]
    pub(super) const fn parts(self, phase: u64) -> (Part, Part) {
        let first = PARTS * self.0 - phase;
        (Part(first), Part(first + PARTS - 1))
    }
}

/// See the module. Moments are numbers of observations, or nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    /// The whole part.
    pub(super) part: Part,
    /// The rest at `at`, below the window.
    rest: u64,
    /// The moment that part and rest are of.
    pub(super) at: u64,
    /// The first moment of the next part; `u64::MAX` may be one of this.
    pub(super) next: u64,
}

/// The window that a position moves along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Observations, or nanoseconds.
    pub(super) window: u64,
    /// 8 G.
    pub(super) parts: u64,
    /// Parts for which a key is kept: 8 G, and those of the lateness that is allowed.
    pub(super) kept: u64,
}

/// When a record is judged: at its own moment, which is that of the clock, or before it where lateness is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    pub(super) clock: u64,
    pub(super) own: u64,
}

impl When {
    /// At the clock.
    #[inline(always)]
    pub(super) const fn at(clock: u64) -> Self {
        Self { clock, own: clock }
    }

    /// At `own` if that is at most `lateness` below the clock, else at the clock.
    #[inline(always)]
    pub(super) fn late(clock: u64, own: u64, lateness: u64) -> Self {
        Self { clock, own: if clock - own <= lateness { own } else { clock } }
    }
}

impl Span {
    /// Parts after which no earlier key is left: 8 more than a key is kept.
    pub(super) const fn lifetime(&self) -> u64 {
        self.kept + PARTS
    }

    /// How far a position moves in a step of this many parts.
    fn step(&self, parts: u128) -> u64 {
        let lifetime = u128::from(self.lifetime());
        let beyond = parts.checked_sub(lifetime).map_or(0, |beyond| beyond / u128::from(PARTS) * u128::from(PARTS));
        num::low_half(parts - beyond)
    }
}

impl Position {
    /// The beginning, at a moment.
    pub(super) fn start(at: u64, span: &Span) -> Self {
        Self { part: Part::START, rest: 0, at, next: at }.with_next(span)
    }

    /// The position of a snapshot: the first moment of a part, and how far into it that is.
    pub(super) fn known(part: Part, rest: u64, at: u64, span: &Span) -> Self {
        Self { part, rest, at, next: at }.with_next(span)
    }

    /// What a snapshot has of it.
    pub(super) const fn saved(&self) -> [u64; 3] {
        [self.part.0, self.rest, self.at]
    }

    /// The position at `now`; this one if that is not later.
    pub(super) fn moved(&self, now: u64, span: &Span) -> Self {
        let (steps, rest) = self.way(now, span);
        if steps == 0 {
            return *self;
        }
        let back = rest / span.parts;
        let (at, rest) = (self.at.max(now) - back, rest - back * span.parts);
        Self { part: self.part.after(span.step(steps)), rest, at, next: 0 }.with_next(span)
    }

    /// The part at `now`, as [`Position::moved`] would have it.
    #[inline]
    pub(super) fn part_at(&self, now: u64, span: &Span) -> Part {
        if now < self.next { self.part } else { self.moved(now, span).part }
    }

    /// Part and rest at a moment that may be before that of this position.
    pub(super) fn place_of(&self, moment: u64, span: &Span) -> (Part, u64) {
        let Some(before) = self.at.checked_sub(moment) else {
            let (steps, rest) = self.way(moment, span);
            return (self.part.after(span.step(steps)), rest);
        };
        let window = u128::from(span.window);
        let here = u128::from(self.part.0) * window + u128::from(self.rest);
        let there = here.saturating_sub(u128::from(span.parts) * u128::from(before));
        (Part(num::low_half(there / window)), num::low_half(there % window))
    }

    /// How far into its part `now` is.
    pub(super) fn rest_at(&self, now: u64, span: &Span) -> u64 {
        self.way(now, span).1
    }

    /// Whole parts up to `now`, and the rest there.
    fn way(&self, now: u64, span: &Span) -> (u128, u64) {
        let since = now.saturating_sub(self.at);
        let x = u128::from(span.parts) * u128::from(since) + u128::from(self.rest);
        let window = u128::from(span.window);
        (x / window, num::low_half(x % window))
    }

    fn with_next(self, span: &Span) -> Self {
        let left = (span.window - self.rest).div_ceil(span.parts);
        Self { next: self.at.saturating_add(left), ..self }
    }
}

/// The moments that a filter remembers. None of them runs back.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Time {
    pub(super) clock: Tick,
    /// A tick that leads the clock by fewer nanoseconds is taken without another look: 0 until the caller has passed one.
    pub(super) leads: u64,
    /// Observations so far, of a window of keys.
    pub(super) count: u64,
}

impl Time {
    /// The number of an observation, which counts.
    #[inline(always)]
    pub(super) const fn next(&mut self) -> u64 {
        let number = self.count;
        self.count = number.wrapping_add(1);
        number
    }

    /// Whether the caller has ever passed a tick; false for a window of keys.
    pub(super) const fn has_started(&self) -> bool {
        self.leads > 0
    }

    /// Whether a tick is neither late nor too far ahead, nor the first: as a rule it is.
    #[inline(always)]
    pub(super) fn is_usual(&self, now: Tick) -> bool {
        now >= self.clock && now.since(self.clock) < self.leads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::KeyHash;

    /// Against whole numbers of 128 bits, from an absolute beginning, for steps of every size.
    #[test]
    fn a_position_is_exact_at_nanoseconds_and_at_centuries() {
        const CENTURIES: u64 = 500 * 365 * 86_400 * 1_000_000_000;
        for (case, window) in (0..).zip([1, 2, 7, 55, 56, 57, 1000, 86_400_000_000_000, CENTURIES, u64::MAX]) {
            for generations in [3, 7, 15, 31] {
                let span = Span { window, parts: PARTS * generations, kept: PARTS * generations };
                let start = if case % 2 == 0 { 0 } else { 1 << 63 };
                let mut position = Position::start(start, &span);
                let mut now = start;
                let mut lost = 0u128; // what silences cut off
                for step in 0..2000 {
                    let random = KeyHash(step).derive(generations);
                    let most = (window / 8).max(3).saturating_mul(1 + random % 3);
                    let Some(next) = now.checked_add((random >> 20) % most) else { break };
                    now = next;
                    let whole = u128::from(span.parts) * u128::from(now - start) / u128::from(window);
                    let moved = position.moved(now, &span);
                    assert_eq!(position.part_at(now, &span), moved.part);
                    let true_part = u128::from(START) + whole - lost;
                    let beyond = (true_part - u128::from(position.part.0)).saturating_sub(u128::from(span.lifetime()));
                    let cut = beyond - beyond % u128::from(PARTS);
                    lost += cut;
                    assert_eq!(u128::from(moved.part.0), true_part - cut, "{span:?}");
                    let rest = u128::from(span.parts) * u128::from(now - start) % u128::from(window);
                    assert_eq!(u128::from(moved.rest_at(now, &span)), rest);
                    assert!(moved.rest < span.parts && moved.at <= now, "the first moment of its part");
                    if now >= position.next {
                        assert!(moved.part > position.part || position.next == u64::MAX);
                        position = moved;
                    } else {
                        assert_eq!(moved.part, position.part);
                    }
                    assert_eq!(position.part_at(position.next - 1, &span), position.part, "{span:?} {position:?}");
                }
            }
        }
    }

    /// The edge: a window later is at most 8 G further, a window and a generation later a generation more than that.
    #[test]
    fn a_window_is_at_most_its_parts() {
        for window in [1, 2, 3, 55, 56, 57, 100, 1001] {
            let span = Span { window, parts: 56, kept: 56 };
            let part = |at: u64| Position::start(0, &span).part.0 + 56 * at / window;
            for at in 0..500 {
                assert!(part(at + window) - part(at) <= 56);
                assert!(part(at + window + window.div_ceil(7)) - part(at) >= 64);
            }
        }
    }
}
