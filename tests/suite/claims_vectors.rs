//! Test vectors of claims, for every language: `BLESS=1 cargo test --test suite claims_vectors::` writes `tests/vectors/claims.txt`. Its tokens
//! fix the 128-bit hashes and the sequence; `tests/suite/claims.rs` holds the verdicts to an exact model.

use crate::common;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use common::SECOND;
use common::bytes::hex;
use common::handle::{Handle, Way};
use common::named::{head, options};
use common::rng::Rng;
use lately::{Tick, Token};

const FILTERS: [&str; 4] = [
    "kind=1 clock=2 window_ns=10000000000 lease_ns=2000000000 max_claims=3",
    "kind=5 clock=2 window_ns=10000000000 lease_ns=2000000000 max_claims=3 seed=18446744073709551615",
    "kind=5 clock=2 window_ns=10000000000 lease_ns=10000000000 repeat=2",
    "kind=5 clock=2 window_ns=10000000000 lease_ns=2000000000 max_claims=5 keyed=1 secret_lo=81985529216486895 \
     secret_hi=18364758544493064720",
];

/// Keys of lengths in each branch of the hashes.
const LENGTHS: [usize; 12] = [0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241];

fn key(i: usize) -> Vec<u8> {
    (0..LENGTHS[i]).map(|byte| u8::try_from((7 * i + 31 * byte) & 0xFF).expect("a byte")).collect()
}

/// One random instruction and its answer.
fn step(out: &mut String, rng: &mut Rng, filter: &mut dyn Handle, now: u64, given: &mut Vec<(usize, Token)>) {
    let i = usize::try_from(rng.below(12)).expect("small");
    let (bytes, text) = (key(i), hex(&key(i)));
    let last = given.len().checked_sub(1 + usize::try_from(rng.below(6)).expect("small")).map(|at| given[at]);
    let at = Some(Tick(now));
    match (rng.below(10), last) {
        (0..=4, _) => match filter.claim(&bytes, at) {
            Ok(claim) => {
                given.extend(claim.token().map(|token| (i, token)));
                let token = claim.token().map_or(0, |token| token.0);
                writeln!(out, "claim_at {now} {text} {} {token}", u8::from(claim.verdict()))
            }
            Err(error) => writeln!(out, "fails {:?} claim_at {now} {text}", error.code()),
        },
        (5..=6, Some((i, token))) => {
            let found = u8::from(filter.commit(&key(i), token, at).expect("its token"));
            writeln!(out, "commit_at {now} {} {} {found}", hex(&key(i)), token.0)
        }
        (7, Some((i, token))) => {
            filter.abandon(&key(i), token).expect("its token");
            writeln!(out, "abandon {} {}", hex(&key(i)), token.0)
        }
        (8, Some((i, token))) => {
            let forged = Token(token.0 ^ 1);
            let error = filter.commit(&key(i), forged, at).expect_err("a forgery");
            writeln!(out, "fails {:?} commit_at {now} {} {}", error.code(), hex(&key(i)), forged.0)
        }
        _ => {
            let verdict = filter.observe_at(&bytes, Tick(now)).expect("a verdict");
            writeln!(out, "observe_at {now} {text} {}", u8::from(verdict))
        }
    }
    .expect("a String takes all");
}

fn script(head: String, way: Way) -> String {
    let mut out = head;
    for (seed, words) in (1..).zip(FILTERS) {
        let (mut rng, mut given, mut now) = (Rng(seed), Vec::new(), 1000 * SECOND);
        let mut filter = way.build(&options(&words.split(' ').collect::<Vec<_>>()));
        writeln!(out, "\nfilter {words}").expect("a String takes all");
        for _ in 0..60 {
            now += if rng.below(12) == 0 { 2 * SECOND } else { rng.below(SECOND / 2) };
            step(&mut out, &mut rng, &mut *filter, now, &mut given);
        }
        let s = filter.stats();
        let counts = [s.open_claims, s.max_claims, s.expired_claims, s.pending, s.new_count, s.duplicate_count];
        writeln!(out, "stats {}", counts.map(|count| count.to_string()).join(" ")).expect("a String takes all");
    }
    out.replace("fails Full ", "fails FULL ").replace("fails Claim ", "fails CLAIM ")
}

#[test]
fn the_vectors_of_claims_are_what_both_handles_say() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/claims.txt");
    let head = head(&fs::read_to_string(&path).expect("the vectors"));
    let (one, many) = (script(head.clone(), Way::Own), script(head, Way::Divided));
    assert_eq!(one, many, "the handles differ");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &one).expect("the vectors are written");
    }
    assert!(fs::read_to_string(&path).expect("the vectors") == one, "tests/vectors/claims.txt differs");
    for line in ["fails FULL claim_at", "fails CLAIM commit_at", "claim_at 10"] {
        assert!(one.contains(line), "no line {line}");
    }
}
