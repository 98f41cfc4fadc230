//! Which option asks for which kind, and what contradicts it.

use crate::common;

use common::{lately, quiet};

#[test]
fn algo_given_overrides_the_default_kind() {
    for spelled in ["TinySet", "tinyset", "TINY-SET"] {
        assert_eq!(quiet(&["--algo", spelled, "--capacity", "9"], "a\nb\na\n").text(), "a\nb\n");
    }
    for args in ["age-partitioned --memory 1M", "time-limited --window 1h", "window-table --window 1h --age-bits 5"] {
        let args: Vec<&str> = ["--algo"].into_iter().chain(args.split(' ')).collect();
        let ran = lately(&[&args[..], &["--report", "json"]].concat(), "a\nb\na\n");
        assert_eq!((ran.text(), ran.report()["kind"].as_str()), ("a\nb\n", Some(args[1])));
    }
}

/// A window of time whose error rate may rise is a time-limited one: that is said once where it was not asked for by
/// name, and a window table that is asked for by name is refused.
#[test]
fn a_window_whose_error_rate_may_rise_is_time_limited() {
    let note = "lately: --on-limit raise: the filter is time-limited (--algo time-limited), since a window table at its \
                limit only forgets\n";
    let asked = ["--window", "1h", "--memory", "1M", "--on-limit", "raise"];
    let named = |kind| [&["--algo", kind], &asked[..]].concat();
    let ran = lately(&asked, "a\nb\na\n");
    assert_eq!((ran.code, ran.text(), ran.err.as_str()), (0, "a\nb\n", note));
    let ran = lately(&[&asked[..], &["--report", "json"]].concat(), "a\nb\na\n");
    assert_eq!(ran.report()["kind"], "time-limited");
    let [plain, outright] =
        [asked.to_vec(), named("time-limited")].map(|args| lately(&[&["plan"], &args[..]].concat(), ""));
    assert_eq!((plain.code, plain.err.as_str(), outright.err.as_str()), (0, note, ""));
    assert_eq!(plain.text(), outright.text());
    assert!(plain.text().contains("time-limited\n"), "{}", plain.text());
    assert_eq!(quiet(&named("time-limited"), "a\nb\na\n").text(), "a\nb\n");
    let forgets = [&asked[..5], &["forget", "--report", "json"]].concat();
    assert_eq!(lately(&forgets, "a\n").report()["kind"], "window-table");
}

/// Arguments, a kind, and what its report has as members and as lines, and does not have.
type Report = (&'static str, &'static str, &'static [(&'static str, u64)], Names, Names);
type Names = &'static [&'static str];

const REPORTS: [Report; 6] = [
    (
        "--window 1h",
        "window-table",
        &[("late", 0), ("too_late", 0), ("refused", 0), ("gaps", 0), ("window_reached_ns", 3_600_000_000_000)],
        &[
            "late            0",
            "window reached  1h (shortest 1h, asked 1h)",
            "memory limit    did not shorten the window",
        ],
        &["window_keys", "items"],
    ),
    (
        "--last 1000",
        "window-table",
        &[("window_keys", 1000), ("items", 2), ("keys_stored", 2), ("cells_moved", 0), ("keys_stashed", 0)],
        &["keys stored     2", "window          1000 records (2 keys held)"],
        &[],
    ),
    ("--algo time-limited --window 1h", "time-limited", &[], &[], &["keys_stored"]),
    ("--capacity 20000", "tiny-set", &[("capacity", 20_000), ("items", 2)], &[], &["window_keys"]),
    ("--memory 64K", "quotient", &[], &[], &["window_keys", "miss_rate"]),
    (
        "--algo quotient --last 1000 --miss 0.05 --error 1e-2",
        "quotient",
        &[("window_keys", 1000)],
        &["distance        1000 records"],
        &[],
    ),
];

#[test]
fn a_report_has_the_figures_of_its_kind_as_text_and_as_json() {
    let timed = ["late", "too_late", "refused", "gaps", "window_ns", "window_reached_ns", "memory_shortened_window"];
    for (args, kind, members, lines, absent) in REPORTS {
        let run = |form| lately(&args.split(' ').chain(["--report", form]).collect::<Vec<_>>(), "a\nb\na\n");
        let (ran, text) = (run("json"), run("text").err);
        assert_eq!((ran.text(), ran.err.lines().count()), ("a\nb\n", 1));
        assert_eq!(["read", "new", "duplicate", "bad"].map(|name| ran.count(name)), [3, 2, 1, 0]);
        assert!(members.iter().all(|(name, n)| ran.count(name) == *n), "{args}: {}", ran.err);
        assert!(ran.count("bytes") > 0 && ran.count("records_per_second") > 0, "{}", ran.err);
        assert!(ran.report()["error_rate"].as_f64().is_some_and(|rate| rate < 1e-3), "{}", ran.err);
        let is_of_time = args.contains("--window");
        assert!(timed.iter().all(|name| ran.report().get(name).is_some() == is_of_time), "{args}: {}", ran.err);
        assert!(absent.iter().all(|name| ran.report().get(name).is_none()), "{args}: {}", ran.err);
        let every = ["read            3", "new             2", "duplicate       1", "bad             0"].iter();
        let every = every.chain(lines).map(|line| (*line).to_owned()).chain([format!("kind            {kind}")]);
        every.for_each(|line| assert!(text.lines().any(|found| found == line), "{args}: no {line:?}: {text}"));
        let has_lines = ["late", "refused", "gaps", "window reached", "memory limit"].map(|name| text.contains(name));
        assert!(is_of_time || has_lines == [false; 5], "{args}: {text}");
        assert_eq!(ran.report()["kind"], kind);
    }
    // A window of time that grows has cells that made room.
    let many = lately(&["--window", "1h", "--report", "json"], common::numbers(0..300_000));
    assert!(many.count("cells_moved") > 0, "{}", many.err);
}

/// What only some kinds of filter have is an option of the plan, and a key of `--filter` in a run.
#[test]
fn options_of_some_kinds_are_keys_of_filter() {
    let run = |args: &[&str]| lately(&[args, &["--report", "json"]].concat(), "a\n");
    let kind = |args: &[&str]| run(args).report()["kind"].as_str().unwrap().to_owned();
    assert_eq!(kind(&["--filter", "algo=quotient", "--memory", "64K"]), "quotient");
    assert_eq!(kind(&["--window", "1h", "--filter", "on-limit=raise", "--memory", "64M"]), "time-limited");
    assert_eq!(
        kind(&["--last", "9", "--filter", "miss=1e-3", "--filter", "variant=qhtd", "--filter", "algo=quotient"]),
        "quotient"
    );
    let help = quiet(&["--help"], "").text().to_owned();
    let moved = ["algo", "variant", "miss", "on-limit", "age-bits"];
    assert!(moved.iter().all(|name| !help.lines().any(|line| line.trim_start().starts_with(&format!("--{name} ")))));
}
