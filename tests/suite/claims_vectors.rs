//! Test vectors of claims, for every language: `BLESS=1 cargo test --test suite claims_vectors::` writes `tests/vectors/claims.txt`. Its tokens
//! fix the 128-bit hashes and the sequence; `tests/suite/claims.rs` holds the verdicts to an exact model.

use crate::common;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use common::SECOND;
use common::named::options;
use common::rng::Rng;
use lately::{Claim, Error, Filter, SharedFilter, Tick, Token};

const HEAD: &str = "\
# Test vectors of claims, read by the languages that have them. Written by `BLESS=1 cargo test --test suite claims_vectors::`; do not edit.
#
# The form is that of vectors.txt. Verdicts: 0 new, 1 duplicate, 2 pending. Found: 0 in time, 1 late, 2 already.
#
# filter OPTION=NUMBER ...           the lines below speak to a fresh filter of these options
# claim_at TICK KEY VERDICT TOKEN    the token is 0 unless the verdict is 0
# commit_at TICK KEY TOKEN FOUND
# abandon KEY TOKEN
# observe_at TICK KEY VERDICT        and contains_at TICK KEY VERDICT, insert_at TICK KEY
# fails STATUS INSTRUCTION           the instruction, which stands without its answer, fails with this status
# stats OPEN_CLAIMS MAX_CLAIMS EXPIRED_CLAIMS PENDING NEW_COUNT DUPLICATE_COUNT
";

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

fn hex(key: &[u8]) -> String {
    if key.is_empty() { "-".to_owned() } else { key.iter().map(|byte| format!("{byte:02x}")).collect() }
}

/// The verbs of both handles that the script calls.
trait Handle {
    fn claim(&mut self, key: &[u8], now: u64) -> Result<Claim, Error>;
    fn commit(&mut self, key: &[u8], token: Token, now: u64) -> Result<u8, Error>;
    fn abandon(&mut self, key: &[u8], token: Token) -> Result<(), Error>;
    fn observe(&mut self, key: &[u8], now: u64) -> u8;
    fn counts(&self) -> [u64; 6];
}

macro_rules! handle {
    ($($handle:ty),+) => {
        $(impl Handle for $handle {
            fn claim(&mut self, key: &[u8], now: u64) -> Result<Claim, Error> {
                self.claim_at(key, Tick(now))
            }
            fn commit(&mut self, key: &[u8], token: Token, now: u64) -> Result<u8, Error> {
                self.commit_at(key, token, Tick(now)).map(u8::from)
            }
            fn abandon(&mut self, key: &[u8], token: Token) -> Result<(), Error> {
                <$handle>::abandon(self, key, token)
            }
            fn observe(&mut self, key: &[u8], now: u64) -> u8 {
                self.observe_at(key, Tick(now)).expect("a verdict").into()
            }
            fn counts(&self) -> [u64; 6] {
                let s = self.stats();
                [s.open_claims, s.max_claims, s.expired_claims, s.pending, s.new_count, s.duplicate_count]
            }
        })+
    };
}

handle!(Filter, SharedFilter);

/// One random instruction and its answer.
fn step(out: &mut String, rng: &mut Rng, filter: &mut impl Handle, now: u64, given: &mut Vec<(usize, Token)>) {
    let i = usize::try_from(rng.below(12)).expect("small");
    let (bytes, text) = (key(i), hex(&key(i)));
    let last = given.len().checked_sub(1 + usize::try_from(rng.below(6)).expect("small")).map(|at| given[at]);
    match (rng.below(10), last) {
        (0..=4, _) => match filter.claim(&bytes, now) {
            Ok(claim) => {
                given.extend(claim.token().map(|token| (i, token)));
                let token = claim.token().map_or(0, |token| token.0);
                writeln!(out, "claim_at {now} {text} {} {token}", u8::from(claim.verdict()))
            }
            Err(error) => writeln!(out, "fails {:?} claim_at {now} {text}", error.code()),
        },
        (5..=6, Some((i, token))) => {
            let found = filter.commit(&key(i), token, now).expect("its token");
            writeln!(out, "commit_at {now} {} {} {found}", hex(&key(i)), token.0)
        }
        (7, Some((i, token))) => {
            filter.abandon(&key(i), token).expect("its token");
            writeln!(out, "abandon {} {}", hex(&key(i)), token.0)
        }
        (8, Some((i, token))) => {
            let forged = Token(token.0 ^ 1);
            let error = filter.commit(&key(i), forged, now).expect_err("a forgery");
            writeln!(out, "fails {:?} commit_at {now} {} {}", error.code(), hex(&key(i)), forged.0)
        }
        _ => writeln!(out, "observe_at {now} {text} {}", filter.observe(&bytes, now)),
    }
    .expect("a String takes all");
}

fn script(
    build: impl Fn(&str) -> Box<dyn FnMut(&mut String, &mut Rng, u64, &mut Vec<(usize, Token)>) -> [u64; 6]>,
) -> String {
    let mut out = HEAD.to_owned();
    for (seed, words) in (1..).zip(FILTERS) {
        let (mut rng, mut given, mut now) = (Rng(seed), Vec::new(), 1000 * SECOND);
        let mut play = build(words);
        writeln!(out, "\nfilter {words}").expect("a String takes all");
        let mut counts = [0; 6];
        for _ in 0..120 {
            now += if rng.below(12) == 0 { 2 * SECOND } else { rng.below(SECOND / 2) };
            counts = play(&mut out, &mut rng, now, &mut given);
        }
        let counts = counts.map(|count| count.to_string()).join(" ");
        writeln!(out, "stats {counts}").expect("a String takes all");
    }
    out.replace("fails Full ", "fails FULL ").replace("fails Claim ", "fails CLAIM ")
}

#[test]
fn the_vectors_of_claims_are_what_both_handles_say() {
    let words = |words: &str| options(&words.split(' ').collect::<Vec<_>>());
    let one = script(|line| {
        let mut filter = Filter::new(&words(line)).expect("a filter");
        Box::new(move |out, rng, now, given| {
            step(out, rng, &mut filter, now, given);
            filter.counts()
        })
    });
    let many = script(|line| {
        let mut filter = common::divided(Filter::new(&words(line)).expect("a filter"));
        Box::new(move |out, rng, now, given| {
            step(out, rng, &mut filter, now, given);
            filter.counts()
        })
    });
    assert_eq!(one, many, "the handles differ");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/claims.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &one).expect("the vectors are written");
    }
    assert!(fs::read_to_string(&path).expect("the vectors") == one, "tests/vectors/claims.txt differs");
    for line in ["fails FULL claim_at", "fails CLAIM commit_at", "claim_at 10"] {
        assert!(one.contains(line), "no line {line}");
    }
}
