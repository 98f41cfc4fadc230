//! Results, pictures and pages as files.
//!
//! ```text
//! target/evaluation/NAME.jsonl, NAME-PICTURE.svg, tables.md    all that a run gives: part of a release, and in no tree
//!         | page
//!         v
//! evaluation/docs/README.md, artefact.md, NAME-PICTURE.svg     the paper, with the pictures that it shows, and the artefact
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::write;
use crate::outcome::Outcome;
use crate::{artefact, page, paper, picture, registry};

/// The folder of pages, and that of results.
#[derive(Debug)]
pub(crate) struct Store {
    docs: PathBuf,
    results: PathBuf,
}

impl Store {
    pub(crate) const fn new(docs: PathBuf, results: PathBuf) -> Self {
        Self { docs, results }
    }

    /// Keeps a result and its pictures.
    pub(crate) fn keep(&self, outcome: &Outcome) -> Result<(), String> {
        make(&self.results)?;
        write(&self.results.join(format!("{}.jsonl", outcome.head.name)), outcome.to_lines().as_bytes())?;
        pictures(outcome).into_iter().try_for_each(|(name, svg)| write(&self.results.join(name), svg.as_bytes()))
    }

    /// The kept result of one experiment.
    pub(crate) fn outcome(&self, name: &str) -> Result<Outcome, String> {
        let path = self.results.join(format!("{name}.jsonl"));
        let text = fs::read_to_string(&path);
        let text =
            text.map_err(|error| format!("{}: {error}; `evaluation run {name} --keep` makes it", path.display()))?;
        Outcome::from_lines(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The kept results of all experiments, in order.
    pub(crate) fn outcomes(&self) -> Result<Vec<Outcome>, String> {
        registry::ALL.iter().map(|experiment| self.outcome(experiment.name)).collect()
    }

    /// Writes the pages and every picture from the kept results, each held as tightly as their number allows.
    pub(crate) fn write_page(&self) -> Result<(), String> {
        let mut outcomes = self.outcomes()?;
        outcomes.iter_mut().for_each(|outcome| outcome.settle(registry::ALL.len()));
        outcomes.iter_mut().for_each(registry::conclude);
        outcomes.iter().try_for_each(|outcome| self.keep(outcome))?;
        write(&self.results.join("tables.md"), page::tables(&outcomes).as_bytes())?;
        let pages = pages(&outcomes)?;
        pages.iter().try_for_each(|(path, text)| write(&self.docs.join(path), text.as_bytes()))?;
        let shown = |name: &str| pages.iter().any(|(_, text)| text.contains(name));
        let mut pictures = outcomes.iter().flat_map(pictures).filter(|(name, _)| shown(name));
        pictures.try_for_each(|(name, svg)| write(&self.docs.join(name), svg.as_bytes()))
    }

    /// Writes every picture for print into a folder.
    pub(crate) fn print(&self, folder: &Path) -> Result<(), String> {
        make(folder)?;
        for outcome in self.outcomes()? {
            for chart in &outcome.charts {
                let name = page::picture_name(&outcome.head.name, chart, "pdf");
                write(&folder.join(name), &picture::print(&outcome.head.name, chart))?;
            }
        }
        Ok(())
    }
}

/// The pages that results give, by name.
fn pages(outcomes: &[Outcome]) -> Result<[(&'static str, String); 2], String> {
    Ok([("README.md", paper::page(outcomes)?), ("artefact.md", artefact::page(outcomes))])
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// The pictures of a result: file names and texts.
fn pictures(outcome: &Outcome) -> Vec<(String, String)> {
    let name = &outcome.head.name;
    let picture = |chart| (page::picture_name(name, chart, "svg"), picture::screen(name, chart));
    outcome.charts.iter().map(picture).collect()
}

/// The pages of this tree, and the results of a full run in it.
#[cfg(test)]
pub(crate) fn of_tree() -> Store {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Store::new(tree.join("evaluation/docs"), tree.join("target/evaluation"))
}

/// A page of this tree, in one line.
#[cfg(test)]
pub(crate) fn committed(page: &str) -> String {
    let text = fs::read_to_string(of_tree().docs.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_what_was_there() {
        let folder = std::env::temp_dir().join(format!("evaluation-store-{}", std::process::id()));
        let path = folder.join("kept.jsonl");
        fs::create_dir_all(folder.join("kept.part")).expect("a folder in the way");
        fs::write(&path, "kept").expect("a file");
        let error = write(&path, b"new").expect_err("no room for the part");
        assert!(error.contains("kept.jsonl"), "{error}");
        assert_eq!(fs::read(&path).expect("the file"), b"kept");
        fs::remove_dir_all(&folder).expect("what was made");
    }

    /// The pages and the pictures that are committed are what the results give.
    #[cfg(feature = "results")]
    #[test]
    fn pages_and_pictures_are_those_of_the_results() {
        let store = of_tree();
        let outcomes = store.outcomes().expect("results of every experiment");
        let again = "cargo evaluation page";
        for (path, text) in pages(&outcomes).expect("pages") {
            let kept = fs::read_to_string(store.docs.join(path)).expect("the page");
            assert!(kept == text, "{path} is not that of the results: {again}");
        }
        for (name, svg) in outcomes.iter().flat_map(pictures) {
            let kept = fs::read_to_string(store.docs.join(&name));
            assert!(kept.is_ok_and(|kept| kept == svg) || !shown().contains(&name), "{name} is another: {again}");
        }
    }

    /// The pictures that the paper shows.
    fn shown() -> Vec<String> {
        let links = committed("README.md");
        let links = links.split("](").skip(1).filter_map(|link| link.split(')').next());
        links.filter(|link| link.ends_with(".svg")).map(String::from).collect()
    }

    #[test]
    fn folder_of_pictures_has_those_that_the_paper_shows() {
        let entries = fs::read_dir(of_tree().docs).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let names = names.filter(|name| !name.ends_with(".md"));
        let (mut names, mut shown) = (names.collect::<Vec<_>>(), shown());
        names.sort();
        shown.sort();
        assert_eq!(names, shown);
    }

    #[test]
    fn a_missing_result_names_the_command_that_makes_it() {
        let error = Store::new(PathBuf::new(), PathBuf::from("nowhere")).outcomes().expect_err("no results");
        assert!(error.contains("--keep"), "{error}");
    }
}
