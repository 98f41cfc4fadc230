//! Nothing wrong stays silent: clocks that no record follows, records without end, streams that are closed, marks before
//! the text, compressed input and what is no text at all.

use crate::common;

use std::io::Write;

use common::{Ran, files, lately, place, quiet};

/// Lines of `seconds key`, with a window of a minute.
fn timed(args: &[&str], lines: impl AsRef<[u8]>) -> Ran {
    let fixed = ["--window", "1m", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    lately(&[&fixed[..], args].concat(), lines)
}

const FAR: &str = "2084378400 x\n";

fn an_hour(from: u32) -> String {
    (0..3600).map(|i| format!("{} k{}\n", from + i, i % 7)).collect()
}

#[test]
fn records_late_by_more_than_the_window_are_reported_without_an_option() {
    let lines = [FAR, "1700000000 a\n1700003600 a\n1700090000 a\n"].concat();
    let ran = timed(&[], &lines);
    assert_eq!((ran.text(), ran.code), ("2084378400 x\n1700000000 a\n", 0));
    assert_eq!(ran.err, "lately: 3 records were late by more than the window, the latest by 4448d19h46m40s\n");
    assert_eq!(timed(&["--strict"], &lines).code, 3);
    let ran = timed(&["--strict", "--late", "drop"], &lines);
    assert_eq!((ran.text(), ran.code), (FAR, 3));
    assert_eq!(timed(&["--strict"], "1700000060 a\n1700000000 b\n").code, 0, "late within the window is no fault");
}

#[test]
fn clock_moved_by_one_bad_time_is_reported_once_with_its_line() {
    for first in ["", "1700000000 a\n1700000001 b\n"] {
        let input = [first, FAR, &an_hour(1_700_000_000)].concat();
        let ran = timed(&["--max-step", "0"], &input);
        let line = first.lines().count() + 1;
        let want = format!(
            "lately: line {}: 100 records in a row are below the clock by more than the window: line {line} moved it to \
             2036-01-19T18:00:00Z; --reset-clock empties",
            line + 100
        );
        assert!(ran.err.starts_with(&want), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 2, "once, and the sum: {}", ran.err);
    }
}

#[test]
fn clock_that_is_reset_resumes_at_the_streams_time() {
    let rest = an_hour(1_700_000_000);
    let ran = timed(&["--reset-clock", "--flag", "--report", "json"], [FAR, &rest].concat());
    // The filter is emptied at the hundredth: from there on it says what it says of the rest alone.
    let tail: String = rest.lines().skip(99).map(|line| format!("{line}\n")).collect();
    let alone = timed(&["--flag"], &tail);
    assert!(ran.text().ends_with(alone.text()) && alone.text().lines().count() == 3501);
    assert_eq!(["resets", "too_late", "late"].map(|name| ran.count(name)), [1, 99, 99]);
    assert!(ran.err.contains("line 1 moved it to 2036-01-19T18:00:00Z; the filter was emptied"), "{}", ran.err);
    assert!(ran.err.contains("the filter was emptied once"), "{}", ran.err);
    // Again and again.
    let twice = timed(&["--reset-clock", "--max-step", "0"], [FAR, &rest, FAR, &rest].concat());
    assert!(twice.err.contains("the filter was emptied 2 times"), "{}", twice.err);
}

#[test]
fn a_bad_first_record_does_not_poison_a_state() {
    let (_dir, path) = place("state");
    let run = |args: &[&str], lines: &str| timed(&[&["--state", &path], args].concat(), lines);
    run(&[], "1700000000 a\n");
    let ran = run(&[], FAR);
    assert!(ran.err.contains("line 1: ") && ran.err.contains("after the last record of the state"), "{}", ran.err);
    let ran = run(&["--reset-clock"], &an_hour(1_700_000_100));
    assert!(ran.err.contains("the state moved it to 2036-01-19T18:00:00Z"), "{}", ran.err);
    let ran = run(&[], "1700003710 k1\n1700003710 new\n");
    assert_eq!((ran.text(), ran.err.as_str()), ("1700003710 new\n", ""), "it is the stream's own again");
}

#[test]
fn a_first_record_far_behind_a_state_is_refused_by_an_explicit_step_only() {
    let dir = tempfile::tempdir().unwrap();
    for (step, word) in [(&[][..], "new"), (&["--max-step", "1h"], "refused"), (&["--max-step", "0"], "new")] {
        let path = dir.path().join(format!("state{}", step.concat())).to_str().unwrap().to_owned();
        timed(&["--state", &path], "1700000000 a\n");
        let ran = timed(&[&["--state", &path, "--flag"], step].concat(), "1700864000 b\n");
        assert_eq!(ran.text(), format!("1700864000 b {word}\n"));
        let said = "line 1: 10d after the last record of the state, more than the window";
        assert!(ran.err.contains(said), "{}", ran.err);
        assert_eq!(timed(&["--state", &path], "1700000030 a\n").code, 0);
    }
    let path = dir.path().join("near").to_str().unwrap().to_owned();
    timed(&["--state", &path], "1700000000 a\n");
    assert_eq!(timed(&["--state", &path], "1700000060 b\n").err, "", "within the window nothing is worth a word");
    let said = timed(&["--state", &path], "1700000121 b\n").err;
    assert_eq!(said, "lately: line 1: 1m1s after the last record of the state, more than the window\n");
}

#[test]
fn a_quote_that_is_open_at_the_end_is_bad() {
    let csv = "id,x\n1,\"a\n2,b\n2,b\n";
    let args = ["--last", "10", "--csv", "-k", "id"];
    let ran = lately(&args, csv);
    assert_eq!((ran.text(), ran.code), ("id,x\n1,\"a\n2,b\n", 0));
    assert!(ran.err.contains("line 2: a quote is open at the end of the input"), "{}", ran.err);
    assert!(ran.err.contains("1 bad record and 0 refused records"), "{}", ran.err);
    assert_eq!(lately(&[&args[..], &["--strict"]].concat(), csv).code, 3);
    assert_eq!(lately(&[&args[..], &["--bad", "drop"]].concat(), csv).text(), "id,x\n2,b\n");
    lately(&args, "id,\"x\n1,2\n").refused(3, &["its header is no whole record"]);
}

#[test]
fn a_record_that_is_too_long_is_bad_in_every_format_and_reading_goes_on() {
    let long = "x".repeat(300_000);
    for (args, before, long, line) in [
        (&[][..], "", format!("{long}\n"), 3),
        (&["-k", "1"], "", format!("{long}\t\r\n"), 3),
        (&["-z"], "", format!("{long}\0"), 3),
        (&["--csv", "-k", "a"], "a,b\n", format!("\"{long}, {long}\",1\n"), 4),
        (&["--json", "/a"], "", format!("{{\"a\":\"{long}\"}}\n"), 3),
    ] {
        let end = if args == ["-z"] { "\0" } else { "\n" };
        let short = |n: u32| match args.first() {
            Some(&"--json") => format!("{{\"a\":{n}}}\n"),
            Some(&"--csv") => format!("{n},\n"),
            _ => format!("{n}{end}"),
        };
        let input = [before, &short(1), &short(2), &long, &short(2), &short(3)].concat();
        let kept = [before, &short(1), &short(2), &long, &short(3)].concat();
        let args = [&["--last", "10", "--max-record", "1K"], args].concat();
        let ran = lately(&args, &input);
        assert_eq!((ran.text() == kept, ran.code), (true, 0), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(&format!("line {line}: longer than 1K: see")), "{args:?}: {}", ran.err);
        let dropped = lately(&[&args[..], &["--bad", "drop"]].concat(), &input);
        assert_eq!(dropped.text().len(), kept.len() - long.len(), "{args:?}");
        assert_eq!(lately(&[&args[..], &["--strict"]].concat(), &input).code, 3);
        let flagged = lately(&[&args[..], &["--flag", "--report", "json"]].concat(), &input);
        assert_eq!(["read", "bad"].map(|name| flagged.count(name)), [5, 1], "{args:?}");
    }
}

#[test]
fn the_limit_is_on_the_record_without_its_end() {
    for (input, bad) in [("1234\n", 0), ("1234\r\n", 0), ("1234", 0), ("12345\n", 1), ("12345", 1), ("1234\r", 1)] {
        let ran = lately(&["--last", "9", "--max-record", "4", "--report", "json"], input);
        assert_eq!((ran.text(), ran.count("bad")), (input, bad), "{input:?}");
    }
}

#[test]
fn behind_a_stray_quote_reading_goes_on() {
    let rows: String = (0..100_000).map(|i| format!("{i},x\n")).collect();
    let csv = format!("id,x\n1,\"a\n{rows}{rows}");
    let args = ["--last", "1e6", "--error", "1e-6", "--csv", "-k", "id", "--max-record", "64K", "--report", "json"];
    let ran = lately(&args, &csv);
    assert!(ran.err.contains("line 2: a quote is open for more than 64K: see --max-record"), "{}", ran.err);
    assert_eq!(["bad", "new", "duplicate"].map(|name| ran.count(name)), [1, 100_000, 100_000], "{}", ran.err);
}

fn script(text: &str) -> Ran {
    common::script(std::path::Path::new("."), text)
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_longer_than_the_memory_is_a_bad_record() {
    let long = "(head -c 400000000 /dev/zero | tr '\\0' x; echo; echo a; echo a)";
    let ran = script(&format!("{long} | (ulimit -v 300000; exec \"$0\" --window 1h --bad drop)"));
    assert_eq!((ran.code, ran.text()), (0, "a\n"), "{}", ran.err);
    assert!(ran.err.contains("line 1: longer than 16M: see --max-record"), "{}", ran.err);
    let ran = script(&format!("{long} | (ulimit -v 300000; exec \"$0\" --window 1h --max-record 1G)"));
    assert!(ran.code == 3 && ran.err.contains("no memory for a record of more than"), "{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn closed_streams_are_status_3() {
    for (line, code, said) in [
        ("seq 9 | \"$0\" --last 9 >&-", 3, "standard output: it is closed"),
        ("\"$0\" --last 9 <&-", 3, "standard input: it is closed"),
        ("seq 9 | \"$0\" --last 9 >/dev/null", 0, ""),
        // A null device that can be read as well is one that was given.
        ("seq 9 | \"$0\" --last 9 1<>/dev/null", 0, ""),
    ] {
        let ran = script(line);
        assert_eq!((ran.code, ran.text(), ran.err.contains(said)), (code, "", true), "{line}: {}", ran.err);
    }
}

const BOM: &str = "\u{feff}";

#[test]
fn a_mark_before_utf8_is_no_part_of_a_record_in_any_file() {
    let csv = [format!("{BOM}\"id\",x\n1,a\n"), format!("{BOM}\"id\",x\n1,b\n2,c\n")];
    let (_dir, paths) = files(&csv);
    let ran = quiet(&["--last", "9", "--csv", "-k", "id", &paths[0], &paths[1]], "");
    assert_eq!(ran.text(), format!("{BOM}\"id\",x\n1,a\n2,c\n"));
    let json = [format!("{BOM}{{\"a\":1}}\n"), format!("{BOM}{{\"a\":1}}\n{{\"a\":2}}\n")];
    let (_dir, paths) = files(&json);
    let ran = quiet(&["--last", "9", "--json", "/a", &paths[0], &paths[1]], "");
    assert_eq!(ran.text(), format!("{BOM}{{\"a\":1}}\n{{\"a\":2}}\n"));
    let both = quiet(&["--last", "9", "-d", "--json", "/a", &paths[0], &paths[1]], "");
    assert_eq!(both.text(), "{\"a\":1}\n".to_owned().replacen("", BOM, 1), "before the first record that is shown");
    let (_dir, paths) = files(&["a\nb\n", "\u{feff}b\nc\n"]);
    assert_eq!(common::out(&[&paths[0], &paths[1]], ""), "a\nb\nc\n");
    assert_eq!(common::out(&[&paths[1], &paths[0]], ""), format!("{BOM}b\nc\na\n"));
    let times = format!("{BOM}2026-03-01T00:00:00Z\ta\n2026-03-01T00:00:01Z\ta\n");
    let timed = ["--window", "1h", "-k", "2", "--time-field", "1"];
    assert_eq!(quiet(&timed, times).text(), format!("{BOM}2026-03-01T00:00:00Z\ta\n"));
    assert_eq!(common::out(&["--flag"], "a\n\u{feff}a\n"), "a\tnew\n\u{feff}a\tnew\n", "only at the beginning");
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

#[test]
fn compressed_input_is_known_by_its_first_bytes() {
    let numbers: String = (0..50_000).map(|i| format!("{}\n", i % 40_000)).collect();
    let want = quiet(&["--last", "1e5"], &numbers);
    let zstd = |text: &[u8]| zstd::encode_all(text, 3).unwrap();
    let (head, tail) = numbers.as_bytes().split_at(70_001);
    for packed in [
        gzip(numbers.as_bytes()),
        [gzip(head), gzip(tail)].concat(),
        zstd(numbers.as_bytes()),
        [zstd(head), zstd(tail)].concat(),
    ] {
        assert_eq!(quiet(&["--last", "1e5"], &packed).out, want.out, "by standard input");
        let (_dir, paths) = files(&[&packed]);
        assert_eq!(quiet(&["--last", "1e5", &paths[0]], "").out, want.out, "by a file");
        // What is cut off is an error, and what came before it is judged.
        let cut = lately(&["--last", "1e5"], &packed[..packed.len() - 9]);
        assert!(cut.code == 3 && cut.err.contains("standard input: ") && want.out.starts_with(&cut.out), "{}", cut.err);
        assert!(cut.out.len() > 1000);
    }
    assert_eq!(quiet(&["--last", "9"], gzip(b"")).text(), "");
}

/// As `gunzip` reads it: zeros behind the data fill up a block, and anything else does not belong there.
#[test]
fn zeros_behind_gzip_are_no_data() {
    let text = b"a\nb\na\n";
    for zeros in [1, 511, 200_000] {
        let padded = [gzip(text), vec![0; zeros]].concat();
        assert_eq!(quiet(&["--last", "9"], &padded).text(), "a\nb\n", "{zeros}");
        let twice = [gzip(text), gzip(b"c\n"), vec![0; zeros]].concat();
        assert_eq!(quiet(&["--last", "9"], &twice).text(), "a\nb\nc\n", "{zeros}");
        let more = lately(&["--last", "9"], [padded, b"x".to_vec()].concat());
        assert_eq!((more.code, more.text()), (3, "a\nb\n"), "{}", more.err);
        assert!(more.err.contains("standard input: bytes other than zeros behind the gzip data"), "{}", more.err);
    }
    for rest in ["r", "rest", "and more than the head of a member has"] {
        let ran = lately(&["--last", "9"], [gzip(text), rest.into()].concat());
        assert_eq!((ran.code, ran.text()), (3, "a\nb\n"), "{rest}");
        assert!(ran.err.contains("standard input: bytes other than zeros behind the gzip data"), "{}", ran.err);
    }
}

#[test]
fn binary_input_is_named() {
    for (bytes, name) in [(&b"\x7fELF\x02\0\n"[..], "binary"), (b"PK\x03\x04\0\n", "zip")] {
        let (_dir, paths) = files(&[bytes]);
        let (path, ran) = (&paths[0], lately(&["--last", "9", &paths[0]], ""));
        assert_eq!((ran.code, ran.out.as_slice()), (0, bytes));
        assert_eq!(ran.err, format!("lately: {path}: this is {name}, not text, and is read as it is\n"));
        assert!(lately(&["--last", "9"], bytes).err.starts_with("lately: standard input: this is "));
    }
    assert_eq!(quiet(&["--last", "9", "-z"], b"a\0b\0").out, b"a\0b\0", "NUL ends records there");
    // Also where the first bytes could be text.
    let late = [&b"a line of text\n".repeat(500)[..], b"\0\n"].concat();
    assert_eq!(
        lately(&["--last", "9"], &late).err,
        "lately: standard input: this is binary, not text, and is read as it is\n"
    );
}
