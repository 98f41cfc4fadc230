//! Every option's range, and the exit status of wrong use.

use crate::common;

use common::{lately, quiet};

/// Wrong use: status 2, nothing printed, and a message that holds all of `words`.
fn wrong(args: &[&str], words: &[&str]) {
    let ran = lately(args, "a\n");
    assert_eq!((ran.code, ran.text()), (2, ""), "{args:?}");
    for word in words {
        assert!(ran.err.contains(word), "{args:?} does not say {word}: {}", ran.err);
    }
}

/// Wrong use of one option with one value.
fn refused(args: &[&str], option: &str, value: &str, allowed: &str) {
    let all = [&["--window", "10m"], args].concat();
    wrong(&all, &[option, &format!("'{value}'"), allowed]);
}

#[test]
fn a_window_is_a_time_with_a_unit() {
    for value in ["10", "0s", "10x", "-1s", "", "ten minutes", "1e3s"] {
        wrong(&["--window", value], &["--window"]);
    }
    wrong(&["--window", "10x"], &["'10x'", "--window", "ns, us, ms, s, m, h, d or w"]);
    for value in ["250ms", "90s", "10m", "1.5h", "2d", "1h30m", "2w", "1000000us"] {
        assert_eq!(quiet(&["--window", value], "a\nb\na\n").text(), "a\nb\n");
    }
}

#[test]
fn wrong_values_are_named_with_their_range() {
    refused(&["--error", "0"], "--error", "0", "above 0 and at most 0.5");
    refused(&["--error", "NaN"], "--error", "NaN", "above 0 and at most 0.5");
    refused(&["--error", "-1"], "--error", "-1", "above 0 and at most 0.5");
    refused(&["--memory", "64T"], "--memory", "64T", "K, M or G");
    refused(&["--memory", "0"], "--memory", "0", "above 0");
    refused(&["--on-limit", "grow"], "--on-limit", "grow", "forget, raise");
    refused(&["--late", "no", "--time-field", "1"], "--late", "no", "keep, drop");
    refused(&["--bad", "no"], "--bad", "no", "keep, drop");
    refused(&["--report", "xml"], "--report", "xml", "text, json");
    refused(&["--max-step", "24", "--time-field", "1"], "--max-step", "24", "0 or a number");
    refused(
        &["--time-format", "iso", "--time-field", "1"],
        "--time-format",
        "iso",
        "rfc3339, rfc2822, epoch, epoch_ms, epoch_us, epoch_ns, clf, syslog",
    );
    refused(&["--time-format", "strptime:%H", "--time-field", "1"], "--time-format", "strptime:%H", "whole date");
    refused(&["-k", "0"], "--key", "0", "1 to 65536");
    refused(&["-k", "65537"], "--key", "65537", "1 to 65536");
    refused(&["-k", "4-2"], "--key", "4-2", "2-4");
    refused(&["-k", "a"], "--key", "a", "1 to 65536");
    refused(&["--time-field", "ts"], "--time-field", "ts", "1 to 65536");
    refused(&["-k", "1", "-t", ""], "--separator", "", "one or more characters");
    refused(&["--csv", "-t", "::"], "--separator", "::", "one byte");
    refused(&["--json", "id"], "--json", "id", "a JSON pointer");
    refused(&["--json", "/id", "--time-field", "ts"], "--time-field", "ts", "a JSON pointer");
}

#[test]
fn a_limit_below_one_word_a_slice_is_refused_by_the_plan() {
    wrong(&["--window", "10m", "--memory", "64"], &["'64' for '--memory'", "must be"]);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for args in [
        &["--first", "--refresh"][..],
        &["-d", "--flag"],
        &["--csv", "--json", "/a"],
        &["--csv", "-z"],
        &["-k", "1", "--json", "/a"],
    ] {
        wrong(&[&["--window", "10m"], args].concat(), &["cannot be used with"]);
    }
    for args in [["--late", "drop"], ["--max-step", "1h"], ["--time-format", "epoch"]] {
        wrong(&[&["--window", "10m"], &args[..]].concat(), &["--time-field"]);
    }
}

#[test]
fn unknown_csv_columns_are_named_with_the_header() {
    let csv = ["--window", "10m", "--csv"];
    for (args, words) in [
        (["-k", "user"], ["--key", "'user'", "id, at, id"]),
        (["-k", "id"], ["--key", "'id'", "only once"]),
        (["--time-field", "ts"], ["--time-field", "'ts'", "id, at, id"]),
    ] {
        let ran = lately(&[&csv[..], &args[..]].concat(), "id,at,id\n1,2,3\n");
        assert_eq!((ran.code, ran.text()), (2, ""));
        assert!(words.iter().all(|word| ran.err.contains(word)), "{}", ran.err);
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let help = quiet(&["--help"], "");
    for word in ["--window", "--time-format", "Exit status", "Examples", "man lately", "24h", "256M", "1e-3"] {
        assert!(help.text().contains(word), "{word}");
    }
    assert_eq!(quiet(&["--version"], "").text(), concat!("lately ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(quiet(&["-h"], "").text().contains("--window"));
}

#[test]
fn lateness_and_what_comes_after_it_are_one_option() {
    let timed = ["--window", "10s", "--time-field", "1", "--time-format", "epoch", "-k", "2", "--mark"];
    let words = |args: &[&str]| {
        let ran = lately(&[&timed[..], args].concat(), "100\ta\n95\tb\n70\tc\n");
        ran.text().lines().map(|line| line.rsplit('\t').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(words(&["--late", "5s,pass"]), ["new", "new", "late"]);
    assert_eq!(words(&["--late", "drop"]), ["new", "new"]);
    assert_eq!(words(&["--late", "5s", "--lateness", "5s"]), [""; 0]);
    let lateness =
        |args: &[&str]| lately(&[&timed[..], args, &["--report", "json"]].concat(), "1\ta\n").count("lateness_ns");
    assert_eq!([lateness(&["--late", "5s"]), lateness(&["--late", "5s,drop"])], [5_000_000_000; 2]);
    for wrong in ["x", "5", "drop,5s", "5s,never", ""] {
        refused(&["--time-field", "1", "--late", wrong], "--late <TIME|WHAT>", wrong, "a time such as 5m");
    }
}
