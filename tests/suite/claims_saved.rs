//! Claims in snapshots: they continue where they were, and leases run while nobody has the filter. Their golden files are
//! among those of `format.rs`.

use crate::common;

use std::time::Duration;

use common::SECOND;
use common::bytes::{get, put};
use common::handle::snapshot;
use common::named::options;
use lately::{Claim, Code, Committed, Filter, LoadOptions, Options, Tick, Token};

fn filter_of(words: &str) -> Filter {
    Filter::new(&options(&words.split_whitespace().collect::<Vec<_>>())).expect("a filter")
}

fn timed() -> Options {
    options(&["kind=5", "clock=2", "window_ns=10000000000", "lease_ns=2000000000", "max_claims=4"])
}

fn reload(filter: &Filter, elapsed: u64) -> Filter {
    Filter::load(&snapshot(filter), &LoadOptions::new(Duration::from_nanos(elapsed))).expect("its own snapshot")
}

fn token(claim: Claim) -> Token {
    claim.token().unwrap_or_else(|| panic!("{claim:?}"))
}

/// The process dies between claim and commit; what is left is the state that was saved.
#[test]
fn claim_in_a_saved_state_expires_while_on_disk() {
    let mut filter = Filter::new(&timed()).expect("a filter");
    let first = token(filter.claim_at("a", Tick(100 * SECOND)).expect("a claim"));
    filter.observe_at("b", Tick(101 * SECOND)).expect("a verdict");
    let mut at_the_edge = reload(&filter, SECOND);
    assert_eq!(at_the_edge.claim("a").expect("a verdict"), Claim::Pending);
    assert_eq!(at_the_edge.commit("a", first).expect("its token"), Committed::InTime);
    let mut past = reload(&filter, SECOND + 1);
    assert_eq!((past.stats().open_claims, past.stats().expired_claims), (0, 1));
    assert!(matches!(past.claim("a").expect("a verdict"), Claim::New(_)));
    assert_eq!(past.claim("b").expect("a verdict"), Claim::Duplicate);
    assert_eq!(past.commit("a", first).expect("its token"), Committed::Late);
}

#[test]
fn a_window_of_keys_keeps_its_leases_over_a_pause() {
    for words in ["kind=5 window_keys=100", "kind=2 window_keys=100"] {
        let lease = "lease_ns=3600000000000";
        let mut filter = filter_of(&format!("{words} {lease}"));
        let claim = token(filter.claim("a").expect("a claim"));
        let mut soon = reload(&filter, 1000 * SECOND);
        assert_eq!(soon.claim("a").expect("a verdict"), Claim::Pending);
        assert_eq!(soon.commit("a", claim).expect("its token"), Committed::InTime);
        let mut late = reload(&filter, 3600 * SECOND);
        assert!(matches!(late.claim("a").expect("a verdict"), Claim::New(_)), "{words}");
        // A pause longer than there are nanoseconds is longer than every lease.
        let long = LoadOptions::new(Duration::MAX);
        assert_eq!(Filter::load(&snapshot(&filter), &long).expect("no time").stats().open_claims, 0);
    }
}

#[test]
fn sequence_of_tokens_continues_after_load_copy_and_clear() {
    let mut filter = Filter::new(&timed()).expect("a filter");
    let first = token(filter.claim_at("a", Tick(SECOND)).expect("a claim"));
    let mut copies = vec![filter.try_clone().expect("memory"), reload(&filter, 0)];
    filter.clear();
    assert_eq!(filter.stats().open_claims, 0);
    copies.push(filter);
    let tokens: Vec<Token> = copies
        .iter_mut()
        .map(|copy| {
            copy.advance(Tick(SECOND)).expect("a manual clock");
            copy.abandon("a", first).expect("its token");
            token(copy.claim_at("a", Tick(SECOND)).expect("a claim"))
        })
        .collect();
    assert_eq!(tokens, [tokens[0]; 3]);
    assert_ne!(tokens[0], first);
}

/// The table of the claims shares the memory that a load allows.
#[test]
fn memory_of_a_load_bounds_cells_and_claims_together() {
    let mut filter = Filter::new(&timed().max_claims(1000)).expect("a filter");
    token(filter.claim_at("a", Tick(SECOND)).expect("a claim"));
    let (bytes, need) = (snapshot(&filter), filter.stats().bytes);
    let load = |options: LoadOptions| Filter::load(&bytes, &options);
    let plain = LoadOptions::new(Duration::ZERO);
    for few in [1000, 30_000, 40_000] {
        let error = load(plain.clone().memory(few)).expect_err("too little");
        assert_eq!(
            (error.code(), error.needed().is_some_and(|n| n > few && n <= need)),
            (Code::TooLarge, true),
            "{error}"
        );
    }
    for options in [plain.clone().memory(need), plain.clone().new_memory(need)] {
        let mut small = load(options).expect("just enough");
        for i in 0..20_000_u64 {
            small.observe_at(i.to_le_bytes(), Tick(2 * SECOND)).expect("a verdict");
            assert!(small.stats().bytes <= need, "{} of {need}", small.stats().bytes);
        }
        assert_eq!(small.claim("a").expect("a verdict"), Claim::Pending);
    }
    assert!(load(plain.new_memory(u64::MAX)).is_ok());
}

/// Puts `value` at byte `at`, and the right checksum at the end.
fn lie(bytes: &[u8], at: usize, value: u64) -> Vec<u8> {
    let mut lie = bytes.to_vec();
    put(&mut lie, at, value);
    lie
}

/// Every number of the claims' part, past its range by one.
#[test]
fn numbers_of_claims_out_of_range_are_corrupt() {
    let mut filter = Filter::new(&timed()).expect("a filter");
    token(filter.claim_at("a", Tick(SECOND)).expect("a claim"));
    token(filter.claim_at("b", Tick(2 * SECOND)).expect("a claim"));
    let bytes = snapshot(&filter);
    assert_eq!([48, 56, 64, 72].map(|at| get(&bytes, at)), [2 * SECOND, 4, 3, 2]);
    let lies = [
        (48, 0),
        (48, 10 * SECOND + 1),
        (56, 0),
        (56, (1 << 24) + 1),
        (56, 1),
        (64, 0),
        (64, 1 << 40),
        (72, 3),
        (72, u64::MAX),
        (80, (1 << 62) + 1),
        (88, (1 << 62) + 1),
        (96, (1 << 62) + 1),
        (104, (1 << 62) + 1),
        // The claims: numbers, ages that are not in order, or before the clock's origin.
        (128, 0),
        (128, 1 << 40),
        (136, 2 * SECOND + 1),
        (168, SECOND + 1),
    ];
    for (at, value) in lies {
        let loaded = Filter::load(&lie(&bytes, at, value), &LoadOptions::new(Duration::ZERO));
        assert_eq!(loaded.map(|_| format!("byte {at} = {value}")).expect_err("a lie").code(), Code::Corrupt);
    }
    // The same key twice.
    let mut twice = bytes.clone();
    twice.copy_within(112..128, 144);
    assert!(Filter::load(&lie(&twice, 48, 2 * SECOND), &LoadOptions::new(Duration::ZERO)).is_err());
    // Parts that there are not, and claims of a filter that has none.
    assert!(Filter::load(&lie(&bytes, 24, 1 | (0x0003_0002 << 32)), &LoadOptions::new(Duration::ZERO)).is_err());
    let set = snapshot(&filter_of("kind=3 capacity=100"));
    let part = 1_u64.to_le_bytes().repeat(3);
    let with_claims = [&set[..48], &part, &[0; 40], &set[48..]].concat();
    let with_claims = lie(&with_claims, 16, u64::try_from(with_claims.len()).expect("a length"));
    let error = Filter::load(&lie(&with_claims, 24, 1 | (0x0001_0000 << 32)), &LoadOptions::new(Duration::ZERO));
    assert!(error.expect_err("a set has no claims").to_string().contains("parts = 1"));
}
