//! Wrong use, and what is said to it: every command line and its message stand in `wrong.txt`, to be read as a whole. `BLESS=1` writes the
//! messages again. None says a word that is the library's and no option of the shell's.

use crate::common;

use std::fs;
use std::path::Path;

use common::{lately, quiet};

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

/// The options that a run and a plan have in common.
const SHARED: [&str; 12] = [
    "--window",
    "--last",
    "--capacity",
    "--memory",
    "--error",
    "--miss",
    "--algo",
    "--variant",
    "--on-limit",
    "--age-bits",
    "--refresh",
    "--first",
];

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong.txt")).expect("the page")
}

/// The command lines of the page.
fn cases(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix("$ lately ")).collect()
}

/// What is said, without the usage that clap adds.
fn said(args: &str) -> String {
    let ran = lately(&args.split_whitespace().collect::<Vec<_>>(), "a\n");
    assert_eq!((ran.code, ran.text()), (2, ""), "{args}: {}", ran.err);
    let said = ran.err.split("\n\nUsage:").next().unwrap_or_default();
    said.split("\n\nFor more").next().unwrap_or_default().trim_end().to_owned()
}

#[test]
fn every_message_is_that_of_the_page() {
    let page = page();
    let said: String = cases(&page).iter().map(|args| format!("$ lately {args}\n{}\n", said(args))).collect();
    if std::env::var_os("BLESS").is_some() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong.txt"), &said).unwrap();
    } else {
        assert_eq!(said, page, "BLESS=1 cargo test -p lately-cli --test suite wrong::");
    }
    assert!(cases(&page).len() > 140);
}

#[test]
fn messages_name_options_that_exist_and_no_words_of_the_library() {
    let (page, help) =
        (page(), [&["--help"][..], &["plan", "--help"]].map(|args| quiet(args, "").text().to_owned()).concat());
    for message in page.split("$ lately ").skip(1) {
        let (args, said) = message.split_once('\n').unwrap();
        assert!(FOREIGN.iter().all(|word| !said.contains(word)), "{args}: {said}");
        let named = said.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| word.starts_with("--"));
        for option in named.filter(|word| word.len() > 2) {
            assert!(help.contains(option) || option == "--generate", "{args} is told of {option}: {said}");
        }
        assert!(said.contains("--") || said.contains("'-k") || said.contains("'./plan'"), "{args}: {said}");
    }
}

#[test]
fn wrong_plan_has_the_same_message_and_its_own_usage() {
    let page = page();
    let is_option = |word: &str| word.starts_with('-') && !word[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_shared = |args: &&str| args.split(' ').all(|word| !is_option(word) || SHARED.contains(&word));
    let shared: Vec<_> = cases(&page).into_iter().filter(|args| !args.starts_with("plan")).filter(is_shared).collect();
    assert!(shared.len() > 60);
    for args in shared {
        assert_eq!(said(&format!("plan {args}")), said(args), "{args}");
    }
    for args in [&["plan"][..], &["plan", "--last", "9", "--window", "1h"]] {
        assert!(lately(args, "").err.contains("Usage: lately plan"), "{args:?}");
    }
}
