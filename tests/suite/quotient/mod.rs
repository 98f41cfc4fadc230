//! The quotient family: its laws, its plan, its verbs.
//!
//! Every rate is compared with `quotient/laws.rs`, which walks the variants key by key and shares nothing with the
//! library. Samples are keys of few per row: two keys of one row may share their fate, which at most multiplies the
//! variance of n keys in N rows by 1 + n / N, so counts are divided by that. Intervals are those of `common/odds.rs`
//! with 1 - 0.01 / n for the n comparisons of a test; seeds were fixed before the first run.

use crate::common;
mod laws;

use common::num::{ceil, floor, index, real, wide};
use common::odds::{at_least, at_most};
use common::{absent, build};
use lately::{Filter, Kind, Options, Variant};
use laws::Law;

const VARIANTS: [Variant; 4] = [Variant::Qht, Variant::Qhtd, Variant::Qqht, Variant::Qqhtd];

/// Rows of the filters that are measured: not a power of two, and not whole words of most rows.
const ROWS: u64 = 40_009;

fn options(variant: Variant, k: u32, s: u32) -> Options {
    Options::new(Kind::Quotient).variant(variant).k(k).fingerprint_bits(s)
}

/// A filter of exactly `rows` rows.
fn of_rows(variant: Variant, k: u32, s: u32, rows: u64, seed: u64) -> Filter {
    let bytes = (rows * u64::from(k * s)).div_ceil(8);
    let options = options(variant, k, s).memory(bytes).seed(seed);
    assert_eq!(plan(&options).rows, bytes * 8 / u64::from(k * s));
    build(&options)
}

fn plan(options: &Options) -> lately::PlanSummary {
    Filter::plan(options).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

fn observe(filter: &mut Filter, key: u64) -> bool {
    filter.observe(&key.to_le_bytes()).expect("quotient filters take every key").is_duplicate()
}

fn finds(filter: &Filter, key: u64) -> bool {
    filter.contains(&key.to_le_bytes()).is_duplicate()
}

/// The chance of a count as far from what `rate` says as this one, for `hits` of `keys` in `rows` rows.
fn odds(hits: u64, keys: u64, rate: f64, rows: u64) -> f64 {
    let (hits, rate) = if rate > 0.5 { (keys - hits, 1.0 - rate) } else { (hits, rate) };
    let design = 1.0 + real(keys) / real(rows);
    let (count, expected) = (real(hits) / design, rate * real(keys) / design);
    if expected < 1e-12 {
        return if hits == 0 { 1.0 } else { 0.0 };
    }
    2.0 * at_least(expected, floor(count)).min(at_most(expected, ceil(count)))
}

#[track_caller]
fn expect_rate(hits: u64, keys: u64, rate: f64, rows: u64, comparisons: u64, what: &str) {
    let chance = odds(hits, keys, rate, rows);
    let seen = real(hits) / real(keys);
    assert!(chance >= 0.01 / real(comparisons), "{what}: {seen:.5}, expected {rate:.5} ({chance:.2e})");
}

/// Five shapes: k, s.
const SHAPES: [(u32, u32); 5] = [(1, 3), (2, 3), (3, 4), (4, 6), (8, 7)];

#[test]
fn false_duplicates_are_those_of_the_law_along_the_stream() {
    // Keys so far, as a share of the cells; the last is saturation.
    const MOMENTS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 12.0];
    let comparisons = 4 * 5 * 5 * 2;
    for (variant, (k, s)) in VARIANTS.into_iter().flat_map(|v| SHAPES.map(|shape| (v, shape))) {
        let mut filter = of_rows(variant, k, s, ROWS, 1);
        let law = Law::new(variant, k, s, ROWS);
        let mut keys = 0..;
        let mut inserted = 0;
        for moment in MOMENTS {
            let until = ceil(moment * real(ROWS * u64::from(k)));
            keys.by_ref().take(index(until - inserted)).for_each(|key| filter.insert(&u64::to_le_bytes(key)).unwrap());
            inserted = until;
            let hits = wide((0..ROWS).filter(|&i| finds(&filter, absent(i))).count());
            let what = format!("{variant:?} k {k} s {s} after {inserted}");
            let rate = law.false_positive(inserted);
            expect_rate(hits, ROWS, rate, ROWS, comparisons, &what);
            // What the filter knows of itself, from its occupancy.
            expect_rate(hits, ROWS, filter.stats().error_rate, ROWS, comparisons, &what);
            if moment > 10.0 {
                assert!((rate / law.limit() - 1.0).abs() < 1e-3, "{what}: saturated");
                let options = options(variant, k, s).memory(1 << 20);
                assert!((plan(&options).error_rate_worst - law.limit()).abs() < 1e-12, "{what}: planned");
            }
        }
    }
}

/// Observes `before` unseen keys and then more, and asks for each of `sample` keys at each of `distances`: how many
/// were missed.
fn missed(filter: &mut Filter, before: u64, sample: u64, distances: &[u64]) -> Vec<u64> {
    (0..before).for_each(|key| filter.insert(&key.to_le_bytes()).unwrap());
    let mut missed = vec![0; distances.len()];
    let last = distances.iter().max().expect("a distance");
    for t in 0..sample + last {
        observe(filter, before + t);
        for (missed, distance) in missed.iter_mut().zip(distances) {
            let asked = t.checked_sub(*distance).filter(|&i| i < sample);
            *missed += asked.map_or(0, |i| u64::from(!finds(filter, before + i)));
        }
    }
    missed
}

/// The mean of the law over sampled keys, which come one after the other (Simpson).
fn mean_miss(law: &Law, before: u64, sample: u64, distance: u64) -> f64 {
    let at = |i| law.miss(before + i, distance);
    (at(0) + 4.0 * at(sample / 2) + at(sample)) / 6.0
}

/// Distances as shares of the cells.
fn distances(k: u32) -> [u64; 5] {
    [0.1, 0.5, 1.0, 1.5, 4.0].map(|share| ceil(share * real(ROWS * u64::from(k))))
}

#[test]
fn misses_are_those_of_the_law_along_the_stream() {
    let (sample, comparisons) = (ROWS / 5, 4 * 5 * 3 * 5);
    for (variant, (k, s)) in VARIANTS.into_iter().flat_map(|v| SHAPES.map(|shape| (v, shape))) {
        let law = Law::new(variant, k, s, ROWS);
        // From the first key on; while rows fill; at saturation.
        for share in [0.0, 0.6, 10.0] {
            let before = ceil(share * real(ROWS * u64::from(k)));
            let mut filter = of_rows(variant, k, s, ROWS, 3);
            let missed = missed(&mut filter, before, sample, &distances(k));
            for (missed, distance) in missed.into_iter().zip(distances(k)) {
                let what = format!("{variant:?} k {k} s {s}, {distance} keys after {before}");
                let rate = mean_miss(&law, before, sample, distance);
                expect_rate(missed, sample, rate, ROWS, comparisons, &what);
                if share > 1.0 {
                    let memory = (ROWS * u64::from(k * s)).div_ceil(8);
                    let planned = plan(&options(variant, k, s).memory(memory).window_keys(distance)).miss_rate;
                    let near = 1e-4 * rate + 1e-9;
                    // The plan of QQHT is a bound.
                    let most = if variant == Variant::Qqht { f64::INFINITY } else { rate + near };
                    assert!((rate - near..=most).contains(&planned), "{what}: {planned} planned, {rate} in truth");
                }
            }
        }
    }
}

#[test]
fn survival_differs_by_variant() {
    let (k, s, sample) = (3, 3, ROWS);
    let before = 12 * ROWS * u64::from(k);
    for variant in VARIANTS {
        let mut filter = of_rows(variant, k, s, ROWS, 4);
        let missed = missed(&mut filter, before, sample, &distances(k));
        for claimed in VARIANTS {
            let law = Law::new(claimed, k, s, ROWS);
            let rates = distances(k).map(|distance| law.miss(before, distance));
            let worst = missed.iter().zip(rates).map(|(&m, rate)| odds(m, sample, rate, ROWS)).fold(1.0, f64::min);
            if claimed == variant {
                assert!(worst >= 0.01 / 20.0, "{variant:?} by its own law: {worst:.2e}");
            } else {
                assert!(worst < 1e-8, "{variant:?} passes as {claimed:?}: {worst:.2e}");
            }
        }
    }
}

#[test]
fn sorted_rows_keep_the_law() {
    let (sample, comparisons) = (ROWS / 5, 2 * 3 * 6);
    for (variant, (k, s)) in
        [Variant::Qht, Variant::Qhtd].into_iter().flat_map(|v| [(4, 4), (3, 5), (8, 6)].map(|shape| (v, shape)))
    {
        let width = (8 << 20) / plan(&options(variant, k, s).semi_sort(true).memory(1 << 20)).rows;
        let sorted = options(variant, k, s).semi_sort(true).memory((width * ROWS).div_ceil(8)).seed(5);
        let plain = options(variant, k, s).memory((width * ROWS).div_ceil(8));
        assert!(plan(&sorted).rows >= ROWS && plan(&plain).rows < ROWS * 9 / 10, "{variant:?} k {k} s {s} saves");
        let rows = plan(&sorted).rows;
        let (law, before) = (Law::new(variant, k, s, rows), 10 * rows * u64::from(k));
        let mut filter = build(&sorted);
        let missed = missed(&mut filter, before, sample, &distances(k));
        for (missed, distance) in missed.into_iter().zip(distances(k)) {
            let what = format!("{variant:?} k {k} s {s} sorted, {distance} keys later");
            expect_rate(missed, sample, law.miss(before, distance), rows, comparisons, &what);
        }
        let hits = wide((0..rows).filter(|&i| finds(&filter, absent(i))).count());
        expect_rate(hits, rows, law.limit(), rows, comparisons, "sorted rows");
    }
}

#[test]
fn memory_with_k_and_s_is_filled_to_the_row() {
    for (variant, memory) in VARIANTS.into_iter().zip([1250, 12_500, 4097, 1_000_000]) {
        for (k, s) in [(1, 3), (1, 1), (3, 5), (4, 16), (8, 7), (90, 13)] {
            let plan = plan(&options(variant, k, s).memory(memory));
            assert_eq!((plan.rows, plan.k), (memory * 8 / u64::from(k * s), u64::from(k)));
            assert!(plan.bytes <= memory && plan.bytes * 8 >= plan.rows * u64::from(k * s));
            assert!(plan.miss_rate.is_nan() && plan.window_keys == 0);
        }
    }
    // The paper's example of semi-sorting: 12 bits for 16.
    let sorted = options(Variant::Qht, 4, 4).semi_sort(true).memory(1200);
    assert_eq!(plan(&sorted).rows, 800);
    assert_eq!(plan(&options(Variant::Qht, 4, 4).memory(1200)).rows, 600);
}

#[test]
fn a_planned_filter_keeps_its_rates() {
    for (variant, rate, miss) in [
        (Variant::Qht, 0.02, 0.2),
        (Variant::Qhtd, 0.1, 0.1),
        (Variant::Qqht, 0.05, 0.02),
        (Variant::Qqhtd, 0.02, 0.01),
    ] {
        let window = 100_000;
        let request =
            Options::new(Kind::Quotient).variant(variant).error_rate(rate).miss_rate(miss).window_keys(window);
        let (plan, mut filter) = (plan(&request), build(&request));
        let (before, sample) = (8 * plan.rows * plan.k, plan.rows / 5);
        let missed = missed(&mut filter, before, sample, &[window]);
        expect_rate(missed[0], sample, plan.miss_rate, plan.rows, 8, "misses");
        let hits = wide((0..plan.rows).filter(|&i| finds(&filter, absent(i))).count());
        expect_rate(hits, plan.rows, plan.error_rate_worst, plan.rows, 8, "false duplicates");
    }
}
