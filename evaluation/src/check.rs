//! A figure, what it should be, and how far it may be from that: the tolerance comes from the spread of the runs.
//!
//! A mean of R independent runs is held to Student's t with R - 1 degrees of freedom at a confidence of 1 - 0.01/n, where
//! n is the number of such comparisons of the experiment times the number of experiments: all of them together are wrong
//! by chance once in 100 choices of their seeds, and the seeds were fixed before. A formula that is itself an
//! approximation has a stated slack beside. Where a paper's figure is a mean of its own runs, their number enters too.
//!
//! Few runs have few degrees of freedom, and Student's law then allows a multiple of the spread that even a wrong filter
//! stays within. So a rate of events whose number of trials is known is held to the spread of counted events instead, which
//! no run needs to show; what real filters add to it (keys that meet in a block) is a constant factor.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::num;
use crate::sample::Sample;

/// The spread of a filter's rate over that of independent events: its keys share blocks, rows and slices.
const MORE_THAN_COUNTED: f64 = 1.5;

/// How a figure is held to what is expected.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Law {
    /// Equal, but for the noise of the runs.
    About,
    /// At most, but for the noise of the runs.
    AtMost,
    /// Within the slack, without noise: a promise, or one formula against another.
    Exactly,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Check {
    pub(crate) what: String,
    pub(crate) law: Law,
    pub(crate) ours: Sample,
    pub(crate) expected: f64,
    /// What the formula or the rounding of a printed figure leaves open.
    pub(crate) slack: f64,
    /// Runs behind the expected figure; 0 if it is a formula.
    pub(crate) runs_behind: u64,
    /// Trials of each run, if events are counted: then the spread is that of their number.
    #[serde(default)]
    pub(crate) trials: f64,
    /// The distance that is allowed; known when all comparisons of an experiment are.
    pub(crate) tolerance: f64,
}

impl Check {
    fn new(what: impl Into<String>, law: Law, ours: Sample, expected: f64) -> Self {
        Self { what: what.into(), law, ours, expected, slack: 0.0, runs_behind: 0, trials: 0.0, tolerance: f64::NAN }
    }

    pub(crate) fn about(what: impl Into<String>, ours: Sample, expected: f64) -> Self {
        Self::new(what, Law::About, ours, expected)
    }

    pub(crate) fn at_most(what: impl Into<String>, ours: Sample, expected: f64) -> Self {
        Self::new(what, Law::AtMost, ours, expected)
    }

    /// A figure without noise.
    pub(crate) fn exactly(what: impl Into<String>, ours: f64, expected: f64, slack: f64) -> Self {
        let ours = Sample { mean: ours, spread: 0.0, runs: 1 };
        Self::new(what, Law::Exactly, ours, expected).slack(slack)
    }

    pub(crate) fn slack(mut self, slack: f64) -> Self {
        self.slack = slack;
        self
    }

    pub(crate) fn runs_behind(mut self, runs: u64) -> Self {
        self.runs_behind = runs;
        self
    }

    /// A rate of events among `trials` in each run is never known better than Poisson's law allows: where the events
    /// are so rare that the spread of the runs says nothing, that law does.
    pub(crate) fn rate_of(mut self, trials: f64) -> Self {
        self.ours.spread = self.ours.spread.max((self.expected.abs() / trials).sqrt());
        self
    }

    /// The figure is a share of `trials` in each run: the noise is that of counted events, whatever the runs show.
    pub(crate) fn events(mut self, trials: f64) -> Self {
        self.trials = trials;
        self
    }

    fn is_noisy(&self) -> bool {
        self.law != Law::Exactly
    }

    /// The allowed distance when the chance of a false alarm may be `alarm`.
    fn allowed(&self, alarm: f64) -> f64 {
        if !self.is_noisy() {
            return self.slack;
        }
        let runs = num::real(self.ours.runs);
        if self.trials > 0.0 {
            let normal = Normal::standard().inverse_cdf(1.0 - alarm);
            let behind = if self.runs_behind == 0 { 0.0 } else { 1.0 / num::real(self.runs_behind) };
            // No event at all is expected of nobody: one is the least that can be told.
            let variance = self.expected.abs().max(1.0 / (self.trials * runs)) / self.trials * (1.0 / runs + behind);
            return normal * MORE_THAN_COUNTED * variance.sqrt() + self.slack;
        }
        let student = StudentsT::new(0.0, 1.0, (runs - 1.0).max(1.0)).map_or(f64::NAN, |t| t.inverse_cdf(1.0 - alarm));
        let behind = if self.runs_behind == 0 { 0.0 } else { 1.0 / num::real(self.runs_behind) };
        student * self.ours.spread * (1.0 / runs + behind).sqrt() + self.slack
    }

    pub(crate) fn holds(&self) -> bool {
        let off = self.ours.mean - self.expected;
        match self.law {
            Law::AtMost => off <= self.tolerance,
            Law::About | Law::Exactly => off.abs() <= self.tolerance,
        }
    }
}

/// Gives every comparison of an experiment its tolerance; says at what chance of a false alarm each.
pub(crate) fn settle(checks: &mut [Check], experiments: usize) -> f64 {
    let noisy = checks.iter().filter(|check| check.is_noisy()).count();
    let alarm = 0.01 / num::size((noisy * experiments).max(1));
    for check in checks {
        let sides = if check.law == Law::About { 2.0 } else { 1.0 };
        check.tolerance = check.allowed(alarm / sides);
    }
    alarm
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(mean: f64, spread: f64) -> Sample {
        Sample { mean, spread, runs: 10 }
    }

    #[test]
    fn the_tolerance_is_students() {
        let mut checks = [Check::about("x", sample(1.0, 0.1), 1.05)];
        assert_eq!(settle(&mut checks, 1), 0.01);
        // t of nine degrees of freedom at 0.995 is 3.2498.
        assert!((checks[0].tolerance - 3.249_84 * 0.1 / 10.0_f64.sqrt()).abs() < 1e-5);
        assert!(checks[0].holds());
        checks[0].expected = 1.2;
        assert!(!checks[0].holds());
    }

    #[test]
    fn more_comparisons_widen_each_tolerance() {
        let mut one = [Check::about("x", sample(1.0, 0.1), 1.0)];
        let mut two = [one[0].clone(), one[0].clone()];
        settle(&mut one, 1);
        settle(&mut two, 20);
        assert!(two[0].tolerance > 1.5 * one[0].tolerance);
    }

    #[test]
    fn an_upper_bound_has_one_side_and_a_promise_no_noise() {
        let mut checks = [
            Check::at_most("x", sample(0.1, 0.1), 1.0),
            Check::exactly("y", 3.0, 3.0, 0.0),
            Check::exactly("z", 3.1, 3.0, 0.0),
        ];
        settle(&mut checks, 1);
        assert!(checks[0].holds() && checks[1].holds() && !checks[2].holds());
    }

    /// Four degrees of freedom allow what counted events do not.
    #[test]
    fn counted_events_have_power_where_few_runs_have_none() {
        let of = |spread: f64| Check::about("x", Sample { mean: 0.145, spread, runs: 5 }, 0.1428);
        let mut checks = [of(1e-3), of(1e-3).events(1e6), of(1e-9).events(1e6)];
        settle(&mut checks, 100);
        assert!(checks[0].holds() && !checks[1].holds());
        assert_eq!(checks[1].tolerance, checks[2].tolerance);
        checks[1].ours.mean = 0.1435;
        assert!(checks[1].holds());
    }

    #[test]
    fn nothing_measured_is_not_certain() {
        let rare = Check::about("x", sample(0.0, 0.0), 1e-6).rate_of(1e5);
        let counted = [1e-7, 1e-3].map(|law| Check::about("x", sample(0.0, 0.0), law).events(1e5));
        let [few, many] = counted;
        let mut checks = [rare, Check::about("x", sample(0.0, 0.0), 1e-3).rate_of(1e5), few, many];
        settle(&mut checks, 1);
        assert_eq!(checks.map(|check| check.holds()), [true, false, true, false]);
    }
}
