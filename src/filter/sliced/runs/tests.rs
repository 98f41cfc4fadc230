//! The chances against every pattern of hits, the search against every pair, and what the search costs.

use std::cell::Cell;

use super::quick::{Quick, unsure};
use super::search::{Search, TIE, bottom, largest};
use super::*;
use crate::error::Error;
use crate::field::Field;
use crate::filter::sliced::age_partitioned::plan::LAYOUT as AGE_PARTITIONED;
use crate::kind::Kind;
use crate::options::Options;

thread_local! {
    /// How often a search has asked for a chance on this thread, quick and exact: what it costs, on any machine.
    pub(super) static LOOKED: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// Every pattern of hits, weighed: the definition itself.
fn by_all_patterns(k: usize, fills: &[f64]) -> f64 {
    let has_run =
        |pattern: u32| (0..fills.len()).any(|i| (i..i + k).all(|j| j < fills.len() && (pattern >> j) & 1 == 1));
    let weight = |pattern: u32| {
        fills.iter().enumerate().map(|(i, f)| if (pattern >> i) & 1 == 1 { *f } else { 1.0 - f }).product::<f64>()
    };
    (0..1 << fills.len()).filter(|&pattern| has_run(pattern)).map(weight).sum()
}

/// The papers' recursion, forward over the length of the present run: independent of the code above.
fn by_run_lengths(k: usize, fills: &[f64]) -> f64 {
    let mut runs = vec![0.0; k];
    runs[0] = 1.0;
    let mut done = 0.0;
    for fill in fills {
        let mut next = vec![0.0; k];
        for (run, chance) in runs.iter().enumerate() {
            if run + 1 == k {
                done += chance * fill
            } else {
                next[run + 1] += chance * fill
            }
            next[0] += chance * (1.0 - fill);
        }
        runs = next;
    }
    done
}

fn steady_fills(k: u32, l: u32, fill: f64, u: f64) -> Vec<f64> {
    let ramp = (0..k).map(|i| 1.0 - (1.0 - fill).powf((f64::from(i) + u) / f64::from(k)));
    ramp.chain((0..l).map(|_| fill)).collect()
}

/// Uneven fills, the same on every run.
fn uneven(seed: u64, n: usize) -> Vec<f64> {
    (0..num::wide(n)).map(|i| num::real(crate::KeyHash(seed).derive(i) >> 40) / num::real(1 << 24)).collect()
}

#[track_caller]
fn assert_close(have: f64, want: f64, share: f64, what: &str) {
    assert!((have - want).abs() <= share * want.abs(), "{what}: {have} and not {want}");
}

#[test]
fn the_chance_is_that_of_all_patterns() {
    for n in 1..=12 {
        for k in 1..=n {
            let fills = uneven(num::wide(n * 20 + k), n);
            assert_close(run_chance(k, fills.iter().copied()), by_all_patterns(k, &fills), 1e-9, "patterns");
            assert_close(by_run_lengths(k, &fills), by_all_patterns(k, &fills), 1e-9, "the test's own recursion");
        }
    }
}

#[test]
fn too_few_slices_cannot_make_a_run_and_full_ones_must() {
    assert_eq!(run_chance(4, [1.0, 1.0, 1.0].into_iter()), 0.0);
    assert_eq!(run_chance(1, std::iter::empty()), 0.0);
    assert_eq!(run_chance(3, [1.0, 1.0, 1.0].into_iter()), 1.0);
    assert_eq!(run_chance(2, [1.0, 0.0, 1.0, 1.0].into_iter()), 1.0);
}

#[test]
fn the_steady_state_is_the_ramp_and_the_full_slices() {
    for (k, l) in [(1, 1), (1, 7), (3, 1), (4, 3), (5, 5), (5, 6), (8, 56), (10, 22), (40, 2), (20, 900)] {
        for fill in [0.1, 0.37, 0.5, 0.9] {
            for u in [0.001, 0.3, 1.0] {
                let fills = steady_fills(k, l, fill, u);
                let size = usize::try_from(k).unwrap();
                let steady = steady_chance(k, l, fill, u);
                assert_close(steady, run_chance(size, fills.iter().copied()), 1e-9, "run_chance");
                assert_close(steady, by_run_lengths(size, &fills), 1e-9, "recursion");
            }
        }
    }
}

/// The published pairs: (k, l), exact worst case, mean over a generation, bits per key of the window; scaled.
type Row = (u32, u32, f64, f64, f64);
const PUBLISHED: [(f64, &[Row]); 5] = [
    (
        1.0,
        &[
            (4, 3, 0.1074, 0.0879, 13.5),
            (5, 7, 0.1058, 0.0976, 12.4),
            (6, 14, 0.1010, 0.0971, 12.4),
            (7, 28, 0.1004, 0.0985, 12.6),
            (8, 56, 0.1010, 0.1000, 13.2),
        ],
    ),
    (
        1e-2,
        &[
            (7, 5, 1.28, 1.06, 24.2),
            (8, 8, 1.11, 1.00, 23.1),
            (9, 14, 1.07, 1.01, 21.3),
            (10, 25, 1.03, 1.01, 20.2),
            (11, 46, 1.01, 0.995, 19.7),
            (12, 88, 1.005, 0.998, 19.7),
        ],
    ),
    (
        1e-3,
        &[
            (10, 7, 1.47, 1.22, 35.0),
            (11, 9, 1.05, 0.920, 35.3),
            (12, 14, 1.05, 0.987, 32.2),
            (13, 23, 1.03, 0.995, 29.4),
            (14, 40, 1.008, 0.992, 27.3),
            (15, 74, 1.010, 1.002, 26.0),
        ],
    ),
    (
        1e-4,
        &[
            (14, 11, 1.20, 1.04, 45.9),
            (15, 15, 1.10, 1.02, 43.3),
            (16, 22, 1.02, 0.983, 39.9),
            (17, 36, 1.01, 0.994, 36.1),
            (18, 63, 1.006, 0.997, 33.4),
            (19, 117, 1.010, 1.005, 31.9),
        ],
    ),
    (
        1e-5,
        &[
            (17, 13, 1.34, 1.16, 56.6),
            (18, 16, 1.09, 0.990, 55.2),
            (19, 22, 1.04, 0.994, 51.1),
            (20, 33, 1.007, 0.982, 46.3),
            (21, 54, 0.984, 0.972, 42.1),
            (22, 95, 0.971, 0.965, 39.1),
        ],
    ),
];

#[test]
fn the_published_pairs_have_the_published_rates() {
    for (scale, rows) in PUBLISHED {
        for &(k, l, worst, mean, bits) in rows {
            let shape = Shape { k, l, fill: 0.5, slices: k + l };
            let what = format!("({k}, {l})");
            assert_close(shape.worst(), worst * scale, 0.005, &what);
            assert_close(shape.mean(), mean * scale, 0.0055, &what);
            assert_close(shape.bits_per_key(), bits, 0.004, &what);
        }
    }
}

/// For each target the largest l, by k, whose worst instant meets it at fill 1/2.
const LARGEST: [(f64, &[(u32, u32)]); 6] = [
    (1e-1, &[(5, 6), (6, 13), (7, 27), (8, 55), (9, 110)]),
    (1e-2, &[(7, 4), (8, 7), (9, 13), (10, 24), (11, 45), (12, 87), (13, 170)]),
    (1e-3, &[(10, 6), (11, 8), (12, 13), (13, 22), (14, 39), (15, 73), (16, 139)]),
    (1e-4, &[(14, 10), (15, 14), (16, 21), (17, 35), (18, 62), (19, 115), (20, 221)]),
    (1e-5, &[(17, 12), (18, 15), (19, 21), (20, 32), (21, 54), (22, 97), (23, 182)]),
    (1e-6, &[(20, 13), (21, 16), (22, 21), (23, 31), (24, 48), (25, 83), (26, 151)]),
];

#[test]
fn the_largest_l_meets_the_target_and_the_next_does_not() {
    for (target, pairs) in LARGEST {
        for &(k, l) in pairs {
            assert!(steady_chance(k, l, 0.5, 1.0) <= target, "({k}, {l}) at {target:e}");
            assert!(steady_chance(k, l + 1, 0.5, 1.0) > target, "({k}, {}) at {target:e}", l + 1);
        }
    }
}

/// Bits per key, k, l, fill.
type Triple = (f64, u32, u32, f64);
/// The best known triples at 32, 64 and 128 slices.
const BEST: [(f64, [Triple; 3]); 5] = [
    (1e-1, [(12.39, 5, 11, 0.444), (12.39, 5, 11, 0.444), (12.39, 5, 11, 0.444)]),
    (1e-2, [(20.21, 8, 24, 0.410), (19.61, 10, 52, 0.455), (19.59, 11, 62, 0.484)]),
    (1e-3, [(28.90, 10, 22, 0.395), (26.44, 12, 52, 0.428), (25.73, 15, 111, 0.484)]),
    (1e-4, [(38.85, 11, 21, 0.350), (33.80, 14, 50, 0.412), (31.87, 17, 109, 0.460)]),
    (1e-5, [(50.47, 13, 19, 0.352), (41.77, 16, 48, 0.400), (38.24, 19, 109, 0.442)]),
];

#[test]
fn search_finds_the_best_known_shape_or_a_better_tie() {
    for (rate, rows) in BEST {
        for (most, (bits, k, l, fill)) in [32, 64, 128].into_iter().zip(rows) {
            assert_close(Shape { k, l, fill, slices: k + l }.bits_per_key(), bits, 0.003, "the table's own triple");
            let shape = search(rate, most);
            assert!(shape.worst() <= rate, "{shape:?} at {rate:e}");
            assert!(shape.bits_per_key() <= 1.01 * (bits + 0.005), "{shape:?}: {} of {bits}", shape.bits_per_key());
            assert!(shape.k <= k, "the tie-break takes the smallest k: {shape:?} at {rate:e}");
        }
    }
}

fn search(rate: f64, most: u32) -> Shape {
    Search { k: None, l: None, fill: None, rate, most, layout: Layout::SEPARATE }.run().unwrap()
}

/// The rules of reading 8, read aloud: every pair, the largest fill, least bits, 1 %, smallest k, smallest l.
fn by_exhaustion(s: &Search) -> Option<(u32, u32, f64)> {
    let mut all = Vec::new();
    for k in (1..s.most).filter(|k| s.k.is_none_or(|given| given == *k)) {
        for l in (1..=s.most - k).filter(|l| s.l.is_none_or(|given| given == *l)) {
            let size = usize::try_from(k).unwrap();
            let meets = |fill: f64| by_run_lengths(size, &steady_fills(k, l, fill, 1.0)) <= s.rate;
            let fill = match s.fill {
                Some(fill) => meets(fill).then_some(fill),
                None => halve(meets),
            };
            let bits = |fill: f64| f64::from(k * (k + l)) / (f64::from(l) * (1.0 / (1.0 - fill)).ln());
            all.extend(fill.map(|fill| (k, l, bits(fill))));
        }
    }
    let least = all.iter().map(|&(_, _, bits)| bits).fold(f64::INFINITY, f64::min);
    all.into_iter().find(|&(_, _, bits)| bits <= 1.01 * least)
}

/// The largest fill in 0.1 ..= 0.9 that meets a rate, to 1e-7.
fn halve(meets: impl Fn(f64) -> bool) -> Option<f64> {
    if meets(0.9) {
        return Some(0.9);
    }
    let (mut low, mut high) = (0.1, 0.9);
    meets(low).then(|| {
        while high - low > 1e-7 {
            let middle = f64::midpoint(low, high);
            if meets(middle) { low = middle } else { high = middle }
        }
        low
    })
}

fn agrees(s: &Search) {
    let what = format!("k {:?}, l {:?}, fill {:?}, rate {:e}, most {}", s.k, s.l, s.fill, s.rate, s.most);
    match (s.run(), by_exhaustion(s)) {
        (Ok(shape), Some((k, l, bits))) => {
            assert_eq!((shape.k, shape.l), (k, l), "{what}: {shape:?}");
            assert_close(shape.bits_per_key(), bits, 1e-5, &what);
            assert!(shape.worst() <= s.rate, "{what}");
        }
        (Err(_), None) => {}
        (have, want) => panic!("{what}: {have:?} and not {want:?}"),
    }
}

#[test]
fn the_search_is_the_exhaustive_one() {
    for most in [2, 3, 16, 32, 48] {
        for rate in [0.5, 0.2, 1e-1, 3e-2, 1e-2, 1e-3, 2e-4, 1e-5, 1e-7] {
            agrees(&Search { k: None, l: None, fill: None, rate, most, layout: Layout::SEPARATE });
        }
    }
}

#[test]
fn search_keeps_given_integers() {
    for rate in [1e-1, 1e-3, 1e-5] {
        for k in [None, Some(1), Some(4), Some(10), Some(17), Some(31), Some(32)] {
            for l in [None, Some(1), Some(3), Some(22), Some(31)] {
                for fill in [None, Some(0.1), Some(0.3), Some(0.5), Some(0.9)] {
                    agrees(&Search { k, l, fill, rate, most: 32, layout: Layout::SEPARATE });
                }
            }
        }
    }
}

/// The search as its rules are read, without any of the short cuts: halving for every fill, every k to the end.
struct Slow<'a>(&'a Search);

impl Slow<'_> {
    fn run(&self) -> Option<Shape> {
        let mut cheapest = f64::INFINITY;
        let mut best_by_k = Vec::new();
        for k in self.0.ks() {
            if f64::from(k) > TIE * cheapest * -(-MOST_FILL).ln_1p() {
                break;
            }
            if let Some(shape) = self.best_l(k) {
                cheapest = cheapest.min(shape.bits_per_key());
                best_by_k.push(shape);
            }
        }
        let shape = best_by_k.into_iter().find(|shape| shape.bits_per_key() <= TIE * cheapest)?;
        Some(self.least_l(shape, TIE * cheapest))
    }

    fn best_l(&self, k: u32) -> Option<Shape> {
        let (mut low, mut high) = (1, self.choices(k)?);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.bits(k, middle + 1) < self.bits(k, middle) { low = middle + 1 } else { high = middle }
        }
        self.shape(k, low)
    }

    fn least_l(&self, best: Shape, bound: f64) -> Shape {
        let k = best.k;
        let (mut low, mut high) = (1, self.choices(k).unwrap_or(1));
        while low < high {
            let middle = low + (high - low) / 2;
            let is_enough = self.0.l(k, middle) >= best.l || self.bits(k, middle) <= bound;
            if is_enough { high = middle } else { low = middle + 1 }
        }
        self.shape(k, low).unwrap_or(best)
    }

    fn choices(&self, k: u32) -> Option<u32> {
        let most = self.0.most;
        match self.0.l {
            Some(l) => (k + l <= most).then_some(1),
            None => (1..most).take_while(|&j| k + (self.0.layout.l)(k, j) <= most).last(),
        }
    }

    fn bits(&self, k: u32, j: u32) -> f64 {
        self.shape(k, j).map_or(f64::INFINITY, |shape| shape.bits_per_key())
    }

    fn shape(&self, k: u32, j: u32) -> Option<Shape> {
        let l = self.0.l(k, j);
        let slices = (self.0.layout.slices)(k, l)?;
        let meets = |fill| steady_chance(k, l, fill, 1.0) <= self.0.rate;
        let fill = match self.0.fill {
            Some(fill) => meets(fill).then_some(fill),
            None => largest(LEAST_FILL, MOST_FILL, meets),
        };
        fill.map(|fill| Shape { k, l, fill, slices })
    }
}

fn asked(options: &Options) -> Result<Shape, Error> {
    Shape::new(options, 1e-3, Layout::SEPARATE)
}

const fn none() -> Options {
    Options::new(Kind::TimeLimited)
}

#[test]
fn errors_name_the_field_to_change() {
    let cases = [
        (none().k(0), Field::K),
        (none().k(1024), Field::K),
        (none().l(0), Field::L),
        (none().l(1024), Field::L),
        (none().fill(0.099), Field::Fill),
        (none().fill(0.901), Field::Fill),
        (none().fill(f64::NAN), Field::Fill),
        (none().max_slices(1), Field::MaxSlices),
        (none().max_slices(1025), Field::MaxSlices),
        (none().error_rate(0.0), Field::ErrorRate),
        (none().error_rate(0.51), Field::ErrorRate),
        (none().error_rate(-1.0), Field::ErrorRate),
        (none().error_rate(f64::NAN), Field::ErrorRate),
        (none().error_rate(f64::INFINITY), Field::ErrorRate),
        (none().k(4).l(3).fill(0.5).error_rate(0.1), Field::ErrorRate),
        (none().k(4).l(3).max_slices(6), Field::MaxSlices),
        (none().k(600).l(600), Field::L),
        (none().k(2), Field::K),
        (none().k(32), Field::MaxSlices),
        (none().l(40), Field::L),
        (none().fill(0.9).max_slices(4), Field::Fill),
        (none().error_rate(1e-300), Field::MaxSlices),
        (none().max_slices(2), Field::MaxSlices),
    ];
    for (options, field) in cases {
        let error = asked(&options).expect_err(&format!("{options:?}"));
        assert_eq!(error.field(), Some(field), "{options:?}: {error}");
    }
}

#[test]
fn ends_of_the_ranges_are_inside() {
    assert_eq!(asked(&none().k(4).l(3).fill(0.5)).unwrap(), Shape { k: 4, l: 3, fill: 0.5, slices: 7 });
    assert_eq!(asked(&none().k(4).l(3).fill(0.5).max_slices(7)).unwrap(), Shape { k: 4, l: 3, fill: 0.5, slices: 7 });
    assert_eq!(asked(&none().k(1).l(1023).fill(0.1)).unwrap(), Shape { k: 1, l: 1023, fill: 0.1, slices: 1024 });
    assert_eq!(asked(&none().k(1023).l(1).fill(0.9)).unwrap(), Shape { k: 1023, l: 1, fill: 0.9, slices: 1024 });
    assert!(asked(&none().error_rate(0.5).max_slices(2)).is_ok());
    assert!(asked(&none().k(40).l(20)).is_ok(), "with k and l given the default bound does not apply");
    assert_eq!(asked(&none()).unwrap(), search(1e-3, 32));
}

const LAYOUTS: [Layout; 2] = [Layout::SEPARATE, AGE_PARTITIONED];

/// Verdicts and snapshots follow from k, l and every bit of the fill.
#[track_caller]
fn equals_the_slow_one(search: &Search) {
    let Search { k, l, fill, rate, most, .. } = search;
    let what = format!("k {k:?}, l {l:?}, fill {fill:?}, rate {rate:e}, most {most}");
    assert_eq!(search.run().ok(), Slow(search).run(), "{what}");
}

#[test]
fn short_cuts_change_nothing() {
    for layout in LAYOUTS {
        for most in [2, 3, 5, 9, 17, 25, 32, 47, 64] {
            for rate in [0.5, 0.3, 0.13, 1e-1, 1e-2, 1e-3, 7e-4, 1e-5, 1e-6, 1e-9, 1e-17, 1e-40] {
                equals_the_slow_one(&Search { k: None, l: None, fill: None, rate, most, layout });
            }
        }
    }
}

#[test]
fn short_cuts_change_nothing_where_something_is_given() {
    for (i, rate) in [0.4, 1e-1, 1e-3, 1e-5, 1e-12].into_iter().enumerate() {
        for layout in LAYOUTS {
            for k in [None, Some(1), Some(2), Some(7), Some(10), Some(31), Some(40)] {
                for l in [None, Some(1), Some(4), Some(19)] {
                    for fill in [None, Some(0.1), Some(0.25), Some(0.4), Some(0.9)] {
                        let most = [32, 33, 24, 40, 48][i];
                        equals_the_slow_one(&Search { k, l, fill, rate, most, layout });
                    }
                }
            }
        }
    }
}

/// A fill that a plan states meets the rate of that plan, to the last bit.
#[test]
fn the_fill_of_a_plan_can_be_asked_for() {
    for rate in [0.2, 1e-2, 1e-3, 1e-6] {
        let found = search(rate, 32);
        let given = Search { k: None, l: None, fill: Some(found.fill), rate, most: 32, layout: Layout::SEPARATE };
        assert!(given.run().is_ok_and(|shape| shape.bits_per_key() <= TIE * found.bits_per_key()));
        equals_the_slow_one(&given);
    }
}

#[test]
fn the_largest_search_is_that_of_the_slow_one() {
    for rate in [0.5, 1e-1, 1e-2] {
        equals_the_slow_one(&Search { k: None, l: None, fill: None, rate, most: 1024, layout: Layout::SEPARATE });
    }
}

#[test]
fn the_quick_chance_is_the_steady_one() {
    for (k, l) in [(1, 1), (1, 7), (3, 1), (4, 3), (5, 5), (5, 6), (8, 56), (10, 22), (40, 2), (20, 900), (1023, 1)] {
        for fill in [0.1, 0.37, 0.5, 0.9] {
            let (quick, steady) = (Quick::new().log_chance(k, l, fill), steady_chance(k, l, fill, 1.0));
            assert!(
                steady == 0.0 || (quick - steady.ln()).abs() < unsure(k) * f64::from(k),
                "({k}, {l}) at {fill}: {quick} of {steady}"
            );
        }
    }
}

/// How often a search asks for a chance: the quick one, 0.06 us with 32 slices, and the exact one, 0.5 us.
fn looks(rate: f64, most: u32, layout: Layout) -> (u64, u64) {
    LOOKED.set((0, 0));
    let _ = Search { k: None, l: None, fill: None, rate, most, layout }.run();
    LOOKED.get()
}

#[test]
fn a_search_is_short() {
    for layout in LAYOUTS {
        for exponent in 1..=9 {
            let (quick, exact) = looks(10f64.powi(-exponent), 32, layout);
            assert!((1..=260).contains(&quick) && exact <= 5, "1e-{exponent}: {quick} and {exact}");
        }
        for exponent in [1, 3, 6, 9, 20] {
            let (quick, exact) = looks(10f64.powi(-exponent), 1024, layout);
            assert!((1..=2000).contains(&quick) && exact <= 10, "1e-{exponent}, 1024 slices: {quick} and {exact}");
        }
        // Once 12 s of a processor.
        let (quick, exact) = looks(1e-300, 1024, layout);
        assert!((1..=7000).contains(&quick) && exact <= 10, "1e-300, 1024 slices: {quick} and {exact}");
    }
}

#[test]
fn the_largest_search_is_sound() {
    for exponent in [1, 3, 5, 9, 20, 100, 300] {
        let rate = 10f64.powi(-exponent);
        let shape = search(rate, 1024);
        assert!(shape.worst() <= rate && shape.k + shape.l <= 1024, "{shape:?}");
        let of_fewer = Search { k: None, l: None, fill: None, rate, most: 256, layout: Layout::SEPARATE }.run();
        assert!(of_fewer.is_ok_and(|fewer| shape.bits_per_key() <= fewer.bits_per_key() * 1.0101) || exponent > 60);
    }
}

#[test]
fn a_valley_is_found_from_anywhere() {
    for n in 1..=40 {
        for low in 1..=n {
            for near in 0..=n + 2 {
                assert_eq!(bottom(n, near, |j| f64::from(j.abs_diff(low))), (low, 0.0), "{low} of {n} from {near}");
            }
        }
    }
}

/// Slices that are nearly full: rounding takes the sum past 1, the chance never.
#[test]
fn a_chance_is_never_above_1() {
    let mut past = 0;
    for n in 1..200 {
        for k in [1, 2, 3, 5] {
            let fills = || (0..n).map(|i| 1.0 - 1.0 / num::real(3 + num::wide(i * n) % 97));
            assert!(run_chance(k, fills()) <= 1.0, "{k} of {n}");
            let (mut missed, mut chance) = (1.0, 0.0);
            fills().for_each(|fill| (chance, missed) = (chance + missed * fill, (1.0 - chance) * (1.0 - fill)));
            past += u32::from(chance > 1.0);
        }
    }
    assert!(past > 0, "no sum is past 1");
}

#[test]
fn listed_shapes_are_those_of_the_search() {
    let listed = LAYOUTS.iter().flat_map(|layout| layout.listed.iter().map(|(rate, ..)| (*rate, *layout)));
    assert_eq!(listed.clone().count(), 12);
    for (rate, layout) in listed {
        let open = |most| Search { k: None, l: None, fill: None, rate, most, layout };
        let (shape, found) = (open(32).listed().unwrap(), open(32).run().unwrap());
        assert_eq!((shape.k, shape.l, shape.slices), (found.k, found.l, found.slices), "{rate}");
        // The last digits of a logarithm differ from machine to machine.
        assert!((shape.fill - found.fill).abs() < 1e-11 && shape.worst() <= rate, "{rate}: {shape:?}, {found:?}");
        assert!(open(31).listed().is_none() && Search { k: Some(shape.k), ..open(32) }.listed().is_none());
        assert!(Search { rate: rate * (1.0 + 1e-15), ..open(32) }.listed().is_none());
    }
}

#[test]
fn the_mean_is_that_of_the_steady_chance() {
    for (k, l, fill) in [(1, 1, 0.1), (1, 7, 0.5), (4, 3, 0.5), (9, 22, 0.35), (40, 2, 0.9), (20, 900, 0.4)] {
        let shape = Shape::known(k, l, fill, Layout::SEPARATE).unwrap();
        let phases = (0..32u32).map(|i| (f64::from(i) + 0.5) / 32.0);
        let mean = phases.map(|u| steady_chance(k, l, fill, u)).sum::<f64>() / 32.0;
        assert!((shape.mean() / mean - 1.0).abs() < 1e-10, "({k}, {l}): {} {mean}", shape.mean());
    }
}
