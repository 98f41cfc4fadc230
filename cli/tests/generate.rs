//! `--generate`: the pages and completions that are installed know every option of the command that made
//! them. That each shell reads its completions is the test `install.completions` (cmake/check_completions.cmake).

mod common;

use common::{lately, quiet};

/// Every long option that a help text names at the beginning of a line.
fn options(help: &str) -> Vec<String> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(str::split_whitespace).filter(|word| word.starts_with("--"));
    let names = words.map(|word| word.split(['=', ',', '.', ':', ')', '<', '[']).next().unwrap_or(word).to_owned());
    names.filter(|name| name.len() > 2).collect()
}

/// What a run prints, without the backslashes that roff puts before dashes.
fn page(what: &str) -> String {
    quiet(&["--generate", what], "").text().replace('\\', "")
}

#[test]
fn every_page_names_every_option() {
    let whole = options(quiet(&["--help"], "").text());
    let plan = options(quiet(&["plan", "--help"], "").text());
    assert!(whole.len() > 30 && plan.len() > 14, "{whole:?} {plan:?}");
    for (what, options) in [("man", &whole), ("man-plan", &plan), ("bash", &whole), ("zsh", &whole)] {
        let page = page(what);
        for option in options {
            assert!(page.contains(option.as_str()), "{what} lacks {option}");
        }
    }
    let fish = page("fish");
    for option in &whole {
        assert!(fish.contains(&format!("-l {}", &option[2..])), "fish lacks {option}");
    }
}

#[test]
fn the_manual_pages_bear_the_version() {
    for (what, name) in [("man", "lately"), ("man-plan", "lately-plan")] {
        let title = format!(".TH {name} 1 \" \" \"lately {}\"", env!("CARGO_PKG_VERSION"));
        assert!(page(what).contains(&title), "{what} has no {title}:\n{}", page(what));
    }
}

#[test]
fn the_manual_pages_quote_by_a_font() {
    for what in ["man", "man-plan"] {
        assert!(!page(what).contains('`'), "{}", page(what));
    }
    assert!(page("man").contains("fBlately planfR says beforehand"));
}

#[test]
fn nothing_else_stands_beside_it() {
    let ran = lately(&["--generate", "man", "--window", "1m"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--generate"), "{}", ran.err);
}
