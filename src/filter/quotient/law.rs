//! The exact rates of both errors, for the four variants. Cells hold one of S = 2^s - 1 fingerprints.
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
//! - QQHT: pushed on by a later key of the row with p = 1 - k/S, gone after k pushes, back with 1/S. Rows of k distinct
//!   fingerprints are this chain's rest state except the key itself, which gives, after n later keys of the row,
//!   p (1 - D(n)) with D(n) = P(gone at n | gone at 0) - P(gone at n | just stored). It passes its limit p for a while.
//!   D is a sum of lists for short rows, an integral for long ones (`contour`), and after some rounds through the row a sum of
//!   what is left of its roots (`roots`).

use super::binomial::Binomial;
use super::contour::Chain;
use super::roots::Roots;
use crate::error::Error;
use crate::num;
use crate::options::Variant;
use crate::raw::push;

/// The law of rows of `k` cells with `fingerprints` different fingerprints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Law {
    pub(crate) variant: Variant,
    pub(crate) k: u64,
    pub(crate) fingerprints: u64,
}

/// Below this a difference to the rest state is none: rounding makes a hundredth of it.
const SETTLED: f64 = 1e-14;

/// By how much a bound is less than computed, since it is rounded, too.
pub(super) const ROUNDING: f64 = 1e-9;

/// From this many rounds through the row on the chain has few roots that count, and `contour` more and more points.
const FAR: f64 = 4.0;

/// From this many cells on the circle of `contour` has fewer points than the lists have terms.
const MANY: u64 = 16;

/// Below this the tail of first passages is none.
const TAIL: f64 = 1e-20;

/// P(X >= k), or a lower bound of it.
pub(super) type Tail = fn(&Binomial, u64) -> f64;

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

    /// The chance that a key is called new though it was observed `distance` keys before, in `rows` full rows.
    pub(crate) fn miss(&self, rows: u64, distance: u64) -> Result<f64, Error> {
        let limit = 1.0 - self.worst();
        if limit <= 0.0 || distance == 0 {
            return Ok(0.0);
        }
        let later = Binomial { n: distance, p: 1.0 / num::real(rows) };
        Ok(match self.variant {
            Variant::Qht | Variant::Qhtd => {
                let kept = num::real(distance) * (-1.0 / (num::real(rows) * num::real(self.k))).ln_1p();
                -limit * kept.exp_m1()
            }
            Variant::Qqhtd => limit * later.at_least(self.k),
            Variant::Qqht => limit * (1.0 - self.difference(later)?),
        })
    }

    /// D of QQHT after a number of keys of which each may be one of the row.
    pub(super) fn difference(&self, later: Binomial) -> Result<f64, Error> {
        let pushes = Binomial { p: later.p * (1.0 - self.worst()), ..later };
        if pushes.mean() > FAR * num::real(self.k) {
            let roots = Roots { k: self.k, spare: self.fingerprints - self.k };
            return Ok(roots.difference(pushes.p, later.n));
        }
        if self.k < MANY {
            return self.sum_of_lists(later);
        }
        let passes = pushes.mean() >= num::real(self.k) || pushes.at_least(self.k) > TAIL;
        let chain = self.chain(later.mean());
        Ok(if passes { chain.difference(later.n) } else { chain.never_back(later.n) })
    }

    /// The same from the lists of the keys of a row, one after the other.
    pub(super) fn sum_of_lists(&self, later: Binomial) -> Result<f64, Error> {
        let n = later.mean();
        let differences = self.differences(num::ceil(n + 12.0 * n.sqrt() + 100.0))?;
        Ok(later.mean_below(num::wide(differences.len()), |n| differences[num::index(n)]))
    }

    /// A lower bound of the misses of all rows with fingerprints of this length and at most as many cells, in memory of which
    /// one row of this law is the part `share`.
    ///
    /// Rows with more cells keep more keys: the chance to be replaced depends on the number of all cells, and the chance to be
    /// pushed out of a queue, which takes k later keys in the share of k cells, on k alone. Where more than k of them are
    /// expected, no queue keeps more than half; where 1.3 k are, none keeps more than a queue of one cell. A key that QQHT
    /// pushed out returns only if a later one brings it.
    pub(super) fn least_miss(&self, share: f64, distance: u64) -> f64 {
        let (k, limit) = (num::real(self.k), 1.0 - self.worst());
        let never = |chance: f64| num::real(distance) * (-chance).ln_1p();
        match self.variant {
            Variant::Qht | Variant::Qhtd => -limit * never(share / k).exp_m1(),
            Variant::Qqhtd => limit * self.pushed_out(share, distance),
            Variant::Qqht => {
                let back = never(share / num::real(self.fingerprints)).exp();
                // Less the difference that the law itself takes for 0.
                self.pushed_out(share * limit, distance) * back - 10.0 * SETTLED
            }
        }
    }

    /// A lower bound of the misses of these rows of QQHT; 0 where none is known.
    ///
    /// With `b = 1/(N S)` and `b (d + 1) <= 1` a key that was gone is still gone with a chance of at most (1 - b)^d, and a key that
    /// passed through the row since is not back with a chance of at least `(1 - b)^(d - 1) (1 - b (d + 1))`: by induction over the
    /// distances, all of which have D <= (1 - b)^d then.
    pub(super) fn least_of_rows(&self, rows: u64, distance: u64, tail: Tail) -> f64 {
        let (d, limit) = (num::real(distance), 1.0 - self.worst());
        let back = 1.0 / (num::real(rows) * num::real(self.fingerprints));
        if back * (d + 1.0) > 1.0 || limit <= 0.0 {
            return 0.0;
        }
        let never = (-back).ln_1p();
        let passed = tail(&Binomial { n: distance, p: limit / num::real(rows) }, self.k);
        let stays = ((d - 1.0) * never).exp() * (1.0 - back * (d + 1.0));
        limit * (passed * stays - (d * never).exp_m1()) - 10.0 * SETTLED
    }

    /// Whether these rows miss more than `rate` by that bound: first in the form that takes least time.
    pub(super) fn surely_misses_more(&self, rate: f64, rows: u64, distance: u64) -> bool {
        let least = |tail| self.least_of_rows(rows, distance, tail) * (1.0 - ROUNDING);
        self.variant == Variant::Qqht && (least(Binomial::surely_at_least) > rate || least(Binomial::at_least) > rate)
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

    /// The chain of QQHT over `n` keys of the row.
    fn chain(&self, n: f64) -> Chain {
        Chain { k: self.k, advances: n * (1.0 - self.worst()), returns: n / num::real(self.fingerprints) }
    }

    /// D(0), D(1), .. of QQHT, up to D(last), or to where all that follow are 0.
    fn differences(&self, last: u64) -> Result<Vec<f64>, Error> {
        let back = 1.0 / num::real(self.fingerprints);
        let (first, passage) = self.passage(last)?;
        let settled = first + passage.len();
        // P(gone at n | gone at 0): by its first step, and by first passages from just stored.
        let (mut gone, mut differences) = (Vec::new(), Vec::new());
        push(&mut gone, 1.0)?;
        push(&mut differences, 1.0)?;
        let mut still = 0;
        for n in 1..=num::index(last) {
            let next = back.mul_add(-differences[n - 1], gone[n - 1]);
            push(&mut gone, next)?;
            let stored = match n.checked_sub(first) {
                None => 0.0,
                Some(n) => passage.iter().zip(gone[..=n].iter().rev()).map(|(chance, gone)| chance * gone).sum(),
            };
            push(&mut differences, gone[n] - stored)?;
            still = if differences[n].abs() < SETTLED { still + 1 } else { 0 };
            if still > settled {
                break;
            }
        }
        Ok(differences)
    }

    /// The chances that the k-th push comes with the n-th key of the row, from the first n on for which they count.
    fn passage(&self, last: u64) -> Result<(usize, Vec<f64>), Error> {
        let p = 1.0 - self.worst();
        let chance = |n: u64| num::real(self.k) / num::real(n) * Binomial { n, p }.exactly(self.k);
        let rises = |n: u64| num::real(n) * p < num::real(self.k);
        let first = (self.k..=last).find(|&n| chance(n) >= TAIL || !rises(n)).unwrap_or(last);
        let (mut list, mut term) = (Vec::new(), chance(first));
        for n in first..=last {
            if n > first {
                // From the one before: `chance` takes three logarithms.
                term *= num::real(n - 1) / num::real(n - self.k) * self.worst();
            }
            if term < TAIL && !rises(n) {
                break;
            }
            push(&mut list, term)?;
        }
        Ok((num::index(first), list))
    }
}
