//! The chance of a sliced window at its worst instant, quickly: for a search that asks often.

use crate::num;

use super::MOST;
use super::layout::{LEAST_FILL, MOST_FILL};

/// A root is found to this share.
const ROOT: f64 = 1e-13;
/// Steps towards a root: five are enough, except for rounding at the ends.
const MOST_STEPS: u32 = 40;

/// A root of the quick chance is no further than this from that of the exact one: the ramp adds up the rounding of k
/// steps.
pub(super) fn unsure(k: u32) -> f64 {
    1e-13 * f64::from(k + 20)
}

/// [`steady_chance`] at the worst instant, without a logarithm for every slice: the same to some 13 digits, and no
/// smaller than any number.
///
/// All is counted in runs of full slices, `fill^k`. Those that begin in the ramp are suffix products of f_i / fill.
pub(super) struct Quick {
    /// Runs that have ended by the `j`-th full slice, in full runs.
    ended: [f64; MOST],
}

impl Quick {
    pub(super) const fn new() -> Self {
        Self { ended: [0.0; MOST] }
    }

    /// The logarithm of the chance at the worst instant.
    pub(super) fn log_chance(&mut self, k: u32, l: u32, fill: f64) -> f64 {
        #[cfg(test)]
        super::tests::LOOKED.set((super::tests::LOOKED.get().0 + 1, super::tests::LOOKED.get().1));
        self.log_chance_from(k, l, fill, 1.0 - fill)
    }

    /// The logarithm of the chance at phase `u` of a generation.
    pub(super) fn log_chance_at(&mut self, k: u32, l: u32, fill: f64, u: f64) -> f64 {
        let share = (f64::from(k) - 1.0 + u) / f64::from(k);
        self.log_chance_from(k, l, fill, ((-fill).ln_1p() * share).exp())
    }

    /// The same, where `empty` is the share of zeros at the end of the ramp.
    fn log_chance_from(&mut self, k: u32, l: u32, fill: f64, mut empty: f64) -> f64 {
        let log = f64::from(k) * fill.ln();
        let [ramp, runs] = [k, l].map(|n| num::index(u64::from(n)));
        // By how much more is empty one slice before.
        let older = (-(-fill).ln_1p() / f64::from(k)).exp();
        let mut product = 1.0;
        for j in (1..=ramp).rev() {
            self.ended[j] = empty * product;
            product *= (1.0 - empty) / fill;
            empty *= older;
        }
        self.ended[0] = product;
        for j in 1..=ramp.min(runs) {
            self.ended[j] += self.ended[j - 1];
        }
        let full_run = log.exp();
        for j in ramp + 1..=runs {
            self.ended[j] = self.ended[j - 1] + (1.0 - fill) * (1.0 - full_run * self.ended[j - ramp - 1]);
        }
        log + self.ended[runs].ln()
    }

    /// The fill at which the chance is `rate`, or the largest that may be, if it is not below `start`.
    pub(super) fn root(&mut self, k: u32, l: u32, start: f64, rate: f64) -> f64 {
        let most = MOST_FILL.ln();
        let mut excess = |log_fill: f64| self.log_chance(k, l, log_fill.exp()) - rate.ln();
        if excess(most) <= 0.0 {
            return MOST_FILL;
        }
        let mut last = (start.max(LEAST_FILL).ln(), 0.0);
        last.1 = excess(last.0);
        // The chance rises about as the k-th power of the fill.
        let mut at = last.0 - last.1 / f64::from(k);
        for _ in 0..MOST_STEPS {
            at = at.clamp(LEAST_FILL.ln(), most);
            let here = (at, excess(at));
            if (here.0 - last.0).abs() < ROOT {
                break;
            }
            at -= here.1 * (here.0 - last.0) / (here.1 - last.1);
            last = here;
        }
        at.exp()
    }
}
