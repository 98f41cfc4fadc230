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

/// What a set pays for each key of the window if it tells G generations and the one that begins apart, and forgets a generation at
/// once: the bound of `dynamic` for each key that it has, and the entropy of the generation of that key. At a phase u of a generation
/// G + u of them have keys. The mean over a generation; the least is at its beginning, the most at its end.
pub(crate) fn tags(rate: f64, generations: f64) -> f64 {
    const STEPS: u32 = 256;
    let at = |i: u32| tags_at(rate, generations, (f64::from(i) + 0.5) / f64::from(STEPS));
    (0..STEPS).map(at).sum::<f64>() / f64::from(STEPS)
}

/// The same at a phase of a generation.
pub(crate) fn tags_at(rate: f64, generations: f64, phase: f64) -> f64 {
    let keys = generations + phase;
    let begun = if phase > 0.0 { phase * (keys / phase).log2() } else { 0.0 };
    (keys * dynamic(rate) + generations * keys.log2() + begun) / generations
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
    #[test]
    fn tags_cost_their_entropy() {
        // One generation, just begun: no tag. Two, at their end: three of the same size, half more keys.
        assert!((tags_at(1.0 / 1024.0, 1.0, 0.0) - dynamic(1.0 / 1024.0)).abs() < 1e-12);
        assert!((tags_at(1.0 / 1024.0, 2.0, 1.0) - 1.5 * (11.4427 + 3_f64.log2())).abs() < 1e-4);
        let (least, most) = (tags_at(1e-3, 7.0, 0.0), tags_at(1e-3, 7.0, 1.0));
        assert!((least - 14.2159).abs() < 1e-3 && (most - 16.4666).abs() < 1e-3, "{least} {most}");
        assert!(least < tags(1e-3, 7.0) && tags(1e-3, 7.0) < most);
    }
}
