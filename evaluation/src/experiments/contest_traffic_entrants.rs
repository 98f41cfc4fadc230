//! Who takes part in traffic that is never steady: what keeps a window of time, planned for a rate and, where it must know them,
//! for the most or the mean keys of the traffic.
//!
//! Windows that count keys (the last n, age-partitioned, SWAMP, quotient filters) keep no window of time, and SHE and the sliding sketch
//! take more bits than the clock sketch wherever it takes part: they are left out.

use std::sync::LazyLock;

use lately::{Clock, Filter, Kind, Options, Unit};

use crate::baselines::blocked_bloom::{self, BlockRates, BlockedBloom};
use crate::baselines::by_turns::ByTurns;
use crate::baselines::hashes::{ExactWindow, HashTimes, RotatingSets};
use crate::baselines::shared_places::SharedPlaces;
use crate::baselines::swept_bloom::{self, ByHand, SweptBloom};
use crate::laws::turns;
use crate::num;
use crate::ours::Ours;
use crate::sets::HashedSet;
use crate::timely::{ByClock, Timely};
use crate::traffic::WINDOW;

use super::contest_entrant::bloom_of;
pub(super) use super::contest_hashes::{SETS, TIMES};

/// The rate that is asked for, at the worst instant.
pub(super) const TARGET: f64 = 1e-3;

/// Generations of a window of sets that rotate.
pub(super) const GENERATIONS: u64 = 8;

/// No set that rotates counts its keys.
const UNCOUNTED: u64 = u64::MAX / 2;

const BLOCK: u64 = 512;

static BLOCKS: LazyLock<Vec<BlockRates>> = LazyLock::new(|| blocked_bloom::all(BLOCK));

pub(super) const EXACT: &str = "exact map";
pub(super) const TABLE: &str = "window table";
pub(super) const CLOCK: &str = "clock sketch";

/// How many keys a traffic has: the most, or the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Load {
    /// `peak` or `mean`.
    pub(super) name: &'static str,
    /// Keys of a window, and of an eighth of one.
    pub(super) window: u64,
    pub(super) turn: u64,
}

/// What takes part.
pub(super) struct Rival {
    pub(super) name: String,
    /// What its bits are planned for: `peak`, `mean`, or nothing.
    pub(super) planned: &'static str,
    /// Whether it promises `TARGET` for any traffic, or for that which it was planned for.
    pub(super) promises: bool,
    pub(super) build: Box<dyn Fn(u64) -> Box<dyn Timely>>,
}

impl Rival {
    fn new(name: &str, planned: &'static str, build: impl Fn(u64) -> Box<dyn Timely> + 'static) -> Self {
        // The time-limited filter's rate climbs in a burst. A clock covers half a window more, in which pulses bring twice the keys.
        let promises = planned != "mean" && !["time-limited", CLOCK].contains(&name);
        Self { name: name.to_owned(), planned, promises, build: Box::new(build) }
    }
}

/// Those that find out how many keys there are, and those that are told.
pub(super) fn all(loads: &[Load]) -> Vec<Rival> {
    let window = |kind| Options::new(kind).window_ns(WINDOW).clock(Clock::Manual(Unit::Nanoseconds)).error_rate(TARGET);
    let ours = |options: Options| move |seed| -> Box<dyn Timely> { Box::new(Ours::new(&options.clone().seed(seed))) };
    let mut all = vec![
        Rival::new(EXACT, "", |_| Box::new(ExactWindow::new(WINDOW))),
        Rival::new(TABLE, "", ours(window(Kind::WindowTable))),
        Rival::new("time-limited", "", ours(window(Kind::TimeLimited))),
        Rival::new(SETS, "", |seed| Box::new(RotatingSets::new(WINDOW, seed))),
        Rival::new(TIMES, "", |seed| Box::new(HashTimes::new(WINDOW, seed))),
    ];
    all.extend(loads.iter().flat_map(|&load| [tiny_sets(load), shared(load), blocked(load), clock(load)]));
    all
}

fn share() -> f64 {
    turns::share(GENERATIONS, TARGET)
}

fn by_clock(sets: ByTurns) -> Box<dyn Timely> {
    Box::new(ByClock::new(sets, WINDOW / GENERATIONS))
}

fn tiny_sets(load: Load) -> Rival {
    let options = Options::tiny_set(load.turn).error_rate(share());
    let lines = Filter::plan(&options).unwrap_or_else(|error| panic!("{options:?}: {error}")).cache_lines_per_observe;
    Rival::new("9 TinySets", load.name, move |seed| {
        let options = options.clone().seed(seed);
        let build = move || -> Box<dyn crate::sets::Set> { Box::new(HashedSet::new(&options)) };
        by_clock(ByTurns::new(Box::new(build), UNCOUNTED, GENERATIONS, lines))
    })
}

fn shared(load: Load) -> Rival {
    let (places, k) = bloom_of(load.turn, share());
    Rival::new("9 Bloom, shared places", load.name, move |seed| {
        Box::new(ByClock::new(SharedPlaces::new(places, k, GENERATIONS, UNCOUNTED, seed), WINDOW / GENERATIONS))
    })
}

fn blocked(load: Load) -> Rival {
    let (bits, k) = blocked_bloom::bits_for(&BLOCKS, share());
    let blocks = num::ceil(bits * num::real(load.turn) / num::real(BLOCK));
    Rival::new("9 blocked Bloom", load.name, move |seed| {
        let build = move || -> Box<dyn crate::sets::Set> { Box::new(BlockedBloom::new(blocks, BLOCK, k, seed)) };
        by_clock(ByTurns::new(Box::new(build), UNCOUNTED, GENERATIONS, 9.0))
    })
}

fn clock(load: Load) -> Rival {
    let size = swept_bloom::CLOCK.aging().size(TARGET);
    Rival::new(CLOCK, load.name, move |seed| {
        Box::new(ByHand::new(SweptBloom::timed(swept_bloom::CLOCK, size, load.window, WINDOW, seed)))
    })
}
