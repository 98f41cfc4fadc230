//! What keyed hashing is for: a flood that was made to collide, against the hash that everybody can compute, turns
//! chosen keys that nobody sent into duplicates, and does nothing to a filter whose hash has a secret.
//!
//! The attacker has this source, the plan and the seed, so the mix of `src/hash.rs` stands here once more. For each
//! victim and each of the k functions the attacker looks for one key that falls on the victim's place, and sends it.
//! `tests/common/flood.rs` is the attacker's part.

mod common;

use common::flood::{SECRETS, VICTIMS, candidate, expect_the_secret_to_protect, fooled, send, victim};
use common::kinds::{self, Finds};
use lately::{ClockSource, Filter, Kind, Options, Verdict, hash64};

/// The first k slices of a time-limited filter have room for 1 to k generations; the last of them is the one whose bits
/// `stats` shows. Whole words leave two sizes for each of the others, and the attacker takes both.
#[test]
fn a_crafted_flood_does_nothing_to_a_keyed_time_limited_filter() {
    let options = Options::new(Kind::TimeLimited).clock(ClockSource::Manual).window_ns(1_000_000).capacity(20_000);
    let plan = Filter::plan(&options).expect("a plan");
    let words = Filter::new(&options).expect("the attacker's own").stats().newest_slice_bits / 64;
    let sizes = |f: u64| {
        let most = (words * (f + 1)).div_ceil(plan.k);
        [(f, most * 64), (f, (most - 1) * 64)]
    };
    expect_the_secret_to_protect(&options, &(0..plan.k).flat_map(sizes).collect::<Vec<_>>());
}

/// A quotient filter keeps one row and one fingerprint of a key. Here the attacker needs no mix: what is a duplicate in
/// an unkeyed filter that holds the victim alone stands where the victim would.
#[test]
fn a_crafted_flood_does_nothing_to_a_keyed_quotient_filter() {
    let options = Options::new(Kind::Quotient).memory(1024).k(4).fingerprint_bits(12);
    let mut own = Filter::new(&options).expect("the attacker's own");
    let flood: Vec<_> = (0..VICTIMS)
        .map(|i| {
            own.clear();
            send(&mut own, &[victim(i)]);
            let collides = |key: &Vec<u8>| own.contains(key).is_duplicate();
            (0..).map(candidate).find(collides).expect("one of 700 thousand keys")
        })
        .collect();
    let mut unkeyed = Filter::new(&options).expect("a filter");
    send(&mut unkeyed, &flood);
    assert_eq!(fooled(&unkeyed), 20, "the flood works where the hash is known");
    let behind_secrets = (0..SECRETS).map(|i| {
        let mut keyed = Filter::new(&options.clone().keyed(true).secret(hash64(b"lo", i), i)).expect("a filter");
        send(&mut keyed, &flood);
        fooled(&keyed)
    });
    // By chance one of 20 x 20 x 20 pairs of keys meets in 170 rows and 4,095 fingerprints for 1 in 90 sets of secrets.
    assert_eq!(behind_secrets.sum::<usize>(), 0);
}

/// Two filters with fresh secrets of the system's are two different hashes: what is learnt of one is of no use for
/// the other.
#[test]
fn a_secret_that_is_not_named_is_drawn() {
    for options in kinds::rows().iter().map(kinds::Row::options) {
        let secrets = [(); 2].map(|()| Filter::new(&options.clone().keyed(true)).expect("a filter").secret());
        assert!(secrets[0].is_ok() && secrets[0] != secrets[1], "{options:?}");
    }
}

/// Theorem 7.1 of the paper on quotient hash tables: whoever can send as many keys as memory holds drives the others
/// out, secret or not. A window of N insertions promises N and no more.
#[test]
fn no_secret_helps_against_being_driven_out() {
    const N: u64 = 1000;
    for row in kinds::rows().iter().filter(|row| row.finds == Finds::Keys) {
        let mut filter = Filter::new(&row.for_keys_at(N, 1e-3).keyed(true)).expect("a filter");
        filter.observe(b"nonce").expect("a verdict");
        let flood = |from: u64| (from..from + N - 1).map(candidate).collect::<Vec<_>>();
        send(&mut filter, &flood(0));
        assert_eq!(filter.contains(b"nonce"), Verdict::Duplicate, "N - 1 insertions later it is held");
        for i in 1..4 {
            send(&mut filter, &flood(i * N));
        }
        assert_eq!(filter.contains(b"nonce"), Verdict::New, "four windows later it is not");
    }
}
