//! Memory that cannot be had: plans of 2^60 bytes, and the whole process under `ulimit -v`. An error each time, and what
//! lived before lives on.
#![cfg(target_os = "linux")]

mod common;

use std::process::Command;

use common::kinds;
use common::{SECOND, build, manual};
use lately::{Code, Filter, KeyHash, Keys, Options, SharedFilter, Tick, Verdict};

/// Every kind for four keys for each of these bytes (a filter may allocate a part of its slices at first), or for the most
/// keys that a plan is made for.
fn of_bytes(bytes: u64) -> Vec<Options> {
    kinds::rows().iter().map(|row| row.for_keys((bytes.saturating_mul(4)).min(1 << 48))).collect()
}

/// Both handles refuse to be built, and say for what there is no memory.
fn refused(options: &Options) {
    let errors = [Filter::new(options).map(|_| ()), SharedFilter::new(options).map(|_| ())];
    for error in errors.map(|built| built.expect_err("no machine has it")) {
        assert_eq!(error.code(), Code::NoMemory, "{options:?}: {error}");
        assert!(error.to_string().starts_with("out of memory: ") && error.field().is_none(), "{error}");
    }
}

#[test]
fn memory_no_machine_has_is_an_error_of_every_kind() {
    let mut before = build(&manual(60 * SECOND).error_rate(1e-9).capacity(10_000));
    // Some kinds plan for so few keys at most that there is memory for them; and no `memory` is above 2^56.
    let vast: Vec<_> = of_bytes(1 << 60).into_iter().filter(|options| Filter::plan(options).is_ok()).collect();
    assert!(vast.len() >= 5, "{vast:?}");
    for (i, options) in (0..).zip(vast) {
        let plan = Filter::plan(&options).expect("a plan is only numbers");
        assert!(plan.bytes > 1 << 47, "{options:?}: {} bytes can be had", plan.bytes);
        refused(&options);
        for key in i * 1000..(i + 1) * 1000 {
            let told = before.observe_at(&u64::to_le_bytes(key), Tick(key));
            assert_eq!(told, Ok(Verdict::New), "the filter that was there continues");
        }
    }
}

const LIMITED: &str = "LATELY_TEST_LIMITED";

/// Runs the named test of this file again in a process whose address space ends at `kib`.
fn under_limit(kib: u64, test: &str) {
    let command = format!("ulimit -v {kib} && exec \"$0\" --exact {test} --nocapture --test-threads=1");
    let this = std::env::current_exe().expect("this program");
    let ran = Command::new("sh").arg("-c").arg(command).arg(this).env(LIMITED, "1").output().expect("a shell");
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success() && out.contains("1 passed"), "{}: {out}{err}", ran.status);
}

fn is_limited() -> bool {
    std::env::var_os(LIMITED).is_some()
}

const KIB: u64 = 256 << 10;

#[test]
fn plans_above_the_limit_are_errors() {
    if !is_limited() {
        return under_limit(KIB, "plans_above_the_limit_are_errors");
    }
    let limit = KIB << 10;
    for options in of_bytes(limit) {
        assert!(Filter::plan(&options).expect("a plan").bytes >= limit / 64 * 63, "{options:?}");
        refused(&options);
    }
    let mut small = build(&Options::quotient(limit / 8));
    let copies: Vec<_> = (0..16).map_while(|_| small.try_clone().ok()).collect();
    assert!((1..16).contains(&copies.len()), "{} copies of an eighth", copies.len());
    assert_eq!(small.try_clone().map(|_| ()).expect_err("no room").code(), Code::NoMemory);
    assert_eq!(small.observe(b"k"), Ok(Verdict::New));
    let shared = SharedFilter::of(small).map(|_| ());
    assert!(shared.is_ok() || shared.is_err_and(|error| error.code() == Code::NoMemory));
}

/// A stream that outgrows the process: the oldest go, `stats` says how far back the promise still reaches, and it holds.
#[test]
fn a_stream_that_outgrows_the_limit_forgets_its_oldest() {
    if !is_limited() {
        return under_limit(KIB / 4, "a_stream_that_outgrows_the_limit_forgets_its_oldest");
    }
    // Some 72 bytes for a key. What the test itself needs it takes first: later there is nothing left.
    let mut filter = build(&manual(60 * SECOND).k(30).l(29).fill(0.1));
    let (mut keys, hash) = (0, |key: u64| KeyHash((key << 40) | key));
    let (mut hashes, mut verdicts) = (Vec::with_capacity(1 << 20), vec![Verdict::New; 1 << 20]);
    while filter.stats().forgotten == 0 {
        filter.advance(Tick(keys * 1000)).expect("manual");
        hashes.clear();
        hashes.extend((keys..keys + 100).map(hash));
        filter.insert_batch(Keys::Hashes(&hashes), None).expect("an insertion is not refused");
        keys += 100;
        assert!(keys < 1 << 20, "more than the limit of {KIB} KiB / 4: {:?}", filter.stats());
    }
    let stats = filter.stats();
    assert!(stats.reach_ns < 60 * SECOND && stats.bytes < KIB << 8, "{stats:?}");
    hashes.clear();
    // Keys of one batch came at one tick; those younger than the reach are held.
    hashes.extend((0..keys).filter(|key| stats.clock.0 - key / 100 * 100_000 < stats.reach_ns).map(hash));
    let verdicts = &mut verdicts[..hashes.len()];
    filter.contains_batch(Keys::Hashes(&hashes), None, verdicts).expect("verdicts");
    let found = verdicts.iter().filter(|verdict| verdict.is_duplicate()).count();
    assert!(!verdicts.is_empty() && found == verdicts.len(), "{found} of {}: {stats:?}", verdicts.len());
    println!("{keys} keys, {} of them held in {} bytes", hashes.len(), stats.bytes);
}
