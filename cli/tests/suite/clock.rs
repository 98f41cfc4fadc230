//! Event time: windows, late records, refused ones and gaps, bad records.

use crate::common;

use common::{Ran, lately, quiet};

/// Lines of `seconds key`, judged with a window of 10 s and steps of at most 100 s, every one with its verdict.
fn judged(args: &[&str], lines: &[(u64, &str)]) -> Ran {
    let text: String = lines.iter().map(|(at, key)| format!("{at} {key}\n")).collect();
    let fixed = ["--window", "10s", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let step = if args.contains(&"--max-step") { &[][..] } else { &["--max-step", "100s"] };
    lately(&[&fixed[..], step, &["--report", "json", "--flag"], args].concat(), text)
}

#[test]
fn the_window_counts_in_event_time() {
    let ran = judged(&[], &[(50, "a"), (60, "a"), (70, "a"), (82, "a"), (90, "z")]);
    let words = ["new", "duplicate", "duplicate", "new", "new"];
    assert_eq!(
        ran.words(),
        words,
        "the age counts from the last sighting, and a generation is a seventh of the window"
    );
    let first = judged(&["--first"], &[(50, "a"), (60, "a"), (69, "a"), (79, "a")]);
    assert_eq!(first.words(), ["new", "duplicate", "new", "duplicate"], "the age counts from the one that was new");
    let refresh = judged(&["--refresh"], &[(50, "a"), (60, "a"), (69, "a"), (79, "a")]);
    assert_eq!(refresh.words(), ["new", "duplicate", "duplicate", "duplicate"]);
}

/// Date and time in two fields (log4j, PostgreSQL, nginx), syslog without a year, mails.
#[test]
fn times_of_several_fields_and_without_a_year() {
    let twice = |args: &[&str], first: &str, second: &str| {
        let fixed = ["--window", "10s", "-d"];
        let lines = format!("{first} a x\n{second} a x\n");
        let found = quiet(&[&fixed[..], args].concat(), &lines).text().lines().count();
        let late = ["--window", "4s", "-d"];
        (found, quiet(&[&late[..], args].concat(), &lines).text().lines().count())
    };
    let by_blanks = ["-t", " ", "-k", "3", "--time-field", "1-2"];
    for (format, first, second) in [
        ("rfc3339", "2015-10-18 18:01:47,978", "2015-10-18 18:01:56,978"),
        ("rfc3339", "2015-10-18 18:01:47.978", "2015-10-18 18:01:56"),
        ("strptime:%Y/%m/%d %H:%M:%S", "2015/10/18 23:59:59", "2015/10/19 00:00:08"),
    ] {
        assert_eq!(twice(&[&by_blanks[..], &["--time-format", format]].concat(), first, second), (1, 0), "{format}");
    }
    let syslog = ["-t", "blank", "-k", "4", "--time-field", "1-3", "--time-format", "syslog"];
    assert_eq!(twice(&syslog, "Mar  1 12:00:00", "Mar  1 12:00:09"), (1, 0));
    assert_eq!(twice(&syslog, "Dec 31 23:59:59", "Jan  1 00:00:08"), (1, 0), "over the end of a year");
    let mail = ["-t", "|", "-k", "2", "--time-field", "1", "--time-format", "rfc2822", "-d", "--window", "10s"];
    let lines = "Sun, 17 May 2015 10:05:03 GMT|a\nSun, 17 May 2015 06:05:12 EDT|a\n";
    assert_eq!(quiet(&mail, lines).text().lines().count(), 1);
    let csv = "day,key,hour\n2015-10-18,a,18:01:47\n2015-10-18,a,18:01:56\n";
    for fields in ["day,hour", "1,3", "1,-1"] {
        let args = ["--window", "10s", "--csv", "-k", "key", "--time-field", fields, "-d"];
        assert_eq!(quiet(&args, csv).text(), "day,key,hour\n2015-10-18,a,18:01:56\n", "{fields}");
    }
    let named = "\"at,on\",key\n2015-10-18T18:01:47Z,a\n2015-10-18T18:01:48Z,a\n";
    let args = ["--window", "10s", "--csv", "-k", "key", "--time-field", "at,on", "-d"];
    assert_eq!(quiet(&args, named).text().lines().count(), 2, "a name comes before a list");
}

#[test]
fn csv_and_json_have_event_times() {
    let csv = "at,id\n1.5,a\n9.5,a\n60,a\n";
    let args = ["--window", "10s", "--csv", "-k", "id", "--time-field", "at", "--time-format", "epoch", "-d"];
    assert_eq!(quiet(&args, csv).text(), "at,id\n9.5,a\n");
    let json = "{\"t\":1.5,\"i\":1}\n{\"t\":\"9.5\",\"i\":1}\n{\"t\":60,\"i\":1}\n";
    let args = ["--window", "10s", "--json", "/i", "--time-field", "/t", "--time-format", "epoch", "-d"];
    assert_eq!(quiet(&args, json).text(), "{\"t\":\"9.5\",\"i\":1}\n");
    // Whole records with a time.
    let args = ["--window", "10s", "--time-field", "1", "--time-format", "epoch"];
    assert_eq!(quiet(&args, "1\ta\n1\ta\n1\tb\n").text(), "1\ta\n1\tb\n");
}

#[test]
fn late_records_are_judged_at_the_clock() {
    // The clock is 50: b is late, c too late, and both are stamped with 50.
    let ran = judged(&[], &[(50, "a"), (45, "a"), (40, "b"), (39, "c"), (60, "c"), (60, "b")]);
    assert_eq!(ran.words(), ["new", "duplicate", "new", "new", "duplicate", "duplicate"]);
    assert_eq!(["late", "too_late"].map(|name| ran.count(name)), [3, 1]);
}

#[test]
fn too_late_records_can_be_dropped() {
    let ran = judged(&["--late", "drop"], &[(50, "a"), (40, "b"), (39, "c"), (50, "c")]);
    assert_eq!(ran.text(), "50 a new\n40 b new\n50 c new\n", "c at 39 is neither printed nor observed");
    assert_eq!(["read", "new", "late", "too_late"].map(|name| ran.count(name)), [4, 3, 2, 1]);
    let ran = judged(&["--late", "pass"], &[(50, "a"), (40, "b"), (39, "c"), (50, "c")]);
    assert_eq!(ran.text(), "50 a new\n40 b new\n39 c late\n50 c new\n", "printed, and not observed");
}

#[test]
fn records_far_ahead_are_refused_and_named() {
    let ran = judged(&[], &[(50, "a"), (151, "b"), (150, "b"), (150, "a")]);
    assert_eq!(ran.words(), ["new", "refused", "new", "new"], "the refused one was not observed");
    assert_eq!((ran.count("refused"), ran.count("gaps"), ran.code), (1, 0, 0));
    assert!(ran.err.contains("line 2: refused: 1m41s ahead of the clock"), "{}", ran.err);
}

#[test]
fn refused_records_are_kept_or_dropped_in_every_mode() {
    let input = "50 a\n50 a\n500 b\nx c\n";
    let fixed =
        ["--window", "10s", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch", "--max-step", "1m"];
    for (args, text) in [
        (&[][..], "50 a\n500 b\nx c\n"),
        (&["-d"], "50 a\n500 b\nx c\n"),
        (&["--flag"], "50 a new\n50 a duplicate\n500 b refused\nx c bad\n"),
        (&["--bad", "drop"], "50 a\n"),
        (&["--bad", "drop", "-d"], "50 a\n"),
        (&["--bad", "drop", "--flag"], "50 a new\n50 a duplicate\n"),
    ] {
        let ran = lately(&[&fixed[..], args].concat(), input);
        assert_eq!((ran.text(), ran.code), (text, 0), "{args:?}");
        assert!(ran.err.contains("1 bad record and 1 refused record\n"), "{}", ran.err);
        assert_eq!(lately(&[&fixed[..], args, &["--strict"]].concat(), input).code, 3);
    }
}

#[test]
fn a_gap_is_real_after_a_hundred_refused_records() {
    let mut lines = vec![(50, "a")];
    lines.extend((0..100).map(|i| (1100 - i, "a")));
    lines.push((1100, "a"));
    let ran = judged(&[], &lines);
    let words = ran.words();
    assert!(words[0] == "new" && words[101] == "new" && words[1..101].iter().all(|word| *word == "refused"));
    assert_eq!(["refused", "gaps", "new", "late"].map(|name| ran.count(name)), [100, 1, 2, 0]);
    assert!(ran.err.contains("0 bad records and 100 refused records; 1 gap in time was real"), "{}", ran.err);
    assert_eq!(ran.err.lines().filter(|line| line.contains("ahead of the clock")).count(), 10, "ten are named");
}

#[test]
fn bad_records_are_named_counted_and_kept() {
    let input = "1 a\nno-time b\n2\n\n3 c\n";
    let args = ["--window", "10s", "-t", " ", "-k", "2", "--time-field", "1", "--time-format", "epoch"];
    let ran = lately(&args, input);
    assert_eq!((ran.text(), ran.code), (input, 0));
    assert!(ran.err.contains("line 2: time \"no-time\" is not seconds since 1970"), "{}", ran.err);
    assert!(ran.err.contains("line 3: no field 2") && ran.err.contains("line 4: no field 2"), "{}", ran.err);
    assert!(ran.err.contains("3 bad records and 0 refused records"), "{}", ran.err);
}

#[test]
fn bad_json_and_csv_records_are_named() {
    let input = "{\"a\":1}\n{\"a\":\n{}\n[]\n{\"a\":1} x\n\n";
    let ran = lately(&["--window", "10s", "--json", "/a", "--flag"], input);
    let want = input.trim_end().replacen('}', ",\"lately\":\"new\"}", 1) + "\n";
    assert_eq!(ran.text(), want, "bad records go out as they came, and a blank line is none");
    assert!(ran.err.contains("line 2: not JSON: EOF while parsing a value, at its byte 5\n"), "{}", ran.err);
    assert!(ran.err.contains("line 3: no value at \"/a\""), "{}", ran.err);
    let ran = lately(&["--window", "10s", "--csv", "-k", "b"], "a,b\n\"x\ny\",1\n2\n\n");
    assert_eq!(ran.text(), "a,b\n\"x\ny\",1\n2\n");
    assert!(ran.err.contains("line 4: no field 2") && !ran.err.contains("line 5"), "{}", ran.err);
}

#[test]
fn at_most_ten_bad_records_are_named_and_all_counted() {
    let ran = lately(&["--window", "10s", "-k", "2", "--report", "json"], "x\n".repeat(1000));
    assert_eq!((ran.count("bad"), ran.text().len()), (1000, 2000));
    assert_eq!(ran.err.lines().filter(|line| line.contains("no field")).count(), 10);
}

#[test]
fn bad_records_of_files_carry_the_name_and_their_own_line() {
    let (_dir, paths) = common::files(&["1\t2\nx\n"]);
    let ran = lately(&["--window", "10s", "-k", "2", &paths[0], &paths[0]], "");
    assert_eq!(ran.err.matches("0: line 2: no field 2").count(), 2, "{}", ran.err);
}

/// Without a year, times follow the order of the log: 29 February is that of the year in which it exists.
#[test]
fn times_without_a_year_follow_their_order() {
    let flags = |args: &[&str], input: &str| {
        let all = [&["--window", "1m", "--time-field", "1", "-k", "2", "--flag"], args].concat();
        quiet(&all, input).words().join(" ")
    };
    let leap = "Feb 28 23:59:50\ta\nFeb 29 00:00:10\ta\nFeb 29 00:00:20\ta\nMar  1 00:00:00\ta\n";
    let judged = "new duplicate duplicate new";
    assert_eq!(flags(&["--time-format", "syslog", "--year", "2024"], leap), judged);
    assert_eq!(flags(&["--time-format", "strptime:%b %d %H:%M:%S", "--year", "2024"], leap), judged);
    let alone = "Feb 29 12:00:00\ta\nFeb 29 12:00:01\ta\n";
    assert_eq!(flags(&["--time-format", "syslog"], alone), "new duplicate");
    let new_year = "Dec 31 23:59:50\ta\nJan  1 00:00:10\ta\n";
    assert_eq!(flags(&["--time-format", "syslog", "--year", "2025"], new_year), "new duplicate");
}

#[test]
fn lateness_and_what_comes_after_it_are_one_option() {
    let timed = ["--window", "10s", "--time-field", "1", "--time-format", "epoch", "-k", "2", "--mark"];
    let words = |args: &[&str]| {
        let ran = lately(&[&timed[..], args].concat(), "100\ta\n95\tb\n70\tc\n");
        ran.words().join(" ")
    };
    assert_eq!(words(&["--late", "5s,pass"]), "new new late");
    assert_eq!(words(&["--late", "drop"]), "new new");
    let lateness =
        |args: &[&str]| lately(&[&timed[..], args, &["--report", "json"]].concat(), "1\ta\n").count("lateness_ns");
    assert_eq!([lateness(&["--late", "5s"]), lateness(&["--late", "5s,drop"])], [5_000_000_000; 2]);
}
