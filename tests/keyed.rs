//! What keyed hashing is for: a flood that was made to collide, against the hash that everybody can compute, turns
//! chosen keys that nobody sent into duplicates, and does nothing to a filter whose hash has a secret.
//!
//! The attacker has this source, the plan and the seed, so the mix of `src/hash.rs` stands here once more. For each
//! victim and each of the k functions the attacker looks for one key that falls on the victim's place, and sends it.

use std::collections::HashSet;

use lately::{ClockSource, Filter, Kind, Options, Verdict, hash64};

/// Keys that the attacker wants to be called duplicates, and that nobody ever sends.
const VICTIMS: u64 = 20;

/// Secrets that the flood is tried against.
const SECRETS: u64 = 20;

/// The chance, from the fills, that a victim is found when the flood was not aimed at it. So few keys leave it so small
/// that one victim found behind any of the secrets is a failure: it happens by chance once in 2,500 runs or less.
const BY_CHANCE: f64 = 1e-6;

fn victim(i: u64) -> Vec<u8> {
    format!("order-{i}").into_bytes()
}

fn candidate(i: u64) -> Vec<u8> {
    format!("x{i}").into_bytes()
}

/// Where function `f` puts a key in a slice of `bits`: the mix of the library, by its description.
fn place(key: &[u8], f: u64, bits: u64) -> u64 {
    let x = hash64(key, 0).wrapping_add((f + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    u64::try_from((u128::from(x ^ (x >> 31)) * u128::from(bits)) >> 64).expect("below bits")
}

/// A slice that the attacker aims at: the number of its function and its bits.
type Slice = (u64, u64);

/// For every victim and slice one key on the victim's place: what the attacker sends.
fn flood(slices: &[Slice]) -> Vec<Vec<u8>> {
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

fn send(filter: &mut Filter, keys: &[Vec<u8>]) {
    keys.iter().for_each(|key| {
        filter.observe(key).expect("a verdict");
    });
}

/// Victims that the filter takes for duplicates.
fn fooled(filter: &Filter) -> usize {
    (0..VICTIMS).filter(|i| filter.contains(&victim(*i)) == Verdict::Duplicate).count()
}

/// The flood against the unkeyed filter, an equal number of other keys against it, and the flood against keyed ones.
fn expect_the_secret_to_protect(options: &Options, slices: &[Slice]) {
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

/// All slices have as many bits as the plan has rows.
#[test]
fn a_crafted_flood_does_nothing_to_a_keyed_age_partitioned_filter() {
    let options = Options::new(Kind::AgePartitioned).window_keys(20_000);
    let plan = Filter::plan(&options).expect("a plan");
    expect_the_secret_to_protect(&options, &(0..plan.k).map(|f| (f, plan.rows)).collect::<Vec<_>>());
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

/// A TinySet keeps a prefix of each key's remainder. The attacker fills a copy with keys of their own and looks, for each
/// victim, for one more after which the victim is found: a prefix that matches once matches for good.
#[test]
fn a_crafted_flood_does_nothing_to_a_keyed_tiny_set() {
    let options = Options::new(Kind::TinySet).capacity(100).error_rate(1e-2);
    let mut own = Filter::new(&options).expect("the attacker's own");
    let mut flood: Vec<_> = (0..60u64).map(|i| format!("z{i}").into_bytes()).collect();
    send(&mut own, &flood);
    let mut candidates = (0..).map(candidate);
    for i in 0..VICTIMS {
        let victim = victim(i);
        while own.contains(&victim).is_new() {
            let (key, mut tried) = (candidates.next().expect("no end"), own.clone());
            tried.observe(&key).expect("a verdict");
            if tried.contains(&victim).is_duplicate() {
                (own, _) = (tried, flood.push(key));
            }
        }
    }
    let mut unkeyed = Filter::new(&options).expect("a filter");
    send(&mut unkeyed, &flood);
    assert_eq!(fooled(&unkeyed), 20, "the flood works where the hash is known");
    let (mut found, mut expected) = (0, 0.0);
    for i in 0..SECRETS {
        let mut keyed = Filter::new(&options.clone().keyed(true).secret(hash64(b"lo", i), i)).expect("a filter");
        send(&mut keyed, &flood);
        found += fooled(&keyed);
        expected += keyed.stats().error_rate * 20.0;
    }
    // Twelve of 400 come by chance less than once in a million runs while two are expected.
    assert!(expected < 2.0 && found < 12, "{found} victims, {expected} by chance");
}

/// Two filters with fresh secrets of the system's are two different hashes: what is learnt of one is of no use for
/// the other.
#[test]
fn a_secret_that_is_not_named_is_drawn() {
    for options in
        [Options::new(Kind::TimeLimited).window_ns(1_000_000), Options::new(Kind::AgePartitioned).window_keys(9)]
    {
        let secrets = [(); 2].map(|()| Filter::new(&options.clone().keyed(true)).expect("a filter").secret());
        assert!(secrets[0].is_ok() && secrets[0] != secrets[1], "{options:?}");
    }
}

/// Theorem 7.1 of the paper on quotient hash tables: whoever can send as many keys as memory holds drives the others
/// out, secret or not. A window of N insertions promises N and no more.
#[test]
fn no_secret_helps_against_being_driven_out() {
    const N: u64 = 1000;
    let mut filter = Filter::new(&Options::new(Kind::AgePartitioned).window_keys(N).keyed(true)).expect("a filter");
    filter.observe(b"nonce").expect("a verdict");
    let flood = |from: u64| (from..from + N - 1).map(candidate).collect::<Vec<_>>();
    send(&mut filter, &flood(0));
    assert_eq!(filter.contains(b"nonce"), Verdict::Duplicate, "N - 1 insertions later it is held");
    for i in 1..4 {
        send(&mut filter, &flood(i * N));
    }
    assert_eq!(filter.contains(b"nonce"), Verdict::New, "four windows later it is not");
}
