//! `--generate`: the pages and completions that are installed know every option of the command that made
//! them. That each shell reads its completions is the test `install.completions` (packaging/checks/installed.py).

use crate::common;

use common::quiet;

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
fn the_manual_pages_bear_the_version_and_the_day_of_its_release() {
    for (what, name) in [("man", "lately"), ("man-plan", "lately-plan")] {
        let page = page(what);
        let title = page.lines().find(|line| line.starts_with(".TH ")).expect("a title");
        let (date, source) = title.strip_prefix(&format!(".TH {name} 1 ")).unwrap().split_once(" \"lately ").unwrap();
        assert!(source.starts_with(env!("CARGO_PKG_VERSION")), "{title}");
        let is_day = date.len() == 10 && date.split('-').all(|part| part.parse::<u32>().is_ok());
        assert!(is_day || date == "unreleased", "{title}");
    }
}

#[test]
fn the_manual_page_has_the_usual_sections() {
    let sections = |what: &str| -> Vec<String> {
        let titles = page(what);
        let titles = titles.lines().filter_map(|line| line.strip_prefix(".SH "));
        titles.map(|title| title.trim_matches('"').to_owned()).collect()
    };
    let want = [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "KINDS OF FILTER",
        "KEYS",
        "TIME",
        "STATE",
        "COUNTS",
        "COMMANDS",
        "BAD RECORDS",
        "INPUT AND OUTPUT",
        "EXIT STATUS",
        "FILES",
        "EXAMPLES",
        "SEE ALSO",
    ];
    assert_eq!(sections("man"), want);
    assert_eq!(sections("man-plan"), ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "SEE ALSO"]);
    assert!(page("man").contains("fBlatelyfR fB--windowfR fITIMEfR [fIOPTIONfR]"), "a synopsis has values");
    assert!(page("man").contains(".TP\nfB129, 130, 143fR\n"), "a table stays one");
}

/// What groff says of the pages, if it is there: nothing.
#[cfg(unix)]
#[test]
fn the_manual_pages_are_rendered_without_a_warning() {
    use std::process::{Command, Stdio};
    for what in ["man", "man-plan"] {
        let roff = quiet(&["--generate", what], "").out;
        let groff = Command::new("groff")
            .args(["-ww", "-man", "-Tutf8", "-rLL=80n"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut groff) = groff else { continue };
        std::io::Write::write_all(&mut groff.stdin.take().unwrap(), &roff).unwrap();
        let done = groff.wait_with_output().unwrap();
        assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(0), ""), "{what}");
        assert!(done.stdout.len() > 2000, "{what}");
    }
}

/// `-h` is one screen; `--help` has every option, and the man page is the page.
#[test]
fn the_short_help_is_one_screen() {
    let long = quiet(&["--help"], "").text().to_owned();
    assert!(long.lines().count() <= 200 && long.lines().all(|line| line.chars().count() <= 100), "{long}");
    let short = quiet(&["-h"], "").text().to_owned();
    assert!(short.lines().count() <= 40 && short.lines().all(|line| line.chars().count() <= 80), "{short}");
    for option in options(&short) {
        assert!(options(quiet(&["--help"], "").text()).contains(&option), "{option}");
    }
    for group in ["Which records count", "What a record is", "What comes out", "Between runs"] {
        assert!(short.contains(group), "{short}");
    }
}

#[test]
fn the_manual_pages_quote_by_a_font() {
    for what in ["man", "man-plan"] {
        assert!(!page(what).contains('`'), "{}", page(what));
    }
    assert!(page("man").contains("fBlately planfR shows what a filter costs"));
}

#[test]
fn completions_know_the_time_formats() {
    for shell in ["bash", "zsh", "fish"] {
        let page = quiet(&["--generate", shell], "");
        assert!(["rfc3339", "epoch_ms", "syslog", "strptime"].iter().all(|name| page.text().contains(name)), "{shell}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let help = quiet(&["--help"], "");
    for word in ["--window", "--time-format", "Exit status", "Examples", "man lately", "24h", "256M", "1e-3"] {
        assert!(help.text().contains(word), "{word}");
    }
    assert_eq!(quiet(&["--version"], "").text(), concat!("lately ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(quiet(&["-h"], "").text().contains("--window"));
}
