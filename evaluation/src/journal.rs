//! What a stopped run had finished: whole experiments, and units of the longest one, as JSON lines.
//!
//! A unit is written when it is finished. A last line that is torn is not there: its unit is done again.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files;
use crate::outcome::Outcome;

/// The notes of one experiment at one length and seed.
#[derive(Debug)]
pub(crate) struct Journal {
    finished: PathBuf,
    done: HashMap<String, Value>,
    units: Mutex<File>,
}

#[derive(Serialize, Deserialize)]
struct Note {
    unit: String,
    result: Value,
}

impl Journal {
    /// Opens the notes of this name, or begins them.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, String> {
        let told = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(told)?;
        let path = folder.join(format!("{name}.units"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut units = OpenOptions::new().create(true).append(true).open(&path).map_err(told)?;
        if !text.is_empty() && !text.ends_with('\n') {
            units.write_all(b"\n").map_err(told)?;
        }
        let notes = text.lines().filter_map(|line| serde_json::from_str::<Note>(line).ok());
        let done = notes.map(|note| (note.unit, note.result)).collect();
        Ok(Self { finished: folder.join(format!("{name}.jsonl")), done, units: Mutex::new(units) })
    }

    /// What this unit came to: from the notes, or from `run` and then noted.
    pub(crate) fn unit<T: Serialize + DeserializeOwned>(&self, unit: &str, run: impl FnOnce() -> T) -> T {
        let noted = self.done.get(unit).and_then(|result| serde_json::from_value(result.clone()).ok());
        noted.unwrap_or_else(|| {
            let result = run();
            self.note(unit, &result);
            result
        })
    }

    fn note(&self, unit: &str, result: &impl Serialize) {
        let result = serde_json::to_value(result).expect("numbers and texts");
        let note = Note { unit: unit.to_owned(), result };
        let line = serde_json::to_string(&note).expect("numbers and texts") + "\n";
        let written = self.units.lock().map(|mut file| file.write_all(line.as_bytes()));
        // A note that is lost costs its unit again, and nothing else.
        if !matches!(written, Ok(Ok(()))) {
            eprintln!("evaluation: {unit}: not noted");
        }
    }

    /// The experiment, if it was finished.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        fs::read_to_string(&self.finished).ok().and_then(|text| Outcome::from_lines(&text).ok())
    }

    /// Notes that the experiment is finished. The file is there whole or not at all.
    pub(crate) fn finish(&self, outcome: &Outcome) -> Result<(), String> {
        files::write(&self.finished, outcome.to_lines().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("evaluation-journal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_unit_is_done_once() {
        let folder = folder("units");
        let open = || Journal::open(&folder, "a").expect("a journal");
        let journal = open();
        assert_eq!(journal.unit("1", || vec![1.5, 2.5]), [1.5, 2.5]);
        assert_eq!(open().unit("1", || vec![0.0]), [1.5, 2.5]);
        // A torn line, and one after it.
        fs::write(folder.join("a.units"), "{\"unit\":\"1\",\"result\":[7.0]}\n{\"unit\":\"2\",\"res").expect("a file");
        let journal = open();
        assert_eq!((journal.unit("1", || vec![0.0]), journal.unit("2", || vec![3.0])), (vec![7.0], vec![3.0]));
        assert_eq!(open().unit("2", || vec![0.0]), [3.0]);
        fs::remove_dir_all(&folder).expect("what was made");
    }

    #[test]
    fn an_outcome_is_there_when_it_is_finished() {
        let folder = folder("outcome");
        let (journal, outcome) = (Journal::open(&folder, "a").expect("a journal"), Outcome::new("Ran."));
        assert!(journal.outcome().is_none());
        journal.finish(&outcome).expect("a file");
        assert_eq!(Journal::open(&folder, "a").expect("a journal").outcome(), Some(outcome));
        fs::remove_dir_all(&folder).expect("what was made");
    }
}
