//! Honest odds: how likely a count is if the claimed rate is true.
//!
//! Given a filter's bits, keys that it never saw hit independently, each with the chance that follows from the
//! fills. A sum of independent hits with unequal chances is never more spread out than a Poisson variable with the
//! same mean (Hoeffding 1956), so Poisson tails are an upper bound on the chance of a deviation.
//!
//! A suite of n comparisons uses 1 - 0.01 / n for each: the whole suite is wrong by chance once in 100 choices of
//! its seeds, and the seeds were fixed before the first run.

use super::num::real;

/// ln(n!), by Stirling's series beyond 20.
fn ln_factorial(n: u64) -> f64 {
    if n < 20 {
        return (2..=n).map(|i| real(i).ln()).sum();
    }
    let x = real(n);
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3))
}

fn poisson(mean: f64, n: u64) -> f64 {
    (real(n) * mean.ln() - mean - ln_factorial(n)).exp()
}

/// P(X >= n) for a Poisson variable.
pub(crate) fn at_least(mean: f64, n: u64) -> f64 {
    if real(n) <= mean {
        return 1.0 - (0..n).map(|i| poisson(mean, i)).sum::<f64>();
    }
    (n..).map(|i| poisson(mean, i)).take_while(|&p| p > 1e-18).sum()
}

/// P(X <= n) for a Poisson variable.
pub(crate) fn at_most(mean: f64, n: u64) -> f64 {
    (0..=n).map(|i| poisson(mean, i)).sum()
}

/// Fails if that many hits are less likely than 0.01 / `comparisons` when `expected` is the mean at most.
#[track_caller]
pub(crate) fn expect_at_most(hits: u64, expected: f64, comparisons: u32, what: &str) {
    let chance = at_least(expected, hits);
    assert!(
        chance >= 0.01 / f64::from(comparisons),
        "{what}: {hits} hits, expected at most {expected:.1} ({chance:.2e})"
    );
}

/// Fails if a count this far from `expected` on its side is less likely than half of 0.01 / `comparisons`.
#[track_caller]
pub(crate) fn expect_about(hits: u64, expected: f64, comparisons: u32, what: &str) {
    let chance = at_least(expected, hits).min(at_most(expected, hits));
    assert!(chance >= 0.005 / f64::from(comparisons), "{what}: {hits} hits, expected {expected:.1} ({chance:.2e})");
}
