//! Sliced windows: the chance of k hits in a row, and the search for the k, l and fill that meet an error rate.
//!
//! Law: an absent key hits slice `i` with probability `f_i`, its fill, independently of the others; the filter
//! calls it present when some `k` consecutive slices all hit. The recursion below is exact.
//!
//! ```text
//!  slice     0 ........ k-1 | k ........ k+l-1       a full generation later every slice is one place to the right
//!  fill      ramp to `fill` | fill .... fill         f_i = 1 - (1 - fill)^((i + u) / k) at phase u in (0, 1], i < k
//! ```
//! Price: k (k + l) / (l ln(1 / (1 - fill))) bits per key of the window.
//!
//! Source: the papers of the two kinds; of the one on time, section 5. The papers' own (k, l) pairs
//! bracket the error rate at fill 1/2; here the worst instant meets it, and the fill is free, which saves up to
//! 15 % of the bits.

mod asked;
mod layout;
mod quick;
mod search;
mod shape;
#[cfg(test)]
mod tests;

use crate::num;

pub(crate) use layout::{LEAST_FILL, Layout, MOST_FILL};
pub(crate) use shape::Shape;

/// The most slices that a plan may have, as a length of lists: they are on the stack, and a plan allocates nothing.
const MOST: usize = 1024;

/// Slices of nearly every plan: to clear the long lists takes longer than to work on short ones.
const FEW: usize = 64;

/// The chance that some `k` consecutive slices all hit.
///
/// `chance` is F, the chance of a run among the slices so far. A first run ends at slice `i` if the last `k` slices
/// hit, the one before them missed, and no run ended before that: so F grows by
/// `missed[i - k] * f[i - k + 1] * .. * f[i]`. Both lists are rings: no more than k of either is ever looked at.
/// Rounding may take the sum past 1, which a chance never is.
pub(crate) fn run_chance(k: usize, fills: impl Iterator<Item = f64>) -> f64 {
    if k <= FEW { run_chance_of::<FEW>(k, fills) } else { run_chance_of::<MOST>(k, fills) }
}

/// The same with room for `ROOM` slices in a run.
fn run_chance_of<const ROOM: usize>(k: usize, fills: impl Iterator<Item = f64>) -> f64 {
    let (mut missed, mut last) = ([0.0; ROOM], [0.0; ROOM]);
    missed[0] = 1.0; // before slice 0: as good as a miss
    let (mut chance, mut at): (f64, usize) = (0.0, 0);
    for (i, fill) in fills.enumerate() {
        let alive = 1.0 - chance;
        last[at] = fill;
        at = if at + 1 == k { 0 } else { at + 1 };
        if i + 1 >= k {
            chance += missed[at] * last[at..k].iter().chain(&last[..at]).product::<f64>();
        }
        missed[at] = alive * (1.0 - fill);
    }
    chance.min(1.0)
}

/// The same for the steady state of `k + l` slices at phase `u` of a generation, in O(k + l): the runs that touch the
/// ramp come from sums of logarithms, all others are `fill^k`.
pub(crate) fn steady_chance(k: u32, l: u32, fill: f64, u: f64) -> f64 {
    let (k, n) = (num::index(u64::from(k)), num::index(u64::from(k + l)));
    if n < FEW { steady_chance_of::<FEW>(k, n, fill, u) } else { steady_chance_of::<{ MOST + 1 }>(k, n, fill, u) }
}

/// The same with room for one slice more than all `n`.
fn steady_chance_of<const ROOM: usize>(k: usize, n: usize, fill: f64, u: f64) -> f64 {
    let empty = -(-fill).ln_1p() / num::real(num::wide(k));
    let full_run = (num::real(num::wide(k)) * fill.ln()).exp();
    let (mut missed, mut logs) = ([0.0; ROOM], [0.0; ROOM]);
    missed[0] = 1.0;
    let (mut chance, mut log, full_log): (f64, f64, f64) = (0.0, 0.0, fill.ln());
    for i in 0..n {
        let alive = 1.0 - chance;
        let fill = if i < k { -(-empty * (num::real(num::wide(i)) + u)).exp_m1() } else { fill };
        if i < k {
            log += fill.ln();
            logs[i + 1] = log;
        } else if i < 2 * k {
            log += full_log;
        }
        if i + 1 >= k {
            let run = if i < 2 * k { (log - logs[i + 1 - k]).exp() } else { full_run };
            chance += missed[i + 1 - k] * run;
        }
        missed[i + 1] = alive * (1.0 - fill);
    }
    chance.min(1.0)
}
