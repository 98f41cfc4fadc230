//! Records and keys: every byte comes out as it went in, in order, and keys are what the options say.

use crate::common;

use common::{files, lately, quiet};

const W: [&str; 2] = ["--window", "1h"];

fn with<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&W[..], args].concat()
}

fn out(args: &[&str], input: impl AsRef<[u8]>) -> String {
    quiet(&with(args), input).text().to_owned()
}

#[test]
fn first_sightings_come_out_in_order() {
    assert_eq!(out(&[], "c\na\nc\nb\na\n"), "c\na\nb\n");
    assert_eq!(out(&[], ""), "");
    assert_eq!(out(&[], "\n\n"), "\n");
}

#[test]
fn duplicates_or_all_can_be_shown() {
    assert_eq!(out(&["-d"], "c\na\nc\nb\na\n"), "c\na\n");
    assert_eq!(out(&["--flag"], "c\na\nc"), "c\tnew\na\tnew\nc\tduplicate");
    assert_eq!(out(&["--flag", "-t", "|"], "c\nc\n"), "c|new\nc|duplicate\n");
}

#[test]
fn ends_of_lines_stay_as_they_came() {
    assert_eq!(out(&[], "a\r\nb\na\nc\r\nb\r\nd"), "a\r\nb\nc\r\nd");
    assert_eq!(out(&["--flag"], "a\r\na\n"), "a\tnew\r\na\tduplicate\n");
    // A CR that ends no line is part of the key.
    assert_eq!(out(&[], "a\r\r\na\r\na"), "a\r\r\na\r\n");
}

#[test]
fn records_are_bytes() {
    let ran = lately(&with(&[]), b"\xff\n\xff\xfe\n\0\n\xff\n");
    assert_eq!(ran.out, b"\xff\n\xff\xfe\n\0\n");
}

#[test]
fn records_can_end_with_nul() {
    assert_eq!(out(&["-z"], "a\nb\0c\0a\nb\0a"), "a\nb\0c\0a");
    assert_eq!(out(&["-z", "--flag"], "a\r\0a\r\n\0"), "a\r\tnew\0a\r\n\tnew\0");
}

#[test]
fn files_are_read_in_turn_and_a_missing_end_is_put_between() {
    let (_dir, paths) = files(&["a\nb", "b\nc"]);
    assert_eq!(out(&[&paths[0], "-", &paths[1]], "d\na\n"), "a\nb\nd\nc");
    assert_eq!(out(&["--flag", &paths[0], &paths[1]], ""), "a\tnew\nb\tnew\nb\tduplicate\nc\tnew");
}

#[test]
fn fields_make_keys() {
    let lines = "1\tx\ta\n2\tx\tb\n3\ty\ta\n4\tx\ta\n";
    assert_eq!(out(&["-k", "2"], lines), "1\tx\ta\n3\ty\ta\n");
    assert_eq!(out(&["-k", "2,3"], lines), "1\tx\ta\n2\tx\tb\n3\ty\ta\n");
    assert_eq!(out(&["-k", "2-3"], lines), out(&["-k", "2,3"], lines));
    assert_eq!(out(&["-k", "2", "-t", "::"], "a::b:\nc::b:\nd::b\n"), "a::b:\nd::b\n");
    assert_eq!(out(&["-k", "2", "-t", "\\t"], lines), out(&["-k", "2"], lines));
}

#[test]
fn parts_of_a_key_do_not_run_together() {
    for (args, input) in [
        (&["-k", "1,2"][..], "ab\tc\na\tbc\n"),
        (&["-k", "1,2"], "\tab\nab\t\n"),
        (&["-k", "x,y", "--csv"], "x,y\nab,c\na,bc\n"),
        (&["--json", "/x", "--json", "/y"], "{\"x\":\"ab\",\"y\":\"c\"}\n{\"x\":\"a\",\"y\":\"bc\"}\n"),
    ] {
        assert_eq!(out(args, input), input);
    }
    // Whatever the bytes are: the lengths before the parts tell them apart.
    let binary = "a\0\0\0\0\0\0\0\0b\tc\na\tb\0\0\0\0\0\0\0\0c\n";
    assert_eq!(lately(&with(&["-k", "1,2"]), binary).text(), binary);
}

#[test]
fn case_can_be_ignored() {
    assert_eq!(out(&["-i"], "Ab\naB\nÄ\nä\n"), "Ab\nÄ\nä\n");
    assert_eq!(out(&["-i", "-k", "2"], "1\tX\n2\tx\n"), "1\tX\n");
    assert_eq!(out(&["-i", "--csv", "-k", "a"], "a,b\nX,1\nx,2\n"), "a,b\nX,1\n");
    assert_eq!(out(&["-i", "--json", "/a"], "{\"a\":\"X\"}\n{\"a\":\"x\"}\n"), "{\"a\":\"X\"}\n");
    assert_eq!(out(&[], "Ab\naB\n"), "Ab\naB\n");
}

#[test]
fn folding_case_does_not_touch_the_lengths_of_parts() {
    // 65 is A and 97 is a: if the length before the first part were folded as well, these two would be one key.
    let (first, rest, last) = (vec![b'x'; 65], vec![b'y'; 24], b"zzzzz".to_vec());
    let length = |n: u8| [&[n][..], &[0; 7]].concat();
    let one = [&first[..], b"\t", &rest, &length(5), &last, b"\n"].concat();
    let two = [&first[..], &length(37), &rest, b"\t", &last, b"\n"].concat();
    let both = [one, two].concat();
    assert_eq!(lately(&with(&["-i", "-k", "1,2"]), &both).out, both);
}

#[test]
fn csv_has_a_header_and_quotes() {
    let csv = "id,note\n1,\"a, b\"\n2,\"two\nlines\"\n\"1\",c\n2,d\n\"3\"\"\",e\n";
    assert_eq!(out(&["--csv", "-k", "id"], csv), "id,note\n1,\"a, b\"\n2,\"two\nlines\"\n\"3\"\"\",e\n");
    let flagged =
        "id,note,lately\n1,\"a, b\",new\n2,\"two\nlines\",new\n\"1\",c,duplicate\n2,d,duplicate\n\"3\"\"\",e,new\n";
    assert_eq!(out(&["--csv", "-k", "id", "--flag"], csv), flagged);
    assert_eq!(out(&["--csv", "-k", "id", "-d"], csv), "id,note\n\"1\",c\n2,d\n");
}

#[test]
fn csv_columns_are_found_by_name() {
    let csv = "\u{feff}id;\"a,b\";at\r\n1;x;1\r\n2;x;2\r\n1;y;3\r\n";
    assert_eq!(out(&["--csv", "-t", ";", "-k", "\"a,b\""], csv), "\u{feff}id;\"a,b\";at\r\n1;x;1\r\n1;y;3\r\n");
    assert_eq!(out(&["--csv", "-t", ";", "-k", "id"], csv), "\u{feff}id;\"a,b\";at\r\n1;x;1\r\n2;x;2\r\n");
    // The last column ends before CR LF, so with and without CR are one key.
    assert_eq!(out(&["--csv", "-k", "b"], "a,b\r\n1,x\r\n2,x\n3,\"x\"\r\n4,\"x\"\n"), "a,b\r\n1,x\r\n");
}

#[test]
fn csv_without_a_key_is_judged_whole() {
    assert_eq!(out(&["--csv"], "a\n1\n\"1\"\n1\n"), "a\n1\n\"1\"\n");
    assert_eq!(out(&["--csv"], ""), "");
    assert_eq!(out(&["--csv", "--flag"], "a,b"), "a,b,lately");
}

#[test]
fn a_blank_line_is_no_csv_record() {
    let csv = "\na\n1\n\n2\n\r\n2\n\n";
    assert_eq!(out(&["--csv", "-k", "a", "--flag"], csv), "a,lately\n1,new\n2,new\n2,duplicate\n");
    assert_eq!(out(&["--csv", "--strict", "--flag"], csv), "a,lately\n1,new\n2,new\n2,duplicate\n");
    assert_eq!(lately(&with(&["--csv", "--report", "json"]), csv).count("read"), 3);
    assert_eq!(out(&["--flag"], "1\n\n"), "1\tnew\n\tnew\n", "in text it is a record");
}

#[test]
fn ragged_csv_rows_are_padded_before_a_verdict() {
    let csv = "a,b,c\n1,x,y\n2\n1,\"x,\"\"z\"\n3,\"p\nq\",r\n";
    let flagged = "a,b,c,lately\n1,x,y,new\n2,,,new\n1,\"x,\"\"z\",,duplicate\n3,\"p\nq\",r,new\n";
    assert_eq!(out(&["--csv", "-k", "a", "--flag"], csv), flagged);
    assert_eq!(
        out(&["--csv", "-k", "a"], csv),
        csv.replace("1,\"x,\"\"z\"\n", ""),
        "without a column they stay as they are"
    );
    let strict = lately(&with(&["--csv", "-k", "a", "--flag", "--strict"]), csv);
    assert_eq!(strict.text(), "a,b,c,lately\n1,x,y,new\n2\n1,\"x,\"\"z\"\n3,\"p\nq\",r,new\n");
    assert!(strict.code == 3 && strict.err.contains("line 3: 1 field where the header has 3"), "{}", strict.err);
    let long = lately(&with(&["--csv", "-k", "a", "--flag"]), "a,b\n1,2,3\n1,2\n");
    assert_eq!(long.text(), "a,b,lately\n1,2,3\n1,2,new\n", "more than the header cannot stand under it");
    assert!(long.err.contains("line 2: 3 fields where the header has 2"), "{}", long.err);
    assert_eq!(out(&["--csv", "--no-header", "--flag"], "1,2\n1\n"), "1,2,new\n1,new\n", "no header, no columns");
}

/// Two stray quotes cost two records: the lines in which they open a field.
#[test]
fn a_stray_quote_costs_its_line_and_no_other() {
    let csv = "id,x\n1,\"a\n2,b\n3,\"c\"\n4,d\n";
    let args = ["--csv", "-k", "id", "--flag"];
    let ran = lately(&with(&args), csv);
    assert_eq!(ran.text(), "id,x,lately\n1,\"a\n2,b,new\n3,\"c\",new\n4,d,new\n");
    assert!(ran.err.contains("line 2: a quote opens a field, and text follows"), "{}", ran.err);
    assert_eq!(lately(&with(&[&args[..], &["--strict"]].concat()), csv).code, 3);
    // Text behind a quote within a line; a field of two lines before it, which belongs to the record.
    let ran = lately(&with(&args), "id,x\n\"1\"x,a\n2,b\n\"3\n4\",\"c\n5,\"d\"\n6,e\n");
    assert_eq!(ran.text(), "id,x,lately\n\"1\"x,a\n2,b,new\n\"3\n4\",\"c\n5,\"d\",new\n6,e,new\n");
    assert!(ran.err.contains("line 2: ") && ran.err.contains("line 4: "), "{}", ran.err);
    // Ten thousand rows, two stray quotes.
    let rows: Vec<String> =
        (0..10_000).map(|i| if i == 100 || i == 5200 { format!("{i},\"x\n") } else { format!("{i},x\n") }).collect();
    let ran = lately(
        &["--last", "1e6", "--csv", "-k", "id", "--report", "json", "--error", "1e-6"],
        format!("id,x\n{}", rows.concat()),
    );
    assert_eq!(["read", "bad", "new"].map(|name| ran.count(name)), [10_000, 2, 9998]);
    assert_eq!(ran.text().lines().count(), 10_001);
    assert!(ran.err.contains("line 102: ") && ran.err.contains("line 5202: a quote is open at the end"), "{}", ran.err);
}

/// Without a key the record is compared column by column, whatever the order of the columns in its file.
#[test]
fn csv_records_of_files_are_compared_by_their_columns_names() {
    let (_dir, paths) = files(&["a,b\n1,x\n", "b,a\nx,1\n1,x\nX,1\n"]);
    assert_eq!(out(&["--csv", &paths[0], &paths[1]], ""), "a,b\n1,x\nx,1\n1,X\n");
    assert_eq!(out(&["--csv", "-d", "-i", &paths[0], &paths[1]], ""), "a,b\n1,x\n1,X\n");
}

#[test]
fn csv_files_share_one_header() {
    let (_dir, paths) = files(&["a,b\n1,x\n", "a,b\n1,x\n2,y\n", "b,c\n3,z\n"]);
    assert_eq!(out(&["--csv", "-k", "a", &paths[0], &paths[1]], ""), "a,b\n1,x\n2,y\n");
    let ran = lately(&with(&["--csv", "-k", "a", &paths[0], &paths[2]]), "");
    assert_eq!((ran.code, ran.text()), (3, "a,b\n1,x\n"));
    assert!(ran.err.contains("2: its header is not that of the first file"), "{}", ran.err);
}

#[test]
fn json_values_make_keys() {
    let lines = "{\"u\":{\"id\":1},\"n\":0}\n{\"n\":1,\"u\":{\"id\":1}}\n{\"u\":{\"id\":2}}\n";
    assert_eq!(out(&["--json", "/u/id"], lines), "{\"u\":{\"id\":1},\"n\":0}\n{\"u\":{\"id\":2}}\n");
    // Objects are equal whatever the order of their names.
    let objects = "{\"a\":{\"x\":1,\"y\":[1,2]}}\n{\"a\": {\"y\": [1, 2], \"x\": 1}}\n{\"a\":{\"y\":[2,1],\"x\":1}}\n";
    assert_eq!(out(&["--json", "/a"], objects), "{\"a\":{\"x\":1,\"y\":[1,2]}}\n{\"a\":{\"y\":[2,1],\"x\":1}}\n");
    assert_eq!(out(&["--json", ""], "[1]\n[ 1 ]\n[2]\n"), "[1]\n[2]\n");
    assert_eq!(out(&["--json", "/a~1b/1"], "{\"a/b\":[0,1]}\n{\"a/b\":[2,1]}\n"), "{\"a/b\":[0,1]}\n");
}

#[test]
fn json_values_of_different_types_are_different_keys() {
    let values =
        ["null", "\"null\"", "true", "\"true\"", "1", "\"1\"", "[1]", "\"[1]\"", "{}", "\"{}\"", "\"\"", "NaN"];
    let lines: String = values.iter().map(|value| format!("{{\"id\":{value}}}\n")).collect();
    assert_eq!(out(&["--json", "/id"], lines.repeat(2)), lines);
    assert_eq!(out(&["--json", "/id", "-i"], &lines), lines);
    let same = "{\"id\":1}\n{\"id\":1.0}\n{\"id\":1e0}\n{\"id\":10e-1}\n{\"id\":-0}\n{\"id\":0}\n{\"id\":[2]}\n{\"id\":[2.0]}\n";
    assert_eq!(out(&["--json", "/id"], same), "{\"id\":1}\n{\"id\":-0}\n{\"id\":[2]}\n");
}

#[test]
fn a_blank_line_is_no_json_record() {
    let lines = "\n{\"id\":1}\n\n{\"id\":1}\n\r\n \t\n";
    let flagged = "{\"id\":1,\"lately\":\"new\"}\n{\"id\":1,\"lately\":\"duplicate\"}\n";
    assert_eq!(out(&["--json", "/id", "--flag", "--strict"], lines), flagged);
    assert_eq!(lately(&with(&["--json", "/id", "--report", "json"]), lines).count("read"), 2);
}

#[test]
fn key_can_be_all_but_some_fields() {
    let lines = "t1\ta\tx\nt2\ta\tx\nt3\ta\ty\nt4\ta\n";
    assert_eq!(out(&["-k", "!1"], lines), "t1\ta\tx\nt3\ta\ty\nt4\ta\n");
    assert_eq!(out(&["-k", "!1,-1"], lines), "t1\ta\tx\nt4\ta\n", "the last of two fields leaves none");
    assert_eq!(out(&["-k", "!1", "-k", "3-"], lines), "t1\ta\tx\n");
    assert_eq!(out(&["-k", "2", "-k", "3"], "1\ta\tb\n2\ta\tb\n3\ta\tc\n"), "1\ta\tb\n3\ta\tc\n");
    let csv = "ts,id,v\n1,a,x\n2,a,x\n3,b,x\n4,b,y\n";
    assert_eq!(out(&["--csv", "-k", "!ts"], csv), "ts,id,v\n1,a,x\n3,b,x\n4,b,y\n");
    assert_eq!(out(&["--csv", "-k", "!ts,v"], csv), "ts,id,v\n1,a,x\n3,b,x\n");
    assert_eq!(out(&["--csv", "-k", "\"!none\""], "!none,x\n1,a\n1,b\n"), "!none,x\n1,a\n", "a name can begin so");
    let (_dir, paths) = files(&["ts,id,v\n1,a,x\n", "v,ts,id\nx,2,a\na,3,x\n"]);
    assert_eq!(out(&["--csv", "-k", "!ts", &paths[0], &paths[1]], ""), "ts,id,v\n1,a,x\n3,x,a\n");
    lately(&with(&["--csv", "-k", "!y"]), "a\n").refused(2, &["'y' for '--key'"]);
}

#[test]
fn key_can_be_all_of_an_object_but_some_values() {
    let args = ["--json-except", "/ts,/trace/id,/l/1", "--flag"];
    let flags = |lines: &str| {
        let said = out(&args, lines);
        said.lines().map(|line| line.contains("\"new\"")).collect::<Vec<_>>()
    };
    let lines = "{\"ts\":1,\"a\":1,\"trace\":{\"id\":7,\"x\":1},\"l\":[1,2,3]}\n\
        {\"trace\":{\"x\":1.0,\"id\":8},\"l\":[1,[],3],\"a\":1}\n\
        {\"trace\":{\"x\":1},\"l\":[1,[],4],\"a\":1}\n\
        {\"ts\":{\"a\":1}}\n{}\n[{\"ts\":1}]\n[{\"ts\":2}]\n";
    let last = lines.rfind("[{").unwrap() - "[{\"ts\":1}]\n".len();
    assert_eq!(flags(&lines[..last]), [true, false, true, true, false]);
    assert_eq!(out(&args[..2], &lines[last..]), &lines[last..], "another value has nothing to leave out");
}
