//! What some independent runs measured: mean, spread, how many.

use serde::{Deserialize, Deserializer, Serialize};

use crate::num;

/// Mean and spread (standard deviation of one run) of a figure over independent runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sample {
    /// NaN where no run could measure it.
    #[serde(deserialize_with = "nan_if_null")]
    pub(crate) mean: f64,
    pub(crate) spread: f64,
    pub(crate) runs: u64,
}

/// JSON has no NaN: it is written as null.
fn nan_if_null<'de, D: Deserializer<'de>>(value: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or(f64::NAN))
}

impl Sample {
    /// Of one figure per run. Runs that could not measure (NaN) do not count.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.into_iter().filter(|v| v.is_finite()).collect();
        let runs = num::size(values.len());
        let mean = values.iter().sum::<f64>() / runs;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let spread = if runs > 1.0 { (squares / (runs - 1.0)).sqrt() } else { 0.0 };
        Self { mean, spread, runs: num::wide(values.len()) }
    }

    /// The median of one figure per run, with the spread of all: a run that other work disturbed does not move it.
    pub(crate) fn middle(values: &[f64]) -> Self {
        let mut values: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        values.sort_unstable_by(f64::total_cmp);
        let half = values.len() / 2;
        let mean = match values.len() % 2 {
            1 => values[half],
            _ if half > 0 => f64::midpoint(values[half - 1], values[half]),
            _ => f64::NAN,
        };
        Self { mean, ..Self::of(values) }
    }

    /// Two spreads of one run each way: nearly all runs lie in it.
    pub(crate) fn interval(&self) -> (f64, f64) {
        (self.mean - 2.0 * self.spread, self.mean + 2.0 * self.spread)
    }

    /// Whether a figure lies in the interval.
    pub(crate) fn holds(&self, figure: f64) -> bool {
        let (low, high) = self.interval();
        (low..=high).contains(&figure)
    }

    /// The same in other units.
    pub(crate) fn times(self, factor: f64) -> Self {
        Self { mean: self.mean * factor, spread: self.spread * factor.abs(), runs: self.runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_that_was_not_measured_comes_back_from_its_line() {
        let line = serde_json::to_string(&Sample::of([])).expect("a sample");
        assert_eq!(line, r#"{"mean":null,"spread":0.0,"runs":0}"#);
        let back: Sample = serde_json::from_str(&line).expect("its own line");
        assert!(back.mean.is_nan() && back.runs == 0);
        assert!(serde_json::from_str::<Sample>(r#"{"spread":0.0,"runs":0}"#).is_err(), "a mean is not left out");
    }

    #[test]
    fn mean_and_spread_are_those_of_the_book() {
        let sample = Sample::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, f64::NAN]);
        assert_eq!((sample.mean, sample.runs), (5.0, 8));
        assert!((sample.spread - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(Sample::of([3.0]).spread, 0.0);
        assert_eq!(Sample::middle(&[9.0, 1.0, 2.0, f64::NAN]).mean, 2.0);
        assert_eq!(Sample::middle(&[1.0, 4.0, 2.0, 90.0]).mean, 3.0);
        assert!(Sample::middle(&[]).mean.is_nan());
        assert_eq!(sample.times(2.0).mean, 10.0);
        assert!(sample.times(-2.0).mean == -10.0 && sample.times(-2.0).spread > 0.0);
        assert_eq!(Sample { mean: 5.0, spread: 1.5, runs: 9 }.interval(), (2.0, 8.0));
    }
}
