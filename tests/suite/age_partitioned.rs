//! The age-partitioned filter: no key among the last N insertions is missed; the error rate is the exact recursion at
//! every phase of a generation; memory is as planned, to the word.
//!
//! Statistical tests: seeds were fixed before the first run; a suite of n comparisons holds each at 1 - 0.01 / n.

use crate::common;

use std::collections::HashMap;

use common::num::{index, real, wide};
use common::odds::expect_about;
use common::rng::Rng;
use common::{absent, build, long_or};
use lately::{Filter, Keys, Kind, Options, Repeat, Verdict};

fn last(keys: u64) -> Options {
    Options::new(Kind::AgePartitioned).window_keys(keys)
}

/// Plays keys from a space of `space` against a map of insertion numbers; says how many promises were checked.
fn hold(options: &Options, keys: u64, repeat: Repeat, seed: u64, space: u64) -> u64 {
    let (mut filter, mut rng) = (build(&options.clone().repeat(repeat)), Rng(seed));
    let (mut inserted, mut seen, mut checks) = (0, HashMap::<u64, u64>::new(), 0);
    for _ in 0..30_000 * long_or(30) {
        let key = rng.below(space);
        let verdict = filter.observe(&key.to_le_bytes()).expect("a verdict");
        if seen.get(&key).is_some_and(|at| inserted - at < keys) {
            assert_eq!(verdict, Verdict::Duplicate, "{options:?}: {} of {keys} insertions ago", inserted - seen[&key]);
            checks += 1;
        }
        if verdict.is_new() || repeat == Repeat::Refresh {
            inserted += 1;
            seen.insert(key, inserted);
        }
    }
    checks
}

#[test]
fn no_key_among_the_last_n_is_missed() {
    let mut checks = 0;
    let shapes = [(1, 1), (1, 61), (2, 5), (3, 2), (4, 3), (5, 11), (7, 30), (8, 56), (10, 7), (20, 33), (31, 1)];
    for (seed, keys) in (1..).zip([1u64, 2, 3, 10, 21, 22, 23, 100, 997, 4096, 20_000]) {
        let (k, l) = shapes[index(seed) - 1];
        for repeat in [Repeat::Refresh, Repeat::KeepFirst] {
            for space in [keys.div_ceil(2), 2 * keys] {
                checks += hold(&last(keys), keys, repeat, seed, space);
                checks += hold(&last(keys).k(k).l(l).fill(0.5), keys, repeat, 100 + seed, space);
            }
        }
    }
    assert!(checks > 1_000_000, "{checks} checks");
}

/// The very edge: insert N keys and find them all, at every phase of a generation.
#[test]
fn the_edge_is_inside_at_every_phase() {
    let planned = [1, 7, 64, 1000].map(|keys| (keys, last(keys).error_rate(0.01)));
    // One key more than whole generations: a generation that is a key too short shows here alone.
    let given = [(6, 5), (36, 5), (25, 3), (61, 12)].map(|(keys, l)| (keys, last(keys).k(4).l(l).fill(0.2)));
    for (keys, options) in planned.into_iter().chain(given) {
        let mut filter = build(&options);
        for i in 0..6 * keys {
            filter.insert(&i.to_le_bytes()).expect("inserted");
            let oldest = (i + 1).saturating_sub(keys);
            assert!(filter.contains(&oldest.to_le_bytes()).is_duplicate(), "{keys}: {oldest} at {i}");
        }
    }
}

/// The same behind every batch: its last key counts, and the oldest of the last N is found.
#[test]
fn the_edge_is_inside_behind_every_batch() {
    for keys in [1u64, 7, 64, 1000] {
        for size in [1, 2, 15, 16, 17, 33, 100] {
            let mut filter = build(&last(keys).error_rate(0.01));
            for batch in 0..6 * keys.div_ceil(size) {
                let hashes: Vec<_> = (batch * size..(batch + 1) * size)
                    .map(|i| filter.hash(&i.to_le_bytes()).expect("unkeyed"))
                    .collect();
                filter.insert_batch(Keys::Hashes(&hashes), None).expect("inserted");
                let inserted = (batch + 1) * size;
                for key in [inserted.saturating_sub(keys), inserted - 1] {
                    assert!(filter.contains(&key.to_le_bytes()).is_duplicate(), "{keys}: {key} of {inserted}");
                }
            }
        }
    }
}

/// The exact chance of k neighbouring hits, by brute force over run lengths.
fn run_chance(k: usize, fills: &[f64]) -> f64 {
    let (mut runs, mut found) = (vec![0.0; k], 0.0);
    runs[0] = 1.0;
    for fill in fills {
        let miss: f64 = runs.iter().sum::<f64>() * (1.0 - fill);
        found += runs[k - 1] * fill;
        runs = std::iter::once(miss).chain(runs[..k - 1].iter().map(|p| p * fill)).collect();
    }
    found
}

/// The published pairs that a test can count hits of, at fill 1/2, and the planned shapes of three rates.
fn shapes() -> Vec<Options> {
    let keys = 3000;
    let pairs =
        [(4, 3), (5, 7), (6, 14), (7, 28), (8, 56), (7, 5), (8, 8), (9, 14), (10, 25), (11, 46), (10, 7), (12, 14)];
    let mut shapes: Vec<_> = pairs.map(|(k, l)| last(keys).k(k).l(l).fill(0.5)).into();
    shapes.extend([1e-1, 1e-2, 1e-3].map(|rate| last(keys).error_rate(rate)));
    shapes.extend([1e-2, 1e-3].map(|rate| last(keys).error_rate(rate).max_slices(128)));
    shapes
}

/// The zig-zag: at four phases of a generation the share of absent keys that are called duplicates is the recursion
/// over fills 1 - (1 - 1/m)^n of the real integers.
#[test]
fn the_error_rate_is_the_recursion_at_every_phase() {
    let comparisons = u32::try_from(shapes().len() * 4).expect("few");
    for (seed, options) in (1000..).zip(shapes()) {
        let plan = Filter::plan(&options).expect("a plan");
        let generation = plan.window_keys / plan.l;
        let (mut hits, mut expected) = ([0; 4], [0.0; 4]);
        // Many filters, for the bits of one are the same in all its queries.
        for filter in 0..12 {
            let mut filter = (build(&options.clone().seed(seed * 100 + filter)), 0);
            for i in 0..generation * (plan.slices + 2) {
                filter.0.insert(&i.to_le_bytes()).expect("inserted");
                let phase = 4 * (i % generation + 1) / generation;
                if i >= generation * plan.slices && 4 * (i % generation + 1) % generation < 4 && phase > 0 {
                    let at = index(phase - 1);
                    let keys = 4000;
                    hits[at] += (0..keys)
                        .filter(|j| filter.0.contains(&absent(filter.1 + j).to_le_bytes()).is_duplicate())
                        .count();
                    filter.1 += keys;
                    expected[at] += real(keys) * phase_chance(&plan, generation, i % generation + 1);
                }
            }
        }
        for at in 0..4 {
            expect_about(
                wide(hits[at]),
                expected[at],
                comparisons * 4,
                &format!("({}, {}) phase {at}", plan.k, plan.l),
            );
        }
    }
}

/// The other published pairs, and the planned triples, whose false duplicates are too rare to be counted.
fn rare_shapes() -> Vec<Options> {
    let pairs = [(12, 88), (11, 9), (13, 23), (14, 40), (15, 74)].into_iter();
    let pairs = pairs.chain([(14, 11), (15, 15), (16, 22), (17, 36), (18, 63), (19, 117)]);
    let pairs = pairs.chain([(17, 13), (18, 16), (19, 22), (20, 33), (21, 54), (22, 95)]);
    let triples = [(5, 11, 0.444), (8, 24, 0.410), (10, 22, 0.395), (11, 21, 0.350), (13, 19, 0.352)].into_iter();
    let triples = triples.chain([(10, 52, 0.455), (12, 52, 0.428), (14, 50, 0.412), (16, 48, 0.400)]);
    let triples = triples.chain([(11, 62, 0.484), (15, 111, 0.484), (17, 109, 0.460), (19, 109, 0.442)]);
    pairs.map(|(k, l)| (k, l, 0.5)).chain(triples).map(|(k, l, fill)| last(100_000).k(k).l(l).fill(fill)).collect()
}

/// The zig-zag where it cannot be counted: at eight phases of a generation the chance from the filter's own fills is
/// that from the real integers. One standard deviation of a fill changes it by 1.6 % at most; five are allowed.
#[test]
fn the_error_rate_from_the_fills_is_the_recursion_at_every_phase() {
    for (seed, options) in (2000..).zip(rare_shapes()) {
        let plan = Filter::plan(&options).expect("a plan");
        let generation = plan.window_keys / plan.l;
        let mut filter = build(&options.seed(seed));
        let mut phases = 0;
        for i in 0..generation * (plan.slices + 1) {
            filter.insert(&i.to_le_bytes()).expect("inserted");
            let count = i % generation + 1;
            if i >= generation * plan.slices && 8 * count % generation < 8 {
                let (real, exact) = (filter.stats().error_rate, phase_chance(&plan, generation, count));
                assert!((real / exact - 1.0).abs() < 0.08, "({}, {}) at {count}: {real} for {exact}", plan.k, plan.l);
                phases += 1;
            }
        }
        assert_eq!(phases, 8, "({}, {})", plan.k, plan.l);
    }
}

/// The recursion with `count` insertions in the present generation.
fn phase_chance(plan: &lately::PlanSummary, generation: u64, count: u64) -> f64 {
    let fill = |inserted: u64| 1.0 - (1.0 - 1.0 / real(plan.rows)).powf(real(inserted));
    let fills =
        (0..plan.slices).map(|i| fill(generation * i.min(plan.k - 1) + if i < plan.k { count } else { generation }));
    run_chance(index(plan.k), &fills.collect::<Vec<_>>())
}

/// What the filter says of itself is the recursion over its own fills, and the worst instant meets the request.
#[test]
fn the_worst_instant_meets_the_request() {
    for (rate, max_slices) in [(1e-1, 32), (1e-2, 32), (1e-3, 32), (1e-4, 32), (1e-5, 32), (1e-3, 128), (1e-5, 128)] {
        let options = last(20_000).error_rate(rate).max_slices(max_slices);
        let plan = Filter::plan(&options).expect("a plan");
        assert!(plan.error_rate_worst <= rate && plan.error_rate_worst > 0.97 * rate, "{plan:?}");
        let generation = plan.window_keys / plan.l;
        let mut filter = build(&options);
        let mut rates = Vec::new();
        for i in 0..generation * (plan.slices + 20) {
            filter.insert(&i.to_le_bytes()).expect("inserted");
            if i >= generation * plan.slices && (i + 1) % generation == 0 {
                rates.push(filter.stats().error_rate);
            }
        }
        let mean = rates.iter().sum::<f64>() / real(wide(rates.len()));
        // The fills of one filter stray by about a hundredth; their mean over twenty generations by less.
        assert!((mean / plan.error_rate_worst - 1.0).abs() < 0.05, "{mean} for {rate}");
    }
}

#[test]
fn memory_is_as_planned_to_the_word() {
    for options in shapes() {
        let plan = Filter::plan(&options).expect("a plan");
        let columns = (plan.slices + 1).div_ceil(plan.k);
        assert_eq!(plan.bytes, plan.k * (plan.rows * columns).div_ceil(64) * 8);
        let mut filter = build(&options);
        for i in 0..10_000u64 {
            filter.insert(&i.to_le_bytes()).expect("inserted");
            assert_eq!((filter.stats().bytes, filter.stats().bytes_peak), (plan.bytes, plan.bytes));
        }
    }
}

/// Memory and one of the other two: the third is planned to use it best.
#[test]
fn memory_is_used_and_never_exceeded() {
    for memory in [200, 5000, 123_456, 1 << 20] {
        let most = Filter::plan(&Options::new(Kind::AgePartitioned).memory(memory).error_rate(1e-3)).expect("a plan");
        assert!(most.bytes <= memory && most.error_rate_worst <= 1e-3, "{most:?}");
        assert!(Filter::plan(&last(most.window_keys + most.l).error_rate(1e-3).memory(memory)).is_err());
        let keys = memory / 4;
        let least = Filter::plan(&last(keys).memory(memory)).expect("a plan");
        assert!(least.bytes <= memory && least.window_keys >= keys, "{least:?}");
        let harder = last(keys).error_rate(least.error_rate_worst * 0.9).memory(memory);
        assert!(Filter::plan(&harder).is_err_and(|error| error.field() == Some(lately::Field::Memory)), "{least:?}");
    }
}

/// Past the window: found with certainty for at most one generation, then with about fill^j, then never but by error.
#[test]
fn keys_past_the_window_fade_by_generations() {
    let options = last(22_000).error_rate(1e-3);
    let plan = Filter::plan(&options).expect("a plan");
    let generation = plan.window_keys / plan.l;
    let mut filter = build(&options);
    for i in 0..generation * (2 * plan.slices) {
        filter.insert(&i.to_le_bytes()).expect("inserted");
    }
    let total = generation * 2 * plan.slices;
    let mut comparisons = 0;
    for j in 1..=4 {
        // Generation l + j before the present, full one has lost j of its k bits.
        let first = total - generation * (plan.l + j + 1);
        let found = (first..first + generation).filter(|i| filter.contains(&i.to_le_bytes()).is_duplicate()).count();
        let expected = real(generation) * plan.fill.powi(i32::try_from(j).expect("small"));
        comparisons += 1;
        expect_about(wide(found), expected, 4, &format!("{j} generations past"));
    }
    assert_eq!(comparisons, 4);
    let old = (0..generation).filter(|i| filter.contains(&i.to_le_bytes()).is_duplicate()).count();
    assert!(real(wide(old)) < 0.01 * real(generation), "{old} of {generation} long gone");
}
