//! What users of awk, uniq, cut, qsv, miller and jq expect to write, and to read.

use crate::common;

use common::{files, lately, out, place, quiet};

#[test]
fn fields_count_from_either_end() {
    let lines = "a b c\na x c\na b\nz b c\n";
    assert_eq!(out(&["-t", " ", "-k", "-1"], lines), "a b c\na b\n");
    assert_eq!(out(&["-t", " ", "-k", "2-"], lines), "a b c\na x c\na b\n");
    assert_eq!(out(&["-t", " ", "-k", "1,-2"], "a b c\na b d\na c d\n"), "a b c\na c d\n");
    let ran = lately(&["--last", "9", "-t", " ", "-k", "-3"], lines);
    assert!(ran.err.contains("line 3: no field -3"), "{}", ran.err);
}

#[test]
fn runs_of_blanks_part_fields() {
    let lines = "a  b\n  a\t b \na c\nab\n";
    let ran = lately(&["--last", "9", "-t", "blank", "-k", "2"], lines);
    assert_eq!(ran.text(), "a  b\na c\nab\n");
    assert!(ran.err.contains("line 4: no field 2"), "{}", ran.err);
    assert_eq!(out(&["-t", "blank", "-k", "1", "--flag"], "a  b\n"), "a  b new\n");
}

#[test]
fn csv_columns_have_names_and_numbers() {
    let csv = "id,2,at\n1,x,7\n2,x,7\n2,y,8\n";
    assert_eq!(out(&["--csv", "-k", "1"], csv), "id,2,at\n1,x,7\n2,x,7\n");
    assert_eq!(out(&["--csv", "-k", "2"], csv), "id,2,at\n1,x,7\n2,y,8\n", "a name comes before a number");
    assert_eq!(out(&["--csv", "-k", "-1"], csv), out(&["--csv", "-k", "at"], csv));
    assert_eq!(out(&["--csv", "-k", "2-3"], csv), out(&["--csv", "-k", "2,at"], csv));
    lately(&["--last", "9", "--csv", "-k", "4"], csv).refused(2, &["'4' for '--key'", "1 to 3: id, 2, at"]);
}

/// Files whose columns stand in another order are read by name and printed in the order of the first.
#[test]
fn csv_columns_in_any_order_are_found() {
    let (_dir, paths) = files(&["a,b,c\n1,\"x,\",p\n", "c,a,b\r\nq,1,z\r\n\"r\n\",2,\"y\"\n", "c,b,a\ns,w,3\nt,4\n"]);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    for key in ["a", "1", "-3"] {
        let ran = lately(&[&["--last", "9", "--csv", "-k", key], &paths[..]].concat(), "");
        assert_eq!(ran.text(), "a,b,c\n1,\"x,\",p\n2,\"y\",\"r\n\"\n3,w,s\nt,4\n", "{key}");
        assert!(ran.err.contains("2: line 3: 2 fields where the header has 3"), "{}", ran.err);
    }
    let ran = lately(&[&["--last", "9", "--csv", "-k", "a", "--flag", "--bad", "drop"], &paths[..]].concat(), "");
    assert_eq!(ran.text(), "a,b,c,lately\n1,\"x,\",p,new\n1,z,q,duplicate\r\n2,\"y\",\"r\n\",new\n3,w,s,new\n");
    // Of columns of one name the first is the first.
    let (_dir, paths) = files(&["a,b,c,b\n1,2,3,4\n", "b,c,b,a\n5,6,\"7,\"\"\",8\n", "b,c,b,a,b\n"]);
    assert_eq!(out(&["--csv", &paths[0], &paths[1]], ""), "a,b,c,b\n1,2,3,4\n8,5,6,\"7,\"\"\"\n");
    let ran = lately(&["--last", "9", "--csv", &paths[0], &paths[2]], "");
    assert!(ran.code == 3 && ran.err.contains("its header is not that of the first file"), "{}", ran.err);
}

#[test]
fn a_verdict_is_a_member_of_a_json_object() {
    let lines = "{\"a\":1}\n {\"b\":[],\"a\" : 1 } \r\n{}\n[1]\n{\"a\":\n{\"a\":2,\"lately\":0}\n";
    let ran = lately(&["--last", "9", "--json", "/a", "--flag"], lines);
    let want = "{\"a\":1,\"lately\":\"new\"}\n {\"b\":[],\"a\" : 1 ,\"lately\":\"duplicate\"} \r\n{}\n[1]\n{\"a\":\n{\"a\":2,\"lately\":0}\n";
    assert_eq!(ran.text(), want);
    assert!(ran.err.contains("line 4: not a JSON object, to which --mark could add"), "{}", ran.err);
    assert!(ran.err.contains("line 6: it has a value at \"/lately\": see --mark-name"), "{}", ran.err);
    let named = out(&["--json", "", "--flag", "--flag-name", "say \"it\""], "{}\n{\"lately\":0}\n");
    assert_eq!(named, "{\"say \\\"it\\\"\":\"new\"}\n{\"lately\":0,\"say \\\"it\\\"\":\"new\"}\n");
    assert!(named.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    let ages = out(&["--json", "/a", "--flag=age"], "{\"a\":1}\n{\"a\":1}\n");
    assert!(
        ages.starts_with("{\"a\":1,\"lately\":\"new\",\"lately_at_least\":null,\"lately_at_most\":null}\n"),
        "{ages}"
    );
    assert!(
        ages.lines().nth(1).unwrap().starts_with("{\"a\":1,\"lately\":\"duplicate\",\"lately_at_least\":"),
        "{ages}"
    );
    assert!(ages.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{ages}");
    let late = ["--window", "10s", "--json", "/a", "--time-field", "/t", "--time-format", "epoch", "--flag"];
    let input = "{\"a\":1,\"t\":100}\n{\"a\":2,\"t\":50}\n{\"a\":3,\"t\":9e9}\n";
    let ran = lately(&[&late[..], &["--late", "pass"]].concat(), input);
    let words = ["new", "late", "refused"].map(|word| format!(",\"lately\":\"{word}\"}}"));
    assert!(ran.text().lines().zip(&words).all(|(line, word)| line.ends_with(word)), "{}", ran.text());
}

#[test]
fn a_verdict_is_a_column_of_csv() {
    let csv = "a,b\n1,x\n1,\"y\n";
    let ran = lately(&["--last", "9", "--csv", "-k", "a", "--flag", "--flag-name", "seen, or not"], csv);
    assert_eq!(ran.text(), "a,b,\"seen, or not\"\n1,x,new\n1,\"y\n");
    lately(&["--last", "9", "--csv", "--flag", "--flag-name", "b"], csv).refused(2, &["'b' for '--mark-name'"]);
}

#[test]
fn top_lists_the_keys_repeated_most_often() {
    let lines: String = (0..3000).map(|i| format!("x\t{}\n", if i % 3 == 0 { 7 } else { i % 100 })).collect();
    let ran = lately(&["--last", "9e3", "-k", "1,2", "--top", "2"], &lines);
    let keys: Vec<&str> = ran.err.lines().collect();
    assert_eq!(keys[0].trim_start(), "1019  x 7", "{}", ran.err);
    assert!(keys.len() == 2 && keys[1].trim_start().starts_with("19  x "), "{}", ran.err);
    let ran = lately(&["--last", "9e3", "-k", "2", "--top", "1", "--report", "json"], &lines);
    let top = ran.err.lines().last().unwrap();
    assert_eq!(top, "{\"top\":[{\"at_least\":1019,\"at_most\":1019,\"key\":\"7\"}]}");
}

/// The duplicates go to a file, in order and as they came; the rest is as without it.
#[test]
fn repeats_go_to_the_file_of_their_option() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (repeats, input) = (path("repeats"), path("input"));
    let lines: String = (0..20_000).map(|i| format!("{i}\t{}\n", i % 700)).collect();
    for args in [&["-k", "2"][..], &["-k", "2", "--line-buffered"]] {
        let args = [&["--last", "1000", "--error", "1e-6", "--repeats", &repeats], args].concat();
        let ran = quiet(&args, &lines);
        let split: String = lines.lines().take(700).map(|line| format!("{line}\n")).collect();
        assert_eq!(ran.text(), split);
        assert_eq!(split + &std::fs::read_to_string(&repeats).unwrap(), lines);
    }
    let read = |args: &[&str], input: &str| {
        let ran = lately(&[&["--last", "9", "--repeats", &repeats], args].concat(), input);
        assert_eq!(ran.code, 0, "{}", ran.err);
        (ran.text().to_owned(), std::fs::read_to_string(&repeats).unwrap())
    };
    let csv = "a,b\n1,x\n1,y\n";
    assert_eq!(read(&["--csv", "-k", "a"], csv), ("a,b\n1,x\n".into(), "a,b\n1,y\n".into()));
    assert_eq!(
        read(&["-k", "2"], "x\n1\ta\n2\ta"),
        ("x\n1\ta\n".into(), "2\ta".into()),
        "bad records are no duplicates"
    );
    assert_eq!(read(&[], "a\n"), ("a\n".into(), String::new()), "what was there is replaced");
    std::fs::write(&input, "a\na\n").unwrap();
    let said = "for '--repeats': must be a file that is not read";
    lately(&["--last", "9", "--repeats", &input, &input], "").refused(2, &[said]);
    assert_eq!(std::fs::read_to_string(&input).unwrap(), "a\na\n");
    lately(&["--last", "9", "--repeats", &path("no/such/folder")], "a\n").refused(3, &["no/such/folder: "]);
}

/// What cannot be written to it is an error, and the state stays as it was.
#[cfg(target_os = "linux")]
#[test]
fn repeats_that_cannot_be_written_are_an_error() {
    let (_dir, state) = place("state");
    let ran = lately(&["--last", "9", "--repeats", "/dev/full", "--state", &state], "a\na\n");
    assert!(ran.code == 3 && ran.err.contains("/dev/full: "), "{}", ran.err);
    assert!(!std::path::Path::new(&state).exists());
}

/// `lately FILE` is `uniq` over everything, and reports what it could not keep.
#[test]
fn nothing_asked_for_is_uniq_over_everything() {
    let lines: String = (0..200_000).map(|i| format!("{}\n", i % 90_000)).collect();
    let all: String = (0..90_000).map(|i| format!("{i}\n")).collect();
    assert!(quiet(&[], &lines).text() == all);
    assert!(quiet(&["--flag"], "a\na\n").text() == "a\tnew\na\tduplicate\n");
    let (_dir, state) = place("state");
    assert_eq!(quiet(&["--state", &state], "a\n").text(), "a\n");
    assert_eq!(quiet(&["--state", &state], "a\nb\n").text(), "b\n");
    let ran = lately(&["--state", &state, "--memory", "16K"], &lines);
    let said = "lately: the limit --memory 16K could not contain the keys of all records: those older than ";
    assert!(ran.code == 0 && ran.err.lines().any(|line| line.starts_with(said)), "{}", ran.err);
}

#[test]
fn unknown_csv_columns_are_named_with_the_header() {
    let csv = ["--window", "10m", "--csv"];
    for (args, words) in [
        (["-k", "user"], ["--key", "'user'", "id, at, id"]),
        (["-k", "id"], ["--key", "'id'", "only once"]),
        (["--time-field", "ts"], ["--time-field", "'ts'", "id, at, id"]),
    ] {
        lately(&[&csv[..], &args[..]].concat(), "id,at,id\n1,2,3\n").refused(2, &words);
    }
}
