//! The price: bits per stored key in the steady state, and how the slices settle.
//!
//! Bits per stored key are the bits allocated over the keys of the running generation and the `slices - k` last full
//! ones (`8 * bytes / stored`).

use crate::common;

use common::num::{index, real};
use common::streams::steady;
use common::{SECOND, build, manual, observe};
use lately::{Filter, Options, PlanSummary, Stats};

const WINDOW: u64 = 300 * SECOND;

/// The stats after each arrival of a steady stream from `skip` on.
fn steady_stats(options: &Options, keys: u64, skip: u64, take: u64) -> Vec<Stats> {
    let mut filter = build(options);
    let mut all = Vec::new();
    for arrival in steady(0, WINDOW, keys).take(index(skip + take)) {
        observe(&mut filter, arrival.key, arrival.tick);
        if arrival.key >= skip {
            all.push(filter.stats());
        }
    }
    all
}

/// Arrivals after which nothing changes any more: one window to find the rate out, and then one for every slice of
/// before to go.
fn steady_from(plan: &PlanSummary, keys: u64) -> u64 {
    keys + settled(plan.k, plan.l, keys)
}

/// Arrivals after which the number of slices and the size of new ones have settled: 1 + (k + 2) / l windows.
fn settled(k: u64, l: u64, keys: u64) -> u64 {
    common::num::ceil((1.0 + real(k + 2) / real(l)) * real(keys))
}

fn bits_per_key(stats: &Stats) -> f64 {
    8.0 * real(stats.bytes) / real(stats.stored)
}

/// All pairs (k, l) that the paper's family publishes (levels 0 to 5), by its five error rates.
const PAIRS: [&[(u32, u32)]; 5] = [
    &[(4, 3), (5, 7), (6, 14), (7, 28), (8, 56)],
    &[(7, 5), (8, 8), (9, 14), (10, 25), (11, 46), (12, 88)],
    &[(10, 7), (11, 9), (12, 14), (13, 23), (14, 40), (15, 74)],
    &[(14, 11), (15, 15), (16, 22), (17, 36), (18, 63), (19, 117)],
    &[(17, 13), (18, 16), (19, 22), (20, 33), (21, 54), (22, 95)],
];

/// The paper's own pairs at fill 1/2: within 3 % of the range (k + l) k / ((l + 1) ln 2) .. (k + l) k / (l ln 2).
#[test]
fn pairs_of_the_paper_cost_its_bits() {
    let mut failed = Vec::new();
    for (k, l) in PAIRS.concat() {
        let keys = 30_000;
        let options = manual(WINDOW).k(k).l(l).fill(0.5);
        let plan = Filter::plan(&options).expect("a plan");
        let stats = steady_stats(&options, keys, steady_from(&plan, keys), keys);
        let (k, l) = (f64::from(k), f64::from(l));
        let (low, high) = ((k + l) * k / ((l + 1.0) * 2f64.ln()), (k + l) * k / (l * 2f64.ln()));
        let least = stats.iter().map(bits_per_key).fold(f64::INFINITY, f64::min);
        let most = stats.iter().map(bits_per_key).fold(0.0, f64::max);
        println!("({k}, {l}): {least:.2} .. {most:.2} of {low:.2} .. {high:.2}: {:.4} {:.4}", least / low, most / high);
        if least < 0.97 * low || most > 1.03 * high {
            failed.push(format!("({k}, {l}): {least:.2} .. {most:.2}, not within 3 % of {low:.2} .. {high:.2}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A steady stream is held in k + l or k + l + 1 slices, whatever the shape and the number of keys.
#[test]
fn steady_streams_need_k_plus_l_slices() {
    let mut failed = Vec::new();
    let planned = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5].map(|rate| manual(WINDOW).error_rate(rate));
    let given = PAIRS.concat().into_iter().map(|(k, l)| manual(WINDOW).k(k).l(l).fill(0.5));
    for options in planned.into_iter().chain(given) {
        for keys in [3000, 10_007, 30_000] {
            let plan = Filter::plan(&options).expect("a plan");
            let stats = steady_stats(&options, keys, settled(plan.k, plan.l, keys), 2 * keys);
            let least = stats.iter().map(|stats| stats.slices).min().unwrap_or(0);
            let most = stats.iter().map(|stats| stats.slices).max().unwrap_or(0);
            if least < plan.slices || most > plan.slices + 1 {
                failed.push(format!("({}, {}), {keys} keys: {least} .. {most} slices", plan.k, plan.l));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
