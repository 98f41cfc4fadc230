//! `lately plan`: its figures are the library's, as a table and as JSON; a file named `plan` is still a file.

use crate::common;

use std::process::{Command, Stdio};
use std::time::Duration;

use common::{lately, plan as json, quiet, real};
use lately::{Filter, Kind, Options, PlanSummary};
use serde_json::Value;

/// The figures that every kind has are those of the library.
fn expect_same(plan: &Value, kind: &str, want: &PlanSummary) {
    assert_eq!((&plan["kind"], plan["bytes"].as_u64()), (&Value::from(kind), Some(want.bytes)));
    for (name, value) in [
        ("bits_per_key", want.bits_per_key),
        ("bits_per_key_peak", want.bits_per_key_peak),
        ("error_rate_worst", want.error_rate_worst),
        ("error_rate_mean", want.error_rate_mean),
        ("miss_rate", want.miss_rate),
        ("cache_lines_per_observe", want.cache_lines_per_observe),
        ("fill", want.fill),
    ] {
        // What a kind does not have is left out.
        let shown = plan[name].as_f64().unwrap_or(0.0);
        assert!((shown - value).abs() <= 1e-12 * value.abs(), "{name}: {plan}");
    }
    let integers = ["k", "l", "slices", "rows", "blocks"].map(|name| plan[name].as_u64().unwrap_or(0));
    assert_eq!(integers, [want.k, want.l, want.slices, want.rows, want.blocks], "{plan}");
    let keys = plan["window_keys"].as_u64().or(plan["capacity"].as_u64());
    assert_eq!(keys.unwrap_or(0), want.window_keys, "{plan}");
}

#[test]
fn every_kind_has_the_plan_of_the_library() {
    let time_limited = Options::time_limited(Duration::from_secs(600)).capacity(3_000_000).error_rate(1e-4);
    for (args, kind, options) in [
        ("--capacity 1e6 --error 1e-2", "tiny-set", Options::new(Kind::TinySet).capacity(1_000_000).error_rate(1e-2)),
        (
            "--algo tiny-set --capacity 1e6 --error 1e-2",
            "tiny-set",
            Options::new(Kind::TinySet).capacity(1_000_000).error_rate(1e-2),
        ),
        (
            "--algo quotient --last 1e6 --memory 4M --error 1e-2",
            "quotient",
            Options::new(Kind::Quotient).window_keys(1_000_000).memory(4 << 20).error_rate(1e-2),
        ),
        ("--algo time-limited --window 10m --rate 5000 --error 1e-4", "time-limited", time_limited.memory(256 << 20)),
        ("--last 100000 --memory 1M", "window-table", Options::last(100_000).memory(1 << 20)),
    ] {
        let plan = json(&args.split(' ').collect::<Vec<_>>());
        expect_same(&plan, kind, &Filter::plan(&options).unwrap());
        assert!(["window_ns", "late_ns"].iter().all(|name| kind == "time-limited" || plan.get(*name).is_none()));
    }
}

#[test]
fn keys_of_a_window_of_time_are_rate_times_window() {
    let plan = json(&["--window", "10m", "--rate", "5000", "--error", "1e-4"]);
    let options = Options::window(Duration::from_secs(600)).capacity(3_000_000).error_rate(1e-4);
    let want = Filter::plan(&options.memory(256 << 20)).unwrap();
    expect_same(&plan, "window-table", &want);
    assert_eq!(plan["late_ns"].as_u64(), Some(600_000_000_000_u64.div_ceil(7)));
    assert_eq!(plan["window_ns"].as_u64(), Some(600_000_000_000));
    let a_day = 5000.0 * 86_400.0 * want.error_rate_mean;
    assert!((real(&plan, "false_duplicates_per_day") - a_day).abs() < 1e-6 * a_day);
    assert!(plan.get("late_keys").is_none() && plan.get("false_duplicates_per_million").is_none(), "{plan}");
    let slow = json(&["--window", "1m", "--rate", "0.001"]);
    assert_eq!(slow["window_keys"].as_u64(), Some(1), "a part of a key is a key");
}

#[test]
fn a_window_of_records_needs_no_rate() {
    let want = Filter::plan(&Options::last(1_000_000)).unwrap();
    let plan = json(&["--last", "1e6"]);
    expect_same(&plan, "window-table", &want);
    assert_eq!((plan["rows"].as_u64(), plan["late_keys"].as_u64()), (Some(want.rows), Some(142_858)));
    let fine = json(&["--last", "1e6", "--age-bits", "5"]);
    assert_eq!((fine["l"].as_u64(), fine["late_keys"].as_u64()), (Some(31), Some(1_000_000_u64.div_ceil(31))));
    let in_a_million = 1e6 * want.error_rate_mean;
    assert!((real(&plan, "false_duplicates_per_million") - in_a_million).abs() < 1e-6 * in_a_million);
    assert!(plan.get("window_ns").is_none() && plan.get("false_duplicates_per_day").is_none(), "{plan}");
    let rated = json(&["--last", "1e6", "--rate", "10"]);
    let of_a_day = 10.0 * 86_400.0 * want.error_rate_mean;
    assert!(
        (real(&rated, "false_duplicates_per_day") / of_a_day - 1.0).abs() < 1e-6 && rated["bytes"] == plan["bytes"]
    );
}

/// What the memory holds, when no rate says how many keys there are.
#[test]
fn without_a_rate_the_plan_is_for_the_memory() {
    let plan = json(&["--window", "10m", "--memory", "1M"]);
    let (bytes, keys) = (real(&plan, "bytes"), real(&plan, "window_keys"));
    assert!(bytes <= 1_048_576.0 && bytes > 0.95 * 1_048_576.0, "{plan}");
    assert!((bytes * 8.0 / keys / real(&plan, "bits_per_key") - 1.0).abs() < 0.06, "{plan}");
}

#[test]
fn plan_as_a_table_has_the_same_figures() {
    let ran = quiet(&["plan", "--window", "10m", "--rate", "5000", "--error", "1e-4"], "");
    let line = |name: &str| {
        let found = ran.text().lines().find(|line| line.get(..26).is_some_and(|head| head.trim_end() == name));
        found.unwrap_or_else(|| panic!("no {name}: {}", ran.text()))[26..].to_owned()
    };
    assert_eq!([line("kind"), line("window")], ["window-table", "10m, 3000000 keys"]);
    let plan = json(&["--window", "10m", "--rate", "5000", "--error", "1e-4"]);
    assert!(line("bytes").starts_with(&format!("{} (", plan["bytes"])));
    let integers = ["cells per line", "generations", "lines"].map(line);
    assert_eq!(integers, ["k", "l", "rows"].map(|name| plan[name].to_string()));
    assert_eq!(line("forgets late"), "by at most 1m25.714s");
    let bits = ["bits_per_key", "bits_per_key_peak"].map(|name| real(&plan, name));
    assert!(bits[0] < bits[1], "a window of time grows: {bits:?}");
    assert_eq!(line("bits per key"), format!("{:.1} when settled, {:.1} at the peak of growth", bits[0], bits[1]));
    assert_eq!(line("cache lines per observe"), format!("{:.1}", real(&plan, "cache_lines_per_observe")));
    let rates = [real(&plan, "error_rate_worst"), real(&plan, "error_rate_mean")];
    assert_eq!(line("false duplicates"), format!("{:.3e} at worst, {:.3e} on average", rates[0], rates[1]));
    assert_eq!(line("missed duplicates"), "none within the window");
    let a_day = real(&plan, "false_duplicates_per_day");
    assert_eq!(line("false duplicates expected"), format!("{a_day:.1} a day at 5000 records/s, if all are new"));
}

#[test]
fn plan_with_too_little_memory_names_the_reach() {
    let ran = lately(&["plan", "--window", "1d", "--rate", "1e4", "--memory", "64M"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("--memory 64M keeps") && ran.err.contains("864000000 keys of a window"), "{}", ran.err);
    assert!(ran.err.trim_end().ends_with("s of 1d"), "{}", ran.err);
}

/// 5,000 keys that come again and again within ten minutes: what the run takes is what the plan says.
#[test]
fn repeats_cost_the_bytes_of_the_plan() {
    let rate = 83.333;
    let stream: String = (0..200_000).map(|i| format!("{:.3}\tk{}\n", 1.7e9 + f64::from(i) / rate, i % 5000)).collect();
    let request = ["--window", "10m", "--rate", "83.333", "--repeats", "0.9"];
    for (kind, keys) in [(&["--algo", "window-table"][..], 5000), (&["--algo", "time-limited"], 50_000)] {
        for policy in [&[][..], &["--first"]] {
            let plan = json(&[&request[..], kind, policy].concat());
            let keys = if policy.is_empty() { keys } else { 5000 };
            assert_eq!(plan["window_keys"].as_u64(), Some(keys), "{plan}");
            let args =
                ["--window", "10m", "-k", "2", "--time-field", "1", "--time-format", "epoch", "--report", "json"];
            let ran = lately(&[&args[..], kind, policy].concat(), &stream);
            let (bytes, planned) = (real(&ran.report(), "bytes"), real(&plan, "bytes"));
            assert!(bytes < 2.5 * planned && bytes > 0.5 * planned, "{kind:?} {policy:?}: {bytes} of {planned}");
        }
    }
    let table = quiet(&[&["plan"], &request[..]].concat(), "");
    assert!(table.text().contains(" a day at 83.333 records/s, 0.9 of them repeats\n"), "{}", table.text());
}

/// What does not grow has one figure; so has a cell where there is no window.
#[test]
fn filter_of_fixed_size_has_no_peak() {
    for (args, name) in [
        ("--last 1e6", "bits per key"),
        ("--capacity 1e6", "bits per key"),
        ("--algo time-limited --window 10m --rate 100", "bits per key"),
        ("--memory 1M", "bits per cell"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let plan = json(&args);
        assert_eq!(plan["bits_per_key"], plan["bits_per_key_peak"], "{args:?}");
        let text = quiet(&[&["plan"], &args[..]].concat(), "").text().to_owned();
        let line = format!("{name:<26}{:.1}\n", real(&plan, "bits_per_key"));
        assert!(text.contains(&line) && !text.contains("at the peak"), "{text}");
    }
}

/// Runs in a folder that has a file named `plan`.
fn beside_plan(args: &[&str]) -> (Option<i32>, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plan"), "a\nb\na\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lately"));
    let done = command.current_dir(dir.path()).args(args).stdin(Stdio::null()).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap())
}

#[test]
fn plan_is_a_command_where_it_comes_first() {
    let (code, text) = beside_plan(&["plan", "--last", "9"]);
    assert_eq!((code, text.starts_with("kind ")), (Some(0), true), "{text}");
    for args in [&["./plan", "--last", "9"][..], &["--last", "9", "./plan"], &["--last", "9", "plan"]] {
        assert_eq!(beside_plan(args), (Some(0), String::from("a\nb\n")), "{args:?}");
    }
    assert_eq!(beside_plan(&["plan", "--last", "9", "./plan"]).0, Some(2), "a plan reads no file");
}

#[test]
fn plan_has_help_and_ends_silently_when_the_reader_is_gone() {
    let help = quiet(&["plan", "--help"], "");
    assert!(["--rate", "--json", "--keyed", "--algo"].iter().all(|word| help.text().contains(word)));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lately"));
    let done = command.args(["plan", "--last", "9"]).stdout(full).output().unwrap();
    assert_eq!(done.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&done.stderr).starts_with("lately: standard output: "));
    let (reader, writer) = std::os::unix::net::UnixStream::pair().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_lately"));
    let done = command.args(["plan", "--last", "9"]).stdout(std::os::fd::OwnedFd::from(writer)).output().unwrap();
    assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]));
}
