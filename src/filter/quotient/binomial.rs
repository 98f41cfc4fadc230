//! Binomial chances, exact to about 13 digits for any number of trials (Loader's saddle-point form: sums and
//! differences of large logarithms would lose them).

use crate::num;

/// `n` trials that each succeed with chance `p`, 0 < p <= 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Binomial {
    pub(crate) n: u64,
    pub(crate) p: f64,
}

/// Terms below this share of the sum change no digit that is kept.
const NOTHING: f64 = 1e-18;

impl Binomial {
    /// P(X = x).
    pub(crate) fn exactly(&self, x: u64) -> f64 {
        let (n, p, q) = (num::real(self.n), self.p, 1.0 - self.p);
        match (x, self.n.checked_sub(x)) {
            (_, None) => 0.0,
            (0, _) => (n * (-p).ln_1p()).exp(),
            (_, Some(0)) => (n * p.ln()).exp(),
            (_, Some(rest)) if q > 0.0 => {
                let (x, rest) = (num::real(x), num::real(rest));
                let log = stirling_error(n)
                    - stirling_error(x)
                    - stirling_error(rest)
                    - deviance(x, n * p)
                    - deviance(rest, n * q);
                log.exp() * (n / (std::f64::consts::TAU * x * rest)).sqrt()
            }
            _ => 0.0,
        }
    }

    /// P(X >= k).
    pub(crate) fn at_least(&self, k: u64) -> f64 {
        if num::real(k) > self.mean() {
            self.sum_from(k)
        } else {
            k.checked_sub(1).map_or(1.0, |below| 1.0 - self.sum_down(below))
        }
    }

    /// The mean of X.
    pub(crate) fn mean(&self) -> f64 {
        num::real(self.n) * self.p
    }

    /// The sum of P(X = x) over `x >= from`, which is not below the mean.
    fn sum_from(&self, from: u64) -> f64 {
        self.sum((from.., 1.0), |x| self.up(x))
    }

    /// The sum of P(X = x) over `x <= from`, which is not above the mean.
    fn sum_down(&self, from: u64) -> f64 {
        self.sum(((0..=from).rev(), -1.0), |x| self.down(x))
    }

    /// P(X = x + 1) / P(X = x).
    fn up(&self, x: f64) -> f64 {
        (num::real(self.n) - x) / (x + 1.0) * (self.p / (1.0 - self.p))
    }

    /// P(X = x - 1) / P(X = x).
    fn down(&self, x: f64) -> f64 {
        x / (num::real(self.n) - x + 1.0) * ((1.0 - self.p) / self.p)
    }

    /// The sum of P(X = x) over numbers at a distance of `step`; `ratio` is that of a term to the one before.
    /// Numbers are also kept as floats: below 2^53 they are exact, and a conversion would take as long as all the rest of a term.
    fn sum(&self, (numbers, step): (impl Iterator<Item = u64>, f64), ratio: impl Fn(f64) -> f64) -> f64 {
        let mut numbers = numbers.peekable();
        let Some(&first) = numbers.peek() else { return 0.0 };
        let (mut at, mut term, mut sum) = (num::real(first), self.exactly(first), 0.0);
        for _ in numbers {
            if term <= sum * NOTHING {
                break;
            }
            sum += term;
            term *= ratio(at);
            at += step;
        }
        sum
    }
}

/// ln n! less Stirling's formula, (n + 1/2) ln n - n + ln(2 pi) / 2.
fn stirling_error(n: f64) -> f64 {
    if n > 15.0 {
        let m = n * n;
        return (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / m) / m) / m) / m) / n;
    }
    let factorial: f64 = (2..=num::floor(n)).map(num::real).product();
    factorial.ln() - (n + 0.5) * n.ln() + n - 0.5 * std::f64::consts::TAU.ln()
}

/// x ln(x / m) + m - x without cancellation where x is near m.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = (x - m) / (x + m);
    let (mut sum, mut power, mut odd) = ((x - m) * v, 2.0 * x * v, 3.0);
    loop {
        power *= v * v;
        let next = sum + power / odd;
        if next.to_bits() == sum.to_bits() {
            return next;
        }
        (sum, odd) = (next, odd + 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs()
    }

    #[test]
    fn small_numbers_are_those_of_pascal() {
        for n in 1..=40u64 {
            for p in [0.02, 0.3, 0.5, 0.97] {
                let trials = Binomial { n, p };
                let mut row = vec![1.0];
                for _ in 0..n {
                    let pairs = |i: usize| if i == 0 { 0.0 } else { row[i - 1] * p };
                    row = (0..=row.len()).map(|i| pairs(i) + row.get(i).map_or(0.0, |x| x * (1.0 - p))).collect();
                }
                for (x, &chance) in (0..).zip(&row) {
                    let tail: f64 = row[num::index(x)..].iter().rev().sum();
                    assert!(close(trials.exactly(x), chance), "{n} {p} {x}");
                    assert!((trials.at_least(x) - tail).abs() <= 1e-12 * tail + 1e-15, "{n} {p} {x}");
                }
                assert!(trials.exactly(n + 1) == 0.0 && trials.at_least(n + 1) == 0.0);
            }
        }
    }

    #[test]
    fn large_numbers_are_those_of_poisson() {
        // A trillion trials of a ten-billionth each: Poisson(100) to within 1e-8.
        let trials = Binomial { n: 1_000_000_000_000, p: 1e-10 };
        let poisson = |x: u64| (1..=x).fold((-100.0f64).exp(), |chance, i| chance * 100.0 / num::real(i));
        for x in [0, 1, 60, 99, 100, 101, 180] {
            assert!((trials.exactly(x) / poisson(x) - 1.0).abs() < 1e-8, "{x}");
        }
        let below: f64 = (0..130).map(poisson).sum();
        assert!((trials.at_least(130) / (1.0 - below) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn tail_of_a_certain_event_is_one() {
        let always = Binomial { n: 7, p: 1.0 };
        assert_eq!([6, 7, 8].map(|x| always.exactly(x)), [0.0, 1.0, 0.0]);
        assert_eq!([0, 7, 8].map(|k| always.at_least(k)), [1.0, 1.0, 0.0]);
    }
}
