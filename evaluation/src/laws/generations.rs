//! The time-limited Bloom filter as its paper writes it, sections 6.1 to 6.3: slices as counts, without their bits.
//!
//! A generation ends when one of the first k slices is full (equations 4 and 5); the new slice has room for k generations
//! of the rate of the last one (6, 8), less what older slices let through (7); slices older than the span go, k + l stay
//! at least. The curve of every figure, and the chance of a false positive by the exact law, follow. Where equation 4 can
//! come to nothing, a generation takes one key; a slice has 2k bits at least.

use std::collections::VecDeque;
use std::f64::consts::LN_2;

use super::sliced;
use crate::num;

#[derive(Debug, Clone, Copy)]
struct Slice {
    bits: u64,
    keys: u64,
    /// The last insertion.
    stamp: Option<f64>,
}

impl Slice {
    /// Keys that it may yet take.
    fn left(&self) -> f64 {
        (num::real(self.bits) * LN_2 - num::real(self.keys)).max(0.0)
    }

    fn fill(&self) -> f64 {
        -(-num::real(self.keys) / num::real(self.bits)).exp_m1()
    }
}

/// The state, in seconds and keys.
#[derive(Debug)]
pub(crate) struct Generations {
    k: usize,
    l: usize,
    span: f64,
    slices: VecDeque<Slice>,
    /// Keys of this generation, and those that it may yet take.
    size: u64,
    left: u64,
    shifted: f64,
}

impl Generations {
    pub(crate) fn new((k, l): (u64, u64), capacity: u64, span: f64) -> Self {
        let bits = num::ceil(num::real(capacity * k) / num::real(l) / LN_2);
        let slices = (0..k + l).map(|_| Slice { bits, keys: 0, stamp: None }).collect();
        let (k, l) = (num::index(k), num::index(l));
        let mut new = Self { k, l, span, slices, size: 0, left: 0, shifted: 0.0 };
        new.begin(0.0);
        new
    }

    pub(crate) fn insert(&mut self, now: f64) {
        for slice in self.slices.iter_mut().take(self.k) {
            (slice.keys, slice.stamp) = (slice.keys + 1, Some(now));
        }
        self.left -= 1;
        if self.left == 0 {
            self.shift(now);
        }
    }

    /// Equation 3, whatever the slice holds.
    fn is_stale(&self, slice: &Slice, now: f64) -> bool {
        slice.stamp.is_none_or(|stamp| stamp < now - self.span)
    }

    fn shift(&mut self, now: f64) {
        while self.slices.len() > self.k + self.l && self.is_stale(&self.slices[self.slices.len() - 1], now) {
            self.slices.pop_back();
        }
        if self.is_stale(&self.slices[self.slices.len() - 1], now) {
            self.slices.pop_back();
        }
        let target = num::real(self.size) * self.span / ((now - self.shifted) * num::size(self.l));
        let room = self.room(target.ceil());
        let bits = num::ceil(room / LN_2).max(num::wide(2 * self.k));
        self.slices.push_front(Slice { bits, keys: 0, stamp: None });
        self.begin(now);
    }

    /// Equation 7: the slice that the most limits the coming generations lets that many through, then the target holds.
    fn room(&self, target: f64) -> f64 {
        let allowed = |place: usize| self.slices[place - 1].left() / num::size(self.k - place);
        let limiting = (1..self.k).min_by(|&a, &b| allowed(a).total_cmp(&allowed(b)));
        match limiting {
            Some(place) if allowed(place) < target => {
                allowed(place) * num::size(self.k - place) + num::size(place) * target
            }
            _ => num::size(self.k) * target,
        }
    }

    /// Equations 4 and 5.
    fn begin(&mut self, now: f64) {
        let allowed = |(place, slice): (usize, &Slice)| num::floor(slice.left() / num::size(self.k - place));
        let size = self.slices.iter().take(self.k).enumerate().map(allowed).min().unwrap_or(1).max(1);
        (self.size, self.left, self.shifted) = (size, size, now);
    }

    pub(crate) fn slices(&self) -> f64 {
        num::size(self.slices.len())
    }

    pub(crate) fn newest_bits(&self) -> f64 {
        num::real(self.slices[0].bits)
    }

    pub(crate) fn bits(&self) -> f64 {
        num::real(self.slices.iter().map(|slice| slice.bits).sum())
    }

    /// The chance that an absent key is found: Algorithm 1.
    pub(crate) fn rate(&self, now: f64) -> f64 {
        let fresh = self.slices.iter().map(|slice| if self.is_stale(slice, now) { 0.0 } else { slice.fill() });
        sliced::chance(num::wide(self.k), fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steady arrivals: k + l slices, generations of the window's share, and the rate of the exact law.
    #[test]
    fn a_steady_stream_settles() {
        for pair in [(4, 3), (7, 28), (10, 25)] {
            let mut filter = Generations::new(pair, 3000, 300.0);
            let rates: Vec<f64> = (1..20_000)
                .map(|i| {
                    let now = num::real(i) / 10.0;
                    filter.insert(now);
                    filter.rate(now)
                })
                .collect();
            let slices = num::real(pair.0 + pair.1);
            assert!((filter.slices() - slices).abs() <= 1.0, "{pair:?}: {}", filter.slices());
            let bits = num::real(3000 * pair.0) / num::real(pair.1) / LN_2;
            assert!((filter.newest_bits() / bits - 1.0).abs() < 0.03, "{pair:?}: {} {bits}", filter.newest_bits());
            let worst = rates[10_000..].iter().fold(0.0, |a, &b| f64::max(a, b));
            let law = sliced::Shape::half(pair).worst();
            assert!((worst / law - 1.0).abs() < 0.1, "{pair:?}: {worst} {law}");
        }
    }

    #[test]
    fn a_small_filter_grows_and_a_large_one_shrinks() {
        for (capacity, grows) in [(1000, true), (10_000, false)] {
            let mut filter = Generations::new((6, 14), capacity, 300.0);
            let (first, mut most) = (filter.newest_bits(), 0.0);
            (1..10_000).for_each(|i| {
                filter.insert(num::real(i) / 10.0);
                most = f64::max(most, filter.slices());
            });
            assert_eq!((filter.newest_bits() > first, most > 20.5), (grows, grows), "{capacity}: {most}");
        }
    }
}
