//! The laws of the four variants, walked key by key: nothing here is shared with the library.
//!
//! All keys are unseen except the one that is asked about. B later (or earlier) keys fall in its row, and
//! B is binomial. A row of QHT or QQHT is a chain over its distinct fingerprints; the cells of QHTD and QQHTD are
//! independent of each other.

use lately::Variant;

use super::common::num::{ceil, index, real, wide};

/// A filter: its variant, k, S = 2^s - 1, N.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Law {
    pub(crate) variant: Variant,
    pub(crate) k: usize,
    pub(crate) fingerprints: f64,
    pub(crate) rows: f64,
}

impl Law {
    pub(crate) fn new(variant: Variant, k: u32, s: u32, rows: u64) -> Self {
        Self { variant, k: index(u64::from(k)), fingerprints: real((1 << s) - 1), rows: real(rows) }
    }

    fn k_real(&self) -> f64 {
        real(wide(self.k))
    }

    /// The chance that one unseen fingerprint is none of `n` independent ones.
    fn none_of(&self, n: usize) -> f64 {
        (1.0 - 1.0 / self.fingerprints).powf(real(wide(n)))
    }

    /// P(B = 0), P(B = 1), ..: how many of `keys` fall in one row.
    pub(crate) fn in_row(&self, keys: u64) -> Vec<f64> {
        let (n, p) = (real(keys), 1.0 / self.rows);
        let mode = index(ceil(n * p)).min(index(keys));
        let most = (2 * mode + 60).max(index(ceil(n * p + 12.0 * (n * p).sqrt()))).min(index(keys));
        let mut chances = vec![0.0; most + 1];
        chances[mode] = 1.0;
        for b in mode + 1..=most {
            chances[b] = chances[b - 1] * (n - real(wide(b - 1))) / real(wide(b)) * (p / (1.0 - p));
        }
        for b in (0..mode).rev() {
            chances[b] = chances[b + 1] * real(wide(b + 1)) / (n - real(wide(b))) * ((1.0 - p) / p);
        }
        let sum: f64 = chances.iter().sum();
        chances.iter().map(|chance| chance / sum).collect()
    }

    /// The distinct fingerprints of a row of QHT or QQHT after `keys` keys: P(J = 0), .., P(J = k).
    fn distinct(&self, keys: u64) -> Vec<f64> {
        let mut state = vec![0.0; self.k + 1];
        state[0] = 1.0;
        let mut mixed = vec![0.0; self.k + 1];
        for chance in self.in_row(keys) {
            mixed.iter_mut().zip(&state).for_each(|(mixed, state)| *mixed += chance * state);
            for j in (0..self.k).rev() {
                let grows = state[j] * (1.0 - real(wide(j)) / self.fingerprints);
                state[j] -= grows;
                state[j + 1] += grows;
            }
        }
        mixed
    }

    /// FP_m: the chance that an unseen key is called a duplicate after `keys` unseen keys.
    pub(crate) fn false_positive(&self, keys: u64) -> f64 {
        match self.variant {
            Variant::Qht | Variant::Qqht => {
                let filled = self.distinct(keys);
                (0..).zip(&filled).map(|(j, chance)| chance * real(j) / self.fingerprints).sum()
            }
            Variant::Qhtd | Variant::Qqhtd => {
                let chances = self.in_row(keys);
                chances.iter().enumerate().map(|(b, chance)| chance * (1.0 - self.none_of(b.min(self.k)))).sum()
            }
        }
    }

    /// The limit of FP_m.
    pub(crate) fn limit(&self) -> f64 {
        match self.variant {
            Variant::Qht | Variant::Qqht => (self.k_real() / self.fingerprints).min(1.0),
            Variant::Qhtd | Variant::Qqhtd => 1.0 - self.none_of(self.k),
        }
    }

    /// The chance that a key observed after `before` unseen keys is called new after `distance` more.
    pub(crate) fn miss(&self, before: u64, distance: u64) -> f64 {
        let later = self.in_row(distance);
        match self.variant {
            Variant::Qht => self.miss_of_random_distinct(before, &later),
            Variant::Qhtd => self.miss_of_random(before, &later),
            Variant::Qqht => self.miss_of_queue_distinct(before, &later),
            Variant::Qqhtd => self.none_of(self.k) * later.iter().skip(self.k).sum::<f64>(),
        }
    }

    fn miss_of_random(&self, before: u64, later: &[f64]) -> f64 {
        let survives = 1.0 - 1.0 / self.k_real();
        let mut miss = 0.0;
        for (earlier, chance) in self.in_row(before).into_iter().enumerate() {
            let free = self.k - (earlier + 1).min(self.k);
            let lost = later.iter().skip(free).enumerate();
            let lost: f64 = lost.map(|(evictions, p)| p * (1.0 - survives.powf(real(wide(evictions))))).sum();
            miss += chance * self.none_of(self.k) * lost;
        }
        miss
    }

    fn miss_of_random_distinct(&self, before: u64, later: &[f64]) -> f64 {
        let share = |j: usize| real(wide(j)) / self.fingerprints;
        // Present with J = j distinct fingerprints, or gone.
        let (mut present, mut gone, mut miss) = (vec![0.0; self.k + 1], 0.0, 0.0);
        for (j, chance) in self.distinct(before).into_iter().enumerate() {
            present[j] += chance * share(j);
            present[(j + 1).min(self.k)] += chance * (1.0 - share(j));
        }
        for chance in later {
            miss += chance * gone;
            let evicted = present[self.k] * (1.0 - share(self.k)) / self.k_real();
            let back = gone / self.fingerprints;
            for j in (0..self.k).rev() {
                let grows = present[j] * (1.0 - share(j));
                present[j] -= grows;
                present[j + 1] += grows;
            }
            present[self.k] += back - evicted;
            gone += evicted - back;
        }
        miss
    }

    fn miss_of_queue_distinct(&self, before: u64, later: &[f64]) -> f64 {
        let (k, share) = (self.k, |j: usize| real(wide(j)) / self.fingerprints);
        // present[j][pushes since the key's fingerprint], or gone.
        let (mut present, mut gone, mut miss) = (vec![vec![0.0; k]; k + 1], 0.0, 0.0);
        for (j, chance) in self.distinct(before).into_iter().enumerate() {
            present[j].iter_mut().take(j).for_each(|place| *place += chance / self.fingerprints);
            present[(j + 1).min(k)][0] += chance * (1.0 - share(j));
        }
        for chance in later {
            miss += chance * gone;
            let mut next = vec![vec![0.0; k]; k + 1];
            let back = gone / self.fingerprints;
            let mut left = 0.0;
            for (j, places) in present.iter().enumerate() {
                for (pushes, &here) in places.iter().enumerate() {
                    next[j][pushes] += here * share(j);
                    match next[(j + 1).min(k)].get_mut(pushes + 1) {
                        Some(there) => *there += here * (1.0 - share(j)),
                        None => left += here * (1.0 - share(j)),
                    }
                }
            }
            next[k][0] += back;
            gone += left - back;
            present = next;
        }
        miss
    }
}
