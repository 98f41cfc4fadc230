//! `bindings/languages.tsv` has a row for each language: what tests it, its example and its two pages. CMake takes the languages from
//! there, the index of the pages is made from it, and nothing else lists them.

use std::path::Path;

use super::expect_generated;
use crate::tree::{ROOT, entries, text};

/// A language, by the columns of the file.
struct Language {
    key: String,
    name: String,
    tests: String,
    example: Option<String>,
    tutorial: String,
    reference: String,
}

const HEAD: &str = "key\tname\ttests\texample\ttutorial\treference";

fn languages() -> Vec<Language> {
    let file = text("bindings/languages.tsv");
    let mut lines = file.lines();
    assert_eq!(lines.next(), Some(HEAD), "bindings/languages.tsv: the names of the columns");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[key, name, tests, example, tutorial, reference] = cells.as_slice() else {
            panic!("bindings/languages.tsv: {line:?}: {} columns: must be 6", cells.len());
        };
        let example = (example != "-").then(|| example.to_owned());
        let [key, name, tests, tutorial, reference] = [key, name, tests, tutorial, reference].map(str::to_owned);
        Language { key, name, tests, example, tutorial, reference }
    };
    lines.map(row).collect()
}

fn is_there(path: &str) -> bool {
    Path::new(ROOT).join(path).exists()
}

#[test]
fn index_of_pages_leads_to_the_two_of_each_language() {
    let links = |page: fn(&Language) -> &String, between: &str| {
        let link = |language: Language| {
            let path = page(&language);
            assert!(is_there(path), "bindings/languages.tsv: {}: there is no {path}", language.name);
            format!("[{}]({})", language.name, path.trim_start_matches("docs/"))
        };
        languages().into_iter().map(link).collect::<Vec<_>>().join(between)
    };
    let tutorials = links(|language| &language.tutorial, " ·\n");
    let references = links(|language| &language.reference, ",\n  ");
    expect_generated("docs/README.md", "tutorials", &format!("{tutorials}\n"));
    expect_generated("docs/README.md", "references", &format!("- The API: {references}\n"));
}

#[test]
fn every_language_has_its_example_and_no_other_is_there() {
    let mut named: Vec<String> = languages().into_iter().filter_map(|language| language.example).collect();
    named.sort();
    let there: Vec<String> = entries("examples").into_iter().filter(|path| path.contains("/dedup.")).collect();
    assert_eq!(named, there, "the examples of bindings/languages.tsv, and those of examples/");
}

/// A folder of `bindings/` is that of a language, or of a language and what it adds: `java-metrics`.
#[test]
fn every_folder_of_the_bindings_is_that_of_a_language() {
    let languages = languages();
    let folders = entries("bindings").into_iter().filter(|path| Path::new(ROOT).join(path).is_dir());
    for folder in folders {
        let name = folder.trim_start_matches("bindings/").split('-').next().unwrap_or_default();
        assert!(languages.iter().any(|language| language.key == name), "bindings/languages.tsv has no row of {folder}");
    }
}

#[test]
fn contributing_has_the_command_that_tests_each_language() {
    let page = text("CONTRIBUTING.md");
    for Language { name, tests, .. } in languages() {
        let (command, pattern) = tests.split_once(" -R ").unwrap_or((&tests, ""));
        assert!(page.contains(command) && page.contains(pattern), "CONTRIBUTING.md: what tests {name}: {tests}");
    }
}
