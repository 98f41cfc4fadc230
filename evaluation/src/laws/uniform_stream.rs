//! Rates over a whole uniform stream, from the rates at a place: a key is unseen after m others with q^m, q = 1 - 1/U,
//! and was there last d keys ago with q^(d-1) / U.

use crate::num;

/// A stream of `length` keys, uniform over `alphabet`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Uniform {
    pub(crate) alphabet: f64,
    pub(crate) length: u64,
}

/// The most places that a mean is taken over; functions of the place are smooth.
const PLACES: u64 = 400_000;

impl Uniform {
    pub(crate) fn new(alphabet: u64, length: u64) -> Self {
        Self { alphabet: num::real(alphabet), length }
    }

    /// The chance that a key after `m` others is unseen.
    pub(crate) fn unseen(&self, m: f64) -> f64 {
        (m * (-1.0 / self.alphabet).ln_1p()).exp()
    }

    /// Places spread over the stream.
    fn places(&self) -> impl Iterator<Item = f64> + use<> {
        let step = self.length.div_ceil(PLACES);
        let middle = num::real(step - 1) / 2.0;
        (0..self.length).step_by(num::index(step)).map(move |m| num::real(m) + middle)
    }

    /// The mean over unseen keys of a rate after m keys.
    pub(crate) fn over_unseen(&self, rate: impl Fn(f64) -> f64) -> f64 {
        mean(self.places().map(|m| (self.unseen(m), rate(m))))
    }

    /// The mean over duplicates of a rate of those that were there last d keys ago.
    pub(crate) fn over_duplicates(&self, rate: impl Fn(f64) -> f64) -> f64 {
        let length = num::real(self.length);
        let weight = |d: f64| self.unseen(d - 1.0) * (length - d).max(0.0);
        mean(self.places().skip(1).map(|d| (weight(d), rate(d))))
    }
}

/// A weighted mean.
fn mean(of: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (weights, sum) =
        of.fold((0.0, 0.0), |(weights, sum), (weight, value)| (weights + weight, weight.mul_add(value, sum)));
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams;

    /// Against streams that were drawn: the mean place of an unseen key, the mean distance of a duplicate.
    #[test]
    fn weights_are_those_of_drawn_streams() {
        let (alphabet, length) = (1 << 12, 6000);
        let law = Uniform::new(alphabet, length);
        let (mut places, mut distances, mut unseen, mut duplicates) = (0.0, 0.0, 0.0, 0.0);
        for seed in 0..20 {
            let keys: Vec<u64> = streams::uniform(seed, alphabet, length).map(|(key, _)| key).collect();
            for (m, distance) in streams::distances(&keys).into_iter().enumerate() {
                match distance {
                    None => (places, unseen) = (places + num::size(m), unseen + 1.0),
                    Some(d) => (distances, duplicates) = (distances + num::real(d), duplicates + 1.0),
                }
            }
        }
        assert!((law.over_unseen(|m| m) / (places / unseen) - 1.0).abs() < 0.01);
        assert!((law.over_duplicates(|d| d) / (distances / duplicates) - 1.0).abs() < 0.01);
        assert!((law.over_unseen(|_| 0.3) - 0.3).abs() < 1e-12);
    }
}
