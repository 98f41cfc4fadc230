//! Rotating sets in the contest: Bloom filters, apart and with shared places, blocked ones and TinySets, in turns of 2, 3, 5 and 9.
//!
//! The rule is the same for all: each of the G + 1 sets may have the share of the rate that is left to it when all are
//! full, just before a turn; then it takes the fewest bits that give that. Turns of Bloom filters with G = 8 are the
//! guarded epoch Bloom filter with its r = 8, those of blocked ones its blocked form. Eight sets in place of nine are a queuing
//! filter, which reaches back an eighth less than the window at its worst instant: of TinySets, and of the QQHTDs that its paper has.

use std::sync::LazyLock;

use lately::{Filter, Kind, Options, Variant};

use crate::baselines::blocked_bloom::{self, BlockRates, BlockedBloom};
use crate::baselines::bloom;
use crate::baselines::by_turns::{self, ByTurns};
use crate::baselines::shared_places::SharedPlaces;
use crate::laws::quotient::Rows;
use crate::laws::{tiny_set, turns};
use crate::num;
use crate::sets::{HashedSet, Set};

use super::contest_entrant::{Entrant, FORGETS, Law, Missed, Rate, bloom_of, bloom_set};

/// Generations of a window: one set more takes turns.
pub(super) const GENERATIONS: [u64; 4] = [1, 2, 4, 8];

const BLOCK: u64 = 512;

/// The rates of blocks by k: the same for all windows.
static BLOCKS: LazyLock<Vec<BlockRates>> = LazyLock::new(|| blocked_bloom::all(BLOCK));

/// A set of a turn: its bits, the cache lines of a question and of a key that is taken, its law by the part of its load.
struct Turn {
    plan: String,
    bits: u64,
    asked: f64,
    taken: f64,
    slack: f64,
    rate: Box<dyn Fn(f64) -> f64>,
    build: Box<dyn Fn(u64) -> Box<dyn Set> + Send + Sync>,
}

/// The smallest set for that many keys and that rate.
type Planned = fn(u64, f64) -> Turn;

pub(super) fn all(window: u64, target: f64) -> Vec<Entrant> {
    let kinds: [(&str, Planned); 3] = [("Bloom", of_bloom), ("blocked Bloom", of_blocked), ("TinySet", of_tiny_set)];
    let one = |(name, of): (&str, Planned)| {
        GENERATIONS.map(|generations| {
            let keys = by_turns::turn(window, generations);
            entrant(name, generations, window, of(keys, turns::share(generations, target)))
        })
    };
    let shared = GENERATIONS.map(|generations| of_shared_places(generations, window, target));
    kinds.into_iter().flat_map(one).chain(shared).chain(queues(window, target)).collect()
}

/// How the names of queuing filters end.
pub(super) const QUEUING: &str = ", queuing";

/// Queuing filters have as many sets as the rotating ones have generations.
const QUEUED: u64 = 8;

/// Eight sets of an eighth of the window each. Where fingerprints of sixteen bits are not enough there is no QQHTD.
fn queues(window: u64, target: f64) -> impl Iterator<Item = Entrant> {
    let (keys, share) = (by_turns::turn(window, QUEUED), turns::share(QUEUED - 1, target));
    let sets = [("TinySet", Some(of_tiny_set(keys, share))), ("QQHTD", of_qqhtd(keys, share))];
    sets.into_iter().filter_map(move |(name, turn)| turn.map(|turn| queue(name, window, turn)))
}

fn queue(name: &str, window: u64, turn: Turn) -> Entrant {
    let rate = turns::mean(QUEUED - 1, &turn.rate);
    let lines = num::real(QUEUED - 1) * turn.asked + turn.taken;
    let build = std::sync::Arc::new(turn.build);
    Entrant {
        name: format!("{QUEUED} {name}{QUEUING}"),
        plan: turn.plan,
        bits_per_key: num::real(QUEUED * turn.bits) / num::real(window),
        bits_at_peak: 0.0,
        late: 0.0,
        law: Law {
            rate: Rate::About(rate),
            stale: Some(rate),
            missed: Missed::About(turns::queuing_missed(QUEUED)),
            slack: turn.slack,
        },
        build: Box::new(move |seed| {
            let build = build.clone();
            Box::new(ByTurns::queuing(Box::new(move || build(seed)), window, QUEUED, lines))
        }),
    }
}

/// The same bits and law as those of separate Bloom filters, in the places of one.
fn of_shared_places(generations: u64, window: u64, target: f64) -> Entrant {
    let turn = by_turns::turn(window, generations);
    let (places, k) = bloom_of(turn, turns::share(generations, target));
    let apart = entrant("Bloom", generations, window, of_bloom(turn, turns::share(generations, target)));
    Entrant {
        name: format!("{} Bloom, shared places", generations + 1),
        build: Box::new(move |seed| Box::new(SharedPlaces::new(places, k, generations, turn, seed))),
        ..apart
    }
}

fn entrant(name: &str, generations: u64, window: u64, turn: Turn) -> Entrant {
    let sets = generations + 1;
    let law = Law {
        rate: Rate::About(turns::mean(generations, &turn.rate)),
        stale: Some(turns::stale(generations)),
        missed: Missed::None,
        slack: turn.slack,
    };
    let lines = num::real(generations) * turn.asked + turn.taken;
    let build = std::sync::Arc::new(turn.build);
    Entrant {
        name: format!("{sets} rotating {name}"),
        plan: turn.plan,
        bits_per_key: num::real(sets * turn.bits) / num::real(window),
        bits_at_peak: 0.0,
        late: 1.0 / num::real(generations),
        law,
        build: Box::new(move |seed| {
            let build = build.clone();
            Box::new(ByTurns::new(Box::new(move || build(seed)), window, generations, lines))
        }),
    }
}

/// A question stops at the first bit that is 0: 1 / (1 - fill) places. A new key then sets k.
fn of_bloom(keys: u64, target: f64) -> Turn {
    let (m, k) = bloom_of(keys, target);
    let fill = -(-num::real(k * keys) / num::real(m)).exp_m1();
    Turn {
        plan: format!("k = {k}"),
        bits: m,
        asked: 1.0 / (1.0 - fill),
        taken: num::real(k),
        slack: 0.03,
        rate: Box::new(
            move |part| if part > 0.0 { bloom::rate(num::real(m) / (num::real(keys) * part), k) } else { 0.0 },
        ),
        build: Box::new(move |seed| Box::new(bloom_set(m, k, seed))),
    }
}

fn of_blocked(keys: u64, target: f64) -> Turn {
    let (bits, k) = blocked_bloom::bits_for(&BLOCKS, target);
    let blocks = num::ceil(bits * num::real(keys) / num::real(BLOCK));
    let rates = BLOCKS.iter().find(|rates| rates.k == k).expect("one of them").clone();
    Turn {
        plan: format!("k = {k}, blocks of {BLOCK}"),
        bits: blocks * BLOCK,
        asked: 1.0,
        taken: 1.0,
        slack: 0.04,
        rate: Box::new(move |part| match part > 0.0 {
            true => rates.rate(num::real(blocks * BLOCK) / (num::real(keys) * part)),
            false => 0.0,
        }),
        build: Box::new(move |seed| Box::new(BlockedBloom::new(blocks, BLOCK, k, seed))),
    }
}

fn of_tiny_set(keys: u64, target: f64) -> Turn {
    let options = Options::tiny_set(keys).error_rate(target);
    let plan = Filter::plan(&options).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    let (chains, array) = (plan.chains, plan.block_bytes * 8 - plan.chains);
    let load = num::real(keys) / num::real(plan.blocks);
    Turn {
        plan: format!("L = {chains}, load {:.2}", plan.load),
        bits: plan.bytes * 8,
        asked: plan.cache_lines_per_observe,
        taken: plan.cache_lines_per_observe,
        slack: 0.05,
        rate: Box::new(move |part| tiny_set::rate(chains, array, load * part, tiny_set::ADD_ONLY)),
        build: Box::new(move |seed| Box::new(HashedSet::new(&options.clone().seed(seed)))),
    }
}

/// By its own plan, which may forget a hundredth of its keys, and is for rows that are full.
fn of_qqhtd(keys: u64, target: f64) -> Option<Turn> {
    let options = Options::new(Kind::Quotient).variant(Variant::Qqhtd).window_keys(keys).error_rate(target);
    let options = options.miss_rate(FORGETS);
    let plan = Filter::plan(&options).ok()?;
    let rows = Rows { n: num::real(plan.rows), k: plan.k, s: num::real((1 << plan.fingerprint_bits) - 1) };
    Some(Turn {
        plan: format!("k = {}, s = {}", plan.k, plan.fingerprint_bits),
        bits: plan.bytes * 8,
        asked: plan.cache_lines_per_observe,
        taken: plan.cache_lines_per_observe,
        slack: 0.03,
        rate: Box::new(move |part| rows.queued_false(num::real(keys) * part)),
        build: Box::new(move |seed| Box::new(HashedSet::new(&options.clone().seed(seed)))),
    })
}
