//! Lower bounds on the bits per key of anything that answers wrongly of absent keys with at most a rate.

/// A set that is given once and never changes: log2(1 / rate).
pub(crate) fn fixed(rate: f64) -> f64 {
    -rate.log2()
}

/// A Bloom filter, the best for its keys: log2(1 / rate) / ln 2.
pub(crate) fn bloom(rate: f64) -> f64 {
    fixed(rate) / std::f64::consts::LN_2
}

/// A set that keys join and leave: log2(1 / rate) + log2 e (arXiv 2510.18129).
pub(crate) fn dynamic(rate: f64) -> f64 {
    fixed(rate) + std::f64::consts::LOG2_E
}

/// The last n keys, where those between n and n (1 + late) may be answered either way: log2(1 / rate) + max(log2 log2
/// (1 / rate), log2(1 / late)), without its terms of lower order, which are up to a constant number of bits per key
/// (Naor and Yogev, arXiv 1304.5872).
pub(crate) fn sliding(rate: f64, late: f64) -> f64 {
    fixed(rate) + fixed(rate).log2().max(-late.log2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_a_pencil() {
        assert!((fixed(1.0 / 1024.0) - 10.0).abs() < 1e-12);
        assert!((bloom(1.0 / 1024.0) - 14.4270).abs() < 1e-4);
        assert!((dynamic(1.0 / 1024.0) - 11.4427).abs() < 1e-4);
        // log2 10 = 3.32 is more than log2 7 = 2.81 and less than log2 31.
        assert!((sliding(1.0 / 1024.0, 1.0 / 7.0) - 13.3219).abs() < 1e-4);
        assert!((sliding(1.0 / 1024.0, 1.0 / 31.0) - 14.9542).abs() < 1e-4);
    }
}
