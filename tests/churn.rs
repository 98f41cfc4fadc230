//! A removable TinySet under churn.

mod common;

use common::num::{index, real, wide};
use common::rng::Rng;
use common::{absent, build};
use lately::{Filter, Kind, Options};

#[test]
fn probe() {
    for (rate, random, observe) in [
        (1e-2, true, false),
        (1e-3, true, false),
        (1e-4, true, false),
        (1e-3, false, false),
        (1e-3, true, true),
    ] {
        let n = 4000u64;
        let options = Options::new(Kind::TinySet).capacity(n).error_rate(rate).removable(true);
        let plan = Filter::plan(&options).unwrap();
        let mut filter = build(&options);
        let mut held: Vec<u64> = (0..n).collect();
        held.iter().for_each(|key| filter.insert(&key.to_le_bytes()).unwrap());
        print!("{rate:e} random {random} observe {observe} plan {:.3e} bits {:.2}: ", plan.error_rate_worst, plan.bits_per_key);
        let (mut rng, mut next) = (Rng(5), n);
        let (mut sum, mut count, mut hits, mut queries) = (0.0, 0, 0u64, 0u64);
        for turn in 0..=1000u64 {
            if [0, 1, 10, 100, 1000].contains(&turn) {
                print!(" {turn}: x{:.2}", filter.stats().error_rate / rate);
            }
            if turn >= 20 {
                sum += filter.stats().error_rate;
                count += 1;
                hits += wide((0..3000).filter(|i| filter.contains(&absent(turn * 3000 + i).to_le_bytes()).is_duplicate()).count());
                queries += 3000;
            }
            for i in 0..n {
                let slot = index(if random { rng.below(n) } else { i });
                assert!(filter.remove(&held[slot].to_le_bytes()).unwrap());
                if observe {
                    while filter.observe(&next.to_le_bytes()).unwrap().is_duplicate() { next += 1; }
                } else {
                    filter.insert(&next.to_le_bytes()).unwrap();
                }
                held[slot] = next;
                next += 1;
            }
            assert!(held.iter().all(|key| filter.contains(&key.to_le_bytes()).is_duplicate()));
        }
        println!("; mean from 20 on x{:.4} stats, x{:.4} measured ({hits})", sum / f64::from(count) / rate, real(hits) / real(queries) / rate);
    }
}
