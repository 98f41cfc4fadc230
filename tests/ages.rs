//! The verbs that say how long ago a key was seen are the plain ones, and the age beside them: the same verdicts, errors
//! and counts on both handles. Kinds that know no ages say so and change nothing.

mod common;

use common::build;
use common::kinds::{self, Row};
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

#[test]
fn a_verb_with_an_age_is_the_verb_without_it() {
    let (mut refused, mut late, mut aged) = (0, 0, 0);
    for (row, options) in requests().filter(|(_, options)| build(options).observe_age(b"a").is_ok()) {
        let (mut with, mut without, many) = (build(&options), build(&options), shared(&options));
        let (mut rng, mut present) = (Rng(17), 0);
        for i in 0..20_000 {
            let key = rng.below(400).to_le_bytes();
            let (seen, plain, both) = if row.takes_ticks() && rng.below(8) > 0 {
                let now = moment(&mut rng, &mut present);
                let asked = with.contains_age_at(&key, now);
                assert_eq!(many.contains_age_at(&key, now), asked, "{}: {i}", row.name);
                let seen = with.observe_age_at(&key, now);
                assert_eq!(seen.clone().map(|(_, age)| age), asked, "{}: {i}", row.name);
                (seen, without.observe_at(&key, now), many.observe_age_at(&key, now))
            } else {
                assert_eq!(with.contains_age(&key), many.contains_age(&key), "{}: {i}", row.name);
                (with.observe_age(&key), without.observe(&key), many.observe_age(&key))
            };
            expect_sound(&seen);
            assert_eq!(seen.clone().map(|(verdict, _)| verdict), plain, "{}: {i}", row.name);
            assert_eq!(seen, both, "{}: {i}", row.name);
            aged += u64::from(seen.is_ok_and(|(_, age)| age.is_some()));
        }
        assert_eq!(with.stats(), without.stats(), "{}", row.name);
        assert_eq!(with.stats(), many.stats(), "{}", row.name);
        (refused, late) = (refused + with.stats().refused_ticks, late + with.stats().late_ticks);
    }
    assert!(refused > 1000 && late > 1000 && aged > 10_000, "{refused} refused, {late} late, {aged} with an age");
}

fn unsupported<T: std::fmt::Debug>(result: Result<T, Error>) {
    assert_eq!(result.expect_err("no ages").code(), Code::Unsupported);
}

#[test]
fn kinds_that_know_no_ages_say_so_and_change_nothing() {
    let mut without = 0;
    for (row, options) in requests().filter(|(_, options)| build(options).observe_age(b"a").is_err()) {
        let (mut filter, many): (Filter, _) = (build(&options), shared(&options));
        let before: Stats = filter.stats();
        unsupported(filter.observe_age(b"a"));
        unsupported(filter.contains_age(b"a"));
        unsupported(many.observe_age(b"a"));
        unsupported(many.contains_age(b"a"));
        if row.takes_ticks() {
            for now in [Tick(5), Tick(3 * STEP)] {
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
