//! Tests of the parts; the promises are tested in `tests/`.

use super::*;
use crate::filter::quotient::law::Law;
use crate::kind::Kind;
use crate::options::Variant;

const VARIANTS: [Variant; 4] = [Variant::Qht, Variant::Qhtd, Variant::Qqht, Variant::Qqhtd];

/// The paper's algorithms as they are written, over lists of cells.
struct Model {
    rows: Vec<Vec<u64>>,
    victims: Box<[Rng; STRIPES]>,
    variant: Variant,
    sorted: bool,
}

impl Model {
    fn observe(&mut self, row: u64, fingerprint: u64) -> bool {
        let (stripe, cells) = (stripe(row), &mut self.rows[num::index(row)]);
        let seen = cells.contains(&fingerprint);
        if seen && matches!(self.variant, Variant::Qht | Variant::Qqht) {
            return seen;
        }
        if matches!(self.variant, Variant::Qqht | Variant::Qqhtd) {
            cells.remove(0);
            cells.push(fingerprint);
        } else {
            let empty = cells.iter().position(|&cell| cell == 0);
            let cell = empty.unwrap_or_else(|| num::index(self.victims[stripe].below(num::wide(cells.len()))));
            cells[cell] = fingerprint;
        }
        if self.sorted {
            cells.sort_unstable();
        }
        seen
    }
}

/// Runs the filter and the model side by side, and compares verdicts and cells.
fn agrees_with_the_model(options: &Options, rows: u64, keys: u64) {
    let mut filter = Quotient::new(options).unwrap();
    assert_eq!(filter.table.plan.rows, rows, "{options:?}");
    let (k, law) = (filter.table.plan.shape.k, filter.table.plan.shape.law);
    let mut model = Model {
        rows: vec![vec![0; num::index(k)]; num::index(rows)],
        victims: Box::new(victims(filter.table.plan.seed)),
        variant: law.variant,
        sorted: filter.table.plan.shape.code.is_some(),
    };
    let mut rng = Rng::new(9, k);
    for i in 0..keys {
        let bits = rng.below(33);
        let key = KeyHash(rng.below(1 << 40 >> bits));
        let (row, fingerprint) = filter.table.place(key);
        assert!((1..=law.fingerprints).contains(&fingerprint) && row < rows);
        let seen = filter.contains(key, Tick(0));
        assert_eq!(filter.observe(key, Tick(0)).unwrap(), seen, "{options:?}, key {i}");
        assert_eq!(Verdict::of(model.observe(row, fingerprint)), seen, "{options:?}, key {i}");
    }
    for (row, cells) in (0..).zip(&model.rows) {
        assert_eq!(&filter.table.rows.cells(row), cells, "{options:?}, row {row}");
    }
    let filled = model.rows.iter().flatten().filter(|&&cell| cell > 0).count();
    assert_eq!(filter.stats(Tick(0)).items, num::wide(filled), "{options:?}");
}

#[test]
fn every_shape_of_row_follows_the_paper() {
    for variant in VARIANTS {
        for (k, s) in [(1, 1), (1, 3), (2, 3), (4, 3), (4, 4), (3, 5), (8, 8), (4, 16), (5, 13), (64, 1), (21, 3)] {
            let options = Options::new(Kind::Quotient).variant(variant).k(k).fingerprint_bits(s).seed(u64::from(k));
            // 67 rows end within a word and lie in two stripes.
            let bits = u64::from(k * s) * 67;
            agrees_with_the_model(&options.memory(bits.div_ceil(8)), bits.div_ceil(8) * 8 / u64::from(k * s), 9000);
        }
        // Rows of more than a word.
        for (k, s) in [(65, 1), (9, 8), (64, 8), (13, 5), (12, 11), (100, 16), (43, 3), (129, 12)] {
            let options = Options::new(Kind::Quotient).variant(variant).k(k).fingerprint_bits(s).seed(1);
            let bits = u64::from(k * s) * 130;
            agrees_with_the_model(&options.memory(bits / 8), bits / 8 * 8 / u64::from(k * s), 30_000);
        }
    }
}

#[test]
fn sorted_rows_do_the_same() {
    for variant in [Variant::Qht, Variant::Qhtd] {
        for (k, s) in [(3, 1), (4, 4), (4, 6), (5, 3), (16, 4), (8, 8), (4, 16), (7, 9)] {
            let options = Options::new(Kind::Quotient).variant(variant).k(k).fingerprint_bits(s).semi_sort(true);
            let width = sorted::Code::new(u64::from(k), u64::from(s)).unwrap().width();
            agrees_with_the_model(&options.memory(width * 16), 128, 30_000);
        }
    }
}

#[test]
fn a_stripe_is_64_rows() {
    assert_eq!([0, 63, 64, 127, 64 * 63, 64 * 64 - 1, 64 * 64].map(stripe), [0, 0, 1, 1, 63, 63, 0]);
    let first = victims(7);
    assert!(first.iter().enumerate().all(|(i, rng)| !first[..i].contains(rng)));
    assert_ne!(first, victims(8));
}

/// The chain of QQHT, walked key by key: the rate that is planned is never less, and hardly more where errors are rare.
#[test]
fn a_queue_misses_at_most_what_is_planned() {
    for (k, s, rows) in
        [(1, 2, 7), (2, 3, 5), (6, 3, 4), (30, 5, 2), (4, 4, 3), (7, 3, 9), (8, 10, 16), (20, 5, 11), (8, 16, 9)]
    {
        let law = Law::new(Variant::Qqht, k, s);
        let (fingerprints, n) = (num::real(law.fingerprints), num::real(rows));
        let (push, back) = ((1.0 - law.worst()) / n, 1.0 / (fingerprints * n));
        let mut states = vec![1.0 / fingerprints; num::index(k)];
        states[0] += 1.0 - law.worst();
        let mut gone = 0.0;
        for distance in 1..=4 * rows * k {
            let leaves = states[num::index(k) - 1] * push;
            for j in (1..states.len()).rev() {
                states[j] += (states[j - 1] - states[j]) * push;
            }
            states[0] += gone * back - states[0] * push;
            gone += leaves - gone * back;
            let miss = law.miss(rows, distance);
            let what = format!("k {k}, s {s}, N {rows}, d {distance}: {miss}, {gone}");
            assert!(miss >= gone - 1e-12, "{what}");
            assert!(distance > rows * k || miss <= gone / (1.0 - 2.0 * law.worst()).max(1e-3) + 1e-12, "{what}");
        }
    }
}

/// The costliest requests: rows that hold nearly every fingerprint, and windows far longer than what is kept.
#[test]
fn no_request_takes_long() {
    // The first was refused for its points, the second took 15 s.
    let queue = |bytes, window| Options::quotient(bytes).variant(Variant::Qqht).window_keys(window);
    Plan::new(&queue(1 << 20, 100_000).k(16).error_rate(1e-3)).expect("a plan of few cells and many fingerprints");
    Plan::new(&queue(1158, 122_542).error_rate(0.1)).expect("a plan of a far window");
}

#[test]
fn one_cell_makes_all_variants_of_a_kind_alike() {
    for distance in [1, 50, 3000] {
        let [qht, qhtd, qqht, qqhtd] = VARIANTS.map(|variant| Law::new(variant, 1, 5).miss(100, distance));
        assert!([qhtd, qqhtd].iter().all(|miss| (miss - qht).abs() < 1e-12), "{qht} {qhtd} {qqhtd}");
        assert!(qqht >= qht && qqht * (1.0 - 2.0 / 31.0) <= qht, "at most: {qqht} of {qht}");
    }
}

#[test]
fn a_row_lies_in_as_many_lines_as_counted() {
    for width in [1, 3, 12, 48, 64, 80, 500, 512, 513, 768, 1024, 1040] {
        let lines = |row: u64| ((row + 1) * width - 1) / 512 - row * width / 512 + 1;
        let mean = num::real((0..512).map(lines).sum()) / 512.0;
        let shape = plan::Shape { law: Law::new(Variant::Qht, width, 1), k: width, s: 1, code: None };
        assert!((plan::cache_lines(shape.width()) - mean).abs() < 1e-12, "{width}: {mean}");
    }
}

/// A row with an empty cell has lost nothing; of all others a key seen long ago is found by chance alone.
#[test]
fn full_rows_miss_keys_of_long_ago() {
    for variant in VARIANTS {
        let options = Options::new(Kind::Quotient).memory(300).variant(variant).k(3).fingerprint_bits(5);
        let mut filter = Quotient::new(&options).unwrap();
        assert_eq!((filter.stats(Tick(0)).rows_full, filter.stats(Tick(0)).miss_rate), (0, 0.0));
        let (rows, chance) = (filter.table.plan.rows, filter.table.plan.shape.law.worst());
        let mut rng = Rng::new(1, 1);
        let mut grown = 0;
        for _ in 0..100 * rows {
            filter.insert(KeyHash(rng.below(u64::MAX)), Tick(0)).unwrap();
            let stats = filter.stats(Tick(0));
            assert!(stats.rows_full >= grown && stats.rows_full <= rows);
            grown = stats.rows_full;
            let expected = num::real(grown) / num::real(rows) * (1.0 - chance);
            assert!((stats.miss_rate - expected).abs() < 1e-12, "{variant:?}");
        }
        assert_eq!(grown, rows);
        filter.clear();
        assert_eq!((filter.stats(Tick(0)).rows_full, filter.stats(Tick(0)).miss_rate), (0, 0.0));
    }
}

/// The price that the essay names: a row whose width divides 512 lies in one cache line, wherever the allocator puts the
/// array, and a copy has the same cells wherever its own array lies.
#[test]
fn rows_that_divide_a_line_do_not_cross_one() {
    let mut copies = Vec::new();
    for (k, s) in [(32, 16), (16, 16), (8, 16), (64, 8), (4, 16), (2, 16)] {
        let mut filter =
            Quotient::new(&Options::new(Kind::Quotient).memory(4096 + 64).k(k).fingerprint_bits(s)).unwrap();
        (0..500u64).for_each(|i| filter.insert(KeyHash(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)), Tick(0)).unwrap());
        for _ in 0..5 {
            copies.push(filter.try_clone().unwrap());
            let copy = copies.last().unwrap();
            for row in 0..filter.table.plan.rows {
                for rows in [&filter.table.rows, &copy.table.rows] {
                    assert!(rows.offset_in_line(row) + u64::from(k * s) <= 512, "row {row} of {k} cells of {s} bits");
                }
                assert_eq!(
                    copy.table.rows.cells(row),
                    filter.table.rows.cells(row),
                    "row {row} of {k} cells of {s} bits"
                );
            }
        }
    }
}
