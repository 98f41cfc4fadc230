//! `--state FILE`: a run goes on where the last one ended.
//!
//! ```text
//!  FILE        the filter's snapshot (docs/FORMAT.md) | a line of JSON: what made it | 16 hex digits: XXH3-64 of the line
//!  FILE.new    the next one, until it is whole and on the disk; then it takes the place of FILE
//!  FILE.lock   held while a run lasts, so that two do not write over each other
//! ```
//! **Law.** Killed at any moment a run leaves the old state or the new one, whole. A record is handed on before it is in
//! a state: what a kill loses is printed again, and nothing is left out.
//!
//! **Time.** Ticks are nanoseconds since 1970, of the records or of the wall clock at their arrival; so they tell by
//! themselves what passed between two runs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs4::{FileExt, TryLockError};
use lately::{Filter, Kind, LoadOptions, hash64};

use crate::exit::Exit;

/// What decides about keys and filter, by the name of its option: a state is of use to equal ones only.
pub(crate) type Made = BTreeMap<String, String>;

/// More than the JSON of a state can have.
const MOST_JSON: u64 = 1 << 20;

/// Hex digits of the checksum of the JSON.
const DIGITS: usize = 16;

/// The file of a run's state, locked.
#[derive(Debug)]
pub(crate) struct State {
    path: PathBuf,
    every: Duration,
    made: Made,
    saved: Instant,
    _lock: File,
}

/// The filter of an earlier run.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) filter: Filter,
    /// Its kind, if that is not the one that is asked for.
    pub(crate) older: Option<Kind>,
}

impl State {
    /// Takes the file, and loads the filter that is in it, if there is one yet. One that was made by
    /// an older kind, as `older` says, goes on, and is saved, as that.
    pub(crate) fn open(
        path: &Path,
        every: Duration,
        made: Made,
        older: Option<(Kind, Made)>,
        options: &LoadOptions,
    ) -> std::result::Result<(Self, Option<Found>), Exit> {
        let named = |why: &dyn std::fmt::Display| Exit::Failed(format!("{}: {why}", path.display()));
        // A link is followed, so that all its names are one state.
        let followed = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path = followed.as_path();
        let lock = lock(path).map_err(|error| named(&error))?;
        let (made, found) = match File::open(path) {
            Ok(file) => {
                let (filter, then) = read(file, options).map_err(|why| named(&why))?;
                let older = older.filter(|(_, older)| *older == then);
                let kind = older.as_ref().map(|(kind, _)| *kind);
                let made = older.map_or(made, |(_, older)| older);
                compare(&then, &made).map_err(|why| named(&why))?;
                (made, Some(Found { filter, older: kind }))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (made, None),
            Err(error) => return Err(named(&error)),
        };
        Ok((Self { path: path.to_owned(), every, made, saved: Instant::now(), _lock: lock }, found))
    }

    /// Whether it is time to save.
    pub(crate) fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.every
    }

    /// Saves the filter, whole or not at all.
    pub(crate) fn save(&mut self, filter: &Filter) -> std::result::Result<(), Exit> {
        let saved = self.replace(filter);
        self.saved = Instant::now();
        saved.map_err(|error| Exit::Failed(format!("{}: not saved: {error}", self.path.display())))
    }

    fn replace(&self, filter: &Filter) -> Result<()> {
        let beside = with_ending(&self.path, ".new");
        let mut out = BufWriter::new(File::create(&beside)?);
        filter.write_snapshot(&mut out)?;
        out.write_all(trailer(&self.made).as_bytes())?;
        out.into_inner()?.sync_all()?;
        fs::rename(&beside, &self.path)?;
        sync_folder(&self.path)
    }
}

/// `FILE.lock`, locked for as long as it is open.
fn lock(path: &Path) -> Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(with_ending(path, ".lock"))?;
    match FileExt::try_lock(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::other("another run holds this state")),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// That a file has this name now is on the disk too.
#[cfg(unix)]
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Where folders cannot be opened, the system sees to it.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> Result<()> {
    Ok(())
}

/// The filter, and what made it.
fn read(file: File, options: &LoadOptions) -> std::result::Result<(Filter, Made), String> {
    let mut input = BufReader::new(file);
    let filter = Filter::read_snapshot(&mut input, options).map_err(|error| error.to_string())?;
    let mut rest = Vec::new();
    input.take(MOST_JSON).read_to_end(&mut rest).map_err(|error| error.to_string())?;
    let then = parse(&rest).ok_or("not a state that lately saved: what stands behind the snapshot is damaged")?;
    Ok((filter, then))
}

/// What stands behind the snapshot.
fn trailer(made: &Made) -> String {
    let line = serde_json::to_string(made).expect("texts are JSON") + "\n";
    let sum = hash64(line.as_bytes(), 0);
    format!("{line}{sum:0DIGITS$x}\n")
}

fn parse(trailer: &[u8]) -> Option<Made> {
    let made = serde_json::from_slice(trailer.split(|byte| *byte == b'\n').next()?).ok()?;
    (self::trailer(&made).as_bytes() == trailer).then_some(made)
}

/// A key that is made otherwise, or another filter, would answer wrongly without a word.
fn compare(then: &Made, now: &Made) -> std::result::Result<(), String> {
    let names = then.keys().chain(now.keys());
    let of = |made: &Made, name: &String| made.get(name).map_or_else(|| String::from("nothing"), Clone::clone);
    match names.into_iter().find(|name| then.get(*name) != now.get(*name)) {
        Some(name) => Err(format!("this state was made with {name} {}, not with {}", of(then, name), of(now, name))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(key: &str) -> Made {
        [("--key", key), ("--window", "10m")].map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    #[test]
    fn a_trailer_is_read_whole_or_not_at_all() {
        let whole = trailer(&made("2"));
        assert_eq!(parse(whole.as_bytes()), Some(made("2")));
        for end in 0..whole.len() {
            assert_eq!(parse(&whole.as_bytes()[..end]), None, "{end}");
        }
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse(&bytes), None, "bit {bit}");
        }
        assert_eq!(parse((whole + "\n").as_bytes()), None);
    }

    #[test]
    fn what_differs_is_named() {
        assert_eq!(compare(&made("2"), &made("2")), Ok(()));
        let why = compare(&made("2"), &made("3")).unwrap_err();
        assert_eq!(why, "this state was made with --key 2, not with 3");
        let why = compare(&made("2"), &Made::new()).unwrap_err();
        assert_eq!(why, "this state was made with --key 2, not with nothing");
    }
}
