//! Tests of the parts.

use super::plan::Plan;
use crate::Kind;
use crate::options::Options;

#[test]
fn look() {
    for removable in [false, true] {
        for block in [64, 32] {
            for rate in [0.01, 0.001, 0.0001] {
                let t = std::time::Instant::now();
                let p = Plan::new(
                    &Options::new(Kind::TinySet)
                        .capacity(10_000_000)
                        .error_rate(rate)
                        .removable(removable)
                        .block_bytes(block),
                )
                .unwrap();
                let t = t.elapsed();
                let s = p.summary();
                println!(
                    "{removable} {block} {rate}: L={} load={:.3} bits={:.4} worst={:.4e} mean={:.4e} {t:?}",
                    p.chains, s.load, s.bits_per_key, s.error_rate_worst, s.error_rate_mean
                );
            }
        }
    }
}
