//! Results, pictures and the pages as files: `docs/evaluation/NAME.jsonl` and `NAME-PICTURE.svg`, `docs/explanation/evaluation.md`,
//! `docs/reference/evaluation-tables.md` and `artefact.md`; and the pictures for print, which are in no tree.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::Outcome;
use crate::{artefact, page, paper, picture, registry};

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
        write(&self.folder().join(format!("{}.jsonl", outcome.head.name)), outcome.to_lines().as_bytes())?;
        self.draw(outcome)
    }

    fn draw(&self, outcome: &Outcome) -> Result<(), String> {
        pictures(outcome).into_iter().try_for_each(|(name, svg)| write(&self.folder().join(name), svg.as_bytes()))
    }

    /// The kept result of one experiment.
    pub(crate) fn outcome(&self, name: &str) -> Result<Outcome, String> {
        let path = self.folder().join(format!("{name}.jsonl"));
        let text = fs::read_to_string(&path);
        let text =
            text.map_err(|error| format!("{}: {error}; `evaluation run {name} --keep` makes it", path.display()))?;
        Outcome::from_lines(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The kept results of all experiments, in order.
    pub(crate) fn outcomes(&self) -> Result<Vec<Outcome>, String> {
        registry::ALL.iter().map(|experiment| self.outcome(experiment.name)).collect()
    }

    /// Writes the page and every picture from the kept results, each held as tightly as their number allows.
    pub(crate) fn write_page(&self) -> Result<(), String> {
        let mut outcomes = self.outcomes()?;
        outcomes.iter_mut().for_each(|outcome| outcome.settle(registry::ALL.len()));
        outcomes.iter_mut().for_each(registry::conclude);
        outcomes.iter().try_for_each(|outcome| self.keep(outcome))?;
        pages(&outcomes)?.iter().try_for_each(|(path, text)| write(&self.docs.join(path), text.as_bytes()))
    }

    /// Writes every picture for print into a folder.
    pub(crate) fn print(&self, folder: &Path) -> Result<(), String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for outcome in self.outcomes()? {
            for chart in &outcome.charts {
                let name = page::picture_name(&outcome.head.name, chart, "pdf");
                write(&folder.join(name), &picture::print(&outcome.head.name, chart))?;
            }
        }
        Ok(())
    }
}

/// The pages that results give, each with its path below the folder of pages.
fn pages(outcomes: &[Outcome]) -> Result<[(&'static str, String); 3], String> {
    Ok([
        ("explanation/evaluation.md", paper::page(outcomes)?),
        ("reference/evaluation-tables.md", page::tables(outcomes)),
        ("reference/artefact.md", artefact::page(outcomes)),
    ])
}

/// The pictures of a result: file names and texts.
fn pictures(outcome: &Outcome) -> Vec<(String, String)> {
    let name = &outcome.head.name;
    let picture = |chart| (page::picture_name(name, chart, "svg"), picture::screen(name, chart));
    outcome.charts.iter().map(picture).collect()
}

/// Writes a file that is there whole, or as it was.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let part = path.with_extension("part");
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).map_err(|error| {
        // What is left of it is of no use; the error is that of the writing.
        let _ = fs::remove_file(&part);
        format!("{}: {error}", path.display())
    })
}

/// The results that are committed.
#[cfg(test)]
pub(crate) fn committed() -> Store {
    Store::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs"))
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

    /// The page and the pictures that are committed are what the committed results give.
    #[test]
    fn page_and_pictures_are_those_of_the_results() {
        let store = committed();
        let outcomes = store.outcomes().expect("results of every experiment");
        let again = "cargo evaluation page";
        for (path, text) in pages(&outcomes).expect("pages") {
            let kept = fs::read_to_string(store.docs.join(path)).expect("the page");
            assert!(kept == text, "docs/{path} is not that of the results: {again}");
        }
        for (name, svg) in outcomes.iter().flat_map(pictures) {
            let kept = fs::read_to_string(store.folder().join(&name)).unwrap_or_default();
            assert!(kept == svg, "{name} is not that of its results: {again}");
        }
    }

    /// Nothing lies in the folder that no experiment made.
    #[test]
    fn every_file_belongs_to_an_experiment() {
        let store = committed();
        let outcomes = store.outcomes().expect("results of every experiment");
        let named = |outcome: &Outcome| {
            let mut names = vec![format!("{}.jsonl", outcome.head.name)];
            names.extend(pictures(outcome).into_iter().map(|(name, _)| name));
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
