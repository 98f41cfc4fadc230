//! TinySet, sections 4.2 and 4.3: the rate of blocks whose fingerprints shrink as they fill.
//!
//! With r entries in A bits, A mod r of them have floor(A/r) bits for their fingerprint and the others one less (one bit of
//! each says whether its chain ends). As printed the paper has mod the wrong way round and its sums by size are shifted;
//! here the sum is over entries. Keys per block are Poisson.

use super::poisson;
use crate::num;

/// What an extended fingerprint matches of what a short one does: half.
pub(crate) const ADD_ONLY: f64 = 0.5;
/// An extension bit that is never knowledge: every fingerprint of a block has the size that fits all of them. With this the
/// paper's Table 4 appears to its last digit.
pub(crate) const ONE_SIZE: f64 = 1.0;

/// The rate of a block with r entries: 1 - (1 - match / L)^r, since they fall on chains at random.
pub(crate) fn block_rate(chains: u64, array: u64, r: u64, extension: f64) -> f64 {
    if r == 0 {
        return 0.0;
    }
    let (size, extended) = ((array / r).clamp(1, 60), array % r);
    let short = 0.5f64.powi(num::power(size - 1));
    let any = |share: f64| -(num::real(r) * (-share / num::real(chains)).ln_1p()).exp_m1();
    let part = num::real(extended) / num::real(r);
    part * any(short * extension) + (1.0 - part) * any(short)
}

/// The rate at that many keys per block.
pub(crate) fn rate(chains: u64, array: u64, keys: f64, extension: f64) -> f64 {
    poisson::average(keys, |r| block_rate(chains, array, r, extension))
}

/// The smallest array that meets a rate at this load (keys per chain).
pub(crate) fn array_for(chains: u64, load: f64, target: f64, extension: f64) -> u64 {
    let keys = load * num::real(chains);
    let needs = |array: &u64| rate(chains, *array, keys, extension) <= target;
    let least = num::floor(keys * (1.0 / target).log2());
    (least..).find(needs).expect("some array is enough")
}

/// Bits per key with this array.
pub(crate) fn bits_per_key(chains: u64, array: u64, load: f64) -> f64 {
    num::real(chains + array) / (load * num::real(chains))
}

/// Bits per key of one block that holds as many keys as it has chains, no more and no fewer.
pub(crate) fn single_block(target: f64) -> f64 {
    const CHAINS: u64 = 4096;
    let needs = |array: &u64| block_rate(CHAINS, *array, CHAINS, ADD_ONLY) <= target;
    let array = (num::floor(num::real(CHAINS) * (1.0 / target).log2())..).find(needs).expect("some array is enough");
    bits_per_key(CHAINS, array, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_counted_by_hand() {
        // 24 bits, 5 entries: size 4, the first four have 4 bits of fingerprint, the last 3.
        let by_hand =
            0.8 * (1.0 - (1.0 - 1.0 / 16.0 / 8.0f64).powi(5)) + 0.2 * (1.0 - (1.0 - 1.0 / 8.0 / 8.0f64).powi(5));
        assert!((block_rate(8, 24, 5, ADD_ONLY) - by_hand).abs() < 1e-12);
        assert_eq!(block_rate(8, 24, 0, ADD_ONLY), 0.0);
    }

    /// Tables 5 and 6: the configurations meet the rates that they are printed for.
    #[test]
    fn printed_configurations_meet_their_rates() {
        for (chains, load, array, target) in [
            (80, 0.7, 432, 1e-2),
            (64, 0.87, 448, 1e-2),
            (64, 0.61, 448, 1e-3),
            (64, 0.45, 448, 1e-4),
            (32, 0.84, 224, 1e-2),
            (32, 0.57, 224, 1e-3),
            (32, 0.41, 224, 1e-4),
        ] {
            let rate = rate(chains, array, load * num::real(chains), ADD_ONLY);
            assert!(rate < target && rate > 0.7 * target, "{chains} {load}: {rate}");
        }
    }

    #[test]
    fn searches_meet_their_targets() {
        let array = array_for(64, 1.0, 1e-3, ADD_ONLY);
        assert!(rate(64, array, 64.0, ADD_ONLY) <= 1e-3 && rate(64, array - 1, 64.0, ADD_ONLY) > 1e-3);
        assert!((single_block(1e-2) - 8.72).abs() < 0.01);
    }
}
