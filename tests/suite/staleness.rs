//! The law of the past: how long a key outlives its window.
//!
//! With generations of T / l at most: never past the window with certainty for longer than one generation; `j`
//! generations later with probability about fill^j, plus the error rate; after window + k generations the key is as
//! absent as one never inserted. Counts are judged by `odds`, at 1 - 0.01 / 100 each (fewer than 100 in this file).

use crate::common;

use common::num::{index, real, wide};
use common::rng::Rng;
use common::streams::steady;
use common::{SECOND, build, finds, insert, manual, observe, odds};
use lately::{Filter, Options};

const WINDOW: u64 = 660 * SECOND;
const COMPARISONS: u32 = 100;

/// What was found of keys at an age, and what was asked.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    hits: u64,
    asked: u64,
}

/// Keys of a settled steady stream, by age past the window in generations: certain, then falling as fill^j.
///
/// Every key is asked for `ask` generations past its window; the generations of this stream are full ones.
fn steady_found(options: &Options, keys: u64, ask: f64) -> Found {
    let plan = Filter::plan(options).expect("a plan");
    let mut filter = build(options);
    let lag = index(common::num::floor(real(keys) * (1.0 + ask / real(plan.l))));
    let skip = keys * 4;
    let mut found = Found::default();
    let stream: Vec<_> = steady(0, WINDOW, keys).take(index(skip) + lag + 20_000).collect();
    for (i, arrival) in stream.iter().enumerate() {
        observe(&mut filter, arrival.key, arrival.tick);
        if i >= index(skip) + lag {
            found.hits += u64::from(finds(&filter, stream[i - lag].key, arrival.tick));
            found.asked += 1;
        }
    }
    found
}

/// Averaged over the phase of its generation, a key `a` generations past the window has lost floor(a) slices, or one
/// more: the share is between fill^ceil(a) and fill^floor(a).
#[test]
fn old_keys_fade_by_the_fill() {
    for options in [manual(WINDOW).k(10).l(22).fill(0.4), manual(WINDOW).k(6).l(12).fill(0.3), manual(WINDOW)] {
        let plan = Filter::plan(&options).expect("a plan");
        for j in 0..=3 {
            // A hair past j generations: almost all keys have lost j slices; some, of early phase, one more.
            let Found { hits, asked } = steady_found(&options, 22_000, f64::from(j) + 0.5);
            // Half of the phases have lost j, half j + 1; real fills are up to 3 % below the planned one.
            let (high, low) = (plan.fill.powi(j), (0.96 * plan.fill).powi(j + 1));
            let about = f64::midpoint(high, low);
            let asked_real = real(asked);
            println!(
                "({}, {}) {j}.5 generations past: {:.4}, about {about:.4}",
                plan.k,
                plan.l,
                real(hits) / asked_real
            );
            odds::expect_at_most(hits, (high + plan.error_rate_worst) * asked_real, COMPARISONS, "above the law");
            assert!(odds::at_most(low * asked_real, hits) > 1e-4, "{hits} of {asked} is below the law: {low}");
            assert!(
                (0.85..1.15).contains(&(real(hits) / asked_real / (about + plan.error_rate_worst))),
                "{hits} of {asked}, not about {about}"
            );
        }
    }
}

/// Within the window nothing fades, and past window + k generations there is nothing but the error rate.
#[test]
fn certain_inside_absent_outside() {
    for options in [manual(WINDOW).k(10).l(22).fill(0.4), manual(WINDOW).k(6).l(12).fill(0.3), manual(WINDOW)] {
        let plan = Filter::plan(&options).expect("a plan");
        let inside = steady_found(&options, 22_000, 0.0);
        assert_eq!(inside.hits, inside.asked);
        let outside = steady_found(&options, 22_000, real(plan.k) + 1.0);
        odds::expect_at_most(outside.hits, plan.error_rate_worst * real(outside.asked), COMPARISONS, "past window + k");
    }
}

/// Arrivals with pauses of every length, up to many windows: the law is an upper bound by age, whatever happened.
///
/// In bucket j are ages of T + j .. j + 1 generations of T / l: at most fill^j, plus the error rate. Bucket 0 is the
/// generation in which a key may still be certain.
#[test]
fn pauses_do_not_keep_keys_alive() {
    for (seed, options) in
        (1..).zip([manual(WINDOW).k(10).l(22).fill(0.4), manual(WINDOW).k(6).l(12).fill(0.3), manual(WINDOW)])
    {
        let plan = Filter::plan(&options).expect("a plan");
        let generation = WINDOW.div_ceil(plan.l);
        let (mut rng, mut now, mut filter) = (Rng(seed), 0, build(&options));
        let mut buckets = vec![Found::default(); index(plan.k) + 2];
        let mut began: Vec<u64> = Vec::new();
        for key in 0..60_000 {
            now += match rng.below(400) {
                0 => rng.below(2 * generation),
                1 => rng.below(WINDOW),
                2 if rng.once_in(20) => rng.below(3 * WINDOW),
                _ => generation / 200,
            };
            insert(&mut filter, key, now);
            began.push(now);
            for j in 0..=plan.k + 1 {
                // The key of about this age; its bucket is that of its true age.
                let Some(then) = now.checked_sub(WINDOW + j * generation + rng.below(generation) + 1) else { break };
                let old = wide(began.partition_point(|&began| began <= then)).saturating_sub(1);
                let age = now - began[index(old)];
                let past = age.saturating_sub(WINDOW + 1) / generation;
                if let Some(bucket) = buckets.get_mut(index(past)).filter(|_| age > WINDOW) {
                    bucket.asked += 1;
                    bucket.hits += u64::from(finds(&filter, old, now));
                }
            }
        }
        for (j, bucket) in (0..).zip(&buckets).skip(1) {
            // Past window + k generations only the error rate is left; while the rate climbs that may be 6 targets.
            let fade = if j > i32::try_from(plan.k).expect("k") { 0.0 } else { plan.fill.powi(j) };
            let law = fade + 2.0 * plan.error_rate_worst;
            println!("({}, {}) bucket {j}: {} of {}, law {law:.5}", plan.k, plan.l, bucket.hits, bucket.asked);
            assert!(bucket.asked > 100, "bucket {j} was never looked into");
            odds::expect_at_most(bucket.hits, law * real(bucket.asked), COMPARISONS, &format!("bucket {j}"));
        }
    }
}
