//! The rates of both errors, for the four variants. Cells hold one of S = 2^s - 1 fingerprints.
//!
//! | | an absent key meets a row with j filled cells | ... and rows that are full |
//! | --- | --- | --- |
//! | QHT, QQHT | j / S: a row never contains a fingerprint twice | k / S |
//! | QHTD, QQHTD | 1 - (1 - 1/S)^j: its cells are independent | 1 - (1 - 1/S)^k |
//!
//! A key comes again after `d` others, all absent, and is missed, in rows that are full:
//!
//! - QHT: (1 - k/S) (1 - (1 - 1/(N k))^d). A cell is drawn by every unseen key of the row, and a later key may bring
//!   the fingerprint back.
//! - QHTD: the same with (1 - 1/S)^k for 1 - k/S.
//! - QQHTD: (1 - 1/S)^k P(Bin(d, 1/N) >= k). The k-th later key of the row pushes the key out.
//! - QQHT: at most (1 - k/S) P(X >= k) + min(d (1 - k/S)/N, k)/S, with X = Bin(d, (1 - k/S)/N). A later key of the row pushes on
//!   unless it finds its own fingerprint there. A key that was stored goes with the k-th push; one that met its fingerprint in cell j
//!   left it there, so that k - j pushes suffice, and E min(X, k) is at most the mean of X, and k. What a later key brings back is
//!   left out.

use super::binomial::Binomial;
use crate::num;
use crate::options::Variant;

/// The law of rows of `k` cells with `fingerprints` different fingerprints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law {
    pub(crate) variant: Variant,
    pub(crate) k: u64,
    pub(crate) fingerprints: u64,
}

/// By how much a bound is less than computed, since it is rounded, too.
pub(super) const ROUNDING: f64 = 1e-9;

impl Law {
    pub(crate) fn new(variant: Variant, k: u64, s: u64) -> Self {
        Self { variant, k, fingerprints: (1 << s) - 1 }
    }

    /// The chance that an absent key finds its fingerprint in a row with `filled` filled cells.
    pub(crate) fn false_duplicate(&self, filled: u64) -> f64 {
        let s = num::real(self.fingerprints);
        match self.variant {
            _ if filled == 0 => 0.0,
            Variant::Qht | Variant::Qqht => num::real(filled.min(self.fingerprints)) / s,
            Variant::Qhtd | Variant::Qqhtd => -(num::real(filled) * (-1.0 / s).ln_1p()).exp_m1(),
        }
    }

    /// The same for rows that are full.
    pub(crate) fn worst(&self) -> f64 {
        self.false_duplicate(self.k)
    }

    /// The limit of the chance to miss a key, as more keys come after it, in a row with `filled` filled cells. A row with an
    /// empty cell has lost no key yet.
    pub(crate) fn far_miss(&self, filled: u64) -> f64 {
        if filled < self.k { 0.0 } else { 1.0 - self.worst() }
    }

    /// The chance that a key is called new though it was observed `distance` keys before, in `rows` full rows; for QQHT at most.
    pub(crate) fn miss(&self, rows: u64, distance: u64) -> f64 {
        let (limit, share) = (1.0 - self.worst(), 1.0 / num::real(rows));
        if limit <= 0.0 || distance == 0 {
            return 0.0;
        }
        match self.variant {
            Variant::Qht | Variant::Qhtd => {
                let kept = num::real(distance) * (-share / num::real(self.k)).ln_1p();
                -limit * kept.exp_m1()
            }
            Variant::Qqhtd => limit * Binomial { n: distance, p: share }.at_least(self.k),
            Variant::Qqht => {
                let pushes = Binomial { n: distance, p: share * limit };
                limit * pushes.at_least(self.k) + pushes.mean().min(num::real(self.k)) / num::real(self.fingerprints)
            }
        }
    }

    /// A lower bound of `miss` for all rows with fingerprints of this length and at most as many cells, in memory of which
    /// one row of this law is the part `share`.
    ///
    /// Rows with more cells keep more keys: the chance to be replaced depends on the number of all cells, and the chance to be
    /// pushed out of a queue, which takes k later keys in the share of k cells, on k alone. Where more than k of them are
    /// expected, no queue keeps more than half; where 1.3 k are, none keeps more than a queue of one cell.
    pub(super) fn least_miss(&self, share: f64, distance: u64) -> f64 {
        let (k, limit) = (num::real(self.k), 1.0 - self.worst());
        match self.variant {
            Variant::Qht | Variant::Qhtd => -limit * (num::real(distance) * (-share / k).ln_1p()).exp_m1(),
            Variant::Qqhtd => limit * self.pushed_out(share, distance),
            Variant::Qqht => {
                let met = (num::real(distance) * share * limit / k).min(1.0) / num::real(self.fingerprints);
                limit * self.pushed_out(share * limit, distance) + met
            }
        }
    }

    /// The least chance that a queue of at most k cells is pushed on k times, for cells that a later key pushes on with
    /// `chance` if there are k of them.
    fn pushed_out(&self, chance: f64, distance: u64) -> f64 {
        let pushes = Binomial { n: distance, p: chance };
        let load = pushes.mean() / num::real(self.k);
        match load {
            _ if chance <= 0.0 => 0.0,
            1.3.. => Binomial { p: chance / num::real(self.k), ..pushes }.at_least(1),
            1.0.. => 0.5,
            _ => pushes.at_least(self.k).min(0.5),
        }
    }
}
