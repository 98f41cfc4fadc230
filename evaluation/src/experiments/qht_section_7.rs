//! QHT, section 7: both theorems as experiments. An attacker who sees every answer, without and with the secret.
//!
//! Theorem 7.1: to make a key forgotten, send new keys: after h N k of them it is missed with (1 - 1/S) (1 - e^-h), k = 1.
//! Theorem 7.2: to have a new key called a duplicate, find one that shares row and fingerprint with a key that was sent. Who
//! can hash finds it at home, in a filter of the same integers; under a secret the find is a key like any other.

use lately::{Filter, Options, Variant};

use crate::check::Check;
use crate::context::Context;
use crate::num;
use crate::outcome::{Cell, Measure, Outcome, Table};
use crate::rng::{self, Rng};
use crate::sample::Sample;
use crate::wrong::{self, Wrong};

use super::qht_table_1::options;

/// Rows of one cell of s bits.
const ROWS: u64 = 512;
const S_BITS: u64 = 6;
const FINGERPRINTS: f64 = 63.0;

/// New keys that are sent, over the cells.
const FLOODS: [u64; 3] = [1, 2, 4];

/// What the laws leave open: a key that meets its own fingerprint again, and rows that are not met evenly.
const SLACK: f64 = 0.01;

fn request(seed: u64) -> Options {
    options(Variant::Qht, ROWS * S_BITS, 1, S_BITS, seed)
}

fn built(options: &Options) -> Filter {
    Filter::new(options).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

fn seen(filter: &mut Filter, key: u64) -> bool {
    filter.observe(&key.to_le_bytes()).expect("a quotient filter takes every key").is_duplicate()
}

/// Whether a key is missed after a flood of new ones, as a share of keys.
fn forgotten(seed: u64, flood: u64, keys: u64) -> f64 {
    let (mut filter, mut rng) = (built(&request(seed)), Rng(seed));
    (0..8 * ROWS).for_each(|_| {
        seen(&mut filter, rng.next());
    });
    let missed = |_: &u64| {
        let key = rng.next();
        seen(&mut filter, key);
        (0..flood * ROWS).for_each(|_| {
            seen(&mut filter, rng.next());
        });
        !seen(&mut filter, key)
    };
    num::size((0..keys).filter(missed).count()) / num::real(keys)
}

/// The share of forged keys that are called duplicates: each is found at home, beside a key that was just sent.
fn forged(seed: u64, keyed: bool, keys: u64) -> f64 {
    let target = request(seed);
    // A secret that the attacker does not know, and that comes back with the seed.
    let target = if keyed && !wrong::is(Wrong::Unkeyed) {
        target.keyed(true).secret(lately::Secret::new(rng::hash(seed, 7), rng::hash(seed, 8)))
    } else {
        target
    };
    let (mut target, mut rng) = (built(&target), Rng(seed));
    (0..8 * ROWS).for_each(|_| {
        seen(&mut target, rng.next());
    });
    let called = |_: &u64| {
        let key = rng.next();
        seen(&mut target, key);
        let mut home = built(&request(seed));
        seen(&mut home, key);
        let twin = std::iter::repeat_with(|| rng.next()).find(|twin| home.contains(&twin.to_le_bytes()).is_duplicate());
        seen(&mut target, twin.expect("an endless search"))
    };
    num::size((0..keys).filter(called).count()) / num::real(keys)
}

pub(crate) fn run(context: &Context) -> Outcome {
    let (runs, keys) = (context.pick(6, 20, 20), context.pick(100, 400, 4000));
    let mut outcome =
        Outcome::new(format!("{ROWS} rows of one cell of {S_BITS} bits, full; {keys} attacks in each of {runs} runs."));
    outcome.tables.push(flooding(context, runs, keys, &mut outcome.checks));
    outcome.tables.push(forging(context, runs, keys, &mut outcome.checks));
    outcome
}

fn flooding(context: &Context, runs: u64, keys: u64, checks: &mut Vec<Check>) -> Table {
    let mut table = Table::new("Theorem 7.1: keys that are forgotten", &["new keys sent, over the cells"], vec![
        Measure::new("missed, %", 1),
    ])
    .note(
        "Formula: (1 - 1/S) (1 - (1 - 1/N)^m). The theorem's 1 - e^-h is that for an exact memory; a fingerprint that comes back \
         by chance takes a share of 1/S from it. No secret changes anything here: the attacker needs new keys only, and so \
         does an honest stream.",
    );
    for flood in FLOODS {
        let missed = Sample::of(context.runs(runs, |seed| forgotten(seed, flood, keys)));
        let gone = -(num::real(flood * ROWS) * (-1.0 / num::real(ROWS)).ln_1p()).exp_m1();
        let law = (1.0 - 1.0 / FINGERPRINTS) * gone;
        table.row(&[&flood.to_string()], vec![Cell::default().formula(100.0 * law).ours(missed.times(100.0))]);
        let check = Check::about(format!("Theorem 7.1, {flood} times the cells: missed"), missed, law);
        checks.push(check.slack(SLACK).events(num::real(keys)));
    }
    table
}

fn forging(context: &Context, runs: u64, keys: u64, checks: &mut Vec<Check>) -> Table {
    let mut table = Table::new("Theorem 7.2: new keys that are called duplicates", &["the filter's hash"], vec![
        Measure::new("called duplicate, %", 2),
    ])
    .note(
        "A forged key costs some N S = 32,256 hashes at home, once. Without a secret every one of them is called a duplicate, so \
         the rate of false duplicates is whatever the attacker wishes; `keyed` hashes under a secret that no attacker has, \
         and forged keys are called duplicates as often as random ones, 1/S.",
    );
    for (keyed, name, law) in [(false, "without a secret", 1.0), (true, "under a secret (`keyed`)", 1.0 / FINGERPRINTS)]
    {
        let called = Sample::of(context.runs(runs, |seed| forged(seed, keyed, keys)));
        table.row(&[name], vec![Cell::default().formula(100.0 * law).ours(called.times(100.0))]);
        let what = format!("Theorem 7.2, {name}: called duplicate");
        checks.push(match keyed {
            true => Check::about(what, called, law).slack(SLACK / FINGERPRINTS).events(num::real(keys)),
            false => Check::exactly(what, called.mean, law, 0.0),
        });
    }
    table
}
