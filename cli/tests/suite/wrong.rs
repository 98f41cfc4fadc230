//! Wrong use, and what is said to it: every message stands in `wrong.txt`, to be read as a whole. `BLESS=1` writes the
//! page. None says a word that is the library's and no option of the shell's.

use crate::common;

use std::path::Path;

use common::{lately, quiet};

/// Each is wrong, for a run or for a plan.
const WRONG: [&str; 86] = [
    "--keep last",
    "--window 1h --hold 3s",
    "--window 1h --csv --count",
    "--window 1h --count=x",
    "plan",
    "--first",
    "--on-limit raise --error 1e-2",
    "--window 10",
    "--window 0s",
    "--window -1s",
    "--window 30m1h",
    "--window 213504d",
    "--last 0",
    "--last 1.5",
    "--last 10K",
    "--capacity 0",
    "--memory 0",
    "--memory 64T",
    "--memory 64kB",
    "--window 10m --error 0",
    "--window 10m --error 0.6",
    "--window 10m --error NaN",
    "--last 9 --error -1",
    "--memory 1M --miss 1",
    "--memory 1M --miss 0",
    "--window 10m --last 9",
    "--last 9 --capacity 9",
    "--window 10m --capacity 9",
    "--window 10m --variant qht",
    "--last 9 --miss 0.1",
    "--last 9 --on-limit raise",
    "--window 10m --on-limit grow",
    "--algo window-table --window 10m --on-limit raise",
    "--window 10m --on-limit raise --age-bits 4",
    "--capacity 9 --first",
    "--memory 1M --refresh",
    "--last 9 --first --refresh",
    "--variant rsqf",
    "--variant qqht --last 1000 --miss 0.01",
    "--variant qqhtd --miss 0.01",
    "--miss 0.01",
    "--variant qht",
    "--algo bloom",
    "--algo window-table",
    "--algo time-limited",
    "--algo age-partitioned",
    "--algo tiny-set",
    "--algo quotient",
    "--algo time-limited --last 9",
    "--algo age-partitioned --window 10m",
    "--algo quotient --window 10m",
    "--algo time-limited --window 1h --age-bits 4",
    "--window 1h --age-bits 6",
    "--window 1h --age-bits 1",
    "--window 10m --memory 64",
    "--last 1e6 --memory 8",
    "--last 1e6 --memory 1M --error 1e-3",
    "--capacity 1e6 --memory 1K",
    "--capacity 9 --error 1e-30",
    "--last 9 --error 1e-300",
    "--algo time-limited --window 1h --error 1e-300",
    "--algo age-partitioned --last 9 --error 1e-300",
    "--memory 1M --error 1e-300",
    "--memory 1M --last 1000 --miss 1e-300",
    "--window 10m -k 0",
    "--window 10m -k 4-2",
    "--window 10m -k a",
    "--window 10m --csv --no-header -k a",
    "--window 10m -k 1 --time-field /at",
    "--window 10m --time-field ts",
    "--window 10m --time-field 1 --time-format iso",
    "--window 10m --time-field 1 --time-format strptime:%H",
    "--window 10m --late drop",
    "--last 9 --reset-clock",
    "--window 10m --time-field 1 --max-step 24",
    "--last 9 --time-field 1",
    "--window 10m --csv -t ::",
    "--window 10m --json id",
    "--window 10m --csv --json /a",
    "--last 9 --max-record 0",
    "--last 9 --wait 1s",
    "--capacity 9 --flag=age",
    "--last 9 --exec",
    "--last 9 --exec true -P 0",
    "--last 9 --exec true --flag",
    "--last 9 -P 2",
];

/// Words of the library's that are no options.
const FOREIGN: [&str; 12] = [
    "window_ns",
    "window_keys",
    "error_rate",
    "miss_rate",
    "max_slices",
    "max-slices",
    "max_step",
    "age_bits",
    "fingerprint",
    "TimeLimited",
    "Options",
    "on_limit",
];

/// What is said, without the usage that clap adds.
fn said(args: &str) -> String {
    let ran = lately(&args.split_whitespace().collect::<Vec<_>>(), "a\n");
    assert_eq!((ran.code, ran.text()), (2, ""), "{args}: {}", ran.err);
    let said = ran.err.split("\n\nUsage:").next().unwrap_or_default();
    said.split("\n\nFor more").next().unwrap_or_default().to_owned()
}

#[test]
fn every_message_is_that_of_the_page() {
    let page: String = WRONG.iter().map(|args| format!("$ lately {args}\n{}\n\n", said(args))).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), page, "BLESS=1 cargo test -p lately-cli --test suite wrong::");
}

#[test]
fn messages_name_options_that_exist_and_no_words_of_the_library() {
    let help = [&["--help"][..], &["plan", "--help"]].map(|args| quiet(args, "").text().to_owned()).concat();
    for args in WRONG {
        let said = said(args);
        assert!(FOREIGN.iter().all(|word| !said.contains(word)), "{args}: {said}");
        let named = said.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| word.starts_with("--"));
        for option in named.filter(|word| word.len() > 2) {
            assert!(help.contains(option), "{args} is told of {option}: {said}");
        }
        assert!(said.contains("--") || said.contains("'-k"), "{args} is told of no option: {said}");
    }
}

#[test]
fn a_plan_that_is_asked_for_wrongly_shows_the_usage_of_plan() {
    let ran = lately(&["plan"], "");
    assert_eq!((ran.code, ran.text()), (2, ""));
    assert!(ran.err.contains("Usage: lately plan") && ran.err.contains("'--window <TIME>'"), "{}", ran.err);
    let ran = lately(&["plan", "--last", "9", "--window", "1h"], "");
    assert!(ran.code == 2 && ran.err.contains("Usage: lately plan"), "{}", ran.err);
}
