//! A flood that was made to collide: the attacker's part of the tests of keyed hashing (`tests/keyed.rs`).

use std::collections::HashSet;

use lately::{Filter, Options, Verdict, hash64};

/// Keys that the attacker wants to be called duplicates, and that nobody ever sends.
pub(crate) const VICTIMS: u64 = 20;

/// Secrets that the flood is tried against.
pub(crate) const SECRETS: u64 = 20;

/// The chance, from the fills, that a victim is found when the flood was not aimed at it. So few keys leave it so small
/// that one victim found behind any of the secrets is a failure: it happens by chance once in 2,500 runs or less.
pub(crate) const BY_CHANCE: f64 = 1e-6;

pub(crate) fn victim(i: u64) -> Vec<u8> {
    format!("order-{i}").into_bytes()
}

pub(crate) fn candidate(i: u64) -> Vec<u8> {
    format!("x{i}").into_bytes()
}

/// Where function `f` puts a key in a slice of `bits`: the mix of the library, by its description.
pub(crate) fn place(key: &[u8], f: u64, bits: u64) -> u64 {
    let x = hash64(key, 0).wrapping_add((f + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    u64::try_from((u128::from(x ^ (x >> 31)) * u128::from(bits)) >> 64).expect("below bits")
}

/// A slice that the attacker aims at: the number of its function and its bits.
pub(crate) type Slice = (u64, u64);

/// For every victim and slice one key on the victim's place: what the attacker sends.
pub(crate) fn flood(slices: &[Slice]) -> Vec<Vec<u8>> {
    let places = |key: &[u8]| slices.iter().map(|&(f, bits)| (f, bits, place(key, f, bits))).collect::<Vec<_>>();
    let mut wanted: HashSet<_> = (0..VICTIMS).flat_map(|i| places(&victim(i))).collect();
    let mut found = Vec::new();
    for key in (0..).map(candidate) {
        let hits = places(&key).into_iter().filter(|place| wanted.remove(place)).count();
        if hits > 0 {
            found.push(key);
        }
        if wanted.is_empty() {
            return found;
        }
    }
    unreachable!("there is no end of candidates")
}

pub(crate) fn send(filter: &mut Filter, keys: &[Vec<u8>]) {
    keys.iter().for_each(|key| {
        filter.observe(key).expect("a verdict");
    });
}

/// Victims that the filter takes for duplicates.
pub(crate) fn fooled(filter: &Filter) -> usize {
    (0..VICTIMS).filter(|i| filter.contains(&victim(*i)) == Verdict::Duplicate).count()
}

/// The flood against the unkeyed filter, an equal number of other keys against it, and the flood against keyed ones.
pub(crate) fn expect_the_secret_to_protect(options: &Options, slices: &[Slice]) {
    let flood = flood(slices);
    let mut unkeyed = Filter::new(options).expect("a filter");
    send(&mut unkeyed, &flood);
    assert_eq!(fooled(&unkeyed), 20, "the flood works where the hash is known");
    assert!(unkeyed.stats().error_rate < BY_CHANCE, "and the rate from the fills does not show it");

    let mut honest = Filter::new(options).expect("a filter");
    send(&mut honest, &(0..).map(|i| format!("y{i}").into_bytes()).take(flood.len()).collect::<Vec<_>>());
    assert_eq!(fooled(&honest), 0, "it is the choice of keys and not their number");

    for i in 0..SECRETS {
        let mut keyed = Filter::new(&options.clone().keyed(true).secret(hash64(b"lo", i), i)).expect("a filter");
        send(&mut keyed, &flood);
        assert_eq!(fooled(&keyed), 0, "secret {i}");
        assert!(keyed.stats().error_rate < BY_CHANCE, "the flood is like any other keys");
    }
}
