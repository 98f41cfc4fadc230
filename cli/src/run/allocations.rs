//! A run allocates nothing for a record, whatever it is and whatever is asked for.

use clap::Parser;

use super::Run;
use crate::args::Cli;
use crate::output::Output;
use crate::signals::Watch;

/// What a run over `records` asks of the allocator once it is ready.
fn allocations(args: &[&str], records: &[u8]) -> u64 {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), records).unwrap();
    let all = [&["lately"], args, &[file.path().to_str().unwrap()]].concat();
    let args = Cli::try_parse_from(all).unwrap().args;
    let watch = Watch::install().unwrap();
    let nowhere = |style| Ok(Output::to(Box::new(std::io::sink()), style));
    let mut run = Run::with(&args, watch, nowhere).map_err(|error| format!("{error:?}")).unwrap();
    let asked = allocation_counter::measure(|| run.all(|_| ()).map_err(|error| format!("{error:?}")).unwrap());
    assert!(run.read >= 20_000, "{} records", run.read);
    asked.count_total
}

/// Twice as many records allocate no more, except that a table grows and shrinks now and then.
fn expect_none(args: &[&str], head: &str, record: impl Fn(u64) -> String) {
    let records = |n: u64| [head.to_owned(), (0..n).map(&record).collect()].concat().into_bytes();
    let [once, twice] = [20_000, 40_000].map(|n| allocations(args, &records(n)));
    assert!(twice <= once + 40, "{args:?}: {once} allocations, and {twice} for twice as many records");
}

/// One after the other, again and again.
fn pick<'a>(texts: &[&'a str], i: u64) -> &'a str {
    texts[usize::try_from(i).unwrap() % texts.len()]
}

const LAST: [&str; 2] = ["--last", "1000"];

#[test]
fn text_costs_no_allocation_per_record() {
    let line = |i: u64| format!("Name{} {} \"x \\\" y\" [z]\n", i % 3000, i % 7);
    for args in [
        &[][..],
        &["-i"],
        &["-t", " ", "-k", "2"],
        &["-t", " ", "-k", "2-", "-i"],
        &["-t", "blank", "-k", "-1,1"],
        &["-t", " \"", "-k", "1"],
        &["--mark"],
        &["--mark=age"],
        &["-d", "--top", "9"],
        &["-t", " ", "-k", "1,2", "--top", "9"],
        &["-t", " ", "-k", "9"],
        &["--max-record", "9"],
    ] {
        expect_none(&[&LAST[..], args].concat(), "", line);
    }
}

#[test]
fn csv_costs_no_allocation_per_record() {
    let line = |i: u64| format!("{},\"a \"\"{}\"\"\",x\n", i % 3000, i % 7);
    for args in [&["-k", "a"][..], &["-k", "b,1"], &["-k", "b", "--mark=age", "--mark-name", "a,b"]] {
        expect_none(&[&LAST[..], &["--csv"], args].concat(), "a,b,c\n", line);
    }
    expect_none(&[&LAST[..], &["--csv", "--no-header", "-k", "4"]].concat(), "", line);
    // Columns in the order of the file before.
    let first = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(first.path(), "c,b,a\n").unwrap();
    expect_none(&[&LAST[..], &["--csv", "-k", "a", first.path().to_str().unwrap()]].concat(), "a,b,c\n", line);
}

#[test]
fn json_costs_no_allocation_per_record() {
    let line = |i: u64| {
        format!(
            "{{\"n\\u0061me\":\"\\u00e9\\n{}\",\"o\":{{\"b\":[1.5E3,\"\\t\"],\"a\":{{\"d\":{i},\"c\":null}}}},\"x\":1e5}}\n",
            i % 3000
        )
    };
    for args in [
        &["--json", "/name"][..],
        &["--json", "/o", "--json", "/x", "-i"],
        &["--json", ""],
        &["--json", "/o/b/1", "--mark"],
        &["--json", "/o/a/d", "--mark=age", "--mark-name", "\"v\""],
        &["--json", "/name", "-d", "--top", "9"],
        &["--json", "/none"],
        &["--json", "/name", "--mark", "--mark-name", "x"],
    ] {
        expect_none(&[&LAST[..], args].concat(), "", line);
    }
    let broken = |i: u64| format!("{}\n", pick(&["{\"a\":", "[1,]", "\"\\ud800\"", "01", "{\"a\" 1}", "nul"], i));
    expect_none(&[&LAST[..], &["--json", ""]].concat(), "", broken);
}

#[test]
fn times_cost_no_allocation_per_record() {
    let at = |i: u64| 1_700_000_000 + i / 100;
    let timed = |format: &'static str| ["--window", "10s", "-k", "2", "--time-field", "1", "--time-format", format];
    expect_none(&timed("epoch"), "", |i| format!("{}.{:03}\tkey{}\n", at(i), i % 1000, i % 700));
    expect_none(&timed("epoch_ms"), "", |i| format!("{}e3\tkey{}\n", at(i), i % 700));
    expect_none(&timed("rfc3339"), "", |i| {
        format!("2026-03-01T12:{:02}:{:02}Z\tkey{}\n", i / 6000 % 60, i / 100 % 60, i % 700)
    });
    expect_none(&timed("clf"), "", |i| {
        format!("[17/May/2015:10:{:02}:{:02} +0000]\tkey{}\n", i / 6000 % 60, i / 100 % 60, i % 700)
    });
    // Bad ones, late ones, and refused ones.
    expect_none(&timed("epoch"), "", |i| format!("{}\tkey\n", pick(&["", "x", "1e", "1.5.5"], i)));
    for format in ["clf", "rfc3339"] {
        expect_none(&timed(format), "", |i| format!("{}\tkey\n", pick(&["", "-", "none", "[17/May/20]"], i)));
    }
    let custom = timed("strptime:%Y-%m-%d %H:%M:%S%.f");
    expect_none(&custom, "", |i| format!("2026-03-01 12:{:02}:{:02}.5\tkey{}\n", i / 6000 % 60, i / 100 % 60, i % 700));
    let late = |i: u64| format!("{}\tkey{}\n", if i == 0 { 1_900_000_000 } else { at(i) }, i % 700);
    expect_none(&[&timed("epoch")[..], &["--late", "pass"]].concat(), "", late);
    let far = |i: u64| format!("{}\tkey\n", if i % 100 < 50 { at(i) } else { 1_900_000_000 });
    expect_none(&timed("epoch"), "", far);
}
