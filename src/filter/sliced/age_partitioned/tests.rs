//! Tests of the parts, with their private state; the promises are tested in `tests/`.

use super::*;
use crate::kind::Kind;

fn build(options: &Options) -> AgePartitioned {
    AgePartitioned::new(options).unwrap()
}

fn last(keys: u64) -> Options {
    Options::new(Kind::AgePartitioned).window_keys(keys)
}

fn key(i: u64) -> KeyHash {
    KeyHash(crate::hash::hash64(&i.to_le_bytes(), 0))
}

fn insert(filter: &mut AgePartitioned, i: u64) {
    filter.insert(key(i), Tick(0)).unwrap();
}

fn shapes() -> Vec<Options> {
    let pairs = [(1, 1), (1, 61), (2, 5), (3, 2), (4, 3), (5, 11), (8, 56), (10, 7), (31, 1)];
    let mut shapes: Vec<_> = pairs.map(|(k, l)| last(200).k(k).l(l).fill(0.5)).into();
    shapes.extend([last(1), last(200).error_rate(0.1), last(5000), last(5000).repeat(Repeat::KeepFirst)]);
    shapes
}

/// The bits of the slice with this number, counted one by one.
fn count(filter: &AgePartitioned, number: u64) -> u64 {
    let (f, column) = (number % filter.plan.k, number / filter.plan.k % filter.plan.columns);
    let start = f * filter.plan.function_words() * WORD;
    let set = (0..filter.plan.rows).filter(|row| filter.bits.get(start + row * filter.plan.columns + column));
    num::wide(set.count())
}

/// At every shift the slice that becomes the youngest is clean, and the ones that are kept are untouched by cleaning.
#[test]
fn a_slice_is_clean_when_its_time_comes() {
    for options in shapes() {
        let mut filter = build(&options);
        for i in 0..filter.plan.generation * (3 * filter.plan.columns * filter.plan.k) {
            if filter.count == filter.plan.generation {
                assert_eq!(count(&filter, filter.youngest + 1), 0, "{options:?} after {i}");
            }
            insert(&mut filter, i);
        }
        let oldest = filter.youngest + 1 - filter.plan.k - filter.plan.l;
        for number in oldest..=filter.youngest {
            let (f, column) = (number % filter.plan.k, number / filter.plan.k % filter.plan.columns);
            let ones = filter.ones[num::index(f * filter.plan.columns + column)];
            assert_eq!(count(&filter, number), ones, "{options:?}: slice {number}");
        }
    }
}

/// The place of a slice in the matrix and in an aligned row, against its number.
#[test]
fn an_aligned_row_has_every_slice_once() {
    for options in shapes() {
        let mut filter = build(&options);
        for _ in 0..5 * filter.plan.columns * filter.plan.k {
            let live: u32 = filter.functions.iter().map(|function| function.live.count_ones()).sum();
            let began = filter.youngest + 1;
            assert_eq!(u64::from(live), began.min(filter.plan.k + filter.plan.l), "{options:?}");
            for (f, function) in (0..).zip(&filter.functions) {
                let youngest = filter.youngest - (filter.youngest + filter.plan.k - f) % filter.plan.k;
                assert_eq!(function.column, youngest / filter.plan.k % filter.plan.columns, "{options:?}: {f}");
                let place = filter.aligned(function, 1 << function.column);
                assert_eq!(place, 1 << (filter.plan.columns - u64::from(function.place == 0)), "{options:?}: {f}");
            }
            filter.shift();
        }
    }
}

/// A key is found if and only if k neighbouring slices have its bit: against the definition, slice by slice.
#[test]
fn found_is_k_neighbours() {
    for options in shapes() {
        let mut filter = build(&options);
        for i in 0..filter.plan.generation * (filter.plan.columns * filter.plan.k + 3) {
            insert(&mut filter, i);
        }
        let oldest = filter.youngest + 1 - filter.plan.k - filter.plan.l;
        for i in 0..2000 {
            let hit = |number: u64| {
                let (f, column) = (number % filter.plan.k, number / filter.plan.k % filter.plan.columns);
                filter.bits.get(filter.row(f, &filter.functions[num::index(f)], key(i)) + column)
            };
            let mut run = 0;
            let longest = (oldest..=filter.youngest).map(|number| {
                run = if hit(number) { run + 1 } else { 0 };
                run
            });
            let found = longest.max().unwrap() >= filter.plan.k;
            assert_eq!(filter.contains(key(i), Tick(0)).is_duplicate(), found, "{options:?}: {i}");
        }
    }
}

/// An insertion cleans at most its share of words: no shift waits for memory.
#[test]
fn cleaning_is_spread_evenly() {
    for options in [last(5000), last(200_000).error_rate(0.1), last(3)] {
        let mut filter = build(&options);
        let share = filter.plan.function_words().div_ceil(filter.plan.generation);
        for i in 0..3 * filter.plan.generation {
            let before = filter.sweep.left();
            let shifted = filter.count == filter.plan.generation;
            insert(&mut filter, i);
            assert!(shifted || before - filter.sweep.left() <= share, "{options:?}: {i}");
        }
    }
}

#[test]
fn the_plan_keeps_a_full_slice_at_its_fill() {
    for options in shapes() {
        let plan = Plan::new(&options).unwrap();
        let fill = |rows: u64| 1.0 - (1.0 - 1.0 / num::real(rows)).powf(num::real(plan.k * plan.generation));
        let asked = options.fill.unwrap_or(plan.summary().fill);
        assert!(fill(plan.rows) <= asked * 1.000_001 && fill(plan.rows.max(2) - 1) >= asked * 0.98, "{plan:?}");
    }
}
