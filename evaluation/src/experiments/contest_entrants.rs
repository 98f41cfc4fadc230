//! Who takes part in the contest: everything that holds a window of n keys, each as small as its own rule allows for a
//! rate of false duplicates.

use std::time::Duration;

use lately::{Clock, Filter, Kind, Options, PlanSummary, Unit, Variant};

use crate::baselines::exact_map::{self, ExactMap};
use crate::baselines::she::{self, She};
use crate::baselines::swamp::{self, Swamp};
use crate::baselines::swept_bloom::{self, SweptBloom};
use crate::detector::Detector;
use crate::laws::aging_cells::Aging;
use crate::laws::quotient::Rows;
use crate::laws::sliced::Shape;
use crate::num;
use crate::ours::{MOST_WHILE_SMALL, Ours};

use super::contest_entrant::{Entrant, FORGETS, Law, Missed, Rate};
use super::{contest_hashes, contest_turns};

/// Everybody, for a window of this many keys and this rate at the worst instant.
pub(super) fn all(window: u64, target: f64) -> Vec<Entrant> {
    let mut all = ours(window, target);
    all.extend(contest_turns::all(window, target));
    all.extend([swept("sliding sketch", swept_bloom::SLIDING, window, target)]);
    all.extend([swept("clock sketch", swept_bloom::CLOCK, window, target)]);
    all.extend([she(window, target), swamp(window, target), exact(window)]);
    all.extend([Variant::Qqht, Variant::Qqhtd].map(|variant| quotient(variant, window, target)));
    let room = all[0].bits_per_key;
    all.push(random_victims(window, target, room));
    // Where they win their rows are to be seen first.
    all.splice(..0, contest_hashes::all(window));
    all
}

fn ours(window: u64, target: f64) -> Vec<Entrant> {
    let span = Options::window(Duration::from_nanos(window)).clock(Clock::Manual(Unit::Nanoseconds));
    let (last, steady) = (Options::last(window), Ours::timed(window).error_rate(target));
    let keys = Options::age_partitioned(window).error_rate(target);
    let unknown = table(UNKNOWN, span.clone().error_rate(target));
    let while_small = num::real(8 * MOST_WHILE_SMALL) / num::real(window);
    vec![
        table("window table, last n", last.error_rate(target)),
        table(KNOWN, span.capacity(window).error_rate(target)),
        Entrant { bits_at_peak: unknown.bits_at_peak.max(while_small), ..unknown },
        sliced("age-partitioned", keys.clone(), window),
        sliced(SLICED, keys.max_slices(SLICES), window),
        // Its generations end by time: none has a key more than its share.
        sliced("time-limited", steady.clone(), 0),
        sliced("time-limited, 128 slices", steady.max_slices(SLICES), 0),
    ]
}

/// The two ways to enter a window of time.
pub(super) const KNOWN: &str = "window table, last T, n known";
pub(super) const UNKNOWN: &str = "window table, last T, n unknown";

/// Slices at most, where a sliced filter may have as many as its rivals have sets, and more.
const SLICES: u32 = 128;
pub(super) const SLICED: &str = "age-partitioned, 128 slices";

fn planned(options: &Options) -> PlanSummary {
    Filter::plan(options).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

fn build(options: Options) -> Box<dyn Fn(u64) -> Box<dyn Detector> + Send + Sync> {
    Box::new(move |seed| Box::new(Ours::new(&options.clone().seed(seed))))
}

/// Seven generations. The rate of a window of time is at most that of a settled table that never grew: its lines may be emptier.
fn table(name: &str, options: Options) -> Entrant {
    const GENERATIONS: f64 = 7.0;
    let plan = planned(&options);
    let of_time = [KNOWN, UNKNOWN].contains(&name);
    let rate = if of_time { Rate::OfLayout } else { Rate::About };
    Entrant {
        name: name.to_owned(),
        plan: "7 generations".to_owned(),
        bits_per_key: plan.bits_per_key,
        bits_at_peak: plan.bits_per_key_peak,
        late: 1.0 / GENERATIONS,
        law: Law {
            rate: rate(plan.error_rate_mean),
            stale: Some(0.5 / GENERATIONS),
            missed: Missed::None,
            // A new key goes to the emptier of its lines, most often the one that gave up a generation last. So it stays for
            // longer than half a generation on average, 0.57 was seen, and never for more than one. The fill is that of a
            // mean line.
            slack: 0.18,
        },
        build: build(options),
    }
}

/// A key past the window is found to the end of its generation, then ever less likely: fill^j, j generations later. Generations
/// of `window` keys are whole: together they are up to one key a generation longer.
fn sliced(name: &str, options: Options, window: u64) -> Entrant {
    let plan = planned(&options);
    // The margin makes slices larger, so that they are emptier than planned.
    let fill = -((-plan.fill).ln_1p() / (1.0 + plan.margin)).exp_m1();
    let shape = Shape { k: plan.k, l: plan.l, fill };
    let late = 1.0 / num::real(plan.l);
    let longer = num::real(window.next_multiple_of(plan.l) - window) / num::real(window.max(1));
    Entrant {
        name: name.to_owned(),
        plan: format!("k = {}, l = {}", plan.k, plan.l),
        bits_per_key: plan.bits_per_key,
        bits_at_peak: plan.bits_per_key_peak,
        late,
        // Whole words and whole keys a slice.
        law: Law {
            rate: Rate::About(shape.mean()),
            stale: Some(longer + late * (0.5 + fill / (1.0 - fill))),
            missed: Missed::None,
            slack: 0.12,
        },
        build: build(options),
    }
}

/// The variant that keeps all but 1 % of the keys a window ago, in the fewest bits.
fn quotient(variant: Variant, window: u64, target: f64) -> Entrant {
    let options = Options::new(Kind::Quotient).variant(variant).window_keys(window).error_rate(target);
    let options = options.miss_rate(FORGETS);
    let plan = planned(&options);
    Entrant {
        name: if variant == Variant::Qqht { "QQHT" } else { "QQHTD" }.to_owned(),
        plan: format!("k = {}, s = {}", plan.k, plan.fingerprint_bits),
        bits_per_key: plan.bits_per_key,
        bits_at_peak: plan.bits_per_key_peak,
        late: f64::INFINITY,
        law: Law { rate: Rate::About(plan.error_rate_mean), stale: None, missed: Missed::AtMost(FORGETS), slack: 0.02 },
        build: build(options),
    }
}

/// QHT and QHTD give up a random cell of a full row: to keep all but 1 % takes a hundred cells a key. So they get the bits
/// of a window table, and what they forget in them is told. Their plan has one cell a row, and then they are the same.
fn random_victims(window: u64, target: f64, room: f64) -> Entrant {
    let memory = num::floor(room * num::real(window) / 8.0);
    let options = Options::quotient(memory).variant(Variant::Qht).window_keys(window).error_rate(target);
    let plan = planned(&options);
    assert_eq!(plan.k, 1, "with more cells a row QHTD is another filter");
    let rows = Rows { n: num::real(plan.rows), k: plan.k, s: num::real((1 << plan.fingerprint_bits) - 1) };
    let missed = rows.forgotten(Variant::Qht).take(num::index(window)).sum::<f64>() / num::real(window);
    // New keys are counted from 4 windows on, for 16: in so much room not all cells are taken then.
    let taken = |windows: f64| (-windows * num::real(window) / rows.n).exp();
    let filled = 1.0 - rows.n / (16.0 * num::real(window)) * (taken(4.0) - taken(20.0));
    Entrant {
        name: "QHT = QHTD".to_owned(),
        plan: format!("k = {}, s = {}, in the bits of a window table", plan.k, plan.fingerprint_bits),
        bits_per_key: plan.bits_per_key,
        bits_at_peak: plan.bits_per_key_peak,
        late: f64::INFINITY,
        // Keys that return and are found push none out, and one key in nine is a return.
        law: Law {
            rate: Rate::About(plan.error_rate_mean * filled),
            stale: None,
            missed: Missed::About(missed),
            slack: 0.02,
        },
        build: build(options),
    }
}

fn swept(name: &str, cell: swept_bloom::Cell, window: u64, target: f64) -> Entrant {
    let aging = cell.aging();
    let size = aging.size(target);
    Entrant {
        plan: format!("k = {}, {} bits a cell", size.k, cell.bits),
        build: Box::new(move |seed| Box::new(SweptBloom::new(cell, size, window, seed))),
        ..aging_cells(name, aging, target)
    }
}

fn she(window: u64, target: f64) -> Entrant {
    let (aging, size) = she::best(target);
    Entrant {
        plan: format!("k = {}, {:.1} windows a cycle", size.k, 1.0 + aging.late),
        build: Box::new(move |seed| Box::new(She::new(aging, size, window, seed))),
        ..aging_cells("SHE", aging, target)
    }
}

/// What a Bloom filter with aging cells costs and says, but for how it is built.
fn aging_cells(name: &str, aging: Aging, target: f64) -> Entrant {
    let size = aging.size(target);
    Entrant {
        name: name.to_owned(),
        plan: String::new(),
        bits_per_key: aging.bits_per_key(size),
        bits_at_peak: 0.0,
        late: aging.late,
        law: Law {
            rate: Rate::About(aging.rate(size)),
            stale: Some(aging.stale(size)),
            missed: Missed::None,
            slack: 0.03,
        },
        build: Box::new(|_| panic!("an entrant that builds itself")),
    }
}

fn swamp(window: u64, target: f64) -> Entrant {
    let length = swamp::fingerprint(window, target);
    let rate = swamp::rate(window, length);
    Entrant {
        name: "SWAMP".to_owned(),
        plan: format!("{length} bits a fingerprint"),
        bits_per_key: swamp::bits_per_key(window, length),
        bits_at_peak: 0.0,
        late: 0.0,
        law: Law { rate: Rate::About(rate), stale: Some(rate), missed: Missed::None, slack: 0.01 },
        build: Box::new(move |seed| Box::new(Swamp::new(window, length, seed))),
    }
}

/// Its table has a power of two of slots, so that its bits a key depend on n: what they are over an octave of n is its plan.
fn exact(window: u64) -> Entrant {
    let sizes = exact_map::sizes(window);
    Entrant {
        name: "exact map".to_owned(),
        plan: format!("{:.0} to {:.0} bits by n, mean {:.0}", sizes.least, sizes.most, sizes.mean),
        bits_per_key: num::real(exact_map::bits(window)) / num::real(window),
        bits_at_peak: 0.0,
        late: 0.0,
        law: Law { rate: Rate::About(0.0), stale: Some(0.0), missed: Missed::None, slack: 0.0 },
        build: Box::new(move |_| Box::new(ExactMap::new(window))),
    }
}
