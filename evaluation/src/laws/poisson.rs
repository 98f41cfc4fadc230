//! Keys on blocks: Poisson's law, and means over it.

use crate::num;

/// P(X = 0), P(X = 1), ... until the rest is nothing.
pub(crate) fn shares(mean: f64) -> impl Iterator<Item = f64> {
    let end = num::index(num::ceil(mean + 12.0 * mean.sqrt() + 30.0));
    let next = move |&(n, share): &(f64, f64)| Some((n + 1.0, share * mean / (n + 1.0)));
    std::iter::successors(Some((0.0, (-mean).exp())), next).map(|(_, share)| share).take(end)
}

/// The mean of a function of the number of keys.
pub(crate) fn average(mean: f64, of: impl Fn(u64) -> f64) -> f64 {
    (0..).zip(shares(mean)).map(|(n, share)| share * of(n)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_law() {
        for mean in [0.3, 7.0, 100.0] {
            let (first, second) = (average(mean, num::real), average(mean, |n| num::real(n * n)));
            assert!((average(mean, |_| 1.0) - 1.0).abs() < 1e-12);
            assert!((first - mean).abs() < 1e-9 && (second - mean * mean - mean).abs() < 1e-6);
        }
    }
}
