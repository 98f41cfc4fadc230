//! The verbs that say how long ago a key was seen are the plain ones, and the age with them: the same verdicts, errors and
//! counts on both handles, except that a divided window of time knows a late tick to a part of the window. Kinds that know no ages say so and change nothing.

use crate::common;

use std::collections::HashMap;

use common::build;
use common::kinds::{self, Row};
use common::num::real;
use common::odds;
use common::rng::Rng;
use lately::{Age, Code, Error, Filter, Options, SharedFilter, Stats, Tick, Verdict};

type Seen = Result<(Verdict, Option<Age>), Error>;

/// Every kind, with a limit on steps where there is time.
fn requests() -> impl Iterator<Item = (Row, Options)> {
    kinds::rows().into_iter().map(|row| {
        let options = row.for_keys(300);
        let options = if row.takes_ticks() { options.max_step_ns(STEP) } else { options };
        (row, options)
    })
}

const STEP: u64 = 40_000_000_000;

fn shared(options: &Options) -> SharedFilter {
    common::divided(build(options))
}

/// What an old record, one of the present, one of the next seconds and one from far ahead say of the time.
fn moment(rng: &mut Rng, present: &mut u64) -> Tick {
    match rng.below(10) {
        0 => Tick(present.saturating_sub(rng.below(30_000_000_000))),
        1 => Tick(*present + STEP + rng.below(STEP)),
        2 => {
            *present += rng.below(STEP / 2);
            Tick(*present)
        }
        _ => {
            *present += rng.below(50_000_000);
            Tick(*present)
        }
    }
}

/// An age is there if and only if the key was seen, and its ends are in order.
fn expect_sound(seen: &Seen) {
    if let Ok((verdict, age)) = seen {
        assert_eq!(verdict.is_duplicate(), age.is_some(), "{seen:?}");
        assert!(age.is_none_or(|age| age.at_least <= age.at_most), "{seen:?}");
    }
}

/// The same request on both handles of one owner, and divided.
struct Trio {
    with: Filter,
    without: Filter,
    many: SharedFilter,
    takes_ticks: bool,
    /// When each key was seen last, as an exact map has it; of a window of time.
    seen: HashMap<u64, u64>,
    clock: u64,
    /// Answers of the divided handle, and those that are wrong except for an error.
    answers: u64,
    wrong: u64,
    late: u64,
    aged: u64,
}

/// Nanoseconds of the window of a row that takes ticks, and of a part of it: what a late tick is known to by each section.
const WINDOW: u64 = 10_000_000_000;
const PART: u64 = WINDOW.div_ceil(56);

impl Trio {
    fn new(row: &Row, options: &Options) -> Self {
        let (with, without, many) = (build(options), build(options), shared(options));
        let takes_ticks = row.takes_ticks();
        let seen = HashMap::new();
        Self { with, without, many, takes_ticks, seen, clock: 0, answers: 0, wrong: 0, late: 0, aged: 0 }
    }

    fn at(&mut self, key: u64, now: Tick) {
        let bytes = key.to_le_bytes();
        let asked = self.with.contains_age_at(bytes, now);
        let from_many = self.many.contains_age_at(bytes, now);
        let seen = self.with.observe_age_at(bytes, now);
        assert_eq!(seen.clone().map(|(_, age)| age), asked, "{key} at {now:?}");
        let both = self.many.observe_age_at(bytes, now);
        assert_eq!(both.clone().map(|(_, age)| age), from_many, "{key} at {now:?}");
        expect_sound(&seen);
        assert_eq!(seen.clone().map(|(verdict, _)| verdict), self.without.observe_at(bytes, now), "{key} at {now:?}");
        self.compare(key, Some(now), seen, both);
    }

    /// At the clock.
    fn plain(&mut self, key: u64) {
        let bytes = key.to_le_bytes();
        let (asked, from_many) = (self.with.contains_age(bytes), self.many.contains_age(bytes));
        let (seen, both) = (self.with.observe_age(bytes), self.many.observe_age(bytes));
        assert_eq!(seen.clone().map(|(_, age)| age), asked, "{key}");
        assert_eq!(both.clone().map(|(_, age)| age), from_many, "{key}");
        expect_sound(&seen);
        assert_eq!(seen.clone().map(|(verdict, _)| verdict), self.without.observe(bytes), "{key}");
        self.compare(key, None, seen, both);
    }

    /// A window of keys has one count for all locks, and both handles say the same; so do those of a window of time when they
    /// refuse. What they find there is judged by the map.
    fn compare(&mut self, key: u64, now: Option<Tick>, one: Seen, many: Seen) {
        expect_sound(&many);
        self.aged += u64::from(one.as_ref().is_ok_and(|(_, age)| age.is_some()));
        let (Ok((_, age)), true, Ok(_)) = (&many, self.takes_ticks, &one) else {
            return assert_eq!(one, many, "{key} at {now:?}");
        };
        let late = now.is_some_and(|now| now.0 < self.clock);
        self.late += u64::from(late);
        self.clock = now.map_or(self.clock, |now| now.0.max(self.clock));
        let truth = self.seen.insert(key, self.clock).map(|seen| self.clock - seen);
        self.answers += 1;
        self.wrong += u64::from(!is_right(age.as_ref(), truth, if late { PART } else { 0 }));
    }
}

/// Whether an age is one that a key of this true age may have, at a moment that is known to so much; a key that was not seen, or
/// is older than the window, need not have any.
fn is_right(age: Option<&Age>, truth: Option<u64>, leeway: u64) -> bool {
    let generation = WINDOW.div_ceil(7);
    let Some(truth) = truth else { return age.is_none() };
    let Some(age) = age else { return truth > WINDOW };
    let (least, most) = (age.at_least.saturating_sub(leeway), age.at_most + leeway);
    truth <= WINDOW + generation + 1 && (least..=most).contains(&truth) && age.at_most - age.at_least <= generation + 1
}

/// Whether a filter that is asked for an age refuses that.
fn lacks_ages(row: &Row, options: &Options) -> bool {
    let mut filter = build(options);
    let told = if row.takes_ticks() { filter.observe_age_at(b"a", Tick(0)) } else { filter.observe_age(b"a") };
    told.is_err_and(|error| error.code() == Code::Unsupported)
}

#[test]
fn a_verb_with_an_age_is_the_verb_without_it() {
    let (mut refused, mut late, mut aged) = (0, 0, 0);
    for (row, options) in requests().filter(|(row, options)| !lacks_ages(row, options)) {
        let mut trio = Trio::new(&row, &options);
        let (mut rng, mut present) = (Rng(17), 0);
        for _ in 0..20_000 {
            let key = rng.below(400);
            if row.takes_ticks() && rng.below(8) > 0 {
                trio.at(key, moment(&mut rng, &mut present));
            } else {
                trio.plain(key);
            }
        }
        let (one, many) = (trio.with.stats(), trio.many.stats());
        assert_eq!(one, trio.without.stats(), "{}", row.name);
        let counts = |stats: &Stats| (stats.refused_ticks, stats.clock, stats.new_count + stats.duplicate_count);
        assert_eq!(counts(&one), counts(&many), "{}", row.name);
        let rate = Filter::plan(&options).expect("a plan").error_rate_worst;
        odds::expect_at_most(trio.wrong, real(trio.answers) * rate, 10, &row.name);
        (refused, late, aged) = (refused + many.refused_ticks, late + trio.late, aged + trio.aged);
    }
    assert!(refused > 1000 && late > 1000 && aged > 10_000, "{refused} refused, {late} late, {aged} with an age");
}

fn unsupported<T: std::fmt::Debug>(result: Result<T, Error>) {
    assert_eq!(result.expect_err("no ages").code(), Code::Unsupported);
}

#[test]
fn kinds_without_ages_refuse_and_change_nothing() {
    let mut without = 0;
    for (row, options) in requests().filter(|(row, options)| lacks_ages(row, options)) {
        let (mut filter, many) = (common::started(&options), common::divided(common::started(&options)));
        let before: Stats = filter.stats();
        unsupported(filter.observe_age(b"a"));
        unsupported(filter.contains_age(b"a"));
        unsupported(many.observe_age(b"a"));
        unsupported(many.contains_age(b"a"));
        if row.takes_ticks() {
            for now in [Tick(5), Tick(STEP)] {
                unsupported(filter.observe_age_at(b"a", now));
                unsupported(filter.contains_age_at(b"a", now));
                unsupported(many.observe_age_at(b"a", now));
                unsupported(many.contains_age_at(b"a", now));
            }
        }
        assert_eq!((filter.stats(), many.stats()), (before, before), "{}", row.name);
        assert!(filter.contains(b"a").is_new() && many.contains(b"a").is_new(), "{}", row.name);
        without += 1;
    }
    assert!(without >= 4, "{without}");
}
