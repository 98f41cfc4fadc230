//! Who takes part beyond the papers: all kinds and baselines, each planned for the same window and the same memory.

use lately::{Filter, Options, Variant};

use crate::baselines::Reading;
use crate::baselines::a2::{A2, Shape as A2Shape};
use crate::baselines::balanced_bloom::{BalancedBloom, Cut};
use crate::baselines::block_decaying::{BlockDecaying, Shape as DecayingShape};
use crate::baselines::blocked_bloom::{self, BlockRates, BlockedBloom};
use crate::baselines::by_turns::{self, Build, ByTurns};
use crate::baselines::cuckoo::Cuckoo;
use crate::baselines::d_left::DLeft;
use crate::baselines::rank_indexed::{RankIndexed, Shape as RankShape};
use crate::baselines::sqf::{self, Sqf};
use crate::baselines::stable_bloom::StableBloom;
use crate::baselines::{bloom, vi_cbf};
use crate::detector::Detector;
use crate::laws::search;
use crate::num;
use crate::ours::Ours;
use crate::sets::OurTinySet;

/// A filter that takes part: how it is made from a seed.
pub(super) struct Contender {
    pub(super) name: &'static str,
    /// Whether it never misses a key inside the window.
    pub(super) keeps: bool,
    /// The rate of false duplicates that its plan promises at most.
    pub(super) promised: Option<f64>,
    pub(super) build: Box<dyn Fn(u64) -> Box<dyn Detector> + Send + Sync>,
}

/// The window in keys: 24 x 256, for which d-left's tables of powers of two are full.
pub(super) const WINDOW: u64 = 6144;

const BLOCK: u64 = 512;

/// The rate that the filters which forget are planned for.
const FORGETTING: f64 = 0.01;

impl Contender {
    fn new(name: &'static str, keeps: bool, build: impl Fn(u64) -> Box<dyn Detector> + Send + Sync + 'static) -> Self {
        Self { name, keeps, promised: None, build: Box::new(build) }
    }

    /// One of ours, with the promise of its plan.
    fn ours(name: &'static str, keeps: bool, options: Options) -> Self {
        let plan = Filter::plan(&options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
        let build = move |seed| -> Box<dyn Detector> { Box::new(Ours::new(&options.clone().seed(seed))) };
        Self { promised: Some(plan.error_rate_worst), ..Self::new(name, keeps, build) }
    }

    /// A set, twice.
    fn turns(name: &'static str, keeps: bool, lines: f64, set: impl Fn(u64) -> Build + Send + Sync + 'static) -> Self {
        Self::new(name, keeps, move |seed| Box::new(ByTurns::new(set(seed), WINDOW, 1, 2.0 * lines)))
    }
}

/// The request with the least error rate whose plan fits.
fn fitting(of: impl Fn(f64) -> Options, bits: u64) -> Options {
    let options = |power: f64| of(10_f64.powf(power));
    let fits = |power| Filter::plan(&options(power)).is_ok_and(|plan| plan.bytes * 8 <= bits);
    options(search::least(-9.0, -0.1, fits))
}

/// Everybody, in `memory` bits.
pub(super) fn all(memory: u64) -> Vec<Contender> {
    let mut all = windows(memory);
    all.extend(counting(memory));
    all.extend(forgetting(memory));
    all
}

/// Those that keep their window, and whose size is free: they can be drawn as curves over it.
pub(super) fn windows(memory: u64) -> Vec<Contender> {
    let bytes_free = |rate| Options::age_partitioned(WINDOW).error_rate(rate);
    let mut all = vec![
        Contender::ours("time-limited", true, fitting(|rate| Ours::timed(WINDOW).error_rate(rate), memory)),
        Contender::ours("age-partitioned", true, fitting(bytes_free, memory)),
        tiny_set(memory),
        a2(memory),
        blocked(memory),
        vi_cbf(memory),
        block_decaying(memory),
    ];
    all.extend(window_table(memory));
    all
}

/// It begins at some 31 bits a key, so that it takes part in the curves only.
fn window_table(memory: u64) -> Option<Contender> {
    let options = fitting(|rate| Options::last(WINDOW).error_rate(rate), memory);
    Filter::plan(&options).is_ok().then(|| Contender::ours("window table", true, options))
}

fn tiny_set(memory: u64) -> Contender {
    let options = fitting(|rate| Options::tiny_set(WINDOW).error_rate(rate), by_turns::half(memory));
    let lines = Filter::plan(&options).map_or(f64::NAN, |plan| plan.cache_lines_per_observe);
    Contender::turns("rotating TinySet", true, lines, move |seed| {
        let options = options.clone().seed(seed);
        Box::new(move || Box::new(OurTinySet::new(&options)))
    })
}

/// A2 is a rotating Bloom filter.
fn a2(memory: u64) -> Contender {
    let (k, _) = bloom::best(by_turns::bits_per_key(memory, WINDOW));
    let shape = A2Shape { bits: by_turns::half(memory), k, capacity: WINDOW };
    Contender::new("A2 (rotating Bloom)", true, move |seed| Box::new(A2::new(shape, seed)))
}

/// Whole blocks of a half, and bits per key of the window.
fn blocks(memory: u64) -> (u64, f64) {
    let blocks = by_turns::half(memory) / BLOCK;
    (blocks, num::real(blocks * BLOCK) / num::real(WINDOW))
}

/// The k with the least rate.
fn best_k(rate: impl Fn(&BlockRates) -> f64) -> u64 {
    let all = blocked_bloom::all(BLOCK);
    all.iter().min_by(|a, b| rate(a).total_cmp(&rate(b))).map_or(1, |rates| rates.k)
}

fn blocked(memory: u64) -> Contender {
    let (blocks, c) = blocks(memory);
    let k = best_k(|rates| rates.rate(c));
    Contender::turns("rotating blocked Bloom", true, 1.0, move |seed| {
        Box::new(move || Box::new(BlockedBloom::new(blocks, BLOCK, k, seed)))
    })
}

fn vi_cbf(memory: u64) -> Contender {
    const COUNTER: u64 = 6;
    let (counters, c) = (by_turns::half(memory) / COUNTER, by_turns::bits_per_key(memory, WINDOW));
    let rate = |k: &u64| vi_cbf::rate(c, *k);
    let k = (1..=30).min_by(|a, b| rate(a).total_cmp(&rate(b))).unwrap_or(1);
    Contender::turns("rotating VI-CBF", true, num::real(k), move |seed| {
        Box::new(move || Box::new(vi_cbf::ViCbf::new(counters, k, seed)))
    })
}

fn block_decaying(memory: u64) -> Contender {
    let shape = DecayingShape::new(Reading::Correct, memory, WINDOW);
    Contender::new("b_DBF", true, move |seed| Box::new(BlockDecaying::new(shape, seed)))
}

/// The other sets: their sizes come in steps, or they may refuse a key.
fn counting(memory: u64) -> Vec<Contender> {
    vec![balanced(memory), rank_indexed(memory), d_left(memory)]
}

fn balanced(memory: u64) -> Contender {
    let (blocks, _) = blocks(memory);
    let keys = num::real(WINDOW) / num::real(blocks);
    let cut = Cut::new(keys);
    let k = best_k(|rates| cut.rate(rates, keys));
    Contender::turns("rotating balanced Bloom", true, 1.0, move |seed| {
        Box::new(move || Box::new(BalancedBloom::new(blocks, BLOCK, k, WINDOW, seed)))
    })
}

fn rank_indexed(memory: u64) -> Contender {
    let c = by_turns::bits_per_key(memory, WINDOW);
    let power = search::least(-6.0, -0.5, |power| RankShape::for_rate(10_f64.powf(power)).bits_per_key() <= c);
    let shape = RankShape::for_rate(10_f64.powf(power));
    let blocks = num::floor(num::real(WINDOW) / shape.keys());
    let lines = (c * shape.keys() / num::real(BLOCK)).ceil();
    Contender::turns("rotating rank-indexed", false, lines, move |seed| {
        Box::new(move || Box::new(RankIndexed::new(shape, blocks, seed)))
    })
}

/// Six keys in eight cells of r + 2 bits.
fn d_left(memory: u64) -> Contender {
    let remainder = num::floor(by_turns::bits_per_key(memory, WINDOW) * 0.75 - 2.0);
    Contender::turns("rotating d-left", false, 4.0, move |seed| {
        Box::new(move || Box::new(DLeft::new(8, num::small(remainder), seed)))
    })
}

/// Those without a window.
fn forgetting(memory: u64) -> Vec<Contender> {
    let quotient = |variant| Options::quotient(memory / 8).variant(variant).window_keys(WINDOW).error_rate(FORGETTING);
    vec![
        Contender::ours("QHT", false, quotient(Variant::Qht)),
        Contender::ours("QHTD", false, quotient(Variant::Qhtd)),
        Contender::ours("QQHT", false, quotient(Variant::Qqht)),
        Contender::ours("QQHTD", false, quotient(Variant::Qqhtd)),
        Contender::new("SBF", false, move |seed| {
            Box::new(StableBloom::new(Reading::Correct, memory, FORGETTING, seed))
        }),
        Contender::new("SQF", false, move |seed| {
            Box::new(Sqf::with(Reading::Correct, memory, 1, sqf::Cell::for_rate(FORGETTING), seed))
        }),
        Contender::new("Cuckoo, 8 bits", false, move |seed| Box::new(Cuckoo::new(Reading::Correct, memory, 8, seed))),
    ]
}
