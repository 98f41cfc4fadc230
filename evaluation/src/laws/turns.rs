//! Rotating sets: what follows from the law of one set.

/// The rate when G sets are full and one is being filled, over a turn: `one` is the rate of a set by the part of its keys
/// that it has, in 0 ..= 1.
pub(crate) fn mean(generations: u64, one: impl Fn(f64) -> f64) -> f64 {
    const STEPS: u32 = 64;
    let full = all(generations, one(1.0));
    let at = |i: u32| 1.0 - (1.0 - full) * (1.0 - one((f64::from(i) + 0.5) / f64::from(STEPS)));
    (0..STEPS).map(at).sum::<f64>() / f64::from(STEPS)
}

/// The rate of this many sets together.
pub(crate) fn all(sets: u64, one: f64) -> f64 {
    1.0 - (1.0 - one).powf(crate::num::real(sets))
}

/// The rate that one of them may have, when all G + 1 are full.
pub(crate) fn share(generations: u64, target: f64) -> f64 {
    1.0 - (1.0 - target).powf(1.0 / crate::num::real(generations + 1))
}

/// The share of the keys of the window before that are still found: each stays up to a G-th of a window too long.
pub(crate) fn stale(generations: u64) -> f64 {
    0.5 / crate::num::real(generations)
}

/// The share of the keys of the window that a queuing filter of this many sets misses: of its oldest set half is gone, in the mean.
pub(crate) fn queuing_missed(sets: u64) -> f64 {
    0.5 / crate::num::real(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_whole() {
        for generations in [1, 4, 8] {
            assert!((all(generations + 1, share(generations, 1e-3)) - 1e-3).abs() < 1e-12);
        }
    }

    #[test]
    fn a_set_that_fills_evenly_counts_half() {
        assert!((mean(2, |part| part * 1e-4) - 2.5e-4).abs() < 1e-7);
    }

    /// Its abstract has a rate of 0.02225 at 14 bits per key of the window, for r = 8; ours has 7 hashes.
    #[test]
    fn guarded_epoch_filters_printed_rate_is_between_mean_and_worst_instant() {
        let bits = 14.0 * 8.0 / 9.0;
        let one = |part: f64| (1.0 - (-7.0 * part / bits).exp()).powi(7);
        let [least, most] = [mean(8, one), all(9, one(1.0))];
        assert!((least - 0.0220).abs() < 5e-5 && (most - 0.0243).abs() < 5e-5, "{least} to {most}");
        assert!((least..most).contains(&0.02225));
    }
}
