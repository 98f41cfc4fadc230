//! A removable TinySet under churn: one key leaves, another comes, at the planned load, forever.
//!
//! 27 filters of 2,000 to 10,000 keys, a hundred to a thousand turnovers each, in seconds. `LATELY_LONG=1 cargo test --test suite churn::` takes
//! ten times as many. The oracle is the exact set: after each turnover every key of it must be found.
//!
//! 27 comparisons of a count with a chance in all, each at 1 - 0.01 / 27; the seed was fixed beforehand. A mean of
//! `stats.error_rate` over turnovers is held to the plan within an interval that stands beside it: no more than 2,000
//! keys are in the filter at any moment, so that blocks are a little more alike than the law of the plan has them.

mod stayers;

use crate::common;

use common::num::{index, real, wide};
use common::rng::Rng;
use common::{absent, build, long_or, odds};
use lately::{Filter, Kind, Options};

/// Comparisons of a count with a chance in this file.
const COMPARISONS: u32 = 27;

/// Who leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// A key that is chosen by chance.
    Any,
    /// The key that is there longest.
    Oldest,
    /// So many of a hundred keys stay forever, and one of the others leaves.
    AllBut(u64),
    /// The same with half of them, and every ten turnovers all that stay are taken out and put in again.
    HalfAnew,
}

/// How a key comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comes {
    Insert,
    Observe,
}

/// A filter and the exact set of what is in it.
struct Churn {
    filter: Filter,
    held: Vec<u64>,
    next: u64,
    rng: Rng,
}

impl Churn {
    fn new(options: &Options, keys: u64) -> Self {
        let mut churn = Self { filter: build(options), held: Vec::new(), next: 0, rng: Rng(5) };
        for _ in 0..keys {
            let key = churn.come(Comes::Insert);
            churn.held.push(key);
        }
        churn
    }

    /// A key that is in the filter from now on.
    fn come(&mut self, comes: Comes) -> u64 {
        loop {
            let key = self.next;
            self.next += 1;
            match comes {
                Comes::Insert => self.filter.insert(&key.to_le_bytes()).expect("room"),
                Comes::Observe if self.filter.observe(&key.to_le_bytes()).expect("room").is_duplicate() => continue,
                Comes::Observe => {}
            }
            return key;
        }
    }

    /// As many keys leave and come as there are.
    fn turn(&mut self, leaves: Leaves, comes: Comes) {
        let keys = wide(self.held.len());
        for i in 0..keys {
            let slot = index(match leaves {
                Leaves::Any => self.rng.below(keys),
                Leaves::Oldest => i,
                Leaves::AllBut(stay) => self.rng.below(keys * (100 - stay) / 100),
                Leaves::HalfAnew => self.rng.below(keys / 2),
            });
            let left = self.held[slot];
            assert!(self.filter.remove(&left.to_le_bytes()).expect("removable"), "key {left} is lost");
            self.held[slot] = self.come(comes);
        }
    }

    /// Every key that stays is taken out and put in again.
    fn anew(&mut self) {
        for key in &self.held[self.held.len() / 2..] {
            assert!(self.filter.remove(&key.to_le_bytes()).expect("removable"), "key {key} is lost");
            self.filter.insert(&key.to_le_bytes()).expect("room");
        }
    }

    fn lost(&self) -> usize {
        self.held.iter().filter(|key| !self.filter.contains(&key.to_le_bytes()).is_duplicate()).count()
    }

    /// How many of that many keys, which were never there, are duplicates.
    fn hits(&self, from: u64, queries: u64) -> u64 {
        let strange = |i: &u64| self.filter.contains(&absent(*i).to_le_bytes()).is_duplicate();
        wide((from..from + queries).filter(strange).count())
    }
}

/// What a run of turnovers came to.
struct Course {
    planned: f64,
    /// `stats.error_rate` when the set was filled.
    fresh: f64,
    /// Its mean from the tenth turnover on.
    mean: f64,
    /// The share of turnovers after which it was above 1.5 times the requested rate. So few blocks are not always near
    /// their mean.
    above: f64,
}

/// That many turnovers of a filter that was planned for this rate: no key is lost, and strangers meet what `stats` says.
fn course(rate: f64, leaves: Leaves, comes: Comes, turns: u64) -> Course {
    course_of(2000 * long_or(10), rate, leaves, comes, turns)
}

fn course_of(keys: u64, rate: f64, leaves: Leaves, comes: Comes, turns: u64) -> Course {
    let options = removable(rate, keys);
    let planned = Filter::plan(&options).expect("a plan").error_rate_worst;
    assert!(planned <= rate, "{planned} is planned for {rate}");
    let mut churn = Churn::new(&options, keys);
    let fresh = churn.filter.stats().error_rate;
    let (mut sum, mut above, mut hits, queries) = (0.0, 0, 0, 3000);
    for turn in 1..=turns {
        churn.turn(leaves, comes);
        if leaves == Leaves::HalfAnew && turn % 10 == 0 {
            churn.anew();
        }
        assert_eq!((churn.lost(), churn.filter.stats().items), (0, keys), "{rate:e}, turnover {turn}");
        let now = churn.filter.stats().error_rate;
        above += u64::from(now > 1.5 * rate);
        if turn > 10 {
            sum += now;
            hits += churn.hits(turn * queries, queries);
        }
    }
    let mean = sum / real(turns - 10);
    let of = |rate: f64| rate / planned;
    println!(
        "{rate:e} {leaves:?} {comes:?}: planned {planned:.3e}; of that {:.3} fresh, {:.3} on average, {above} times far \
         above, {:.3} measured ({hits} hits)",
        of(fresh),
        of(mean),
        of(real(hits) / real((turns - 10) * queries))
    );
    odds::expect_about(hits, sum * real(queries), COMPARISONS, "what stats says under churn");
    Course { planned, fresh, mean, above: real(above) / real(turns) }
}

fn expect_within(what: f64, from: f64, to: f64) {
    assert!((from..to).contains(&what), "{what} is not within {from} and {to}");
}

/// The law of the plan: endless turnovers of random keys.
#[test]
fn endless_churn_keeps_the_planned_rate() {
    for (rate, comes) in [(1e-2, Comes::Insert), (1e-3, Comes::Insert), (1e-4, Comes::Insert), (1e-3, Comes::Observe)] {
        let course = course(rate, Leaves::Any, comes, 1000);
        expect_within(course.mean / course.planned, 0.93, 1.02);
        expect_within(course.fresh / course.planned, 0.2, 0.7);
        assert!(course.above < 0.02, "{rate:e}: {}", course.above);
    }
    // At the default rate a fresh filter is far better than planned, and one of few keys is not always near its mean.
    let course = course(1e-6, Leaves::Any, Comes::Insert, 1000);
    expect_within(course.mean / course.planned, 0.9, 1.02);
    expect_within(course.fresh / course.planned, 0.05, 0.2);
    assert!(course.above < 0.08, "{}", course.above);
}

/// Where the oldest key leaves, all ages are one turnover at most: less than the law has.
#[test]
fn a_queue_stays_below_the_planned_rate() {
    for (rate, comes) in [(1e-2, Comes::Observe), (1e-4, Comes::Insert)] {
        let course = course(rate, Leaves::Oldest, comes, 1000);
        expect_within(course.mean / course.planned, 0.7, 0.95);
        assert!(course.above < 0.02, "{rate:e}: {}", course.above);
    }
}

/// The same at rates between the powers of ten, for which the plan has other shapes.
#[test]
fn rates_between_powers_of_ten_are_kept_too() {
    for rate in [5e-2, 2e-2, 5e-3, 2e-3, 5e-4, 2e-4] {
        let course = course(rate, Leaves::Any, Comes::Insert, 200);
        expect_within(course.mean / course.planned, 0.93, 1.02);
        assert!(course.above < 0.02, "{rate:e}: {}", course.above);
    }
}

/// Keys that never leave while the others are replaced a hundred to a thousand times know less and less: as little as the
/// law of `stayers` says, no more and no less. A turnover of all keys is two of the half that leaves, and ten of a tenth.
/// Blocks differ by as much as their mean, and there are 215 to 410 of them.
#[test]
fn stats_of_a_set_with_keys_that_never_leave_have_their_rate() {
    let halves = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-6].map(|rate| (rate, 50));
    for (rate, stay) in halves.into_iter().chain([(1e-3, 10), (1e-4, 10), (1e-3, 90), (1e-4, 90)]) {
        let course = course_of(10_000, rate, Leaves::AllBut(stay), Comes::Insert, 100);
        let share = real(stay) / 100.0;
        let laws = (11..=100).map(|turn| stayers::rate(&removable(rate, 1 << 30), share, real(turn) / (1.0 - share)));
        let law = laws.sum::<f64>() / 90.0;
        println!("{rate:e}: {:.3} of the law, which is {:.2} of the plan", course.mean / law, law / course.planned);
        expect_within(course.mean / law, 0.85, 1.15);
    }
}

/// Who takes the keys that stay out and puts them in again, every ten turnovers, has at most 1.5 times the rate forever,
/// and no key is lost.
#[test]
fn keys_inserted_again_every_ten_turnovers_keep_the_rate() {
    for rate in [1e-2, 1e-3, 1e-4, 1e-6] {
        let course = course(rate, Leaves::HalfAnew, Comes::Insert, 1000);
        expect_within(course.mean / rate, 0.8, 1.5);
    }
}

/// What the pages say of half of the keys that never leave, and of the worst share of them, after so many turnovers of the
/// others, and what to ask for.
#[test]
fn the_law_of_keys_that_never_leave_is_that_of_the_pages() {
    let page = include_str!("../../../docs/reference/costs.md");
    let mut missing = Vec::new();
    for turnovers in [1e1, 1e2, 1e3, 1e6, 1e9, 1e12] {
        let figures = [1e-2, 1e-3, 1e-4, 1e-6].map(|rate| {
            let options = removable(rate, 1 << 30);
            let shares = [0.3, 0.4, 0.5, 0.6, 0.7].map(|share| stayers::rate(&options, share, turnovers));
            format!("{:.1}", shares.into_iter().fold(0.0, f64::max) / rate)
        });
        let row = format!("| {turnovers:.0e} | {} |", figures.join(" | "));
        if !page.contains(&row) {
            missing.push(row);
        }
    }
    assert!(missing.is_empty(), "docs/reference/costs.md says otherwise than {missing:#?}");
}

fn removable(rate: f64, keys: u64) -> Options {
    Options::new(Kind::TinySet).capacity(keys).error_rate(rate).removable(true)
}

/// What room is left after a block was full is the next keys': the filter is again what it was before.
#[test]
fn a_crowd_that_left_is_forgotten() {
    let options = removable(1e-3, 2000);
    let planned = Filter::plan(&options).expect("a plan").error_rate_worst;
    let mut churn = Churn::new(&options, 2000);
    let crowd: Vec<u64> = (0..4000).map(|_| churn.come(Comes::Insert)).collect();
    let crowded = churn.filter.stats().error_rate;
    for key in crowd {
        assert!(churn.filter.remove(&key.to_le_bytes()).expect("removable"), "key {key} is lost");
    }
    let left = churn.filter.stats().error_rate;
    assert!(crowded > 20.0 * planned && left < crowded / 2.0 && left > 5.0 * planned, "{crowded}, {left}");
    (0..15).for_each(|_| churn.turn(Leaves::Any, Comes::Insert));
    assert_eq!(churn.lost(), 0);
    expect_within(churn.filter.stats().error_rate / planned, 0.6, 1.5);
}
