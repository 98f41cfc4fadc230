//! Records that come out of order: what `--lateness` allows is judged at its own time, in one file and in several, in one run and
//! in several.

use crate::common;

use std::fs;

use common::{Ran, files, lately, place, plan};

const T: u64 = 1_700_000_000;

const FIXED: [&str; 8] = ["-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];

/// Records `seconds key` in order of arrival, every one with its verdict.
fn judged(args: &[&str], records: &[(u64, u64)]) -> Ran {
    lately(&[&FIXED[..], &["--flag", "--report", "json"], args].concat(), lines(records))
}

fn lines(records: &[(u64, u64)]) -> String {
    records.iter().map(|(at, key)| format!("{at} {key}\n")).collect()
}

/// `1m40.5s`, cut to seconds.
fn seconds(text: &str) -> u64 {
    let (minutes, rest) = text.split_once('m').filter(|(_, rest)| !rest.starts_with('s')).unwrap_or(("0", text));
    let rest = rest.trim_end_matches('s').split('.').next().unwrap_or_default();
    60 * minutes.parse::<u64>().unwrap() + rest.parse::<u64>().unwrap_or(0)
}

/// Two writers: each is in order, one is `ahead` seconds ahead of the other, and each key comes from both, 100 s apart.
fn two_writers(n: u64, ahead: u64) -> [Vec<(u64, u64)>; 2] {
    let of = |from: u64, back: u64| (0..n).map(|i| (T + from + i, (i + back) % 1_000_000)).collect();
    [of(ahead, 0), of(0, 1_000_100 - ahead)]
}

/// Repeats within the window, in either order; how many of them were called new; and how many records that are no repeats, by
/// more than a generation, were not.
fn wrong(window: u64, records: &[(u64, u64)], words: &[&str]) -> (usize, usize, usize) {
    let grain = window / 7 + 1;
    let (mut repeats, mut missed, mut found) = (0, 0, 0);
    let mut seen: std::collections::HashMap<u64, Vec<u64>> = std::collections::HashMap::new();
    for ((at, key), word) in records.iter().zip(words) {
        let times = seen.entry(*key).or_default();
        let is_repeat = times.iter().any(|other| other.abs_diff(*at) <= window);
        let is_fresh = times.iter().all(|other| *at > other + window + grain);
        repeats += usize::from(is_repeat);
        missed += usize::from(is_repeat && *word == "new");
        found += usize::from(is_fresh && *word != "new");
        times.push(*at);
    }
    (repeats, missed, found)
}

#[test]
fn several_files_that_overlap_in_time_miss_nothing() {
    let writers = two_writers(2000, 0);
    let (_dir, paths) = files(&writers.clone().map(|records| lines(&records)));
    let records = writers.concat();
    let run = |lateness: &str, more: &[&str]| {
        let args = ["--window", "10m", "--lateness", lateness, "--flag", &paths[0], &paths[1]];
        let ran = lately(&[&FIXED[..], &args, more].concat(), "");
        (wrong(600, &records, &ran.words()), ran.err)
    };
    let ((repeats, missed, found), said) = run("34m", &[]);
    assert!(repeats > 1800 && (missed, found) == (0, 0), "{repeats} {missed} {found}");
    assert_eq!(said, "", "nothing was later than allowed");
    assert!(run("0", &[]).0.1 > 1000, "the clock of the first file is too late for the second");
}

/// The state knows the lateness, and records that are late in the next run.
#[test]
fn a_state_keeps_the_lateness_and_what_it_needs() {
    let (_dir, state) = place("seen.state");
    let run = |args: &[&str], records: &[(u64, u64)]| {
        lately(&[&FIXED[..], &["--state", &state, "--flag"], args].concat(), lines(records))
    };
    let allowed = ["--window", "10m", "--lateness", "8m"];
    assert_eq!(run(&allowed, &[(T, 1), (T + 1080, 2)]).words(), ["new", "new"]);
    // 480 s late, and 600 s after key 1; the options are those of the state.
    assert_eq!(run(&[], &[(T + 600, 1), (T + 600, 3)]).words(), ["duplicate", "new"]);
    for (args, said) in [
        (&["--window", "10m"][..], "\n  --lateness 8m, now nothing\n"),
        (&["--window", "10m", "--lateness", "9m"], "\n  --lateness 8m, now --lateness 9m\n"),
        (&["--window", "10m", "--lateness", "0"], "\n  --lateness 8m, now nothing\n"),
    ] {
        let ran = run(args, &[(T + 1080, 1)]);
        assert!(ran.code == 3 && ran.err.ends_with(said), "{args:?}: {}", ran.err);
    }
    assert_eq!(run(&["--lateness", "480s"], &[(T + 1200, 3)]).words(), ["duplicate"], "the same in other words");
}

#[test]
fn last_line_of_a_late_stream_names_the_lateness_to_ask_for() {
    let said = |args: &[&str], records: &[(u64, u64)]| {
        let ran = judged(args, records);
        let text = ran.err.lines().filter(|line| line.contains("latest")).collect::<Vec<_>>().join("\n");
        (text, ["late", "too_late", "max_lateness_ns", "lateness_ns"].map(|name| ran.count(name)))
    };
    let records = [(T + 300, 1), (T + 100, 2), (T + 50, 3)];
    let second = 1_000_000_000;
    assert_eq!(
        said(&["--window", "10m"], &records),
        (
            "lately: the latest record was 4m10s late: --late 4m10s judges it at its own time".into(),
            [2, 0, 250 * second, 0]
        )
    );
    assert_eq!(said(&["--window", "10m", "--lateness", "200s"], &records).1, [1, 0, 250 * second, 200 * second]);
    assert_eq!(
        said(&["--window", "10m", "--lateness", "250s"], &records),
        (String::new(), [0, 0, 250 * second, 250 * second])
    );
    // Later than the window: a mistake more likely than a late record; and a filter that cannot have it.
    let sum = "lately: 2 records were late by more than the window, the latest by 4m10s";
    assert_eq!(said(&["--window", "2m"], &records).0, sum);
    let older = ["--window", "10m", "--algo", "time-limited"];
    assert_eq!(said(&older, &records).0, "lately: the latest record was 4m10s late");
    assert_eq!(said(&["--window", "10m"], &[(T, 1), (T, 2)]), (String::new(), [0; 4]));
    let text =
        lately(&[&FIXED[..], &["--window", "10m", "--lateness", "5m", "--report", "text"]].concat(), lines(&records));
    assert!(text.err.contains("latest record   4m10s late (allowed 5m)\n"), "{}", text.err);
    // What is shown is enough: rounded up, where digits are cut.
    let input = "1700000300 a\n1700000299.9750004 b\n";
    let ran = lately(&[&FIXED[..], &["--window", "10m"]].concat(), input);
    assert!(ran.err.contains("was 24ms late: --late 25ms judges"), "{}", ran.err);
    let ran = lately(&[&FIXED[..], &["--window", "10m", "--lateness", "25ms"]].concat(), input);
    assert_eq!(ran.err, "");
}

/// `--late` is about what is later than the window and than allowed.
#[test]
fn record_later_than_window_and_lateness_is_too_late() {
    let records = [(T + 1000, 1), (T + 900, 2), (T + 700, 3), (T + 500, 4), (T + 900, 2), (T + 700, 3)];
    let run = |lateness: &str, late: &str| {
        let ran = judged(&["--window", "5m", "--lateness", lateness, "--late", late], &records);
        (ran.words().join(" "), ["late", "too_late"].map(|name| ran.count(name)))
    };
    assert_eq!(run("1m", "pass"), ("new new new late duplicate duplicate".into(), [5, 1]));
    assert_eq!(run("1m", "drop"), ("new new new duplicate duplicate".into(), [5, 1]));
    assert_eq!(run("1m", "keep"), ("new new new new duplicate duplicate".into(), [5, 1]));
    assert_eq!(run("500s", "drop"), ("new new new new duplicate duplicate".into(), [0, 0]));
    assert_eq!(run("499s", "drop"), ("new new new duplicate duplicate".into(), [1, 1]));
}

#[test]
fn ages_and_first_count_from_the_records_own_times() {
    let ages = ["--window", "10m", "--lateness", "5m", "--flag=age"];
    // 100 s after key 1 by its own time, though the clock is 300 s after it.
    let ran = lately(&[&FIXED[..], &ages].concat(), lines(&[(T, 1), (T + 300, 2), (T + 100, 1)]));
    let third: Vec<&str> = ran.text().lines().nth(2).unwrap_or_default().split(' ').collect();
    let [_, _, "duplicate", least, most] = third[..] else { panic!("{}", ran.text()) };
    let [least, most] = [least, most].map(seconds);
    assert!((20..=100).contains(&least) && (100..=190).contains(&most), "{third:?}");
    let first = ["--window", "10m", "--lateness", "5m", "--first"];
    // Key 1 was new at T, however late it was told; its repeat at T + 590 does not count.
    let ran = judged(&first, &[(T + 300, 2), (T, 1), (T + 590, 1), (T + 800, 1)]);
    assert_eq!(ran.words(), ["new", "new", "duplicate", "new"]);
}

#[test]
fn the_plan_shows_what_a_lateness_costs() {
    let plan = |lateness: &str| {
        let plan = plan(&["--window", "10m", "--rate", "1000", "--lateness", lateness]);
        ["bytes", "late_ns", "lateness_ns"].map(|name| plan[name].as_u64().unwrap_or(0))
    };
    let minute = 60_000_000_000;
    let [none, half, all] = [plan("0"), plan("5m"), plan("10m")];
    // A key is kept for a window and the lateness; the bits of its age come on top. The page about clocks has the figures.
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/clocks.md")).unwrap();
    let times = |minutes: &str| {
        let hundredths = (plan(minutes)[0] * 200 / none[0]).div_ceil(2);
        format!("{}.{:02} times", hundredths / 100, hundredths % 100)
    };
    let [five, ten, twenty] = ["5m", "10m", "20m"].map(times);
    let said = format!("{five} the bytes for 5 minutes of lateness, {ten} for 10 and {twenty} for 20");
    assert!(page.contains(&said), "{said}");
    assert!(none[1] <= 10 * minute / 7 + 1 && half[1] <= none[1] && all[1] <= none[1], "{half:?} {all:?}");
    assert_eq!([half[2], all[2]], [5 * minute, 10 * minute]);
    let text = lately(&["plan", "--window", "10m", "--rate", "1000", "--lateness", "5m"], "");
    assert!(text.text().contains("10m, and 5m of lateness, 600000 keys"), "{}", text.text());
}

#[test]
fn the_page_has_the_bits_of_each_lateness() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/how-to/judge-records-out-of-order.md"));
    let page = page.expect("the page");
    for rate in ["1e-3", "4e-6", "1e-6"] {
        let bits = |lateness: &str| {
            let plan = plan(&["--window", "10m", "--rate", "1000", "--error", rate, "--lateness", lateness]);
            format!("{:.1}", plan["bits_per_key"].as_f64().expect("a number"))
        };
        let row = format!("| `--error {rate}` | {} |", ["0", "1m", "5m", "20m"].map(bits).join(" | "));
        assert!(page.contains(&row), "{row}");
    }
}
