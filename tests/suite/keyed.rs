//! What keyed hashing is for. The unkeyed hash has no secret, so whoever chooses keys can forge one with any hash they
//! like, in closed form: the forged key makes its victim a duplicate in every kind, whatever the size of the filter and
//! whatever its seed. To a filter whose hash has a secret, the same keys are like any others.

use crate::common;

use common::kinds::{self, Finds};
use lately::{Filter, Kind, Options, Secret, Verdict, hash64};

/// Keys that the attacker wants to be called duplicates, and that nobody ever sends.
const VICTIMS: u64 = 2000;

/// Secrets that the forged keys are tried against.
const SECRETS: u64 = 20;

/// One filter of every kind, each with room for far more keys than there are victims.
fn every_kind() -> Vec<Options> {
    let rows = kinds::rows();
    let planned = rows.iter().filter(|row| row.finds != Finds::Nothing).map(|row| row.for_keys_at(1_000_000, 1e-4));
    planned.chain([Options::new(Kind::Quotient).memory(1 << 24).fingerprint_bits(16)]).collect()
}

fn victim(i: u64) -> Vec<u8> {
    format!("order-{i}").into_bytes()
}

/// Words 3 to 6 of XXH3's published default secret.
const XXH3_SECRET: [u64; 4] =
    [0x1F67_B3B7_A4A4_4072, 0x78E5_C0CC_4EE6_79CB, 0x2172_FFCC_7DD0_5A82, 0x8E24_43F7_7446_08B8];

/// A key of 16 bytes whose XXH3-64 under `seed` is `hash`.
///
/// For 9 to 16 bytes XXH3 takes two words of the key, masks each with the secret and the seed, and adds their product to
/// them. Where the first is masked to 0 the product is 0, and what remains is one word through steps that all have an
/// inverse.
fn forge(hash: u64, seed: u64) -> [u8; 16] {
    let x = hash ^ (hash >> 32);
    let x = x.wrapping_mul(inverse(0x1656_6791_9E37_79F9));
    let sum = x ^ (x >> 37);
    let low = (XXH3_SECRET[0] ^ XXH3_SECRET[1]).wrapping_add(seed);
    let high = sum.wrapping_sub(16) ^ (XXH3_SECRET[2] ^ XXH3_SECRET[3]).wrapping_sub(seed);
    let mut key = [0; 16];
    key[..8].copy_from_slice(&low.to_le_bytes());
    key[8..].copy_from_slice(&high.to_le_bytes());
    key
}

/// The inverse of an odd number modulo 2^64, by Newton's method: each step doubles the bits that are right.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}

fn forged(seed: u64) -> Vec<[u8; 16]> {
    (0..VICTIMS).map(|i| forge(hash64(&victim(i), seed), seed)).collect()
}

fn send<K: AsRef<[u8]>>(filter: &mut Filter, keys: &[K]) {
    keys.iter().for_each(|key| {
        filter.observe(key.as_ref()).expect("a verdict");
    });
}

/// Victims that the filter takes for duplicates.
fn fooled(filter: &Filter) -> u64 {
    (0..VICTIMS).map(|i| u64::from(filter.contains(&victim(i)) == Verdict::Duplicate)).sum()
}

/// No more than twenty deviations above what chance gives.
fn expect_chance_alone(fooled: u64, tries: u64, error_rate: f64, what: &Options) {
    let expected = f64::from(u32::try_from(tries).expect("few")) * error_rate;
    let most = expected + 20.0 * expected.sqrt() + 1.0;
    assert!(
        f64::from(u32::try_from(fooled).expect("few")) <= most,
        "{fooled} of {tries}, {expected} by chance: {what:?}"
    );
}

#[test]
fn a_forged_key_has_the_hash_that_was_asked_for() {
    for seed in [0, 1, 0xDEAD_BEEF_0BAD_CAFE, u64::MAX] {
        for hash in [0, 1, u64::MAX, hash64(b"order-17", seed)] {
            assert_eq!(hash64(&forge(hash, seed), seed), hash, "seed {seed}");
        }
    }
}

#[test]
fn one_forged_key_makes_any_victim_a_duplicate_of_an_unkeyed_filter() {
    for options in every_kind() {
        for seed in [0, 77] {
            let mut filter = common::started(&options.clone().seed(seed));
            send(&mut filter, &forged(seed));
            assert_eq!(fooled(&filter), VICTIMS, "{options:?}");
            assert!(filter.stats().error_rate < 0.001, "and the rate does not show it: {options:?}");
        }
    }
}

#[test]
fn secret_stops_chosen_keys_and_not_their_number() {
    for options in every_kind() {
        let mut filter = common::started(&options);
        send(&mut filter, &(0..VICTIMS).map(|i| format!("y{i}")).collect::<Vec<_>>());
        expect_chance_alone(fooled(&filter), VICTIMS, filter.stats().error_rate, &options);
    }
}

#[test]
fn forged_keys_do_nothing_to_a_keyed_filter() {
    for options in every_kind() {
        for i in 0..SECRETS {
            let keyed = options.clone().keyed(true).secret(Secret::new(hash64(b"lo", i), i));
            let mut filter = common::started(&keyed);
            send(&mut filter, &forged(0));
            expect_chance_alone(fooled(&filter), VICTIMS, filter.stats().error_rate, &options);
        }
    }
}

/// Theorem 7.1 of the paper on quotient hash tables: whoever can send as many keys as memory holds drives the others
/// out, secret or not. A window of N insertions promises N and no more.
#[test]
fn no_secret_helps_against_being_driven_out() {
    const N: u64 = 1000;
    for row in kinds::rows().iter().filter(|row| row.counts()) {
        drives_out_after(N, &row.for_keys_at(N, 1e-3).keyed(true));
    }
}

fn drives_out_after(n: u64, options: &Options) {
    let mut filter = Filter::new(options).expect("a filter");
    filter.observe(b"nonce").expect("a verdict");
    let flood = |from: u64| (from..from + n - 1).map(|i| format!("x{i}")).collect::<Vec<_>>();
    send(&mut filter, &flood(0));
    assert_eq!(filter.contains(b"nonce"), Verdict::Duplicate, "N - 1 insertions later it is held");
    for i in 1..4 {
        send(&mut filter, &flood(i * n));
    }
    assert_eq!(filter.contains(b"nonce"), Verdict::New, "four windows later it is not");
}
