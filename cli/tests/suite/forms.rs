//! Files in the forms that other tools write: without quotes, with other quotes, with lines before them, in UTF-16, packed, or with JSON
//! values one behind another.

use crate::common;

use std::io::Write;

use common::{files, lately, out, quiet};

#[test]
fn tsv_has_no_quotes() {
    let swallowed = "id\ttext\n1\tfirst\n1\t\"Hello\n2\tworld\n3\tBye\"\n";
    assert_eq!(out(&["--tsv", "-k", "id"], swallowed), "id\ttext\n1\tfirst\n2\tworld\n3\tBye\"\n");
    let titles = "tconst\ttitle\ntt1\t\"Swing it\" magistern\ntt1\t\"Swing it\" magistern\n";
    let flagged = "tconst\ttitle\tlately\ntt1\t\"Swing it\" magistern\tnew\ntt1\t\"Swing it\" magistern\tduplicate\n";
    assert_eq!(out(&["--tsv", "-k", "tconst", "--flag"], titles), flagged);
    assert_eq!(out(&["--csv", "-t", "\\t", "--quote", "none", "-k", "title", "--flag"], titles), flagged);
    assert_eq!(out(&["--tsv", "--no-header", "-k", "2"], "1\ta\\tb\n2\ta\\tb\n3\tatb\n"), "1\ta\\tb\n3\tatb\n");
    assert_eq!(out(&["--tsv", "-k", "a", "--flag"], "a\tb\n1\n"), "a\tb\tlately\n1\t\tnew\n");
}

#[test]
fn csv_between_tabs_with_odd_quotes_leads_to_tsv() {
    let hint = "line 3: quotes join lines here, or are no marks of a field: --tsv reads a file that has none\n";
    let swallowed = "id\ttext\n1\tfirst\n1\t\"Hello\n2\tworld\n3\tBye\"\n4\t\"a\nb\"\n";
    let ran = lately(&["--last", "99", "--csv", "-t", "\\t", "-k", "id"], swallowed);
    assert_eq!((ran.code, ran.err), (0, format!("lately: {hint}")));
    let ran =
        lately(&["--last", "99", "--csv", "-t", "\\t", "-k", "id"], "id\ttext\n1\t\"a\"\n2\t\"a\" b\n3\t\"c\" d\n");
    assert!(ran.err.starts_with(&format!("lately: {hint}")) && ran.err.matches("--tsv").count() == 1, "{}", ran.err);
    quiet(&["--last", "99", "--csv", "-t", "\\t", "--quote", "\"", "-k", "id"], "id\n\"1\n2\"\n");
    quiet(&["--last", "99", "--csv", "-k", "id"], "id\n\"1\n2\"\n");
}

#[test]
fn csv_quotes_and_escapes_can_be_others() {
    let spark = "id,x\n1,\"say \\\"hi\\\", ok\"\n1,\"say \\\"hi\\\", ok\"\n2,\"\\\"\n\"\n";
    assert_eq!(
        out(&["--csv", "--escape", "\\", "-k", "id"], spark),
        spark.replacen("1,\"say \\\"hi\\\", ok\"\n", "", 1)
    );
    assert_eq!(
        out(&["--csv", "--escape", "\\", "-k", "x"], "x\n\"\\\"\"\n\"\"\"\"\n\"\\\\\"\n"),
        "x\n\"\\\"\"\n\"\\\\\"\n"
    );
    // The escape stays in the text except before a quote, and outside quotes it is a byte like any other.
    let typed = "x\n\"\\t\"\nt\n\\t\nC:\\,a\nC:\\,b\n";
    assert_eq!(out(&["--csv", "--escape", "\\", "-k", "x"], typed), "x\n\"\\t\"\nt\nC:\\,a\n");
    let mysql = "1\ta\\\tb\t\\N\n2\ta\\\nb\t\\N\n1\t\\\\\tx\n";
    let bare = ["--csv", "--no-header", "-t", "\\t", "--quote", "none", "--escape", "\\", "-k"];
    assert_eq!(out(&[&bare[..], &["1"]].concat(), mysql), "1\ta\\\tb\t\\N\n2\ta\\\nb\t\\N\n");
    assert_eq!(out(&[&bare[..], &["3"]].concat(), mysql), "1\ta\\\tb\t\\N\n1\t\\\\\tx\n");
    let single = "a,b\n'1,2',x\n'1,2',y\n'it''s',\"\n";
    assert_eq!(out(&["--csv", "--quote", "'", "-k", "a"], single), "a,b\n'1,2',x\n'it''s',\"\n");
    let named = out(&["--csv", "--quote", "'", "--flag", "--flag-name", "it's, or not"], "a\n1\n");
    assert_eq!(named, "a,'it''s, or not'\n1,new\n");
}

#[test]
fn lines_that_are_no_records_go_out_as_they_came() {
    let excel = "sep=;\r\nid;x\r\n1;a\r\n1;b\r\n";
    assert_eq!(out(&["--csv", "-t", ";", "--skip", "1", "-k", "id"], excel), "sep=;\r\nid;x\r\n1;a\r\n");
    let flagged = "sep=;\r\nid;x;lately\r\n1;a;new\r\n1;b;duplicate\r\n";
    assert_eq!(out(&["--csv", "-t", ";", "--skip", "1", "-k", "id", "--flag"], excel), flagged);
    let w3c = "#Fields: date c-ip\n2026-03-01T12:00:00Z 1.2.3.4\n#Fields: date c-ip\n2026-03-01T12:00:01Z 1.2.3.4\n";
    let args = ["--window", "1h", "-t", " ", "-k", "2", "--time-field", "1", "--comment", "#", "--report", "json"];
    let ran = lately(&args, w3c);
    assert_eq!(ran.text(), "#Fields: date c-ip\n2026-03-01T12:00:00Z 1.2.3.4\n#Fields: date c-ip\n");
    assert_eq!(["read", "new", "bad"].map(|name| ran.count(name)), [2, 1, 0]);
    // A comment has no quotes, and is printed where it was.
    let quoted = "# a,\"b\nid\n1\n#,\"\n1\n\"#\"\n";
    assert_eq!(
        out(&["--csv", "-k", "id", "--comment", "#", "--flag"], quoted),
        "# a,\"b\nid,lately\n1,new\n#,\"\n1,duplicate\n\"#\",new\n"
    );
    assert_eq!(out(&["--json", "/a", "--comment", "/"], "{\"a\":1}\n// {\n{\"a\":1}\n"), "{\"a\":1}\n// {\n");
    assert_eq!(out(&["--skip", "2", "-d"], "a\na\na\na\n"), "a\na\na\n");
    assert_eq!(out(&["--skip", "9"], "a\na"), "a\na");
    // Of a later file they are as its header, which is not printed either.
    let (_dir, paths) = files::<&[u8]>(&[b"made today\nid\n1\n", b"made yesterday\nid\n1\n2\n"]);
    assert_eq!(out(&["--csv", "--skip", "1", "-k", "id", &paths[0], &paths[1]], ""), "made today\nid\n1\n2\n");
}

#[test]
fn json_values_behind_each_other_are_records() {
    let lines = "{\"id\":1}\n{\"id\":2}\n";
    for firehose in [
        "{\"id\":1}{\"id\":1}{\"id\":2}",
        "{\"id\":1} {\"id\":1}\n{\"id\":2}\n\n",
        "{\"id\":1}{\"id\":1}\r\n{\"id\":2}{\"id\":1}",
    ] {
        assert_eq!(out(&["--json", "/id"], firehose), lines, "{firehose}");
        assert_eq!(out(&["--json", "/id", "--json-seq"], firehose), lines, "{firehose}");
    }
    let flagged = out(&["--json", "/id", "--flag"], "{\"id\":1}{\"id\":1}");
    assert_eq!(flagged, "{\"id\":1,\"lately\":\"new\"}\n{\"id\":1,\"lately\":\"duplicate\"}\n");
    let rfc7464 = "\u{1e}{\"id\":1}\n\u{1e}{\"id\":1}\n\u{1e}{\"id\":2}\n";
    assert_eq!(out(&["--json", "/id"], rfc7464), "\u{1e}{\"id\":1}\n\u{1e}{\"id\":2}\n");
    let pretty = "{\n  \"id\": 1\n}\n{\n  \"id\": 1\n}\n";
    assert_eq!(out(&["--json", "/id", "--json-seq"], pretty), "{\n  \"id\": 1\n}\n");
    // One that is cut off costs no other; lines are counted.
    let cut = "\u{1e}{\"id\":1\n\u{1e}{\"id\":1}\n\u{1e}nonsense\n\u{1e}{\"id\":1}";
    let ran = lately(&["--last", "9", "--json", "/id", "--report", "json"], cut);
    assert_eq!(["read", "new", "duplicate", "bad"].map(|name| ran.count(name)), [4, 1, 1, 2]);
    assert!(ran.err.contains("line 1: not JSON") && ran.err.contains("line 3: not JSON"), "{}", ran.err);
    let ran = lately(&["--last", "9", "--json", "/id", "--report", "json"], "{\"id\":1} x\n{\"id\":1}\n");
    assert_eq!(["read", "bad"].map(|name| ran.count(name)), [2, 1], "a value and a word are no two values");
    assert_eq!(out(&["--json", "/id", "--exec", "true"], "{\"id\":1}{\"id\":2}"), lines);
}

/// However many there are, and wherever the bytes are cut.
#[test]
fn json_values_behind_each_other_may_be_many() {
    let value = |i: usize| format!("{{\"id\":{},\"x\":\"{}\"}}", i % 60_000, "}\\\"".repeat(1 + i % 30));
    let ran = quiet(&["--last", "1e6", "--json", "/id"], (0..70_000).map(value).collect::<String>());
    assert!(ran.text().lines().eq((0..60_000).map(value)));
}

#[test]
fn utf16_is_read_by_its_mark() {
    let text = "id,x\r\n1,\u{e9}\r\n1,\u{1f600}\r\n2,b\r\n";
    let coded =
        |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect() };
    for coded in [coded(u16::to_le_bytes), coded(u16::to_be_bytes)] {
        let ran = lately(&["--last", "9", "--csv", "-k", "id"], &coded);
        assert_eq!((ran.code, ran.text()), (0, "id,x\r\n1,\u{e9}\r\n2,b\r\n"), "{}", ran.err);
        assert_eq!(ran.err, "lately: standard input: this is UTF-16, and is read and written as UTF-8\n");
    }
    assert_eq!(quiet(&["--last", "9", "-z"], b"\xff\xfea\0").out, b"\xff\xfea\0", "NUL ends records there");
}

#[test]
fn records_that_end_otherwise_are_reported() {
    let mac = lately(&["--last", "9", "--csv", "-k", "id"], "id,x\r1,a\r1,b\r");
    assert!(mac.err.contains("whose lines end with CR alone"), "{}", mac.err);
    let lines = lately(&["--last", "9", "-z"], "a\nb\na\n");
    assert!(lines.err.contains("whose lines end with a line feed: without -z"), "{}", lines.err);
    quiet(&["--last", "9"], "a\rb\rc\n");
    quiet(&["--last", "9", "-z"], "a\nb\n\0");
}

/// `printf 'a\nb\na\n' | xz`
const XZ: &[u8] = b"\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\x01\x00\x05\x61\x0a\x62\x0a\x61\x0a\x00\x00\x00\xfa\x3a\x24\x07\x03\xb2\xb0\x25\x00\x01\x1e\x06\xc1\x2f\xa4\x1d\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59\x5a";

#[cfg(unix)]
#[test]
fn xz_bzip2_and_lz4_are_undone() {
    let text = b"a\nb\na\n";
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text).unwrap();
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(text).unwrap();
    for (name, bytes) in [("xz", XZ.to_vec()), ("bzip2", bzip2.finish().unwrap()), ("lz4", lz4.finish().unwrap())] {
        let (_dir, paths) = files(&[&bytes, &[&bytes[..], &bytes].concat(), &bytes[..bytes.len() - 1]]);
        assert_eq!(out(&[], &bytes), "a\nb\n", "{name}");
        assert_eq!(
            out(&["--flag", &paths[1]], ""),
            "a\tnew\nb\tnew\na\tduplicate\n".to_owned() + "a\tduplicate\nb\tduplicate\na\tduplicate\n",
            "{name}"
        );
        let cut = lately(&["--last", "9", &paths[2], "-"], "c\n");
        assert_eq!((cut.code, cut.err), (3, format!("lately: {}: the {name} data is cut off\n", paths[2])));
        assert!(cut.out.ends_with(b"c\n"), "the next input is read");
        let mut odd = bytes.clone();
        odd[bytes.len() / 2] ^= 0x20;
        let odd = lately(&["--last", "9"], &odd);
        assert!(odd.code == 3 && odd.err.contains(&format!("the {name} data is ")), "{name}: {}", odd.err);
    }
}

#[test]
fn names_of_files_come_from_a_list() {
    let (dir, paths) = files(&[b"a\nb\n", b"b\nc\n"]);
    let list = paths.join("\0") + "\0";
    assert_eq!(out(&["--files0-from", "-"], &list), "a\nb\nc\n");
    let path = dir.path().join("list");
    std::fs::write(&path, list.trim_end_matches('\0')).unwrap();
    assert_eq!(out(&["--files0-from", path.to_str().unwrap()], "x\n"), "a\nb\nc\n");
    assert_eq!(out(&["--files0-from", "-"], ""), "", "an empty list names no file, and not standard input");
    for wrong in ["a\0\0b\0", "-\0"] {
        lately(&["--last", "9", "--files0-from", "-"], wrong).refused(2, &["'-' for '--files0-from'"]);
    }
    assert_eq!(lately(&["--last", "9", "--files0-from", "no/such/list"], "").code, 3);
}
