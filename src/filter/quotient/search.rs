//! The search for a row: among those that meet the error rate the one that uses memory best.
//!
//! There are up to 16,384 of them, so most are never looked at: the law has a bound for all rows of the same fingerprints
//! with no more cells ([`Law::least_miss`](super::law::Law::least_miss)), and longer rows are tried first. `slow_search`
//! tries every row, and a test compares the two.

use super::law::ROUNDING;
use super::plan::{MOST_BYTES, Plan, Request, Shape};
use crate::bits::WORD;
use crate::num;

/// A rate of misses that counts as none.
pub(super) const NEVER: f64 = 1e-15;

/// A shape, behind its rate of misses.
pub(super) type Rated = Option<(f64, Shape)>;

/// The bits to fill, and the distance at which duplicates are meant.
#[derive(Clone, Copy)]
struct Room {
    bits: u64,
    window: u64,
}

impl Room {
    /// The rate of misses of rows of a shape.
    fn miss(&self, shape: &Shape) -> f64 {
        let miss = shape.law.miss(self.bits / shape.width(), self.window);
        if miss < NEVER { 0.0 } else { miss }
    }

    /// A lower bound of the misses of all rows with fingerprints of this length and at most as many cells; 0 for sorted rows,
    /// for which none is known.
    fn least_miss(&self, shape: &Shape) -> f64 {
        if shape.code.is_some() {
            return 0.0;
        }
        let share = num::real(shape.width()) / num::real(self.bits);
        let miss = shape.law.least_miss(share, self.window) * (1.0 - ROUNDING);
        if miss < NEVER { 0.0 } else { miss }
    }

    /// Whether the best so far is better than anything with as many cells or fewer.
    fn is_beaten(&self, best: &Rated, shape: &Shape) -> bool {
        best.is_some_and(|(miss, _)| miss < self.least_miss(shape))
    }
}

impl Request {
    /// The rows with fingerprints of s bits that meet the error rate, the longest first.
    fn falling(&self, s: u64) -> impl Iterator<Item = Shape> {
        self.cells(s).rev().filter_map(move |k| self.shape(k, s))
    }

    /// The longest row of the shortest fingerprints that fits in `bytes`.
    pub(super) fn longest(&self, bytes: u64) -> Option<Shape> {
        self.bits().find_map(|s| self.falling(s).find(|shape| shape.width() <= bytes * 8))
    }

    /// The row that fills `bytes` and misses the fewest duplicates: of equals the shortest, then the first.
    pub(super) fn rarest(&self, bytes: u64, window: u64) -> Option<Shape> {
        let room = Room { bits: bytes * 8, window };
        self.bits().fold(None, |best, s| self.rarest_of(s, best, room)).map(|(_, shape)| shape)
    }

    /// The same among fingerprints of s bits: first, from the shortest on, those that may miss nothing.
    fn rarest_of(&self, s: u64, mut best: Rated, room: Room) -> Rated {
        let narrow = |k: u64| {
            let never = best.filter(|(miss, _)| *miss == 0.0).map_or(u64::MAX, |(_, shape)| shape.width());
            self.shape(k, s).is_some_and(|shape| shape.width() <= room.bits && shape.width() < never)
        };
        let (first, last) = self.cells(s).into_inner();
        let end = halve(first, last + 1, narrow);
        let doubtful = halve(first, end, |k| self.shape(k, s).is_some_and(|shape| room.least_miss(&shape) > 0.0));
        for shape in (doubtful..end).filter_map(|k| self.shape(k, s)) {
            best = rarer(best, shape, room);
            if best.is_some_and(|(miss, _)| miss == 0.0) {
                return best;
            }
        }
        for shape in (first..doubtful).rev().filter_map(|k| self.shape(k, s)) {
            if room.is_beaten(&best, &shape) {
                break;
            }
            best = rarer(best, shape, room);
        }
        best
    }

    /// The least memory with which a row misses at most `miss_rate` of the keys at distance `window`: of equals the
    /// shortest row, then the first.
    pub(super) fn smallest(&self, window: u64, miss_rate: f64) -> Option<Plan> {
        self.bits().fold(None, |best, s| self.smallest_of(s, best, window, miss_rate))
    }

    /// The same among fingerprints of s bits.
    fn smallest_of(&self, s: u64, mut best: Option<Plan>, window: u64, rate: f64) -> Option<Plan> {
        for shape in self.falling(s) {
            let room = Room { bits: words_of(best.as_ref()) * WORD, window };
            if shape.width() <= room.bits && room.least_miss(&shape) > rate {
                break;
            }
            best = smaller(best, shape, window, rate);
        }
        best
    }
}

/// The words of a plan, or the most there can be.
fn words_of(plan: Option<&Plan>) -> u64 {
    plan.map_or(MOST_BYTES / 8, |plan| plan.bytes / 8)
}

/// The least memory of the two: of equals the shorter row, then the first.
fn smaller(best: Option<Plan>, shape: Shape, window: u64, rate: f64) -> Option<Plan> {
    let longer = best.is_some_and(|plan| plan.shape.width() <= shape.width());
    let most = shape.rows_in(words_of(best.as_ref()) - u64::from(longer));
    least_rows(&shape, most, window, rate).map(|rows| Plan::of_rows(shape, rows)).or(best)
}

/// The one of the two that misses fewer, or is shorter: of equals the first.
fn rarer(best: Rated, shape: Shape, room: Room) -> Rated {
    let miss = room.miss(&shape);
    let worse = best.is_some_and(|(a, x)| a.total_cmp(&miss).then(x.width().cmp(&shape.width())).is_le());
    if worse { best } else { Some((miss, shape)) }
}

/// The fewest rows, at most `most`, that miss at most `miss_rate` of the keys at distance `window`, and at every
/// shorter one. The bound is quick, and mostly near.
fn least_rows(shape: &Shape, most: u64, window: u64, miss_rate: f64) -> Option<u64> {
    let beaten = |rows| shape.law.least_miss(1.0 / num::real(rows), window) * (1.0 - ROUNDING) > miss_rate;
    // By how much, as a logarithm, a number of rows misses more than is asked.
    let excess = |rows| {
        let miss = shape.law.miss(rows, window);
        let log = (miss.max(f64::MIN_POSITIVE) / miss_rate).ln();
        if miss <= miss_rate { log.min(0.0) } else { log.max(f64::MIN_POSITIVE) }
    };
    if most == 0 || excess(most) > 0.0 {
        return None;
    }
    let no = halve(1, most, beaten) - 1;
    Some(between(no, (most, excess(most)), excess))
}

/// The least number above `no` whose excess is not above 0. That of `yes` is not. In growing steps at first, since `no` is near.
fn between(mut no: u64, mut yes: (u64, f64), excess: impl Fn(u64) -> f64) -> u64 {
    let (mut step, mut above) = (1, None);
    while step < yes.0 - no {
        let value = excess(no + step);
        if value <= 0.0 {
            yes = (no + step, value);
            break;
        }
        (no, above, step) = (no + step, Some(value), 4 * step);
    }
    match above {
        Some(above) if no + 1 < yes.0 => crossing((no, above), yes, excess),
        _ => yes.0,
    }
}

/// The same from both sides: where the line through both ends crosses 0, as logarithms. The Illinois rule: an end that stays
/// counts half. Each fourth step halves, whatever the interpolation gives.
fn crossing(mut no: (u64, f64), mut yes: (u64, f64), excess: impl Fn(u64) -> f64) -> u64 {
    let mut stayed = 0;
    for turn in 1.. {
        if no.0 + 1 >= yes.0 {
            break;
        }
        let share = no.1 / (no.1 - yes.1);
        let line = num::real(no.0.max(1)) * (num::real(yes.0) / num::real(no.0.max(1))).powf(share);
        let at = if turn % 4 == 0 { u64::midpoint(no.0, yes.0) } else { num::floor(line) };
        let at = at.clamp(no.0 + 1, yes.0 - 1);
        let value = excess(at);
        if value > 0.0 {
            yes.1 /= if stayed > 0 { 2.0 } else { 1.0 };
            (no, stayed) = ((at, value), 1);
        } else {
            no.1 /= if stayed < 0 { 2.0 } else { 1.0 };
            (yes, stayed) = ((at, value), -1);
        }
    }
    yes.0
}

/// The first number from `first` on for which `is_true` is false, or `end`.
fn halve(mut first: u64, mut end: u64, is_true: impl Fn(u64) -> bool) -> u64 {
    while first < end {
        let middle = u64::midpoint(first, end);
        if is_true(middle) { first = middle + 1 } else { end = middle }
    }
    first
}
