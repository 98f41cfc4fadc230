//! Adversarial input: scripts of calls of the C ABI, from fixed seeds and from the corpora of `tests/fuzz/`, against the oracle.

#[path = "adversarial/mod.rs"]
mod adversarial;
#[path = "../tests/common/mod.rs"]
mod common;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use adversarial::{load, play, play_with_an_impossible_promise, request};
use common::long_or;
use common::rng::Rng;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Bytes whose first one, which chooses among the shapes of a filter, goes round.
fn bytes(seed: u64, len: u64) -> Vec<u8> {
    let mut rng = Rng(seed);
    (0..len).map(|_| rng.next().to_le_bytes()[0]).collect()
}

#[test]
fn scripts_of_fixed_seeds_are_answered_rightly() {
    let calls: u64 = (0..300 * long_or(30)).map(|seed| play(&bytes(seed, 3000))).sum();
    println!("{calls} calls");
    assert!(calls > 100_000, "only {calls} calls");
}

/// Every shape that a script can name has a filter.
#[test]
fn every_shape_is_built() {
    for first in 0..=255 {
        for seed in 0..4 {
            play(&[vec![0, 0, 0, first], bytes(seed, 12)].concat());
        }
    }
}

/// Every file of a target's corpus.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(ROOT).join("tests/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| fs::read(entry.expect("an entry").path()).expect("a file")).collect()
}

#[test]
fn the_corpus_of_calls_is_answered_rightly() {
    let calls: u64 = corpus("calls").iter().map(|script| play(script)).sum();
    assert!(calls > 100, "only {calls} calls");
}

/// The oracle bites: with a promise one tick too long the same scripts fail.
#[test]
fn a_promise_one_tick_too_long_is_broken() {
    let fails = |bytes: &Vec<u8>| catch_unwind(|| play_with_an_impossible_promise(bytes)).is_err();
    assert!(corpus("calls").iter().any(fails), "no script of the corpus reaches the edge of a window");
}

#[test]
fn any_request_is_a_plan_or_names_its_field() {
    let mut plans = 0;
    for seed in 0..1500 * long_or(30) {
        plans += u64::from(request::ask(&bytes(seed, 200)));
    }
    for bytes in corpus("options") {
        request::ask(&bytes);
    }
    println!("{plans} plans");
    assert!(plans > 50, "only {plans} plans");
}

#[test]
fn any_bytes_are_a_filter_or_a_status() {
    let mut loaded = 0;
    for bytes in corpus("load") {
        loaded += u64::from(load::any(&bytes));
    }
    assert!(loaded > 3, "only {loaded} filters in the corpus");
    for seed in 0..20_000 {
        load::any(&bytes(seed, 2 + seed % 400));
    }
}

/// What is loaded weighs no more than it was allowed, whatever it is used for.
#[test]
fn loaded_filter_under_any_calls_stays_within_its_limit() {
    let (mut loaded, mut weighed) = (0, 0);
    for bytes in corpus("load") {
        loaded += u64::from(load::weigh(&bytes));
        // One number of the state at a time becomes a large one.
        for at in (1 + 48..bytes.len().saturating_sub(8).min(500)).step_by(8) {
            for value in [0, 1 << 12, 1 << 50] {
                let mut lie = bytes.clone();
                let end = (at + 8).min(lie.len());
                lie[at..end].copy_from_slice(&u64::to_le_bytes(value)[..end - at]);
                weighed += u64::from(load::weigh(&lie));
            }
        }
    }
    println!("{loaded} of the corpus, {weighed} lies");
    assert!(loaded > 3 && weighed > 50, "only {loaded} of the corpus and {weighed} lies");
}
