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

#[test]
fn the_report_names_the_kind_and_has_only_its_figures() {
    let timed = ["late", "too_late", "refused", "gaps", "window_ns", "window_reached_ns", "memory_shortened_window"];
    let ran = lately(&["--last", "1000", "--report", "json"], "a\nb\na\n");
    assert_eq!(
        ["read", "new", "duplicate", "bad", "window_keys", "items"].map(|n| ran.count(n)),
        [3, 2, 1, 0, 1000, 2]
    );
    assert_eq!(ran.report()["kind"], "window-table");
    let figures = ["keys_stored", "cells_moved", "keys_stashed"];
    assert_eq!(figures.map(|name| ran.count(name)), [2, 0, 0]);
    // A window of time that grows has cells that made room.
    let many: String = (0..300_000).map(|i| format!("{i}\n")).collect();
    let full = lately(&["--window", "1h", "--report", "json"], many);
    let report = full.report();
    assert!(full.count("cells_moved") > 0 && figures.iter().all(|name| report.get(name).is_some()), "{}", full.err);
    assert!(ran.count("bytes") > 0 && ran.report()["error_rate"].as_f64().unwrap() < 1e-3);
    assert!(timed.iter().all(|name| ran.report().get(name).is_none()), "{}", ran.err);
    let ran = lately(&["--window", "1h", "--report", "json"], "a\n");
    assert_eq!(ran.report()["kind"], "window-table");
    let bloom = lately(&["--algo", "time-limited", "--window", "1h", "--report", "json"], "a\n");
    assert!(bloom.report().get("keys_stored").is_none(), "{}", bloom.err);
    assert!(timed.iter().all(|name| ran.report().get(name).is_some()), "{}", ran.err);
    assert!(ran.report().get("window_keys").is_none() && ran.report().get("items").is_none(), "{}", ran.err);
}

#[test]
fn the_text_report_too() {
    let ran = lately(&["--last", "1000", "--report", "text"], "a\nb\na\n");
    for line in [
        "read            3",
        "kind            window-table",
        "keys stored     2",
        "window          1000 records (2 keys held)",
    ] {
        assert!(ran.err.lines().any(|found| found == line), "no {line:?}: {}", ran.err);
    }
    for name in ["late", "refused", "gaps", "window reached", "memory limit"] {
        assert!(!ran.err.lines().any(|line| line.starts_with(name)), "{name}: {}", ran.err);
    }
}

#[test]
fn help_names_every_kind_and_the_file_named_plan() {
    let page = quiet(&["--generate", "man"], "").text().replace('\\', "");
    for word in [
        "window-table",
        "age-bits",
        "time-limited",
        "age-partitioned",
        "TinySet",
        "quotient",
        "./plan",
        "lately plan",
        "0600",
    ] {
        assert!(page.contains(word), "{word}");
    }
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
