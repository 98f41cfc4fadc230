//! `--metrics FILE`: what is scraped is what the report says, the file is whole at every moment, and names a label.

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use common::{lately, send, start};

const TABLE: &str = include_str!("../../../packaging/metrics/metrics.tsv");

/// Rows of the table that the shell has: name, type, help.
fn rows() -> Vec<[&'static str; 3]> {
    let cells = TABLE.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let shell = cells.filter(|cells| cells[4].split(' ').any(|place| ["all", "shell"].contains(&place)));
    shell.map(|cells| [cells[0], cells[1], cells[5]]).collect()
}

/// The values by name, of a file in the text format: each metric has its help, its type and one sample.
fn scraped(path: &Path, filter: &str) -> BTreeMap<String, f64> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<&str> = text.lines().collect();
    assert!(text.ends_with('\n') && lines.len() % 3 == 0, "{text}");
    let mut values = BTreeMap::new();
    for of_metric in lines.chunks(3) {
        let (series, value) = of_metric[2].rsplit_once(' ').expect(of_metric[2]);
        let name =
            series.strip_suffix(&format!("{{filter=\"{filter}\"}}")).unwrap_or_else(|| panic!("the label of {series}"));
        let [_, kind, help] = rows().into_iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("no row {name}"));
        assert_eq!(of_metric[..2], [format!("# HELP {name} {help}"), format!("# TYPE {name} {kind}")]);
        assert!(values.insert(name.to_owned(), value.parse().expect(value)).is_none(), "{name} twice");
    }
    values
}

/// Records with times: repeats, one that is late, one that is too late, one that is refused, and one without a time.
fn records() -> String {
    let mut text: String = (0..5000).map(|i| format!("{}\tkey{}\n", 1_700_000_000 + i / 10, i % 4000)).collect();
    text += "1700000490\tlate\n1690000000\ttoo late\n1800000000\trefused\nnever\tbad\n";
    text
}

const ARGS: [&str; 12] =
    ["--window", "10m", "-k", "2", "--time-field", "1", "--time-format", "epoch", "--memory", "1M", "--error", "1e-4"];

#[test]
fn metrics_at_the_end_are_the_figures_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.prom");
    let args = [&ARGS[..], &["--metrics", path.to_str().unwrap(), "--report", "json"]].concat();
    let ran = lately(&args, records());
    let (report, metrics) = (ran.report(), scraped(&path, "orders"));
    assert_eq!(metrics.len(), rows().len(), "{metrics:?}");
    for (name, of_report, divisor) in [
        ("lately_records_total", "read", 1.0),
        ("lately_new_total", "new", 1.0),
        ("lately_duplicates_total", "duplicate", 1.0),
        ("lately_bad_records_total", "bad", 1.0),
        ("lately_late_ticks_total", "late", 1.0),
        ("lately_too_late_records_total", "too_late", 1.0),
        ("lately_refused_ticks_total", "refused", 1.0),
        ("lately_max_lateness_seconds", "max_lateness_ns", 1e9),
        ("lately_memory_bytes", "bytes", 1.0),
        ("lately_memory_peak_bytes", "bytes_peak", 1.0),
        ("lately_error_ratio", "error_rate", 1.0),
        ("lately_error_limit_ratio", "error_rate_asked", 1.0),
        ("lately_stored_items", "keys_stored", 1.0),
        ("lately_reach_seconds", "window_reached_ns", 1e9),
        ("lately_window_seconds", "window_ns", 1e9),
    ] {
        let want = report[of_report].as_f64().unwrap_or_else(|| panic!("{of_report} of {report}")) / divisor;
        assert!(want > 0.0, "{of_report} is 0, and shows nothing");
        assert_eq!(metrics[name], want, "{name} and {of_report}");
    }
    assert_eq!(metrics["lately_memory_limit_bytes"], f64::from(1 << 20));
    assert!(metrics["lately_written_seconds"] > 1.7e9, "{metrics:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
}

#[test]
fn metrics_without_a_window_of_time_lack_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd \"name\"");
    let ran = lately(&["--last", "1000", "--metrics", path.to_str().unwrap()], "a\na\nb\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let metrics = scraped(&path, "odd \\\"name\\\"");
    assert_eq!([metrics["lately_new_total"], metrics["lately_duplicates_total"]], [2.0, 1.0]);
    let absent = ["lately_window_seconds", "lately_memory_limit_bytes"];
    assert!(absent.iter().all(|name| !metrics.contains_key(*name)), "{metrics:?}");
}

/// What has waited for too little memory: summaries of `--count`, and records of `--keep last`.
#[test]
fn metrics_count_what_leaves_before_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("early.prom");
    let lines: String = (0..2000).map(|i| format!("k{i}\nk{i}\n")).collect();
    for (args, of_report) in
        [(&["--count"][..], "summaries_early"), (&["--keep", "last", "--hold", "1h"], "released_early")]
    {
        let fixed = ["--window", "1h", "--memory", "64K", "--report", "json", "--metrics", path.to_str().unwrap()];
        let ran = lately(&[&fixed[..], args].concat(), &lines);
        let early = f64::from(u32::try_from(ran.count(of_report)).unwrap());
        assert_eq!(scraped(&path, "early")["lately_left_early_total"], early, "{args:?}");
        assert!(early > 1000.0, "{early}");
    }
}

#[cfg(unix)]
#[test]
fn metrics_with_a_report_are_written_while_the_run_waits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.prom");
    let mut child = start(&["--last", "1000", "--metrics", path.to_str().unwrap()]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a\nb\na\n").unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!([out.next().unwrap().unwrap(), out.next().unwrap().unwrap()], ["a", "b"]);
    send(&child, rustix::process::Signal::USR1);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.next().unwrap().unwrap().starts_with("read"), "the report comes first");
    // The next record is read after the report and the metrics that come with it.
    stdin.write_all(b"c\n").unwrap();
    assert_eq!(out.next().unwrap().unwrap(), "c");
    let metrics = scraped(&path, "live");
    assert_eq!([metrics["lately_records_total"], metrics["lately_duplicates_total"]], [3.0, 1.0]);
    drop(stdin);
    child.wait().unwrap();
    assert_eq!(scraped(&path, "live")["lately_records_total"], 4.0, "and at the end");
}

#[cfg(unix)]
#[test]
fn metrics_behind_a_link_replace_its_target_and_no_device() {
    let folder = tempfile::tempdir().unwrap();
    let [target, link] = ["target", "link.prom"].map(|name| folder.path().join(name));
    fs::write(&target, "old").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    lately(&["--last", "9", "--metrics", link.to_str().unwrap()], "a\n");
    assert_eq!(scraped(&target, "link")["lately_records_total"], 1.0);
    assert!(link.is_symlink());
    let said = "'/dev/null' for '--metrics': must be a regular file";
    lately(&["--last", "9", "--metrics", "/dev/null"], "a\n").refused(2, &[said]);
}

#[test]
fn metrics_that_cannot_be_written_fail_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no such folder").join("x.prom");
    let ran = lately(&["--last", "9", "--metrics", path.to_str().unwrap()], "a\n");
    assert_eq!((ran.code, ran.text()), (3, "a\n"), "{}", ran.err);
    assert!(ran.err.contains("x.prom: ") && ran.err.contains("No such file"), "{}", ran.err);
}

#[test]
fn metrics_to_another_file_of_the_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    let path = path.to_str().unwrap();
    for option in ["--state", "--repeats", "--keyed"] {
        let why = format!("for '--metrics': must be another file than that of '{option}'");
        lately(&["--last", "9", "--metrics", path, option, path], "a\n").refused(2, &[&why]);
    }
    fs::write(path, "a\n").unwrap();
    lately(&["--last", "9", "--metrics", path, path], "")
        .refused(2, &["for '--metrics': must be a file that is not read"]);
    assert_eq!(fs::read_to_string(path).unwrap(), "a\n");
}
