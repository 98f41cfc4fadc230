//! The golden verdicts that every project in `examples/consumers/` must give: `BLESS=1 cargo test --test suite golden::` regenerates
//! records and verdicts. They are held to an exact memory here, and so mean more than "the same everywhere".

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use lately::{Clock, Filter, Options, Tick, Unit};

const WINDOW: u16 = 20;
const RECORDS: usize = 200;
const ERROR_RATE: f64 = 0.2;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/consumers/golden").join(name)
}

/// A file of the tree, or, while blessing, what it will hold.
fn held(name: &str, text: &str) -> String {
    if std::env::var_os("BLESS").is_some() {
        fs::write(path(name), text).unwrap();
    }
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Half of the records are fresh; about a quarter repeats one of the last 18, a quarter the one of 40 before.
fn records() -> Vec<String> {
    let number = |n: usize| match n % 4 {
        0 if n > 20 => n - 1 - (n * 31) % 18,
        3 if n > 40 => n - 40,
        _ => n,
    };
    let mut records: Vec<String> = Vec::new();
    for n in 0..RECORDS {
        let same = records.get(number(n)).cloned();
        records.push(same.unwrap_or_else(|| format!("order-{n}")));
    }
    records
}

fn name(duplicate: bool) -> &'static str {
    if duplicate { "duplicate" } else { "new" }
}

/// What the filter of the consumers says.
fn verdicts(records: &[String]) -> Vec<&'static str> {
    let window = Options::time_limited(Duration::from_nanos(WINDOW.into()));
    let mut seen = Filter::new(&window.clock(Clock::Manual(Unit::Nanoseconds)).error_rate(ERROR_RATE)).unwrap();
    let mut say =
        |(n, record): (u64, &String)| name(seen.observe_at(record.as_bytes(), Tick(n)).unwrap().is_duplicate());
    (0..).zip(records).map(&mut say).collect()
}

/// What a memory of the last 20 records says.
fn truth(records: &[String]) -> Vec<&'static str> {
    let seen = |n: usize| records[n.saturating_sub(WINDOW.into())..n].contains(&records[n]);
    (0..records.len()).map(|n| name(seen(n))).collect()
}

#[test]
fn the_golden_verdicts_are_those_of_the_filter() {
    let records = records();
    assert!(held("records.txt", &(records.join("\n") + "\n")).lines().eq(records.iter()), "other records");
    let said = verdicts(&records);
    assert!(held("verdicts.txt", &(said.join("\n") + "\n")).lines().eq(said), "other verdicts");
}

#[test]
fn the_golden_verdicts_miss_nothing_and_keep_the_error_rate() {
    let records = records();
    let pairs: Vec<_> = truth(&records).into_iter().zip(verdicts(&records)).collect();
    let count = |truth: &str, said: &str| pairs.iter().filter(|pair| **pair == (truth, said)).count();
    assert_eq!(count("duplicate", "new"), 0);
    let (false_duplicates, rightly_new) = (count("new", "duplicate"), count("new", "new"));
    assert!(false_duplicates > 3, "{false_duplicates} false duplicates hardly tell two seeds apart");
    assert!(false_duplicates * 5 < rightly_new, "{false_duplicates} false duplicates, {rightly_new} new");
    assert!(count("duplicate", "duplicate") > RECORDS / 6);
}
