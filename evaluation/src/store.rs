//! Results, pictures and the page as files: `docs/evaluation/NAME.jsonl`, `NAME-PICTURE.svg`, `docs/EVALUATION.md`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::Outcome;
use crate::{page, plot, registry};

/// What stands before the results.
const PREFACE: &str = include_str!("preface.md");

/// What stands behind them: what is not there.
const MISSING: &str = include_str!("missing.md");

/// The folder of pages.
#[derive(Debug)]
pub(crate) struct Store {
    docs: PathBuf,
}

impl Store {
    pub(crate) const fn new(docs: PathBuf) -> Self {
        Self { docs }
    }

    fn folder(&self) -> PathBuf {
        self.docs.join("evaluation")
    }

    /// Keeps a result and its pictures.
    pub(crate) fn keep(&self, outcome: &Outcome) -> Result<(), String> {
        fs::create_dir_all(self.folder()).map_err(|error| format!("{}: {error}", self.folder().display()))?;
        write(&self.folder().join(format!("{}.jsonl", outcome.head.name)), &outcome.to_lines())?;
        self.draw(outcome)
    }

    fn draw(&self, outcome: &Outcome) -> Result<(), String> {
        for (name, svg) in pictures(outcome)? {
            write(&self.folder().join(name), &svg)?;
        }
        Ok(())
    }

    /// The kept results of all experiments, in order.
    pub(crate) fn outcomes(&self) -> Result<Vec<Outcome>, String> {
        let read = |name: &str| {
            let path = self.folder().join(format!("{name}.jsonl"));
            let text = fs::read_to_string(&path);
            let text =
                text.map_err(|error| format!("{}: {error}; `evaluation run {name} --keep` makes it", path.display()))?;
            Outcome::from_lines(&text).map_err(|error| format!("{}: {error}", path.display()))
        };
        registry::ALL.iter().map(|experiment| read(experiment.name)).collect()
    }

    /// Writes the page and every picture from the kept results, each held as tightly as their number allows.
    pub(crate) fn write_page(&self) -> Result<(), String> {
        let mut outcomes = self.outcomes()?;
        outcomes.iter_mut().for_each(|outcome| outcome.settle(registry::ALL.len()));
        outcomes.iter().try_for_each(|outcome| self.keep(outcome))?;
        write(&self.docs.join("EVALUATION.md"), &whole(&outcomes))
    }
}

/// The page with everything.
fn whole(outcomes: &[Outcome]) -> String {
    format!("{}\n{MISSING}", page::page(PREFACE, outcomes))
}

/// The pictures of a result: file name and text.
fn pictures(outcome: &Outcome) -> Result<Vec<(String, String)>, String> {
    let drawn = |chart| Ok((page::picture_name(&outcome.head.name, chart), plot::draw(chart)?));
    outcome.charts.iter().map(drawn).collect()
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page and the pictures that are committed are what the committed results give.
    #[test]
    fn page_and_pictures_are_those_of_the_results() {
        let store = Store::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs"));
        let outcomes = store.outcomes().expect("results of every experiment");
        let page = fs::read_to_string(store.docs.join("EVALUATION.md")).expect("the page");
        let again = "cargo run --release -p evaluation -- page";
        assert!(page == whole(&outcomes), "docs/EVALUATION.md is not that of the results: {again}");
        for (name, svg) in outcomes.iter().flat_map(|outcome| pictures(outcome).expect("pictures")) {
            let kept = fs::read_to_string(store.folder().join(&name)).unwrap_or_default();
            assert!(kept == svg, "{name} is not that of its results: {again}");
        }
    }

    /// Nothing lies in the folder that no experiment made.
    #[test]
    fn every_file_belongs_to_an_experiment() {
        let store = Store::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs"));
        let outcomes = store.outcomes().expect("results of every experiment");
        let named = |outcome: &Outcome| {
            let mut names = vec![format!("{}.jsonl", outcome.head.name)];
            names.extend(outcome.charts.iter().map(|chart| page::picture_name(&outcome.head.name, chart)));
            names
        };
        let names: Vec<String> = outcomes.iter().flat_map(named).collect();
        for entry in fs::read_dir(store.folder()).expect("the folder") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            assert!(names.contains(&name), "{name} belongs to no experiment");
        }
    }

    #[test]
    fn a_missing_result_names_the_command_that_makes_it() {
        let error = Store::new(PathBuf::from("nowhere")).outcomes().expect_err("no results");
        assert!(error.contains("--keep"), "{error}");
    }
}
